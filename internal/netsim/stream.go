package netsim

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"
)

// Properties of all simulated TCP streams.
const (
	segmentSize  = 1400                   // size in bytes of a segment, the unit of loss and delay
	streamWindow = 256 << 10              // number of unread bytes at which a write blocks
	retransmit   = 200 * time.Millisecond // first retransmission timeout, the minimum of Linux; it doubles with each loss of the segment
	maxResends   = 8                      // maximum number of times that one segment is lost; then it arrives
	backlogSize  = 4096                   // maximum number of connections queued for Accept; further ones are refused
)

// Listener accepts stream connections. It is a net.Listener.
type Listener struct {
	host       *Host
	local      netip.AddrPort // bound address; a zero Addr stands for all addresses of the host
	acceptable sync.Cond
	waiting    []*StreamConn
	closed     bool
}

// Listen opens a listener for streams. The parameter addr is HOST:PORT with an IP address of the host; an empty HOST selects all
// of its addresses, port 0 a free port.
func (h *Host) Listen(addr string) (*Listener, error) {
	h.net.mu.Lock()
	defer h.net.mu.Unlock()
	at, err := h.bind(addr, func(at netip.AddrPort) bool { return h.listenerAt(at) != nil })
	if err != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: err}
	}
	l := &Listener{host: h, local: at}
	l.acceptable.L = &h.net.mu
	h.listeners[at] = l
	return l, nil
}

func (h *Host) listenerAt(at netip.AddrPort) *Listener {
	if l := h.listeners[at]; l != nil {
		return l
	}
	return h.listeners[netip.AddrPortFrom(netip.Addr{}, at.Port())]
}

// Accept blocks until a connection is available.
func (l *Listener) Accept() (net.Conn, error) {
	l.acceptable.L.Lock()
	defer l.acceptable.L.Unlock()
	for len(l.waiting) == 0 && !l.closed {
		l.acceptable.Wait()
	}
	if l.closed {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Source: l.Addr(), Err: net.ErrClosed}
	}
	c := l.waiting[0]
	l.waiting = l.waiting[1:]
	return c, nil
}

// Close closes the listener, unblocks Accept, and resets connections that were not accepted.
func (l *Listener) Close() error {
	l.acceptable.L.Lock()
	defer l.acceptable.L.Unlock()
	if l.closed {
		return &net.OpError{Op: "close", Net: "tcp", Source: l.Addr(), Err: net.ErrClosed}
	}
	l.closed = true
	delete(l.host.listeners, l.local)
	for _, c := range l.waiting {
		c.reset()
	}
	l.waiting = nil
	l.acceptable.Broadcast()
	return nil
}

// Addr returns the bound address as a *net.TCPAddr.
func (l *Listener) Addr() net.Addr { return net.TCPAddrFromAddrPort(localIP(l.local)) }

// AddrPort returns an address at which the listener can be reached: its local address, or the first address of the host if
// it is bound to all of them.
func (l *Listener) AddrPort() netip.AddrPort { return l.host.source(l.local) }

// StreamConn is one end of a reliable stream like TCP: every byte arrives once and in order. Impairments of the link only delay
// bytes: a lost segment and all later ones arrive after the retransmission. Impairment.Duplicate has no effect. StreamConn
// implements net.Conn.
type StreamConn struct {
	net    *Network
	local  netip.AddrPort
	remote netip.AddrPort
	peer   *StreamConn

	cond   sync.Cond // signalled at every change of state
	in     incoming  // data from the peer
	read   deadline
	write  deadline
	broken error // why reads and writes fail after a reset of the connection; nil before
	closed bool
	half   bool // CloseWrite was called
	abort  bool // SetLinger(0) was called, so that Close resets the connection
}

// incoming holds the unread bytes for one end of a stream: bytes in transit to this end, and bytes that have arrived there.
type incoming struct {
	rng    *rand.Rand
	ready  []byte    // data that has arrived and was not read yet
	size   int       // total bytes in ready and flight
	flight []segment // segments in transit, in order
	free   time.Time // time at which the rate-limited link has sent all segments so far
	last   time.Time // arrival time of the last segment
	fin    bool      // the end of the stream has arrived
	timer  *time.Timer
}

// segment is a segment of a stream in transit, and the time at which it arrives. A segment without data is the end of the stream.
type segment struct {
	at   time.Time
	data []byte
}

// dialStream connects to a listener. It takes one round trip.
func (h *Host) dialStream(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	n := h.net
	fail := func(err error) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: net.TCPAddrFromAddrPort(to), Err: err}
	}
	n.mu.Lock()
	at, err := h.bind(net.JoinHostPort(h.addrs[0].String(), "0"), func(at netip.AddrPort) bool { return h.streams[addrPair{at, to}] != nil })
	far := n.hosts[to.Addr()]
	if err != nil || far == nil {
		n.mu.Unlock()
		if err == nil {
			err = syscall.EHOSTUNREACH
		}
		return fail(err)
	}
	near := n.newStream(at, to)
	there := n.newStream(to, at)
	near.peer, there.peer = there, near
	h.streams[addrPair{at, to}] = near
	near.in.rng = rand.New(rand.NewPCG(n.seedOf(addrPair{to, at}), 0x73747265616d))
	there.in.rng = rand.New(rand.NewPCG(n.seedOf(addrPair{at, to}), 0x73747265616d))
	asked := n.schedule(there, time.Now(), 0)
	n.mu.Unlock()

	if err = sleep(ctx, time.Until(asked)); err == nil {
		n.mu.Lock()
		if l := far.listenerAt(to); l == nil || len(l.waiting) >= backlogSize {
			err = os.NewSyscallError("connect", syscall.ECONNREFUSED)
		} else {
			far.streams[addrPair{to, at}] = there
			l.waiting = append(l.waiting, there)
			l.acceptable.Broadcast()
		}
		answered := n.schedule(near, time.Now(), 0)
		n.mu.Unlock()
		if late := sleep(ctx, time.Until(answered)); late != nil {
			err = late
		}
	}
	if err != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		near.reset()
		return fail(err)
	}
	return near, nil
}

// sleep blocks for a duration or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (n *Network) newStream(local, remote netip.AddrPort) *StreamConn {
	c := &StreamConn{net: n, local: local, remote: remote}
	c.cond.L = &n.mu
	return c
}

// schedule returns the arrival time of a segment of size bytes that is sent now. The segment goes to c, the receiving end of the
// stream. The caller holds the lock.
func (n *Network) schedule(c *StreamConn, now time.Time, size int) time.Time {
	imp := n.lines[line{n.hosts[c.remote.Addr()], n.hosts[c.local.Addr()]}].filled()
	in := &c.in
	chance := func(p float64) bool { return p > 0 && in.rng.Float64() < p }
	n.counts.Sent++
	leave := now
	if imp.BytesPerSecond > 0 {
		if in.free.After(leave) {
			leave = in.free
		}
		leave = leave.Add(time.Duration(size) * time.Second / time.Duration(imp.BytesPerSecond))
		in.free = leave
	}
	for again, resends := retransmit, 0; resends < maxResends && chance(imp.Loss); resends++ {
		n.counts.Lost++
		leave = leave.Add(again)
		again *= 2
	}
	delay := imp.DelayMS
	if imp.JitterMS > 0 {
		delay += in.rng.Uint32N(imp.JitterMS + 1)
	}
	if chance(imp.Reorder) {
		n.counts.Held++
		delay += imp.ReorderMS
	}
	at := leave.Add(time.Duration(delay) * time.Millisecond)
	if at.Before(in.last) {
		at = in.last
	}
	in.last = at
	n.counts.Delivered++
	return at
}

// push sends a segment with data to c, the receiving end of a stream. Empty data means the end of the stream. The caller holds
// the lock.
func (c *StreamConn) push(data []byte) {
	now := time.Now()
	c.in.flight = append(c.in.flight, segment{at: c.net.schedule(c, now, len(data)), data: data})
	c.in.size += len(data)
	c.arrive()
}

// arrive makes the data of the segments whose arrival time has come available to Read, and sets a timer for the next segment in
// transit. The caller holds the lock.
func (c *StreamConn) arrive() {
	in, now := &c.in, time.Now()
	for len(in.flight) > 0 && !now.Before(in.flight[0].at) {
		s := in.flight[0]
		in.flight[0] = segment{}
		in.flight = in.flight[1:]
		switch {
		case len(s.data) == 0:
			in.fin = true
		case c.closed: // data that arrives at a closed end resets the connection
			c.reset()
			return
		default:
			in.ready = append(in.ready, s.data...)
		}
		c.cond.Broadcast()
	}
	if len(in.flight) == 0 {
		in.flight = nil
		return
	}
	wait := in.flight[0].at.Sub(now)
	if in.timer != nil {
		in.timer.Reset(wait)
		return
	}
	in.timer = time.AfterFunc(wait, func() {
		c.net.mu.Lock()
		defer c.net.mu.Unlock()
		c.arrive()
	})
}

// reset ends both directions immediately. Data that was not read is lost. The caller holds the lock.
func (c *StreamConn) reset() {
	for _, e := range [...]*StreamConn{c, c.peer} {
		e.broken = syscall.ECONNRESET
		e.in.ready, e.in.flight, e.in.size = nil, nil, 0
		if e.in.timer != nil {
			e.in.timer.Stop()
		}
		e.forget()
		e.cond.Broadcast()
	}
}

// forget removes the connection from its host, which frees the port.
func (c *StreamConn) forget() {
	delete(c.net.hosts[c.local.Addr()].streams, addrPair{c.local, c.remote})
}

// Read returns data from the peer. After the peer has closed, it returns the remaining data and then io.EOF; after a reset, an
// error that wraps syscall.ECONNRESET. It implements net.Conn.
func (c *StreamConn) Read(b []byte) (int, error) {
	c.cond.L.Lock()
	defer c.cond.L.Unlock()
	for {
		switch {
		case c.closed:
			return 0, c.fault("read", net.ErrClosed)
		case c.read.passed():
			return 0, c.fault("read", os.ErrDeadlineExceeded)
		case c.broken != nil:
			return 0, c.fault("read", os.NewSyscallError("read", c.broken))
		case len(c.in.ready) > 0:
			n := copy(b, c.in.ready)
			if c.in.ready = c.in.ready[n:]; len(c.in.ready) == 0 {
				c.in.ready = nil
			}
			c.in.size -= n
			c.peer.cond.Broadcast() // a write may be blocked on the window
			return n, nil
		case c.in.fin:
			return 0, io.EOF
		case len(b) == 0:
			return 0, nil
		}
		c.cond.Wait()
	}
}

// Write sends b to the peer. It blocks while the window is full because the peer does not read. It implements net.Conn.
func (c *StreamConn) Write(b []byte) (n int, err error) {
	c.cond.L.Lock()
	defer c.cond.L.Unlock()
	for {
		switch {
		case c.closed, c.half:
			return n, c.fault("write", net.ErrClosed)
		case c.write.passed():
			return n, c.fault("write", os.ErrDeadlineExceeded)
		case c.broken != nil:
			return n, c.fault("write", os.NewSyscallError("write", c.broken))
		case n == len(b):
			return n, nil
		}
		space := min(streamWindow-c.peer.in.size, segmentSize, len(b)-n)
		if space <= 0 {
			c.cond.Wait()
			continue
		}
		c.peer.push(append([]byte(nil), b[n:n+space]...))
		n += space
	}
}

func (c *StreamConn) fault(op string, err error) error {
	return &net.OpError{Op: op, Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
}

// Close closes both directions. Written data still arrives. But if this end has unread data, or receives data later, the
// connection is reset, as in TCP.
func (c *StreamConn) Close() error {
	c.cond.L.Lock()
	defer c.cond.L.Unlock()
	if c.closed {
		return c.fault("close", net.ErrClosed)
	}
	c.closed = true
	c.read.stop()
	c.write.stop()
	c.cond.Broadcast()
	switch {
	case c.broken != nil:
	case c.abort, len(c.in.ready) > 0:
		c.reset()
	case !c.half:
		c.peer.push(nil)
	}
	c.forget()
	return nil
}

// CloseWrite ends the stream toward the peer, which reads io.EOF after the written data.
func (c *StreamConn) CloseWrite() error {
	c.cond.L.Lock()
	defer c.cond.L.Unlock()
	if c.closed || c.half {
		return c.fault("close", net.ErrClosed)
	}
	c.half = true
	c.cond.Broadcast()
	if c.broken == nil {
		c.peer.push(nil)
	}
	return nil
}

// SetLinger(0) makes Close reset the connection. Other values have no effect.
func (c *StreamConn) SetLinger(seconds int) error {
	c.cond.L.Lock()
	defer c.cond.L.Unlock()
	c.abort = seconds == 0
	return nil
}

// LocalAddr returns the local address as a *net.TCPAddr.
func (c *StreamConn) LocalAddr() net.Addr { return net.TCPAddrFromAddrPort(c.local) }

// RemoteAddr returns the address of the peer as a *net.TCPAddr.
func (c *StreamConn) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(c.remote) }

// SetDeadline sets the deadlines of reads and writes.
func (c *StreamConn) SetDeadline(t time.Time) error { return c.setDeadlines(t, &c.read, &c.write) }

// SetReadDeadline sets the time at which blocked reads fail with os.ErrDeadlineExceeded; the zero time means never.
func (c *StreamConn) SetReadDeadline(t time.Time) error { return c.setDeadlines(t, &c.read) }

// SetWriteDeadline sets the time at which blocked writes fail with os.ErrDeadlineExceeded; the zero time means never.
func (c *StreamConn) SetWriteDeadline(t time.Time) error { return c.setDeadlines(t, &c.write) }

func (c *StreamConn) setDeadlines(t time.Time, which ...*deadline) error {
	c.cond.L.Lock()
	defer c.cond.L.Unlock()
	if c.closed {
		return c.fault("set", net.ErrClosed)
	}
	for _, d := range which {
		d.set(t, &c.cond)
	}
	return nil
}
