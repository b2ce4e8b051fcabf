package rs

import (
	"strings"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// Other doors have other letters, and other ideas of how long a line may be.

const maxGameLine = 200 // bytes of a line of the game: the packet takes 255 with what stands before the text

// chatText is a line of chat or a name as clients of this door can have it: no control characters, and no longer than
// their own chat box takes.
func chatText(text string) string { return proto.TextString(appendChat(nil, text)) }

func appendChat(b []byte, text string) []byte {
	start := len(b)
	text = gateway.ToWindows1252(text)
	for i := 0; i < len(text) && len(b)-start < maxChatLine; i++ {
		if c := text[i]; c >= 0x20 && c != 0x7f {
			b = append(b, c)
		}
	}
	return b
}

// appendOverhead appends a line of chat as it stands above a head. A tilde in front would put it into the chat box once
// more.
func appendOverhead(b []byte, text string) []byte { return appendChat(b, strings.TrimLeft(text, "~")) }

// escape keeps clients from reading markup, such as a moderator's crown, in what players have written. A line of chat
// with a name fits into a line of the game even so.
func escapeMarkup(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case b.Len() >= maxGameLine:
			return b.String()
		case r == '<':
			b.WriteString("<lt>")
		case r == '>':
			b.WriteString("<gt>")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// markup spells out what clients would read as markup.
var markupEscaper = strings.NewReplacer("<", "<lt>", ">", "<gt>")

// wrap is a text of the server in lines that a client takes, broken at blanks where there are some. It may name players,
// whose names are no more to be trusted than what they say.
func wrapLines(text string) (lines []string) {
	text = markupEscaper.Replace(gateway.ToWindows1252(text))
	for len(text) > maxGameLine {
		at := strings.LastIndexByte(text[:maxGameLine], ' ')
		if at <= 0 {
			at = maxGameLine
		}
		lines = append(lines, proto.TextString([]byte(text[:at])))
		text = strings.TrimLeft(text[at:], " ")
	}
	if text == "" {
		return lines
	}
	return append(lines, proto.TextString([]byte(text)))
}
