package store

import (
	"fmt"

	"golang.org/x/text/encoding/charmap"
)

// ToText turns the bytes of a name into UTF-8, so that a person who opens the database can read it. Every byte is one
// character: that of Windows-1252 or, for the five bytes that it leaves out, the control character of the same number.
func ToText(raw string) string {
	if isASCII(raw) {
		return raw
	}
	text := make([]rune, len(raw))
	for i := range len(raw) {
		text[i] = charmap.Windows1252.DecodeByte(raw[i])
	}
	return string(text)
}

// FromText gives back the bytes that ToText was given. Text with a character that ToText never writes is ErrCorrupt.
func FromText(text string) (string, error) {
	if isASCII(text) {
		return text, nil
	}
	raw := make([]byte, 0, len(text))
	for _, r := range text {
		b, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			return "", fmt.Errorf("text %q: character %U is not in Windows-1252: %w", text, r, ErrCorrupt)
		}
		raw = append(raw, b)
	}
	return string(raw), nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
