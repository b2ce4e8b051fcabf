package admission

import (
	"net/netip"

	"github.com/truestep-io/truestep/proto/wire"
)

// Prefix lengths of a network in bits, for IPv4 and IPv6. Providers assign networks of these sizes to a small site or to a
// part of a data centre.
const (
	networkBits4 = 24
	networkBits6 = 48
)

// AddrOf returns the part of a client's address that identifies the client for limits per address: a whole IPv4 address, or the /64
// prefix of an IPv6 address, because a provider assigns a /64 to one customer. See wire.NetworkOf.
func AddrOf(a netip.Addr) netip.Addr { return wire.NetworkOf(a) }

// NetworkOf returns the network of an address, for limits per network: the IPv4 /24 or the IPv6 /48 that contains the address.
// It returns the zero prefix if the address is not valid.
func NetworkOf(a netip.Addr) netip.Prefix {
	a = AddrOf(a)
	bits := networkBits6
	if a.Is4() {
		bits = networkBits4
	}
	p, _ := a.Prefix(bits) // Prefix fails only for an invalid address
	return p
}
