package console

import "testing"

// truestep admin --token TOKEN must not take the token for a flag.
func TestGeneratedTokenNeverBeginsWithHyphen(t *testing.T) {
	for range 2000 {
		if token, _ := generateToken(); len(token) != 43 || token[0] == '-' {
			t.Fatalf("token %q", token)
		}
	}
}
