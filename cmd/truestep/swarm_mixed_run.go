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
	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/sim"
)

const (
	mixedSettle = 4 * time.Second        // from the last join to the beginning of the measurement
	mixedRound  = 100 * time.Millisecond // between two rounds of judging
)

// mixedSwarm is a run of players of all doors: a swarm of each, and what is known of the truth.
type mixedSwarm struct {
	cmd     *swarmMixedCmd
	rcce    *swarm
	rs      *rsSwarm
	bedrock *bedrockSwarm

	console *mixedConsole // nil with --no-check
	world   *mixedWorld   // nil with --no-check
	truth   *mixedTruth
	looking atomic.Bool // clients are looked at

	began time.Time     // the measurement
	cpu   time.Duration // of this process, then

	mu    sync.Mutex
	looks []*mixedLook // not judged yet, in order of time
	judge *mixedJudge
	ticks mixedTicks
	errs  []error // of the console
}

// mixedTicks are the worst figures of an area that the server told.
type mixedTicks struct {
	p50, p99 int64 // µs
	last99   int64
	since    time.Time // what was told before counts for nothing
}

// run lets everybody in, measures, and takes everybody out.
func (s *swarmMixedCmd) run(ctx context.Context) (*swarmMixedReport, error) {
	m, err := s.prepare(ctx)
	if err != nil {
		return nil, usage(err)
	}
	defer m.close()
	playing, leave := context.WithCancel(context.Background())
	defer leave()
	started := time.Now()
	var players, watchers sync.WaitGroup
	m.start(ctx, playing, &players)
	if m.console != nil {
		m.observe(playing, &watchers)
	}
	m.watch(ctx, "joining", func() bool { return m.count(botWaiting) == 0 })
	switch {
	case m.count(botIn) == 0:
	case m.console == nil:
		pause(ctx, settleFor)
	default:
		pause(ctx, mixedSettle)
	}
	ramp := time.Since(started)
	m.measure(ctx, started)
	m.watch(ctx, "measuring", func() bool {
		return s.Duration > 0 && time.Since(m.began) >= s.Duration || m.count(botIn) == 0
	})
	m.looking.Store(false)
	end := time.Now()
	if m.console != nil && ctx.Err() == nil {
		pause(ctx, (judgeAfter+200)*time.Millisecond)
		m.judgeDue(time.Now())
	}
	r := m.report(context.Background(), ramp, end)
	leave()
	players.Wait()
	watchers.Wait()
	return r, nil
}

// prepare makes the swarms, and asks the console for the world.
func (s *swarmMixedCmd) prepare(ctx context.Context) (*mixedSwarm, error) {
	seed := s.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	size := func(n int) swarmSize { return swarmSize{n, s.Duration, s.share(n)} }
	m := &mixedSwarm{cmd: s}
	m.rcce = &swarm{seed: seed, retries: map[string]int{}, plays: m.playRcce, cmd: &swarmRcceCmd{
		Server: s.RcceAddr, swarmSize: size(s.Rcce), Reconnect: true, GRO: true, swarmLine: s.swarmLine, stderr: s.stderr,
		swarmAccounts: swarmAccounts{s.Prefix + "c", s.Password},
	}}
	m.rs = &rsSwarm{seed: seed + 1, retries: map[string]int{}, plays: m.playRS, cmd: &swarmRsCmd{
		Addr: s.RsAddr, swarmSize: size(s.Rs), stderr: s.stderr, swarmAccounts: swarmAccounts{s.Prefix + "r", s.Password},
	}}
	m.bedrock = &bedrockSwarm{seed: seed + 2, retries: map[string]int{}, plays: m.playBedrock, cmd: &swarmBedrockCmd{
		Addr: s.BedrockAddr, swarmSize: size(s.Bedrock), swarmLine: s.swarmLine, stderr: s.stderr, Prefix: s.Prefix + "b", Game: "both",
	}}
	var err error
	if s.Rs > 0 {
		if m.rs.key, err = readPublicKey(s.PublicKey); err != nil {
			return nil, err
		}
	}
	if s.Check {
		if m.console, err = openMixedConsole(s.Console, s.Token); err != nil {
			return nil, err
		}
		if m.world, err = m.console.world(ctx); err != nil {
			return nil, fmt.Errorf("%w; name the server's console with --console URL, or compare nothing with --no-check", err)
		}
		m.truth = newMixedTruth(len(m.world.Areas), m.world.TickRate)
		m.judge = newMixedJudge(m.world, m.truth, s.Way+2*(s.Delay+s.Jitter))
	}
	if m.rcce.ways, err = s.open(s.RcceAddr, s.Rcce, seed); err != nil {
		return nil, err
	}
	if m.bedrock.ways, err = s.open(s.BedrockAddr, s.Bedrock, seed+7); err != nil {
		m.rcce.ways.close()
		return nil, err
	}
	return m, nil
}

func (m *mixedSwarm) close() {
	m.rcce.ways.close()
	m.bedrock.ways.close()
}

// start lets the players come, those of all doors at the same time.
func (m *mixedSwarm) start(ctx, playing context.Context, players *sync.WaitGroup) {
	for i := range m.cmd.Rcce {
		b := new(swarmBot[rcce.Client])
		m.rcce.bots = append(m.rcce.bots, b)
		players.Go(func() { m.rcce.play(ctx, playing, i, b) })
	}
	for i := range m.cmd.Rs {
		b := new(swarmBot[rs.Client])
		m.rs.bots = append(m.rs.bots, b)
		players.Go(func() { m.rs.play(ctx, playing, i, b) })
	}
	for i := range m.cmd.Bedrock {
		b := new(swarmBot[bedrock.Client])
		m.bedrock.bots = append(m.bedrock.bots, b)
		players.Go(func() { m.bedrock.play(ctx, playing, i, b) })
	}
}

func (m *mixedSwarm) count(s botState) int {
	return m.rcce.bots.count(s) + m.rs.bots.count(s) + m.bedrock.bots.count(s)
}

// measure begins the counting anew.
func (m *mixedSwarm) measure(ctx context.Context, started time.Time) {
	m.began, m.cpu = time.Now(), processCPU()
	m.rcce.began, m.rs.began, m.bedrock.began = started, started, started
	if ctx.Err() != nil {
		return // all there is to report is the ramp
	}
	m.rcce.measure()
	m.rs.measure()
	m.bedrock.measure(ctx)
	if m.judge != nil {
		m.mu.Lock()
		m.judge.began, m.ticks = m.began, mixedTicks{since: m.began.Add(m.cmd.tickWindow())}
		m.mu.Unlock()
		m.looking.Store(true)
	}
}

// observe reads the truth, looks at the clients and compares, until ctx ends.
func (m *mixedSwarm) observe(ctx context.Context, watchers *sync.WaitGroup) {
	for i := range m.world.Areas {
		area := sim.AreaID(i)
		watchers.Go(func() {
			err := m.console.live(ctx, area, m.world.TickRate,
				func(r *mixedRoster) { m.truth.roster(area, r) },
				func(f *console.LiveFrame) { m.truth.frame(area, f, time.Now()) })
			if ctx.Err() == nil {
				m.failed(err)
			}
		})
	}
	watchers.Go(func() { m.lookAround(ctx) })
	watchers.Go(func() { m.feelStalls(ctx) })
	watchers.Go(func() {
		for pause(ctx, mixedRound) {
			m.judgeDue(time.Now())
		}
	})
	watchers.Go(func() {
		for pause(ctx, time.Second) {
			m.askTicks(ctx)
		}
	})
}

// failed notes what went wrong with the console.
func (m *mixedSwarm) failed(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.errs) < mostListed && !errors.Is(err, context.Canceled) {
		m.errs = append(m.errs, err)
	}
}

// tickWindow is for how long the server's figures still have ticks in them from before the measurement. A short run has
// to take them as they are.
func (s *swarmMixedCmd) tickWindow() time.Duration {
	const window = 10 * time.Second // docs/console-api.md, overview
	if s.Duration != 0 && s.Duration < 2*window {
		return 0
	}
	return window
}

// askTicks asks how long the server's ticks take.
func (m *mixedSwarm) askTicks(ctx context.Context) {
	var o mixedOverview
	if err := m.console.get(ctx, "overview", nil, &o); err != nil {
		m.failed(err)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &m.ticks
	t.last99 = 0
	for _, a := range o.Areas {
		t.last99 = max(t.last99, a.TickP99US)
		if time.Now().After(t.since) {
			t.p50, t.p99 = max(t.p50, a.TickP50US), max(t.p99, a.TickP99US)
		}
	}
}

// feelStalls notes when this process does not get to run: its clients are behind then, whatever the server does.
func (m *mixedSwarm) feelStalls(ctx context.Context) {
	const nap = 20 * time.Millisecond
	for was := time.Now(); pause(ctx, nap); {
		now := time.Now()
		m.truth.stalled(now, (now.Sub(was)-nap).Seconds()*1000)
		was = now
	}
}

// lookAround looks at each client of the doors for RealmCrafter and Bedrock clients once a second, spread over it. Those
// for RuneScape clients are looked at by their observers.
func (m *mixedSwarm) lookAround(ctx context.Context) {
	all := len(m.rcce.bots) + len(m.bedrock.bots)
	if all == 0 {
		return
	}
	next := time.Now()
	for i := 0; ; i = (i + 1) % all {
		next = next.Add(mixedLookEvery / time.Duration(all))
		if wait := time.Until(next); wait > time.Millisecond && !pause(ctx, wait) || ctx.Err() != nil {
			return
		}
		if !m.looking.Load() {
			continue
		}
		if k := i - len(m.rcce.bots); k >= 0 {
			if b := m.bedrock.bots[k]; b.is(botIn) {
				m.saw(lookBedrock(b.client.Load(), m.bedrock.cmd.user(k)))
			}
		} else if b := m.rcce.bots[i]; b.is(botIn) {
			m.saw(lookRcce(b.client.Load(), m.rcce.cmd.user(i)))
		}
	}
}

// saw takes a look, to be judged once the truth about it is here.
func (m *mixedSwarm) saw(look *mixedLook) {
	m.mu.Lock()
	m.looks = append(m.looks, look)
	m.mu.Unlock()
}

// judgeDue judges the looks that are old enough.
func (m *mixedSwarm) judgeDue(now time.Time) {
	for {
		m.mu.Lock()
		if len(m.looks) == 0 || now.Sub(m.looks[0].at) < judgeAfter*time.Millisecond {
			m.mu.Unlock()
			return
		}
		look := m.looks[0]
		m.looks[0], m.looks = nil, m.looks[1:]
		m.judge.judge(look)
		m.mu.Unlock()
	}
}

// watch prints a line each second until done or ctx ends.
func (m *mixedSwarm) watch(ctx context.Context, phase string, done func() bool) {
	was := uint64(0)
	eachSecond(ctx, done, func(elapsed time.Duration) {
		line := fmt.Sprintf("%-9s  %d of %d in", phase, m.count(botIn), m.cmd.total())
		if !m.looking.Load() { // who is missing, while it fits into a line of the screen
			line += fmt.Sprintf(" (rcce %d, rs %d, bedrock %d)", m.rcce.bots.count(botIn), m.rs.bots.count(botIn), m.bedrock.bots.count(botIn))
		}
		if failed, dropped := m.count(botFailed), m.count(botDropped); failed+dropped > 0 {
			line += fmt.Sprintf("  %d failed  %d dropped", failed, dropped)
		}
		if m.looking.Load() {
			m.mu.Lock()
			places, bad := uint64(0), uint64(0)
			for _, v := range m.judge.doors {
				places += v.compared
				bad += v.mismatches()
			}
			line += fmt.Sprintf("  tick p99 %s  %s places/s  %d mismatches",
				milliseconds(time.Duration(m.ticks.last99)*time.Microsecond), thousands(uint64(float64(places-min(was, places))/elapsed.Seconds())), bad)
			was = places
			m.mu.Unlock()
		}
		fmt.Fprintln(m.cmd.stderr, line)
	})
}
