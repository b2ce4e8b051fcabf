package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// fill returns a fill of blocks between two corners, both included.
func fill(x0, y0, z0, x1, y1, z1 int32, id terrain.BlockID) terrain.BlockFill {
	return terrain.BlockFill{Min: [3]int32{x0, y0, z0}, Max: [3]int32{x1, y1, z1}, Block: id}
}

// blocksOf returns flat ground at height 64 with the fills.
func blocksOf(t testing.TB, fills ...terrain.BlockFill) *terrain.Blocks {
	t.Helper()
	return mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64,
		Surface: terrain.GrassBlock, Filler: terrain.Dirt, Fills: fills})
}

var south = Input{Move: [2]float32{0, 1}} // walks south at yaw 0

// ticks steps a n times with the same input and returns the result of the last step.
func ticks(a *Avatar, n int, in Input, ground *terrain.Blocks) (r StepResult) {
	var s Scratch
	for range n {
		r = a.Step(&in, ground, &s)
		in.Flags &^= InputStartJump
	}
	return r
}

func onFeet(x, y, z float32) Avatar { return NewAvatar(geom.Vec{X: x, Y: y, Z: z}) }

func TestPlayerStepsOntoSlab(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, 2, 2, 64, 9, terrain.SmoothStoneSlab))
	a := onFeet(0.5, 64, 0.5)
	ticks(&a, 20, south, ground)
	if a.Pos.Y != 64.5 || !a.OnGround || a.Pos.Z < 4 {
		t.Fatalf("at %v, on ground %v", a.Pos, a.OnGround)
	}
}

func TestFullBlockStopsWalkingPlayer(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, 2, 2, 64, 9, terrain.Stone))
	a := onFeet(0.5, 64, 0.5)
	ticks(&a, 20, south, ground)
	if want := float32(2) - halfWidth + inset; geom.Abs(a.Pos.Z-want) > 1e-6 || a.Vel.Z != 0 || a.Collided&AxisZ == 0 {
		t.Fatalf("at %v with %v, collided %b, want z %v", a.Pos, a.Vel, a.Collided, want)
	}
}

func TestJumpClearsFullBlock(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, 2, 2, 64, 9, terrain.Stone))
	a := onFeet(0.5, 64, 0.5)
	ticks(&a, 20, south, ground)
	jump := south
	jump.Flags = InputStartJump
	ticks(&a, 20, jump, ground)
	if a.Pos.Y != 65 || !a.OnGround {
		t.Fatalf("at %v, on ground %v", a.Pos, a.OnGround)
	}
}

func TestPlayerSlidesAlongWalls(t *testing.T) {
	ground := blocksOf(t, fill(2, 64, -20, 2, 66, 20, terrain.Stone))
	a := onFeet(0.5, 64, 0.5)
	in := south
	in.Yaw = -45 // walks south-east
	ticks(&a, 40, in, ground)
	if geom.Abs(a.Pos.X-1.7001) > 1e-5 || a.Pos.Z < 5 {
		t.Fatalf("at %v", a.Pos)
	}
}

func TestCeilingEndsJump(t *testing.T) {
	ground := blocksOf(t, fill(-2, 66, -2, 2, 66, 2, terrain.Stone))
	a := onFeet(0.5, 64, 0.5)
	ticks(&a, 1, Input{Flags: InputStartJump}, ground)
	if geom.Abs(a.Pos.Y-64.2) > 1e-5 || a.Vel.Y > 0 || a.OnGround {
		t.Fatalf("at %v with %v", a.Pos, a.Vel)
	}
}

func TestJumpKeyThatStaysDownCausesJumpOnlyAfterJumpDelay(t *testing.T) {
	in := Input{Flags: InputStartJump | InputJumping}
	a := onFeet(0.5, 64, 0.5)
	a.JumpDelay = 2
	for tick, want := range []bool{true, true, false} {
		var s Scratch
		r := a.Step(&in, nil, &s)
		if refused := r.Refused.Has(InputStartJump); refused != want || a.OnGround != want {
			t.Fatalf("tick %d: refused %v, on ground %v", tick, refused, a.OnGround)
		}
	}
	a = onFeet(0.5, 64, 0.5)
	a.JumpDelay = 9
	if ticks(&a, 1, Input{Flags: InputStartJump}, nil); a.OnGround {
		t.Fatal("the delay continues after the key was released")
	}
}

func TestFrictionDependsOnBlockBelowPlayer(t *testing.T) {
	reach := map[terrain.BlockID]float32{}
	for _, id := range []terrain.BlockID{terrain.Stone, terrain.Ice, terrain.BlueIce, terrain.Slime, terrain.SoulSand} {
		ground := blocksOf(t, fill(-2, 63, -2, 2, 63, 60, id))
		y := float32(64)
		if id == terrain.SoulSand {
			y = 63.875
		}
		a := onFeet(0.5, y, 0.5)
		ticks(&a, 20, south, ground)
		from := a.Pos.Z
		ticks(&a, 20, Input{}, ground)
		reach[id] = a.Pos.Z - from
		if a.Pos.Y != y || !a.OnGround {
			t.Errorf("%s: at %v", id.Kind().Word, a.Pos)
		}
	}
	for _, order := range [][2]terrain.BlockID{
		{terrain.Stone, terrain.Ice}, {terrain.Ice, terrain.BlueIce}, {terrain.SoulSand, terrain.Stone}, {terrain.Slime, terrain.Stone},
	} {
		if reach[order[0]] >= reach[order[1]] {
			t.Errorf("moved %v on %s, %v on %s", reach[order[0]], order[0].Kind().Word, reach[order[1]], order[1].Kind().Word)
		}
	}
}

func TestSlimeAndBedsBounceFallingPlayer(t *testing.T) {
	peak := func(id terrain.BlockID, sneaking bool) float32 {
		ground := blocksOf(t, fill(-2, 63, -2, 2, 63, 2, id))
		a := onFeet(0.5, 70, 0.5)
		a.OnGround, a.Sneaking = false, sneaking
		var s Scratch
		for !a.OnGround {
			a.Step(&Input{}, ground, &s)
		}
		top := a.Pos.Y
		for range 60 {
			a.Step(&Input{}, ground, &s)
			top = max(top, a.Pos.Y)
		}
		return top - 63
	}
	slime, bed, stone, sneaky := peak(terrain.Slime, false), peak(terrain.Bed, false), peak(terrain.Stone, false), peak(terrain.Slime, true)
	if slime < 4 || slime > 7 || bed < 2 || bed >= slime || stone != 1 || sneaky != 1 {
		t.Fatalf("slime %v, bed %v, stone %v, sneaking on slime %v", slime, bed, stone, sneaky)
	}
}

func TestPlayerClimbsLadderAndStaysOnItWhileSneaking(t *testing.T) {
	// The ladder faces north: it is attached to the wall to its south.
	ground := blocksOf(t, fill(0, 64, 2, 0, 80, 2, terrain.Stone), fill(0, 64, 1, 0, 80, 1, terrain.Ladder))
	a := onFeet(0.5, 64, 1.3)
	ticks(&a, 40, south, ground)
	if a.Pos.Y < 67 || a.Pos.Y > 72 {
		t.Fatalf("climbed to %v", a.Pos)
	}
	y := a.Pos.Y
	ticks(&a, 20, Input{Flags: InputSneakDown}, ground)
	if a.Pos.Y < y || a.Pos.Y > y+0.4 { // the player climbs to the top of the ladder
		t.Fatalf("moved to %v from %v while holding on", a.Pos.Y, y)
	}
	ticks(&a, 5, Input{}, ground)
	if fall := y - a.Pos.Y; fall < 0.3 || fall > 1.2 {
		t.Fatalf("slid down by %v in 5 ticks", fall)
	}
	y = a.Pos.Y
	ticks(&a, 10, Input{Flags: InputJumping}, ground)
	if rise := a.Pos.Y - y; geom.Abs(rise-2) > 0.01 {
		t.Fatalf("rose by %v in 10 ticks", rise)
	}
}

func TestCobwebSlowsWalkAndFall(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, -2, 2, 70, 20, terrain.Web))
	a := onFeet(0.5, 68, 0.5)
	a.OnGround = false
	ticks(&a, 20, south, ground)
	if fallen, way := 68-a.Pos.Y, a.Pos.Z-0.5; fallen > 0.1 || way > 0.2 || fallen <= 0 || way <= 0 {
		t.Fatalf("moved to %v", a.Pos)
	}
}

func TestEffectsChangeFallSpeedJumpHeightAndWalkSpeed(t *testing.T) {
	after := func(n int, in Input, set func(*Avatar)) Avatar {
		a := onFeet(0.5, 64, 0.5)
		set(&a)
		ticks(&a, n, in, nil)
		return a
	}
	jump := Input{Flags: InputStartJump | InputJumping}
	if y := after(7, jump, func(a *Avatar) { a.JumpBoost = 2 }).Pos.Y; y < 66 || y > 66.8 {
		t.Errorf("jump boost 2 reaches %v", y)
	}
	if y := after(40, Input{}, func(a *Avatar) { a.Levitation = 1 }).Pos.Y; y < 65.2 || y > 66 {
		t.Errorf("levitation lifts to %v in 40 ticks", y)
	}
	if a := after(14, jump, func(a *Avatar) { a.SlowFalling = 1 }); a.OnGround || a.Vel.Y < -0.3 {
		t.Errorf("slow falling: %+v", a)
	}
	slow := after(20, south, func(*Avatar) {}).Pos.Z
	if fast := after(20, south, func(a *Avatar) { a.Speed *= 1.2 }).Pos.Z; fast <= slow {
		t.Errorf("%v with speed, %v without", fast, slow)
	}
	if drawn := after(20, south, func(a *Avatar) { a.UsingItem = true }).Pos.Z; drawn >= slow/2 {
		t.Errorf("%v with a drawn bow, %v without", drawn, slow)
	}
}

func TestSneakingPlayerDoesNotFallFromEdge(t *testing.T) {
	ground := blocksOf(t, fill(-2, 70, -2, 2, 70, 2, terrain.Stone))
	for yaw := float32(-180); yaw < 180; yaw += 15 {
		a := onFeet(0.5, 71, 0.5)
		in := Input{Yaw: yaw, Move: [2]float32{0.4, 1}, Flags: InputSneakDown}
		if ticks(&a, 300, in, ground); a.Pos.Y != 71 || !a.OnGround {
			t.Errorf("yaw %v: at %v", yaw, a.Pos)
		}
		in.Flags = 0
		if ticks(&a, 100, in, ground); a.Pos.Y != 64 {
			t.Errorf("yaw %v: at %v without sneaking", yaw, a.Pos)
		}
	}
}

func TestSneakingPlayerStepsDownStair(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, -2, 2, 64, 2, terrain.SmoothStoneSlab))
	a := onFeet(0.5, 64.5, 0.5)
	in := south
	in.Flags = InputSneakDown
	if ticks(&a, 200, in, ground); a.Pos.Y != 64 || a.Pos.Z < 4 {
		t.Fatalf("at %v", a.Pos)
	}
}

func TestPlayerComesToRestWithoutInput(t *testing.T) {
	for _, id := range []terrain.BlockID{terrain.Stone, terrain.BlueIce, terrain.Slime, terrain.SoulSand, terrain.Bed, terrain.SmoothStoneSlab, terrain.Web} {
		ground := blocksOf(t, fill(-64, 63, -64, 64, 63, 64, id))
		a := onFeet(0.5, 68, 0.5)
		a.OnGround, a.KnockbackVel, a.HasKnockback = false, geom.Vec{X: 0.6, Y: 0.5, Z: -0.3}, true
		ticks(&a, 2000, Input{}, ground)
		was := a
		ticks(&a, 10, Input{}, ground)
		if a != was || a.Vel.X != 0 || a.Vel.Z != 0 || !a.OnGround {
			t.Errorf("%s: %+v, before %+v", id.Kind().Word, a, was)
		}
	}
}

func TestPlayerSlightlyInsideBlockCannotPassThroughIt(t *testing.T) {
	ground := blocksOf(t, fill(-2, 64, 2, 2, 66, 9, terrain.Stone))
	a := onFeet(0.5, 63.9999, 0.5)
	if ticks(&a, 40, Input{}, ground); a.Pos.Y < 63.9 || !a.OnGround {
		t.Errorf("fell through the floor to %v", a.Pos)
	}
	a = onFeet(0.5, 64, 1.7003)
	if ticks(&a, 40, south, ground); a.Pos.Z > 1.7003 {
		t.Errorf("went through the wall to %v", a.Pos)
	}
	in := south
	in.Yaw = 180
	if ticks(&a, 10, in, ground); a.Pos.Z > 1 {
		t.Errorf("stays in the wall at %v", a.Pos)
	}
}

func TestPlayerInVoidFallsWithoutEnd(t *testing.T) {
	ground := mustBlocks(t, &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.VoidGround})
	a := onFeet(3.1e7, -60, -3.1e7)
	if r := ticks(&a, 5000, south, ground); r.Mode != ModeWalk || a.OnGround || a.Pos.Y > -19000 || !geom.Finite(a.Pos.Y) {
		t.Fatalf("%v at %+v", r.Mode, a)
	}
	a.Pos = geom.Vec{X: 1e30, Y: -1e30, Z: 1e30}
	if ticks(&a, 10, south, ground); !geom.Finite(a.Pos.X) {
		t.Fatalf("at %v", a.Pos)
	}
}
