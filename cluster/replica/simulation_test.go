package replica

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim/rng"
)

// The simulated time advances in steps of 1 ms. A tick of the replicas takes 25 steps, and a leader proposes a batch every 50 steps.
const (
	tickSteps  = 25
	batchSteps = 50
)

// group is the replicas of an area on nodes that crash, pause and lose their links, in simulated time. Links are ordered and
// lose what is under way when they break, as TCP does.
type group struct {
	t       *testing.T
	rand    *rng.Stream
	now     int
	nodes   map[uint64]*simNode
	members []uint64
	witness uint64
	flights []flight
	cut     map[[2]uint64]bool // links that are down, smaller number first
	delay   int                // delay of every link in steps, in addition to a random 1 to 3
	slow    map[[2]uint64]bool // links with a delay of up to half a second

	history []uint32          // checksums of the committed batches, in order; a batch is added when the first node steps it
	leaders map[uint64]uint64 // the leader of each term
	sealed  uint32            // number of the newest batch; each batch has a number of its own
	gap     int               // longest time between two commits since the last resetGap, in steps
	last    int               // step at which a batch was last executed by a first node
	offers  int               // messages with entries that arrived at an incomplete node
}

// simNode is a node: its process, and the content of its disk.
type simNode struct {
	id      uint64
	replica *Replica // nil while the process is down
	paused  bool
	crash   int  // point of the next flush at which the process ends: 1 before it writes, 2 after, 3 because its disk is full; 0 for none
	silent  bool // the process has stopped because its disk is full; its connections remain open

	state      State // on disk
	entries    []Entry
	snapshot   Snapshot
	incomplete bool // the content of the disk is lost
	stepped    int  // number of batches that this process has stepped, including those in its snapshot
}

type flight struct {
	at       int
	from, to uint64
	data     []byte
}

func newGroup(t *testing.T, seed uint64, witness bool) *group {
	g := &group{t: t, rand: rng.New(seed), nodes: map[uint64]*simNode{}, members: []uint64{1, 2, 3}, cut: map[[2]uint64]bool{}, slow: map[[2]uint64]bool{}, leaders: map[uint64]uint64{}}
	if witness {
		g.witness = 3
	}
	for _, id := range g.members {
		g.nodes[id] = &simNode{id: id}
	}
	for _, id := range g.members {
		g.start(id)
	}
	return g
}

// start starts the process of a node from its disk.
func (g *group) start(id uint64) {
	n := g.nodes[id]
	r, err := New(Config{Self: id, Members: g.members, Witness: g.witness, HeartbeatTicks: 6, QuorumTicks: 40, SilenceTicks: 24, StaggerTicks: 6,
		Seed: uint64(g.rand.Uint32()), State: n.state, Entries: n.entries, Snapshot: n.snapshot, Incomplete: n.incomplete})
	if err != nil {
		g.t.Fatal(err)
	}
	n.replica, n.paused, n.crash, n.stepped = r, false, 0, int(binary.LittleEndian.Uint32(append(slices.Clone(n.snapshot.Data), 0, 0, 0, 0)))
}

// kill ends the process of a node. What the node has sent still arrives before its connections end. What is under way to the node is
// lost.
func (g *group) kill(id uint64) {
	g.nodes[id].replica = nil
	var sent []flight
	g.flights = slices.DeleteFunc(g.flights, func(f flight) bool {
		if f.from == id {
			sent = append(sent, f)
		}
		return f.from == id || f.to == id
	})
	for _, f := range sent {
		g.deliver(f)
	}
	g.reportBreak(func(a, b uint64) bool { return a == id || b == id })
}

// breakLinks breaks the links between nodes a and b for which which(a, b) is true. The messages under way on them are lost.
func (g *group) breakLinks(which func(a, b uint64) bool) {
	g.flights = slices.DeleteFunc(g.flights, func(f flight) bool { return which(f.from, f.to) })
	g.reportBreak(which)
}

func (g *group) reportBreak(which func(a, b uint64) bool) {
	for _, n := range g.sorted() {
		for _, other := range g.sorted() {
			if n != other && which(n.id, other.id) && n.replica != nil {
				n.replica.LinkLost(other.id)
			}
		}
	}
}

func (g *group) sorted() []*simNode {
	var list []*simNode
	for _, n := range g.nodes {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b *simNode) int { return int(a.id) - int(b.id) })
	return list
}

func linkOf(a, b uint64) [2]uint64 { return [2]uint64{min(a, b), max(a, b)} }

// run lets time pass.
func (g *group) run(steps int) {
	for range steps {
		g.now++
		for _, f := range g.arrived() {
			g.deliver(f)
		}
		for _, n := range g.sorted() {
			if n.replica == nil || n.paused {
				continue
			}
			if (g.now+int(n.id)*7)%tickSteps == 0 {
				n.replica.Tick()
				g.flush(n)
			}
			if g.now%batchSteps == 0 && n.replica != nil && n.replica.CanPropose() && n.id != g.witness {
				g.sealed++
				n.replica.Propose(binary.LittleEndian.AppendUint32(nil, g.sealed))
				g.flush(n)
			}
		}
	}
}

func (g *group) deliver(f flight) {
	n := g.nodes[f.to]
	if n.replica == nil || n.paused {
		return
	}
	m, err := ParseMessage(f.data)
	if err != nil {
		g.t.Fatal(err)
	}
	if n.incomplete && len(m.GetEntries()) > 0 {
		g.offers++
	}
	_ = n.replica.Receive(m) // an error only says that the message does not fit the current role of the node
	g.flush(n)
}

// arrived removes and returns the messages that arrive now, in the order in which they were sent.
func (g *group) arrived() (list []flight) {
	g.flights = slices.DeleteFunc(g.flights, func(f flight) bool {
		due := f.at <= g.now && !g.nodes[f.to].paused
		if due {
			list = append(list, f)
		}
		return due
	})
	return list
}

func (g *group) send(n *simNode, to uint64, data []byte) {
	if g.cut[linkOf(n.id, to)] || g.nodes[to].replica == nil {
		return
	}
	at := g.now + 1 + int(g.rand.IntN(3)) + g.delay
	if g.slow[linkOf(n.id, to)] {
		at += int(g.rand.IntN(500))
	}
	for _, f := range g.flights {
		if f.from == n.id && f.to == to {
			at = max(at, f.at) // links are ordered
		}
	}
	g.flights = append(g.flights, flight{at, n.id, to, data})
}

// flush carries out the outputs of a node's replica, as group.advance does: it writes, sends messages, and steps committed batches.
func (g *group) flush(n *simNode) {
	for n.replica != nil {
		out, ok := n.replica.Ready()
		if !ok {
			return
		}
		for _, m := range out.Early {
			g.send(n, m.GetTo(), AppendMessage(nil, m))
		}
		if n.crash == 1 {
			g.kill(n.id)
			return
		}
		if n.crash == 3 { // a full disk: nothing is written, and no message is sent that must follow the write
			if m := n.replica.Resign(func(uint64) bool { return true }); m != nil {
				g.send(n, m.GetTo(), AppendMessage(nil, m))
			}
			n.replica, n.silent = nil, true
			return
		}
		g.write(n, &out)
		if n.crash == 2 {
			g.kill(n.id)
			return
		}
		for _, m := range out.Messages {
			g.send(n, m.GetTo(), AppendMessage(nil, m))
		}
		n.replica.Advance()
		if n.replica.IsLeader() {
			term := n.replica.Term()
			if other := g.leaders[term]; other != 0 && other != n.id {
				g.t.Fatalf("at %d: nodes %d and %d both lead in term %d", g.now, other, n.id, term)
			}
			g.leaders[term] = n.id
		}
		for _, e := range out.Committed {
			g.step(n, e)
		}
		if log := n.replica.log; log.snapshot.Index+1 < log.first && len(out.Committed) > 0 { // a compacted log needs a newer snapshot
			last := out.Committed[len(out.Committed)-1].Index
			if err := n.replica.OfferSnapshot(last, binary.LittleEndian.AppendUint32(nil, uint32(n.stepped))); err != nil {
				g.t.Log(err)
			}
		}
	}
}

func (g *group) write(n *simNode, out *Output) {
	if out.Snapshot != nil {
		n.snapshot, n.entries = *out.Snapshot, nil
		n.stepped = int(binary.LittleEndian.Uint32(out.Snapshot.Data))
	}
	if out.State != nil {
		n.state = *out.State
	}
	n.incomplete = n.incomplete && !out.Complete
	for _, e := range out.Entries {
		n.entries = append(n.entries[:e.Index-n.snapshot.Index-1:e.Index-n.snapshot.Index-1], e)
	}
}

// step executes an entry on a node, and fails the test unless all nodes execute the same batches in the same order.
func (g *group) step(n *simNode, e Entry) {
	sum := crc32.ChecksumIEEE(e.Data)
	switch {
	case n.stepped > len(g.history):
		g.t.Fatalf("at %d: node %d steps batch %d, and %d are known", g.now, n.id, n.stepped+1, len(g.history))
	case n.stepped == len(g.history):
		if slices.Contains(g.history, sum) {
			g.t.Fatalf("at %d: node %d steps a batch for the second time", g.now, n.id)
		}
		g.history = append(g.history, sum)
		g.gap, g.last = max(g.gap, g.now-g.last), g.now
	case g.history[n.stepped] != sum:
		g.t.Fatalf("at %d: node %d steps another batch %d than was committed", g.now, n.id, n.stepped+1)
	}
	n.stepped++
}

func (g *group) resetGap() { g.gap, g.last = 0, g.now }

// leader returns the node that leads in the newest term, 0 for none.
func (g *group) leader() (id uint64) {
	newest := uint64(0)
	for _, n := range g.sorted() {
		if n.replica != nil && !n.paused && n.replica.IsLeader() && n.replica.Term() > newest {
			id, newest = n.id, n.replica.Term()
		}
	}
	return id
}

// disturb injects one random fault, or ends all faults.
func (g *group) disturb() {
	list := g.sorted()
	n := list[g.rand.IntN(int32(len(list)))]
	other := list[(int(n.id)+int(g.rand.IntN(2)))%len(list)]
	switch g.rand.IntN(12) {
	case 0:
		if n.replica != nil {
			g.kill(n.id)
		}
	case 1, 5:
		n.crash = 1 + int(g.rand.IntN(3))
	case 6: // the leader pauses for longer than the others wait, while its last messages are still under way
		if n := g.nodes[max(g.leader(), 1)]; n.replica != nil {
			n.paused = true
		}
	case 7: // all processes end, some of them during a write
		for _, n := range list {
			if n.crash = int(g.rand.IntN(3)); n.crash == 0 && n.replica != nil {
				g.kill(n.id)
			}
		}
	case 2:
		n.paused = n.replica != nil
	case 3:
		g.cut[linkOf(n.id, other.id)] = true
		g.breakLinks(func(a, b uint64) bool { return linkOf(a, b) == linkOf(n.id, other.id) })
	case 4:
		if n.replica != nil {
			n.replica.Compact(n.replica.committed, Retention{Entries: int(g.rand.IntN(3)) * 20, Bytes: 1 << 20})
		}
	case 8, 9:
		g.slow[linkOf(n.id, other.id)] = true
	default:
		g.mend()
	}
}

// mend starts, resumes and connects everything.
func (g *group) mend() {
	clear(g.cut)
	clear(g.slow)
	for _, n := range g.sorted() {
		n.paused, n.crash = false, 0
		if n.silent {
			n.silent = false
			g.reportBreak(func(a, b uint64) bool { return a == n.id || b == n.id })
		}
		if n.replica == nil {
			g.start(n.id)
		}
	}
}

// All nodes step the same committed batches and lose none, whichever nodes crash or pause and whichever links break. When the faults
// end, the group commits batches at the usual rate.
func TestReplicasExecuteSameBatchesUnderRandomFaults(t *testing.T) {
	seeds := uint64(100)
	if testing.Short() {
		seeds = 25
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Fatalf("the engine refuses to go on: %v", p)
				}
			}()
			g := newGroup(t, seed, seed%2 == 0)
			for range 100 {
				g.run(1 + int(g.rand.IntN(1+g.rand.IntN(800))))
				g.disturb()
			}
			g.mend()
			g.run(3000)
			before := len(g.history)
			g.run(2000)
			if n := len(g.history) - before; n < 35 {
				t.Errorf("a group without faults committed %d batches in 2 s, want about 40; %d in all", n, len(g.history))
			}
			if before < 60 {
				t.Errorf("only %d batches were committed under faults", before)
			}
		})
	}
}
