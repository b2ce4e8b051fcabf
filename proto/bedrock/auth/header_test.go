package auth

import "testing"

// Rule VE-1 of docs/wire/bedrock.md: a token header with a member that changes where the key comes from, or how the
// token is read, is refused before the signature is verified; informational members are ignored.
func TestTokenHeaderCannotChangeKeyOrFormat(t *testing.T) {
	for _, name := range []string{"crit", "b64", "jwk", "jku", "x5c", "zip"} {
		l := validLogin(t)
		l.header = with(l.header, object{name: "anything"})
		expectRefusal(t, name, l.request(t), LoginPolicy{}, ErrToken)
	}
	for _, name := range []string{"typ", "cty", "kid"} {
		l := validLogin(t)
		l.header = with(l.header, object{name: "anything"})
		if _, _, err := verifyOffline(l.request(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
