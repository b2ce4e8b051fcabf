package store

import (
	"cmp"
	"net/netip"
	"strings"
	"time"
)

// AccessKind is the kind of an AccessRule: a ban, a mute or a place on the whitelist. Backends store this text.
type AccessKind string

// Values of AccessRule.Kind.
const (
	AccessBan         AccessKind = "ban"         // logins of the account or network are refused
	AccessMute        AccessKind = "mute"        // chat of the account is refused
	AccessWhitelisted AccessKind = "whitelisted" // the account may log in while the whitelist is on
	AccessWhitelist   AccessKind = "whitelist"   // the whitelist is on; the rule has neither account nor network
)

// MaxAccessRules is the maximum number of stored rules. Guess: ten times the bans of a large community; all are kept in memory.
const MaxAccessRules = 100_000

// AccessRule is a decision of an operator about an account or a network. There is one rule per kind, account and network.
type AccessRule struct {
	Kind    AccessKind
	Account string       // name of the account, which need not exist; "" for a rule about a network
	Network netip.Prefix // network of a ban, masked; the zero value for a rule about an account
	Reason  string
	By      string    // operator that made the rule, "" if not known
	Since   time.Time // time at which the rule was made, UTC, whole milliseconds; zero if not known
	Until   time.Time // time from which the rule does not hold any more, UTC, whole milliseconds; zero: until it is lifted
}

// Holds reports whether the rule has not expired.
func (r *AccessRule) Holds(now time.Time) bool { return r.Until.IsZero() || now.Before(r.Until) }

// NetworkText returns the network as text, "" if the rule has none.
func (r *AccessRule) NetworkText() string {
	if !r.Network.IsValid() {
		return ""
	}
	return r.Network.String()
}

// CompareAccessRules orders rules by kind, account without case, and network.
func CompareAccessRules(a, b AccessRule) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(strings.ToLower(a.Account), strings.ToLower(b.Account)), a.Network.Compare(b.Network))
}
