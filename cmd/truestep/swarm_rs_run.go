package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rs"
	proto "github.com/truestep-io/truestep/proto/rs"
)

const (
	rsCrowd      = 7                // tiles around home in which players wander with --in-sight: all see all
	rsChatter    = 10 * time.Second // between two lines with --chat
	rsChat       = 2 * time.Minute  // between two lines of a mixed player
	rsKillEvery  = 10 * time.Second // each of --kill is thrown out about so often
	rsFarewell   = 5 * time.Second  // for a logout
	rsSettle     = 2 * rs.Cycle     // from the last join to the beginning of the measurement
	rsMostListed = 20               // mismatches that a report tells in full
)

// rsSwarm is a run of many players.
type rsSwarm struct {
	cmd   *swarmRsCmd
	key   *proto.PublicKey
	seed  uint64
	plays func(c *rs.Client, i int) rs.Behaviour // instead of what cmd says; nil: none
	home  atomic.Pointer[proto.Tile]             // with --in-sight: where the first player entered
	bots  swarmBots[rs.Client]
	began time.Time     // the measurement
	cpu   time.Duration // of this process, then

	mu      sync.Mutex
	before  rs.Counts               // of all players until the measurement began
	retries map[string]int          // joins that had to be tried again, by reason
	sight   [proto.MaxIndex + 1]int // how often a look at a player has found so many in sight
}

// run lets everybody in, measures, and takes everybody out.
func (s *swarmRsCmd) run(ctx context.Context, key *proto.PublicKey) *swarmRsReport {
	w := &rsSwarm{cmd: s, key: key, seed: s.Seed, retries: map[string]int{}}
	if w.seed == 0 {
		w.seed = rand.Uint64()
	}
	playing, leave := context.WithCancel(context.Background())
	defer leave()
	started := time.Now()
	var players sync.WaitGroup
	for i := range s.Clients {
		b := new(swarmBot[rs.Client])
		w.bots = append(w.bots, b)
		players.Go(func() { w.play(ctx, playing, i, b) })
	}
	w.watch(ctx, "joining", func() bool { return w.bots.count(botWaiting) == 0 })
	if w.bots.count(botIn) > 0 {
		pause(ctx, rsSettle)
	}
	ramp := time.Since(started)
	if w.began = started; ctx.Err() == nil { // else all there is to report is the ramp
		w.measure()
	}
	players.Go(func() { w.kill(ctx, playing) })
	w.watch(ctx, "measuring", func() bool {
		return s.Duration > 0 && time.Since(w.began) >= s.Duration || w.bots.count(botIn) == 0
	})
	w.look()
	r := w.report(ramp)
	leave()
	players.Wait()
	return r
}

// play is the life of one player. It joins while ctx lasts and plays while playing lasts.
func (w *rsSwarm) play(ctx, playing context.Context, i int, b *swarmBot[rs.Client]) {
	if !pause(ctx, time.Duration(float64(i)/float64(w.cmd.Ramp)*float64(time.Second))) {
		return
	}
	joining, cancel := context.WithTimeout(ctx, joinWithin)
	started := time.Now()
	c, err := w.join(joining, i)
	cancel()
	if err != nil {
		if ctx.Err() == nil {
			b.ended(botFailed, err)
		}
		return
	}
	defer c.Close()
	b.client.Store(c)
	b.login = time.Since(started)
	b.state.Store(int32(botIn))
	c.Play(w.behaviour(c, i))
	select {
	case <-c.Done():
		b.ended(botDropped, c.Err())
	case <-playing.Done():
		farewell, cancel := context.WithTimeout(context.Background(), rsFarewell)
		defer cancel()
		_ = c.Logout(farewell) // whoever is just between two connections is gone without it
	}
}

// join logs in. A server that is too busy refuses, and one that has not noticed the end of a former run says that the
// account is online, so it tries again for a while.
func (w *rsSwarm) join(ctx context.Context, i int) (*rs.Client, error) {
	for try := 1; ; try++ {
		c, err := rs.Dial(ctx, rs.Config{
			Addr: w.cmd.Addr, Key: w.key, User: w.cmd.user(i), Password: w.cmd.Password,
			Reconnect: i < w.cmd.Kill, Seed: w.seed + uint64(i)<<32,
		})
		code, refused := rsCode(err)
		if !refused || try >= joinTries && code != proto.ResponseOnline || !mayChange(code) {
			return c, err
		}
		if !pause(ctx, time.Duration(min(try, joinTries))*joinPause) {
			return nil, err
		}
		w.retried(err)
	}
}

// rsCode is why a login was refused.
func rsCode(err error) (proto.ResponseCode, bool) {
	if r, ok := errors.AsType[*rs.RefusedError](err); ok {
		return r.Code, true
	}
	return 0, false
}

// mayChange tells whether a refused login may be let in a little later.
func mayChange(code proto.ResponseCode) bool {
	switch code {
	case proto.ResponseOnline, proto.ResponseBusy, proto.ResponseTooMany, proto.ResponseOffline, proto.ResponseIncomplete:
		return true
	}
	return false
}

// retried notes why a player had to try again.
func (w *rsSwarm) retried(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.retries[err.Error()]++
}

// behaviour is what a player does that has just entered.
func (w *rsSwarm) behaviour(c *rs.Client, i int) rs.Behaviour {
	if w.plays != nil {
		return w.plays(c, i)
	}
	wander := rs.Wander{Run: w.cmd.Running}
	if w.cmd.InSight {
		c.Inspect(func(world *rs.World) {
			at := world.Tile()
			w.home.CompareAndSwap(nil, &at)
		})
		wander.Centre, wander.Radius = w.home.Load(), rsCrowd
	}
	if w.cmd.Chat {
		wander.Chat = rsChatter
	}
	fight := rs.Fight{Centre: wander.Centre, Exclude: w.ours}
	switch {
	case w.cmd.Walk:
		return &wander
	case w.cmd.Fight:
		return &rs.Mixed{Fight: fight, Wander: wander, PreferFight: true}
	}
	if !w.cmd.Chat {
		wander.Chat = rsChat
	}
	return &rs.Mixed{Fight: fight, Wander: wander}
}

// ours tells whether a name is that of a player of a swarm. Doors show "_" as a blank.
func (w *rsSwarm) ours(name string) bool {
	return strings.HasPrefix(strings.ReplaceAll(name, " ", "_"), w.cmd.Prefix)
}

// kill throws players out while playing lasts. Which and when is luck.
func (w *rsSwarm) kill(ctx, playing context.Context) {
	if w.cmd.Kill == 0 {
		return
	}
	luck := rand.New(rand.NewPCG(w.seed, 0x6b696c6c))
	every := rsKillEvery / time.Duration(w.cmd.Kill)
	for playing.Err() == nil && ctx.Err() == nil {
		if !pause(playing, every/2+time.Duration(luck.Int64N(int64(every)))) {
			return
		}
		if c := w.bots[luck.IntN(w.cmd.Kill)].client.Load(); c != nil {
			c.Kill()
		}
	}
}

// measure begins the counting anew.
func (w *rsSwarm) measure() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.bots {
		if c := b.client.Load(); c != nil {
			n := c.ResetStats()
			w.before.Add(&n)
		}
	}
	w.sight = [proto.MaxIndex + 1]int{}
	w.began = time.Now()
	w.cpu = processCPU()
}

// watch prints a line each second until done or ctx ends.
func (w *rsSwarm) watch(ctx context.Context, phase string, done func() bool) {
	was := w.total()
	eachSecond(ctx, done, func(elapsed time.Duration) {
		w.look()
		is := w.total()
		w.progress(phase, &was, &is, elapsed)
		was = is
	})
}

// look notes how many everybody has in sight.
func (w *rsSwarm) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.bots {
		if c := b.client.Load(); c != nil && b.is(botIn) {
			c.Inspect(func(world *rs.World) { w.sight[world.LocalCount()]++ })
		}
	}
}

// rsTotal is what all players have seen.
type rsTotal struct {
	rs.Counts
	gaps *hdrhistogram.Histogram
}

// total sums up all players.
func (w *rsSwarm) total() rsTotal {
	t := rsTotal{gaps: rs.NewHistogram()}
	for _, b := range w.bots {
		if c := b.client.Load(); c != nil {
			n := c.Stats(t.gaps)
			t.Add(&n)
		}
	}
	return t
}

func (w *rsSwarm) progress(phase string, was, is *rsTotal, elapsed time.Duration) {
	infos := float64(is.Infos-min(was.Infos, is.Infos)) / elapsed.Seconds()
	fmt.Fprintf(w.cmd.stderr, "%-9s  %d of %d in  %d failed  %d dropped  %s player infos/s  gap p50 %s p99 %s  %d missed  %d mismatches\n",
		phase, w.bots.count(botIn), len(w.bots), w.bots.count(botFailed), w.bots.count(botDropped), thousands(uint64(infos)),
		milliseconds(quantile(is.gaps, 50)), milliseconds(quantile(is.gaps, 99)), is.Missed, w.mismatches())
}

// mismatches is how many players got a packet on which the game's client would give up.
func (w *rsSwarm) mismatches() int {
	n := 0
	for _, b := range w.bots {
		if c := b.client.Load(); c != nil && c.Mismatch() != nil {
			n++
		}
	}
	return n
}
