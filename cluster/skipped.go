package cluster

import (
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// If the step of a batch panics, every node skips the batch: its intents are lost, and the state remains that before the batch. But the
// parts of the batch outside of sim.Area count as applied: its chunks and its dead nodes. The leader proposes again what no node sends
// again: the disconnects of players whose nodes are dead (sweep). It forgets what it has noted about the lost arrivals (noteSkipped).

// retry is the wait before an intent or arrival of a skipped batch is proposed again. It doubles with each skipped batch, so that an
// intent that makes every step panic does not stop the area.
type retry struct {
	tries int       // number of skipped batches in a row
	at    time.Time // time before which nothing is proposed again
}

// maxRetry is the longest wait before something that was in a skipped batch is proposed again.
const maxRetry = 30 * time.Second

// fail counts a skipped batch. It returns the wait before the content of the batch may be proposed again.
func (r *retry) fail(now time.Time) (wait time.Duration) {
	wait = min(resendEvery<<min(r.tries, 16), maxRetry)
	r.tries++
	r.at = now.Add(wait)
	return wait
}

// heldArrival is a player from another area whose arrival was in a skipped batch. Its area sends it again and again; it is not
// queued before retry.at.
type heldArrival struct {
	seq uint64 // number of the arrival (sim.Join.Seq)
	retry
}

// sweep is the search for players who still count as connected although their node is declared dead, because the batch with their
// disconnects was skipped. The leader searches after each skipped batch and disconnects them. A new leader searches once when it begins
// to lead, because the leader before it may have stopped before its search.
type sweep struct {
	due    bool // the next batch from retry.at on must contain a sweep
	sealed bool // the batch that is proposed and not stepped yet contains a sweep
	retry
}

// logArrivalTries is the number of skipped batches from which on the log names the player whose arrival was in each of them.
const logArrivalTries = 3

// skipped counts the skipped batches that had the arrival of one player. All nodes skip the same batches, so each node can count them.
type skipped struct {
	seq   uint64 // number of the arrival (sim.Join.Seq)
	times int    // number of skipped batches, since the start of this node
}

// count counts a skipped batch that had the arrival of the player with the join j.
func (c *crossed) count(j *sim.Join) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.skipped[j.From]
	if s.seq != j.Seq {
		s = skipped{seq: j.Seq}
	}
	s.times++
	if c.skipped == nil {
		c.skipped = map[sim.AreaID]skipped{}
	}
	c.skipped[j.From] = s
}

// skippedOf returns the number of skipped batches that had the arrival of the player with the join j.
func (c *crossed) skippedOf(j *sim.Join) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.skipped[j.From]; s.seq == j.Seq {
		return s.times
	}
	return 0
}

// isNextArrival reports whether an intent is the arrival of the next player from another area.
func (g *group) isNextArrival(in *sim.Intent) bool {
	if in.Kind != sim.IntentJoin || in.Join == nil || in.Join.Seq == 0 {
		return false
	}
	from := in.Join.From
	return from >= 0 && int(from) < len(g.host.groups) && in.Join.Seq == g.state.Arrived(from)+1
}

// noteSkipped counts the arrivals of a skipped batch and corrects the state of the leader. When it is called, the area has the state
// before the batch again, and g.intents still has the intents of the batch.
func (g *group) noteSkipped(now time.Time) {
	for i := range g.intents {
		if in := &g.intents[i]; g.isNextArrival(in) {
			g.crossed.count(in.Join)
		}
	}
	l := &g.lead
	if l.arrived == nil { // nil: this node does not lead the area
		return
	}
	if l.sweep.sealed {
		l.sweep.fail(now)
	}
	l.sweep.due, l.sweep.sealed = true, false
	// The arrivals of the batch have not taken place, so the queued arrivals, which have later numbers, cannot be applied next. Drop
	// them all; the areas that the players left send them again.
	clear(l.arrived)
	l.arrivals = l.arrivals[:0]
	for i := range g.intents {
		in := &g.intents[i]
		if !g.isNextArrival(in) {
			continue
		}
		from := in.Join.From
		held := l.held[from]
		if held.seq != in.Join.Seq {
			held = heldArrival{seq: in.Join.Seq}
		}
		wait := held.fail(now)
		l.held[from] = held
		if held.tries >= logArrivalTries {
			g.host.log.Error("the area has panicked in every tick in which this player arrived from another area; "+
				"the player and later arrivals from that area wait and are tried again",
				telemetry.FieldArea, g.name, telemetry.FieldActor, in.Who, "from", g.host.opt.World.Areas[from].Name, "tries", held.tries, "retry_in", wait)
		}
	}
}

// isHeld reports whether an arrival must wait, because it was in a skipped batch.
func (l *lead) isHeld(j *sim.Join, now time.Time) bool {
	held := l.held[j.From]
	return held.seq == j.Seq && now.Before(held.at)
}
