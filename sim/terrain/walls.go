package terrain

import (
	"errors"
	"fmt"
	"math"

	"github.com/truestep-io/truestep/sim/geom"
)

// Walls is what the claim authority, the server's own walking and the minds of NPCs know of the solids: which of them
// stand in a straight way. nil is open country, and costs nothing.
//
// A solid stands in somebody's way unless he gets over it or under it. He gets over what ends up to StepBlocks above that
// on which he stands, and over what ends up to JumpBlocks above it if his feet are as high as that top. He passes under
// what begins TallBlocks above his feet. He stands on the ground, or on a solid that he got onto; feet that are said to
// be lower than the ground are on it. So it does not help to claim a height without a way there. Whoever flies needs
// nothing to stand on: he gets over what ends below his feet.
//
// A point closer to a solid than 1/32 of a unit is inside it: solids that touch leave no gap. Whoever is inside one,
// because he was put there, is not stopped by it.
type Walls struct {
	floor                            *Floor
	stepHeight, jumpHeight, headroom float32 // world units
	edgeLeap                         float64

	boxes      []wallBox
	minX, minZ float64 // corner of cell 0, world units
	cellsPer   float64 // cells per unit
	cols, rows int32
	start      []int32 // of each cell in held, row by row from the south, and the end of the last
	cellBoxes  []int32 // boxes by cell, ascending within one
	maxX, maxZ float64 // the opposite corner
}

// wallBox is a solid with its skin.
type wallBox struct {
	minX, maxX, minZ, maxZ float64
	bottom, top            float32
}

const (
	wallSkin   = 1.0 / 32 // units around a solid that count as solid
	wallCorner = 1.0 / 8  // units between a solid and the corners by which a way leads round it
	wallCells  = 256      // of a row and of a column at most
	wallRefs   = 1 << 20  // boxes in cells at most, 4 MiB
	cellBlocks = 4        // blocks along a cell at least
)

// WallSpec is what walls are made of.
type WallSpec struct {
	Floor  Floor
	Solids []Solid
}

// NewWalls makes the index. It is nil if no solid is left that anybody could bump into. Solids are not kept. Errors name
// the solid that is wrong.
func NewWalls(spec WallSpec) (*Walls, error) {
	u := spec.Floor.Grid.UnitsPerBlock
	if err := spec.Floor.Grid.Check(); err != nil {
		return nil, fmt.Errorf("walls: %w", err)
	}
	if len(spec.Solids) > math.MaxInt32 {
		return nil, errors.New("walls: there are too many solids")
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
			return nil, fmt.Errorf("walls: solid %d: %w", i, err)
		}
		if s.Max.Y > lowest { // what is buried everywhere is nothing but ground
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

// layCells lays the grid around the boxes, with cells as large as it takes to keep it small.
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

// fillCells notes each box in its cells: a counting sort, so that the boxes of a cell are in their order.
func (w *Walls) fillCells(refs int) {
	w.start = make([]int32, int(w.cols)*int(w.rows)+1)
	w.cellBoxes = make([]int32, refs)
	for pass := range 2 {
		for n := range w.boxes {
			i := n
			if pass == 1 {
				i = len(w.boxes) - 1 - n // from the end, which leaves each start at its beginning
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

// cellsOf is the columns and rows that a box touches.
func (w *Walls) cellsOf(b *wallBox) (x0, x1, z0, z1 int32) {
	return w.column(b.minX), w.column(b.maxX), w.row(b.minZ), w.row(b.maxZ)
}

// column is the column of a coordinate, the nearest one if there is none.
func (w *Walls) column(x float64) int32 { return cellAmong((x-w.minX)*w.cellsPer, w.cols) }

// row is the row of a coordinate, the nearest one if there is none.
func (w *Walls) row(z float64) int32 { return cellAmong((z-w.minZ)*w.cellsPer, w.rows) }

func cellAmong(v float64, n int32) int32 {
	if !(v > 0) {
		return 0
	}
	return int32(min(v, float64(n-1)))
}

// ground is how high the ground lies under p, and whether there is any.
func (w *Walls) ground(p geom.Vec) (float32, bool) { return w.floor.Height(p.X, p.Z) }

// feet is where the feet of a walker really are who says that they are at p: not under the ground.
func (w *Walls) feetHeight(p geom.Vec) float32 {
	if g, ok := w.ground(p); ok {
		return max(p.Y, g)
	}
	return p.Y
}
