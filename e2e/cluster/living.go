//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/play"
	"github.com/truestep-io/truestep/e2e/report"
	"github.com/truestep-io/truestep/e2e/truth"
)

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

// corrections counts how often, during its present connection, the client of a player was moved from its predicted position without a
// cause such as a teleport.
type corrections struct {
	times uint64
	most  float32 // greatest distance of a correction in blocks
}

// predicting is a player whose client predicts its own movement.
type predicting interface {
	player
	corrections() corrections
}

// corrections returns the corrections of each client that predicts, by player name.
func (t *test) corrections(players []player) map[string]corrections {
	all := map[string]corrections{}
	for _, p := range players {
		if p, ok := p.(predicting); ok {
			all[p.base().name] = p.corrections()
		}
	}
	return all
}

// forgetPauses discards the pauses of areas that the live maps of the nodes have shown so far.
func (t *test) forgetPauses() {
	for _, n := range t.cluster.nodes {
		n.live.Load().ForgetPauses()
	}
}

// inputQueue is the longest stop of an area after which no client may be corrected: the queue of a player has room for the inputs of
// two seconds, 40 at 20 a second (rule SV-19 of docs/wire/bedrock.md). After a longer stop, the oldest inputs can be missing.
const inputQueue = 2 * time.Second

// checkCorrections checks that no client that predicts was corrected since a fault. It exempts players of an area that has stopped
// for longer than inputQueue at the client's node. The map since has the corrections before the fault, by player name.
func (t *test) checkCorrections(name string, since map[string]corrections, players []player) {
	var errs []error
	for _, p := range players {
		p, ok := p.(predicting)
		if !ok {
			continue
		}
		who := p.base().name
		now, was := p.corrections(), since[who]
		t.predictions++
		if now.times <= was.times {
			continue
		}
		t.corrected++
		stop := t.watcher.pause(p.base())
		what := fmt.Errorf("the position of %s was corrected %d times, by up to %.2f blocks, and its area had stopped for %v", who, now.times-was.times, now.most, report.Round(stop))
		if stop > inputQueue {
			fmt.Printf("%s: %v\n", name, what)
			continue
		}
		errs = append(errs, what)
	}
	t.Check(name+": clients of living nodes are not corrected", errs...)
}

const longestGap = "longest gap of frames, " // beginning of the name of a figure; the kind of the fault follows

// ledBy returns the areas whose leader is one of the given nodes.
func (t *test) ledBy(nodes []*node) (list []*truth.Area, err error) {
	var v clusterView
	if err := t.cluster.nodes[0].Get(t.ctx, "cluster", &v); err != nil {
		return nil, err
	}
	by := t.leads(&v)
	for i := range t.crowd.world.Areas {
		if a := &t.crowd.world.Areas[i]; slices.Contains(nodes, by[a.Name]) {
			list = append(list, a)
		}
	}
	return list, nil
}

// usual returns the longest time between two frames at those web clients among players that stay in an area, since the last begin of
// the watcher.
func (t *test) usual(players []player) time.Duration {
	stay := slices.DeleteFunc(slices.Clone(players), func(p player) bool { return p.base().home == nil })
	return slices.Max(append(t.watcher.longest(stay), 0))
}

// resendLimit is the time beyond fault.maxGap in which a web client that changes areas during a fault must be shown the next area: until
// the node that leads the area which it has left knows that it has not arrived, and sends it again.
const resendLimit = 500 * time.Millisecond

// checkGaps checks that no web client of a living node waited too long for a frame of its area, or on the way to another area. The
// parameter usual is the longest time between two frames before the fault; it is only printed. The parameter led has the areas whose leader
// has failed; their gaps are also measured separately. In the short form of the test (--brief) only new frames must come.
func (t *test) checkGaps(name string, f *fault, others []player, usual time.Duration, led []*truth.Area) {
	gaps := t.watcher.longest(others)
	t.measured(longestGap+f.kind, gaps...)
	limit := f.maxGap
	moveLimit := limit + resendLimit
	fmt.Printf("%s: longest gap of frames at %d clients of living nodes: %s; before it %v\n", name, len(gaps), summary(gaps), report.Round(usual))
	if len(led) > 0 {
		if failed := t.watcher.longestIn(others, led); len(failed) > 0 {
			t.measured(longestGap+f.kind+failedAreas, failed...)
			fmt.Printf("%s: of these, in areas that the node led: %s\n", name, summary(failed))
		}
	}
	if len(gaps) == 0 { // all web clients had logged in through the node that failed; finish requires figures of another round
		return
	}
	moves := t.watcher.moves(others)
	t.measured(betweenAreas+f.kind, moves...)
	fmt.Printf("%s: time between the frames of two areas at clients of living nodes: %s\n", name, summary(moves))
	if t.brief {
		t.Check(name+": clients of living nodes are shown frames", t.awaitNewFrames(others)...)
		return
	}
	var err error
	if most := slices.Max(gaps); most > limit {
		err = fmt.Errorf("a web client received no frame for %v, want at most %v", report.Round(most), report.Round(limit))
	}
	t.Check(name+": clients of living nodes are shown frames", err)
	err = nil
	if most := slices.Max(append(moves, t.watcher.longestMoving(others)...)); most > moveLimit {
		err = fmt.Errorf("a web client received no frame for %v on the way to another area, want at most %v", report.Round(most), report.Round(moveLimit))
	}
	t.Check(name+": clients of living nodes that change areas are shown frames", err)
}

// awaitNewFrames waits until the web clients among players are shown frames that are newer than this call. It returns an error for
// each that is not.
func (t *test) awaitNewFrames(players []player) (errs []error) {
	since := time.Now()
	for end := since.Add(t.patient(framesLimit)); ; wait(t.ctx, polls) {
		errs = errs[:0]
		for _, p := range players {
			if name := p.base().name; p.door() == webDoor && !t.watcher.newestAt(name).After(since) {
				errs = append(errs, fmt.Errorf("client %s is shown no new frame", name))
			}
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

const betweenAreas = "time between the frames of two areas, " // before the kind of a fault: what checkGaps measures

const failedAreas = ", in areas that the node led" // end of the name of a figure, after the kind of the fault

// checkMedians checks that the median gap between frames, at clients that were in the areas that a node led, is no greater than its goal
// for each kind of fault that has one. In a single round, or if a round has one fault of the kind, the node may have led no area, which is
// only printed.
func (t *test) checkMedians() {
	for _, g := range goalMedians {
		_, known := t.figures[longestGap+g.kind]
		if t.brief || !known {
			continue
		}
		list := t.figures[longestGap+g.kind+failedAreas]
		if len(list) == 0 && (t.rounds == 1 || g.kind == killAloneKind) {
			fmt.Printf("in all: no median of the gaps, %s%s: no web client was in such an area\n", g.kind, failedAreas)
			continue
		}
		t.Check("median of the gaps, "+g.kind+failedAreas, medianError(list, g.goal))
	}
}

// medianError returns an error unless there are figures, with a median that is at most the goal.
func medianError(list []time.Duration, goal time.Duration) error {
	if len(list) == 0 {
		return errors.New("no web client was in such an area, so no gap was measured")
	}
	slices.Sort(list)
	if median := list[len(list)/2]; median > goal {
		return fmt.Errorf("the median gap of frames is %v, want at most %v", report.Round(median), goal)
	}
	return nil
}

// loginTwice picks an account that is in the world through a RealmCrafter client, and tries to log it in once more through
// another living node. It returns an error unless the node refuses the login.
func (t *test) loginTwice(others []player) error {
	p, n, err := secondLogin(others, t.cluster.nodes[:])
	if p == nil {
		return err
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

// secondLogin returns the first RealmCrafter player of a living node among players, and another living node. If there is no such player,
// it returns an error, unless fewer than two nodes live, so that there is nothing to check.
func secondLogin(players []player, nodes []*node) (p *rccePlayer, other *node, err error) {
	living := slices.DeleteFunc(slices.Clone(nodes), func(n *node) bool { return !n.alive.Load() })
	if len(living) < 2 {
		return nil, nil, nil
	}
	for _, candidate := range players {
		p, ok := candidate.(*rccePlayer)
		if !ok || !p.node.alive.Load() {
			continue
		}
		return p, living[slices.IndexFunc(living, func(n *node) bool { return n != p.node })], nil
	}
	return nil, nil, errors.New("no RealmCrafter client is connected to a living node, so no second login was tried")
}
