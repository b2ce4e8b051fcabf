package rs

import "math/bits"

// binding is which rows a viewer of a crowd knows under which indices. An index keeps its row when the avatar is removed,
// so that what the client has in its caches serves again; it changes hands only when no other is free.
type indexBinding struct {
	indexOf    []uint16              // by row; 0 is none
	visible    RowSet                // rows of the locals, the own one included
	used       indexSet              // indices that have a row
	slots      [indexSlots]boundSlot // by index
	searchFrom int                   // where the search for an index begins
	maxIndex   int                   // the highest index that is given out

	// What Commit will make true.
	removed  []removedSquare
	assigned []assignment
	ownID    uint64 // who the viewer itself is

	exhausted bool // no index is left for this packet
}

// bound is what a client has under an index.
type boundSlot struct {
	id    uint64 // who it was told is the index
	row   int32  // of those in binding.taken
	low   Square // where it believes an external to be
	faced uint16 // the index that it was told the avatar faces, 0 none
}

type removedSquare struct {
	index  int
	square Square
}

// rowIndex is a row and the index that a viewer has for it.
type rowIndex struct {
	row   int32
	index uint16
}

type assignment struct {
	index, row int
	id         uint64
}

// NewCrowdViewer returns the mirror of a client in a crowd that is about to get the placement block (AppendPlacement).
// own is the index that the client has of itself, 1..MaxIndex and fixed for the session; row is where its avatar stands
// already.
func NewLargeSceneViewer(s *Scene, own Index, row int) *Viewer {
	checkOwn(own)
	v := &Viewer{own: int(own), row: row, bind: &indexBinding{indexOf: make([]uint16, s.RowCount()), visible: NewRowSet(s.RowCount()), maxIndex: MaxIndex}}
	v.bind.slots[own].row, v.bind.indexOf[row] = int32(row), own
	v.bind.used.add(v.own)
	v.Reset(s)
	return v
}

// Index is the index under which a viewer of a crowd knows a row, local or not; 0 if it has none.
func (v *Viewer) Index(row int) Index {
	if v.bind == nil {
		return Index(row)
	}
	return v.bind.indexOf[row]
}

func (b *indexBinding) reset(s *Scene, v *Viewer) {
	for i := range b.slots {
		b.slots[i].low, b.slots[i].faced = 0, 0
	}
	b.slots[v.own].id = s.ids[v.row]
	b.visible.Clear()
	b.visible.Add(v.row)
}

// commit applies what the packet of v.next told. v is as before it.
func (b *indexBinding) commit(v *Viewer) {
	b.slots[v.own].id = b.ownID
	for _, g := range b.removed {
		b.slots[g.index].low = g.square
		b.visible.Remove(int(b.slots[g.index].row))
	}
	for _, a := range b.assigned {
		if !v.next.local.has(a.index) {
			continue
		}
		if b.used.has(a.index) {
			b.indexOf[b.slots[a.index].row] = 0
		}
		b.used.add(a.index)
		b.indexOf[a.row] = uint16(a.index)
		slot := &b.slots[a.index]
		slot.row, slot.id = int32(a.row), a.id
		b.visible.Add(a.row)
		b.searchFrom = a.index
	}
}

// count is how many locals stand in rows.
func (b *indexBinding) count(rows RowSet) int {
	n := 0
	for w, word := range b.visible {
		n += bits.OnesCount64(word & rows[w])
	}
	return n
}

// planCrowd is the plan for a viewer of a crowd, late or not. It visits those of whom there is something to say.
func (e *Encoder) planLarge(s *Scene, v *Viewer, want RowSet) {
	p := &e.plan
	p.remove, p.keep, p.add, p.lowChange, p.localEntries, p.externalEntries = indexSet{}, indexSet{}, indexSet{}, indexSet{}, indexSet{}, indexSet{}
	p.sharedBlock, p.customBlock, p.persistentNew = indexSet{}, indexSet{}, indexSet{}
	e.codes, e.low = &e.ownCodes, &e.ownLow
	b := v.bind
	b.removed, b.assigned = b.removed[:0], b.assigned[:0]
	b.ownID, b.exhausted = s.ids[v.row], false
	v.next.known = v.known
	e.assignedNow = indexSet{}
	p.keep = v.local
	e.planAdds(s, v, want)
	e.planLocals(s, v, want)
}

// planLocals visits the locals of whom there is something to say. A viewer that is late has to look at all. Like planAdds
// it first collects indices: a viewer's tables are cold when its turn comes, and loads that wait for nothing overlap.
func (e *Encoder) planLocals(s *Scene, v *Viewer, want RowSet) {
	late := uint64(0)
	if v.cycle+1 != s.cycle {
		late = ^late
	}
	work := e.visit[:0]
	for w, seen := range v.bind.visible {
		act := seen & (s.moved[w] | s.hasBlock[w] | s.added[w] | s.facing[w] | ^want[w] | ^s.occupied[w] | late)
		for ; act != 0; act &= act - 1 {
			row := w<<6 | bits.TrailingZeros64(act)
			work = append(work, rowIndex{int32(row), v.bind.indexOf[row]})
		}
	}
	for _, at := range work {
		e.planLocal(s, v, want, int(at.index), int(at.row))
	}
	e.visit = work
	for w, local := range v.local {
		owed := local &^ v.known[w] &^ e.plan.localEntries[w]
		for ; owed != 0; owed &= owed - 1 {
			i := w<<6 | bits.TrailingZeros64(owed)
			e.planLocal(s, v, want, i, int(v.bind.slots[i].row))
		}
	}
	if row := v.row; v.tile != s.lastTiles()[row] {
		e.planLocal(s, v, want, v.own, row)
	}
}

// planLocal decides about one whom the viewer sees.
func (e *Encoder) planLocal(s *Scene, v *Viewer, want RowSet, i, row int) {
	p, b := &e.plan, v.bind
	e.rowAt[i] = int32(row)
	was := s.tiles[v.cycle%historyCycles][row]
	if i == v.own {
		was = v.tile
	} else if !want.Has(row) || !s.occupied.Has(row) || s.addedAt[row] > v.cycle {
		p.remove.add(i)
		p.keep.remove(i)
		p.localEntries.add(i)
		e.ownLow[i] = lowUnchanged
		b.removed = append(b.removed, removedSquare{i, squareOf(was, s.profile.SquareShift)})
		return
	}
	c := &e.ownCodes[i]
	c.move, c.span = codeStay, s.codes[row].span
	if was != s.now[row] {
		c.move = encodeMove(was, s.now[row], s.moveKind(row, v.cycle))
		p.localEntries.add(i)
	}
	switch {
	case !v.known.has(i), s.persistentAt[row] > v.cycle && v.cycle+1 != s.cycle, s.addedAt[row] > v.cycle, e.needsCustomBlock(s, v, i, row):
		p.customBlock.add(i)
	case s.hasBlock.Has(row):
		p.sharedBlock.add(i)
		if s.persistentChanged.Has(row) {
			p.persistentNew.add(i)
		}
	default:
		return
	}
	p.localEntries.add(i)
}

// planAdds decides about those whom the viewer is to see and does not.
func (e *Encoder) planAdds(s *Scene, v *Viewer, want RowSet) {
	p, b := &e.plan, v.bind
	cell := s.profile.SquareShift
	work := e.visit[:0]
	for w, word := range want {
		for word &= s.occupied[w] &^ b.visible[w]; word != 0; word &= word - 1 {
			row := w<<6 | bits.TrailingZeros64(word)
			work = append(work, rowIndex{int32(row), b.indexOf[row]})
		}
	}
	e.visit = work
	for _, at := range work {
		row, i := int(at.row), int(at.index)
		if i == 0 {
			if i = e.pickIndex(v, want); i == 0 {
				v.next.stats.PendingAdds++
				continue
			}
		}
		e.assignedNow.add(i)
		b.assigned = append(b.assigned, assignment{i, row, s.ids[row]})
		e.rowAt[i] = int32(row)
		p.add.add(i)
		p.externalEntries.add(i)
		low := encodeLowChange(b.slots[i].low, squareOf(s.now[row], cell))
		e.ownCodes[i] = rowCodes{move: codeStay, add: encodeAdd(low, s.now[row], cell), span: s.codes[row].span}
	}
	for _, a := range b.assigned {
		e.planAdd(s, v, a.index, a.row)
	}
}

// planAdd decides which block comes with an add.
func (e *Encoder) planAdd(s *Scene, v *Viewer, i, row int) {
	p := &e.plan
	switch {
	case s.persistentAt[row] > v.sentStates[i].cycle, e.identityChanged(s, v, i, row), s.resendOnAdd.Has(row), e.needsCustomBlock(s, v, i, row):
		p.customBlock.add(i)
		return
	case s.hasBlock.Has(row):
		p.sharedBlock.add(i)
	}
	v.next.known.add(i)
}

// planSlow tells whether the block of a row differs between viewers.
func (e *Encoder) needsCustomBlock(s *Scene, v *Viewer, i, row int) bool {
	return s.private.Has(row) && s.hasBlock.Has(row) || s.facing.Has(row) && e.facedIndex(s, v, row) != v.bind.slots[i].faced
}

// freeIndex finds an index for a row that has none: one that nobody has, or else one whose avatar is neither seen nor
// wanted, the longest unused first as far as a clock hand tells. 0 if there is none.
func (e *Encoder) pickIndex(v *Viewer, want RowSet) int {
	b := v.bind
	if b.exhausted {
		return 0
	}
	for step := range indexSlots/64 + 1 {
		w := (b.searchFrom>>6 + step) & 31
		for free := ^(b.used[w] | e.assignedNow[w]); free != 0; free &= free - 1 {
			if i := w<<6 | bits.TrailingZeros64(free); i != 0 && i <= b.maxIndex {
				return i
			}
		}
	}
	for step := range b.maxIndex {
		i := (b.searchFrom+step)%b.maxIndex + 1
		if !v.local.has(i) && !e.assignedNow.has(i) && !want.Has(int(b.slots[i].row)) {
			return i
		}
	}
	b.exhausted = true
	return 0
}

// rowFor is the row that an index stands for in the packet that is being written.
func (e *Encoder) rowFor(v *Viewer, i int) int {
	if v.bind != nil {
		return int(e.rowAt[i&MaxIndex])
	}
	return i
}

// stranger tells whether the client was told somebody else under this index.
func (e *Encoder) identityChanged(s *Scene, v *Viewer, i, row int) bool {
	return v.bind != nil && v.bind.slots[i].id != s.ids[row]
}

// aimOf is the index that a viewer of a crowd is told a row faces, 0 for none: only one that he knows already. Whoever
// comes in this packet is faced from the next on.
func (e *Encoder) facedIndex(s *Scene, v *Viewer, row int) uint16 {
	other := s.facedRow[row]
	if other < 0 {
		return 0
	}
	i := v.bind.indexOf[other]
	if i == 0 || e.assignedNow.has(int(i)) || v.bind.slots[i].id != s.ids[other] {
		return 0
	}
	return i
}

// askTarget puts the viewer's own index of the avatar that a row faces into the block.
func (e *Encoder) overrideTarget(s *Scene, v *Viewer, row int) {
	index := int(e.facedIndex(s, v, row))
	if index == 0 {
		index = -1
	}
	in := faceInfo(index)
	at := s.target
	e.override.body[at] = s.profile.AppendBlock(e.override.body[at][:0], s.kinds[at], &in)
	e.override.have |= 1 << at
}
