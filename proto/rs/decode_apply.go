package rs

import "github.com/truestep-io/truestep/proto/wire"

// Apply decodes one player-info payload, without opcode and size, and applies it. payload is borrowed until Apply
// returns. The error is a *DecodeError. After an error the state may be half updated. Only Err and Reconnect may then be
// used; every later Apply returns that error again.
func (c *PlayerInfoDecoder) Apply(payload []byte) error {
	if c.err != nil {
		return c.err
	}
	c.resetChanges()
	if err := c.readPayload(payload); err != nil {
		c.err = err // assigned only if not nil, because a nil *DecodeError in an error is not nil
		return err
	}
	return nil
}

// resetChanges clears the changes of the previous packet.
func (c *PlayerInfoDecoder) resetChanges() {
	for k := range c.changes {
		c.changeOf[c.changes[k].Index] = 0
	}
	c.changes = c.changes[:0]
	c.blockQueue = c.blockQueue[:0]
	c.blocks = c.blocks[:0]
}

// readPayload decodes a packet as the client does: four passes, then the blocks. Each pass covers a list of players. The lists
// are made before the packet is read, so changes in the packet do not affect them.
func (c *PlayerInfoDecoder) readPayload(payload []byte) *DecodeError {
	if len(payload) > min(c.profile.MaxPayload, 0xffff) {
		return &DecodeError{Err: ErrTooLarge}
	}
	var lists [4]passList
	for w, local := range c.local {
		external, idle := ^local, c.skipped[w]
		if w == 0 {
			external &^= 1 // there is no player 0
		}
		lists[0].members[w] = local &^ idle
		lists[1].members[w] = local & idle
		lists[2].members[w] = external & idle
		lists[3].members[w] = external &^ idle
	}
	c.skippedNow = indexSet{}
	r := NewBitReader(payload)
	for k := range lists {
		if err := c.readPass(&r, uint8(k+1), &lists[k]); err != nil {
			return err
		}
	}
	c.skipped = c.skippedNow
	return c.readBlocks(payload, r.BitOffset()/8)
}

// openRunErrors lists, for each pass of a packet, the error that the game client reports if a run of idle players is longer than
// the rest of the pass.
var openRunErrors = [...]error{1: ErrNSN0, 2: ErrNSN1, 3: ErrNSN2, 4: ErrNSN3}

// readPass reads one pass of a packet. Each player in list is covered by a run of idle players or has an entry with its change.
func (c *PlayerInfoDecoder) readPass(r *BitReader, pass uint8, list *passList) *DecodeError {
	if c.trace != nil {
		c.trace.pass(pass, r.BitOffset(), list.members.count())
	}
	for i := list.next(); i != 0; i = list.next() {
		start := r.BitOffset()
		if r.Get(1) == 0 {
			count := runCountBits[r.Get(2)]
			n := int(r.Get(count))
			c.skippedNow.add(int(i))
			open, last := list.skip(n, &c.skippedNow)
			if err := c.entryError(r, pass, i, nil); err != nil {
				return err
			}
			if c.trace != nil {
				c.trace.run(pass, start, r.BitOffset(), i, max(i, last), n+1, count)
			}
			if open > 0 {
				return c.entryError(r, pass, i, openRunErrors[pass])
			}
			continue
		}
		place := len(c.changes)
		c.changes = append(c.changes, PlayerChange{Index: i})
		c.changeOf[i] = uint16(place + 1)
		var err error
		if pass <= 2 {
			err = c.readLocal(r, &c.changes[place])
		} else if err = c.readLow(r, &c.changes[place]); c.changes[place].Kind == ChangeAdd {
			c.skippedNow.add(int(i))
		}
		if err := c.entryError(r, pass, i, err); err != nil {
			return err
		}
		if c.changes[place].Block {
			c.blockQueue = append(c.blockQueue, uint16(place))
		}
		if c.trace != nil {
			c.trace.change(pass, start, r.BitOffset(), place)
		}
	}
	r.Align()
	return nil
}

// runCountBits has widths in bits, indexed by a selector. A run of idle players is encoded as the bit 0, the selector (two
// bits), and the number of players minus one. The selector says how many bits this number has.
var runCountBits = [4]uint{0, 5, 8, 11}

// entryError returns the DecodeError of an entry, or nil if the entry is valid. The parameter err is the error that the content
// of the entry has caused. It is ignored if the packet ends within the entry, because the bits that were read past the end are
// meaningless.
func (c *PlayerInfoDecoder) entryError(r *BitReader, pass uint8, i Index, err error) *DecodeError {
	switch {
	case r.Err() != nil:
		return &DecodeError{Pass: pass, Index: i, Bit: r.BitOffset(), Err: ErrGPI1, Cause: wire.ErrShort}
	case err != nil:
		return &DecodeError{Pass: pass, Index: i, Bit: r.BitOffset(), Err: err}
	}
	return nil
}
