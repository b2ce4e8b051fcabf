package rcce

// EncodeEmail encodes an e-mail address for CreateAccountRequest: it subtracts 26 from each byte (modulo 256) and reverses the
// order of the bytes. This hides the address, but it is not encryption. Source: RealmCrafter specification, section 3.2.
func EncodeEmail(plain string) string { return rotateBytes(plain, -26) }

// DecodeEmail returns the e-mail address that EncodeEmail has encoded.
func DecodeEmail(hidden string) string { return rotateBytes(hidden, 26) }

func rotateBytes(s string, by int) string {
	b := make([]byte, len(s))
	for i := range len(s) {
		b[len(s)-1-i] = uint8(int(s[i]) + by)
	}
	return string(b)
}
