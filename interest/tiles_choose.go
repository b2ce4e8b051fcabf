package interest

import (
	"math/bits"
	"slices"
)

// Ask is one viewer's question.
type Query struct {
	Viewer int32   // his row, which is always in the answer
	Range  int32   // tiles, of his Sight: 0..Far
	Bound  []int32 // rows that no crowd hides: whom he fights, who fights him, his party
	Shown  []int32 // rows that he was shown in the last cycle, numbered as in this one; in any order
}

// Chooser is the working memory of one worker. The zero value is ready.
type Selector struct {
	chosen []uint64 // one bit for each row; clear between calls
	shown  []uint64 // likewise, for Ask.Shown
	last   []uint64 // likewise, for those of whom only some have room

	near   []int32 // rows that were found
	ranks  []uint8 // of each of near: all below the constant ranks
	lowest []int32
	count  [ranks]int32 // how many of near have each rank
}

// Ranks order candidates: twice the tiles that one counts as away, plus 1 if he was not shown.
const ranks = 2*MaxSight + 2

// Choose appends the rows that the viewer is shown in this cycle, ascending, and returns the longer slice.
//
//   - The viewer himself, always.
//   - Bound rows on his plane within BoundFar tiles, or Margin more if they were shown, always.
//   - Others on his plane within Range tiles. While Range is all of Far, also those who were shown and are up to Margin
//     farther, so that who walks to and fro over the border enters once.
//   - Unless the rule is Soft, at most Most in all, the bound first and then the nearest. Whoever was shown counts as
//     Margin tiles nearer; among equals he stays, and then the lower rows are taken.
//
// t is only read. dst may be the memory of Shown, from its beginning. It does not allocate in a steady run.
func (c *Selector) Select(dst []int32, t *TileIndex, rule *SightRule, ask *Query) []int32 {
	words := (t.Rows() + 63) / 64
	c.chosen, c.shown, c.last = resizeBits(c.chosen, words), resizeBits(c.shown, words), resizeBits(c.last, words)
	at := t.spots[ask.Viewer]
	setBit(c.chosen, ask.Viewer)
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
	return appendSet(dst, c.chosen, t.Rows())
}

// roomFor is s with so many words; words beyond what it had are zero.
func resizeBits(s []uint64, words int) []uint64 {
	if words <= cap(s) {
		return s[:words]
	}
	return append(s[:cap(s)], make([]uint64, words-cap(s))...)
}

// take appends the rows of a set in ascending order, at most that many, and clears the set.
func appendSet(dst []int32, set []uint64, most int) []int32 {
	for w, word := range set {
		for ; word != 0 && most > 0; word &= word - 1 {
			dst = append(dst, int32(w<<6|bits.TrailingZeros64(word)))
			most--
		}
		set[w] = 0
	}
	return dst
}

func setBit(s []uint64, row int32) { s[row>>6] |= 1 << (row & 63) }

func hasBit(s []uint64, row int32) bool { return s[row>>6]>>(row&63)&1 != 0 }

// bind chooses the bound rows that are near enough, and returns how many they are.
func (c *Selector) selectBound(t *TileIndex, rule *SightRule, ask *Query, at TilePosition) (n int32) {
	for _, row := range ask.Bound {
		far := rule.BoundRange
		if hasBit(c.shown, row) {
			far += rule.Hysteresis
		}
		if !hasBit(c.chosen, row) && t.spots[row].Plane == at.Plane && tileDistance(t.spots[row], at) <= far {
			setBit(c.chosen, row)
			n++
		}
	}
	return n
}

// between is the Chebyshev distance of two spots, in tiles.
func tileDistance(a, b TilePosition) int32 {
	dx, dz := int32(a.X)-int32(b.X), int32(a.Z)-int32(b.Z)
	return max(dx, -dx, dz, -dz)
}

// all chooses everybody within the range, and those shown within margin more. It chooses nobody and returns false if that
// could be more than room, unless it is to be done anyway.
func (c *Selector) selectAll(t *TileIndex, ask *Query, at TilePosition, margin, room int32, anyway bool) bool {
	most := room
	if anyway {
		most = int32(t.Rows())
	}
	c.near = t.appendPatch(c.near[:0], patchAround(at, ask.Range), int(most))
	if !anyway && len(c.near) > int(most) {
		return false
	}
	if margin > 0 {
		for _, row := range ask.Shown {
			if s := t.spots[row]; s.Plane == at.Plane {
				if d := tileDistance(s, at); d > ask.Range && d <= ask.Range+margin {
					c.near = append(c.near, row)
				}
			}
		}
	}
	if int32(len(c.near)) > most && !anyway {
		return false
	}
	for _, row := range c.near {
		setBit(c.chosen, row)
	}
	return true
}

// nearest chooses the nearest of those that all would choose, at most room of them. It looks only as far as it must.
func (c *Selector) selectNearest(t *TileIndex, at TilePosition, r, margin, room int32) {
	if room <= 0 {
		return
	}
	k := int32(0) // among those who count as at most k tiles away there may be enough
	for {
		for k < r && t.countUpperBound(patchAround(at, k)) < room {
			k++
		}
		if c.rank(t, at, k, margin) >= room || k == r {
			break
		}
		k++ // some of them were in other places of the torus, or chosen before
	}
	c.selectRanked(room, int(2*k+2))
}

// chooseRanked chooses room of those who have ranks below end: the lowest ranks, and of the last one the lowest rows.
func (c *Selector) selectRanked(room int32, end int) {
	cut := 0
	for cut < end && c.count[cut] <= room {
		room -= c.count[cut]
		cut++
	}
	whole, part := uint8(cut), uint8(cut)
	if cut == end {
		part = ranks // nobody
	}
	for i, row := range c.near {
		var in, some uint64
		if c.ranks[i] < whole {
			in = 1
		}
		if c.ranks[i] == part {
			some = 1
		}
		c.chosen[row>>6] |= in << (row & 63)
		c.last[row>>6] |= some << (row & 63)
	}
	c.lowest = appendSet(c.lowest[:0], c.last, int(room))
	for _, row := range c.lowest {
		setBit(c.chosen, row)
	}
}

// rank finds those within k+margin tiles, ranks them, and returns how many of them count as at most k tiles away. Chosen
// ones are left out.
func (c *Selector) rank(t *TileIndex, at TilePosition, k, margin int32) (found int32) {
	p := patchAround(at, k+margin)
	c.near, c.ranks = c.near[:0], c.ranks[:0]
	clear(c.count[:])
	first, last := uint32(p.x0)&t.mask, uint32(p.x1)&t.mask
	for z := p.z0; z <= p.z1; z++ {
		base := uint32(z) & t.mask << t.shift
		if first <= last {
			c.rankRun(t.rows[t.start[base+first]:t.start[base+last+1]], at, z, k+margin, margin)
		} else { // the run crosses the seam of the torus
			c.rankRun(t.rows[t.start[base+first]:t.start[base+t.mask+1]], at, z, k+margin, margin)
			c.rankRun(t.rows[t.start[base]:t.start[base+last+1]], at, z, k+margin, margin)
		}
	}
	for _, n := range c.count[:2*k+2] {
		found += n
	}
	return found
}

// rankRun ranks those of a run of buckets who are really in row z of the viewer's plane and within far tiles. Whether one
// was shown is decided by arithmetic: in a moving crowd nobody could predict a branch.
func (c *Selector) rankRun(run []tileRow, at TilePosition, z, far, margin int32) {
	x, dz := int32(at.X), z-int32(at.Z)
	dz = max(dz, -dz)
	pz := uint16(z) | uint16(at.Plane)<<14
	n := len(c.near)
	c.near, c.ranks = slices.Grow(c.near, len(run))[:n+len(run)], slices.Grow(c.ranks, len(run))[:n+len(run)]
	near, ranks := c.near, c.ranks
	chosen, wasShown := c.chosen, c.shown[:len(c.chosen)]
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
