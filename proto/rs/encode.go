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
	PrivateInfo func(v *Viewer, row int, k Kind, in *Info) bool

	out        BitWriter
	plan       plan
	roomBits   int // bits that are free for what may be left out, see budget
	refund     int // bits that an entry of the kind that must not be left out gives back
	addsFull   bool
	blockQueue [indexSlots]uint64 // spans of the blocks to write, in the order of the update bits
	blockCount int

	codes       *[indexSlots]rowCodes // by index: the scene's, or mine
	low         *[indexSlots]lowCode
	ownCodes    [indexSlots]rowCodes
	ownLow      [indexSlots]lowCode
	rowAt       [indexSlots]int32  // by index: the row that it is or becomes (crowds only)
	visit       []rowIndex         // whom to visit (crowds only)
	assignedNow indexSet           // indices given out in this packet (crowds only)
	customSpans [indexSlots]uint64 // spans in scratch of what is put together for one viewer
	scratch     []byte
	info        Info
	override    overrides
}

// Limits is what a packet may be and what comes first.
type Limits struct {
	Bytes    int    // of payload; 0, or more than a client can take, is as much as it can take
	Priority RowSet // whose blocks and adds have room before all others', after the viewer's own; nil for nobody
}

const (
	inScratch = 1 << 63 // of a span: its offset is in the scratch, not in the scene's arena
	copySlack = 64      // room behind what a block copy may store
)

// plan is who is told what in a packet, by index. It is made before the first bit is written.
type plan struct {
	remove          indexSet // locals who go
	keep            indexSet // locals who stay
	add             indexSet // externals who come
	lowChange       indexSet // externals whose square changed
	localEntries    indexSet // locals with an entry: remove, or stay with a move or a block
	externalEntries indexSet // externals with an entry: add or low
	sharedBlock     indexSet // who of stay and add has the scene's block
	customBlock     indexSet // and who has one put together for this viewer
	customBuilt     indexSet // who of slow has his span in made
	persistentNew   indexSet // who has persistent info that changed since the viewer's cycle
	reserved        indexSet // whose room is set aside
	deferred        indexSet // who did not get his block, or was not added
	added           indexSet // who was
}

// Encode appends to dst the payload of the viewer's packet for the scene's prepared cycle, and returns the longer slice.
// want has the rows that the viewer is to see; its own need not be there. The payload is never longer than the limit.
//
// What does not fit, in this order: blocks of those who stay wait if they are persistent and are lost if not (Stats),
// adds wait. In the next packet persistent blocks that waited come before what is new, and adds, if none had room in
// four packets, have a quarter of it. Movements and removals are always told. The viewer's mirror does not change before
// Commit. Errors wrap ErrSameCycle, ErrBehind, ErrLimit, ErrGone, ErrOtherKind or ErrUnready and leave dst as it is.
// After ErrBehind, and after ErrLimit with a limit that cannot be raised, only a new placement (Viewer.Reset) helps.
func (e *Encoder) Encode(dst []byte, s *Scene, v *Viewer, want RowSet, lim Limits) ([]byte, error) {
	v.next.ready = false
	if err := checkEncode(s, v); err != nil {
		return dst, fmt.Errorf("player info: %w", err)
	}
	limit := s.profile.MaxPayload
	if lim.Bytes > 0 {
		limit = min(limit, lim.Bytes)
	}
	e.begin(v)
	switch {
	case s.large:
		e.planLarge(s, v, want)
	case v.cycle+1 == s.cycle && v.tile == s.lastTiles()[v.own] && !s.added.Has(v.own):
		e.planSteady(s, v, want)
	default:
		e.planCatchUp(s, v, want)
	}
	dst = slices.Grow(dst, limit+maxPacketScratch)
	e.out = NewBitWriter(dst)
	e.budget(s, v, lim, limit)
	e.writeLocalPass(s, v, ^uint64(0))
	e.writeLocalPass(s, v, 0)
	e.writeExternalPass(s, v, 0)
	e.writeExternalPass(s, v, ^uint64(0))
	if size := len(e.out.Bytes()) - len(dst); size > limit {
		return dst, fmt.Errorf("player info: %w: %d of %d bytes", ErrLimit, size, limit)
	}
	e.copyBlocks(s)
	e.stageCommit(s, v, len(e.out.Bytes())-len(dst))
	return e.out.Bytes(), nil
}

// worstPacket is more than the bits of any packet, with room for the last stores.
const maxPacketScratch = (MaxIndex*(51+14)+maxOverheadBits)/8 + storeSlack + copySlack

func checkEncode(s *Scene, v *Viewer) error {
	switch {
	case s.large != (v.bind != nil):
		return ErrSceneMismatch
	case v.cycle >= s.cycle:
		return ErrSameCycle
	case s.cycle-v.cycle >= historyCycles:
		return ErrTooFarBehind
	case s.ids[v.row] == 0:
		return ErrEmptyRow
	case !s.ready:
		return ErrNotPrepared
	}
	return nil
}

// begin empties what planning only adds to.
func (e *Encoder) begin(v *Viewer) {
	e.plan.customBuilt, e.plan.reserved, e.plan.deferred, e.plan.added = indexSet{}, indexSet{}, indexSet{}, indexSet{}
	e.blockCount, e.addsFull = 0, false
	e.scratch = e.scratch[:0]
	v.next.sent = v.next.sent[:0]
	v.next.stats = Stats{}
}

// planNext is the plan for a viewer of a shared scene that has every cycle up to the one before: word operations only,
// and the codes are the scene's.
func (e *Encoder) planSteady(s *Scene, v *Viewer, want RowSet) {
	e.codes, e.low = (*[indexSlots]rowCodes)(s.codes), (*[indexSlots]lowCode)(s.low)
	e.planShared(s, v, (*indexSet)(want), &changeSets{
		known: &v.known, added: (*indexSet)(s.added), moved: (*indexSet)(s.moved), squareChanged: (*indexSet)(s.squareChanged), persistentChanged: (*indexSet)(s.persistentChanged),
	})
}

// sceneSets are the sets of a shared scene that depend on the cycle which a viewer had last. known is of whom the viewer
// lacks nothing but what the scene's blocks of this cycle say.
type changeSets struct{ known, added, moved, squareChanged, persistentChanged *indexSet }

// sets makes the plan of a viewer of a shared scene.
func (e *Encoder) planShared(s *Scene, v *Viewer, want *indexSet, since *changeSets) {
	p, known := &e.plan, &v.next.known
	online, touched := (*indexSet)(s.occupied), (*indexSet)(s.hasBlock)
	private, dressed := (*indexSet)(s.private), (*indexSet)(s.resendOnAdd)
	ownWord, ownBit := v.own>>6, uint64(1)<<(v.own&63)
	for w := range v.local {
		local, there := v.local[w], want[w]&online[w]
		stay := local & there &^ since.added[w]
		if w == ownWord {
			stay |= ownBit
		}
		come := there &^ local
		told := since.known[w] &^ since.added[w]
		seen := stay | come
		slow := seen &^ told
		slow |= seen&private[w]&touched[w] | come&dressed[w]
		block := seen & touched[w] &^ slow
		remove := local &^ stay
		low := since.squareChanged[w] &^ local
		p.keep[w], p.remove[w], p.add[w], p.lowChange[w] = stay, remove, come, low
		p.customBlock[w], p.sharedBlock[w] = slow, block
		p.localEntries[w] = remove | stay&(since.moved[w]|slow|block)
		p.externalEntries[w] = come | low
		p.persistentNew[w] = since.persistentChanged[w]
		known[w] = told &^ (since.persistentChanged[w] &^ seen)
	}
}

// budget counts what must be told at its worst, and leaves the rest to blocks and adds. If not even the worst fits,
// the packet has no block and no add, and is measured when it is written.
func (e *Encoder) budget(s *Scene, v *Viewer, lim Limits, limit int) {
	p := &e.plan
	e.refund = 1
	e.roomBits = 8*limit - maxOverheadBits - maxLocalBits*p.localEntries.count() - maxExternalBits*p.lowChange.count()
	if e.roomBits < 0 {
		e.roomBits, e.refund = -1<<40, 0
		return
	}
	e.reserve(s, v, v.own)
	if lim.Priority != nil {
		e.reservePriority(s, v, lim.Priority)
	}
	e.reserveDeferred(s, v)
}

// patience is how many packets in a row may leave out every add before adds have room of their own.
const maxStarvedPackets = 4

// setAsideOwed keeps room for what the last packet had none for: persistent info of those who stay and, when adds have
// waited long enough, adds in a quarter of what is left. Or else high indices would wait for as long as low ones have
// enough to say in every cycle.
func (e *Encoder) reserveDeferred(s *Scene, v *Viewer) {
	if !v.deferred {
		return
	}
	p := &e.plan
	for w, stay := range p.keep {
		for owed := stay & v.local[w] &^ v.known[w]; owed != 0; owed &= owed - 1 {
			e.reserve(s, v, w<<6|bits.TrailingZeros64(owed))
		}
	}
	if v.starved < maxStarvedPackets {
		return
	}
	keep := e.roomBits - e.roomBits/4
	for w, add := range p.add {
		for ; add != 0 && e.roomBits > keep; add &= add - 1 {
			e.reserve(s, v, w<<6|bits.TrailingZeros64(add))
		}
	}
}

// setAsideRows keeps room for the rows that come first.
func (e *Encoder) reservePriority(s *Scene, v *Viewer, rows RowSet) {
	p := &e.plan
	for w := range p.keep {
		for word := p.add[w] | p.sharedBlock[w] | p.customBlock[w]; word != 0; word &= word - 1 {
			if i := w<<6 | bits.TrailingZeros64(word); rows.Has(e.rowFor(v, i)) {
				e.reserve(s, v, i)
			}
		}
	}
}

// setAside keeps room for the block and the add of an index, if there is any.
func (e *Encoder) reserve(s *Scene, v *Viewer, i int) {
	p := &e.plan
	if p.reserved.has(i) || !p.add.has(i) && !p.sharedBlock.has(i) && !p.customBlock.has(i) {
		return
	}
	if cost := e.maxCost(s, v, i); cost <= e.roomBits {
		e.roomBits -= cost
		p.reserved.add(i)
	}
}

// cost is how many bits the block and the add of an index take at most.
func (e *Encoder) maxCost(s *Scene, v *Viewer, i int) int {
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
	if p.customBlock.has(i) {
		if !p.customBuilt.has(i) {
			e.buildCustomBlock(s, v, i)
		}
		return e.customSpans[i&MaxIndex]
	}
	if p.sharedBlock.has(i) {
		return e.codes[i&MaxIndex].span
	}
	return 0
}

// end makes what Commit will apply.
func (e *Encoder) stageCommit(s *Scene, v *Viewer, size int) {
	p, n := &e.plan, &v.next
	n.deferred = false
	for w := range p.keep {
		all := ^uint64(0)
		if w == 0 {
			all--
		}
		n.local[w] = p.keep[w] | p.added[w]
		n.skipped[w] = all&^p.localEntries[w]&^p.externalEntries[w] | p.added[w]
		got := (p.customBlock[w] | p.sharedBlock[w]&p.persistentNew[w]) &^ p.deferred[w]
		n.known[w] = n.known[w]&^(p.deferred[w]&(p.customBlock[w]|p.persistentNew[w])) | got&p.customBlock[w]
		for ; got != 0; got &= got - 1 {
			e.recordSent(s, v, w<<6|bits.TrailingZeros64(got))
		}
		if p.deferred[w] != 0 {
			n.deferred = true
			e.countDeferred(s, v, w)
		}
	}
	n.ready, n.cycle, n.tile = true, s.cycle, s.now[v.row]
	if n.starved = 0; n.stats.PendingAdds > 0 && p.added == (indexSet{}) {
		n.starved = min(v.starved+1, maxStarvedPackets)
	}
	n.stats.Bytes = size
	if v.cycle+1 != s.cycle {
		n.stats.CatchUps = 1
		n.stats.MissedInfo = countMissed(s, v)
	}
}

// countLate counts what 64 indices were not told.
func (e *Encoder) countDeferred(s *Scene, v *Viewer, w int) {
	p, st := &e.plan, &v.next.stats
	for late := p.deferred[w]; late != 0; late &= late - 1 {
		i := w<<6 | bits.TrailingZeros64(late)
		if p.add.has(i) {
			st.PendingAdds++
		} else if s.transientRows[s.cycle%historyCycles].Has(v.rowOf(i)) {
			st.DroppedInfo++
		}
	}
}
