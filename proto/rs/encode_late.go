package rs

import "math/bits"

// planLate is the plan for a viewer of a shared scene that missed cycles, or that has just got its placement block: the
// codes are made for it, from what its client believes.
func (e *Encoder) planLate(s *Scene, v *Viewer, want Rows) {
	var since struct{ known, fresh, moved, crossed, changed indexSet }
	then, cell := s.tiles[v.cycle%historyCycles], s.profile.Cell
	for i := 1; i < indexSlots; i++ {
		was, is := then[i], s.now[i]
		fresh := s.born[i] > v.cycle
		if i == v.own {
			was, fresh = v.tile, false
		}
		c := &e.mine[i]
		c.move, c.span, e.mineLow[i] = stay, s.codes[i].span, lowSame
		if was != is {
			if e.mineLow[i] = lowBits(squareOf(was, cell), squareOf(is, cell)); e.mineLow[i] != lowSame {
				since.crossed.add(i)
			}
			if !fresh {
				c.move = moveBits(was, is, s.how(i, v.cycle))
				since.moved.add(i)
			}
		}
		c.add = addBits(e.mineLow[i], is, cell)
		if fresh {
			since.fresh.add(i)
		}
		if s.told[i] > v.cycle {
			since.changed.add(i)
		}
	}
	e.codes, e.low = &e.mine, &e.mineLow
	for w := range v.known {
		since.known[w] = v.known[w] &^ since.changed[w] // the scene's block has this cycle's changes only
	}
	e.sets(s, v, (*indexSet)(want), &sceneSets{&since.known, &since.fresh, &since.moved, &since.crossed, &since.changed})
}

// missed counts whose transient info a viewer never saw: locals who had some in a cycle that it was not sent.
func missed(s *Scene, v *Viewer) int {
	n := 0
	for c := v.cycle + 1; c < s.cycle; c++ {
		said := s.said[c%historyCycles]
		if s.crowd {
			n += v.bind.count(said)
			continue
		}
		for w := range v.local {
			n += bits.OnesCount64(v.local[w] & said[w])
		}
	}
	return n
}
