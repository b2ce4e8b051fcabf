package rs

import (
	"math"
	"strings"

	"github.com/truestep-io/truestep/internal/cp1252"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// Texts from players of other gateways may contain other characters and longer lines, so they are converted and truncated.

const maxGameLine = 200 // maximum length of a game message in bytes; with the fields before the text the packet may have 255

// chatText converts a chat line or a name for clients of this gateway: it removes control characters and truncates the text
// to the length of a chat box line.
func chatText(text string) string { return proto.TextString(appendChat(nil, text)) }

func appendChat(b []byte, text string) []byte {
	start := len(b)
	text = cp1252.Encode(text)
	for i := 0; i < len(text) && len(b)-start < maxChatLine; i++ {
		if c := text[i]; c >= 0x20 && c != 0x7f {
			b = append(b, c)
		}
	}
	return b
}

// appendOverhead appends a chat line for the text above a player's head. Leading tildes are removed, because clients would
// copy such a line to the chat box. Markup is escaped, because clients interpret it in this block, unlike in MessagePublic.
func appendOverhead(b []byte, text string) []byte {
	return appendEscaped(b, appendChat(nil, strings.TrimLeft(text, "~")), maxChatLine)
}

// escapeMarkup escapes markup in players' texts, such as the image of a moderator's crown, and truncates the result to maxGameLine.
func escapeMarkup(text string) string {
	return proto.TextString(appendEscaped(nil, proto.AppendText(nil, text), maxGameLine))
}

// appendEscaped appends text, which is in Windows-1252, and escapes its markup. The result is truncated to limit bytes, but
// never within an escape sequence.
func appendEscaped(b, text []byte, limit int) []byte {
	for end := len(b) + limit; len(text) > 0; text = text[1:] {
		piece := text[:1]
		switch piece[0] {
		case '<':
			piece = []byte("<lt>")
		case '>':
			piece = []byte("<gt>")
		}
		if len(b)+len(piece) > end {
			break
		}
		b = append(b, piece...)
	}
	return b
}

// wrapLines splits a text of the server into lines that fit a game message, at blanks if possible. Markup is escaped,
// because the text may contain players' names.
func wrapLines(text string) (lines []string) {
	text = string(appendEscaped(nil, []byte(cp1252.Encode(text)), math.MaxInt))
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
