package auth

import (
	"crypto/ecdsa"
	"encoding/json"
	"fmt"

	"github.com/go-jose/go-jose/v4"
)

// sign creates a token with the given claims in the form that Bedrock requires: signed with key by the algorithm ES384, with
// the public part of key in the header. Errors wrap ErrKey.
func sign(key *ecdsa.PrivateKey, claims any) (string, error) {
	if key == nil {
		return "", fmt.Errorf("sign token: the private key is missing: %w", ErrKey)
	}
	x5u, err := FormatPublicKey(&key.PublicKey)
	if err != nil {
		return "", err
	}
	opts := new(jose.SignerOptions).WithHeader("x5u", x5u)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES384, Key: key}, opts)
	if err != nil {
		return "", fmt.Errorf("sign token: %v: %w", err, ErrKey)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return "", fmt.Errorf("sign token: %v: %w", err, ErrKey)
	}
	return signed.CompactSerialize()
}
