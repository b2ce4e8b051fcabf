package auth

import (
	"bytes"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestHandshakeRoundTrips(t *testing.T) {
	server := testKey(t, 7)
	for _, size := range []int{1, SaltSize, MaxSalt} {
		salt := bytes.Repeat([]byte{0xfb}, size)
		text, err := NewHandshake(server, salt)
		if err != nil {
			t.Fatal(err)
		}
		key, got, err := ParseHandshake(text)
		if err != nil || !key.Equal(&server.PublicKey) || !bytes.Equal(got, salt) {
			t.Errorf("%d bytes: %x, %v", size, got, err)
		}
	}
	for _, size := range []int{0, MaxSalt + 1} {
		if _, err := NewHandshake(server, make([]byte, size)); !errors.Is(err, ErrSalt) {
			t.Errorf("salt of %d bytes: %v", size, err)
		}
	}
	if _, err := NewHandshake(nil, make([]byte, 16)); !errors.Is(err, ErrKey) {
		t.Errorf("no key: %v", err)
	}
}

func TestHandshakesOfOtherServersAreParsed(t *testing.T) {
	server := testKey(t, 7)
	salt := slices.Concat(bytes.Repeat([]byte{0xfb}, 15), []byte{0xff})
	header := object{"alg": "ES384", "x5u": formatKey(t, server)}
	for name, c := range map[string]struct{ header, claims object }{
		"padded, with repeated key": {with(header, object{"typ": "JWT"}),
			object{"salt": base64.StdEncoding.EncodeToString(salt), "signedToken": formatKey(t, server), "iat": now}},
		"not padded": {header, object{"salt": base64.RawStdEncoding.EncodeToString(salt)}},
	} {
		key, got, err := ParseHandshake(makeToken(t, c.header, c.claims, es384(server)))
		if err != nil || !key.Equal(&server.PublicKey) || !bytes.Equal(got, salt) {
			t.Errorf("%s: %x, %v", name, got, err)
		}
	}
}

func TestMalformedHandshakesAreRefused(t *testing.T) {
	server := testKey(t, 7)
	header := object{"alg": "ES384", "x5u": formatKey(t, server)}
	claims := object{"salt": base64.StdEncoding.EncodeToString(make([]byte, 16))}
	sign := es384(server)
	for name, c := range map[string]struct {
		text string
		want *Refusal
	}{
		"nothing":          {"", ErrToken},
		"a megabyte":       {strings.Repeat("A", 1<<20), ErrSize},
		"none":             {makeToken(t, with(header, object{"alg": "none"}), claims, sign), ErrAlgorithm},
		"HS256":            {makeToken(t, with(header, object{"alg": "HS256"}), claims, sign), ErrAlgorithm},
		"no key":           {makeToken(t, with(header, object{"x5u": nil}), claims, sign), ErrKey},
		"another key":      {makeToken(t, with(header, object{"x5u": formatKey(t, testKey(t, 8))}), claims, sign), ErrSignature},
		"DER":              {makeToken(t, header, claims, es384DER(server)), ErrSignature},
		"no salt":          {makeToken(t, header, object{}, sign), ErrSalt},
		"empty salt":       {makeToken(t, header, object{"salt": ""}, sign), ErrSalt},
		"salt is a number": {makeToken(t, header, object{"salt": 7}, sign), ErrJSON},
		"salt too long":    {makeToken(t, header, object{"salt": base64.StdEncoding.EncodeToString(make([]byte, 65))}, sign), ErrSalt},
		"salt in hex":      {makeToken(t, header, object{"salt": "!!"}, sign), ErrSalt},
		"a list":           {makeToken(t, header, []byte("[]"), sign), ErrJSON},
	} {
		if key, salt, err := ParseHandshake(c.text); key != nil || salt != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want.Name())
		}
	}
}

// Rule EN-1 of docs/wire/bedrock.md: a client cannot authenticate the server and accepts a handshake signed with any
// key.
func TestHandshakeSignedWithAnyServerKeyIsAccepted(t *testing.T) {
	for n := range byte(3) {
		server := testKey(t, 20+n)
		text, err := NewHandshake(server, []byte{n})
		if err != nil {
			t.Fatal(err)
		}
		if key, _, err := ParseHandshake(text); err != nil || !key.Equal(&server.PublicKey) {
			t.Errorf("server %d: %v", n, err)
		}
	}
}
