package move

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// drawBlocks returns flat ground at height 64 with random blocks in a space of 12 x 5 x 12 blocks. The west side of the space is at x.
func drawBlocks(t *rapid.T, x int32) *terrain.Blocks {
	kinds := rapid.SampledFrom([]terrain.BlockID{
		terrain.Air, terrain.Air, terrain.Air, terrain.Stone, terrain.Stone, terrain.SmoothStoneSlab, terrain.SmoothStoneSlabTop,
		terrain.Ice, terrain.BlueIce, terrain.Slime, terrain.SoulSand, terrain.Ladder, terrain.LadderEast, terrain.Web,
		terrain.Bed, terrain.Water, terrain.Water, terrain.Water3, terrain.Water7, terrain.WaterFalling, terrain.Lava, terrain.Lava4,
		terrain.BubbleColumn, terrain.BubbleColumnDown, terrain.SmoothStoneSlabInWater, terrain.PowderSnow,
		terrain.SweetBerryBush, terrain.Honey,
	})
	spec := terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64,
		Surface: rapid.SampledFrom([]terrain.BlockID{terrain.GrassBlock, terrain.Ice, terrain.Slime}).Draw(t, "surface"),
		Filler:  terrain.Dirt}
	for range rapid.IntRange(0, 40).Draw(t, "fills") {
		at := [3]int32{x + rapid.Int32Range(0, 11).Draw(t, "x"), 63 + rapid.Int32Range(0, 4).Draw(t, "y"), rapid.Int32Range(0, 11).Draw(t, "z")}
		spec.Fills = append(spec.Fills, terrain.BlockFill{Min: at, Max: at, Block: kinds.Draw(t, "kind")})
	}
	b, err := terrain.NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// drawAvatar returns an avatar with random effects that falls from above the blocks of drawBlocks.
func drawAvatar(t *rapid.T, x int32) Avatar {
	a := NewAvatar(geom.Vec{
		X: float32(x) + rapid.Float32Range(1, 11).Draw(t, "px"), Y: rapid.Float32Range(69, 70).Draw(t, "py"), Z: rapid.Float32Range(1, 11).Draw(t, "pz"),
	})
	a.OnGround, a.Vel = false, geom.Vec{}
	if rapid.IntRange(0, 3).Draw(t, "effects") == 0 {
		a.JumpBoost = rapid.Uint8Range(0, 3).Draw(t, "jump boost")
		a.SlowFalling = rapid.Uint8Range(0, 1).Draw(t, "slow falling")
		a.Levitation = rapid.Uint8Range(0, 2).Draw(t, "levitation")
		a.Speed = rapid.Float32Range(0.02, 0.3).Draw(t, "speed")
		a.UsingItem = rapid.Bool().Draw(t, "using")
	}
	a.MayGlide = rapid.IntRange(0, 5).Draw(t, "elytra") == 0
	a.DepthStrider = rapid.Uint8Range(0, 4).Draw(t, "depth strider")
	a.MayFly = rapid.IntRange(0, 9).Draw(t, "wings") == 0
	return a
}

// drawInput returns a random input, honest or not.
func drawInput(t *rapid.T) Input {
	axis := rapid.SampledFrom([]float32{0, 1, 1, -1, 0.70710678, 0.3, -0.5})
	in := Input{
		Yaw:   rapid.SampledFrom([]float32{0, 45, 90, 180, -90, -135, 33.3, 271}).Draw(t, "yaw"),
		Pitch: rapid.SampledFrom([]float32{0, -40, 30, 90, -90}).Draw(t, "pitch"),
		Move:  [2]float32{axis.Draw(t, "left"), axis.Draw(t, "forward")},
		Flags: rapid.SampledFrom([]InputFlags{
			0, 0, 0, InputStartJump | InputJumping, InputJumping, InputStartSprint, InputStopSprint, InputSneakDown, InputStartSneak,
			InputStopSneak, InputStartSprint | InputStartJump, InputStartSwim, InputStartGlide, InputStartCrawl, InputStartFly,
			InputStopFly | InputStopGlide, InputJumping | InputSneakDown, InputWantDown, InputStartSwim | InputStartSprint, InputStopSwim,
		}).Draw(t, "flags"),
	}
	return in
}

// overlapsSolid reports whether the body overlaps a solid block. It uses the reference implementation (script), not the code under test.
func overlapsSolid(a *Avatar, blocks *terrain.Blocks) bool {
	s := script{p: array(a.Pos), height: a.Height(), blocks: blocks}
	return anyOverlap(s.box(), s.solids())
}

// drawWalk steps an avatar through random blocks by random inputs. It calls the function "each" after every step.
func drawWalk(t *rapid.T, each func(before, after Avatar, in Input, r StepResult, blocks *terrain.Blocks)) {
	x := rapid.SampledFrom([]int32{0, 0, -6, 900, 100_000}).Draw(t, "east")
	blocks, a := drawBlocks(t, x), drawAvatar(t, x)
	var s Scratch
	for range rapid.IntRange(1, 12).Draw(t, "acts") {
		in := drawInput(t)
		claim := rapid.SampledFrom([]float32{0, 0.1, -0.2, 1, 3, -50}).Draw(t, "claim")
		for range rapid.IntRange(1, 12).Draw(t, "ticks") {
			in.Pos = a.Pos.Add(geom.Vec{X: claim, Y: claim, Z: -claim})
			in.Delta = geom.Vec{X: claim, Y: claim, Z: claim}
			before := a
			if in.Clean(&a)&^CleanedFar != 0 {
				t.Fatalf("an honest input was sanitized: %+v", in)
			}
			r := a.Step(&in, blocks, &s)
			each(before, a, in, r, blocks)
			in.Flags &^= InputStartJump | InputStartSprint
		}
	}
}

func TestWalkMatchesReferenceImplementation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawWalk(t, func(before, after Avatar, in Input, r StepResult, blocks *terrain.Blocks) {
			if r.Mode != ModeWalk || before.Height() > after.Height() && overlapsSolid(&before, blocks) {
				return
			}
			want, rounded := scriptStep(before, after, in, blocks)
			if rounded {
				return // the step resolves the overlap, after which the paths may differ
			}
			if after.OnGround != want.OnGround || after.Collided != want.Collided || after.JumpDelay != want.JumpDelay ||
				after.Pos != want.Pos || withoutTiny(after.Vel) != withoutTiny(want.Vel) {
				t.Fatalf("from %+v\nby %+v\nto %+v,\nwant %+v", before, in, after, want)
			}
		})
	})
}

// withoutTiny returns a velocity whose horizontal components are 0 if they are too small to move a player.
func withoutTiny(v geom.Vec) geom.Vec { return geom.Vec{X: flushTiny(v.X), Y: v.Y, Z: flushTiny(v.Z)} }

func ulp(x float32) float32 { return math.Nextafter32(x, math.MaxFloat32) - x }

func TestPlayerNeverEndsTickInsideBlock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawWalk(t, func(before, after Avatar, in Input, r StepResult, blocks *terrain.Blocks) {
			if overlapsSolid(&after, blocks) {
				t.Fatalf("%v: from %+v\nby %+v\ninto a block at %+v", r.Mode, before, in, after)
			}
		})
	})
}

func TestStepNeverMovesPlayerFartherThanBoundsOfItsMode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawWalk(t, func(before, after Avatar, in Input, r StepResult, _ *terrain.Blocks) {
			across := geom.DistXZ(before.Pos, after.Pos)
			up := after.Pos.Y - before.Pos.Y
			slack := 4 * ulp(max(geom.Abs(after.Pos.X), geom.Abs(after.Pos.Z)))
			maximum := max(boundAcross, 0.8+geom.Sqrt(lengthXZ2(before.Vel)))
			if across > maximum+slack || up > 4+slack || up < -4-slack {
				t.Fatalf("%v: from %+v\nby %+v\nmoved %v across, %v up", r.Mode, before, in, across, up)
			}
			for _, x := range array(after.Vel) {
				if !geom.Finite(x) || geom.Abs(x) > MaxSpeed {
					t.Fatalf("%v: velocity %v", r.Mode, after.Vel)
				}
			}
		})
	})
}
