package bedrock

import (
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

// Through a gate into another area: those there are shown, those here are taken away, the ground comes before the
// teleport, and the player goes on, corrected at most for what he did while he was taken there.
func TestThroughAGate(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{Workers: 2}, func(r *rig) {
		first := r.player("first")
		first.walk(time.Second, bot.Keys{Yaw: east, Forward: 1})
		r.run(time.Second)
		if d := geom.DistXZ(first.at(), geom.Vec{X: 500, Z: -1000}); d > 5 {
			t.Fatalf("the first came to %v", first.at())
		}
		stays := r.enters("stays")
		p := r.player("ann")
		stays.take()
		if _, ok := p.sees("first"); ok || p.World().ActorCount() != 1 {
			t.Errorf("before: ann sees %d", p.World().ActorCount())
		}
		p.walk(time.Second, bot.Keys{Yaw: east, Forward: 1})
		r.run(time.Second)
		if _, ok := p.sees("first"); !ok || p.World().ActorCount() != 1 {
			t.Errorf("after: ann sees %d", p.World().ActorCount())
		}
		if _, ok := first.sees("ann"); !ok {
			t.Error("the first does not see ann")
		}
		if n := count[proto.RemoveActor](stays); n != 1 {
			t.Errorf("ann was taken away from whom she left %d times", n)
		}
		p.walk(time.Second, walkNorth)
		r.run(500 * time.Millisecond)
		for _, x := range []*player{first, p} {
			n := x.Counts()
			if n.Move.Teleports != 1 || n.Move.Corrections != n.Move.AfterTeleport || n.ParseErrors+n.UnknownActors != 0 || x.err != nil {
				t.Errorf("%+v, bad %d, strange %d, %v", n.Move, n.ParseErrors, n.UnknownActors, x.err)
			}
		}
		if n := r.hub.Stats().Online; n != 3 {
			t.Errorf("%d online", n)
		}
		p.hangUp()
		first.hangUp()
		r.run(time.Second)
		r.on(func(w *worker) {
			if w.scenes.Open[1] != nil {
				t.Error("a scene without members is kept")
			}
		})
	})
}

// CH-1: the ground around the place comes before the teleport that puts one there.
func TestCH1GroundComesBeforeTheTeleport(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		w := r.walker("ann")
		w.take()
		w.order = nil
		eastward := move.Input{Yaw: east, HeadYaw: east, Move: [2]float32{0, 1}}
		for i := 0; count[proto.MovePlayer](w.client) == 0; i++ {
			if i > 100 {
				t.Fatal("no teleport")
			}
			w.walk(1, eastward)
		}
		columns, under := 0, false
		for _, p := range w.got {
			switch p := p.(type) {
			case proto.LevelChunk:
				columns++
				under = under || p.X == 500>>4 && p.Z == -1000>>4
			case proto.MovePlayer:
				if !under || columns < firstColumns {
					t.Errorf("%d columns came before it, its own: %v", columns, under)
				}
			}
		}
	})
}

// CH-1 holds within an area too, where no arrival brings the ground along.
func TestCH1GroundComesBeforeATeleportNearby(t *testing.T) {
	t.Parallel()
	w := twoFields()
	w.Areas[0].Portals = append(w.Areas[0].Portals, sim.Portal{Name: "far", Pos: geom.Vec{X: 2050, Z: 2}, Radius: 3, ToArea: sim.NoArea})
	w.Areas[0].Portals[1].ToArea, w.Areas[0].Portals[1].ToPortal = 0, 2
	bubble(t, w, Options{}, func(r *rig) {
		w := r.walker("ann")
		w.take()
		for i := 0; count[proto.MovePlayer](w.client) == 0; i++ {
			if i > 100 {
				t.Fatal("no teleport")
			}
			w.walk(1, move.Input{Yaw: east, HeadYaw: east, Move: [2]float32{0, 1}})
		}
		for _, p := range w.got {
			switch p := p.(type) {
			case proto.LevelChunk:
				if p.X == 1025>>4 && p.Z == -1>>4 {
					return
				}
			case proto.MovePlayer:
				t.Fatal("the ground was not there first")
			}
		}
	})
}

// A teleport that is not acknowledged is told again, and ends the session at last. What the player does meanwhile counts
// for nothing.
func TestATeleportWantsToBeAcknowledged(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		w := r.walker("ann")
		eastward := move.Input{Yaw: east, HeadYaw: east, Move: [2]float32{0, 1}}
		for range 400 {
			if w.gone {
				break
			}
			w.walk(1, eastward)
		}
		if !w.gone {
			t.Fatal("it may ignore a teleport for ever")
		}
		if n := count[proto.MovePlayer](w.client); n != 4 {
			t.Errorf("told %d times, want once and three times again", n)
		}
		for _, m := range each[proto.MovePlayer](w.client) {
			if m.Position != (proto.Vec3{500, 65.62, -1000}) {
				t.Errorf("told to be at %v", m.Position)
			}
		}
		if r.logged.count("expelled_") != 1 {
			t.Errorf("logged:\n%s", r.logged)
		}
		if n := count[proto.CorrectPlayerMovePrediction](w.client); n != 0 {
			t.Errorf("%d corrections during a teleport", n)
		}
	})
}

// An area takes no more than it may.
func TestAFullAreaSaysSo(t *testing.T) {
	t.Parallel()
	w := twoFields()
	w.Rules.MaxActors = 1
	bubble(t, w, Options{}, func(r *rig) {
		r.enters("ann")
		b := r.newcomer(bot.Options{Name: "bob"})
		r.until("bob to be sent away", func() bool { return b.gone })
		if b.err == nil || !strings.Contains(b.err.Error(), "world is full") {
			t.Errorf("told %v", b.err)
		}
		r.run(time.Second)
		if n := r.hub.Stats().Online; n != 1 {
			t.Errorf("%d online", n)
		}
	})
}

// A frame that a worker missed may have been the one in which its player went elsewhere: he is found by the next frame
// that has him, in whatever area.
func TestWhoWasMissedIsFoundAgain(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		c := r.enters("ann")
		beside := r.enters("bob")
		c.take()
		r.on(func(w *worker) { // a frame of the area without her, as if she had left unseen
			f := &sim.Frame{Area: 0, Tick: 1 << 30, Actors: []sim.ActorState{{
				ID: connOf(w, beside).session.Entity, Flags: sim.FlagPlayer, Health: 1, HealthMax: 1, Body: &sim.Body{Name: "bob", Character: 1},
			}}}
			w.Show(f)
			if x := connOf(w, c); x.scene != nil || w.scenes.Expected[x] != gateway.AnyArea {
				t.Error("she is not looked for")
			}
		})
		r.run(300 * time.Millisecond)
		if c.gone || count[proto.MovePlayer](c) != 1 {
			t.Errorf("gone: %v, put %d times", c.gone, count[proto.MovePlayer](c))
		}
		r.on(func(w *worker) {
			if x := connOf(w, c); x.scene != w.scenes.Open[0] || len(w.scenes.Expected) != 0 {
				t.Error("she was not found")
			}
		})
	})
}
