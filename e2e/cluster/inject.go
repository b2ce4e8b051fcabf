//go:build linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/report"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
)

const (
	lastPackets = 100 * time.Millisecond // time after a fault in which clients still handle the packets that were sent before the fault
	gapWindow   = 4 * time.Second        // time after a fault in which gaps between frames are measured; the areas elect new leaders in it
	backLimit   = 20 * time.Second       // maximum time from a fault until its clients are in the world again, less than lingerTime
)

// last holds the last state that a player's client received before a fault, and the result of the client's login after the fault.
type last struct {
	shown
	actor sim.EntityID  // entity of the client's player before the fault; 0 if unknown
	id    sim.EntityID  // entity of the client's player; 0 if unknown, or if another entity is allowed after the login
	party string        // name of the player's party in the history
	node  *node         // the node to which the client was connected
	stood bool          // the player stood still
	walks bool          // the player follows a path or walks to a point without further packets of the client
	body  *truth.Body   // the player's lingering actor just before the client was back; nil if no live map showed it
	back  time.Duration // time from the fault until the client was in the world again
	err   error         // result of the client's last login attempt
}

// inject lets clients play, injects a fault, and repairs the damage. It checks that clients of other nodes are not disturbed,
// and that the clients of the failed nodes can log in again and find their characters unchanged.
func (t *test) inject(name string, f *fault) error {
	t.watcher.begin()
	wait(t.ctx, t.play)
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	if f.stands {
		t.crowd.holding.Store(true)
		defer t.crowd.holding.Store(false) // if the fault fails
		wait(t.ctx, t.patient(settleTime))
		if err := t.awaitRest(); err != nil {
			return err
		}
	}
	var broken []*node
	for _, i := range f.nodes {
		broken = append(broken, t.cluster.nodes[i])
	}
	victims := t.clientsOf(broken...)
	others := slices.DeleteFunc(slices.Clone(t.players), func(p player) bool { return slices.Contains(victims, p) })
	t.Check(name+": all clients were in the world before", t.lost(t.players)...)
	before := t.remember(victims)
	for _, l := range before {
		l.stood = f.stands
	}
	if f.logsOut {
		for _, p := range victims {
			if !p.base().abandons() {
				before[p.base().name].id = 0
			}
		}
	}
	corrections := t.corrections(others)
	led, err := t.ledBy(broken)
	if err != nil {
		return err
	}
	led = append(led, f.hands...)
	fenced, err := t.fencings()
	if err != nil {
		return err
	}
	usual := t.usual(t.players)
	t.watcher.begin()
	for _, n := range t.cluster.nodes {
		n.live.Load().ForgetDeaths()
	}
	t.forgetPauses()
	travellers := t.travellers(webDoor)
	crossings := t.watcher.crossingsOf(travellers)
	began := time.Now()
	for _, n := range broken {
		n.alive.Store(false)
	}
	for _, p := range victims {
		p.base().holds.Store(true)
		p.base().setPresent(false)
		if f.logsOut && !p.base().abandons() {
			t.setParty(p, checker.PartyUnknown)
		}
	}
	t.Check(name+": "+f.kind, f.strike(t))
	struck := time.Since(began)
	stale := t.cut(name, f, victims, before)
	if f.stands {
		t.crowd.holding.Store(false)
	}
	if len(broken) == nodeCount {
		t.history.RecordOutage(time.Now())
	}
	if f.during != nil {
		f.during(t)
	}
	if f.back {
		if err := f.mend(t); err != nil {
			return err
		}
		for _, n := range broken {
			n.alive.Store(true)
		}
	}
	var returns sync.WaitGroup
	returns.Go(func() { t.comeBack(victims, before, began) })
	wait(t.ctx, cmp.Or(f.window, gapWindow)-time.Since(began))
	if f.maxGap > 0 {
		t.checkGaps(name, f, others, usual, led)
	}
	if len(others) > 0 {
		t.Check(name+": clients of living nodes are in the world", t.lost(others)...)
		t.checkCorrections(name, corrections, others)
		if len(victims) > 0 {
			t.Check(name+": an account in the world is refused through another node", t.loginTwice(others))
		}
	}
	returns.Wait()
	t.compare(name, victims, before)
	compared := time.Since(began)
	for _, p := range victims {
		p.base().holds.Store(false)
	}
	if f.frozen {
		wait(t.ctx, t.frozen-usualTime-time.Since(began)) // watchGaps waits for the rest
	}
	if err := t.repair(name, f, broken, stale, fenced); err != nil {
		return err
	}
	crossings = t.watcher.crossingsOf(travellers) - crossings
	t.crossed(f.kind, crossings, len(others) > 0)
	fmt.Printf("%s: struck in %v, clients compared after %v, all in order after %v, with %d changes of area of travelling web clients\n", name, report.Round(struck), report.Round(compared), report.Round(time.Since(began)), crossings)
	t.settle(name)
	return nil
}

// repair repairs the damage of a fault, unless that has been done before, and lets the clients play on until the nodes that were broken
// have got areas again. It checks that meanwhile no client is disturbed.
func (t *test) repair(name string, f *fault, broken []*node, stale []*staleConn, fenced []fencings) error {
	after := &fault{kind: f.after, maxGap: f.afterGap, hands: f.hands}
	if after.kind == "" {
		after.kind = f.kind + ", afterwards"
	}
	if after.maxGap == 0 {
		after.maxGap = goalGap
	}
	return t.watchGaps(name+", afterwards", after, func() error {
		began, open := time.Now(), openOf(stale)
		if f.mend != nil && !f.back {
			if err := f.mend(t); err != nil {
				return err
			}
		}
		t.awaitStale(name, stale, open)
		for _, n := range broken {
			n.alive.Store(true)
		}
		t.checkFenced(name, f, fenced)
		var leads []error
		for _, n := range broken {
			leads = append(leads, t.awaitLead(n))
		}
		t.Check(name+": nodes that are back lead areas", leads...)
		wait(t.ctx, t.after-time.Since(began))
		return nil
	})
}

// remember notes, before a fault, the node to which each player's client is connected, and the entity of each player. The result is
// by player name. The method cut later adds the state that the client has received.
func (t *test) remember(players []player) map[string]*last {
	all := map[string]*last{}
	for _, p := range players {
		l := &last{node: p.base().node, party: p.base().party}
		switch p.(type) {
		case *rccePlayer, *rsPlayer:
			l.walks = true
		}
		for _, n := range t.cluster.nodes {
			if list := n.live.Load().Bodies(p.base().name); len(list) == 1 {
				l.id, l.actor = list[0].ID, list[0].ID
			}
		}
		all[p.base().name] = l
	}
	return all
}

// cut ends the connections of the clients whose node has failed. It stores the last state that each of them received in the map
// before. If the node drains, it closes the connections itself; then cut first checks that they have ended. If the node is stopped
// or cut off, every other connection stays open, as a stale one: the node must end it when it is back.
func (t *test) cut(name string, f *fault, victims []player, before map[string]*last) (stale []*staleConn) {
	if f.told {
		t.Check(name+": the node closes its clients' connections", t.awaitEnds(victims)...)
	} else {
		wait(t.ctx, lastPackets)
	}
	var all sync.WaitGroup
	for _, p := range victims {
		if f.abandons && p.base().abandons() && p.playing() == nil {
			stale = append(stale, p.abandon())
			continue
		}
		all.Go(p.cut)
	}
	all.Wait()
	for _, p := range victims {
		before[p.base().name].shown = p.shown()
	}
	t.watcher.watchStale(stale)
	return stale
}

// awaitEnds waits up to three seconds until the connections of all clients have ended. It returns an error for each connection that
// is still open.
func (t *test) awaitEnds(players []player) (errs []error) {
	for end := time.Now().Add(3 * time.Second); ; wait(t.ctx, polls) {
		errs = errs[:0]
		for _, p := range players {
			if p.playing() == nil {
				errs = append(errs, fmt.Errorf("the connection of client %s is still open 3 s after its node has ended", p.base().name))
			}
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

// Clients that log in again begin one after the other, because the first login of an account at a node costs a core of the machine
// the time of a password hash. Each repeats a failed login after a pause. More clients make longer pauses: together they repeat at most
// 100 logins in a second.
const (
	loginSpread = 25 * time.Millisecond  // time between the first attempts of two clients
	loginEvery  = 10 * time.Millisecond  // average time between two repetitions of all clients
	loginPause  = 250 * time.Millisecond // minimum pause of a client
)

// comeBack logs in clients again through living nodes, each through the one with the fewest clients. It repeats failed logins until
// backLimit after the fault.
func (t *test) comeBack(players []player, before map[string]*last, began time.Time) {
	var living []*node
	for _, n := range t.cluster.nodes {
		if n.alive.Load() {
			living = append(living, n)
		}
	}
	clients := map[*node]int{}
	for _, p := range t.players {
		if !slices.Contains(players, p) {
			clients[p.base().node]++
		}
	}
	ctx, cancel := context.WithDeadline(t.ctx, began.Add(t.patient(backLimit)))
	defer cancel()
	pause := max(loginPause, time.Duration(len(players))*loginEvery)
	var all sync.WaitGroup
	for i, p := range players {
		n := slices.MinFunc(living, func(a, b *node) int { return clients[a] - clients[b] })
		if len(living) == nodeCount { // all nodes are back: spread the clients over the nodes as at the start
			n = p.base().first
		}
		clients[n]++
		all.Go(func() {
			l := before[p.base().name]
			wait(ctx, time.Duration(i)*loginSpread)
			for {
				if l.err = l.join(ctx, p, n); l.err == nil {
					l.back = time.Since(began) - time.Duration(i)*loginSpread // without the time that the test itself has waited
					p.base().setPresent(true)
					return
				}
				if ctx.Err() != nil {
					return
				}
				wait(ctx, pause)
			}
		})
	}
	all.Wait()
}

// join logs in a client. Until the login has succeeded, it repeatedly stores the state of the player's lingering actor in l.body,
// so that the last state before the login is known.
func (l *last) join(ctx context.Context, p player, n *node) error {
	joined := make(chan error, 1)
	go func() { joined <- p.join(ctx, n) }()
	for {
		l.body = nil
		if live := n.live.Load().Bodies(p.base().name); len(live) == 1 {
			l.body = &live[0]
		}
		select {
		case err := <-joined:
			return err
		case <-time.After(polls):
		}
	}
}
