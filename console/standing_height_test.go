package console

import (
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// testHouse returns an area with two units per block and ground at height 10. On the ground are a roof six units high from 0, 0
// to 20, -20, a wall four units high at 40, -40, and a step of half a block at 60, -60.
func testHouse(t *testing.T) *sim.AreaDef {
	t.Helper()
	spec := terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 2, Height: 10}, Level: 0, Surface: terrain.Stone, Filler: terrain.Stone,
		Fills: []terrain.BlockFill{
			{Min: [3]int32{0, 3, 0}, Max: [3]int32{10, 3, 10}, Block: terrain.Stone},
			{Min: [3]int32{20, 0, 20}, Max: [3]int32{20, 1, 20}, Block: terrain.Stone},
			{Min: [3]int32{30, 0, 30}, Max: [3]int32{30, 0, 30}, Block: terrain.SmoothStoneSlab},
			{Min: [3]int32{40, 0, 40}, Max: [3]int32{40, 4, 40}, Block: terrain.Water},
			{Min: [3]int32{50, 0, 50}, Max: [3]int32{50, 1, 50}, Block: terrain.Stone},
			{Min: [3]int32{50, 3, 50}, Max: [3]int32{50, 3, 50}, Block: terrain.Stone},
		},
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	return &sim.AreaDef{BlockGrid: spec.Grid, Blocks: blocks, Floor: terrain.FloorFromSpec(&spec)}
}

func TestHeightOfActorPlacedUnderRoofIsGroundHeight(t *testing.T) {
	t.Parallel()
	a := testHouse(t)
	for _, c := range []struct {
		where   string
		x, z, y float32
	}{
		{"in the open", 200, -200, 10},
		{"below the roof", 11, -11, 10},
		{"in the wall", 41, -41, 14},
		{"too close to the wall for a body", 39.9, -41, 14},
		{"west of it", 39.9, -41, 14}, {"east", 42.1, -41, 14}, {"north", 41, -39.9, 14}, {"south", 41, -42.1, 14},
		{"beside the wall, a body away", 39, -41, 10}, {"north, a body away", 41, -39, 10}, {"south, a body away", 41, -43, 10},
		{"on a step", 61, -61, 11},
		{"on the water", 81, -81, 20},
		{"in a wall with a gap of one block", 101, -101, 18},
	} {
		if y := standingHeight(a, c.x, c.z); y != c.y {
			t.Errorf("%s: the height is %v, want %v", c.where, y, c.y)
		}
	}
	a.Floor.Ground = terrain.VoidGround // now the area has no ground
	if y := standingHeight(a, 11, -11); y != 18 {
		t.Errorf("over a void: %v", y)
	}
	a.Floor = nil
	if y := standingHeight(a, 11, -11); y != 18 {
		t.Errorf("without a floor: %v", y)
	}
	if y := standingHeight(&sim.AreaDef{}, 1, 1); y != 0 {
		t.Errorf("an empty area: %v", y)
	}
}

func TestHeightOfActorPlacedAtPortalIsNearPortalHeight(t *testing.T) {
	t.Parallel()
	def := defaultWorld()
	for i := range def.Areas {
		a := &def.Areas[i]
		for _, p := range a.Portals {
			if y := standingHeight(a, p.Pos.X, p.Pos.Z); !(y > p.Pos.Y-10 && y < p.Pos.Y+10) {
				t.Errorf("%s: the ground at %s is %v, it stands at %v", a.Name, p.Name, y, p.Pos.Y)
			}
		}
		for _, far := range []float32{100000, -100000, 99999, -99999} {
			standingHeight(a, far, far) // must return without a panic
		}
	}
}
