package interest

import "slices"

// TilePosition is the position of an actor in a tile world. Positions are stored in a list whose index is the row, a number that each
// actor has. The Plane is NoPlane if no actor has the row, and for a hidden actor.
type TilePosition struct {
	X, Z  uint16 // absolute tile, 0..16383
	Plane uint8  // height level 0..3, or NoPlane for no position
}

// NoPlane is the Plane of a TilePosition that stands for no position: no actor has the row number at which it is stored, or
// the actor is hidden.
const NoPlane = 255

func (s TilePosition) valid() bool { return s.Plane <= 3 && s.X < 1<<14 && s.Z < 1<<14 }

// TileIndex finds the actors near a tile. Build rebuilds it once per cycle from the positions of all actors, by a counting sort
// that reuses its memory. It is a hash table whose buckets are the cells of a torus, a grid that wraps around at its edges. So
// tiles that are far apart can share a bucket; queries tell them apart by their coordinates. The torus grows with the number of
// positions, so that distant crowds rarely share buckets. One goroutine builds a TileIndex; afterwards any number of goroutines
// may query it. The zero value is empty.
type TileIndex struct {
	positions []TilePosition // positions given to Build, by row
	start     []int32        // by bucket: index in rows of its first entry; one more element holds the end of the last bucket
	rows      []tileRow      // entries of all buckets, sorted by bucket, then by the actor's row number
	mask      uint32         // the buckets form a square grid of (mask+1) x (mask+1) that wraps around in x and z
	shift     uint           // log2 of the number of columns
}

// tileRow is an entry of a bucket: an actor's row number and tile. The field pz is the z coordinate with the plane in its 2 high
// bits. So actors on different planes are farther apart in pz than the range of any query.
type tileRow struct {
	x, pz uint16
	row   int32
}

// Limits of the size of the torus of a TileIndex. A value n means 2^n columns and 2^n lines of buckets.
const (
	minTorusShift = 7  // 128 x 128 buckets: a query with a radius of MaxSight tiles visits no bucket twice
	maxTorusShift = 10 // 1024 x 1024 buckets in 4 MiB
)

// Build indexes the positions. Queries return row numbers, which are indices in the list spots. The list must have at most 2^31
// entries and must not change until the next Build.
func (t *TileIndex) Build(spots []TilePosition) {
	t.positions = spots
	t.shift = minTorusShift
	for t.shift < maxTorusShift && 1<<(2*t.shift) < 8*len(spots) {
		t.shift++
	}
	t.mask = 1<<t.shift - 1
	buckets := 1<<(2*t.shift) + 1
	t.start = slices.Grow(t.start[:0], buckets)[:buckets]
	clear(t.start)
	for i := range spots {
		if s := &spots[i]; s.valid() {
			t.start[t.bucket(uint32(s.X), uint32(s.Z))]++
		}
	}
	var sum int32
	for b, n := range t.start {
		sum += n
		t.start[b] = sum // end of bucket b
	}
	t.rows = slices.Grow(t.rows[:0], int(sum))[:sum]
	for i := len(spots) - 1; i >= 0; i-- { // backward, because each row decrements start[b], which finally is the beginning of bucket b
		if s := &spots[i]; s.valid() {
			b := t.bucket(uint32(s.X), uint32(s.Z))
			t.start[b]--
			t.rows[t.start[b]] = tileRow{s.X, s.Z | uint16(s.Plane)<<14, int32(i)}
		}
	}
}

func (t *TileIndex) bucket(x, z uint32) uint32 { return z&t.mask<<t.shift | x&t.mask }

// Rows returns the number of positions that were passed to Build. It also counts the values that stand for no position.
func (t *TileIndex) Rows() int { return len(t.positions) }

// patch is a rectangle of tiles on one plane: x from x0 to x1 and z from z0 to z1, all inclusive.
type patch struct{ x0, x1, z0, z1, plane int32 }

// patchAround returns the tiles of the map that are within r tiles of a position on both axes.
func patchAround(at TilePosition, r int32) patch {
	x, z := int32(at.X), int32(at.Z)
	return patch{max(x-r, 0), min(x+r, 1<<14-1), max(z-r, 0), min(z+r, 1<<14-1), int32(at.Plane)}
}

// Near appends to dst the rows of all actors that are on the same plane as the position "at" and within r tiles of it on both
// axes. It returns the extended slice. The order is the same on every CPU, but not ascending. The parameter r is 0..MaxSight.
func (t *TileIndex) Near(dst []int32, at TilePosition, r int32) []int32 {
	if !at.valid() || len(t.rows) == 0 {
		return dst
	}
	return t.appendPatch(dst, patchAround(at, r), len(dst)+len(t.rows))
}

// appendPatch appends the rows whose positions are in patch p and returns the extended slice. The patch must be at most
// 2*MaxSight+1 tiles wide and high. appendPatch visits lines of tiles with equal z, by ascending z. If dst has more than
// maximum rows after a line, it stops, and the caller discards the result.
func (t *TileIndex) appendPatch(dst []int32, p patch, maximum int) []int32 {
	first, last := uint32(p.x0)&t.mask, uint32(p.x1)&t.mask
	for z := p.z0; z <= p.z1 && len(dst) <= maximum; z++ {
		base := uint32(z) & t.mask << t.shift
		pz := uint16(z | p.plane<<14)
		if first <= last {
			dst = t.appendRun(dst, p, pz, base+first, base+last+1)
		} else { // the run wraps around the edge of the torus
			dst = t.appendRun(dst, p, pz, base+first, base+t.mask+1)
			dst = t.appendRun(dst, p, pz, base, base+last+1)
		}
	}
	return dst
}

// appendRun appends those rows of the buckets from..to-1 whose x is in the patch and whose plane and z are those in pz (packed
// as in tileRow.pz). It writes every row behind the end of the list, but moves the end only if the row matches. This avoids a
// branch, which a CPU would often mispredict here.
func (t *TileIndex) appendRun(dst []int32, p patch, pz uint16, from, to uint32) []int32 {
	some := t.rows[t.start[from]:t.start[to]]
	if len(some) == 0 {
		return dst
	}
	n := len(dst)
	if cap(dst)-n < len(some) {
		dst = slices.Grow(dst, len(some))
	}
	out := dst[n : n+len(some)]
	x0, wide := uint32(p.x0), uint32(p.x1-p.x0)
	k := 0
	for i := range some {
		s := &some[i]
		out[k] = s.row
		next := k + 1
		if uint32(s.x)-x0 <= wide && s.pz == pz {
			k = next
		}
	}
	return dst[:n+k]
}

// countUpperBound returns an upper bound of the number of rows in a patch, computed without visiting each row.
func (t *TileIndex) countUpperBound(p patch) (n int32) {
	first, last := uint32(p.x0)&t.mask, uint32(p.x1)&t.mask
	for z := p.z0; z <= p.z1; z++ {
		row := t.start[uint32(z)&t.mask<<t.shift:][:t.mask+2]
		if first <= last {
			n += row[last+1] - row[first]
		} else {
			n += row[t.mask+1] - row[first] + row[last+1] - row[0]
		}
	}
	return n
}
