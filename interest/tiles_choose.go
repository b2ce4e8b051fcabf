package interest

import "math/bits"

// Ask is one viewer's question.
type Ask struct {
	Viewer int32   // his row, which is always in the answer
	Range  int32   // tiles, of his Sight: 0..Far
	Bound  []int32 // rows that no crowd hides: whom he fights, who fights him, his party
	Shown  []int32 // rows that he was shown in the last cycle, numbered as in this one; in any order
}

// Chooser is the working memory of one worker. The zero value is ready.
type Chooser struct {
	chosen []uint64 // one bit for each row; clear between calls
	shown  []uint64 // likewise, for Ask.Shown
	some   []uint64 // likewise, for chooseSome

	// Who was found ring by ring around the viewer, without the chosen ones: those who were shown and those who were
	// not. oldEnd[d] and newEnd[d] are where those at distance d end.
	old, new       []int32
	oldEnd, newEnd []int32
	near, lowest   []int32
}

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
func (c *Chooser) Choose(dst []int32, t *Tiles, rule *SightRule, ask *Ask) []int32 {
	words := (t.Rows() + 63) / 64
	c.chosen, c.shown, c.some = roomFor(c.chosen, words), roomFor(c.shown, words), roomFor(c.some, words)
	at := t.spots[ask.Viewer]
	c.chosen[ask.Viewer>>6] |= 1 << (ask.Viewer & 63)
	if at.here() {
		for _, row := range ask.Shown {
			c.shown[row>>6] |= 1 << (row & 63)
		}
		room := rule.Most - 1 - c.bind(t, rule, ask, at)
		margin := rule.Margin
		if ask.Range < rule.Far {
			margin = 0
		}
		if rule.Soft || t.atMost(patchAround(at, ask.Range+margin)) <= room {
			c.all(t, at, ask.Range, margin)
		} else {
			c.nearest(t, at, ask.Range, margin, room)
		}
		for _, row := range ask.Shown {
			c.shown[row>>6] = 0
		}
	}
	return take(dst, c.chosen, t.Rows())
}

// roomFor is s with so many words; words beyond what it had are zero.
func roomFor(s []uint64, words int) []uint64 {
	if words <= cap(s) {
		return s[:words]
	}
	return append(s[:cap(s)], make([]uint64, words-cap(s))...)
}

// take appends the rows of a set in ascending order, at most that many, and clears the set.
func take(dst []int32, set []uint64, most int) []int32 {
	for w, word := range set {
		for ; word != 0 && most > 0; word &= word - 1 {
			dst = append(dst, int32(w<<6|bits.TrailingZeros64(word)))
			most--
		}
		set[w] = 0
	}
	return dst
}

func (c *Chooser) isShown(row int32) bool  { return c.shown[row>>6]>>(row&63)&1 != 0 }
func (c *Chooser) isChosen(row int32) bool { return c.chosen[row>>6]>>(row&63)&1 != 0 }
func (c *Chooser) choose(rows []int32) {
	for _, row := range rows {
		c.chosen[row>>6] |= 1 << (row & 63)
	}
}

// bind chooses the bound rows that are near enough, and returns how many they are.
func (c *Chooser) bind(t *Tiles, rule *SightRule, ask *Ask, at Spot) (n int32) {
	for _, row := range ask.Bound {
		far := rule.BoundFar
		if c.isShown(row) {
			far += rule.Margin
		}
		if !c.isChosen(row) && t.spots[row].Plane == at.Plane && between(t.spots[row], at) <= far {
			c.chosen[row>>6] |= 1 << (row & 63)
			n++
		}
	}
	return n
}

// between is the Chebyshev distance of two spots, in tiles.
func between(a, b Spot) int32 {
	dx, dz := int32(a.X)-int32(b.X), int32(a.Z)-int32(b.Z)
	return max(dx, -dx, dz, -dz)
}

// all chooses everybody within r, and those shown within r+margin.
func (c *Chooser) all(t *Tiles, at Spot, r, margin int32) {
	c.near = t.Near(c.near[:0], at, r)
	c.choose(c.near)
	for d := r + 1; d <= r+margin; d++ {
		c.near = t.ring(c.near[:0], at, d)
		for _, row := range c.near {
			c.chosen[row>>6] |= c.shown[row>>6] & (1 << (row & 63))
		}
	}
}

// nearest chooses the nearest of those that all would choose, at most room of them. It looks at ring after ring and
// at no more rings than it needs.
func (c *Chooser) nearest(t *Tiles, at Spot, r, margin, room int32) {
	c.old, c.new, c.oldEnd, c.newEnd = c.old[:0], c.new[:0], c.oldEnd[:0], c.newEnd[:0]
	var oldFrom, newFrom int32
	for d := int32(0); d <= r && room > 0; d++ {
		for int32(len(c.oldEnd)) <= d+margin {
			c.look(t, at)
		}
		// Those whose distance counts as d.
		old, fresh := c.old[oldFrom:c.oldEnd[d+margin]], c.new[newFrom:c.newEnd[d]]
		oldFrom, newFrom = c.oldEnd[d+margin], c.newEnd[d]
		room = c.chooseSome(old, room)
		room = c.chooseSome(fresh, room)
	}
}

// look sorts the next ring into those who were shown and those who were not.
func (c *Chooser) look(t *Tiles, at Spot) {
	c.near = t.ring(c.near[:0], at, int32(len(c.oldEnd)))
	for _, row := range c.near {
		switch {
		case c.isChosen(row):
		case c.isShown(row):
			c.old = append(c.old, row)
		default:
			c.new = append(c.new, row)
		}
	}
	c.oldEnd, c.newEnd = append(c.oldEnd, int32(len(c.old))), append(c.newEnd, int32(len(c.new)))
}

// chooseSome chooses rows, the lowest if there is not room for all, and returns how much room is left.
func (c *Chooser) chooseSome(rows []int32, room int32) int32 {
	if room <= 0 {
		return room
	}
	if room < int32(len(rows)) {
		for _, row := range rows {
			c.some[row>>6] |= 1 << (row & 63)
		}
		c.lowest = take(c.lowest[:0], c.some, int(room))
		rows = c.lowest
	}
	c.choose(rows)
	return room - int32(len(rows))
}

// ring appends the rows of those who stand exactly d tiles away.
func (t *Tiles) ring(dst []int32, at Spot, d int32) []int32 {
	p := patchAround(at, d)
	if d == 0 {
		return t.in(dst, p)
	}
	x, z := int32(at.X), int32(at.Z)
	sides := p // the columns at the ends, without the corners
	if z-d >= 0 {
		dst = t.in(dst, patch{p.x0, p.x1, z - d, z - d, p.plane})
		sides.z0++
	}
	if z+d < 1<<14 {
		dst = t.in(dst, patch{p.x0, p.x1, z + d, z + d, p.plane})
		sides.z1--
	}
	if x-d >= 0 {
		dst = t.in(dst, patch{x - d, x - d, sides.z0, sides.z1, p.plane})
	}
	if x+d < 1<<14 {
		dst = t.in(dst, patch{x + d, x + d, sides.z0, sides.z1, p.plane})
	}
	return dst
}
