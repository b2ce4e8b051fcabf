package cluster

import (
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Until the records of a tick are stored, they are in the memory of each node whose hub has read the frame of the tick. A hub misses
// frames if its node continues an area from a snapshot, or if it reads more slowly than the area runs. A node lacks records of an area
// while ticks that its hub has missed are not stored: it can neither store these records nor report them as stored. If such a node leads
// the area, it does not own it (Host.Owner), and hands it over to a node that has the records (group.successor). If no connected node has
// them, it counts the ticks as stored (group.giveUpMissed).

const (
	// recordPatience is how long a leader that lacks records waits for a disconnected node that may have them, if no connected node
	// has them. A process that was killed is usually back by then.
	recordPatience = 30 * time.Second
	// slowPatience is how long a leader that lacks records waits for a connected node that has them but does not keep up with the
	// log. A node that was restarted keeps up after some seconds.
	slowPatience = 2 * time.Minute
	// slowLogged is how long the leader waits for a node that does not keep up before it logs a warning about that node.
	slowLogged = 2 * time.Second
)

// lack is the state of a leader whose hub has missed ticks of the area, so that it lacks the player records of these ticks.
type lack struct {
	since     time.Time // time at which the leader began to lack records and told the other nodes; zero if it lacks none
	slowSince time.Time // when the leader first found that the connected nodes with the records do not keep up with the log
	toldSlow  bool      // it is logged that the nodes with the records do not keep up
	toldDown  bool      // it is logged that nodes that are down may have the records
	toldLoss  bool      // it is logged that this node counts ticks as stored
}

// surrender is the decision of a leader to give up lost records of past ticks: it counts these ticks as stored, because otherwise the
// records of later ticks could not be stored.
type surrender struct {
	term uint64   // term of the leader at the decision; 0 if there was no decision
	tick sim.Tick // newest tick that counts as stored by the decision
}

// Missed implements area.Host. It notes the newest tick of an area whose frame the hub of this node has missed.
func (h *Host) Missed(a sim.AreaID, tick sim.Tick) {
	if a >= 0 && int(a) < len(h.groups) {
		h.groups[a].noteMissed(tick)
	}
}

// noteMissed records that the hub of this node has no frames up to a tick. Any goroutine may call it.
func (g *group) noteMissed(tick sim.Tick) {
	for {
		have := g.missed.Load()
		if uint64(tick) <= have || g.missed.CompareAndSwap(have, uint64(tick)) {
			return
		}
	}
}

// lacksRecords reports whether a node has missed ticks of an area whose records are not stored yet. The caller holds mu.
func (h *Host) lacksRecords(node uint64, a sim.AreaID) bool {
	g, p := h.groups[a], &h.peers[node]
	if node == h.opt.Self {
		return g.missed.Load() > g.savedTick.Load()
	}
	return p.missed != nil && uint64(p.missed[a]) > g.savedTick.Load()
}

// recordHolder returns the number of another connected node that lacks no records of the area, or 0 if there is none. The result
// keepsUp is true if that node can take over at once. Such nodes are preferred, and among equal ones those that do not drain.
// The caller holds mu.
func (g *group) recordHolder() (holder uint64, keepsUp bool) {
	h := g.host
	for _, node := range h.membersOf(g.area) {
		p := &h.peers[node]
		if node == h.opt.Self || !p.up || p.left || p.missed == nil || h.lacksRecords(node, g.area) {
			continue
		}
		keeps := g.canTakeOver(node)
		if holder == 0 || keeps && !keepsUp || keeps == keepsUp && h.peers[holder].draining && !p.draining {
			holder, keepsUp = node, keeps
		}
	}
	return holder, keepsUp
}

// knowsMissed reports whether all other nodes are connected and have told what they have missed. The caller holds mu.
func (h *Host) knowsMissed() bool {
	for i := range h.opt.Nodes {
		if p := &h.peers[i+1]; uint64(i+1) != h.opt.Self && (!p.up || p.missed == nil) {
			return false
		}
	}
	return true
}

// successor returns the node to which this leader should hand over the area, or 0 if it should keep it or that node cannot take over at
// once. This is the preferred node, with three exceptions. (1) This node has not stepped the log: see relief. (2) This node lacks records,
// and the preferred node lacks some as well or cannot take over: successor returns a node that has the records, even if that node drains or
// has lost links. It gives the area back when the records are stored. (3) This node has all records and the preferred node lacks some: this
// node keeps the area.
func (g *group) successor(now time.Time) uint64 {
	h := g.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if to := g.relief(now); to != 0 {
		return to
	}
	to, lacks := h.preferred(g.area, now), h.lacksRecords(h.opt.Self, g.area)
	toLacks := to == 0 || h.lacksRecords(to, g.area)
	switch {
	case lacks && g.lead.taken == nil:
		return 0 // the log may have an entry, not stepped yet, by which the records are stored
	case lacks && (toLacks || !g.canTakeOver(to)):
		if holder, keepsUp := g.recordHolder(); holder != 0 && (toLacks || keepsUp) {
			to = holder
		}
	case toLacks:
		return 0
	}
	if !g.canTakeOver(to) { // or it is this node, or 0
		return 0
	}
	return to
}

// checkMissed is called at intervals while this node leads the area. When it begins to lack records, it tells the other nodes, so that
// they do not give the area back. If no connected node has the records, it gives them up: at once if all nodes are connected, otherwise
// after recordPatience. If a connected node has them but does not keep up with the log, it gives them up after slowPatience. So logins
// wait for a limited time, even if a node starts and ends again and again.
func (g *group) checkMissed(now time.Time) {
	l, h := &g.lead.lack, g.host
	missed := sim.Tick(g.missed.Load())
	if g.lead.taken == nil || missed <= g.saved {
		*l = lack{}
		return
	}
	if l.since.IsZero() {
		l.since = now
		h.Tell()
	}
	h.mu.Lock()
	holder, keepsUp := g.recordHolder()
	all := h.knowsMissed()
	h.mu.Unlock()
	if holder != 0 && !keepsUp {
		g.checkSlow(holder, missed, now)
	}
	switch {
	case holder != 0 && (keepsUp || now.Sub(l.slowSince) < slowPatience):
		g.givenUp.Store(0)
	case sim.Tick(g.givenUp.Load()) >= missed:
	case holder != 0 || all || now.Sub(l.since) >= recordPatience:
		g.giveUpMissed(missed)
	case !l.toldDown:
		l.toldDown = true
		h.log.Warn("the records of some ticks of the area are not stored, and no connected node has them; no player can log in while this node waits for the nodes that are down",
			telemetry.FieldArea, g.name, "first_tick", g.saved+1, "last_tick", missed, "for_at_most", recordPatience-now.Sub(l.since))
	}
}

// checkSlow notes and logs that a connected node has the records that this leader lacks, up to the tick missed, and does not keep up
// with the log.
func (g *group) checkSlow(holder uint64, missed sim.Tick, now time.Time) {
	l := &g.lead.lack
	if l.slowSince.IsZero() {
		l.slowSince = now
	}
	waits := now.Sub(l.slowSince)
	if l.toldSlow || waits < slowLogged || waits >= slowPatience {
		return
	}
	l.toldSlow = true
	g.host.log.Warn("the records of some ticks of the area are not stored, and the only connected node that has them does not keep up with the area; no player can log in while this node waits for it: look at its CPU, its disk and the links",
		telemetry.FieldArea, g.name, "node", g.host.nodeName(holder), "first_tick", g.saved+1, "last_tick", missed, "for_at_most", slowPatience-waits)
}

// giveUpMissed makes this node own the area although it lacks records, up to the tick missed. At its next save, the hub of this node
// counts the ticks without records as stored. Before that save, a node that has the records can still take over.
func (g *group) giveUpMissed(missed sim.Tick) {
	g.surrender = surrender{g.term.Load(), missed}
	g.givenUp.Store(uint64(missed))
	if l := &g.lead.lack; !l.toldLoss {
		l.toldLoss = true
		g.host.log.Warn("the records of some ticks of the area are not stored, and no node that keeps up has them; this node counts these ticks as stored at its next save, unless a node that has the records takes over before",
			telemetry.FieldArea, g.name, "first_tick", g.saved+1, "last_tick", missed)
	}
}

// countLost is called before each batch is applied. The parameter term is the term of the batch, and saved is the tick up to which the
// batch counts records as stored. If this node has given up the records of some ticks, countLost counts these ticks as lost with the
// first batch that counts them as stored.
func (g *group) countLost(saved sim.Tick, term uint64) {
	last := g.surrender.tick
	if term != g.surrender.term || last <= g.saved || last > saved {
		return
	}
	g.host.metrics.LostTicks.Add(uint64(last - g.saved))
	g.host.log.Error("records are lost: the records of some ticks of the area were not stored, and no node had them. Characters who left the world in these ticks come back as they were stored before. "+
		"If a node has stopped while the database was away, its log names a file with its records: see truestep restore",
		telemetry.FieldArea, g.name, "first_tick", g.saved+1, "last_tick", last)
}
