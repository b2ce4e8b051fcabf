package rcce

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/telemetry"
)

// DefaultPort is the UDP port of RealmCrafter servers unless their project sets another.
const DefaultPort = 25000

// Defaults of Options.
const (
	defaultMaxPeers     = 5000 // default of Options.MaxPeers, as in the RealmCrafter server's ENet host
	defaultPeersPerAddr = 128  // default of Options.PeersPerAddr; a guess: 30 players behind one address with two connections each, and some dead connections
	feedDepth           = 64   // frames per area that a worker may lag, 3.2 s at 20 ticks/s
	inboxDepth          = 8192 // maximum number of datagrams queued for a worker; further ones are dropped
)

// Options of a Gateway. The zero value is usable.
type Options struct {
	Addr          string              // UDP address to listen on, HOST:PORT; empty selects all interfaces at DefaultPort, port 0 any free port
	Conn          gateway.Conn        // open socket (Bind), owned by the gateway from Listen on; if nil, Listen opens Addr
	Log           *slog.Logger        // logger; nil selects slog.Default()
	Metrics       *telemetry.Metrics  // metrics to count in; nil selects metrics that are not exported
	Policy        *interest.Policy    // interest policy: which actors a client is sent, and how often; nil selects interest.OriginalPolicy
	Workers       int                 // number of goroutines that own connections; 0 selects one per core, at most 8
	MaxPeers      int                 // maximum number of connections; 0 selects 12800
	PeersPerAddr  int                 // maximum connections per address, except loopback; 0 selects 128
	SendBudget    *gateway.SendBudget // memory of send queues, shared with other doors; nil selects a budget of its own
	LimitLoopback bool                // apply PeersPerAddr also to loopback addresses

	Appearance appearance.RealmCrafter // how clients draw the world
}

// Gateway serves RealmCrafter clients on one UDP socket. Its exported methods are safe for concurrent use.
type Gateway struct {
	opt        Options
	hub        *session.Hub
	world      area.Host
	log        *slog.Logger
	door       *telemetry.Door
	sock       *gateway.Socket
	ids        *runtimeIDs
	places     *admission.Places
	catalogue  *catalogue
	workers    []*worker
	started    time.Time
	connSerial atomic.Uint64 // number of connections so far, used as their serial
	schedule   interest.Schedule
}

// Bind opens the UDP socket of a gateway, for Options.Conn. An empty addr selects all interfaces at DefaultPort. Errors
// name the address and a fix.
func Bind(addr string) (*net.UDPConn, error) {
	return gateway.BindUDP("rcce", addr, DefaultPort)
}

// Listen opens the socket, unless Options.Conn is set, and returns a gateway for Run. Errors are those of Bind.
func Listen(hub *session.Hub, world area.Host, o Options) (*Gateway, error) {
	if o.Conn == nil {
		conn, err := Bind(o.Addr)
		if err != nil {
			return nil, err
		}
		o.Conn = conn
	}
	g := newGateway(hub, world, o)
	g.sock = gateway.NewSocket(o.Conn)
	for _, w := range g.workers {
		w.out.sock = g.sock
	}
	return g, nil
}

// newGateway returns a gateway without a socket. Received datagrams are passed to dispatch; each worker's emit sends.
func newGateway(hub *session.Hub, world area.Host, o Options) *Gateway {
	o.fill()
	g := &Gateway{
		opt: o, hub: hub, world: world, log: o.Log.With("door", "rcce"), door: o.Metrics.Door("rcce"),
		places: gateway.NewPlaces("rcce", admission.PlaceLimits{Connections: o.MaxPeers, PerAddr: o.PeersPerAddr, LimitLoopback: o.LimitLoopback}, hub.Gate()),
		ids:    newRuntimeIDs(), catalogue: newCatalogue(world.Def(), &o.Appearance), started: time.Now(),
		schedule: interest.NewSchedule(o.Policy, world.Def().TicksPerSecond),
	}
	for i, send := range o.SendBudget.Register(o.Workers, g.door.SendQueue) {
		g.workers = append(g.workers, newWorker(g, i, send))
	}
	return g
}

func (o *Options) fill() {
	gateway.FillOptions(&o.Log, &o.Metrics, &o.Workers)
	if o.SendBudget == nil {
		o.SendBudget = gateway.NewSendBudget(gateway.DefaultSendBudget)
	}
	if o.Policy == nil {
		p := interest.OriginalPolicy()
		o.Policy = &p
	}
	if o.MaxPeers <= 0 {
		o.MaxPeers = defaultMaxPeers
	}
	if o.PeersPerAddr <= 0 {
		o.PeersPerAddr = defaultPeersPerAddr
	}
}

// Addr returns the address of the socket. Its port is the one that the system chose if the configured port was 0.
func (g *Gateway) Addr() netip.AddrPort { return g.sock.AddrPort() }

// now returns the time of all ENet hosts, in ms since the gateway was created.
func (g *Gateway) now() uint32 { return uint32(time.Since(g.started).Milliseconds()) }

// Run serves until ctx ends or the world stops, then disconnects all clients and closes the socket. If a worker panics, Run
// returns an error; the world is not affected, and stopping it saves all players.
func (g *Gateway) Run(ctx context.Context) error {
	workers := make([]func(context.Context) error, len(g.workers))
	for i, w := range g.workers {
		workers[i] = w.run
	}
	return gateway.Serve(ctx, "rcce", g.sock, g.door, g.dispatch, workers)
}

// dispatch passes a datagram to the worker selected by the peer id in its header, or by the sender's address if the datagram
// begins a connection.
func (g *Gateway) dispatch(d *gateway.Datagram) {
	id, connect, ok := enet.PeerIDOf(d.Bytes())
	if !ok {
		g.door.Bad.With("datagram").Inc()
		d.Release()
		return
	}
	w := g.workers[id%len(g.workers)]
	if connect {
		w = g.workers[gateway.HashAddr(d.From)%uint32(len(g.workers))]
	}
	gateway.Offer(w.in, d, g.door)
}
