package gateway

import (
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// A player of another protocol is displayed on the ground below its feet, not on a roof above its head. It is displayed in
// the air if it is above the ground by at most the height of a jump.
func TestPlayersOfOtherProtocolsAreShownOnGroundBelowTheirFeet(t *testing.T) {
	spec := terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 2, Origin: [3]int32{0, 64, 0}}, Level: 64,
		Surface: terrain.GrassBlock, Filler: terrain.Dirt,
		Fills: []terrain.BlockFill{{Min: [3]int32{0, 70, -10}, Max: [3]int32{10, 70, 0}, Block: terrain.Stone}}}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	def := &sim.AreaDef{BlockGrid: spec.Grid, Blocks: blocks, Floor: terrain.FloorFromSpec(&spec)}
	for _, c := range []struct {
		name    string
		x, y    float32
		flags   sim.Flags
		want    float32
		unknown float32 // expected height in blocks in an area whose ground is unknown
	}{
		{"on the ground", -9, 0, 0, 64, 64},
		{"under the roof", 9, 0, 0, 64, 71},
		{"on the roof", 9, 14, 0, 71, 71},
		{"in a jump", -9, 2, 0, 65, 64},
		{"on a hill of its own client", -9, 30, 0, 64, 64},
		{"in a valley of its own client", -9, -30, 0, 64, 64},
		{"flying", -9, 30, sim.FlagFlying, 79, 79},
	} {
		a := &sim.ActorState{Pos: geom.Vec{X: c.x, Y: c.y, Z: 9}, Flags: c.flags}
		if got := BlockPosition(def, a); got.Y != c.want {
			t.Errorf("%s: at %v, want %v", c.name, got.Y, c.want)
		}
		noGround := *def
		noGround.Floor = nil
		if got := BlockPosition(&noGround, a); got.Y != c.unknown {
			t.Errorf("%s, on unknown ground: at %v, want %v", c.name, got.Y, c.unknown)
		}
	}
}
