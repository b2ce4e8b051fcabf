package terrain

import (
	"errors"
	"fmt"
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// Walls is the collision of straight movement: claims, walks by the server, and NPCs. It finds the solids that obstruct a
// straight line. A nil *Walls has no walls and costs nothing.
//
// A solid obstructs an actor unless the actor gets over or under it. The actor's support is the ground, or a solid that it got
// onto; feet below the ground count as on the ground. The actor gets over a solid that ends at most StepBlocks above its
// support. It also gets over one that ends at most JumpBlocks above its support, if its feet are as high as the top of the
// solid. It passes under a solid that begins at least HeadroomBlocks above its feet. So a client gains nothing from claiming a
// height to which no way leads. A flying actor needs no support: it gets over everything that ends below its feet.
//
// A point within 1/32 unit of a solid counts as inside it, so that touching solids leave no gap. An actor that was placed
// inside a solid is not obstructed by that solid.
type Walls struct {
	floor *Floor
	// stepHeight is the height of a step that a walker can take, jumpHeight the height that it can jump, and headroom the
	// free height that it needs above its feet, all in world units.
	stepHeight, jumpHeight, headroom float32
	edgeLeap                         float64 // edgeLeapBlocks in world units

	boxes      []wallBox // the solids, each enlarged by wallSkin
	minX, minZ float64   // south-west corner of the grid, world units
	cellsPer   float64   // cells per world unit
	cols, rows int32
	start      []int32 // first index in cellBoxes of each cell, row by row from the south, and the end of the last
	cellBoxes  []int32 // indices of boxes by cell, ascending within each cell
	maxX, maxZ float64 // north-east corner of the grid, world units
}

// wallBox is a solid, enlarged by wallSkin on X and Z, in world units.
type wallBox struct {
	minX, maxX, minZ, maxZ float64
	bottom, top            float32
}

const (
	wallSkin   = 1.0 / 32 // world units around a solid that count as inside it
	wallCorner = 1.0 / 8  // world units by which paths around a solid keep away from its corners
	wallCells  = 256      // maximum number of rows and of columns
	wallRefs   = 1 << 20  // maximum number of entries in cellBoxes, 4 MiB
	cellBlocks = 4        // minimum edge length of a cell in blocks
)

// WallSpec describes the ground and the solids from which Walls is built.
type WallSpec struct {
	Floor  Floor   // ground of the area; its Grid also defines the size of a block
	Solids []Solid // solids that obstruct movement
}

// NewWalls builds the index of walls. It returns nil if no solid can obstruct anything. The solids are not retained.
// Errors name the invalid solid.
func NewWalls(spec WallSpec) (*Walls, error) {
	u := spec.Floor.Grid.UnitsPerBlock
	if err := spec.Floor.Grid.Check(); err != nil {
		return nil, fmt.Errorf("walls: %w", err)
	}
	if len(spec.Solids) > math.MaxInt32 {
		return nil, errors.New("walls: the area has more than 2147483647 solids")
	}
	w := &Walls{floor: &spec.Floor, stepHeight: float32(StepBlocks * u), jumpHeight: float32(JumpBlocks * u), headroom: float32(HeadroomBlocks * u),
		edgeLeap: float64(edgeLeapBlocks * u)}
	lowest := float32(math.Inf(-1))
	if spec.Floor.Ground != VoidGround {
		lowest = spec.Floor.lowest()
	}
	for i := range spec.Solids {
		s := &spec.Solids[i]
		if err := s.Check(); err != nil {
			return nil, fmt.Errorf("walls: the solid box with index %d is invalid: %w", i, err)
		}
		if s.Max.Y > lowest { // a solid below the ground everywhere has no effect
			w.boxes = append(w.boxes, wallBox{
				minX: float64(s.Min.X) - wallSkin, maxX: float64(s.Max.X) + wallSkin,
				minZ: float64(s.Min.Z) - wallSkin, maxZ: float64(s.Max.Z) + wallSkin,
				bottom: s.Min.Y, top: s.Max.Y,
			})
		}
	}
	if len(w.boxes) == 0 {
		return nil, nil
	}
	w.layCells(float64(cellBlocks * u))
	return w, nil
}

// layCells creates a grid of cells around the boxes. It enlarges the cells until the index is small enough.
func (w *Walls) layCells(cell float64) {
	b := w.boxes[0]
	for i := range w.boxes {
		o := &w.boxes[i]
		b.minX, b.maxX = min(b.minX, o.minX), max(b.maxX, o.maxX)
		b.minZ, b.maxZ = min(b.minZ, o.minZ), max(b.maxZ, o.maxZ)
	}
	w.minX, w.minZ, w.maxX, w.maxZ = b.minX, b.minZ, b.maxX, b.maxZ
	cell = max(cell, (b.maxX-b.minX)/wallCells, (b.maxZ-b.minZ)/wallCells)
	for {
		w.cellsPer = 1 / cell
		w.cols = int32(math.Floor((b.maxX-b.minX)*w.cellsPer)) + 1
		w.rows = int32(math.Floor((b.maxZ-b.minZ)*w.cellsPer)) + 1
		refs := 0
		for i := range w.boxes {
			x0, x1, z0, z1 := w.cellsOf(&w.boxes[i])
			refs += int(x1-x0+1) * int(z1-z0+1)
		}
		if refs <= max(wallRefs, len(w.boxes)) || w.cols == 1 && w.rows == 1 {
			w.fillCells(refs)
			return
		}
		cell *= 2
	}
}

// fillCells enters each box in the cells that it touches, with a counting sort, so that the boxes of a cell are in
// ascending order.
func (w *Walls) fillCells(refs int) {
	w.start = make([]int32, int(w.cols)*int(w.rows)+1)
	w.cellBoxes = make([]int32, refs)
	for pass := range 2 {
		for n := range w.boxes {
			i := n
			if pass == 1 {
				i = len(w.boxes) - 1 - n // iterate backward: each box decrements its cell's start, which finally is the beginning of the cell
			}
			x0, x1, z0, z1 := w.cellsOf(&w.boxes[i])
			for z := z0; z <= z1; z++ {
				for x := x0; x <= x1; x++ {
					c := z*w.cols + x
					if pass == 0 {
						w.start[c]++
					} else {
						w.start[c]--
						w.cellBoxes[w.start[c]] = int32(i)
					}
				}
			}
		}
		if pass == 0 {
			var sum int32
			for c, n := range w.start {
				sum += n
				w.start[c] = sum
			}
		}
	}
}

// cellsOf returns the range of columns and rows that a box touches.
func (w *Walls) cellsOf(b *wallBox) (x0, x1, z0, z1 int32) {
	return w.column(b.minX), w.column(b.maxX), w.row(b.minZ), w.row(b.maxZ)
}

// column returns the grid column that contains x, limited to the grid.
func (w *Walls) column(x float64) int32 { return cellAmong((x-w.minX)*w.cellsPer, w.cols) }

// row returns the grid row that contains z, limited to the grid.
func (w *Walls) row(z float64) int32 { return cellAmong((z-w.minZ)*w.cellsPer, w.rows) }

func cellAmong(v float64, n int32) int32 {
	if !(v > 0) {
		return 0
	}
	return int32(min(v, float64(n-1)))
}

// ground returns the height of the ground under p, and whether there is any.
func (w *Walls) ground(p geom.Vec) (float32, bool) { return w.floor.Height(p.X, p.Z) }

// feetHeight returns the height of the feet of a walker at p, which is never below the ground.
func (w *Walls) feetHeight(p geom.Vec) float32 {
	if g, ok := w.ground(p); ok {
		return max(p.Y, g)
	}
	return p.Y
}
