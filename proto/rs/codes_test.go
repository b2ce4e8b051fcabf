package rs

import "testing"

func TestEncodeMoveWritesDocumentedBits(t *testing.T) {
	at := func(x, z uint16, plane uint8) uint32 { return Tile{X: x, Z: z, Plane: plane}.Pack() }
	for name, c := range map[string]struct {
		from, to uint32
		how      MoveKind
		bits     uint64
		width    uint
	}{
		"no move":                          {at(5, 5, 0), at(5, 5, 0), MoveTeleport, 0b1000, 4},
		"walk east":                        {at(3200, 3200, 0), at(3201, 3200, 0), MoveWalk, 0b1001100, 7},
		"run 2,1":                          {at(3201, 3200, 0), at(3203, 3201, 0), MoveWalk, 0b10101010, 8},
		"near":                             {at(3203, 3201, 0), at(3198, 3208, 0), MoveTeleport, 0b10110001101100111, 17},
		"near over one tile":               {at(3203, 3201, 0), at(3204, 3201, 0), MoveTeleport, 0b10110000000100000, 17},
		"walk of three tiles becomes near": {at(3203, 3201, 0), at(3206, 3201, 0), MoveWalk, 0b10110000001100000, 17},
		"plane only":                       {at(1, 1, 0), at(1, 1, 1), MoveWalk, 0b10110010000000000, 17},
		"far":                              {at(3198, 3208, 1), at(4198, 3008, 0), MoveTeleport, 0b10111110000111110100011111100111000, 35},
		"15 tiles is near":                 {at(20, 20, 0), at(35, 5, 0), MoveTeleport, 0b10110000111110001, 17},
		"16 tiles is far":                  {at(20, 20, 0), at(36, 20, 0), MoveTeleport, 0b10111<<30 | 16<<14, 35},
		"plane from 3 to 0":                {at(1, 1, 3), at(1, 1, 0), MoveTeleport, 0b10110010000000000, 17},
	} {
		if bits, width := encodeMove(c.from, c.to, c.how).split(); bits != c.bits || width != c.width {
			t.Errorf("%s: %0*b, want %0*b", name, width, bits, c.width, c.bits)
		}
	}
}

func TestChangeOfMapSquareIsEncodedInShortestForm(t *testing.T) {
	sq := func(x, z, plane uint32) MapSquare { return MapSquare(plane<<16 | x<<8 | z) }
	for name, c := range map[string]struct {
		from, to MapSquare
		bits     uint64
		width    uint
	}{
		"same":              {sq(5, 5, 0), sq(5, 5, 0), 0, 1},
		"plane 3 to 0":      {sq(10, 20, 3), sq(10, 20, 0), 0b10101, 5},
		"neighbour":         {sq(50, 50, 0), sq(51, 49, 0), 0b11000010, 8},
		"neighbour, plane":  {sq(51, 49, 0), sq(52, 50, 1), 0b11001111, 8},
		"far":               {sq(0, 0, 1), sq(200, 3, 2), 0b111011100100000000011, 21},
		"over the edge":     {sq(255, 1, 0), sq(1, 1, 0), 0b111000000001000000000, 21},
		"one over the edge": {sq(255, 1, 0), sq(0, 1, 0), 0b111000000000100000000, 21},
	} {
		if bits, width := encodeLowChange(c.from, c.to).split(); bits != c.bits || width != c.width {
			t.Errorf("%s: %0*b, want %0*b", name, width, bits, c.width, c.bits)
		}
	}
}

func TestAddedPlayerIsEncodedWithOffsetsWithinMapSquare(t *testing.T) {
	at := Tile{X: 3205, Z: 3210}.Pack()
	if bits, width := encodeAdd(lowUnchanged, at, 6).split(); bits != 0b10000001010010100 || width != 17 {
		t.Errorf("667: %0*b", width, bits)
	}
	bits, width := encodeAdd(encodeLowChange(0, 3<<16|255<<8|255), at, 13).split()
	if width != 51 || bits>>1&0x1FFF != 3210 || bits>>14&0x1FFF != 3205 {
		t.Errorf("OSRS: %0*b", width, bits)
	}
}
