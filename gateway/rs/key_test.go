package rs

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rs"
)

func TestRSAKeyIsCreatedAtFirstStartAndReadAtNextStart(t *testing.T) {
	dir := t.TempDir()
	key, err := LoadKey(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	if bits := key.N.BitLen(); bits != keyBits {
		t.Errorf("%d bits", bits)
	}
	if info, err := os.Stat(filepath.Join(dir, KeyFile)); err != nil || info.Mode() != 0o600 {
		t.Errorf("private file: %v, %v", info, err)
	}
	public := filepath.Join(dir, PublicFile)
	text, err := os.ReadFile(public)
	modulus, exponent := key.Decimal()
	modulusHex, exponentHex := key.Hex()
	for _, want := range []string{modulus, exponent, modulusHex, exponentHex, "# Patch the client"} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("public file %q, %v: no %q", text, err, want)
		}
	}
	for _, was := range []func(){func() { os.Remove(public) }, func() { os.WriteFile(public, []byte("old"), 0o644) }} {
		was()
		again, err := LoadKey(dir, dir)
		if err != nil || again.N.Cmp(key.N) != 0 {
			t.Fatalf("the second start: %v", err)
		}
		if got, _ := os.ReadFile(public); !bytes.Equal(got, text) {
			t.Errorf("the public file was not restored: %q", got)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.*.*")); len(left) != 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// pkcs1Key is the ASN.1 structure of an RSA private key in PKCS #1.
type pkcs1Key struct {
	Version               int
	N                     *big.Int
	E                     int
	D, P, Q, DP, DQ, QInv *big.Int
}

// shortKey generates a key of 512 bits, the length that older servers use. Package crypto/rsa refuses to generate keys of this
// length.
func shortKey(t *testing.T) (der []byte, n *big.Int) {
	t.Helper()
	one, e := big.NewInt(1), big.NewInt(65537)
	for {
		p, err := rand.Prime(rand.Reader, 256)
		if err != nil {
			t.Fatal(err)
		}
		q, err := rand.Prime(rand.Reader, 256)
		if err != nil {
			t.Fatal(err)
		}
		p1, q1 := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
		d := new(big.Int).ModInverse(e, new(big.Int).Mul(p1, q1))
		n := new(big.Int).Mul(p, q)
		if d == nil || n.BitLen() != 512 {
			continue
		}
		der, err := asn1.Marshal(pkcs1Key{0, n, 65537, d, p, q, new(big.Int).Mod(d, p1), new(big.Int).Mod(d, q1), new(big.Int).ModInverse(q, p)})
		if err != nil {
			t.Fatal(err)
		}
		return der, n
	}
}

func TestKeyFileOfOlderServerIsAccepted(t *testing.T) {
	der, n := shortKey(t)
	wrapped, err := asn1.Marshal(struct {
		Version int
		Alg     struct {
			ID   asn1.ObjectIdentifier
			Null asn1.RawValue
		}
		Key []byte
	}{Key: der, Alg: struct {
		ID   asn1.ObjectIdentifier
		Null asn1.RawValue
	}{asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}, asn1.NullRawValue}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		form string
		pem  *pem.Block
	}{
		{"PKCS#1", &pem.Block{Type: "RSA PRIVATE KEY", Bytes: der}},
		{"PKCS#8", &pem.Block{Type: "PRIVATE KEY", Bytes: wrapped}},
	} {
		dir := t.TempDir()
		os.WriteFile(filepath.Join(dir, KeyFile), pem.EncodeToMemory(c.pem), 0o600)
		key, err := LoadKey(dir, dir)
		if err != nil {
			t.Errorf("%s: %v", c.form, err)
			continue
		}
		if key.N.Cmp(n) != 0 {
			t.Errorf("%s: the modulus differs", c.form)
		}
		plain := proto.RSABlock{Keys: proto.Keys{1, 2, 3, 4}, Password: "secret"}.Append(nil)
		sealed, err := key.Encrypt(plain)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := key.Decrypt(sealed, big.NewInt(12345)); err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: decrypts to %x, %v", c.form, got, err)
		}
	}
}

func TestErrorOfInvalidRSAKeyFileIsOneLine(t *testing.T) {
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := x509.MarshalPKCS8PrivateKey(curve)
	if err != nil {
		t.Fatal(err)
	}
	der, _ := shortKey(t)
	for _, c := range []struct {
		desc string
		text []byte
	}{
		{"empty", nil},
		{"garbage", []byte("hello\nworld")},
		{"no key in the PEM", pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: []byte("hello")})},
		{"half a key", pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: der[:100]})},
		{"another kind of key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: other})},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, KeyFile)
		os.WriteFile(path, c.text, 0o600)
		_, err := LoadKey(dir, dir)
		if err == nil {
			t.Errorf("%s: accepted as a key", c.desc)
			continue
		}
		for _, want := range []string{path, "replace it by a PEM file", "move it away"} {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %q does not say %q in one line", c.desc, err, want)
			}
		}
		if now, _ := os.ReadFile(path); !bytes.Equal(now, c.text) {
			t.Errorf("%s: the file was changed", c.desc)
		}
	}
	if _, err := LoadKey(filepath.Join(t.TempDir(), "nowhere"), t.TempDir()); err == nil {
		t.Error("a missing folder was accepted")
	}
}
