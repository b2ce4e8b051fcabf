package move

import (
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Whatever the tick rate of the world, a client lives twenty ticks a second: a faster server gives it no more time, and a
// slower one no less.
func TestSV18AClientsTimeIsItsOwnAtAnyTickRate(t *testing.T) {
	for _, rate := range []int{5, 10, 20, 25, 30, 60} {
		p := DefaultPredictPolicy()
		s := PredictState{Begun: true}
		const seconds = 60
		for name, perSecond := range map[string]int{"honest": 20, "a timer cheat": 60} {
			waiting, done, owed := 0, 0, 0
			for range seconds * rate {
				for owed += perSecond; owed >= rate; owed -= rate {
					waiting = min(waiting+1, int(p.Batch))
				}
				n := p.Turns(&s, waiting, rate)
				waiting -= n
				done += n
			}
			if most := seconds*20 + int(p.MaxCredits); done > most || done < seconds*20-1 {
				t.Errorf("%s at %d ticks a second: %d inputs in %d s", name, rate, done, seconds)
			}
		}
	}
}

// Whoever begins to sprint between a teleport and its acknowledgement goes on sprinting, on both sides.
func TestATeleportLosesNoRequest(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.Put(geom.Vec{X: 100.5, Y: 64, Z: 0.5})
	in := p.next()
	in.Flags |= InputStartSprint
	if v := p.send(in); !v.Held || !v.Stance || !p.server.Avatar.Sprinting {
		t.Errorf("held %v, answered %v, sprints %v", v.Held, v.Stance, p.server.Avatar.Sprinting)
	}
	in = p.next()
	in.Flags |= InputHandledTeleport
	if v := p.send(in); !v.Landed || !v.Stance || !p.server.Avatar.Sprinting {
		t.Errorf("landed %v, told %v, sprints %v", v.Landed, v.Stance, p.server.Avatar.Sprinting)
	}
}

func TestNumbersThatAreNoneAreHonestWithinATeleport(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.Put(geom.Vec{X: 100.5, Y: 64, Z: 0.5})
	for i := range 30 {
		in := p.next()
		in.Pos.X = float32(math.NaN())
		if i == 29 {
			in.Flags |= InputHandledTeleport
		}
		if v := p.send(in); v.Noted[0] != reason.NotFinite {
			t.Fatalf("noted %v", v.Noted)
		}
	}
	if p.server.Suspicion != 0 || p.server.Avatar.Pos.X != 100.5 {
		t.Errorf("suspicion %d at %v", p.server.Suspicion, p.server.Avatar.Pos)
	}
}

// A client makes its round trip as long as it likes, but not the time in which it may ignore a teleport.
func TestNoRoundTripKeepsATeleportForEver(t *testing.T) {
	p := newPair(t)
	p.send(p.next())
	p.server.Put(geom.Vec{X: 100.5, Y: 64, Z: 0.5})
	for range 45 * 20 {
		if _, drop := p.policy.Wait(&p.server, 20, math.MaxUint16); drop {
			return
		}
	}
	t.Error("he may stay for more than 45 s")
}

// Where a record or a portal leads may be anywhere; looking for a place there takes no time.
func TestAPlaceToStandIsFoundAtOnce(t *testing.T) {
	var s Scratch
	a := NewAvatar(geom.Vec{})
	for name, c := range map[string]struct{ y, want float32 }{
		"on the ground":      {64, 64},
		"in the ground":      {60.25, 64},
		"in the air":         {80.25, 80.25},
		"below every block":  {-100, 64},
		"where steps vanish": {-3e7, 64},
		"no number":          {float32(math.Inf(-1)), 64},
	} {
		if got := a.Stand(geom.Vec{X: 0.5, Y: c.y, Z: 0.5}, nil, &s); got.Y != c.want {
			t.Errorf("%s: %v, want %v", name, got.Y, c.want)
		}
	}
	void := mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.VoidGround})
	for _, y := range []float32{-3e7, -64, 0} {
		if got := a.Stand(geom.Vec{Y: y}, void, &s); got.Y != y {
			t.Errorf("in the void: from %v to %v", y, got.Y)
		}
	}
}
