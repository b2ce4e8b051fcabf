package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// WriteJSON writes v as one line of JSON that is safe to print on a terminal. It writes characters that are not printable
// as \u escapes, even those that encoding/json does not escape.
func WriteJSON(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	line := make([]byte, 0, len(text)+1)
	for _, r := range string(text) {
		switch {
		case unicode.IsPrint(r):
			line = utf8.AppendRune(line, r)
		case r <= 0xffff:
			line = fmt.Appendf(line, "\\u%04x", r)
		default:
			hi, lo := utf16.EncodeRune(r)
			line = fmt.Appendf(line, "\\u%04x\\u%04x", hi, lo)
		}
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
