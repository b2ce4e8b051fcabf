package rs

import "math/bits"

// asked holds the bodies that a viewer has for itself while its block is put together.
type asked struct {
	body [maxBlocks][]byte
	have uint32
}

// build puts together the block of an index for one viewer: what is of this cycle, and everything persistent that the
// viewer lacks. Its span is empty if there is nothing to say.
func (e *Encoder) build(s *Scene, v *Viewer, i int) {
	row := e.rowFor(v, i)
	ri := &s.info[row]
	which, reset := e.due(s, v, i, row)
	e.ask.have = 0
	if ri.private != 0 {
		which = e.askOwn(s, v, row, which)
	}
	if s.crowd && s.target >= 0 && s.aiming.Has(row) && which>>s.target&1 != 0 {
		e.askTarget(s, v, row)
	}
	start := len(e.scratch)
	if all := which | reset; all != 0 {
		e.scratch = s.appendMask(e.scratch, all)
		for ; all != 0; all &= all - 1 {
			at := bits.TrailingZeros32(all)
			switch {
			case e.ask.have>>at&1 != 0:
				e.scratch = append(e.scratch, e.ask.body[at]...)
			case reset>>at&1 != 0:
				e.scratch = append(e.scratch, s.rested[at]...)
			default:
				e.scratch = append(e.scratch, ri.body[at]...)
			}
		}
	}
	e.made[i&MaxIndex] = inScratch | uint64(start)<<32 | uint64(len(e.scratch)-start)
	e.plan.built.add(i)
}

// due returns the positions that a viewer is to be told of an index, and those that it has from somebody who had the
// index before and that go back to rest.
func (e *Encoder) due(s *Scene, v *Viewer, i, row int) (which, reset uint32) {
	ri := &s.info[row]
	had := v.heard[i&MaxIndex]
	if had.cycle != 0 && e.stranger(s, v, i, row) {
		had.cycle = 0
	}
	which = ri.passing
	if had.cycle == 0 {
		which |= ri.lasting
	}
	for l := ri.lasting &^ which; l != 0; l &= l - 1 {
		at := bits.TrailingZeros32(l)
		if ri.stamp[at] > had.cycle {
			which |= 1 << at
		}
	}
	if e.plan.add.has(i) {
		which |= ri.lasting & s.fades
	}
	if s.crowd && s.aiming.Has(row) && e.aimOf(s, v, row) != v.bind.slots[i&MaxIndex].aimed {
		which |= 1 << s.target
	}
	reset = had.kinds &^ ri.lasting
	if at := s.places[KindAppearance]; at >= 0 {
		reset &^= 1 << at // there is no appearance to go back to
	}
	return which, reset
}

// askOwn replaces what is private of a row by what the viewer is told, and returns which positions there are then.
func (e *Encoder) askOwn(s *Scene, v *Viewer, row int, which uint32) uint32 {
	ri := &s.info[row]
	for private := ri.private &^ (s.lasts &^ which); private != 0 && e.Own != nil; private &= private - 1 {
		at := bits.TrailingZeros32(private)
		k := s.kinds[at]
		e.info.Reset()
		if !e.Own(v, row, k, &e.info) || e.info.lacks(k) {
			continue
		}
		e.ask.body[at] = s.profile.AppendBlock(e.ask.body[at][:0], k, &e.info)
		e.ask.have |= 1 << at
		which |= 1 << at
	}
	return which
}

// tell notes that a viewer has everything persistent of an index.
func (e *Encoder) tell(s *Scene, v *Viewer, i int) {
	row := e.rowFor(v, i)
	t := telling{index: i, kinds: s.info[row].odd}
	if s.crowd {
		t.aimed = e.aimOf(s, v, row)
	}
	v.next.tellings = append(v.next.tellings, t)
}
