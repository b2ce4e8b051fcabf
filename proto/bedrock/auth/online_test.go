package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"math/big"
	"strings"
	"testing"
)

const (
	testIssuer = "https://authorization.example/"
	testXUID   = "2535400000000001"
)

func rs256(key *rsa.PrivateKey) signer {
	return func(tb testing.TB, input []byte) []byte {
		sum := sha256.Sum256(input)
		b, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
		if err != nil {
			tb.Fatal(err)
		}
		return b
	}
}

func rsaKey(tb testing.TB, bits int) *rsa.PrivateKey {
	tb.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

func jwk(kid string, key *rsa.PublicKey) object {
	text := base64.RawURLEncoding.EncodeToString
	return object{"kty": "RSA", "use": "sig", "kid": kid, "n": text(key.N.Bytes()), "e": text(big.NewInt(int64(key.E)).Bytes())}
}

// xboxLogin returns an Xbox login whose token is signed with the private key service.
func xboxLogin(tb testing.TB, service *rsa.PrivateKey) login {
	l := validLogin(tb)
	l.header = object{"alg": "RS256", "kid": "k1", "typ": "JWT"}
	l.claims = object{"cpk": formatKey(tb, l.key), "xid": testXUID, "xname": "Gamer", "exp": now + 60, "iss": testIssuer, "aud": audience}
	l.sign = rs256(service)
	l.envelope = with(l.envelope, object{"AuthenticationType": 0})
	return l
}

func TestOnlineModeWithoutKeysRefusesEveryLogin(t *testing.T) {
	service := rsaKey(t, 2048)
	for _, keys := range []*XboxKeys{nil, {}, {Issuer: testIssuer}} {
		policy := LoginPolicy{Online: true, Keys: keys}
		expectRefusal(t, "Xbox", xboxLogin(t, service).request(t), policy, ErrNoKeys)
		expectRefusal(t, "self-signed", validLogin(t).request(t), policy, ErrNoKeys)
		expectRefusal(t, "empty request", ConnectionRequest{}, policy, ErrNoKeys)
	}
}

func TestOnlineModeRefusesSelfSignedLogin(t *testing.T) {
	policy := LoginPolicy{Online: true, Keys: &XboxKeys{Root: &testKey(t, 9).PublicKey}}
	expectRefusal(t, "token", validLogin(t).request(t), policy, ErrSelfSigned)
	for _, name := range []string{"login_2169", "login_2193", "login_chain"} {
		expectRefusal(t, name, capturedLogin(t, name), policy, ErrSelfSigned)
	}
}

func TestOnlineLoginWithSingleTokenIsAcceptedOnlyIfTokenIsValid(t *testing.T) {
	service, other := rsaKey(t, 2048), rsaKey(t, 2048)
	keys, err := ParseServiceKeys(mustJSON(t, object{"keys": []object{jwk("k0", &other.PublicKey), jwk("k1", &service.PublicKey)}}))
	if err != nil || len(keys) != 2 {
		t.Fatal(keys, err)
	}
	policy := LoginPolicy{Online: true, Keys: &XboxKeys{Service: keys, Issuer: testIssuer}}
	good := xboxLogin(t, service)
	who, _, err := VerifyLogin(good.request(t), policy, now)
	if err != nil || who.SelfSigned || who.Name != "Gamer" || who.XUID != testXUID || who.UUID != xboxUUID(testXUID) {
		t.Fatalf("identity %+v, error %v", who, err)
	}
	self := validLogin(t)
	for name, c := range map[string]struct {
		change func(*login)
		want   *Refusal
	}{
		"self-signed with the service's claims": {func(l *login) { l.header, l.sign = self.header, self.sign }, ErrAlgorithm},
		"none":                                  {func(l *login) { l.header = with(l.header, object{"alg": "none"}) }, ErrAlgorithm},
		"HS256":                                 {func(l *login) { l.header = with(l.header, object{"alg": "HS256"}) }, ErrAlgorithm},
		"PS256":                                 {func(l *login) { l.header = with(l.header, object{"alg": "PS256"}) }, ErrAlgorithm},
		"id of another service key":             {func(l *login) { l.header = with(l.header, object{"kid": "k0"}) }, ErrSignature},
		"unknown key id":                        {func(l *login) { l.header = with(l.header, object{"kid": "k2"}) }, ErrUnknownKey},
		"no key":                                {func(l *login) { l.header = with(l.header, object{"kid": nil}) }, ErrUnknownKey},
		"signed by another key":                 {func(l *login) { l.sign = rs256(other) }, ErrSignature},
		"another issuer":                        {func(l *login) { l.claims = with(l.claims, object{"iss": "self"}) }, ErrIssuer},
		"no audience":                           {func(l *login) { l.claims = with(l.claims, object{"aud": nil}) }, ErrAudience},
		"another audience":                      {func(l *login) { l.claims = with(l.claims, object{"aud": "x"}) }, ErrAudience},
		"expired":                               {func(l *login) { l.claims = with(l.claims, object{"exp": now - 61}) }, ErrExpired},
		"no expiry":                             {func(l *login) { l.claims = with(l.claims, object{"exp": nil}) }, ErrExpired},
		"missing player key":                    {func(l *login) { l.claims = with(l.claims, object{"cpk": nil}) }, ErrKey},
		"client data signed by another key":     {func(l *login) { l.signData = es384(testKey(t, 2)) }, ErrSignature},
		"XUID 0":                                {func(l *login) { l.claims = with(l.claims, object{"xid": "0"}) }, ErrIdentity},
		"XUID is not a number":                  {func(l *login) { l.claims = with(l.claims, object{"xid": "me"}) }, ErrIdentity},
		"malformed UUID":                        {func(l *login) { l.claims = with(l.claims, object{"leguuid": "me"}) }, ErrIdentity},
		"nil UUID": {func(l *login) {
			l.claims = with(l.claims, object{"leguuid": "00000000-0000-0000-0000-000000000000"})
		}, ErrIdentity},
		"name with section sign": {func(l *login) { l.claims = with(l.claims, object{"xname": "§cRed"}) }, ErrName},
	} {
		bad := good
		c.change(&bad)
		expectRefusal(t, name, bad.request(t), policy, c.want)
	}
	expectRefusal(t, "Xbox login in offline mode", good.request(t), LoginPolicy{Keys: policy.Keys}, ErrNotSelfSigned)
	named := good
	named.claims = with(good.claims, object{"leguuid": "c68f2da5-68e5-3c2d-b940-cbd582cba45e"})
	if who, _, err := VerifyLogin(named.request(t), policy, now); err != nil || who.UUID != OfflineUUID("Anon") {
		t.Errorf("with an identity: %+v, %v", who, err)
	}
}

// xboxChain holds the keys and tokens of a certificate chain from Mojang, which tests modify before signing.
type xboxChain struct {
	client, root, service *ecdsa.PrivateKey
	header, claims        [3]object
	signed                [3]*ecdsa.PrivateKey
}

func validChain(tb testing.TB) xboxChain {
	c, r, s := testKey(tb, 1), testKey(tb, 3), testKey(tb, 4)
	head := func(key *ecdsa.PrivateKey) object { return object{"alg": "ES384", "x5u": formatKey(tb, key)} }
	return xboxChain{c, r, s,
		[3]object{head(c), head(r), head(s)},
		[3]object{
			{"identityPublicKey": formatKey(tb, r), "certificateAuthority": true},
			{"identityPublicKey": formatKey(tb, s), "certificateAuthority": true, "iss": chainIssuer, "exp": now + 60},
			{"identityPublicKey": formatKey(tb, c), "iss": chainIssuer, "exp": now + 60,
				"extraData": object{"displayName": "Gamer", "XUID": testXUID, "identity": formatUUID(xboxUUID(testXUID))}},
		},
		[3]*ecdsa.PrivateKey{c, r, s},
	}
}

func (c xboxChain) login(tb testing.TB, n int) login {
	var chain []string
	for i := range n {
		chain = append(chain, makeToken(tb, c.header[i], c.claims[i], es384(c.signed[i])))
	}
	l := validLogin(tb)
	l.envelope = object{"AuthenticationType": 0, "Token": "", "Certificate": string(mustJSON(tb, object{"chain": chain}))}
	return l
}

func TestOnlineLoginWithTokenChainIsAcceptedOnlyIfChainIsValid(t *testing.T) {
	good := validChain(t)
	policy := LoginPolicy{Online: true, Keys: &XboxKeys{Root: &good.root.PublicKey}}
	who, _, err := VerifyLogin(good.login(t, 3).request(t), policy, now)
	if err != nil || who.SelfSigned || who.Name != "Gamer" || who.XUID != testXUID || who.UUID != xboxUUID(testXUID) || !who.Key.Equal(&good.client.PublicKey) {
		t.Fatalf("identity %+v, error %v", who, err)
	}
	both := good.login(t, 3) // the login contains a token and a chain; the server may have the key for only one of the two
	both.envelope["Token"] = "MCToken x.y.z"
	if _, _, err := VerifyLogin(both.request(t), policy, now); err != nil {
		t.Errorf("with a token beside it: %v", err)
	}
	otherKey := testKey(t, 5)
	for name, c := range map[string]struct {
		change func(*xboxChain)
		want   *Refusal
	}{
		"chain starts at another root": {func(c *xboxChain) {
			c.claims[0] = with(c.claims[0], object{"identityPublicKey": formatKey(t, otherKey)})
			c.signed[1] = otherKey
		}, ErrUnknownKey},
		"first not signed by its key":   {func(c *xboxChain) { c.signed[0] = otherKey }, ErrSignature},
		"second not signed by the root": {func(c *xboxChain) { c.signed[1] = otherKey }, ErrSignature},
		"third not signed by the service": {func(c *xboxChain) {
			c.signed[2] = otherKey
		}, ErrSignature},
		"third signed by its own x5u": {func(c *xboxChain) {
			c.header[2], c.signed[2] = object{"alg": "ES384", "x5u": formatKey(t, otherKey)}, otherKey
		}, ErrSignature},
		"none in the middle":   {func(c *xboxChain) { c.header[1] = with(c.header[1], object{"alg": "none"}) }, ErrAlgorithm},
		"another issuer":       {func(c *xboxChain) { c.claims[2] = with(c.claims[2], object{"iss": "self"}) }, ErrIssuer},
		"second expired":       {func(c *xboxChain) { c.claims[1] = with(c.claims[1], object{"exp": now - 61}) }, ErrExpired},
		"third without expiry": {func(c *xboxChain) { c.claims[2] = with(c.claims[2], object{"exp": nil}) }, ErrExpired},
		"first not valid yet":  {func(c *xboxChain) { c.claims[0] = with(c.claims[0], object{"nbf": now + 61}) }, ErrNotYet},
		"missing player key":   {func(c *xboxChain) { c.claims[2] = with(c.claims[2], object{"identityPublicKey": nil}) }, ErrKey},
		"key of another player": {func(c *xboxChain) {
			c.claims[2] = with(c.claims[2], object{"identityPublicKey": formatKey(t, otherKey)})
		}, ErrSignature},
		"no name, no account":   {func(c *xboxChain) { c.claims[2] = with(c.claims[2], object{"extraData": nil}) }, ErrIdentity},
		"first without its key": {func(c *xboxChain) { c.header[0] = with(c.header[0], object{"x5u": nil}) }, ErrKey},
	} {
		bad := good
		c.change(&bad)
		expectRefusal(t, name, bad.login(t, 3).request(t), policy, c.want)
	}
	for n := range 3 {
		expectRefusal(t, "shorter chain", good.login(t, n).request(t), policy, ErrChain)
	}
	service := rsaKey(t, 2048)
	tokens := LoginPolicy{Online: true, Keys: &XboxKeys{Service: []ServiceKey{{"k1", &service.PublicKey}}}}
	expectRefusal(t, "no root key", good.login(t, 3).request(t), tokens, ErrNoKeys)
}

func TestParseServiceKeysSkipsUnusableKeys(t *testing.T) {
	good, weak := rsaKey(t, 2048), rsaKey(t, 1024)
	for name, c := range map[string]struct {
		set  []byte
		want error
		n    int
	}{
		"one of many": {mustJSON(t, object{"keys": []any{
			jwk("k1", &good.PublicKey), jwk("weak", &weak.PublicKey), jwk("", &good.PublicKey),
			with(jwk("k2", &good.PublicKey), object{"use": "enc"}),
			object{"kty": "EC"}, 7, nil, object{"kty": "oct", "k": "AAAA", "kid": "k3"},
		}}), nil, 1},
		"none":                 {[]byte(`{"keys":[]}`), ErrNoKeys, 0},
		"nothing":              {nil, ErrJSON, 0},
		"a list":               {[]byte(`[]`), ErrJSON, 0},
		"too deep":             {nested(17, "[", "]"), ErrDepth, 0},
		"more than a megabyte": {[]byte(strings.Repeat(" ", 1<<20) + "{}"), ErrSize, 0},
	} {
		keys, err := ParseServiceKeys(c.set)
		if len(keys) != c.n || (err != nil || c.want != nil) && !errors.Is(err, c.want) {
			t.Errorf("%s: %d keys, %v", name, len(keys), err)
		}
	}
}
