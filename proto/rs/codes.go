package rs

// How says by what means an avatar came to its tile in a cycle. A client walks to where it is told unless it is told
// to be there at once, so this is the game's decision and not a matter of distance.
type MoveKind uint8

const (
	// Walked is one step or two steps really walked. A distance that no walk or run code covers is told as a teleport.
	MoveWalk MoveKind = iota
	// Jumped is a teleport of any distance, told as such even over one tile. The client still walks short ones unless
	// the same cycle's info has KindTempSpeed 127, which the caller adds (wire section 7.2).
	MoveTeleport
)

// A code is a ready piece of the bit stream: the bits in the low end, their number in the top six bits.
type code uint64

const codeShift = 58

func newCode(bits uint64, width uint) code { return code(bits | uint64(width)<<codeShift) }

func (c code) split() (bits uint64, width uint) {
	return uint64(c) & (1<<codeShift - 1), uint(c >> codeShift)
}

// stay is the entry of a local who does not move. With the update bit it is "block only"; without, it would be a
// removal, so it is never written bare.
const codeStay = code(0b1000 | 4<<codeShift)

// moveBits returns the pass 1 and 2 entry of a move between packed tiles, update bit 0 (wire section 4). The update
// bit is the second of the entry: 1<<(width-2).
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

// A lowCode is a change of square: "0" if there is none, else "1" and the low-resolution body (wire section 5). The
// same bits are an entry of pass 3 or 4, and the nested part of an add or a removal. Number of bits in the top five.
type lowCode uint32

const (
	lowShift     = 27
	lowUnchanged = lowCode(0b0 | 1<<lowShift)
)

func (c lowCode) split() (bits uint64, width uint) {
	return uint64(c & (1<<lowShift - 1)), uint(c >> lowShift)
}

// lowBits returns the change from one square to another. Steps over the edge of the world use the widest form: the
// client adds neighbour steps without wrapping.
func encodeLowChange(from, to Square) lowCode {
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

// addBits returns the pass 3 and 4 entry that adds a player at a packed tile, update bit 0, which is the last bit.
func encodeAdd(low lowCode, at uint32, cell uint) code {
	nested, width := low.split()
	inside := uint32(1)<<cell - 1
	v := 0b100<<width | nested
	v = v<<cell | uint64(at>>14&MaxCoord&inside)
	v = v<<cell | uint64(at&MaxCoord&inside)
	return newCode(v<<1, 3+width+2*cell+1)
}

// The widest entries, for the byte budget (wire section 7.5), each with the shortest two forms of a run before it.
const (
	maxLocalBits    = 35 + 8 // far teleport; a removal with the widest nested part has 25
	maxExternalBits = 21 + 8
	// worstRest covers what the entries do not: the open run and the padding of four passes, and the wide forms of runs:
	// at most 62 runs of 33 or more, 7 of 257 or more fit among 2047 players.
	maxOverheadBits = 4*(14+7) + 62*3 + 7*3
)
