package rs

import "github.com/truestep-io/truestep/proto/wire"

// OpPlayer reports that the player chose an option of another player. Client packets OPPLAYER1 to OPPLAYER10. SetPlayerOp
// sets the texts of the options 1 to 8. A click on a name in a list can send the options 1, 4, 5, 6, 7 and 9. The client
// does not send a walk as well: the server moves the player to the target.
//
//	off  size  field  encoding  unit and range
//	0    1     Ctrl   u8        1 if the control key is held
//	1    2     Index  u16       1..2047, a local player of the client
//
// Source: docs/wire/rs.md, client to server.
type OpPlayer struct {
	Option uint8 // option that was chosen, 1..10, part of the opcode
	Index  Index // index of the target in the client
	Ctrl   bool  // the control key was held
}

// ParseOpPlayer decodes the body of OPPLAYER1..10. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseOpPlayer(option uint8, b []byte) (OpPlayer, error) {
	r := wire.NewReader(b)
	p := OpPlayer{Option: option, Ctrl: readFlag(&r, encU8), Index: readIndex(&r, encU16)}
	return p, r.Done("OPPLAYER")
}

// Opcode returns the opcode of OPPLAYER1 to OPPLAYER10 for Option 1..10: 14, 53, 77, 46, 50, 82, 49, 62, 43 or 19.
func (p OpPlayer) Opcode() Opcode { return opPlayerOpcodes[p.Option-1] }

// Append appends the body, 3 bytes, and returns the longer slice.
func (p OpPlayer) Append(b []byte) []byte {
	return appendAs(append(b, flagByte(p.Ctrl)), encU16, p.Index)
}

// OpPlayerT reports that the player used a spell or an object on a player, possibly on itself. Client packet OPPLAYERT, 40.
//
//	off  size  field      encoding  unit and range
//	0    2     Index      u16L      1..2047
//	2    4     Source     u32L      component of the spell or of the inventory
//	6    2     Object     u16       None for a spell
//	8    1     Ctrl       u8S       1 if the control key is held
//	9    2     SourceSub  u16LA     inventory slot
//
// Source: docs/wire/rs.md, client to server.
type OpPlayerT struct {
	Index     Index     // index of the target in the client
	Source    Component // component of the spell or the inventory
	Object    uint16    // object that is used; None for a spell
	Ctrl      bool      // the control key was held
	SourceSub uint16    // slot of the object in the inventory
}

// ParseOpPlayerT decodes the body of OPPLAYERT. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseOpPlayerT(b []byte) (OpPlayerT, error) {
	r := wire.NewReader(b)
	p := OpPlayerT{
		Index:     readIndex(&r, encU16L),
		Source:    readAs[Component](&r, encU32L),
		Object:    r.BE16(),
		Ctrl:      readFlag(&r, encU8S),
		SourceSub: readAs[uint16](&r, encU16LA),
	}
	return p, r.Done("OPPLAYERT")
}

// Opcode returns 40.
func (OpPlayerT) Opcode() Opcode { return ClientOpPlayerT }

// Append appends the body, 11 bytes, and returns the longer slice.
func (p OpPlayerT) Append(b []byte) []byte {
	b = appendAs(appendAs(b, encU16L, p.Index), encU32L, p.Source)
	b = appendAs(appendAs(b, encU16, p.Object), encU8S, flagByte(p.Ctrl))
	return appendAs(b, encU16LA, p.SourceSub)
}

// OpNPC reports that the player chose an option of an NPC. Client packets OPNPC1 to OPNPC6; only sent if the server uses
// NPC_INFO.
//
//	off  size  field  encoding  unit and range
//	0    1     Ctrl   u8A       1 if the control key is held
//	1    2     Index  u16A      index in the client's NPC table
//
// Source: docs/wire/rs.md, client to server.
type OpNPC struct {
	Option uint8  // option that was chosen, 1..6, part of the opcode
	Index  uint16 // index of the NPC in the client
	Ctrl   bool   // the control key was held
}

// ParseOpNPC decodes the body of OPNPC1..6. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseOpNPC(option uint8, b []byte) (OpNPC, error) {
	r := wire.NewReader(b)
	p := OpNPC{Option: option, Ctrl: readFlag(&r, encU8A), Index: readAs[uint16](&r, encU16A)}
	return p, r.Done("OPNPC")
}

// Opcode returns the opcode of OPNPC1 to OPNPC6 for Option 1..6: 9, 66, 31, 67, 28 or 92.
func (p OpNPC) Opcode() Opcode { return opNPCOpcodes[p.Option-1] }

// Append appends the body, 3 bytes, and returns the longer slice.
func (p OpNPC) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU8A, flagByte(p.Ctrl)), encU16A, p.Index)
}

// OpNPCT reports that the player used a spell or an object on an NPC. Client packet OPNPCT, 65.
//
//	off  size  field      encoding  unit and range
//	0    2     SourceSub  u16LA     inventory slot
//	2    2     Object     u16L      None for a spell
//	4    2     Index      u16L      index in the client's NPC table
//	6    4     Source     u32M3     component of the spell or of the inventory
//	10   1     Ctrl       u8        1 if the control key is held
//
// Source: docs/wire/rs.md, client to server.
type OpNPCT struct {
	SourceSub, Object, Index uint16    // inventory slot, object that is used, and index of the NPC
	Source                   Component // component of the spell or the inventory
	Ctrl                     bool      // the control key was held
}

// ParseOpNPCT decodes the body of OPNPCT. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseOpNPCT(b []byte) (OpNPCT, error) {
	r := wire.NewReader(b)
	p := OpNPCT{
		SourceSub: readAs[uint16](&r, encU16LA),
		Object:    readAs[uint16](&r, encU16L),
		Index:     readAs[uint16](&r, encU16L),
		Source:    readAs[Component](&r, encU32M3),
		Ctrl:      readFlag(&r, encU8),
	}
	return p, r.Done("OPNPCT")
}

// Opcode returns 65.
func (OpNPCT) Opcode() Opcode { return ClientOpNPCT }

// Append appends the body, 11 bytes, and returns the longer slice.
func (p OpNPCT) Append(b []byte) []byte {
	b = appendAs(appendAs(b, encU16LA, p.SourceSub), encU16L, p.Object)
	b = appendAs(appendAs(b, encU16L, p.Index), encU32M3, p.Source)
	return append(b, flagByte(p.Ctrl))
}

// OpLoc reports that the player chose an option of a map object, for example Open of a door. The protocol calls map objects
// locations. Client packets OPLOC1 to OPLOC6.
//
//	off  size  field  encoding  unit and range
//	0    1     Ctrl   u8A       1 if the control key is held
//	1    2     X      u16A      absolute tile, 0..16383
//	3    2     ID     u16LA     the object's type
//	5    2     Z      u16L      absolute tile, 0..16383
//
// Source: docs/wire/rs.md, client to server.
type OpLoc struct {
	Option   uint8  // option that was chosen, 1..6, part of the opcode
	X, Z, ID uint16 // absolute tile and type of the map object
	Ctrl     bool   // the control key was held
}

// ParseOpLoc decodes the body of OPLOC1..6. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseOpLoc(option uint8, b []byte) (OpLoc, error) {
	r := wire.NewReader(b)
	p := OpLoc{
		Option: option,
		Ctrl:   readFlag(&r, encU8A),
		X:      readCoord(&r, encU16A),
		ID:     readAs[uint16](&r, encU16LA),
		Z:      readCoord(&r, encU16L),
	}
	return p, r.Done("OPLOC")
}

// Opcode returns the opcode of OPLOC1 to OPLOC6 for Option 1..6: 11, 2, 76, 0, 69 or 47.
func (p OpLoc) Opcode() Opcode { return opLocOpcodes[p.Option-1] }

// Append appends the body, 7 bytes, and returns the longer slice.
func (p OpLoc) Append(b []byte) []byte {
	b = appendAs(appendAs(b, encU8A, flagByte(p.Ctrl)), encU16A, p.X)
	return appendAs(appendAs(b, encU16LA, p.ID), encU16L, p.Z)
}
