package cluster

import (
	"time"

	"github.com/truestep-io/truestep/sim"
)

// sender has the chunks of this node for one area, from when they leave the inbox until the log has them.
type sender struct {
	incarnation uint64  // of the chunks; the sender begins anew when the host has another one
	last        uint64  // number of the newest chunk
	pending     []chunk // chunks that are not applied, in order
	sendAgain   bool    // the lead may lack pending chunks
	lost        bool    // a chunk could not be sent, so that the lead takes no later one
	sentAt      time.Time
	roundAt     time.Time // when the current round of the inbox began
	barriers    []barrier
	wantsChunk  bool // a barrier waits for the next chunk, which is made even if it is empty
}

// barrier waits for a chunk of this node to be applied.
type barrier struct {
	seq   uint64
	reply chan<- sim.Tick // has capacity 1; closed without a value if the chunk will never be applied
}

// lostResendEvery is the time after which chunks are sent again when the link could not take one.
const lostResendEvery = 50 * time.Millisecond

// maxBarriers is the maximum number of barriers that wait.
const maxBarriers = 4096

// maxPending is the maximum number of chunks of a node that wait to be applied. Beyond it intents stay in the inbox, which refuses
// those of a player that has too many.
const maxPending = 64

// flush makes a chunk of what waits in the inbox and sends what the lead lacks. The lead itself makes its chunks when it seals a batch.
func (s *sender) flush(g *group, now time.Time) {
	s.checkIncarnation(g)
	if !g.rep.IsLeader() {
		s.collect(g, now, false)
	}
	wait := resendEvery
	if s.lost {
		wait = lostResendEvery
	}
	if len(s.pending) == 0 || !s.sendAgain && now.Sub(s.sentAt) < wait {
		return
	}
	s.sendAgain, s.lost, s.sentAt = false, false, now
	for i := range s.pending {
		s.send(g, &s.pending[i])
	}
}

// collect makes a chunk of the intents in the inbox, if there are any or empty is set. The first chunk of an incarnation is made in any case: with
// it the log of the area knows the incarnation.
func (s *sender) collect(g *group, now time.Time, empty bool) {
	if len(s.pending) >= maxPending {
		return
	}
	newRound := now.Sub(s.roundAt) >= g.host.period
	if newRound {
		s.roundAt = now
	}
	intents := g.host.World.Drain(g.area, nil, newRound)
	if g.host.fencing.Load() { // they are of sessions that end
		return
	}
	if len(intents) == 0 && !empty && !s.wantsChunk && s.last > 0 {
		return
	}
	s.wantsChunk = false
	s.last++
	s.pending = append(s.pending, chunk{mark{g.host.opt.Self, s.incarnation, s.last}, intents})
	if len(s.pending) == 1 {
		s.sentAt = now
	}
	s.send(g, &s.pending[len(s.pending)-1])
}

func (s *sender) send(g *group, c *chunk) {
	switch lead := g.rep.Lead(); lead {
	case 0:
		s.sendAgain = true
	case g.host.opt.Self:
		g.takeChunk(c)
	default:
		if !g.host.opt.Links.Send(lead, kindChunk, appendChunk(nil, g.area, c)) {
			s.lost = true
		}
	}
}

// checkIncarnation drops the chunks of an incarnation that the host has left.
func (s *sender) checkIncarnation(g *group) {
	now := g.host.Incarnation()
	if s.incarnation == now {
		return
	}
	for _, b := range s.barriers {
		close(b.reply)
	}
	*s = sender{incarnation: now, roundAt: s.roundAt}
}

// applied removes the chunks that the log has, and answers the barriers that waited for them. It is called when the frame of the
// batch with the chunk is published.
func (s *sender) applied(g *group) {
	have := g.origins[g.host.opt.Self]
	if have.incarnation != s.incarnation {
		return
	}
	n := 0
	for n < len(s.pending) && s.pending[n].seq <= have.seq {
		n++
	}
	if n > 0 {
		s.pending = append(s.pending[:0], s.pending[n:]...)
		s.sentAt = time.Now() // the lead answers
	}
	for len(s.barriers) > 0 && s.barriers[0].seq <= have.seq {
		s.barriers[0].reply <- g.state.Now()
		s.barriers = s.barriers[1:]
	}
}

// barrier has reply get the tick in which the next chunk is applied. Barriers that come together share a chunk when many chunks wait, so that they
// leave room for those with intents.
func (s *sender) barrier(g *group, reply chan<- sim.Tick) {
	s.checkIncarnation(g)
	if g.host.fencing.Load() || len(s.barriers) >= maxBarriers {
		close(reply)
		return
	}
	if len(s.pending) < maxPending/2 {
		s.collect(g, time.Now(), true)
		s.barriers = append(s.barriers, barrier{s.last, reply})
		return
	}
	s.wantsChunk = true
	s.barriers = append(s.barriers, barrier{s.last + 1, reply})
}
