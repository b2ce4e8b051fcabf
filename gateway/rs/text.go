package rs

import (
	"math"
	"strings"

	"github.com/truestep-io/truestep/internal/cp1252"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// The functions of this file convert texts to the clients' character set and line length. Texts of players of other protocols
// may contain other characters and longer lines.

const maxGameLine = 200 // maximum length of a game message in bytes; the whole packet, with the fields before the text, may have 255

// chatText converts a chat line or a name to the form that clients display: it removes control characters and truncates the
// text to the length of a chat box line.
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

// appendOverhead appends a chat line in the form in which clients display it above a player's head. Leading tildes are removed,
// because clients copy a line that begins with one to the chat box. Markup is escaped, because clients interpret it in this
// extended info. In MessagePublic they do not interpret it.
func appendOverhead(b []byte, text string) []byte {
	return appendEscaped(b, appendChat(nil, strings.TrimLeft(text, "~")), maxChatLine)
}

// escapeMarkup escapes markup in a player's text, which could otherwise display, for example, a moderator's crown. It
// truncates the result to maxGameLine bytes.
func escapeMarkup(text string) string {
	return proto.TextString(appendEscaped(nil, proto.AppendText(nil, text), maxGameLine))
}

// appendEscaped appends a text in Windows-1252 with its markup escaped. It appends at most limit bytes and does not cut an
// escape sequence.
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

// wrapLines splits a text of the server into lines that fit into a game message, at blanks if possible. It escapes markup,
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
