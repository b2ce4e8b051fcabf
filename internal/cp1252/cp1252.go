// Package cp1252 converts text between UTF-8 and Windows-1252, the encoding of RealmCrafter and RuneScape clients and of
// RealmCrafter's files. Text inside the server is UTF-8; gateways and file readers convert it where it enters or leaves.
//
// Every byte is one character, so any bytes survive Decode and then Encode. The five bytes that the code page leaves
// undefined are the control characters of the same number, as in the WHATWG encoding standard. Package charmap of
// golang.org/x/text decodes them to U+FFFD, which would lose item numbers in RealmCrafter's action bars.
package cp1252

import "unicode/utf8"

// high holds the characters of the bytes 0x80..0x9f. Every other byte is the character of the same number.
var high = [32]rune{
	'\u20ac', '\u0081', '\u201a', '\u0192', '\u201e', '\u2026', '\u2020', '\u2021',
	'\u02c6', '\u2030', '\u0160', '\u2039', '\u0152', '\u008d', '\u017d', '\u008f',
	'\u0090', '\u2018', '\u2019', '\u201c', '\u201d', '\u2022', '\u2013', '\u2014',
	'\u02dc', '\u2122', '\u0161', '\u203a', '\u0153', '\u009d', '\u017e', '\u0178',
}

// Decode returns the UTF-8 form of b, Windows-1252 bytes. It has one character per byte.
func Decode(b string) string {
	if isASCII(b) {
		return b
	}
	text := make([]byte, 0, 2*len(b))
	for i := range len(b) {
		r := rune(b[i])
		if 0x80 <= r && r < 0xa0 {
			r = high[r-0x80]
		}
		text = utf8.AppendRune(text, r)
	}
	return string(text)
}

// Encode returns the Windows-1252 bytes of text, one per character. A character that the code page lacks becomes '?', and so
// does each byte that is not valid UTF-8.
func Encode(text string) string {
	b, _ := TryEncode(text)
	return b
}

// TryEncode is Encode and reports whether the code page has every character of text.
func TryEncode(text string) (b string, ok bool) {
	if isASCII(text) {
		return text, true
	}
	out, ok := make([]byte, 0, len(text)), true
	for _, r := range text {
		c, has := encodeRune(r)
		if !has {
			c, ok = '?', false
		}
		out = append(out, c)
	}
	return string(out), ok
}

func encodeRune(r rune) (b byte, ok bool) {
	if r < 0x80 || 0xa0 <= r && r <= 0xff {
		return byte(r), true
	}
	for i, h := range high {
		if h == r {
			return byte(0x80 + i), true
		}
	}
	return 0, false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
