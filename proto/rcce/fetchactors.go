package rcce

import "github.com/truestep-io/truestep/proto/wire"

// FetchActorsRequest requests the tables of game data that the RealmCrafter client needs before it shows its character menu.
// Type 7, client to server, without a payload. Headless clients do not send it.
//
// Source: docs/wire/rcce.md#fetchactors.
type FetchActorsRequest struct{}

// ParseFetchActorsRequest decodes the payload of a packet of type 7 from a client. Errors wrap wire.ErrTrailing.
func ParseFetchActorsRequest(b []byte) (FetchActorsRequest, error) {
	r := newReader(b)
	return FetchActorsRequest{}, r.done("FetchActorsRequest")
}

// Append appends the message, 1 byte including its type, to b and returns the longer slice.
func (FetchActorsRequest) Append(b []byte) []byte { return append(b, uint8(TypeFetchActors)) }

// FetchActors is one of the messages that answer a FetchActorsRequest: FetchActorsAttributes, FetchActorsDamage and
// FetchActorsCalendar once each, then FetchActorsItems, FetchActorsFactions and FetchActorsTemplates as often as needed. The
// RealmCrafter client waits for the first three, for 100 factions, and for all items and templates. The last FetchActorsItems
// states how many items there are in all, and the last FetchActorsTemplates how many templates. FetchActorsAttributes must come
// first, because the client drops items and templates that arrive before it.
type FetchActors interface {
	Packet
	fetchActors()
}

// ParseFetchActors decodes the payload of a packet of type 7 from a server. b is borrowed, not kept. The result is nil if the
// first byte is unknown. Errors wrap wire.ErrShort, wire.ErrRange (an unknown first byte or item type) or wire.ErrTrailing.
func ParseFetchActors(b []byte) (FetchActors, error) {
	r := newReader(b)
	p := readFetchActors(&r)
	return p, r.done("FetchActors")
}

func readFetchActors(r *reader) FetchActors {
	switch sub := r.sub("ADEIFNY"); sub {
	case 'A':
		return readFetchActorsAttributes(r)
	case 'D':
		return readFetchActorsDamage(r)
	case 'E':
		return readFetchActorsCalendar(r)
	case 'I':
		return readFetchActorsItems(r)
	case 'F':
		return readFetchActorsFactions(r)
	case 'N', 'Y':
		return readFetchActorsTemplates(r, sub == 'Y')
	default:
		return nil
	}
}

// AttributeName is the name of an attribute, and how clients display the attribute. It is an element of FetchActorsAttributes.
type AttributeName struct {
	IsSkill, Hidden uint8  // IsSkill: 1 for a skill; Hidden: 1 if clients do not display the attribute
	Name            string // name of the attribute
}

// FetchActorsAttributes tells a client the names of all attributes.
//
//	off  size      field       encoding     unit and range
//	0    1         'A'
//	1    1         Assignment  u8           points that a new character may assign
//	2    40 x 3+n  Attributes  u8 u8 str8   skill, hidden, name
//
// Source: docs/wire/rcce.md#fetchactors.
type FetchActorsAttributes struct {
	Assignment uint8                         // number of attribute points that a new character may assign
	Attributes [AttributeCount]AttributeName // names by attribute index
}

func readFetchActorsAttributes(r *reader) FetchActorsAttributes {
	p := FetchActorsAttributes{Assignment: r.u8("Assignment")}
	for i := range p.Attributes {
		r.entry("Attributes", i)
		p.Attributes[i] = AttributeName{IsSkill: r.u8("IsSkill"), Hidden: r.u8("Hidden"), Name: r.str8("Name")}
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchActorsAttributes) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchActors), 'A', p.Assignment)
	for i := range p.Attributes {
		a := &p.Attributes[i]
		b = wire.Str8(append(b, a.IsSkill, a.Hidden), a.Name)
	}
	return b
}

// FetchActorsDamage tells a client the names of all damage types.
//
//	off  size      field  encoding  unit and range
//	0    1         'D'
//	1    20 x 1+n  Names  str8      by damage type
//
// Source: docs/wire/rcce.md#fetchactors.
type FetchActorsDamage struct{ Names [DamageTypes]string } // names by damage type; "" for an unused type

func readFetchActorsDamage(r *reader) FetchActorsDamage {
	var p FetchActorsDamage
	for i := range p.Names {
		r.entry("Names", i)
		p.Names[i] = r.str8("Name")
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchActorsDamage) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchActors), 'D')
	for _, name := range p.Names {
		b = wire.Str8(b, name)
	}
	return b
}

// Season is one of the twelve seasons in FetchActorsCalendar.
type Season struct {
	Name       string // name of the season
	StartDay   uint16 // day of the year on which the season begins
	Dusk, Dawn uint8  // hours of sunset and of sunrise, 0..23
}

// Month is one of the twenty months in FetchActorsCalendar.
type Month struct {
	Name     string // name of the month
	StartDay uint16 // day of the year on which the month begins
}

// FetchActorsCalendar tells a client the date and time in the game world, how fast that time passes, and the seasons and months.
//
//	off  size      field         encoding         unit and range
//	0    1         'E'
//	1    4         Year          u32
//	5    2         Day           u16              of the year
//	7    1         Hour          u8               0..23
//	8    1         Minute        u8               0..59
//	9    1         TimeFactor    u8               game minutes per real minute
//	10   12 x 5+n  Seasons       str8 u16 u8 u8   name, first day, dusk, dawn
//	     20 x 3+n  Months        str8 u16         name, first day
//
// Source: docs/wire/rcce.md#fetchactors.
type FetchActorsCalendar struct {
	Year                     uint32     // current year of the game world
	Day                      uint16     // day of the year
	Hour, Minute, TimeFactor uint8      // time of day; TimeFactor is game minutes per real minute
	Seasons                  [12]Season // seasons of the year in order
	Months                   [20]Month  // months of the year in order
}

func readFetchActorsCalendar(r *reader) FetchActorsCalendar {
	p := FetchActorsCalendar{
		Year:       r.u32("Year"),
		Day:        r.u16("Day"),
		Hour:       r.u8("Hour"),
		Minute:     r.u8("Minute"),
		TimeFactor: r.u8("TimeFactor"),
	}
	for i := range p.Seasons {
		r.entry("Seasons", i)
		p.Seasons[i] = Season{
			Name: r.str8("Name"), StartDay: r.u16("StartDay"), Dusk: r.u8("Dusk"), Dawn: r.u8("Dawn"),
		}
	}
	for i := range p.Months {
		r.entry("Months", i)
		p.Months[i] = Month{Name: r.str8("Name"), StartDay: r.u16("StartDay")}
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p FetchActorsCalendar) Append(b []byte) []byte {
	b = wire.U32(append(b, uint8(TypeFetchActors), 'E'), p.Year)
	b = append(wire.U16(b, p.Day), p.Hour, p.Minute, p.TimeFactor)
	for i := range p.Seasons {
		s := &p.Seasons[i]
		b = append(wire.U16(wire.Str8(b, s.Name), s.StartDay), s.Dusk, s.Dawn)
	}
	for i := range p.Months {
		b = wire.U16(wire.Str8(b, p.Months[i].Name), p.Months[i].StartDay)
	}
	return b
}

// FactionName is the number and the name of a faction. It is an element of FetchActorsFactions.
type FactionName struct {
	ID   uint8  // number of the faction, 0..99
	Name string // name of the faction, at most 255 bytes; "" if the number is not used
}

// FetchActorsFactions tells a client the names of some factions. All such messages together must contain all 100 factions,
// including unused ones.
//
//	off  size  field  encoding  unit and range
//	0    1     'F'
//
// and then, up to the end, one entry for each faction, in which the id stands between the length and the text of the name:
//
//	0    1     length of Name
//	1    1     ID     u8        0..99
//	2    n     Name   bytes
//
// Source: docs/wire/rcce.md#fetchactors (source code of RealmCrafter's client and server).
type FetchActorsFactions struct{ Factions []FactionName } // a part of the factions

func readFetchActorsFactions(r *reader) FetchActorsFactions {
	var p FetchActorsFactions
	for i := 0; r.more() && i < FactionCount; i++ {
		r.entry("Factions", i)
		n := int(r.u8("Length"))
		p.Factions = append(p.Factions, FactionName{ID: r.u8("ID"), Name: r.text("Name", n)})
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice. If a name has more than 255 bytes, only
// its first 255 bytes are appended.
func (p FetchActorsFactions) Append(b []byte) []byte {
	b = append(b, uint8(TypeFetchActors), 'F')
	for _, f := range p.Factions {
		name := f.Name[:min(len(f.Name), 255)]
		b = append(append(b, uint8(len(name)), f.ID), name...)
	}
	return b
}

func (FetchActorsAttributes) fetchActors() {}
func (FetchActorsDamage) fetchActors()     {}
func (FetchActorsCalendar) fetchActors()   {}
func (FetchActorsItems) fetchActors()      {}
func (FetchActorsFactions) fetchActors()   {}
func (FetchActorsTemplates) fetchActors()  {}
