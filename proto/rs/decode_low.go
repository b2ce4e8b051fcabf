package rs

// packLow packs a map square and plane as the game client does, in one signed int: plane<<28 + square x<<14 + square z. The
// game client removes surplus bits of a field when it reads the field, not when it adds to it. A step off the edge of the map can
// therefore change the adjacent field. PlayerInfoDecoder behaves in the same way, bit for bit.
func packLow(s MapSquare) int32 {
	return int32(s.Plane())<<28 + int32(s.X())<<14 + int32(s.Z())
}

// unpackLow returns the map square and the plane in a number that packLow has made. It ignores bits beyond the width of a field,
// as the game client does.
func unpackLow(v int32) MapSquare {
	return MapSquare(uint32(v)>>28&3<<16 | uint32(v)>>14&0xff<<8 | uint32(v)&0xff)
}

// lowKinds maps the 2-bit type of an external player's change to the ChangeKind.
var lowKinds = [4]ChangeKind{ChangeAdd, ChangePlane, ChangeStep, ChangeJump}

// readLow reads the change of an external player, or the change of square in an entry that removes a player. The error is
// ErrHRLR.
func (c *PlayerInfoDecoder) readLow(r *BitReader, ch *PlayerChange) error {
	ch.FromSquare = unpackLow(c.low[ch.Index])
	kind := lowKinds[r.Get(2)]
	if kind != ChangeAdd {
		c.readSquare(r, ch, kind)
		if ch.Kind == ChangeRemove {
			ch.Nested = kind
		} else {
			ch.Kind = kind
		}
		return nil
	}
	if r.Get(1) != 0 {
		ch.Nested = lowKinds[r.Get(2)]
		if ch.Nested == ChangeAdd {
			return ErrHRLR // the nested change already adds the player, which the outer entry would add again
		}
		c.readSquare(r, ch, ch.Nested)
	}
	c.readAdd(r, ch)
	return nil
}

// readSquare reads a change of map square. At the edge of the map it does the same as the game client: a ChangeJump wraps the
// coordinates at 8 bits; a ChangeStep beyond the edge changes the neighbour field of the packed position.
func (c *PlayerInfoDecoder) readSquare(r *BitReader, ch *PlayerChange, kind ChangeKind) {
	at := c.low[ch.Index]
	plane := (at>>28 + int32(r.Get(2))) & 3 << 28
	switch kind {
	case ChangePlane:
		at = plane + at&(1<<28-1)
	case ChangeStep:
		ch.Code = uint8(r.Get(3))
		step := walkSteps[ch.Code]
		at = plane + (at>>14&0xff+int32(step[0]))<<14 + at&0xff + int32(step[1])
	case ChangeJump:
		dx, dz := int32(r.Get(8)), int32(r.Get(8))
		at = plane + (at>>14+dx)&0xff<<14 + (at+dz)&0xff
	}
	c.low[ch.Index] = at
	ch.ToSquare = unpackLow(at)
}

// readAdd reads the end of an entry that adds a player: the tile inside the map square, and whether the entry announces an info
// block.
func (c *PlayerInfoDecoder) readAdd(r *BitReader, ch *PlayerChange) {
	i, cell := ch.Index, c.profile.SquareShift
	if ch.Kind == ChangeRemove {
		ch.Kind = ChangeReplace
	} else {
		ch.Kind = ChangeAdd
	}
	ch.ToSquare = unpackLow(c.low[i])
	x, z := uint32(ch.ToSquare.X())<<cell+r.Get(cell), uint32(ch.ToSquare.Z())<<cell+r.Get(cell)
	ch.Block = r.Get(1) != 0
	ch.To = Tile{X: uint16(x & MaxCoord), Z: uint16(z & MaxCoord), Plane: ch.ToSquare.Plane()}
	c.tile[i] = ch.To
	c.local.add(int(i))
}
