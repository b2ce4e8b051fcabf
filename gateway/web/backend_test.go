package web_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
)

// ticketOf returns the ticket in an answer to a ticket request.
func ticketOf(t *testing.T, b []byte) string {
	t.Helper()
	var a struct{ Ticket string }
	if err := json.Unmarshal(b, &a); err != nil || a.Ticket == "" {
		t.Fatalf("no ticket in %s", b)
	}
	return a.Ticket
}

// refused connects with a ticket and checks that the server refuses the connection with the given text.
func (x *raw) refused(ticket, text string) {
	x.r.t.Helper()
	if err := x.dial(nil); err != nil {
		x.r.t.Fatal(err)
	}
	x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: ticket}))
	var got string
	x.until(func(m proto.Message) bool {
		if r, ok := m.(*proto.Refused); ok {
			got = r.Text
		}
		_, entered := m.(*proto.Welcome)
		return entered // without a Welcome message, read until the connection ends
	})
	if !strings.Contains(got, text) {
		x.r.t.Errorf("refused with %q, want %q", got, text)
	}
}

// backend is a game's own backend that signs tokens.
type backend struct {
	algorithm jose.SignatureAlgorithm
	id        string
	private   any
	public    any
}

func newBackends(t *testing.T) map[string]backend {
	t.Helper()
	r, err1 := rsa.GenerateKey(rand.Reader, 2048)
	p256, err2 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	p384, err3 := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	public, private, err4 := ed25519.GenerateKey(rand.Reader)
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	shared := []byte(strings.Repeat("k", 32))
	return map[string]backend{
		"RSA": {jose.RS256, "a", r, r.Public()}, "P-256": {jose.ES256, "b", p256, p256.Public()}, "P-384": {jose.ES384, "c", p384, p384.Public()},
		"Ed25519": {jose.EdDSA, "d", private, public}, "secret": {jose.HS256, "e", shared, shared},
	}
}

// token signs claims.
func (b backend) token(t *testing.T, claims any) string {
	t.Helper()
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: b.algorithm, Key: jose.JSONWebKey{Key: b.private, KeyID: b.id}}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(s).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// keyFile writes the public keys of backends to a file and reads the file as the door does. The map's keys are the key ids.
func keyFile(t *testing.T, all map[string]backend) web.BackendKeys {
	t.Helper()
	var set jose.JSONWebKeySet
	for _, b := range all {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: b.public, KeyID: b.id, Use: "sig"})
	}
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := web.ReadBackendKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// claimsOf returns the claims of a valid token with some claims changed. The value nil removes a claim.
func claimsOf(change map[string]any) map[string]any {
	c := map[string]any{"sub": "u-17", "name": "Ann", "aud": "truestep", "exp": time.Now().Add(time.Minute).Unix()}
	maps.Copy(c, change)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

// A token that is signed by a key of any supported kind logs a player in. Tokens with one subject give one account, whichever
// key has signed them.
func TestTokenSignedByGameBackendLogsPlayerIn(t *testing.T) {
	t.Parallel()
	all := newBackends(t)
	withServer(t, web.Options{BackendKeys: keyFile(t, all), NoGuests: true}, netsim.Impairment{}, func(r *rig) {
		for kind, b := range all {
			o, h := r.options("", true)
			o.Token = b.token(r.t, claimsOf(map[string]any{"jti": kind}))
			p, err := r.dial(o, h)
			if err != nil {
				r.t.Errorf("%s: %v", kind, err)
				continue
			}
			p.until("Ann is shown herself", func(w *webcl.World) bool { return w.Self() != nil && w.Self().Name == "Ann" })
			if err := p.stop(); err != nil {
				r.t.Error(err)
			}
			r.wantRefused(o, h, "used already")
		}
		if a, err := r.store.Account(r.t.Context(), "game:u-17"); err != nil || a.Secret != "" {
			r.t.Errorf("account %+v, %v", a, err)
		}
	})
}

func TestRefusalOfInvalidTokenContainsReason(t *testing.T) {
	t.Parallel()
	all := newBackends(t)
	good := all["P-256"]
	other := newBackends(t)["P-256"]
	confused := backend{jose.HS256, "a", pemOf(t, all["RSA"].public), nil} // the public key of another algorithm as a shared secret
	withServer(t, web.Options{BackendKeys: keyFile(t, all)}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		ask := func(token string) string {
			b, _ := json.Marshal(map[string]string{"token": token}) // strings do not fail
			status, answer := x.post(http.MethodPost, "/play/v1/ticket", string(b), "")
			if status != http.StatusForbidden {
				r.t.Errorf("token %.20q: %d %s", token, status, answer)
			}
			return string(answer)
		}
		now := time.Now()
		for _, c := range []struct{ want, token string }{
			{"its aud is not", good.token(r.t, claimsOf(map[string]any{"aud": "another"}))},
			{"its aud is not", good.token(r.t, claimsOf(map[string]any{"aud": nil}))},
			{"it has expired", good.token(r.t, claimsOf(map[string]any{"exp": now.Add(-time.Minute).Unix()}))},
			{"it is not valid yet", good.token(r.t, claimsOf(map[string]any{"nbf": now.Add(time.Minute).Unix()}))},
			{"it has no exp", good.token(r.t, claimsOf(map[string]any{"exp": nil}))},
			{"for more than 5 minutes", good.token(r.t, claimsOf(map[string]any{"exp": now.Add(time.Hour).Unix()}))},
			{"its sub must have", good.token(r.t, claimsOf(map[string]any{"sub": nil}))},
			{"its sub must have", good.token(r.t, claimsOf(map[string]any{"sub": strings.Repeat("u", 46)}))},
			{"no key of this server verifies its signature", other.token(r.t, claimsOf(nil))},
			{"no key of this server verifies its signature", confused.token(r.t, claimsOf(nil))},
			{"it is not a JSON Web Token with a supported signature algorithm", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1LTE3In0."},
			{"it is not a JSON Web Token with a supported signature algorithm", "x"},
		} {
			if got := ask(c.token); !strings.Contains(got, c.want) {
				r.t.Errorf("answer %s, want %q", got, c.want)
			}
		}
		text := good.token(r.t, claimsOf(nil))
		for n := 1; n < len(text); n++ {
			ask(text[:n])
		}
		if n := len(r.hub.Players()); n != 0 {
			r.t.Errorf("%d players, want none", n)
		}
	})
}

func pemOf(t *testing.T, public any) []byte {
	t.Helper()
	b, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: b})
}

func TestErrorOfInvalidBackendKeyFileSaysHowToFixIt(t *testing.T) {
	t.Parallel()
	all := newBackends(t)
	private, err := x509.MarshalPKCS8PrivateKey(all["P-256"].private)
	if err != nil {
		t.Fatal(err)
	}
	weak, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: []byte("short")}}})
	if err != nil {
		t.Fatal(err)
	}
	p521, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]struct {
		text []byte
		want string // text that the error must contain; empty if no error is expected
	}{
		"RSA":         {pemOf(t, all["RSA"].public), ""},
		"P-384":       {pemOf(t, all["P-384"].public), ""},
		"Ed25519":     {pemOf(t, all["Ed25519"].public), ""},
		"P-521":       {pemOf(t, p521.Public()), "use P-256 or P-384"},
		"private key": {pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), "must contain the public key"},
		"damaged key": {pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: private[:20]}), "must contain the public key"},
		"weak secret": {weak, "use at least 32"},
		"empty set":   {[]byte(`{"keys":[]}`), "no key for signatures"},
		"empty file":  {nil, "the file must contain a public key (PEM) or a key set (JWKS)"},
	} {
		path := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(path, f.text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := web.ReadBackendKeys(path)
		if f.want == "" && err != nil || f.want != "" && (err == nil || !strings.Contains(err.Error(), f.want) || !strings.Contains(err.Error(), path)) {
			t.Errorf("%s: %v, want %q", name, err, f.want)
		}
	}
	if _, err := web.ReadBackendKeys(filepath.Join(t.TempDir(), "missing")); err == nil || !strings.Contains(err.Error(), "web-jwt-key: open") {
		t.Errorf("missing file: %v", err)
	}
}
