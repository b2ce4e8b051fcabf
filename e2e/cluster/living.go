//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/e2e/play"
	"github.com/truestep-io/truestep/e2e/report"
)

const busyGap = 150 * time.Millisecond // a longer gap between frames without any fault means that the machine is overloaded

// lost returns an error for each player whose client is not in the world, and for each living node whose process has ended.
func (t *test) lost(players []player) (errs []error) {
	for _, p := range players {
		if err := p.playing(); err != nil {
			errs = append(errs, fmt.Errorf("the client of %s at node %s is not in the world: %w", p.base().name, p.base().node.name, err))
		}
	}
	for _, n := range t.cluster.nodes {
		if n.alive.Load() && !n.Running() {
			errs = append(errs, fmt.Errorf("node %s has ended: %w\n%s", n.name, n.Err(), n.Tail(20)))
		}
	}
	return errs
}

// corrections returns the counters of each web client by player name, among them the number of corrections that the client has
// received.
func (t *test) corrections(players []player) map[string]web.Counts {
	counts := map[string]web.Counts{}
	for _, p := range players {
		if p, ok := p.(*webPlayer); ok {
			counts[p.name] = p.counts()
		}
	}
	return counts
}

// corrected returns an error for each web client that was moved by a correction of its predicted position. The map since has the
// counters at the beginning, by player name; only later corrections count.
func (t *test) corrected(since map[string]web.Counts, players []player) (errs []error) {
	for _, p := range players {
		if p, ok := p.(*webPlayer); ok {
			c, was := p.counts(), since[p.name]
			if c.False > was.False {
				errs = append(errs, fmt.Errorf("the position of %s was corrected %d times, by up to %.2f blocks, want 0 times", p.name, c.False-was.False, c.MaxOff))
			}
		}
	}
	return errs
}

// delay returns by how much longer everything may take than on a machine without other load. The parameter usual is the longest time
// between two frames without a fault: if it exceeds busyGap, the machine is overloaded.
func delay(usual time.Duration) time.Duration {
	if usual <= busyGap {
		return 0
	}
	return 4 * usual
}

const longestGap = "longest gap of frames, " // before the kind of a fault: what checkGaps measures

// checkGaps checks that no web client of a living node waited too long for a frame. The parameter usual is the longest time
// between two frames before the fault.
func (t *test) checkGaps(name string, f *fault, others []player, usual time.Duration) {
	gaps := t.watcher.longest(others)
	t.measured(longestGap+f.kind, gaps...)
	limit := f.maxGap + delay(usual)
	if t.brief {
		limit = t.patient(framesLimit)
	}
	fmt.Printf("%s: longest gap of frames at %d clients of living nodes: %s; the goal is %v; before it %v\n", name, len(gaps), summary(gaps), f.maxGap, report.Round(usual))
	if len(gaps) == 0 { // all web clients had logged in through the node that failed; finish requires figures of another round
		return
	}
	var err error
	if most := slices.Max(gaps); most > limit {
		err = fmt.Errorf("a web client received no frame for %v, want at most %v", report.Round(most), report.Round(limit))
	}
	t.Check(name+": clients of living nodes are shown frames", err)
}

// loginTwice picks an account that is in the world through a RealmCrafter client, and tries to log it in once more through
// another living node. It returns an error unless the node refuses the login.
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
				return fmt.Errorf("connect a second client of %s to node %s: %w", p.name, n.name, err)
			}
			defer c.Close()
			var refused *rcce.RefusedError
			switch err := play.EnterRcce(ctx, c, false); {
			case err == nil:
				return fmt.Errorf("account %s could log in through node %s while it was in the world through node %s", p.name, n.name, p.node.name)
			case !errors.As(err, &refused):
				return fmt.Errorf("second login of account %s, through node %s: want a refusal, got: %w", p.name, n.name, err)
			}
			return nil
		}
	}
	return nil // no second node is alive, or no RealmCrafter client is in the world
}
