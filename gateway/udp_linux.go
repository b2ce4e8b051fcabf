package gateway

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Layout of struct in_pktinfo (ip(7)) and struct in6_pktinfo (ipv6(7)): the size in bytes, and the offset of the local
// address.
const (
	info4Size, info4Addr = 12, 4 // the address is ipi_spec_dst, a unicast address of this host even for broadcasts
	info6Size, info6Addr = 20, 0 // the address is ipi6_addr
)

// Buffer sizes in bytes that suffice for the control messages (cmsg(3)) of a datagram.
const (
	infoSpace    = 48 // bytes for one control message with packet information
	segmentSpace = 32 // bytes for one control message with the segment size
)

// enablePacketInfo makes the kernel report the local address of each datagram. Only a socket that is bound to all interfaces
// needs this: the kernel would otherwise choose the source address of its answers.
func enablePacketInfo(conn *net.UDPConn) {
	at, ok := conn.LocalAddr().(*net.UDPAddr)
	raw, err := conn.SyscallConn()
	if !ok || err != nil || !at.IP.IsUnspecified() {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, unix.IP_PKTINFO, 1)
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_IPV6, unix.IPV6_RECVPKTINFO, 1) // fails on an IPv4-only socket
	})
}

// ReadDatagram reads one datagram and the local address to which it was sent. It implements PacketInfoConn.
func (u *udpConn) ReadDatagram(b []byte) (n int, from netip.AddrPort, local netip.Addr, err error) {
	var control [2 * infoSpace]byte
	n, m, _, from, err := u.ReadMsgUDPAddrPort(b, control[:])
	if err != nil {
		return 0, from, local, err
	}
	return n, from, parsePacketInfo(control[:m]), nil
}

// WriteDatagram sends b from the address local, or from the system's default address if that fails. It implements PacketInfoConn.
func (u *udpConn) WriteDatagram(b []byte, to netip.AddrPort, local netip.Addr) error {
	var space [infoSpace]byte
	if control := appendPacketInfo(space[:0], local); len(control) > 0 {
		if _, _, err := u.WriteMsgUDPAddrPort(b, control, to); err == nil {
			return nil
		}
	}
	_, err := u.WriteToUDPAddrPort(b, to)
	return err
}

// WriteSegments sends b as several datagrams in one system call, by UDP generic segmentation offload. It implements SegmentConn.
func (u *udpConn) WriteSegments(b []byte, size int, to netip.AddrPort, local netip.Addr) (sent bool, err error) {
	if u.unsupported.Load() {
		return false, nil
	}
	var space [segmentSpace + infoSpace]byte
	control, segment := appendControl(space[:0], unix.IPPROTO_UDP, unix.UDP_SEGMENT, 2) // the value is the size of each datagram in bytes, see udp(7)
	binary.NativeEndian.PutUint16(segment, uint16(size))
	control = appendPacketInfo(control, local)
	_, _, err = u.WriteMsgUDPAddrPort(b, control, to)
	switch {
	case err == nil:
		if !u.segmented.Load() {
			u.segmented.Store(true)
		}
		return true, nil
	case errors.Is(err, unix.EMSGSIZE): // the path to this client has a smaller MTU, so segments cannot be used; the kernel fragments single datagrams
		return false, nil
	case local.IsValid() && errors.Is(err, unix.ENETUNREACH): // this host has lost the IPv4 address local; for IPv6 the error is EINVAL
		return false, nil
	case errors.Is(err, unix.EIO), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOPROTOOPT):
		// The kernel is too old, or the network device has no checksum offload: do not try segmentation again. There are two
		// exceptions. If an earlier call has succeeded, this host supports segmentation. If local is set, the error may mean that
		// this host has lost that address.
		if !local.IsValid() && !u.segmented.Load() {
			u.unsupported.Store(true)
		}
		return false, nil
	}
	return true, err
}

// parsePacketInfo returns the local address in the control messages of a datagram, or an invalid address if they contain none. A
// dual-stack socket reports an IPv4 datagram in two messages. The IPv4 message has precedence, because for broadcasts only this
// one has an address of this host.
func parsePacketInfo(control []byte) (local netip.Addr) {
	for len(control) > 0 {
		h, data, rest, err := unix.ParseOneSocketControlMessage(control)
		switch {
		case err != nil:
			return local
		case h.Level == unix.IPPROTO_IP && h.Type == unix.IP_PKTINFO && len(data) >= info4Size:
			return netip.AddrFrom4([4]byte(data[info4Addr:]))
		case h.Level == unix.IPPROTO_IPV6 && h.Type == unix.IPV6_PKTINFO && len(data) >= info6Size:
			if a := netip.AddrFrom16([16]byte(data[info6Addr:])); !a.Is4In6() {
				local = a
			}
		}
		control = rest
	}
	return local
}

// appendPacketInfo appends the control message that sets the source address of a datagram, or nothing if local is not valid.
func appendPacketInfo(b []byte, local netip.Addr) []byte {
	switch {
	case !local.IsValid():
		return b
	case local.Is4():
		b, data := appendControl(b, unix.IPPROTO_IP, unix.IP_PKTINFO, info4Size)
		a := local.As4()
		copy(data[info4Addr:], a[:])
		return b
	}
	b, data := appendControl(b, unix.IPPROTO_IPV6, unix.IPV6_PKTINFO, info6Size)
	a := local.As16()
	copy(data[info6Addr:], a[:])
	return b
}

// appendControl appends to b a control message (cmsg(3)) with size bytes of data. The result all is the extended slice. The
// result data is its part for the data, which is zero and which the caller must fill in.
func appendControl(b []byte, level, kind int32, size int) (all, data []byte) {
	from := len(b)
	for range unix.CmsgSpace(size) {
		b = append(b, 0)
	}
	var h unix.Cmsghdr // the header is copied to b, which may not be aligned for a Cmsghdr
	h.Level, h.Type = level, kind
	h.SetLen(unix.CmsgLen(size))
	copy(b[from:], unsafe.Slice((*byte)(unsafe.Pointer(&h)), unix.SizeofCmsghdr))
	return b, b[from+unix.CmsgLen(0):]
}
