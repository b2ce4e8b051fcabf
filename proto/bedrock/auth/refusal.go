package auth

import "errors"

// Refusal is the reason why a login or a handshake was refused. Every Refusal is one of the variables below. Returned
// errors wrap one of them and add details.
type Refusal struct{ name, text string }

// Error returns a description for log lines.
func (r *Refusal) Error() string { return r.text }

// Name returns a stable identifier in lower case with underscores, for counters.
func (r *Refusal) Name() string { return r.name }

// Reasons for refusing a login or a handshake. If several apply, the first that VerifyLogin finds is returned.
var (
	ErrNoKeys        = &Refusal{"no_keys", "no keys are configured to verify logins in online mode"}
	ErrRequest       = &Refusal{"request", "connection request is malformed"}
	ErrSize          = &Refusal{"size", "login data or keys are too large"}
	ErrJSON          = &Refusal{"json", "malformed or unexpected JSON"}
	ErrDepth         = &Refusal{"depth", "JSON nested too deep or with too many values"}
	ErrGuest         = &Refusal{"guest", "guest logins are not accepted"}
	ErrType          = &Refusal{"type", "unsupported type of authentication"}
	ErrSelfSigned    = &Refusal{"self_signed", "self-signed login, which online mode does not accept"}
	ErrNotSelfSigned = &Refusal{"not_self_signed", "Xbox login, which only online mode can verify"}
	ErrChain         = &Refusal{"chain", "certificate chain has the wrong number of tokens"}
	ErrToken         = &Refusal{"token", "malformed token"}
	ErrAlgorithm     = &Refusal{"algorithm", "signature algorithm not allowed for this login format"}
	ErrKey           = &Refusal{"key", "not a P-384 public key"}
	ErrUnknownKey    = &Refusal{"unknown_key", "token is signed with a key that is not trusted"}
	ErrSignature     = &Refusal{"signature", "invalid token signature"}
	ErrKeyMismatch   = &Refusal{"key_mismatch", "token is signed with another key than the one that it names"}
	ErrNotYet        = &Refusal{"not_yet", "token is not valid yet"}
	ErrExpired       = &Refusal{"expired", "token has expired or has no expiry date"}
	ErrAudience      = &Refusal{"audience", "token is for another audience"}
	ErrIssuer        = &Refusal{"issuer", "token is from another issuer"}
	ErrIdentity      = &Refusal{"identity", "missing or malformed XUID or UUID"}
	ErrName          = &Refusal{"name", "invalid player name"}
	ErrSkin          = &Refusal{"skin", "skin image does not match its stated size or limits"}
	ErrSalt          = &Refusal{"salt", "salt of the handshake is missing or too long"}
)

// Refusals lists all reasons, for example to register a counter for each. The caller owns the slice.
func Refusals() []*Refusal {
	return []*Refusal{
		ErrNoKeys, ErrRequest, ErrSize, ErrJSON, ErrDepth, ErrGuest, ErrType, ErrSelfSigned, ErrNotSelfSigned, ErrChain,
		ErrToken, ErrAlgorithm, ErrKey, ErrUnknownKey, ErrSignature, ErrKeyMismatch, ErrNotYet, ErrExpired, ErrAudience,
		ErrIssuer, ErrIdentity, ErrName, ErrSkin, ErrSalt,
	}
}

// RefusalName returns the Name of the Refusal that err wraps, or "other".
func RefusalName(err error) string {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.name
	}
	return "other"
}
