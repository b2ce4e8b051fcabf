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

// World is the world that a console shows, with statistics of its areas. *area.World implements it.
type World interface {
	area.Host
	// Stats returns the statistics of every area, in order of their ids.
	Stats() []area.AreaStats
}

// Options of a console. Listener, World, Hub, Journal, Metrics and Tokens are required.
type Options struct {
	Listener net.Listener // closed by Close
	World    World
	Hub      *session.Hub
	Journal  *journal.Journal
	Metrics  *telemetry.Metrics
	Log      *slog.Logger // nil: slog.Default()

	Doors   []Door // as GET /world lists them
	Tokens  *Tokens
	Logins  string      // path of the file that keeps logins across restarts; "": logins end with the process
	TLS     *tls.Config // nil: plain HTTP, for loopback
	Version string      // of the server
	Page    fs.FS       // nil: the embedded page

	// Proxied allows a reverse proxy in front of the console: requests may then name any host, and may come from pages
	// loaded over HTTPS although the console itself speaks plain HTTP.
	Proxied bool

	MaxViewers int // of live maps at once; 0: 200
}

// Door describes a door of the server.
type Door struct {
	Name    string // "rcce"
	Title   string // "RealmCrafter CE"
	Open    bool
	Addr    string // "" if it is closed
	CycleMS int    // between two updates of a client, in ms
	Shape   string // of a client's area of interest: "circle" or "square"
	Bands   []Band // nearest first

	// Grid is the cell size of the grid into which the door divides an area, in world units; nil: no grid.
	Grid func(*sim.AreaDef) float32
}

// Band is a distance within which a door's clients receive updates of others at one rate.
type Band struct {
	Name    string
	Radius  func(*sim.AreaDef) float32 // world units; half the edge of a square area
	EveryMS int
}

// Console serves the operators of one server. Its methods are safe for concurrent use.
type Console struct {
	Options
	log           *slog.Logger
	loopback      bool // the listener is on a loopback address
	started       time.Time
	now           func() time.Time
	auth          *authenticator
	frames        *frameReader
	feed          *area.Feed
	cancelEntries func() // cancels the callback of the journal
	links         linkRates
	series        series
	actions       actionLimiter
	notices       telemetry.Notices // limits log lines of refused logins
	backlog       auditBacklog
	tokensFailing bool // the file of operators cannot be read; used by checkTokens only
	worldBody     *worldBody
	assets        assets
	http          *http.Server

	sendTimeout, pingInterval time.Duration // of live maps

	viewers     atomic.Int32
	viewerQuota quota[string] // at live maps, by operator
	searches    searchQueue
	stopping    chan struct{} // closed when live maps must end
	stopOnce    sync.Once
	tasks       sync.WaitGroup // the goroutines of Run
	liveMaps    sync.WaitGroup // live maps
}

// DefaultMaxViewers is the default of Options.MaxViewers.
const DefaultMaxViewers = 200

// New returns a console that reads the world's frames from now on. It serves no requests before Run.
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
		perAddr = 0 // all connections come from the proxy
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
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 32}, // a page has a handful of calls in flight
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(httpLog{c.log}, "", 0),
	}
	c.sample(c.started)
	c.feed = o.World.Subscribe("console", feedDepth, area.All)
	c.cancelEntries = o.Journal.OnEntry(c.frames.onEntry)
	return c, nil
}

// clock returns the current time; tests replace c.now.
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

// doorOf returns the door of a player, "" if the player is not known.
func (c *Console) doorOf(id sim.EntityID) string {
	p, _ := c.Hub.Player(id)
	return p.Door
}

// Run serves until Close and then returns nil. If it cannot serve, it returns the error.
func (c *Console) Run() error {
	c.tasks.Go(func() {
		c.frames.read(c.feed)
		c.closeLiveMaps() // the feed ends when the world has stopped
	})
	c.tasks.Go(func() { c.everySecond(func() { c.sample(c.clock()) }) })
	c.tasks.Go(func() { c.everySecond(func() { c.flushAudit(context.Background(), false) }) }) // may block on the disk
	c.tasks.Go(func() { c.everySecond(c.auth.save) })                                          // may block on the disk
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

// Close closes the live maps, waits for calls in flight until ctx ends, and returns when every goroutine of the console has
// ended. It closes the feed of frames first, so that no area waits for the console.
func (c *Console) Close(ctx context.Context) error {
	c.closeLiveMaps()
	c.feed.Close()
	c.cancelEntries()
	err := c.http.Shutdown(ctx)
	if err != nil {
		err = c.http.Close() // ctx has ended: close the remaining connections
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

// everySecond calls do once a second until the console is closed.
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

// sample adds one point to the series and updates the rates of connections. It is called once a second.
func (c *Console) sample(now time.Time) {
	players := c.Hub.Players()
	c.links.update(players, now)
	c.series.add(now, c.World.Stats(), c.Metrics.Totals())
	c.frames.hits.sweep(func(id sim.EntityID) bool { return c.links.contains(id) })
	c.checkTokens()
}

// checkTokens logs once that the file of operators cannot be read; its operators are logged out until it can.
func (c *Console) checkTokens() {
	err := c.Tokens.Err()
	switch {
	case err != nil && !c.tokensFailing:
		c.log.Error("console: the file of operators cannot be read; its operators cannot log in until it is fixed", telemetry.FieldErr, err)
	case err == nil && c.tokensFailing:
		c.log.Info("console: the file of operators can be read again")
	}
	c.tokensFailing = err != nil
}
