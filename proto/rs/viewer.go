package rs

import (
	"errors"
	"fmt"
)

// Errors of PlayerInfoEncoder.Encode. They leave the viewer unchanged.
var (
	// ErrSameCycle reports a second packet for the same cycle, after the first one was committed.
	ErrSameCycle = errors.New("viewer already has the packet of this cycle")
	// ErrTooFarBehind reports that the viewer has missed so many cycles that the scene no longer has the tiles that the client
	// knows. The caller must call Viewer.Reset and send a new placement block.
	ErrTooFarBehind = errors.New("viewer has missed more cycles than the scene keeps")
	// ErrLimit reports that the maximum length of the packet is too small for the movements and removals, which are always sent.
	ErrLimit = errors.New("movements and removals alone exceed the maximum length of the packet")
	// ErrOwnPlayerMissing reports that the avatar of the viewer's own player was removed from the scene.
	ErrOwnPlayerMissing = errors.New("viewer's own player is not in the scene")
	// ErrSceneMismatch reports that a viewer made by NewViewer was used with a scene made by NewLargeScene, or a
	// viewer made by NewLargeSceneViewer with a scene made by NewScene.
	ErrSceneMismatch = errors.New("scene and viewer do not match: exactly one of them was made for a large scene")
	// ErrNotPrepared reports that Scene.Prepare must be called again before Encode.
	ErrNotPrepared = errors.New("scene has changed since Scene.Prepare was called")
)

// ViewerStats counts what one viewer was sent and what did not fit into its packets.
type ViewerStats struct {
	Packets     int // number of committed packets
	Bytes       int // length of all committed payloads together
	CatchUps    int // number of packets that covered more than one cycle
	DroppedInfo int // number of times that transient info of a local player was lost because it did not fit into a packet
	MissedInfo  int // number of times that transient info of a local player was lost because the viewer was sent no packet in the cycle
	PendingAdds int // number of wanted players that the last packet could not add
}

// Viewer is the server's copy of the state of one client: (1) which players are local, (2) which have the skip flag, because the
// last packet had no entry for them or added them, and (3) which persistent info of each player the client has. The positions
// that the client knows are those of the cycle of its last committed packet; the scene keeps the tiles of that cycle.
//
// PlayerInfoEncoder.Encode only stages the new state of the viewer. The caller calls Commit once the bytes are in the client's
// ordered stream. If a packet is not committed, the next one covers its cycle too.
type Viewer struct {
	own   int    // index of the viewer's own player
	row   int    // row of the viewer's own player
	cycle uint32 // scene cycle of the last committed packet
	tile  uint32 // packed tile of the own player as last sent

	local    indexSet // local players, including the own one
	skipped  indexSet // players whose skip flag is set: the last packet had no entry for them or added them
	known    indexSet // players about which the client has all persistent info, as of the cycle in the field cycle
	deferred bool     // the last packet had no room for the info of a player, or for adding a player
	starved  int      // number of consecutive packets that had no room to add any waiting player, counted up to maxStarvedPackets

	sentStates [indexSlots]sentState

	bind  *indexBinding // indices of the rows in this viewer's client; nil unless the scene is large
	next  pendingCommit
	stats ViewerStats
}

// sentState records which persistent info the client was sent about the player with a certain index.
type sentState struct {
	cycle uint32 // cycle of the last block that completed the info; 0 for never
	kinds uint32 // bit set of the kinds, by position, that differ from their default
}

// pendingCommit is the new state of a viewer that Encode has computed and Commit will apply.
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
	stats    ViewerStats
}

// sentRecord names the index of a player of which the client lacked some persistent info before the packet. After the packet the
// client has all persistent info about that player.
type sentRecord struct {
	index int
	kinds uint32
	faced uint16
}

// NewViewer returns the state of a client of a scene made by NewScene, before the client receives the placement block
// (AppendPlacement). The parameter own is the index of the client's own player, 1..MaxIndex, whose row must have an
// avatar already.
func NewViewer(s *Scene, own Index) *Viewer {
	checkOwn(own)
	v := &Viewer{own: int(own), row: int(own)}
	v.Reset(s)
	return v
}

// checkOwn panics if own is an index that no client can have.
func checkOwn(own Index) {
	if own == 0 || own > MaxIndex {
		panic(fmt.Sprintf("rs: own index %d of a viewer is not 1..2047", own))
	}
}

// Reset prepares the viewer for a client that receives a new placement block (AppendPlacement), for example after a reconnect.
// Afterwards the only local player is the client's own, and no skip flag is set. All info is sent again, because the placement
// block makes the client forget some of it.
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

// OwnIndex returns the index of the viewer's own player.
func (v *Viewer) OwnIndex() Index { return Index(v.own) }

// rowOf returns the row of the scene that the client knows under player index i.
func (v *Viewer) rowOf(i int) int {
	if v.bind != nil {
		return int(v.bind.slots[i&MaxIndex].row)
	}
	return i
}

// Row returns the row of the viewer's own avatar.
func (v *Viewer) Row() int { return v.row }

// LocalCount returns the number of players in the client's list of local players, which it draws. The client's own player
// is one of them.
func (v *Viewer) LocalCount() int { return v.local.count() }

// IsLocal reports whether the viewer's client has the player with this index in its list of local players.
func (v *Viewer) IsLocal(i Index) bool { return v.local.has(int(i)) }

// Stats returns the counters of the viewer.
func (v *Viewer) Stats() ViewerStats { return v.stats }

// ResendPersistent makes the next packets contain all persistent info of a row again. This is needed, for instance, if the info
// of a kind that differs between viewers (Scene.SetPrivate) has changed only for this viewer. Call it between Commit and Encode.
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

// Commit makes the packet of the last Encode part of the viewer's state. The caller calls it once the packet's bytes are in the
// client's ordered stream. committed is false if there was no Encode since the last Commit, Discard or Reset.
func (v *Viewer) Commit() (committed bool) {
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

// Discard drops the packet of the last Encode, which must not have been sent. If neither Commit nor Discard is called, the next
// Encode drops the packet.
func (v *Viewer) Discard() { v.next.ready = false }
