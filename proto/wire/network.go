package wire

import "net/netip"

// NetworkOf returns the network that limits per address count as one: an IPv4 address itself, or the /64 network of an IPv6
// address, which is what a provider assigns to one customer. IPv4-mapped addresses count as IPv4, and zones are dropped. A
// loopback address is returned unchanged, so that callers can exempt it, and an invalid address stays invalid.
func NetworkOf(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if !a.Is6() || a.IsLoopback() {
		return a
	}
	b := a.As16()
	clear(b[8:])
	return netip.AddrFrom16(b)
}
