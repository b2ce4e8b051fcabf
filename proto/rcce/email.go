package rcce

// HideEmail is how a client writes an e-mail address in CreateAccountRequest: each byte lowered by 26 (mod 256) and
// the whole reversed. It hides nothing from anybody; it is only a form. Source: spec rcce 3.2.
func HideEmail(plain string) string { return turn(plain, -26) }

// ShowEmail undoes HideEmail.
func ShowEmail(hidden string) string { return turn(hidden, 26) }

func turn(s string, by int) string {
	b := make([]byte, len(s))
	for i := range len(s) {
		b[len(s)-1-i] = uint8(int(s[i]) + by)
	}
	return string(b)
}
