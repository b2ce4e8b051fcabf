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

// runtimeIDOf returns the runtime id under which a client knows the actor with this name.
func runtimeIDOf(t interface{ Fatalf(string, ...any) }, c *client, name string) uint64 {
	list := packetsOf[proto.AddPlayer](c)
	for _, p := range slices.Backward(list) {
		if p.Name == name {
			return p.Runtime
		}
	}
	t.Fatalf("%s was never shown %s", c.name, name)
	return 0
}

// attackUntil makes the client "a" attack the actor victim with every input until over returns true.
func attackUntil(srv *testServer, a *walker, victim uint64, over func() bool) {
	srv.t.Helper()
	for i := 0; !over(); i++ {
		if i > 400 {
			srv.t.Fatalf("condition not reached after 400 ticks of attacks")
		}
		a.send(attackPacket(victim))
		a.walk(1, move.Input{})
	}
}

// Scenario A-2b of docs/wire/bedrock.md: knockback is sent immediately with the tick of the last input and a barrier,
// and an honest client that rewinds and replays is not corrected for the knockback.
func TestHonestPlayerIsNotCorrectedForKnockback(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{0, 150 * time.Millisecond} {
		withServer(t, twoFields(), Options{}, func(srv *testServer) {
			b := srv.joinPlayer("bob")
			b.walk(500*time.Millisecond, walkNorth)
			a := srv.join("ann")
			srv.advance(300 * time.Millisecond)
			w, start := a.walker(), b.position()
			b.delay = late
			victim := runtimeIDOf(t, a, "bob")
			attackUntil(srv, w, victim, func() bool { return b.Counts().Move.Motions > 0 })
			srv.advance(3 * time.Second)
			n := b.Counts()
			if n.Move.Corrections != 0 || n.Move.Teleports != 0 || b.err != nil {
				t.Errorf("delay %v: %+v, %v", late, n.Move, b.err)
			}
			if n.Barriers < 1 {
				t.Errorf("received %d barriers", n.Barriers)
			}
			if geom.DistXZ(start, b.position()) < 0.5 {
				t.Errorf("pushed from %v to %v", start, b.position())
			}
			if b.World().Self.Health >= 20 {
				t.Error("health did not drop")
			}
		})
	}
}

// A death is sent to the victim's client and to other clients. A victim that requests its respawn respawns after the
// world's delay, is teleported, and is not corrected afterwards.
func TestDeadPlayerRespawnsAfterItsRequest(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		b := srv.joinPlayer("bob")
		observer := srv.join("carl")
		a := srv.join("ann")
		srv.advance(300 * time.Millisecond)
		w := a.walker()
		b.behaviour = bot.Behaviour(nil)
		attackUntil(srv, w, runtimeIDOf(t, a, "bob"), func() bool { return b.World().Self.Dead })
		if b.World().Self.Health != 0 {
			t.Errorf("dead with health %v", b.World().Self.Health)
		}
		srv.advance(300 * time.Millisecond)
		if !slices.ContainsFunc(packetsOf[proto.ActorEvent](observer), func(e proto.ActorEvent) bool {
			return e.Event == proto.EventDeath && e.Runtime == runtimeIDOf(t, observer, "bob")
		}) {
			t.Error("the other player received no death")
		}
		observer.takePackets()
		srv.waitFor("the respawn", func() bool { return !b.World().Self.Dead })
		srv.advance(time.Second)
		n := b.Counts()
		if n.Deaths != 1 || n.Respawns != 1 || n.Move.Teleports != 1 || b.World().Self.Health != 10 {
			t.Errorf("%d deaths, %d respawns, %d teleports, health %v", n.Deaths, n.Respawns, n.Move.Teleports, b.World().Self.Health)
		}
		if d := geom.DistXZ(b.position(), geom.Vec{X: 25, Z: -1}); d > 0.01 {
			t.Errorf("respawned at %v", b.position())
		}
		if got := observer.received[max(0, len(observer.received)-20):]; !slices.Contains(got, "RemoveActor") || !slices.Contains(got, "AddPlayer") {
			t.Errorf("the other player received %v", got)
		}
		b.behaviour = b
		b.walk(time.Second, walkNorth)
		srv.advance(300 * time.Millisecond)
		if m := b.Counts().Move; m.Corrections != 0 || b.err != nil {
			t.Errorf("after the respawn: %+v, %v", m, b.err)
		}
	})
}

// A death is sent as health 0, DeathInfo and a Respawn in state searching; a respawn as a Respawn in state ready, the
// health and a teleport.
func TestDeathAndRespawnPacketsAreInOrder(t *testing.T) {
	t.Parallel()
	for _, elsewhere := range []bool{false, true} {
		world := twoFields()
		if elsewhere {
			world.Rules.RespawnArea = 1
		}
		withServer(t, world, Options{}, func(srv *testServer) {
			b, a := srv.join("bob"), srv.join("ann")
			srv.advance(300 * time.Millisecond)
			b.takePackets()
			b.received = nil
			attackUntil(srv, a.walker(), runtimeIDOf(t, a, "bob"), func() bool { return countOf[proto.DeathInfo](b) > 0 })
			srv.advance(3 * time.Second)
			if d := packetsOf[proto.DeathInfo](b); len(d) != 1 || d[0].Cause != "death.attack.player" || !slices.Equal(d[0].Parameters, []string{"bob", "ann"}) {
				t.Errorf("DeathInfo %+v", d)
			}
			s := packetsOf[proto.Respawn](b)
			if len(s) != 1 || s[0].State != proto.RespawnSearching {
				t.Fatalf("Respawn %+v before the request", s)
			}
			b.takePackets()
			b.send(proto.Respawn{State: proto.RespawnClientReady, Runtime: b.start.Runtime})
			srv.advance(500 * time.Millisecond)
			s = packetsOf[proto.Respawn](b)
			if len(s) != 1 || s[0].State != proto.RespawnServerReady {
				t.Errorf("elsewhere %v: Respawn %+v", elsewhere, s)
			}
			health := packetsOf[proto.UpdateAttributes](b)
			if len(health) != 1 || health[0].Attributes[0].Current != 10 {
				t.Errorf("elsewhere %v: attributes %+v", elsewhere, health)
			}
			m := packetsOf[proto.MovePlayer](b)
			want := proto.Vec3{25, 65.62, -1}
			if elsewhere {
				want = proto.Vec3{500, 65.62, -1000}
			}
			if len(m) != 1 || m[0].Mode != proto.MoveTeleport || m[0].Position != want || m[0].Runtime != b.start.Runtime {
				t.Errorf("elsewhere %v: MovePlayer %+v", elsewhere, m)
			}
		})
	}
}

// A slow worker misses frames. A death in a missed frame is sent with a later frame.
func TestDeathInMissedFrameIsSentLater(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		b := srv.join("bob")
		b.takePackets()
		var id sim.EntityID
		var f *sim.Frame
		srv.onWorker(func(w *worker) {
			id = connOf(w, b).session.Entity
			f = &sim.Frame{Area: 0, Tick: 100_000, Actors: []sim.ActorState{{
				ID: id, Flags: sim.FlagDead | sim.FlagPlayer | sim.FlagAvatar, HealthMax: 100, Body: &sim.Body{Name: "bob", Character: 1},
			}}, Avatars: []sim.AvatarState{{ID: id, Avatar: move.NewAvatar(geom.Vec{X: 25, Y: 64, Z: -1}), Prediction: sim.PredictionState{Tick: 7}}}}
			w.Show(f)
			w.Show(f)
		})
		srv.advance(20 * time.Millisecond)
		if n := countOf[proto.DeathInfo](b); n != 1 {
			t.Errorf("received its death %d times", n)
		}
	})
}
