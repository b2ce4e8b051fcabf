package session

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func TestPasswordHashRoundTripsThroughPHCString(t *testing.T) {
	p := newPHC("secret", cheap)
	back, ok := parsePHC(p.String())
	if !ok || back.String() != p.String() || !strings.HasPrefix(p.String(), "$argon2id$v=19$m=8,t=1,p=1$") {
		t.Fatalf("%q came back as %q, %v", p, back, ok)
	}
	if !back.matches("secret") || back.matches("Secret") || back.matches("") {
		t.Error("the hash matches a wrong secret or not the right one")
	}
	if again := newPHC("secret", cheap); again.String() == p.String() {
		t.Error("two hashes of one secret are the same: no salt")
	}
}

// The vector was made with the reference implementation's command line (argon2 somesalt -id -t 2 -k 65536 -p 1,
// "password"), as published in its test suite.
func TestPasswordMatchesHashOfReferenceImplementation(t *testing.T) {
	const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	p, ok := parsePHC(reference)
	if !ok || !p.matches("password") || p.matches("passwore") {
		t.Errorf("%s: read %v", reference, ok)
	}
}

func TestPasswordHashWithExcessiveCostIsRefused(t *testing.T) {
	good := newPHC("secret", cheap).String()
	swap := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	for what, text := range map[string]string{
		"nothing":         "",
		"plain text":      "secret",
		"argon2i":         swap("argon2id", "argon2i"),
		"another version": swap("v=19", "v=16"),
		"all memory":      swap("m=8", "m=4294967295"),
		"too little":      swap("m=8", "m=7"),
		"no memory":       swap("m=8", "m=0"),
		"no passes":       swap("t=1", "t=0"),
		"a million":       swap("t=1", "t=1000000"),
		"no threads":      swap("p=1", "p=0"),
		"words":           swap("m=8", "m=many"),
		"more fields":     swap("p=1", "p=1,x=2"),
		"plus signs":      swap("m=8", "m=+8"),
		"no key":          good[:strings.LastIndexByte(good, '$')+1],
		"half a key":      good[:len(good)-30],
		"a part more":     good + "$",
		"bad base64":      good[:len(good)-1] + "*",
	} {
		if p, ok := parsePHC(text); ok {
			t.Errorf("%s: %q was read as %+v", what, text, p)
		}
	}
}

const md5OfRustpass = "5c2b739eb8790ef0eaa76a39099fa580" // what a client sends for the password "rustpass"

func salted(secret string) string {
	const salt = "AbCdEfGh01234567"
	sum := sha256.Sum256([]byte(salt + secret))
	return "$1$" + salt + "$" + hex.EncodeToString(sum[:])
}

func TestImportedHashesAreReplacedAtFirstLogin(t *testing.T) {
	h := &hasher{cost: cheap}
	for what, stored := range map[string]string{
		"salted": salted(md5OfRustpass), "bare": md5OfRustpass,
		"cheaper": newPHC(md5OfRustpass, Cost{MemoryKiB: 16, Passes: 1, Threads: 1}).String(),
	} {
		ok, rehash := h.verify(stored, md5OfRustpass)
		if p, modern := parsePHC(rehash); !ok || !modern || p.cost != cheap || !p.matches(md5OfRustpass) {
			t.Errorf("%s: %v, replaced by %q", what, ok, rehash)
		}
		if ok, rehash := h.verify(stored, strings.ToUpper(md5OfRustpass)); ok || rehash != "" {
			t.Errorf("%s: a wrong secret matches", what)
		}
	}
	if ok, rehash := h.verify(newPHC("x", cheap).String(), "x"); !ok || rehash != "" {
		t.Errorf("a hash with the current cost: match %v, replaced by %q", ok, rehash)
	}
	for _, stored := range []string{"", "$1$", "$1$" + strings.Repeat("x", 81), strings.Repeat("g", 32), strings.ToUpper(md5OfRustpass)} {
		for _, secret := range []string{"", stored, md5OfRustpass} {
			if ok, _ := h.verify(stored, secret); ok {
				t.Errorf("secret %q matches hash %q", secret, stored)
			}
		}
	}
}

func FuzzParsePHC(f *testing.F) {
	f.Add(newPHC("secret", cheap).String())
	f.Add(salted("x"))
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := parsePHC(text)
		if !ok {
			return
		}
		if p.String() != text {
			t.Fatalf("%q was read as %q", text, p)
		}
		if p.cost.MemoryKiB > maxMemoryKiB || p.cost.Passes > maxPasses || len(p.key) > 64 {
			t.Fatalf("%q asks for %+v", text, p.cost)
		}
	})
}

func BenchmarkHash(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newPHC("5c2b739eb8790ef0eaa76a39099fa580", DefaultCost)
	}
}
