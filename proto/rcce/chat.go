package rcce

import "github.com/truestep-io/truestep/proto/wire"

// ChatMessageRequest is a chat line typed by the player. Type 16, client to server. A text that begins with '/' or '\' is a
// command; any other text is sent to all players of the area. An empty text has no effect.
//
//	off  size  field  encoding  unit and range
//	0    rest  Text   bytes
//
// Source: docs/wire/rcce.md#chatmessage.
type ChatMessageRequest struct{ Text string } // typed line or command, Windows-1252

// ParseChatMessageRequest decodes the payload of a packet of type 16 from a client. It accepts any payload.
func ParseChatMessageRequest(b []byte) (ChatMessageRequest, error) {
	r := newReader(b)
	p := readChatMessageRequest(&r)
	return p, r.done("ChatMessageRequest")
}

func readChatMessageRequest(r *reader) ChatMessageRequest {
	return ChatMessageRequest{Text: r.rest("Text")}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p ChatMessageRequest) Append(b []byte) []byte {
	return append(append(b, uint8(TypeChatMessage)), p.Text...)
}

// Values of ChatMessage.Color, the colour of the line.
const (
	ChatPlain   = 0    // no colour byte is sent; used for speech, "<Name> text"
	ChatRGB     = 0xfa // custom colour: the bytes R, G and B follow
	ChatGreen   = 0xfb // used for party and guild messages
	ChatMagenta = 0xfc // used for private messages
	ChatRed     = 0xfd // used for refusals and shouts
	ChatYellow  = 0xfe // used for system messages
)

// ChatMessage makes a client show a line in its chat window. Type 16, server to client.
//
//	off  size  field    encoding  unit and range
//	0    0..1  Color    u8        0xfa..0xfe; any other first byte belongs to Text
//	1    3     R, G, B  u8        with 0xfa
//	     rest  Text     bytes
//
// If Color is ChatPlain, Text must not begin with a byte in 0xfa..0xfe, because clients would read that byte as the colour.
//
// Source: docs/wire/rcce.md#chatmessage.
type ChatMessage struct {
	Color   uint8  // ChatPlain, ChatRGB, ChatGreen, ChatMagenta, ChatRed or ChatYellow
	R, G, B uint8  // custom colour; 0 unless Color is ChatRGB
	Text    string // text of the line, Windows-1252
}

// ParseChatMessage decodes the payload of a packet of type 16 from a server. b is borrowed, not kept. Errors wrap wire.ErrShort
// (fewer than three bytes follow the colour code 0xfa).
func ParseChatMessage(b []byte) (ChatMessage, error) {
	r := newReader(b)
	p := readChatMessage(&r)
	return p, r.done("ChatMessage")
}

func readChatMessage(r *reader) ChatMessage {
	var p ChatMessage
	if c := r.peek(); c >= ChatRGB && c <= ChatYellow {
		p.Color = r.u8("Color")
	}
	if p.Color == ChatRGB {
		p.R, p.G, p.B = r.u8("R"), r.u8("G"), r.u8("B")
	}
	p.Text = r.rest("Text")
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p ChatMessage) Append(b []byte) []byte {
	b = append(b, uint8(TypeChatMessage))
	if p.Color != ChatPlain {
		b = append(b, p.Color)
	}
	if p.Color == ChatRGB {
		b = append(b, p.R, p.G, p.B)
	}
	return append(b, p.Text...)
}

// BubbleMessage makes clients display a speech bubble over an actor. Type 52, server to client.
//
//	off  size  field      encoding  unit and range
//	0    2     RuntimeID  u16
//	2    3     R, G, B    u8        colour
//	5    rest  Text       bytes
//
// Source: docs/wire/rcce.md#bubblemessage.
type BubbleMessage struct {
	RuntimeID uint16 // runtime id of the actor
	R, G, B   uint8  // colour of the text
	Text      string // text in the bubble, Windows-1252
}

// ParseBubbleMessage decodes the payload of a packet of type 52. b is borrowed, not kept. Errors wrap wire.ErrShort.
func ParseBubbleMessage(b []byte) (BubbleMessage, error) {
	r := newReader(b)
	p := readBubbleMessage(&r)
	return p, r.done("BubbleMessage")
}

func readBubbleMessage(r *reader) BubbleMessage {
	return BubbleMessage{RuntimeID: r.u16("RuntimeID"), R: r.u8("R"), G: r.u8("G"), B: r.u8("B"), Text: r.rest("Text")}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p BubbleMessage) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeBubbleMessage)), p.RuntimeID)
	return append(append(b, p.R, p.G, p.B), p.Text...)
}

// NameChange tells clients that the name or the tag (the line below the name) of an actor has changed. Type 25, server to client.
//
//	off  size  field      encoding  unit and range
//	0    2     RuntimeID  u16
//	2    1+n   Name       str8
//	     rest  Tag        bytes
//
// Source: docs/wire/rcce.md#namechange.
type NameChange struct {
	RuntimeID uint16 // runtime id of the actor
	Name, Tag string // new name, and new tag that is displayed under the name
}

// ParseNameChange decodes the payload of a packet of type 25. b is borrowed, not kept. Errors wrap wire.ErrShort.
func ParseNameChange(b []byte) (NameChange, error) {
	r := newReader(b)
	p := readNameChange(&r)
	return p, r.done("NameChange")
}

func readNameChange(r *reader) NameChange {
	return NameChange{RuntimeID: r.u16("RuntimeID"), Name: r.str8("Name"), Tag: r.rest("Tag")}
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p NameChange) Append(b []byte) []byte {
	b = wire.U16(append(b, uint8(TypeNameChange)), p.RuntimeID)
	return append(wire.Str8(b, p.Name), p.Tag...)
}

// PartyUpdate lists the other members of the party to which the client's player belongs. Type 38, server to client. The client
// displays up to seven names. An empty payload means that the player is in no party.
//
//	off  size       field  encoding  unit and range
//	0    n x (1+m)  Names  str8      0..7 of them, to the end
//
// Source: docs/wire/rcce.md#partyupdate.
type PartyUpdate struct{ Names []string } // names of the other members, at most MaxPartyNames

// MaxPartyNames is the maximum number of names in a PartyUpdate, because clients display no more.
const MaxPartyNames = 7

// ParsePartyUpdate decodes the payload of a packet of type 38. b is borrowed, not kept. Errors wrap wire.ErrShort or
// wire.ErrTrailing (more than seven names).
func ParsePartyUpdate(b []byte) (PartyUpdate, error) {
	r := newReader(b)
	p := readPartyUpdate(&r)
	return p, r.done("PartyUpdate")
}

func readPartyUpdate(r *reader) PartyUpdate {
	var p PartyUpdate
	for i := 0; r.more() && i < MaxPartyNames; i++ {
		r.entry("Names", i)
		p.Names = append(p.Names, r.str8("Name"))
	}
	r.leave()
	return p
}

// Append appends the message, including its type byte, to b and returns the longer slice.
func (p PartyUpdate) Append(b []byte) []byte {
	b = append(b, uint8(TypePartyUpdate))
	for _, name := range p.Names {
		b = wire.Str8(b, name)
	}
	return b
}
