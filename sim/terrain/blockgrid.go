package terrain

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/sim/geom"
)

// Limits of a grid of blocks. Source of the heights: docs/wire/bedrock.md, chunks.
const (
	MinBlockY = -64 // lowest y of a block
	MaxBlockY = 319 // highest
	MaxOrigin = 1 << 20

	minUnitsPerBlock = 1.0 / 1024
	maxUnitsPerBlock = 65536
)

// BlockGrid lays the blocks over an area: the place 0, Height, 0 of the world is the corner Origin of the blocks. East and
// up are the same in both; the world's Z grows north, that of blocks south.
type BlockGrid struct {
	UnitsPerBlock float32  // world units along a block's edge, 1/1024..65536
	Origin        [3]int32 // x and z within MaxOrigin, y -64..319
	Height        float32  // world units, finite: how high the bottom of block Origin[1] is
}

// Check returns what is wrong with the grid, nil if it can be used. The other methods rely on it.
func (g BlockGrid) Check() error {
	if !(g.UnitsPerBlock >= minUnitsPerBlock && g.UnitsPerBlock <= maxUnitsPerBlock) {
		return fmt.Errorf("%v units per block are not within %v..%v", g.UnitsPerBlock, minUnitsPerBlock, maxUnitsPerBlock)
	}
	if !geom.Finite(g.Height) {
		return errors.New("the height of the origin is not finite")
	}
	for _, v := range [...]int32{g.Origin[0], g.Origin[2]} {
		if v < -MaxOrigin || v > MaxOrigin {
			return fmt.Errorf("the origin %d is not within %d..%d", v, -MaxOrigin, MaxOrigin)
		}
	}
	if y := g.Origin[1]; y < MinBlockY || y > MaxBlockY {
		return fmt.Errorf("the origin's height %d is not within %d..%d", y, MinBlockY, MaxBlockY)
	}
	return nil
}

// ToBlocks is where a point of the world lies in blocks, each coordinate rounded once.
func (g BlockGrid) ToBlocks(world geom.Vec) geom.Vec {
	u := float64(g.UnitsPerBlock)
	return geom.Vec{
		X: float32(float64(g.Origin[0]) + float64(world.X)/u),
		Y: float32(float64(g.Origin[1]) + (float64(world.Y)-float64(g.Height))/u),
		Z: float32(float64(g.Origin[2]) - float64(world.Z)/u),
	}
}

// ToWorld is where a point in blocks lies in the world, each coordinate rounded once. It leads back from ToBlocks to
// within half a step of a float32 in blocks.
func (g BlockGrid) ToWorld(blocks geom.Vec) geom.Vec {
	u := float64(g.UnitsPerBlock)
	return geom.Vec{
		X: float32((float64(blocks.X) - float64(g.Origin[0])) * u),
		Y: float32(float64((float64(blocks.Y)-float64(g.Origin[1]))*u) + float64(g.Height)),
		Z: float32((float64(g.Origin[2]) - float64(blocks.Z)) * u),
	}
}

// MirrorYaw is a yaw of the world among blocks, or one among blocks in the world, in -180..180 degrees: both turn to the
// left, but north is +Z in the world and -Z among blocks.
func MirrorYaw(deg float32) float32 { return geom.WrapDegrees(180 - deg) }
