package rs

import "github.com/truestep-io/truestep/proto/wire"

// MoveGameClick asks to walk to a tile that was clicked in the scene. Client packet MOVE_GAMECLICK, 12. The client
// sends only the destination: the server finds the path.
//
//	off  size  field  encoding  unit and range
//	0    2     X      u16LA     absolute tile, 0..16383
//	2    2     Z      u16LA     absolute tile, 0..16383
//	4    1     Ctrl   u8        1 if the control key is held, invert the run setting for this path
//
// Source: docs/wire/rs.md, movement.
type MoveGameClick struct {
	X, Z uint16 // destination tile, absolute
	Ctrl bool   // the control key was held: the run setting is inverted for this path
}

// ParseMoveGameClick decodes the body of MOVE_GAMECLICK. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMoveGameClick(b []byte) (MoveGameClick, error) {
	r := wire.NewReader(b)
	p := readMoveGameClick(&r)
	return p, r.Done("MOVE_GAMECLICK")
}

func readMoveGameClick(r *wire.Reader) MoveGameClick {
	return MoveGameClick{X: readCoord(r, encU16LA), Z: readCoord(r, encU16LA), Ctrl: readFlag(r, encU8)}
}

// Opcode returns 12.
func (MoveGameClick) Opcode() Opcode { return ClientMoveGameClick }

// Append appends the body, 5 bytes, and returns the longer slice.
func (p MoveGameClick) Append(b []byte) []byte {
	b = appendAs(appendAs(b, encU16LA, p.X), encU16LA, p.Z)
	return append(b, flagByte(p.Ctrl))
}

// Bytes of MOVE_MINIMAPCLICK that have the same value in every packet of a client. The parser refuses other values, which only a
// forged packet has.
const (
	minimapMark0 = 57
	minimapMark1 = 89
	minimapMark2 = 63
)

// MoveMinimapClick asks to walk to a tile that was clicked on the minimap. Client packet MOVE_MINIMAPCLICK, 83.
// Besides the destination, it has the position on the minimap and the camera angle from which the client computed the tile.
//
//	off  size  field          encoding  unit and range
//	0    5     MoveGameClick  -         see MoveGameClick
//	5    1     OffX           s8        -1 from the known client
//	6    1     OffZ           s8        -1 from the known client
//	7    2     CameraYaw      u16
//	9    1     -              u8        57
//	10   1     YawOffset      s8
//	11   1     ScaleOffset    s8
//	12   1     -              u8        89
//	13   2     FineX          u16       own position in the build area, 512 units per tile
//	15   2     FineZ          u16       likewise
//	17   1     -              u8        63
//
// Source: docs/wire/rs.md, movement.
type MoveMinimapClick struct {
	MoveGameClick
	OffX, OffZ             int8   // offset of the click on the minimap; the known client sends -1
	CameraYaw              uint16 // angle of the camera
	YawOffset, ScaleOffset int8   // offsets of the angle and the scale of the minimap
	FineX, FineZ           uint16 // own position in the build area, 512 units per tile
}

// ParseMoveMinimapClick decodes the body of MOVE_MINIMAPCLICK. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMoveMinimapClick(b []byte) (MoveMinimapClick, error) {
	r := wire.NewReader(b)
	p := MoveMinimapClick{
		MoveGameClick: readMoveGameClick(&r),
		OffX:          readAs[int8](&r, encU8), OffZ: readAs[int8](&r, encU8),
		CameraYaw: r.BE16(),
	}
	readConstant(&r, minimapMark0)
	p.YawOffset, p.ScaleOffset = readAs[int8](&r, encU8), readAs[int8](&r, encU8)
	readConstant(&r, minimapMark1)
	p.FineX, p.FineZ = r.BE16(), r.BE16()
	readConstant(&r, minimapMark2)
	return p, r.Done("MOVE_MINIMAPCLICK")
}

// Opcode returns 83.
func (MoveMinimapClick) Opcode() Opcode { return ClientMoveMinimapClick }

// Append appends the body, 18 bytes, and returns the longer slice.
func (p MoveMinimapClick) Append(b []byte) []byte {
	b = append(p.MoveGameClick.Append(b), uint8(p.OffX), uint8(p.OffZ))
	b = append(appendAs(b, encU16, p.CameraYaw), minimapMark0)
	b = append(b, uint8(p.YawOffset), uint8(p.ScaleOffset), minimapMark1)
	return append(appendAs(appendAs(b, encU16, p.FineX), encU16, p.FineZ), minimapMark2)
}

// FaceSquare asks to turn the player towards a tile. The client can send it only after ShowFaceHere. Client packet
// FACE_SQUARE, 63.
//
//	off  size  field  encoding  unit and range
//	0    2     Z      u16LA     absolute tile, 0..16383
//	2    2     X      u16L      absolute tile, 0..16383
//
// Source: docs/wire/rs.md, client to server.
type FaceSquare struct{ X, Z uint16 } // absolute tile

// ParseFaceSquare decodes the body of FACE_SQUARE. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseFaceSquare(b []byte) (FaceSquare, error) {
	r := wire.NewReader(b)
	p := FaceSquare{Z: readCoord(&r, encU16LA), X: readCoord(&r, encU16L)}
	return p, r.Done("FACE_SQUARE")
}

// Opcode returns 63.
func (FaceSquare) Opcode() Opcode { return ClientFaceSquare }

// Append appends the body, 4 bytes, and returns the longer slice.
func (p FaceSquare) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU16LA, p.Z), encU16L, p.X)
}
