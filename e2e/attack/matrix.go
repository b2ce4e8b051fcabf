//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// victimName is the account that wrong passwords are tried against. It belongs to no player.
const victimName = "Victim"

// residentsPerRoute is how many players of each route are in the world, all behind one address: with the delayed ones of
// two protocols 30 players.
const residentsPerRoute = 6

// matrix runs the attacks against one server after the other.
type matrix struct {
	ctx     context.Context
	opt     options
	server  *testServer
	home    *residents
	usual   map[string]time.Duration // time of a join without an attack, by route
	serial  int                      // number of the last player that joined
	passed  int
	failed  int
	noticed map[string]int // by attack: lowest strength at which honest players are affected
}

// run runs all attacks and returns the number of checks.
func run(ctx context.Context, o options) (passed, failed int) {
	m := &matrix{ctx: ctx, opt: o, usual: map[string]time.Duration{}, noticed: map[string]int{}}
	defer m.close()
	for _, strength := range o.strengths {
		for _, a := range attacks {
			if len(o.only) > 0 && !slices.Contains(o.only, a.name) || len(o.only) == 0 && a.slow && len(o.strengths) == 1 {
				continue
			}
			if ctx.Err() != nil {
				m.failed++
				return m.passed, m.failed
			}
			m.attack(a, strength)
		}
	}
	fmt.Println()
	for _, a := range attacks {
		if n, ok := m.noticed[a.name]; ok {
			fmt.Printf("honest players notice %s at strength %d (%s)\n", a.name, n, a.what)
		}
	}
	return m.passed, m.failed
}

func (m *matrix) check(name string, err error) {
	if err == nil {
		m.passed++
		return
	}
	m.failed++
	fmt.Printf("FAIL %s: %v\n", name, err)
}

// open starts a server with its residents unless one is running.
func (m *matrix) open() (err error) {
	if m.server != nil && m.server.running() && m.home != nil && m.home.lostPlayers() == nil {
		return nil
	}
	m.close()
	if m.server, err = startServer(m.ctx, m.opt.server); err != nil {
		return err
	}
	victim, err := joinWithin(m.ctx, 20*time.Second, m.server, routes[0], "10.201.0.1", victimName)
	if err != nil {
		return err
	}
	victim.close()
	if m.home, err = joinResidents(m.ctx, m.server, residentsPerRoute, natAddr); err != nil {
		return err
	}
	for _, way := range routes {
		m.serial++
		took, err := m.join(m.ctx, way, m.serial, false)
		if err != nil {
			return fmt.Errorf("%s without an attack: %w", way.name, err)
		}
		m.usual[way.name] = took
	}
	return nil
}

func (m *matrix) close() {
	if m.home != nil {
		m.home.leave()
		m.home = nil
	}
	if m.server != nil {
		if err := m.server.stop(); err != nil {
			m.check("the server stops", err)
		}
		m.server = nil
	}
}

// join lets the new player of that number join and leave, and returns how long the join took.
func (m *matrix) join(ctx context.Context, way route, serial int, inNAT bool) (time.Duration, error) {
	from := natAddr
	if !inNAT {
		from = fmt.Sprintf("10.210.%d.%d", serial/250, 1+serial%250)
	}
	name := fmt.Sprintf("Guest%d", serial)
	begin := time.Now()
	p, err := joinWithin(ctx, recoverLimit, m.server, way, from, name)
	took := time.Since(begin)
	if err == nil {
		p.close()
	}
	return took, err
}

// observed holds the measurements of honest players during an attack.
type observed struct {
	mu      sync.Mutex
	longest map[string]time.Duration // longest time of a join by route, and of an answer of the console
	errs    []error
}

func (o *observed) add(name string, took time.Duration, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.longest[name] = max(o.longest[name], took)
	if err != nil {
		o.errs = append(o.errs, fmt.Errorf("%s after %v: %w", name, took.Round(time.Millisecond), err))
	}
}

// attack runs one attack at one strength beside honest players and compares their measurements with the limits.
func (m *matrix) attack(a attack, strength int) {
	title := fmt.Sprintf("%s x%d", a.name, strength)
	if err := m.open(); err != nil {
		m.check(title+": the server starts and its players join", err)
		return
	}
	before, held := m.home.corrections(), m.server.heldBack(m.ctx)
	ctx, cancel := context.WithCancel(m.ctx)
	as := &assault{server: m.server, strength: strength, started: make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- a.run(ctx, as) }()
	var err error
	select {
	case <-as.started:
	case err = <-ended:
	case <-time.After(3 * time.Minute):
		err = errors.New("the attack is not under way after three minutes")
	}
	seen := &observed{longest: map[string]time.Duration{}}
	if err == nil {
		m.joinBeside(ctx, a, seen)
	}
	units := as.count.Load()
	cancel()
	if err == nil {
		err = <-ended
	}
	corrected := m.home.corrections() - before
	trouble := errors.Join(append(seen.errs, m.limits(seen), m.home.lostPlayers())...)
	if corrected > 0 {
		trouble = errors.Join(trouble, fmt.Errorf("%d corrections of honest players", corrected))
	}
	if trouble != nil && m.noticed[a.name] == 0 {
		m.noticed[a.name] = strength
	}
	fmt.Printf("%-28s %8d units  %s\n", title, units, m.line(seen, trouble))
	if trouble != nil {
		m.explain(trouble, held, strength)
	}
	switch {
	case err != nil:
		m.check(title, err)
	case strength == 1:
		m.check(title, trouble)
	default:
		m.check(title+": players get in again", m.recovered())
	}
}

// explain prints what honest players met and the counters of the server that grew since held. At strength 1 the failed check
// says what they met.
func (m *matrix) explain(trouble error, held map[string]float64, strength int) {
	after := m.server.heldBack(m.ctx)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if n := after[name] - held[name]; n > 0 {
			fmt.Printf("    %s %.0f\n", name, n)
		}
	}
	if strength > 1 {
		fmt.Printf("    %s\n", strings.ReplaceAll(trouble.Error(), "\n", "\n    "))
	}
}

// joinBeside lets a player of every route join once a second, and the operator ask the console.
func (m *matrix) joinBeside(ctx context.Context, a attack, seen *observed) {
	var all sync.WaitGroup
	for range int(m.opt.lasting / time.Second) {
		for _, way := range routes {
			m.serial++
			serial := m.serial
			all.Go(func() {
				took, err := m.join(ctx, way, serial, a.inNAT)
				seen.add(way.name, took, err)
			})
		}
		all.Go(func() {
			begin := time.Now()
			asking, cancel := context.WithTimeout(ctx, recoverLimit)
			defer cancel()
			err := m.server.askConsole(asking, "10.220.0.1")
			seen.add("console", time.Since(begin), err)
		})
		wait(ctx, time.Second)
	}
	all.Wait()
}

// limits compares the longest times with their limits.
func (m *matrix) limits(seen *observed) error {
	var errs []error
	for _, way := range routes {
		if limit := m.usual[way.name] + joinLimit; seen.longest[way.name] > limit {
			errs = append(errs, fmt.Errorf("%s: a join took %v, at most %v is allowed", way.name, seen.longest[way.name].Round(time.Millisecond), limit.Round(time.Millisecond)))
		}
	}
	if took := seen.longest["console"]; took > answerLimit {
		errs = append(errs, fmt.Errorf("console: an answer took %v", took.Round(time.Millisecond)))
	}
	return errors.Join(errs...)
}

// recovered checks that a player of every route can join after an attack.
func (m *matrix) recovered() error {
	if !m.server.running() {
		return fmt.Errorf("the server ended\n%s", m.server.tail(20))
	}
	for _, way := range routes {
		m.serial++
		if _, err := m.join(m.ctx, way, m.serial, false); err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
	}
	return nil
}

// line formats the longest times.
func (m *matrix) line(seen *observed, trouble error) string {
	var b strings.Builder
	for _, way := range routes {
		fmt.Fprintf(&b, "%s %4d ms  ", way.name, seen.longest[way.name].Milliseconds())
	}
	fmt.Fprintf(&b, "console %4d ms", seen.longest["console"].Milliseconds())
	if trouble != nil {
		b.WriteString("  noticed")
	}
	return b.String()
}
