package move

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// drawVehicle returns a vehicle that falls from above the blocks of drawBlocks.
func drawVehicle(t *rapid.T, x int32, kinds *VehicleKinds) Vehicle {
	of := rapid.SampledFrom([]VehicleType{Horse, Donkey, SkeletonHorse, Boat, ChestBoat}).Draw(t, "type")
	feet := geom.Vec{
		X: float32(x) + rapid.Float32Range(1, 11).Draw(t, "px"), Y: rapid.Float32Range(69, 70).Draw(t, "py"), Z: rapid.Float32Range(1, 11).Draw(t, "pz"),
	}
	return NewVehicle(of, &kinds[of], feet, rapid.SampledFrom([]float32{0, 90, -180, 33.3}).Draw(t, "yaw"))
}

// drawDriving returns a random input of a driver, honest or not.
func drawDriving(t *rapid.T) Input {
	in := drawInput(t)
	in.Flags |= rapid.SampledFrom([]InputFlags{
		0, 0, InputJumpDown, InputPaddleLeft, InputPaddleRight, InputPaddleLeft | InputPaddleRight,
	}).Draw(t, "driving")
	in.VehicleYaw = rapid.SampledFrom([]float32{0, 90, -179}).Draw(t, "vehicle yaw")
	return in
}

// drawRide steps a vehicle through random blocks by random inputs, with and without a driver, and calls each after
// every step.
func drawRide(t *rapid.T, kinds *VehicleKinds, each func(before, after Vehicle, in *Input, blocks *terrain.Blocks)) {
	x := rapid.SampledFrom([]int32{0, 0, -6, 900, 100_000}).Draw(t, "east")
	blocks, v := drawBlocks(t, x), drawVehicle(t, x, kinds)
	k := &kinds[v.Type]
	var s Scratch
	last := Avatar{Pos: v.Pos}
	for range rapid.IntRange(1, 12).Draw(t, "acts") {
		in := drawDriving(t)
		claim := rapid.SampledFrom([]float32{0, 0.1, -0.2, 1, 3, -50}).Draw(t, "claim")
		idle := rapid.IntRange(0, 4).Draw(t, "driver") == 0
		if rapid.IntRange(0, 9).Draw(t, "knock") == 0 {
			v.Vel = geom.Vec{X: claim, Y: 0.4, Z: -claim}
		}
		for range rapid.IntRange(1, 20).Draw(t, "ticks") {
			in.Pos = v.Pos.Add(geom.Vec{X: claim, Y: claim, Z: -claim})
			in.Delta = geom.Vec{X: claim, Y: claim, Z: claim}
			in.Clean(&last)
			before := v
			if idle {
				v.StepIdle(k, blocks, &s)
			} else {
				v.Step(&in, k, blocks, &s)
			}
			each(before, v, &in, blocks)
		}
	}
}

// vehicleOverlapsSolid reports whether the vehicle overlaps a solid block. It does not use the code under test.
func vehicleOverlapsSolid(v *Vehicle, k *VehicleKind, blocks *terrain.Blocks) bool {
	const slack = 2e-4 // the faces are drawn in by 1e-4
	h := k.Width/2 - slack
	box := geom.Box{
		Min: geom.Vec{X: v.Pos.X - h, Y: v.Pos.Y + slack, Z: v.Pos.Z - h},
		Max: geom.Vec{X: v.Pos.X + h, Y: v.Pos.Y + k.Height - slack, Z: v.Pos.Z + h},
	}
	for _, b := range blocks.AppendBoxes(nil, box) {
		rounding := 4 * ulp(max(geom.Abs(v.Pos.X), geom.Abs(v.Pos.Z)))
		if box.Max.X-b.Min.X > rounding && b.Max.X-box.Min.X > rounding && box.Max.Z-b.Min.Z > rounding && b.Max.Z-box.Min.Z > rounding &&
			box.Max.Y > b.Min.Y && b.Max.Y > box.Min.Y {
			return true
		}
	}
	return false
}

func TestVehicleNeverEndsTickInsideBlock(t *testing.T) {
	kinds := DefaultVehicleKinds()
	rapid.Check(t, func(t *rapid.T) {
		drawRide(t, &kinds, func(before, after Vehicle, in *Input, blocks *terrain.Blocks) {
			k := &kinds[after.Type]
			if !vehicleOverlapsSolid(&before, k, blocks) && vehicleOverlapsSolid(&after, k, blocks) {
				t.Fatalf("from %+v\nby %+v\ninto a block at %+v", before, in, after)
			}
		})
	})
}

func TestVehicleStepKeepsStateFiniteAndWithinBounds(t *testing.T) {
	kinds := DefaultVehicleKinds()
	rapid.Check(t, func(t *rapid.T) {
		drawRide(t, &kinds, func(before, after Vehicle, in *Input, _ *terrain.Blocks) {
			for _, x := range []float32{after.Pos.X, after.Pos.Y, after.Pos.Z, after.Vel.X, after.Vel.Y, after.Vel.Z, after.AngularVel, after.ChargeScale, after.PendingJump,
				after.Paddles[0].Strength, after.Paddles[1].Strength} {
				if !geom.Finite(x) {
					t.Fatalf("from %+v\nby %+v\nto %+v", before, in, after)
				}
			}
			if !(geom.Abs(after.Yaw) <= 180) || geom.Abs(after.Vel.X) > MaxSpeed+0.5 || geom.Abs(after.Vel.Z) > MaxSpeed+0.5 || after.ChargeScale > 1 || after.PendingJump > 1 {
				t.Fatalf("from %+v\nby %+v\nto %+v", before, in, after)
			}
			most := 1 + geom.Sqrt(lengthXZ2(before.Vel)) // the limits of a bounded horse are 0.9675
			if after.Type == Boat || after.Type == ChestBoat {
				most = max(most, kinds[Boat].Limits.AcrossIce+0.01)
			}
			if d := geom.DistXZ(before.Pos, after.Pos); d > most+4*ulp(max(geom.Abs(after.Pos.X), geom.Abs(after.Pos.Z))) {
				t.Fatalf("from %+v\nby %+v\nmoved %v across", before, in, d)
			}
		})
	})
}

func TestVehicleStepIsDeterministic(t *testing.T) {
	kinds := DefaultVehicleKinds()
	rapid.Check(t, func(t *rapid.T) {
		var fresh Scratch
		drawRide(t, &kinds, func(before, after Vehicle, in *Input, blocks *terrain.Blocks) {
			k := &kinds[after.Type]
			again, idle := before, before
			again.Step(in, k, blocks, &fresh)
			idle.StepIdle(k, blocks, &Scratch{})
			if again != after && idle != after {
				t.Fatalf("from %+v\nby %+v\nto %+v,\nthen %+v", before, in, after, again)
			}
		})
	})
}

func TestVehicleWithoutDriverComesToRestAndStaysThere(t *testing.T) {
	kinds := DefaultVehicleKinds()
	for name, c := range vehicleScenes {
		t.Run(name, func(t *testing.T) {
			var s Scratch
			k, ground := &kinds[c.of], c.blocks(t)
			v := c.start(k)
			v.OnGround = false
			v.Vel = geom.Vec{X: 0.3, Y: 0.2, Z: 0.1}
			for tick := 1; !v.StepIdle(k, ground, &s); tick++ {
				if tick > 1000 {
					t.Fatalf("still moves: %+v", v)
				}
			}
			rest := v
			for range 40 {
				if !v.StepIdle(k, ground, &s) || geom.Dist2(v.Pos, rest.Pos) > 1e-4 {
					t.Fatalf("moved on from %+v\nto %+v", rest, v)
				}
			}
		})
	}
}

func TestHorseStepsUpAtMostOneBlock(t *testing.T) {
	kinds := DefaultVehicleKinds()
	for _, c := range []struct {
		high []terrain.BlockID
		up   bool
	}{
		{[]terrain.BlockID{terrain.Stone}, true},
		{[]terrain.BlockID{terrain.Stone, terrain.SmoothStoneSlab}, false},
	} {
		spec := terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64, Surface: terrain.Stone, Filler: terrain.Stone}
		for i, b := range c.high {
			y := int32(64 + i)
			spec.Fills = append(spec.Fills, terrain.BlockFill{Min: [3]int32{0, y, 12}, Max: [3]int32{15, y, 40}, Block: b})
		}
		var s Scratch
		k, ground := &kinds[Horse], mustBlocks(t, &spec)
		v := NewVehicle(Horse, k, geom.Vec{X: 8.5, Y: 64, Z: 8.5}, 0)
		v.OnGround = true
		for range 20 {
			before := v.Pos.Y
			in := stick(0, 1)
			v.Step(&in, k, ground, &s)
			if c.up && v.Pos.Y != before && v.Pos.Y != 65 {
				t.Fatalf("rose to %v in one tick", v.Pos.Y)
			}
		}
		if up := v.Pos.Y == 65; up != c.up {
			t.Errorf("wall of %d blocks: ended at %v", len(c.high), v.Pos)
		}
		if !c.up && (v.Collided&AxisZ == 0 || v.Pos.Z > 12-0.7+1e-3) {
			t.Errorf("went into the wall: %+v", v)
		}
	}
}

func TestBoundedVehicleFollowsClientPositionOnlyWithinItsLimits(t *testing.T) {
	kinds := DefaultVehicleKinds()
	for of := Horse; of < vehicleTypes; of++ {
		k := &kinds[of]
		k.Mode = BoundVehicle
		v := NewVehicle(of, k, geom.Vec{X: 8.5, Y: 64, Z: 8.5}, 0)
		var s Scratch
		in := Input{VehicleYaw: 30, Delta: geom.Vec{Z: 0.3}, Pos: geom.Vec{X: 8.5, Y: 64.25 + k.Offset - EyeHeight, Z: 8.8}}
		if r := v.Step(&in, k, nil, &s); r.Mode != BoundVehicle || r.Clamped || geom.Dist2(v.Pos, geom.Vec{X: 8.5, Y: 64.25, Z: 8.8}) > 1e-8 || v.Vel != in.Delta || v.Yaw != 30 {
			t.Errorf("%v: %+v, %+v", of, r, v)
		}
		before := v.Pos
		in.Pos = geom.Vec{X: 8.5, Y: 80, Z: 50}
		r := v.Step(&in, k, nil, &s)
		l := k.Limits
		if !r.Clamped || v.Pos.Z-before.Z > l.Across+l.PerSpeed*v.Movement+1e-5 || v.Pos.Y-before.Y > l.Up+l.PerJump*v.JumpStrength+1e-5 {
			t.Errorf("%v: %+v, from %v to %v", of, r, before, v.Pos)
		}
	}
}

// While the inputs of a driver do not name the vehicle, a vehicle whose movement is bounded stays at its position.
func TestBoundedVehicleOfAbsentDriverDoesNotMove(t *testing.T) {
	p := DefaultPredictPolicy()
	for of := Horse; of < vehicleTypes; of++ {
		k := &p.Vehicles[of]
		k.Mode = BoundVehicle
		at := geom.Vec{X: 8.5, Y: 67, Z: 8.5} // in the air: nothing below stops a sinking vehicle, nothing above a rising one
		s := PredictState{Avatar: NewAvatar(at), Vehicle: NewVehicle(of, k, at, 0)}
		var scratch Scratch
		for tick := range uint64(40) {
			p.ProcessAbsentDriver(&s, &Input{Tick: tick + 1}, nil, &scratch)
		}
		if geom.Dist2(s.Vehicle.Pos, at) > 1e-8 {
			t.Errorf("%v: moved from %v to %v", of, at, s.Vehicle.Pos)
		}
	}
}

// vehicleBenchScenes are the rides of the benchmark: flat land, water, and a patch of walls, slabs and ice.
func vehicleBenchScenes(t testing.TB) map[string]struct {
	v      Vehicle
	ground *terrain.Blocks
} {
	kinds := DefaultVehicleKinds()
	type scene = struct {
		v      Vehicle
		ground *terrain.Blocks
	}
	scenes := map[string]scene{}
	for _, name := range []string{"horse_gallop", "horse_ice", "boat_forward", "boat_packed_ice"} {
		c := vehicleScenes[name]
		scenes[name] = scene{c.start(&kinds[c.of]), c.blocks(t)}
	}
	stairs := mustBlocks(t, stairSpec())
	scenes["horse_stairs"] = scene{NewVehicle(Horse, &kinds[Horse], geom.Vec{X: 1.5, Y: 66, Z: 8.5}, 0), stairs}
	scenes["boat_stairs"] = scene{NewVehicle(Boat, &kinds[Boat], geom.Vec{X: 1.5, Y: 66, Z: 8.5}, 0), stairs}
	return scenes
}

// benchRide is the input of a driver that gallops in circles and jumps now and then.
func benchRide(tick int) Input {
	in := stick(0.3, 1)
	in.Yaw = float32(tick*3%360 - 180)
	if tick%40 < 12 {
		in.Flags = InputJumpDown
	}
	return in
}

func BenchmarkVehicleStep(b *testing.B) {
	kinds := DefaultVehicleKinds()
	for name, c := range vehicleBenchScenes(b) {
		b.Run(name, func(b *testing.B) {
			var s Scratch
			v, k := c.v, &kinds[c.v.Type]
			inputs := make([]Input, 1440)
			for i := range inputs {
				inputs[i] = benchRide(i)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				v.Step(&inputs[i], k, c.ground, &s)
				if i++; i == len(inputs) {
					i, v = 0, c.v
				}
			}
		})
	}
}

func TestVehicleStepDoesNotAllocate(t *testing.T) {
	kinds := DefaultVehicleKinds()
	for name, c := range vehicleBenchScenes(t) {
		var s Scratch
		v, k, tick := c.v, &kinds[c.v.Type], 0
		step := func() {
			in := benchRide(tick)
			v.Step(&in, k, c.ground, &s)
			v.StepIdle(k, c.ground, &s)
			tick++
		}
		for range 200 {
			step()
		}
		if n := testing.AllocsPerRun(1000, step); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func FuzzVehicleStep(f *testing.F) {
	f.Add(uint8(Horse), uint64(InputJumpDown), float32(90), float32(1), float32(0.5), float32(0.2))
	f.Add(uint8(Boat), uint64(InputPaddleLeft), float32(-180), float32(-1), float32(0), float32(-50))
	f.Fuzz(func(t *testing.T, of uint8, flags uint64, yaw, side, forward, claim float32) {
		kinds := DefaultVehicleKinds()
		v := VehicleType(of%uint8(vehicleTypes-1)) + 1
		k := &kinds[v]
		x := NewVehicle(v, k, geom.Vec{X: 2.5, Y: 66, Z: 2.5}, 0)
		ground, last := mustBlocks(t, stairSpec()), NewAvatar(x.Pos)
		var s Scratch
		for tick := range 60 {
			in := Input{Yaw: yaw, Move: [2]float32{side, forward}, Flags: InputFlags(flags >> (tick % 8)), VehicleYaw: claim,
				Pos: geom.Vec{X: claim, Y: claim, Z: claim}, Delta: geom.Vec{X: claim, Y: claim}}
			in.Clean(&last)
			if tick%20 == 19 {
				k.Mode = BoundVehicle - k.Mode
			}
			before := x
			x.Step(&in, k, ground, &s)
			if !geom.Finite(x.Pos.X) || !geom.Finite(x.Vel.X) || !geom.Finite(x.Yaw) || x != x {
				t.Fatalf("from %+v\nto %+v", before, x)
			}
		}
	})
}
