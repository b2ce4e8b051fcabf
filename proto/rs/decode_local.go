package rs

// readLocal reads the change of a player that is local. The error is a sentinel.
func (c *Client) readLocal(r *BitReader, ch *Change) error {
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
		c.tile[i], ch.Speed = ch.To, c.state[i].Speed // a move with a block waits for the block, which may say how fast
	}
	return nil
}

// readTeleport reads the two forms of a teleport. The plane changes at once, whatever becomes of the move.
func (c *Client) readTeleport(r *BitReader, ch *Change) {
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

// signed5 is the five-bit two's complement number v.
func signed5(v uint32) int32 { return int32(v<<27) >> 27 }

// wrapTile is a tile coordinate moved by d in a world that is a ring of 16384 tiles.
func wrapTile(from uint16, d int32) uint16 { return uint16(int32(from)+d) & MaxCoord }

// moved is a tile one step of a direction table further.
func stepTile(t Tile, step [2]int8) Tile {
	return Tile{X: wrapTile(t.X, int32(step[0])), Z: wrapTile(t.Z, int32(step[1])), Plane: t.Plane}
}

// readRemoval reads what follows type 0 without an update flag: the player is no longer seen. His low-resolution position
// comes from the last tile that this client knew, and a nested change starts there.
func (c *Client) readRemoval(r *BitReader, ch *Change) error {
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
		// The nested change may add him again, as somebody else. The client then forgets to count him as skipped.
		return c.readLow(r, ch)
	}
	return nil
}
