package rs

import "github.com/truestep-io/truestep/proto/wire"

// Component identifies a part of an interface, such as a button, a text or an item slot: interface<<16 | number. An interface
// is a window or a panel of the client, which the game cache defines together with the numbers of its parts. Source:
// docs/wire/rs.md, interfaces.
type Component uint32

// ComponentOf returns the component of an interface with the given number.
func ComponentOf(iface, number uint16) Component { return Component(iface)<<16 | Component(number) }

// Interface returns the number of the interface that c belongs to.
func (c Component) Interface() uint16 { return uint16(c >> 16) }

// Number returns the number of c within its interface.
func (c Component) Number() uint16 { return uint16(c) }

// IfButton reports that the player chose an option of a component, such as a button. Client packets IF_BUTTON1 to
// IF_BUTTON10. Clients send only options that the cache or IfSetEvents enables. The buttons of the game frame, such as run
// and logout, are sent as this packet.
//
//	off  size  field      encoding  unit and range
//	0    4     Component  u32M3
//	4    2     Object     u16LA     None if the component shows no object
//	6    2     Sub        u16       None if the component has no slots
//
// Source: docs/wire/rs.md, client to server.
type IfButton struct {
	Option      uint8     // option that was chosen, 1..10, part of the opcode
	Component   Component // component that was clicked
	Object, Sub uint16    // object that the component displays, and slot in the component; None if there is none
}

// ParseIfButton decodes the body of IF_BUTTON1..10. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseIfButton(option uint8, b []byte) (IfButton, error) {
	r := wire.NewReader(b)
	p := IfButton{
		Option:    option,
		Component: readAs[Component](&r, encU32M3),
		Object:    readAs[uint16](&r, encU16LA),
		Sub:       r.BE16(),
	}
	return p, r.Done("IF_BUTTON")
}

// Opcode returns the opcode of IF_BUTTON1 to IF_BUTTON10 for Option 1..10: 61, 64, 4, 52, 81, 91, 18, 10, 20 or 25.
func (p IfButton) Opcode() Opcode { return ifButtonOpcodes[p.Option-1] }

// Append appends the body, 8 bytes, and returns the longer slice.
func (p IfButton) Append(b []byte) []byte {
	return appendAs(appendAs(appendAs(b, encU32M3, p.Component), encU16LA, p.Object), encU16, p.Sub)
}

// ResumePauseButton reports that the player clicked a component such as "click to continue", on which a dialog waits.
// Client packet RESUME_PAUSEBUTTON, 54.
//
//	off  size  field      encoding  unit and range
//	0    4     Component  u32M3
//	4    2     Sub        u16LA     None if the component has no slots
//
// Source: docs/wire/rs.md, client to server.
type ResumePauseButton struct {
	Component Component // component that was clicked
	Sub       uint16    // slot of the component; None if the component has no slots
}

// ParseResumePauseButton decodes the body of RESUME_PAUSEBUTTON. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseResumePauseButton(b []byte) (ResumePauseButton, error) {
	r := wire.NewReader(b)
	p := ResumePauseButton{Component: readAs[Component](&r, encU32M3), Sub: readAs[uint16](&r, encU16LA)}
	return p, r.Done("RESUME_PAUSEBUTTON")
}

// Opcode returns 54.
func (ResumePauseButton) Opcode() Opcode { return ClientResumePauseButton }

// Append appends the body, 6 bytes, and returns the longer slice.
func (p ResumePauseButton) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU32M3, p.Component), encU16LA, p.Sub)
}

// CloseModal reports that the client closed all sub-interfaces opened with type SubModal. Client packet CLOSE_MODAL,
// 56, no body.
type CloseModal struct{}

// Opcode returns 56.
func (CloseModal) Opcode() Opcode { return ClientCloseModal }

// Append returns b unchanged, because the packet has no body.
func (CloseModal) Append(b []byte) []byte { return b }

// Numbers of the interfaces that contain the view of the game world, one for each kind of window. IfOpenTop opens them. The
// numbers are taken from existing servers: docs/wire/rs.md.
const (
	TopFixed     = 548 // interface for a window of fixed size
	TopResizable = 746 // interface for a resizable window or the full screen
)

// IfOpenTop opens the interface that fills the window. Server packet IF_OPENTOP, 67. Until an interface with a game view
// is open, the client displays nothing and accepts no clicks.
//
//	off  size  field      encoding  unit and range
//	0    2     Interface  u16LA
//	2    1     Type       u8S       2 also closes the world map; 0 otherwise
//
// Source: docs/wire/rs.md, server to client.
type IfOpenTop struct {
	Interface uint16 // interface that fills the window
	Type      uint8  // 2: the client also closes the world map; otherwise 0
}

// ParseIfOpenTop decodes the body of IF_OPENTOP. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseIfOpenTop(b []byte) (IfOpenTop, error) {
	r := wire.NewReader(b)
	p := IfOpenTop{Interface: readAs[uint16](&r, encU16LA), Type: readAs[uint8](&r, encU8S)}
	return p, r.Done("IF_OPENTOP")
}

// Opcode returns 67.
func (IfOpenTop) Opcode() Opcode { return ServerIfOpenTop }

// Append appends the body, 3 bytes, and returns the longer slice.
func (p IfOpenTop) Append(b []byte) []byte {
	return appendAs(appendAs(b, encU16LA, p.Interface), encU8S, p.Type)
}

// Values of IfOpenSub.Type: whether the client also closes the sub-interface when it sends CloseModal.
const (
	SubModal   = 0 // sub-interface that CloseModal closes
	SubOverlay = 1 // sub-interface that CloseModal leaves open
)

// IfOpenSub opens an interface inside a component of another interface. Server packet IF_OPENSUB, 5.
//
//	off  size  field      encoding  unit and range
//	0    2     Interface  u16LA
//	2    4     Parent     u32L
//	6    1     Type       u8        SubModal or SubOverlay
//
// Source: docs/wire/rs.md, server to client.
type IfOpenSub struct {
	Interface uint16    // interface that is opened
	Parent    Component // component in which the interface is opened
	Type      uint8     // SubModal or SubOverlay
}

// ParseIfOpenSub decodes the body of IF_OPENSUB. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseIfOpenSub(b []byte) (IfOpenSub, error) {
	r := wire.NewReader(b)
	p := IfOpenSub{
		Interface: readAs[uint16](&r, encU16LA),
		Parent:    readAs[Component](&r, encU32L),
		Type:      r.U8(),
	}
	return p, r.Done("IF_OPENSUB")
}

// Opcode returns 5.
func (IfOpenSub) Opcode() Opcode { return ServerIfOpenSub }

// Append appends the body, 7 bytes, and returns the longer slice.
func (p IfOpenSub) Append(b []byte) []byte {
	return append(appendAs(appendAs(b, encU16LA, p.Interface), encU32L, p.Parent), p.Type)
}

// IfCloseSub closes a sub-interface opened by IfOpenSub. Server packet IF_CLOSESUB, 73: the parent component, u32L.
// Source: docs/wire/rs.md, server to client.
type IfCloseSub struct{ Parent Component } // component in which the sub-interface is open

// ParseIfCloseSub decodes the body of IF_CLOSESUB. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseIfCloseSub(b []byte) (IfCloseSub, error) {
	r := wire.NewReader(b)
	p := IfCloseSub{Parent: readAs[Component](&r, encU32L)}
	return p, r.Done("IF_CLOSESUB")
}

// Opcode returns 73.
func (IfCloseSub) Opcode() Opcode { return ServerIfCloseSub }

// Append appends the body, 4 bytes, and returns the longer slice.
func (p IfCloseSub) Append(b []byte) []byte { return appendAs(b, encU32L, p.Parent) }

// IfSetText changes the text of a component. Server packet IF_SETTEXT, 33.
//
//	off  size  field      encoding  unit and range
//	0    4     Component  u32
//	4    n+1   Text       cstr
//
// Source: docs/wire/rs.md, server to client.
type IfSetText struct {
	Component Component // component whose text changes
	Text      string    // new text
}

// ParseIfSetText decodes the body of IF_SETTEXT. b is borrowed, not kept. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseIfSetText(b []byte) (IfSetText, error) {
	r := wire.NewReader(b)
	p := IfSetText{Component: readAs[Component](&r, encU32), Text: readText(&r)}
	return p, r.Done("IF_SETTEXT")
}

// Opcode returns 33.
func (IfSetText) Opcode() Opcode { return ServerIfSetText }

// Append appends the body and returns the longer slice.
func (p IfSetText) Append(b []byte) []byte {
	return appendText(appendAs(b, encU32, p.Component), p.Text)
}

// IfSetEvents enables menu options of the slots From..To of a component. The client reports only the choice of an enabled
// option, for example by IfButton. Server packet IF_SETEVENTS, 3.
//
//	off  size  field      encoding  unit and range
//	0    2     From       u16L      first slot
//	2    4     Component  u32M3
//	6    2     To         u16A      last slot
//	8    4     Mask       u32L      options
//
// Source: docs/wire/rs.md, server to client.
type IfSetEvents struct {
	From, To  uint16    // first and last slot
	Component Component // component that contains the slots
	Mask      uint32    // bit mask of the options that the client reports
}

// ParseIfSetEvents decodes the body of IF_SETEVENTS. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseIfSetEvents(b []byte) (IfSetEvents, error) {
	r := wire.NewReader(b)
	p := IfSetEvents{
		From:      readAs[uint16](&r, encU16L),
		Component: readAs[Component](&r, encU32M3),
		To:        readAs[uint16](&r, encU16A),
		Mask:      readAs[uint32](&r, encU32L),
	}
	return p, r.Done("IF_SETEVENTS")
}

// Opcode returns 3.
func (IfSetEvents) Opcode() Opcode { return ServerIfSetEvents }

// Append appends the body, 12 bytes, and returns the longer slice.
func (p IfSetEvents) Append(b []byte) []byte {
	b = appendAs(appendAs(b, encU16L, p.From), encU32M3, p.Component)
	return appendAs(appendAs(b, encU16A, p.To), encU32L, p.Mask)
}
