package rcce

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/proto/enet"
	proto "github.com/truestep-io/truestep/proto/rcce"
)

const (
	tickEvery   = 50 * time.Millisecond  // of the own walk, the behaviour and ENet's timers; a slow client's frame
	breath      = time.Millisecond       // for what has come already, before a tick that is late
	connectFor  = 5 * time.Second        // as known clients  spec 4
	farewellFor = time.Second            // waiting for the end of a connection, as known clients  spec 4
	betweenFor  = 300 * time.Millisecond // pause between two connections, as known clients  spec 4
)

// Options of a Client. User and Password are needed.
type Options struct {
	User, Password string
	Email          string // default USER@example.com
	Character      string // name of a character that Join makes if the account has none; default the user's
	Template       uint16 // of such a character; if the server refuses it, the next few are tried

	SameConnection bool   // enter the world on the connection of the login; known clients open a second one
	GRO            bool   // let the kernel join datagrams that arrive together (Linux)
	Seed           uint64 // of the behaviour's luck and of ENet's sessions; 0 takes a new one

	// Indices of attributes in the server's project. A client with a screen reads them from its data files.
	HealthAttribute int // default 0
	SpeedAttribute  int // 0: 4, as in RealmCrafter's default project

	// Dial opens the client's connections: network is "udp", addr the server's IP address and port. Read of the connection
	// returns one datagram, Write sends one. nil: the system's sockets.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Chat func(text string) // called for each line of chat, in the client's goroutine; it must not call the client

	// Packet is called for every packet that could be read but StandardUpdates, after the client's world has it, in the
	// client's goroutine. It must not call the client.
	Packet func(p proto.Packet)
}

// Errors of a client besides those of its context.
var (
	ErrNoServer = errors.New("no server there")                          // the port is closed
	ErrNoAnswer = errors.New("no answer in time")                        // to a connection or a request
	ErrKicked   = errors.New("kicked: the server told the client to go") // KickedPlayer
)

// LostError is a connection that ended without the client wanting it.
type LostError struct{ Reason enet.Reason }

func (e *LostError) Error() string { return "connection lost: " + e.Reason.String() }

// Client is one player. See the package comment for who may call what.
type Client struct {
	server netip.AddrPort
	opt    Options
	hash   string // of the password, as it goes on the wire
	rng    *rand.Rand
	tick   time.Time // the next one

	mu       sync.Mutex // what follows changes under it, only in the owner's goroutine
	link     *link
	world    World
	body     body
	play     Behaviour
	counts   Counts
	past     Counts // traffic of former links
	base     Counts // traffic before the last ResetStats
	gaps     *hdrhistogram.Histogram
	trips    *hdrhistogram.Histogram
	firstBad error

	expect    func(proto.Packet) bool // whether a packet is the answer that is waited for
	answered  bool
	kicked    bool
	mayBeWarp bool   // the last packet took the client elsewhere
	struck    uint16 // whom it struck last, with or without success; 0 nobody since it was looked at
	scratch   []byte // one message under construction
}

// Dial connects to a server. addr is HOST:PORT. Errors wrap ErrNoServer, ErrNoAnswer or those of the network.
func Dial(ctx context.Context, addr string, o Options) (*Client, error) {
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", addr, err)
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	if o.Email == "" {
		o.Email = o.User + "@example.com"
	}
	if o.Character == "" {
		o.Character = o.User
	}
	if o.SpeedAttribute == 0 {
		o.SpeedAttribute = 4
	}
	if o.HealthAttribute < 0 || o.HealthAttribute >= proto.AttributeCount || o.SpeedAttribute < 0 || o.SpeedAttribute >= proto.AttributeCount {
		return nil, fmt.Errorf("attribute index outside 0..%d", proto.AttributeCount-1)
	}
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	sum := md5.Sum([]byte(o.Password))
	server := at.AddrPort()
	c := &Client{
		server: netip.AddrPortFrom(server.Addr().Unmap(), server.Port()), opt: o, hash: hex.EncodeToString(sum[:]),
		rng:  rand.New(rand.NewPCG(o.Seed, 0x72636365)),
		gaps: NewHistogram(), trips: NewHistogram(),
	}
	c.world.Self.Energy = -1
	c.tick = time.Now().Add(time.Duration(c.rng.Int64N(int64(tickEvery)))) // so that many clients do not tick together
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// connect opens a connection and announces the client.
func (c *Client) connect(ctx context.Context) error {
	l, err := openLink(ctx, c.server, &c.opt, c.rng.Uint64())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	l.message = c.message
	l.trip = func(d time.Duration) { record(c.trips, d) }
	c.mu.Lock()
	c.link = l
	c.mu.Unlock()
	if err := c.until(ctx, connectFor, func() bool { return l.up }); err != nil {
		c.unlink()
		return fmt.Errorf("connect: %w", err)
	}
	return c.send(proto.NewClient{})
}

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

// pump serves the connection until something has happened: datagrams came or a tick is due.
func (c *Client) pump(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// A deadline that is over reads nothing, not even what has come: a client that is always late would be deaf.
	until := c.tick
	if now := time.Now(); until.Before(now) {
		until = now.Add(breath)
	}
	if err := c.link.wait(until); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link.serve()
	if now := time.Now(); !now.Before(c.tick) {
		if c.tick = c.tick.Add(tickEvery); c.tick.Before(now) {
			c.tick = now.Add(tickEvery) // too late by a tick or more: do not make up for it
		}
		c.link.tick()
		if c.play != nil {
			c.act(now)
		}
	}
	c.link.flush()
	switch {
	case c.kicked:
		return ErrKicked
	case c.link.down:
		return &LostError{c.link.reason}
	}
	return nil
}

// send queues a packet, reliable, and sends what is queued.
func (c *Client) send(p proto.Packet) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.queue(p)
	c.link.flush()
	return err
}

// queue is send without the sending, for those who hold the lock.
func (c *Client) queue(p proto.Packet) error {
	c.scratch = p.Append(c.scratch[:0])
	return c.link.peer.Send(channelReliable, c.scratch)
}

// request sends a packet and waits for its answer, the first packet for which answer returns true.
func (c *Client) request(ctx context.Context, p proto.Packet, within time.Duration, answer func(proto.Packet) bool) error {
	c.mu.Lock()
	c.expect, c.answered = answer, false
	c.mu.Unlock()
	asked := time.Now()
	err := c.send(p)
	if err == nil {
		err = c.until(ctx, within, func() bool { return c.answered })
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expect = nil
	if err == nil && time.Since(asked) > patience {
		c.counts.Late++
	}
	return err
}

// disconnect says good-bye and waits a little for the answer.
func (c *Client) disconnect() {
	c.mu.Lock()
	c.link.peer.Disconnect(0)
	c.link.flush()
	c.mu.Unlock()
	// The only error that matters is that the connection has ended.
	_ = c.until(context.Background(), farewellFor, func() bool { return c.link.down })
	c.unlink()
}

// unlink closes the socket and keeps its counts.
func (c *Client) unlink() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != nil {
		c.past.traffic(c.link.host.Stats(), c.link.sock.overflows())
		c.link.sock.close()
		c.link = nil
	}
}

// Close leaves the world and closes the connection. It waits a second at most. Further calls do nothing.
func (c *Client) Close() {
	if c.link == nil {
		return
	}
	if c.link.up && !c.link.down {
		c.kicked = false
		c.disconnect()
	}
	c.unlink()
}

// Look calls fn with what the client knows while nothing changes. It may be called from any goroutine. fn must keep
// nothing of the world and must not call the client.
func (c *Client) Look(fn func(w *World)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(&c.world)
}

// Stats returns the counts, and merges the times between two updates of one actor in the close range into gaps, and the
// round trips into trips, unless they are nil. It may be called from any goroutine, also after Close.
func (c *Client) Stats(gaps, trips *hdrhistogram.Histogram) Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	if gaps != nil {
		gaps.Merge(c.gaps)
	}
	if trips != nil {
		trips.Merge(c.trips)
	}
	return c.countsSoFar()
}

func (c *Client) countsSoFar() Counts {
	n := c.counts
	now := c.trafficSoFar()
	n.addTraffic(&now)
	n.untraffic(&c.base)
	return n
}

// FirstBad is the first message that could not be read, nil if all could.
func (c *Client) FirstBad() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.firstBad
}

// ResetStats begins all counts and histograms anew and returns the counts so far. It may be called from any goroutine.
func (c *Client) ResetStats() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.countsSoFar()
	c.counts, c.base = Counts{}, c.trafficSoFar()
	c.gaps.Reset()
	c.trips.Reset()
	return n
}

// trafficSoFar is that of all links since the client was made.
func (c *Client) trafficSoFar() Counts {
	n := c.past
	if c.link != nil {
		n.traffic(c.link.host.Stats(), c.link.sock.overflows())
	}
	return n
}
