package geom

import (
	"math"
	"slices"
)

// Grid finds the points near a position on the ground plane. Build indexes all points with a counting sort and must be
// called again after they have moved. It reuses its memory: after the first builds neither Build nor Near allocates.
//
// The cells form a torus (a grid that wraps around at its edges). Its size depends on the number of points, not on the size of
// the world, so points may be anywhere. Distant cells may share a bucket; the distance check then separates their points. One
// goroutine builds a Grid; afterwards several goroutines may call Near. The zero value has no points.
type Grid struct {
	cellsPerUnit float64
	mask         int32       // number of columns minus 1; there are as many rows; the number of columns is a power of two
	shift        uint        // log2 of the number of columns
	start        []int32     // index in points at which each bucket begins; the last element is the end of the last bucket
	bucket       []int32     // bucket of each point, in the order of Build
	points       []gridPoint // points sorted by bucket, then by index
}

// gridPoint is a point in a bucket of a Grid.
type gridPoint struct {
	x, z  float32
	index int32 // index of the point in the order of Build
}

// Limits of a Grid: of the number of its buckets, and of the distance from the origin up to which it distinguishes cells.
const (
	minGridShift = 2       // log2 of the minimum number of columns: 4 x 4 buckets
	maxGridShift = 9       // log2 of the maximum number of columns: 512 x 512 buckets, 1 MiB
	edgeCell     = 1 << 22 // maximum distance from the origin in cells; points farther out count as at this distance
)

// Build indexes the points with the given x and z coordinates. The slices must have the same length, below 2^31, and are not
// retained. The parameter cell is the edge length of a cell in units, at least 1/1024. Queries are fastest if it is between a
// quarter of the usual query radius and that radius. Points that are not finite are never found.
func (g *Grid) Build(cell float32, x, z []float32) {
	n := len(x)
	z = z[:n]
	g.resize(n)
	g.cellsPerUnit = 1 / float64(cell)
	g.count(x, z)
	g.place(x, z)
}

// resize sets the number of buckets to about one per point and sets their counts of points to 0.
func (g *Grid) resize(n int) {
	g.shift = minGridShift
	for g.shift < maxGridShift && 1<<(2*g.shift) < n {
		g.shift++
	}
	g.mask = 1<<g.shift - 1
	buckets := 1<<(2*g.shift) + 1
	if cap(g.start) < buckets {
		g.start = make([]int32, buckets)
	}
	g.start = g.start[:buckets]
	clear(g.start)
	if cap(g.points) < n {
		room := n + n/4
		g.bucket, g.points = make([]int32, room), make([]gridPoint, room)
	}
	g.bucket, g.points = g.bucket[:n], g.points[:n]
}

// count prepares the sorting of the points by bucket: it sets start[b] to the number of points in the buckets 0..b. That is the
// index after the last point of bucket b in the sorted list.
func (g *Grid) count(x, z []float32) {
	for i := range x {
		b := (g.cellOf(float64(z[i]))&g.mask)<<g.shift | g.cellOf(float64(x[i]))&g.mask
		g.bucket[i] = b
		g.start[b]++
	}
	var sum int32
	for b, n := range g.start {
		sum += n
		g.start[b] = sum
	}
}

// place completes the sorting of the points into buckets. It takes the points from last to first and fills each bucket from its
// end. Afterwards start[b] is the index of the first point of bucket b.
func (g *Grid) place(x, z []float32) {
	for i := len(x) - 1; i >= 0; i-- {
		b := g.bucket[i]
		g.start[b]--
		at := g.start[b]
		g.points[at] = gridPoint{x[i], z[i], int32(i)}
	}
}

// cellOf returns the column or row of a coordinate. The conversion to an integer gives the same result on every CPU, because the
// value is first limited and shifted to positive values, so that truncation rounds down. NaN is in the first cell.
func (g *Grid) cellOf(v float64) int32 {
	c := float64(v*g.cellsPerUnit) + edgeCell
	if !(c >= 0) {
		return 0
	}
	return int32(min(c, 2*edgeCell))
}

// widen is the factor by which a query enlarges the radius in which it searches cells. Distances are rounded to float32, so a
// point of the next cell can count as within the radius although it is slightly farther away. Without the factor a query could
// miss such a point.
const widen = 1 + 1e-6

// Near appends to dst the indices of all points within radius of p on the ground plane, including those exactly at the radius,
// and returns the extended slice. Distances are those of Dist2XZ. The order is the same on every CPU and in every call: bucket
// by bucket, in rows from the smallest Z and X that the query covers, and by ascending index within a bucket.
func (g *Grid) Near(dst []int32, p Vec, radius float32) []int32 {
	if !(radius >= 0) {
		return dst
	}
	return g.near(dst, p, radius, float32(radius*radius))
}

// NearExclusive appends the indices of the same points as Near, except those exactly at the radius.
func (g *Grid) NearExclusive(dst []int32, p Vec, radius float32) []int32 {
	if !(radius > 0) {
		return dst
	}
	return g.near(dst, p, radius, math.Nextafter32(float32(radius*radius), 0))
}

// near appends the indices of the points whose squared distance from p is at most r2. The parameter radius selects the cells to
// search, so r2 must not exceed the square of radius.
func (g *Grid) near(dst []int32, p Vec, radius, r2 float32) []int32 {
	if len(g.points) == 0 {
		return dst
	}
	r := float64(float64(radius) * widen)
	x0, columns := g.span(float64(p.X), r)
	z0, rows := g.span(float64(p.Z), r)
	for row := range rows {
		base := ((z0 + row) & g.mask) << g.shift
		first := x0 & g.mask
		if end := first + columns; end <= g.mask+1 {
			dst = g.scan(dst, p, r2, base+first, base+end)
		} else { // the run wraps around the edge of the torus
			dst = g.scan(dst, p, r2, base+first, base+g.mask+1)
			dst = g.scan(dst, p, r2, base, base+end-g.mask-1)
		}
	}
	return dst
}

// span returns the columns or rows of cells that a query must visit: the first one, and their number. The number is at most that
// of the whole grid: the grid is a torus, so a cell would otherwise be visited twice.
func (g *Grid) span(v, r float64) (first, cells int32) {
	first = g.cellOf(v - r)
	return first, min(g.cellOf(v+r)-first, g.mask) + 1
}

// scan appends the points in the buckets from..to-1 that are near enough. It writes every index behind the end of dst, but
// moves the end only if the point is near enough. This avoids a branch: about a third of the points are near enough, so a CPU
// would often mispredict the branch, which costs more than the write.
func (g *Grid) scan(dst []int32, p Vec, r2 float32, from, to int32) []int32 {
	points := g.points[g.start[from]:g.start[to]]
	n := len(dst)
	if cap(dst)-n < len(points) {
		dst = slices.Grow(dst, len(points))
	}
	out := dst[n : n+len(points)]
	k := 0
	for i := range points {
		q := &points[i]
		dx, dz := q.x-p.X, q.z-p.Z
		out[k] = q.index
		next := k + 1
		if float32(dx*dx)+float32(dz*dz) <= r2 {
			k = next
		}
	}
	return dst[:n+k]
}
