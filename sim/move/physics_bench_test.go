package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// benchGround lists the cases of the benchmark: name, blocks, start position and inputs.
var benchGround = []struct {
	name  string
	spec  *terrain.BlocksSpec
	start geom.Vec
	input func(tick int) Input
}{
	{"flat", nil, geom.Vec{X: 0.5, Y: 64, Z: 0.5}, func(tick int) Input {
		return Input{Yaw: float32(tick % 360), Move: [2]float32{0, 1}}
	}},
	{"jumps", nil, geom.Vec{X: 0.5, Y: 64, Z: 0.5}, func(tick int) Input {
		return Input{Yaw: float32(tick % 360), Move: [2]float32{0, 1}, Flags: jumpAt(uint64(tick%14), 0) | InputStartSprint}
	}},
	{"walls", wallSpec(), geom.Vec{X: 8.5, Y: 64, Z: 8.5}, func(tick int) Input {
		return Input{Yaw: float32(tick * 7 % 360), Move: [2]float32{0.3, 1}, Flags: jumpAt(uint64(tick%20), 0)}
	}},
	{"stairs", stairSpec(), geom.Vec{X: 1.5, Y: 64, Z: 8.5}, func(tick int) Input {
		return Input{Yaw: float32(90 * (tick / 60 % 4)), Move: [2]float32{0, 1}}
	}},
	{"water", pondSpec(), geom.Vec{X: 8.5, Y: 60, Z: 8.5}, func(tick int) Input {
		return Input{Yaw: float32(tick % 360), Move: [2]float32{0, 1}, Flags: jumpKey(tick%60 < 25)}
	}},
	{"swimming", pondSpec(), geom.Vec{X: 8.5, Y: 60, Z: 8.5}, func(tick int) Input {
		return Input{Yaw: float32(tick % 360), Pitch: float32(tick%120 - 60), Move: [2]float32{0, 1}, Flags: InputStartSwim | InputStartSprint}
	}},
	{"stream", streamSpec(), geom.Vec{X: 8.5, Y: 64, Z: 1.5}, func(tick int) Input {
		return Input{Yaw: float32(180 * (tick / 90 % 2)), Move: [2]float32{0, 1}}
	}},
	{"sneaking", stairSpec(), geom.Vec{X: 1.5, Y: 64, Z: 8.5}, func(tick int) Input {
		return Input{Yaw: float32(90 * (tick / 60 % 4)), Move: [2]float32{0, 1}, Flags: InputSneakDown}
	}},
}

// wallSpec returns ground with a repeated cell of 3 x 3 blocks that has walls of two blocks and slabs in two corners.
func wallSpec() *terrain.BlocksSpec {
	return &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Fills: []terrain.BlockFill{
			{Min: [3]int32{6, 64, 6}, Max: [3]int32{10, 67, 10}, Block: terrain.Stone},
			{Min: [3]int32{7, 64, 7}, Max: [3]int32{9, 67, 9}, Block: terrain.Air},
			{Min: [3]int32{7, 64, 7}, Max: [3]int32{7, 64, 7}, Block: terrain.SmoothStoneSlab},
			{Min: [3]int32{9, 64, 9}, Max: [3]int32{9, 64, 9}, Block: terrain.SmoothStoneSlab},
		}}
}

func jumpKey(down bool) InputFlags {
	if down {
		return InputJumping
	}
	return 0
}

// pondSpec is a pond of 48 x 48 blocks, 10 deep, with a shore one block above the water.
func pondSpec() *terrain.BlocksSpec {
	return &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 65, Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Fills: []terrain.BlockFill{
			{Min: [3]int32{-16, 54, -16}, Max: [3]int32{32, 63, 32}, Block: terrain.Water},
			{Min: [3]int32{-16, 64, -16}, Max: [3]int32{32, 64, 32}, Block: terrain.Air},
		}}
}

// streamSpec is a stream, 16 blocks wide, in which the depth of the water changes in eight steps.
func streamSpec() *terrain.BlocksSpec {
	s := &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt}
	for z := range int32(8) {
		id := terrain.Water
		if z > 0 {
			id = terrain.Water1 + terrain.BlockID(z-1)
		}
		s.Fills = append(s.Fills, terrain.BlockFill{Min: [3]int32{0, 64, z}, Max: [3]int32{16, 64, z}, Block: id})
	}
	return s
}

// stairSpec returns a field of slabs and blocks on which a player steps up and down.
func stairSpec() *terrain.BlocksSpec {
	s := &terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt}
	for x := range int32(24) {
		for z := range int32(24) {
			switch (x + z) % 4 {
			case 1, 3:
				s.Fills = append(s.Fills, terrain.BlockFill{Min: [3]int32{x, 64, z}, Max: [3]int32{x, 64, z}, Block: terrain.SmoothStoneSlab})
			case 2:
				s.Fills = append(s.Fills, terrain.BlockFill{Min: [3]int32{x, 64, z}, Max: [3]int32{x, 64, z}, Block: terrain.Stone})
			}
		}
	}
	return s
}

func mustBlocks(t testing.TB, spec *terrain.BlocksSpec) *terrain.Blocks {
	t.Helper()
	if spec == nil {
		return nil
	}
	b, err := terrain.NewBlocks(*spec)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func BenchmarkStep(b *testing.B) {
	for _, bb := range benchGround {
		b.Run(bb.name, func(b *testing.B) {
			ground := mustBlocks(b, bb.spec)
			a := NewAvatar(bb.start)
			var s Scratch
			inputs := make([]Input, 1440)
			for i := range inputs {
				inputs[i] = bb.input(i)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				a.Step(&inputs[i], ground, &s)
				if i++; i == len(inputs) {
					i = 0
				}
			}
		})
	}
}

func TestAvatarStepDoesNotAllocate(t *testing.T) {
	for _, bb := range benchGround {
		ground := mustBlocks(t, bb.spec)
		a := NewAvatar(bb.start)
		var s Scratch
		tick := 0
		step := func() {
			in := bb.input(tick)
			a.Step(&in, ground, &s)
			tick++
		}
		for range 200 {
			step()
		}
		if n := testing.AllocsPerRun(1000, step); n != 0 {
			t.Errorf("%s: %v allocations", bb.name, n)
		}
	}
}
