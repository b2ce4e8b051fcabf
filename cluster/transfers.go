package cluster

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Transfer describes the players who are under way from one area to another: they have left the old area, and their arrival in the new
// one is not confirmed. Every node has copies of both areas, so each node knows all transfers, up to the lag of its copies.
//
// Oldest is measured from the time of the batch in which the first player left. The leader of the area has set that time by its own clock.
// If this node has restored the area from a snapshot with the player already under way, Oldest is measured from the restore.
type Transfer struct {
	From, To sim.AreaID    // area that the players have left, and area to which they go
	UnderWay int           // number of players under way; at least 1
	Arrived  int           // number of players under way who have arrived, so that only the confirmation is missing
	Oldest   time.Duration // time since the first player under way has left
	Settled  uint64        // number of players who made this trip since the areas began and whose arrival is confirmed
	Why      string        // why the first player waits, as a text for people; "" if no reason is known
}

// settled returns the number of players who have left the area and whose arrival in another one is confirmed, since the areas began.
func (c *crossed) settled() (n uint64) {
	waiting, last := c.left()
	for to, seq := range last {
		n += seq - uint64(len(waiting[to]))
	}
	return n
}

// transfers returns the transfers between all areas, sorted by From, then To. The parameter areas has the status of each area. The caller
// holds mu.
func (h *Host) transfers(areas []AreaStatus) (list []Transfer) {
	now := h.NowMS()
	for from, g := range h.groups {
		waiting, last := g.crossed.left()
		for _, to := range slices.Sorted(maps.Keys(waiting)) {
			players := waiting[to]
			t := Transfer{
				From: sim.AreaID(from), To: to, UnderWay: len(players), Settled: last[to] - uint64(len(players)),
				Oldest: time.Duration(max(0, now-players[0].leftMS)) * time.Millisecond,
			}
			if have := h.groups[to].crossed.arrivedFrom(t.From); have > t.Settled {
				t.Arrived = min(int(have-t.Settled), len(players))
			}
			t.Why = h.whyUnderWay(&t, players[0].join.Join, areas)
			list = append(list, t)
		}
	}
	return list
}

// whyUnderWay returns why the first player of a transfer waits, as a text for people, or "" if no reason is known. The parameter j is the
// join of the player. Two messages are needed: the leader of t.From sends the player to the leader of t.To, and later the leader of t.To
// confirms the arrival. A receiver uses a message only when its own copy of the sender's area shows the same. The caller holds mu.
func (h *Host) whyUnderWay(t *Transfer, j *sim.Join, areas []AreaStatus) string {
	sender, receiver := t.From, t.To
	if t.Arrived > 0 {
		sender, receiver = t.To, t.From
	}
	by, at := h.seen[sender].lead, h.seen[receiver].lead
	switch {
	case at == 0:
		return areas[receiver].Name + " has no leader"
	case by == 0:
		return areas[sender].Name + " has no leader"
	case !h.areConnected(by, at):
		return h.nodeName(by) + " has no connection to " + h.nodeName(at)
	}
	if n := h.groups[t.To].crossed.skippedOf(j); n > 0 && t.Arrived == 0 {
		return fmt.Sprintf("the tick with its arrival panics (tries: %d)", n)
	}
	if c := areas[sender].Copies[at-1]; c.Known && c.Lag > uint64(h.opt.World.TicksPerSecond) {
		return fmt.Sprintf("the copy of %s on node %s is %d ticks behind", areas[sender].Name, c.Node, c.Lag)
	}
	return ""
}

// areConnected reports whether two nodes have a connection, or this node does not know whether they have one. The caller holds mu.
func (h *Host) areConnected(a, b uint64) bool {
	switch {
	case a == b:
		return true
	case a == h.opt.Self:
		return h.peers[b].up
	case b == h.opt.Self:
		return h.peers[a].up
	}
	p := &h.peers[a]
	return !p.up || p.behind == nil || p.links>>b&1 != 0
}
