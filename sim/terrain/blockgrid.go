package terrain

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/sim/geom"
)

// Limits of a grid of blocks. Source of the heights: docs/wire/bedrock.md, chunks.
const (
	MinBlockY = -64     // Y of the lowest block of a column
	MaxBlockY = 319     // Y of the highest block of a column
	MaxOrigin = 1 << 20 // maximum absolute x and z of BlockGrid.Origin, in blocks

	minUnitsPerBlock = 1.0 / 1024
	maxUnitsPerBlock = 65536
)

// BlockGrid converts between world positions and block positions. The world position (0, Height, 0) is the block position Origin.
// East and up are the same in world and blocks; north is +Z in the world and -Z in blocks.
type BlockGrid struct {
	UnitsPerBlock float32  // world units along a block's edge, 1/1024..65536
	Origin        [3]int32 // block at the world's origin: x and z -MaxOrigin..MaxOrigin, y -64..319
	Height        float32  // world height of the bottom of block Origin[1], in world units
}

// Check returns an error if the grid is invalid. The other methods require a valid grid.
func (g BlockGrid) Check() error {
	if !(g.UnitsPerBlock >= minUnitsPerBlock && g.UnitsPerBlock <= maxUnitsPerBlock) {
		return fmt.Errorf("block grid: the number %v of world units per block is not within %v..%v", g.UnitsPerBlock, minUnitsPerBlock, maxUnitsPerBlock)
	}
	if !geom.Finite(g.Height) {
		return errors.New("block grid: the world height of the origin block is not a finite number")
	}
	for _, v := range [...]int32{g.Origin[0], g.Origin[2]} {
		if v < -MaxOrigin || v > MaxOrigin {
			return fmt.Errorf("block grid: the x or z coordinate %d of the origin block is not within %d..%d", v, -MaxOrigin, MaxOrigin)
		}
	}
	if y := g.Origin[1]; y < MinBlockY || y > MaxBlockY {
		return fmt.Errorf("block grid: the y coordinate %d of the origin block is not within %d..%d", y, MinBlockY, MaxBlockY)
	}
	return nil
}

// ToBlocks converts a world position to a position in blocks. Each coordinate is rounded once.
func (g BlockGrid) ToBlocks(world geom.Vec) geom.Vec {
	u := float64(g.UnitsPerBlock)
	return geom.Vec{
		X: float32(float64(g.Origin[0]) + float64(world.X)/u),
		Y: float32(float64(g.Origin[1]) + (float64(world.Y)-float64(g.Height))/u),
		Z: float32(float64(g.Origin[2]) - float64(world.Z)/u),
	}
}

// ToWorld converts a position in blocks to a world position. Each coordinate is rounded once. ToWorld(ToBlocks(p)) differs from p
// only by the rounding of the position in blocks to float32.
func (g BlockGrid) ToWorld(blocks geom.Vec) geom.Vec {
	u := float64(g.UnitsPerBlock)
	return geom.Vec{
		X: float32((float64(blocks.X) - float64(g.Origin[0])) * u),
		Y: float32(float64((float64(blocks.Y)-float64(g.Origin[1]))*u) + float64(g.Height)),
		Z: float32((float64(g.Origin[2]) - float64(blocks.Z)) * u),
	}
}

// MirrorYaw converts a yaw in degrees from the convention of the world to that of blocks, or back: both conversions are 180 - deg. The
// result is in -180..180. The Z axes of the two conventions are opposite: yaw 0 is +Z in both, which is north in the world and south
// in blocks. Yaw 90 is west in both.
func MirrorYaw(deg float32) float32 { return geom.WrapDegrees(180 - deg) }
