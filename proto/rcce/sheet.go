package rcce

import "github.com/truestep-io/truestep/proto/wire"

// FetchCharacterRequest requests the values, the inventory, the spells and the quests of a character. Type 3, client to server.
//
//	off  size  field  encoding  unit and range
//	0    1+n   User   str8
//	     1+n   MD5    str8      32 lower-case hex digits
//	     1     Index  u8        position in the roster, 0..9
//
// Source: docs/wire/rcce.md#fetchcharacter.
type FetchCharacterRequest struct {
	User, MD5 string // account name, and MD5 of the password in 32 lower-case hex digits
	Index     uint8  // position of the character in the roster, 0..9
}

// ParseFetchCharacterRequest decodes the payload of a packet of type 3 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort or wire.ErrTrailing.
func ParseFetchCharacterRequest(b []byte) (FetchCharacterRequest, error) {
	r := newReader(b)
	p := readFetchCharacterRequest(&r)
	return p, r.done("FetchCharacterRequest")
}

func readFetchCharacterRequest(r *reader) (p FetchCharacterRequest) {
	p.User, p.MD5, p.Index = readCharacterRef(r)
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchCharacterRequest) Append(b []byte) []byte {
	return appendCharacterRef(b, TypeFetchCharacter, p.User, p.MD5, p.Index)
}

// FetchCharacter is one of the messages that answer a FetchCharacterRequest. The answer is FetchCharacterRefused alone, or
// FetchCharacterSheet, then FetchCharacterItems, FetchCharacterSpells and FetchCharacterQuests as often as needed, and finally
// FetchCharacterEnd.
//
// The RealmCrafter client waits for 40 attributes, all 46 slots, and as many quests and spells as FetchCharacterEnd says.
// Headless clients wait for FetchCharacterSheet and FetchCharacterEnd.
type FetchCharacter interface {
	Packet
	fetchCharacter()
}

// ParseFetchCharacter decodes the payload of a packet of type 3 from a server. b is borrowed, not kept. The result is nil if the
// first bytes are unknown. Errors wrap wire.ErrShort, wire.ErrRange (unknown first bytes) or wire.ErrTrailing.
func ParseFetchCharacter(b []byte) (FetchCharacter, error) {
	r := newReader(b)
	p := readFetchCharacter(&r)
	return p, r.done("FetchCharacter")
}

func readFetchCharacter(r *reader) FetchCharacter {
	switch r.sub("CSQFN") {
	case 'C':
		if r.letter("Block", "13") == '1' {
			return readFetchCharacterSheet(r)
		}
		return readFetchCharacterItems(r)
	case 'S':
		return readFetchCharacterSpells(r)
	case 'Q':
		return readFetchCharacterQuests(r)
	case 'F':
		return FetchCharacterEnd{Quests: r.u16("Quests"), Spells: r.u16("Spells")}
	case 'N':
		return FetchCharacterRefused{}
	default:
		return nil
	}
}

// FetchCharacterRefused tells a client that the character does not exist or that the password is wrong.
//
//	off  size  field  encoding  unit and range
//	0    1     'N'
type FetchCharacterRefused struct{}

// Append appends the message, 2 bytes including its type, to b and returns the longer slice.
func (FetchCharacterRefused) Append(b []byte) []byte {
	return append(b, uint8(TypeFetchCharacter), ReplyNo)
}

// Attribute is the current value and the maximum of an attribute.
type Attribute struct{ Value, Max uint16 } // attribute points

// attributes reads the value and the maximum of each of the 40 attributes.
func (r *reader) attributes(name string, dst *[AttributeCount]Attribute) {
	start := r.Offset()
	for i := range dst {
		dst[i] = Attribute{Value: r.U16(), Max: r.U16()}
	}
	r.note(name, KindU16, start)
}

func appendAttributes(b []byte, attributes *[AttributeCount]Attribute) []byte {
	for _, a := range attributes {
		b = wire.U16(wire.U16(b, a.Value), a.Max)
	}
	return b
}

// FetchCharacterSheet contains a character's basic values, such as its gold and level, and its attributes.
//
//	off  size    field       encoding    unit and range
//	0    2       'C' '1'
//	2    4       Gold        u32
//	6    2       Reputation  i16
//	8    2       Level       u16
//	10   4       XP          u32
//	14   1       Faction     u8          home faction, 0..99
//	15   40 x 4  Attributes  u16 u16     value and maximum, in turn
//
// Source: docs/wire/rcce.md#fetchcharacter.
type FetchCharacterSheet struct {
	Gold       uint32                    // amount of money
	Reputation int16                     // reputation of the character, as in StatUpdate
	Level      uint16                    // character level
	XP         uint32                    // experience points
	Faction    uint8                     // home faction, 0..99
	Attributes [AttributeCount]Attribute // values by attribute index
}

func readFetchCharacterSheet(r *reader) FetchCharacterSheet {
	p := FetchCharacterSheet{
		Gold:       r.u32("Gold"),
		Reputation: r.i16("Reputation"),
		Level:      r.u16("Level"),
		XP:         r.u32("XP"),
		Faction:    r.u8("Faction"),
	}
	r.attributes("Attributes", &p.Attributes)
	return p
}

// Append appends the message, 176 bytes including its type, to b and returns the longer slice.
func (p FetchCharacterSheet) Append(b []byte) []byte {
	b = wire.U32(append(b, uint8(TypeFetchCharacter), 'C', '1'), p.Gold)
	b = wire.U16(b, uint16(p.Reputation))
	b = wire.U32(wire.U16(b, p.Level), p.XP)
	return appendAttributes(append(b, p.Faction), &p.Attributes)
}

// SlotItem is one element of FetchCharacterItems: the number of an inventory slot, and its content. If Slot is 46 or more (the
// RealmCrafter server sends EmptySlot), the element means that the next slot in order is empty. Item and Amount are then zero
// and not sent.
type SlotItem struct {
	Slot   uint8        // slot number, 0..45; 46 or more means an empty slot
	Item   ItemInstance // item in the slot
	Amount uint16       // number of items in the slot
}

// FetchCharacterItems contains a part of a character's inventory. All 46 slots are sent in order, in several messages, each of which is
// shorter than a kilobyte.
//
//	off  size  field   encoding      unit and range
//	0    2     'C' '3'
//
// and then, up to the end, for each of at most 46 slots:
//
//	0    1     Slot    u8            0..45; or 46 and up, usually 99: the slot is empty, and the entry ends here
//	1    83    Item    ItemInstance
//	84   2     Amount  u16
//
// Source: docs/wire/rcce.md#fetchcharacter.
type FetchCharacterItems struct{ Slots []SlotItem } // a part of the 46 slots, in order

func readFetchCharacterItems(r *reader) FetchCharacterItems {
	var p FetchCharacterItems
	for i := 0; r.more() && i < SlotCount; i++ {
		r.entry("Slots", i)
		s := SlotItem{Slot: r.u8("Slot")}
		if s.Slot < SlotCount {
			s.Item = readItemInstance(r)
			s.Amount = r.u16("Amount")
		}
		p.Slots = append(p.Slots, s)
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchCharacterItems) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchCharacter), 'C', '3')
	for i := range p.Slots {
		s := &p.Slots[i]
		b = append(b, s.Slot)
		if s.Slot < SlotCount {
			b = wire.U16(s.Item.append(b), s.Amount)
		}
	}
	return b
}

// KnownSpell is a spell that a character knows. It is an element of FetchCharacterSpells.
type KnownSpell struct {
	Level, ID, Thumbnail, Recharge uint16 // level and id of the spell, texture id of its icon, and time between two casts in ms
	Name, Description              string // texts for the player
	Memorised                      uint8  // 1 if the character has memorised the spell, otherwise 0
}

// FetchCharacterSpells contains some of a character's spells.
//
//	off  size  field        encoding  unit and range
//	0    1     'S'
//
// and then, up to the end, for each spell:
//
//	0    2     Level        u16
//	2    2     ID           u16
//	4    2     Thumbnail    u16       texture id
//	6    2     Recharge     u16       ms
//	8    2+n   Name         str16
//	     2+n   Description  str16
//	     1     Memorised    u8        1 if memorised
//
// Source: docs/wire/rcce.md#fetchcharacter.
type FetchCharacterSpells struct{ Spells []KnownSpell } // a part of the spells

func readFetchCharacterSpells(r *reader) FetchCharacterSpells {
	var p FetchCharacterSpells
	for i := 0; r.more(); i++ {
		r.entry("Spells", i)
		p.Spells = append(p.Spells, KnownSpell{
			Level:       r.u16("Level"),
			ID:          r.u16("ID"),
			Thumbnail:   r.u16("Thumbnail"),
			Recharge:    r.u16("Recharge"),
			Name:        r.str16("Name"),
			Description: r.str16("Description"),
			Memorised:   r.u8("Memorised"),
		})
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchCharacterSpells) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchCharacter), 'S')
	for _, s := range p.Spells {
		for _, v := range [...]uint16{s.Level, s.ID, s.Thumbnail, s.Recharge} {
			b = wire.U16(b, v)
		}
		b = append(wire.Str16(wire.Str16(b, s.Name), s.Description), s.Memorised)
	}
	return b
}

// QuestLogEntry is a quest in FetchCharacterQuests. In a quest from the RealmCrafter server, the first three bytes of Status
// are the colour of the text. This package passes them on unchanged.
type QuestLogEntry struct{ Name, Status string } // name of the quest, and the text below the name

// FetchCharacterQuests contains a part of a character's quest log.
//
//	off  size  field   encoding  unit and range
//	0    1     'Q'
//
// and then, up to the end, for each quest:
//
//	0    1+n   Name    str8
//	     2+n   Status  str16
//
// Source: docs/wire/rcce.md#fetchcharacter.
type FetchCharacterQuests struct{ Quests []QuestLogEntry } // a part of the quest log

func readFetchCharacterQuests(r *reader) FetchCharacterQuests {
	var p FetchCharacterQuests
	for i := 0; r.more(); i++ {
		r.entry("Quests", i)
		p.Quests = append(p.Quests, QuestLogEntry{Name: r.str8("Name"), Status: r.str16("Status")})
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchCharacterQuests) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchCharacter), 'Q')
	for _, q := range p.Quests {
		b = wire.Str16(wire.Str8(b, q.Name), q.Status)
	}
	return b
}

// FetchCharacterEnd is the last of the messages that answer a FetchCharacterRequest. It contains the total numbers of quests and
// spells.
//
//	off  size  field   encoding  unit and range
//	0    1     'F'
//	1    2     Quests  u16
//	3    2     Spells  u16
//
// Source: docs/wire/rcce.md#fetchcharacter.
type FetchCharacterEnd struct{ Quests, Spells uint16 } // number of quests and of spells in all messages

// Append appends the message, 6 bytes including its type, to b and returns the longer slice.
func (p FetchCharacterEnd) Append(b []byte) []byte {
	return wire.U16(wire.U16(append(b, uint8(TypeFetchCharacter), 'F'), p.Quests), p.Spells)
}

func (FetchCharacterRefused) fetchCharacter() {}
func (FetchCharacterSheet) fetchCharacter()   {}
func (FetchCharacterItems) fetchCharacter()   {}
func (FetchCharacterSpells) fetchCharacter()  {}
func (FetchCharacterQuests) fetchCharacter()  {}
func (FetchCharacterEnd) fetchCharacter()     {}
