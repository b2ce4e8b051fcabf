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

// DefaultPort is the UDP port of RealmCrafter servers whose project does not set another one.
const DefaultPort = 25000

// Defaults of Options.
const (
	defaultMaxPeers     = 5000 // default of Options.MaxPeers, as in the RealmCrafter server's ENet host
	defaultPeersPerAddr = 128  // default of Options.PeersPerAddr; guess: 30 players behind one address with two connections each, and some dead connections
	feedDepth           = 64   // number of frames per area by which a worker may fall behind: 3.2 s at 20 ticks/s
	inboxDepth          = 8192 // maximum number of datagrams queued for a worker; further ones are dropped
)

// Options of a Gateway. The zero value is usable.
type Options struct {
	Addr          string              // UDP address to listen on, HOST:PORT; empty selects all interfaces at DefaultPort, port 0 any free port
	Conn          gateway.Conn        // open socket from Bind, which Gateway closes; if nil, Listen opens Addr
	Log           *slog.Logger        // logger; nil selects slog.Default()
	Metrics       *telemetry.Metrics  // metrics to count in; nil selects metrics that are not exported
	Policy        *interest.Policy    // interest policy: which actors a client is sent, and how often; nil selects interest.OriginalPolicy
	Workers       int                 // number of goroutines that own connections; 0 selects one per core, at most 8
	MaxPeers      int                 // maximum number of connections; 0 selects 5000
	PeersPerAddr  int                 // maximum number of connections per address, except loopback; 0 selects 128
	SendBudget    *gateway.SendBudget // memory limit of send queues, shared with other doors; nil selects a limit for this gateway alone
	LimitLoopback bool                // apply PeersPerAddr also to loopback addresses

	Appearance appearance.RealmCrafter // how clients draw the world
	// Looks returns how clients draw the world now. After a reload of the world file, the function returns another table. If
	// Looks is nil, the table is always that in the field Appearance.
	Looks func() *appearance.RealmCrafter
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
	catalogue  atomic.Pointer[catalogue] // of the present world, or of an earlier one: see currentCatalogue
	workers    []*worker
	started    time.Time
	connSerial atomic.Uint64     // number of connections since the start, from which their serial numbers are taken
	schedule   interest.Schedule // determines when a client's update is due
}

// Bind opens the UDP socket of a gateway, for Options.Conn. An empty addr selects all interfaces at DefaultPort. Errors name
// the address and say how to fix the problem.
func Bind(addr string) (*net.UDPConn, error) {
	return gateway.BindUDP("rcce", addr, DefaultPort)
}

// Listen returns a gateway that uses Options.Conn, or else a socket that it opens at Options.Addr. The caller starts it with
// Run. Errors are those of Bind.
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

// newGateway returns a gateway without a socket. The caller passes received datagrams to dispatch; each worker sends datagrams
// by calling the function in its field emit.
func newGateway(hub *session.Hub, world area.Host, o Options) *Gateway {
	o.fill()
	g := &Gateway{
		opt: o, hub: hub, world: world, log: o.Log.With("door", "rcce"), door: o.Metrics.Door("rcce"),
		places: gateway.NewPlaces("rcce", admission.PlaceLimits{Connections: o.MaxPeers, PerAddr: o.PeersPerAddr, LimitLoopback: o.LimitLoopback}, hub.Gate()),
		ids:    newRuntimeIDs(), started: time.Now(),
		schedule: interest.NewSchedule(o.Policy, world.Def().TicksPerSecond),
	}
	g.currentCatalogue()
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
	if o.Looks == nil {
		fixed := o.Appearance
		o.Looks = func() *appearance.RealmCrafter { return &fixed }
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

// Addr returns the address of the socket. If the configured port was 0, the result has the port that the system chose.
func (g *Gateway) Addr() netip.AddrPort { return g.sock.AddrPort() }

// now returns the time in ms since the gateway was created. All ENet hosts of the gateway use this time.
func (g *Gateway) now() uint32 { return uint32(time.Since(g.started).Milliseconds()) }

// Run serves clients until ctx ends or the world stops. It then disconnects all clients and closes the socket. If a worker
// panics, Run returns an error; the world continues, so the caller can still stop it and save all players.
func (g *Gateway) Run(ctx context.Context) error {
	workers := make([]func(context.Context) error, len(g.workers))
	for i, w := range g.workers {
		workers[i] = w.run
	}
	return gateway.Serve(ctx, "rcce", g.sock, g.door, g.dispatch, workers)
}

// dispatch passes a datagram to the worker that owns the connection whose peer id is in the datagram's header. A datagram that
// begins a connection goes to the worker that is assigned to the sender's address.
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
