package rcce

import "github.com/truestep-io/truestep/proto/wire"

// Values of StatUpdate.Sub: which number of the actor the packet sets.
const (
	StatValue      = 'A' // the current value of an attribute changes
	StatMaximum    = 'M' // the maximum of an attribute changes
	StatReputation = 'R' // the reputation changes
)

// StatUpdate tells clients the new value of an actor's attribute or reputation. Type 22, server to client. A server sends
// health, speed, energy and reputation to every player in the area, and other attributes only to the player that has them.
//
//	off  size  field      encoding  unit and range
//	0    1     Sub        u8        'A', 'M' or 'R'
//	1    2     RuntimeID  u16
//	3    1     Attribute  u8        0..39; absent with 'R'
//	4    2     Value      i16       with 'A' and 'M' only 0..32767: one client reads the value unsigned, another signed
//
// With 'R' the value is at offset 3.
//
// Source: docs/wire/rcce.md#statupdate.
type StatUpdate struct {
	Sub       uint8  // StatValue, StatMaximum or StatReputation
	RuntimeID uint16 // runtime id of the actor
	Attribute uint8  // attribute index, 0..39; 0 if Sub is StatReputation
	Value     int16  // new absolute value
}

// StatPoints limits an attribute to 0..32767. All clients interpret these values in the same way.
func StatPoints(v int32) int16 { return int16(min(max(v, 0), 32767)) }

// ParseStatUpdate decodes the payload of a packet of type 22. b is borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrRange
// (an unknown Sub) or wire.ErrTrailing.
func ParseStatUpdate(b []byte) (StatUpdate, error) {
	r := newReader(b)
	p := readStatUpdate(&r)
	return p, r.done("StatUpdate")
}

func readStatUpdate(r *reader) StatUpdate {
	p := StatUpdate{Sub: r.sub("AMR"), RuntimeID: r.u16("RuntimeID")}
	if p.Sub != StatReputation {
		p.Attribute = r.u8("Attribute")
	}
	p.Value = r.i16("Value")
	return p
}

// Append appends the message, 6 or 7 bytes including its type, to b and returns the longer slice.
func (p StatUpdate) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeStatUpdate), p.Sub), p.RuntimeID)
	if p.Sub != StatReputation {
		b = append(b, p.Attribute)
	}
	return wire.U16(b, uint16(p.Value))
}

// Values of XPUpdate.Sub. They say what has changed and what XPUpdate.Value is.
const (
	XPBar        = 'B' // the player's experience bar is filled to Value/255
	XPGained     = 'M' // the player gained Value experience points
	XPLevel      = 'U' // the player's level is now Value and its points are 0
	XPOtherLevel = 'L' // the level of the actor RuntimeID is now Value
)

// XPUpdate tells a client that the experience of its player, or the level of an actor, has changed. Type 32, server to client.
//
//	off  size    field      encoding   unit and range
//	0    1       Sub        u8         'B', 'M', 'U' or 'L'
//	1    2       RuntimeID  u16        'L' only
//	1    1 or 4  Value      u8 or i32  'B': 0..255; the RealmCrafter server sends four bytes when a script sets the bar
//	1    4       Value      i32        'M': points
//	1    2       Value      u16        'U': level
//	3    2       Value      u16        'L': level
//
// Source: docs/wire/rcce.md#xpupdate.
type XPUpdate struct {
	Sub       uint8  // XPBar, XPGained, XPLevel or XPOtherLevel
	RuntimeID uint16 // runtime id of the other actor; 0 unless Sub is XPOtherLevel
	Value     int32  // experience points, a level or how full the bar is, depending on Sub
	Wide      bool   // Value has four bytes on the wire instead of one; only with XPBar
}

// ParseXPUpdate decodes the payload of a packet of type 32. b is borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrRange (an
// unknown Sub) or wire.ErrTrailing.
func ParseXPUpdate(b []byte) (XPUpdate, error) {
	r := newReader(b)
	p := readXPUpdate(&r)
	return p, r.done("XPUpdate")
}

func readXPUpdate(r *reader) XPUpdate {
	p := XPUpdate{Sub: r.sub("BMUL")}
	switch p.Sub {
	case XPBar:
		if p.Wide = r.Left() > 1; !p.Wide {
			p.Value = int32(r.u8("Value"))
			return p
		}
		p.Value = r.i32("Value")
	case XPGained:
		p.Value = r.i32("Value")
	case XPOtherLevel:
		p.RuntimeID = r.u16("RuntimeID")
		p.Value = int32(r.u16("Value"))
	default:
		p.Value = int32(r.u16("Value"))
	}
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p XPUpdate) Append(b []byte) []byte {
	b = append(b, uint8(TypeXPUpdate), p.Sub)
	switch p.Sub {
	case XPBar:
		if !p.Wide {
			return append(b, uint8(p.Value))
		}
		return wire.U32(b, uint32(p.Value))
	case XPGained:
		return wire.U32(b, uint32(p.Value))
	case XPOtherLevel:
		b = wire.U16(b, p.RuntimeID)
	}
	return wire.U16(b, uint16(p.Value))
}

// GoldChange tells a client that its player has gained or lost gold. Type 24, server to client.
//
//	off  size  field   encoding  unit and range
//	0    1     Sub     u8        'U' for a gain, 'D' for a loss
//	1    4     Amount  i32       difference, not negative
//
// Source: docs/wire/rcce.md#goldchange.
type GoldChange struct {
	Sub    uint8 // GoldUp or GoldDown
	Amount int32 // gained or lost gold, not negative
}

// Values of GoldChange.Sub: the player gains or loses gold.
const (
	GoldUp   = 'U' // the player gains gold
	GoldDown = 'D' // the player loses gold
)

// ParseGoldChange decodes the payload of a packet of type 24. b is borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrRange
// (an unknown Sub) or wire.ErrTrailing.
func ParseGoldChange(b []byte) (GoldChange, error) {
	r := newReader(b)
	p := readGoldChange(&r)
	return p, r.done("GoldChange")
}

func readGoldChange(r *reader) GoldChange {
	return GoldChange{Sub: r.sub("UD"), Amount: r.i32("Amount")}
}

// Append appends the message, 6 bytes including its type, to b and returns the longer slice.
func (p GoldChange) Append(b []byte) []byte {
	return wire.U32(append(b, uint8(TypeGoldChange), p.Sub), uint32(p.Amount))
}

// FloatingNumber makes clients display a number that rises from an actor. Type 48, server to client.
//
//	off  size  field      encoding  unit and range
//	0    2     RuntimeID  u16
//	2    4     Amount     i32
//	6    3     R, G, B    u8        colour
//
// Source: docs/wire/rcce.md#floatingnumber.
type FloatingNumber struct {
	RuntimeID uint16 // runtime id of the actor
	Amount    int32  // displayed number
	R, G, B   uint8  // colour of the number
}

// ParseFloatingNumber decodes the payload of a packet of type 48. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing.
func ParseFloatingNumber(b []byte) (FloatingNumber, error) {
	r := newReader(b)
	p := readFloatingNumber(&r)
	return p, r.done("FloatingNumber")
}

func readFloatingNumber(r *reader) FloatingNumber {
	return FloatingNumber{RuntimeID: r.u16("RuntimeID"), Amount: r.i32("Amount"), R: r.u8("R"), G: r.u8("G"), B: r.u8("B")}
}

// Append appends the message, 10 bytes including its type, to b and returns the longer slice.
func (p FloatingNumber) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeFloatingNumber)), p.RuntimeID)
	return append(wire.U32(b, uint32(p.Amount)), p.R, p.G, p.B)
}
