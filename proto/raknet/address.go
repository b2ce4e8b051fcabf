package raknet

import (
	"encoding/binary"
	"net/netip"
)

const (
	addrSize4 = 7  // encoded size of an IPv4 address: kind 1, octets 4, port 2
	addrSize6 = 29 // encoded size of an IPv6 address: kind 1, family 2, port 2, flow 4, octets 16, scope 4

	familyInet6 = 23 // number of the address family IPv6, little-endian: that of Windows, which clients on all systems write
)

// appendAddr appends an address to b. As RakNet requires, the octets of an IPv4 address are bitwise inverted, so that
// routers that replace addresses in payloads do not recognize them.
func appendAddr(b []byte, a netip.AddrPort) []byte {
	if ip := a.Addr().Unmap(); ip.Is4() {
		o := ip.As4()
		b = append(b, 4, ^o[0], ^o[1], ^o[2], ^o[3])
		return binary.BigEndian.AppendUint16(b, a.Port())
	}
	b = append(b, 6)
	b = binary.LittleEndian.AppendUint16(b, familyInet6)
	b = binary.BigEndian.AppendUint16(b, a.Port())
	b = append(b, 0, 0, 0, 0)
	o := a.Addr().As16()
	b = append(b, o[:]...)
	return append(b, 0, 0, 0, 0)
}

// parseAddr reads an address from the start of b. It ignores the fields for family, flow and scope of an IPv6 address. rest is b
// without the address. ok is false if b is malformed.
func parseAddr(b []byte) (a netip.AddrPort, rest []byte, ok bool) {
	switch {
	case len(b) >= addrSize4 && b[0] == 4:
		ip := netip.AddrFrom4([4]byte{^b[1], ^b[2], ^b[3], ^b[4]})
		return netip.AddrPortFrom(ip, binary.BigEndian.Uint16(b[5:])), b[addrSize4:], true
	case len(b) >= addrSize6 && b[0] == 6:
		ip := netip.AddrFrom16([16]byte(b[9:25]))
		return netip.AddrPortFrom(ip, binary.BigEndian.Uint16(b[3:])), b[addrSize6:], true
	}
	return netip.AddrPort{}, nil, false
}
