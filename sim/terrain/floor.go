package terrain

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// Limits of what an actor can step over, jump onto and pass under, in blocks. The values are those of a predicted player
// (docs/wire/bedrock.md, movement physics). They apply to all actors, so that walls are the same for every door.
const (
	StepBlocks     = 0.6  // maximum blocks from the feet to the top of a solid that is stepped over
	JumpBlocks     = 1.25 // maximum blocks from the ground to the top of a solid that can be jumped onto
	HeadroomBlocks = 1.8  // minimum blocks from the feet to the bottom of a solid that can be passed under

	// edgeLeapBlocks is the maximum horizontal distance, in blocks, between an actor in the air and the edge of a solid from
	// which the actor counts as having jumped: about the length of a running jump.
	edgeLeapBlocks = 4
)

// Floor is the bare ground of an area, as described by BlocksSpec, without what stands on it. It is read-only once in
// use. A nil *Floor means that the ground is unknown.
type Floor struct {
	Grid      BlockGrid // conversion between world units and blocks
	Ground    Ground    // kind of ground: void, flat or with heights
	Level     int32     // y of the first free cell above flat ground, in blocks, as in BlocksSpec
	Heightmap Heightmap // heights of the ground, only for HeightGround; shares its memory with the spec
}

// FloorFromSpec returns the ground that a spec describes.
func FloorFromSpec(spec *BlocksSpec) *Floor {
	return &Floor{Grid: spec.Grid, Ground: spec.Ground, Level: spec.Level, Heightmap: spec.Heightmap}
}

// Height returns the height of the ground at world position x, z, in world units. If there is no ground, ok is false, and y is
// the height that BlocksSpec.Level stands for.
func (f *Floor) Height(x, z float32) (y float32, ok bool) {
	level := f.Level
	if f.Ground == HeightGround {
		u := float64(f.Grid.UnitsPerBlock)
		level = f.Heightmap.top(cellOf(float64(f.Grid.Origin[0])+float64(x)/u), cellOf(float64(f.Grid.Origin[2])-float64(z)/u), level)
	}
	return f.Grid.heightOf(level), f.Ground != VoidGround
}

// lowest returns the height of the lowest ground, in world units.
func (f *Floor) lowest() float32 {
	lower := f.Level
	if f.Ground == HeightGround {
		for _, top := range f.Heightmap.Tops {
			lower = min(lower, int32(top))
		}
	}
	return f.Grid.heightOf(lower)
}

// heightOf converts the block height y to world units. The result is the height of the bottom of the blocks at y.
func (g BlockGrid) heightOf(y int32) float32 {
	return float32(float64(float64(y-g.Origin[1])*float64(g.UnitsPerBlock)) + float64(g.Height))
}

// cellOf returns the block coordinate of the cell that contains v. It limits very large values, so that they fit an int32.
func cellOf(v float64) int32 {
	const far = 4 * MaxOrigin
	if !(v > -far) {
		return -far
	}
	return int32(math.Floor(min(v, far)))
}

// FloorBelow returns the highest surface at or below height y at x, z: the top of a collision box or of a liquid. All values are
// in blocks. The result ok is false if there is no surface.
func (b *Blocks) FloorBelow(x, z, y float32) (top float32, ok bool) {
	if b == nil {
		b = flatGround
	}
	cx, cz := cellOf(float64(x)), cellOf(float64(z))
	from := min(cellOf(float64(y)), MaxBlockY)
	for cy := from; cy >= MinBlockY; cy-- {
		k := b.At(cx, cy, cz).Kind()
		if k.Liquid != NoLiquid && float32(cy+1) <= y {
			return float32(cy + 1), true
		}
		for i := range k.Boxes {
			box := k.Boxes[i].Move(geom.Vec{X: float32(cx), Y: float32(cy), Z: float32(cz)})
			if box.Max.Y <= y && box.Min.X <= x && box.Max.X >= x && box.Min.Z <= z && box.Max.Z >= z && (!ok || box.Max.Y > top) {
				top, ok = box.Max.Y, true
			}
		}
		if ok {
			return top, true
		}
	}
	return 0, false
}
