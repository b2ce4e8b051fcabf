package rs

import "math/bits"

// planCatchUp plans a packet for a viewer of a scene made by NewScene, if the viewer (1) has missed cycles or (2) has
// received only the placement block, which tells a client the positions of all players. It computes the codes of
// movements from the positions that the viewer's client knows.
func (e *PlayerInfoEncoder) planCatchUp(s *Scene, v *Viewer, want RowSet) {
	var since struct{ known, fresh, moved, crossed, changed indexSet }
	then, cell := s.tiles[v.cycle%historyCycles], s.profile.SquareShift
	for i := 1; i < indexSlots; i++ {
		was, is := then[i], s.now[i]
		fresh := s.addedAt[i] > v.cycle
		if i == v.own {
			was, fresh = v.tile, false
		}
		c := &e.ownCodes[i]
		c.move, c.span, e.ownLow[i] = codeStay, s.codes[i].span, lowUnchanged
		if was != is {
			if e.ownLow[i] = encodeLowChange(squareOf(was, cell), squareOf(is, cell)); e.ownLow[i] != lowUnchanged {
				since.crossed.add(i)
			}
			if !fresh {
				c.move = encodeMove(was, is, s.moveKind(i, v.cycle))
				since.moved.add(i)
			}
		}
		c.add = encodeAdd(e.ownLow[i], is, cell)
		if fresh {
			since.fresh.add(i)
		}
		if s.persistentAt[i] > v.cycle {
			since.changed.add(i)
		}
	}
	e.codes, e.low = &e.ownCodes, &e.ownLow
	for w := range v.known {
		since.known[w] = v.known[w] &^ since.changed[w] // the shared block has only the changes of this cycle
	}
	e.planShared(s, v, (*indexSet)(want), &changeSets{&since.known, &since.fresh, &since.moved, &since.crossed, &since.changed})
}

// countMissed counts transient info that was lost because the viewer missed cycles. For each missed cycle, every local player
// that had transient info in that cycle counts once.
func countMissed(s *Scene, v *Viewer) int {
	n := 0
	for c := v.cycle + 1; c < s.cycle; c++ {
		said := s.transientRows[c%historyCycles]
		if s.large {
			n += v.bind.count(said)
			continue
		}
		for w := range v.local {
			n += bits.OnesCount64(v.local[w] & said[w])
		}
	}
	return n
}
