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
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/history"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/tape"
	"github.com/truestep-io/truestep/telemetry"
)

// World is the world that a console serves, with statistics of its areas. *area.World implements it.
type World interface {
	area.Host
	// Stats returns the statistics of every area, in order of the area ids.
	Stats() []area.AreaStats
}

// Options configures a console. Listener, World, Hub, Journal, Metrics and Tokens are required.
type Options struct {
	Listener net.Listener       // closed by Close
	World    World              // world that the console shows and acts on
	Hub      *session.Hub       // players, accounts and operator actions
	Journal  *journal.Journal   // corrections and the audit log
	Metrics  *telemetry.Metrics // counters of the doors
	Chat     *chatlog.Log       // nil if the server stores no chat
	Log      *slog.Logger       // nil selects slog.Default()

	Cluster Cluster // nil if the server is not a node of a cluster

	Doors   []DoorInfo  // doors in the order in which GET /world lists them
	Tokens  *Tokens     // operators and their tokens
	Logins  string      // path of the file that stores logins across restarts; with "" logins end with the process
	TLS     *tls.Config // nil for plain HTTP, which is safe on loopback only
	Version string      // version of the server, shown on the page
	Page    fs.FS       // files of the web page; nil selects the embedded page

	Failures func() []telemetry.Failure // returns the present failures of the server; may be nil

	// NoLiveWorld is true if World is not running. The console then shows only recordings.
	NoLiveWorld bool
	PastAreas   []sim.AreaID // areas whose recordings are shown while NoLiveWorld is true; nil for all

	// Maps returns how each area is drawn on maps, indexed by area id. The list may be shorter than the list of areas. If Maps is
	// nil, all areas are drawn plain.
	Maps func() []appearance.MapStyle

	History *history.Store // time series for GET /history; nil if none are stored

	Reload func(context.Context) (*Reloaded, error) // reads the settings of the server again; may be nil

	// OpenPast opens the tape of an area, to show the recorded past. OpenPast is nil if the server records nothing. The console
	// closes what it opens.
	OpenPast func(sim.AreaID) (*tape.Playback, error)

	// Proxied allows a reverse proxy in front of the console. Then requests may (1) have any host name in the header Host, and
	// (2) come from pages that were loaded over HTTPS, although the console itself serves plain HTTP.
	Proxied bool

	MaxViewers int // maximum number of open live maps; 0 selects DefaultMaxViewers
	MaxConns   int // maximum number of connections; 0 selects DefaultMaxConns
}

// DoorInfo describes one protocol gateway of the server.
type DoorInfo struct {
	Name    string // short name, such as "rcce"
	Title   string // name for people, such as "RealmCrafter CE"
	Open    bool   // the door accepts clients
	Addr    string // listening address; "" if the door is closed
	CycleMS int    // interval of updates to a client, in ms
	Shape   string // shape of a client's area of interest: "circle" or "square"
	Bands   []Band // distance bands, nearest first

	// Grid returns the size of the cells into which the door divides an area, in world units. It is nil if the door has no grid.
	Grid func(*sim.AreaDef) float32
}

// Band is a range of distances within which clients of a door receive updates about other actors at one rate.
type Band struct {
	Name    string                     // name of the band, such as "close"
	Radius  func(*sim.AreaDef) float32 // outer radius in world units; half the edge if Shape is "square"
	EveryMS int                        // interval of updates for actors in the band, in ms
}

// Console serves the operators of one server. Its methods are safe for concurrent use.
type Console struct {
	Options
	log           *slog.Logger
	loopback      bool             // the listener has a loopback address
	started       time.Time        // start time, which identifies this run of the server
	now           func() time.Time // time.Now; tests replace it
	auth          *authenticator
	frames        *frameReader
	feed          *area.Feed
	cancelEntries func() // unregisters the journal's callback
	links         linkRates
	node          string // name of this node of a cluster; "" if the server is not in a cluster
	others        otherPlayers
	series        series
	actions       actionLimiter
	notices       telemetry.Notices // limits the log lines about refused logins
	backlog       auditBacklog
	tokensFailing bool // the file of operators cannot be read; accessed by checkTokens only
	described     atomic.Pointer[describedWorld]
	describing    sync.Mutex // held while described is replaced
	assets        assets
	http          *http.Server

	sendTimeout, pingInterval time.Duration // time limits of live maps; tests shorten them

	viewers     atomic.Int32
	viewerQuota quota[string] // open live maps, by operator
	searches    searchQueue
	past        past
	stopped     *session.Keeper // keeper of a server that does not run; nil if Hub is set
	stopping    chan struct{}   // closed when all live maps must end
	stopOnce    sync.Once
	tasks       sync.WaitGroup // goroutines that Run has started
	liveMaps    sync.WaitGroup // open live maps
}

// DefaultMaxViewers is the default of Options.MaxViewers: how many live maps may be open at the same time.
const DefaultMaxViewers = 200

// New returns a console that has subscribed to the world's frames. It serves requests once Run is called.
func New(o Options) (*Console, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.MaxConns <= 0 {
		o.MaxConns = DefaultMaxConns
	}
	if o.MaxViewers <= 0 {
		o.MaxViewers = DefaultMaxViewers
	}
	c := &Console{
		Options: o, log: o.Log, loopback: isLoopback(o.Listener.Addr()),
		now: time.Now, started: time.Now(), stopping: make(chan struct{}), sendTimeout: sendTimeout, pingInterval: pingInterval,
	}
	var err error
	if o.Page == nil {
		c.assets, err = embeddedAssets()
	} else {
		c.assets, err = loadAssets(o.Page)
	}
	if err != nil {
		return nil, fmt.Errorf("create the console: %w", err)
	}
	c.Listener = newLimitedListener(o.Listener, placeLimits(o.MaxConns, o.Proxied), o.Hub.Gate())
	c.auth = newAuthenticator(o.Tokens, o.TLS != nil, c.clock)
	if o.Logins != "" {
		c.auth.restoreLogins(o.Logins, c.log)
	}
	if c.Cluster != nil {
		c.node = c.Cluster.Status().Node
	}
	c.describedWorld()
	c.frames = newFrameReader(o.World.Def(), c.doorOf, c.clock)
	c.http = &http.Server{
		Handler:           c.guard(c.mux()),
		TLSConfig:         o.TLS,
		ConnContext:       withConn,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 32}, // a page has few requests in flight
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(httpLog{c.log}, "", 0),
	}
	c.sample(c.started)
	c.feed = o.World.Subscribe("console", feedDepth, area.All)
	c.cancelEntries = o.Journal.OnEntry(c.frames.onEntry)
	if c.Cluster != nil {
		c.Cluster.SetAnswerer(c.answerNode)
	}
	return c, nil
}

// showsArea reports whether the console shows an area. A console without a running world shows only the areas in
// PastAreas, unless that list is nil.
func (c *Console) showsArea(id sim.AreaID) bool {
	return !c.NoLiveWorld || c.PastAreas == nil || slices.Contains(c.PastAreas, id)
}

// clock returns the current time; tests replace c.now.
func (c *Console) clock() time.Time { return c.now() }

// httpLog writes the error log of net/http at debug level, because most of its lines are about misbehaving clients.
type httpLog struct{ log *slog.Logger }

// Write logs one line of the error log of net/http.
func (q httpLog) Write(b []byte) (int, error) {
	q.log.Debug("console: " + string(b))
	return len(b), nil
}

func isLoopback(a net.Addr) bool {
	p, err := netip.ParseAddrPort(a.String())
	return err == nil && p.Addr().Unmap().IsLoopback()
}

// doorOf returns the name of a player's door, or "" if the player is not known.
func (c *Console) doorOf(id sim.EntityID) string {
	p, _ := c.Hub.Player(id)
	return p.Door
}

// Run serves requests until Close is called and then returns nil. It returns an error if the listener fails.
func (c *Console) Run() error {
	c.tasks.Go(func() {
		c.frames.read(c.feed)
		c.closeLiveMaps() // the feed has ended, because the world has stopped
	})
	c.tasks.Go(func() { c.everySecond(func() { c.sample(c.clock()) }) })
	c.tasks.Go(func() { c.everySecond(func() { c.flushAudit(context.Background(), false) }) }) // has its own goroutine, because the disk may block the write
	c.tasks.Go(func() { c.everySecond(c.auth.save) })                                          // has its own goroutine, because the disk may block the write
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

// closeLiveMaps makes all live maps send a close message and end. Calls after the first have no effect.
func (c *Console) closeLiveMaps() { c.stopOnce.Do(func() { close(c.stopping) }) }

// Close first tells the live maps to end, and closes the feed of frames, so that no area waits for the console. Then it waits for
// calls in flight until ctx ends. When Close returns, all goroutines of the console have ended, except those that still wait for
// a disk with a tape.
func (c *Console) Close(ctx context.Context) error {
	c.closeLiveMaps()
	if c.Cluster != nil {
		c.Cluster.SetAnswerer(nil)
	}
	c.feed.Close()
	c.cancelEntries()
	err := c.http.Shutdown(ctx)
	if err != nil {
		err = c.http.Close() // ctx has ended, so close the remaining connections
	}
	c.liveMaps.Wait()
	c.past.close(ctx)
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

// everySecond calls the function do once per second until the console is closed.
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

// sample takes the measurements of one second: it adds a point to the series of metrics, and updates the traffic rates of
// connections. It must be called once a second.
func (c *Console) sample(now time.Time) {
	players := c.Hub.Players()
	c.links.update(players, now)
	c.series.add(now, c.World.Stats(), c.Metrics.Totals())
	c.frames.hits.sweep(func(id sim.EntityID) bool { return c.links.contains(id) })
	c.checkTokens()
}

// checkTokens logs when the file of operators has become unreadable, and when it can be read again. While it is unreadable,
// requests of the operators in the file are refused.
func (c *Console) checkTokens() {
	err := c.Tokens.Err()
	switch {
	case err != nil && !c.tokensFailing:
		c.log.Error("console: cannot read the file of operators; its operators cannot log in until it is repaired", telemetry.FieldErr, err)
	case err == nil && c.tokensFailing:
		c.log.Info("console: the file of operators can be read again")
	}
	c.tokensFailing = err != nil
}
