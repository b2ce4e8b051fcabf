package swarm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rcce"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Distances and times for the RealmCrafter players of a swarm.
const (
	rcceSettleTime   = time.Second     // time between the last login and the beginning of the measurement
	rcceWanderRadius = 150             // maximum distance in units between a player and the common point; players within 500 units see each other (docs/wire/rcce.md 5.2)
	rcceFightRadius  = 200             // maximum distance in units between a fighting player and the common point
	rcceChatInterval = 2 * time.Minute // time between two chat lines of a player with mixed activity
	rcceCloseRange   = 500             // radius in units within which clients are sent frequent updates (specification P_StandardUpdate)
)

// RCCE configures the RealmCrafter players of a swarm.
type RCCE struct {
	Config
	Activity  Activity                   // what the players do
	InSight   bool                       // all players stay near one point, so that each client is sent all others
	Reconnect bool                       // like known clients, close the login connection and enter the world 300 ms later on a second connection
	GRO       bool                       // let the Linux kernel merge received datagrams (generic receive offload)
	Walls     map[string][]terrain.Solid // obstacles that players walk around, by area name

	behaviour func(c *rcce.Client, i int) rcce.Behaviour // returns the behaviour of player i; used instead of Activity if not nil
}

func (o RCCE) config() *Config { return &o.Config }

func (o RCCE) start(seed uint64) (driver, error) {
	routes, err := o.openRoutes(seed)
	return &rcceDriver{RCCE: o, seed: seed, routes: routes}, err
}

// rcceDriver implements driver for RealmCrafter players, with package client/rcce.
type rcceDriver struct {
	RCCE
	*roster
	seed   uint64
	routes *routes
	home   atomic.Pointer[geom.Vec] // position at which the first player entered the world; used if InSight is set
	last   rcce.Counts              // totals at the previous progress line

	mu       sync.Mutex
	before   rcce.Counts // totals of all players at the beginning of the measurement, and the counts of failed logins
	firstBad error       // error of the first unreadable packet during a failed login
}

func (d *rcceDriver) name() string              { return "rcce" }
func (d *rcceDriver) settleTime() time.Duration { return rcceSettleTime }
func (d *rcceDriver) disturb(context.Context)   {}
func (d *rcceDriver) sample()                   {}
func (d *rcceDriver) setRoster(r *roster)       { d.roster = r }

func (d *rcceDriver) close() {
	if d.routes != nil {
		d.routes.close()
	}
}

// rcceClient is the client of one RealmCrafter player in the world.
type rcceClient struct {
	*rcce.Client
	driver *rcceDriver
	number int
}

func (c *rcceClient) play(ctx context.Context) error {
	return c.Play(ctx, c.driver.newBehaviour(c.Client, c.number))
}
func (c *rcceClient) close()          { c.Close() }
func (c *rcceClient) firstBad() error { return c.FirstParseError() }

func (d *rcceDriver) join(ctx context.Context, i int) (client, error) {
	c, err := rcce.Dial(ctx, d.routes.of(i), rcce.Options{
		User: d.user(i), Password: d.Password, SameConnection: !d.Reconnect, GRO: d.GRO, Seed: d.seed + uint64(i)<<32, Dial: d.routes.dial,
	})
	if err != nil {
		return nil, err
	}
	if err := c.Join(ctx); err != nil {
		n := c.Stats(nil, nil)
		d.mu.Lock()
		d.before.Add(&n)
		if d.firstBad == nil {
			d.firstBad = c.FirstParseError()
		}
		d.mu.Unlock()
		c.Close()
		return nil, err
	}
	return &rcceClient{c, d, i}, nil
}

func (d *rcceDriver) retry(err error) retryPolicy {
	var refused *rcce.RefusedError
	switch {
	case errors.Is(err, rcce.ErrNoServer):
		return retryNever
	case errors.As(err, &refused) && refused.Answer == proto.ReplyOnline:
		return retryAlways
	}
	return retryFew
}

// newBehaviour returns the behaviour that decides what player i does. The player has just entered the world.
func (d *rcceDriver) newBehaviour(c *rcce.Client, i int) rcce.Behaviour {
	if d.behaviour != nil {
		return d.behaviour(c, i)
	}
	var home *geom.Vec
	if d.InSight {
		c.Inspect(func(w *rcce.World) {
			at := w.Self.Pos
			d.home.CompareAndSwap(nil, &at)
		})
		home = d.home.Load()
	}
	b := &wallAware{walls: d.Walls}
	wander := rcce.Wander{Centre: home, Radius: rcceWanderRadius, LineOfSight: b.canWalk}
	fight := rcce.Fight{Centre: home, Range: rcceFightRadius, LineOfSight: b.canWalk}
	switch d.Activity {
	case Walk:
		b.Behaviour = &wander
	case Fight:
		b.Behaviour = &fight
	default:
		wander.Chat = rcceChatInterval
		b.Behaviour = &rcce.FightOrWander{Fight: fight, Wander: wander}
	}
	return b
}

func (d *rcceDriver) reset(context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range clients[*rcceClient](d.roster) {
		n := c.ResetStats()
		d.before.Add(&n)
	}
}

// rcceTotal is the sum of the counts and the histograms of all players.
type rcceTotal struct {
	rcce.Counts
	gaps, trips *hdrhistogram.Histogram // times between updates, round-trip times
}

func (d *rcceDriver) total() rcceTotal {
	t := rcceTotal{gaps: newHistogram(), trips: newHistogram()}
	for _, c := range clients[*rcceClient](d.roster) {
		n := c.Stats(t.gaps, t.trips)
		t.Add(&n)
	}
	return t
}

func (d *rcceDriver) progress(elapsed time.Duration) string {
	n := d.total()
	updates := float64(n.Updates-min(d.last.Updates, n.Updates)) / elapsed.Seconds()
	d.last = n.Counts
	return fmt.Sprintf("%s updates/s  gap p99 %s  rtt p50 %s  %d corrections  %d snaps",
		thousands(uint64(updates)), milliseconds(quantile(n.gaps, 99)), milliseconds(quantile(n.trips, 50)), n.Corrections, n.Snaps)
}
