package rs

import (
	"iter"

	"github.com/truestep-io/truestep/proto/wire"
)

// PlayerInfoDecoder decodes player-info packets as a client does: it holds what a client of revision 570 or later knows
// of other players and applies player-info packets to it. Use it to check what your server sends; it needs no screen,
// cache or socket.
//
//	c, err := rs.NewPlayerInfoDecoder(rs.Profile667, self, firstMapPacket[:rs.PlacementSize])
//	for payload := range playerInfoPackets {
//		if err := c.Apply(payload); err != nil {
//			log.Fatal(err) // a real client would return to the login screen
//		}
//	}
//	where, ok := c.Local(7)
//
// It behaves exactly like the game client. Oddities that the game client accepts (set padding bits, run lengths in a
// longer form than needed, steps off the edge of the map) are accepted with the same result, and it fails where the
// game client fails. Blocks are the exception: ParseInfo refuses unknown mask bits and values in a longer form than
// needed, which the game client accepts. Source: docs/wire/rs.md, local and external changes.
//
// A PlayerInfoDecoder uses about 100 kB plus the appearances and blocks that it received. It must be used by one
// goroutine at a time.
type PlayerInfoDecoder struct {
	profile *Profile
	self    Index
	err     error // error of the packet that failed; returned by all later calls

	local      indexSet // players whose exact tile is known; always includes self
	skipped    indexSet // players that the last packet skipped; bit 0 of the game client's flags
	skippedNow indexSet // players that the current packet skips; bit 1 of the game client's flags

	tile        [indexSlots]Tile        // tile of each local player; for external players their last known tile
	low         [indexSlots]int32       // squares of external players, packed as the client packs them
	state       [indexSlots]PlayerState // state of each player, kept when the player is removed
	appearances [indexSlots][]byte

	// The following fields describe the last packet.
	changes    []PlayerChange     // changes of the packet in the order of the passes
	changeOf   [indexSlots]uint16 // by player: index into changes plus 1; 0 if the player has no change
	blockQueue []uint16           // indices into changes of players with a block, in the order of the blocks
	blocks     []byte             // bytes of all blocks of the last packet
	info       Info               // reused memory for one parsed block
	trace      *PacketTrace       // steps recorded for ApplyTraced; nil unless ApplyTraced is running
}

// PlayerState is the state that a client stores of each player in addition to the position, whether or not the player is
// local.
type PlayerState struct {
	Speed    int8   // speed of moves for which no temporary speed is sent: 0 crawl, 1 walk, 2 run; initially 0
	Target   uint16 // faced entity: NPC index, player index + 32768, or None
	PIcon    bool   // the minimap displays the player with a special dot, see Info.PIcon
	Clanmate bool   // the minimap displays the player with the dot of a clan mate
}

// NewPlayerInfoDecoder returns the decoder of a client that has just logged in. The parameter self is the index of
// the client's own player, 1..2047. The parameter placement is the placement block, which has the positions of all
// players and is the first PlacementSize bytes of the first map packet. It is borrowed until NewPlayerInfoDecoder
// returns. The error wraps ErrIndex or ErrPlacement.
func NewPlayerInfoDecoder(p *Profile, self Index, placement []byte) (*PlayerInfoDecoder, error) {
	if self == 0 || self > MaxIndex {
		return nil, &DecodeError{Err: ErrIndex, Index: self}
	}
	c := &PlayerInfoDecoder{profile: p, self: self}
	if err := c.Reconnect(placement); err != nil {
		return nil, err
	}
	return c, nil
}

// Reconnect applies the placement block of a reconnect response, which has the positions of all players. The appearances and the
// speeds of the players stay. Everything else is reset: the set of local players, all positions, the rest of each PlayerState,
// all skip flags, and the error of a failed packet. The parameter placement is borrowed until Reconnect returns. If it has a
// wrong length, the error wraps ErrPlacement and the decoder is unchanged.
func (c *PlayerInfoDecoder) Reconnect(placement []byte) error {
	if len(placement) != PlacementSize {
		return &DecodeError{Bit: 8 * len(placement), Err: ErrPlacement}
	}
	var squares [indexSlots]MapSquare
	c.tile[c.self], _ = ParsePlacement(placement, c.self, &squares) // cannot fail, because the length is checked
	for i := Index(1); i <= MaxIndex; i++ {
		if i != c.self {
			c.low[i] = packLow(squares[i])
		}
		c.state[i] = PlayerState{Speed: c.state[i].Speed, Target: None}
	}
	c.local, c.skipped, c.err = indexSet{}, indexSet{}, nil
	c.local.add(int(c.self))
	c.resetChanges()
	return nil
}

// Self returns the index of the client's own player.
func (c *PlayerInfoDecoder) Self() Index { return c.self }

// Err returns the error of the packet that could not be decoded, or nil. After such an error, Apply returns it for every packet
// until Reconnect.
func (c *PlayerInfoDecoder) Err() error { return c.err }

// Local returns the tile of the local player i. ok is false for external players, of which the client does not know the
// tile, and for indices outside 1..2047.
func (c *PlayerInfoDecoder) Local(i Index) (t Tile, ok bool) {
	if i > MaxIndex || !c.local.has(int(i)) {
		return Tile{}, false
	}
	return c.tile[i], true
}

// LowRes returns the low-resolution position of the external player i: the map square and plane in which the client believes
// the player to be. ok is false for local players and for indices outside 1..2047.
func (c *PlayerInfoDecoder) LowRes(i Index) (at MapSquare, ok bool) {
	if i == 0 || i > MaxIndex || c.local.has(int(i)) {
		return 0, false
	}
	return unpackLow(c.low[i]), true
}

// Locals yields the indices of the local players, which the client draws, in ascending order. The client's own player is one
// of them.
func (c *PlayerInfoDecoder) Locals() iter.Seq[Index] {
	return func(yield func(Index) bool) {
		for i := indexAfter(&c.local, 0); i != 0 && yield(i); i = indexAfter(&c.local, i) {
		}
	}
}

// LocalCount returns the number of local players, which the client draws. The client's own player is one of them.
func (c *PlayerInfoDecoder) LocalCount() int { return c.local.count() }

// Skipped reports whether player i had no entry in the last packet, or was added by that packet. The result decides in which of the
// four passes the next packet lists the player. A local player is in pass 1 if Skipped is false, else in pass 2. An external player
// is in pass 3 if Skipped is true, else in pass 4.
func (c *PlayerInfoDecoder) Skipped(i Index) bool { return i <= MaxIndex && c.skipped.has(int(i)) }

// State returns the stored state of player i, or the zero PlayerState for an index outside 1..2047.
func (c *PlayerInfoDecoder) State(i Index) PlayerState {
	if i > MaxIndex {
		return PlayerState{}
	}
	return c.state[i]
}

// Appearance returns the appearance that was last received for player i, as encoded bytes, or nil. The client keeps it for the
// case that the player is removed and added again. The bytes are borrowed: the next APPEARANCE block of i changes them.
func (c *PlayerInfoDecoder) Appearance(i Index) []byte {
	if i > MaxIndex {
		return nil
	}
	return c.appearances[i]
}

// Changes returns what the last packet has changed: one entry for each player that it moved, added, removed or sent extended info
// about, in the order of the packet. Other players have no entry. The slice is valid until the next call of Apply.
func (c *PlayerInfoDecoder) Changes() []PlayerChange { return c.changes }

// Change returns the change of player i in the last packet; ok is false if there is none.
func (c *PlayerInfoDecoder) Change(i Index) (ch PlayerChange, ok bool) {
	if i > MaxIndex || c.changeOf[i] == 0 {
		return PlayerChange{}, false
	}
	return c.changes[c.changeOf[i]-1], true
}

// Info parses the extended info of player i in the last packet and stores it in the parameter in. If the packet has
// none for that player, ok is false and in becomes empty. The stored Info keeps no reference to the decoder's memory.
func (c *PlayerInfoDecoder) Info(i Index, in *Info) (ok bool) {
	ch, ok := c.Change(i)
	if in.Reset(); !ok || !ch.Block || c.err != nil {
		return false
	}
	r := wire.NewReader(c.blocks[ch.start:ch.end])
	return c.profile.ParseInfo(&r, in) == nil
}
