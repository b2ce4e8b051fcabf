package worldmap

import "math"

// canvas is a grid of pixels over a part of an area. Around the picture that is drawn it has a border, which is cut off at the
// end. Without the border, blurs would be wrong near the edge of the picture.
type canvas struct {
	w, h int     // width and height in pixels, with the border
	x, z float64 // world position of the north-west corner
	upp  float64 // world units per pixel
	unit float32 // factor for the size of decoration, such as trees; 1 if a tile has the usual 7 units
}

// xAt returns the x coordinate in the world of the centre of a pixel column. zAt returns the z coordinate in the world of the
// centre of a pixel row.
func (c *canvas) xAt(px int) float32 { return float32(c.x + (float64(px)+0.5)*c.upp) }
func (c *canvas) zAt(py int) float32 { return float32(c.z - (float64(py)+0.5)*c.upp) }

// columns returns the range of pixel columns whose centres are between the world coordinates x0 and x1, as far as they are on
// the canvas.
func (c *canvas) columns(x0, x1 float64) (from, to int) {
	return clip((x0-c.x)/c.upp-0.5, (x1-c.x)/c.upp-0.5, c.w)
}

// rows returns the range of pixel rows whose centres are between the world coordinates z0 and z1, as far as they are on the
// canvas.
func (c *canvas) rows(z0, z1 float64) (from, to int) {
	return clip((c.z-z1)/c.upp-0.5, (c.z-z0)/c.upp-0.5, c.h)
}

func clip(a, b float64, n int) (from, to int) {
	at := func(v float64) int { return int(math.Ceil(min(max(v, 0), float64(n)))) }
	return at(a), max(at(b), at(a))
}

// blur returns blurred values, approximately as a Gaussian blur would: on each axis, each value is replaced by the mean of 2*r+1
// values around it, and that is done twice.
func (c *canvas) blur(values []float32, r int) []float32 {
	if r < 1 {
		return values
	}
	a, b := make([]float32, len(values)), make([]float32, len(values))
	copy(a, values)
	for range 2 {
		for y := range c.h {
			blurLine(b, a, y*c.w, 1, c.w, r)
		}
		for x := range c.w {
			blurLine(a, b, x, c.w, c.h, r)
		}
	}
	return a
}

// blurLine computes the moving means of a row or column of n values: each result is the mean of the 2*r+1 values around it. It
// reads the values from the slice from and writes the results to the slice into. In both slices, at is the index of the first
// value, and each further value follows stride elements later.
func blurLine(into, from []float32, at, stride, n, r int) {
	sum := float64(from[at]) * float64(r)
	for i := range min(r+1, n) {
		sum += float64(from[at+i*stride])
	}
	for i := n; i < r+1; i++ {
		sum += float64(from[at+(n-1)*stride])
	}
	share := 1 / float64(2*r+1)
	for i := range n {
		into[at+i*stride] = float32(sum * share)
		sum += float64(from[at+min(i+r+1, n-1)*stride]) - float64(from[at+max(i-r, 0)*stride])
	}
}
