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
	tickInterval      = 50 * time.Millisecond  // interval of local movement, behaviour and ENet timers, equal to the frame time of a slow client
	minReadTime       = time.Millisecond       // minimum time to read received datagrams before a late tick
	connectTimeout    = 5 * time.Second        // maximum wait for a connection, as in known clients (docs/wire/rcce.md 4)
	disconnectTimeout = time.Second            // maximum wait for the acknowledgement of DISCONNECT, as in known clients (docs/wire/rcce.md 4)
	reconnectPause    = 300 * time.Millisecond // pause between two connections, as in known clients (docs/wire/rcce.md 4)
)

// Options configures a Client. Only User and Password are required.
type Options struct {
	User, Password string // name and password of the account
	Email          string // e-mail address for a new account; default USER@example.com
	Character      string // name of the character that Join creates if the account has none; default User
	Template       uint16 // actor template of that character; if the server refuses the template, the next few are tried

	SameConnection bool   // enter the world on the connection of the login; known clients open a second connection for this
	GRO            bool   // let the kernel coalesce datagrams that arrive together (Linux)
	Seed           uint64 // seed of the behaviour's random numbers and of ENet's session ids; 0 selects a random seed

	// Indices of two attributes in the server's RealmCrafter project, the data that defines a game. A game client reads them from
	// its data files.
	HealthAttribute int // index of the health attribute
	SpeedAttribute  int // index of the speed attribute; 0 selects 4, as in RealmCrafter's default project

	// Dial opens the client's connections: network is "udp", addr the server's IP address and port. Read of the connection
	// returns one datagram, Write sends one. If Dial is nil, the client uses sockets of the operating system.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Chat func(text string) // function to call for each line of chat, in the client's goroutine; it must not call methods of the client

	// Packet is called for every packet that could be parsed, except StandardUpdates, in the goroutine that calls the client's
	// methods. The client has already applied the packet to its world. Packet must not call the client.
	Packet func(p proto.Packet)
}

// Errors that Dial and the methods of Client return, besides errors of the context and of the network.
var (
	ErrNoServer = errors.New("no server listens on this address") // the server's UDP port is closed
	ErrNoAnswer = errors.New("the server did not answer in time") // the server did not answer CONNECT or a request in time
	ErrKicked   = errors.New("the server has kicked the player")  // the server sent KickedPlayer
)

// LostError reports that the connection ended although Close was not called.
type LostError struct{ Reason enet.DisconnectReason } // why ENet ended the connection

// Error returns the reason for which ENet ended the connection.
func (e *LostError) Error() string { return "ENet connection lost: " + e.Reason.String() }

// Client is one player. The package comment says which goroutines may use it.
type Client struct {
	server netip.AddrPort
	opt    Options
	hash   string // MD5 of the password in hexadecimal, as sent
	rng    *rand.Rand
	tick   time.Time // time of the next tick

	mu            sync.Mutex // guards the fields below; only the owner's goroutine writes them
	link          *link      // current connection; nil while there is none
	world         World
	body          localBody
	play          Behaviour // behaviour of the running Play; nil if none runs
	counts        Counts
	closedTraffic Counts                  // traffic of closed connections
	baseTraffic   Counts                  // traffic before the last ResetStats
	gaps          *hdrhistogram.Histogram // histogram of the intervals between updates of an actor
	trips         *hdrhistogram.Histogram // histogram of the round-trip times of the connection
	firstBad      error                   // error of the first message that could not be parsed

	expect    func(proto.Packet) bool // reports whether a packet is the awaited answer; nil while no answer is awaited
	answered  bool                    // the awaited answer has arrived
	kicked    bool                    // the server has sent KickedPlayer
	mayBeWarp bool                    // the last packet moved the own actor: a warp if the next packet turns the actor, else a correction
	lastHit   uint16                  // target of the last own attack that hit or missed; 0 after LastHit was called
	scratch   []byte                  // buffer for the message to send
}

// Dial connects to the server at addr (HOST:PORT). Errors wrap ErrNoServer, ErrNoAnswer or a network error, or report invalid
// options.
func Dial(ctx context.Context, addr string, o Options) (*Client, error) {
	at, err := net.ResolveUDPAddr("udp", addr)
	if err != nil {
		return nil, fmt.Errorf("resolve the server address %q: %w", addr, err)
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
		return nil, fmt.Errorf("Options.HealthAttribute is %d and Options.SpeedAttribute is %d; both must be 0..%d",
			o.HealthAttribute, o.SpeedAttribute, proto.AttributeCount-1)
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
	c.tick = time.Now().Add(time.Duration(c.rng.Int64N(int64(tickInterval)))) // spreads the ticks of many clients
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// connect opens an ENet connection and sends NewClient, the first packet on a connection.
func (c *Client) connect(ctx context.Context) error {
	l, err := openLink(ctx, c.server, &c.opt, c.rng.Uint64())
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	l.message = c.handleMessage
	l.trip = func(d time.Duration) { record(c.trips, d) }
	c.mu.Lock()
	c.link = l
	c.mu.Unlock()
	if err := c.runUntil(ctx, connectTimeout, func() bool { return l.up }); err != nil {
		c.closeLink()
		return fmt.Errorf("connect: %w", err)
	}
	return c.send(proto.NewClient{})
}

// runUntil sends and receives until the function done returns true. If that takes longer than limit, it returns ErrNoAnswer.
func (c *Client) runUntil(ctx context.Context, limit time.Duration, done func() bool) error {
	for end := time.Now().Add(limit); !done(); {
		if time.Now().After(end) {
			return ErrNoAnswer
		}
		if err := c.pump(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pump waits until datagrams arrive or a tick is due. It then handles the datagrams, runs the tick and sends what is queued.
func (c *Client) pump(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// If the tick is already due, wait at least minReadTime: a read whose deadline has passed returns nothing, not even datagrams
	// that have arrived.
	until := c.tick
	if now := time.Now(); until.Before(now) {
		until = now.Add(minReadTime)
	}
	if err := c.link.wait(until); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link.serve()
	if now := time.Now(); !now.Before(c.tick) {
		if c.tick = c.tick.Add(tickInterval); c.tick.Before(now) {
			c.tick = now.Add(tickInterval) // the client is late by a tick or more: the missed ticks are skipped
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

// send queues a reliable packet and sends everything that is queued.
func (c *Client) send(p proto.Packet) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.queue(p)
	c.link.flush()
	return err
}

// queue queues a reliable packet, which the next flush sends. c.mu must be held.
func (c *Client) queue(p proto.Packet) error {
	c.scratch = p.Append(c.scratch[:0])
	return c.link.peer.Send(channelReliable, c.scratch)
}

// request sends the packet p. It then waits for the first packet for which the function answer returns true, at most for the
// duration within.
func (c *Client) request(ctx context.Context, p proto.Packet, within time.Duration, answer func(proto.Packet) bool) error {
	c.mu.Lock()
	c.expect, c.answered = answer, false
	c.mu.Unlock()
	asked := time.Now()
	err := c.send(p)
	if err == nil {
		err = c.runUntil(ctx, within, func() bool { return c.answered })
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expect = nil
	if err == nil && time.Since(asked) > lateAnswer {
		c.counts.Late++
	}
	return err
}

// disconnect asks the server to end the connection. It waits until the server has acknowledged this, at most disconnectTimeout.
func (c *Client) disconnect() {
	c.mu.Lock()
	c.link.peer.Disconnect(0)
	c.link.flush()
	c.mu.Unlock()
	// The error is ignored: it means that the connection has ended, as intended.
	_ = c.runUntil(context.Background(), disconnectTimeout, func() bool { return c.link.down })
	c.closeLink()
}

// closeLink closes the connection's socket, and adds the connection's traffic counters to closedTraffic.
func (c *Client) closeLink() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != nil {
		c.closedTraffic.addHostStats(c.link.host.Stats(), c.link.sock.overflows())
		c.link.sock.close()
		c.link = nil
	}
}

// Close logs the player out and closes the connection. It blocks for at most one second. Further calls do nothing.
func (c *Client) Close() {
	if c.link == nil {
		return
	}
	if c.link.up && !c.link.down {
		c.kicked = false
		c.disconnect()
	}
	c.closeLink()
}

// Inspect locks the client's world and calls fn with it. It may be called from any goroutine. fn must not keep references to the
// world and must not call the client.
func (c *Client) Inspect(fn func(w *World)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fn(&c.world)
}

// Stats returns the counters since Dial or the last ResetStats. If gaps is not nil, Stats adds to it the intervals between
// updates of the same actor, for actors within 480 units. If trips is not nil, Stats adds the round-trip times to it. Stats may
// be called from any goroutine, also after Close.
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
	n.subtractTraffic(&c.baseTraffic)
	return n
}

// FirstParseError returns the error of the first message that could not be parsed, or nil.
func (c *Client) FirstParseError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.firstBad
}

// ResetStats returns the counters and then resets all counters and histograms. It may be called from any goroutine.
func (c *Client) ResetStats() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.countsSoFar()
	c.counts, c.baseTraffic = Counts{}, c.trafficSoFar()
	c.gaps.Reset()
	c.trips.Reset()
	return n
}

// trafficSoFar returns the traffic counters since Dial, summed over all connections.
func (c *Client) trafficSoFar() Counts {
	n := c.closedTraffic
	if c.link != nil {
		n.addHostStats(c.link.host.Stats(), c.link.sock.overflows())
	}
	return n
}
