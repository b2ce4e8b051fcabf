package rcce

import "github.com/truestep-io/truestep/proto/wire"

// RosterEntry is one character in the list of an account's characters, which VerifyAccount and DeleteCharacter contain.
//
//	off  size  field     encoding  unit and range
//	0    1+n   Name      str8
//	     2     Template  u16       id in the project's Actors.dat
//	     1     Gender    u8        0 male, 1 female
//	     1     Face      u8        0..4
//	     1     Hair      u8        0..4
//	     1     Beard     u8        0..4; beard before body here, the other way round in NewActor
//	     1     Body      u8        0..4
//
// Source: docs/wire/rcce.md#verifyaccount.
type RosterEntry struct {
	Name                            string // name of the character
	Template                        uint16 // id of the actor template
	Gender, Face, Hair, Beard, Body uint8  // Gender: 0 male, 1 female; the others: index of a variant of the template, 0..4
}

func readRoster(r *reader) []RosterEntry {
	var roster []RosterEntry
	for i := 0; r.more() && i < MaxCharacters; i++ {
		r.entry("Roster", i)
		roster = append(roster, RosterEntry{
			Name:     r.str8("Name"),
			Template: r.u16("Template"),
			Gender:   r.u8("Gender"),
			Face:     r.u8("Face"),
			Hair:     r.u8("Hair"),
			Beard:    r.u8("Beard"),
			Body:     r.u8("Body"),
		})
	}
	r.leave()
	return roster
}

func appendRoster(b []byte, roster []RosterEntry) []byte {
	for _, c := range roster {
		b = wire.U16(wire.Str8(b, c.Name), c.Template)
		b = append(b, c.Gender, c.Face, c.Hair, c.Beard, c.Body)
	}
	return b
}

// CreateCharacterRequest asks the server to create a character. Type 4, client to server.
//
//	off  size  field     encoding  unit and range
//	0    1+n   User      str8
//	     1+n   MD5       str8      32 lower-case hex digits
//	     2     Template  u16       id in the project's Actors.dat
//	     1     Gender    u8        0 male, 1 female
//	     1     Face      u8        0..4
//	     1     Hair      u8        0..4
//	     1     Beard     u8        0..4
//	     1     Body      u8        0..4
//	     40    Points    u8        points for each attribute, their sum at most the project's AttributeAssignment
//	     rest  Name      bytes     1..32 characters
//
// The RealmCrafter client omits Points if players of its project cannot assign points. The two forms are distinguished by
// the length: a name is shorter than 40 bytes, so that fewer than 40 bytes after Body are a name alone.
//
// Source: docs/wire/rcce.md#createcharacter (without Points: source code of RealmCrafter's client).
type CreateCharacterRequest struct {
	User, MD5                       string                // account name, and MD5 of the password in 32 lower-case hex digits
	Template                        uint16                // id of the actor template
	Gender, Face, Hair, Beard, Body uint8                 // Gender: 0 male, 1 female; the others: index of a variant of the template, 0..4
	NoPoints                        bool                  // the field Points is omitted on the wire
	Points                          [AttributeCount]uint8 // attribute points that the player assigned
	Name                            string                // name of 1..32 characters; with NoPoints, 40 bytes or more would be parsed as Points
}

// ParseCreateCharacterRequest decodes the payload of a packet of type 4 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort.
func ParseCreateCharacterRequest(b []byte) (CreateCharacterRequest, error) {
	r := newReader(b)
	p := readCreateCharacterRequest(&r)
	return p, r.done("CreateCharacterRequest")
}

func readCreateCharacterRequest(r *reader) CreateCharacterRequest {
	p := CreateCharacterRequest{
		User:     r.str8("User"),
		MD5:      r.str8("MD5"),
		Template: r.u16("Template"),
		Gender:   r.u8("Gender"),
		Face:     r.u8("Face"),
		Hair:     r.u8("Hair"),
		Beard:    r.u8("Beard"),
		Body:     r.u8("Body"),
	}
	if p.NoPoints = r.Left() < AttributeCount; !p.NoPoints {
		r.u8s("Points", p.Points[:])
	}
	p.Name = r.rest("Name")
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p CreateCharacterRequest) Append(b []byte) []byte {
	b = wire.Str8(append(b, uint8(TypeCreateCharacter)), p.User)
	b = wire.U16(wire.Str8(b, p.MD5), p.Template)
	b = append(b, p.Gender, p.Face, p.Hair, p.Beard, p.Body)
	if !p.NoPoints {
		b = append(b, p.Points[:]...)
	}
	return append(b, p.Name...)
}

// CreateCharacter is the answer to CreateCharacterRequest: it tells a client whether the character was created. Type 4, server to
// client.
//
//	off  size  field   encoding  unit and range
//	0    1     Result  u8        'Y' created, 'I' name is invalid or taken, 'N' any other failure
//
// Source: docs/wire/rcce.md#createcharacter.
type CreateCharacter struct{ Result uint8 } // ReplyYes, ReplyNo or ReplyName

// ParseCreateCharacter decodes the payload of a packet of type 4 from a server. b is borrowed, not kept. Errors wrap
// wire.ErrShort, wire.ErrRange (an unknown letter) or wire.ErrTrailing.
func ParseCreateCharacter(b []byte) (CreateCharacter, error) {
	r := newReader(b)
	p := readCreateCharacter(&r)
	return p, r.done("CreateCharacter")
}

func readCreateCharacter(r *reader) CreateCharacter {
	return CreateCharacter{Result: r.letter("Result", "YIN")}
}

// Append appends the message, 2 bytes including its type, to b and returns the longer slice.
func (p CreateCharacter) Append(b []byte) []byte {
	return append(b, uint8(TypeCreateCharacter), p.Result)
}

// readCharacterRef reads the fields by which a client names a character: the account's name, the MD5 of its password, and the
// index of the character in the account's list. FetchCharacterRequest, DeleteCharacterRequest and StartGameRequest consist of
// these fields.
func readCharacterRef(r *reader) (user, md5 string, index uint8) {
	return r.str8("User"), r.str8("MD5"), r.u8("Index")
}

func appendCharacterRef(b []byte, t PacketType, user, md5 string, index uint8) []byte {
	b = wire.Str8(append(b, uint8(t)), user)
	return append(wire.Str8(b, md5), index)
}

// DeleteCharacterRequest asks the server to delete a character. Type 5, client to server.
//
//	off  size  field  encoding  unit and range
//	0    1+n   User   str8
//	     1+n   MD5    str8      32 lower-case hex digits
//	     1     Index  u8        position in the roster, 0..9
//
// Source: docs/wire/rcce.md#deletecharacter.
type DeleteCharacterRequest struct {
	User, MD5 string // account name, and MD5 of the password in 32 lower-case hex digits
	Index     uint8  // position of the character in the roster, 0..9
}

// ParseDeleteCharacterRequest decodes the payload of a packet of type 5 from a client. b is borrowed, not kept. Errors wrap
// wire.ErrShort or wire.ErrTrailing.
func ParseDeleteCharacterRequest(b []byte) (DeleteCharacterRequest, error) {
	r := newReader(b)
	p := readDeleteCharacterRequest(&r)
	return p, r.done("DeleteCharacterRequest")
}

func readDeleteCharacterRequest(r *reader) (p DeleteCharacterRequest) {
	p.User, p.MD5, p.Index = readCharacterRef(r)
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p DeleteCharacterRequest) Append(b []byte) []byte {
	return appendCharacterRef(b, TypeDeleteCharacter, p.User, p.MD5, p.Index)
}

// DeleteCharacter is the answer to DeleteCharacterRequest: a list of the characters that the account still has, or a refusal.
// Type 5, server to client. Unlike in VerifyAccount, no 'Y' precedes the list. A payload that consists of the byte 'N' is a
// refusal. It cannot be a list, whose first byte is the length of a name: 'N' would mean that 78 bytes follow.
//
//	off  size     field   encoding  unit and range
//	0    1        'N'               refused, and the payload ends; or
//	0    n x 8+m  Roster            0..10 entries to the end; see RosterEntry
//
// Source: docs/wire/rcce.md#deletecharacter.
type DeleteCharacter struct {
	Refused bool          // the server refused the deletion
	Roster  []RosterEntry // remaining characters; nil if Refused
}

// ParseDeleteCharacter decodes the payload of a packet of type 5 from a server. b is borrowed, not kept. Errors wrap
// wire.ErrShort (an entry is cut off) or wire.ErrTrailing (there are more than 10 characters).
func ParseDeleteCharacter(b []byte) (DeleteCharacter, error) {
	r := newReader(b)
	p := readDeleteCharacter(&r)
	return p, r.done("DeleteCharacter")
}

func readDeleteCharacter(r *reader) DeleteCharacter {
	if r.Left() == 1 && r.peek() == ReplyNo {
		r.letter("Result", "N")
		return DeleteCharacter{Refused: true}
	}
	return DeleteCharacter{Roster: readRoster(r)}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p DeleteCharacter) Append(b []byte) []byte {
	b = append(b, uint8(TypeDeleteCharacter))
	if p.Refused {
		return append(b, ReplyNo)
	}
	return appendRoster(b, p.Roster)
}
