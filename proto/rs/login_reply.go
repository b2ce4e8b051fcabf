package rs

import (
	"encoding/binary"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// ResponseCode is the first byte of the server's response to a login: accepted, refused with a reason, or wait.
type ResponseCode uint8

// The response codes whose meaning is known. After a code without a comment about what follows, the client shows a message and
// closes the connection; the meanings of such codes from 4 to 20 are taken from existing servers. Source: docs/wire/rs.md,
// response codes.
const (
	ResponseContinue        ResponseCode = 0  // the client may send its login request; only as the answer to RequestLogin
	ResponseAdvert          ResponseCode = 1  // wait: the client sends RequestAdvertOver, then the server sends another code
	ResponseOK              ResponseCode = 2  // accepted: a Welcome and the first map follow
	ResponseCredentials     ResponseCode = 3  // the name or the password is wrong
	ResponseDisabled        ResponseCode = 4  // the account is banned
	ResponseOnline          ResponseCode = 5  // the account is already logged in
	ResponseUpdated         ResponseCode = 6  // the revision of the client is not supported
	ResponseFull            ResponseCode = 7  // the world is full
	ResponseOffline         ResponseCode = 8  // the login server is offline
	ResponseAddressLimit    ResponseCode = 9  // too many connections from one address
	ResponseSession         ResponseCode = 10 // the session is invalid
	ResponseRejected        ResponseCode = 11 // the session was rejected
	ResponseMembers         ResponseCode = 12 // a members' account is needed for this world
	ResponseIncomplete      ResponseCode = 13 // the login could not be completed
	ResponseUpdating        ResponseCode = 14 // the server is shutting down for an update
	ResponseReconnect       ResponseCode = 15 // the session continues with new ciphers in both directions: a placement block follows
	ResponseTooMany         ResponseCode = 16 // too many login attempts
	ResponseMembersArea     ResponseCode = 17 // the character stands in a members' area
	ResponseBadLoginServer  ResponseCode = 20 // the login server is invalid
	ResponseHop             ResponseCode = 21 // refused for some seconds: a u8 with the seconds follows; no other response comes
	ResponseBusy            ResponseCode = 23 // the server is busy: the client tries again, up to three times
	ResponseScript          ResponseCode = 29 // refused by a script: a u8 reason follows; no other response comes
	ResponseSSO             ResponseCode = 35 // the single sign-on key is invalid
	ResponseQueue           ResponseCode = 42 // wait: a u16 position in the queue follows, and later another code
	ResponseInstanceRefused ResponseCode = 45 // refused by an instance: a u8 reason and a u16 trigger follow; no other response comes
)

// body returns the size of the body that follows the code. It is a number of bytes, or SizeByte or SizeShort if a length field
// of one or two bytes precedes the body.
func (c ResponseCode) body() BodySize {
	switch c {
	case ResponseOK:
		return SizeByte
	case ResponseReconnect:
		return SizeShort
	case ResponseHop, ResponseScript:
		return 1
	case ResponseQueue:
		return 2
	case ResponseInstanceRefused:
		return 3
	}
	return 0
}

// IsFinal reports whether the code ends the login, with success or failure. After any other code another response follows
// on the connection.
func (c ResponseCode) IsFinal() bool {
	return c != ResponseContinue && c != ResponseAdvert && c != ResponseQueue
}

// Response is an answer to a login. Body contains the bytes after the code. If a length precedes them on the wire, it is not a part
// of Body:
//
//	ResponseOK               1..255 bytes, a Welcome
//	ResponseReconnect        PlacementSize bytes, the placement block; no REBUILD follows
//	ResponseHop              u8 seconds
//	ResponseScript           u8 reason
//	ResponseQueue            u16 position
//	ResponseInstanceRefused  u8 reason, u16 trigger
//	all others               nothing
type Response struct {
	Code ResponseCode // code that tells the client the result
	Body []byte       // bytes after the code, without a length before them
}

// SplitResponse reads the response at the start of b. The field Body of the result is a part of b. The result n is the length
// of the response. If it is 0 without an error, b does not hold the whole response yet. If the body of a ResponseReconnect does
// not have PlacementSize bytes, the error wraps wire.ErrRange.
func SplitResponse(b []byte) (p Response, n int, err error) {
	if len(b) == 0 {
		return Response{}, 0, nil
	}
	code := ResponseCode(b[0])
	head, size := 1, int(code.body())
	switch {
	case size == int(SizeByte) && len(b) > 1:
		head, size = 2, int(b[1])
	case size == int(SizeShort) && len(b) > 2:
		head, size = 3, int(binary.BigEndian.Uint16(b[1:]))
		if size != PlacementSize {
			return Response{}, 0, fmt.Errorf("placement block, the positions of all players, has %d bytes, must have %d: %w", size, PlacementSize, wire.ErrRange)
		}
	case size < 0:
		return Response{}, 0, nil
	}
	if len(b) < head+size {
		return Response{}, 0, nil
	}
	return Response{Code: code, Body: b[head : head+size : head+size]}, head + size, nil
}

// Append appends the code, a length field if the code has one, and the body. The caller ensures that the body has the size
// that Response lists for the code.
func (p Response) Append(b []byte) []byte {
	b = append(b, uint8(p.Code))
	switch p.Code.body() {
	case SizeByte:
		b = append(b, uint8(len(p.Body)))
	case SizeShort:
		b = binary.BigEndian.AppendUint16(b, uint16(len(p.Body)))
	}
	return append(b, p.Body...)
}

// Welcome is the body of ResponseOK. The first map packet follows it; see SplitFirstMap.
//
//	off  size  field           encoding  unit and range
//	0    1     StaffLevel      u8        above 0: crowns and mouse commands
//	1    1     PlayerLevel     u8
//	2    1     Underage        u8        1: no typed chat
//	3    1     ParentalChat    u8
//	4    1     ParentalAdvert  u8
//	5    1     QuickChatWorld  u8        1: no typed chat
//	6    2     Index           u16       index of the client's own player, 1..2047
//	8    1     Member          u8
//	9    3     DateOfBirth     s24
//	12   1     MembersMap      u8
//	13   n+1   MapOwner        cstr      at most 241 bytes
//
// Source: docs/wire/rs.md, after the login.
type Welcome struct {
	StaffLevel, PlayerLevel      uint8  // levels as staff and as player moderator, 0 for none; staff may give commands by mouse
	Underage                     uint8  // 1 if the account's owner is below the age limit, which disables typed chat; else 0
	ParentalChat, ParentalAdvert uint8  // parents' consent to chat and to advertising; 0 by default
	QuickChatWorld               uint8  // 1 in a world for quick chat only, where typed chat is disabled; else 0
	Index                        Index  // index of the client's own player, 1..2047
	Member                       uint8  // 1 if the account is a member's, else 0
	DateOfBirth                  int32  // date of birth of the account's owner: 24 bits, -1<<23..1<<23-1; 0 by default
	MembersMap                   uint8  // 1 if the map is that of a members' world, else 0
	MapOwner                     string // name of the player that owns the map, at most 241 bytes; "" for none
}

// ParseWelcome decodes the body of ResponseOK. b is borrowed, not kept.
// Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseWelcome(b []byte) (Welcome, error) {
	r := wire.NewReader(b)
	p := Welcome{
		StaffLevel: r.U8(), PlayerLevel: r.U8(), Underage: r.U8(),
		ParentalChat: r.U8(), ParentalAdvert: r.U8(), QuickChatWorld: r.U8(),
		Index: readIndex(&r, encU16), Member: r.U8(),
		DateOfBirth: int32(int8(r.U8()))<<16 | int32(r.BE16()),
		MembersMap:  r.U8(), MapOwner: readText(&r),
	}
	return p, r.Done("login welcome")
}

// Append appends the body of ResponseOK and returns the longer slice.
func (p Welcome) Append(b []byte) []byte {
	b = append(b, p.StaffLevel, p.PlayerLevel, p.Underage, p.ParentalChat, p.ParentalAdvert, p.QuickChatWorld)
	b = append(binary.BigEndian.AppendUint16(b, p.Index), p.Member)
	b = binary.BigEndian.AppendUint16(append(b, uint8(p.DateOfBirth>>16)), uint16(p.DateOfBirth))
	return appendText(append(b, p.MembersMap), p.MapOwner)
}

// SplitFirstMap splits the body of the first map packet after a Welcome into two parts: the placement block, which has the
// positions of all players, and the fields of RebuildNormal (or of RebuildRegion, if the opcode is ServerRebuildRegion). Later
// map packets have no placement block. Both results are borrowed. Errors wrap wire.ErrShort.
func SplitFirstMap(b []byte) (placement, rebuild []byte, err error) {
	if len(b) < PlacementSize {
		return nil, nil, fmt.Errorf("first map packet has %d bytes; the player positions at its beginning alone take %d bytes: %w", len(b), PlacementSize, wire.ErrShort)
	}
	return b[:PlacementSize:PlacementSize], b[PlacementSize:], nil
}
