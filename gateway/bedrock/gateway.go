package bedrock

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// DefaultPort is the port of Bedrock servers. UDP.
const DefaultPort = 19132

// Defaults of Options, and bounds.
const (
	defaultMaxPlayers    = 1000
	defaultRadius        = 8 // chunks that a client may ask for
	defaultName          = "Truestep"
	maxWorkers           = 8
	feedDepth            = 64       // frames per area that a worker may be behind: 3.2 s at 20 ticks/s
	inboxDepth           = 8192     // datagrams that wait for a worker; more are dropped as the network would
	maxCalls             = 64       // blocking calls of one worker
	defaultMaxLoginBytes = 64 << 20 // bytes that the logins which are being checked may hold; a usual one has 0.6 MB   guess
	pongInterval         = time.Second
)

// Options of a Gateway. The zero value is usable.
type Options struct {
	Addr       string             // host:port, UDP; "" = all interfaces at DefaultPort. Port 0 picks one
	Conn       gateway.Conn       // open socket (Bind), owned by the gateway from Listen on; nil: Listen opens Addr
	Log        *slog.Logger       // nil: slog.Default()
	Metrics    *telemetry.Metrics // nil: counted, but nobody sees it
	Policy     *interest.Policy   // who is told about whom, how often; nil: Sight of the widest view that Radius allows
	Workers    int                // goroutines that own connections; 0: one per core, at most 8
	MaxPlayers int                // players at once; 0: 1000
	Radius     int                // chunks around a player that a client may ask for; 0: 8
	Name       string             // the server's name in the list of clients; "": Truestep
	NoCookies  bool               // let clients connect that do not know cookies; forged addresses then cost memory
	PerAddr    int                // connections from one address, loopback apart; 0: that of proto/raknet
	Online     bool               // only logins that Mojang's service vouches for
	Keys       *auth.Keys         // of that service; nil: with Online, nobody gets in
	KeyLog     io.Writer          // the key of each session, for decoding captures; nil: none
}

// Gateway is the open door. Its exported methods are safe for concurrent use.
type Gateway struct {
	opt           Options
	hub           *session.Hub
	world         area.Host
	log           *slog.Logger
	door          *telemetry.Door
	sock          *gateway.Socket
	key           *ecdsa.PrivateKey
	guid          uint64
	workers       []*worker
	started       time.Time
	serial        atomic.Uint64 // of connections
	players       atomic.Int64  // whose login is proven
	maxLoginBytes int64         // bytes that logins may hold while they are checked...
	loginBytes    atomic.Int64  // ...and hold
	verifySlots   chan struct{} // a place for each login that may be verified at a time
	schedule      interest.Schedule
	accounts      *accountTable
	keyLog        *keyLog
	appearances   *appearanceTable
	notices       telemetry.Notices // of faults of clients
	farewellWait  time.Duration     // for which clients may still take what they were told at the end
}

// Bind opens the UDP socket of a gateway, for Options.Conn. "" is all interfaces at DefaultPort. Errors name the address
// and what to do.
func Bind(addr string) (*net.UDPConn, error) {
	return gateway.BindUDP("bedrock", addr, DefaultPort)
}

// Listen opens the socket, unless Options.Conn is one. Run serves it. Errors are those of Bind.
func Listen(hub *session.Hub, world area.Host, o Options) (*Gateway, error) {
	if o.Conn == nil {
		conn, err := Bind(o.Addr)
		if err != nil {
			return nil, err
		}
		o.Conn = conn
	}
	g, err := newGateway(hub, world, o)
	if err != nil {
		o.Conn.Close()
		return nil, err
	}
	g.sock = gateway.NewSocket(o.Conn)
	for _, w := range g.workers {
		w.write = func(to netip.AddrPort, b []byte) error { return g.sock.Write(b, to, w.locals.Of(to)) }
		w.updatePong()
	}
	return g, nil
}

// newGateway is a gateway without a socket: deal takes what comes in, write of its workers what goes out.
func newGateway(hub *session.Hub, world area.Host, o Options) (*Gateway, error) {
	o.fill(world.Def())
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("bedrock: key of the server: %w", err)
	}
	g := &Gateway{
		opt: o, hub: hub, world: world, log: o.Log.With("door", "bedrock"), door: o.Metrics.Door("bedrock"),
		key: key, started: time.Now(), accounts: newAccountTable(), keyLog: newKeyLog(o.KeyLog),
		appearances:   newAppearanceTable(world.Def()),
		schedule:      interest.NewSchedule(o.Policy, world.Def().TicksPerSecond),
		maxLoginBytes: defaultMaxLoginBytes,
		farewellWait:  defaultFarewellWait,
		verifySlots:   make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), // a flood of logins leaves the areas their cores
	}
	var guid [8]byte
	rand.Read(guid[:]) // never fails
	g.guid = binary.BigEndian.Uint64(guid[:])
	for range o.Workers {
		g.workers = append(g.workers, newWorker(g))
	}
	return g, nil
}

func (o *Options) fill(w *sim.World) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.New()
	}
	if o.Workers <= 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	if o.MaxPlayers <= 0 {
		o.MaxPlayers = defaultMaxPlayers
	}
	if o.Radius <= 0 {
		o.Radius = defaultRadius
	}
	o.Radius = min(o.Radius, maxRadius)
	if o.Name == "" {
		o.Name = defaultName
	}
	if o.Policy == nil {
		p := InterestPolicy(w, o.Radius)
		o.Policy = &p
	}
}

// Addr is where the door is open; the port is the real one.
func (g *Gateway) Addr() netip.AddrPort { return g.sock.AddrPort() }

// nowMS is the clock of all connections: ms since the door opened.
func (g *Gateway) nowMS() int64 { return time.Since(g.started).Milliseconds() }

// Run serves until ctx ends or the world stops, then tells every client to go and closes the socket. It also ends, with
// an error, when a worker panics: the world is whole then, and whoever stops it saves everybody.
func (g *Gateway) Run(ctx context.Context) error {
	if g.opt.Online && g.opt.Keys == nil {
		g.log.Warn("nobody gets in: online mode is on and there are no keys to check logins with")
	}
	if !g.opt.Online {
		g.log.Warn("logins are not checked: everybody may be whoever he says he is; for players you do not know, run with online mode")
	}
	workers := make([]func(context.Context) error, len(g.workers))
	for i, w := range g.workers {
		workers[i] = w.serve
	}
	return gateway.Serve(ctx, "bedrock", g.sock, g.door, g.dispatch, workers)
}

// deal hands a datagram to a worker by the address that it comes from.
func (g *Gateway) dispatch(d *gateway.Datagram) {
	w := g.workers[gateway.HashAddr(d.From)%uint32(len(g.workers))]
	gateway.Offer(w.in, d, g.door)
}
