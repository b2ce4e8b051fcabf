package bedrock

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/proto/raknet"
)

const (
	connectFor  = 10 * time.Second // for RakNet to connect
	joinFor     = 60 * time.Second // from there into the world; servers wait as long  LO-2
	farewellFor = time.Second      // waiting for the end of a connection
	mostBehind  = 10               // ticks that are made up for at once; the game's client does the same
	breath      = time.Millisecond // for what has come already, before a tick that is late
	mostHeard   = 64               // datagrams that go before a tick which is due

	socketBuffer = 256 << 10 // bytes
	maxDatagram  = 2048      // bytes
)

// RakNet is how a client speaks it. The zero value is a client of today.
type RakNet struct {
	Protocol      uint8  // 11 or 10; 0: 11
	MTU           uint16 // bytes that are tried first; 0: 1492
	IgnoreCookies bool
	LikeJSP       bool // as the backend jsp-raknet, with its flaws
}

// Client is one player behind a UDP socket. See the package comment for who may call what.
type Client struct {
	server netip.AddrPort
	conn   net.Conn
	began  time.Time
	every  time.Duration // between two ticks
	next   time.Time     // tick
	heard  int           // datagrams since the last tick
	buf    []byte

	mu     sync.Mutex // what follows changes under it, only in the owner's goroutine
	s      *Session
	rak    *raknet.Client
	peer   *raknet.Peer
	play   Behaviour
	err    error // why it is over
	up     bool
	down   bool
	trips  trips
	base   Counts // before the last ResetStats
	handle func(raknet.Event)
	emit   func(netip.AddrPort, []byte)
	send   func([]byte)
}

// Dial connects to a server, logs in and returns a client whose player is in the world. addr is HOST:PORT. Errors wrap
// ErrOptions, ErrNoServer, ErrNoAnswer, ErrVersion, ErrFull or ErrServer, are a DisconnectError or a LostError, or what
// the network says or how ctx ended.
func Dial(ctx context.Context, addr string, o Options) (*Client, error) {
	c, err := open(ctx, addr, o)
	if err != nil {
		return nil, err
	}
	if err = c.until(ctx, connectFor, func() bool { return c.up }); err == nil {
		err = c.until(ctx, joinFor, c.s.Playing)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("join %s: %w", addr, err)
	}
	return c, nil
}

// open makes a client that asks for a connection.
func open(ctx context.Context, addr string, o Options) (*Client, error) {
	s, err := NewSession(o)
	if err != nil {
		return nil, err
	}
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", addr, err)
	}
	server := netip.AddrPortFrom(at.AddrPort().Addr().Unmap(), at.AddrPort().Port())
	conn, err := s.opt.Dial(ctx, "udp", server.String())
	if err != nil {
		return nil, err
	}
	if u, ok := conn.(*net.UDPConn); ok {
		_ = u.SetReadBuffer(socketBuffer) // the system may allow less
	}
	c := &Client{
		server: server, conn: conn, s: s, began: time.Now(), every: TickEvery,
		buf: make([]byte, maxDatagram),
	}
	if rate := s.opt.Tamper.Rate; rate > 0 {
		c.every = time.Duration(float64(TickEvery) / rate)
	}
	c.next = c.began.Add(time.Duration(s.rng.Int64N(int64(c.every)))) // so that many clients do not tick together
	c.handle, c.emit, c.send = c.event, c.write, c.message
	c.rak = raknet.NewClient(raknet.ClientConfig{
		GUID: s.rng.Uint64(), Protocol: o.RakNet.Protocol, MTU: o.RakNet.MTU,
		IgnoreCookies: o.RakNet.IgnoreCookies, LikeJSP: o.RakNet.LikeJSP,
		ConnectTimeout: connectFor.Milliseconds(), Limits: raknet.Limits{AckDelay: -1},
	})
	c.peer = c.rak.Connect(c.ms(), server)
	c.rak.Tick(c.ms(), c.handle)
	c.rak.Flush(c.ms(), c.emit)
	return c, nil
}

// ms is the clock of RakNet.
func (c *Client) ms() int64 { return time.Since(c.began).Milliseconds() }

// ns is the clock of the statistics.
func (c *Client) ns() int64 { return time.Since(c.began).Nanoseconds() + 1 }

// until serves the connection until done or the time is over.
func (c *Client) until(ctx context.Context, within time.Duration, done func() bool) error {
	for end := time.Now().Add(within); !done(); {
		if time.Now().After(end) {
			return ErrNoAnswer
		}
		if err := c.pump(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pump serves the connection until something has happened: a datagram came or a tick is due.
func (c *Client) pump(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n, err := c.wait()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > 0 {
		c.trips.received(c.buf[:n], c.ns(), func(d time.Duration) { record(c.s.measured.Trips, d) })
		c.rak.Receive(c.ms(), c.server, c.buf[:n], c.handle)
		c.heard++
	}
	if n == 0 || c.heard >= mostHeard {
		c.heard = 0
		c.ticks()
	}
	c.s.Flush(c.send)
	c.rak.Flush(c.ms(), c.emit)
	return c.ended()
}

// wait blocks until a datagram of n bytes is in buf, or the next tick is due. A deadline that is over reads nothing, not
// even what has come: a client that is always late would be deaf.
func (c *Client) wait() (n int, err error) {
	until := c.next
	if now := time.Now(); until.Before(now) {
		until = now.Add(breath)
	}
	if err := c.conn.SetReadDeadline(until); err != nil {
		return 0, err
	}
	n, err = c.conn.Read(c.buf)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, nil
	case errors.Is(err, syscall.ECONNREFUSED) && c.up:
		return 0, nil // the server is gone, or comes back: RakNet decides
	case errors.Is(err, syscall.ECONNREFUSED):
		return 0, fmt.Errorf("%s/udp: %w", c.server, ErrNoServer)
	}
	return 0, err
}

// ticks makes the ticks that are due: of the game at its own pace, whatever was late, and of RakNet.
func (c *Client) ticks() {
	now := time.Now()
	if now.Before(c.next) {
		return
	}
	c.rak.Tick(c.ms(), c.handle)
	for n := 0; !now.Before(c.next) && c.err == nil && !c.down; n++ {
		if n == mostBehind {
			c.next = now
		}
		c.next = c.next.Add(c.every)
		c.fail(c.s.Tick(c.ns(), c.play))
	}
}

func (c *Client) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *Client) event(e raknet.Event) {
	switch e.Kind {
	case raknet.Connected:
		c.up = true
		c.s.Start()
	case raknet.Message:
		if c.err == nil {
			c.fail(c.s.Receive(c.ns(), e.Data))
		}
	case raknet.Disconnected:
		c.down = true
		c.fail(&LostError{e.Reason})
	}
}

// message sends one batch. One that does not fit the queue ends the connection, which an event tells.
func (c *Client) message(b []byte) { _ = c.peer.SendOrdered(b) }

// write sends a datagram. One that the kernel refuses is lost, as a network would lose it.
func (c *Client) write(_ netip.AddrPort, datagram []byte) {
	c.trips.sent(datagram, c.ns())
	_, _ = c.conn.Write(datagram)
}

// ended is why the client cannot go on.
func (c *Client) ended() error { return c.err }

// Play lets b play until ctx ends, which is no error, or the connection does. Errors are a DisconnectError or a
// LostError, or wrap ErrServer.
func (c *Client) Play(ctx context.Context, b Behaviour) error {
	c.mu.Lock()
	c.play = b
	c.mu.Unlock()
	var err error
	for err == nil {
		err = c.pump(ctx)
	}
	c.mu.Lock()
	c.play = nil
	c.mu.Unlock()
	if errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// Say says a line, of which the first 512 bytes are sent with the next tick.
func (c *Client) Say(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.Say(text)
}

// Command asks the server to run a command; line begins with a slash.
func (c *Client) Command(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.Command(line)
}

// Look calls fn with the session while nothing changes. It may be called from any goroutine. fn must keep nothing of it
// and change nothing.
func (c *Client) Look(fn func(s *Session)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(c.s)
}

// Stats returns the counts, and adds what was measured to h unless it is nil. It may be called from any goroutine, also
// after Close.
func (c *Client) Stats(h *Histograms) Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h != nil {
		h.merge(&c.s.measured)
	}
	n := c.countsSoFar()
	n.subtract(&c.base)
	return n
}

// countsSoFar are those since the client was made.
func (c *Client) countsSoFar() Counts {
	n := c.s.Counts()
	n.traffic(c.rak.Stats())
	return n
}

// ResetStats begins all counts and histograms anew and returns the counts so far. It may be called from any goroutine.
func (c *Client) ResetStats() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.countsSoFar()
	n := now
	n.subtract(&c.base)
	c.base = now
	c.s.measured.reset()
	return n
}

// FirstBad is the first packet that could not be read, nil if all could.
func (c *Client) FirstBad() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.s.FirstBad()
}

// Close leaves the world and closes the connection. It waits a second at most. Further calls do nothing.
func (c *Client) Close() {
	if c.buf == nil {
		return
	}
	if c.up && !c.down {
		c.mu.Lock()
		c.err, c.play = nil, nil
		c.peer.Close()
		c.rak.Flush(c.ms(), c.emit)
		c.mu.Unlock()
		// The only error that matters is that the connection has ended.
		_ = c.until(context.Background(), farewellFor, func() bool { return c.down })
	}
	c.conn.Close()
	c.buf = nil
}
