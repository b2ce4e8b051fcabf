package auth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"fmt"
	"strings"
)

// A public key on the wire is the base64 (standard alphabet) of a SubjectPublicKeyInfo in DER. Clients write only
// uncompressed P-384 points; for these the DER is always keyPrefix followed by the point.
const (
	keyPrefix  = "\x30\x76\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x22\x03\x62\x00"
	pointSize  = 1 + 2*48                             // length of an uncompressed point in bytes: 04, x, y
	keyTextLen = (len(keyPrefix) + pointSize) / 3 * 4 // length of an encoded key in characters
)

// ParsePublicKey decodes a public key from a token or a handshake: 160 base64 characters. For each key it accepts exactly
// one encoding. It checks that the key is a point of P-384 and not the point at infinity. Errors wrap ErrKey.
func ParsePublicKey(text string) (*ecdsa.PublicKey, error) {
	if len(text) != keyTextLen {
		return nil, fmt.Errorf("public key has %d characters, must have %d: %w", len(text), keyTextLen, ErrKey)
	}
	der, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("public key is not base64: %v: %w", err, ErrKey)
	}
	point, ok := strings.CutPrefix(string(der), keyPrefix)
	if !ok || len(point) != pointSize {
		return nil, fmt.Errorf("public key is not an uncompressed P-384 point: %w", ErrKey)
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P384(), []byte(point))
	if err != nil {
		return nil, fmt.Errorf("public key is not a point of P-384: %v: %w", err, ErrKey)
	}
	return key, nil
}

// FormatPublicKey encodes a public key in the form that ParsePublicKey accepts. The error wraps ErrKey if key is nil or
// not on P-384.
func FormatPublicKey(key *ecdsa.PublicKey) (string, error) {
	if key == nil || key.Curve != elliptic.P384() {
		return "", fmt.Errorf("public key is missing or not on P-384: %w", ErrKey)
	}
	point, err := key.Bytes()
	if err != nil {
		return "", fmt.Errorf("encode public key: %v: %w", err, ErrKey)
	}
	return base64.StdEncoding.EncodeToString(append([]byte(keyPrefix), point...)), nil
}
