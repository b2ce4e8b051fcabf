package swarm

import (
	"context"
	"fmt"
	"io"
	"maps"
	"sync"
	"time"
)

// run is one run of a swarm, with the players of one or several protocols.
type run struct {
	groups   []*group
	duration time.Duration // duration of the measurement; 0 measures until the context ends
	progress io.Writer     // receives the progress lines
	check    *check        // comparison with the server's state; nil if nothing is compared

	started time.Time     // time of the first login
	began   time.Time     // beginning of the measurement
	ramp    time.Duration // time between the first login and the measurement
	cpu     time.Duration // processor time of this process at the beginning of the measurement
}

// group contains the players of one protocol in a run.
type group struct {
	config *Config
	driver driver
	roster
	result Report // set at the end of the measurement
}

func newRun(protocols []Protocol, progress io.Writer) (*run, error) {
	r := &run{progress: progress}
	if r.progress == nil {
		r.progress = io.Discard
	}
	for _, p := range protocols {
		c := p.config()
		d, err := p.start(seedOr(c.Seed))
		if err != nil {
			r.close()
			return nil, configError{err}
		}
		g := &group{config: c, driver: d}
		g.retries = map[string]int{}
		for range c.Clients {
			g.players = append(g.players, new(player))
		}
		d.setRoster(&g.roster)
		r.groups = append(r.groups, g)
	}
	return r, nil
}

func (r *run) close() {
	for _, g := range r.groups {
		g.driver.close()
	}
}

func (r *run) count(s playerState) int {
	n := 0
	for _, g := range r.groups {
		n += g.count(s)
	}
	return n
}

func (r *run) total() int {
	n := 0
	for _, g := range r.groups {
		n += len(g.players)
	}
	return n
}

// play logs the players in, measures, stores a report in each group, and waits until all players have logged out.
func (r *run) play(ctx context.Context) {
	playing, leave := context.WithCancel(context.Background())
	defer leave()
	r.started = time.Now()
	var tasks sync.WaitGroup
	for _, g := range r.groups {
		for i, p := range g.players {
			tasks.Go(func() { g.play(ctx, playing, i, p) })
		}
	}
	if r.check != nil {
		r.check.start(playing, &tasks)
	}
	r.watch(ctx, "joining", func() bool { return r.count(waiting) == 0 })
	r.settle(ctx)
	r.ramp = time.Since(r.started)
	if r.began = r.started; ctx.Err() == nil { // else the context has ended during the logins, and the report covers the logins
		r.measure(ctx)
	}
	for _, g := range r.groups {
		tasks.Go(func() { g.driver.disturb(playing) })
	}
	r.watch(ctx, "measuring", func() bool {
		return r.duration > 0 && time.Since(r.began) >= r.duration || r.count(inWorld) == 0
	})
	elapsed := time.Since(r.began)
	if r.check != nil {
		r.check.finish(ctx)
	}
	for _, g := range r.groups {
		g.driver.sample()
		g.result = g.driver.report(context.Background(), r.common(g, elapsed), elapsed)
	}
	leave()
	tasks.Wait()
}

// settle waits after the last login until the rates have become steady. The measurement can then begin.
func (r *run) settle(ctx context.Context) {
	longest := time.Duration(0)
	for _, g := range r.groups {
		if g.count(inWorld) > 0 {
			longest = max(longest, g.driver.settleTime())
		}
	}
	if r.check != nil && longest > 0 {
		longest = checkSettleTime
	}
	sleep(ctx, longest)
}

// measure begins the measurement: it resets all counts to 0 and stores the time.
func (r *run) measure(ctx context.Context) {
	for _, g := range r.groups {
		g.driver.reset(ctx)
	}
	r.began, r.cpu = time.Now(), processCPU()
	if r.check != nil {
		r.check.begin(r.began)
	}
}

// watch prints one progress line per second until done returns true or ctx ends. The parameter phase names the part of the
// run.
func (r *run) watch(ctx context.Context, phase string, done func() bool) {
	for _, g := range r.groups {
		g.driver.progress(time.Second) // resets the rates of progress, so that the first line covers only the last second
	}
	eachSecond(ctx, done, func(elapsed time.Duration) {
		for _, g := range r.groups {
			g.driver.sample()
		}
		line := fmt.Sprintf("%-9s  %d of %d in", phase, r.count(inWorld), r.total())
		if len(r.groups) == 1 && r.check == nil {
			line += fmt.Sprintf("  %d failed  %d dropped  %s", r.count(failed), r.count(dropped), r.groups[0].driver.progress(elapsed))
		} else {
			line += r.mixedProgress(elapsed)
		}
		fmt.Fprintln(r.progress, line)
	})
}

// common returns the part of a group's report that all protocols have.
func (r *run) common(g *group, elapsed time.Duration) Common {
	c := Common{
		Server: g.config.Server, RampSeconds: round(r.ramp.Seconds(), 100), MeasuredSeconds: round(elapsed.Seconds(), 100),
		Asked: len(g.players), Reasons: map[string]int{},
		SwarmCores: round((processCPU()-r.cpu).Seconds()/elapsed.Seconds(), 100),
	}
	g.mu.Lock()
	c.Retries = maps.Clone(g.retries)
	g.mu.Unlock()
	logins := newHistogram()
	for _, p := range g.players {
		if cl := p.client.Load(); cl != nil && c.FirstUnreadable == "" {
			if err := (*cl).firstBad(); err != nil {
				c.FirstUnreadable = err.Error()
			}
		}
		switch playerState(p.state.Load()) {
		case failed:
			c.Failed++
			c.Reasons[p.err.Error()]++
			continue
		case dropped:
			c.Dropped++
			c.Reasons[p.err.Error()]++
		case waiting:
			continue
		}
		c.Joined++
		c.LastJoin = max(c.LastJoin, round(p.joined.Sub(r.started).Seconds(), 100))
		_ = logins.RecordValue(int64(p.login / histogramUnit)) // cannot fail: login times are below joinTimeout, which is within the range of the histogram
	}
	c.Login = distributionOf(logins)
	return c
}
