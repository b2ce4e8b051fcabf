package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
)

const (
	bedrockCrowd  = 12              // blocks around home in which players wander with --in-sight
	bedrockSettle = 2 * time.Second // from the last join to the beginning of the measurement
)

// bedrockSwarm is a run of many players.
type bedrockSwarm struct {
	cmd    *swarmBedrockCmd
	seed   uint64
	ways   *ways
	chunks bedrock.ChunkCache
	plays  func(c *bedrock.Client, i int) bedrock.Behaviour // instead of what cmd says; nil: none
	home   atomic.Pointer[geom.Vec]                         // with --in-sight: where the first player entered
	bots   swarmBots[bedrock.Client]
	began  time.Time      // the measurement
	cpu    time.Duration  // of this process, then
	server serverCounters // of the server, then

	mu      sync.Mutex
	before  bedrock.Counts // of all players until the measurement began
	retries map[string]int // joins that had to be tried again, by reason
}

// run lets everybody in, measures, and takes everybody out.
func (s *swarmBedrockCmd) run(ctx context.Context) (*swarmBedrockReport, error) {
	w := &bedrockSwarm{cmd: s, seed: s.Seed, retries: map[string]int{}}
	if w.seed == 0 {
		w.seed = rand.Uint64()
	}
	var err error
	if w.ways, err = s.open(s.Addr, s.Clients, w.seed); err != nil {
		return nil, usage(err)
	}
	defer w.ways.close()
	playing, leave := context.WithCancel(context.Background())
	defer leave()
	started := time.Now()
	var players sync.WaitGroup
	for i := range s.Clients {
		b := new(swarmBot[bedrock.Client])
		w.bots = append(w.bots, b)
		players.Go(func() { w.play(ctx, playing, i, b) })
	}
	w.watch(ctx, "joining", func() bool { return w.bots.count(botWaiting) == 0 })
	if w.bots.count(botIn) > 0 {
		pause(ctx, bedrockSettle)
	}
	ramp := time.Since(started)
	if w.began = started; ctx.Err() == nil { // else all there is to report is the ramp
		w.measure(ctx)
	}
	w.watch(ctx, "measuring", func() bool {
		return s.Duration > 0 && time.Since(w.began) >= s.Duration || w.bots.count(botIn) == 0
	})
	r := w.report(context.Background(), ramp)
	leave()
	players.Wait()
	return r, nil
}

// play is the life of one player. It joins while ctx lasts and plays while playing lasts.
func (w *bedrockSwarm) play(ctx, playing context.Context, i int, b *swarmBot[bedrock.Client]) {
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
	if err := c.Play(playing, w.behaviour(c, i)); err != nil {
		b.ended(botDropped, err)
	}
}

// join logs in. A server that is too busy refuses, and one that has not noticed the end of a former run says that the
// player is in the world, so it tries again for a while.
func (w *bedrockSwarm) join(ctx context.Context, i int) (*bedrock.Client, error) {
	for try := 1; ; try++ {
		c, err := bedrock.Dial(ctx, w.ways.of(i), bedrock.Options{
			Name: w.cmd.user(i), Version: w.cmd.versionOf(i), Seed: w.seed + uint64(i)<<32, Chunks: &w.chunks,
			Tamper: w.tamper(i),
		})
		if err == nil || errors.Is(err, bedrock.ErrNoServer) || errors.Is(err, bedrock.ErrVersion) || try >= joinTries {
			return c, err
		}
		if !pause(ctx, time.Duration(try)*joinPause) {
			return nil, err
		}
		w.mu.Lock()
		w.retries[err.Error()]++
		w.mu.Unlock()
	}
}

// tamper is how player i cheats, nil if it does not.
func (w *bedrockSwarm) tamper(i int) *bedrock.Tamper {
	t, _ := bedrock.Cheat(w.cmd.cheatOf(i), rand.New(rand.NewPCG(w.seed, uint64(i))))
	return t
}

// behaviour is what a player does that has just entered.
func (w *bedrockSwarm) behaviour(c *bedrock.Client, i int) bedrock.Behaviour {
	if w.plays != nil {
		return w.plays(c, i)
	}
	var wander bedrock.Wander
	if w.cmd.InSight {
		c.Inspect(func(s *bedrock.Session) {
			at := s.Predictor().State().Pos
			w.home.CompareAndSwap(nil, &at)
		})
		wander.Home, wander.Radius = w.home.Load(), bedrockCrowd
	}
	if w.cmd.Walk || !w.cmd.Fight && i%2 == 0 {
		return &wander
	}
	return &bedrock.Fight{AttackPlayers: true, Idle: wander}
}

// measure begins the counting anew.
func (w *bedrockSwarm) measure(ctx context.Context) {
	w.server = w.scrape(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.bots {
		if c := b.client.Load(); c != nil {
			n := c.ResetStats()
			w.before.Add(&n)
		}
	}
	w.began = time.Now()
	w.cpu = processCPU()
}

// watch prints a line each second until done or ctx ends.
func (w *bedrockSwarm) watch(ctx context.Context, phase string, done func() bool) {
	was := w.total(nil)
	eachSecond(ctx, done, func(elapsed time.Duration) {
		h := bedrockHistograms()
		is := w.total(&h)
		inputs := float64(is.Inputs-min(was.Inputs, is.Inputs)) / elapsed.Seconds()
		fmt.Fprintf(w.cmd.stderr, "%-9s  %d of %d in  %d failed  %d dropped  %s inputs/s  gap p99 %s  trip p99 %s  %d corrections, %d false\n",
			phase, w.bots.count(botIn), len(w.bots), w.bots.count(botFailed), w.bots.count(botDropped), thousands(uint64(inputs)),
			milliseconds(quantile(h.UpdateIntervals, 99)), milliseconds(quantile(h.RoundTrips, 99)), is.Move.Corrections, is.Move.Unexpected)
		was = is
	})
}

// total sums up all players; what they measured goes to h unless it is nil.
func (w *bedrockSwarm) total(h *bedrock.Histograms) bedrock.Counts {
	var t bedrock.Counts
	for _, b := range w.bots {
		if c := b.client.Load(); c != nil {
			n := c.Stats(h)
			t.Add(&n)
		}
	}
	return t
}

func bedrockHistograms() bedrock.Histograms {
	return bedrock.Histograms{UpdateIntervals: bedrock.NewHistogram(), RoundTrips: bedrock.NewHistogram(), ReplayDepths: bedrock.NewHistogram()}
}
