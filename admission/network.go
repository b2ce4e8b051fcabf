package admission

import (
	"net/netip"

	"github.com/truestep-io/truestep/proto/wire"
)

// Prefix lengths of a network in bits, for IPv4 and IPv6. A provider assigns that many addresses to a small site or to a
// part of a data centre.
const (
	networkBits4 = 24
	networkBits6 = 48
)

// AddrOf returns the key of an address for limits per address: the address itself if it is IPv4, its /64 prefix if it is
// IPv6. See wire.NetworkOf.
func AddrOf(a netip.Addr) netip.Addr { return wire.NetworkOf(a) }

// NetworkOf returns the key of an address for limits per network: its IPv4 /24 or IPv6 /48, or the zero prefix if the
// address is not valid.
func NetworkOf(a netip.Addr) netip.Prefix {
	a = AddrOf(a)
	bits := networkBits6
	if a.Is4() {
		bits = networkBits4
	}
	p, _ := a.Prefix(bits) // Prefix fails only for an invalid address
	return p
}
