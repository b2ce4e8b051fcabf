package netsim

import (
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"
)

// receiveBuffer is the maximum number of bytes in the unread datagrams of a socket. Further datagrams are dropped, as by a
// kernel.
const receiveBuffer = 4 << 20

// route is the path of datagrams from one UDP socket to another.
type route struct {
	id    addrPair
	path  *Path
	timer *time.Timer // fires at the next arrival; nil until a datagram is delayed
}

// PacketConn is a UDP socket. Host.ListenPacket returns a PacketConn that receives from all senders. Host.Dial returns a
// connected one, which exchanges datagrams only with its peer. PacketConn implements net.PacketConn, net.Conn, gateway.Conn and
// gateway.PacketInfoConn.
type PacketConn struct {
	host   *Host
	local  netip.AddrPort // bound address; a zero Addr stands for all addresses of the host
	remote netip.AddrPort // address of the peer; zero if the socket is not connected

	readable sync.Cond
	queue    []datagram
	queued   int // size of the unread datagrams in bytes
	deadline deadline
	refused  bool // a datagram to the peer reached a port without a socket
	closed   bool
}

// datagram is a datagram that has arrived at a socket and is not read yet.
type datagram struct {
	from  netip.AddrPort
	local netip.Addr // address to which the datagram was sent
	data  []byte
}

// ListenPacket opens a UDP socket. The parameter addr is HOST:PORT with an IP address of the host; an empty HOST selects all of
// its addresses, port 0 a free port.
func (h *Host) ListenPacket(addr string) (*PacketConn, error) {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	at, err := h.bind(addr, h.packetPortTaken)
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: "udp", Err: err}
	}
	return h.openPacket(at, netip.AddrPort{}), nil
}

func (h *Host) dialPacket(to netip.AddrPort) (net.Conn, error) {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	at, err := h.bind(net.JoinHostPort(h.addrs[0].String(), "0"), h.packetPortTaken)
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "udp", Err: err}
	}
	return h.openPacket(at, to), nil
}

// packetPortTaken reports whether a socket is bound to an address, or to all addresses at its port.
func (h *Host) packetPortTaken(at netip.AddrPort) bool { return h.socketAt(at) != nil }

func (h *Host) socketAt(at netip.AddrPort) *PacketConn {
	if c := h.sockets[at]; c != nil {
		return c
	}
	return h.sockets[netip.AddrPortFrom(netip.Addr{}, at.Port())]
}

func (h *Host) openPacket(local, remote netip.AddrPort) *PacketConn {
	c := &PacketConn{host: h, local: local, remote: remote}
	c.readable.L = &h.net.mu
	h.sockets[local] = c
	return c
}

// transmit sends a datagram from one socket address to another. It drops the datagram if no host has the destination address. The
// caller holds the lock.
func (n *Network) transmit(from, to netip.AddrPort, b []byte) {
	src, dst := n.hosts[from.Addr()], n.hosts[to.Addr()]
	if dst == nil {
		return // no host has the destination address
	}
	id := addrPair{from, to}
	f := n.routes[id]
	if f == nil {
		f = &route{id: id, path: NewPath(n.lines[line{src, dst}], n.seedOf(id))}
		n.routes[id] = f
	}
	if !f.path.Send(n.nowMS(), b) && n.onDrop != nil {
		n.onDrop(from, to)
	}
	n.deliver(f)
}

// nowMS returns the time of the clock of all paths: the milliseconds since the network was created, rounded down.
func (n *Network) nowMS() uint32 { return uint32(time.Since(n.start).Milliseconds()) }

// deliver moves datagrams whose arrival time has come from the route f to the destination socket. It sets a timer for the next
// datagram in transit. The caller holds the lock.
func (n *Network) deliver(f *route) {
	now := n.nowMS()
	for b, ok := f.path.Receive(now); ok; b, ok = f.path.Receive(now) {
		n.arrive(f.id, b)
	}
	at, ok := f.path.NextAt()
	if !ok {
		return
	}
	wait := time.Duration(int32(at-now))*time.Millisecond - time.Since(n.start)%time.Millisecond
	if f.timer != nil {
		f.timer.Reset(wait)
		return
	}
	f.timer = time.AfterFunc(wait, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.deliver(f)
	})
}

// arrive queues a datagram at its destination socket. If there is no such socket, a connected sender gets ECONNREFUSED
// immediately; in a real network an ICMP message would take some time.
func (n *Network) arrive(id addrPair, b []byte) {
	c := n.hosts[id.to.Addr()].socketAt(id.to)
	switch {
	case c == nil:
		if s := n.hosts[id.from.Addr()].socketAt(id.from); s != nil && s.remote == id.to {
			s.refused = true
			s.readable.Broadcast()
		}
	case c.remote.IsValid() && c.remote != id.from, c.queued+len(b) > receiveBuffer:
	default:
		c.queue = append(c.queue, datagram{from: id.from, local: id.to.Addr(), data: b})
		c.queued += len(b)
		c.readable.Broadcast()
	}
}

// receive blocks until a datagram is available.
func (c *PacketConn) receive() (datagram, error) {
	c.readable.L.Lock()
	defer c.readable.L.Unlock()
	for {
		switch {
		case c.closed:
			return datagram{}, c.fault("read", net.ErrClosed)
		case c.deadline.passed():
			return datagram{}, c.fault("read", os.ErrDeadlineExceeded)
		case c.refused:
			c.refused = false
			return datagram{}, c.fault("read", os.NewSyscallError("read", syscall.ECONNREFUSED))
		case len(c.queue) > 0:
			d := c.queue[0]
			c.queue[0] = datagram{}
			if c.queue = c.queue[1:]; len(c.queue) == 0 {
				c.queue = nil
			}
			c.queued -= len(d.data)
			return d, nil
		}
		c.readable.Wait()
	}
}

// send sends a datagram. For a socket that is bound to all addresses of the host, the parameter local is the source address; the
// zero Addr selects the host's first one.
func (c *PacketConn) send(b []byte, to netip.AddrPort, local netip.Addr) error {
	c.readable.L.Lock()
	defer c.readable.L.Unlock()
	if c.closed {
		return c.fault("write", net.ErrClosed)
	}
	from := c.host.source(c.local)
	if local = local.Unmap(); !c.local.Addr().IsValid() && c.host.net.hosts[local] == c.host {
		from = netip.AddrPortFrom(local, c.local.Port())
	}
	c.host.net.transmit(from, netip.AddrPortFrom(to.Addr().Unmap(), to.Port()), b)
	return nil
}

func (c *PacketConn) fault(op string, err error) error {
	e := &net.OpError{Op: op, Net: "udp", Source: c.LocalAddr(), Err: err}
	if c.remote.IsValid() {
		e.Addr = net.UDPAddrFromAddrPort(c.remote)
	}
	return e
}

// ReadDatagram reads one datagram, truncated to the length of b. The result local is its destination address, or the zero Addr if
// the socket is bound to one address.
func (c *PacketConn) ReadDatagram(b []byte) (n int, from netip.AddrPort, local netip.Addr, err error) {
	d, err := c.receive()
	if !c.local.Addr().IsValid() {
		local = d.local
	}
	return copy(b, d.data), d.from, local, err
}

// WriteDatagram sends b from the address local, or from the first address of the host if local is not one of its addresses.
func (c *PacketConn) WriteDatagram(b []byte, to netip.AddrPort, local netip.Addr) error {
	return c.send(b, to, local)
}

// ReadFromUDPAddrPort reads one datagram as *net.UDPConn does.
func (c *PacketConn) ReadFromUDPAddrPort(b []byte) (n int, from netip.AddrPort, err error) {
	d, err := c.receive()
	return copy(b, d.data), d.from, err
}

// WriteToUDPAddrPort sends one datagram as *net.UDPConn does.
func (c *PacketConn) WriteToUDPAddrPort(b []byte, to netip.AddrPort) (n int, err error) {
	return c.written(b, c.send(b, to, netip.Addr{}))
}

// ReadFrom reads one datagram and the address of its sender, which is a *net.UDPAddr. It implements net.PacketConn.
func (c *PacketConn) ReadFrom(b []byte) (n int, from net.Addr, err error) {
	d, err := c.receive()
	if err != nil {
		return 0, nil, err
	}
	return copy(b, d.data), net.UDPAddrFromAddrPort(d.from), nil
}

// WriteTo sends b as one datagram to the address in the parameter to, which must be a *net.UDPAddr. It implements net.PacketConn.
func (c *PacketConn) WriteTo(b []byte, to net.Addr) (n int, err error) {
	u, ok := to.(*net.UDPAddr)
	if !ok {
		return 0, c.fault("write", syscall.EINVAL)
	}
	return c.WriteToUDPAddrPort(b, u.AddrPort())
}

// Read reads one datagram from the peer of a connected socket.
func (c *PacketConn) Read(b []byte) (n int, err error) {
	d, err := c.receive()
	return copy(b, d.data), err
}

// Write sends one datagram to the peer of a connected socket.
func (c *PacketConn) Write(b []byte) (n int, err error) {
	if !c.remote.IsValid() {
		return 0, c.fault("write", syscall.EDESTADDRREQ)
	}
	return c.written(b, c.send(b, c.remote, netip.Addr{}))
}

func (c *PacketConn) written(b []byte, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return len(b), nil
}

// Close closes the socket. Blocked reads return an error that wraps net.ErrClosed.
func (c *PacketConn) Close() error {
	c.readable.L.Lock()
	defer c.readable.L.Unlock()
	if c.closed {
		return c.fault("close", net.ErrClosed)
	}
	c.closed, c.queue = true, nil
	c.deadline.stop()
	delete(c.host.sockets, c.local)
	c.readable.Broadcast()
	return nil
}

// LocalAddr returns the bound address as a *net.UDPAddr.
func (c *PacketConn) LocalAddr() net.Addr { return net.UDPAddrFromAddrPort(localIP(c.local)) }

// AddrPort returns an address at which the socket can be reached: its local address, or the first address of the host if the
// socket is bound to all of them.
func (c *PacketConn) AddrPort() netip.AddrPort { return c.host.source(c.local) }

// RemoteAddr returns the *net.UDPAddr of the peer, nil if the socket is not connected.
func (c *PacketConn) RemoteAddr() net.Addr {
	if !c.remote.IsValid() {
		return nil
	}
	return net.UDPAddrFromAddrPort(c.remote)
}

// SetDeadline sets the read deadline, as SetReadDeadline does. Writes do not block.
func (c *PacketConn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

// SetReadDeadline sets the time at which blocked reads fail with os.ErrDeadlineExceeded; the zero time means never.
func (c *PacketConn) SetReadDeadline(t time.Time) error {
	c.readable.L.Lock()
	defer c.readable.L.Unlock()
	if c.closed {
		return c.fault("set", net.ErrClosed)
	}
	c.deadline.set(t, &c.readable)
	return nil
}

// SetWriteDeadline does nothing, because writes do not block.
func (c *PacketConn) SetWriteDeadline(time.Time) error { return nil }
