package console

import (
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Size, in blocks, of the space that must be free where an actor is placed. The space is slightly smaller than a player, so that
// a player that touches a wall fits.
const (
	bodyHalfWidth = 0.29
	bodyHeight    = terrain.HeadroomBlocks - 0.02
)

// standingHeight returns the height in world units at which an actor stands after it was placed at x, z of an area, or 0 if the area
// has no valid grid of blocks. (1) Normally that is the ground. (2) If the actor does not fit there, it is the lowest height above
// the ground at which it fits. So an actor is placed below a roof, on top of a wall, or on the surface of a liquid. (3) In an area
// without a ground, it is the highest place to stand.
func standingHeight(a *sim.AreaDef, x, z float32) float32 {
	if a.BlockGrid.Check() != nil {
		return 0
	}
	feet := a.BlockGrid.ToBlocks(geom.Vec{X: x, Z: z})
	ground, ok := float32(0), false
	if a.Floor != nil {
		ground, ok = a.Floor.Height(x, z)
	}
	if !ok {
		return topHeight(a, feet)
	}
	feet.Y = a.BlockGrid.ToBlocks(geom.Vec{X: x, Y: ground, Z: z}).Y
	var boxes []geom.Box
	for feet.Y < terrain.MaxBlockY {
		boxes = a.Blocks.AppendBoxes(boxes[:0], geom.Box{
			Min: geom.Vec{X: feet.X - bodyHalfWidth, Y: feet.Y + 0.01, Z: feet.Z - bodyHalfWidth},
			Max: geom.Vec{X: feet.X + bodyHalfWidth, Y: feet.Y + bodyHeight, Z: feet.Z + bodyHalfWidth},
		})
		if len(boxes) == 0 {
			cell := [3]int32{int32(math.Floor(float64(feet.X))), int32(math.Floor(float64(feet.Y))), int32(math.Floor(float64(feet.Z)))}
			if a.Blocks.At(cell[0], cell[1], cell[2]).Kind().Liquid == terrain.NoLiquid {
				break
			}
			feet.Y = float32(cell[1] + 1)
			continue
		}
		above := feet.Y
		for i := range boxes {
			above = max(above, boxes[i].Max.Y)
		}
		feet.Y = max(above, feet.Y+0.5) // rises in each iteration, so the loop ends
	}
	return a.BlockGrid.ToWorld(feet).Y
}

// topHeight returns the height in world units of the highest place to stand in one column of blocks, or the height of the grid's
// origin if there is none. The point feet, in block coordinates, selects the column.
func topHeight(a *sim.AreaDef, feet geom.Vec) float32 {
	top, ok := a.Blocks.FloorBelow(feet.X, feet.Z, terrain.MaxBlockY+1)
	if !ok {
		return a.BlockGrid.Height
	}
	feet.Y = top
	return a.BlockGrid.ToWorld(feet).Y
}
