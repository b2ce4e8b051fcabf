package rs

import "math/bits"

// overrides holds encoded block bodies that only one viewer is sent. They replace the bodies that all viewers share.
type overrides struct {
	body [maxBlocks][]byte // bodies by the position of their kind in wire order
	have uint32            // bit i is set if body[i] replaces the shared body
}

// buildCustomBlock builds the info block of player index i for one viewer, in place of the block that all viewers share. It
// contains the transient kinds of this cycle and every persistent kind that the viewer lacks. If there is neither, the block has
// no bytes.
func (e *PlayerInfoEncoder) buildCustomBlock(s *Scene, v *Viewer, i int) {
	row := e.rowFor(v, i)
	ri := &s.info[row]
	due, reset := e.dueKinds(s, v, i, row)
	e.override.have = 0
	if ri.private != 0 {
		due = e.overridePrivate(s, v, row, due)
	}
	if s.large && s.target >= 0 && s.facing.Has(row) && due>>s.target&1 != 0 {
		e.overrideTarget(s, v, row)
	}
	start := len(e.scratch)
	if all := due | reset; all != 0 {
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

// dueKinds returns which kinds must be sent for player index i, as two bit sets: bit n stands for the n-th kind in the
// profile's wire order. The kinds in due are sent with their current values. The kinds in reset are sent with their default
// values, because the client still has those of the player that had the index before.
func (e *PlayerInfoEncoder) dueKinds(s *Scene, v *Viewer, i, row int) (due, reset uint32) {
	ri := &s.info[row]
	had := v.sentStates[i&MaxIndex]
	if had.cycle != 0 && e.identityChanged(s, v, i, row) {
		had.cycle = 0
	}
	due = ri.transient
	if had.cycle == 0 {
		due |= ri.persistent
	}
	for l := ri.persistent &^ due; l != 0; l &= l - 1 {
		at := bits.TrailingZeros32(l)
		if ri.changedAt[at] > had.cycle {
			due |= 1 << at
		}
	}
	if e.plan.add.has(i) {
		due |= ri.persistent & s.resendBits
	}
	if s.large && s.facing.Has(row) && e.facedIndex(s, v, row) != v.bind.slots[i&MaxIndex].faced {
		due |= 1 << s.target
	}
	reset = had.kinds &^ ri.persistent
	if at := s.places[KindAppearance]; at >= 0 {
		reset &^= 1 << at // an appearance has no default
	}
	return due, reset
}

// overridePrivate encodes, for one viewer, those kinds of a row whose values differ between viewers (Scene.SetPrivate). The
// parameter due is the set of kinds to send; bit n stands for the n-th kind in the profile's wire order. The result is due
// together with the encoded kinds.
func (e *PlayerInfoEncoder) overridePrivate(s *Scene, v *Viewer, row int, due uint32) uint32 {
	ri := &s.info[row]
	for private := ri.private &^ (s.persistentBits &^ due); private != 0 && e.PrivateInfo != nil; private &= private - 1 {
		at := bits.TrailingZeros32(private)
		k := s.kinds[at]
		e.info.Reset()
		if !e.PrivateInfo(v, row, k, &e.info) || e.info.lacks(k) {
			continue
		}
		e.override.body[at] = s.profile.AppendBlock(e.override.body[at][:0], k, &e.info)
		e.override.have |= 1 << at
		due |= 1 << at
	}
	return due
}

// recordSent records that this packet contains all persistent info of player index i that the client lacks. Commit applies this
// to the viewer.
func (e *PlayerInfoEncoder) recordSent(s *Scene, v *Viewer, i int) {
	row := e.rowFor(v, i)
	t := sentRecord{index: i, kinds: s.info[row].nonDefault}
	if s.large {
		t.faced = e.facedIndex(s, v, row)
	}
	v.next.sent = append(v.next.sent, t)
}
