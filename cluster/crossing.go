package cluster

import "github.com/truestep-io/truestep/sim"

// A player moves to another area through the outbox of sim (sim/crossing.go). The leader of the area that the player left sends
// the join to the leader of the target area, and repeats it until its own log contains the settlement, which confirms the
// arrival. Lost and duplicate messages do no harm.

// sendCrossings sends the players that left the area in the last batch to their target areas, and confirms the players
// that arrived in the last batch to the areas that they left.
func (g *group) sendCrossings(f *sim.Frame) {
	for i := range f.Events {
		if e := &f.Events[i]; e.Kind == sim.EventDeparted {
			g.sendArrival(e.To, e.Who, e.Join)
		}
	}
	told := sim.NoArea
	for i := range g.intents {
		in := &g.intents[i]
		if in.Kind != sim.IntentJoin || in.Join == nil || in.Join.Seq == 0 {
			continue
		}
		g.host.metrics.Crossed.Add(1)
		if in.Join.From != told {
			told = in.Join.From
			g.sendSettlement(told)
		}
	}
}

// resendCrossings sends all players again that have left for other areas and whose arrival there is not confirmed yet.
func (g *group) resendCrossings() { g.state.Outbox(g.sendArrival) }

// sendArrival sends a player to the leader of the area that the player moves to.
func (g *group) sendArrival(to sim.AreaID, who sim.EntityID, j *sim.Join) {
	a := arrival{join: sim.Intent{Kind: sim.IntentJoin, Who: who, Join: j}}
	if at, ok := g.homes[who]; ok {
		a.homes = []home{{who, at}}
	}
	g.host.sendToLead(to, kindArrive, appendArrival(nil, to, &a))
}

// sendSettlement tells the leader of the area to which of its players have arrived in this area.
func (g *group) sendSettlement(to sim.AreaID) {
	if to < 0 || int(to) >= len(g.host.groups) {
		return
	}
	in := sim.Intent{Kind: sim.IntentSettle, To: g.area, Seq: g.state.Arrived(to)}
	g.host.sendToLead(to, kindSettle, appendIntent(nil, to, in))
}

// takeArrival queues a player from another area for the next batch, if it is the next one in the order in which players
// left that area. If the player has arrived before, takeArrival confirms the arrival again.
func (g *group) takeArrival(a arrival) {
	in := &a.join
	l, from := &g.lead, in.Join.From
	if !g.rep.IsLeader() || l.arrived == nil {
		return
	}
	have := g.state.Arrived(from)
	if in.Join.Seq <= have {
		g.sendSettlement(from)
		return
	}
	if in.Join.Seq != max(have, l.arrived[from])+1 {
		return
	}
	l.arrived[from] = in.Join.Seq
	in.AtMS = g.host.NowMS()
	l.arrivals = append(l.arrivals, a)
}

// takeSettlement queues a settlement, which confirms arrivals in another area, for the next batch. It does nothing if
// this node does not lead the area.
func (g *group) takeSettlement(in sim.Intent) {
	if g.rep.IsLeader() {
		g.lead.settled = append(g.lead.settled, in)
	}
}
