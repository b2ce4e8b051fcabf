package cp1252

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

func TestWindows1252TextIsEncodedAndDecoded(t *testing.T) {
	for _, c := range []struct {
		text, wire, back string
		ok               bool
	}{
		{"", "", "", true},
		{"hello", "hello", "hello", true},
		{"Jörg €", "J\xf6rg \x80", "Jörg €", true},
		{"Ã¤", "\xc3\xa4", "Ã¤", true}, // bytes are decoded as Windows-1252 even if they are valid UTF-8
		{"привет 1", "?????? 1", "?????? 1", false},
		{"\U0001F600\u00ff", "?\xff", "?ÿ", false},
		{"a\xffb", "a?b", "a?b", false},
	} {
		wire, ok := TryEncode(c.text)
		if wire != c.wire || ok != c.ok || Encode(c.text) != wire {
			t.Errorf("%q is encoded as %q, %v, want %q, %v", c.text, wire, ok, c.wire, c.ok)
		}
		if back := Decode(wire); back != c.back {
			t.Errorf("%q is decoded as %q, want %q", wire, back, c.back)
		}
	}
}

func TestDecodedBytesEqualCharmapAndUndefinedBytesKeepTheirValue(t *testing.T) {
	for i := range 256 {
		want := charmap.Windows1252.DecodeByte(byte(i))
		if want == utf8.RuneError {
			want = rune(i) // undefined in the code page
		}
		if got := Decode(string([]byte{byte(i)})); got != string(want) {
			t.Errorf("byte %#x is %q, want %q", i, got, want)
		}
	}
}

func FuzzDecodedBytesEncodeToSameBytes(f *testing.F) {
	f.Add("J\xf6rg\x00\x81")
	f.Fuzz(func(t *testing.T, wire string) {
		text := Decode(wire)
		if !utf8.ValidString(text) || utf8.RuneCountInString(text) != len(wire) {
			t.Fatalf("%q is decoded as %q", wire, text)
		}
		if back, ok := TryEncode(text); back != wire || !ok {
			t.Fatalf("%q became %q, %v", wire, back, ok)
		}
	})
}
