package move

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// liquidTrajectory is one trajectory of testdata/liquids.json.
type liquidTrajectory struct {
	Rows []struct {
		Tick       int
		Moved, Vel [3]float64
	}
}

// readLiquidTrajectories reads testdata/liquids.json.
func readLiquidTrajectories(t *testing.T) map[string]liquidTrajectory {
	t.Helper()
	b, err := os.ReadFile("testdata/liquids.json")
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	delete(file, "about")
	out := map[string]liquidTrajectory{}
	for name, raw := range file {
		var tr liquidTrajectory
		if err := json.Unmarshal(raw, &tr); err != nil {
			t.Fatal(err)
		}
		out[name] = tr
	}
	return out
}

// sevenDigits rounds x to seven significant digits, like the numbers in testdata/liquids.json.
func sevenDigits(x float32) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'e', 6, 64), 64)
	return r
}

// deepLiquid is a volume of liquid far larger than a body, without ground.
func deepLiquid(t testing.TB, id terrain.BlockID) *terrain.Blocks {
	return mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.VoidGround,
		Fills: []terrain.BlockFill{fill(-16, -40, -16, 16, 40, 16, id)}})
}

func TestLiquidTrajectoriesMatchIndependentScript(t *testing.T) {
	forward := [2]float32{0, 1}
	swims := func(pitch float32) Input { return Input{Pitch: pitch, Move: forward} }
	inputs := map[string]struct {
		in     Input
		liquid terrain.BlockID
		swims  bool
	}{
		"water_walk":  {Input{Move: forward}, terrain.Water, false},
		"water_up":    {Input{Flags: InputJumping}, terrain.Water, false},
		"water_sink":  {Input{}, terrain.Water, false},
		"swim_level":  {swims(0), terrain.Water, true},
		"swim_down30": {swims(30), terrain.Water, true},
		"swim_up30":   {swims(-30), terrain.Water, true},
		"lava_walk":   {Input{Move: forward}, terrain.Lava, false},
		"lava_up":     {Input{Flags: InputJumping}, terrain.Lava, false},
	}
	tables := readLiquidTrajectories(t)
	if len(tables) != len(inputs) {
		t.Fatalf("%d trajectories, want %d", len(tables), len(inputs))
	}
	for name, c := range inputs {
		ground := deepLiquid(t, c.liquid)
		a := NewAvatar(geom.Vec{})
		a.OnGround, a.Vel = false, geom.Vec{}
		if c.swims {
			a.Swimming, a.Sprinting, a.SwimPose = true, true, fullSwimPose
		}
		for _, row := range tables[name].Rows {
			if r := ticks(&a, 1, c.in, ground); r.Mode != ModeLiquid || r.Refused != 0 || r.StanceChanges != 0 {
				t.Fatalf("%s, tick %d: %+v", name, row.Tick, r)
			}
			pos, vel := array(a.Pos), array(a.Vel)
			for i := range pos {
				if sevenDigits(pos[i]) != row.Moved[i] || sevenDigits(vel[i]) != row.Vel[i] {
					t.Fatalf("%s, tick %d: moved %v with %v, want %v with %v", name, row.Tick, pos, vel, row.Moved, row.Vel)
				}
			}
		}
	}
}

// L-4 of the liquid rules: a player that swims against a shore one block above the water's bottom is lifted in the tick
// of the collision and gets onto the shore.
func TestSwimmerIsLiftedOntoLowShore(t *testing.T) {
	ground := blocksOf(t, fill(-4, 60, -4, 4, 63, 4, terrain.Water), fill(-4, 60, 5, 4, 63, 8, terrain.Stone))
	a := onFeet(0.5, 62.5, 3.5)
	a.OnGround, a.Vel = false, geom.Vec{}
	in := Input{Move: [2]float32{0, 1}, Flags: InputJumping}
	lifted := false
	for range 60 {
		ticks(&a, 1, in, ground)
		if a.Collided&AxisZ != 0 && a.Vel.Y == 0.3 {
			lifted = true
		}
		if a.OnGround && a.Pos.Y == 64 && a.Pos.Z > 5 {
			if !lifted {
				t.Error("reached the shore without being lifted")
			}
			return
		}
	}
	t.Fatalf("still in the water at %v, lifted %v", a.Pos, lifted)
}

func TestSwimmerIsNotLiftedOntoHighShore(t *testing.T) {
	ground := blocksOf(t, fill(-4, 60, -4, 4, 63, 4, terrain.Water), fill(-4, 60, 5, 4, 66, 8, terrain.Stone))
	a := onFeet(0.5, 60.5, 4.5)
	a.OnGround, a.Vel = false, geom.Vec{}
	for range 200 {
		if ticks(&a, 1, Input{Move: [2]float32{0, 1}, Flags: InputJumping}, ground); a.Pos.Y > 65 {
			t.Fatalf("rose to %v at a wall three blocks above the water", a.Pos)
		}
	}
}

// streamSouth returns a channel along Z in which the depth value of the water rises from 0 at z = 0 and repeats every
// eight blocks.
func streamSouth() []terrain.BlockFill {
	var fills []terrain.BlockFill
	for z := range int32(8) {
		id := terrain.Water
		if z > 0 {
			id = terrain.Water1 + terrain.BlockID(z-1)
		}
		fills = append(fills, fill(-2, 64, z, 2, 64, z, id))
	}
	return fills
}

// L-5 of the liquid rules: flowing water moves a standing player by 0.07 blocks per tick.
func TestFlowingWaterMovesStandingPlayer(t *testing.T) {
	ground := blocksOf(t, streamSouth()...)
	a := onFeet(0.5, 64, 0.5)
	for range 40 {
		ticks(&a, 1, Input{}, ground)
	}
	from := a.Pos
	if r := ticks(&a, 1, Input{}, ground); r.Mode != ModeLiquid || geom.Abs(a.Pos.Z-from.Z-0.07) > 1e-4 || a.Pos.X != 0.5 {
		t.Fatalf("%v: from %v to %v", r.Mode, from, a.Pos)
	}
}

func TestFallingWaterBesideWallPullsPlayerDown(t *testing.T) {
	water := []terrain.BlockFill{fill(0, 64, 0, 0, 80, 0, terrain.WaterFalling)}
	open := blocksOf(t, water...)
	walled := blocksOf(t, append(water, fill(1, 64, 0, 1, 80, 0, terrain.Stone))...)
	sunk := func(ground *terrain.Blocks) float32 {
		a := onFeet(0.5, 78, 0.5)
		a.OnGround, a.Vel = false, geom.Vec{}
		ticks(&a, 20, Input{}, ground)
		return 78 - a.Pos.Y
	}
	if free, beside := sunk(open), sunk(walled); beside < 2*free {
		t.Errorf("sank %v beside a wall, %v without one", beside, free)
	}
}

func TestBubbleColumnsMovePlayersUpAndDown(t *testing.T) {
	column := func(id terrain.BlockID) *terrain.Blocks {
		return blocksOf(t, fill(-2, 64, -2, 2, 90, 2, terrain.Water), fill(0, 64, 0, 0, 90, 0, id))
	}
	rise, drag := onFeet(0.5, 70, 0.5), onFeet(0.5, 80, 0.5)
	rise.OnGround, drag.OnGround = false, false
	up, down := column(terrain.BubbleColumn), column(terrain.BubbleColumnDown)
	ticks(&rise, 20, Input{}, up)
	ticks(&drag, 20, Input{}, down)
	if rise.Vel.Y != risingInside.limit || rise.Pos.Y < 77 {
		t.Errorf("rises with %v at %v", rise.Vel, rise.Pos)
	}
	if drag.Vel.Y != draggingInside.limit || drag.Pos.Y > 76 {
		t.Errorf("sinks with %v at %v", drag.Vel, drag.Pos)
	}
	highest := rise.Pos.Y
	for range 40 {
		ticks(&rise, 1, Input{}, up)
		highest = max(highest, rise.Pos.Y)
	}
	if highest < 92 {
		t.Errorf("a body leaves the top of the column only up to %v", highest)
	}
}

// A swimmer that looks up rises above the surface only as far as its speed carries it, and then falls back.
func TestSwimmerDoesNotFlyWhileLookingUp(t *testing.T) {
	ground := blocksOf(t, fill(-8, 50, -8, 8, 63, 40, terrain.Water), fill(-8, 64, -8, 8, 70, 40, terrain.Air))
	a := onFeet(0.5, 60, 0.5)
	a.OnGround, a.Vel, a.Swimming, a.Sprinting, a.SwimPose = false, geom.Vec{}, true, true, fullSwimPose
	for tick := range 100 {
		ticks(&a, 1, Input{Pitch: -60, Move: [2]float32{0, 1}}, ground)
		if a.Pos.Y > 64.3 {
			t.Fatalf("tick %d: at %v, above the surface at 64", tick, a.Pos)
		}
	}
}

func TestSwimRequestOutsideWaterIsRefused(t *testing.T) {
	for id, refused := range map[terrain.BlockID]InputFlags{terrain.Water: 0, terrain.Water7: 0, terrain.Lava: InputStartSwim, terrain.Air: InputStartSwim} {
		a := onFeet(0.5, 64, 0.5)
		r := ticks(&a, 1, Input{Flags: InputStartSwim}, blocksOf(t, fill(-2, 64, -2, 2, 66, 2, id)))
		if r.Refused != refused || a.Swimming != (refused == 0) {
			t.Errorf("%s: refused %b, swims %v", id.Kind().Word, r.Refused, a.Swimming)
		}
	}
}

// While a swimmer's body changes from upright to flat or back, and while a swimmer's eyes are above the water, the jump key stops the
// vertical movement.
func TestJumpKeyStopsVerticalMovementUntilSwimmerLiesFlat(t *testing.T) {
	ground := deepLiquid(t, terrain.Water)
	a := NewAvatar(geom.Vec{})
	a.OnGround, a.Vel = false, geom.Vec{Y: -0.3}
	in := Input{Flags: InputStartSwim | InputJumping}
	ticks(&a, 1, in, ground)
	in.Flags = InputJumping
	for tick := 2; tick <= 10; tick++ {
		if ticks(&a, 1, in, ground); a.Vel.Y != 0 {
			t.Fatalf("tick %d: velocity %v while the pose changes", tick, a.Vel)
		}
	}
	if ticks(&a, 1, in, ground); geom.Abs(a.Vel.Y-0.04*0.8) > 1e-7 {
		t.Errorf("velocity %v in the flat pose", a.Vel)
	}
}

func TestDepthStriderIncreasesSpeedInWater(t *testing.T) {
	ground := blocksOf(t, fill(-20, 64, -4, 20, 65, 40, terrain.Water))
	last := float32(0)
	for level := range uint8(5) {
		a := onFeet(0.5, 64, 0.5)
		a.DepthStrider = level
		ticks(&a, 60, Input{Move: [2]float32{0, 1}}, ground)
		from := a.Pos.Z
		ticks(&a, 1, Input{Move: [2]float32{0, 1}}, ground)
		speed := a.Pos.Z - from
		switch {
		case level == 4 && speed != last:
			t.Errorf("level 4 moves %v a tick, level 3 %v", speed, last)
		case level < 4 && !(speed > last):
			t.Errorf("level %d moves %v a tick, the level below %v", level, speed, last)
		}
		last = speed
	}
	if geom.Abs(last-0.2158) > 1e-3 {
		t.Errorf("depth strider 3 wades %v a tick, want the speed of walking", last)
	}
}

func TestSneakingDoesNotSlowSwimmers(t *testing.T) {
	ground := deepLiquid(t, terrain.Water)
	walk, sneak := NewAvatar(geom.Vec{}), NewAvatar(geom.Vec{})
	walk.OnGround, sneak.OnGround = false, false
	ticks(&walk, 20, Input{Move: [2]float32{0, 1}}, ground)
	ticks(&sneak, 20, Input{Move: [2]float32{0, 1}, Flags: InputSneakDown}, ground)
	if walk.Pos.Z != sneak.Pos.Z || sneak.Pos.Y > walk.Pos.Y-1 {
		t.Errorf("at %v without sneaking, at %v with it", walk.Pos, sneak.Pos)
	}
}

func TestPlayerWithLevitationOrSlowFallingStaysWithinBoundsInLiquid(t *testing.T) {
	ground := deepLiquid(t, terrain.Water)
	for name, set := range map[string]func(*Avatar){
		"levitation":   func(a *Avatar) { a.Levitation = 1 },
		"slow falling": func(a *Avatar) { a.SlowFalling = 1 },
	} {
		a := NewAvatar(geom.Vec{})
		set(&a)
		if r := ticks(&a, 1, Input{}, ground); r.Mode != ModeBoundedLiquid {
			t.Errorf("%s: mode %v", name, r.Mode)
		}
	}
}

// A change of the rules of one liquid changes only the movement in that liquid.
func TestRulesOfEachLiquidApplyOnlyToThatLiquid(t *testing.T) {
	slow := DefaultLiquids()
	slow.Lava.Accelerate, slow.Lava.Gravity = 0.01, 0.01
	bounded := DefaultLiquids()
	bounded.Water.Mode = BoundLiquid
	step := func(l *Liquids, id terrain.BlockID) (Avatar, Mode) {
		var s Scratch
		a := NewAvatar(geom.Vec{})
		a.OnGround = false
		in := Input{Move: [2]float32{0, 1}}
		in.Pos = a.Pos
		r := a.StepIn(l, &in, deepLiquid(t, id), &s)
		return a, r.Mode
	}
	usual := DefaultLiquids()
	for _, c := range []struct {
		name    string
		rules   *Liquids
		id      terrain.BlockID
		differs bool
		mode    Mode
	}{
		{"water beside other lava", &slow, terrain.Water, false, ModeLiquid},
		{"other lava", &slow, terrain.Lava, true, ModeLiquid},
		{"bounded water", &bounded, terrain.Water, true, ModeBoundedLiquid},
		{"lava beside bounded water", &bounded, terrain.Lava, false, ModeLiquid},
	} {
		a, mode := step(c.rules, c.id)
		if b, _ := step(&usual, c.id); (a != b) != c.differs || mode != c.mode {
			t.Errorf("%s: mode %v, %+v, usually %+v", c.name, mode, a, b)
		}
	}
}

// Near the surface of the water, errors in a swimmer's height up to the surface tolerance are ignored. Elsewhere they are
// corrected.
func TestHeightErrorNearWaterSurfaceIsTolerated(t *testing.T) {
	ground := blocksOf(t, fill(-8, 50, -8, 8, 63, 8, terrain.Water), fill(-8, 64, -8, 8, 70, 8, terrain.Air))
	policy := DefaultPredictPolicy()
	policy.Threshold, policy.VelocityThreshold = 0.05, 0
	for name, c := range map[string]struct {
		y, off  float32
		swims   bool
		correct bool
	}{
		"near the surface":              {63.5, 0.1, true, false},
		"beyond the tolerance":          {63.5, 0.2, true, true},
		"deep":                          {58, 0.1, true, true},
		"not swimming near the surface": {62.5, 0.1, false, true},
	} {
		s := PredictState{Avatar: NewAvatar(geom.Vec{X: 0.5, Y: c.y, Z: 0.5})}
		s.Avatar.OnGround, s.Avatar.Vel, s.Avatar.Swimming = false, geom.Vec{}, c.swims
		var scratch Scratch
		after := s.Avatar
		in := Input{Tick: 1}
		after.Step(&in, ground, &scratch)
		in.Pos, in.Delta = after.Pos, after.Vel
		in.Pos.Y += c.off
		if v := policy.Process(&s, &in, ground, &scratch); (v.Correct != 0) != c.correct {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// L-6: a client that claims 0.5 blocks per tick in water gains at most PredictPolicy.MaxGain, which is the correction
// threshold plus the easing toward the client's claims.
func TestClientThatClaimsExcessSpeedInWaterGainsAtMostMaxGain(t *testing.T) {
	ground := blocksOf(t, fill(-8, 40, -8, 8, 63, 300, terrain.Water))
	policy := DefaultPredictPolicy()
	honest := onFeet(0.5, 62, 0.5)
	honest.OnGround, honest.Vel = false, geom.Vec{}
	s := PredictState{Avatar: honest}
	var scratch Scratch
	corrections := 0
	claimed := honest.Pos
	for tick := uint64(1); tick <= 400; tick++ {
		in := Input{Tick: tick, Move: [2]float32{0, 1}, Flags: InputJumping}
		honest.Step(&in, ground, &scratch)
		claimed.Z += 0.5
		in.Pos, in.Delta = geom.Vec{X: claimed.X, Y: s.Avatar.Pos.Y, Z: claimed.Z}, geom.Vec{Z: 0.5}
		if policy.Process(&s, &in, ground, &scratch).Correct != 0 {
			corrections++
			claimed = s.Avatar.Pos
		}
		if gain := s.Avatar.Pos.Z - honest.Pos.Z; gain > policy.MaxGain(float32(tick)/20) {
			t.Fatalf("tick %d: gained %v", tick, gain)
		}
	}
	if corrections < 40 {
		t.Errorf("%d corrections in 20 s", corrections)
	}
}

func TestPhysicsStepInWaterKeepsStateFiniteWithExtremeLiquidRules(t *testing.T) {
	l := DefaultLiquids()
	l.Water.ContactUp, l.Water.ContactAcross, l.Water.Drag, l.Water.Accelerate = 4, 4, 1, 1
	var s Scratch
	a := NewAvatar(geom.Vec{})
	for range 2000 {
		in := Input{Move: [2]float32{1, 1}, Flags: InputJumping}
		a.StepIn(&l, &in, deepLiquid(t, terrain.Water), &s)
		if v := a.Vel; !geom.Finite(v.X) || !geom.Finite(v.Y) || !geom.Finite(v.Z) || math.Abs(float64(a.Pos.X)) > 1e9 {
			t.Fatalf("%+v", a)
		}
	}
}

// A teleport sets the swim pose of a swimmer to its final value, because the client continued to swim in the meantime.
func TestTeleportOfSwimmerCompletesSwimPose(t *testing.T) {
	for swims, want := range map[bool]uint8{true: fullSwimPose, false: 0} {
		s := PredictState{Avatar: NewAvatar(geom.Vec{})}
		s.Avatar.Swimming, s.Avatar.SwimPose = swims, 4
		if s.TeleportTo(geom.Vec{X: 9}); s.Avatar.SwimPose != want {
			t.Errorf("swims %v: pose %d, want %d", swims, s.Avatar.SwimPose, want)
		}
	}
}

// A correction of a swimmer includes its stance, because the box of a swimmer differs from that of a standing player.
func TestCorrectionOfSwimmerIncludesStance(t *testing.T) {
	ground := deepLiquid(t, terrain.Water)
	policy := DefaultPredictPolicy()
	for swims := range 2 {
		s := PredictState{Avatar: NewAvatar(geom.Vec{})}
		s.Avatar.OnGround, s.Avatar.Swimming = false, swims == 1
		in := Input{Tick: 1, Pos: geom.Vec{X: 3}}
		var scratch Scratch
		if v := policy.Process(&s, &in, ground, &scratch); v.Correct == 0 || v.SendStance != (swims == 1) {
			t.Errorf("swims %d: corrected for %v, stance %v", swims, v.Correct, v.SendStance)
		}
	}
}
