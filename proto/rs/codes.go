package rs

// MoveKind is how an avatar reached its tile in a cycle. The game decides this. It does not follow from the distance: a short
// teleport may cover the same distance as a step.
type MoveKind uint8

const (
	// MoveWalk is one step or two steps on foot. A distance that no walk or run code covers is sent as a teleport.
	MoveWalk MoveKind = iota
	// MoveTeleport is a teleport of any distance, even over one tile. The caller must also set KindTempSpeed to SpeedInstant in
	// the same cycle, or clients draw a short teleport as a walk (docs/wire/rs.md, speed blocks).
	MoveTeleport
)

// code is a precomputed part of a packet's bit stream. The low bits hold the part itself, the top six bits its length in bits.
type code uint64

const codeShift = 58

func newCode(bits uint64, width uint) code { return code(bits | uint64(width)<<codeShift) }

func (c code) split() (bits uint64, width uint) {
	return uint64(c) & (1<<codeShift - 1), uint(c >> codeShift)
}

// codeStay is the entry of a local player that does not move but has an extended-info block. The writer must set its update
// bit, which announces the block. Without this bit the same entry removes the player.
const codeStay = code(0b1000 | 4<<codeShift)

// encodeMove returns the entry that moves a local player from one packed tile to another (docs/wire/rs.md, local and external
// changes). The update bit, which announces a block, is 0. A caller sets it with 1<<(width-2), the second bit of the entry.
func encodeMove(from, to uint32, how MoveKind) code {
	if from == to {
		return codeStay
	}
	dx := int(to>>14&MaxCoord) - int(from>>14&MaxCoord)
	dz := int(to&MaxCoord) - int(from&MaxCoord)
	plane := uint64(to>>28-from>>28) & 3
	if how == MoveWalk && plane == 0 {
		if c, ok := WalkCode(dx, dz); ok {
			return newCode(0b1001<<3|uint64(c), 7)
		}
		if c, ok := RunCode(dx, dz); ok {
			return newCode(0b1010<<4|uint64(c), 8)
		}
	}
	if -16 < dx && dx < 16 && -16 < dz && dz < 16 {
		return newCode(0b10110<<12|plane<<10|uint64(dx&31)<<5|uint64(dz&31), 17)
	}
	return newCode(0b10111<<30|plane<<28|uint64(dx&MaxCoord)<<14|uint64(dz&MaxCoord), 35)
}

// lowCode is an encoded change of map square, with its length in the top five bits. The code is the bit 0 if there is no change,
// else the bit 1 and the change (docs/wire/rs.md, external changes). It is used as the entry of an external player, and as a part of
// an entry that adds or removes a player.
type lowCode uint32

const (
	lowShift     = 27
	lowUnchanged = lowCode(0b0 | 1<<lowShift)
)

func (c lowCode) split() (bits uint64, width uint) {
	return uint64(c & (1<<lowShift - 1)), uint(c >> lowShift)
}

// encodeLowChange returns the code for a change from one square to another. A step over the edge of the world is encoded in the
// longest form, because the client does not wrap the coordinates of the shorter forms.
func encodeLowChange(from, to MapSquare) lowCode {
	if from == to {
		return lowUnchanged
	}
	plane := uint32(to.Plane()-from.Plane()) & 3
	dx, dz := int(to.X())-int(from.X()), int(to.Z())-int(from.Z())
	if dx == 0 && dz == 0 {
		return lowCode(0b101<<2 | plane | 5<<lowShift)
	}
	if c, ok := WalkCode(dx, dz); ok {
		return lowCode(0b110<<5 | plane<<3 | uint32(c) | 8<<lowShift)
	}
	return lowCode(0b111<<18 | plane<<16 | uint32(uint8(dx))<<8 | uint32(uint8(dz)) | 21<<lowShift)
}

// encodeAdd returns the entry that adds a player at a packed tile: an external player becomes local. The parameter low is the
// change of map square. The update bit, the last bit of the entry, is 0.
func encodeAdd(low lowCode, at uint32, cell uint) code {
	nested, width := low.split()
	inside := uint32(1)<<cell - 1
	v := 0b100<<width | nested
	v = v<<cell | uint64(at>>14&MaxCoord&inside)
	v = v<<cell | uint64(at&MaxCoord&inside)
	return newCode(v<<1, 3+width+2*cell+1)
}

// Maximum sizes of entries in bits, with which the encoder limits the length of a packet (docs/wire/rs.md, what this server
// does). Each includes the 8 bits of a short run of idle players before the entry. Longer forms of runs are part of
// maxOverheadBits.
const (
	maxLocalBits    = 35 + 8 // a far teleport, the longest entry, and its run; a removal with the longest nested change has only 25 bits
	maxExternalBits = 21 + 8 // a change to a distant square and its run
	// maxOverheadBits covers the bits that belong to no entry: in each of four passes the last run and the padding, and the
	// additional bits of long runs. At most 62 runs of 33 or more and 7 of 257 or more fit among 2047 players.
	maxOverheadBits = 4*(14+7) + 62*3 + 7*3
)
