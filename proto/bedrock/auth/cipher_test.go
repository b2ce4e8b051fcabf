package auth

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"testing"
)

func decodeHex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// sessionVector is two sides of a session with known keys, as an independent program has them.
type sessionVector struct {
	ClientPrivate string `json:"client_private_hex"`
	ServerPrivate string `json:"server_private_hex"`
	ClientPublic  string `json:"client_public_spki_base64"`
	ServerPublic  string `json:"server_public_spki_base64"`
	Salt          string `json:"salt_hex"`
	Secret        string `json:"shared_secret_hex"`
	Key           string `json:"key_hex"`
	Plain         string `json:"plain_after_fe_hex"`
	Frame0        string `json:"frame0_hex"`
	Frame1        string `json:"frame1_hex"`
}

func TestEncryptionVector(t *testing.T) {
	b, err := os.ReadFile("testdata/encryption_p384_ctr.json")
	if err != nil {
		t.Fatal(err)
	}
	var v sessionVector
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	private := func(text string) *ecdsa.PrivateKey {
		key, err := ecdsa.ParseRawPrivateKey(elliptic.P384(), decodeHex(t, text))
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	client, server := private(v.ClientPrivate), private(v.ServerPrivate)
	if formatKey(t, client) != v.ClientPublic || formatKey(t, server) != v.ServerPublic {
		t.Errorf("keys are %s and %s", formatKey(t, client), formatKey(t, server))
	}
	secret, err := sharedSecret(server, &client.PublicKey)
	if err != nil || hex.EncodeToString(secret) != v.Secret {
		t.Errorf("shared secret %x, %v", secret, err)
	}
	for _, side := range []struct {
		own  *ecdsa.PrivateKey
		peer string
	}{{client, v.ServerPublic}, {server, v.ClientPublic}} {
		peer, err := ParseKey(side.peer)
		if err != nil {
			t.Fatal(err)
		}
		key, err := SessionKey(side.own, peer, decodeHex(t, v.Salt))
		if err != nil || hex.EncodeToString(key[:]) != v.Key {
			t.Fatalf("session key %x, %v", key, err)
		}
		in, out := NewOpener(key), NewSealer(key)
		for _, frame := range []string{v.Frame0, v.Frame1} {
			if sealed := out.Seal([]byte{0xfe}, decodeHex(t, v.Plain)); hex.EncodeToString(sealed) != frame {
				t.Errorf("sealed %x, want %s", sealed, frame)
			}
			if plain, err := in.Open(decodeHex(t, frame)[1:]); err != nil || hex.EncodeToString(plain) != v.Plain {
				t.Errorf("opened %x, %v", plain, err)
			}
		}
	}
}

func TestBatchesOfAnySizeRoundTrip(t *testing.T) {
	out, in := NewSealer([32]byte{1}), NewOpener([32]byte{1})
	for size := 1; size < 70_000; size += 1 + size/3 {
		plain := bytes.Repeat([]byte{byte(size)}, size)
		inPlace := append([]byte{0xfe}, plain...)
		sealed := out.Seal(inPlace[:1], inPlace[1:])
		if sealed[0] != 0xfe || len(sealed) != 1+size+checksumSize {
			t.Fatalf("%d bytes became %d", size, len(sealed))
		}
		if got, err := in.Open(sealed[1:]); err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("%d bytes: %v", size, err)
		}
	}
}

func TestChangedLostOrReplayedBatchFails(t *testing.T) {
	seal := func(n int) (batches [][]byte) {
		s := NewSealer([32]byte{1})
		for i := range n {
			batches = append(batches, s.Seal(nil, bytes.Repeat([]byte{byte(i)}, 20)))
		}
		return batches
	}
	flip := func(b []byte, at int) []byte { b[at] ^= 1; return b }
	for name, batches := range map[string][][]byte{
		"changed":           {flip(seal(1)[0], 3)},
		"changed checksum":  {flip(seal(1)[0], 27)},
		"cut":               {seal(1)[0][:27]},
		"longer":            {append(seal(1)[0], 0)},
		"sent again":        {seal(1)[0], seal(1)[0]},
		"lost":              {seal(2)[1]},
		"not encrypted":     {append([]byte{0xff}, make([]byte, 27)...)},
		"only a checksum":   {seal(1)[0][:8]},
		"shorter than that": {seal(1)[0][:7]},
		"empty":             {nil},
	} {
		o := NewOpener([32]byte{1})
		var err error
		for _, b := range batches {
			_, err = o.Open(b)
		}
		if !errors.Is(err, ErrChecksum) {
			t.Errorf("%s: %v", name, err)
		}
		for _, b := range seal(3) {
			if plain, err := o.Open(b); plain != nil || !errors.Is(err, ErrChecksum) {
				t.Errorf("%s: a batch was opened afterwards", name)
			}
		}
	}
}

// A login that somebody has recorded passes until it expires, and is good for nothing without the key.
func TestReplayedLoginCannotEncrypt(t *testing.T) {
	req := validLogin(t).request(t)
	server, thief := testKey(t, 7), testKey(t, 8)
	salt := bytes.Repeat([]byte{9}, SaltSize)
	who, _, err := verifyOffline(req)
	if err != nil {
		t.Fatal(err)
	}
	key, err := SessionKey(server, who.Key, salt)
	if err != nil {
		t.Fatal(err)
	}
	guess, err := SessionKey(thief, &server.PublicKey, salt)
	if err != nil {
		t.Fatal(err)
	}
	first := NewSealer(guess).Seal(nil, []byte{0xff, 1, 4})
	if _, err := NewOpener(key).Open(first); !errors.Is(err, ErrChecksum) {
		t.Errorf("the first batch of a thief: %v", err)
	}
	if _, _, err := Verify(req, Policy{}, now+3600+Leeway+1); !errors.Is(err, ErrExpired) {
		t.Errorf("an hour later: %v", err)
	}
}

func TestKeyAgreementRequiresP384Keys(t *testing.T) {
	good := testKey(t, 1)
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		own  *ecdsa.PrivateKey
		peer *ecdsa.PublicKey
	}{
		"no own key": {nil, &good.PublicKey}, "no other key": {good, nil}, "another curve": {good, &p256.PublicKey},
	} {
		if _, err := SessionKey(c.own, c.peer, nil); !errors.Is(err, ErrKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSessionKeyDoesNotModifySalt(t *testing.T) {
	salt := make([]byte, 16, 100)
	if _, err := SessionKey(testKey(t, 1), &testKey(t, 2).PublicKey, salt); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(salt[:100], make([]byte, 100)) {
		t.Error("the room behind the salt holds the secret")
	}
}

func TestSealAndOpenDoNotAllocate(t *testing.T) {
	out, in := NewSealer([32]byte{1}), NewOpener([32]byte{1})
	plain, buf := make([]byte, 200), make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() {
		buf = out.Seal(buf[:0], plain)
		if _, err := in.Open(buf); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSeal(b *testing.B) {
	s := NewSealer([32]byte{1})
	plain, buf := make([]byte, 200), make([]byte, 0, 256)
	b.SetBytes(200)
	b.ReportAllocs()
	for b.Loop() {
		buf = s.Seal(buf[:0], plain)
	}
}

func BenchmarkOpen(b *testing.B) {
	out, in := NewSealer([32]byte{1}), NewOpener([32]byte{1})
	const n = 1024
	var sealed [n][]byte
	for i := range sealed {
		sealed[i] = out.Seal(nil, make([]byte, 200))
	}
	buf, i := make([]byte, 0, 256), 0
	b.SetBytes(200)
	b.ReportAllocs()
	for b.Loop() {
		if i == n { // from the start, with a fresh key stream
			b.StopTimer()
			in, i = NewOpener([32]byte{1}), 0
			b.StartTimer()
		}
		buf = append(buf[:0], sealed[i]...)
		if _, err := in.Open(buf); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
