package auth

import "errors"

// Refusal is why a login or a handshake was turned down. The Refusals are the variables of this package; errors wrap
// one of them with what was found.
type Refusal struct{ name, text string }

// Error is a phrase for a log.
func (r *Refusal) Error() string { return r.text }

// Name is one word, or words with underscores, that never changes: for counters.
func (r *Refusal) Name() string { return r.name }

// What is refused, in the order in which it is looked at.
var (
	ErrNoKeys        = &Refusal{"no_keys", "online mode without keys to verify logins with"}
	ErrRequest       = &Refusal{"request", "connection request is malformed"}
	ErrSize          = &Refusal{"size", "token too large"}
	ErrJSON          = &Refusal{"json", "not the JSON that is expected"}
	ErrDepth         = &Refusal{"depth", "JSON too deep or with too many values"}
	ErrGuest         = &Refusal{"guest", "guest logins are not accepted"}
	ErrType          = &Refusal{"type", "unknown type of authentication"}
	ErrSelfSigned    = &Refusal{"self_signed", "self-signed login in online mode"}
	ErrNotSelfSigned = &Refusal{"not_self_signed", "Xbox login, which only online mode can verify"}
	ErrChain         = &Refusal{"chain", "not a chain of tokens of this form"}
	ErrToken         = &Refusal{"token", "not a token of three base64url parts"}
	ErrAlgorithm     = &Refusal{"algorithm", "signature algorithm is not the one of this form"}
	ErrKey           = &Refusal{"key", "not a P-384 public key"}
	ErrUnknownKey    = &Refusal{"unknown_key", "signed with a key that is not trusted"}
	ErrSignature     = &Refusal{"signature", "signature does not fit"}
	ErrKeyMismatch   = &Refusal{"key_mismatch", "signed with another key than it names"}
	ErrNotYet        = &Refusal{"not_yet", "token is not valid yet"}
	ErrExpired       = &Refusal{"expired", "token has expired or never does"}
	ErrAudience      = &Refusal{"audience", "token is for somebody else"}
	ErrIssuer        = &Refusal{"issuer", "token is from somebody else"}
	ErrIdentity      = &Refusal{"identity", "no XUID or UUID where one must be"}
	ErrName          = &Refusal{"name", "not a player name"}
	ErrSkin          = &Refusal{"skin", "skin that does not fit its size"}
	ErrSalt          = &Refusal{"salt", "salt of a handshake is missing or too long"}
)

// Refusals lists all of them, for whoever wants a counter for each. The slice is the caller's.
func Refusals() []*Refusal {
	return []*Refusal{
		ErrNoKeys, ErrRequest, ErrSize, ErrJSON, ErrDepth, ErrGuest, ErrType, ErrSelfSigned, ErrNotSelfSigned, ErrChain,
		ErrToken, ErrAlgorithm, ErrKey, ErrUnknownKey, ErrSignature, ErrKeyMismatch, ErrNotYet, ErrExpired, ErrAudience,
		ErrIssuer, ErrIdentity, ErrName, ErrSkin, ErrSalt,
	}
}

// NameOf is the Name of the Refusal that err wraps, or "other".
func RefusalName(err error) string {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.name
	}
	return "other"
}
