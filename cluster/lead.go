package cluster

import (
	"cmp"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// lead is the state that a node needs only while it leads an area.
type lead struct {
	due      time.Time                  // time at which the next batch is due
	tryAt    time.Time                  // time of the next try to propose a batch: due, or later while the last entry is not stepped yet
	sealed   bool                       // a batch is proposed and not stepped yet
	sealedAt time.Time                  // time at which the batch that is not stepped yet was proposed
	taken    origins                    // progress of each node with the queued chunks; nil until all entries of earlier terms are stepped
	early    []chunk                    // chunks that arrived while taken was nil
	queue    []chunk                    // chunks for the next batch
	arrivals []arrival                  // players from other areas who join in the next batch
	arrived  map[sim.AreaID]uint64      // number of the newest queued arrival from each area
	held     map[sim.AreaID]heldArrival // by area from which players come: the arrival that was last in a skipped batch
	settled  []sim.Intent               // settlements for the next batch
	ahead    []unchecked                // arrivals and settlements that the copy of the other area is too old to check; oldest first
	resendAt time.Time                  // time at which crossings are sent again
	departed map[departure]time.Time    // departure times of players whose arrival is not confirmed
	gone     []mark                     // incarnations to mark as gone in the next batch
	sweep    sweep                      // the search for players of dead nodes whose disconnects are lost
	counts   map[sim.EntityID]int       // used by addChunks: number of intents of each player in the batch

	balanceAt time.Time // time at which the leader next checks whether another node should lead
	lack      lack      // state of checkMissed
}

// startLeading sets up the state that this node needs as the new leader of the area. Intents that the previous leader accepted
// but did not commit are not lost, because their nodes send them again. The caller sets g.term afterwards: as soon as g.term says
// that this node leads, Host.Owner uses g.givenUp, which must not be that of an earlier term.
func (g *group) startLeading(now time.Time) {
	g.endLeading()
	due := now
	if !g.steppedAt.IsZero() {
		due = g.steppedAt.Add(g.host.period) // so the new leader makes up for the ticks since the last batch
	}
	g.lead = lead{due: due, tryAt: now, arrived: map[sim.AreaID]uint64{}, held: map[sim.AreaID]heldArrival{}, resendAt: now, sweep: sweep{due: true}}
}

// endLeading drops the state of a term in which this node has led the area.
func (g *group) endLeading() {
	g.givenUp.Store(0)
	g.ownSaved.Store(0)
	g.lead = lead{}
}

// canSeal reports whether this node can propose the next batch: it leads the area and has stepped every entry of the log. When
// that is so for the first time since the node became leader, canSeal also queues the chunks of intents that arrived before.
func (g *group) canSeal() bool {
	if l := &g.lead; !g.dispute.agrees() || l.sealed || len(g.committed) > 0 || g.install != nil || !g.rep.CanPropose() {
		return false
	}
	if l := &g.lead; l.taken == nil {
		l.taken = append(origins(nil), g.origins...)
		slices.SortStableFunc(l.early, func(a, b chunk) int { // a chunk that a link had no room for arrived after later ones
			return cmp.Or(cmp.Compare(a.incarnation, b.incarnation), cmp.Compare(a.seq, b.seq))
		})
		for i := range l.early {
			g.takeChunk(&l.early[i])
		}
		l.early = nil
	}
	return true
}

// takeChunk queues a chunk of intents for the next batch. It ignores a chunk that does not follow the last one of the same node, because
// that node sends the missing chunks again, and a chunk for which there is no room. It does nothing if this node does not lead the area.
func (g *group) takeChunk(c *chunk) {
	l := &g.lead
	switch {
	case !g.rep.IsLeader():
		return
	case l.taken == nil:
		isSame := func(have chunk) bool { return have.mark == c.mark } // sent again meanwhile
		if !slices.ContainsFunc(l.early, isSame) && hasRoom(l.early, c) {
			l.early = append(l.early, *c)
		}
		return
	}
	if l.taken.replaces(c.mark) {
		g.markGone(mark{node: c.node, incarnation: l.taken[c.node].incarnation})
	}
	if !l.taken.takes(c.mark) || !hasRoom(l.queue, c) {
		return
	}
	l.taken[c.node].incarnation, l.taken[c.node].seq = c.incarnation, c.seq
	if c.node != g.host.opt.Self {
		g.host.adjustClock(c)
	}
	l.queue = append(l.queue, *c)
}

// hasRoom reports whether a queue has room for another chunk of the same node: the node has fewer than maxPending chunks in it, and with
// the new one they take at most maxQueued bytes of memory.
func hasRoom(queue []chunk, c *chunk) bool {
	n, memory := 0, c.memory()
	for i := range queue {
		if queue[i].node == c.node {
			n++
			memory += queue[i].memory()
		}
	}
	return n == 0 || n < maxPending && memory <= maxQueued
}

// markGone makes the next batch declare an incarnation (a run of a node) dead, and drops the queued intents of that
// incarnation.
func (g *group) markGone(m mark) {
	l := &g.lead
	l.taken[m.node].gone = m.incarnation
	l.gone = append(slices.DeleteFunc(l.gone, func(other mark) bool { return other.node == m.node }), m) // m is the newer one
	kept := l.queue[:0]
	for _, c := range l.queue {
		if c.node != m.node || c.incarnation > m.incarnation {
			kept = append(kept, c)
		}
	}
	l.queue = kept
	have := &l.taken[m.node]
	if have.incarnation == m.incarnation { // the dropped chunks were not applied; the chunks of a new incarnation begin with 1
		have.seq = g.origins[m.node].seq
	}
}

// seal proposes the next batch, the input of one tick, to the Raft log if the previous batch is stepped.
func (g *group) seal(now time.Time) {
	l := &g.lead
	if !g.canSeal() {
		l.tryAt = now.Add(time.Millisecond) // the commit of the last entry also makes the group try again
		return
	}
	switch oldest := now.Add(-maxBehind * g.host.period); {
	case l.due.Before(oldest):
		l.due = oldest
	case l.due.After(now): // batches came faster than one per period, for example while the log was read at the start
		l.due = now
	}
	l.due = l.due.Add(g.host.period)
	l.tryAt = l.due
	g.out.checkIncarnation(g)
	g.out.collect(g, now, true, false)
	g.out.roundAt = now // if the node stops leading, its next round as a follower begins one period from now
	for node := range l.taken {
		if have := l.taken[node]; have.incarnation > have.gone && g.host.isGone(uint64(node), have.incarnation, now) {
			g.markGone(mark{node: uint64(node), incarnation: have.incarnation})
		}
	}
	if !now.Before(l.resendAt) {
		l.resendAt = now.Add(resendEvery)
		g.resendCrossings()
	}
	g.checkHeld(now)
	t := batch{prev: g.hash, saved: g.savedByOwner(), atMS: g.host.NowMS(), gone: l.gone, intents: g.intents[:0]}
	sweep := l.sweep.due && !now.Before(l.sweep.at)
	g.addDisconnects(&t, sweep)
	t.intents = append(t.intents, l.settled...)
	arrived := 0
	for arrived < len(l.arrivals) && len(t.intents) < maxIntents && t.size < maxBatch/2 {
		g.addArrival(&t, &l.arrivals[arrived])
		arrived++
	}
	rest := l.addChunks(&t)
	if g.rep.Propose(t.append(nil)) {
		l.sealed, l.sealedAt = true, now
		if sweep {
			l.sweep.due, l.sweep.sealed = false, true
		}
		l.queue = l.queue[:copy(l.queue, rest)]
		l.settled, l.arrivals, l.gone = l.settled[:0], slices.Delete(l.arrivals, 0, arrived), nil
	}
	clear(t.intents)
}

// savedByOwner returns the tick up to which the records of the area count as stored after the next batch. A report of this node's hub
// is taken into account only while this node owns the area.
func (g *group) savedByOwner() sim.Tick {
	if _, own := g.host.Owner(g.area); !own {
		return g.saved
	}
	return max(g.saved, sim.Tick(g.ownSaved.Load()))
}

// maxBehind is the maximum number of missed tick periods that a leader makes up for, by proposing batches without a pause. It skips
// further ones. While ticks were missed, inputs of predicted players arrived and wait in queues of 40; each tick takes one input of a
// player. If no ticks were made up for, inputs would be late for minutes, and after several fail-overs the queues would overflow.
const maxBehind = 20

// addArrival adds a player from another area to a batch. If the node through which the player was connected is marked
// as gone, the player is disconnected in the same batch.
func (g *group) addArrival(t *batch, a *arrival) {
	who := a.join.Who
	g.out.buffer = appendArrival(g.out.buffer[:0], g.area, a)
	t.size += len(g.out.buffer)
	t.intents = append(t.intents, a.join)
	t.homes = append(t.homes, a.homes...)
	orphan := g.lead.taken.isOrphan(who)
	if len(a.homes) > 0 {
		at := a.homes[0].mark
		orphan = at.node < uint64(len(g.lead.taken)) && at.incarnation <= g.lead.taken[at.node].gone
	}
	if orphan {
		t.intents = append(t.intents, sim.Intent{Kind: sim.IntentDisconnect, Who: who, AtMS: a.join.AtMS})
	}
}

// addChunks adds queued chunks of intents to a batch, as many as the limits of a batch allow: its total number of intents, its size, and
// each player's number of intents in one tick. It returns the rest, which waits for the next batch. After a pause, for example, the intents
// of many ticks are queued.
func (l *lead) addChunks(t *batch) (rest []chunk) {
	if l.counts == nil {
		l.counts = map[sim.EntityID]int{}
	}
	clear(l.counts)
	held := make([]bool, len(l.taken)) // by node: one of its chunks must wait, so its later chunks wait, too
	rest = l.queue[:0:0]
	for i := range l.queue {
		c := &l.queue[i]
		full := len(t.intents) > 0 && len(t.intents)+len(c.intents) > maxIntents || t.size+c.size > maxBatch
		if held[c.node] || full || !l.spend(c) {
			held[c.node] = true
			rest = append(rest, *c)
			continue
		}
		t.addChunk(c)
	}
	return rest
}

// spend counts the intents of a chunk for each player. If a player would have more than sim.MaxIntentsPerTick in the batch,
// spend counts nothing and returns false. A chunk alone never exceeds that maximum: see area.MaxIntentsTick and chunk.check.
func (l *lead) spend(c *chunk) bool {
	for i := range c.intents {
		if in := &c.intents[i]; !in.Kind.IsOfServer() {
			l.counts[in.Who]++
		}
	}
	for i := range c.intents {
		if l.counts[c.intents[i].Who] <= sim.MaxIntentsPerTick {
			continue
		}
		for j := range c.intents {
			if in := &c.intents[j]; !in.Kind.IsOfServer() {
				l.counts[in.Who]--
			}
		}
		return false
	}
	return true
}

// addChunk appends the intents of a chunk to the batch, and records the number of the chunk.
func (t *batch) addChunk(c *chunk) {
	t.intents = append(t.intents, c.intents...)
	t.size += c.size
	t.addResumed(c)
	for i := range t.chunks {
		if t.chunks[i].node == c.node {
			t.chunks[i] = c.mark
			return
		}
	}
	t.chunks = append(t.chunks, c.mark)
}

// addDisconnects adds intents to a batch that disconnect the players of the nodes that the batch declares dead or, if the parameter
// sweep is true, of all dead nodes.
func (g *group) addDisconnects(t *batch, sweep bool) {
	if len(t.gone) == 0 && !sweep {
		return
	}
	now := g.host.NowMS()
	g.state.Players(func(who sim.EntityID, _ sim.CharacterID) {
		lost := sweep && g.hasLostNode(who)
		for _, m := range t.gone {
			lost = lost || g.livesIn(m, who)
		}
		if lost {
			t.intents = append(t.intents, sim.Intent{Kind: sim.IntentDisconnect, Who: who, AtMS: now})
		}
	})
}
