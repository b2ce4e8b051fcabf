package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// TextType determines how a Text is displayed and which fields it has.
type TextType uint8

// Values of TextType: how a client displays a Text.
const (
	TextRaw            TextType = 0  // message without an author, displayed as it is
	TextChat           TextType = 1  // author and message, displayed as "<Author> message"
	TextTranslation    TextType = 2  // the message is a translation key, with parameters
	TextPopup          TextType = 3  // displayed above the hotbar; with parameters
	TextJukeboxPopup   TextType = 4  // coloured and displayed above the hotbar; with parameters
	TextTip            TextType = 5  // message displayed above the hotbar
	TextSystem         TextType = 6  // message without an author
	TextWhisper        TextType = 7  // private message with the name of its author
	TextAnnouncement   TextType = 8  // announcement with the name of its author
	TextObjectWhisper  TextType = 9  // private message in JSON
	TextObject         TextType = 10 // message in JSON
	TextObjectAnnounce TextType = 11 // announcement in JSON
	maxTextType                 = TextObjectAnnounce
)

// Categories of texts: which fields a Text has in addition to its message. The category follows from the type.
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

// Limits of a Text, which clients enforce too.
const (
	MaxTextMessage    = 65536 // maximum bytes of Message; clients refuse an empty message, but this package accepts it
	MaxTextAuthor     = 256   // maximum bytes of Author and of PlatformChatID
	MaxTextXUID       = 64    // maximum bytes of XUID
	MaxTextParameters = 4     // maximum number of Parameters
)

// Text is a chat line or another text on the screen. Packet 9, both directions; clients send TextChat.
//
//	size  field           encoding  range
//	1     Translate       bool      the message contains translation keys that begin with %
//	1     category        u8        0 message only, 1 with author, 2 with parameters; follows from Type
//	1     Type            u8        0..11
//	      Author          str       at most 256 bytes; only category 1
//	      Message         str       at most 65536 bytes
//	      Parameters      list str  at most 4; only category 2
//	      XUID            str       at most 64 bytes; players that blocked this account do not see the text
//	      PlatformChatID  str       at most 256 bytes
//	      Filtered        opt str   at most 65536 bytes; for players with a chat filter
//
// Source: docs/wire/bedrock.md, chat.
type Text struct {
	Translate      bool        // Message has translation keys that begin with %
	Type           TextType    // how the client displays the text
	Author         string      // name of the author; only with TextChat, TextWhisper and TextAnnouncement
	Message        string      // text, translation key or JSON, depending on Type
	Parameters     []string    // values for placeholders in Message; only with TextTranslation, TextPopup and TextJukeboxPopup
	XUID           string      // account id; players that blocked it do not see the text
	PlatformChatID string      // id of the author in the chat of its platform; "" if none
	Filtered       Opt[string] // message for players with a chat filter
}

// ID returns IDText.
func (Text) ID() ID { return IDText }

// ParseText decodes the body of packet 9. Errors wrap wire.ErrShort, wire.ErrRange (also if the category does not match
// Type) or wire.ErrTrailing.
func ParseText(b []byte, _ Version) (Text, error) {
	r := wire.NewReader(b)
	p := Text{Translate: r.Bool()}
	category := r.U8()
	p.Type = TextType(r.U8())
	r.CheckRange(p.Type <= maxTextType && category == p.Type.category(), "text type or category")
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

// Append appends the body of packet 9 to b and returns the extended slice.
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
