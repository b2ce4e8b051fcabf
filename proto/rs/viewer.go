package rs

import (
	"errors"
	"fmt"
)

// What can be wrong with a call of Encode. The viewer stays as it was.
var (
	ErrSameCycle     = errors.New("the viewer has this cycle already")
	ErrTooFarBehind  = errors.New("the viewer is further behind than the scene remembers")
	ErrLimit         = errors.New("the movements alone are longer than the limit")
	ErrEmptyRow      = errors.New("nobody stands in the viewer's row")
	ErrSceneMismatch = errors.New("the viewer and the scene number players differently")
	ErrNotPrepared   = errors.New("the scene has changed since it was prepared")
)

// Stats counts what a viewer was told and what it was not.
type Stats struct {
	Packets     int // committed
	Bytes       int // of payload, committed
	CatchUps    int // packets that covered more than one cycle
	DroppedInfo int // avatars whose transient info did not fit into a packet
	MissedInfo  int // avatars in view whose transient info was of a cycle that the viewer was not sent
	PendingAdds int // avatars that were to be added by the last packet and did not fit
}

// Viewer is the server's mirror of what one client knows: whom it sees, whom it was told to skip, and how much of
// each player's persistent info it has. Where the client believes everybody to be follows from the cycle of the last
// committed packet, which the scene remembers.
//
// Encoder.Encode only prepares; the mirror moves with Commit, when the bytes are in the ordered stream. A cycle that is
// not committed has not happened for this viewer: the next packet tells the difference.
type Viewer struct {
	own   int    // own index
	row   int    // own row
	cycle uint32 // scene cycle of the last committed packet
	tile  uint32 // own tile as the client was told, packed

	local    indexSet // own index included
	skipped  indexSet // flag bit0 of the wire section 1.1
	known    indexSet // everything persistent was told, as of cycle
	deferred bool     // something did not fit into the last packet
	starved  int      // so many packets in a row left out all adds that there were, at most patience

	sentStates [indexSlots]sentState

	bind  *indexBinding // crowds only
	next  pendingCommit
	stats Stats
}

// heard is what a client has of the persistent info of an index.
type sentState struct {
	cycle uint32 // of the last block after which it had everything, 0 for never
	kinds uint32 // positions of the kinds that are not at rest
}

// pending is what Commit will make true.
type pendingCommit struct {
	ready    bool
	deferred bool
	starved  int
	cycle    uint32
	tile     uint32
	local    indexSet
	skipped  indexSet
	known    indexSet
	sent     []sentRecord
	stats    Stats
}

// telling is that a viewer now has everything persistent of an index.
type sentRecord struct {
	index int
	kinds uint32
	faced uint16
}

// NewViewer returns the mirror of a client in a shared scene that is about to get the placement block
// (AppendPlacement) with this own index, 1..MaxIndex. Somebody stands in the row already.
func NewViewer(s *Scene, own Index) *Viewer {
	checkOwn(own)
	v := &Viewer{own: int(own), row: int(own)}
	v.Reset(s)
	return v
}

// checkOwn keeps a viewer from an index that no client has; its packets could not be read.
func checkOwn(own Index) {
	if own == 0 || own > MaxIndex {
		panic(fmt.Sprintf("rs: viewer with own index %d", own))
	}
}

// Reset is for a client that gets the placement block again, as in a reconnect: it sees nobody but itself and no
// flag is set. What it may still have in its caches is told again, because placement undoes some of it.
func (v *Viewer) Reset(s *Scene) {
	v.cycle = s.cycle - 1
	v.tile = s.now[v.row]
	v.local = indexSet{}
	v.local.add(v.own)
	v.skipped = indexSet{}
	v.known = indexSet{}
	for i := range v.sentStates {
		v.sentStates[i].cycle = 0
	}
	v.next.ready = false
	if v.bind != nil {
		v.bind.reset(s, v)
	}
}

// Own is the viewer's own index.
func (v *Viewer) OwnIndex() Index { return Index(v.own) }

// rowOf is the row that the client knows under an index.
func (v *Viewer) rowOf(i int) int {
	if v.bind != nil {
		return int(v.bind.slots[i&MaxIndex].row)
	}
	return i
}

// Row is the row of the viewer's own avatar.
func (v *Viewer) Row() int { return v.row }

// Locals is how many players the client sees, its own included.
func (v *Viewer) LocalCount() int { return v.local.count() }

// IsLocal tells whether the client sees the index.
func (v *Viewer) IsLocal(i Index) bool { return v.local.has(int(i)) }

// Stats returns the counts so far.
func (v *Viewer) Stats() Stats { return v.stats }

// Retell makes everything persistent of a row due again for this viewer, for instance because a private kind of it
// changed for this viewer only. Call it between Commit and Encode.
func (v *Viewer) ResendPersistent(row int) {
	i := row
	if v.bind != nil {
		i = int(v.bind.indexOf[row])
	}
	if i != 0 {
		v.known.remove(i)
		v.sentStates[i].cycle = 0
	}
}

// Commit makes the last Encode true: its bytes are in the client's ordered stream. It reports false if there was none
// since the last Commit, Discard or Reset.
func (v *Viewer) Commit() bool {
	n := &v.next
	if !n.ready {
		return false
	}
	n.ready = false
	if v.bind != nil {
		v.bind.commit(v)
	}
	v.cycle, v.tile, v.deferred, v.starved = n.cycle, n.tile, n.deferred, n.starved
	v.local, v.skipped, v.known = n.local, n.skipped, n.known
	for _, t := range n.sent {
		v.sentStates[t.index] = sentState{n.cycle, t.kinds}
		if v.bind != nil {
			v.bind.slots[t.index].faced = t.faced
		}
	}
	s := &v.stats
	s.Packets++
	s.Bytes += n.stats.Bytes
	s.CatchUps += n.stats.CatchUps
	s.DroppedInfo += n.stats.DroppedInfo
	s.MissedInfo += n.stats.MissedInfo
	s.PendingAdds = n.stats.PendingAdds
	return true
}

// Discard forgets the last Encode: its bytes went nowhere. To Encode again does the same.
func (v *Viewer) Discard() { v.next.ready = false }
