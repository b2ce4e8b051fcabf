package wire

import "net/netip"

// NetworkOf returns the network to which a limit per client applies. For an IPv4 address it is the address itself,
// for an IPv6 address its /64 network, which is what a provider assigns to one customer. An IPv4-mapped address
// counts as IPv4, and a zone is dropped. A loopback address is returned unchanged, so that callers can exempt it; an
// invalid address stays invalid.
func NetworkOf(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if !a.Is6() || a.IsLoopback() {
		return a
	}
	b := a.As16()
	clear(b[8:])
	return netip.AddrFrom16(b)
}
