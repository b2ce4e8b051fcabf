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
	connectTimeout      = 10 * time.Second // maximum time to establish the RakNet connection
	joinTimeout         = 60 * time.Second // maximum time from the established RakNet connection until the player is in the world; servers wait as long (rule LO-2 of docs/wire/bedrock.md)
	closeTimeout        = time.Second      // maximum time that Close waits for the end of the connection
	maxCatchUpTicks     = 10               // maximum number of late ticks that run at once, as in the game's own client
	minReadWait         = time.Millisecond // minimum wait for a datagram before a tick that is late
	maxDatagramsPerTick = 64               // maximum number of datagrams that are handled while a tick is due

	socketBuffer = 256 << 10 // receive buffer requested from the kernel, in bytes
	maxDatagram  = 2048      // longest datagram that can be received, in bytes
)

// RakNet configures the transport protocol of a client. With the zero value the client behaves as a current game client
// does.
type RakNet struct {
	Protocol      uint8  // RakNet protocol version, 10 or 11; 0 selects 11
	MTU           uint16 // datagram size that is tried first, in bytes; 0 selects 1492
	IgnoreCookies bool   // do not repeat the server's cookie in the connection request
	// ImitateJSPRakNet makes the transport behave as the JavaScript library jsp-raknet; see raknet.ClientConfig.
	ImitateJSPRakNet bool
}

// Client is one simulated player, connected to a server through a UDP socket. The package comment says which methods are
// safe for concurrent use.
type Client struct {
	server             netip.AddrPort
	conn               net.Conn
	started            time.Time     // time at which the clocks of the methods ms and ns begin
	tickInterval       time.Duration // time between two ticks
	nextTick           time.Time     // time of the next tick
	datagramsSinceTick int           // datagrams handled since the last tick
	buf                []byte        // receive buffer; nil after Close

	mu           sync.Mutex // guards the fields below, which only the owner's goroutine changes
	session      *Session
	rak          *raknet.Client // RakNet connection
	peer         *raknet.Peer
	behaviour    Behaviour
	err          error              // reason for which the session ended
	connected    bool               // RakNet has connected
	disconnected bool               // RakNet has ended the connection
	rtt          rttMeter           // measures the round-trip times of the connection
	baseCounts   Counts             // counts at the time of the last ResetStats
	handle       func(raknet.Event) // handle, emit and send hold methods as values, so that passing them does not allocate
	emit         func(netip.AddrPort, []byte)
	send         func([]byte)
}

// Dial connects to a server, logs in and returns a client whose player is in the world. The parameter addr is HOST:PORT. An
// error (1) wraps ErrOptions, ErrNoServer, ErrNoAnswer, ErrVersion, ErrFull or ErrServer, (2) is a DisconnectError or a
// LostError, or (3) comes from the network or from ctx.
func Dial(ctx context.Context, addr string, o Options) (*Client, error) {
	c, err := newClient(ctx, addr, o)
	if err != nil {
		return nil, err
	}
	if err = c.runUntil(ctx, connectTimeout, func() bool { return c.connected }); err == nil {
		err = c.runUntil(ctx, joinTimeout, c.session.Playing)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("join %s: %w", addr, err)
	}
	return c, nil
}

// newClient creates a client and sends its connection request.
func newClient(ctx context.Context, addr string, o Options) (*Client, error) {
	s, err := NewSession(o)
	if err != nil {
		return nil, err
	}
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, fmt.Errorf("resolve server address %q: %w", addr, err)
	}
	server := netip.AddrPortFrom(at.AddrPort().Addr().Unmap(), at.AddrPort().Port())
	conn, err := s.opt.Dial(ctx, "udp", server.String())
	if err != nil {
		return nil, err
	}
	if u, ok := conn.(*net.UDPConn); ok {
		_ = u.SetReadBuffer(socketBuffer) // the system may grant less
	}
	c := &Client{
		server: server, conn: conn, session: s, started: time.Now(), tickInterval: TickInterval,
		buf: make([]byte, maxDatagram),
	}
	if rate := s.opt.Tamper.Rate; rate > 0 {
		c.tickInterval = time.Duration(float64(TickInterval) / rate)
	}
	c.nextTick = c.started.Add(time.Duration(s.rng.Int64N(int64(c.tickInterval)))) // random phase that spreads the ticks of many clients over time
	c.handle, c.emit, c.send = c.handleEvent, c.writeDatagram, c.sendMessage
	c.rak = raknet.NewClient(raknet.ClientConfig{
		GUID: s.rng.Uint64(), Protocol: o.RakNet.Protocol, MTU: o.RakNet.MTU,
		IgnoreCookies: o.RakNet.IgnoreCookies, ImitateJSPRakNet: o.RakNet.ImitateJSPRakNet,
		ConnectTimeout: connectTimeout.Milliseconds(), Limits: raknet.Limits{AckDelay: -1},
	})
	c.peer = c.rak.Connect(c.ms(), server)
	c.rak.Tick(c.ms(), c.handle)
	c.rak.Flush(c.ms(), c.emit)
	return c, nil
}

// ms returns the time since the client was created, in milliseconds, for RakNet.
func (c *Client) ms() int64 { return time.Since(c.started).Milliseconds() }

// ns returns the time in nanoseconds since the client was created, plus 1. It is never 0, because statistics use 0 for "no
// time".
func (c *Client) ns() int64 { return time.Since(c.started).Nanoseconds() + 1 }

// runUntil receives and sends until done returns true. If that takes longer than limit, it returns ErrNoAnswer.
func (c *Client) runUntil(ctx context.Context, limit time.Duration, done func() bool) error {
	for end := time.Now().Add(limit); !done(); {
		if time.Now().After(end) {
			return ErrNoAnswer
		}
		if err := c.runOnce(ctx); err != nil {
			return err
		}
	}
	return nil
}

// runOnce waits for a datagram or for the next tick, processes it, and sends the queued packets.
func (c *Client) runOnce(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n, err := c.readDatagram()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > 0 {
		c.rtt.received(c.buf[:n], c.ns(), func(d time.Duration) { recordDuration(c.session.measured.RoundTrips, d) })
		c.rak.Receive(c.ms(), c.server, c.buf[:n], c.handle)
		c.datagramsSinceTick++
	}
	if n == 0 || c.datagramsSinceTick >= maxDatagramsPerTick {
		c.datagramsSinceTick = 0
		c.runDueTicks()
	}
	c.session.Flush(c.send)
	c.rak.Flush(c.ms(), c.emit)
	return c.ended()
}

// readDatagram reads one datagram into c.buf and returns its length n, or n = 0 if no datagram arrives before the next tick is
// due. If the tick is already due, it waits for minReadWait, because a read whose deadline has passed returns nothing, even if
// datagrams have arrived.
func (c *Client) readDatagram() (n int, err error) {
	until := c.nextTick
	if now := time.Now(); until.Before(now) {
		until = now.Add(minReadWait)
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
	case errors.Is(err, syscall.ECONNREFUSED) && c.connected:
		return 0, nil // not an error yet: the server may be restarting, and RakNet's timeout ends the connection if the server stays down
	case errors.Is(err, syscall.ECONNREFUSED):
		return 0, fmt.Errorf("%s/udp: %w", c.server, ErrNoServer)
	}
	return 0, err
}

// runDueTicks runs all game ticks that are due. If at least one tick is due, the timers of RakNet run first.
func (c *Client) runDueTicks() {
	now := time.Now()
	if now.Before(c.nextTick) {
		return
	}
	c.rak.Tick(c.ms(), c.handle)
	for n := 0; !now.Before(c.nextTick) && c.err == nil && !c.disconnected; n++ {
		if n == maxCatchUpTicks {
			c.nextTick = now
		}
		c.nextTick = c.nextTick.Add(c.tickInterval)
		c.fail(c.session.Tick(c.ns(), c.behaviour))
	}
}

func (c *Client) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *Client) handleEvent(e raknet.Event) {
	switch e.Kind {
	case raknet.Connected:
		c.connected = true
		c.session.Start()
	case raknet.Message:
		if c.err == nil {
			c.fail(c.session.Receive(c.ns(), e.Data))
		}
	case raknet.Disconnected:
		c.disconnected = true
		c.fail(&LostError{e.Reason})
	}
}

// sendMessage sends one batch. If the send queue is full, the connection ends with a Disconnected event.
func (c *Client) sendMessage(b []byte) { _ = c.peer.SendOrdered(b) }

// writeDatagram sends a datagram. It ignores errors of the operating system, because RakNet sends a lost datagram again.
func (c *Client) writeDatagram(_ netip.AddrPort, datagram []byte) {
	c.rtt.sent(datagram, c.ns())
	_, _ = c.conn.Write(datagram)
}

// ended returns the error that ended the session, or nil if the session has not ended.
func (c *Client) ended() error { return c.err }

// Play lets b control the player until ctx ends (Play then returns nil) or the connection ends. Errors are a
// DisconnectError or a LostError, or wrap ErrServer.
func (c *Client) Play(ctx context.Context, b Behaviour) error {
	c.mu.Lock()
	c.behaviour = b
	c.mu.Unlock()
	var err error
	for err == nil {
		err = c.runOnce(ctx)
	}
	c.mu.Lock()
	c.behaviour = nil
	c.mu.Unlock()
	if errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// Say sends a chat line with the next tick. Only the first 512 bytes of the line are sent.
func (c *Client) Say(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session.Say(text)
}

// Command sends a command to the server. The parameter line begins with a slash.
func (c *Client) Command(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session.Command(line)
}

// Inspect calls fn while no other goroutine changes the session. It is safe for concurrent use. fn must not modify the
// session or keep references to it.
func (c *Client) Inspect(fn func(s *Session)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(c.session)
}

// Stats returns the counts since the last ResetStats. If h is not nil, Stats also adds the client's measurements to its
// histograms. It is safe for concurrent use, also after Close.
func (c *Client) Stats(h *Histograms) Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h != nil {
		h.merge(&c.session.measured)
	}
	n := c.countsSoFar()
	n.subtract(&c.baseCounts)
	return n
}

// countsSoFar returns the counts since the client was created, regardless of ResetStats.
func (c *Client) countsSoFar() Counts {
	n := c.session.Counts()
	n.addTraffic(c.rak.Stats())
	return n
}

// ResetStats sets all counts and histograms to zero and returns the previous counts. It is safe for concurrent use.
func (c *Client) ResetStats() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.countsSoFar()
	n := now
	n.subtract(&c.baseCounts)
	c.baseCounts = now
	c.session.measured.reset()
	return n
}

// FirstParseError returns the error of the first packet that could not be parsed, or nil.
func (c *Client) FirstParseError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session.FirstParseError()
}

// Close disconnects and closes the socket. It waits at most one second. Further calls do nothing.
func (c *Client) Close() {
	if c.buf == nil {
		return
	}
	if c.connected && !c.disconnected {
		c.mu.Lock()
		c.err, c.behaviour = nil, nil
		c.peer.Close()
		c.rak.Flush(c.ms(), c.emit)
		c.mu.Unlock()
		// An error does not matter here, because the connection ends in any case.
		_ = c.runUntil(context.Background(), closeTimeout, func() bool { return c.disconnected })
	}
	c.conn.Close()
	c.buf = nil
}
