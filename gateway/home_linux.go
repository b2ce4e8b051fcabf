package gateway

import (
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Sizes of struct in_pktinfo and in6_pktinfo (ip(7), ipv6(7)), and where the address is in them.
const (
	info4, at4 = 12, 4 // the second field: the address of ours, also of a datagram to everybody
	info6, at6 = 20, 0
)

// ControlRoom is enough for a control message of Homes, in bytes.
const ControlRoom = 48

// tellHomes asks the system to say with each datagram at which address it came in. Only a socket of all interfaces has to
// be told. Where that fails, answers leave as they always did.
func tellHomes(conn *net.UDPConn) {
	at, ok := conn.LocalAddr().(*net.UDPAddr)
	raw, err := conn.SyscallConn()
	if !ok || err != nil || !at.IP.IsUnspecified() {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_PKTINFO, 1)
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO, 1) // fails on a socket of IPv4 alone
	})
}

// readDatagram reads one datagram and where it came in.
func readDatagram(conn *net.UDPConn, d *Datagram) error {
	var control [2 * ControlRoom]byte
	n, m, _, from, err := conn.ReadMsgUDPAddrPort(d.Buf[:], control[:])
	if err != nil {
		return err
	}
	d.N, d.From, d.To = n, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), homeIn(control[:m])
	return nil
}

// homeIn is the address in the control messages of a datagram; not valid if none is in them. To a socket of both kinds the
// system tells of IPv4 twice, and only the first way is right for datagrams to everybody.
func homeIn(control []byte) (home netip.Addr) {
	for len(control) > 0 {
		h, data, rest, err := unix.ParseOneSocketControlMessage(control)
		switch {
		case err != nil:
			return home
		case h.Level == unix.IPPROTO_IP && h.Type == unix.IP_PKTINFO && len(data) >= info4:
			return netip.AddrFrom4([4]byte(data[at4:]))
		case h.Level == unix.IPPROTO_IPV6 && h.Type == unix.IPV6_PKTINFO && len(data) >= info6:
			if a := netip.AddrFrom16([16]byte(data[at6:])); !a.Is4In6() {
				home = a
			}
		}
		control = rest
	}
	return home
}

// appendSource appends the control message for a datagram that leaves from an address, nothing if it is not valid.
func appendSource(b []byte, home netip.Addr) []byte {
	switch {
	case !home.IsValid():
		return b
	case home.Is4():
		b, data := AppendControl(b, unix.IPPROTO_IP, unix.IP_PKTINFO, info4)
		a := home.As4()
		copy(data[at4:], a[:])
		return b
	}
	b, data := AppendControl(b, unix.IPPROTO_IPV6, unix.IPV6_PKTINFO, info6)
	a := home.As16()
	copy(data[at6:], a[:])
	return b
}

// AppendControl appends a control message with room for size bytes of data, and returns that room, too (cmsg(3)).
func AppendControl(b []byte, level, kind int32, size int) (all, data []byte) {
	from := len(b)
	for range unix.CmsgSpace(size) {
		b = append(b, 0)
	}
	var h unix.Cmsghdr // copied in: b may not be aligned for it
	h.Level, h.Type = level, kind
	h.SetLen(unix.CmsgLen(size))
	copy(b[from:], unsafe.Slice((*byte)(unsafe.Pointer(&h)), unix.SizeofCmsghdr))
	return b, b[from+unix.CmsgLen(0):]
}
