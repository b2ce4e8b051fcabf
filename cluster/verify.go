package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// A leader does not believe messages about players that change areas, whichever node sends them. Every node steps every area, so the
// leader compares each message with its own copy of the other area: (1) the player of an arrival must have left that area under that
// number; (2) the players of a settlement must have arrived there. If the copy is behind and cannot tell yet, the message waits until its
// sender repeats it. If the copy is behind for longer, the players arrive later. No forged message creates a player that has left no area,
// or removes one that has not arrived.

// crossed is a copy of an area's crossings that any goroutine may read. It has those of the state after the newest stepped batch.
type crossed struct {
	mu      sync.Mutex
	waiting map[sim.AreaID][]outgoing // by target area: players who have left for that area without a confirmed arrival, by number; immutable
	last    map[sim.AreaID]uint64     // by target area: number (Join.Seq) of the last player that has left for that area; immutable
	arrived map[sim.AreaID]uint64     // by source area: number (Join.Seq) of the last player that has arrived from that area
	skipped map[sim.AreaID]skipped    // by source area: the arrival that was last in a skipped batch
}

// outgoing is a player that has left the area and whose arrival in another one is not confirmed.
type outgoing struct {
	arrival
	leftMS int64 // when the player left, in ms since 1970 UTC by the leader's clock; if before a restore of the state, the time of the restore
}

// publishCrossings copies the crossings of a new state to g.crossed.
func (g *group) publishCrossings() {
	arrived := map[sim.AreaID]uint64{}
	for from := range g.host.opt.World.Areas {
		if seq := g.state.Arrived(sim.AreaID(from)); seq > 0 {
			arrived[sim.AreaID(from)] = seq
		}
	}
	waiting, last := g.departures(g.host.NowMS())
	g.crossed.mu.Lock()
	defer g.crossed.mu.Unlock()
	g.crossed.waiting, g.crossed.last, g.crossed.arrived = waiting, last, arrived
}

// updateCrossings copies the crossings to g.crossed that the newest batch may have changed.
func (g *group) updateCrossings() {
	c := &g.crossed
	under := 0
	g.state.Outbox(func(sim.AreaID, sim.EntityID, *sim.Join) { under++ })
	var waiting map[sim.AreaID][]outgoing
	var last map[sim.AreaID]uint64
	if under > 0 || len(c.waiting) > 0 { // readable without mu: no other goroutine writes waiting
		waiting, last = g.departures(g.batchMS)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if last != nil {
		c.waiting, c.last = waiting, last
	}
	for i := range g.intents {
		if in := &g.intents[i]; in.Kind == sim.IntentJoin && in.Join != nil && in.Join.Seq > 0 {
			c.arrived[in.Join.From] = g.state.Arrived(in.Join.From)
		}
	}
}

// departures returns the players who have left the area and whose arrival is not confirmed, and the number of the last player that
// has left, both by target area. The parameter leftMS is the departure time of players that are not in g.crossed yet.
func (g *group) departures(leftMS int64) (waiting map[sim.AreaID][]outgoing, last map[sim.AreaID]uint64) {
	waiting, last = map[sim.AreaID][]outgoing{}, map[sim.AreaID]uint64{}
	g.state.Outbox(func(to sim.AreaID, who sim.EntityID, j *sim.Join) {
		d := outgoing{g.arrivalFor(who, j), leftMS}
		if known := g.crossed.find(to, j.Seq); known != nil {
			d.leftMS = known.leftMS
		}
		waiting[to] = append(waiting[to], d)
	})
	g.state.Settled(func(to sim.AreaID, settled uint64) { last[to] = settled + uint64(len(waiting[to])) })
	return waiting, last
}

// arrivalFor returns the arrival, to be sent to another area, of a player that has left this area for that one.
func (g *group) arrivalFor(who sim.EntityID, j *sim.Join) arrival {
	a := arrival{join: sim.Intent{Kind: sim.IntentJoin, Who: who, Join: j}}
	if at, ok := g.homes[who]; ok {
		a.homes = []home{{who, at}}
	}
	return a
}

// departure returns the player that left for an area under a number, according to this node's copy. The result known is false if no
// player has left under that number yet. The result settled is true if the copy has forgotten the player, because its arrival is
// confirmed.
func (c *crossed) departure(to sim.AreaID, seq uint64) (a arrival, known, settled bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq > c.last[to] {
		return arrival{}, false, false
	}
	if d := c.find(to, seq); d != nil {
		return d.arrival, true, false
	}
	return arrival{}, true, true
}

// find returns the player that has left for an area under a number. It returns nil if the arrival is confirmed, or if no player has
// left under that number yet. The caller holds mu or is the goroutine of the area, which alone changes waiting and last.
func (c *crossed) find(to sim.AreaID, seq uint64) *outgoing {
	last, list := c.last[to], c.waiting[to]
	if first := last - uint64(len(list)) + 1; seq >= first && seq <= last {
		return &list[seq-first]
	}
	return nil
}

// underWay returns the number of players who have left the area and whose arrival in another one is not confirmed.
func (c *crossed) underWay() (n int) {
	waiting, _ := c.left()
	for _, list := range waiting {
		n += len(list)
	}
	return n
}

// left returns the players who have left the area and whose arrival is not confirmed, and the number of the last player that has left, both
// by target area. The caller does not change them.
func (c *crossed) left() (waiting map[sim.AreaID][]outgoing, last map[sim.AreaID]uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting, c.last
}

// arrivedFrom returns the number of the last player that has arrived from an area.
func (c *crossed) arrivedFrom(from sim.AreaID) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.arrived[from]
}

// unchecked is a message about players that change areas, of which this node's copy of the other area knows nothing yet.
type unchecked struct {
	node  uint64 // number of the sender
	until time.Time
	a     arrival    // the arrival; join.Join is nil if the message is a settlement
	in    sim.Intent // the settlement
}

// Maximum number of unchecked messages of a node in an area, and their maximum size in bytes. Further ones are dropped and sent again.
const (
	maxUnchecked     = 1024
	maxUncheckedSize = 4 << 20
)

// receiveArrival handles a player from another area, if this node leads the area. It is an error if this node's copy of the other
// area has another player under the same number.
func (g *group) receiveArrival(node uint64, a arrival) error {
	if !g.rep.IsLeader() {
		return nil
	}
	known, err := false, error(nil)
	if !g.lead.holds(node, a.join.Join.From) { // the order of the departures is kept: an earlier arrival of this node waits
		known, err = g.checkArrival(a)
	}
	if !known && err == nil {
		g.lead.hold(unchecked{node: node, a: a})
	}
	return err
}

// receiveSettlement handles a message that players have arrived in another area, if this node leads the area that they left. It is an
// error if there is no such area.
func (g *group) receiveSettlement(node uint64, in sim.Intent) error {
	if !g.rep.IsLeader() {
		return nil
	}
	known, err := g.checkSettlement(in)
	if !known && err == nil {
		g.lead.hold(unchecked{node: node, in: in})
	}
	return err
}

// errNoArea is the error if the other area of a message is not in the world, or is the area that the message is for.
var errNoArea = errors.New("the message names an area that is not in the world, or the area that it was sent to")

// checkArrival compares an arrival with the departures in this node's copy of the other area. If the copy has the same departure, the
// arrival is accepted. The result known is false if the copy has no departure with that number yet.
func (g *group) checkArrival(a arrival) (known bool, err error) {
	j := a.join.Join
	if j.From < 0 || int(j.From) >= len(g.host.groups) || j.From == g.area {
		return false, fmt.Errorf("arrival from area %d: %w", j.From, errNoArea)
	}
	own, known, settled := g.host.groups[j.From].crossed.departure(g.area, j.Seq)
	switch {
	case !known:
		return false, nil
	case settled:
		if j.Seq <= g.state.Arrived(j.From) { // the source area sent the message before it learned of the confirmation
			g.takeArrival(a)
		}
		return true, nil
	case !own.equals(&a):
		return true, fmt.Errorf("arrival number %d from area %d has another player or state than the departure with this number from that area", j.Seq, j.From)
	}
	g.takeArrival(own)
	return true, nil
}

// equals reports whether two arrivals are of the same player in the same state. Homes may differ, because a player may reconnect
// through another node while it is under way.
func (a *arrival) equals(b *arrival) bool {
	encode := func(a *arrival) []byte { return sim.AppendIntents(nil, []sim.Intent{a.join}) }
	return bytes.Equal(encode(a), encode(b))
}

// checkSettlement compares a settlement with the arrivals in this node's copy of the other area, and accepts it if the players have
// arrived there. The result known is false if the copy lacks some of these arrivals yet.
func (g *group) checkSettlement(in sim.Intent) (known bool, err error) {
	if in.To < 0 || int(in.To) >= len(g.host.groups) || in.To == g.area {
		return false, fmt.Errorf("confirmation of arrivals in area %d: %w", in.To, errNoArea)
	}
	if in.Seq > g.host.groups[in.To].crossed.arrivedFrom(g.area) {
		return false, nil
	}
	g.takeSettlement(in)
	return true, nil
}

// holds reports whether an arrival from an area, sent by the node, waits to be checked.
func (l *lead) holds(node uint64, from sim.AreaID) bool {
	return slices.ContainsFunc(l.ahead, func(m unchecked) bool { return m.node == node && m.a.join.Join != nil && m.a.join.Join.From == from })
}

// hold keeps a message that cannot be checked yet.
func (l *lead) hold(m unchecked) {
	n, size := 0, m.a.size
	for i := range l.ahead {
		if l.ahead[i].node == m.node {
			n++
			size += l.ahead[i].a.size
		}
	}
	if n == 0 || n < maxUnchecked && size <= maxUncheckedSize {
		m.until = time.Now().Add(resendEvery)
		l.ahead = append(l.ahead, m)
	}
}

// checkHeld checks again the messages that could not be checked when they arrived. It drops a message that this node's copy of the other
// area still does not confirm when the sender repeats it. If the sender does not lead that area, as far as this node knows, the message
// counts as refused: it is forged, or the leader has changed meanwhile.
func (g *group) checkHeld(now time.Time) {
	l := &g.lead
	kept := l.ahead[:0]
	for i := range l.ahead {
		m := &l.ahead[i]
		other := m.in.To
		if m.a.join.Join != nil {
			other = m.a.join.Join.From
		}
		known, err := g.checkAgain(m)
		switch lead := g.host.leadOf(other); {
		case err == nil && known:
		case err == nil && now.Before(m.until):
			kept = append(kept, *m)
		case err == nil && (lead == m.node || lead == 0):
		case err == nil:
			err = fmt.Errorf("this node's copy of area %d has no record of the players in the message, and the sender does not lead that area", other)
		}
		if err != nil {
			g.host.refused(m.node, g.name, err)
		}
	}
	clear(l.ahead[len(kept):])
	l.ahead = kept
}

// checkAgain checks a message that could not be checked when it arrived. The result known is false if this node's copy of the other
// area still lacks what the message reports. As in handle, a panic is an error, unless the message is of this node itself.
func (g *group) checkAgain(m *unchecked) (known bool, err error) {
	defer func() {
		if m.node == g.host.opt.Self {
			return
		}
		if v := recover(); v != nil {
			known, err = false, fmt.Errorf("message about players that change areas: panic: %v\n%s", v, debug.Stack())
		}
	}()
	if m.a.join.Join != nil {
		return g.checkArrival(m.a)
	}
	return g.checkSettlement(m.in)
}
