package store

import (
	"net/netip"
	"time"
)

// MaxKnownAddresses is the maximum number of addresses that a store keeps for all accounts. Guess: 64 Ki players a week; a row has
// about 50 bytes.
const MaxKnownAddresses = 1 << 16

// KnownAddress is an address from which an account has logged in.
type KnownAddress struct {
	Account string     // name of the account in the form under which the caller compares names
	Addr    netip.Addr // IPv4 address or IPv6 /64 of the client, see admission.AddrOf
	At      time.Time  // time of the newest login; UTC, whole milliseconds
}
