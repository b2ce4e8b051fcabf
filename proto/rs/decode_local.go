package rs

// readLocal reads an entry of a local player into ch, except its first bit, which the caller has read. The error is ErrSLR or
// ErrHRLR.
func (c *PlayerInfoDecoder) readLocal(r *BitReader, ch *PlayerChange) error {
	i := ch.Index
	ch.Block = r.Get(1) != 0
	ch.From = c.tile[i]
	ch.To = ch.From
	switch r.Get(2) {
	case 0:
		if !ch.Block {
			return c.readRemoval(r, ch)
		}
		ch.Kind = ChangeBlock
		return nil
	case 1:
		ch.Kind, ch.Code = ChangeWalk, uint8(r.Get(3))
		ch.To = stepTile(ch.From, walkSteps[ch.Code])
	case 2:
		ch.Kind, ch.Code = ChangeRun, uint8(r.Get(4))
		ch.To = stepTile(ch.From, runSteps[ch.Code])
	case 3:
		ch.Kind = ChangeTeleport
		c.readTeleport(r, ch)
	}
	if !ch.Block {
		c.tile[i], ch.Speed = ch.To, c.state[i].Speed // a block of the packet may set the speed, so the move is applied after the block
	}
	return nil
}

// readTeleport reads a teleport in its short or its long form. As in the client, the plane of the player changes immediately,
// even if its tile changes only after its extended-info block was read.
func (c *PlayerInfoDecoder) readTeleport(r *BitReader, ch *PlayerChange) {
	ch.Far = r.Get(1) != 0
	plane, dx, dz := uint32(0), int32(0), int32(0)
	if ch.Far {
		plane, dx, dz = r.Get(2), int32(r.Get(14)), int32(r.Get(14))
	} else {
		plane, dx, dz = r.Get(2), signed5(r.Get(5)), signed5(r.Get(5))
	}
	ch.To.X = wrapTile(ch.From.X, dx)
	ch.To.Z = wrapTile(ch.From.Z, dz)
	ch.To.Plane = (ch.From.Plane + uint8(plane)) & 3
	c.tile[ch.Index].Plane = ch.To.Plane
}

// signed5 sign-extends a five-bit number.
func signed5(v uint32) int32 { return int32(v<<27) >> 27 }

// wrapTile returns a tile coordinate that is moved by d tiles. A result outside the world of 16384 tiles wraps around.
func wrapTile(from uint16, d int32) uint16 { return uint16(int32(from)+d) & MaxCoord }

// stepTile returns the tile t moved by step, which is an entry of a direction table.
func stepTile(t Tile, step [2]int8) Tile {
	return Tile{X: wrapTile(t.X, int32(step[0])), Z: wrapTile(t.Z, int32(step[1])), Plane: t.Plane}
}

// readRemoval reads the rest of an entry that makes a local player external. The map square of the player is then that of its
// last known tile, unless the entry also contains a change of square, which is relative to that square.
func (c *PlayerInfoDecoder) readRemoval(r *BitReader, ch *PlayerChange) error {
	i := ch.Index
	if i == c.self {
		return ErrSLR
	}
	ch.Kind = ChangeRemove
	c.local.remove(int(i))
	c.low[i] = packLow(SquareOf(ch.From, c.profile.SquareShift))
	ch.FromSquare = unpackLow(c.low[i])
	ch.ToSquare = ch.FromSquare
	ch.To = Tile{}
	if r.Get(1) != 0 {
		// The entry may then also add another player with the same index. The client does not mark such a player as skipped.
		return c.readLow(r, ch)
	}
	return nil
}
