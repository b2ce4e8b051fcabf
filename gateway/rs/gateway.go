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

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/telemetry"
)

// DefaultPort is the TCP port of the first world of RuneScape servers.
const DefaultPort = 43594

// Defaults of Options.
const (
	defaultMaxConns     = 5000                   // default of Options.MaxConns; chosen for 2,000 players with a cache connection each, and logins
	defaultMaxWaiting   = 2048                   // default of Options.MaxWaiting; chosen for 1,000 players that log in at once, with two connections each
	defaultConnsPerAddr = 100                    // default of Options.ConnsPerAddr; chosen for 30 players, each with a cache connection and a lost connection
	feedDepth           = 64                     // number of frames per area by which a worker may fall behind: 3.2 s at 20 ticks/s
	acceptPause         = 5 * time.Millisecond   // pause after an error of Accept
	closeTimeout        = 300 * time.Millisecond // maximum time to write the last bytes to clients when the server stops
)

// Options configures a Gateway. The field Key is required; the other fields have defaults.
type Options struct {
	Addr          string             // TCP address to listen on, HOST:PORT; empty selects all interfaces at DefaultPort, port 0 any free port
	Listener      net.Listener       // open socket from Bind, which Gateway closes; if nil, Listen opens Addr
	Key           *proto.PrivateKey  // RSA key that decrypts logins, from LoadKey
	Log           *slog.Logger       // logger; nil selects slog.Default()
	Metrics       *telemetry.Metrics // metrics to count in; nil selects metrics that are not exported
	Workers       int                // number of goroutines that own players; 0 selects one per core, at most 8
	MaxConns      int                // maximum number of connections; 0 selects 5000
	MaxWaiting    int                // maximum number of connections that are not logged in; 0 selects 2048
	ConnsPerAddr  int                // maximum number of connections per address, except loopback; 0 selects 100
	LimitLoopback bool               // apply ConnsPerAddr also to loopback addresses

	Appearance appearance.RuneScape // how clients draw the world
	// LiveAppearance returns the table that says how clients draw actors. A reload of the world file replaces it. If
	// LiveAppearance is nil, the table is always that in the field Appearance.
	LiveAppearance func() *appearance.RuneScape

	Register    bool    // a login with an unknown name creates an account, if the world allows new accounts
	JS5Upstream string  // HOST:PORT of the operator's cache server; if empty, cache connections are refused
	MapKeys     MapKeys // keys of the clients' maps; nil if the maps are not encrypted
	RecordDir   string  // folder in which the packets to each client are recorded, one file per login; empty disables recording
}

func (o *Options) fill() {
	gateway.FillOptions(&o.Log, &o.Metrics, &o.Workers)
	if o.LiveAppearance == nil {
		fixed := o.Appearance
		o.LiveAppearance = func() *appearance.RuneScape { return &fixed }
	}
	if o.MaxConns <= 0 {
		o.MaxConns = defaultMaxConns
	}
	if o.MaxWaiting <= 0 {
		o.MaxWaiting = defaultMaxWaiting
	}
	if o.ConnsPerAddr <= 0 {
		o.ConnsPerAddr = defaultConnsPerAddr
	}
}

// Gateway serves RuneScape clients on one TCP socket. Its exported methods are safe for concurrent use.
type Gateway struct {
	opt        Options
	hub        *session.Hub
	world      area.Host
	log        *slog.Logger
	door       *telemetry.DoorMetrics
	listener   net.Listener
	workers    []*worker
	connSerial atomic.Uint64 // number of connections since the start, from which their serial numbers are taken
	nextWorker atomic.Uint32 // selects the worker of the next player, round-robin

	skipBacklog int                                                      // number of queued bytes above which a client is not sent a cycle
	refuseWait  time.Duration                                            // maximum time for which input of a refused client is read and discarded
	dial        func(ctx context.Context, addr string) (net.Conn, error) // connects to the cache server

	places *admission.Places
	hidden map[uint16]bool // templates whose actors are not displayed; read-only

	mu     sync.Mutex
	conns  map[net.Conn]struct{}
	closed bool // new connections are closed

	players playerTable // players of this gateway by account, for clients that reconnect
}

// Bind opens the TCP socket of a gateway, for Options.Listener. An empty addr selects all interfaces at DefaultPort. Errors
// name the address and say how to fix the problem.
func Bind(addr string) (net.Listener, error) { return bind(gateway.SocketOpener{}, addr) }

func bind(s gateway.SocketOpener, addr string) (net.Listener, error) {
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
	return nil, gateway.ListenError("rs", addr+"/tcp", err)
}

// Listen returns a gateway. It uses the socket Options.Listener; if that is nil, it opens a socket at Options.Addr, with
// the errors of Bind. The caller starts the gateway with Run.
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
		listener: o.Listener, conns: map[net.Conn]struct{}{},
		players: newPlayerTable(), skipBacklog: skipBacklogBytes, refuseWait: refuseTimeout, dial: dialTCP,
		hidden: hiddenTemplates(world.Def(), o.LiveAppearance()),
	}
	g.places = gateway.NewPlaces("rs", admission.PlaceLimits{
		Connections: o.MaxConns, PerAddr: o.ConnsPerAddr, Waiting: o.MaxWaiting, LimitLoopback: o.LimitLoopback,
	}, hub.Gate())
	for range o.Workers {
		g.workers = append(g.workers, newWorker(g))
	}
	return g, nil
}

// Addr returns the address of the socket. If the configured port was 0, the result has the port that the system chose.
func (g *Gateway) Addr() netip.AddrPort { return g.listener.Addr().(*net.TCPAddr).AddrPort() }

// Run serves clients until ctx ends or the world stops. It then logs out all clients and closes the socket. If a worker
// panics, Run returns an error; the world continues, so the caller can still stop it and save all players.
func (g *Gateway) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers, conns sync.WaitGroup
	broken := make(chan error, len(g.workers))
	for _, w := range g.workers {
		workers.Go(func() {
			defer cancel() // workers end when the world stops, even if ctx has not ended
			if err := w.run(ctx); err != nil {
				broken <- err
			}
		})
	}
	accepted := make(chan struct{})
	go func() { defer close(accepted); g.accept(ctx, &conns) }()
	<-ctx.Done()
	g.listener.Close()
	<-accepted
	workers.Wait() // workers log out their players when they end
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
	select {
	case err := <-broken:
		return err
	default:
		return nil
	}
}

// accept accepts connections until the listener is closed.
func (g *Gateway) accept(ctx context.Context, conns *sync.WaitGroup) {
	for {
		c, err := g.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // the process has no file descriptor left, or the client has already closed the connection
			g.door.Bad.With("accept").Inc()
			time.Sleep(acceptPause)
			continue
		}
		place := g.admitConn(c)
		if place == nil {
			c.Close()
			continue
		}
		conns.Go(func() {
			defer g.closeConn(c, place)
			defer gateway.RecoverPanic(g.door, g.log)
			g.serveConn(ctx, c, place)
		})
	}
}

// admitConn takes a place for a new connection from Gateway.places, which limits the number of connections. It returns nil if no
// place is free or the gateway is closed.
func (g *Gateway) admitConn(c net.Conn) *admission.Place {
	place, ok := g.places.EnterConn(c, func() {
		g.door.Bad.With("gave_way").Inc()
		c.Close()
	})
	if !ok {
		g.door.Bad.With("full").Inc()
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		place.Leave()
		return nil
	}
	g.conns[c] = struct{}{}
	return place
}

// closeConn closes a connection and releases its place.
func (g *Gateway) closeConn(c net.Conn, place *admission.Place) {
	c.Close()
	place.Leave()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

// closeAllConns closes every connection. From then on, new connections are refused.
func (g *Gateway) closeAllConns() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	for c := range g.conns {
		c.Close()
	}
}

// limitAddr returns the client's address in the form to which limits per address apply (see admission.AddrOf).
func limitAddr(c net.Conn) netip.Addr {
	at, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return admission.AddrOf(at.AddrPort().Addr())
}
