package rcce

// EncodeEmail encodes an e-mail address as in CreateAccountRequest: 26 is subtracted from each byte (mod 256) and the
// bytes are reversed. It is obfuscation, not encryption. Source: RealmCrafter specification, section 3.2.
func EncodeEmail(plain string) string { return rotateBytes(plain, -26) }

// DecodeEmail reverses EncodeEmail.
func DecodeEmail(hidden string) string { return rotateBytes(hidden, 26) }

func rotateBytes(s string, by int) string {
	b := make([]byte, len(s))
	for i := range len(s) {
		b[len(s)-1-i] = uint8(int(s[i]) + by)
	}
	return string(b)
}
