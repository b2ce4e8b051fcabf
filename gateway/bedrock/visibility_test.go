package bedrock

import (
	"slices"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Rule SV-24 and scenario A-14 of docs/wire/bedrock.md: a joining player and the players in the area are shown each
// other: first PlayerList, then AddPlayer with the feet position.
func TestJoiningPlayersAreShownToEachOther(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{Workers: 2}, func(srv *testServer) {
		a := srv.join("ann")
		a.walker().walk(3, northward)
		a.takePackets()
		a.received = nil
		b := srv.join("bob")
		srv.advance(500 * time.Millisecond)
		for _, c := range []struct {
			who  *client
			sees string
			at   proto.Vec3
		}{{a, "bob", proto.Vec3{25, 64, -1}}, {b, "ann", proto.Vec3{25, 64, -1.4306929}}} {
			added := packetsOf[proto.AddPlayer](c.who)
			if len(added) != 1 {
				t.Fatalf("%s was shown %d players", c.who.name, len(added))
			}
			p := added[0]
			if p.Name != c.sees || p.Position[0] != c.at[0] || p.Position[1] != c.at[1] || p.Position[2]-c.at[2] > 1e-3 || c.at[2]-p.Position[2] > 1e-3 {
				t.Errorf("%s was shown %s at %v, want %s at %v", c.who.name, p.Name, p.Position, c.sees, c.at)
			}
			if p.Runtime == c.who.start.Runtime || int64(p.Runtime) != p.Abilities.Unique {
				t.Errorf("%s with id %d was shown id %d", c.who.name, c.who.start.Runtime, p.Runtime)
			}
			listed, shown := slices.Index(c.who.received, "PlayerList"), slices.Index(c.who.received, "AddPlayer")
			if c.who == b {
				listed = slices.Index(c.who.received[listed+1:], "PlayerList") + listed + 1 // the first PlayerList contains the client's own player
			}
			if listed < 0 || listed > shown {
				t.Errorf("%s: listed %d, shown %d in %v", c.who.name, listed, shown, c.who.received)
			}
		}
	})
}

// Rules SV-24 and SV-25 of docs/wire/bedrock.md: clients are sent the server's exact positions of other players, at
// most ten times a second, and never the position of their own player.
func TestMoveOfPlayerIsSentToAllOtherClients(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		a, b := srv.walker("ann"), srv.join("bob")
		srv.advance(300 * time.Millisecond)
		a.takePackets()
		b.takePackets()
		path := map[proto.Vec3]bool{}
		for range 40 {
			a.walk(1, northward)
			path[eyePosition(a.body.Pos)] = true
		}
		srv.advance(300 * time.Millisecond)
		for _, p := range a.takePackets() {
			switch packetName(p) {
			case "MoveActorAbsolute", "MovePlayer", "CorrectPlayerMovePrediction", "AddPlayer":
				t.Errorf("ann received %s", describe(p))
			}
		}
		moves := packetsOf[proto.MoveActorAbsolute](b)
		if len(moves) < 18 || len(moves) > 25 {
			t.Errorf("%d updates in 2.3 s", len(moves))
		}
		for _, m := range moves {
			if !path[m.Position] {
				t.Errorf("bob received position %v, where ann never was", m.Position)
			}
			if m.Flags != proto.MoveOnGround || m.HeadYaw.Degrees() != 180 && m.HeadYaw.Degrees() != -180 {
				t.Errorf("bob received %+v", m)
			}
		}
		if len(moves) > 0 && moves[len(moves)-1].Position != eyePosition(a.body.Pos) {
			t.Errorf("last position that bob received is %v, want %v", moves[len(moves)-1].Position, eyePosition(a.body.Pos))
		}
		b.takePackets()
		srv.advance(time.Second)
		if n := len(b.takePackets()); n != 0 {
			t.Errorf("%d packets although no player moved", n)
		}
	})
}

func TestPostureChangesAreSentToOtherClients(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		a, b := srv.joinPlayer("ann"), srv.joinPlayer("bob")
		flags := func() proto.ActorFlags {
			srv.advance(400 * time.Millisecond)
			x, ok := b.findActor("ann")
			if !ok {
				t.Fatal("bob does not see ann")
			}
			return proto.ActorFlags{x.Flags}
		}
		a.keys = bot.Keys{Yaw: north, Sneak: true}
		if f := flags(); !f.Has(proto.FlagSneaking) {
			t.Errorf("sneaking: %b", f)
		}
		a.keys = bot.Keys{Yaw: north, Forward: 1, Sprint: true}
		if f := flags(); !f.Has(proto.FlagSprinting) || f.Has(proto.FlagSneaking) {
			t.Errorf("sprinting: %b", f)
		}
		a.keys = bot.Keys{Yaw: north}
		if f := flags(); f.Has(proto.FlagSprinting) || f.Has(proto.FlagSneaking) {
			t.Errorf("standing: %b", f)
		}
		a.assertUnaffected("ann's own postures")
		b.assertUnaffected("ann's postures")
	})
}

// Rule SV-24 of docs/wire/bedrock.md: a player that leaves is removed first from the world, then from the player list.
// Its runtime id is never reused.
func TestLeavingPlayerIsRemovedFromOtherClients(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		b := srv.join("bob")
		var numbers []uint64
		for range 3 {
			a := srv.join("ann")
			srv.advance(300 * time.Millisecond)
			added := packetsOf[proto.AddPlayer](b)
			if len(added) != 1 {
				t.Fatalf("shown %d times", len(added))
			}
			if slices.Contains(numbers, added[0].Runtime) {
				t.Errorf("id %d is reused", added[0].Runtime)
			}
			numbers = append(numbers, added[0].Runtime)
			b.takePackets()
			a.close()
			srv.advance(500 * time.Millisecond)
			got := b.takePackets()
			if len(got) != 2 || got[0] != (proto.RemoveActor{Unique: int64(added[0].Runtime)}) {
				t.Fatalf("received %v", got)
			}
			if l := got[1].(proto.PlayerList); len(l.Entries) != 1 || !l.Entries[0].Remove || l.Entries[0].UUID != added[0].UUID {
				t.Errorf("then received %v", l)
			}
		}
		srv.onWorker(func(w *worker) {
			if len(w.ids.byEntity) != 1 || len(w.players) != 1 || len(w.conns) != 1 || len(w.scenes.Open) != 1 || len(w.scenes.Expected) != 0 {
				t.Errorf("leaked: %d ids, %d players, %d connections, %d scenes, %d arrivals",
					len(w.ids.byEntity), len(w.players), len(w.conns), len(w.scenes.Open), len(w.scenes.Expected))
			}
		})
		b.close()
		srv.advance(500 * time.Millisecond)
		srv.onWorker(func(w *worker) {
			if len(w.ids.byEntity)+len(w.players)+len(w.conns)+len(w.scenes.Open)+len(w.scenes.Expected) != 0 {
				t.Errorf("leaked: %v, %v", w.ids.byEntity, w.scenes.Open)
			}
		})
	})
}

// Clients are not sent actors beyond the view distance. An actor that leaves the view distance is removed from the client, and
// shown again when it returns.
func TestActorsOutsideViewDistanceAreNotShown(t *testing.T) {
	t.Parallel()
	w := twoFields()
	w.Rules.Predict.TrustClient = true // lets the players walk far without corrections
	withServer(t, w, Options{Radius: 2}, func(srv *testServer) {
		a, b := srv.walker("ann"), srv.join("bob")
		srv.advance(300 * time.Millisecond)
		srv.onWorker(func(w *worker) {
			if p := w.g.opt.Policy; p.FarRadius != 64 || p.LeaveRadius != 80 {
				t.Fatalf("unexpected policy %+v", p)
			}
		})
		b.takePackets()
		run := northward
		run.Flags = move.InputSprinting | move.InputSprintDown | move.InputStartSprint
		for i := 0; a.body.Pos.Z > -44; i++ { // the view distance of 43 blocks is 86 units
			a.walk(1, run)
			run.Flags &^= move.InputStartSprint
			if i > 400 {
				t.Fatalf("ann is only at %v; %d corrections", a.body.Pos, countOf[proto.CorrectPlayerMovePrediction](a.client))
			}
		}
		srv.advance(300 * time.Millisecond)
		if n := countOf[proto.RemoveActor](b); n != 1 {
			t.Errorf("ann was removed %d times", n)
		}
		if n := countOf[proto.RemoveActor](a.client); n != 1 {
			t.Errorf("bob was removed %d times", n)
		}
		b.takePackets()
		a.walk(20, run)
		if got := b.takePackets(); len(got) != 0 {
			t.Errorf("bob received packets about a distant player: %v", got)
		}
		back := run
		back.Yaw, back.HeadYaw = south, south
		for a.body.Pos.Z < -20 {
			a.walk(1, back)
		}
		if n := countOf[proto.AddPlayer](b); n != 1 {
			t.Errorf("ann was shown %d times after returning", n)
		}
	})
}

// Runtime ids are released when the last client leaves an area that still has actors.
func TestRuntimeIDOfActorIsReleasedWhenLastViewerLeaves(t *testing.T) {
	t.Parallel()
	world := twoFields()
	world.Areas[0].Waypoints = []sim.Waypoint{{Pos: geom.Vec{X: 40, Z: 2}, Used: true, NextA: -1, NextB: -1, Prev: -1}}
	world.Areas[0].Spawns = []sim.Spawn{{Template: wolf, Waypoint: 0, Max: 3, PeriodMS: 100}}
	withServer(t, world, Options{}, func(srv *testServer) {
		srv.advance(time.Second)
		a := srv.join("ann")
		srv.advance(300 * time.Millisecond)
		if n := countOf[proto.AddPlayer](a); n != 3 {
			t.Errorf("ann sees %d wolves", n)
		}
		for _, p := range packetsOf[proto.AddPlayer](a) {
			if p.Name == "" || p.Position[1] != groundY {
				t.Errorf("a wolf is shown as %q at %v", p.Name, p.Position)
			}
		}
		a.close()
		srv.advance(300 * time.Millisecond)
		srv.onWorker(func(w *worker) {
			if len(w.ids.byEntity)+len(w.scenes.Open) != 0 {
				t.Errorf("%d ids and %d scenes are kept", len(w.ids.byEntity), len(w.scenes.Open))
			}
		})
	})
}

// A player that leaves and returns between two updates of a viewer is removed from the viewer's client and shown again
// with a new runtime id.
func TestPlayerThatLeavesAndReturnsBetweenUpdatesIsRemovedAndShownAgain(t *testing.T) {
	t.Parallel()
	mw := newManualWorker(t, 1, false)
	s, f := mw.addCrowd(t, 1)
	viewer := s.clients[0]
	a, p := predictedActor(2, "bob", geom.Vec{X: 2, Y: groundY}) // bob is a player of another worker
	f.Actors, f.Avatars = append(f.Actors, a), append(f.Avatars, p)
	for range 20 {
		stepCrowd(mw, s, f)
	}
	before := viewer.view.runtimeIDs[2]
	all, states := f.Actors, f.Avatars
	for range 4 { // bob returns at each possible tick of the viewer's update interval
		f.Tick++
		f.Actors, f.Avatars = all[:1], states[:1]
		s.syncActors(f)
		f.Tick++
		f.Actors, f.Avatars = all, states
		s.syncActors(f)
		s.Broadcast(f)
		stepCrowd(mw, s, f)
	}
	for range 4 {
		stepCrowd(mw, s, f)
	}
	now := viewer.view.runtimeIDs[2]
	if now == before || now != s.find(2).runtimeID || viewer.view.entity(now) != 2 || viewer.view.entity(before) != 0 {
		t.Errorf("client's runtime id %d, before %d, actor's %d", now, before, s.find(2).runtimeID)
	}
}

// A client that resumes reading after some time is sent only the latest position of each actor, not the positions of the time
// between.
func TestClientThatResumesReadingIsSentOnlyLatestPositions(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		a, b := srv.joinPlayer("ann"), srv.joinPlayer("bob")
		b.stalled = true
		a.walk(3*time.Second, walkNorth)
		b.stalled = false
		srv.advance(3 * time.Second)
		x, ok := b.findActor("ann")
		if !ok || geom.Dist2(x.Pos, a.position()) > 1e-6 {
			t.Errorf("bob sees ann at %v, ann is at %v", x.Pos, a.position())
		}
		if b.err != nil || b.closed {
			t.Errorf("bob was disconnected: %v", b.err)
		}
	})
}
