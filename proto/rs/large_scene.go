package rs

import "math/bits"

// indexBinding assigns player indices of one viewer's client to the rows of a large scene. A row keeps its index when its avatar goes
// out of view, so that the client can still use the data that it has stored under the index. The index is assigned to another row
// only if no index is free.
type indexBinding struct {
	indexOf    []uint16              // index of each row; 0 if the row has none
	visible    RowSet                // rows of the local players, including the viewer's own
	used       indexSet              // indices assigned to a row
	slots      [indexSlots]boundSlot // state of each player index
	searchFrom int                   // index at which the search for a free index begins
	maxIndex   int                   // highest index that may be assigned

	// The following fields are changes that the packet makes and Commit applies.
	removed  []removedSquare
	assigned []assignment
	ownID    uint64 // id of the viewer's own avatar

	exhausted bool // the search for a free index has failed in this packet
}

// boundSlot describes one index of a client: the row that the index stands for, and what the client was last sent under it.
type boundSlot struct {
	id    uint64    // id of the avatar last sent under this index
	row   int32     // row of the index; valid if indexBinding.used has the index
	low   MapSquare // square where the client believes an external player to be
	faced uint16    // index of the actor that the avatar faces, as last sent; 0 for none
}

type removedSquare struct {
	index  int
	square MapSquare
}

// rowIndex is a row of the scene and the player index by which one viewer's client knows it.
type rowIndex struct {
	row   int32
	index uint16
}

type assignment struct {
	index, row int
	id         uint64
}

// NewLargeSceneViewer returns the state of a client of a large scene before it receives the placement block
// (AppendPlacement). The parameter own is the index of the client's own player, 1..MaxIndex, fixed for the session.
// The parameter row is the row of that player's avatar, which must be in the scene already.
func NewLargeSceneViewer(s *Scene, own Index, row int) *Viewer {
	checkOwn(own)
	v := &Viewer{own: int(own), row: row, bind: &indexBinding{indexOf: make([]uint16, s.RowCount()), visible: NewRowSet(s.RowCount()), maxIndex: MaxIndex}}
	v.bind.slots[own].row, v.bind.indexOf[row] = int32(row), own
	v.bind.used.add(v.own)
	v.Reset(s)
	return v
}

// Index returns the player index under which the viewer's client knows a row, local or not, or 0 if there is no such index. In a
// scene made by NewScene the index equals the row.
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

// commit applies the changes of the last encoded packet to the binding. Viewer.Commit calls it before it changes the other fields
// of v.
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

// count returns how many of the given rows are local players of the viewer's client. The client draws only local players.
func (b *indexBinding) count(rows RowSet) int {
	n := 0
	for w, word := range b.visible {
		n += bits.OnesCount64(word & rows[w])
	}
	return n
}

// planLarge plans a packet for a viewer of a large scene, also if the viewer has missed cycles. It visits only rows that need an
// entry.
func (e *PlayerInfoEncoder) planLarge(s *Scene, v *Viewer, want RowSet) {
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

// planLocals plans the entries of the local players that need one. If the viewer missed cycles, it checks all local players.
// Like planAdds, it first collects rows and their indices in a list, for speed: the viewer's tables are usually not in the CPU
// cache, and cache misses overlap in a loop that only reads.
func (e *PlayerInfoEncoder) planLocals(s *Scene, v *Viewer, want RowSet) {
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

// planLocal plans the entry of the local player with the index i, whose avatar is in the given row.
func (e *PlayerInfoEncoder) planLocal(s *Scene, v *Viewer, want RowSet, i, row int) {
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

// planAdds plans the entries of players that enter the viewer's view.
func (e *PlayerInfoEncoder) planAdds(s *Scene, v *Viewer, want RowSet) {
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

// planAdd selects the info block that is sent for a player that the packet adds: the shared one, one for this viewer, or none.
func (e *PlayerInfoEncoder) planAdd(s *Scene, v *Viewer, i, row int) {
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

// needsCustomBlock reports whether this viewer must be sent its own info block for a row instead of the shared one.
func (e *PlayerInfoEncoder) needsCustomBlock(s *Scene, v *Viewer, i, row int) bool {
	return s.private.Has(row) && s.hasBlock.Has(row) || s.facing.Has(row) && e.facedIndex(s, v, row) != v.bind.slots[i].faced
}

// pickIndex returns a player index for a row that has none: a free index or, if there is none, the index of a row that the viewer
// neither sees nor is to see, taken in round-robin order. It returns 0 if there is no such index either.
func (e *PlayerInfoEncoder) pickIndex(v *Viewer, want RowSet) int {
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

// rowFor returns the row that index i stands for in the packet that is being written.
func (e *PlayerInfoEncoder) rowFor(v *Viewer, i int) int {
	if v.bind != nil {
		return int(e.rowAt[i&MaxIndex])
	}
	return i
}

// identityChanged reports whether the info that the client was last sent under index i was about another avatar than the one that
// is now in the row.
func (e *PlayerInfoEncoder) identityChanged(s *Scene, v *Viewer, i, row int) bool {
	return v.bind != nil && v.bind.slots[i].id != s.ids[row]
}

// facedIndex returns the player index by which the viewer's client knows the avatar that a row of a large scene faces. It
// returns 0 if the row faces none, or if the client does not know that avatar yet: an avatar that this packet adds can be faced
// from the next packet on.
func (e *PlayerInfoEncoder) facedIndex(s *Scene, v *Viewer, row int) uint16 {
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

// overrideTarget builds, for one viewer, the body of the block that makes the avatar of a row face another avatar. The block
// contains the index by which this viewer's client knows the faced avatar, or says that none is faced.
func (e *PlayerInfoEncoder) overrideTarget(s *Scene, v *Viewer, row int) {
	index := int(e.facedIndex(s, v, row))
	if index == 0 {
		index = -1
	}
	in := faceInfo(index)
	at := s.target
	e.override.body[at] = s.profile.AppendBlock(e.override.body[at][:0], s.kinds[at], &in)
	e.override.have |= 1 << at
}
