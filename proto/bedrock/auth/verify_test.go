package auth

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestLoginsCapturedFromBedrockProtocolPackageAreAccepted(t *testing.T) {
	for _, name := range []string{"login_2169", "login_2193", "login_chain"} {
		who, client, err := verifyOffline(capturedLogin(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if who.Name != "Anon" || formatUUID(who.UUID) != "c68f2da5-68e5-3c2d-b940-cbd582cba45e" || !who.SelfSigned || who.XUID != "" || who.Key == nil {
			t.Errorf("%s: %+v", name, who)
		}
		version := map[string]string{"login_2193": "1.26.51"}[name]
		if version == "" {
			version = "1.26.45"
		}
		if client.GameVersion != version || client.Language != "en_GB" || client.DeviceModel != "PrismarineJS" ||
			client.Skin.Image.Width != 8 || len(client.Skin.Image.Pixels) != 8*8*4 || client.Skin.ID != "persona-ec4b0e51bc40322b-0" {
			t.Errorf("%s: %+v", name, client)
		}
	}
}

func TestValidLoginIsAccepted(t *testing.T) {
	if _, _, err := verifyOffline(validLogin(t).request(t)); err != nil {
		t.Fatal(err)
	}
}

// A token's header names an algorithm, but VerifyLogin accepts only ES384.
func TestTokenNotSignedWithES384IsRefused(t *testing.T) {
	hmacWith := func(key string) signer {
		return func(_ testing.TB, input []byte) []byte {
			mac := hmac.New(sha512.New384, []byte(key))
			mac.Write(input)
			return mac.Sum(nil)
		}
	}
	for name, c := range map[string]struct {
		alg  any
		sign signer
	}{
		"none, unsigned":            {"none", func(testing.TB, []byte) []byte { return nil }},
		"none, signed":              {"none", nil},
		"HS256 with the public key": {"HS256", hmacWith(formatKey(t, testKey(t, 1)))},
		"HS384 with the public key": {"HS384", hmacWith(formatKey(t, testKey(t, 1)))},
		"RS256":                     {"RS256", nil},
		"ES256":                     {"ES256", nil},
		"lower case":                {"es384", nil},
		"missing":                   {nil, nil},
		"empty":                     {"", nil},
	} {
		for _, part := range []string{"identity", "client data"} {
			l := validLogin(t)
			header := with(l.header, object{"alg": c.alg})
			if c.sign == nil {
				c.sign = l.sign
			}
			req := l.request(t)
			if part == "identity" {
				l.header, l.sign = header, c.sign
				req = l.request(t)
			} else {
				req.ClientData = []byte(makeToken(t, header, l.data, c.sign))
			}
			expectRefusal(t, part+", "+name, req, LoginPolicy{}, ErrAlgorithm)
		}
	}
}

func TestInvalidTokenSignaturesAreRefused(t *testing.T) {
	l := validLogin(t)
	good := l.sign
	for name, c := range map[string]struct {
		sign signer
	}{
		"DER":            {es384DER(l.key)},
		"nothing":        {func(testing.TB, []byte) []byte { return nil }},
		"one byte short": {func(tb testing.TB, b []byte) []byte { return good(tb, b)[:95] }},
		"one byte more":  {func(tb testing.TB, b []byte) []byte { return append(good(tb, b), 0) }},
		"all zero":       {func(testing.TB, []byte) []byte { return make([]byte, 96) }},
		"all ones":       {func(testing.TB, []byte) []byte { return bytes.Repeat([]byte{0xff}, 96) }},
		"one bit off": {func(tb testing.TB, b []byte) []byte {
			s := good(tb, b)
			s[50] ^= 1
			return s
		}},
		"of another key": {es384(testKey(t, 2))},
	} {
		bad := validLogin(t)
		bad.sign = c.sign
		expectRefusal(t, "identity, "+name, bad.request(t), LoginPolicy{}, ErrSignature)
		bad = validLogin(t)
		bad.signData = c.sign
		expectRefusal(t, "client data, "+name, bad.request(t), LoginPolicy{}, ErrSignature)
	}
}

func TestLoginWithTokenClaimsChangedAfterSigningIsRefused(t *testing.T) {
	l := validLogin(t)
	text := makeToken(t, l.header, l.claims, l.sign)
	part := strings.Split(text, ".")
	other := strings.Split(makeToken(t, l.header, with(l.claims, object{"xname": "Root"}), l.sign), ".")
	l.envelope = with(l.envelope, object{"Token": part[0] + "." + other[1] + "." + part[2]})
	expectRefusal(t, "another name under the same signature", l.request(t), LoginPolicy{}, ErrSignature)
}

func TestTokenWithoutThreePartsIsRefused(t *testing.T) {
	l := validLogin(t)
	good := makeToken(t, l.header, l.claims, l.sign)
	for name, c := range map[string]struct {
		text string
		want *Refusal
	}{
		"no part":            {".", ErrToken},
		"no points":          {strings.ReplaceAll(good, ".", ""), ErrToken},
		"two parts":          {good[:strings.LastIndex(good, ".")], ErrToken},
		"four parts":         {good + ".", ErrToken},
		"padding":            {good + "=", ErrToken},
		"line break":         {good + "\n", ErrToken},
		"a space":            {" " + good, ErrToken},
		"standard base64":    {"+" + good, ErrToken},
		"JSON serialization": {`{"payload":"","signatures":[]}`, ErrToken},
		"empty header":       {good[strings.Index(good, "."):], ErrJSON},
		"header is not JSON": {makeToken(t, []byte("hello"), l.claims, l.sign), ErrJSON},
		"header is a list":   {makeToken(t, []byte("[]"), l.claims, l.sign), ErrJSON},
		"alg is a number":    {makeToken(t, object{"alg": 384}, l.claims, l.sign), ErrJSON},
		"header too long":    {makeToken(t, with(l.header, object{"typ": strings.Repeat("x", maxHeader)}), l.claims, l.sign), ErrToken},
		"embedded key":       {makeToken(t, with(l.header, object{"jwk": object{"kty": "EC"}}), l.claims, l.sign), ErrToken},
		"unencoded payload":  {makeToken(t, with(l.header, object{"b64": false, "crit": []string{"b64"}}), l.claims, l.sign), ErrToken},
		"duplicate header member": {makeToken(t, []byte(`{"alg":"none","x5u":"`+formatKey(t, l.key)+`","alg":"ES384"}`), l.claims, l.sign),
			ErrToken}, // RFC 7515 section 4 requires unique names in a header
	} {
		l.envelope = with(l.envelope, object{"Token": c.text})
		expectRefusal(t, name, l.request(t), LoginPolicy{}, c.want)
	}
}

func TestKeyNotOnP384IsRefused(t *testing.T) {
	good, err := base64.StdEncoding.DecodeString(formatKey(t, testKey(t, 1)))
	if err != nil {
		t.Fatal(err)
	}
	der := func(curve elliptic.Curve) []byte {
		key, err := ecdsa.GenerateKey(curve, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		b, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	off := bytes.Clone(good)
	off[119] ^= 1
	compressed := append([]byte("\x30\x46\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22\x03\x32\x00\x02"), good[24:72]...)
	std := base64.StdEncoding.EncodeToString
	for name, text := range map[string]string{
		"none":                             "",
		"not base64":                       strings.Repeat("!", 160),
		"URL-safe base64":                  strings.Repeat("-", 160),
		"URL":                              "https://example.com/key",
		"P-256":                            std(der(elliptic.P256())),
		"P-521":                            std(der(elliptic.P521())),
		"off the curve":                    std(off),
		"at infinity":                      std(append([]byte(keyPrefix), make([]byte, 97)...)),
		"at infinity, short":               std(append([]byte(keyPrefix), 0)),
		"zero in the usual form":           std(append([]byte(keyPrefix+"\x04"), make([]byte, 96)...)),
		"beyond the field":                 std(append([]byte(keyPrefix+"\x04"), bytes.Repeat([]byte{0xff}, 96)...)),
		"compressed":                       std(compressed),
		"cut short":                        std(good[:119]),
		"with a byte behind":               std(append(bytes.Clone(good), 0)),
		"with a line break":                std(good)[:159] + "\n",
		"other content of the same length": std(bytes.Repeat([]byte{0x30}, 120)),
	} {
		if key, err := ParsePublicKey(text); key != nil || !errors.Is(err, ErrKey) {
			t.Errorf("%s: %v, %v", name, key, err)
		}
		l := validLogin(t)
		l.header = with(l.header, object{"x5u": text})
		l.claims = with(l.claims, object{"cpk": text})
		expectRefusal(t, name, l.request(t), LoginPolicy{}, ErrKey)
	}
	if key, err := ParsePublicKey(std(good)); err != nil || !key.Equal(&testKey(t, 1).PublicKey) {
		t.Errorf("valid key is refused: %v", err)
	}
}

func TestLoginSignedWithKeyThatItsTokenDoesNotNameIsRefused(t *testing.T) {
	l, other := validLogin(t), testKey(t, 2)
	for name, cpk := range map[string]any{"another": formatKey(t, other), "none": nil, "malformed key": "AAAA"} {
		bad := l
		bad.claims = with(l.claims, object{"cpk": cpk})
		expectRefusal(t, name, bad.request(t), LoginPolicy{}, ErrKeyMismatch)
	}
	attacker := l // the identity token of a player, with client data that another key has signed
	attacker.signData = es384(other)
	expectRefusal(t, "client data signed by another key", attacker.request(t), LoginPolicy{}, ErrSignature)
}

func TestTokenDatesAreCheckedWithOneMinuteTolerance(t *testing.T) {
	for name, c := range map[string]struct {
		dates object
		want  *Refusal
	}{
		"valid":                     {object{}, nil},
		"nbf within leeway":         {object{"nbf": now + ClockLeeway}, nil},
		"nbf beyond leeway":         {object{"nbf": now + ClockLeeway + 1}, ErrNotYet},
		"exp within leeway":         {object{"exp": now - ClockLeeway}, nil},
		"exp before leeway":         {object{"exp": now - ClockLeeway - 1}, ErrExpired},
		"no nbf":                    {object{"nbf": nil}, nil},
		"no exp":                    {object{"exp": nil}, ErrExpired},
		"fractional date":           {object{"exp": now + 0.5}, nil},
		"date is a string":          {object{"exp": "tomorrow"}, ErrJSON},
		"number too large":          {object{"exp": 1e300}, ErrJSON},
		"number too small":          {object{"nbf": -1e300}, ErrJSON},
		"number out of float range": {object{"exp": json.RawMessage("1e999")}, ErrJSON},
	} {
		l := validLogin(t)
		l.claims = with(l.claims, c.dates)
		if c.want != nil {
			expectRefusal(t, name, l.request(t), LoginPolicy{}, c.want)
		} else if _, _, err := verifyOffline(l.request(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTokenForOtherAudienceIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		aud any
		ok  bool
	}{
		"absent":                    {nil, true},
		"our audience":              {audience, true},
		"our audience in a list":    {[]string{"x", audience}, true},
		"another":                   {"api://auth-minecraft-services/realms", false},
		"list without our audience": {[]string{"x", "y"}, false},
		"empty list":                {[]string{}, false},
		"a number":                  {7, false},
	} {
		l := validLogin(t)
		l.claims = with(l.claims, object{"aud": c.aud})
		if !c.ok {
			expectRefusal(t, name, l.request(t), LoginPolicy{}, ErrAudience)
		} else if _, _, err := verifyOffline(l.request(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoginInOlderFormatRequiresChainOfOneToken(t *testing.T) {
	l := validLogin(t)
	key := formatKey(t, l.key)
	claims := object{
		"identityPublicKey": key, "exp": now + 3600,
		"extraData": object{"displayName": "Anon", "identity": "c68f2da5-68e5-3c2d-b940-cbd582cba45e", "XUID": "2535400000000000"},
	}
	good := makeToken(t, l.header, claims, l.sign)
	chain := func(tokens ...string) string { return string(mustJSON(t, object{"chain": tokens})) }
	for name, c := range map[string]struct {
		envelope object
		want     *Refusal
	}{
		"in a certificate":    {object{"Certificate": chain(good)}, nil},
		"without certificate": {object{"chain": []string{good}, "Certificate": nil, "AuthenticationType": nil}, nil},
		"empty":               {object{"Certificate": chain()}, ErrChain},
		"missing":             {object{"Certificate": nil}, ErrChain},
		"an empty token":      {object{"Certificate": chain("")}, ErrToken},
		"two":                 {object{"Certificate": chain(good, good)}, ErrChain},
		"three":               {object{"Certificate": chain(good, good, good)}, ErrChain},
		"three, no type":      {object{"Certificate": chain(good, good, good), "AuthenticationType": nil}, ErrNotSelfSigned},
		"for another key": {object{"Certificate": chain(makeToken(t, l.header,
			with(claims, object{"identityPublicKey": formatKey(t, testKey(t, 2))}), l.sign))}, ErrKeyMismatch},
		"expired":                    {object{"Certificate": chain(makeToken(t, l.header, with(claims, object{"exp": now - 3600}), l.sign))}, ErrExpired},
		"not JSON":                   {object{"Certificate": "{"}, ErrJSON},
		"not an object":              {object{"Certificate": "[]"}, ErrJSON},
		"not a chain":                {object{"Certificate": `{"chain":{}}`}, ErrJSON},
		"extraData is not an object": {object{"Certificate": chain(makeToken(t, l.header, with(claims, object{"extraData": 1}), l.sign))}, ErrJSON},
		"too deep":                   {object{"Certificate": strings.Repeat("[", 17) + strings.Repeat("]", 17)}, ErrDepth},
	} {
		old := l
		old.envelope = with(l.envelope, object{"Token": ""}, c.envelope)
		if c.want != nil {
			expectRefusal(t, name, old.request(t), LoginPolicy{}, c.want)
			continue
		}
		who, _, err := verifyOffline(old.request(t))
		if err != nil || who.Name != "Anon" || who.XUID != "" || who.UUID != OfflineUUID("Anon") {
			t.Errorf("%s: %+v, %v", name, who, err)
		}
	}
}

func TestUnsupportedLoginTypesAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		kind any
		want *Refusal
	}{
		"guest": {1, ErrGuest}, "unknown": {3, ErrType}, "missing type": {nil, ErrType}, "negative": {-7, ErrType},
		"type is a string": {"2", ErrJSON}, "type is a fraction": {2.5, ErrJSON}, "Xbox": {0, ErrNotSelfSigned},
	} {
		l := validLogin(t)
		l.envelope = with(l.envelope, object{"AuthenticationType": c.kind})
		expectRefusal(t, name, l.request(t), LoginPolicy{}, c.want)
	}
}

func TestPlayerNameIsTrimmedAndInvalidNameIsRefused(t *testing.T) {
	for name, want := range map[string]string{
		"Anon": "Anon", " \tAnon ": "Anon", "A": "A", "sixteen letters!": "sixteen letters!", "Ünïcödé Ñame 16c": "Ünïcödé Ñame 16c",
		"two words": "two words", "名前": "名前",
		"": "", "   ": "", "seventeen letters": "", "§cRed": "", "a\nb": "", "a\x00b": "", "\x7f": "", "a\u0085b": "",
		"a\u202eb": "", "a\u200bb": "", "a\u2028b": "", "a\ufffdb": "", strings.Repeat("x", 10_000): "",
	} {
		l := validLogin(t)
		l.claims = with(l.claims, object{"xname": name})
		if want == "" {
			expectRefusal(t, fmt.Sprintf("%.20q", name), l.request(t), LoginPolicy{}, ErrName)
			continue
		}
		who, _, err := verifyOffline(l.request(t))
		if err != nil || who.Name != want || who.UUID != OfflineUUID(want) {
			t.Errorf("%q: %+v, %v", name, who, err)
		}
	}
	l := validLogin(t)
	l.claims = with(l.claims, object{"xname": nil})
	expectRefusal(t, "no name", l.request(t), LoginPolicy{}, ErrName)
}

func TestOfflineUUIDIsDerivedFromName(t *testing.T) {
	if id := formatUUID(OfflineUUID("Anon")); id != "c68f2da5-68e5-3c2d-b940-cbd582cba45e" { // the UUID of this name in a captured session
		t.Errorf("Anon is %s", id)
	}
	l := validLogin(t)
	l.claims = with(l.claims, object{"identity": "00000000-0000-4000-8000-000000000001"})
	who, _, err := verifyOffline(l.request(t))
	if err != nil || who.UUID != OfflineUUID("Anon") {
		t.Errorf("identity %+v, error %v", who, err)
	}
}

func TestAccountIDsInSelfSignedLoginAreIgnored(t *testing.T) {
	l := validLogin(t)
	l.claims = with(l.claims, object{"xid": "2535400000000000", "leguuid": "00000000-0000-4000-8000-000000000001"})
	who, _, err := verifyOffline(l.request(t))
	if err != nil || !who.SelfSigned || who.XUID != "" || who.UUID != OfflineUUID("Anon") {
		t.Errorf("identity %+v, error %v", who, err)
	}
}
