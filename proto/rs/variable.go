package rs

import "github.com/truestep-io/truestep/proto/wire"

// Numbers of variables that control what the client displays. The game cache defines the variables; these numbers are taken
// from existing servers: docs/wire/rs.md.
const (
	VarpRun          = 173  // ID for VarpSmall: state of the run button, 0 walking, 1 running
	VarbitLifePoints = 7198 // ID for VarbitLarge: life points in the orb, which UpdateStat alone does not update
)

// VarpSmall sets a client variable of the player to a small value. Server packet VARP_SMALL, 101.
//
//	off  size  field  encoding  unit and range
//	0    2     ID     u16
//	2    1     Value  s8A
//
// Source: docs/wire/rs.md, server to client.
type VarpSmall struct {
	ID    uint16 // number of the variable
	Value int8   // new value
}

// ParseVarpSmall decodes the body of VARP_SMALL. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseVarpSmall(b []byte) (VarpSmall, error) {
	r := wire.NewReader(b)
	p := VarpSmall{ID: r.BE16(), Value: readAs[int8](&r, encU8A)}
	return p, r.Done("VARP_SMALL")
}

// Opcode returns 101.
func (VarpSmall) Opcode() Opcode { return ServerVarpSmall }

// Append appends the body, 3 bytes, and returns the longer slice.
func (p VarpSmall) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU16, p.ID), encU8A, p.Value)
}

// VarpLarge sets a client variable of the player. Server packet VARP_LARGE, 39.
//
//	off  size  field  encoding  unit and range
//	0    4     Value  u32M3
//	4    2     ID     u16A
//
// Source: docs/wire/rs.md, server to client.
type VarpLarge struct {
	ID    uint16 // number of the variable
	Value int32  // new value
}

// ParseVarpLarge decodes the body of VARP_LARGE. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseVarpLarge(b []byte) (VarpLarge, error) {
	r := wire.NewReader(b)
	p := VarpLarge{Value: readAs[int32](&r, encU32M3), ID: readAs[uint16](&r, encU16A)}
	return p, r.Done("VARP_LARGE")
}

// Opcode returns 39.
func (VarpLarge) Opcode() Opcode { return ServerVarpLarge }

// Append appends the body, 6 bytes, and returns the longer slice.
func (p VarpLarge) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU32M3, p.Value), encU16A, p.ID)
}

// VarbitSmall sets a varbit, which is a group of bits in a client variable, to a small value. Server packet VARBIT_SMALL, 14.
//
//	off  size  field  encoding  unit and range
//	0    1     Value  u8S
//	1    2     ID     u16A
//
// Source: docs/wire/rs.md, server to client.
type VarbitSmall struct {
	ID    uint16 // number of the varbit, a group of bits in a variable
	Value uint8  // new value
}

// ParseVarbitSmall decodes the body of VARBIT_SMALL. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseVarbitSmall(b []byte) (VarbitSmall, error) {
	r := wire.NewReader(b)
	p := VarbitSmall{Value: readAs[uint8](&r, encU8S), ID: readAs[uint16](&r, encU16A)}
	return p, r.Done("VARBIT_SMALL")
}

// Opcode returns 14.
func (VarbitSmall) Opcode() Opcode { return ServerVarbitSmall }

// Append appends the body, 3 bytes, and returns the longer slice.
func (p VarbitSmall) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU8S, p.Value), encU16A, p.ID)
}

// VarbitLarge sets a varbit, which is a group of bits in a client variable. Server packet VARBIT_LARGE, 84.
//
//	off  size  field  encoding  unit and range
//	0    4     Value  u32
//	4    2     ID     u16
//
// Source: docs/wire/rs.md, server to client.
type VarbitLarge struct {
	ID    uint16 // number of the varbit, a group of bits in a variable
	Value uint32 // new value
}

// ParseVarbitLarge decodes the body of VARBIT_LARGE. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseVarbitLarge(b []byte) (VarbitLarge, error) {
	r := wire.NewReader(b)
	p := VarbitLarge{Value: r.BE32(), ID: r.BE16()}
	return p, r.Done("VARBIT_LARGE")
}

// Opcode returns 84.
func (VarbitLarge) Opcode() Opcode { return ServerVarbitLarge }

// Append appends the body, 6 bytes, and returns the longer slice.
func (p VarbitLarge) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU32, p.Value), encU16, p.ID)
}

// ResetClientVarcache resets all variables of the client to their initial values. Server packet
// RESET_CLIENT_VARCACHE, 86, no body.
type ResetClientVarcache struct{}

// Opcode returns 86.
func (ResetClientVarcache) Opcode() Opcode { return ServerResetClientVarcache }

// Append returns b unchanged, because the packet has no body.
func (ResetClientVarcache) Append(b []byte) []byte { return b }
