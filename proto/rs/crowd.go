package rs

import "math/bits"

// binding is which rows a viewer of a crowd knows under which indices. An index keeps its row when the avatar is removed,
// so that what the client has in its caches serves again; it changes hands only when no other is free.
type binding struct {
	index []uint16          // by row; 0 is none
	seen  Rows              // rows of the locals, the own one included
	taken indexSet          // indices that have a row
	slots [indexSlots]bound // by index
	hand  int               // where the search for an index begins
	top   int               // the highest index that is given out

	// What Commit will make true.
	gone   []square
	assign []assigned
	self   uint64 // who the viewer itself is

	short bool // no index is left for this packet
}

// bound is what a client has under an index.
type bound struct {
	id    uint64 // who it was told is the index
	row   int32  // of those in binding.taken
	low   Square // where it believes an external to be
	aimed uint16 // the index that it was told the avatar faces, 0 none
}

type square struct {
	index int
	at    Square
}

// rowIndex is a row and the index that a viewer has for it.
type rowIndex struct {
	row   int32
	index uint16
}

type assigned struct {
	index, row int
	id         uint64
}

// NewCrowdViewer returns the mirror of a client in a crowd that is about to get the placement block (AppendPlacement).
// own is the index that the client has of itself, 1..MaxIndex and fixed for the session; row is where its avatar stands
// already.
func NewCrowdViewer(s *Scene, own Index, row int) *Viewer {
	checkOwn(own)
	v := &Viewer{own: int(own), row: row, bind: &binding{index: make([]uint16, s.Rows()), seen: NewRows(s.Rows()), top: MaxIndex}}
	v.bind.slots[own].row, v.bind.index[row] = int32(row), own
	v.bind.taken.add(v.own)
	v.Reset(s)
	return v
}

// Index is the index under which a viewer of a crowd knows a row, local or not; 0 if it has none.
func (v *Viewer) Index(row int) Index {
	if v.bind == nil {
		return Index(row)
	}
	return v.bind.index[row]
}

func (b *binding) reset(s *Scene, v *Viewer) {
	for i := range b.slots {
		b.slots[i].low, b.slots[i].aimed = 0, 0
	}
	b.slots[v.own].id = s.ids[v.row]
	b.seen.Clear()
	b.seen.Add(v.row)
}

// commit applies what the packet of v.next told. v is as before it.
func (b *binding) commit(v *Viewer) {
	b.slots[v.own].id = b.self
	for _, g := range b.gone {
		b.slots[g.index].low = g.at
		b.seen.Drop(int(b.slots[g.index].row))
	}
	for _, a := range b.assign {
		if !v.next.local.has(a.index) {
			continue
		}
		if b.taken.has(a.index) {
			b.index[b.slots[a.index].row] = 0
		}
		b.taken.add(a.index)
		b.index[a.row] = uint16(a.index)
		slot := &b.slots[a.index]
		slot.row, slot.id = int32(a.row), a.id
		b.seen.Add(a.row)
		b.hand = a.index
	}
}

// count is how many locals stand in rows.
func (b *binding) count(rows Rows) int {
	n := 0
	for w, word := range b.seen {
		n += bits.OnesCount64(word & rows[w])
	}
	return n
}

// planCrowd is the plan for a viewer of a crowd, late or not. It visits those of whom there is something to say.
func (e *Encoder) planCrowd(s *Scene, v *Viewer, want Rows) {
	p := &e.plan
	p.remove, p.stay, p.add, p.low, p.local, p.far = indexSet{}, indexSet{}, indexSet{}, indexSet{}, indexSet{}, indexSet{}
	p.block, p.slow, p.news = indexSet{}, indexSet{}, indexSet{}
	e.codes, e.low = &e.mine, &e.mineLow
	b := v.bind
	b.gone, b.assign = b.gone[:0], b.assign[:0]
	b.self, b.short = s.ids[v.row], false
	v.next.known = v.known
	e.given = indexSet{}
	p.stay = v.local
	e.planAdds(s, v, want)
	e.planLocals(s, v, want)
}

// planLocals visits the locals of whom there is something to say. A viewer that is late has to look at all. Like planAdds
// it first collects indices: a viewer's tables are cold when its turn comes, and loads that wait for nothing overlap.
func (e *Encoder) planLocals(s *Scene, v *Viewer, want Rows) {
	late := uint64(0)
	if v.cycle+1 != s.cycle {
		late = ^late
	}
	work := e.work[:0]
	for w, seen := range v.bind.seen {
		act := seen & (s.moved[w] | s.touched[w] | s.fresh[w] | s.aiming[w] | ^want[w] | ^s.online[w] | late)
		for ; act != 0; act &= act - 1 {
			row := w<<6 | bits.TrailingZeros64(act)
			work = append(work, rowIndex{int32(row), v.bind.index[row]})
		}
	}
	for _, at := range work {
		e.planLocal(s, v, want, int(at.index), int(at.row))
	}
	e.work = work
	for w, local := range v.local {
		owed := local &^ v.known[w] &^ e.plan.local[w]
		for ; owed != 0; owed &= owed - 1 {
			i := w<<6 | bits.TrailingZeros64(owed)
			e.planLocal(s, v, want, i, int(v.bind.slots[i].row))
		}
	}
	if row := v.row; v.tile != s.last()[row] {
		e.planLocal(s, v, want, v.own, row)
	}
}

// planLocal decides about one whom the viewer sees.
func (e *Encoder) planLocal(s *Scene, v *Viewer, want Rows, i, row int) {
	p, b := &e.plan, v.bind
	e.rows[i] = int32(row)
	was := s.tiles[v.cycle%historyCycles][row]
	if i == v.own {
		was = v.tile
	} else if !want.Has(row) || !s.online.Has(row) || s.born[row] > v.cycle {
		p.remove.add(i)
		p.stay.drop(i)
		p.local.add(i)
		e.mineLow[i] = lowSame
		b.gone = append(b.gone, square{i, squareOf(was, s.profile.Cell)})
		return
	}
	c := &e.mine[i]
	c.move, c.span = stay, s.codes[row].span
	if was != s.now[row] {
		c.move = moveBits(was, s.now[row], s.how(row, v.cycle))
		p.local.add(i)
	}
	switch {
	case !v.known.has(i), s.told[row] > v.cycle && v.cycle+1 != s.cycle, s.born[row] > v.cycle, e.planSlow(s, v, i, row):
		p.slow.add(i)
	case s.touched.Has(row):
		p.block.add(i)
		if s.changed.Has(row) {
			p.news.add(i)
		}
	default:
		return
	}
	p.local.add(i)
}

// planAdds decides about those whom the viewer is to see and does not.
func (e *Encoder) planAdds(s *Scene, v *Viewer, want Rows) {
	p, b := &e.plan, v.bind
	cell := s.profile.Cell
	work := e.work[:0]
	for w, word := range want {
		for word &= s.online[w] &^ b.seen[w]; word != 0; word &= word - 1 {
			row := w<<6 | bits.TrailingZeros64(word)
			work = append(work, rowIndex{int32(row), b.index[row]})
		}
	}
	e.work = work
	for _, at := range work {
		row, i := int(at.row), int(at.index)
		if i == 0 {
			if i = e.freeIndex(v, want); i == 0 {
				v.next.stats.Waiting++
				continue
			}
		}
		e.given.add(i)
		b.assign = append(b.assign, assigned{i, row, s.ids[row]})
		e.rows[i] = int32(row)
		p.add.add(i)
		p.far.add(i)
		low := lowBits(b.slots[i].low, squareOf(s.now[row], cell))
		e.mine[i] = rowCodes{move: stay, add: addBits(low, s.now[row], cell), span: s.codes[row].span}
	}
	for _, a := range b.assign {
		e.planAdd(s, v, a.index, a.row)
	}
}

// planAdd decides which block comes with an add.
func (e *Encoder) planAdd(s *Scene, v *Viewer, i, row int) {
	p := &e.plan
	switch {
	case s.told[row] > v.heard[i].cycle, e.stranger(s, v, i, row), s.dressed.Has(row), e.planSlow(s, v, i, row):
		p.slow.add(i)
		return
	case s.touched.Has(row):
		p.block.add(i)
	}
	v.next.known.add(i)
}

// planSlow tells whether the block of a row differs between viewers.
func (e *Encoder) planSlow(s *Scene, v *Viewer, i, row int) bool {
	return s.private.Has(row) && s.touched.Has(row) || s.aiming.Has(row) && e.aimOf(s, v, row) != v.bind.slots[i].aimed
}

// freeIndex finds an index for a row that has none: one that nobody has, or else one whose avatar is neither seen nor
// wanted, the longest unused first as far as a clock hand tells. 0 if there is none.
func (e *Encoder) freeIndex(v *Viewer, want Rows) int {
	b := v.bind
	if b.short {
		return 0
	}
	for step := range indexSlots/64 + 1 {
		w := (b.hand>>6 + step) & 31
		for free := ^(b.taken[w] | e.given[w]); free != 0; free &= free - 1 {
			if i := w<<6 | bits.TrailingZeros64(free); i != 0 && i <= b.top {
				return i
			}
		}
	}
	for step := range b.top {
		i := (b.hand+step)%b.top + 1
		if !v.local.has(i) && !e.given.has(i) && !want.Has(int(b.slots[i].row)) {
			return i
		}
	}
	b.short = true
	return 0
}

// rowFor is the row that an index stands for in the packet that is being written.
func (e *Encoder) rowFor(v *Viewer, i int) int {
	if v.bind != nil {
		return int(e.rows[i&MaxIndex])
	}
	return i
}

// stranger tells whether the client was told somebody else under this index.
func (e *Encoder) stranger(s *Scene, v *Viewer, i, row int) bool {
	return v.bind != nil && v.bind.slots[i].id != s.ids[row]
}

// aimOf is the index that a viewer of a crowd is told a row faces, 0 for none: only one that he knows already. Whoever
// comes in this packet is faced from the next on.
func (e *Encoder) aimOf(s *Scene, v *Viewer, row int) uint16 {
	other := s.aims[row]
	if other < 0 {
		return 0
	}
	i := v.bind.index[other]
	if i == 0 || e.given.has(int(i)) || v.bind.slots[i].id != s.ids[other] {
		return 0
	}
	return i
}

// askTarget puts the viewer's own index of the avatar that a row faces into the block.
func (e *Encoder) askTarget(s *Scene, v *Viewer, row int) {
	index := int(e.aimOf(s, v, row))
	if index == 0 {
		index = -1
	}
	in := faceInfo(index)
	at := s.target
	e.ask.body[at] = s.profile.AppendBlock(e.ask.body[at][:0], s.kinds[at], &in)
	e.ask.have |= 1 << at
}
