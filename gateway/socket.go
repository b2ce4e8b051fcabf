package gateway

import (
	"fmt"
	"net"
	"net/netip"
)

// Conn is the datagram socket that a gateway serves. *net.UDPConn implements it, and so does the in-memory socket of
// internal/netsim. A Conn may also implement PacketInfoConn and SegmentConn. One goroutine reads from it; all workers of the
// gateway write to it at the same time.
type Conn interface {
	// ReadFromUDPAddrPort reads one datagram into b. After Close, which any goroutine may call, the error wraps net.ErrClosed.
	ReadFromUDPAddrPort(b []byte) (n int, from netip.AddrPort, err error)
	// WriteToUDPAddrPort sends b as one datagram.
	WriteToUDPAddrPort(b []byte, to netip.AddrPort) (n int, err error)
	LocalAddr() net.Addr // the result is a *net.UDPAddr
	Close() error        // closes the socket and unblocks a waiting read
}

// PacketInfoConn is a Conn that reports the local address to which a datagram was sent, and that can send from a chosen
// local address. A host with several addresses needs this, because a client discards answers that come from another address
// than the one to which it sent.
type PacketInfoConn interface {
	Conn

	// ReadDatagram reads one datagram into b. local is the address to which the datagram was sent, or an invalid address if the
	// system does not report it.
	ReadDatagram(b []byte) (n int, from netip.AddrPort, local netip.Addr, err error)

	// WriteDatagram sends b from the address local. If local is not valid or no longer an address of this host, the system
	// chooses the source address.
	WriteDatagram(b []byte, to netip.AddrPort, local netip.Addr) error
}

// SegmentConn is a Conn that sends several datagrams to one address in one call (UDP generic segmentation offload).
type SegmentConn interface {
	Conn

	// WriteSegments sends b as datagrams of size bytes each; the last one may be shorter. b contains at most MaxSegments
	// datagrams and MaxSegmentBytes bytes. The parameter local is the source address, as in PacketInfoConn.WriteDatagram. If
	// the result sent is false, nothing was sent, and the caller must send the datagrams one by one.
	WriteSegments(b []byte, size int, to netip.AddrPort, local netip.Addr) (sent bool, err error)
}

// Limits of SegmentConn.WriteSegments.
const (
	MaxSegments     = 64    // maximum number of datagrams per call, UDP_MAX_SEGMENTS of Linux
	MaxSegmentBytes = 65000 // maximum number of bytes per call; the kernel's limit is 65507, the maximum UDP payload
)

// Socket is a Conn for several goroutines, with the optional features of PacketInfoConn and SegmentConn if the Conn has them. Its
// methods are safe for concurrent use, but only one goroutine may read.
type Socket struct {
	conn     Conn
	info     PacketInfoConn // nil if conn does not implement PacketInfoConn
	segments SegmentConn    // nil if conn does not implement SegmentConn
}

// NewSocket returns the Socket of an open Conn. A *net.UDPConn gets larger kernel buffers and, on Linux, supports
// PacketInfoConn and SegmentConn.
func NewSocket(conn Conn) *Socket {
	if u, ok := conn.(*net.UDPConn); ok {
		conn = prepareUDP(u)
	}
	s := &Socket{conn: conn}
	s.info, _ = conn.(PacketInfoConn)
	s.segments, _ = conn.(SegmentConn)
	return s
}

// AddrPort returns the local address of the socket.
func (s *Socket) AddrPort() netip.AddrPort { return s.conn.LocalAddr().(*net.UDPAddr).AddrPort() }

// Close closes the socket and unblocks a waiting read.
func (s *Socket) Close() error { return s.conn.Close() }

// read reads one datagram into d.
func (s *Socket) read(d *Datagram) (err error) {
	if s.info != nil {
		d.N, d.From, d.Local, err = s.info.ReadDatagram(d.Buf[:])
	} else {
		d.N, d.From, err = s.conn.ReadFromUDPAddrPort(d.Buf[:])
		d.Local = netip.Addr{}
	}
	d.From = netip.AddrPortFrom(d.From.Addr().Unmap(), d.From.Port())
	return err
}

// Write sends b from the address local, or from an address that the system chooses if local is not valid.
func (s *Socket) Write(b []byte, to netip.AddrPort, local netip.Addr) error {
	if s.info != nil && local.IsValid() {
		return s.info.WriteDatagram(b, to, local)
	}
	_, err := s.conn.WriteToUDPAddrPort(b, to)
	return err
}

// WriteSegments sends b as consecutive datagrams of size bytes each, of which the last may be shorter, in one system call. The
// parameters to and local are their destination and source addresses. It sends nothing and returns false if the Conn does not
// implement SegmentConn.
func (s *Socket) WriteSegments(b []byte, size int, to netip.AddrPort, local netip.Addr) (sent bool, err error) {
	if s.segments == nil {
		return false, nil
	}
	return s.segments.WriteSegments(b, size, to, local)
}

// SocketOpener opens the sockets of a server. A nil field selects the sockets of the operating system. Tests set both fields to
// functions of an in-memory network.
type SocketOpener struct {
	UDP func(addr string) (Conn, error)         // opens a UDP socket at addr, HOST:PORT; an empty host means all interfaces
	TCP func(addr string) (net.Listener, error) // opens a TCP listener at addr, HOST:PORT; an empty host means all interfaces
}

// BindUDP opens the UDP socket of a door. Parameters and errors are those of the package function BindUDP.
func (s SocketOpener) BindUDP(door, addr string, port int) (Conn, error) {
	if s.UDP != nil {
		if addr == "" {
			addr = fmt.Sprintf(":%d", port)
		}
		return s.UDP(addr)
	}
	conn, err := BindUDP(door, addr, port)
	if err != nil {
		return nil, err // returning conn would give an interface with a nil pointer, which is not nil
	}
	return conn, nil
}

// Listen opens a TCP listener, like net.Listen.
func (s SocketOpener) Listen(addr string) (net.Listener, error) {
	if s.TCP != nil {
		return s.TCP(addr)
	}
	return net.Listen("tcp", addr)
}
