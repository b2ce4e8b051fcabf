package rs

import "math/bits"

// overrides holds, for one viewer, the bodies of blocks that replace those which all viewers share.
type overrides struct {
	body [maxBlocks][]byte // bodies by position in wire order
	have uint32            // bit i: body[i] replaces the shared body
}

// buildCustomBlock builds the block of player index i for one viewer: the transient kinds of this cycle and every
// persistent kind that the viewer lacks. If there are none, the span of the block is empty.
func (e *PlayerInfoEncoder) buildCustomBlock(s *Scene, v *Viewer, i int) {
	row := e.rowFor(v, i)
	ri := &s.info[row]
	which, reset := e.dueKinds(s, v, i, row)
	e.override.have = 0
	if ri.private != 0 {
		which = e.overridePrivate(s, v, row, which)
	}
	if s.large && s.target >= 0 && s.facing.Has(row) && which>>s.target&1 != 0 {
		e.overrideTarget(s, v, row)
	}
	start := len(e.scratch)
	if all := which | reset; all != 0 {
		e.scratch = s.appendMask(e.scratch, all)
		for ; all != 0; all &= all - 1 {
			at := bits.TrailingZeros32(all)
			switch {
			case e.override.have>>at&1 != 0:
				e.scratch = append(e.scratch, e.override.body[at]...)
			case reset>>at&1 != 0:
				e.scratch = append(e.scratch, s.defaultBody[at]...)
			default:
				e.scratch = append(e.scratch, ri.body[at]...)
			}
		}
	}
	e.customSpans[i&MaxIndex] = inScratch | uint64(start)<<32 | uint64(len(e.scratch)-start)
	e.plan.customBuilt.add(i)
}

// dueKinds returns two sets of kinds, as positions in wire order, for player index i. The kinds in which must be sent. The
// kinds in reset must be sent with their default values, because the client still has values of the player that had the
// index before.
func (e *PlayerInfoEncoder) dueKinds(s *Scene, v *Viewer, i, row int) (which, reset uint32) {
	ri := &s.info[row]
	had := v.sentStates[i&MaxIndex]
	if had.cycle != 0 && e.identityChanged(s, v, i, row) {
		had.cycle = 0
	}
	which = ri.transient
	if had.cycle == 0 {
		which |= ri.persistent
	}
	for l := ri.persistent &^ which; l != 0; l &= l - 1 {
		at := bits.TrailingZeros32(l)
		if ri.changedAt[at] > had.cycle {
			which |= 1 << at
		}
	}
	if e.plan.add.has(i) {
		which |= ri.persistent & s.resendBits
	}
	if s.large && s.facing.Has(row) && e.facedIndex(s, v, row) != v.bind.slots[i&MaxIndex].faced {
		which |= 1 << s.target
	}
	reset = had.kinds &^ ri.persistent
	if at := s.places[KindAppearance]; at >= 0 {
		reset &^= 1 << at // an appearance has no default
	}
	return which, reset
}

// overridePrivate replaces the private kinds of a row by the values for this viewer, and returns the positions of the
// kinds to send.
func (e *PlayerInfoEncoder) overridePrivate(s *Scene, v *Viewer, row int, which uint32) uint32 {
	ri := &s.info[row]
	for private := ri.private &^ (s.persistentBits &^ which); private != 0 && e.PrivateInfo != nil; private &= private - 1 {
		at := bits.TrailingZeros32(private)
		k := s.kinds[at]
		e.info.Reset()
		if !e.PrivateInfo(v, row, k, &e.info) || e.info.lacks(k) {
			continue
		}
		e.override.body[at] = s.profile.AppendBlock(e.override.body[at][:0], k, &e.info)
		e.override.have |= 1 << at
		which |= 1 << at
	}
	return which
}

// recordSent stages, for Commit, that the viewer has all persistent info of player index i.
func (e *PlayerInfoEncoder) recordSent(s *Scene, v *Viewer, i int) {
	row := e.rowFor(v, i)
	t := sentRecord{index: i, kinds: s.info[row].nonDefault}
	if s.large {
		t.faced = e.facedIndex(s, v, row)
	}
	v.next.sent = append(v.next.sent, t)
}
