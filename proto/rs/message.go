package rs

import "github.com/truestep-io/truestep/proto/wire"

// Highest numbers of a text colour and of a text effect in public chat.
const (
	MaxChatColour = 11 // highest number of a text colour
	MaxChatEffect = 5  // highest number of a text effect, such as a wave
)

// MessagePublicRequest is a chat line typed by the player. Client packet MESSAGE_PUBLIC, 36. The client replaces prefixes
// like "red:" and "wave:" in the text by Colour and Effect.
//
//	off  size  field   encoding  unit and range
//	0    1     Colour  u8        0..11
//	1    1     Effect  u8        0..5
//	2    rest  Text    packed    0..MaxChatLength characters, see Huffman
//
// Source: docs/wire/rs.md, client to server.
type MessagePublicRequest struct {
	Colour, Effect uint8  // colour 0..MaxChatColour and effect 0..MaxChatEffect of the text
	Text           string // typed text, at most MaxChatLength characters
}

// ParseMessagePublicRequest decodes the body of MESSAGE_PUBLIC. b is borrowed, not kept.
// Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMessagePublicRequest(b []byte) (MessagePublicRequest, error) {
	r := wire.NewReader(b)
	p := MessagePublicRequest{
		Colour: readUpTo[uint8](&r, encU8, MaxChatColour),
		Effect: readUpTo[uint8](&r, encU8, MaxChatEffect),
		Text:   readPacked(&r),
	}
	return p, r.Done("MESSAGE_PUBLIC")
}

// Opcode returns 36.
func (MessagePublicRequest) Opcode() Opcode { return ClientMessagePublic }

// Append appends the body and returns the longer slice.
func (p MessagePublicRequest) Append(b []byte) []byte {
	return appendPacked(append(b, p.Colour, p.Effect), p.Text)
}

// Values of MessagePublic.Rank: the crown in front of the name.
const (
	RankPlayer = 0 // no crown
	RankSilver = 1 // silver crown
	RankGold   = 2 // gold crown
)

// MessagePublic displays a player's chat line above the head and in the chat box. Server packet MESSAGE_PUBLIC, 91. The
// client drops the line if it does not draw the player, or does not know the player's appearance yet.
//
//	off  size  field           encoding  unit and range
//	0    2     Index           u16       1..2047
//	2    2     Colour, Effect  u16       colour<<8 | effect, 0..11 and 0..5; bit 15 would be quick chat
//	4    1     Rank            u8        RankPlayer, RankSilver or RankGold
//	5    rest  Text            packed    0..MaxChatLength characters, see Huffman
//
// Source: docs/wire/rs.md, server to client.
type MessagePublic struct {
	Index                Index  // index of the player that speaks
	Colour, Effect, Rank uint8  // colour 0..MaxChatColour, effect 0..MaxChatEffect, and crown in front of the name, for example RankGold
	Text                 string // text, at most MaxChatLength characters
}

// ParseMessagePublic decodes the body of MESSAGE_PUBLIC. b is borrowed, not kept.
// Errors wrap wire.ErrShort, wire.ErrRange (also for quick chat) or wire.ErrTrailing.
func ParseMessagePublic(b []byte) (MessagePublic, error) {
	r := wire.NewReader(b)
	p := MessagePublic{
		Index:  readIndex(&r, encU16),
		Colour: readUpTo[uint8](&r, encU8, MaxChatColour),
		Effect: readUpTo[uint8](&r, encU8, MaxChatEffect),
		Rank:   r.U8(),
		Text:   readPacked(&r),
	}
	return p, r.Done("MESSAGE_PUBLIC")
}

// Opcode returns 91.
func (MessagePublic) Opcode() Opcode { return ServerMessagePublic }

// Append appends the body and returns the longer slice.
func (p MessagePublic) Append(b []byte) []byte {
	b = append(appendAs(b, encU16, p.Index), p.Colour, p.Effect, p.Rank)
	return appendPacked(b, p.Text)
}

// readPacked reads packed text up to the end of the body. It refuses NUL, which terminates text in other packets.
func readPacked(r *wire.Reader) string {
	if r.Err() != nil {
		return ""
	}
	var room [MaxChatLength]byte
	text, err := chatHuffman.Parse(room[:0], r.Rest(), MaxChatLength)
	for _, c := range text {
		if err == nil && c == 0 {
			err = errValue
		}
	}
	if err != nil {
		r.Fail(err)
		return ""
	}
	return TextString(text)
}

func appendPacked(b []byte, text string) []byte { return chatHuffman.Append(b, AppendText(nil, text)) }

// Values of MessageGame.Type: what the line is about and where the client displays it.
const (
	MessageLine    = 0   // ordinary game message
	MessageConsole = 99  // line in the developer console
	MessageTrade   = 100 // trade request of the player Name
)

// MessageGame is a line in the chat box. Server packet MESSAGE_GAME, 102; at most 255 bytes in all. The client displays
// it only while the chat box is open.
//
//	off  size   field  encoding  unit and range
//	0    1..2   Type   smart     0..32767
//	     4      Flags  u32
//	     1      Names  u8        0 none, 1 Name, 3 Name and PlainName
//	     (n+1)  Name   cstr
//	     (n+1)  PlainName  cstr  the name without its prefix and suffix
//	     n+1    Text   cstr
//
// Source: docs/wire/rs.md, server to client.
type MessageGame struct {
	Type      uint16 // MessageLine, MessageConsole, MessageTrade or another type
	Flags     uint32 // bit flags, 0 by default; their meaning is not documented here
	NameCount uint8  // 0, 1 or 2: how many of Name and PlainName are sent
	Name      string // name of the player that the message is about; only if NameCount is 1 or 2
	PlainName string // the name without prefix and suffix; only if NameCount is 2
	Text      string // text of the line
}

// ParseMessageGame decodes the body of MESSAGE_GAME. b is borrowed, not kept.
// Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMessageGame(b []byte) (MessageGame, error) {
	r := wire.NewReader(b)
	p := MessageGame{Type: readAs[uint16](&r, encSmart), Flags: r.BE32()}
	switch bits := r.U8(); bits {
	case 0:
	case 1:
		p.NameCount, p.Name = 1, readText(&r)
	case 3:
		p.NameCount, p.Name, p.PlainName = 2, readText(&r), readText(&r)
	default:
		r.Fail(errValue)
	}
	p.Text = readText(&r)
	return p, r.Done("MESSAGE_GAME")
}

// Opcode returns 102.
func (MessageGame) Opcode() Opcode { return ServerMessageGame }

// Append appends the body and returns the longer slice.
func (p MessageGame) Append(b []byte) []byte {
	b = appendAs(appendAs(b, encSmart, p.Type), encU32, p.Flags)
	b = append(b, 1<<p.NameCount-1)
	if p.NameCount > 0 {
		b = appendText(b, p.Name)
	}
	if p.NameCount > 1 {
		b = appendText(b, p.PlainName)
	}
	return appendText(b, p.Text)
}

// ChatSetMode chooses a channel of the chat box. Client packet CHAT_SETMODE, 23, one byte.
// Source: docs/wire/rs.md, client to server.
type ChatSetMode struct{ Mode uint8 } // number of the channel

// ParseChatSetMode decodes the body of CHAT_SETMODE. Errors wrap wire.ErrShort or wire.ErrTrailing.
func ParseChatSetMode(b []byte) (ChatSetMode, error) {
	r := wire.NewReader(b)
	p := ChatSetMode{Mode: r.U8()}
	return p, r.Done("CHAT_SETMODE")
}

// Opcode returns 23.
func (ChatSetMode) Opcode() Opcode { return ClientChatSetMode }

// Append appends the body, 1 byte, and returns the longer slice.
func (p ChatSetMode) Append(b []byte) []byte { return append(b, p.Mode) }

// ClientCheat is a console command that the client does not handle itself. Client packet CLIENT_CHEAT, 70. A client whose
// Welcome.StaffLevel is above 0 sends "tele level,sx,sz,x,z" on a click with control and shift held.
//
//	off  size  field      encoding  unit and range
//	0    1     Automatic  u8        0 or 1: not typed
//	1    1     KeepText   u8        0 or 1
//	2    n+1   Command    cstr
//
// Source: docs/wire/rs.md, client to server.
type ClientCheat struct {
	Automatic, KeepText bool   // Automatic: the client sent the command by itself; KeepText: the client keeps the text in its console
	Command             string // the command with its arguments
}

// ParseClientCheat decodes the body of CLIENT_CHEAT. b is borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseClientCheat(b []byte) (ClientCheat, error) {
	r := wire.NewReader(b)
	p := ClientCheat{Automatic: readFlag(&r, encU8), KeepText: readFlag(&r, encU8), Command: readText(&r)}
	return p, r.Done("CLIENT_CHEAT")
}

// Opcode returns 70.
func (ClientCheat) Opcode() Opcode { return ClientClientCheat }

// Append appends the body and returns the longer slice.
func (p ClientCheat) Append(b []byte) []byte {
	return appendText(append(b, flagByte(p.Automatic), flagByte(p.KeepText)), p.Command)
}
