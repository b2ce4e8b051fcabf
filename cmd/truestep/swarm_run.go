package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

const (
	joinWithin = 45 * time.Second // from a player's first datagram into the world, retries included
	joinTries  = 4                // for a server that is too busy at first
	joinPause  = 2 * time.Second  // between two of them; longer each time
	settleFor  = time.Second      // from the last join to the beginning of the measurement

	swarmRadius = 150             // units around home in which players wander; spec rcce 5.2: in sight is 500
	swarmHunt   = 200             // units around home in which they look for a fight
	swarmChat   = 2 * time.Minute // a mixed player says something about so often
)

// swarm is a run of many players.
type swarm struct {
	cmd   *swarmRcceCmd
	seed  uint64
	ways  *ways
	plays func(c *rcce.Client, i int) rcce.Behaviour // instead of what cmd says; nil: none
	home  atomic.Pointer[geom.Vec]                   // with --in-sight: where the first player entered
	bots  swarmBots[rcce.Client]
	began time.Time     // the measurement
	cpu   time.Duration // of this process, then

	mu      sync.Mutex
	before  rcce.Counts    // of all players until the measurement began
	retries map[string]int // joins that had to be tried again, by reason
}

// run lets everybody in, measures, and takes everybody out.
func (s *swarmRcceCmd) run(ctx context.Context) (*swarmReport, error) {
	w := &swarm{cmd: s, seed: s.Seed, retries: map[string]int{}}
	if w.seed == 0 {
		w.seed = rand.Uint64()
	}
	var err error
	if w.ways, err = s.open(s.Server, s.Clients, w.seed); err != nil {
		return nil, usage(err)
	}
	defer w.ways.close()
	playing, leave := context.WithCancel(context.Background())
	defer leave()
	started := time.Now()
	var players sync.WaitGroup
	for i := range s.Clients {
		b := new(swarmBot[rcce.Client])
		w.bots = append(w.bots, b)
		players.Go(func() { w.play(ctx, playing, i, b) })
	}
	w.watch(ctx, "joining", func() bool { return w.bots.count(botWaiting) == 0 })
	pause(ctx, settleFor)
	ramp := time.Since(started)
	if w.began = started; ctx.Err() == nil { // else all there is to report is the ramp
		w.measure()
	}
	w.watch(ctx, "measuring", func() bool {
		return s.Duration > 0 && time.Since(w.began) >= s.Duration || w.bots.count(botIn) == 0
	})
	r := w.report(ramp)
	leave()
	players.Wait()
	return r, nil
}

// play is the life of one player. It joins while ctx lasts and plays while playing lasts.
func (w *swarm) play(ctx, playing context.Context, i int, b *swarmBot[rcce.Client]) {
	if !pause(ctx, time.Duration(float64(i)/float64(w.cmd.Ramp)*float64(time.Second))) {
		return
	}
	joining, cancel := context.WithTimeout(ctx, joinWithin)
	started := time.Now()
	c, err := w.join(joining, i, b)
	cancel()
	if c != nil {
		defer c.Close()
	}
	if err != nil {
		if ctx.Err() == nil {
			b.ended(botFailed, err)
		}
		return
	}
	b.login = time.Since(started)
	b.state.Store(int32(botIn))
	if err := c.Play(playing, w.behaviour(c, i)); err != nil {
		b.ended(botDropped, err)
	}
}

// join connects and logs in. A server that is too busy refuses, and one that has not noticed the end of a former run
// says that the account is online, so it tries again for a while. The client is returned with an error, too, if there
// was a connection.
func (w *swarm) join(ctx context.Context, i int, b *swarmBot[rcce.Client]) (*rcce.Client, error) {
	for try := 1; ; try++ {
		c, err := w.joinOnce(ctx, i, b)
		if err == nil || errors.Is(err, rcce.ErrNoServer) || try >= joinTries && !online(err) {
			return c, err
		}
		if c != nil {
			c.Close()
		}
		if !pause(ctx, time.Duration(min(try, joinTries))*joinPause) {
			return nil, err
		}
		w.retried(err)
	}
}

func (w *swarm) joinOnce(ctx context.Context, i int, b *swarmBot[rcce.Client]) (*rcce.Client, error) {
	c, err := rcce.Dial(ctx, w.ways.of(i), rcce.Options{
		User: w.cmd.user(i), Password: w.cmd.Password,
		SameConnection: !w.cmd.Reconnect, GRO: w.cmd.GRO,
		Seed: w.seed + uint64(i)<<32,
	})
	if err != nil {
		return nil, err
	}
	if old := b.client.Swap(c); old != nil {
		w.retire(old)
	}
	return c, c.Join(ctx)
}

func online(err error) bool {
	var refused *rcce.RefusedError
	return errors.As(err, &refused) && refused.Answer == proto.ReplyOnline
}

// retire keeps the counts of a client that is replaced by another try.
func (w *swarm) retire(c *rcce.Client) {
	n := c.Stats(nil, nil)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before.Add(&n)
}

// retried notes why a player had to try again.
func (w *swarm) retried(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.retries[err.Error()]++
}

// behaviour is what a player does that has just entered.
func (w *swarm) behaviour(c *rcce.Client, i int) rcce.Behaviour {
	if w.plays != nil {
		return w.plays(c, i)
	}
	var home *geom.Vec
	if w.cmd.InSight {
		c.Look(func(world *rcce.World) {
			at := world.Self.Pos
			w.home.CompareAndSwap(nil, &at)
		})
		home = w.home.Load()
	}
	sees := &sighted{walls: w.cmd.walls}
	wander := rcce.Wander{Home: home, Radius: swarmRadius, Clear: sees.clear}
	fight := rcce.Fight{Home: home, Range: swarmHunt, Clear: sees.clear}
	switch {
	case w.cmd.Walk:
		sees.Behaviour = &wander
	case w.cmd.Fight:
		sees.Behaviour = &fight
	default:
		wander.Chat = swarmChat
		sees.Behaviour = &rcce.Mixed{Fight: fight, Wander: wander}
	}
	return sees
}

// measure begins the counting anew.
func (w *swarm) measure() {
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
func (w *swarm) watch(ctx context.Context, phase string, done func() bool) {
	was := w.total()
	eachSecond(ctx, done, func(elapsed time.Duration) {
		is := w.total()
		w.progress(phase, &was, &is, elapsed)
		was = is
	})
}

// total sums up all players.
func (w *swarm) total() swarmTotal {
	t := swarmTotal{gaps: rcce.NewHistogram(), trips: rcce.NewHistogram()}
	for _, b := range w.bots {
		if c := b.client.Load(); c != nil {
			n := c.Stats(t.gaps, t.trips)
			t.Add(&n)
		}
	}
	return t
}

func (w *swarm) progress(phase string, was, is *swarmTotal, elapsed time.Duration) {
	updates := float64(is.Updates-min(was.Updates, is.Updates)) / elapsed.Seconds()
	fmt.Fprintf(w.cmd.stderr, "%-9s  %d of %d in  %d failed  %d dropped  %s updates/s  gap p99 %s  rtt p50 %s  %d corrections  %d snaps\n",
		phase, w.bots.count(botIn), len(w.bots), w.bots.count(botFailed), w.bots.count(botDropped), thousands(uint64(updates)),
		milliseconds(quantile(is.gaps, 99)), milliseconds(quantile(is.trips, 50)), is.Corrections, is.Snaps)
}
