package content

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// vehicleGround returns terrain in which every physics constant of vehicles has an effect: stone with a wall of a slab and
// of one block, honey, ice, deep and flowing water, bubble columns and holes.
func vehicleGround(t *testing.T) *terrain.Blocks {
	t.Helper()
	fill := func(x0, y0, z0, x1, y1, z1 int32, b terrain.BlockID) terrain.BlockFill {
		return terrain.BlockFill{Min: [3]int32{x0, y0, z0}, Max: [3]int32{x1, y1, z1}, Block: b}
	}
	spec := terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64, Surface: terrain.Stone, Filler: terrain.Stone,
		Fills: []terrain.BlockFill{
			fill(0, 64, 14, 15, 64, 40, terrain.Stone), fill(0, 66, 18, 15, 66, 18, terrain.Stone), // too low for a horse to pass below
			fill(90, 64, 8, 100, 64, 8, terrain.Stone), // too low for a boat to pass below
			fill(20, 63, 0, 35, 63, 30, terrain.Honey), fill(20, 64, 6, 35, 64, 30, terrain.Honey), fill(20, 65, 12, 35, 65, 30, terrain.SmoothStoneSlab),
			fill(40, 63, 0, 70, 63, 90, terrain.PackedIce),
			fill(80, 40, 0, 110, 63, 60, terrain.Water), fill(84, 40, 30, 86, 63, 30, terrain.BubbleColumn), fill(104, 40, 0, 106, 63, 20, terrain.BubbleColumnDown),
			fill(120, 40, 0, 130, 62, 30, terrain.Water),
			fill(140, 50, 0, 140, 63, 30, terrain.Air),
		},
	}
	for i := range int32(7) {
		spec.Fills = append(spec.Fills, fill(120, 63, 4*i, 130, 63, 4*i+3, terrain.Water1+terrain.BlockID(i)))
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// rideEverywhere rides a vehicle from several start positions with many inputs, and also steps it without a rider. It returns
// the state after each tick.
func rideEverywhere(of move.VehicleType, k *move.VehicleKind, ground *terrain.Blocks) (states []move.Vehicle) {
	var s move.Scratch
	for _, mode := range []move.VehicleMode{k.Mode, move.BoundVehicle} {
		kind := *k
		kind.Mode = mode
		for _, at := range []geom.Vec{
			{X: 8, Y: 64, Z: 2}, {X: 28, Y: 64, Z: 2}, {X: 28, Y: 65, Z: 9}, {X: 50, Y: 64, Z: 2}, {X: 95, Y: 63.5, Z: 2}, {X: 95, Y: 50, Z: 30},
			{X: 85.5, Y: 50, Z: 30.5}, {X: 105, Y: 60, Z: 10}, {X: 125, Y: 63, Z: 5}, {X: 140.5, Y: 64, Z: 5}, {X: 8, Y: 90, Z: 5},
		} {
			v := move.NewVehicle(of, &kind, at, k.YawOffset)
			v.OnGround = at.Y == 64
			for tick := range 120 {
				in := rideInput(tick)
				in.Pos = v.Pos.Add(in.Pos)
				v.Step(&in, &kind, ground, &s)
				states = append(states, v)
			}
			v = move.NewVehicle(of, &kind, at, v.Facing(&kind))
			v.Vel = geom.Vec{X: 0.2, Y: 0.1}
			for range 20 {
				v.StepIdle(&kind, ground, &s)
				states = append(states, v)
			}
		}
	}
	return states
}

// rideInput returns the input of a tick. The position in the input is relative to the vehicle.
func rideInput(tick int) move.Input {
	in := move.Input{Yaw: 3, Move: [2]float32{0, 1}, Pos: geom.Vec{X: 1, Y: 20, Z: 50}, Delta: geom.Vec{Z: 3}}
	switch {
	case tick < 12, tick >= 40 && tick < 44:
		in.Flags = move.InputJumpDown
	case tick >= 60 && tick < 75:
		in.Move, in.Yaw = [2]float32{1, -0.5}, 120
	case tick >= 75 && tick < 90:
		in.Move, in.Flags = [2]float32{}, move.InputPaddleLeft|move.InputPaddleRight
		in.Pos = geom.Vec{Y: -move.EyeHeight}
	case tick >= 90 && tick < 100:
		in.Move = [2]float32{}
		in.Pos.Y = -50
	case tick >= 100:
		in.Move = [2]float32{1, 0}
	}
	return in
}

func TestKeyInVehicleTableChangesOnlyThatKindOfVehicle(t *testing.T) {
	ground, usual := vehicleGround(t), move.DefaultVehicleKinds()
	for of := move.NoVehicle + 1; of.Valid(); of++ {
		kind, before := usual[of], rideEverywhere(of, &usual[of], ground)
		for _, key := range kind.Keys() {
			value := 0.4
			if key.Whole != nil {
				value = float64(between(int64(*key.Whole), int64(key.Min), int64(key.Max)))
			} else if *key.Float != 0 {
				value = max(key.Min, 0.05*float64(*key.Float))
			}
			src := fmt.Sprintf("%s\n[rules.prediction.vehicles.%v]\n%s = %v\n", tinyTOML, of, key.Name, value)
			w, _, err := LoadWorld("x.toml", []byte(src))
			if err != nil {
				t.Fatalf("%v %s = %v: %v", of, key.Name, value, err)
			}
			kinds := &w.Rules.Predict.Vehicles
			for other := range kinds {
				if move.VehicleType(other) != of && kinds[other] != usual[other] {
					t.Errorf("%v %s = %v changed constants of %v", of, key.Name, value, move.VehicleType(other))
				}
			}
			moves := !strings.Contains(key.Name, "seat") && key.Name != "underwater_movement" && key.Name != "lava_movement"
			if changed := !slices.Equal(before, rideEverywhere(of, &kinds[of], ground)); changed != moves {
				t.Errorf("%v %s = %v: trajectories changed: %v", of, key.Name, value, changed)
			}
		}
	}
}

// between returns a whole number in lo..hi that differs from n.
func between(n, lo, hi int64) int64 {
	if n > lo {
		return n - 1
	}
	return min(n+1, hi)
}

func TestVehicleModesAreReadAndInvalidVehicleRulesAreRefused(t *testing.T) {
	w, _, err := LoadWorld("x.toml", []byte(tinyTOML+"\n[rules.prediction.vehicles]\nboat = { mode = \"bounded\" }\nmule = { mode = \"refuse\" }\n"))
	if err != nil {
		t.Fatal(err)
	}
	if k := w.Rules.Predict.Vehicles; k[move.Boat].Mode != move.BoundVehicle || k[move.Mule].Mode != move.RefuseVehicle || k[move.Horse].Mode != move.SimulateVehicle {
		t.Errorf("modes %v, %v, %v", k[move.Boat].Mode, k[move.Mule].Mode, k[move.Horse].Mode)
	}
	for _, bad := range []string{"boat = { mode = \"fly\" }", "boat = { side_factor = 1 }", "horse = { width = 9 }", "camel = { mode = \"refuse\" }"} {
		if _, _, err := LoadWorld("x.toml", []byte(tinyTOML+"\n[rules.prediction.vehicles]\n"+bad+"\n")); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
