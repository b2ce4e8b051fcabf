package rs

import (
	"fmt"
	"math/bits"
	"slices"
)

// PlayerInfoEncoder writes player-info packets. It holds reusable memory, so it must be used by one goroutine at a time. It may
// serve any number of viewers and scenes, one after the other. It does not allocate once its buffers and those of its viewers
// have grown.
type PlayerInfoEncoder struct {
	// PrivateInfo supplies the values of kinds that Scene.SetPrivate has declared to differ between viewers. It may be nil. It
	// is called for the kind k of a row and the viewer v. It stores the value in the field of the Info that belongs to k and
	// returns true. If it returns false, v is sent the value that all viewers share. It must not modify the scene.
	PrivateInfo func(v *Viewer, row int, k InfoKind, in *Info) bool

	out        BitWriter
	plan       plan
	roomBits   int // bits left for blocks and adds; computed by the method budget
	refund     int // 1 if an entry returns the unused bits of its reservation to roomBits when it is written, otherwise 0
	addsFull   bool
	blockQueue [indexSlots]uint64 // spans of the blocks to write (see span), in the order of the entries that announce them
	blockCount int

	codes       *[indexSlots]rowCodes // codes by player index: either those of the scene or ownCodes
	low         *[indexSlots]lowCode
	ownCodes    [indexSlots]rowCodes
	ownLow      [indexSlots]lowCode
	rowAt       [indexSlots]int32  // row of each index in this packet (large scenes only)
	visit       []rowIndex         // rows to visit (large scenes only)
	assignedNow indexSet           // indices assigned in this packet (large scenes only)
	customSpans [indexSlots]uint64 // location in scratch of the block built for this viewer, by player index
	scratch     []byte
	info        Info
	override    overrides
}

// PacketLimits limits the size of a packet and says which players are sent first.
type PacketLimits struct {
	Bytes    int    // maximum length of the payload in bytes, at most Profile.MaxPayload; 0 means Profile.MaxPayload
	Priority RowSet // rows whose adding and info get room before those of other rows, but after the viewer's own info; may be nil
}

const inScratch = 1 << 63 // flag of a span whose offset is in scratch, not in the scene's arena

// plan is the content of the packet that is being encoded, as sets of player indices. It is complete before the first bit is written.
type plan struct {
	remove          indexSet // local players to remove
	keep            indexSet // local players that stay
	add             indexSet // external players to add
	lowChange       indexSet // external players whose square changed
	localEntries    indexSet // local players with an entry: those in remove, and those in keep with a move or a block
	externalEntries indexSet // external players with an entry: those in add or lowChange
	sharedBlock     indexSet // players in keep or add whose block is the scene's shared one
	customBlock     indexSet // players in keep or add whose block is built for this viewer
	customBuilt     indexSet // players in customBlock whose block is built; customSpans then has the span of the block
	persistentNew   indexSet // players whose persistent info changed since the viewer's last cycle
	reserved        indexSet // players for which space is reserved
	deferred        indexSet // players whose block or add did not fit
	added           indexSet // players that the packet adds
}

// Encode appends to dst the payload of the viewer's packet for the scene's prepared cycle, and returns the longer slice. The
// parameter want holds the rows that the viewer is to see; it need not contain the viewer's own row. The payload is never longer
// than the limit.
//
// What does not fit is left out in this order: (1) blocks of players that stay local: their persistent kinds are sent later,
// their transient kinds are lost (see ViewerStats), (2) added players, which are added later. In the next packet, late
// persistent blocks get room before other blocks. If four consecutive packets added none of the waiting players, a quarter of
// the remaining room of the next one is for them. Movements and removals are always sent. The viewer's state does not change
// before Commit.
//
// Errors wrap ErrSameCycle, ErrTooFarBehind, ErrLimit, ErrOwnPlayerMissing, ErrSceneMismatch or ErrNotPrepared and leave dst unchanged.
// After ErrTooFarBehind, and after ErrLimit with a limit that cannot be raised, send a new placement block (Viewer.Reset).
func (e *PlayerInfoEncoder) Encode(dst []byte, s *Scene, v *Viewer, want RowSet, lim PacketLimits) ([]byte, error) {
	v.next.ready = false
	if err := checkEncode(s, v); err != nil {
		return dst, fmt.Errorf("encode player info: %w", err)
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
		return dst, fmt.Errorf("encode player info: %w: packet has %d bytes, at most %d are allowed", ErrLimit, size, limit)
	}
	e.copyBlocks(s)
	e.stageCommit(s, v, len(e.out.Bytes())-len(dst))
	return e.out.Bytes(), nil
}

// maxPacketScratch is an upper bound of the buffer that the bit stream of a packet needs, in bytes, with the spare bytes after it for
// BitWriter.Put (storeSlack).
const maxPacketScratch = (MaxIndex*(51+14)+maxOverheadBits)/8 + storeSlack

func checkEncode(s *Scene, v *Viewer) error {
	switch {
	case s.large != (v.bind != nil):
		return ErrSceneMismatch
	case v.cycle >= s.cycle:
		return ErrSameCycle
	case s.cycle-v.cycle >= historyCycles:
		return ErrTooFarBehind
	case s.ids[v.row] == 0:
		return ErrOwnPlayerMissing
	case !s.ready:
		return ErrNotPrepared
	}
	return nil
}

// begin clears the fields of the encoder that still hold data of the previous packet, except those that planning overwrites.
func (e *PlayerInfoEncoder) begin(v *Viewer) {
	e.plan.customBuilt, e.plan.reserved, e.plan.deferred, e.plan.added = indexSet{}, indexSet{}, indexSet{}, indexSet{}
	e.blockCount, e.addsFull = 0, false
	e.scratch = e.scratch[:0]
	v.next.sent = v.next.sent[:0]
	v.next.stats = ViewerStats{}
}

// planSteady plans a packet for a viewer that has the packet of the previous cycle, in a scene made by NewScene. This is the
// fast case: the scene has precomputed the codes, and 64 players are handled at a time, as the bits of one word of each set.
func (e *PlayerInfoEncoder) planSteady(s *Scene, v *Viewer, want RowSet) {
	e.codes, e.low = (*[indexSlots]rowCodes)(s.codes), (*[indexSlots]lowCode)(s.low)
	e.planShared(s, v, (*indexSet)(want), &changeSets{
		known: &v.known, added: (*indexSet)(s.added), moved: (*indexSet)(s.moved), squareChanged: (*indexSet)(s.squareChanged), persistentChanged: (*indexSet)(s.persistentChanged),
	})
}

// changeSets contains what has changed since the viewer's last packet, for planShared: the sets of player indices that were added,
// moved and so on. The set known contains the players about which the client has all earlier extended info. For such a player the
// block of this cycle that all viewers share suffices.
type changeSets struct{ known, added, moved, squareChanged, persistentChanged *indexSet }

// planShared plans a packet for a viewer of a scene made by NewScene. The parameter since says what has changed since
// the last packet of the viewer.
func (e *PlayerInfoEncoder) planShared(s *Scene, v *Viewer, want *indexSet, since *changeSets) {
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

// budget computes how many bits of the packet are left for info blocks and added players. Movements and removals must be sent,
// so it first subtracts the maximum size of their entries. If that size alone exceeds limit, the packet contains no info blocks
// and adds no players; Encode checks the actual size after writing.
func (e *PlayerInfoEncoder) budget(s *Scene, v *Viewer, lim PacketLimits, limit int) {
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

// maxStarvedPackets is the number of consecutive packets that had no room to add any of the waiting players. After this many,
// reserveDeferred reserves room for such players.
const maxStarvedPackets = 4

// reserveDeferred reserves room for what did not fit into the last packet: (1) persistent info of players that stay,
// and (2), after maxStarvedPackets packets that added no player, a quarter of the remaining room for players that
// wait to be added. Without this, players with high indices would never be sent while players with low indices have
// something to send in every cycle.
func (e *PlayerInfoEncoder) reserveDeferred(s *Scene, v *Viewer) {
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

// reservePriority reserves room for the players in rows, which is PacketLimits.Priority: for their info blocks and for the
// entries that add them.
func (e *PlayerInfoEncoder) reservePriority(s *Scene, v *Viewer, rows RowSet) {
	p := &e.plan
	for w := range p.keep {
		for word := p.add[w] | p.sharedBlock[w] | p.customBlock[w]; word != 0; word &= word - 1 {
			if i := w<<6 | bits.TrailingZeros64(word); rows.Has(e.rowFor(v, i)) {
				e.reserve(s, v, i)
			}
		}
	}
}

// reserve reserves room for the info block of player index i, and for the entry that adds the player, if enough room is
// left.
func (e *PlayerInfoEncoder) reserve(s *Scene, v *Viewer, i int) {
	p := &e.plan
	if p.reserved.has(i) || !p.add.has(i) && !p.sharedBlock.has(i) && !p.customBlock.has(i) {
		return
	}
	if cost := e.maxCost(s, v, i); cost <= e.roomBits {
		e.roomBits -= cost
		p.reserved.add(i)
	}
}

// maxCost returns the maximum number of bits that player index i needs in the packet for its info block and for being added.
func (e *PlayerInfoEncoder) maxCost(s *Scene, v *Viewer, i int) int {
	bits := 8 * int(uint32(e.span(s, v, i)))
	if e.plan.add.has(i) {
		_, width := e.codes[i&MaxIndex].add.split()
		bits += int(width) + 14
	}
	return bits
}

// span returns where the info block of player index i is stored, as offset<<32 | length, or 0 if the player has none. The flag
// inScratch in the result says to which buffer the offset refers. If the block is one for this viewer only, the first call
// builds it.
func (e *PlayerInfoEncoder) span(s *Scene, v *Viewer, i int) uint64 {
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

// stageCommit stores the state that the viewer will have after this packet; Commit applies that state.
func (e *PlayerInfoEncoder) stageCommit(s *Scene, v *Viewer, size int) {
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

// countDeferred counts, among the player indices 64w to 64w+63, what did not fit into the packet: the players that it could not
// add, and the players in view whose transient info was lost.
func (e *PlayerInfoEncoder) countDeferred(s *Scene, v *Viewer, w int) {
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
