package auth

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// XboxKeys holds the public keys with which Xbox identities are verified. Mojang's services publish the keys, and the
// operator configures them.
type XboxKeys struct {
	Service []ServiceKey     // keys of the authorization service, which sign tokens
	Issuer  string           // issuer that the tokens must have; "" accepts any issuer
	Root    *ecdsa.PublicKey // Mojang's root key, which starts a certificate chain; nil refuses all chains
}

// ServiceKey is one public key of Mojang's authorization service, which signs login tokens.
type ServiceKey struct {
	ID  string         // key id (kid) in the header of a token
	Key *rsa.PublicKey // public key
}

// chainIssuer is the required issuer claim of every token in a certificate chain except the first, which the client has signed.
const chainIssuer = "Mojang"

// Limits of the key set that ParseServiceKeys accepts.
const (
	maxKeySet  = 1 << 20 // maximum length of a key set in bytes
	minRSABits = 2048    // minimum size of a key in bits
	maxRSABits = 8192    // maximum size of a key in bits
)

func (k *XboxKeys) isEmpty() bool { return k == nil || len(k.Service) == 0 && k.Root == nil }

// ParseServiceKeys parses a JSON Web Key Set and returns its RSA signature keys of 2048..8192 bits that have a key id.
// Keys of other kinds are skipped. Errors wrap ErrSize, ErrJSON or, without a usable key, ErrNoKeys.
func ParseServiceKeys(jwks []byte) ([]ServiceKey, error) {
	if len(jwks) > maxKeySet {
		return nil, fmt.Errorf("key set has %d bytes, at most %d allowed: %w", len(jwks), maxKeySet, ErrSize)
	}
	if err := checkLimits(jwks); err != nil {
		return nil, fmt.Errorf("key set: %w", err)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := readJSON(jwks, &set); err != nil {
		return nil, fmt.Errorf("key set: %w", err)
	}
	var keys []ServiceKey
	for _, one := range set.Keys {
		var k jose.JSONWebKey
		if k.UnmarshalJSON(one) != nil {
			continue // skip an unsupported key type
		}
		key, ok := k.Key.(*rsa.PublicKey)
		if ok && k.KeyID != "" && k.Use != "enc" && key.N.BitLen() >= minRSABits && key.N.BitLen() <= maxRSABits {
			keys = append(keys, ServiceKey{k.KeyID, key})
		}
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("key set has no RSA signature key of %d..%d bits with an id: %w", minRSABits, maxRSABits, ErrNoKeys)
	}
	return keys, nil
}

// verifyToken verifies an identity token signed by the authorization service. The only accepted algorithm is RS256.
func (k *XboxKeys) verifyToken(text string, nowUnix int64) (Identity, error) {
	t, err := parseToken(strings.TrimPrefix(text, "MCToken "), jose.RS256)
	if err != nil {
		return Identity{}, err
	}
	i := slices.IndexFunc(k.Service, func(s ServiceKey) bool { return s.ID == t.kid })
	if i < 0 {
		return Identity{}, fmt.Errorf("no configured key has the key id %.40q of the token: %w", t.kid, ErrUnknownKey)
	}
	c, err := t.claims(k.Service[i].Key)
	if err != nil {
		return Identity{}, err
	}
	if k.Issuer != "" && c.issuer != k.Issuer {
		return Identity{}, fmt.Errorf("token has the issuer %.100q, must have %.100q: %w", c.issuer, k.Issuer, ErrIssuer)
	}
	if c.audience == nil || !c.hasAudience(audience) {
		return Identity{}, ErrAudience
	}
	if err := c.dates.check(nowUnix, true); err != nil {
		return Identity{}, err
	}
	key, err := ParsePublicKey(c.key)
	if err != nil {
		return Identity{}, err
	}
	return xboxIdentity(c.name, c.xuid, c.uuid, key)
}

// verifyChain verifies a certificate chain of three tokens. (1) The first is signed by the client and names Mojang's root key.
// (2) The second is signed with the root key and names the key of a service. (3) The third is signed by the service and names
// the player's key.
func (k *XboxKeys) verifyChain(chain []string, nowUnix int64) (Identity, error) {
	if len(chain) != chainXbox {
		return Identity{}, fmt.Errorf("certificate chain of an Xbox login has %d tokens, must have %d: %w", len(chain), chainXbox, ErrChain)
	}
	if k.Root == nil {
		return Identity{}, fmt.Errorf("no root key is configured to verify the certificate chain: %w", ErrNoKeys)
	}
	t, key, err := parseX5uToken(chain[0])
	if err != nil {
		return Identity{}, fmt.Errorf("parse token 0 of the certificate chain: %w", err)
	}
	var c claims
	for i := range chain {
		if i > 0 {
			if t, err = parseToken(chain[i], jose.ES384); err != nil {
				return Identity{}, fmt.Errorf("parse token %d of the certificate chain: %w", i, err)
			}
		}
		if c, key, err = k.verifyLink(t, key, i, nowUnix); err != nil {
			return Identity{}, fmt.Errorf("verify token %d of the certificate chain: %w", i, err)
		}
	}
	return xboxIdentity(c.extra.name, c.extra.xuid, c.extra.uuid, key)
}

// verifyLink verifies one token of a certificate chain. The parameter t is the token, i is its index in the chain, and key
// is the key with which it must be signed. verifyLink returns the token's claims, and the key that the token names for the
// next token.
func (k *XboxKeys) verifyLink(t token, key *ecdsa.PublicKey, i int, nowUnix int64) (claims, *ecdsa.PublicKey, error) {
	c, err := t.claims(key)
	if err != nil {
		return c, nil, err
	}
	next, err := ParsePublicKey(c.nextKey)
	switch {
	case err != nil:
		return c, nil, err
	case i == 0 && !next.Equal(k.Root):
		return c, nil, fmt.Errorf("certificate chain does not start at the root key: %w", ErrUnknownKey)
	case i > 0 && c.issuer != chainIssuer:
		return c, nil, fmt.Errorf("token has the issuer %.100q, must have %q: %w", c.issuer, chainIssuer, ErrIssuer)
	}
	return c, next, c.dates.check(nowUnix, i > 0) // the token at index 0 is signed by the client and may lack an expiry date
}

// xboxIdentity builds the verified identity of an Xbox account. If the token contains no UUID, the UUID is derived from the
// XUID.
func xboxIdentity(name, xuid, uuid string, key *ecdsa.PublicKey) (Identity, error) {
	if !isXUID(xuid) {
		return Identity{}, fmt.Errorf("XUID %.40q is not a decimal number of 1..20 digits: %w", xuid, ErrIdentity)
	}
	who := Identity{Name: name, UUID: xboxUUID(xuid), XUID: xuid, Key: key}
	if uuid == "" {
		return who, nil
	}
	id, ok := parseUUID(uuid)
	if !ok {
		return Identity{}, fmt.Errorf("UUID %.40q of the token is not 8-4-4-4-12 hexadecimal digits, or is all zeros: %w", uuid, ErrIdentity)
	}
	who.UUID = id
	return who, nil
}
