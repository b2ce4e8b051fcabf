package rs

import (
	"fmt"
	"math/bits"
	"slices"
)

// Encoder writes player info packets. It is the scratch of one goroutine and may serve any number of viewers and scenes,
// one after the other. It allocates nothing once its buffers and those of its viewers have grown.
type Encoder struct {
	// Own, if not nil, is asked for what a viewer is told of the kinds that Scene.Private named. It fills in the kind's
	// field and reports true, or reports false: the viewer is told what all others are. It must not touch the scene.
	Own func(v *Viewer, row int, k Kind, in *Info) bool

	out   BitWriter
	plan  plan
	room  int // bits that are free for what may be left out, see budget
	rest  int // bits that an entry of the kind that must not be left out gives back
	full  bool
	queue [indexSlots]uint64 // spans of the blocks to write, in the order of the update bits
	count int

	codes   *[indexSlots]rowCodes // by index: the scene's, or mine
	low     *[indexSlots]lowCode
	mine    [indexSlots]rowCodes
	mineLow [indexSlots]lowCode
	rows    [indexSlots]int32  // by index: the row that it is or becomes (crowds only)
	work    []rowIndex         // whom to visit (crowds only)
	given   indexSet           // indices given out in this packet (crowds only)
	made    [indexSlots]uint64 // spans in scratch of what is put together for one viewer
	scratch []byte
	info    Info
	ask     asked
}

// Limits is what a packet may be and what comes first.
type Limits struct {
	Bytes    int  // of payload; 0, or more than a client can take, is as much as it can take
	Priority Rows // whose blocks and adds have room before all others', after the viewer's own; nil for nobody
}

const (
	inScratch = 1 << 63 // of a span: its offset is in the scratch, not in the scene's arena
	copySlack = 64      // room behind what a block copy may store
)

// plan is who is told what in a packet, by index. It is made before the first bit is written.
type plan struct {
	remove indexSet // locals who go
	stay   indexSet // locals who stay
	add    indexSet // externals who come
	low    indexSet // externals whose square changed
	local  indexSet // locals with an entry: remove, or stay with a move or a block
	far    indexSet // externals with an entry: add or low
	block  indexSet // who of stay and add has the scene's block
	slow   indexSet // and who has one put together for this viewer
	built  indexSet // who of slow has his span in made
	news   indexSet // who has persistent info that changed since the viewer's cycle
	first  indexSet // whose room is set aside
	late   indexSet // who did not get his block, or was not added
	added  indexSet // who was
}

// Encode appends to dst the payload of the viewer's packet for the scene's prepared cycle, and returns the longer slice.
// want has the rows that the viewer is to see; its own need not be there. The payload is never longer than the limit.
//
// What does not fit, in this order: blocks of those who stay wait if they are persistent and are lost if not (Stats),
// adds wait. In the next packet persistent blocks that waited come before what is new, and adds, if none had room in
// four packets, have a quarter of it. Movements and removals are always told. The viewer's mirror does not change before
// Commit. Errors wrap ErrSameCycle, ErrBehind, ErrLimit, ErrGone, ErrOtherKind or ErrUnready and leave dst as it is.
// After ErrBehind, and after ErrLimit with a limit that cannot be raised, only a new placement (Viewer.Reset) helps.
func (e *Encoder) Encode(dst []byte, s *Scene, v *Viewer, want Rows, lim Limits) ([]byte, error) {
	v.next.ready = false
	if err := check(s, v); err != nil {
		return dst, fmt.Errorf("player info: %w", err)
	}
	limit := s.profile.MaxPayload
	if lim.Bytes > 0 {
		limit = min(limit, lim.Bytes)
	}
	e.begin(v)
	switch {
	case s.crowd:
		e.planCrowd(s, v, want)
	case v.cycle+1 == s.cycle && v.tile == s.last()[v.own] && !s.fresh.Has(v.own):
		e.planNext(s, v, want)
	default:
		e.planLate(s, v, want)
	}
	dst = slices.Grow(dst, limit+worstPacket)
	e.out = NewBitWriter(dst)
	e.budget(s, v, lim, limit)
	e.localPass(s, v, ^uint64(0))
	e.localPass(s, v, 0)
	e.farPass(s, v, 0)
	e.farPass(s, v, ^uint64(0))
	if size := len(e.out.Bytes()) - len(dst); size > limit {
		return dst, fmt.Errorf("player info: %w: %d of %d bytes", ErrLimit, size, limit)
	}
	e.copyBlocks(s)
	e.end(s, v, len(e.out.Bytes())-len(dst))
	return e.out.Bytes(), nil
}

// worstPacket is more than the bits of any packet, with room for the last stores.
const worstPacket = (MaxIndex*(51+14)+worstRest)/8 + putRoom + copySlack

func check(s *Scene, v *Viewer) error {
	switch {
	case s.crowd != (v.bind != nil):
		return ErrOtherKind
	case v.cycle >= s.cycle:
		return ErrSameCycle
	case s.cycle-v.cycle >= historyCycles:
		return ErrBehind
	case s.ids[v.row] == 0:
		return ErrGone
	case !s.ready:
		return ErrUnready
	}
	return nil
}

// begin empties what planning only adds to.
func (e *Encoder) begin(v *Viewer) {
	e.plan.built, e.plan.first, e.plan.late, e.plan.added = indexSet{}, indexSet{}, indexSet{}, indexSet{}
	e.count, e.full = 0, false
	e.scratch = e.scratch[:0]
	v.next.tellings = v.next.tellings[:0]
	v.next.stats = Stats{}
}

// planNext is the plan for a viewer of a shared scene that has every cycle up to the one before: word operations only,
// and the codes are the scene's.
func (e *Encoder) planNext(s *Scene, v *Viewer, want Rows) {
	e.codes, e.low = (*[indexSlots]rowCodes)(s.codes), (*[indexSlots]lowCode)(s.low)
	e.sets(s, v, (*indexSet)(want), &sceneSets{
		known: &v.known, fresh: (*indexSet)(s.fresh), moved: (*indexSet)(s.moved), crossed: (*indexSet)(s.crossed), changed: (*indexSet)(s.changed),
	})
}

// sceneSets are the sets of a shared scene that depend on the cycle which a viewer had last. known is of whom the viewer
// lacks nothing but what the scene's blocks of this cycle say.
type sceneSets struct{ known, fresh, moved, crossed, changed *indexSet }

// sets makes the plan of a viewer of a shared scene.
func (e *Encoder) sets(s *Scene, v *Viewer, want *indexSet, since *sceneSets) {
	p, known := &e.plan, &v.next.known
	online, touched := (*indexSet)(s.online), (*indexSet)(s.touched)
	private, dressed := (*indexSet)(s.private), (*indexSet)(s.dressed)
	ownWord, ownBit := v.own>>6, uint64(1)<<(v.own&63)
	for w := range v.local {
		local, there := v.local[w], want[w]&online[w]
		stay := local & there &^ since.fresh[w]
		if w == ownWord {
			stay |= ownBit
		}
		come := there &^ local
		told := since.known[w] &^ since.fresh[w]
		seen := stay | come
		slow := seen &^ told
		slow |= seen&private[w]&touched[w] | come&dressed[w]
		block := seen & touched[w] &^ slow
		remove := local &^ stay
		low := since.crossed[w] &^ local
		p.stay[w], p.remove[w], p.add[w], p.low[w] = stay, remove, come, low
		p.slow[w], p.block[w] = slow, block
		p.local[w] = remove | stay&(since.moved[w]|slow|block)
		p.far[w] = come | low
		p.news[w] = since.changed[w]
		known[w] = told &^ (since.changed[w] &^ seen)
	}
}

// budget counts what must be told at its worst, and leaves the rest to blocks and adds. If not even the worst fits,
// the packet has no block and no add, and is measured when it is written.
func (e *Encoder) budget(s *Scene, v *Viewer, lim Limits, limit int) {
	p := &e.plan
	e.rest = 1
	e.room = 8*limit - worstRest - worstLocal*p.local.count() - worstLow*p.low.count()
	if e.room < 0 {
		e.room, e.rest = -1<<40, 0
		return
	}
	e.setAside(s, v, v.own)
	if lim.Priority != nil {
		e.setAsideRows(s, v, lim.Priority)
	}
	e.setAsideOwed(s, v)
}

// patience is how many packets in a row may leave out every add before adds have room of their own.
const patience = 4

// setAsideOwed keeps room for what the last packet had none for: persistent info of those who stay and, when adds have
// waited long enough, adds in a quarter of what is left. Or else high indices would wait for as long as low ones have
// enough to say in every cycle.
func (e *Encoder) setAsideOwed(s *Scene, v *Viewer) {
	if !v.owes {
		return
	}
	p := &e.plan
	for w, stay := range p.stay {
		for owed := stay & v.local[w] &^ v.known[w]; owed != 0; owed &= owed - 1 {
			e.setAside(s, v, w<<6|bits.TrailingZeros64(owed))
		}
	}
	if v.stuck < patience {
		return
	}
	keep := e.room - e.room/4
	for w, add := range p.add {
		for ; add != 0 && e.room > keep; add &= add - 1 {
			e.setAside(s, v, w<<6|bits.TrailingZeros64(add))
		}
	}
}

// setAsideRows keeps room for the rows that come first.
func (e *Encoder) setAsideRows(s *Scene, v *Viewer, rows Rows) {
	p := &e.plan
	for w := range p.stay {
		for word := p.add[w] | p.block[w] | p.slow[w]; word != 0; word &= word - 1 {
			if i := w<<6 | bits.TrailingZeros64(word); rows.Has(e.rowFor(v, i)) {
				e.setAside(s, v, i)
			}
		}
	}
}

// setAside keeps room for the block and the add of an index, if there is any.
func (e *Encoder) setAside(s *Scene, v *Viewer, i int) {
	p := &e.plan
	if p.first.has(i) || !p.add.has(i) && !p.block.has(i) && !p.slow.has(i) {
		return
	}
	if cost := e.cost(s, v, i); cost <= e.room {
		e.room -= cost
		p.first.add(i)
	}
}

// cost is how many bits the block and the add of an index take at most.
func (e *Encoder) cost(s *Scene, v *Viewer, i int) int {
	bits := 8 * int(uint32(e.span(s, v, i)))
	if e.plan.add.has(i) {
		_, width := e.codes[i&MaxIndex].add.split()
		bits += int(width) + 14
	}
	return bits
}

// span is where the block of an index is.
func (e *Encoder) span(s *Scene, v *Viewer, i int) uint64 {
	p := &e.plan
	if p.slow.has(i) {
		if !p.built.has(i) {
			e.build(s, v, i)
		}
		return e.made[i&MaxIndex]
	}
	if p.block.has(i) {
		return e.codes[i&MaxIndex].span
	}
	return 0
}

// end makes what Commit will apply.
func (e *Encoder) end(s *Scene, v *Viewer, size int) {
	p, n := &e.plan, &v.next
	n.owes = false
	for w := range p.stay {
		all := ^uint64(0)
		if w == 0 {
			all--
		}
		n.local[w] = p.stay[w] | p.added[w]
		n.skipped[w] = all&^p.local[w]&^p.far[w] | p.added[w]
		got := (p.slow[w] | p.block[w]&p.news[w]) &^ p.late[w]
		n.known[w] = n.known[w]&^(p.late[w]&(p.slow[w]|p.news[w])) | got&p.slow[w]
		for ; got != 0; got &= got - 1 {
			e.tell(s, v, w<<6|bits.TrailingZeros64(got))
		}
		if p.late[w] != 0 {
			n.owes = true
			e.countLate(s, v, w)
		}
	}
	n.ready, n.cycle, n.tile = true, s.cycle, s.now[v.row]
	if n.stuck = 0; n.stats.Waiting > 0 && p.added == (indexSet{}) {
		n.stuck = min(v.stuck+1, patience)
	}
	n.stats.Bytes = size
	if v.cycle+1 != s.cycle {
		n.stats.Late = 1
		n.stats.Missed = missed(s, v)
	}
}

// countLate counts what 64 indices were not told.
func (e *Encoder) countLate(s *Scene, v *Viewer, w int) {
	p, st := &e.plan, &v.next.stats
	for late := p.late[w]; late != 0; late &= late - 1 {
		i := w<<6 | bits.TrailingZeros64(late)
		if p.add.has(i) {
			st.Waiting++
		} else if s.said[s.cycle%historyCycles].Has(v.rowOf(i)) {
			st.Dropped++
		}
	}
}
