package auth

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// Limits of a token, required by rule VE-3 of docs/wire/bedrock.md.
const (
	MaxToken  = 2 << 20 // maximum length of a token in bytes; a captured client-data token, which contains the skin, has 586 KB
	maxHeader = 4 << 10 // maximum length of a header in bytes; a header contains an algorithm and a key
)

// signatureES384 is the length of an ES384 signature: the numbers r and s of 48 bytes each, concatenated, not in DER.
const signatureES384 = 2 * 48 // in bytes

// token is a JSON Web Token whose form has been checked. Its signature has not been verified yet.
type token struct {
	text string // whole token: header, claims and signature in base64url
	alg  string // algorithm that the header names; it must equal the expected algorithm
	x5u  string // public key in the header; "" if absent
	kid  string // key id in the header; "" if absent
}

// parseToken checks the form of a token: (1) its size, (2) that it has three parts in base64url, and (3) that its header is
// within its limits and names the algorithm alg. Errors wrap ErrSize, ErrToken, ErrJSON, ErrDepth, ErrAlgorithm or ErrSignature
// (wrong signature length).
func parseToken(text string, alg jose.SignatureAlgorithm) (token, error) {
	if len(text) > MaxToken {
		return token{}, fmt.Errorf("token has %d bytes, at most %d allowed: %w", len(text), MaxToken, ErrSize)
	}
	head, rest, _ := strings.Cut(text, ".")
	_, signature, ok := strings.Cut(rest, ".")
	if !ok || !isBase64URL(text) || len(head) > maxHeader || strings.Contains(signature, ".") {
		return token{}, fmt.Errorf("token must be three base64url parts, separated by dots, of which the first has at most %d bytes: %w", maxHeader, ErrToken)
	}
	t := token{text: text}
	if err := t.readHeader(head); err != nil {
		return token{}, err
	}
	if t.alg != string(alg) {
		return token{}, fmt.Errorf("token has the algorithm %.20q, must have %s: %w", t.alg, alg, ErrAlgorithm)
	}
	if n := base64.RawURLEncoding.DecodedLen(len(signature)); alg == jose.ES384 && n != signatureES384 {
		return token{}, fmt.Errorf("token signature has %d bytes, must have %d: %w", n, signatureES384, ErrSignature)
	}
	return t, nil
}

// isBase64URL reports whether text consists of base64url characters and dots.
func isBase64URL(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}

// readHeader parses the header of a token, its first part. It refuses header members that would give the claims or the
// signature another meaning.
func (t *token) readHeader(head string) error {
	b, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		return fmt.Errorf("token header is not base64url: %w", ErrToken)
	}
	if err := checkLimits(b); err != nil {
		return fmt.Errorf("check token header: %w", err)
	}
	return eachMember(b, func(name string, value []byte) error {
		switch name {
		case "alg":
			return readJSON(value, &t.alg)
		case "x5u":
			return readJSON(value, &t.x5u)
		case "kid":
			return readJSON(value, &t.kid)
		case "crit", "b64", "jwk", "jku", "x5c", "zip":
			return fmt.Errorf("token header has the unsupported member %q: %w", name, ErrToken)
		}
		return nil
	})
}

// verify verifies the signature of the token and returns the claims as JSON. The parameter key is an *ecdsa.PublicKey of
// P-384, or an *rsa.PublicKey for RS256. The claims have passed checkLimits, but may be invalid JSON. Errors wrap ErrToken,
// ErrSignature or ErrDepth.
func (t token) verify(key any) ([]byte, error) {
	signed, err := jose.ParseSignedCompact(t.text, []jose.SignatureAlgorithm{jose.SignatureAlgorithm(t.alg)})
	if err != nil {
		return nil, fmt.Errorf("parse signed token: %v: %w", err, ErrToken)
	}
	claims, err := signed.Verify(key)
	if err != nil {
		return nil, ErrSignature
	}
	if err := checkLimits(claims); err != nil {
		return nil, fmt.Errorf("check token claims: %w", err)
	}
	return claims, nil
}
