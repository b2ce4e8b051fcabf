package cluster

import (
	"fmt"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// pause is a time in which no area can be placed by load.
type pause struct {
	since  time.Time // start of the pause; zero if there is none
	logged string    // newest reason that was logged; "" if none was
	at     time.Time // time of the newest log line about the pause; without one, start of the pause
}

// pauseLogged is how long a pause lasts before it is logged, and the least time between two log lines about a pause. Most pauses are
// shorter: an area changes its leader, or a node restarts.
const pauseLogged = time.Minute

// whyPaused returns why no area can be placed by load at present, as this node sees it and as a text for people, or "" if areas can be
// placed. That requires (1) that each node can lead areas, unless its settings exclude it, is at most a second of ticks behind this node
// and lacks no records; (2) that each area is led by the node that should lead it; (3) that the load of each area is known. The caller
// holds mu.
func (h *Host) whyPaused(now time.Time) string {
	if h.opt.Self == decider && h.opt.FixedLeads || h.peers[decider].up && h.peers[decider].fixed {
		return "node " + h.nodeName(decider) + " is set to place none"
	}
	for i := range h.opt.Nodes {
		if why := h.whyNotReady(uint64(i+1), now); why != "" {
			return why
		}
	}
	for i := range h.groups {
		for node := range h.opt.Nodes {
			if id := uint64(node + 1); h.lacksRecords(id, sim.AreaID(i)) {
				return fmt.Sprintf("node %s has missed ticks of %s whose records are not stored yet", h.nodeName(id), h.groups[i].name)
			}
		}
	}
	for i, g := range h.groups {
		lead, should := h.seen[i].lead, h.preferred(g.area, now)
		switch {
		case lead == 0:
			return g.name + " has no leader"
		case should == 0:
			return "no node may lead areas"
		case lead != should:
			return fmt.Sprintf("%s is led by %s, not by %s", g.name, h.nodeName(lead), h.nodeName(should))
		case g.load.samples.Load() < h.balance.samples:
			return "the load of " + g.name + " is not known yet"
		}
	}
	return ""
}

// whyNotReady returns the reason for which a node prevents all placements by load, or "" if the node keeps up, and can lead areas or is
// set to lead none. The caller holds mu.
func (h *Host) whyNotReady(node uint64, now time.Time) string {
	self, p, name := node == h.opt.Self, &h.peers[node], "node "+h.nodeName(node)
	switch {
	case !self && !p.up:
		return "there is no connection to " + name
	case (self && h.draining.Load() || p.draining) && !h.neverLeads(node):
		return name + " drains"
	case h.lacksLink(node, now) != 0:
		return name + " has no connection to node " + h.nodeName(h.lacksLink(node, now))
	case !h.canLead(node, now) && !h.neverLeads(node):
		return fmt.Sprintf("%s has been connected for less than %v", name, settleTime)
	case !self && !p.keepsUp(int64(h.opt.World.TicksPerSecond)):
		return fmt.Sprintf("the copies of node %s and %s differ by more than a second", h.nodeName(h.opt.Self), name)
	}
	return ""
}

// keepsUp reports whether a node keeps up: by its last news, its copies and those of this node differed by at most maxTicks ticks.
func (p *peer) keepsUp(maxTicks int64) bool {
	for _, behind := range p.behind {
		if behind > maxTicks || behind < -maxTicks {
			return false
		}
	}
	return p.behind != nil
}

// logPause logs the pauses, the times in which no area is placed by load: when a pause has lasted pauseLogged, when its reason has
// changed since the last line but at most once per pauseLogged, and when a logged pause ends. The parameter why is the present reason,
// "" if areas can be placed. The caller holds telling.
func (h *Host) logPause(why string, now time.Time) {
	p := &h.pause
	switch {
	case why == "":
		if p.logged != "" {
			h.log.Info("areas are placed by load again", telemetry.FieldDuration, now.Sub(p.since))
		}
		*p = pause{}
	case p.since.IsZero():
		p.since, p.at = now, now
	case why != p.logged && now.Sub(p.at) >= pauseLogged:
		p.logged, p.at = why, now
		h.log.Info("no area is placed by load", "why", why, telemetry.FieldDuration, now.Sub(p.since))
	}
}
