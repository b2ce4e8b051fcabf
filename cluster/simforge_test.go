package cluster

import (
	"time"

	"github.com/truestep-io/truestep/sim"
)

// forge makes a node send forged messages about players that change areas, besides its genuine messages: that characters have left
// for other areas, and that characters who are under way have arrived.
func (s *simulation) forge() {
	n := s.pickRunning()
	if n == nil {
		return
	}
	s.note("node %d sends forged messages", n.id)
	s.forgeUntil(n.p, s.now+s.between(500*time.Millisecond, 3*time.Second))
}

func (s *simulation) forgeUntil(p *process, end time.Duration) {
	if p.dead || s.now > end {
		return
	}
	if !p.paused {
		s.within(p, p.forgeOnce)
	}
	s.after(s.between(time.Millisecond, 20*time.Millisecond), func() { s.forgeUntil(p, end) })
}

// forgeOnce sends a forged arrival and a forged settlement for each pair of areas to the other nodes. Their numbers are those that,
// according to this node's copies, the leader of the area expects next.
func (p *process) forgeOnce() {
	s := p.n.s
	for _, a := range p.areas {
		for _, b := range p.areas {
			if a == b {
				continue
			}
			from, to := a.g.area, b.g.area
			x := p.hub.sessions[s.clients[s.rand.IntN(len(s.clients))].id]
			if x != nil && x.who != 0 {
				next := sim.Intent{Kind: sim.IntentJoin, Who: x.who, Join: &sim.Join{Character: s.newRecord(x.c.id), Portal: -1, From: from, Seq: b.g.state.Arrived(from) + 1}}
				p.forgeTo(kindArrive, appendArrival(nil, to, &arrival{join: next}))
			}
			if last := a.g.crossed.last[to]; last > 0 {
				p.forgeTo(kindSettle, appendIntent(nil, from, sim.Intent{Kind: sim.IntentSettle, To: to, Seq: last}))
			}
		}
	}
}

func (p *process) forgeTo(kind byte, body []byte) {
	for _, n := range p.n.s.nodes[1:] {
		if n != p.n && (simLinks{p}).Send(n.id, kind, body) {
			p.n.s.stats.forged++
		}
	}
}
