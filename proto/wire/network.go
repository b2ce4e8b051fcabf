package wire

import "net/netip"

// NetworkOf returns the network that counts as one client in limits per client. For an IPv4 address, this is the address
// itself. For an IPv6 address, it is the /64 network, because providers assign a whole /64 to one customer. An IPv4-mapped
// address counts as IPv4, and a zone is removed. A loopback address is returned as it is, so that callers can exempt it. For an
// invalid address, the result is invalid.
func NetworkOf(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if !a.Is6() || a.IsLoopback() {
		return a
	}
	b := a.As16()
	clear(b[8:])
	return netip.AddrFrom16(b)
}
