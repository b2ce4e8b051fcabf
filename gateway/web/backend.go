package web

import (
	"cmp"
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

// Rules for tokens. A token is a JSON Web Token (RFC 7519) with which a game's own backend logs a player in.
const (
	tokenAudience = "truestep"       // value that the claim "aud" must contain
	maxTokenLife  = 5 * time.Minute  // maximum time until the expiry (claim "exp") of a token
	tokenSkew     = 30 * time.Second // tolerated difference between the clocks of backend and server
	tokenPrefix   = "game:"          // prefix of account names: the account of a token is "game:" followed by the claim "sub"
	maxSubject    = 45               // maximum length of the claim "sub" in characters, so that the account's name is not too long
	minRSABits    = 2048             // minimum length of an RSA key in bits
	minSecretKey  = 32               // minimum length of an HS256 key in bytes, the size of the digest; source: RFC 7518, 3.2
)

// BackendKeys are the keys that verify the tokens with which a game's own backend logs players in. A token is accepted if
// one of the keys verifies its signature.
type BackendKeys []backendKey

// backendKey is a key, with the only signature algorithm for which it is used. The algorithm is fixed for each key, because a
// token also names an algorithm, and could otherwise select a weak one.
type backendKey struct {
	id        string // key id; a key with an empty id is tried for tokens with any key id
	algorithm jose.SignatureAlgorithm
	key       any // public key, or bytes of a secret key
}

// tokenAlgorithms are the signature algorithms with which a token may be signed.
var tokenAlgorithms = []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.ES384, jose.EdDSA, jose.HS256}

// ReadBackendKeys reads the keys that verify tokens from a file, which contains a public key (PEM) or a key set (JWKS). Errors
// name the file and say what it must contain.
func ReadBackendKeys(path string) (BackendKeys, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("web-jwt-key: %w; set web-jwt-key to a file that contains a public key (PEM) or a key set (JWKS)", err)
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
			return nil, fmt.Errorf("the file contains a PEM block of type %q; it must contain the public key of the backend, as openssl pkey -pubout prints it", block.Type)
		}
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%w; the file must contain the public key of the backend, as openssl pkey -pubout prints it", err)
		}
		k, err := newBackendKey("", key)
		return BackendKeys{k}, err
	}
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(b, &set); err != nil {
		return nil, fmt.Errorf("%w; the file must contain a public key (PEM) or a key set (JWKS)", err)
	}
	var keys BackendKeys
	for i := range set.Keys {
		if set.Keys[i].Use == "enc" {
			continue
		}
		k, err := newBackendKey(set.Keys[i].KeyID, set.Keys[i].Key)
		if err != nil {
			return nil, fmt.Errorf("key %d of the key set cannot be used: %w", i+1, err)
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, errors.New("the key set has no key for signatures; it must have one whose \"use\" is not \"enc\"")
	}
	return keys, nil
}

// newBackendKey returns a key and selects the signature algorithm by the key's type. It returns an error if the key is too short
// or if its type is not supported.
func newBackendKey(id string, key any) (backendKey, error) {
	k := backendKey{id: id, key: key}
	switch key := key.(type) {
	case *rsa.PublicKey:
		if key.N.BitLen() < minRSABits {
			return k, fmt.Errorf("the RSA key has %d bits; use at least %d bits", key.N.BitLen(), minRSABits)
		}
		k.algorithm = jose.RS256
	case *ecdsa.PublicKey:
		switch key.Curve.Params().BitSize {
		case 256:
			k.algorithm = jose.ES256
		case 384:
			k.algorithm = jose.ES384
		default:
			return k, fmt.Errorf("elliptic curve keys on the curve %s are not supported; use P-256 or P-384", key.Curve.Params().Name)
		}
	case ed25519.PublicKey:
		k.algorithm = jose.EdDSA
	case []byte:
		if len(key) < minSecretKey {
			return k, fmt.Errorf("the secret key has %d bytes; use at least %d bytes", len(key), minSecretKey)
		}
		k.algorithm = jose.HS256
	default:
		return k, fmt.Errorf("keys of type %T are not supported; use the public part of an RSA, P-256, P-384 or Ed25519 key", key)
	}
	return k, nil
}

// tokenClaims holds the claims of a token that the server uses.
type tokenClaims struct {
	jwt.Claims
	Name string `json:"name"` // name of the first character; if empty, the subject is used
}

// verify checks a token and returns the player that it names. It also returns a ticket made from the token. The caller stores the
// ticket in the table of used tickets, so that each token is accepted only once. Errors are of type *ticketRefusal.
func (k BackendKeys) verify(text string, now time.Time) (who identity, use ticket, err error) {
	c, err := k.signedClaims(text)
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
	who = identity{account: tokenPrefix + c.Subject, name: cmp.Or(c.Name, c.Subject)}
	// The nonce is a hash of the token without its signature. With some algorithms, one token has several valid signatures.
	// If the hash included the signature, the token could be used once with each of them.
	signed := sha256.Sum256([]byte(text[:strings.LastIndexByte(text, '.')]))
	use = ticket{expires: c.Expiry.Time().Add(tokenSkew), nonce: ticketNonce(signed[:len(ticketNonce{})])}
	return who, use, nil
}

// signedClaims verifies the signature of a token with one of the keys and returns the token's claims.
func (k BackendKeys) signedClaims(text string) (c tokenClaims, err error) {
	t, err := jwt.ParseSigned(text, tokenAlgorithms)
	if err != nil || len(t.Headers) != 1 {
		return c, badToken("it is not a JSON Web Token with a supported signature algorithm")
	}
	head := t.Headers[0]
	known := slices.ContainsFunc(k, func(key backendKey) bool {
		return (key.id == "" || head.KeyID == "" || key.id == head.KeyID) && string(key.algorithm) == head.Algorithm && t.Claims(key.key, &c) == nil
	})
	if !known {
		return c, badToken("no key of this server verifies its signature")
	}
	return c, nil
}

// badToken returns the refusal of an invalid token. The parameter "why" completes the sentence "the token is not accepted".
func badToken(why string) *ticketRefusal {
	return &ticketRefusal{http.StatusForbidden, "token", "the token is not accepted: " + why}
}
