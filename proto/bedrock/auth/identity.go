package auth

import (
	"crypto/ecdsa"
	"fmt"

	"github.com/go-jose/go-jose/v4"
)

// LoginPolicy says which logins a server accepts.
type LoginPolicy struct {
	Online bool      // true: accept only Xbox identities; false: accept only self-signed ones
	Keys   *XboxKeys // keys that verify Xbox identities; nil in offline mode; the caller must not change them while they are in use
}

// Identity is the verified identity of a player.
type Identity struct {
	Name       string           // trimmed and valid name, 1..MaxPlayerName characters (rule VE-2 of docs/wire/bedrock.md)
	UUID       [16]byte         // UUID of the player; derived from the name if SelfSigned
	XUID       string           // decimal number of the Xbox account; "" if SelfSigned
	Key        *ecdsa.PublicKey // P-384 key whose private half the client holds
	SelfSigned bool             // the identity is signed only with the client's own key, not by Xbox
}

// The AuthenticationType values of an identity.
const (
	typeXbox       = 0  // login of an Xbox account
	typeGuest      = 1  // login of a guest of an Xbox account; not supported
	typeSelfSigned = 2  // login without an account, signed with the client's own key
	typeMissing    = -1 // the request has no AuthenticationType, as in older formats
)

// audience identifies the multiplayer service. The audience claim of a login token must be or contain this value. Self-signed
// tokens may lack the claim.
const audience = "api://auth-minecraft-services/multiplayer"

// VerifyLogin checks a connection request and returns the player's identity and client data. The parameter nowUnix is the
// time in seconds since 1970; dates are checked with a tolerance of ClockLeeway. The result shares no memory with req.
//
// The policy and the format of the login determine which signature algorithm is accepted and where the key comes from. A token
// cannot change this: a token whose header names another algorithm is refused. Errors wrap a Refusal.
func VerifyLogin(req ConnectionRequest, policy LoginPolicy, nowUnix int64) (Identity, ClientData, error) {
	if policy.Online && policy.Keys.isEmpty() {
		return Identity{}, ClientData{}, fmt.Errorf("login: %w", ErrNoKeys)
	}
	who, err := verifyIdentity(req.Identity, policy, nowUnix)
	if err != nil {
		return Identity{}, ClientData{}, fmt.Errorf("verify the identity of the login: %w", err)
	}
	client, err := verifyClientData(string(req.ClientData), who.Key)
	if err != nil {
		return Identity{}, ClientData{}, fmt.Errorf("verify the client data of the login: %w", err)
	}
	return who, client, nil
}

func verifyIdentity(b []byte, policy LoginPolicy, nowUnix int64) (Identity, error) {
	e, err := parseEnvelope(b)
	if err != nil {
		return Identity{}, err
	}
	who, err := e.verify(policy, nowUnix)
	if err != nil {
		return Identity{}, err
	}
	who.Name, err = cleanName(who.Name)
	if who.SelfSigned {
		who.UUID = OfflineUUID(who.Name)
	}
	return who, err
}

// envelope is the identity part of a connection request. It is parsed but not verified.
type envelope struct {
	kind  int      // AuthenticationType of the request: typeXbox, typeSelfSigned or another type constant
	token string   // login token; "" if the request has only a chain
	chain []string // tokens, each signed with the key that the previous token names
}

// parseEnvelope parses the identity part of a connection request. Errors wrap ErrSize, ErrDepth or ErrJSON.
func parseEnvelope(b []byte) (envelope, error) {
	e := envelope{kind: typeMissing}
	if len(b) > MaxIdentity {
		return e, ErrSize
	}
	if err := checkLimits(b); err != nil {
		return e, err
	}
	var certificate string
	err := eachMember(b, func(name string, value []byte) error {
		switch name {
		case "AuthenticationType":
			return readJSON(value, &e.kind)
		case "Token":
			return readJSON(value, &e.token)
		case "Certificate":
			return readJSON(value, &certificate)
		case "chain": // older format without an enclosing Certificate
			return readJSON(value, &e.chain)
		}
		return nil
	})
	if err != nil || certificate == "" {
		return e, err
	}
	err = e.readCertificate([]byte(certificate))
	return e, err
}

// readCertificate reads e.chain, the list of tokens, from b, the JSON text in the member Certificate of the request.
func (e *envelope) readCertificate(b []byte) error {
	if err := checkLimits(b); err != nil {
		return fmt.Errorf("parse the certificate of the login: %w", err)
	}
	return eachMember(b, func(name string, value []byte) error {
		if name == "chain" {
			e.chain = nil
			return readJSON(value, &e.chain)
		}
		return nil
	})
}

// verify verifies the login by the rules of its format. There are four formats: a token or a certificate chain, each signed
// by Xbox or by the client itself.
func (e envelope) verify(policy LoginPolicy, nowUnix int64) (Identity, error) {
	xbox := e.kind == typeXbox
	switch {
	case e.kind == typeGuest:
		return Identity{}, ErrGuest
	case e.kind == typeMissing && e.token == "":
		xbox = len(e.chain) == chainXbox
	case e.kind != typeXbox && e.kind != typeSelfSigned:
		return Identity{}, fmt.Errorf("login has the authentication type %d, must have 0 (Xbox) or 2 (self-signed): %w", e.kind, ErrType)
	}
	switch {
	case policy.Online && !xbox:
		return Identity{}, ErrSelfSigned
	case !policy.Online && xbox:
		return Identity{}, ErrNotSelfSigned
	case xbox && e.token != "" && len(policy.Keys.Service) > 0: // if a client sends both a token and a chain, the token is used
		return policy.Keys.verifyToken(e.token, nowUnix)
	case xbox:
		return policy.Keys.verifyChain(e.chain, nowUnix)
	case e.token != "":
		return verifySelfSigned(e.token, nowUnix)
	}
	return verifySelfSignedChain(e.chain, nowUnix)
}

// How many tokens a certificate chain has, depending on whether the login is self-signed or uses an Xbox account.
const (
	chainSelfSigned = 1
	chainXbox       = 3
)

// verifySelfSigned verifies a self-signed login in the format of protocols from 944 on: one token, signed with the
// key that it contains.
func verifySelfSigned(text string, nowUnix int64) (Identity, error) {
	t, key, err := parseX5uToken(text)
	if err != nil {
		return Identity{}, err
	}
	c, err := t.claims(key)
	if err != nil {
		return Identity{}, err
	}
	if c.key != t.x5u {
		return Identity{}, ErrKeyMismatch
	}
	if c.audience != nil && !c.hasAudience(audience) {
		return Identity{}, ErrAudience
	}
	return Identity{Name: c.name, Key: key, SelfSigned: true}, c.dates.check(nowUnix, true)
}

// verifySelfSignedChain verifies a self-signed login in the older format: a chain of one token, signed with the key
// in its claim identityPublicKey.
func verifySelfSignedChain(chain []string, nowUnix int64) (Identity, error) {
	if len(chain) != chainSelfSigned {
		return Identity{}, fmt.Errorf("certificate chain of a self-signed login has %d tokens, must have %d: %w", len(chain), chainSelfSigned, ErrChain)
	}
	t, key, err := parseX5uToken(chain[0])
	if err != nil {
		return Identity{}, err
	}
	c, err := t.claims(key)
	if err != nil {
		return Identity{}, err
	}
	if c.nextKey != t.x5u {
		return Identity{}, ErrKeyMismatch
	}
	return Identity{Name: c.extra.name, Key: key, SelfSigned: true}, c.dates.check(nowUnix, true)
}

// parseX5uToken parses a token and the public key in its header field x5u. It does not verify the signature.
func parseX5uToken(text string) (token, *ecdsa.PublicKey, error) {
	t, err := parseToken(text, jose.ES384)
	if err != nil {
		return token{}, nil, err
	}
	key, err := ParsePublicKey(t.x5u)
	return t, key, err
}
