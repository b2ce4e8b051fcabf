package cluster

import (
	"time"

	"github.com/truestep-io/truestep/sim"
)

// A player moves to another area through the outbox of sim (sim/crossing.go), in three steps: (1) The leader of the old area
// sends the player's join to the leader of the target area, again and again. (2) Once the player has arrived, the leader of the
// target area confirms this to the old area with an intent, the settlement. (3) When the log of the old area contains the
// settlement, its leader stops sending. Lost and duplicate messages do no harm, and neither do forged ones: see verify.go.

// sendCrossings does two things after a batch: (1) it sends each player that left this area in the batch to the target area of
// that player; (2) for each player that arrived in this area in the batch, it confirms the arrival to the area that the player
// left.
func (g *group) sendCrossings(f *sim.Frame) {
	for i := range f.Events {
		e := &f.Events[i]
		if e.Kind != sim.EventDeparted {
			continue
		}
		g.sendArrival(e.To, e.Who, e.Join)
		g.lead.noteDeparture(e.To, e.Join.Seq)
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

// resendCrossings sends again every player that has left for another area and whose arrival there is not confirmed yet.
func (g *group) resendCrossings() { g.state.Outbox(g.sendArrival) }

// sendArrival sends a player to the leader of the area that the player moves to.
func (g *group) sendArrival(to sim.AreaID, who sim.EntityID, j *sim.Join) {
	a := g.arrivalFor(who, j)
	g.host.sendToLead(to, kindArrive, appendArrival(nil, to, &a))
}

// sendSettlement tells the leader of another area, the parameter to, which players from there have arrived in this area.
func (g *group) sendSettlement(to sim.AreaID) {
	if to < 0 || int(to) >= len(g.host.groups) {
		return
	}
	in := sim.Intent{Kind: sim.IntentSettle, To: g.area, Seq: g.state.Arrived(to)}
	g.host.sendToLead(to, kindSettle, appendIntent(nil, to, in))
}

// takeArrival queues a player from another area, whose departure is checked, for the next batch. Players of that area must
// arrive in the order in which they left it. So takeArrival ignores a player whose predecessor has not arrived; the other area
// sends both again. If the player has arrived before, takeArrival confirms the arrival again. A player who was in a skipped
// batch is queued again only after a wait.
func (g *group) takeArrival(a arrival) {
	in := &a.join
	l, from := &g.lead, in.Join.From
	if !g.rep.IsLeader() || l.taken == nil { // a new leader knows which players have arrived only when it has stepped its whole log
		return
	}
	have := g.state.Arrived(from)
	if in.Join.Seq <= have {
		g.sendSettlement(from)
		return
	}
	if in.Join.Seq != max(have, l.arrived[from])+1 || l.isHeld(in.Join, time.Now()) {
		return
	}
	l.arrived[from] = in.Join.Seq
	in.AtMS = g.host.NowMS()
	l.arrivals = append(l.arrivals, a)
}

// takeSettlement queues a checked settlement (a message that players have arrived in another area) for the next batch. One settlement
// per area is enough, because it confirms all players up to its number. Nothing is queued if they are confirmed already, or if this
// node does not lead the area.
func (g *group) takeSettlement(in sim.Intent) {
	if !g.rep.IsLeader() {
		return
	}
	if _, _, settled := g.crossed.departure(in.To, in.Seq); settled {
		return
	}
	g.measureCrossings(&in)
	for i := range g.lead.settled {
		if have := &g.lead.settled[i]; have.To == in.To {
			have.Seq = max(have.Seq, in.Seq)
			return
		}
	}
	g.lead.settled = append(g.lead.settled, in)
}

// departure identifies a player that has left the area: where it goes, and its number among those that go there.
type departure struct {
	to  sim.AreaID
	seq uint64
}

// noteDeparture notes the time of a departure, for measureCrossings.
func (l *lead) noteDeparture(to sim.AreaID, seq uint64) {
	if l.departed == nil {
		l.departed = map[departure]time.Time{}
	}
	l.departed[departure{to, seq}] = time.Now()
}

// measureCrossings calls Options.Crossed for each player whose arrival a settlement confirms, with the time since its departure. It leaves
// out players who left while another node led the area.
func (g *group) measureCrossings(settled *sim.Intent) {
	now := time.Now()
	for d, at := range g.lead.departed {
		if d.to == settled.To && d.seq <= settled.Seq {
			delete(g.lead.departed, d)
			if g.host.opt.Crossed != nil {
				g.host.opt.Crossed(now.Sub(at))
			}
		}
	}
}
