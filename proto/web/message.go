package web

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// Code is the first byte of a control message.
type Code uint8

// Codes of control messages. Clients send those below 0x40.
const (
	CodeHello   Code = 0x02
	CodeAct     Code = 0x03
	CodeWelcome Code = 0x41
	CodeRefused Code = 0x42
	CodeEnter   Code = 0x43
	CodeLeave   Code = 0x44
	CodeBody    Code = 0x45
	CodeEvent   Code = 0x46
	CodeOwn     Code = 0x47
	CodeArea    Code = 0x48
	CodeAnswer  Code = 0x49
	CodeBye     Code = 0x4a
	CodeGame    Code = 0x4b
	CodeFields  Code = 0x4c
)

// Limits of control messages, in bytes.
const (
	MaxHello  = 2048 // maximum length of a Hello
	MaxAct    = 512  // maximum length of an Act
	MaxServer = 4096 // maximum length of a message of the server
)

// Magic are the first bytes of a Hello after its code.
const Magic = "TSW1"

// NoHandle is the handle of no actor, or of one that the client is not shown.
const NoHandle = 0xffff

// Message is a control message.
type Message interface {
	Code() Code
	appendBody(b []byte) []byte
}

// Token lets a client resume its session from any address. The zero value is none.
type Token [16]byte

// Hash names the schema or the ground of an area: the first 8 bytes of a SHA-256.
type Hash [8]byte

// Hello is the first message of a client.
//
//	size  field
//	4     magic      "TSW1"
//	4     features   u32, feature bits of the client
//	8     schema     hash of the schema that the client knows; zero: it reads the one of the ticket
//	16    resume     token of an earlier Welcome, or zero
//	      ticket     str16, from POST /play/v1/ticket; may be empty with a token
type Hello struct {
	Features uint32
	Schema   Hash
	Resume   Token
	Ticket   string
}

// Act is a request of the player other than movement. The server answers each with an Answer of the same number.
//
//	size  field
//	2     number   u16, ascending from 1; repeated requests keep their number and are carried out once
//	1     verb     u8, VerbAttack and so on
//	4     tick     u32, newest tick of the client, low bits
//	3     seen     u24, tick at which the client draws others, in 1/256 ticks, low bits
//	2     handle   u16, actor that it concerns, or NoHandle
//	      text     str16, UTF-8
//	1     command  u8, index in Schema.Commands; this and the rest only with VerbCommand
//	1     n        u8, number of arguments
//	4n    args     i32 x n, the arguments that are numbers, at their index in Command.Args
type Act struct {
	Number  uint16
	Verb    Verb
	Tick    uint32
	Seen    uint32 // 24 bits
	Handle  uint16
	Text    string
	Command uint8
	Args    []int32
}

// Verb is what an Act asks for.
type Verb uint8

// Values of Verb.
const (
	VerbAttack  Verb = 1 + iota // attack the actor
	VerbSay                     // say the text to all players of the area
	VerbWake                    // respawn after death
	VerbUse                     // use the item in hand; text "stop" ends its use
	VerbLeave                   // leave the world at once
	VerbCommand                 // ask the game's rules: Command and Args; Handle and Text are the arguments that are an actor and a text
	verbs
)

// Welcome admits a client. It is followed by Enter messages, the first of them about its own actor.
//
//	size  field
//	1     run        u8
//	4     features   u32, feature bits of the server
//	1     ticks      u8, ticks of the server per second
//	8     tick       u64, the client's next tick is tick + 1
//	2     own        u16, handle of the client's own actor
//	      area       Area without its code
//	16    resume     token
//	8     schema     hash
//	      avatar     Avatar
type Welcome struct {
	Run      uint8
	Features uint32
	Ticks    uint8
	Tick     uint64
	Own      uint16
	Area     Area
	Resume   Token
	Schema   Hash
	Avatar   Avatar
}

// Refused refuses a client, whose connection is then closed.
//
//	size  field
//	1     reason    u8, RefusedTicket and so on
//	2     seconds   u16, earliest time of another try, 0 if it is useless
//	      text      str16, a sentence for the player
type Refused struct {
	Reason  RefusedReason
	Seconds uint16
	Text    string
}

// RefusedReason is the reason of a Refused.
type RefusedReason uint8

// Values of RefusedReason.
const (
	RefusedTicket   RefusedReason = 1 + iota // the ticket is not valid, is used or has expired: ask for another one
	RefusedFull                              // the server is full
	RefusedBusy                              // the server is overloaded
	RefusedOnline                            // the account is in the world
	RefusedBanned                            // the account is banned
	RefusedClosed                            // the world does not allow new accounts
	RefusedVersion                           // the client's protocol is not supported
	RefusedSchema                            // the client knows another schema: reload
	RefusedInternal                          // an error of the server
)

// Enter shows an actor to the client.
//
//	size  field
//	2     handle   u16
//	1     kind     u8, index of the kind in the schema
//	1     n        u8, number of fast fields
//	4n    state    i32 x n, the fields of snapshots
//	      body     as in Body, with all fields
type Enter struct {
	Handle uint16
	Kind   uint8
	State  []int32
	Body   Body
}

// Limits of a game's own data in messages.
const (
	MaxFields = 32 // maximum number of fields of a kind in snapshots
	MaxSlow   = 64 // maximum number of slow fields of a kind, and of fields of an area
	MaxArgs   = 8  // maximum number of arguments of a command or an event
)

// Body is a change of the fields of an actor that rarely change. In an Enter its handle is left out.
//
//	size  field
//	2     handle      u16; not in an Enter
//	1     mask        u8, which of the following are present
//	      door        str8, bit 0: name of the door of the player, such as "rcce"; empty for an NPC
//	2     level       u16, bit 1
//	4     healthMax   i32, bit 2
//	1     height      u8, bit 3: height of the figure in 1/16 blocks
//	      name        str8, bit 4: UTF-8
//	      fields      bit 5: u8 n, i32 x n: the slow fields of the kind; an Enter has it only if the kind has slow fields
type Body struct {
	Handle    uint16
	Mask      BodyMask
	Door      string
	Level     uint16
	HealthMax int32
	Height    uint8
	Name      string
	Fields    []int32
}

// BodyMask is a set of fields of a Body.
type BodyMask uint8

// Bits of BodyMask.
const (
	BodyDoor BodyMask = 1 << iota
	BodyLevel
	BodyHealthMax
	BodyHeight
	BodyName
	BodyFields

	BodyAll = BodyFields - 1 // the fields that every kind has
)

// Leave ends the showing of an actor. Its handle may be used again once the client has confirmed the message (Input.Heard).
//
//	size  field
//	2     handle   u16
//	1     reason   u8, LeaveSight and so on
type Leave struct {
	Handle uint16
	Reason LeaveReason
}

// LeaveReason is why an actor is no longer shown.
type LeaveReason uint8

// Values of LeaveReason.
const (
	LeaveSight LeaveReason = 1 + iota // out of sight
	LeaveGone                         // left the world or the area
	LeaveDead                         // an NPC that died
)

// Event is something that happened in a tick. Clients show it when they draw that tick.
//
//	size  field
//	4     tick     u32, low bits of the server's tick
//	1     kind     u8, EventStruck and so on
//	2     who      u16, handle or NoHandle
//	2     other    u16, handle or NoHandle
//	4     value    i32
//	      text     str16, UTF-8
type Event struct {
	Tick       uint32
	Kind       EventKind
	Who, Other uint16
	Value      int32
	Text       string
}

// EventKind is the kind of an Event.
type EventKind uint8

// Values of EventKind. The brackets list the fields that are used in addition to Tick.
const (
	EventStruck  EventKind = 1 + iota // [Who: attacker, Other: victim, Value: damage, -1 for a miss]
	EventShot                         // a projectile flies [Who, Other: target, Value: its flight in ms]
	EventDied                         // [Who, Other: killer, Text: name of Who]
	EventSaid                         // [Who, Text: line]
	EventTold                         // the server tells the player [Value: tone 0 system, 1 warning, 2 combat; Text]
	EventJumped                       // [Who]
	EventXP                           // [Value: points]
	EventRespawn                      // [Who]
	eventKinds
)

// Own tells a client about its own player. The client applies it after its tick and replays the later ones.
//
//	size  field
//	4     tick     u32, client tick after which Avatar is the state, low bits; 0 before its first input
//	2     serial   u16, to be confirmed in Input.Barrier; 0: nothing to confirm
//	1     reason   u8, see GET /play/v1/reasons
//	1     what     u8, OwnCorrected and so on
//	      avatar   Avatar
type Own struct {
	Tick   uint32
	Serial uint16
	Reason uint8
	What   OwnKind
	Avatar Avatar
}

// OwnKind is the kind of an Own.
type OwnKind uint8

// Values of OwnKind.
const (
	OwnCorrected  OwnKind = 1 + iota // the prediction was wrong
	OwnKnockback                     // a blow or an effect changed the velocity
	OwnTeleported                    // the player was moved; the next input has KeyHandledTeleport
	OwnStance                        // posture, abilities or speed changed
	ownKinds
)

// Area is a change of the area: the client forgets every handle, and reads the ground.
//
//	size  field
//	2     area     u16
//	8     ground   hash; GET /play/v1/ground/HEX
//	1     run      u8
//	2     own      u16, handle of the client's own actor in the area
//	      name     str8, UTF-8
type Area struct {
	Area   uint16
	Ground Hash
	Run    uint8
	Own    uint16
	Name   string
}

// Answer is the result of an Act.
//
//	size  field
//	2     number    u16
//	1     reason    u8, 0: done, else why not, see GET /play/v1/reasons
//	4     asked     f32, what was asked for, in the unit of the rule
//	4     allowed   f32
//	      text      str8, a sentence of the game's rules for the player; empty for the sentence of the reason
type Answer struct {
	Number         uint16
	Reason         uint8
	Asked, Allowed float32
	Text           string
}

// Bye ends a connection.
//
//	size  field
//	1     reason   u8, ByeStopping and so on
//	1     resume   u8, 1: the client may resume
//	      text     str16, a sentence for the player
type Bye struct {
	Reason ByeReason
	Resume bool
	Text   string
}

// GameEvent is an event of the game.
//
//	size  field
//	4     tick     u32, low bits of the server's tick
//	1     event    u8, index in Schema.Events
//	2     who      u16, the actor that it is about: handle or NoHandle
//	2     other    u16, the argument that is an actor: handle or NoHandle
//	1     n        u8, number of arguments
//	4n    args     i32 x n, the arguments that are numbers, at their index in Command.Args
//	      text     str16, the argument that is a text
type GameEvent struct {
	Tick       uint32
	Event      uint8
	Who, Other uint16
	Args       []int32
	Text       string
}

// AreaFields are the fields of the area, after an Area or a Welcome and when one of them changes.
//
//	size  field
//	1     n        u8
//	4n    values   i32 x n, in the order of Schema.Area
type AreaFields struct {
	Values []int32
}

// ByeReason is the reason of a Bye.
type ByeReason uint8

// Values of ByeReason.
const (
	ByeStopping  ByeReason = 1 + iota // the server stops
	ByeElsewhere                      // the session goes on in another connection
	ByeMalformed                      // the client violated the protocol
	ByeSlow                           // the client does not read
	ByeKicked                         // an operator or a rule removed the player
	ByeLeft                           // the player left
)

// Code returns CodeHello.
func (*Hello) Code() Code { return CodeHello }

// Code returns CodeAct.
func (*Act) Code() Code { return CodeAct }

// Code returns CodeWelcome.
func (*Welcome) Code() Code { return CodeWelcome }

// Code returns CodeRefused.
func (*Refused) Code() Code { return CodeRefused }

// Code returns CodeEnter.
func (*Enter) Code() Code { return CodeEnter }

// Code returns CodeBody.
func (*Body) Code() Code { return CodeBody }

// Code returns CodeLeave.
func (*Leave) Code() Code { return CodeLeave }

// Code returns CodeEvent.
func (*Event) Code() Code { return CodeEvent }

// Code returns CodeOwn.
func (*Own) Code() Code { return CodeOwn }

// Code returns CodeArea.
func (*Area) Code() Code { return CodeArea }

// Code returns CodeAnswer.
func (*Answer) Code() Code { return CodeAnswer }

// Code returns CodeBye.
func (*Bye) Code() Code { return CodeBye }

// Code returns CodeGame.
func (*GameEvent) Code() Code { return CodeGame }

// Code returns CodeFields.
func (*AreaFields) Code() Code { return CodeFields }

// Append appends the wire form of m to b: its code and its body.
func Append(b []byte, m Message) []byte { return m.appendBody(append(b, byte(m.Code()))) }

// AppendFramed appends m as a message of a stream: its length as a varint, its code and its body.
func AppendFramed(b []byte, m Message) []byte {
	at := len(b)
	b = Append(append(b, 0, 0), m) // two bytes of length suffice for MaxServer
	n := len(b) - at - 2
	if n < 0x80 {
		b = append(b[:at+1], b[at+2:]...)
		b[at] = byte(n)
		return b
	}
	b[at], b[at+1] = byte(n)|0x80, byte(n>>7)
	return b
}

// AppendFrame appends an encoded message of a stream: its length as a varint and its bytes.
func AppendFrame(b, message []byte) []byte { return wire.VarBytes(b, message) }

// ErrTooLong says that a message of a stream is longer than allowed.
var ErrTooLong = errors.New("the message is too long")

// NextFrame returns the first message of a stream and the number of bytes that it takes with its length. n is 0 if the message is not
// complete yet. The message is part of b. Errors: ErrTooLong above limit bytes, and for an empty message.
func NextFrame(b []byte, limit int) (message []byte, n int, err error) {
	size, used := 0, 0
	for shift := 0; ; shift += 7 {
		if used == len(b) {
			return nil, 0, nil
		}
		c := b[used]
		size |= int(c&0x7f) << shift
		used++
		if size > limit || shift > 14 {
			return nil, 0, fmt.Errorf("%w: more than %d bytes", ErrTooLong, limit)
		}
		if c < 0x80 {
			break
		}
	}
	if size == 0 {
		return nil, 0, fmt.Errorf("%w: it is empty", ErrTooLong)
	}
	if len(b)-used < size {
		return nil, 0, nil
	}
	return b[used : used+size], used + size, nil
}

// ErrUnknown says that the code of a control message is not known. Such a message is skipped.
var ErrUnknown = errors.New("unknown control message")

// ParseToServer decodes a control message of a client. Errors wrap ErrUnknown, ErrTooLong, wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseToServer(b []byte) (Message, error) {
	r := wire.NewReader(b)
	switch code := Code(r.U8()); {
	case code == CodeHello && len(b) > MaxHello, code == CodeAct && len(b) > MaxAct:
		return nil, ErrTooLong
	case code == CodeHello:
		m := readHello(&r)
		return m, r.Done("hello")
	case code == CodeAct:
		m := readAct(&r)
		return m, r.Done("act")
	}
	if r.Err() != nil {
		return nil, r.Done("message")
	}
	return nil, ErrUnknown
}

// ParseToClient decodes a control message of the server. Errors are those of ParseToServer.
func ParseToClient(b []byte) (Message, error) {
	r := wire.NewReader(b)
	code := Code(r.U8())
	if r.Err() != nil {
		return nil, r.Done("message")
	}
	if len(b) > MaxServer {
		return nil, ErrTooLong
	}
	read, ok := toClient[code]
	if !ok {
		return nil, ErrUnknown
	}
	m := read(&r)
	return m, r.Done("message")
}

// toClient reads the bodies of the server's messages.
var toClient = map[Code]func(r *wire.Reader) Message{
	CodeWelcome: func(r *wire.Reader) Message { return readWelcome(r) },
	CodeRefused: func(r *wire.Reader) Message {
		return &Refused{Reason: RefusedReason(r.U8()), Seconds: r.U16(), Text: r.Str16()}
	},
	CodeEnter: func(r *wire.Reader) Message { return readEnter(r) },
	CodeBody: func(r *wire.Reader) Message {
		m := &Body{Handle: r.U16()}
		m.read(r)
		return m
	},
	CodeLeave: func(r *wire.Reader) Message { return &Leave{Handle: r.U16(), Reason: LeaveReason(r.U8())} },
	CodeEvent: func(r *wire.Reader) Message {
		m := &Event{Tick: r.U32(), Kind: EventKind(r.U8()), Who: r.U16(), Other: r.U16(), Value: r.I32(), Text: r.Str16()}
		r.Range(m.Kind > 0 && m.Kind < eventKinds, "event kind")
		return m
	},
	CodeOwn: func(r *wire.Reader) Message {
		m := &Own{Tick: r.U32(), Serial: r.U16(), Reason: r.U8(), What: OwnKind(r.U8()), Avatar: readAvatar(r)}
		r.Range(m.What > 0 && m.What < ownKinds, "kind of own")
		return m
	},
	CodeArea: func(r *wire.Reader) Message { m := readArea(r); return &m },
	CodeAnswer: func(r *wire.Reader) Message {
		return &Answer{Number: r.U16(), Reason: r.U8(), Asked: r.F32(), Allowed: r.F32(), Text: r.Str8()}
	},
	CodeGame: func(r *wire.Reader) Message {
		m := &GameEvent{Tick: r.U32(), Event: r.U8(), Who: r.U16(), Other: r.U16()}
		m.Args, m.Text = readNumbers(r, MaxArgs), r.Str16()
		return m
	},
	CodeFields: func(r *wire.Reader) Message { return &AreaFields{Values: readNumbers(r, MaxSlow)} },
	CodeBye: func(r *wire.Reader) Message {
		return &Bye{Reason: ByeReason(r.U8()), Resume: r.Bool(), Text: r.Str16()}
	},
}

func (m *Hello) appendBody(b []byte) []byte {
	b = wire.U32(append(b, Magic...), m.Features)
	b = append(append(b, m.Schema[:]...), m.Resume[:]...)
	return wire.Str16(b, m.Ticket)
}

func readHello(r *wire.Reader) *Hello {
	m := &Hello{}
	r.Range(string(r.Bytes(len(Magic))) == Magic, "magic")
	m.Features = r.U32()
	copy(m.Schema[:], r.Bytes(len(m.Schema)))
	copy(m.Resume[:], r.Bytes(len(m.Resume)))
	m.Ticket = r.Str16()
	return m
}

func (m *Act) appendBody(b []byte) []byte {
	b = wire.U32(append(wire.U16(b, m.Number), byte(m.Verb)), m.Tick)
	b = append(b, byte(m.Seen), byte(m.Seen>>8), byte(m.Seen>>16))
	b = wire.Str16(wire.U16(b, m.Handle), m.Text)
	if m.Verb == VerbCommand {
		b = appendNumbers(append(b, m.Command), m.Args)
	}
	return b
}

// appendNumbers appends a list of integers after its length.
func appendNumbers(b []byte, list []int32) []byte {
	b = append(b, byte(len(list)))
	for _, v := range list {
		b = wire.I32(b, v)
	}
	return b
}

// readNumbers reads a list of at most limit integers.
func readNumbers(r *wire.Reader, limit int) []int32 {
	n := int(r.U8())
	r.Range(n <= limit, "numbers")
	if r.Err() != nil {
		return nil
	}
	list := make([]int32, n)
	for i := range list {
		list[i] = r.I32()
	}
	return list
}

func readAct(r *wire.Reader) *Act {
	m := &Act{Number: r.U16(), Verb: Verb(r.U8()), Tick: r.U32()}
	m.Seen = uint32(r.U8()) | uint32(r.U8())<<8 | uint32(r.U8())<<16
	m.Handle, m.Text = r.U16(), r.Str16()
	r.Range(m.Verb > 0 && m.Verb < verbs, "verb")
	if m.Verb == VerbCommand {
		m.Command, m.Args = r.U8(), readNumbers(r, MaxArgs)
	}
	return m
}

func (m *Welcome) appendBody(b []byte) []byte {
	b = wire.U64(append(wire.U32(append(b, m.Run), m.Features), m.Ticks), m.Tick)
	b = m.Area.appendBody(wire.U16(b, m.Own))
	b = append(append(b, m.Resume[:]...), m.Schema[:]...)
	return m.Avatar.Append(b)
}

func readWelcome(r *wire.Reader) *Welcome {
	m := &Welcome{Run: r.U8(), Features: r.U32(), Ticks: r.U8(), Tick: r.U64(), Own: r.U16(), Area: readArea(r)}
	copy(m.Resume[:], r.Bytes(len(m.Resume)))
	copy(m.Schema[:], r.Bytes(len(m.Schema)))
	m.Avatar = readAvatar(r)
	r.Range(m.Run < runs && m.Ticks > 0, "run and ticks")
	return m
}

func (m *Refused) appendBody(b []byte) []byte {
	return wire.Str16(wire.U16(append(b, byte(m.Reason)), m.Seconds), m.Text)
}

func (m *Enter) appendBody(b []byte) []byte {
	b = appendNumbers(append(wire.U16(b, m.Handle), m.Kind), m.State)
	m.Body.Mask = BodyAll
	if len(m.Body.Fields) > 0 {
		m.Body.Mask |= BodyFields
	}
	return m.Body.appendFields(b)
}

func readEnter(r *wire.Reader) *Enter {
	m := &Enter{Handle: r.U16(), Kind: r.U8()}
	m.State = readNumbers(r, MaxFields)
	m.Body.Handle = m.Handle
	m.Body.read(r)
	r.Range(m.Body.Mask|BodyFields == BodyAll|BodyFields, "mask of an enter")
	return m
}

func (m *Body) appendBody(b []byte) []byte { return m.appendFields(wire.U16(b, m.Handle)) }

func (m *Body) appendFields(b []byte) []byte {
	b = append(b, byte(m.Mask))
	if m.Mask&BodyDoor != 0 {
		b = wire.Str8(b, m.Door)
	}
	if m.Mask&BodyLevel != 0 {
		b = wire.U16(b, m.Level)
	}
	if m.Mask&BodyHealthMax != 0 {
		b = wire.I32(b, m.HealthMax)
	}
	if m.Mask&BodyHeight != 0 {
		b = append(b, m.Height)
	}
	if m.Mask&BodyName != 0 {
		b = wire.Str8(b, m.Name)
	}
	if m.Mask&BodyFields != 0 {
		b = appendNumbers(b, m.Fields)
	}
	return b
}

func (m *Body) read(r *wire.Reader) {
	m.Mask = BodyMask(r.U8())
	r.Range(m.Mask&^(BodyAll|BodyFields) == 0, "mask")
	if m.Mask&BodyDoor != 0 {
		m.Door = r.Str8()
	}
	if m.Mask&BodyLevel != 0 {
		m.Level = r.U16()
	}
	if m.Mask&BodyHealthMax != 0 {
		m.HealthMax = r.I32()
	}
	if m.Mask&BodyHeight != 0 {
		m.Height = r.U8()
	}
	if m.Mask&BodyName != 0 {
		m.Name = r.Str8()
	}
	if m.Mask&BodyFields != 0 {
		m.Fields = readNumbers(r, MaxSlow)
	}
}

func (m *Leave) appendBody(b []byte) []byte { return append(wire.U16(b, m.Handle), byte(m.Reason)) }

func (m *Event) appendBody(b []byte) []byte {
	b = wire.U16(wire.U16(append(wire.U32(b, m.Tick), byte(m.Kind)), m.Who), m.Other)
	return wire.Str16(wire.I32(b, m.Value), m.Text)
}

func (m *Own) appendBody(b []byte) []byte {
	b = append(wire.U16(wire.U32(b, m.Tick), m.Serial), m.Reason, byte(m.What))
	return m.Avatar.Append(b)
}

func (m *Area) appendBody(b []byte) []byte {
	b = append(wire.U16(b, m.Area), m.Ground[:]...)
	return wire.Str8(wire.U16(append(b, m.Run), m.Own), m.Name)
}

func readArea(r *wire.Reader) (m Area) {
	m.Area = r.U16()
	copy(m.Ground[:], r.Bytes(len(m.Ground)))
	m.Run, m.Own, m.Name = r.U8(), r.U16(), r.Str8()
	r.Range(m.Run < runs, "run")
	return m
}

func (m *Answer) appendBody(b []byte) []byte {
	return wire.Str8(wire.F32(wire.F32(append(wire.U16(b, m.Number), m.Reason), m.Asked), m.Allowed), m.Text)
}

func (m *GameEvent) appendBody(b []byte) []byte {
	b = wire.U16(wire.U16(append(wire.U32(b, m.Tick), m.Event), m.Who), m.Other)
	return wire.Str16(appendNumbers(b, m.Args), m.Text)
}

func (m *AreaFields) appendBody(b []byte) []byte { return appendNumbers(b, m.Values) }

func (m *Bye) appendBody(b []byte) []byte {
	return wire.Str16(wire.Bool(append(b, byte(m.Reason)), m.Resume), m.Text)
}
