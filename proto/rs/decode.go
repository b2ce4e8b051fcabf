package rs

import (
	"iter"

	"github.com/truestep-io/truestep/proto/wire"
)

// Client is what a client of revision 570 or later knows of other players, and does with a player-info packet. Feed it what
// your server sends and ask it what a player would see: no screen, no cache and no socket needed.
//
//	c, err := rs.NewClient(rs.Profile667, self, firstMapPacket[:rs.PlacementSize])
//	for payload := range playerInfoPackets {
//		if err := c.Apply(payload); err != nil {
//			log.Fatal(err) // where a real client would show its player the login screen
//		}
//	}
//	where, ok := c.Local(7)
//
// It is exact: what the client accepts in spite of good manners (set pad bits, run lengths in a longer form than
// needed, steps off the edge of the map) it accepts with the same result, and it gives up where the client does. In
// blocks it is stricter: ParseInfo refuses unknown mask bits and values in a longer form than they need, which the
// client lets pass. Source: docs/wire/rs.md, local and external changes.
//
// A Client takes about 100 kB and what appearances and blocks it has seen. It belongs to one goroutine.
type Client struct {
	profile *Profile
	self    Index
	err     error // of the packet that failed; sticky

	local      indexSet // who has an exact tile; self always does
	skipped    indexSet // who was skipped by the last packet: bit 0 of the client's flags
	skippedNow indexSet // who is skipped by the packet being read: bit 1

	tile        [indexSlots]Tile  // of locals; of others where they were last
	low         [indexSlots]int32 // of externals, packed as the client packs it
	state       [indexSlots]State // what outlives a removal
	appearances [indexSlots][]byte

	// What the last packet said.
	changes    []Change           // in pass order
	changeOf   [indexSlots]uint16 // place in changes plus 1; 0 for nobody's
	blockQueue []uint16           // places of those with a block, in order of the blocks
	blocks     []byte             // the blocks' bytes
	info       Info               // scratch
	trace      *Trace             // nil unless ApplyTraced runs
}

// State is what a client remembers of a player beside the place, whether it sees him or not.
type State struct {
	Speed    int8   // of moves without a temporary speed: 0 crawl, 1 walk, 2 run; 0 in a fresh client
	Target   uint16 // whom he faces: npc index, player index + 32768, None
	PIcon    bool
	Clanmate bool
}

// NewClient returns a client that has just logged in as player self (1..2047) and read the placement block, which is the
// first PlacementSize bytes of the first map packet. placement is borrowed until NewClient returns.
// Errors are ErrIndex and ErrPlacement.
func NewClient(p *Profile, self Index, placement []byte) (*Client, error) {
	if self == 0 || self > MaxIndex {
		return nil, &Error{Err: ErrIndex, Index: self}
	}
	c := &Client{profile: p, self: self}
	if err := c.Reconnect(placement); err != nil {
		return nil, err
	}
	return c, nil
}

// Reconnect reads a placement block as the answer to a reconnection brings it: who is local, where everybody is and all
// skip flags start anew; appearances and speeds are kept. It mends a client that gave up on a packet.
// placement is borrowed until Reconnect returns. The error is ErrPlacement; the client is as before then.
func (c *Client) Reconnect(placement []byte) error {
	if len(placement) != PlacementSize {
		return &Error{Bit: 8 * len(placement), Err: ErrPlacement}
	}
	var squares [indexSlots]Square
	c.tile[c.self], _ = ParsePlacement(placement, c.self, &squares) // it is long enough
	for i := Index(1); i <= MaxIndex; i++ {
		if i != c.self {
			c.low[i] = packLow(squares[i])
		}
		c.state[i] = State{Speed: c.state[i].Speed, Target: None}
	}
	c.local, c.skipped, c.err = indexSet{}, indexSet{}, nil
	c.local.add(int(c.self))
	c.resetChanges()
	return nil
}

// Self is the index of the client's own player.
func (c *Client) Self() Index { return c.self }

// Err is why the client gave up, nil while it runs.
func (c *Client) Err() error { return c.err }

// Local is the tile of player i. ok is false for players that the client does not see, and for indices outside 1..2047.
func (c *Client) Local(i Index) (t Tile, ok bool) {
	if i > MaxIndex || !c.local.has(int(i)) {
		return Tile{}, false
	}
	return c.tile[i], true
}

// Low is the square, with its plane, where the client believes player i to be, whom it does not see.
// ok is false for locals and for indices outside 1..2047.
func (c *Client) LowRes(i Index) (at Square, ok bool) {
	if i == 0 || i > MaxIndex || c.local.has(int(i)) {
		return 0, false
	}
	return unpackLow(c.low[i]), true
}

// Locals yields the players that the client sees, ascending, its own among them.
func (c *Client) Locals() iter.Seq[Index] {
	return func(yield func(Index) bool) {
		for i := indexAfter(&c.local, 0); i != 0 && yield(i); i = indexAfter(&c.local, i) {
		}
	}
}

// LocalCount is how many players the client sees, its own among them.
func (c *Client) LocalCount() int { return c.local.count() }

// Skipped says whether player i had nothing to tell in the last packet, or was added by it: such players are the members of
// passes 2 and 3 of the next packet.
func (c *Client) Skipped(i Index) bool { return i <= MaxIndex && c.skipped.has(int(i)) }

// State is what the client remembers of player i; the zero State for indices outside 1..2047.
func (c *Client) State(i Index) State {
	if i > MaxIndex {
		return State{}
	}
	return c.state[i]
}

// Appearance is the last appearance that the client was given for player i, nil if none. The client wears it again by
// itself when the player comes back. The bytes are borrowed: they change with the next APPEARANCE block of i.
func (c *Client) Appearance(i Index) []byte {
	if i > MaxIndex {
		return nil
	}
	return c.appearances[i]
}

// Changes is what the last packet said of players, in the order of its passes; players that it skipped are not in it.
// At most one per player. The slice is borrowed until the next Apply.
func (c *Client) Changes() []Change { return c.changes }

// Change is what the last packet said of player i; ok is false if nothing.
func (c *Client) Change(i Index) (ch Change, ok bool) {
	if i > MaxIndex || c.changeOf[i] == 0 {
		return Change{}, false
	}
	return c.changes[c.changeOf[i]-1], true
}

// Info reads the extended info that the last packet brought for player i into in. ok is false, and in empty, if it brought
// none. in keeps nothing of the client's memory.
func (c *Client) Info(i Index, in *Info) (ok bool) {
	ch, ok := c.Change(i)
	if in.Reset(); !ok || !ch.Block || c.err != nil {
		return false
	}
	r := wire.NewReader(c.blocks[ch.start:ch.end])
	return c.profile.ParseInfo(&r, in) == nil
}
