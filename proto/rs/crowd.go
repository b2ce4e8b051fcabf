package rs

import "math/bits"

// binding is which rows a viewer of a crowd knows under which indices. An index keeps its row when the avatar is removed,
// so that what the client has in its caches serves again; it changes hands only when no other is free.
type binding struct {
	index []uint16           // by row; 0 is none
	row   [indexSlots]int32  // by index; -1 is none
	id    [indexSlots]uint64 // who the client has been told is the index
	low   [indexSlots]Square // where the client believes an external to be
	aimed [indexSlots]uint16 // the index that the client was told it faces, 0 none
	hand  int                // where the search for an index begins
	top   int                // the highest index that is given out

	// What Commit will make true.
	gone   []square
	assign []assigned
}

type square struct {
	index int
	at    Square
}

type assigned struct {
	index, row int
	id         uint64
}

// NewCrowdViewer returns the mirror of a client in a crowd that is about to get the placement block (AppendPlacement).
// own is the index that the client has of itself, fixed for the session; row is where its avatar stands already.
func NewCrowdViewer(s *Scene, own Index, row int) *Viewer {
	v := &Viewer{own: int(own), row: row, bind: &binding{index: make([]uint16, s.Rows()), top: MaxIndex}}
	for i := range v.bind.row {
		v.bind.row[i] = -1
	}
	v.bind.row[own], v.bind.index[row] = int32(row), own
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
	b.low = [indexSlots]Square{}
	b.aimed = [indexSlots]uint16{}
	b.id[v.own] = s.ids[v.row]
}

// commit applies what the packet of v.next told. v is as before it.
func (b *binding) commit(v *Viewer) {
	for _, g := range b.gone {
		b.low[g.index] = g.at
	}
	for _, a := range b.assign {
		if !v.next.local.has(a.index) {
			continue
		}
		if old := b.row[a.index]; old >= 0 {
			b.index[old] = 0
		}
		b.row[a.index], b.index[a.row], b.id[a.index] = int32(a.row), uint16(a.index), a.id
		b.hand = a.index
	}
}

// count is how many locals stand in rows.
func (b *binding) count(v *Viewer, rows Rows) int {
	n := 0
	for w, word := range v.local {
		for ; word != 0; word &= word - 1 {
			if rows.Has(int(b.row[w<<6|bits.TrailingZeros64(word)])) {
				n++
			}
		}
	}
	return n
}

// planCrowd is the plan for a viewer of a crowd, late or not. It visits whom the viewer sees and is to see.
func (e *Encoder) planCrowd(s *Scene, v *Viewer, want Rows) {
	p := &e.plan
	p.remove, p.stay, p.add, p.low, p.local, p.far = indexSet{}, indexSet{}, indexSet{}, indexSet{}, indexSet{}, indexSet{}
	p.block, p.slow, p.news = indexSet{}, indexSet{}, indexSet{}
	e.codes, e.low = &e.mine, &e.mineLow
	b := v.bind
	b.gone, b.assign = b.gone[:0], b.assign[:0]
	v.next.known = v.known
	e.taken = indexSet{}
	e.planAdds(s, v, want)
	for w, word := range v.local {
		for ; word != 0; word &= word - 1 {
			e.planLocal(s, v, want, w<<6|bits.TrailingZeros64(word))
		}
	}
}

// planLocal decides about one whom the viewer sees.
func (e *Encoder) planLocal(s *Scene, v *Viewer, want Rows, i int) {
	p, b := &e.plan, v.bind
	row := int(b.row[i])
	e.rows[i] = int32(row)
	was := s.tiles[v.cycle%historyCycles][row]
	if i == v.own {
		was = v.tile
	} else if !want.Has(row) || s.ids[row] != b.id[i] || s.born[row] > v.cycle {
		p.remove.add(i)
		p.local.add(i)
		e.mineLow[i] = lowSame
		b.gone = append(b.gone, square{i, squareOf(was, s.profile.Cell)})
		return
	}
	p.stay.add(i)
	c := &e.mine[i]
	c.move, c.span = stay, s.codes[row].span
	if was != s.now[row] {
		c.move = moveBits(was, s.now[row], s.how(row, v.cycle))
		p.local.add(i)
	}
	if e.planBlock(s, v, i, row) {
		p.local.add(i)
	}
}

// planAdds decides about those whom the viewer is to see and does not.
func (e *Encoder) planAdds(s *Scene, v *Viewer, want Rows) {
	p, b := &e.plan, v.bind
	cell := s.profile.Cell
	for w, word := range want {
		for word &= s.online[w]; word != 0; word &= word - 1 {
			row := w<<6 | bits.TrailingZeros64(word)
			i := int(b.index[row])
			if i != 0 && v.local.has(i) {
				continue // stays, or goes now and may come in the next packet
			}
			if i == 0 {
				if i = e.freeIndex(v, want); i == 0 {
					v.next.stats.Waiting++
					continue
				}
			}
			e.taken.add(i)
			b.assign = append(b.assign, assigned{i, row, s.ids[row]})
			e.rows[i] = int32(row)
			p.add.add(i)
			p.far.add(i)
			low := lowBits(b.low[i], squareOf(s.now[row], cell))
			e.mine[i] = rowCodes{move: stay, add: addBits(low, s.now[row], cell), span: s.codes[row].span}
		}
	}
	for _, a := range b.assign {
		e.planBlock(s, v, a.index, a.row)
	}
}

// planBlock decides whether an index has a block, and whose.
func (e *Encoder) planBlock(s *Scene, v *Viewer, i, row int) bool {
	p, b := &e.plan, v.bind
	aims := s.aiming.Has(row)
	switch {
	case s.told[row] > v.seen[i], e.stranger(s, v, i, row),
		aims && e.aimOf(s, v, row) != b.aimed[i],
		s.private.Has(row) && s.touched.Has(row),
		p.add.has(i) && s.dressed.Has(row):
		p.slow.add(i)
	case s.touched.Has(row):
		p.block.add(i)
	default:
		return false
	}
	return true
}

// freeIndex finds an index for a row that has none: one that nobody has, or else one whose avatar is neither seen nor
// wanted, the longest unused first as far as a clock hand tells. 0 if there is none.
func (e *Encoder) freeIndex(v *Viewer, want Rows) int {
	b := v.bind
	for pass := range 2 {
		for step := range b.top {
			i := (b.hand+step)%b.top + 1
			if v.local.has(i) || e.taken.has(i) {
				continue
			}
			if row := b.row[i]; row < 0 || pass == 1 && !want.Has(int(row)) {
				return i
			}
		}
	}
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
	return v.bind != nil && v.bind.id[i] != s.ids[row]
}

// aimOf is the index that a viewer of a crowd is told a row faces, 0 for none: only one that he knows already. Whoever
// comes in this packet is faced from the next on.
func (e *Encoder) aimOf(s *Scene, v *Viewer, row int) uint16 {
	other := s.aims[row]
	if other < 0 {
		return 0
	}
	i := v.bind.index[other]
	if i == 0 || e.taken.has(int(i)) || v.bind.id[i] != s.ids[other] {
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
