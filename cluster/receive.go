package cluster

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
)

// inbound is a message from another node, or from another area on this node.
type inbound struct {
	from uint64 // number of the sending node
	kind byte   // kind of the message; only kinds of messages for an area occur
	body []byte // content of the message, without the index of the area
}

// maxReceived is the maximum number of messages that are handled before the replies to them are sent.
const maxReceived = 64

// receiveWaiting handles the queued messages, at most maxReceived.
func (g *group) receiveWaiting() {
	for range maxReceived {
		select {
		case m := <-g.inbound:
			g.receive(m)
		default:
			return
		}
	}
}

// maxWaiting is the maximum size in bytes of the messages of a node that wait in all areas. A message is accepted in any case if no other
// one waits, so twice as much may wait. Further messages are dropped and sent again.
const maxWaiting = link.MaxBody

// deliver queues a message for the group. It never blocks: if the queue is full, or too many bytes of the sender wait, the message is
// dropped. Any goroutine may call it.
func (g *group) deliver(m inbound) {
	waiting, size := &g.host.waiting[m.from], int64(len(m.body))
	if n := waiting.Add(size); n > maxWaiting && n > size && m.from != g.host.opt.Self {
		waiting.Add(-size)
		g.host.metrics.Dropped.Add(1)
		return
	}
	select {
	case g.inbound <- m:
	default:
		waiting.Add(-size)
		g.host.metrics.Dropped.Add(1)
	}
}

// receive handles a message. Messages that are damaged, or of a kind that the sender may not send, are counted as
// refused.
func (g *group) receive(m inbound) {
	if err := g.handle(m); err != nil {
		g.host.refused(m.from, g.name, err)
	}
	g.host.waiting[m.from].Add(-int64(len(m.body)))
}

// handle handles a message. It returns a panic as an error, so that no message of another node can stop this node. If the message is
// of this node itself, a panic is an error of the program and stops the node.
func (g *group) handle(m inbound) (err error) {
	defer func() {
		if m.from == g.host.opt.Self {
			return
		}
		if v := recover(); v != nil {
			err = fmt.Errorf("message of kind %d: panic: %v\n%s", m.kind, v, debug.Stack())
		}
	}()
	switch m.kind {
	case kindRaft:
		var msg *raftpb.Message
		if msg, err = replica.ParseMessage(m.body); err == nil && msg.GetFrom() != m.from {
			err = errors.New("the node that a Raft message names as its sender is not the node that sent the message")
		}
		if err == nil {
			err = g.checkContent(msg)
		}
		if err == nil {
			g.noteHandover(msg)
			err = g.rep.Receive(msg)
		}
	case kindChunk:
		if !g.rep.IsLeader() {
			return nil
		}
		var c chunk
		if c, err = parseChunk(m.body, m.from); err == nil {
			g.takeChunk(&c)
		}
	case kindArrive:
		var a arrival
		if a, err = parseArrival(m.body); err == nil {
			err = g.receiveArrival(m.from, a)
		}
	case kindLost: // hand over the area, because only a new leader learns which entries the sender still has
		if now := time.Now(); now.Sub(g.lostTold[m.from]) >= lostEvery*9/10 { // less, because messages take different times
			g.lostTold[m.from] = now
			g.handOverExcept(m.from)
		}
	case kindHash:
		var h hashMessage
		if h, err = parseHash(m.body); err == nil {
			g.takeHash(m.from, h)
		}
	case kindSettle:
		var in sim.Intent
		if len(m.body) > maxSettle {
			return fmt.Errorf("the confirmation of arrivals has %d bytes, at most %d are allowed", len(m.body), maxSettle)
		}
		if in, err = parseIntent(m.body, sim.IntentSettle); err == nil {
			err = g.receiveSettlement(m.from, in)
		}
	default:
		err = fmt.Errorf("the message is of kind %d, which this program does not know", m.kind)
	}
	return err
}

// checkContent returns an error if the batches or the snapshot of a Raft message cannot be decoded. If the replica accepted such a message,
// this node would have to stop. It is also an error if a snapshot would take back ticks: its entry is newer than the last one that this
// node has stepped, and its state is older.
func (g *group) checkContent(m *raftpb.Message) error {
	for _, e := range m.GetEntries() {
		if len(e.GetData()) == 0 { // an entry without data is the first one of a new leader
			continue
		}
		t, err := parseBatch(e.GetData(), g.checked[:0])
		if err != nil {
			return fmt.Errorf("entry %d: %w", e.GetIndex(), err)
		}
		g.checked = t.intents
		clear(g.checked) // release the texts and characters of the intents
	}
	if s := m.GetSnapshot(); s != nil {
		p, err := parseSnapshot(s.GetData(), g.host.opt.World, len(g.origins)-1)
		if err != nil {
			return err
		}
		if index, tick := s.GetMetadata().GetIndex(), p.area.Now(); index > g.stepIndex.Load() && tick < g.state.Now() {
			return fmt.Errorf("the snapshot of entry %d has the state of tick %d, but this node is at tick %d with an earlier entry", index, tick, g.state.Now())
		}
	}
	return nil
}
