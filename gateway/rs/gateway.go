package rs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/telemetry"
)

// DefaultPort is the port of the first world of such games. TCP.
const DefaultPort = 43594

// Defaults of Options.
const (
	defaultMaxConns     = 5000 // guess: a full world of 2,000 with a cache connection each, and those who log in
	defaultConnsPerAddr = 50   // guess: a school or a café behind one address
	feedDepth           = 64   // frames per area that a worker may be behind: 3.2 s at 20 ticks/s
	acceptPause         = 5 * time.Millisecond
	closeTimeout        = 300 * time.Millisecond // for the last bytes to clients when the server stops
)

// Options of a Gateway. Key is required; otherwise the zero value is usable.
type Options struct {
	Addr          string             // host:port, TCP; "" = all interfaces at DefaultPort. Port 0 picks one
	Listener      net.Listener       // open socket (Bind), the gateway's from then on; nil: Listen opens Addr
	Key           *proto.PrivateKey  // of the login (LoadKey)
	Log           *slog.Logger       // nil: slog.Default()
	Metrics       *telemetry.Metrics // nil: counted, but nobody sees it
	Workers       int                // goroutines that encode; 0: one per core, at most 8
	MaxConns      int                // connections at once; 0: 5000
	ConnsPerAddr  int                // connections from one address, loopback apart; 0: 50
	LimitLoopback bool               // count loopback too

	Register    bool    // a login with a name that nobody has makes the account, if the world lets newcomers in
	JS5Upstream string  // host:port of the operator's cache server; "": such connections are refused
	MapKeys     MapKeys // of the client's maps; nil: all zero
	RecordDir   string  // where what each client is sent is written down, a file for each login; "": nowhere
}

func (o *Options) fill() {
	gateway.FillOptions(&o.Log, &o.Metrics, &o.Workers)
	if o.MaxConns <= 0 {
		o.MaxConns = defaultMaxConns
	}
	if o.ConnsPerAddr <= 0 {
		o.ConnsPerAddr = defaultConnsPerAddr
	}
}

// Gateway is the open door. Its exported methods are safe for concurrent use.
type Gateway struct {
	opt        Options
	hub        *session.Hub
	world      area.Host
	log        *slog.Logger
	door       *telemetry.Door
	listener   net.Listener
	workers    []*worker
	connSerial atomic.Uint64 // of connections
	nextWorker atomic.Uint32 // worker that gets the next player

	skipBacklog int                                                      // bytes that may wait for a client before it misses a cycle
	refuseWait  time.Duration                                            // for which one who is turned away may still talk
	dial        func(ctx context.Context, addr string) (net.Conn, error) // to the cache server

	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	addrs  map[netip.Addr]int
	closed bool

	players playerTable // who is in the world through this door, for those who come back
}

// Bind opens the TCP socket of a gateway, for Options.Listener. "" is all interfaces at DefaultPort. Errors name the
// address and what to do.
func Bind(addr string) (net.Listener, error) { return bind(gateway.Sockets{}, addr) }

func bind(s gateway.Sockets, addr string) (net.Listener, error) {
	if addr == "" {
		addr = fmt.Sprintf(":%d", DefaultPort)
	}
	l, err := s.Listen(addr)
	if err == nil {
		return l, nil
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err
	}
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		return nil, fmt.Errorf("rs: address %q: %s; give it as host:port, for example 127.0.0.1:43594", addr, bad.Err)
	}
	return nil, fmt.Errorf("rs: cannot listen on %s/tcp: %w; another program may have the port: choose one with --rs HOST:PORT, or 0 as port for any", addr, err)
}

// Listen opens the socket, unless Options.Listener is one. Run serves it. Errors are those of Bind.
func Listen(hub *session.Hub, world area.Host, o Options) (*Gateway, error) {
	if o.Listener == nil {
		l, err := Bind(o.Addr)
		if err != nil {
			return nil, err
		}
		o.Listener = l
	}
	o.fill()
	g := &Gateway{
		opt: o, hub: hub, world: world, log: o.Log.With("door", "rs"), door: o.Metrics.Door("rs"),
		listener: o.Listener, conns: map[net.Conn]struct{}{}, addrs: map[netip.Addr]int{},
		players: newPlayers(), skipBacklog: skipBacklogBytes, refuseWait: refuseTimeout, dial: dialTCP,
	}
	for range o.Workers {
		g.workers = append(g.workers, newWorker(g))
	}
	return g, nil
}

// Addr is where the door is open; the port is the real one.
func (g *Gateway) Addr() netip.AddrPort { return g.listener.Addr().(*net.TCPAddr).AddrPort() }

// Run serves until ctx ends or the world stops, then logs every client out and closes the socket. It also ends, with an
// error, when a worker panics: the world is whole then, and whoever stops it saves everybody.
func (g *Gateway) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers, conns sync.WaitGroup
	broken := make(chan error, len(g.workers))
	for _, w := range g.workers {
		workers.Go(func() {
			defer cancel() // a worker ends when the world does
			if err := w.run(ctx); err != nil {
				broken <- err
			}
		})
	}
	accepted := make(chan error, 1)
	go func() { accepted <- g.accept(ctx, &conns) }()
	<-ctx.Done()
	g.listener.Close()
	err := <-accepted
	workers.Wait() // they say good-bye
	gone := make(chan struct{})
	go func() {
		conns.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(closeTimeout):
	}
	g.closeAllConns()
	<-gone
	if !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("rs: accept: %w", err)
	}
	select {
	case err := <-broken:
		return err
	default:
		return nil
	}
}

// accept takes connections until the listener is closed.
func (g *Gateway) accept(ctx context.Context, conns *sync.WaitGroup) error {
	for {
		c, err := g.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return err
		}
		if err != nil { // out of descriptors, or the client has gone already
			g.door.Bad.With("accept").Inc()
			time.Sleep(acceptPause)
			continue
		}
		if why := g.admitConn(c); why != "" {
			g.door.Bad.With(why).Inc()
			c.Close()
			continue
		}
		conns.Go(func() {
			defer g.closeConn(c)
			defer g.recoverPanic()
			g.serveConn(ctx, c)
		})
	}
}

// admit counts a connection in, or says why not.
func (g *Gateway) admitConn(c net.Conn) (why string) {
	addr := limitAddr(c)
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return "closing"
	case len(g.conns) >= g.opt.MaxConns:
		return "full"
	case g.addrs[addr] >= g.opt.ConnsPerAddr && (g.opt.LimitLoopback || !addr.IsLoopback()):
		return "too_many_from_address"
	}
	g.conns[c] = struct{}{}
	g.addrs[addr]++
	return ""
}

// dismiss closes a connection and counts it out.
func (g *Gateway) closeConn(c net.Conn) {
	c.Close()
	addr := limitAddr(c)
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
	if g.addrs[addr]--; g.addrs[addr] <= 0 {
		delete(g.addrs, addr)
	}
}

// guard keeps a panic about one connection from ending the process. It must be deferred.
func (g *Gateway) recoverPanic() {
	if v := recover(); v != nil {
		g.door.Bad.With("panic").Inc()
		gateway.LogPanic(g.log, "a connection broke", v)
	}
}

// hangUp closes every connection.
func (g *Gateway) closeAllConns() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for c := range g.conns {
		c.Close()
	}
}

// addrOf is the address of the other end for limits per address; see session.Network.
func limitAddr(c net.Conn) netip.Addr {
	at, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return session.Network(at.AddrPort().Addr())
}
