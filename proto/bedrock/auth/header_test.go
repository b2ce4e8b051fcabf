package auth

import "testing"

// VE-1: whatever in a header would change where the key comes from, or how the rest is to be read, is refused before the
// signature is looked at; what tells only of the token is not.
func TestVE1HeaderCannotChangeKeyOrFormat(t *testing.T) {
	for _, name := range []string{"crit", "b64", "jwk", "jku", "x5c", "zip"} {
		l := validLogin(t)
		l.header = with(l.header, object{name: "anything"})
		expectRefusal(t, name, l.request(t), Policy{}, ErrToken)
	}
	for _, name := range []string{"typ", "cty", "kid"} {
		l := validLogin(t)
		l.header = with(l.header, object{name: "anything"})
		if _, _, err := verifyOffline(l.request(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
