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

// effectTrajectory is one trajectory of testdata/effects.json.
type effectTrajectory struct {
	About string
	Rows  []struct {
		Tick       uint64
		Moved, Vel [3]float64
	}
}

// readEffectTrajectory reads a trajectory of testdata/effects.json: the tables of docs/wire/bedrock.md, movement physics,
// computed by an independent script in float32.
func readEffectTrajectory(t *testing.T, name string) effectTrajectory {
	t.Helper()
	b, err := os.ReadFile("testdata/effects.json")
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]json.RawMessage
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	var e effectTrajectory
	if err := json.Unmarshal(file[name], &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// voidGround has no blocks at all.
func voidGround(t testing.TB) *terrain.Blocks {
	t.Helper()
	return mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.VoidGround})
}

// isRounded reports whether want is x rounded to seven significant digits. Seven digits identify a float32 up to its last
// bit.
func isRounded(x float32, want float64) bool {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'e', 6, 64), 64)
	return math.Abs(r-want) <= math.Abs(want)*1e-12
}

// checkEffectTrajectory steps an avatar through a trajectory of testdata/effects.json. The avatar starts at rest in the
// air at the origin, unless set changes it.
func checkEffectTrajectory(t *testing.T, name string, set func(*Avatar), before func(a *Avatar, tick uint64)) {
	t.Helper()
	var s Scratch
	ground := voidGround(t)
	a := NewAvatar(geom.Vec{})
	a.OnGround, a.Vel = false, geom.Vec{}
	set(&a)
	for _, row := range readEffectTrajectory(t, name).Rows {
		if before != nil {
			before(&a, row.Tick)
		}
		in := Input{}
		a.Step(&in, ground, &s)
		pos, vel := array(a.Pos), array(a.Vel)
		for i := range pos {
			if !isRounded(pos[i], row.Moved[i]) || !isRounded(vel[i], row.Vel[i]) {
				t.Fatalf("tick %d: moved %v with %v, want %v with %v", row.Tick, pos, vel, row.Moved, row.Vel)
			}
		}
	}
}

func TestSlowFallingTrajectoryMatchesIndependentScript(t *testing.T) {
	checkEffectTrajectory(t, "slow_falling", func(a *Avatar) { a.SlowFalling = 1 }, nil)
}

func TestSlowFallingKeepsUsualGravityWhileRising(t *testing.T) {
	jump := Input{Flags: InputStartJump | InputJumping}
	usual, slow := onFeet(0.5, 64, 0.5), onFeet(0.5, 64, 0.5)
	slow.SlowFalling = 1
	ticks(&usual, 1, jump, nil)
	ticks(&slow, 1, jump, nil)
	for tick := 2; usual.Vel.Y > 0; tick++ {
		ticks(&usual, 1, Input{}, nil)
		ticks(&slow, 1, Input{}, nil)
		if usual.Pos != slow.Pos || usual.Vel != slow.Vel {
			t.Fatalf("tick %d: at %v with %v, without the effect at %v with %v", tick, slow.Pos, slow.Vel, usual.Pos, usual.Vel)
		}
	}
}

func TestLevitationTrajectoryMatchesIndependentScript(t *testing.T) {
	checkEffectTrajectory(t, "levitation_1", func(a *Avatar) { a.Levitation = 1 }, nil)
}

func TestCobwebPowderSnowAndBushSlowPlayerByTheirFactors(t *testing.T) {
	web, snow, bush := geom.Vec{X: 0.25, Y: 0.05, Z: 0.25}, geom.Vec{X: 0.9, Y: 1.5, Z: 0.9}, geom.Vec{X: 0.8, Y: 0.75, Z: 0.8}
	for name, c := range map[string]struct {
		feet, head terrain.BlockID
		want       geom.Vec
	}{
		"web":                  {terrain.Web, terrain.Air, web},
		"powder snow":          {terrain.PowderSnow, terrain.Air, snow},
		"bush":                 {terrain.SweetBerryBush, terrain.Air, bush},
		"powder snow and bush": {terrain.PowderSnow, terrain.SweetBerryBush, bush},
		"web and powder snow":  {terrain.PowderSnow, terrain.Web, web},
	} {
		a := onFeet(0.5, 80, 0.5)
		a.OnGround, a.HasKnockback, a.KnockbackVel = false, true, geom.Vec{X: 0.4, Y: -0.2, Z: 0.2}
		ticks(&a, 1, Input{}, blocksOf(t, fill(0, 80, 0, 0, 80, 0, c.feet), fill(0, 81, 0, 0, 81, 0, c.head)))
		got, v := a.Pos.Sub(geom.Vec{X: 0.5, Y: 80, Z: 0.5}), geom.Vec{X: 0.4 * c.want.X, Y: -0.2 * c.want.Y, Z: 0.2 * c.want.Z}
		if geom.Abs(got.X-v.X)+geom.Abs(got.Y-v.Y)+geom.Abs(got.Z-v.Z) > 1e-5 || a.Vel != (geom.Vec{Y: restingFall}) {
			t.Errorf("%s: moved %v with %v left, want %v", name, got, a.Vel, v)
		}
	}
}

func TestHoneyBlockLowersJumpsAndSlowsPlayerSlidingDownWall(t *testing.T) {
	wall := blocksOf(t, fill(1, 64, -9, 1, 90, 9, terrain.Honey))
	a := onFeet(0.7, 80, 0.5)
	a.OnGround = false
	press := Input{Yaw: -90, Move: [2]float32{0, 1}}
	ticks(&a, 10, press, wall)
	y := a.Pos.Y
	ticks(&a, 10, press, wall)
	if fell := y - a.Pos.Y; geom.Abs(fell-10*honeySlide) > 1e-4 {
		t.Errorf("slid down by %v in 10 ticks, want %v", fell, 10*honeySlide)
	}
	reach := func(id terrain.BlockID) float32 {
		ground := blocksOf(t, fill(-2, 63, -2, 2, 63, 2, id))
		a, in := onFeet(0.5, 64, 0.5), Input{Flags: InputStartJump | InputJumping}
		top := a.Pos.Y
		for range 8 {
			ticks(&a, 1, in, ground)
			top, in.Flags = max(top, a.Pos.Y), 0
		}
		return top - 64
	}
	if honey, stone := reach(terrain.Honey), reach(terrain.Stone); honey < 0.51 || honey > 0.52 || stone < 1.25 {
		t.Errorf("a jump reaches %v on honey, %v on stone", honey, stone)
	}
}

func TestJumpKeyThatStaysDownCausesJumpOnLandingWithoutNewRequest(t *testing.T) {
	a := onFeet(0.5, 64.05, 0.5)
	a.OnGround = false
	held := Input{Flags: InputJumping}
	ticks(&a, 1, held, nil)
	if !a.OnGround {
		t.Fatalf("not landed: %+v", a)
	}
	ticks(&a, 1, held, nil)
	if a.OnGround || geom.Abs(a.Pos.Y-64.42) > 1e-5 || a.JumpDelay != jumpDelayTicks-1 {
		t.Errorf("at %v, on ground %v, delay %d", a.Pos, a.OnGround, a.JumpDelay)
	}
}

func TestFireworkTrajectoryMatchesIndependentScript(t *testing.T) {
	checkEffectTrajectory(t, "glide_firework", func(a *Avatar) {
		a.MayGlide, a.Gliding, a.Vel = true, true, geom.Vec{Z: 0.5}
	}, func(a *Avatar, tick uint64) {
		if tick == 6 {
			a.GlideBoost = 15
		}
	})
}

func TestFireworkBoostEndsWhenGlideEnds(t *testing.T) {
	for name, stop := range map[string]func(a *Avatar, in *Input){
		"on the ground":      func(a *Avatar, _ *Input) { a.Pos.Y, a.Vel.Y = 64.01, -0.5 },
		"by levitation":      func(a *Avatar, _ *Input) { a.Levitation = 1 },
		"at its request":     func(_ *Avatar, in *Input) { in.Flags |= InputStopGlide },
		"without its elytra": func(a *Avatar, _ *Input) { a.MayGlide = false },
	} {
		a := onFeet(0.5, 90, 0.5)
		a.OnGround, a.MayGlide, a.Gliding, a.GlideBoost = false, true, true, 100
		ticks(&a, 5, Input{Pitch: 60}, nil)
		if !a.Gliding || a.GlideBoost != 95 {
			t.Fatalf("%s: %+v", name, a)
		}
		in := Input{Pitch: 60}
		stop(&a, &in)
		if ticks(&a, 2, in, nil); a.Gliding || a.GlideBoost != 0 {
			t.Errorf("%s: gliding %v, %d ticks left", name, a.Gliding, a.GlideBoost)
		}
	}
}

func TestSoulSpeedEnchantmentRestoresSpeedOnSoulSand(t *testing.T) {
	ground := blocksOf(t, fill(-2, 63, -2, 2, 63, 60, terrain.SoulSand))
	slow, fast := onFeet(0.5, 63.875, 0.5), onFeet(0.5, 63.875, 0.5)
	fast.SoulSpeed = true
	ticks(&slow, 20, south, ground)
	ticks(&fast, 20, south, ground)
	if share := (slow.Pos.Z - 0.5) / (fast.Pos.Z - 0.5); geom.Abs(share-0.544) > 1e-3 {
		t.Errorf("%v blocks without soul speed, %v with it", slow.Pos.Z-0.5, fast.Pos.Z-0.5)
	}
}

func TestPlayerCanClimbAndStandOnScaffolding(t *testing.T) {
	ground := blocksOf(t, fill(0, 64, 0, 0, 69, 0, terrain.Scaffolding))
	a := onFeet(0.5, 64, 0.5)
	ticks(&a, 20, Input{Flags: InputJumping}, ground)
	if rise := a.Pos.Y - 64; geom.Abs(rise-20*scaffoldSpeed) > 1e-4 {
		t.Errorf("rose by %v in 20 ticks", rise)
	}
	ticks(&a, 60, Input{Flags: InputJumping}, ground)
	for ; !a.OnGround; ticks(&a, 1, Input{}, ground) {
		if a.Pos.Y < 69 {
			t.Fatalf("fell into the scaffolding to %v", a.Pos)
		}
	}
	if a.Pos.Y != 70 {
		t.Fatalf("stands at %v, want on top at 70", a.Pos)
	}
	was := a
	if ticks(&a, 40, Input{}, ground); a != was {
		t.Errorf("does not rest on top: %+v", a)
	}
	ticks(&a, 20, Input{Flags: InputSneakDown}, ground)
	if sank := 70 - a.Pos.Y; sank < 2 || sank > 20*scaffoldSpeed {
		t.Errorf("sank by %v in 20 ticks while sneaking", sank)
	}
	a = onFeet(-0.5, 66.5, 0.5)
	a.OnGround = false
	in := Input{Yaw: -90, Move: [2]float32{0, 1}}
	if ticks(&a, 12, in, ground); a.Pos.X < 0 || a.Collided&(AxisX|AxisZ) != 0 {
		t.Errorf("stopped at the side of scaffolding: %v, collided %b", a.Pos, a.Collided)
	}
	a = onFeet(0.5, 75, 0.5)
	a.OnGround = false
	if ticks(&a, 40, Input{}, ground); a.Pos.Y != 70 || !a.OnGround {
		t.Errorf("fell through the top to %v", a.Pos)
	}
}
