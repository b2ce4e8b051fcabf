package rs

import "github.com/truestep-io/truestep/proto/wire"

// NoMapFlag is the X of a SetMapFlag that clears the flag.
const NoMapFlag = 255

// SetMapFlag sets or clears the destination flag on the minimap. Server packet SET_MAP_FLAG, 55. The client sets the
// flag itself at every click and clears it on arrival, so a server sends it to cancel a path.
//
//	off  size  field  encoding  unit and range
//	0    1     X      u8        tile in the build area (absolute minus its base); NoMapFlag clears
//	1    1     Z      u8A       tile in the build area
//
// Source: docs/wire/rs.md, server to client.
type SetMapFlag struct{ X, Z uint8 } // tile relative to the base of the build area; X is NoMapFlag to clear the flag

// ParseSetMapFlag decodes the body of SET_MAP_FLAG. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseSetMapFlag(b []byte) (SetMapFlag, error) {
	r := wire.NewReader(b)
	p := SetMapFlag{X: r.U8(), Z: readAs[uint8](&r, encU8A)}
	return p, r.Done("SET_MAP_FLAG")
}

// Opcode returns 55.
func (SetMapFlag) Opcode() Opcode { return ServerSetMapFlag }

// Append appends the body, 2 bytes, and returns the longer slice.
func (p SetMapFlag) Append(b []byte) []byte { return appendAs(append(b, p.X), encU8A, p.Z) }

// MinimapToggle displays or hides parts of the minimap. Server packet MINIMAP_TOGGLE, 68, one byte: Mode; 0 displays all parts.
// Source: docs/wire/rs.md, server to client.
type MinimapToggle struct{ Mode uint8 } // parts of the minimap to hide; 0 displays the whole minimap

// ParseMinimapToggle decodes the body of MINIMAP_TOGGLE. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseMinimapToggle(b []byte) (MinimapToggle, error) {
	r := wire.NewReader(b)
	p := MinimapToggle{Mode: r.U8()}
	return p, r.Done("MINIMAP_TOGGLE")
}

// Opcode returns 68.
func (MinimapToggle) Opcode() Opcode { return ServerMinimapToggle }

// Append appends the body, 1 byte, and returns the longer slice.
func (p MinimapToggle) Append(b []byte) []byte { return append(b, p.Mode) }

// ShowFaceHere adds or removes the menu entry that sends FaceSquare. Server packet SHOW_FACE_HERE, 49.
//
//	off  size  field  encoding  unit and range
//	0    1     Shown  u8N       0 or 1
//
// Source: docs/wire/rs.md, server to client.
type ShowFaceHere struct{ Shown bool } // whether the menu has the entry

// ParseShowFaceHere decodes the body of SHOW_FACE_HERE. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseShowFaceHere(b []byte) (ShowFaceHere, error) {
	r := wire.NewReader(b)
	p := ShowFaceHere{Shown: readFlag(&r, encU8N)}
	return p, r.Done("SHOW_FACE_HERE")
}

// Opcode returns 49.
func (ShowFaceHere) Opcode() Opcode { return ServerShowFaceHere }

// Append appends the body, 1 byte, and returns the longer slice.
func (p ShowFaceHere) Append(b []byte) []byte { return appendAs(b, encU8N, flagByte(p.Shown)) }

// Values of SetMoveAction.Form. The size of the packet determines the form.
const (
	MoveActionReset  = 0 // no fields: the client uses the default text and cursor
	MoveActionCursor = 1 // the field Cursor; the client uses the default text
	MoveActionText   = 2 // the fields Text and Cursor
)

// SetMoveAction changes the "Walk here" menu entry. Server packet SET_MOVEACTION, 89.
//
//	off  size  field   encoding  unit and range
//	0    n+1   Text    cstr      MoveActionText only
//	     2     Cursor  u16       all but MoveActionReset
//
// Source: docs/wire/rs.md, server to client.
type SetMoveAction struct {
	Form   uint8  // MoveActionReset, MoveActionCursor or MoveActionText
	Text   string // text of the menu entry
	Cursor uint16 // number of the cursor
}

// ParseSetMoveAction decodes the body of SET_MOVEACTION. b is borrowed, not kept. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseSetMoveAction(b []byte) (SetMoveAction, error) {
	r := wire.NewReader(b)
	p := SetMoveAction{Form: MoveActionText}
	switch len(b) {
	case 0:
		p.Form = MoveActionReset
	case 2:
		p.Form, p.Cursor = MoveActionCursor, r.BE16()
	default:
		p.Text, p.Cursor = readText(&r), r.BE16()
	}
	return p, r.Done("SET_MOVEACTION")
}

// Opcode returns 89.
func (SetMoveAction) Opcode() Opcode { return ServerSetMoveAction }

// Append appends the body and returns the longer slice.
func (p SetMoveAction) Append(b []byte) []byte {
	switch p.Form {
	case MoveActionReset:
		return b
	case MoveActionText:
		b = appendText(b, p.Text)
	}
	return appendAs(b, encU16, p.Cursor)
}
