package worldmap

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Sizes of walls and their shadows.
const (
	fine         = 2       // subpixels per pixel along each axis
	shadowSteps  = 6       // number of copies of a solid that form its shadow
	shadowShare  = .5      // length of a shadow as a fraction of the solid's height
	maxShadow    = 9       // maximum length of a shadow in world units
	maxSolids    = 1 << 17 // maximum number of solids that are drawn
	shadowSpread = 1.2     // width of the blur of shadows in world units
)

// walls contains for each pixel how much of it is covered by solids, and how much by their shadows, 0..1.
type walls struct{ cover, shadow []float32 }

// findWalls computes the walls under a canvas. The computing time for a solid does not depend on the solid's size.
func findWalls(c *canvas, a *sim.AreaDef) walls {
	grid, dark := newCounter(c.w*fine, c.h*fine), newCounter(c.w, c.h)
	seen := false
	for i := range min(len(a.Solids), maxSolids) {
		s := &a.Solids[i]
		reach := shadowOf(a, s, c.unit)
		x0, x1 := c.columns(float64(s.Min.X)-c.upp, float64(s.Max.X+reach)+c.upp)
		y0, y1 := c.rows(float64(s.Min.Z-reach)-c.upp, float64(s.Max.Z)+c.upp)
		if x0 >= x1 || y0 >= y1 {
			continue
		}
		seen = true
		grid.add((float64(s.Min.X)-c.x)/c.upp*fine, (c.z-float64(s.Max.Z))/c.upp*fine, (float64(s.Max.X)-c.x)/c.upp*fine, (c.z-float64(s.Min.Z))/c.upp*fine)
		for step := range shadowSteps {
			off := float64(reach) * float64(step+1) / shadowSteps
			dark.add((float64(s.Min.X)+off-c.x)/c.upp, (c.z-float64(s.Max.Z)+off)/c.upp, (float64(s.Max.X)+off-c.x)/c.upp, (c.z-float64(s.Min.Z)+off)/c.upp)
		}
	}
	if !seen {
		return walls{}
	}
	w := walls{cover: make([]float32, c.w*c.h), shadow: make([]float32, c.w*c.h)}
	for i, n := range grid.sums() {
		if n > 0 {
			w.cover[i/(c.w*fine)/fine*c.w+i%(c.w*fine)/fine] += 1.0 / (fine * fine)
		}
	}
	for i, n := range dark.sums() {
		if n > 0 {
			w.shadow[i] = 1
		}
	}
	w.shadow = c.blur(w.shadow, int(shadowSpread*float64(c.unit)/c.upp+0.5))
	return w
}

// shadowOf returns the length of the shadow that a solid casts, in world units. The parameter unit is the scale of decoration
// (see Map.scale).
func shadowOf(a *sim.AreaDef, s *terrain.Solid, unit float32) float32 {
	ground := a.BlockGrid.Height
	if a.Floor != nil {
		ground, _ = a.Floor.Height((s.Min.X+s.Max.X)/2, (s.Min.Z+s.Max.Z)/2)
	}
	return min(max((s.Max.Y-ground)*shadowShare, 0), maxShadow*unit)
}

// edge reports whether the pixel at x, y is at the edge of a wall.
func (w *walls) edge(c *canvas, x, y int) bool {
	at := y*c.w + x
	if w.cover[at] < 0.5 || x == 0 || y == 0 || x == c.w-1 || y == c.h-1 {
		return false
	}
	return w.cover[at-1] < 0.5 || w.cover[at+1] < 0.5 || w.cover[at-c.w] < 0.5 || w.cover[at+c.w] < 0.5
}

// counter counts for each cell of a grid how many rectangles cover it. A rectangle of any size is added by four additions,
// because only the differences between neighbouring cells are stored.
type counter struct {
	w, h  int
	steps []int32 // differences to the cell in the west and in the north; has one row and one column more than the grid
}

func newCounter(w, h int) *counter { return &counter{w, h, make([]int32, (w+1)*(h+1))} }

// add increases the counts of the cells that a rectangle covers. A rectangle that is smaller than a cell covers one cell.
func (k *counter) add(x0, y0, x1, y1 float64) {
	fromX, toX := cells(x0, x1, k.w)
	fromY, toY := cells(y0, y1, k.h)
	if fromX >= toX || fromY >= toY {
		return
	}
	row := k.w + 1
	k.steps[fromY*row+fromX]++
	k.steps[fromY*row+toX]--
	k.steps[toY*row+fromX]--
	k.steps[toY*row+toX]++
}

// cells returns the range of cells on one axis whose centres are between the coordinates a and b. The axis has n cells. If both
// coordinates are on the axis but no centre is between them, the range has the one cell that contains a.
func cells(a, b float64, n int) (from, to int) {
	lo, hi := int(min(max(a+0.5, 0), float64(n))), int(min(max(b+0.5, 0), float64(n)))
	if lo == hi && a >= 0 && b < float64(n) {
		lo = min(int(a), n-1)
		hi = lo + 1
	}
	return lo, hi
}

// sums returns for each cell the number of rectangles that cover it, in rows from the north.
func (k *counter) sums() []int32 {
	out := make([]int32, k.w*k.h)
	above := make([]int32, k.w)
	for y := range k.h {
		var run int32
		for x := range k.w {
			run += k.steps[y*(k.w+1)+x]
			above[x] += run
			out[y*k.w+x] = above[x]
		}
	}
	return out
}
