package web

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// Rules for the tokens of a game's own backend: JSON Web Tokens (RFC 7519).
const (
	tokenAudience = "truestep"       // must be in aud
	maxTokenLife  = 5 * time.Minute  // from now to exp, at most
	tokenSkew     = 30 * time.Second // by which the clocks of backend and server may differ
	tokenPrefix   = "game:"          // of the account: "game:" and sub
	maxSubject    = 45               // characters of sub: with the prefix as many as an account's name may have
	minRSABits    = 2048
	minSecretKey  = 32 // bytes of an HS256 key: the size of its digest   Source: RFC 7518, 3.2
)

// BackendKeys verify the tokens with which a game's own backend names players.
type BackendKeys []backendKey

// backendKey is a key with the only algorithm that it is used for, so that a token cannot choose another one.
type backendKey struct {
	id        string // key id; empty: the key is tried for tokens of all ids
	algorithm jose.SignatureAlgorithm
	key       any
}

// tokenAlgorithms are the accepted algorithms.
var tokenAlgorithms = []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.ES384, jose.EdDSA, jose.HS256}

// ReadBackendKeys reads a public key (PEM, "PUBLIC KEY") or a set of keys (JWKS). Errors name the file and what it must have.
func ReadBackendKeys(path string) (BackendKeys, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("web-jwt-key: %w; name a file with a public key (PEM) or a key set (JWKS)", err)
	}
	keys, err := parseBackendKeys(b)
	if err != nil {
		return nil, fmt.Errorf("web-jwt-key %s: %w", path, err)
	}
	return keys, nil
}

func parseBackendKeys(b []byte) (BackendKeys, error) {
	if block, _ := pem.Decode(b); block != nil {
		if block.Type != "PUBLIC KEY" {
			return nil, fmt.Errorf("the file has a %q; write the public key of the backend, as from openssl pkey -pubout", block.Type)
		}
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%w; write the public key of the backend, as from openssl pkey -pubout", err)
		}
		k, err := newBackendKey("", key)
		return BackendKeys{k}, err
	}
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(b, &set); err != nil {
		return nil, fmt.Errorf("%w; write a public key (PEM) or a key set (JWKS)", err)
	}
	var keys BackendKeys
	for i := range set.Keys {
		if set.Keys[i].Use == "enc" {
			continue
		}
		k, err := newBackendKey(set.Keys[i].KeyID, set.Keys[i].Key)
		if err != nil {
			return nil, fmt.Errorf("key %d of the set: %w", i+1, err)
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, errors.New("the key set has no key for signatures")
	}
	return keys, nil
}

// newBackendKey chooses the algorithm of a key.
func newBackendKey(id string, key any) (backendKey, error) {
	k := backendKey{id: id, key: key}
	switch key := key.(type) {
	case *rsa.PublicKey:
		if key.N.BitLen() < minRSABits {
			return k, fmt.Errorf("the RSA key has %d bits; use at least %d", key.N.BitLen(), minRSABits)
		}
		k.algorithm = jose.RS256
	case *ecdsa.PublicKey:
		switch key.Curve.Params().BitSize {
		case 256:
			k.algorithm = jose.ES256
		case 384:
			k.algorithm = jose.ES384
		default:
			return k, fmt.Errorf("the curve %s is not supported; use P-256 or P-384", key.Curve.Params().Name)
		}
	case ed25519.PublicKey:
		k.algorithm = jose.EdDSA
	case []byte:
		if len(key) < minSecretKey {
			return k, fmt.Errorf("the secret key has %d bytes; use at least %d", len(key), minSecretKey)
		}
		k.algorithm = jose.HS256
	default:
		return k, fmt.Errorf("a %T is not supported; use the public part of an RSA, P-256, P-384 or Ed25519 key", key)
	}
	return k, nil
}

// tokenClaims are the claims of a token that are read.
type tokenClaims struct {
	jwt.Claims
	Name string `json:"name"` // name of the first character; by default the subject
}

// verify returns the player whom a token names, and a ticket that stands for the token in the table of used ones. Errors are
// ticketRefusals.
func (k BackendKeys) verify(text string, now time.Time) (who identity, use ticket, err error) {
	c, err := k.claims(text)
	if err != nil {
		return who, use, err
	}
	switch err := c.ValidateWithLeeway(jwt.Expected{AnyAudience: jwt.Audience{tokenAudience}, Time: now}, tokenSkew); {
	case errors.Is(err, jwt.ErrInvalidAudience):
		return who, use, badToken(`its aud is not "` + tokenAudience + `"`)
	case errors.Is(err, jwt.ErrExpired):
		return who, use, badToken("it has expired")
	case err != nil:
		return who, use, badToken("it is not valid yet")
	}
	switch n := utf8.RuneCountInString(c.Subject); {
	case c.Expiry == nil:
		return who, use, badToken("it has no exp")
	case c.Expiry.Time().After(now.Add(maxTokenLife + tokenSkew)):
		return who, use, badToken("it is valid for more than 5 minutes")
	case n == 0 || n > maxSubject:
		return who, use, badToken("its sub must have 1 to 45 characters")
	}
	who = identity{account: tokenPrefix + c.Subject, name: c.Name}
	if who.name == "" {
		who.name = c.Subject
	}
	who.name = who.name[:min(len(who.name), maxName)]
	// What is signed, not the signature: some algorithms have several signatures of one text.
	signed := sha256.Sum256([]byte(text[:strings.LastIndexByte(text, '.')]))
	use = ticket{expires: c.Expiry.Time().Add(tokenSkew), nonce: ticketNonce(signed[:len(ticketNonce{})])}
	return who, use, nil
}

// claims returns the claims of a token whose signature is right.
func (k BackendKeys) claims(text string) (c tokenClaims, err error) {
	t, err := jwt.ParseSigned(text, tokenAlgorithms)
	if err != nil || len(t.Headers) != 1 {
		return c, badToken("it is no signed JSON Web Token of a supported algorithm")
	}
	head := t.Headers[0]
	known := slices.ContainsFunc(k, func(key backendKey) bool {
		return (key.id == "" || head.KeyID == "" || key.id == head.KeyID) && string(key.algorithm) == head.Algorithm && t.Claims(key.key, &c) == nil
	})
	if !known {
		return c, badToken("its signature is not of a known key")
	}
	return c, nil
}

func badToken(why string) *ticketRefusal {
	return &ticketRefusal{http.StatusForbidden, "token", "the token is not accepted: " + why}
}
