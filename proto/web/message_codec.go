package web

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// AppendMessage appends the encoded message m, its code first, to b and returns the longer slice.
func AppendMessage(b []byte, m Message) []byte { return m.appendBody(append(b, byte(m.Code()))) }

// AppendFramed appends the message m in the form for a stream: its length as a varint, then its code and its body.
func AppendFramed(b []byte, m Message) []byte {
	at := len(b)
	b = AppendMessage(append(b, 0, 0), m) // two bytes of length suffice for MaxServer
	n := len(b) - at - 2
	if n < 0x80 {
		b = append(b[:at+1], b[at+2:]...)
		b[at] = byte(n)
		return b
	}
	b[at], b[at+1] = byte(n)|0x80, byte(n>>7)
	return b
}

// AppendFrame appends an encoded message in the form for a stream: its length as a varint, then its bytes.
func AppendFrame(b, message []byte) []byte { return wire.VarBytes(b, message) }

// ErrTooLong reports a control message that is empty or longer than allowed.
var ErrTooLong = errors.New("the control message is empty or too long")

// NextFrame returns the first message in b, the bytes of a stream. The result n is the number of bytes that the caller must
// remove from b: those of the message and of its length. It is 0 if the message is not complete yet. The message is a part of b.
// The error wraps ErrTooLong if the message is empty or longer than limit bytes.
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
			return nil, 0, fmt.Errorf("%w: it has more than %d bytes", ErrTooLong, limit)
		}
		if c < 0x80 {
			break
		}
	}
	if size == 0 {
		return nil, 0, fmt.Errorf("%w: its length is 0; a message has at least 1 byte", ErrTooLong)
	}
	if len(b)-used < size {
		return nil, 0, nil
	}
	return b[used : used+size], used + size, nil
}

// ErrUnknown reports a control message with an unknown code. Receivers ignore such a message.
var ErrUnknown = errors.New("the control message has an unknown code")

// ParseClientMessage decodes a control message of a client. The first byte of b is the code. Errors wrap ErrUnknown, ErrTooLong,
// wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseClientMessage(b []byte) (Message, error) {
	r := wire.NewReader(b)
	switch code := MessageCode(r.U8()); {
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

// ParseServerMessage decodes a control message of the server. The first byte of b is the code. Errors wrap the same values as
// those of ParseClientMessage.
func ParseServerMessage(b []byte) (Message, error) {
	r := wire.NewReader(b)
	code := MessageCode(r.U8())
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

// toClient contains the functions that read the bodies of the server's messages, by the code of the message.
var toClient = map[MessageCode]func(r *wire.Reader) Message{
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
		r.CheckRange(m.Kind > 0 && m.Kind < eventKinds, "event kind")
		return m
	},
	CodeOwn: func(r *wire.Reader) Message {
		m := &Own{Tick: r.U32(), Serial: r.U16(), Reason: r.U8(), What: OwnKind(r.U8()), Avatar: readAvatar(r)}
		r.CheckRange(m.What > 0 && m.What < ownKinds, "cause of an Own message")
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
	b = wire.U32(append(b, HelloMagic...), m.Features)
	b = append(append(b, m.Schema[:]...), m.Resume[:]...)
	return wire.Str16(b, m.Ticket)
}

func readHello(r *wire.Reader) *Hello {
	m := &Hello{}
	r.CheckRange(string(r.Bytes(len(HelloMagic))) == HelloMagic, "magic")
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

// appendNumbers appends a list of integers: its length (u8), then each element (i32).
func appendNumbers(b []byte, list []int32) []byte {
	b = append(b, byte(len(list)))
	for _, v := range list {
		b = wire.I32(b, v)
	}
	return b
}

// readNumbers reads a list of integers, which appendNumbers has written. A list of more than limit integers is an error.
func readNumbers(r *wire.Reader, limit int) []int32 {
	n := int(r.U8())
	r.CheckRange(n <= limit, "length of a list of numbers")
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
	m := &Act{Number: r.U16(), Verb: ActVerb(r.U8()), Tick: r.U32()}
	m.Seen = uint32(r.U8()) | uint32(r.U8())<<8 | uint32(r.U8())<<16
	m.Handle, m.Text = r.U16(), r.Str16()
	r.CheckRange(m.Verb > 0 && m.Verb < verbs, "verb")
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
	r.CheckRange(m.Run < runs && m.Ticks > 0, "run or ticks per second")
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
	r.CheckRange(m.Body.Mask|BodyFields == BodyAll|BodyFields, "mask of the fields in an Enter")
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
	r.CheckRange(m.Mask&^(BodyAll|BodyFields) == 0, "unknown bits in the mask of the fields")
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
	r.CheckRange(m.Run < runs, "run")
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
