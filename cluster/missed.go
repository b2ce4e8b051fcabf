package cluster

import (
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// The records of a tick are in the memory of each node whose hub has read the frame of the tick, until they are stored. A hub misses
// frames if its node continues an area from a snapshot, or if it reads more slowly than the area runs. A node lacks records of an area
// while ticks that its hub has missed are not stored. It can neither store these records nor say that they are stored. Therefore it
// does not own the area (Host.Owner) while it leads it, and hands the area over to a node that has the records (group.successor). If no
// connected node has them, it counts the ticks as stored (group.giveUpMissed).

// recordPatience is how long a leader that lacks records waits if no connected node has them, but nodes that are not connected may. A
// process that was killed is usually back by then.
const recordPatience = 30 * time.Second

// Missed implements area.Host. It notes the newest tick of an area whose frame the hub of this node has missed.
func (h *Host) Missed(a sim.AreaID, tick sim.Tick) {
	if a >= 0 && int(a) < len(h.groups) {
		h.groups[a].missed.Store(uint64(tick))
	}
}

// lacksRecords reports whether a node lacks records of an area. The caller holds mu.
func (h *Host) lacksRecords(node uint64, a sim.AreaID) bool {
	g, p := h.groups[a], &h.peers[node]
	if node == h.opt.Self {
		return g.missed.Load() > g.savedTick.Load()
	}
	return p.missed != nil && uint64(p.missed[a]) > g.savedTick.Load()
}

// recordHolder returns the number of another node that is connected with this one and lacks no records of an area, or 0 if there is
// none. It returns a node that drains only if there is no other. The caller holds mu.
func (h *Host) recordHolder(a sim.AreaID) (holder uint64) {
	for _, node := range h.membersOf(a) {
		p := &h.peers[node]
		if node == h.opt.Self || !p.up || p.left || p.missed == nil || h.lacksRecords(node, a) {
			continue
		}
		if !p.draining {
			return node
		}
		holder = node
	}
	return holder
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

// successor returns the node to which this leader should hand over the area, or 0 if it should keep it. This is the preferred node,
// with two exceptions. (1) If this node and the preferred one lack records, it is a node that has them, even if that node drains or has
// not all links: it gives the area back when the records are stored. (2) A node that has all records keeps the area if the preferred
// one lacks some.
func (g *group) successor(now time.Time) uint64 {
	h := g.host
	h.mu.Lock()
	defer h.mu.Unlock()
	to, lacks := h.preferred(g.area, now), h.lacksRecords(h.opt.Self, g.area)
	switch toLacks := to == 0 || h.lacksRecords(to, g.area); {
	case lacks && g.lead.taken == nil:
		return 0 // an entry that is not stepped yet may say that the records are stored
	case lacks && toLacks:
		if holder := h.recordHolder(g.area); holder != 0 {
			return holder
		}
	case toLacks:
		return 0
	}
	return to
}

// checkMissed is called at intervals while this node leads the area. When it begins to lack records, it tells the other nodes, so that
// they do not give the area back. If the records are on no connected node, it gives them up: at once if all nodes are connected,
// otherwise after recordPatience.
func (g *group) checkMissed(now time.Time) {
	l, h := &g.lead, g.host
	missed := sim.Tick(g.missed.Load())
	if l.taken == nil || missed <= g.saved {
		l.lacks, l.aloneSince = false, time.Time{}
		return
	}
	if !l.lacks {
		l.lacks = true
		h.Tell()
	}
	h.mu.Lock()
	holder, all := h.recordHolder(g.area), h.knowsMissed()
	h.mu.Unlock()
	switch {
	case holder != 0:
		l.aloneSince = time.Time{}
		g.givenUp.Store(0)
	case sim.Tick(g.givenUp.Load()) >= missed:
	case all || !l.aloneSince.IsZero() && now.Sub(l.aloneSince) >= recordPatience:
		g.giveUpMissed(missed)
	case l.aloneSince.IsZero():
		l.aloneSince = now
		h.log.Warn("the records of some ticks of the area are not stored, and no connected node has them; nobody logs in while this node waits for the nodes that are down",
			telemetry.FieldArea, g.name, "first_tick", g.saved+1, "last_tick", missed, "for_at_most", recordPatience)
	}
}

// giveUpMissed makes this node own the area although it lacks records, up to the tick missed. Its hub then stores what it has, and
// counts the other ticks as stored.
func (g *group) giveUpMissed(missed sim.Tick) {
	g.givenUp.Store(uint64(missed))
	g.host.metrics.LostTicks.Add(uint64(missed - g.saved))
	g.host.log.Error("records are lost: no node has the records of some ticks of the area that were not stored. Characters who left the world in these ticks come back as they were stored before. "+
		"If a node has stopped while the database was away, its log names a file with its records: see truestep restore",
		telemetry.FieldArea, g.name, "first_tick", g.saved+1, "last_tick", missed)
}
