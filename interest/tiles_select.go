package interest

import (
	"math/bits"
	"slices"
)

// Query is the input of Selector.Select: the viewer, its view range, and the actors that matter to it. A row is the number of an
// actor in the TileIndex.
type Query struct {
	Viewer int32   // row of the viewer, which is always in the result
	Range  int32   // current view range: Range of the viewer's Sight, in tiles
	Bound  []int32 // rows that are selected before all others in a crowd: target, attackers, party
	Shown  []int32 // rows, in this cycle, of the actors that were in view in the last cycle; in any order
}

// Selector is the working memory with which one goroutine selects the actors in view. The zero value is ready.
type Selector struct {
	selected []uint64 // bitset of selected rows; all zero between calls
	shown    []uint64 // bitset of the rows of Query.Shown; all zero between calls
	last     []uint64 // bitset of the rows with the highest selected rank, of which perhaps not all fit; all zero between calls

	near       []int32 // rows that may be selected (the candidates)
	ranks      []uint8 // by index of near: rank of each candidate, 0..ranks-1
	lowestRows []int32
	count      [ranks]int32 // number of candidates of each rank
}

// ranks is the number of different ranks that a row can have. If not all actors near a viewer fit into its view, the rows of
// lowest rank are selected. The rank of a row is twice its effective distance from the viewer, plus 1 if it was not in view in
// the last cycle. The effective distance is the distance in tiles; for a row that was in view, the hysteresis is subtracted.
const ranks = 2*MaxSight + 2

// Select appends to dst the rows of the actors that the viewer sees in this cycle, ascending, and returns the extended
// slice:
//
//   - The viewer itself, always.
//   - Bound rows on its plane within BoundRange tiles, always; rows that were in view also within Hysteresis tiles more.
//   - Other rows on its plane within Range tiles. While Range is the rule's full range, rows that were in view also
//     within Hysteresis tiles more, so that an actor that moves back and forth across the border enters once.
//   - Unless the rule is Soft, at most MaxShown rows: the bound rows first, then the nearest. A row that was in view
//     counts as Hysteresis tiles nearer and wins ties; the other ties are won by the lower row number.
//
// Select only reads t. dst may be ask.Shown[:0], whose memory Select then overwrites. Once the buffers have grown, Select does
// not allocate.
func (c *Selector) Select(dst []int32, t *TileIndex, rule *SightRule, ask *Query) []int32 {
	words := (t.Rows() + 63) / 64
	c.selected, c.shown, c.last = resizeBits(c.selected, words), resizeBits(c.shown, words), resizeBits(c.last, words)
	at := t.positions[ask.Viewer]
	setBit(c.selected, ask.Viewer)
	if at.valid() {
		for _, row := range ask.Shown {
			setBit(c.shown, row)
		}
		room := rule.MaxShown - 1 - c.selectBound(t, rule, ask, at)
		margin := rule.Hysteresis
		if ask.Range < rule.Range {
			margin = 0
		}
		if !c.selectAll(t, ask, at, margin, room, rule.Soft) {
			c.selectNearest(t, at, ask.Range, margin, room)
		}
		for _, row := range ask.Shown {
			c.shown[row>>6] = 0
		}
	}
	return appendSet(dst, c.selected, t.Rows())
}

// resizeBits returns the bitset s with the given number of words. Bits in added words are 0.
func resizeBits(s []uint64, words int) []uint64 {
	if words <= cap(s) {
		return s[:words]
	}
	return append(s[:cap(s)], make([]uint64, words-cap(s))...)
}

// appendSet appends to dst the lowest rows of a bitset in ascending order, at most the given number of them, and clears
// the bitset.
func appendSet(dst []int32, set []uint64, maximum int) []int32 {
	for w, word := range set {
		for ; word != 0 && maximum > 0; word &= word - 1 {
			dst = append(dst, int32(w<<6|bits.TrailingZeros64(word)))
			maximum--
		}
		set[w] = 0
	}
	return dst
}

func setBit(s []uint64, row int32) { s[row>>6] |= 1 << (row & 63) }

func hasBit(s []uint64, row int32) bool { return s[row>>6]>>(row&63)&1 != 0 }

// selectBound selects the rows of Query.Bound that are within SightRule.BoundRange and returns the number of rows that it
// added.
func (c *Selector) selectBound(t *TileIndex, rule *SightRule, ask *Query, at TilePosition) (n int32) {
	for _, row := range ask.Bound {
		far := rule.BoundRange
		if hasBit(c.shown, row) {
			far += rule.Hysteresis
		}
		if !hasBit(c.selected, row) && t.positions[row].Plane == at.Plane && tileDistance(t.positions[row], at) <= far {
			setBit(c.selected, row)
			n++
		}
	}
	return n
}

// tileDistance returns the Chebyshev distance of two positions in tiles: the larger of the distances on the two axes.
func tileDistance(a, b TilePosition) int32 {
	dx, dz := int32(a.X)-int32(b.X), int32(a.Z)-int32(b.Z)
	return max(dx, -dx, dz, -dz)
}

// selectAll selects (1) every row within the range and (2) the rows that were in view and are at most margin tiles beyond the
// range. The parameter room is the number of rows that may still be selected. If more rows might be selected and the parameter
// anyway is false, selectAll selects nothing and returns false.
func (c *Selector) selectAll(t *TileIndex, ask *Query, at TilePosition, margin, room int32, anyway bool) bool {
	maximum := room
	if anyway {
		maximum = int32(t.Rows())
	}
	c.near = t.appendPatch(c.near[:0], patchAround(at, ask.Range), int(maximum))
	if !anyway && len(c.near) > int(maximum) {
		return false
	}
	if margin > 0 {
		for _, row := range ask.Shown {
			if s := t.positions[row]; s.Plane == at.Plane {
				if d := tileDistance(s, at); d > ask.Range && d <= ask.Range+margin {
					c.near = append(c.near, row)
				}
			}
		}
	}
	if int32(len(c.near)) > maximum && !anyway {
		return false
	}
	for _, row := range c.near {
		setBit(c.selected, row)
	}
	return true
}

// selectNearest selects the nearest of the rows that selectAll would select; the parameter room is the maximum number of rows. It
// extends the search radius only until enough rows are found.
func (c *Selector) selectNearest(t *TileIndex, at TilePosition, r, margin, room int32) {
	if room <= 0 {
		return
	}
	k := int32(0) // guess that enough rows are at an effective distance of at most k tiles
	for {
		for k < r && t.countUpperBound(patchAround(at, k)) < room {
			k++
		}
		if c.rank(t, at, k, margin) >= room || k == r {
			break
		}
		k++ // too few rows: some were elsewhere on the torus or already selected
	}
	c.selectRanked(room, int(2*k+2))
}

// selectRanked selects the rows of lowest rank. It selects only rows whose rank is below the parameter end, and at most as many
// as the parameter room says. If only some rows of a rank can be selected, it selects those with the lowest row numbers.
func (c *Selector) selectRanked(room int32, end int) {
	cut := 0
	for cut < end && c.count[cut] <= room {
		room -= c.count[cut]
		cut++
	}
	whole, part := uint8(cut), uint8(cut)
	if cut == end {
		part = ranks // a value that no row has: no rank fits only in part
	}
	for i, row := range c.near {
		var in, some uint64
		if c.ranks[i] < whole {
			in = 1
		}
		if c.ranks[i] == part {
			some = 1
		}
		c.selected[row>>6] |= in << (row & 63)
		c.last[row>>6] |= some << (row & 63)
	}
	c.lowestRows = appendSet(c.lowestRows[:0], c.last, int(room))
	for _, row := range c.lowestRows {
		setBit(c.selected, row)
	}
}

// rank collects the rows within k+margin tiles of the viewer that are not selected yet, and computes the rank of each. The result
// found is the number of those whose effective distance (see the constant ranks) is at most k tiles.
func (c *Selector) rank(t *TileIndex, at TilePosition, k, margin int32) (found int32) {
	p := patchAround(at, k+margin)
	c.near, c.ranks = c.near[:0], c.ranks[:0]
	clear(c.count[:])
	first, last := uint32(p.x0)&t.mask, uint32(p.x1)&t.mask
	for z := p.z0; z <= p.z1; z++ {
		base := uint32(z) & t.mask << t.shift
		if first <= last {
			c.rankRun(t.rows[t.start[base+first]:t.start[base+last+1]], at, z, k+margin, margin)
		} else { // the run wraps around the edge of the torus
			c.rankRun(t.rows[t.start[base+first]:t.start[base+t.mask+1]], at, z, k+margin, margin)
			c.rankRun(t.rows[t.start[base]:t.start[base+last+1]], at, z, k+margin, margin)
		}
	}
	for _, n := range c.count[:2*k+2] {
		found += n
	}
	return found
}

// rankRun computes the ranks of those rows in consecutive buckets (the parameter run) that are on the viewer's plane, on a tile
// whose z is the parameter z, and at most far tiles from the viewer. It tests without a branch whether a row was in view,
// because a CPU would often mispredict that branch in a moving crowd.
func (c *Selector) rankRun(run []tileRow, at TilePosition, z, far, margin int32) {
	x, dz := int32(at.X), z-int32(at.Z)
	dz = max(dz, -dz)
	pz := uint16(z) | uint16(at.Plane)<<14
	n := len(c.near)
	c.near, c.ranks = slices.Grow(c.near, len(run))[:n+len(run)], slices.Grow(c.ranks, len(run))[:n+len(run)]
	near, ranks := c.near, c.ranks
	chosen, wasShown := c.selected, c.shown[:len(c.selected)]
	for i := range run {
		s := &run[i]
		dx := int32(s.x) - x
		d := max(dx, -dx, dz)
		w, bit := s.row>>6, uint(s.row&63)
		if s.pz != pz || d > far || chosen[w]>>bit&1 != 0 {
			continue
		}
		shown := int32(wasShown[w] >> bit & 1)
		rank := 2*max(d-shown*margin, 0) + 1 - shown
		near[n], ranks[n] = s.row, uint8(rank)
		n++
		c.count[rank]++
	}
	c.near, c.ranks = near[:n], ranks[:n]
}
