package move

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The tests in this file check docs/decisions/0009-claims-pay-for-detours.md: however large the allowance, a claim may
// lead around a wall only if the path around it is at most as long as a run of 0.7 s.

// fullRound is the maximum length of a path around a wall for an actor at full speed, in world units.
const fullRound = 65

// waiter is a cheating client that stands still until its allowance is at the maximum. Each tick the server walks the
// actor toward the client's destination.
type waiter struct {
	in  Surroundings
	p   ClaimPolicy
	s   ClaimState
	pos geom.Vec
	now int64
}

func newWaiter(in Surroundings, at geom.Vec) *waiter {
	w := &waiter{in: in, p: StrictClaimPolicy(), pos: at}
	w.p.Reset(&w.s, 0)
	w.s.Credit, w.s.CreditY = fullAllowance, fullAllowance
	return w
}

func (w *waiter) claim(x, z, destX, destZ float32) ClaimVerdict {
	v := w.p.JudgeIn(w.in, &w.s, w.pos, 1, Claim{X: x, Z: z, DestX: destX, DestZ: destZ, Running: true}, w.now)
	w.pos = v.Pos
	return v
}

// wait lets the server walk the actor for ms milliseconds. If talks is true, the client claims its current position five
// times a second.
func (w *waiter) wait(ms int64, destX, destZ float32, talks bool) {
	for end := w.now + ms; w.now < end; {
		w.now += tickMS
		w.pos = WalkWithWalls(w.in.Walls, false, w.pos, destX, destZ, 4.5, Euclidean)
		if talks && w.now%200 == 0 {
			w.claim(w.pos.X, w.pos.Z, destX, destZ)
		}
	}
}

// fences returns walls and fences along X = 0, each from Z = -200 to Z = 200.
func fences() map[string]terrain.Solid {
	list := map[string]terrain.Solid{}
	for _, thick := range []float32{0, 0.1, 1, 3.5, 14} {
		list[fmt.Sprintf("a wall %v thick", thick)] = slab(0, 0, -200, thick, 12, 200)
		list[fmt.Sprintf("a fence %v thick", thick)] = slab(0, 0, -200, thick, 4.5, 200)
	}
	return list
}

func TestClaimBeyondWallIsRejectedAfterAnyWait(t *testing.T) {
	for name, fence := range fences() {
		in := sceneOf(t, fence)
		beyond := fence.Max.X + 1
		for _, ms := range []int64{0, 200, 2000, 5000, 60_000} {
			for _, talks := range []bool{false, true} {
				for _, far := range []float32{0.1, 2, 100} { // units from the wall at which the actor starts
					for _, along := range []float32{-120, 160} { // Z of the start, at least 40 units from both ends of the wall
						w := newWaiter(in, geom.Vec{X: -far, Z: along})
						w.claim(-far, along, beyond, along)
						w.wait(ms, beyond, along, talks)
						for try := range 8 {
							v := w.claim(beyond, along, beyond, along)
							if v.Held != reason.Blocked || w.pos.X >= 0 || v.Asked <= v.Allowed {
								t.Fatalf("%s, at %v for %d ms (talks: %v): try %d: %+v", name, along, ms, talks, try, v)
							}
							w.wait(int64(try*tickMS), beyond, along, false)
						}
					}
				}
			}
		}
	}
}

// An earlier rule allowed a path as long as the accumulated allowance, which is 450 units at full speed.
func TestClaimAroundWallIsRejectedIfDetourTakesMoreThan700Milliseconds(t *testing.T) {
	for _, c := range []struct {
		name   string
		value  int32
		before float32 // distance in units of the actor and of the claimed position, on the other side, from the end of the wall
		held   bool
	}{
		{"a corner in 0.7 s", 100, 31, false},
		{"a corner in more", 100, 33.5, true},
		{"a corner in 0.7 s at half speed", 50, 15.5, false},
		{"a corner in more at half speed", 50, 18, true},
		{"a corner in 0.7 s at twice the speed", 200, 62, false},
		{"a corner in more at twice the speed", 200, 65, true},
		{"no corner at all without speed", 0, 2, true},
	} {
		for _, waits := range []int64{1000, 60_000} {
			w := newWaiter(sceneOf(t, slab(0, 0, -200, 0.5, 12, 0)), geom.Vec{X: -0.2, Z: -c.before})
			v := w.p.JudgeIn(w.in, &w.s, w.pos, SpeedShare(c.value, 100), Claim{X: 0.7, Z: -c.before}, waits)
			if (v.Held == reason.Blocked) != c.held || v.Held != reason.None && v.Pos != w.pos {
				t.Errorf("%s after %d ms: %+v", c.name, waits, v)
			}
		}
	}
}

// During a stall of two seconds the server continues to walk the actor. Then all claims of the client arrive at once.
func TestClaimsAfterStallAreJudgedFromLastAcceptedClaim(t *testing.T) {
	w := newWaiter(sceneOf(t, slab(0, 0, -200, 0.5, 12, 0)), geom.Vec{X: -1, Z: -10})
	w.claim(-1, -10, -1, -190)
	w.wait(1900, -1, -190, false) // the server walks the actor to Z -181 while the client goes around the end of the wall
	for _, at := range []geom.Vec{{X: 1, Z: -4}, {X: 1, Z: -20}, {X: 1, Z: -40}} {
		if v := w.claim(at.X, at.Z, 1, -100); v.Held != reason.None || v.Pos.X != at.X {
			t.Errorf("at %v: %+v", at, v)
		}
	}
	if spent := fullAllowance - w.s.Credit; spent < 215 || spent > 230 { // the cost of the client's movement plus that of the server's walk
		t.Errorf("it cost %v", spent)
	}
	w = newWaiter(w.in, geom.Vec{X: -1, Z: -60})
	w.claim(-1, -60, -1, -190)
	w.wait(1000, -1, -190, false)
	if v := w.claim(1, -60, 1, -60); v.Held != reason.Blocked {
		t.Errorf("120 units round the end: %+v", v)
	}
}

// A single claim, whatever its position and time, moves an actor to the other side of a wall only around a nearby end of the
// wall.
func TestClaimReachesOtherSideOfWallOnlyAroundNearbyWallEnd(t *testing.T) {
	in := sceneOf(t, slab(0, 0, -150, 1, 12, 150))
	rapid.Check(t, func(t *rapid.T) {
		w := newWaiter(in, geom.Vec{X: -2, Z: rapid.Float32Range(-150, 150).Draw(t, "begins")})
		side := func(p geom.Vec) int {
			switch {
			case p.X < 0:
				return -1
			case p.X > 1:
				return 1
			}
			return 0 // the position is in line with the wall
		}
		ends := func(a, b geom.Vec) float32 {
			north, south := geom.Vec{X: 0.5, Z: 150}, geom.Vec{X: 0.5, Z: -150}
			return min(geom.DistXZ(a, north)+geom.DistXZ(north, b), geom.DistXZ(a, south)+geom.DistXZ(south, b))
		}
		for range rapid.IntRange(1, 40).Draw(t, "claims") {
			destX, destZ := rapid.Float32Range(-60, 60).Draw(t, "dest x"), rapid.Float32Range(-250, 250).Draw(t, "dest z")
			w.wait(rapid.SampledFrom([]int64{0, 0, 50, 200, 2000, 10_000}).Draw(t, "ms"), destX, destZ, rapid.Bool().Draw(t, "talks"))
			from, anchor := w.pos, geom.Vec{X: w.s.AnchorX, Z: w.s.AnchorZ}
			to := geom.Vec{X: rapid.Float32Range(-30, 30).Draw(t, "x"), Z: from.Z + rapid.Float32Range(-80, 80).Draw(t, "z")}
			v := w.claim(to.X, to.Z, destX, destZ)
			if v.Held == reason.None && side(from)*side(to) < 0 && geom.Abs(from.Z) < 150 && geom.Abs(to.Z) < 150 &&
				ends(from, to) > fullRound && ends(anchor, to) > fullRound {
				t.Fatalf("passed the wall from %v, last claim at %v, to %v", from, anchor, to)
			}
		}
	})
}

func TestJudgingClaimAmongWallsDoesNotAllocate(t *testing.T) {
	in := sceneOf(t, slab(0, 0, -200, 1, 12, 0))
	for name, to := range map[string]geom.Vec{"clear": {X: -5, Z: -20}, "round": {X: 3, Z: -10}, "held": {X: 3, Z: -90}} {
		w := newWaiter(in, geom.Vec{X: -2, Z: -10})
		if n := testing.AllocsPerRun(100, func() {
			w.now += 50
			w.pos = geom.Vec{X: -2, Z: -14} // the server has walked the actor away from the anchor
			w.claim(to.X, to.Z, to.X, to.Z)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
