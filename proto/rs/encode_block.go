package rs

import "math/bits"

// asked holds the bodies that a viewer has for itself while its block is put together.
type overrides struct {
	body [maxBlocks][]byte
	have uint32
}

// build puts together the block of an index for one viewer: what is of this cycle, and everything persistent that the
// viewer lacks. Its span is empty if there is nothing to say.
func (e *Encoder) buildCustomBlock(s *Scene, v *Viewer, i int) {
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

// due returns the positions that a viewer is to be told of an index, and those that it has from somebody who had the
// index before and that go back to rest.
func (e *Encoder) dueKinds(s *Scene, v *Viewer, i, row int) (which, reset uint32) {
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
		reset &^= 1 << at // there is no appearance to go back to
	}
	return which, reset
}

// askOwn replaces what is private of a row by what the viewer is told, and returns which positions there are then.
func (e *Encoder) overridePrivate(s *Scene, v *Viewer, row int, which uint32) uint32 {
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

// tell notes that a viewer has everything persistent of an index.
func (e *Encoder) recordSent(s *Scene, v *Viewer, i int) {
	row := e.rowFor(v, i)
	t := sentRecord{index: i, kinds: s.info[row].nonDefault}
	if s.large {
		t.faced = e.facedIndex(s, v, row)
	}
	v.next.sent = append(v.next.sent, t)
}
