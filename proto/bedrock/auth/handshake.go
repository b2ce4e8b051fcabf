package auth

import (
	"crypto/ecdsa"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// Lengths of the handshake's salt, the random bytes on which the session key depends. A server sends SaltSize bytes. A client
// accepts 1 to MaxSalt.
const (
	SaltSize = 16 // number of salt bytes that a server should pass to NewHandshake
	MaxSalt  = 64 // maximum number of salt bytes that a client accepts
)

// handshakeClaims are the claims of a handshake token. Other servers add a claim with their public key, which known clients
// ignore.
type handshakeClaims struct {
	Salt string `json:"salt"` // salt of the session key, in base64
}

// NewHandshake creates the token for the packet ServerToClientHandshake. The parameter server is the server's P-384 key, which
// each process generates for itself. The parameter salt is 1 to MaxSalt random bytes, new for each session. After this packet
// all batches are encrypted with the SessionKey. Errors wrap ErrKey or ErrSalt.
func NewHandshake(server *ecdsa.PrivateKey, salt []byte) (string, error) {
	if len(salt) == 0 || len(salt) > MaxSalt {
		return "", fmt.Errorf("handshake salt has %d bytes, must have 1..%d: %w", len(salt), MaxSalt, ErrSalt)
	}
	return sign(server, handshakeClaims{Salt: base64.StdEncoding.EncodeToString(salt)})
}

// ParseHandshake parses the token of ServerToClientHandshake and verifies its signature. The key for this is in the token
// itself, so the signature does not prove which server has sent it (rule EN-1 of docs/wire/bedrock.md). The salt has 1 to
// MaxSalt bytes, in base64 with or without padding. Errors wrap a Refusal: ErrSize, ErrToken, ErrAlgorithm, ErrKey,
// ErrSignature, ErrJSON, ErrDepth or ErrSalt.
func ParseHandshake(text string) (server *ecdsa.PublicKey, salt []byte, err error) {
	if server, salt, err = parseHandshake(text); err != nil {
		return nil, nil, fmt.Errorf("verify the handshake token: %w", err)
	}
	return server, salt, nil
}

const maxHandshake = 8 << 10 // maximum length of a handshake token in bytes; chosen well above 700, the length of captured ones

func parseHandshake(text string) (*ecdsa.PublicKey, []byte, error) {
	if len(text) > maxHandshake {
		return nil, nil, fmt.Errorf("handshake token has %d bytes, at most %d allowed: %w", len(text), maxHandshake, ErrSize)
	}
	t, err := parseToken(text, jose.ES384)
	if err != nil {
		return nil, nil, err
	}
	server, err := ParsePublicKey(t.x5u)
	if err != nil {
		return nil, nil, err
	}
	claims, err := t.verify(server)
	if err != nil {
		return nil, nil, err
	}
	var parsed handshakeClaims
	err = eachMember(claims, func(name string, value []byte) error {
		if name == "salt" {
			return readJSON(value, &parsed.Salt)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	salt, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(parsed.Salt, "="))
	if err != nil || len(salt) == 0 || len(salt) > MaxSalt {
		return nil, nil, fmt.Errorf("handshake salt %.100q is not base64 of 1..%d bytes: %w", parsed.Salt, MaxSalt, ErrSalt)
	}
	return server, salt, nil
}
