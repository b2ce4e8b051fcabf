//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// matrix runs the checks and attacks. Attacks share one server. A new server replaces it when its process has ended, or when honest
// players have noticed an attack.
type matrix struct {
	ctx    context.Context
	opt    options
	server *testServer              // the server under attack; nil for none
	home   *residents               // honest players on the server; nil for none
	usual  map[string]time.Duration // time of a join without an attack, by name of the route
	report

	mu     sync.Mutex
	serial int // number of the last player that joined
}

// run runs all checks and attacks and returns how many of them have passed and failed. An attack counts once for each strength.
func run(ctx context.Context, o options) (passed, failed int) {
	m := &matrix{ctx: ctx, opt: o, report: newReport()}
	var checks sync.WaitGroup
	checks.Go(m.checkServers)
	if !o.brief {
		checks.Wait() // the servers of the checks must not compete for the CPU with the server under attack
	}
	for _, strength := range o.strengths {
		for _, list := range m.rounds() {
			if ctx.Err() != nil {
				m.result("interrupted", ctx.Err())
				break
			}
			m.attackAgain(list, strength)
		}
	}
	m.close()
	checks.Wait()
	return m.print(o)
}

// attackAgain runs attacks at the same time. If honest players notice them, it runs each attack alone. If an attack alone is
// noticed at a strength up to 1, it runs once more, because the machine may have been busy with something else.
func (m *matrix) attackAgain(list []attack, strength float64) {
	if len(list) > 1 && m.attack(list, strength, false) {
		return
	}
	for _, a := range list {
		if one := []attack{a}; strength > 1 || !m.attack(one, strength, false) {
			m.attack(one, strength, true)
		}
	}
}

// rounds returns groups of attacks. The attacks of a group run at the same time; without --brief, each group has one attack.
func (m *matrix) rounds() (list [][]attack) {
	for _, a := range attacks {
		if len(m.opt.only) > 0 && !slices.Contains(m.opt.only, a.name) {
			continue
		}
		i := -1
		if m.opt.brief {
			i = slices.IndexFunc(list, func(r []attack) bool { return r[0].round == a.round })
		}
		if i < 0 {
			list = append(list, nil)
			i = len(list) - 1
		}
		list[i] = append(list[i], a)
	}
	return list
}

// open starts a server and joins its residents, the honest players that stay in the world. If a server with all its residents is
// already running, open uses that server. Then open measures the usual time of a join.
func (m *matrix) open() (err error) {
	if m.server != nil && m.server.process.Running() && m.home != nil && m.home.lostPlayers() == nil {
		return nil
	}
	m.close()
	dir, err := os.MkdirTemp("", "e2e-attack-")
	if err != nil {
		return err
	}
	flags, err := writeCertificate(dir)
	if err != nil {
		return err
	}
	if m.opt.brief { // a quarter of the places for a quarter of the strength
		flags = append(flags, "--rcce-max-peers", "1250", "--rs-max-conns", "1250", "--rs-max-waiting", "512", "--bedrock-max-players", "250")
	}
	if m.server, err = startServer(m.ctx, m.opt.server, dir, serverAddr(), flags...); err != nil {
		return err
	}
	victim, err := joinWithin(m.ctx, 20*time.Second, &m.server.targets, routes[0], localAddr(201, 0, 1), victimName)
	if err != nil {
		return err
	}
	victim.close()
	if m.home, err = joinResidents(m.ctx, &m.server.targets, residentsPerRoute); err != nil {
		return err
	}
	for _, url := range []string{m.server.overviewURL(), "http://" + m.server.Metrics + "/metrics"} { // console and metrics now know the address of the players
		if err := m.server.ask(m.ctx, natAddr(), url); err != nil {
			return err
		}
	}
	m.usual, err = m.measureJoins()
	return err
}

func (m *matrix) close() {
	if m.home != nil {
		m.home.leave()
		m.home = nil
	}
	if m.server != nil {
		if err := m.server.process.Stop(); err != nil {
			m.result("the server stops", err)
		}
		os.RemoveAll(m.server.process.DataDir)
		m.server = nil
	}
}

// discard ends the server without checking how it stops.
func (m *matrix) discard() {
	if m.server != nil {
		m.server.process.Kill()
		os.RemoveAll(m.server.process.DataDir)
		m.server = nil
	}
	m.close()
}

// measureJoins lets one player join by each route at the same time; a route is a door with a network delay. It returns the
// duration of each join.
func (m *matrix) measureJoins() (map[string]time.Duration, error) {
	seen := newObserved()
	var all sync.WaitGroup
	for _, way := range routes {
		all.Go(func() { m.join(m.ctx, way, 0, false, seen) })
	}
	all.Wait()
	return seen.longest, errors.Join(seen.unanswered()...)
}

// join lets an honest player join and leave, and adds the time of the join to seen. Without inNAT, the player is new and has an
// address of its own. With inNAT, it has the NAT address and an account whose name contains the number second. These accounts are
// the same for all attacks, because new ones would exceed the default of --accounts-per-addr.
func (m *matrix) join(ctx context.Context, way route, second int, inNAT bool, seen *observed) {
	m.mu.Lock()
	m.serial++
	n := m.serial
	m.mu.Unlock()
	from, name := localAddr(210, n/250, 1+n%250), fmt.Sprintf("Guest%d", n)
	if inNAT {
		from, name = natAddr(), "Kin"+residentName(way, second)
	}
	begin := time.Now()
	p, err := joinWithin(ctx, recoverLimit, &m.server.targets, way, from, name)
	seen.add(way.name, time.Since(begin), err)
	if err == nil {
		p.close()
	}
}

// observed holds the measurements of honest players, operators and collectors of metrics.
type observed struct {
	mu      sync.Mutex
	longest map[string]time.Duration // by route, the longest time of a join; by askConsole and askMetrics, the longest time of an answer
	tried   map[string]int           // number of joins or requests, by the names used in longest
	missed  map[string][]error       // errors of joins or requests, by the names used in longest
}

func newObserved() *observed {
	return &observed{longest: map[string]time.Duration{}, tried: map[string]int{}, missed: map[string][]error{}}
}

// unanswered returns an error for each route on which a join failed. It returns one more error each for the console and the metrics,
// if a request to them failed.
func (o *observed) unanswered() (errs []error) {
	for _, name := range slices.Sorted(maps.Keys(o.missed)) {
		list := o.missed[name]
		errs = append(errs, fmt.Errorf("%s: %d of %d joins or requests failed, the first with: %w", name, len(list), o.tried[name], list[0]))
	}
	return errs
}

func (o *observed) add(name string, took time.Duration, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.longest[name] = max(o.longest[name], took)
	o.tried[name]++
	if err != nil {
		o.missed[name] = append(o.missed[name], fmt.Errorf("the join or request of an honest client failed after %v: %w", took.Round(time.Millisecond), err))
	}
}

// Names under which the times of requests are measured. The times of joins have the names of the routes.
const (
	askConsole = "console"
	askMetrics = "metrics"
)

// attack runs attacks at one strength while honest players play, and counts the result of each attack. If last is false, the
// caller can try the attacks again: when honest players notice them, attack then returns false and counts nothing.
func (m *matrix) attack(list []attack, strength float64, last bool) bool {
	if err := m.open(); err != nil {
		m.close()
		if !last {
			return false
		}
		for _, a := range list {
			m.add(a, strength, fmt.Errorf("before the attack, the server could not be started or its players could not join: %w", err), nil)
		}
		return true
	}
	held := m.server.counters(m.ctx, heldCounters...)
	t, err := m.try(list, strength)
	if err != nil {
		m.result("attackers", err)
		return true
	}
	m.line(t)
	if t.noticed != nil {
		m.explain(held)
		if last && strength > 1 {
			err = m.recovered()
		}
		m.discard() // state that this attack has left in the server must not affect the next attack
		if !last {
			return false
		}
	}
	for _, a := range list {
		m.add(a, strength, errors.Join(err, t.failed(a.name)), t.noticed)
	}
	return true
}

// trial holds what was measured, and what honest players noticed, while some attacks ran at the same time at one strength.
type trial struct {
	attacks  []attack
	strength float64
	*attackers
	*observed
	noticed []error // effects on honest players, such as slow joins, lost connections and corrections; nil for none

	// CPU time per second of the trial, in cores, of the server, of the attackers, and of all other programs, honest players
	// included.
	serverCores, attackCores, otherCores float64
}

// failed returns an error that says why an attack could not be carried out, or nil if it was carried out.
func (t *trial) failed(name string) error {
	if why, ok := t.attackers.errs[name]; ok {
		return fmt.Errorf("the attack was not carried out: %s", why)
	}
	return nil
}

// try runs attacks while honest players join. It collects in trial.noticed all effects on honest players that exceed the limits.
func (m *matrix) try(list []attack, strength float64) (*trial, error) {
	began, cpu, busy, corrections := time.Now(), m.server.cpu(), busyTime(), m.home.corrections()
	p, err := startAttackers(&m.server.targets, list, strength)
	if err != nil {
		return nil, err
	}
	select {
	case <-p.started:
	case <-time.After(3 * time.Minute): // the attack's players have not all joined in this time
	case <-m.ctx.Done():
	}
	usual := m.usual
	if list[0].crowd && !m.opt.brief {
		if beside, err := m.measureJoins(); err == nil {
			usual = beside
		}
	}
	p.attack()
	t := &trial{attacks: list, strength: strength, attackers: p, observed: newObserved()}
	m.joinBeside(slices.ContainsFunc(list, func(a attack) bool { return a.nat }), t.observed)
	attackCPU, took := p.stop(), time.Since(began).Seconds()
	t.attackCores, t.serverCores = attackCPU.Seconds()/took, (m.server.cpu()-cpu).Seconds()/took
	t.otherCores = max((busyTime()-busy).Seconds()/took-t.attackCores-t.serverCores, 0)
	t.noticed = append(t.unanswered(), m.overLimits(t.observed, usual)...)
	if lost := m.home.lostPlayers(); lost != nil {
		t.noticed = append(t.noticed, lost)
	}
	if n := m.home.corrections() - corrections; n > 0 {
		t.noticed = append(t.noticed, fmt.Errorf("honest players were corrected %d times, want 0: %s", n, m.correctionReasons(began)))
	}
	return t, nil
}

// correctionReasons returns as text why residents were held or corrected since a time: from each journal entry the player, the
// verdict, the reason, what the player asked for and what the rule allowed.
func (m *matrix) correctionReasons(since time.Time) string {
	var found []string
	for range 10 { // the journal is written with a delay
		list, err := m.server.corrections(m.ctx, since)
		if err != nil {
			return "the journal gives no reason: " + err.Error()
		}
		for _, e := range list {
			if slices.ContainsFunc(m.home.names, func(name string) bool { return strings.EqualFold(name, e.Player) }) {
				found = append(found, e.String())
			}
		}
		if found != nil {
			return strings.Join(found, ", ")
		}
		wait(m.ctx, 200*time.Millisecond)
	}
	return "the journal has no entry about them"
}

// heldCounters are name prefixes of the metrics that count dropped packets, refused connections and refused intents.
var heldCounters = []string{"bad_packets_total", "held_back", "intents_limited"}

// explain prints the server's counters of dropped packets, refused connections and refused intents that have increased during an
// attack. The parameter held has their values before the attack.
func (m *matrix) explain(held map[string]float64) {
	after := m.server.counters(m.ctx, heldCounters...)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if n := after[name] - held[name]; n > 0 {
			m.printf("    %s %.0f\n", name, n)
		}
	}
}

// joinBeside makes honest clients join and send requests during the attack, and adds the measured times to seen. Every second, one
// player joins by each route, and an operator and a collector of metrics send a request. In the first second, 30 operators and 30
// collectors also do so from the NAT address. If inNAT is set, all clients have the NAT address in every second, otherwise in every
// other second.
func (m *matrix) joinBeside(inNAT bool, seen *observed) {
	var all sync.WaitGroup
	ask := func(name, from, url string) {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(m.ctx, recoverLimit)
			defer cancel()
			begin := time.Now()
			err := m.server.ask(ctx, from, url)
			seen.add(name, time.Since(begin), err)
		})
	}
	for second := range int(m.opt.lasting / time.Second) {
		home := inNAT || second%2 == 1
		for _, way := range routes {
			all.Go(func() { m.join(m.ctx, way, second, home, seen) })
		}
		from, n := localAddr(220, 0, 1), 1
		if home {
			from = natAddr()
		}
		if second == 0 {
			from, n = natAddr(), 30
		}
		for range n {
			ask(askConsole, from, m.server.overviewURL())
			ask(askMetrics, from, "http://"+m.server.Metrics+"/metrics")
		}
		wait(m.ctx, time.Second)
	}
	all.Wait()
}

// overLimits returns an error for each kind of join or request that took longer than its limit at least once during the attack.
func (m *matrix) overLimits(seen *observed, usual map[string]time.Duration) (errs []error) {
	ms := time.Millisecond
	for _, way := range routes {
		if took, limit := seen.longest[way.name], usual[way.name]+m.opt.joinLimit; took > limit {
			errs = append(errs, fmt.Errorf("%s: a player needed %v to join, want at most %v", way.name, took.Round(ms), limit.Round(ms)))
		}
	}
	for _, name := range []string{askConsole, askMetrics} {
		if took := seen.longest[name]; took > m.opt.joinLimit {
			errs = append(errs, fmt.Errorf("%s: a request was answered after %v, want at most %v", name, took.Round(ms), m.opt.joinLimit))
		}
	}
	return errs
}

// recovered checks after an attack that players can join by every route: through each door, and through some doors also with a
// network delay.
func (m *matrix) recovered() error {
	if !m.server.process.Running() {
		return fmt.Errorf("the server ended during the attack\n%s", m.server.process.Tail(20))
	}
	if _, err := m.measureJoins(); err != nil {
		return fmt.Errorf("a new player cannot join after the attack: %w", err)
	}
	return nil
}
