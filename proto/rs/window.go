package rs

import "github.com/truestep-io/truestep/proto/wire"

// WindowStatus reports mode and size of the client's window. Client packet WINDOW_STATUS, 87, sent right after a login or a
// reconnect and at every change. Each mode needs its own interface in IfOpenTop.
//
//	off  size  field      encoding  unit and range
//	0    1     Mode       u8        WindowFixed, WindowResizable or WindowFullScreen
//	1    2     Width      u16       pixels
//	3    2     Height     u16       pixels
//	5    1     Antialias  u8
//
// Source: docs/wire/rs.md, client to server.
type WindowStatus struct {
	Mode          uint8  // window mode: fixed, resizable or full screen
	Width, Height uint16 // size of the window, pixels
	Antialias     uint8  // level of antialiasing
}

// ParseWindowStatus decodes the body of WINDOW_STATUS. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseWindowStatus(b []byte) (WindowStatus, error) {
	r := wire.NewReader(b)
	p := WindowStatus{Mode: r.U8(), Width: r.BE16(), Height: r.BE16(), Antialias: r.U8()}
	return p, r.Done("WINDOW_STATUS")
}

// Opcode returns 87.
func (WindowStatus) Opcode() Opcode { return ClientWindowStatus }

// Append appends the body, 6 bytes, and returns the longer slice.
func (p WindowStatus) Append(b []byte) []byte {
	return append(appendAs(appendAs(append(b, p.Mode), encU16, p.Width), encU16, p.Height), p.Antialias)
}

// EventAppletFocus reports that the window gained or lost the focus. Client packet EVENT_APPLET_FOCUS, 93, one byte.
// Source: docs/wire/rs.md, client to server.
type EventAppletFocus struct{ Focus bool } // the window has the focus

// ParseEventAppletFocus decodes the body of EVENT_APPLET_FOCUS. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseEventAppletFocus(b []byte) (EventAppletFocus, error) {
	r := wire.NewReader(b)
	p := EventAppletFocus{Focus: readFlag(&r, encU8)}
	return p, r.Done("EVENT_APPLET_FOCUS")
}

// Opcode returns 93.
func (EventAppletFocus) Opcode() Opcode { return ClientEventAppletFocus }

// Append appends the body, 1 byte, and returns the longer slice.
func (p EventAppletFocus) Append(b []byte) []byte { return append(b, flagByte(p.Focus)) }

// EventCameraPosition reports the camera angles, at most every 20 client ticks. Client packet EVENT_CAMERA_POSITION,
// 5.
//
//	off  size  field  encoding  unit and range
//	0    2     Pitch  u16       client angle divided by 8
//	2    2     Yaw    u16       likewise
//
// Source: docs/wire/rs.md, client to server.
type EventCameraPosition struct{ Pitch, Yaw uint16 } // client angles divided by 8

// ParseEventCameraPosition decodes the body of EVENT_CAMERA_POSITION. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseEventCameraPosition(b []byte) (EventCameraPosition, error) {
	r := wire.NewReader(b)
	p := EventCameraPosition{Pitch: r.BE16(), Yaw: r.BE16()}
	return p, r.Done("EVENT_CAMERA_POSITION")
}

// Opcode returns 5.
func (EventCameraPosition) Opcode() Opcode { return ClientEventCameraPosition }

// Append appends the body, 4 bytes, and returns the longer slice.
func (p EventCameraPosition) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU16, p.Pitch), encU16, p.Yaw)
}

// EventMouseClick reports a click anywhere in the window. Client packet EVENT_MOUSE_CLICK, 84. Together with the key and
// mouse events it lets a server detect idle players.
//
//	off  size  field         encoding  unit and range
//	0    2     Right, Delay  u16LA     right<<15 | time since the last click, 50 ms
//	2    4     Y, X          u32M2     y<<16 | x, pixels
//
// Source: docs/wire/rs.md, client to server.
type EventMouseClick struct {
	Right bool   // the right button was clicked
	Delay uint16 // time since the previous click in units of 50 ms, 0..32767
	X, Y  uint16 // position in the window, pixels
}

// ParseEventMouseClick decodes the body of EVENT_MOUSE_CLICK. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseEventMouseClick(b []byte) (EventMouseClick, error) {
	r := wire.NewReader(b)
	when, where := readAs[uint16](&r, encU16LA), readAs[uint32](&r, encU32M2)
	p := EventMouseClick{Right: when>>15 == 1, Delay: when & 0x7fff, X: uint16(where), Y: uint16(where >> 16)}
	return p, r.Done("EVENT_MOUSE_CLICK")
}

// Opcode returns 84.
func (EventMouseClick) Opcode() Opcode { return ClientEventMouseClick }

// Append appends the body, 6 bytes, and returns the longer slice.
func (p EventMouseClick) Append(b []byte) []byte {
	b = appendAs(b, encU16LA, uint16(flagByte(p.Right))<<15|p.Delay&0x7fff)
	return appendAs(b, encU32M2, uint32(p.Y)<<16|uint32(p.X))
}

// KeyPress is one key press in an EventKeyboard.
type KeyPress struct {
	Key   uint8  // key code of the client
	Delay uint16 // time since the previous key; the unit is not documented
}

// EventKeyboard reports the keys pressed. Client packet EVENT_KEYBOARD, 68: 0 to 85 times { key u8, delay u16 }.
// Source: docs/wire/rs.md, client to server.
type EventKeyboard struct{ Presses []KeyPress } // pressed keys, oldest first

// ParseEventKeyboard decodes the body of EVENT_KEYBOARD. b is borrowed, not kept. Errors wrap wire.ErrShort.
func ParseEventKeyboard(b []byte) (EventKeyboard, error) {
	r := wire.NewReader(b)
	var p EventKeyboard
	for r.Left() > 0 {
		p.Presses = append(p.Presses, KeyPress{Key: r.U8(), Delay: r.BE16()})
	}
	return p, r.Done("EVENT_KEYBOARD")
}

// Opcode returns 68.
func (EventKeyboard) Opcode() Opcode { return ClientEventKeyboard }

// Append appends the body and returns the longer slice.
func (p EventKeyboard) Append(b []byte) []byte {
	for _, press := range p.Presses {
		b = appendAs(append(b, press.Key), encU16, press.Delay)
	}
	return b
}
