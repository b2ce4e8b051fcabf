package swarm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
)

// Distances and times for the Bedrock players of a swarm.
const (
	bedrockCrowdRadius = 12              // maximum distance in blocks between a player and the common point if InSight is set
	bedrockSettleTime  = 2 * time.Second // time between the last login and the beginning of the measurement
)

// Bedrock configures the Minecraft: Bedrock players of a swarm.
type Bedrock struct {
	Config
	Activity Activity // what the players do
	InSight  bool     // all players stay near one point, so that each client is sent all others
	Cheat    []string // names of cheats (bedrock.CheatNames), which the players that are not honest use in turn
	Honest   int      // number of players that do not cheat: those with the lowest numbers
	Game     string   // client release, such as "1.26.45"; with any other text, the players use all supported releases in turn
	Metrics  string   // HOST:PORT of the server's metrics; "" selects 127.0.0.1:9180 if the server runs on this machine, else none

	behaviour func(c *bedrock.Client, i int) bedrock.Behaviour // returns the behaviour of player i; used instead of Activity if not nil
}

func (o Bedrock) config() *Config { return &o.Config }

func (o Bedrock) start(seed uint64) (driver, error) {
	routes, err := o.openRoutes(seed)
	return &bedrockDriver{Bedrock: o, seed: seed, routes: routes}, err
}

// bedrockDriver implements driver for Bedrock players, with package client/bedrock.
type bedrockDriver struct {
	Bedrock
	*roster
	seed   uint64
	routes *routes
	chunks bedrock.ChunkCache       // decoded chunks, shared by all clients
	home   atomic.Pointer[geom.Vec] // position at which the first player entered the world; used if InSight is set
	before bedrock.Counts           // totals of all players at the beginning of the measurement
	last   bedrock.Counts           // totals at the previous progress line
	server correctionCounts         // corrections that the server had counted at the beginning of the measurement
}

func (d *bedrockDriver) name() string              { return "bedrock" }
func (d *bedrockDriver) settleTime() time.Duration { return bedrockSettleTime }
func (d *bedrockDriver) disturb(context.Context)   {}
func (d *bedrockDriver) sample()                   {}
func (d *bedrockDriver) setRoster(r *roster)       { d.roster = r }

func (d *bedrockDriver) close() {
	if d.routes != nil {
		d.routes.close()
	}
}

// bedrockClient is the client of one Bedrock player in the world.
type bedrockClient struct {
	*bedrock.Client
	driver *bedrockDriver
	number int
}

func (c *bedrockClient) play(ctx context.Context) error {
	return c.Play(ctx, c.driver.newBehaviour(c.Client, c.number))
}
func (c *bedrockClient) close()          { c.Close() }
func (c *bedrockClient) firstBad() error { return c.FirstParseError() }

func (d *bedrockDriver) join(ctx context.Context, i int) (client, error) {
	tamper, _ := bedrock.NewCheat(d.cheatOf(i), rand.New(rand.NewPCG(d.seed, uint64(i)))) // nil for honest players
	c, err := bedrock.Dial(ctx, d.routes.of(i), bedrock.Options{
		Name: d.user(i), Version: d.versionOf(i), Seed: d.seed + uint64(i)<<32, Chunks: &d.chunks, Tamper: tamper,
		Dial: d.routes.dial,
	})
	if err != nil {
		return nil, err
	}
	return &bedrockClient{c, d, i}, nil
}

func (d *bedrockDriver) retry(err error) retryPolicy {
	if errors.Is(err, bedrock.ErrNoServer) || errors.Is(err, bedrock.ErrVersion) {
		return retryNever
	}
	return retryFew
}

// cheatOf returns the name of the cheat that player i uses, or "" if the player is honest.
func (d *bedrockDriver) cheatOf(i int) string {
	if i < d.Honest || len(d.Cheat) == 0 {
		return ""
	}
	return d.Cheat[(i-d.Honest)%len(d.Cheat)]
}

// versionOf returns the protocol version of player i.
func (d *bedrockDriver) versionOf(i int) proto.Version {
	all := proto.Versions()
	for _, v := range all {
		if v.GameVersion() == d.Game {
			return v
		}
	}
	return all[i%len(all)]
}

// newBehaviour returns the behaviour that decides what player i does. The player has just entered the world.
func (d *bedrockDriver) newBehaviour(c *bedrock.Client, i int) bedrock.Behaviour {
	if d.behaviour != nil {
		return d.behaviour(c, i)
	}
	var wander bedrock.Wander
	if d.InSight {
		c.Inspect(func(s *bedrock.Session) {
			at := s.Predictor().State().Pos
			d.home.CompareAndSwap(nil, &at)
		})
		wander.Home, wander.Radius = d.home.Load(), bedrockCrowdRadius
	}
	if d.Activity == Ride {
		return &bedrock.Ride{Radius: wander.Radius, Idle: wander}
	}
	if d.Activity == Walk || d.Activity == Mixed && i%2 == 0 {
		return &wander
	}
	return &bedrock.Fight{AttackPlayers: true, Idle: wander}
}

func (d *bedrockDriver) reset(ctx context.Context) {
	d.server = d.readCorrections(ctx)
	for _, c := range clients[*bedrockClient](d.roster) {
		n := c.ResetStats()
		d.before.Add(&n)
	}
}

// total returns the sums of the counts and the histograms of all players.
func (d *bedrockDriver) total() (n bedrock.Counts, h bedrock.Histograms) {
	h = bedrock.Histograms{UpdateIntervals: newHistogram(), RoundTrips: newHistogram(), ReplayDepths: newHistogram()}
	for _, c := range clients[*bedrockClient](d.roster) {
		one := c.Stats(&h)
		n.Add(&one)
	}
	return n, h
}

func (d *bedrockDriver) progress(elapsed time.Duration) string {
	n, h := d.total()
	inputs := float64(n.Inputs-min(d.last.Inputs, n.Inputs)) / elapsed.Seconds()
	d.last = n
	return fmt.Sprintf("%s inputs/s  gap p99 %s  trip p99 %s  %d corrections, %d false",
		thousands(uint64(inputs)), milliseconds(quantile(h.UpdateIntervals, 99)), milliseconds(quantile(h.RoundTrips, 99)), n.Move.Corrections, n.Move.Unexpected)
}
