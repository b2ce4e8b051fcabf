package rs

import (
	"errors"

	"github.com/truestep-io/truestep/proto/wire"
)

// readBlocks reads one extended-info block for each player whose entry announces one, in the order of the entries. The parameter
// at is the offset in bytes of the first block; the last block ends at the end of payload.
func (c *PlayerInfoDecoder) readBlocks(payload []byte, at int) *DecodeError {
	c.blocks = append(c.blocks[:0], payload[at:]...)
	r := wire.NewReader(c.blocks)
	if c.trace != nil {
		c.trace.pass(PassBlocks, 8*at, len(c.blockQueue))
	}
	for _, place := range c.blockQueue {
		ch := &c.changes[place]
		ch.start = uint16(r.Offset())
		c.info.Reset()
		if err := c.profile.ParseInfo(&r, &c.info); err != nil {
			return c.blockError(ch.Index, 8*(at+r.Offset()), err)
		}
		ch.end = uint16(r.Offset())
		c.applyBlock(ch)
		if c.trace != nil {
			c.trace.block(8*(at+int(ch.start)), 8*(at+int(ch.end)), int(place), c.info.Has)
		}
	}
	if r.Left() > 0 {
		return &DecodeError{Bit: 8 * (at + r.Offset()), Err: ErrGPI1, Cause: wire.ErrTrailing}
	}
	return nil
}

// blockError returns the error with which the game client would refuse an extended-info block: ErrGPI1 if the block reaches
// past the end of the packet, otherwise ErrBlock. They differ because the client checks the length only after it has read all
// blocks.
func (c *PlayerInfoDecoder) blockError(i Index, bit int, err error) *DecodeError {
	word := ErrBlock
	if errors.Is(err, wire.ErrShort) {
		word = ErrGPI1
	}
	return &DecodeError{Pass: PassBlocks, Index: i, Bit: bit, Err: word, Cause: err}
}

// applyBlock stores the parts of an info block that the client keeps beyond the packet. Then it completes the player's move,
// which had to wait for the block because the block may contain the speed of the move.
func (c *PlayerInfoDecoder) applyBlock(ch *PlayerChange) {
	in, s := &c.info, &c.state[ch.Index]
	if in.Has.Has(KindAppearance) {
		c.appearances[ch.Index] = append(c.appearances[ch.Index][:0], in.Appearance...)
	}
	if in.Has.Has(KindSpeed) {
		s.Speed = in.Speed
	}
	if in.Has.Has(KindTarget) {
		s.Target = in.Target
	}
	if in.Has.Has(KindClanmate) {
		s.Clanmate = in.Clanmate
	}
	if in.Has.Has(KindPIcon) {
		s.PIcon = in.PIcon
	}
	if !ch.Kind.moves() {
		return
	}
	ch.Speed = s.Speed // the block may just have set the speed
	if in.Has.Has(KindTempSpeed) && in.TempSpeed != -1 {
		ch.Speed = in.TempSpeed // the client treats -1 as "not set"
	}
	c.tile[ch.Index] = ch.To
}
