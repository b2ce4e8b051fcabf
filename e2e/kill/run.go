//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/truestep-io/truestep/e2e/report"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
)

const (
	joinLimit     = 50 * time.Second        // maximum time until every client is in the world; players without a client stay for 60 s after a restart
	joinSpread    = 2 * time.Second         // duration over which the logins of the clients are spread
	lastPackets   = 100 * time.Millisecond  // time after the kill of the server in which clients still handle packets that it had sent
	bodiesLimit   = 10 * time.Second        // maximum time from the restart until every player is in one area: interrupted area changes complete meanwhile
	wardenLimit   = 20 * time.Second        // maximum time until the wardens (rccePlayer.warden) are in their areas
	completeLimit = 90 * time.Second        // maximum time until each kind of event that the test needs has happened
	settleTime    = 1500 * time.Millisecond // wait after the return of the last client, in which clients receive their first state
	recentUpdate  = 700 * time.Millisecond  // the server is killed when each client had an update in this time: a cycle of the RuneScape door and polls
	recentLimit   = 10 * time.Second        // maximum wait for that: on a busy machine there may be no such moment
	polls         = 50 * time.Millisecond   // interval of polling
)

// test is one run of the kill test: its options, its results and the clients that play.
type test struct {
	options
	*results
	ctx     context.Context
	random  *rand.Rand
	server  *server
	crowd   *crowd
	players []player
	rcces   []*rccePlayer // the RealmCrafter clients among players
	history *history
}

// run plays all rounds of the test, in each of which the server is killed. It adds the results to r, and prints the measured
// times.
func run(ctx context.Context, o options, r *results) {
	folder, err := o.makeFolder()
	if err != nil {
		r.Check("data folder", err)
		return
	}
	if o.keep == "" {
		defer os.RemoveAll(folder)
	}
	t := &test{options: o, results: r, ctx: ctx, random: rand.New(rand.NewPCG(o.seed, 0x6b696c6c)), server: newServer(o.server, folder)}
	defer t.server.Kill()
	if err := t.playAll(); err != nil {
		r.Check("run", err)
	}
	r.printTimes()
}

// makeFolder creates a folder for the data and the world file.
func (o *options) makeFolder() (folder string, err error) {
	if folder = o.keep; folder == "" {
		folder, err = os.MkdirTemp("", "e2e-kill-")
	} else {
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return "", err
	}
	return folder, os.WriteFile(filepath.Join(folder, "world.toml"), worldFile, 0o600)
}

// playAll runs the rounds of the test. In each round clients play and the server is killed. playAll returns an error only if the
// test cannot continue.
func (t *test) playAll() error {
	if err := t.server.start(t.ctx); err != nil {
		return err
	}
	world, err := truth.ReadWorld(t.ctx, &t.server.Server, areaCount)
	if err != nil {
		return err
	}
	t.crowd = &crowd{server: t.server, world: world, seed: t.seed, resume: true}
	t.makePlayers()
	t.Check("first login", t.joinAll()...)
	t.history = newHistory(t.players)
	live := t.server.watch(t.ctx)
	t.Check("one client is in each area", t.awaitWardens()...)
	for i := range t.kills {
		if i == t.kills-1 {
			t.Check("before the last kill there were crossings, deaths, trade, parties and experience", t.playUntilComplete()...)
		}
		if live, err = t.round(fmt.Sprintf("kill %d: ", i+1), live); err != nil {
			return err
		}
	}
	live.Close()
	return t.stopAndCount()
}

func (t *test) makePlayers() {
	for i := range t.clients[0] {
		p := &rccePlayer{crowd: t.crowd, number: i}
		if i < areaCount {
			p.warden = &t.crowd.world.Areas[i]
		}
		t.rcces = append(t.rcces, p)
		t.players = append(t.players, p)
	}
	for i := range t.clients[1] {
		t.players = append(t.players, &rsPlayer{crowd: t.crowd, number: i})
	}
	for i := range t.clients[2] {
		t.players = append(t.players, &bedrockPlayer{crowd: t.crowd, number: i})
	}
}

// awaitWardens waits until the players that must stay in one area (rccePlayer.warden) are there. It returns an error for each of them
// that is elsewhere after wardenLimit.
func (t *test) awaitWardens() (errs []error) {
	for end := time.Now().Add(wardenLimit); ; t.history.watch(t.ctx, polls) {
		errs = errs[:0]
		for _, p := range t.rcces {
			if s := p.shown(); p.warden != nil && s.area != p.warden {
				errs = append(errs, fmt.Errorf("player %s did not reach the area %s in time: the test needs one player that stays in each area", p.name(), p.warden.Name))
			}
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

// playUntilComplete lets the clients play until each kind of event that the test needs has happened, for completeLimit at most. It
// returns an error for each kind that has not happened.
func (t *test) playUntilComplete() []error {
	t.crowd.holding.Store(false)
	for end := time.Now().Add(completeLimit); ; t.history.watch(t.ctx, polls) {
		if errs := t.history.missing(); len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

// joinAll logs in all clients. It returns an error for each client whose login fails.
func (t *test) joinAll() []error {
	ctx, cancel := context.WithTimeout(t.ctx, joinLimit)
	defer cancel()
	errs := make([]error, len(t.players))
	var all sync.WaitGroup
	for i, p := range t.players {
		pause := time.Duration(t.random.Int64N(int64(joinSpread)))
		all.Go(func() {
			wait(ctx, pause)
			if err := p.join(ctx); err != nil {
				errs[i] = fmt.Errorf("login of %s: %w", p.name(), err)
			}
		})
	}
	all.Wait()
	return errs
}

// round lets the clients play, kills the server and starts it again. It compares the restarted world with the state before the
// kill, and reconnects the clients. The parameter live follows the live maps of the server that is killed, and the result follows
// those of the restarted server.
func (t *test) round(name string, live *truth.Map) (*truth.Map, error) {
	t.crowd.holding.Store(false)
	t.history.watch(t.ctx, t.play+time.Duration(t.random.Int64N(int64(t.play))))
	t.awaitUpdates()
	if t.ctx.Err() != nil {
		return live, t.ctx.Err()
	}
	t.Check(name+"all clients were in the world before", t.lost(live)...)
	before := t.cutAll(live)
	t.Check(name+"clients were shown the world until the kill", before.compareUpdates()...)
	began := time.Now()
	if err := t.server.start(t.ctx); err != nil {
		return live, fmt.Errorf("%sthe server does not start again: %w", name, err)
	}
	ready := time.Now()
	took := ready.Sub(began)
	t.starts = append(t.starts, took)
	t.crowd.holding.Store(true)
	live = t.server.watch(t.ctx)
	t.compareBodies(name, before, live, ready)
	t.Check(name+"NPCs are as they were shown", t.compareNPCs(before, live, ready)...)
	t.Check(name+"all clients come back", t.joinAll()...)
	back := time.Since(ready)
	t.returns = append(t.returns, back)
	t.history.observeAll(ready)
	t.history.watch(t.ctx, settleTime)
	t.compareReturned(name, before, live)
	fmt.Printf("%sready after %v, all back after %v, %d players dead, %d items on the ground, %d experience points\n",
		name, report.Round(took), report.Round(back), before.deadPlayers(), before.lyingItems(), before.experience())
	return live, nil
}

// awaitUpdates waits until each client in the world was shown an update in the last recentUpdate, for recentLimit at most.
func (t *test) awaitUpdates() {
	for end := time.Now().Add(recentLimit); !t.history.upToDate(time.Now(), recentUpdate) && time.Now().Before(end) && t.ctx.Err() == nil; {
		t.history.watch(t.ctx, polls)
	}
}

// lost returns an error for each client that is not in the world. It returns another error if the connection to the live map or
// the server process has ended.
func (t *test) lost(live *truth.Map) (errs []error) {
	for _, p := range t.players {
		if err := p.playing(); err != nil {
			errs = append(errs, fmt.Errorf("the client of %s is not in the world: %w", p.name(), err))
		}
	}
	if err := live.Err(); err != nil {
		errs = append(errs, fmt.Errorf("the connection to a live map of the console has ended: %w", err))
	}
	if !t.server.Running() {
		errs = append(errs, errors.New("the server ended by itself\n"+t.server.Tail(20)))
	}
	return errs
}

// cutAll kills the server, ends the connections of all clients, and returns the last state that each client received.
func (t *test) cutAll(live *truth.Map) *before {
	b := &before{players: map[string]playerBefore{}}
	ids := map[string]sim.EntityID{}
	for _, p := range t.players {
		if now := live.Bodies(p.name()); len(now) == 1 {
			ids[p.name()] = now[0].ID
		}
	}
	var missing []string
	for _, p := range t.players {
		if p.playing() != nil {
			missing = append(missing, p.name())
		}
	}
	b.at = time.Now()
	t.server.Kill()
	wait(t.ctx, lastPackets)
	var all sync.WaitGroup
	for _, p := range t.players {
		all.Go(p.cut)
	}
	all.Wait()
	live.Close()
	t.history.observeUpdates(b.at)
	for _, p := range t.players {
		s := p.shown()
		if _, predicts := p.(*bedrockPlayer); predicts {
			t.placeAsSeen(p.name(), &s)
		}
		b.players[p.name()] = playerBefore{shown: s, id: ids[p.name()], diedAt: t.history.diedAt(p.name()), seen: t.history.seen(p.name())}
	}
	for _, name := range missing {
		delete(b.players, name)
	}
	for _, p := range t.rcces {
		last := p.snapshot()
		last.seen = t.history.seen(last.name)
		b.rcces = append(b.rcces, last)
	}
	return b
}

// placeAsSeen replaces the position in s, which the player's own client has only predicted, by the position that the server has
// sent to another client in the area. It changes nothing if no other client was shown the player.
func (t *test) placeAsSeen(name string, s *shown) {
	for _, other := range t.rcces {
		if area, pos, ok := other.seen(name); ok && area == s.area {
			s.pos = pos
			return
		}
	}
}

// wait waits for a time or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
