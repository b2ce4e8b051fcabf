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

// DefaultPort is the UDP port of the door unless the settings or the RealmCrafter project name another one.
const DefaultPort = 25000

// Defaults of Options, and lengths of a worker's queues.
const (
	defaultMaxPeers     = 5000 // default of Options.MaxPeers, as in the RealmCrafter server's ENet host
	defaultPeersPerAddr = 128  // default of Options.PeersPerAddr; chosen for 30 players, each with two connections and some dead connections
	feedDepth           = 64   // number of frames per area by which a worker may fall behind: 3.2 s at 20 ticks/s
	inboxDepth          = 8192 // maximum number of datagrams queued for a worker; further datagrams are dropped
)

// Options configures a Gateway. The zero value is usable.
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
	// LiveAppearance returns the tables with which clients display the world's actors: models, animations and sounds. A reload of the
	// world file replaces them. If LiveAppearance is nil, the tables are those in the field Appearance.
	LiveAppearance func() *appearance.RealmCrafter
}

// Gateway serves RealmCrafter clients on one UDP socket. Its exported methods are safe for concurrent use.
type Gateway struct {
	opt        Options
	hub        *session.Hub
	world      area.Host
	log        *slog.Logger
	door       *telemetry.DoorMetrics
	sock       *gateway.Socket
	ids        *runtimeIDs
	sheets     sheets
	menus      menus
	places     *admission.Places
	catalogue  atomic.Pointer[catalogue] // catalogue of the present world or of an earlier one; see currentCatalogue
	workers    []*worker
	started    time.Time
	connSerial atomic.Uint64     // number of connections since the start, from which their serial numbers are taken
	schedule   interest.Schedule // determines when a client's update is due
}

// Bind opens the UDP socket of a gateway, to be passed as Options.Conn. An empty addr selects all interfaces and DefaultPort.
// Errors name the address and say how to fix the problem.
func Bind(addr string) (*net.UDPConn, error) {
	return gateway.BindUDP("rcce", addr, DefaultPort)
}

// Listen returns a gateway. It uses the socket Options.Conn; if that is nil, it opens a socket at Options.Addr, with the errors
// of Bind. The caller starts the gateway with Run.
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

// newGateway returns a gateway without a socket. The caller passes received datagrams to dispatch. Workers send datagrams with
// the function in their field emit.
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
	if o.LiveAppearance == nil {
		fixed := o.Appearance
		o.LiveAppearance = func() *appearance.RealmCrafter { return &fixed }
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

// Addr returns the address of the socket, with the port that the system chose if port 0 was requested.
func (g *Gateway) Addr() netip.AddrPort { return g.sock.AddrPort() }

// now returns the time in ms since the gateway was created. It is the clock of the gateway's ENet hosts.
func (g *Gateway) now() uint32 { return uint32(time.Since(g.started).Milliseconds()) }

// Run serves clients until ctx ends or the world stops. It then disconnects all clients and closes the socket. If a worker
// panics, Run returns an error. The world continues in this case, so that the caller can stop it and save all players.
func (g *Gateway) Run(ctx context.Context) error {
	workers := make([]func(context.Context) error, len(g.workers))
	for i, w := range g.workers {
		workers[i] = w.run
	}
	return gateway.Serve(ctx, g.sock, g.door, g.dispatch, workers)
}

// dispatch passes a datagram to the worker that owns the connection. The peer id in the datagram determines the worker. A
// request for a new connection has no peer id yet; a hash of the sender's address selects the worker for it.
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
