package swarm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/internal/oracle"
	"github.com/truestep-io/truestep/sim/geom"
)

// Distances and times for players of the web door in a swarm.
const (
	webCrowdRadius = 12              // maximum distance in blocks between a player and the common point if InSight is set
	webSettleTime  = 2 * time.Second // time between the last login and the beginning of the measurement
)

// Web configures the players of a swarm at the web door. Config.Server is the door's address for HTTP; datagrams are sent to
// the same port.
type Web struct {
	Config
	Activity  Activity // Mixed, Walk or Fight
	InSight   bool     // all players stay near one point, so that each client is sent all others
	WebSocket bool     // use WebSocket instead of WebTransport; Network must then be zero

	// ListenUDP opens the sockets of the players, unless Network is set. If it is nil, the system's sockets are used.
	ListenUDP func() (net.PacketConn, error)

	behaviour func(i int) func(w *web.World) keys.Keys // returns the behaviour of player i; used instead of Activity if not nil
}

func (o Web) config() *Config { return &o.Config }

func (o Web) start(seed uint64) (driver, error) {
	if o.WebSocket && !o.Network.direct() {
		return nil, errors.New("--ws selects WebSocket, which sends no datagrams that --loss, --delay and --jitter could impair: remove these flags, or remove --ws")
	}
	routes, err := o.openRoutes(seed)
	return &webDriver{Web: o, seed: seed, routes: routes}, err
}

func (o Web) inMixed(m *MixedConfig, c *check, ramp float64) Protocol {
	o.Ramp = ramp
	o.behaviour = func(i int) func(w *web.World) keys.Keys {
		wander := keys.Wander{Radius: mixedBlocks}
		if c != nil {
			area, home := c.world.home()
			at := area.blocks()
			blocks := at.ToBlocks(home)
			wander.Home = &blocks
		}
		if i%2 == 0 {
			return web.Wander(wander)
		}
		return (&web.Fight{Idle: wander, Exclude: func(a *web.Actor) bool { return m.isOurs(a.Name) }}).Act
	}
	return o
}

// webDriver implements driver for players of the web door, with package client/web.
type webDriver struct {
	Web
	*roster
	seed    uint64
	routes  *routes
	grounds web.GroundCache          // downloaded ground files, shared by all clients
	home    atomic.Pointer[geom.Vec] // position at which the first player entered the world; used if InSight is set
	before  []web.Counts             // counts of each player at the beginning of the measurement
	last    web.Counts               // totals at the previous progress line
}

func (d *webDriver) name() string              { return "web" }
func (d *webDriver) settleTime() time.Duration { return webSettleTime }
func (d *webDriver) disturb(context.Context)   {}
func (d *webDriver) sample()                   {}
func (d *webDriver) setRoster(r *roster)       { d.roster = r }

func (d *webDriver) close() {
	if d.routes != nil {
		d.routes.close()
	}
}

// webClient is the client of one player of the web door that is in the world.
type webClient struct {
	*web.Client
	driver *webDriver
	number int
	bad    atomic.Pointer[error] // error of the first message that could not be decoded
}

func (c *webClient) play(ctx context.Context) error {
	err := c.Play(ctx, c.driver.newBehaviour(c.Client, c.number))
	if errors.Is(err, web.ErrProtocol) {
		c.bad.Store(&err)
	}
	return err
}

func (c *webClient) close() { c.Close() }

func (c *webClient) firstBad() error {
	if err := c.bad.Load(); err != nil {
		return *err
	}
	return nil
}

func (d *webDriver) join(ctx context.Context, i int) (client, error) {
	o := web.Options{Name: d.user(i), WS: d.WebSocket, Seed: d.seed + uint64(i)<<32, Grounds: &d.grounds, Dial: d.Dial, Listen: d.ListenUDP}
	if !d.Network.direct() {
		o.UDP, o.Listen = d.routes.of(i), nil
	}
	c, err := web.Dial(ctx, "http://"+d.Server, o)
	if err != nil {
		return nil, err
	}
	return &webClient{Client: c, driver: d, number: i}, nil
}

func (d *webDriver) retry(err error) retryPolicy {
	if refused, ok := errors.AsType[*web.RefusedError](err); ok && refused.Seconds == 0 || errors.Is(err, syscall.ECONNREFUSED) {
		return retryNever
	}
	return retryFew
}

// newBehaviour returns the function that decides how player i plays. The player has just entered the world.
func (d *webDriver) newBehaviour(c *web.Client, i int) func(w *web.World) keys.Keys {
	if d.behaviour != nil {
		return d.behaviour(i)
	}
	var wander keys.Wander
	if d.InSight {
		c.Inspect(func(w *web.World) {
			at := w.State().Pos
			d.home.CompareAndSwap(nil, &at)
		})
		wander.Home, wander.Radius = d.home.Load(), webCrowdRadius
	}
	if d.Activity == Walk || d.Activity == Mixed && i%2 == 0 {
		return d.talkative(i, web.Wander(wander))
	}
	return d.talkative(i, (&web.Fight{AttackPlayers: true, Idle: wander}).Act)
}

// webChatTicks is the mean number of ticks between two chat lines of a player with mixed activity.
const webChatTicks = 1200

// talkative returns a behaviour that decides as the function act does. If the activity is Mixed, its player also says chat lines.
func (d *webDriver) talkative(i int, act func(w *web.World) keys.Keys) func(w *web.World) keys.Keys {
	if d.Activity != Mixed {
		return act
	}
	r := rand.New(rand.NewPCG(d.seed, uint64(i)))
	return func(w *web.World) keys.Keys {
		if r.IntN(webChatTicks) == 0 {
			w.Say("Hello from " + d.user(i) + ".")
		}
		return act(w)
	}
}

func (d *webDriver) reset(context.Context) {
	d.before = make([]web.Counts, len(d.players))
	for i, c := range clients[*webClient](d.roster) {
		c.Inspect(func(w *web.World) {
			d.before[i] = w.Counts
			w.Counts.MaxOff = 0
		})
	}
}

// total returns the sum of the counts of all players since reset.
func (d *webDriver) total() (n web.Counts) {
	for i, c := range clients[*webClient](d.roster) {
		c.Inspect(func(w *web.World) {
			n.Add(&w.Counts)
			if d.before != nil {
				n.Sub(&d.before[i])
			}
		})
	}
	return n
}

func (d *webDriver) progress(elapsed time.Duration) string {
	n := d.total()
	rate := func(now, before uint64) string {
		return thousands(uint64(float64(now-min(before, now)) / elapsed.Seconds()))
	}
	line := fmt.Sprintf("%s inputs/s  %s snapshots/s  %s states/s  %d corrections, %d false", rate(n.Inputs, d.last.Inputs), rate(n.Snapshots, d.last.Snapshots), rate(n.Told, d.last.Told), n.Corrections, n.False)
	d.last = n
	return line
}

// observe returns the names and positions of the actors that the client of player i displays now. It implements observer.
func (d *webDriver) observe(i int, p *player) *oracle.Observation {
	obs := &oracle.Observation{Protocol: "web", Viewer: d.user(i)}
	(*p.client.Load()).(*webClient).Inspect(func(w *web.World) {
		obs.At = time.Now()
		obs.Actors = make([]oracle.Sighting, 0, len(w.Actors))
		for handle, a := range w.Actors {
			if handle != w.Own {
				obs.Actors = append(obs.Actors, oracle.Sighting{Name: a.Name, Pos: a.Pos(), HasHeight: true, Fresh: !a.Sure()})
			}
		}
	})
	return obs
}
