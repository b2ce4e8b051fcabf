package auth

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha512"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"os"
	"strings"
	"testing"
)

// now is the time of every test login, in seconds since 1970.
const now = 1_795_241_293

// object is a JSON object.
type object = map[string]any

// with returns a copy of the object o. Members of the objects in others replace the members of o with the same name. A nil value
// removes the member.
func with(o object, others ...object) object {
	o = maps.Clone(o)
	for _, other := range others {
		for k, v := range other {
			if o[k] = v; v == nil {
				delete(o, k)
			}
		}
	}
	return o
}

// testKey returns the same private key for the same n.
func testKey(tb testing.TB, n byte) *ecdsa.PrivateKey {
	tb.Helper()
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P384(), bytes.Repeat([]byte{n}, 48))
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

func formatKey(tb testing.TB, key *ecdsa.PrivateKey) string {
	tb.Helper()
	text, err := FormatPublicKey(&key.PublicKey)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

func mustJSON(tb testing.TB, v any) []byte {
	tb.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// signer is a function that returns the signature of a token. The parameter input is the token's header and claims.
type signer func(tb testing.TB, input []byte) []byte

// es384 returns a signer that encodes signatures as tokens require: the numbers r and s, concatenated.
func es384(key *ecdsa.PrivateKey) signer {
	return func(tb testing.TB, input []byte) []byte {
		var rs struct{ R, S *big.Int }
		if _, err := asn1.Unmarshal(es384DER(key)(tb, input), &rs); err != nil {
			tb.Fatal(err)
		}
		return append(rs.R.FillBytes(make([]byte, 48)), rs.S.FillBytes(make([]byte, 48))...)
	}
}

// es384DER returns a signer that encodes signatures as DER, which is not allowed in tokens.
func es384DER(key *ecdsa.PrivateKey) signer {
	return func(tb testing.TB, input []byte) []byte {
		sum := sha512.Sum384(input)
		der, err := key.Sign(rand.Reader, sum[:], crypto.SHA384)
		if err != nil {
			tb.Fatal(err)
		}
		return der
	}
}

// makeToken creates a token. Each of header and claims is a JSON text of type []byte, or a value that makeToken marshals to JSON.
func makeToken(tb testing.TB, header, claims any, sign signer) string {
	tb.Helper()
	part := func(v any) string {
		b, ok := v.([]byte)
		if !ok {
			b = mustJSON(tb, v)
		}
		return base64.RawURLEncoding.EncodeToString(b)
	}
	input := part(header) + "." + part(claims)
	return input + "." + base64.RawURLEncoding.EncodeToString(sign(tb, []byte(input)))
}

// login is a self-signed login that tests modify before signing.
type login struct {
	key            *ecdsa.PrivateKey
	header, claims object
	data           object
	sign, signData signer
	envelope       object
}

// validLogin returns a login that a server accepts.
func validLogin(tb testing.TB) login {
	key := testKey(tb, 1)
	text := formatKey(tb, key)
	return login{
		key:    key,
		header: object{"alg": "ES384", "x5u": text},
		claims: object{
			"cpk": text, "xid": "0", "xname": "Anon", "identity": "c68f2da5-68e5-3c2d-b940-cbd582cba45e",
			"iat": now, "nbf": now, "exp": now + 3600, "aud": audience, "iss": "self",
		},
		data:     validClientData(),
		sign:     es384(key),
		signData: es384(key),
		envelope: object{"AuthenticationType": 2, "Certificate": `{"chain":[""]}`},
	}
}

func validClientData() object {
	return object{
		"GameVersion": "1.26.45", "SkinImageWidth": 4, "SkinImageHeight": 2,
		"SkinData": base64.StdEncoding.EncodeToString(make([]byte, 4*4*2)),
	}
}

func (l login) request(tb testing.TB) ConnectionRequest {
	e := with(object{"Token": makeToken(tb, l.header, l.claims, l.sign)}, l.envelope)
	data := makeToken(tb, object{"alg": "ES384", "x5u": formatKey(tb, l.key)}, l.data, l.signData)
	return ConnectionRequest{mustJSON(tb, e), []byte(data)}
}

// verifyOffline verifies a request as a server in offline mode does.
func verifyOffline(req ConnectionRequest) (Identity, ClientData, error) {
	return VerifyLogin(req, LoginPolicy{}, now)
}

// expectRefusal checks that VerifyLogin refuses a request with the refusal want. The parameter what names the test case.
func expectRefusal(t *testing.T, what string, req ConnectionRequest, policy LoginPolicy, want *Refusal) {
	t.Helper()
	who, _, err := VerifyLogin(req, policy, now)
	if !errors.Is(err, want) || RefusalName(err) != want.Name() {
		t.Errorf("%s: %v (%s), want %s", what, err, RefusalName(err), want.Name())
	}
	if who != (Identity{}) {
		t.Errorf("%s: refused, but returned %+v", what, who)
	}
}

// capturedLogin reads a captured login of the bedrock-protocol npm client.
func capturedLogin(tb testing.TB, name string) ConnectionRequest {
	tb.Helper()
	b, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		tb.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(b)) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if len(lines) != 2 {
		tb.Fatalf("%s has %d lines", name, len(lines))
	}
	return ConnectionRequest{[]byte(lines[0]), []byte(lines[1])}
}
