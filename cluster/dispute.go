package cluster

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// dispute finds out which nodes are right if their states of an area differ although they have stepped the same batches. Causes are
// a memory fault, or programs or processors that compute differently. Each batch has the hash of its proposer's state before the tick.
// A node with another hash does not step the batch, and asks all nodes for the hash of their state after the last tick. If most nodes
// have the state of this node, it steps the batch, because the intents are valid for any state. If most nodes have another state, this
// node stops. The proposer is asked as well, and stops likewise if it is in the minority.
type dispute struct {
	own    [hashesKept]uint64 // hash of the own state after tick t, at index t % hashesKept
	oldest sim.Tick           // own has the hashes from this tick to the newest stepped one
	votes  []vote             // newest hash that each node has sent, by number of the node

	since  time.Time // time at which this node found that the proposer of the next batch had another state; zero if it had the same state
	askAt  time.Time // time of the next question to the other nodes
	result error     // error with which this node stops: most nodes have another state; nil if that is not known
	stopAt time.Time // time at which this node stops even if it has not handed over all areas
}

// vote is the hash of another node's state after a tick.
type vote struct {
	known bool // vote is valid: the node has sent a hash
	tick  sim.Tick
	hash  uint64
}

const (
	// hashesKept is the number of ticks whose hashes a node keeps, to answer a node that steps earlier batches again after its start.
	// Those are fewer: at most two snapshot intervals, unless records cannot be stored.
	hashesKept = 2048

	askEvery     = 100 * time.Millisecond // interval at which the other nodes are asked, because nodes that are behind do not answer
	disputeTime  = 3 * time.Second        // a node that no majority has answered in this time stops
	stepDownTime = 500 * time.Millisecond // maximum time for which a node in the minority hands over its areas before it stops
)

// hashMessage tells a node the hash of the sender's state.
type hashMessage struct {
	ask  bool // asks the receiver to answer with the hash of its own state
	tick sim.Tick
	hash uint64 // hash of the sender's state after the tick
}

// appendHash appends a message of kind kindHash to b: the area, 1 if an answer is expected or 0, the tick, all uvarint; and the hash,
// 8 bytes, little endian.
func appendHash(b []byte, area sim.AreaID, m hashMessage) []byte {
	b = append(binary.AppendUvarint(b, uint64(area)), 0)
	if m.ask {
		b[len(b)-1] = 1
	}
	return binary.LittleEndian.AppendUint64(binary.AppendUvarint(b, uint64(m.tick)), m.hash)
}

// parseHash decodes a kindHash message. The parameter b is the message without the index of the area.
func parseHash(b []byte) (m hashMessage, err error) {
	r := wire.NewReader(b)
	ask := r.U8()
	r.CheckRange(ask <= 1, "question")
	m = hashMessage{ask == 1, sim.Tick(r.VarU64()), r.U64()}
	return m, r.Done("hash")
}

// begin forgets all hashes but that of the new state.
func (d *dispute) begin(tick sim.Tick, hash uint64) {
	d.oldest, d.since = tick, time.Time{}
	d.own[tick%hashesKept] = hash
}

// stepped adds the hash of the newest state.
func (d *dispute) stepped(tick sim.Tick, hash uint64) {
	d.own[tick%hashesKept] = hash
	if tick >= d.oldest+hashesKept {
		d.oldest = tick - hashesKept + 1
	}
}

// agrees reports whether this node may assume that most nodes have the same state as it. The result is false from the time at which
// another node reports a different hash until the majority is known, and after this node was found to differ.
func (d *dispute) agrees() bool { return d.since.IsZero() && d.result == nil }

// majority returns the least number of nodes that is more than half of all nodes.
func (g *group) majority() int { return len(g.host.opt.Nodes)/2 + 1 }

// takeHash handles the hash of another node's state: it sends this node's hash if the other node asks for it, and checks whether most
// nodes have a state that differs from this node's.
func (g *group) takeHash(from uint64, m hashMessage) {
	d := &g.dispute
	d.votes[from] = vote{true, m.tick, m.hash}
	if m.tick < d.oldest || m.tick > g.state.Now() {
		return
	}
	own := d.own[m.tick%hashesKept]
	if m.ask {
		g.host.opt.Links.Send(from, kindHash, appendHash(nil, g.area, hashMessage{false, m.tick, own}))
	}
	if own != m.hash {
		g.checkOutvoted(m.tick, own)
	}
}

// votesFor returns the number of other nodes that have sent the hash for the tick.
func (d *dispute) votesFor(tick sim.Tick, hash uint64) (n int) {
	for _, v := range d.votes {
		if v == (vote{true, tick, hash}) {
			n++
		}
	}
	return n
}

// checkOutvoted makes this node stop if most nodes have the same state after a tick, and this node has another one. The parameter own
// is the hash of its state. The node first hands over the areas that it leads.
func (g *group) checkOutvoted(tick sim.Tick, own uint64) {
	d := &g.dispute
	if d.result != nil {
		return
	}
	for _, v := range d.votes {
		if !v.known || v.tick != tick || v.hash == own || d.votesFor(tick, v.hash) < g.majority() {
			continue
		}
		d.result = fmt.Errorf("this node's state after tick %d differs from that of most nodes, which continue: %s", tick, divergedHelp)
		d.stopAt = time.Now().Add(stepDownTime)
		g.host.log.Error("this node hands over its areas and stops, because its state of an area differs from that of most nodes", telemetry.FieldArea, g.name, telemetry.FieldTick, tick)
		g.host.draining.Store(true)
		for _, to := range g.host.membersOf(g.area) {
			if d.votes[to] == v && g.rep.KeepsUp(to) {
				g.rep.Transfer(to)
				break
			}
		}
		g.host.Tell()
		return
	}
}

// divergedHelp is what an operator can do about a state that differs.
const divergedHelp = `if this node's program or game rules are not those of the other nodes ("truestep cluster status" has the versions), give it theirs; otherwise please report this, and attach the folder "cluster" of the data folder; if the node fails again, move that folder away, and the node copies the areas from the others`

// settle is called again and again while the node that proposed the next batch has another state than this node. It returns true if
// most nodes agree with this node, so that the batch can be stepped. It returns an error if no majority answers, so that the node
// must stop.
func (g *group) settle(now time.Time) (bool, error) {
	d, tick := &g.dispute, g.state.Now()
	if d.since.IsZero() {
		d.since, d.askAt = now, now
	}
	if !now.Before(d.askAt) { // ask even if enough nodes have answered, because the question tells the proposer this node's hash
		d.askAt = now.Add(askEvery)
		g.host.sendToOthers(kindHash, appendHash(nil, g.area, hashMessage{true, tick, g.hash}))
	}
	if 1+d.votesFor(tick, g.hash) >= g.majority() {
		d.since = time.Time{}
		g.host.log.Warn("the node that proposed the next batch of an area has another state of the area than most nodes; this node has the state of most nodes and continues", telemetry.FieldArea, g.name, telemetry.FieldTick, tick)
		return true, nil
	}
	g.checkOutvoted(tick, g.hash)
	if d.result == nil && now.Sub(d.since) >= disputeTime {
		return false, fmt.Errorf("this node's state after tick %d differs from the leader's, and too few other nodes have answered to tell which one is right: %s", tick, divergedHelp)
	}
	return false, nil
}

// outvoted returns nil, or the error with which this node stops because most nodes have another state. The result wait is true while
// the node can still hand over areas before it stops.
func (g *group) outvoted(now time.Time) (wait bool, err error) {
	d := &g.dispute
	if d.result == nil {
		return false, nil
	}
	if now.Before(d.stopAt) && g.host.leads() > 0 {
		return true, nil
	}
	return false, d.result
}
