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

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// DefaultPort is the UDP port of Bedrock servers.
const DefaultPort = 19132

// Defaults and limits of Options.
const (
	defaultMaxPlayers    = 1000
	defaultRadius        = 8 // default of Options.Radius, in chunks
	defaultName          = "Truestep"
	feedDepth            = 64          // number of frames per area by which a worker may fall behind: 3.2 s at 20 ticks/s
	inboxDepth           = 8192        // maximum number of datagrams queued for a worker; further datagrams are dropped
	maxCalls             = 64          // maximum number of concurrent blocking calls of one worker
	defaultMaxLoginBytes = 64 << 20    // maximum size in bytes of all logins being verified at the same time; about 100 logins of 0.6 MB
	pongInterval         = time.Second // interval between updates of the server's entry in the clients' server list
)

// Options configures a Gateway. The zero value is usable.
type Options struct {
	Addr       string              // UDP address to listen on, HOST:PORT; "" selects all interfaces at DefaultPort, port 0 any free port
	Conn       gateway.Conn        // open socket from Bind, which Gateway closes; if nil, Listen opens Addr
	Log        *slog.Logger        // logger; nil selects slog.Default()
	Metrics    *telemetry.Metrics  // metrics to count in; nil selects metrics that are not exported
	Policy     *interest.Policy    // interest policy: which actors clients are sent, and how often; nil selects InterestPolicy for Radius
	SendBudget *gateway.SendBudget // memory limit of send queues, shared with other doors; nil selects a limit for this gateway alone
	Workers    int                 // number of goroutines that own connections; 0 selects one per core, at most 8
	MaxPlayers int                 // maximum number of players; 0 selects 1000
	Radius     int                 // largest view distance in chunks that a client may request; 0 selects 8
	Name       string              // name in the clients' server list; "" selects Truestep
	NoCookies  bool                // admit clients without support for RakNet cookies; forged source addresses then cost memory
	PerAddr    int                 // maximum number of connections per address, except loopback; 0 selects 128
	Online     bool                // admit only logins that Mojang's service has signed
	Keys       *auth.XboxKeys      // keys of the service that signs logins; if nil, Online refuses all logins
	Appearance appearance.Bedrock  // how templates, items and projectiles of the world are displayed
	KeyLog     io.Writer           // receives the key of each session, for decoding captures; nil disables the log
}

// Gateway serves the clients of one socket. Its exported methods are safe for concurrent use.
type Gateway struct {
	opt             Options
	hub             *session.Hub
	world           area.Host
	log             *slog.Logger
	door            *telemetry.DoorMetrics
	sock            *gateway.Socket
	key             *ecdsa.PrivateKey // the server's key in the encryption handshake
	guid            uint64            // random id of this server for RakNet
	workers         []*worker
	started         time.Time
	serial          atomic.Uint64                 // number of connections since the start, from which their serial numbers are taken
	players         atomic.Int64                  // number of logged-in players
	maxLoginBytes   int64                         // limit of loginBytes
	loginBytes      atomic.Int64                  // size of the logins that are being verified, in bytes
	verifying       *admission.Queue              // limits the concurrent verifications of logins
	invalidLogins   *admission.Window[netip.Addr] // number of invalid logins per address
	schedule        interest.Schedule             // determines when a client's update is due
	accounts        *accountTable
	places          *admission.Places
	keyLog          *keyLog
	appearanceTable *appearanceTable
	notices         telemetry.Notices // rate limit of log lines about client faults
	farewellWait    time.Duration     // maximum wait until clients acknowledge the final message
}

// Bind opens the UDP socket of a gateway, for Options.Conn. An empty addr selects all interfaces at DefaultPort. Errors
// name the address and say how to fix the problem.
func Bind(addr string) (*net.UDPConn, error) {
	return gateway.BindUDP("bedrock", addr, DefaultPort)
}

// Listen returns a gateway. It uses the socket Options.Conn; if that is nil, it opens a socket at Options.Addr, with the
// errors of Bind. The caller starts the gateway with Run.
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

// newGateway returns a gateway without a socket. The caller passes received datagrams to dispatch; each worker sends datagrams
// by calling the function in its field write.
func newGateway(hub *session.Hub, world area.Host, o Options) (*Gateway, error) {
	o.fill(world.Def())
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("bedrock: generate the server's P-384 key pair: %w", err)
	}
	g := &Gateway{
		opt: o, hub: hub, world: world, log: o.Log.With("door", "bedrock"), door: o.Metrics.Door("bedrock"),
		key: key, started: time.Now(), accounts: newAccountTable(), keyLog: newKeyLog(o.KeyLog),
		appearanceTable: newAppearanceTable(world.Def(), &o.Appearance),
		places:          gateway.NewPlaces("bedrock", admission.PlaceLimits{Connections: o.MaxPlayers + spareSessions, PerAddr: o.PerAddr}, hub.Gate()),
		schedule:        interest.NewSchedule(o.Policy, world.Def().TicksPerSecond),
		maxLoginBytes:   defaultMaxLoginBytes,
		farewellWait:    defaultFarewellWait,
		verifying:       newVerifyQueue(hub.Gate()),
		invalidLogins:   admission.NewWindow[netip.Addr](invalidLoginTime, maxInvalidLogins),
	}
	var guid [8]byte
	rand.Read(guid[:]) // Read never fails
	g.guid = binary.BigEndian.Uint64(guid[:])
	for _, send := range o.SendBudget.Register(o.Workers, g.door.SendQueue) {
		g.workers = append(g.workers, newWorker(g, send))
	}
	return g, nil
}

func (o *Options) fill(w *sim.World) {
	gateway.FillOptions(&o.Log, &o.Metrics, &o.Workers)
	if o.SendBudget == nil {
		o.SendBudget = gateway.NewSendBudget(gateway.DefaultSendBudget)
	}
	if o.MaxPlayers <= 0 {
		o.MaxPlayers = defaultMaxPlayers
	}
	if o.PerAddr == 0 {
		o.PerAddr = defaultPerAddress
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

// Limits of Gateway.invalidLogins, which counts for each network address the logins that failed the verification.
const (
	invalidLoginTime = time.Minute // time for which an invalid login is counted
	maxInvalidLogins = 1 << 16     // maximum number of addresses, each with an entry of about 100 bytes
)

// newVerifyQueue returns the queue in which logins wait for the verification of their signatures. At most half of the CPU
// cores verify logins, so that a flood of logins leaves cores for the areas.
func newVerifyQueue(gate *admission.Gate) *admission.Queue {
	return admission.NewQueue(admission.QueueLimits{Slots: max(1, runtime.GOMAXPROCS(0)/2)}, gate)
}

// Addr returns the address of the socket, with the port that the system chose.
func (g *Gateway) Addr() netip.AddrPort { return g.sock.AddrPort() }

// nowMS returns the time in ms since the gateway was created.
func (g *Gateway) nowMS() int64 { return time.Since(g.started).Milliseconds() }

// Run serves clients until ctx ends or the world stops. It then disconnects all clients and closes the socket. If a worker
// panics, Run returns an error; the world continues, so the caller can still save all players.
func (g *Gateway) Run(ctx context.Context) error {
	if g.opt.Online && g.opt.Keys == nil {
		g.log.Warn("all logins are refused: online mode has no keys to verify them; set bedrock-jwks")
	}
	if !g.opt.Online {
		g.log.Warn("logins are not verified: a client may claim any name; use online mode for players you do not know")
	}
	workers := make([]func(context.Context) error, len(g.workers))
	for i, w := range g.workers {
		workers[i] = w.serve
	}
	return gateway.Serve(ctx, g.sock, g.door, g.dispatch, workers)
}

// dispatch passes a datagram to a worker. All datagrams from one address and port go to the same worker.
func (g *Gateway) dispatch(d *gateway.Datagram) {
	w := g.workers[gateway.HashAddr(d.From)%uint32(len(g.workers))]
	gateway.Offer(w.in, d, g.door)
}
