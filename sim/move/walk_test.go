package move

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
)

// Specification P_StandardUpdate, "Float clamp on every position field"; docs/wire/rcce.md 2 and vector V3.
func TestCoordinatesOutsideTheWorldAreReadAsZero(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct{ v, want float32 }{
		{0, 0}, {115, 115}, {-20.5, -20.5},
		{99999.9921875, 99999.9921875}, {-99999.9921875, -99999.9921875},
		{100000, 0}, {-100000, 0}, {-1e9, 0}, {1e9, 0}, {nan, 0}, {inf, 0}, {-inf, 0},
	} {
		if got := SanitizeCoord(c.v); got != c.want {
			t.Errorf("%v: %v, want %v", c.v, got, c.want)
		}
	}
}

// docs/wire/rcce.md 5.3: the speed is 1.5 units per 1/30 s, times value/max, times 2 when running, divided by 2 when backward.
// A max of 0 or less counts as full speed.
func TestWalkSpeedDependsOnGaitAndSpeedAttribute(t *testing.T) {
	for _, c := range []struct {
		value, maximum    int32
		running, backward bool
		want              float32
	}{
		{100, 100, false, false, 45},
		{100, 100, true, false, 90},
		{100, 100, false, true, 22.5},
		{100, 100, true, true, 22.5},
		{50, 100, false, false, 22.5},
		{0, 100, true, false, 0},
		{7, 0, false, false, 45},
		{7, -3, true, false, 90},
		{-50, 100, true, false, 0},
	} {
		if got := UnitsPerSecond(c.value, c.maximum, c.running, c.backward); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// docs/wire/rcce.md 8, "Step": pos (0,0), Dest (30,10), speed 1.5.
func TestManhattanStepMatchesExampleOfRealmCrafterServer(t *testing.T) {
	got := WalkToward(geom.Vec{Y: 7}, 30, 10, 1.5, L1)
	if want := (geom.Vec{X: 1.125, Y: 7, Z: 0.375}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got := WalkToward(geom.Vec{}, 1, 0, 1.5, L1); got.X != 1.5 {
		t.Errorf("the L1 step does not overshoot as the original does: %v", got)
	}
}

// docs/decisions/0002-euclidean-step.md: clients move other actors by the Euclidean distance.
func TestEuclideanStepMovesGivenDistanceInAnyDirection(t *testing.T) {
	got := WalkToward(geom.Vec{X: 3, Y: 7, Z: -4}, 33, 36, 5, Euclidean)
	if want := (geom.Vec{X: 6, Y: 7, Z: 0}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got := WalkToward(geom.Vec{}, 1, 0, 1.5, Euclidean); got.X != 1 {
		t.Errorf("does not stop at the destination: %v", got)
	}
}

// docs/wire/rcce.md 5.3: an actor moves only if |dx| > 0.5 or |dz| > 0.5.
func TestWalkEndsHalfUnitBeforeDestination(t *testing.T) {
	for _, step := range []StepMetric{Euclidean, L1} {
		if got := WalkToward(geom.Vec{}, 0.5, -0.5, 1.5, step); got != (geom.Vec{}) {
			t.Errorf("step %d moves to %v", step, got)
		}
		if got := WalkToward(geom.Vec{}, 0.51, 0, 0.1, step); got == (geom.Vec{}) {
			t.Errorf("step %d stays", step)
		}
		if got := WalkToward(geom.Vec{}, 10, 0, 0, step); got != (geom.Vec{}) {
			t.Errorf("step %d without speed moves to %v", step, got)
		}
	}
}

func TestEuclideanStepNeverPassesDestination(t *testing.T) {
	coord := rapid.Float32Range(-99_999, 99_999)
	rapid.Check(t, func(t *rapid.T) {
		pos := geom.Vec{X: coord.Draw(t, "x"), Z: coord.Draw(t, "z")}
		dest := geom.Vec{X: coord.Draw(t, "destX"), Z: coord.Draw(t, "destZ")}
		units := rapid.Float32Range(0, 200).Draw(t, "units")
		before := geom.DistXZ(pos, dest)
		next := WalkToward(pos, dest.X, dest.Z, units, Euclidean)
		const ulps = 0.05 // float32 values at the edge of the world are 0.008 units apart
		if after := geom.DistXZ(next, dest); after > before+ulps {
			t.Fatalf("distance from %v to %v", before, after)
		}
		if moved := geom.DistXZ(pos, next); moved > units+ulps {
			t.Fatalf("moved %v of %v", moved, units)
		}
	})
}

// On a diagonal the Manhattan step is shorter than the Euclidean step of clients by a share of 1 - 1/sqrt(2). See
// docs/decisions/0002-euclidean-step.md.
func TestManhattanStepMovesShorterDistanceOnDiagonals(t *testing.T) {
	straight := geom.DistXZ(geom.Vec{}, WalkToward(geom.Vec{}, 100, 0, 1.5, L1))
	diagonal := geom.DistXZ(geom.Vec{}, WalkToward(geom.Vec{}, 100, 100, 1.5, L1))
	if lag := 1 - diagonal/straight; lag < 0.292 || lag > 0.294 {
		t.Errorf("lags by %v", lag)
	}
}

// Specification P_StandardUpdate, "Y#", and docs/wire/rcce.md 5.4: the height of a flyer is interpolated between its old
// height and that of the waypoint.
func TestHeightOfFlyerIsInterpolatedByHorizontalDistance(t *testing.T) {
	old, waypoint := geom.Vec{Y: 10}, geom.Vec{X: 100, Y: 50}
	for _, c := range []struct {
		rule     string
		old, pos geom.Vec
		want     float32
	}{
		{"at the start", old, geom.Vec{Y: 10}, 10},
		{"a quarter", old, geom.Vec{X: 25, Y: 10}, 20},
		{"three quarters", old, geom.Vec{X: 75, Y: 10}, 40},
		{"there", old, geom.Vec{X: 100, Y: 10}, 50},
		{"no way at all", waypoint, geom.Vec{X: 100, Y: 10}, 10},
		{"farther than the start", old, geom.Vec{X: -50, Y: 10}, 10},
	} {
		if got := FlyHeight(c.old, c.pos, waypoint); got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}
