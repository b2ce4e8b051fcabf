package rs

import "github.com/truestep-io/truestep/proto/wire"

// SizeUnknown is the Size of a packet in Packets634 whose size is not known.
const SizeUnknown BodySize = -3

// Packets634 returns the known packets of revision 634 in the direction d, sorted by opcode. They are taken from one existing
// server, not from a client's table. Not known are the other opcodes and their sizes, the response codes, the block after
// ResponseOK, the number of map keys by build area, and all combat packets. There is therefore no FrameReader for 634. A server of
// that revision needs its own transport; it can use the player info codec, the ciphers and these bodies. Up to the user name,
// the login of 634 is that of 667 without the Reconnect byte. Source: docs/wire/rs.md, revision 634.
func Packets634(d Direction) []PacketDef {
	if d == C2S {
		return clientPackets634[:]
	}
	return serverPackets634[:]
}

var clientPackets634 = [...]PacketDef{
	{Op: 35, Name: "WALK", Size: 5, parse: parserOf(ParseWalk634)},
	{Op: 82, Name: "MINIMAP_WALK", Size: 18, parse: parserOf(ParseMinimapWalk634)},
}

var serverPackets634 = [...]PacketDef{
	{Op: 19, Name: "REGION", Size: SizeShort, parse: parserOf(ParseRegion634)},
	{Op: 55, Name: "LOGOUT", Size: SizeUnknown},
	{Op: 70, Name: "DYNAMIC_REGION", Size: SizeUnknown},
	{Op: 105, Name: "PLAYER_INFO", Size: SizeShort},
}

// Walk634 is the packet of revision 634 that corresponds to MoveGameClick. Client packet 35.
//
//	off  size  field  encoding  unit and range
//	0    2     Z      u16L      absolute tile, 0..16383
//	2    1     Ctrl   u8A       1 if the control key is held
//	3    2     X      u16A      absolute tile, 0..16383
//
// Source: docs/wire/rs.md, revision 634.
type Walk634 struct {
	X, Z uint16 // destination tile, absolute
	Ctrl bool   // the control key was held
}

// ParseWalk634 decodes the body of a walk of revision 634. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseWalk634(b []byte) (Walk634, error) {
	r := wire.NewReader(b)
	p := readWalk634(&r)
	return p, r.Done("634 WALK")
}

func readWalk634(r *wire.Reader) Walk634 {
	return Walk634{Z: readCoord(r, encU16L), Ctrl: readFlag(r, encU8A), X: readCoord(r, encU16A)}
}

// Opcode returns 35.
func (Walk634) Opcode() Opcode { return 35 }

// Append appends the body, 5 bytes, and returns the longer slice.
func (p Walk634) Append(b []byte) []byte {
	return appendAs(appendAs(appendAs(b, encU16L, p.Z), encU8A, flagByte(p.Ctrl)), encU16A, p.X)
}

const minimapRest634 = 13

// MinimapWalk634 is the packet of revision 634 that corresponds to MoveMinimapClick. Client packet 82: the fields of
// Walk634, then 13 bytes about the minimap. The order of these bytes is not known.
//
// Source: docs/wire/rs.md, revision 634.
type MinimapWalk634 struct {
	Walk634
	Rest [minimapRest634]byte // bytes about the minimap in unknown order
}

// ParseMinimapWalk634 decodes the body of a walk by the minimap of revision 634. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseMinimapWalk634(b []byte) (MinimapWalk634, error) {
	r := wire.NewReader(b)
	p := MinimapWalk634{Walk634: readWalk634(&r)}
	copy(p.Rest[:], r.Bytes(minimapRest634))
	return p, r.Done("634 MINIMAP_WALK")
}

// Opcode returns 82.
func (MinimapWalk634) Opcode() Opcode { return 82 }

// Append appends the body, 18 bytes, and returns the longer slice.
func (p MinimapWalk634) Append(b []byte) []byte { return append(p.Walk634.Append(b), p.Rest[:]...) }

// maxKeys634 is the maximum number of keys that the parser accepts in a Region634. The number that clients expect is unknown;
// this is the number of squares of the largest build area of revision 667.
const maxKeys634 = 16

// Region634 is the packet of revision 634 that corresponds to RebuildNormal. Server packet 19. The number of keys
// that a client expects is unknown.
//
//	off  size    field        encoding     unit and range
//	0    1       Area         u8S          0..3
//	1    2       CentreZoneZ  u16LA        absolute tile divided by 8, 0..2047
//	3    2       CentreZoneX  u16L         likewise
//	5    1       Force        u8N          0 or 1
//	6    n x 16  Keys         n x 4 x u32  0..16 of them, to the end
//
// Source: docs/wire/rs.md, revision 634.
type Region634 struct {
	CentreZoneX, CentreZoneZ uint16    // zone at the centre of the map
	Area                     BuildArea // size of the map
	Force                    bool      // rebuild the map even if the centre is unchanged
	Keys                     []Keys    // XTEA keys of map squares, 0..16
}

// ParseRegion634 decodes the body of a region packet of revision 634. b is borrowed, not kept. Errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing.
func ParseRegion634(b []byte) (Region634, error) {
	r := wire.NewReader(b)
	p := Region634{
		Area:        BuildArea(readUpTo[uint8](&r, encU8S, uint8(Area168))),
		CentreZoneZ: readUpTo[uint16](&r, encU16LA, maxZone),
		CentreZoneX: readUpTo[uint16](&r, encU16L, maxZone),
		Force:       readFlag(&r, encU8N),
	}
	for r.Left() > 0 && len(p.Keys) < maxKeys634 {
		p.Keys = append(p.Keys, readKeys(&r))
	}
	return p, r.Done("634 REGION")
}

// Opcode returns 19.
func (Region634) Opcode() Opcode { return 19 }

// Append appends the body and returns the longer slice.
func (p Region634) Append(b []byte) []byte {
	b = appendAs(appendAs(b, encU8S, uint8(p.Area)), encU16LA, p.CentreZoneZ)
	b = appendAs(appendAs(b, encU16L, p.CentreZoneX), encU8N, flagByte(p.Force))
	return appendSquareKeys(b, p.Keys)
}
