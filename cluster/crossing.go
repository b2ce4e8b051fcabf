package cluster

import "github.com/truestep-io/truestep/sim"

// A player crosses to another area through the outbox of sim: see sim/crossing.go. The lead of the area that the player left sends the
// join to the lead of the next area, again and again until the settlement is in the log of the area that the player left. A message that is lost or comes twice
// changes nothing.

// sendCrossings sends the players that left in the last batch, and the settlements of those that arrived.
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

// resendCrossings sends all players whose arrival is not settled.
func (g *group) resendCrossings() { g.state.Outbox(g.sendArrival) }

func (g *group) sendArrival(to sim.AreaID, who sim.EntityID, j *sim.Join) {
	a := arrival{join: sim.Intent{Kind: sim.IntentJoin, Who: who, Join: j}}
	if at, ok := g.homes[who]; ok {
		a.homes = []home{{who, at}}
	}
	g.host.sendToLead(to, kindArrive, appendArrival(nil, to, &a))
}

func (g *group) sendSettlement(to sim.AreaID) {
	if to < 0 || int(to) >= len(g.host.groups) {
		return
	}
	in := sim.Intent{Kind: sim.IntentSettle, To: g.area, Seq: g.state.Arrived(to)}
	g.host.sendToLead(to, kindSettle, appendIntent(nil, to, in))
}

// takeArrival queues a player that comes from another area, if it is the next one from there. It confirms one that has arrived before.
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

// takeSettlement queues a settlement.
func (g *group) takeSettlement(in sim.Intent) {
	if g.rep.IsLeader() {
		g.lead.settled = append(g.lead.settled, in)
	}
}
