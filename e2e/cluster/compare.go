//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim/geom"
)

const (
	suspectAfter = 3 * time.Second // value of truestep's flag --suspect-after
	unseenTime   = time.Second     // maximum time from the last packet that a client received to the fault
	maxSpeed     = 30              // speed of a running player of any door in units per second
	tileDiagonal = 10              // more than the diagonal of a tile in units: RuneScape clients are shown whole tiles
)

// compare checks clients that have logged in again after a fault: each must control the same actor as before, at the last position that
// it received before the fault. The map before has the state of each client before the fault, by player name. The parameter name is
// the prefix of the checks' names. In the short form of the test (--brief) it compares areas, not positions in them, unless players stood
// still: on a busy machine a player can walk anywhere before its client is shown it.
func (t *test) compare(name string, players []player, before map[string]*last) {
	if len(players) == 0 {
		return
	}
	var logins, ids, places []error
	var times []time.Duration
	moved, movedWeb := 0, 0 // clients whose characters are in another area than the last one that they were shown
	wait(t.ctx, settleTime)
	t.awaitBodies(players, before)
	for _, p := range players {
		who := p.base().name
		was := before[who]
		if was.err != nil {
			logins = append(logins, fmt.Errorf("%s could not log in again through node %s: %w", who, p.base().node.name, was.err))
			t.setParty(p, checker.PartyUnknown)
			continue
		}
		if err := p.playing(); err != nil {
			logins = append(logins, fmt.Errorf("%s logged in again, but is not in the world any more: %w", who, err))
			continue
		}
		times = append(times, was.back)
		live := p.base().node.live.Load()
		list := live.Bodies(who)
		if len(list) != 1 {
			logins = append(logins, fmt.Errorf("node %s shows %d actors of %s, want 1", p.base().node.name, len(list), who))
			continue
		}
		t.compareParty(p, was, list[0].ID)
		if was.id != 0 && was.back < lingerTime && list[0].ID != was.id {
			ids = append(ids, fmt.Errorf("%s logged in again after %v as the new entity %d, but must take over its entity %d, which lingers for %v", who, was.back, list[0].ID, was.id, lingerTime))
		}
		if was.area != nil && !was.dead && !t.hasDied(who) {
			if list[0].Area != was.area.ID {
				moved++
				if p.door() == webDoor {
					movedWeb++
				}
			}
			places = append(places, comparePlace(who, was, &list[0], t.anywhere()), compareShown(who, p.shown(), was.body, t.anywhere()))
		}
	}
	t.Check(name+": clients are in the world again", logins...)
	t.Check(name+": clients take over their lingering actors", ids...)
	t.Check(name+": characters are where they were shown", places...)
	t.measured("from a fault until its clients are in the world again", times...)
	t.moved, t.movedWeb = t.moved+moved, t.movedWeb+movedWeb
	fmt.Printf("%s: clients in the world again after %s; %d of them, %d of which web clients, had changed areas after the last frame that they were shown\n", name, summary(times), moved, movedWeb)
}

// awaitBodies waits until the live map of the node of each player that has logged in again shows that player once, for at most five seconds:
// the live map of a busy node is late.
func (t *test) awaitBodies(players []player, before map[string]*last) {
	for end := time.Now().Add(t.patient(5 * time.Second)); time.Now().Before(end) && t.ctx.Err() == nil; wait(t.ctx, polls) {
		if !slices.ContainsFunc(players, func(p player) bool {
			b := p.base()
			return before[b.name].err == nil && p.playing() == nil && len(b.node.live.Load().Bodies(b.name)) != 1
		}) {
			return
		}
	}
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

// compareShown compares two states of a player: the parameter now, which its client receives after its return, and the parameter
// waited, the state of the actor that lingered in the world until then. waited is nil if no live map showed that actor.
func compareShown(who string, now shown, waited *truth.Body, anywhere float32) error {
	tolerance := tileDiagonal + anywhere
	switch {
	case waited == nil: // the lingering actor was not observed; compare checks the entity ids
		return nil
	case now.area == nil || now.area.ID != waited.Area:
		return fmt.Errorf("the client of %s is not shown the area in which its actor had lingered", who)
	case geom.DistXZ(now.pos, waited.Pos) > tolerance:
		return fmt.Errorf("the client of %s shows x %.0f, z %.0f, but its actor had lingered at x %.0f, z %.0f", who, now.pos.X, now.pos.Z, waited.Pos.X, waited.Pos.Z)
	}
	return nil
}

// comparePlace compares the position of a player's actor with the last position that its client received. An actor that walks along a path
// continues to walk until the cluster has detected that the client's node is lost. One that stood still must be there.
func comparePlace(who string, was *last, is *truth.Body, anywhere float32) error {
	tolerance := maxSpeed*float32(unseenTime.Seconds()) + anywhere
	switch {
	case was.stood:
		tolerance = tileDiagonal
	case was.walks:
		tolerance += maxSpeed * float32(suspectAfter/time.Second)
	}
	return was.area.ComparePlace(who, was.pos, is, tolerance)
}
