package terrain

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// What a body of blocks can get over and under, in blocks. They are those of a predicted player (docs/wire/bedrock.md,
// movement physics), and hold for everybody else too, so that all agree on what a wall is.
const (
	StepBlocks     = 0.6  // what ends so far above the feet is walked over
	JumpBlocks     = 1.25 // what ends so far above the ground is jumped upon
	HeadroomBlocks = 1.8  // what begins so far above the feet is passed under
	edgeLeapBlocks = 4    // whoever leaves an edge comes so far before his feet are lower than it; guess: a jump at a run
)

// Floor is the ground of an area, in world units, without what stands on it: as BlocksSpec has it. It is read-only once
// in use. nil is an area of which nobody knows the ground.
type Floor struct {
	Grid    BlockGrid
	Ground  Ground
	Level   int32   // as in BlocksSpec
	Heights Heights // of HeightGround; the tops are shared, not copied
}

// FloorOf is the ground on which the blocks of that spec lie.
func FloorFromSpec(spec *BlocksSpec) *Floor {
	return &Floor{Grid: spec.Grid, Ground: spec.Ground, Level: spec.Level, Heights: spec.Heights}
}

// At is how high the ground lies at x, z of the world. It is false over a void, and then the height is that of the
// first free cell that the spec names.
func (f *Floor) Height(x, z float32) (y float32, ok bool) {
	level := f.Level
	if f.Ground == HeightGround {
		u := float64(f.Grid.UnitsPerBlock)
		level = f.Heights.top(cellOf(float64(f.Grid.Origin[0])+float64(x)/u), cellOf(float64(f.Grid.Origin[2])-float64(z)/u), level)
	}
	return f.Grid.heightOf(level), f.Ground != VoidGround
}

// lowest is the lowest height of the ground anywhere.
func (f *Floor) lowest() float32 {
	least := f.Level
	if f.Ground == HeightGround {
		for _, top := range f.Heights.Tops {
			least = min(least, int32(top))
		}
	}
	return f.Grid.heightOf(least)
}

// heightOf is how high the bottom of the cells at y lies, in world units.
func (g BlockGrid) heightOf(y int32) float32 {
	return float32(float64(float64(y-g.Origin[1])*float64(g.UnitsPerBlock)) + float64(g.Height))
}

// cellOf is the cell of an axis in which a coordinate lies; what is far outside of everything stays there.
func cellOf(v float64) int32 {
	const far = 4 * MaxOrigin
	if !(v > -far) {
		return -far
	}
	return int32(math.Floor(min(v, far)))
}

// Below is the highest place at or below y on which one can stand at x, z, in blocks: the top of a box, or of a liquid,
// on which walkers stay. It is false if there is none.
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
