package move

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

func TestInvalidValuesInInputsAreReplaced(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	last := onFeet(1, 64, 2)
	last.Pitch, last.Yaw, last.HeadYaw = 10, 20, 30
	good := Input{Tick: 7, Pitch: 5, Yaw: -90, HeadYaw: 15, Move: [2]float32{-0.5, 1}, Pos: geom.Vec{X: 1, Y: 65, Z: 2}, Flags: InputJumping, RTT: 80}
	for name, tt := range map[string]struct {
		spoil, mend func(*Input)
		want        Cleaned
	}{
		"honest":                 {func(in *Input) {}, func(in *Input) {}, 0},
		"pitch NaN":              {func(in *Input) { in.Pitch = nan }, func(in *Input) { in.Pitch = 10 }, CleanedNotFinite},
		"yaw infinite":           {func(in *Input) { in.Yaw = -inf }, func(in *Input) { in.Yaw = 20 }, CleanedNotFinite},
		"head yaw NaN":           {func(in *Input) { in.HeadYaw = nan }, func(in *Input) { in.HeadYaw = 30 }, CleanedNotFinite},
		"move NaN":               {func(in *Input) { in.Move[0] = nan }, func(in *Input) { in.Move[0] = 0 }, CleanedNotFinite},
		"position NaN":           {func(in *Input) { in.Pos.Y = nan }, func(in *Input) { in.Pos = last.Pos }, CleanedNotFinite},
		"velocity infinite":      {func(in *Input) { in.Delta.X = inf }, func(in *Input) { in.Delta = last.Vel }, CleanedNotFinite},
		"move slightly too long": {func(in *Input) { in.Move[1] = 1.0005 }, func(in *Input) { in.Move[1] = 1 }, 0},
		"move too long":          {func(in *Input) { in.Move[1] = -1.5 }, func(in *Input) { in.Move[1] = -1 }, CleanedMove},
		"pitch beyond vertical":  {func(in *Input) { in.Pitch = -91 }, func(in *Input) { in.Pitch = -90 }, CleanedPitch},
		"yaw of a turn more":     {func(in *Input) { in.Yaw = 270 }, func(in *Input) { in.Yaw = -90 }, 0},
		"yaw of many turns":      {func(in *Input) { in.Yaw = -3690 }, func(in *Input) { in.Yaw = -90 }, 0},
		"beyond the world":       {func(in *Input) { in.Pos.Z = -3.3e7 }, func(in *Input) { in.Pos = last.Pos }, CleanedFar},
		"all at once": {func(in *Input) { in.Pitch, in.Move[0], in.Pos.X, in.Delta.Z = 400, -7, 4e7, nan },
			func(in *Input) { in.Pitch, in.Move[0], in.Pos, in.Delta = 90, -1, last.Pos, last.Vel },
			CleanedPitch | CleanedMove | CleanedFar | CleanedNotFinite},
	} {
		got, want := good, good
		tt.spoil(&got)
		tt.mend(&want)
		if c := got.Clean(&last); c != tt.want || got != want {
			t.Errorf("%s: %b %+v,\nwant %b %+v", name, c, got, tt.want, want)
		}
	}
}

// FuzzStep steps a player by arbitrary inputs of 56 bytes each: the bits of twelve floats, then the flags.
func FuzzStep(f *testing.F) {
	walk := make([]byte, 0, 112)
	for _, x := range [12]float32{0, 90, 90, 0.7, 0.7, 1, 64, 1, 0, -0.0784, 0, 0} {
		walk = binary.LittleEndian.AppendUint32(walk, math.Float32bits(x))
	}
	f.Add(uint8(0), binary.LittleEndian.AppendUint64(walk, uint64(InputStartSprint|InputStartJump)))
	f.Add(uint8(255), append(make([]byte, 48), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))
	ground := blocksOf(f, fill(2, 64, -9, 2, 66, 9, terrain.Stone), fill(-3, 64, 2, 1, 64, 5, terrain.SmoothStoneSlab),
		fill(-6, 63, -6, -2, 65, -2, terrain.Water), fill(1, 64, 0, 1, 69, 0, terrain.LadderWest), fill(-1, 64, -3, 0, 64, -3, terrain.Web))
	f.Fuzz(func(t *testing.T, abilities uint8, b []byte) {
		a := onFeet(0.5, 64, 0.5)
		a.MayFly, a.MayGlide, a.UsingItem, a.Dead = abilities&1 != 0, abilities&2 != 0, abilities&4 != 0, abilities&8 != 0
		a.Levitation, a.JumpBoost = abilities>>4&3, abilities>>6
		again := a
		var s, dirty Scratch
		for ; len(b) >= 56; b = b[56:] {
			in := inputOf(b)
			if in.Clean(&a)&CleanedFar != 0 {
				continue
			}
			r := a.Step(&in, ground, &s)
			for _, x := range [8]float32{a.Pos.X, a.Pos.Y, a.Pos.Z, a.Vel.X, a.Vel.Y, a.Vel.Z, a.Yaw, a.Pitch} {
				if !geom.Finite(x) {
					t.Fatalf("%+v", a)
				}
			}
			if overlapsSolid(&a, ground) {
				t.Fatalf("%v into a block: %+v", r.Mode, a)
			}
			dirty.move(geom.Vec{Y: 64}, geom.Vec{X: 2}, 1, true, ground)
			if again.Step(&in, ground, &dirty); again != a {
				t.Fatalf("the same input led to %+v and %+v", a, again)
			}
		}
	})
}

func inputOf(b []byte) Input {
	var x [12]float32
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return Input{Pitch: x[0], Yaw: x[1], HeadYaw: x[2], Move: [2]float32{x[3], x[4]}, Pos: geom.Vec{X: x[5], Y: x[6], Z: x[7]},
		Delta: geom.Vec{X: x[8], Y: x[9], Z: x[10]}, Flags: InputFlags(binary.LittleEndian.Uint64(b[48:]))}
}
