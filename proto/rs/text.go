package rs

import "unicode/utf8"

// cp1252High maps the bytes 0x80..0x9f of Windows-1252 to Unicode. Windows-1252 does not define five of them. They map to the
// code points of the same number, so that the conversion of any byte can be reversed.
var cp1252High = [32]rune{
	0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008d, 0x017d, 0x008f,
	0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
}

// AppendText appends s in Windows-1252, the text encoding of every revision, and returns the longer slice. Runes
// without a Windows-1252 byte become '?', and so does NUL, which terminates text on the wire.
func AppendText(b []byte, s string) []byte {
	for _, r := range s {
		b = append(b, textByte(r))
	}
	return b
}

func textByte(r rune) byte {
	switch {
	case r > 0 && r < 0x80, r >= 0xa0 && r <= 0xff:
		return byte(r)
	}
	for i, high := range cp1252High {
		if r == high {
			return byte(0x80 + i)
		}
	}
	return '?'
}

// TextString returns Windows-1252 bytes as a Go string.
func TextString(b []byte) string {
	s := make([]byte, 0, len(b))
	for _, c := range b {
		r := rune(c)
		if c >= 0x80 && c < 0xa0 {
			r = cp1252High[c-0x80]
		}
		s = utf8.AppendRune(s, r)
	}
	return string(s)
}
