package store

import (
	"cmp"
	"net/netip"
	"strings"
	"time"
)

// AccessKind is the kind of an AccessRule: a ban, a mute, an entry of the whitelist, or the rule that turns the whitelist
// on. Stores save the kind as this text.
type AccessKind string

// Values of AccessRule.Kind.
const (
	AccessBan         AccessKind = "ban"         // logins of the account or network are refused
	AccessMute        AccessKind = "mute"        // chat of the account is refused
	AccessWhitelisted AccessKind = "whitelisted" // the account may log in while the whitelist is on
	AccessWhitelist   AccessKind = "whitelist"   // the whitelist is on; the rule has neither account nor network
)

// MaxAccessRules is the maximum number of stored rules. The server keeps all of them in memory. The value is not measured.
// It is chosen as ten times the number of bans that a large community may have.
const MaxAccessRules = 100_000

// AccessRule is an operator's decision about an account or a network. A store has at most one rule per kind, account
// and network.
type AccessRule struct {
	Kind    AccessKind   // what the rule does
	Account string       // name of the account, which need not exist; "" for a rule about a network or the whole whitelist
	Network netip.Prefix // banned network, with zero host bits; the zero value for a rule about an account
	Reason  string       // reason that the operator gave, "" for none
	By      string       // operator who made the rule, "" if unknown
	Since   time.Time    // time at which the rule was made, UTC, whole milliseconds; zero if unknown
	Until   time.Time    // time at which the rule expires, UTC, whole milliseconds; zero if it never expires
}

// Holds reports whether the rule has not expired at the time now.
func (r *AccessRule) Holds(now time.Time) bool { return r.Until.IsZero() || now.Before(r.Until) }

// NetworkText returns the network as text, such as "192.0.2.0/24", or "" if the rule has none.
func (r *AccessRule) NetworkText() string {
	if !r.Network.IsValid() {
		return ""
	}
	return r.Network.String()
}

// CompareAccessRules orders rules by kind, then by account regardless of case, then by network.
func CompareAccessRules(a, b AccessRule) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(strings.ToLower(a.Account), strings.ToLower(b.Account)), a.Network.Compare(b.Network))
}
