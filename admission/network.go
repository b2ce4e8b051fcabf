package admission

import (
	"net/netip"

	"github.com/truestep-io/truestep/proto/wire"
)

// Prefix lengths of a network: the addresses that a provider assigns to a small site or to a part of a data centre.
const (
	networkBits4 = 24
	networkBits6 = 48
)

// AddrOf returns the key under which limits per address count a: an IPv4 address or an IPv6 /64. See wire.NetworkOf.
func AddrOf(a netip.Addr) netip.Addr { return wire.NetworkOf(a) }

// NetworkOf returns the key under which limits per network count an address: its IPv4 /24 or IPv6 /48, the zero prefix for an invalid address.
func NetworkOf(a netip.Addr) netip.Prefix {
	a = AddrOf(a)
	bits := networkBits6
	if a.Is4() {
		bits = networkBits4
	}
	p, _ := a.Prefix(bits) // Prefix fails only for an invalid address
	return p
}
