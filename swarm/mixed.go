package swarm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/internal/oracle"
	"github.com/truestep-io/truestep/sim"
)

// Times for the comparison of the clients with the server.
const (
	checkSettleTime = 4 * time.Second        // pause between the last login and the beginning of the measurement
	checkInterval   = 100 * time.Millisecond // time between two comparisons with the server's state
	observeInterval = time.Second            // time between two observations of the same client
	truthKept       = 10 * time.Second       // time for which past positions of an actor are stored
)

// MixedConfig configures a run of several protocols in the same world.
type MixedConfig struct {
	// Protocols configure the players of each protocol. The fields Duration, Ramp, Activity and Progress of each are ignored.
	Protocols []Protocol
	Duration  time.Duration // duration of the measurement; 0 measures until the context ends
	Ramp      float64       // logins per second of all protocols together; all protocols finish logging in at the same time
	Network   Network       // impairment of UDP between clients and server, which the report mentions and the allowed delay includes
	Console   string        // URL of the server's console, with or without #token=...; if "", nothing is compared
	Token     string        // access token of the console
	Allowance time.Duration // additional delay that is allowed for the network and a busy machine, besides each protocol's own delay
	TickMax   time.Duration // maximum allowed 99th percentile of the server's tick time
	Progress  io.Writer     // destination of one progress line per second; nil means no progress lines

	// Dial opens the connections to the console. If it is nil, net.Dialer is used.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

// RunMixed logs the players of all protocols in, compares what their clients display with the live map of the console, logs
// the players out, and returns the report.
func RunMixed(ctx context.Context, m MixedConfig) (*MixedReport, error) {
	var c *check
	if m.Console != "" {
		var err error
		if c, err = newCheck(ctx, &m); err != nil {
			return nil, configError{err}
		}
		defer c.console.close()
	}
	var protocols []Protocol
	total := 0
	for _, p := range m.Protocols {
		total += p.config().Clients
	}
	for _, p := range m.Protocols {
		if n := p.config().Clients; n > 0 {
			protocols = append(protocols, p.inMixed(&m, c, m.Ramp*float64(n)/float64(total)))
		}
	}
	r, err := newRun(protocols, m.Progress)
	if err != nil {
		return nil, err
	}
	defer r.close()
	r.duration, r.check = m.Duration, c
	if c != nil {
		c.run = r
	}
	r.play(ctx)
	return newMixedReport(context.Background(), &m, r), nil
}

// check compares, during a run, what the clients display with the server's live map.
type check struct {
	config  *MixedConfig
	run     *run
	console *consoleClient
	world   *consoleWorld // the server's world
	truth   *oracle.Truth // recorded live map
	active  atomic.Bool   // true while clients are observed

	mu           sync.Mutex
	oracle       *oracle.Oracle
	observations []*oracle.Observation              // observations that wait for comparison, oldest first
	ages         map[string]*hdrhistogram.Histogram // ages of displayed positions, by protocol
	began        time.Time                          // beginning of the measurement
	ticks        tickTimes
	errs         []error // errors of the console, at most oracle.MaxFindings
	lastCompared uint64  // number of positions compared until the previous progress line
}

// tickTimes contains how long the server's ticks took, in microseconds. Each value is the maximum over all areas.
type tickTimes struct {
	p50, p99 int64     // largest median and 99th percentile of all readings after the time in the field since
	last99   int64     // 99th percentile in the last reading
	since    time.Time // readings before this time are not included in p50 and p99
}

// newCheck returns a check for a run. It reads the definition of the server's world from the console.
func newCheck(ctx context.Context, m *MixedConfig) (*check, error) {
	c := &check{config: m, ages: map[string]*hdrhistogram.Histogram{}}
	var err error
	if c.console, err = newConsoleClient(m.Console, m.Token, m.Dial); err != nil {
		return nil, err
	}
	if c.world, err = c.console.world(ctx); err != nil {
		return nil, fmt.Errorf("%w; set --console to the URL of the server's console, or skip the comparison with --no-check", err)
	}
	c.truth = oracle.NewTruth(len(c.world.Areas), c.world.TickRate, truthKept)
	c.oracle = newOracle(c.world, c.truth, m.Allowance+2*(m.Network.Delay+m.Network.Jitter))
	for i := range c.world.Doors {
		name := c.world.Doors[i].Name
		if result := c.oracle.Result(name); result != nil {
			h := newHistogram()
			c.ages[name] = h
			result.OnAge = func(d time.Duration) { _ = h.RecordValue(max(1, int64(d/histogramUnit))) } // cannot fail: ages are below truthKept, which is within the range of the histogram
		}
	}
	return c, nil
}

// newOracle returns the oracle that judges what clients display. It tolerates the delay that each door causes by its update
// intervals, which the console reports.
func newOracle(w *consoleWorld, t *oracle.Truth, allowance time.Duration) *oracle.Oracle {
	areas := make([]oracle.AreaUnits, len(w.Areas))
	for i := range w.Areas {
		areas[i] = oracle.AreaUnits{Tiles: w.Areas[i].tiles(), Blocks: w.Areas[i].blocks()}
	}
	protocols := oracle.Protocols()
	for i := range protocols {
		for k := range w.Doors {
			if d := &w.Doors[k]; d.Name == protocols[i].Name {
				protocols[i].CycleMS = d.CycleMS
				for _, b := range d.Bands {
					protocols[i].Bands = append(protocols[i].Bands, oracle.Band{Radius: b.Radius, Radii: b.Radii, EveryMS: b.EveryMS})
				}
			}
		}
	}
	return oracle.New(t, areas, protocols, allowance)
}

// start starts the goroutines of the comparison in the group tasks, and returns immediately. Until ctx ends, the goroutines read
// the server's live map, observe the clients and compare both.
func (c *check) start(ctx context.Context, tasks *sync.WaitGroup) {
	for i := range c.world.Areas {
		tasks.Go(func() { c.readArea(ctx, sim.AreaID(i)) })
	}
	tasks.Go(func() { c.observe(ctx) })
	tasks.Go(func() { c.detectStalls(ctx) })
	tasks.Go(func() {
		for sleep(ctx, checkInterval) {
			c.compare(time.Now())
		}
	})
	tasks.Go(func() {
		for sleep(ctx, time.Second) {
			c.readTickTimes(ctx)
		}
	})
}

// readArea records the frames of an area's live map in the oracle.Truth.
func (c *check) readArea(ctx context.Context, area sim.AreaID) {
	var positions []oracle.Position
	err := c.console.live(ctx, area, c.world.TickRate,
		func(r *liveActors) {
			for i := range r.Add {
				a := oracle.Actor{ID: r.Add[i].ID, Name: r.Add[i].Name, Player: r.Add[i].Player}
				if r.Add[i].Door != nil {
					a.Protocol = *r.Add[i].Door
				}
				c.truth.Identify(area, a)
			}
		},
		func(f *console.LiveFrame) {
			positions = positions[:0]
			for i := range f.Actors {
				positions = append(positions, oracle.Position{ID: f.Actors[i].ID, Pos: f.Actors[i].Pos})
			}
			c.truth.Frame(area, f.Tick, f.At, time.Now(), positions)
		})
	if ctx.Err() == nil {
		c.fail(err)
	}
}

// fail records an error of a request to the console, for the report. It ignores errors after the end of the run, and all
// after the first few.
func (c *check) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.errs) < oracle.MaxFindings && !errors.Is(err, context.Canceled) {
		c.errs = append(c.errs, err)
	}
}

// begin starts the observations of the clients. It is called at the beginning of the measurement.
func (c *check) begin(at time.Time) {
	c.mu.Lock()
	c.began, c.ticks = at, tickTimes{since: at.Add(c.tickWindow())}
	c.mu.Unlock()
	c.active.Store(true)
}

// finish ends the observations of the clients and compares the last of them with the server, unless ctx has ended.
func (c *check) finish(ctx context.Context) {
	c.active.Store(false)
	if ctx.Err() == nil {
		sleep(ctx, oracle.Delay+200*time.Millisecond)
		c.compare(time.Now())
	}
}

// tickWindow returns how long after the beginning of the measurement the report ignores the tick times that the server reports. These
// cover the last ten seconds, so at first they include ticks before the measurement. For a short run the result is 0, and the report
// includes such ticks.
func (c *check) tickWindow() time.Duration {
	const window = 10 * time.Second // period that the server's tick times cover (docs/console-api.md, overview)
	if c.config.Duration != 0 && c.config.Duration < 2*window {
		return 0
	}
	return window
}

// readTickTimes reads the server's tick times from the console.
func (c *check) readTickTimes(ctx context.Context) {
	var o consoleOverview
	if err := c.console.get(ctx, "overview", nil, &o); err != nil {
		c.fail(err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &c.ticks
	t.last99 = 0
	for _, a := range o.Areas {
		t.last99 = max(t.last99, a.TickP99US)
		if time.Now().After(t.since) {
			t.p50, t.p99 = max(t.p50, a.TickP50US), max(t.p99, a.TickP99US)
		}
	}
}

// detectStalls records the periods in which this process was not scheduled. The clients in this process are late then, which
// is not the server's fault.
func (c *check) detectStalls(ctx context.Context) {
	const interval = 20 * time.Millisecond
	for last := time.Now(); sleep(ctx, interval); {
		now := time.Now()
		c.truth.Stall(now, now.Sub(last)-interval)
		last = now
	}
}

// observer is a driver whose clients may be observed by any goroutine at any time. Clients of other drivers may be observed
// only by their own goroutines.
type observer interface {
	observe(i int, p *player) *oracle.Observation
}

// observe makes one observation per second of each client whose driver is an observer. It distributes the observations
// evenly over the second.
func (c *check) observe(ctx context.Context) {
	type subject struct {
		observer
		player *player
		number int
	}
	var all []subject
	for _, g := range c.run.groups {
		if o, ok := g.driver.(observer); ok {
			for i, p := range g.players {
				all = append(all, subject{o, p, i})
			}
		}
	}
	if len(all) == 0 {
		return
	}
	next := time.Now()
	for i := 0; ; i = (i + 1) % len(all) {
		next = next.Add(observeInterval / time.Duration(len(all)))
		if wait := time.Until(next); wait > time.Millisecond && !sleep(ctx, wait) || ctx.Err() != nil {
			return
		}
		if s := &all[i]; c.active.Load() && s.player.is(inWorld) {
			c.add(s.observe(s.number, s.player))
		}
	}
}

// observe returns the names and positions of the actors that the client of player i displays now. It implements observer.
func (d *rcceDriver) observe(i int, p *player) *oracle.Observation {
	obs := &oracle.Observation{Protocol: "rcce", Viewer: d.user(i)}
	(*p.client.Load()).(*rcceClient).Inspect(func(w *rcce.World) {
		obs.At = time.Now()
		obs.Actors = make([]oracle.Sighting, 0, w.ActorCount())
		for a := range w.Actors() {
			obs.Actors = append(obs.Actors, oracle.Sighting{Name: a.Name, Pos: a.Pos})
		}
	})
	return obs
}

// observe returns the names and positions of the actors that the client of player i displays now. It implements observer.
func (d *bedrockDriver) observe(i int, p *player) *oracle.Observation {
	obs := &oracle.Observation{Protocol: "bedrock", Viewer: d.user(i)}
	(*p.client.Load()).(*bedrockClient).Inspect(func(s *bedrock.Session) {
		obs.At = time.Now()
		w := s.World()
		obs.Actors = make([]oracle.Sighting, 0, w.ActorCount())
		for a := range w.Actors() {
			obs.Actors = append(obs.Actors, oracle.Sighting{Name: a.Name, Pos: a.Pos, HasHeight: true})
		}
	})
	return obs
}

// add queues an observation of a client. It is compared with the server later, when the server's frames from around the
// time of the observation have arrived.
func (c *check) add(obs *oracle.Observation) {
	c.mu.Lock()
	c.observations = append(c.observations, obs)
	c.mu.Unlock()
}

// compare compares queued observations with the server: those that are at least oracle.Delay old.
func (c *check) compare(now time.Time) {
	for {
		c.mu.Lock()
		if len(c.observations) == 0 || now.Sub(c.observations[0].At) < oracle.Delay {
			c.mu.Unlock()
			return
		}
		obs := c.observations[0]
		c.observations[0], c.observations = nil, c.observations[1:]
		c.oracle.Check(obs)
		c.mu.Unlock()
	}
}

// mixedProgress returns the additional part of a progress line of a mixed run: the players of each protocol during the logins,
// failed and dropped players, and later the results of the comparison with the server.
func (r *run) mixedProgress(elapsed time.Duration) (line string) {
	active := r.check != nil && r.check.active.Load()
	if !active { // during the logins the line contains the number of joined players by protocol
		var list []string
		for _, g := range r.groups {
			list = append(list, fmt.Sprintf("%s %d", g.driver.name(), g.count(inWorld)))
		}
		line = " (" + strings.Join(list, ", ") + ")"
	}
	if failed, dropped := r.count(failed), r.count(dropped); failed+dropped > 0 {
		line += fmt.Sprintf("  %d failed  %d dropped", failed, dropped)
	}
	if active {
		line += r.check.progress(elapsed)
	}
	return line
}

func (c *check) progress(elapsed time.Duration) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	compared, mismatches := uint64(0), uint64(0)
	for name := range c.ages {
		compared += c.oracle.Result(name).Compared
		mismatches += c.oracle.Result(name).Mismatches()
	}
	rate := float64(compared-min(c.lastCompared, compared)) / elapsed.Seconds()
	c.lastCompared = compared
	return fmt.Sprintf("  tick p99 %s  %s places/s  %d mismatches",
		milliseconds(time.Duration(c.ticks.last99)*time.Microsecond), thousands(uint64(rate)), mismatches)
}

// isOurs reports whether a name is that of a player of this run.
func (m *MixedConfig) isOurs(name string) bool {
	for _, p := range m.Protocols {
		if number, ok := strings.CutPrefix(name, p.config().Prefix); ok && len(number) == len("0001") {
			return true
		}
	}
	return false
}
