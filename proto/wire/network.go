package wire

import "net/netip"

// Network returns the unit of limits per address: an IPv4 address or an IPv6 /64, which is what one customer of a provider
// has. a must not be an IPv4-mapped IPv6 address.
func Network(a netip.Addr) netip.Addr {
	if a.Is4() {
		return a
	}
	b := a.As16()
	clear(b[8:])
	return netip.AddrFrom16(b)
}
