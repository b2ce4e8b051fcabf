package swarm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

// Distances, times and limits for the RuneScape players of a swarm.
const (
	rsCrowdRadius   = 7                  // maximum distance in tiles between a player and the common point if InSight is set, so that every player sees all others
	rsChatInterval  = 10 * time.Second   // time between two chat lines of a player with Chat
	rsMixedChat     = 2 * time.Minute    // time between two chat lines of a player with mixed activity
	rsKillInterval  = 10 * time.Second   // average time between two interruptions of the connection of a player selected by Kill
	rsLogoutTimeout = 5 * time.Second    // maximum time to wait for the answer to a logout
	rsSettleTime    = 2 * rs.CyclePeriod // time between the last login and the beginning of the measurement
	rsMaxListed     = 20                 // maximum number of mismatches that a report lists
)

// RS configures the RuneScape players (revision 667) of a swarm.
type RS struct {
	Config
	Key      *proto.PublicKey // RSA key with which clients encrypt their logins
	Activity Activity         // what the players do
	Running  bool             // players run as long as they have energy
	Chat     bool             // every player sends a chat line about every 10 s
	InSight  bool             // all players stay near one point, so that each client is sent all others
	Kill     int              // number of players whose connections are interrupted again and again, and which reconnect

	behaviour func(c *rs.Client, i int) rs.Behaviour // returns the behaviour of player i; used instead of Activity if not nil
}

func (o RS) config() *Config { return &o.Config }

func (o RS) start(seed uint64) (driver, error) { return &rsDriver{RS: o, seed: seed}, nil }

// rsDriver implements driver for RuneScape players, with package client/rs.
type rsDriver struct {
	RS
	*roster
	seed   uint64
	home   atomic.Pointer[proto.Tile] // tile on which the first player entered the world; used if InSight is set
	before rs.Counts                  // totals of all players at the beginning of the measurement
	last   rs.Counts                  // totals at the previous progress line
	sight  [proto.MaxIndex + 1]int    // number of samples by the number of players in sight
}

func (d *rsDriver) name() string              { return "rs" }
func (d *rsDriver) settleTime() time.Duration { return rsSettleTime }
func (d *rsDriver) close()                    {}
func (d *rsDriver) setRoster(r *roster)       { d.roster = r }

// rsClient is the client of one RuneScape player in the world.
type rsClient struct {
	*rs.Client
	driver *rsDriver
	number int
}

func (c *rsClient) play(ctx context.Context) error {
	c.Play(c.driver.newBehaviour(c.Client, c.number))
	select {
	case <-c.Done():
		return c.Err()
	case <-ctx.Done():
		logout, cancel := context.WithTimeout(context.Background(), rsLogoutTimeout)
		defer cancel()
		_ = c.Logout(logout) // an error means that the client is just reconnecting and needs no logout
		return nil
	}
}
func (c *rsClient) close()          { c.Close() }
func (c *rsClient) firstBad() error { return c.FirstParseError() }

func (d *rsDriver) join(ctx context.Context, i int) (client, error) {
	c, err := rs.Dial(ctx, rs.Config{
		Addr: d.Server, Key: d.Key, User: d.user(i), Password: d.Password, Reconnect: i < d.Kill, Seed: d.seed + uint64(i)<<32,
		Dial: d.Dial,
	})
	if err != nil {
		return nil, err
	}
	return &rsClient{c, d, i}, nil
}

// responseCode returns the response code of the server if err is a refused login. It returns false for other errors.
func responseCode(err error) (proto.ResponseCode, bool) {
	if r, ok := errors.AsType[*rs.RefusedError](err); ok {
		return r.Code, true
	}
	return 0, false
}

func (d *rsDriver) retry(err error) retryPolicy {
	switch code, _ := responseCode(err); code {
	case proto.ResponseOnline:
		return retryAlways
	case proto.ResponseBusy, proto.ResponseTooMany, proto.ResponseOffline, proto.ResponseIncomplete:
		return retryFew
	}
	return retryNever
}

// newBehaviour returns the behaviour that decides what player i does. The player has just entered the world.
func (d *rsDriver) newBehaviour(c *rs.Client, i int) rs.Behaviour {
	if d.behaviour != nil {
		return d.behaviour(c, i)
	}
	wander := rs.Wander{Run: d.Running}
	if d.InSight {
		c.Inspect(func(w *rs.World) {
			at := w.Tile()
			d.home.CompareAndSwap(nil, &at)
		})
		wander.Centre, wander.Radius = d.home.Load(), rsCrowdRadius
	}
	if d.Chat {
		wander.Chat = rsChatInterval
	}
	fight := rs.Fight{Centre: wander.Centre, Exclude: d.isOurs}
	switch d.Activity {
	case Walk:
		return &wander
	case Fight:
		return &rs.FightOrWander{Fight: fight, Wander: wander, PreferFight: true}
	}
	if !d.Chat {
		wander.Chat = rsMixedChat
	}
	return &rs.FightOrWander{Fight: fight, Wander: wander}
}

// isOurs reports whether a name is that of a player of a swarm. In names that clients display, "_" is replaced by a space.
func (d *rsDriver) isOurs(name string) bool {
	return strings.HasPrefix(strings.ReplaceAll(name, " ", "_"), d.Prefix)
}

// disturb interrupts the connections of the first Kill players (RS.Kill), each at random times.
func (d *rsDriver) disturb(playing context.Context) {
	if d.Kill == 0 {
		return
	}
	rng := rand.New(rand.NewPCG(d.seed, 0x6b696c6c))
	every := rsKillInterval / time.Duration(d.Kill)
	for sleep(playing, every/2+time.Duration(rng.Int64N(int64(every)))) {
		if c := d.players[rng.IntN(d.Kill)].client.Load(); c != nil {
			(*c).(*rsClient).Kill()
		}
	}
}

func (d *rsDriver) reset(context.Context) {
	for _, c := range clients[*rsClient](d.roster) {
		n := c.ResetStats()
		d.before.Add(&n)
	}
	d.sight = [proto.MaxIndex + 1]int{}
}

// sample adds to the histogram d.sight how many players each client displays now.
func (d *rsDriver) sample() {
	for i, c := range clients[*rsClient](d.roster) {
		if d.players[i].is(inWorld) {
			c.Inspect(func(w *rs.World) { d.sight[w.LocalCount()]++ })
		}
	}
}

// total returns the sum of the counts of all players, and the histogram of the gaps between updates of all players.
func (d *rsDriver) total() (n rs.Counts, gaps *hdrhistogram.Histogram) {
	gaps = newHistogram()
	for _, c := range clients[*rsClient](d.roster) {
		one := c.Stats(gaps)
		n.Add(&one)
	}
	return n, gaps
}

func (d *rsDriver) progress(elapsed time.Duration) string {
	n, gaps := d.total()
	infos := float64(n.Infos-min(d.last.Infos, n.Infos)) / elapsed.Seconds()
	d.last = n
	mismatches := 0
	for _, c := range clients[*rsClient](d.roster) {
		if c.Mismatch() != nil {
			mismatches++
		}
	}
	return fmt.Sprintf("%s player infos/s  gap p50 %s p99 %s  %d missed  %d mismatches",
		thousands(uint64(infos)), milliseconds(quantile(gaps, 50)), milliseconds(quantile(gaps, 99)), n.Missed, mismatches)
}
