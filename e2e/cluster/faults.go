//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/e2e/report"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// fault is something that breaks a part of the cluster, and what must hold meanwhile.
type fault struct {
	nodes  []int // numbers of the nodes whose clients lose their connection
	kind   string
	maxGap time.Duration // maximum time without a frame at clients of other nodes

	strike func(t *test) error // breaks it
	mend   func(t *test) error // repairs it; nil: nothing to repair
	during func(t *test)       // further checks, after strike; nil: none

	told   bool // the clients of the nodes are told; they need not be cut
	back   bool // mend comes before the clients return, through the same nodes
	frozen bool // mend comes options.frozen after strike
}

const (
	goalGap = time.Second            // aim for a node that is killed
	busyGap = 150 * time.Millisecond // a longer gap without any fault says that the machine is busy
)

var faults = map[string]*fault{
	"kill-a": killNode(0),
	"kill-b": killNode(1),
	"kill-c": killNode(2),
	"kill-all": {
		nodes: []int{0, 1, 2}, kind: "kill -9 of all nodes", back: true,
		strike: func(t *test) error {
			for _, n := range t.cluster.nodes {
				n.kill()
			}
			return nil
		},
		mend: func(t *test) error { return t.startAll() },
	},
	"freeze-a": freezeNode(0),
	"freeze-b": freezeNode(1),
	"drain-b":  drainNode(1),
	"drain-c":  drainNode(2),
	"cut-c": {
		nodes: []int{2}, kind: "all links of a node cut", maxGap: goalGap, frozen: true,
		strike: func(t *test) error {
			for _, r := range t.cluster.nodes[2].links() {
				r.cut()
			}
			return nil
		},
		mend: func(t *test) error {
			for _, r := range t.cluster.nodes[2].links() {
				r.mend()
			}
			return t.cluster.nodes[2].awaitFrames(t.ctx, framesLimit)
		},
	},
	"move": {
		kind:   "players change their node",
		strike: func(t *test) error { return t.moveAll() },
	},
	"postgres": {
		kind: "PostgreSQL killed", maxGap: goalGap, frozen: true,
		strike: func(t *test) error { t.postgres.Kill(); return nil },
		during: func(t *test) { t.Check("no login without PostgreSQL", t.tryNewcomer(3*time.Second, false)) },
		mend: func(t *test) error {
			if err := t.postgres.Launch(); err != nil {
				return err
			}
			t.Check("logins work again with PostgreSQL", t.tryNewcomer(15*time.Second, true))
			return nil
		},
	},
}

// briefFaults are the faults of the short form, in their order.
var briefFaults = []string{"move", "kill-a", "freeze-b", "drain-c", "kill-all", "cut-c", "postgres"}

func faultNames() iter.Seq[string] { return maps.Keys(faults) }

func killNode(i int) *fault {
	return &fault{
		nodes: []int{i}, kind: "kill -9 of a node", maxGap: goalGap,
		strike: func(t *test) error { t.cluster.nodes[i].kill(); return nil },
		mend:   func(t *test) error { return t.startNode(t.cluster.nodes[i]) },
	}
}

func freezeNode(i int) *fault {
	return &fault{
		nodes: []int{i}, kind: "SIGSTOP of a node", maxGap: 1500 * time.Millisecond, frozen: true,
		strike: func(t *test) error { return t.cluster.nodes[i].Signal(syscall.SIGSTOP) },
		mend: func(t *test) error {
			if err := t.cluster.nodes[i].Signal(syscall.SIGCONT); err != nil {
				return err
			}
			return t.cluster.nodes[i].awaitFrames(t.ctx, framesLimit)
		},
	}
}

func drainNode(i int) *fault {
	return &fault{
		nodes: []int{i}, kind: "SIGTERM of a node", maxGap: goalGap, told: true,
		strike: func(t *test) error { return t.cluster.nodes[i].stop() },
		mend:   func(t *test) error { return t.startNode(t.cluster.nodes[i]) },
	}
}

const (
	lastPackets  = 100 * time.Millisecond // time for which clients handle what had been sent before the fault
	gapWindow    = 4 * time.Second        // time after a fault in which gaps are measured: an area finds another lead in it
	backLimit    = 20 * time.Second       // maximum time from a fault until its clients are in the world again, less than lingerTime
	suspectAfter = 3 * time.Second        // default of --suspect-after
	unseenTime   = time.Second            // maximum time before a fault of which clients were shown nothing
	maxSpeed     = 30                     // speed of a running player of any door in units per second
)

// last is what a client was shown last before a fault.
type last struct {
	shown
	id    sim.EntityID
	node  *node
	walks bool          // its player follows a path or walks to a point without further packets of the client
	body  *truth.Body   // its body before its client was back; nil if it was not seen
	back  time.Duration // from the fault until the client was in the world again
	err   error         // of its last login
}

// inject lets clients play, breaks a part of the cluster, checks what the clients of other nodes notice and that those of the broken part
// find their characters again, and repairs it.
func (t *test) inject(name string, f *fault) error {
	t.watcher.begin()
	wait(t.ctx, t.play)
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	var broken []*node
	for _, i := range f.nodes {
		broken = append(broken, t.cluster.nodes[i])
	}
	victims := t.clientsOf(broken...)
	others := slices.DeleteFunc(slices.Clone(t.players), func(p player) bool { return slices.Contains(victims, p) })
	t.Check(name+": all clients were in the world before", t.lost(t.players)...)
	before := t.remember(victims)
	corrections := t.corrections(others)
	usual := slices.Max(t.watcher.longest(t.players))
	t.watcher.begin()
	for _, n := range t.cluster.nodes {
		n.live.Load().ForgetDeaths()
	}
	began := time.Now()
	for _, n := range broken {
		n.alive.Store(false)
	}
	for _, p := range victims {
		p.base().holds.Store(true)
		p.base().setPresent(false)
	}
	t.Check(name+": "+f.kind, f.strike(t))
	struck := time.Since(began)
	t.cut(name, f, victims, before)
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
	var mended chan error
	if f.frozen {
		mended = make(chan error, 1)
		go func() {
			wait(t.ctx, t.frozen-time.Since(began))
			mended <- f.mend(t)
		}()
	}
	var returns sync.WaitGroup
	returns.Go(func() { t.comeBack(victims, before, began) })
	wait(t.ctx, gapWindow-time.Since(began))
	if f.maxGap > 0 {
		t.checkGaps(name, f, others, usual)
	}
	if len(others) > 0 {
		t.Check(name+": clients of living nodes are in the world", t.lost(others)...)
		if errs := t.corrected(corrections, others); usual > busyGap {
			fmt.Printf("%s: %d web clients of living nodes were corrected; the machine is busy\n", name, len(errs))
		} else {
			t.Check(name+": clients of living nodes are not corrected", errs...)
		}
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
	switch {
	case f.frozen:
		if err := <-mended; err != nil {
			return err
		}
	case !f.back && f.mend != nil:
		if err := f.mend(t); err != nil {
			return err
		}
	}
	for _, n := range broken {
		n.alive.Store(true)
	}
	fmt.Printf("%s: struck in %v, clients compared after %v, all in order after %v\n", name, report.Round(struck), report.Round(compared), report.Round(time.Since(began)))
	t.settle(name)
	return nil
}

// remember returns what clients are shown, and the entities of their players.
func (t *test) remember(players []player) map[string]*last {
	all := map[string]*last{}
	for _, p := range players {
		l := &last{node: p.base().node}
		switch p.(type) {
		case *rccePlayer, *rsPlayer:
			l.walks = true
		}
		for _, n := range t.cluster.nodes {
			if list := n.live.Load().Bodies(p.base().name); len(list) == 1 {
				l.id = list[0].ID
			}
		}
		all[p.base().name] = l
	}
	return all
}

// cut ends the connections of clients whose node has failed, and remembers what they were shown last.
func (t *test) cut(name string, f *fault, victims []player, before map[string]*last) {
	if f.told {
		t.Check(name+": clients of the node are told", t.awaitEnds(victims)...)
	} else {
		wait(t.ctx, lastPackets)
	}
	var all sync.WaitGroup
	for _, p := range victims {
		all.Go(p.cut)
	}
	all.Wait()
	for _, p := range victims {
		before[p.base().name].shown = p.shown()
	}
}

// awaitEnds waits until all clients have lost their connection, and returns an error for each that has not.
func (t *test) awaitEnds(players []player) (errs []error) {
	for end := time.Now().Add(3 * time.Second); ; wait(t.ctx, polls) {
		errs = errs[:0]
		for _, p := range players {
			if p.playing() == nil {
				errs = append(errs, fmt.Errorf("%s is not told that its node has ended", p.base().name))
			}
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

// lost returns an error for each client that is not in the world.
func (t *test) lost(players []player) (errs []error) {
	for _, p := range players {
		if err := p.playing(); err != nil {
			errs = append(errs, fmt.Errorf("%s at node %s: %w", p.base().name, p.base().node.name, err))
		}
	}
	for _, n := range t.cluster.nodes {
		if n.alive.Load() && !n.Running() {
			errs = append(errs, fmt.Errorf("node %s has ended: %w\n%s", n.name, n.Err(), n.Tail()))
		}
	}
	return errs
}

// corrections returns how often each web client was corrected.
func (t *test) corrections(players []player) map[string]web.Counts {
	counts := map[string]web.Counts{}
	for _, p := range players {
		if p, ok := p.(*webPlayer); ok {
			counts[p.name] = p.counts()
		}
	}
	return counts
}

// corrected returns an error for each web client whose present position a correction has changed since.
func (t *test) corrected(since map[string]web.Counts, players []player) (errs []error) {
	for _, p := range players {
		if p, ok := p.(*webPlayer); ok {
			c, was := p.counts(), since[p.name]
			if c.False > was.False {
				errs = append(errs, fmt.Errorf("%s was corrected %d times, by up to %.2f blocks", p.name, c.False-was.False, c.MaxOff))
			}
		}
	}
	return errs
}

// checkGaps checks how long web clients of living nodes were shown no frame. usual is the longest gap before the fault: on a busy machine, all
// processes run late.
func (t *test) checkGaps(name string, f *fault, others []player, usual time.Duration) {
	gaps := t.watcher.longest(others)
	t.measured("longest gap of frames, "+f.kind, gaps...)
	limit := f.maxGap
	if usual > busyGap {
		limit += 4 * usual
	}
	fmt.Printf("%s: longest gap of frames at %d clients of living nodes: %s; the goal is %v; before it %v\n", name, len(gaps), summary(gaps), f.maxGap, report.Round(usual))
	var err error
	if len(gaps) == 0 {
		err = errors.New("no web client at a living node")
	} else if most := slices.Max(gaps); most > limit {
		err = fmt.Errorf("a client was shown no frame for %v, want at most %v", report.Round(most), report.Round(limit))
	}
	t.Check(name+": clients of living nodes are shown frames", err)
}

// loginTwice tries to log in the account of a RealmCrafter client, which is in the world, through another living node.
func (t *test) loginTwice(others []player) error {
	for _, p := range others {
		p, ok := p.(*rccePlayer)
		if !ok {
			continue
		}
		for _, n := range t.cluster.nodes {
			if n == p.node || !n.alive.Load() {
				continue
			}
			ctx, cancel := context.WithTimeout(t.ctx, joinLimit)
			defer cancel()
			c, err := rcce.Dial(ctx, n.Addresses["rcce"], rcce.Options{User: p.name, Password: password, SameConnection: true})
			if err != nil {
				return fmt.Errorf("%s through node %s: %w", p.name, n.name, err)
			}
			defer c.Close()
			var refused *rcce.RefusedError
			switch err := p.enter(ctx, c, false); {
			case err == nil:
				return fmt.Errorf("%s is in the world through node %s, and was let in through node %s too", p.name, p.node.name, n.name)
			case !errors.As(err, &refused):
				return fmt.Errorf("%s through node %s: %w, want a refusal", p.name, n.name, err)
			}
			return nil
		}
	}
	return nil // no two nodes live
}

// moveAll lets every client that has a request for it log out, and log in at once through the next node.
func (t *test) moveAll() error {
	ctx, cancel := context.WithTimeout(t.ctx, backLimit)
	defer cancel()
	errs := make([]error, len(t.players))
	var all sync.WaitGroup
	for i, p := range t.players {
		b := p.base()
		leave := p.logout()
		if leave == nil {
			continue
		}
		all.Go(func() {
			b.setPresent(false)
			leave()
			next := t.cluster.nodes[(b.node.number+1)%nodeCount]
			for {
				if errs[i] = p.join(ctx, next); errs[i] == nil || ctx.Err() != nil {
					break
				}
				wait(ctx, 100*time.Millisecond)
			}
			b.setPresent(errs[i] == nil)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// tryNewcomer logs in a new player through each living node, and returns an error if that works and should not, or does not work within a time.
func (t *test) tryNewcomer(limit time.Duration, works bool) (err error) {
	end := time.Now().Add(limit)
	for _, n := range t.cluster.nodes {
		for {
			ctx, cancel := context.WithTimeout(t.ctx, time.Until(end))
			var c *web.Client
			c, err = web.Dial(ctx, "http://"+n.Addresses["web"], web.Options{WS: true, Seed: t.seed, Grounds: &grounds})
			if err == nil {
				c.Leave(ctx)
			}
			cancel()
			if (err == nil) == works || time.Now().After(end) || t.ctx.Err() != nil {
				break
			}
			wait(t.ctx, 200*time.Millisecond)
		}
		switch {
		case works && err != nil:
			return fmt.Errorf("through node %s: %w", n.name, err)
		case !works && err == nil:
			return fmt.Errorf("a player came in through node %s", n.name)
		}
	}
	return nil
}

// comeBack logs in clients again through living nodes, and tries until it works.
func (t *test) comeBack(players []player, before map[string]*last, began time.Time) {
	var living []*node
	for _, n := range t.cluster.nodes {
		if n.alive.Load() {
			living = append(living, n)
		}
	}
	ctx, cancel := context.WithDeadline(t.ctx, began.Add(backLimit))
	defer cancel()
	var all sync.WaitGroup
	for i, p := range players {
		n := living[i%len(living)]
		if len(living) == nodeCount { // all nodes have come back: spread the clients as in the beginning
			n = p.base().first
		}
		all.Go(func() {
			l := before[p.base().name]
			for {
				if l.err = l.join(ctx, p, n); l.err == nil {
					l.back = time.Since(began)
					p.base().setPresent(true)
					return
				}
				if ctx.Err() != nil {
					return
				}
				wait(ctx, 250*time.Millisecond)
			}
		})
	}
	all.Wait()
}

// join logs in a client, and remembers the body that waits for it.
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

// compare compares the characters that clients find with what they were shown last.
func (t *test) compare(name string, players []player, before map[string]*last) {
	if len(players) == 0 {
		return
	}
	var logins, ids, places []error
	var times []time.Duration
	wait(t.ctx, settleTime)
	for _, p := range players {
		who := p.base().name
		was := before[who]
		if was.err != nil {
			logins = append(logins, fmt.Errorf("%s through node %s: %w", who, p.base().node.name, was.err))
			continue
		}
		if err := p.playing(); err != nil {
			logins = append(logins, fmt.Errorf("%s was in the world again: %w", who, err))
			continue
		}
		times = append(times, was.back)
		live := p.base().node.live.Load()
		list := live.Bodies(who)
		if len(list) != 1 {
			logins = append(logins, fmt.Errorf("%s has %d bodies on node %s, want 1", who, len(list), p.base().node.name))
			continue
		}
		if was.id != 0 && was.back < lingerTime && list[0].ID != was.id {
			ids = append(ids, fmt.Errorf("%s logged in again after %v as the new entity %d: its entity %d lingers for %v and must be taken over", who, was.back, list[0].ID, was.id, lingerTime))
		}
		if was.area != nil && !was.dead && !t.hasDied(who) {
			places = append(places, comparePlace(who, was, &list[0]), compareShown(who, p.shown(), was.body))
		}
	}
	t.Check(name+": clients are in the world again", logins...)
	t.Check(name+": clients are in the bodies that they had", ids...)
	t.Check(name+": characters are where they were shown", places...)
	t.measured("from a fault until its clients are in the world again", times...)
	fmt.Printf("%s: clients in the world again after %s\n", name, summary(times))
}

// hasDied reports whether any node has shown a player dead since the fault.
func (t *test) hasDied(who string) bool {
	for _, n := range t.cluster.nodes {
		if n.live.Load().HasDied(who) {
			return true
		}
	}
	return false
}

// compareShown compares what a client is shown after its return with the body that waited for it.
func compareShown(who string, now shown, waited *truth.Body) error {
	const tolerance = 10 // more than the diagonal of a tile: RuneScape clients are shown whole tiles
	switch {
	case waited == nil: // the comparison of entities says more
		return nil
	case now.area == nil || now.area.ID != waited.Area:
		return fmt.Errorf("%s is not shown the area in which its body waited", who)
	case geom.DistXZ(now.pos, waited.Pos) > tolerance:
		return fmt.Errorf("%s is shown %.0f %.0f, but its body waited at %.0f %.0f", who, now.pos.X, now.pos.Z, waited.Pos.X, waited.Pos.Z)
	}
	return nil
}

// comparePlace compares the position of a body with the position that its client was shown. A body follows its path until the cluster misses
// its node.
func comparePlace(who string, was *last, is *truth.Body) error {
	tolerance := maxSpeed * float32(unseenTime/time.Second)
	if was.walks {
		tolerance += maxSpeed * float32(suspectAfter/time.Second)
	}
	return was.area.ComparePlace(who, was.pos, is, tolerance)
}
