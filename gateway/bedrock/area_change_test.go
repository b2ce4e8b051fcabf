package bedrock

import (
	"slices"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// When a player moves through a portal to another area, its client is shown the actors of the new area, the actors of the old
// area are removed, and chunks precede the teleport. The player may be corrected only for inputs that it made before the
// teleport.
func TestPortalToOtherAreaReplacesShownActors(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{Workers: 2}, func(srv *testServer) {
		first := srv.joinPlayer("first")
		first.walk(time.Second, bot.Keys{Yaw: east, Forward: 1})
		srv.advance(time.Second)
		if d := geom.DistXZ(first.position(), geom.Vec{X: 500, Z: -1000}); d > 5 {
			t.Fatalf("the first player is at %v", first.position())
		}
		bystander := srv.join("stays")
		p := srv.joinPlayer("ann")
		bystander.takePackets()
		if _, ok := p.findActor("first"); ok || p.World().ActorCount() != 1 {
			t.Errorf("before: ann sees %d", p.World().ActorCount())
		}
		p.walk(time.Second, bot.Keys{Yaw: east, Forward: 1})
		srv.advance(time.Second)
		if _, ok := p.findActor("first"); !ok || p.World().ActorCount() != 1 {
			t.Errorf("after: ann sees %d", p.World().ActorCount())
		}
		if _, ok := first.findActor("ann"); !ok {
			t.Error("the first does not see ann")
		}
		if n := countOf[proto.RemoveActor](bystander); n != 1 {
			t.Errorf("ann was removed for the remaining player %d times", n)
		}
		p.walk(time.Second, walkNorth)
		srv.advance(500 * time.Millisecond)
		for _, x := range []*player{first, p} {
			n := x.Counts()
			if n.Move.Teleports != 1 || n.Move.Corrections != n.Move.AfterTeleport || n.ParseErrors+n.UnknownActors != 0 || x.err != nil {
				t.Errorf("%+v, parse errors %d, unknown actors %d, %v", n.Move, n.ParseErrors, n.UnknownActors, x.err)
			}
		}
		if n := srv.hub.Stats().Online; n != 3 {
			t.Errorf("%d online", n)
		}
		p.close()
		first.close()
		srv.advance(time.Second)
		srv.onWorker(func(w *worker) {
			if w.scenes.Open[1] != nil {
				t.Error("a scene without members is kept")
			}
		})
	})
}

// Rule CH-1 of docs/wire/bedrock.md: the chunks around the destination are sent before the teleport to another area.
func TestChunksPrecedeTeleportToOtherArea(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		w.takePackets()
		w.received = nil
		eastward := move.Input{Yaw: east, HeadYaw: east, Move: [2]float32{0, 1}}
		for i := 0; countOf[proto.MovePlayer](w.client) == 0; i++ {
			if i > 100 {
				t.Fatal("no teleport")
			}
			w.walk(1, eastward)
		}
		columns, under := 0, false
		for _, p := range w.packets {
			switch p := p.(type) {
			case proto.LevelChunk:
				columns++
				under = under || p.X == 500>>4 && p.Z == -1000>>4
			case proto.MovePlayer:
				if !under || columns < firstChunks {
					t.Errorf("%d chunks precede the teleport, its own among them: %v", columns, under)
				}
			}
		}
	})
}

// Rule CH-1 of docs/wire/bedrock.md: chunks are sent before a teleport within an area, too.
func TestChunksPrecedeTeleportWithinArea(t *testing.T) {
	t.Parallel()
	w := twoFields()
	w.Areas[0].Portals = append(w.Areas[0].Portals, sim.Portal{Name: "far", Pos: geom.Vec{X: 2050, Z: 2}, Radius: 3, ToArea: sim.NoArea})
	w.Areas[0].Portals[1].ToArea, w.Areas[0].Portals[1].ToPortal = 0, 2
	withServer(t, w, Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		w.takePackets()
		for i := 0; countOf[proto.MovePlayer](w.client) == 0; i++ {
			if i > 100 {
				t.Fatal("no teleport")
			}
			w.walk(1, move.Input{Yaw: east, HeadYaw: east, Move: [2]float32{0, 1}})
		}
		for _, p := range w.packets {
			switch p := p.(type) {
			case proto.LevelChunk:
				if p.X == 1025>>4 && p.Z == -1>>4 {
					return
				}
			case proto.MovePlayer:
				t.Fatal("the teleport came before its chunk")
			}
		}
	})
}

// A teleport that the client does not acknowledge is sent again, and finally the player is disconnected. Until then the
// player's inputs have no effect.
func TestUnacknowledgedTeleportIsResentThenDisconnectsPlayer(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		eastward := move.Input{Yaw: east, HeadYaw: east, Move: [2]float32{0, 1}}
		for range 400 {
			if w.closed {
				break
			}
			w.walk(1, eastward)
		}
		if !w.closed {
			t.Fatal("a client that ignores a teleport is not expelled")
		}
		if n := countOf[proto.MovePlayer](w.client); n != 4 {
			t.Errorf("teleport sent %d times, want 4", n)
		}
		for _, m := range packetsOf[proto.MovePlayer](w.client) {
			if m.Position != (proto.Vec3{500, 65.62, -1000}) {
				t.Errorf("teleported to %v", m.Position)
			}
		}
		if srv.logs.Count("expelled_") != 1 {
			t.Errorf("logged:\n%s", srv.logs)
		}
		if n := countOf[proto.CorrectPlayerMovePrediction](w.client); n != 0 {
			t.Errorf("%d corrections during a teleport", n)
		}
	})
}

// A login to a full area is refused with a reason.
func TestLoginToFullAreaIsRefusedWithReason(t *testing.T) {
	t.Parallel()
	w := twoFields()
	w.Rules.MaxActors = 1
	withServer(t, w, Options{}, func(srv *testServer) {
		srv.join("ann")
		b := srv.newPlayer(bot.Options{Name: "bob"})
		srv.waitFor("bob to be disconnected", func() bool { return b.closed })
		if b.err == nil || !strings.Contains(b.err.Error(), "world is full") {
			t.Errorf("received %v", b.err)
		}
		srv.advance(time.Second)
		if n := srv.hub.Stats().Online; n != 1 {
			t.Errorf("%d online", n)
		}
	})
}

// The worker may miss the frame in which a player changes areas. It then finds the player in the next frame, of any area,
// that contains the player.
func TestClientChangesAreaAlthoughWorkerMissedFrameOfAreaChange(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.join("ann")
		other := srv.join("bob")
		c.takePackets()
		srv.onWorker(func(w *worker) { // show the worker a frame without ann, as if it had missed the frame in which ann changed areas
			f := &sim.Frame{Area: 0, Tick: 1 << 30, Actors: []sim.ActorState{{
				ID: connOf(w, other).session.Entity, Flags: sim.FlagPlayer, Health: 1, HealthMax: 1, Body: &sim.Body{Name: "bob", Character: 1},
			}}}
			w.Show(f)
			if x := connOf(w, c); x.scene != nil || w.scenes.Expected[x] != gateway.AnyArea {
				t.Error("ann is not expected in any area")
			}
		})
		srv.advance(300 * time.Millisecond)
		if c.closed || countOf[proto.MovePlayer](c) != 1 {
			t.Errorf("closed: %v, teleported %d times", c.closed, countOf[proto.MovePlayer](c))
		}
		srv.onWorker(func(w *worker) {
			if x := connOf(w, c); x.scene != w.scenes.Open[0] || len(w.scenes.Expected) != 0 {
				t.Error("ann was not found again")
			}
		})
	})
}

// What an area says to a player in the tick of its arrival reaches the client.
func TestTextsOfTickOfArrivalReachClient(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		p := srv.joinPlayer("ann")
		srv.advance(time.Second)
		id := srv.entityNamed("ann")
		for text, do := range map[string]func() error{
			"[Operator] Behave.": func() error { return srv.hub.SendMessage(id, "Behave.") },
			"here":               func() error { return srv.world.Submit(0, sim.Intent{Kind: sim.IntentChat, Who: id, Text: "here"}) },
		} {
			srv.onWorker(func(w *worker) {
				c := w.players[id]
				s := c.scene
				c.leaveSceneFor(s.id)
				s.Sweep()
			})
			go func() { srv.must(do()) }()
			srv.advance(time.Second)
			if !slices.ContainsFunc(p.chat, func(s string) bool { return strings.Contains(s, text) }) {
				t.Errorf("the player read %q, want %q", p.chat, text)
			}
		}
	})
}

func TestLinesOfPlayerBetweenAreasAreAcceptedAndCommandAnswered(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		p, bob := srv.joinPlayer("ann"), srv.joinPlayer("bob")
		srv.advance(time.Second)
		id := srv.entityNamed("ann")
		for text, shown := range map[string]string{"hello": "hello", "/who": "You are on your way to another area"} {
			srv.onWorker(func(w *worker) {
				c := w.players[id]
				s := c.scene
				c.leaveSceneFor(s.id)
				s.Sweep()
				if text[0] == '/' {
					c.handlePlayPacket(proto.CommandRequest{Line: text})
				} else {
					c.handlePlayPacket(proto.Text{Type: proto.TextChat, Message: text})
				}
			})
			srv.advance(time.Second)
			if !slices.ContainsFunc(p.chat, func(s string) bool { return strings.Contains(s, shown) }) {
				t.Errorf("the player read %q, want %q", p.chat, shown)
			}
		}
		if !slices.ContainsFunc(bob.chat, func(s string) bool { return strings.Contains(s, "hello") }) {
			t.Errorf("the other player read %q", bob.chat)
		}
	})
}
