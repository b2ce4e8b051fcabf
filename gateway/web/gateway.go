package web

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/quic-go/webtransport-go"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

// DefaultPort is the number of the web door's TCP and UDP port if the settings name no other.
const DefaultPort = 8090

// Defaults of Options, and limits that cannot be set.
const (
	defaultMaxPlayers = 1000
	defaultPerAddr    = 64
	spareConns        = 1024 // connections beyond MaxPlayers, for page requests, ticket requests and logins
	feedDepth         = 64   // number of frames per area by which a worker may fall behind: 3.2 s at 20 ticks/s
)

// errMalformed reports that a client has sent bytes that are not a valid message.
var errMalformed = errors.New("the client sent a malformed message")

// Options configures a Gateway. Listener and KeyDir are required. For the other fields, the zero value selects a default.
type Options struct {
	Listener    net.Listener       // open TCP socket, which Gateway closes
	UDP         gateway.Conn       // open UDP socket for WebTransport, which Gateway closes; nil means WebSocket only
	KeyDir      string             // folder of the file with the signing key (KeyFile)
	Log         *slog.Logger       // logger; nil selects slog.Default()
	Metrics     *telemetry.Metrics // metrics to count in; nil selects metrics that are not exported
	Workers     int                // number of goroutines that own players; 0 selects one per core, at most 8
	MaxPlayers  int                // maximum number of players; 0 selects 1000
	PerAddr     int                // maximum number of players per address, except loopback; 0 selects 64
	NoGuests    bool               // admit only players with a secret or a token
	NoRegister  bool               // do not let clients create accounts with a name and a secret
	Origins     []string           // origins, besides the door's own, whose pages may connect, such as "https://game.example"; "*" allows all
	Nodes       []string           // origins of the pages of all nodes of a cluster, whose pages may connect, too; empty for a single server
	Stalled     func() bool        // reports that logins would wait in vain, so that clients are told to try another node; nil means never
	Public      *url.URL           // URL at which browsers reach a proxy on this machine, such as "https://game.example"; nil means no proxy
	BackendKeys BackendKeys        // keys that verify tokens of the game's own backend; if empty, tokens are refused
	TLS         *tls.Config        // certificate for HTTPS and WebTransport; nil selects plain HTTP, and certificates for WebTransport that the server renews
	Policy      *interest.Policy   // interest policy: which actors clients are sent, and how often; nil selects InterestPolicy
}

// Gateway serves web clients on one TCP and one UDP socket. Its exported methods are safe for concurrent use.
type Gateway struct {
	opt      Options
	hub      *session.Hub
	world    area.Host
	log      *slog.Logger
	door     *telemetry.DoorMetrics
	signer   *signer      // signs tickets and guest identities
	used     usedTickets  // tickets that cannot be used again
	logins   loginTable   // logins of tickets whose clients have not connected yet
	schema   proto.Schema // description of the world's game data
	hash     proto.Hash   // hash of schema
	layout   gameLayout
	grounds  []groundFile          // ground file by area id
	byHash   map[proto.Hash][]byte // compressed ground files by hash
	workers  []*worker
	places   *admission.Places
	serial   atomic.Uint64 // number of connections since the start, from which their serial numbers are taken
	next     atomic.Uint32 // counter that selects the worker of the next player
	players  atomic.Int64  // number of players
	accounts accountTable
	resumes  resumeTable
	ours     sync.Map // set of sim.EntityID: players of this door
	http     *http.Server
	quic     *webtransport.Server
	certs    *certificates
	conns    sync.WaitGroup  // counts the goroutines that serve connections
	ctx      context.Context // context of connections; ends when Run returns
	stop     context.CancelFunc
	started  time.Time
	closing  atomic.Bool // the servers of both sockets are being closed

	closed     context.Context // ends when the QUIC server is closed
	close      context.CancelFunc
	handshakes atomic.Int64 // number of QUIC connections whose handshakes are not finished
	attempts   attemptRate  // of QUIC connections
}

// Listen returns a gateway that uses the sockets in the options. It accepts connections when the caller calls Run.
func Listen(hub *session.Hub, world area.Host, o Options) (*Gateway, error) {
	o.fill(world.Def())
	signer, err := loadSigner(o.KeyDir)
	if err != nil {
		return nil, err
	}
	g := &Gateway{
		opt: o, hub: hub, world: world, log: o.Log.With(telemetry.FieldDoor, "web"), door: o.Metrics.Door("web"), signer: signer,
		byHash: map[proto.Hash][]byte{}, started: time.Now(),
	}
	g.layout, g.schema = newGameLayout(&world.Def().Schema)
	g.hash = g.schema.Hash()
	g.ctx, g.stop = context.WithCancel(context.Background())
	g.closed, g.close = context.WithCancel(context.Background())
	g.places = gateway.NewPlaces("web", admission.PlaceLimits{Connections: o.MaxPlayers + spareConns, PerAddr: o.PerAddr}, hub.Gate())
	for i := range world.Def().Areas {
		f := newGroundFile(world.Def().Areas[i].Blocks)
		g.grounds = append(g.grounds, f)
		g.byHash[f.hash] = f.gzip
	}
	for range o.Workers {
		g.workers = append(g.workers, newWorker(g))
	}
	if err := g.openHTTP(); err != nil {
		g.stop()
		g.close()
		return nil, err
	}
	return g, nil
}

func (o *Options) fill(w *sim.World) {
	gateway.FillOptions(&o.Log, &o.Metrics, &o.Workers)
	if o.MaxPlayers <= 0 {
		o.MaxPlayers = defaultMaxPlayers
	}
	if o.PerAddr <= 0 {
		o.PerAddr = defaultPerAddr
	}
	if o.Policy == nil {
		p := InterestPolicy(w)
		o.Policy = &p
	}
}

// InterestPolicy returns the interest policy for web clients: a client is updated in every frame about each actor within 96
// blocks. A snapshot may have no room for all these actors; their weights then decide which it contains (see scene.updateView).
// If the areas of the world have different numbers of units per block, the largest is used.
func InterestPolicy(w *sim.World) interest.Policy {
	const closeBlocks, farBlocks, leaveBlocks = 32, 96, 104
	units := float32(0)
	for i := range w.Areas {
		units = max(units, w.Areas[i].BlockGrid.UnitsPerBlock)
	}
	if units == 0 {
		units = 1
	}
	tick := int32(1000 / max(w.TicksPerSecond, 1))
	return interest.Policy{
		CloseRadius: float32(units * closeBlocks), FarRadius: float32(units * farBlocks),
		EnterRadius: float32(units * farBlocks), LeaveRadius: float32(units * leaveBlocks),
		IntervalMS: max(tick, 1), MiddleEveryMS: max(tick, 1),
	}
}

// Addr returns the address of the TCP socket.
func (g *Gateway) Addr() netip.AddrPort { return gateway.TCPAddr(g.opt.Listener) }

// nowMS returns the time in ms since the gateway was created.
func (g *Gateway) nowMS() int64 { return time.Since(g.started).Milliseconds() }

// Run serves clients until ctx ends or the world stops. It then disconnects all clients and closes the sockets. If a worker
// panics, Run returns an error, but the world continues.
func (g *Gateway) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	failed := make(chan error, len(g.workers)+2)
	for _, w := range g.workers {
		workers.Go(func() {
			defer cancel() // a worker ends when the world stops; Run must then end too
			if err := w.run(ctx); err != nil {
				failed <- err
			}
		})
	}
	served := g.serveHTTP(func(err error) {
		failed <- err
		cancel()
	})
	<-ctx.Done()
	workers.Wait() // workers have queued the last messages
	g.closeHTTP()
	served.Wait()
	g.stop()
	g.conns.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// accountTable maps each account that plays through this door to the account's connection. The methods are safe for concurrent use.
type accountTable struct {
	mu sync.Mutex
	by map[string]*player
}

// claim makes p the holder of an account and returns nil. If another connection is the holder, claim changes nothing and returns
// that connection.
func (t *accountTable) claim(account string, p *player) (holder *player) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if holder = t.by[account]; holder == nil {
		if t.by == nil {
			t.by = map[string]*player{}
		}
		t.by[account] = p
	}
	return holder
}

// release removes the account from the table if p is its holder.
func (t *accountTable) release(account string, p *player) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by[account] == p {
		delete(t.by, account)
	}
}

// resumable is a session that the client can continue on another connection. The client resumes it with a token.
type resumable struct {
	who     identity
	acts    *executedActs     // shared by all connections of the session at this door
	known   bool              // acts has the requests of the connections before this one, too; false if the session comes from another node
	former  proto.ResumeToken // token in the Hello message with which the session's connection began; zero if it had none
	expires time.Time         // time at which the session can no longer be resumed; zero while it has a connection
	taken   bool              // a connection is about to resume the session, so no other connection can resume it
}

// executedActs records which requests of a session (Act messages) were executed. After a lost connection a client repeats those that
// were not answered, with the same numbers. The methods are safe for concurrent use, because the server may still process
// requests of the lost connection.
type executedActs struct {
	mu      sync.Mutex
	last    uint16                   // number of the last request that was executed
	any     bool                     // at least one request was executed
	answers [maxAnswers]proto.Answer // answers to the newest requests; the index is the number of the request modulo maxAnswers
}

// maxAnswers is the number of requests whose answers are stored for the case that the client repeats them. It divides
// 65536, because request numbers wrap around at 65536.
const maxAnswers = 32

// add records a request and returns true. If the request was executed before, it returns false.
func (e *executedActs) add(number uint16) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.any && int16(number-e.last) <= 0 {
		return false
	}
	e.last, e.any = number, true
	e.answers[number%maxAnswers] = unknownResult(number)
	return true
}

// record stores the answer to a request. It does nothing if the request was not executed, or is no longer among the newest ones.
func (e *executedActs) record(a *proto.Answer) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if stored := &e.answers[a.Number%maxAnswers]; stored.Number == a.Number {
		*stored = *a
	}
}

// answer returns the answer to a request that was executed. Its reason is Unknown if the request has no result yet, or is not one of
// the newest.
func (e *executedActs) answer(number uint16) proto.Answer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if a := e.answers[number%maxAnswers]; a.Number == number {
		return a
	}
	return unknownResult(number)
}

// unknownResult returns the answer to a request if the server does not know the result of the request.
func unknownResult(number uint16) proto.Answer {
	return proto.Answer{Number: number, Reason: uint8(reason.Unknown)}
}

// resumeTable holds the resumable sessions by the token of each. An account has only one token, that of its newest connection: the
// older connections have lost the session, and a client that connects again and again cannot fill the table. The methods are safe
// for concurrent use.
type resumeTable struct {
	mu    sync.Mutex
	by    map[proto.ResumeToken]*resumable
	of    map[string]proto.ResumeToken // token by name of the account; contains the same tokens as the field by
	swept time.Time                    // time at which add last removed expired tokens
}

// maxResumable is the number of stored tokens from which on the method add first removes expired tokens, at most once per
// second. There is one valid token for each account that has played within resumeLife.
const maxResumable = 4096

// resumeLife is the time for which a token remains valid after its connection was lost. Within it, the token logs the account in.
// The session itself can only be resumed as long as the rules of the world keep the player's actor in the world, which is
// shorter; later, the client gets a new session.
const resumeLife = 10 * time.Minute

// add stores a session under its new token. It removes the account's older token, if there is one.
func (t *resumeTable) add(token proto.ResumeToken, r *resumable, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by, t.of = map[proto.ResumeToken]*resumable{}, map[string]proto.ResumeToken{}
	}
	if older, ok := t.of[r.who.account]; ok {
		t.remove(older)
	}
	if len(t.by) >= maxResumable && now.Sub(t.swept) >= time.Second {
		t.swept = now
		for k, v := range t.by {
			if !v.expires.IsZero() && now.After(v.expires) {
				t.remove(k)
			}
		}
	}
	t.by[token], t.of[r.who.account] = r, token
}

// take returns the session that a token resumes, and no other caller can take the token from then on. It returns nil if the token is
// unknown, is taken or has expired. The token is removed when the session is stored under its new token. If the connection fails
// before that, the caller must call giveBack.
func (t *resumeTable) take(token proto.ResumeToken, now time.Time) *resumable {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.by[token]
	if r == nil || r.taken {
		return nil
	}
	if !r.expires.IsZero() && now.After(r.expires) {
		t.remove(token)
		return nil
	}
	r.taken = true
	return r
}

// giveBack reverses the taking of a token: the token is valid again, with its old expiry. It does nothing if the account has a newer token.
func (t *resumeTable) giveBack(token proto.ResumeToken) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.by[token]; r != nil {
		r.taken = false
	}
}

// actsOf returns the requests that the newest session of an account has executed, and whether they include all requests that a client
// with this token may repeat. The token must be that of the session, which may be taken, or the one with which the session's connection
// began; otherwise actsOf returns nil. A client that has not received the newer token sends the one with which its connection began,
// which is not valid any more, and a ticket. It was not told either whether the requests before that connection are known.
func (t *resumeTable) actsOf(account string, token proto.ResumeToken) (acts *executedActs, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	newest := t.of[account]
	if r := t.by[newest]; r != nil && token != (proto.ResumeToken{}) && (token == newest || token == r.former) {
		return r.acts, token == newest || r.known
	}
	return nil, false
}

// disconnected records that the connection of a token was lost. From now on, the token is valid for resumeLife.
func (t *resumeTable) disconnected(token proto.ResumeToken, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.by[token]; r != nil {
		r.expires = now.Add(resumeLife)
	}
}

// end removes a token. It is called when the token's player has logged out.
func (t *resumeTable) end(token proto.ResumeToken) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(token)
}

// remove removes a token and returns its session, or nil if the token is unknown. The caller holds t.mu.
func (t *resumeTable) remove(token proto.ResumeToken) *resumable {
	r := t.by[token]
	if r != nil {
		delete(t.by, token)
		delete(t.of, r.who.account)
	}
	return r
}

// bindError returns the error that reports that a socket of the door cannot be opened. The parameter kind is "tcp" or "udp".
func bindError(kind, addr string, err error) error {
	return gateway.ListenError("web", addr+"/"+kind, err)
}
