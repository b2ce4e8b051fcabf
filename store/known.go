package store

import (
	"net/netip"
	"time"
)

// MaxKnownAddresses is the maximum number of addresses in a store, over all accounts. A row takes about 50 bytes. The value is
// not measured. It suffices if at most 65,536 players, each from one address, log in within the week for which addresses are
// stored by default.
const MaxKnownAddresses = 1 << 16

// KnownAddress is an address from which an account has logged in.
type KnownAddress struct {
	Account string     // name of the account, folded by the caller so that names that count as equal are equal
	Addr    netip.Addr // IPv4 address or IPv6 /64 of the client, see admission.AddrOf
	At      time.Time  // time of the newest login; UTC, whole milliseconds
}
