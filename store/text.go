package store

import (
	"fmt"
	"unicode/utf8"
)

// upper are the characters of the bytes 0x80..0x9f in Windows-1252. It leaves five of them out; like the WHATWG
// encoding standard we use the control characters of the same number for those. All other bytes are their own number.
var upper = [32]rune{
	'\u20ac', '\u0081', '\u201a', '\u0192', '\u201e', '\u2026', '\u2020', '\u2021',
	'\u02c6', '\u2030', '\u0160', '\u2039', '\u0152', '\u008d', '\u017d', '\u008f',
	'\u0090', '\u2018', '\u2019', '\u201c', '\u201d', '\u2022', '\u2013', '\u2014',
	'\u02dc', '\u2122', '\u0161', '\u203a', '\u0153', '\u009d', '\u017e', '\u0178',
}

// ToText turns the bytes of a name into UTF-8, so that a person who opens the database can read it. Every byte is one
// character: that of Windows-1252 or, for the five bytes that it leaves out, the control character of the same number.
func ToText(raw string) string {
	if isASCII(raw) {
		return raw
	}
	text := make([]byte, 0, 2*len(raw))
	for i := range len(raw) {
		r := rune(raw[i])
		if 0x80 <= r && r < 0xa0 {
			r = upper[r-0x80]
		}
		text = utf8.AppendRune(text, r)
	}
	return string(text)
}

// FromText gives back the bytes that ToText was given. Text that ToText never writes is ErrCorrupt.
func FromText(text string) (string, error) {
	if isASCII(text) {
		return text, nil
	}
	raw := make([]byte, 0, len(text))
	for at, r := range text {
		b, ok := byteOf(r)
		if !ok {
			return "", fmt.Errorf("text has %U at byte %d, which is not in Windows-1252: %w", r, at, ErrCorrupt)
		}
		raw = append(raw, b)
	}
	return string(raw), nil
}

func byteOf(r rune) (byte, bool) {
	if r < 0x80 || 0xa0 <= r && r <= 0xff {
		return byte(r), true
	}
	for i, u := range upper {
		if u == r {
			return byte(0x80 + i), true
		}
	}
	return 0, false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
