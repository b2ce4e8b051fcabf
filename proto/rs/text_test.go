package rs

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
)

func TestTextIsDecodedFromWindows1252(t *testing.T) {
	for c := range 256 {
		got := TextString([]byte{byte(c)})
		want, err := charmap.Windows1252.NewDecoder().Bytes([]byte{byte(c)})
		if err != nil || got != string(want) && string(want) != "\ufffd" {
			t.Errorf("%#x is %q, want %q", c, got, want)
		}
	}
}

func TestAppendTextReplacesUnmappableRunes(t *testing.T) {
	if got := AppendText([]byte(">"), "a\x00é€語\u0080\xff"); string(got) != ">a?\xe9\x80???" {
		t.Errorf("wrote %q", got)
	}
}
