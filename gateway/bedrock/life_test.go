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

// numberOf is the number by which a client knows another of that name.
func numberOf(t interface{ Fatalf(string, ...any) }, c *client, name string) uint64 {
	list := each[proto.AddPlayer](c)
	for _, p := range slices.Backward(list) {
		if p.Name == name {
			return p.Runtime
		}
	}
	t.Fatalf("%s was never shown %s", c.name, name)
	return 0
}

// duel strikes with every input until it is over.
func duel(r *rig, a *walker, victim uint64, over func() bool) {
	r.t.Helper()
	for i := 0; !over(); i++ {
		if i > 400 {
			r.t.Fatalf("400 ticks of blows were not enough")
		}
		a.send(strike(victim))
		a.walk(1, move.Input{})
	}
}

// A-2b: a blow pushes at once, with the tick of the last input and a barrier, and an honest client that rewinds is not
// corrected for it.
func TestABlowPushesAnHonestPlayer(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{0, 150 * time.Millisecond} {
		bubble(t, twoFields(), Options{}, func(r *rig) {
			b := r.player("bob")
			b.walk(500*time.Millisecond, walkNorth)
			a := r.enters("ann")
			r.run(300 * time.Millisecond)
			w, start := a.walker(), b.at()
			b.late = late
			victim := numberOf(t, a, "bob")
			duel(r, w, victim, func() bool { return b.Counts().Move.Motions > 0 })
			r.run(3 * time.Second)
			n := b.Counts()
			if n.Move.Corrections != 0 || n.Move.Teleports != 0 || b.err != nil {
				t.Errorf("late by %v: %+v, %v", late, n.Move, b.err)
			}
			if n.Barriers < 1 {
				t.Errorf("%d barriers", n.Barriers)
			}
			if geom.DistXZ(start, b.at()) < 0.5 {
				t.Errorf("pushed from %v to %v", start, b.at())
			}
			if b.World().Self.Health >= 20 {
				t.Error("it does not hurt")
			}
		})
	}
}

// Death is told to the dead and to the others; who asks to live again does so after the world's delay, is put where he
// wakes, and goes on uncorrected.
func TestDeathAndRespawn(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		b := r.player("bob")
		seen := r.enters("carl")
		a := r.enters("ann")
		r.run(300 * time.Millisecond)
		w := a.walker()
		b.play = bot.Behaviour(nil)
		duel(r, w, numberOf(t, a, "bob"), func() bool { return b.World().Self.Dead })
		if b.World().Self.Health != 0 {
			t.Errorf("dead with health %v", b.World().Self.Health)
		}
		r.run(300 * time.Millisecond)
		if !slices.ContainsFunc(each[proto.ActorEvent](seen), func(e proto.ActorEvent) bool {
			return e.Event == proto.EventDeath && e.Runtime == numberOf(t, seen, "bob")
		}) {
			t.Error("the one beside it saw no death")
		}
		seen.take()
		r.until("a new life", func() bool { return !b.World().Self.Dead })
		r.run(time.Second)
		n := b.Counts()
		if n.Deaths != 1 || n.Respawns != 1 || n.Move.Teleports != 1 || b.World().Self.Health != 10 {
			t.Errorf("%d deaths, %d lives, %d teleports, health %v", n.Deaths, n.Respawns, n.Move.Teleports, b.World().Self.Health)
		}
		if d := geom.DistXZ(b.at(), geom.Vec{X: 25, Z: -1}); d > 0.01 {
			t.Errorf("it woke at %v", b.at())
		}
		if got := seen.order[max(0, len(seen.order)-20):]; !slices.Contains(got, "RemoveActor") || !slices.Contains(got, "AddPlayer") {
			t.Errorf("the one beside it was told %v", got)
		}
		b.play = b
		b.walk(time.Second, walkNorth)
		r.run(300 * time.Millisecond)
		if m := b.Counts().Move; m.Corrections != 0 || b.err != nil {
			t.Errorf("after its return: %+v, %v", m, b.err)
		}
	})
}

// The order in which the dead is told: health 0, how, and that the server looks for a place; and the way back: here, and
// then everything that is true there.
func TestWhatTheDeadIsTold(t *testing.T) {
	t.Parallel()
	for _, elsewhere := range []bool{false, true} {
		world := twoFields()
		if elsewhere {
			world.Rules.RespawnArea = 1
		}
		bubble(t, world, Options{}, func(r *rig) {
			b, a := r.enters("bob"), r.enters("ann")
			r.run(300 * time.Millisecond)
			b.take()
			b.order = nil
			duel(r, a.walker(), numberOf(t, a, "bob"), func() bool { return count[proto.DeathInfo](b) > 0 })
			r.run(3 * time.Second)
			if d := each[proto.DeathInfo](b); len(d) != 1 || d[0].Cause != "death.attack.player" || !slices.Equal(d[0].Parameters, []string{"bob", "ann"}) {
				t.Errorf("DeathInfo %+v", d)
			}
			s := each[proto.Respawn](b)
			if len(s) != 1 || s[0].State != proto.RespawnSearching {
				t.Fatalf("Respawn %+v before it asked", s)
			}
			b.take()
			b.send(proto.Respawn{State: proto.RespawnClientReady, Runtime: b.self.Runtime})
			r.run(500 * time.Millisecond)
			s = each[proto.Respawn](b)
			if len(s) != 1 || s[0].State != proto.RespawnServerReady {
				t.Errorf("elsewhere %v: Respawn %+v", elsewhere, s)
			}
			health := each[proto.UpdateAttributes](b)
			if len(health) != 1 || health[0].Attributes[0].Current != 10 {
				t.Errorf("elsewhere %v: attributes %+v", elsewhere, health)
			}
			m := each[proto.MovePlayer](b)
			want := proto.Vec3{25, 65.62, -1}
			if elsewhere {
				want = proto.Vec3{500, 65.62, -1000}
			}
			if len(m) != 1 || m[0].Mode != proto.MoveTeleport || m[0].Position != want || m[0].Runtime != b.self.Runtime {
				t.Errorf("elsewhere %v: MovePlayer %+v", elsewhere, m)
			}
		})
	}
}

// Frames may be missed when a worker is behind; what they told is made up for.
func TestDeathInAMissedFrameIsToldLater(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		b := r.enters("bob")
		b.take()
		var id sim.EntityID
		var f *sim.Frame
		r.on(func(w *worker) {
			id = connOf(w, b).session.Entity
			f = &sim.Frame{Area: 0, Tick: 100_000, Actors: []sim.ActorState{{
				ID: id, Flags: sim.FlagDead | sim.FlagPlayer | sim.FlagPredicted, HealthMax: 100, Body: &sim.Body{Name: "bob", Character: 1},
			}}, Predicted: []sim.PredictedState{{ID: id, Tick: 7, Avatar: move.NewAvatar(geom.Vec{X: 25, Y: 64, Z: -1})}}}
			w.Show(f)
			w.Show(f)
		})
		r.run(20 * time.Millisecond)
		if n := count[proto.DeathInfo](b); n != 1 {
			t.Errorf("told of its death %d times", n)
		}
	})
}
