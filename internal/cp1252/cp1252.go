// Package cp1252 converts text between UTF-8 and Windows-1252, the encoding of RealmCrafter and RuneScape clients and of
// RealmCrafter's files. Text inside the server is UTF-8; gateways and file readers convert text that they receive or send.
//
// Every byte is one character, so Encode(Decode(b)) equals b for any bytes. The five bytes that the code page leaves
// undefined are decoded to the control characters of the same number, as in the WHATWG encoding standard. Package charmap
// of golang.org/x/text decodes them to U+FFFD, which would lose item numbers in RealmCrafter's action bars.
package cp1252

import "unicode/utf8"

// high holds the characters of the bytes 0x80..0x9f. Every other byte is the Unicode character of the same number.
var high = [32]rune{
	'\u20ac', '\u0081', '\u201a', '\u0192', '\u201e', '\u2026', '\u2020', '\u2021',
	'\u02c6', '\u2030', '\u0160', '\u2039', '\u0152', '\u008d', '\u017d', '\u008f',
	'\u0090', '\u2018', '\u2019', '\u201c', '\u201d', '\u2022', '\u2013', '\u2014',
	'\u02dc', '\u2122', '\u0161', '\u203a', '\u0153', '\u009d', '\u017e', '\u0178',
}

// Decode converts b from Windows-1252 to UTF-8. The result has one character per byte of b.
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

// Encode converts text from UTF-8 to Windows-1252, one byte per character. Characters that the code page lacks, and bytes
// that are not valid UTF-8, become '?'.
func Encode(text string) string {
	b, _ := TryEncode(text)
	return b
}

// TryEncode converts text as Encode does. The result ok reports whether the code page has every character of text.
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
