package console

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// World is the host of the world that a console shows, with the figures of its areas. *area.World is one.
type World interface {
	area.Host
	// Stats are those of every area, in order of their ids.
	Stats() []area.AreaStats
}

// Options of a console. Listener, World, Hub, Journal, Metrics and Tokens are needed.
type Options struct {
	Listener net.Listener // closed by Close
	World    World
	Hub      *session.Hub
	Journal  *journal.Journal
	Metrics  *telemetry.Metrics
	Log      *slog.Logger // nil: slog.Default()

	Doors   []Door // as GET /world lists them
	Tokens  *Tokens
	Logins  string      // path of the file that keeps logins over a restart; "": they end with the server
	TLS     *tls.Config // nil: plain HTTP, for loopback
	Version string      // of the server
	Page    fs.FS       // nil: the embedded page

	// Proxied says that another program may encrypt and pass on: requests may then name any host, and come from pages over
	// HTTPS although the console speaks plain HTTP.
	Proxied bool

	MaxViewers int // of live maps at once; 0: 200
}

// Door is a door of the server, as the console shows it.
type Door struct {
	Name    string // "rcce"
	Title   string // "RealmCrafter CE"
	Open    bool
	Addr    string // "" if it is closed
	CycleMS int    // between two updates of a client
	Shape   string // of its view: "circle" or "square"
	Bands   []Band // from the nearest to the farthest

	// Grid is the edge of a cell of the grid that the door divides an area by, in world units; nil: it has none.
	Grid func(*sim.AreaDef) float32
}

// Band is a distance within which a door's clients are told of others.
type Band struct {
	Name    string
	Radius  func(*sim.AreaDef) float32 // world units; half the edge of a square
	EveryMS int
}

// Console serves one server's operators. Its methods are safe for any goroutine.
type Console struct {
	Options
	log           *slog.Logger
	loopback      bool // reached from this machine only
	started       time.Time
	now           func() time.Time
	auth          *authenticator
	frames        *frameReader
	feed          *area.Feed
	cancelEntries func() // ends the telling of entries
	links         linkRates
	series        series
	actions       actionLimiter
	notices       telemetry.Notices // of refused logins
	backlog       auditBacklog
	tokensFailing bool // of second: the file of operators could not be read
	worldBody     *worldBody
	assets        assets
	http          *http.Server

	sendTimeout, pingInterval time.Duration // of live maps

	viewers     atomic.Int32
	viewerQuota quota[string] // at live maps, by operator
	searches    searchQueue
	stopping    chan struct{} // closed when viewers are to be sent away
	stopOnce    sync.Once
	tasks       sync.WaitGroup // the goroutines of Run
	liveMaps    sync.WaitGroup // live maps
}

// DefaultMaxViewers is how many live maps are served at once.
const DefaultMaxViewers = 200

// New makes a console that reads the frames of the world from now on and serves nobody before Run.
func New(o Options) (*Console, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.MaxViewers <= 0 {
		o.MaxViewers = DefaultMaxViewers
	}
	if o.Page == nil {
		o.Page = embeddedPage()
	}
	c := &Console{
		Options: o, log: o.Log, loopback: isLoopback(o.Listener.Addr()),
		now: time.Now, started: time.Now(), stopping: make(chan struct{}), sendTimeout: sendTimeout, pingInterval: pingInterval,
	}
	var err error
	if c.assets, err = loadAssets(o.Page); err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	perAddr := maxConnsPerAddr
	if o.Proxied {
		perAddr = 0 // everybody comes from the proxy
	}
	c.Listener = newLimitedListener(o.Listener, perAddr)
	c.auth = newAuthenticator(o.Tokens, o.TLS != nil, c.clock)
	if o.Logins != "" {
		c.auth.restoreLogins(o.Logins, c.log)
	}
	c.worldBody = describeWorld(o.World.Def(), o.Doors)
	c.frames = newFrameReader(o.World.Def(), c.doorOf, c.clock)
	c.http = &http.Server{
		Handler:           c.guard(c.mux()),
		TLSConfig:         o.TLS,
		ConnContext:       withConn,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 32}, // a page has a handful of calls under way
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(httpLog{c.log}, "", 0),
	}
	c.sample(c.started)
	c.feed = o.World.Subscribe("console", feedDepth, area.All)
	c.cancelEntries = o.Journal.OnEntry(c.frames.onEntry)
	return c, nil
}

// clock is c.now, which tests replace.
func (c *Console) clock() time.Time { return c.now() }

// httpLog passes on what net/http has to complain about: clients, mostly.
type httpLog struct{ log *slog.Logger }

func (q httpLog) Write(b []byte) (int, error) {
	q.log.Debug("console: " + string(b))
	return len(b), nil
}

func isLoopback(a net.Addr) bool {
	p, err := netip.ParseAddrPort(a.String())
	return err == nil && p.Addr().Unmap().IsLoopback()
}

// doorOf is the door of a player, "" if he is not known.
func (c *Console) doorOf(id sim.EntityID) string {
	p, _ := c.Hub.Player(id)
	return p.Door
}

// Run serves until Close. It returns nil then, or why it cannot serve.
func (c *Console) Run() error {
	c.tasks.Go(func() {
		c.frames.read(c.feed)
		c.closeLiveMaps() // the world has stopped
	})
	c.tasks.Go(func() { c.everySecond(func() { c.sample(c.clock()) }) })
	c.tasks.Go(func() { c.everySecond(func() { c.flushAudit(context.Background(), false) }) }) // may wait for a disk
	c.tasks.Go(func() { c.everySecond(c.auth.save) })                                          // and so may this
	var err error
	if c.TLS != nil {
		err = c.http.ServeTLS(c.Listener, "", "")
	} else {
		err = c.http.Serve(c.Listener)
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("console: %w", err)
}

// closeLiveMaps ends the live maps.
func (c *Console) closeLiveMaps() { c.stopOnce.Do(func() { close(c.stopping) }) }

// Close says good-bye to viewers, lets calls under way end until ctx does, and returns when every goroutine of the
// console has ended. The feed of frames is closed first: nothing waits for the console.
func (c *Console) Close(ctx context.Context) error {
	c.closeLiveMaps()
	c.feed.Close()
	c.cancelEntries()
	err := c.http.Shutdown(ctx)
	if err != nil {
		err = c.http.Close() // whoever is not done by now has had his time
	}
	c.liveMaps.Wait()
	c.tasks.Wait()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), auditCloseTimeout)
	defer cancel()
	c.flushAudit(last, true)
	c.auth.save()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return err
}

// everySecond does something once a second until the console is closed.
func (c *Console) everySecond(do func()) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-c.stopping:
			return
		case <-ticker.C:
			do()
		}
	}
}

// sample measures what happened since the second before.
func (c *Console) sample(now time.Time) {
	players := c.Hub.Players()
	c.links.update(players, now)
	c.series.add(now, c.World.Stats(), c.Metrics.Totals())
	c.frames.hits.sweep(func(id sim.EntityID) bool { return c.links.contains(id) })
	c.checkTokens()
}

// checkTokens says once that the file of operators cannot be used: until it is mended they are logged out.
func (c *Console) checkTokens() {
	err := c.Tokens.Err()
	switch {
	case err != nil && !c.tokensFailing:
		c.log.Error("console: nobody of the file of operators is let in until it is mended", telemetry.FieldErr, err)
	case err == nil && c.tokensFailing:
		c.log.Info("console: the file of operators can be read again")
	}
	c.tokensFailing = err != nil
}
