package rcce

import "github.com/truestep-io/truestep/proto/wire"

// StartGameRequest asks the server to let a character enter the world. Type 12, client to server.
//
//	off  size  field  encoding  unit and range
//	0    1+n   User   str8
//	     1+n   MD5    str8      32 lower-case hex digits
//	     1     Index  u8        position in the roster, 0..9
//
// Source: docs/wire/rcce.md#startgame.
type StartGameRequest struct {
	User, MD5 string // account name, and MD5 of the password in 32 lower-case hex digits
	Index     uint8  // position of the character in the roster, 0..9
}

// ParseStartGameRequest decodes the payload of a packet of type 12 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort or wire.ErrTrailing.
func ParseStartGameRequest(b []byte) (StartGameRequest, error) {
	r := newReader(b)
	p := readStartGameRequest(&r)
	return p, r.done("StartGameRequest")
}

func readStartGameRequest(r *reader) (p StartGameRequest) {
	p.User, p.MD5, p.Index = readCharacterRef(r)
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p StartGameRequest) Append(b []byte) []byte {
	return appendCharacterRef(b, TypeStartGame, p.User, p.MD5, p.Index)
}

// StartGame is one of the messages that answer a StartGameRequest: StartGameRefused (1 byte), StartGameActor (2 bytes) or
// StartGameBar (7 bytes and more). The length of the payload says which one it is. To enter the world, a client needs one
// StartGameActor and twelve StartGameBar. The RealmCrafter client waits until it has received thirteen messages.
type StartGame interface {
	Packet
	startGame()
}

// ParseStartGame decodes the payload of a packet of type 12 from a server. b is borrowed, not kept. Errors wrap wire.ErrShort,
// wire.ErrRange (one byte that is not 'N') or wire.ErrTrailing.
func ParseStartGame(b []byte) (StartGame, error) {
	r := newReader(b)
	p := readStartGame(&r)
	return p, r.done("StartGame")
}

func readStartGame(r *reader) StartGame {
	switch r.Left() {
	case 0, 1:
		r.letter("Result", "N")
		return StartGameRefused{}
	case 2:
		return StartGameActor{RuntimeID: r.u16("RuntimeID")}
	}
	p := StartGameBar{Start: r.u8("Start")}
	for i := range p.Slots {
		r.entry("Slots", i)
		p.Slots[i] = r.str16("Slot")
	}
	r.leave()
	return p
}

// StartGameRefused tells a client that its player cannot enter the world: the password is wrong, the character does not exist, or
// it is already in the game.
//
//	off  size  field  encoding  unit and range
//	0    1     'N'
//
// Source: docs/wire/rcce.md#startgame.
type StartGameRefused struct{}

// Append appends the message, 2 bytes including its type, to b and returns the longer slice.
func (StartGameRefused) Append(b []byte) []byte { return append(b, uint8(TypeStartGame), ReplyNo) }

// StartGameActor tells a client the runtime id of its own actor.
//
//	off  size  field      encoding  unit and range
//	0    2     RuntimeID  u16       1..65534; clients treat 0 as a failure
//
// Source: docs/wire/rcce.md#startgame.
type StartGameActor struct{ RuntimeID uint16 } // runtime id of the client's own actor

// Append appends the message, 3 bytes including its type, to b and returns the longer slice.
func (p StartGameActor) Append(b []byte) []byte {
	return wire.U16(append(b, uint8(TypeStartGame)), p.RuntimeID)
}

// StartGameBar tells a client what three slots of its action bar contain. The text for a slot is the result of
// ActionBarUpdate.SlotText: 'S' and the name of a spell, or 'I' and the two bytes of an item id. It is "" for an empty slot.
//
//	off  size     field  encoding  unit and range
//	0    1        Start  u8        first of the three slots: 0, 3, ... 33
//	1    3 x 2+n  Slots  str16
//
// Source: docs/wire/rcce.md#startgame.
type StartGameBar struct {
	Start uint8     // index of the first of the three slots: 0, 3, ... 33
	Slots [3]string // contents of the three slots, as ActionBarUpdate.SlotText returns them; "" for an empty slot
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p StartGameBar) Append(b []byte) []byte {
	b = append(b, uint8(TypeStartGame), p.Start)
	for _, s := range p.Slots {
		b = wire.Str16(b, s)
	}
	return b
}

func (StartGameRefused) startGame() {}
func (StartGameActor) startGame()   {}
func (StartGameBar) startGame()     {}

// Values of ActionBarUpdate.Sub: what the slot of the action bar contains now.
const (
	BarSpell = 'S' // the slot holds a spell
	BarItem  = 'I' // the slot holds an item
	BarEmpty = 'N' // the slot is empty
)

// ActionBarUpdate tells the server that the player has changed a slot of its action bar. Type 31, client to server. The server
// stores what the slot contains and sends it in StartGameBar when the player enters the world again.
//
//	off  size  field  encoding  unit and range
//	0    1     Sub    u8        'S', 'I' or 'N'
//	1    1     Slot   u8        0..35, not checked here
//	2    rest  Spell  bytes     'S': the name of a spell
//	2    2     Item   u16       'I': an item id
//
// Source: docs/wire/rcce.md#actionbarupdate (source code of RealmCrafter's client and server).
type ActionBarUpdate struct {
	Sub   uint8  // BarSpell, BarItem or BarEmpty
	Slot  uint8  // slot index, 0..35, not validated
	Spell string // name of the spell; "" unless Sub is BarSpell
	Item  uint16 // item id; 0 unless Sub is BarItem
}

// ParseActionBarUpdate decodes the payload of a packet of type 31. b is borrowed, not kept. Errors wrap wire.ErrShort,
// wire.ErrRange (an unknown Sub) or wire.ErrTrailing.
func ParseActionBarUpdate(b []byte) (ActionBarUpdate, error) {
	r := newReader(b)
	p := readActionBarUpdate(&r)
	return p, r.done("ActionBarUpdate")
}

func readActionBarUpdate(r *reader) ActionBarUpdate {
	p := ActionBarUpdate{Sub: r.sub("SIN"), Slot: r.u8("Slot")}
	switch p.Sub {
	case BarSpell:
		p.Spell = r.rest("Spell")
	case BarItem:
		p.Item = r.u16("Item")
	}
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p ActionBarUpdate) Append(b []byte) []byte {
	b = append(b, uint8(TypeActionBarUpdate), p.Sub, p.Slot)
	switch p.Sub {
	case BarSpell:
		b = append(b, p.Spell...)
	case BarItem:
		b = wire.U16(b, p.Item)
	}
	return b
}

// SlotText returns the new content of the slot as text, in the form of an element of StartGameBar.Slots.
func (p ActionBarUpdate) SlotText() string {
	switch p.Sub {
	case BarSpell:
		return string([]byte{BarSpell}) + p.Spell
	case BarItem:
		return string([]byte{BarItem, uint8(p.Item), uint8(p.Item >> 8)})
	default:
		return ""
	}
}
