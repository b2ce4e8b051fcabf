package rs

// PlacementSize is the length in bytes of the placement block, which holds the client's own tile and the map squares of all other
// players (docs/wire/rs.md, placement).
const PlacementSize = (30 + (MaxIndex-1)*18 + 7) / 8

// AppendPlacement appends the placement block, from which a client learns its own tile and the map squares of all other
// players. The parameter squares holds a square for each player index 1..2047; nil means square 0 for all. The client receives
// the block before the fields of the first map packet, or alone in a reconnect response.
func AppendPlacement(b []byte, own Index, at Tile, squares *[indexSlots]MapSquare) []byte {
	w := NewBitWriter(b)
	w.Put(uint64(at.Pack()), 30)
	for i := 1; i < indexSlots; i++ {
		switch {
		case i == int(own):
		case squares == nil:
			w.Put(0, 18)
		default:
			w.Put(uint64(squares[i]), 18)
		}
	}
	return w.Bytes()
}

// ParsePlacement reads a placement block: it returns the client's own tile and stores the squares of all other players in
// squares, by index. b is not kept. Bytes after the block are ignored. The error wraps wire.ErrShort.
func ParsePlacement(b []byte, own Index, squares *[indexSlots]MapSquare) (at Tile, err error) {
	r := NewBitReader(b)
	at = UnpackTile(r.Get(30))
	for i := 1; i < indexSlots; i++ {
		if i != int(own) {
			squares[i] = MapSquare(r.Get(18))
		}
	}
	return at, r.Err()
}

// AppendPlacement appends the placement block, with the tile of the viewer's own player and the squares of all others. In a large
// scene all squares are 0, because viewers are sent the square of a player only when the player is added. The server sends the
// block before the first packet of player info, and again after Reset.
func (v *Viewer) AppendPlacement(b []byte, s *Scene) []byte {
	var squares [indexSlots]MapSquare
	if !s.large {
		for i, tile := range s.tiles[v.cycle%historyCycles] {
			squares[i] = squareOf(tile, s.profile.SquareShift)
		}
	}
	return AppendPlacement(b, Index(v.own), UnpackTile(v.tile), &squares)
}
