package cluster

import (
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// sender holds the intents that this node has taken from the inbox of one area and that the area's log does not contain yet.
// They are grouped into numbered chunks.
type sender struct {
	incarnation uint64    // incarnation of this node that made the chunks; a new incarnation starts with an empty sender
	last        uint64    // number of the newest chunk; 0 if none was made
	pending     []chunk   // chunks that are not applied yet, oldest first
	buffer      []byte    // buffer to measure the size of chunks, reused
	sendAgain   bool      // the leader may lack pending chunks, so they are sent again at once
	lost        bool      // a chunk could not be sent; the leader refuses later chunks until it has received the lost one
	sentAt      time.Time // time from which the wait before the next resend counts
	roundAt     time.Time // start of the last round; each round takes the intents of one tick period from the inbox; see beginsRound
	barriers    []barrier // waiting barriers, oldest first
	wantsChunk  bool      // a barrier waits for the next chunk, which is made even without intents
}

// barrier is a call of Host.Barrier that waits until a chunk of intents from this node is applied.
type barrier struct {
	seq   uint64          // number of the chunk
	reply chan<- sim.Tick // receives the tick of the chunk; capacity 1; closed without a value if the chunk will never be applied
}

// lostResendEvery is the time after which unapplied intents are sent to the leader again, if some of them were dropped because
// the queue of the link to the leader was full.
const lostResendEvery = 50 * time.Millisecond

// maxBarriers is the maximum number of calls of Host.Barrier that wait at the same time, per area.
const maxBarriers = 4096

// maxPending is the maximum number of chunks (groups of intents of this node) per area that are sent but not applied. When the
// maximum is reached, further intents stay in the inbox. The inbox refuses intents of a player that already has too many waiting. A leader
// queues no more chunks of a node.
const maxPending = 64

// flush moves the intents in the inbox into a chunk (a numbered group) for the leader. If this node leads the area itself, flush
// makes no chunk: seal does that for each batch. flush also sends unapplied chunks again that the leader may lack.
func (s *sender) flush(g *group, now time.Time) {
	s.checkIncarnation(g)
	if !g.rep.IsLeader() {
		s.collect(g, now, s.beginsRound(now, g.host.period), false)
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

// beginsRound reports whether a node that does not lead the area must take a round of intents from the inbox now: one in each tick
// period. Late calls make the rounds neither fewer nor later. After a pause, however, at most two of the missed rounds are made up
// for.
func (s *sender) beginsRound(now time.Time, period time.Duration) bool {
	if now.Sub(s.roundAt) < period {
		return false
	}
	s.roundAt = s.roundAt.Add(period)
	if now.Sub(s.roundAt) > period {
		s.roundAt = now.Add(-period)
	}
	return true
}

// collect moves the intents in the inbox into a new chunk, a numbered group, and sends it to the leader. If the parameter newRound is
// true, it begins a new round of the inbox. If there are no intents, it makes a chunk only in three cases: (1) empty is true; (2) a
// barrier waits for a chunk; (3) it is the first chunk after this node started or returned, which announces the node to the log of
// the area.
func (s *sender) collect(g *group, now time.Time, newRound, empty bool) {
	if len(s.pending) >= maxPending {
		return
	}
	intents := g.host.World.Drain(g.area, nil, newRound)
	if g.host.fencing.Load() { // these intents belong to sessions that are being ended
		return
	}
	if len(intents) == 0 && !empty && !s.wantsChunk && s.last > 0 {
		return
	}
	s.wantsChunk = false
	if len(s.pending) == 0 {
		s.sentAt = now
	}
	s.add(g, intents)
}

// add makes a chunk with the intents and sends it to the leader. If they are too many for a chunk, or too large, it makes several.
func (s *sender) add(g *group, intents []sim.Intent) {
	c := chunk{mark: mark{g.host.opt.Self, s.incarnation, s.last + 1}, intents: intents}
	s.buffer = c.append(s.buffer[:0])
	if c.size = len(s.buffer); c.size > maxChunk || len(intents) > maxIntents {
		if n := len(intents) / 2; n > 0 {
			s.add(g, intents[:n:n])
			s.add(g, intents[n:])
			return
		}
		g.host.log.Error("an intent is too large for a message and is dropped", telemetry.FieldArea, g.name, telemetry.FieldActor, intents[0].Who)
		c.intents = nil
	}
	s.last++
	s.pending = append(s.pending, c)
	s.send(g, &s.pending[len(s.pending)-1])
}

// send passes a chunk of intents to the leader of the area, which may be this node.
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

// checkIncarnation drops all unapplied intents and waiting barriers if this node has begun a new incarnation, because
// it was declared dead.
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

// applied is called after a batch is stepped. It removes the chunks that the batch contained from the list of this node's
// unapplied chunks. It answers the calls of Host.Barrier that waited for one of these chunks.
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
		s.sentAt = time.Now() // the leader makes progress, so nothing is resent yet
	}
	for len(s.barriers) > 0 && s.barriers[0].seq <= have.seq {
		s.barriers[0].reply <- g.state.Now()
		s.barriers = s.barriers[1:]
	}
}

// barrier makes the channel reply receive the tick in which this node's next chunk of intents is applied. It makes that chunk at
// once, even without intents. If many chunks are unapplied, it makes none: several barriers then wait for the same next chunk, which
// leaves room for chunks with intents.
func (s *sender) barrier(g *group, reply chan<- sim.Tick) {
	s.checkIncarnation(g)
	if g.host.fencing.Load() || len(s.barriers) >= maxBarriers {
		close(reply)
		return
	}
	if len(s.pending) < maxPending/2 {
		s.collect(g, time.Now(), false, true)
		s.barriers = append(s.barriers, barrier{s.last, reply})
		return
	}
	s.wantsChunk = true
	s.barriers = append(s.barriers, barrier{s.last + 1, reply})
}
