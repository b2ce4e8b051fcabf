package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// TextType is how a Text is shown, and which fields it has.
type TextType uint8

// The types of texts.
const (
	TextRaw            TextType = 0  // message, as it is
	TextChat           TextType = 1  // author and message: "<Author> message"
	TextTranslation    TextType = 2  // message is a key of the language file, with parameters
	TextPopup          TextType = 3  // above the hotbar; with parameters
	TextJukeboxPopup   TextType = 4  // the same, in colours; with parameters
	TextTip            TextType = 5  // message, above the hotbar
	TextSystem         TextType = 6  // message
	TextWhisper        TextType = 7  // author and message
	TextAnnouncement   TextType = 8  // author and message
	TextObjectWhisper  TextType = 9  // message is JSON
	TextObject         TextType = 10 // message is JSON
	TextObjectAnnounce TextType = 11 // message is JSON
	maxTextType                 = TextObjectAnnounce
)

// Categories of texts: which fields follow.
const (
	textMessageOnly = 0
	textAuthored    = 1
	textParameters  = 2
)

func (t TextType) category() uint8 {
	switch t {
	case TextChat, TextWhisper, TextAnnouncement:
		return textAuthored
	case TextTranslation, TextPopup, TextJukeboxPopup:
		return textParameters
	default:
		return textMessageOnly
	}
}

// Limits of a Text, as clients keep them.
const (
	MaxTextMessage    = 65536 // bytes; a message of none is refused by clients, and by nobody here
	MaxTextAuthor     = 256   // bytes; of the platform chat id too
	MaxTextXUID       = 64    // bytes
	MaxTextParameters = 4     // count
)

// Text is a line of chat or another text on the screen. Packet 9, both directions; a client sends TextChat.
//
//	size  field           encoding  range
//	1     Translate       bool      the message has parts that begin with % and are keys
//	1     category        u8        0 message only, 1 with author, 2 with parameters: as the type asks
//	1     Type            u8        0..11
//	      Author          str       at most 256 bytes; only category 1
//	      Message         str       at most 65536 bytes
//	      Parameters      list str  at most 4; only category 2
//	      XUID            str       at most 64 bytes; whoever blocked this account does not see the text
//	      PlatformChatID  str       at most 256 bytes
//	      Filtered        opt str   at most 65536 bytes; for players whose chat is filtered
//
// Source: docs/wire/bedrock.md, chat.
type Text struct {
	Translate      bool
	Type           TextType
	Author         string // of TextChat, TextWhisper and TextAnnouncement
	Message        string
	Parameters     []string // of TextTranslation, TextPopup and TextJukeboxPopup
	XUID           string
	PlatformChatID string
	Filtered       Opt[string]
}

// ID is IDText.
func (Text) ID() ID { return IDText }

// ParseText decodes the body of packet 9. Errors wrap wire.ErrShort, wire.ErrRange (also for a category that is not the
// type's) or wire.ErrTrailing.
func ParseText(b []byte, _ Version) (Text, error) {
	r := wire.NewReader(b)
	p := Text{Translate: r.Bool()}
	category := r.U8()
	p.Type = TextType(r.U8())
	r.Range(p.Type <= maxTextType && category == p.Type.category(), "type")
	if category == textAuthored {
		p.Author = r.VarStrMax(MaxTextAuthor)
	}
	p.Message = r.VarStrMax(MaxTextMessage)
	if category == textParameters {
		p.Parameters = readList(&r, 1, MaxTextParameters, readText)
	}
	p.XUID = r.VarStrMax(MaxTextXUID)
	p.PlatformChatID = r.VarStrMax(MaxTextAuthor)
	p.Filtered = readOpt(&r, func(r *wire.Reader) string { return r.VarStrMax(MaxTextMessage) })
	return p, r.Done("Text")
}

// Append appends the body of packet 9 and returns the longer slice.
func (p Text) Append(b []byte, _ Version) []byte {
	category := p.Type.category()
	b = append(wire.Bool(b, p.Translate), category, uint8(p.Type))
	if category == textAuthored {
		b = wire.VarStr(b, p.Author)
	}
	b = wire.VarStr(b, p.Message)
	if category == textParameters {
		b = appendList(b, p.Parameters, wire.VarStr)
	}
	return appendOpt(wire.VarStr(wire.VarStr(b, p.XUID), p.PlatformChatID), p.Filtered, wire.VarStr)
}
