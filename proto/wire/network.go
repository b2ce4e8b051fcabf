package wire

import "net/netip"

// Network returns the unit of limits per address: an IPv4 address or an IPv6 /64, which is what a provider assigns to one
// customer. IPv4-mapped addresses count as IPv4 and zones are dropped. Loopback stays loopback, so that callers can exempt
// it; an invalid address stays invalid.
func Network(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if !a.Is6() || a.IsLoopback() {
		return a
	}
	b := a.As16()
	clear(b[8:])
	return netip.AddrFrom16(b)
}
