package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Periods of a group. A tick is one of replica.Config.
const (
	tickEvery      = 10 * time.Millisecond
	heartbeatTicks = 5
	silenceTicks   = 60 // 600 ms: longer than the pauses that a busy machine makes   measured: 386 ms
	quorumTicks    = 60
	staggerTicks   = 15

	resendEvery   = 300 * time.Millisecond // for chunks that are not applied and crossings that are not settled
	snapshotEvery = 600                    // ticks between two snapshots of an area: 30 s
	maxInbound    = 4096                   // messages of other nodes that wait for an area; further ones are dropped and sent again
)

// group is this node's copy of one area: its replica of the log, and the sim.Area that steps it. It implements area.Source. Its methods run
// on the goroutine of the area, except deliver and those of the last group of fields.
type group struct {
	host *Host
	area sim.AreaID
	name string
	rep  *replica.Replica
	file File

	inbound  chan inbound
	requests chan func()  // run by the goroutine of the area between two ticks
	encoded  chan encoded // has capacity 1: snapshots to keep
	links    chan linkEvent

	state     *sim.Area       // state after the last stepped batch
	hash      uint64          // of state
	committed []replica.Entry // batches to step
	install   *replica.Snapshot
	intents   []sim.Intent // memory of the batch that is being stepped
	lostAt    time.Time    // when tellLost did something last
	raftDue   time.Time    // when the replica's next tick is due

	// What the log knows besides the area; part of snapshots.
	origins origins
	homes   homes
	saved   sim.Tick

	history history // for snapshots, and for the state before a batch that makes the area panic

	out  sender // chunks of this node
	lead lead   // what is of use while this node leads

	// Read by other goroutines.
	leader    atomic.Uint64   // node that leads, 0 if none is known
	term      atomic.Uint64   // term in which this node leads, 0 if it does not
	tick      atomic.Uint64   // newest stepped tick
	savedTick atomic.Uint64   // saved
	gone      []atomic.Uint64 // origin.gone by the number of the node
	ownSaved  atomic.Uint64   // tick up to which the hub of this node has stored the records, for the next batch
	lastIndex atomic.Uint64   // of the newest entry of the log here
	stepIndex atomic.Uint64   // of the newest entry that is stepped
}

// inbound is a message of another node, or of another area on this node.
type inbound struct {
	from uint64
	kind byte
	body []byte
}

// newGroup returns a copy of an area with what its file has.
func newGroup(h *Host, id sim.AreaID, kept Kept) (*group, error) {
	g := &group{
		host: h, area: id, name: h.opt.World.Areas[id].Name, file: kept.File,
		inbound: make(chan inbound, maxInbound), requests: make(chan func()), encoded: make(chan encoded, 1), links: make(chan linkEvent, 64),
		homes: homes{}, origins: make(origins, len(h.opt.Nodes)+1), gone: make([]atomic.Uint64, len(h.opt.Nodes)+1),
	}
	var err error
	if g.rep, err = replica.New(replica.Config{
		Self: h.opt.Self, Members: h.membersOf(id), HeartbeatTicks: heartbeatTicks, QuorumTicks: quorumTicks, SilenceTicks: silenceTicks,
		StaggerTicks: staggerTicks, Seed: uint64(id)<<32 | uint64(time.Now().UnixNano())&0xffffffff,
		State: kept.State, Entries: kept.Entries, Snapshot: kept.Snapshot, Incomplete: kept.Incomplete,
	}); err != nil {
		return nil, fmt.Errorf("area %q: %w", g.name, err)
	}
	if kept.Snapshot.Index == 0 {
		g.setState(sim.NewArea(h.opt.World, id, h.opt.Seed))
		return g, nil
	}
	g.stepIndex.Store(kept.Snapshot.Index)
	if err = g.restore(&kept.Snapshot); err != nil {
		return nil, fmt.Errorf("area %q: the snapshot of its log: %w", g.name, err)
	}
	return g, nil
}

// State implements area.Source.
func (g *group) State() *sim.Area { return g.state }

func (g *group) setState(a *sim.Area) {
	g.state, g.hash = a, a.Hash()
	g.tick.Store(uint64(a.Now()))
}

// Next implements area.Source: it runs the replica until there is a batch to step.
func (g *group) Next(stop <-chan struct{}) (area.Agreed, bool) {
	now := time.Now()
	if g.raftDue.IsZero() {
		g.raftDue = now
	}
	if !now.Before(g.raftDue) { // also between the batches of a backlog
		g.receiveWaiting()
		g.onTime(now)
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		in, ok, err := g.proceed()
		if err != nil {
			g.host.fail(fmt.Errorf("area %q: %w", g.name, err))
			return area.Agreed{}, false
		}
		if ok {
			return in, true
		}
		timer.Reset(time.Until(g.wakeAt()))
		select {
		case <-stop:
			return area.Agreed{}, false
		case m := <-g.inbound:
			g.receive(m)
			g.receiveWaiting()
		case run := <-g.requests:
			run()
		case e := <-g.links:
			if !e.up {
				g.rep.LinkLost(e.node)
			}
			g.out.sendAgain = true
		case s := <-g.encoded:
			g.history.waiting = s
		case <-timer.C:
		}
		g.onTime(time.Now())
	}
}

// proceed does what follows from all that the group has received, and returns what the area does next, if anything.
func (g *group) proceed() (in area.Agreed, ok bool, err error) {
	if err = g.keepWaiting(); err == nil {
		err = g.advance()
	}
	if err == nil {
		in, ok, err = g.nextAgreed()
	}
	return in, ok, err
}

// wakeAt returns when the group has something to do by itself.
func (g *group) wakeAt() time.Time {
	if due, leads := g.lead.due, g.rep.IsLeader(); leads && due.Before(g.raftDue) {
		return due
	}
	return g.raftDue
}

// onTime does what is due.
func (g *group) onTime(now time.Time) {
	if !now.Before(g.raftDue) {
		g.raftDue = now.Add(tickEvery) // a process that was stopped counts one tick
		g.rep.Tick()
		g.out.flush(g, now)
		g.tellLost(now)
	}
	if g.rep.IsLeader() && !now.Before(g.lead.due) {
		g.seal(now)
		g.handOver(now)
	}
}

// tellLost tells the lead once in a while that this node has lost a part of its log, until it has it again. Most leads find out by themselves.
func (g *group) tellLost(now time.Time) {
	switch lead := g.rep.Lead(); {
	case !g.rep.IsIncomplete() || lead == 0:
		g.lostAt = now
	case now.Sub(g.lostAt) >= lostEvery:
		g.lostAt = now
		g.host.opt.Links.Send(lead, kindLost, binary.AppendUvarint(nil, uint64(g.area)))
	}
}

const lostEvery = 2 * time.Second

// maxReceived bounds how many messages are handled before what follows from them is sent.
const maxReceived = 64

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

// deliver passes a message to the group. It never blocks: a message that finds no place is dropped. Any goroutine may call it.
func (g *group) deliver(m inbound) {
	select {
	case g.inbound <- m:
	default:
		g.host.metrics.Dropped.Add(1)
	}
}

// receive handles a message of another node. Messages that are damaged, or of a kind that the sender may not send, are counted.
func (g *group) receive(m inbound) {
	var err error
	switch m.kind {
	case kindRaft:
		var msg *raftpb.Message
		if msg, err = replica.ParseMessage(m.body); err == nil && msg.GetFrom() != m.from {
			err = errors.New("it names another node as its sender")
		}
		if err == nil {
			err = g.rep.Receive(msg)
		}
	case kindChunk:
		var c chunk
		if c, err = parseChunk(m.body, m.from); err == nil {
			g.takeChunk(&c)
		}
	case kindArrive:
		var a arrival
		if a, err = parseArrival(m.body); err == nil {
			g.takeArrival(a)
		}
	case kindLost: // a new lead asks the node what it has
		g.handOverExcept(m.from)
	case kindSettle:
		var in sim.Intent
		if in, err = parseIntent(m.body, sim.IntentSettle); err == nil {
			g.takeSettlement(in)
		}
	default:
		err = fmt.Errorf("kind %d", m.kind)
	}
	if err != nil {
		g.host.refused(m.from, g.name, err)
	}
}

// advance writes and sends what the replica has to write and send.
func (g *group) advance() error {
	for {
		out, ok := g.rep.Ready()
		if !ok {
			break
		}
		g.send(out.Early)
		if out.Snapshot != nil {
			if err := g.file.Rotate(*out.Snapshot, g.rep.State(), nil); err != nil {
				return err
			}
			g.install, g.committed = out.Snapshot, g.committed[:0]
		}
		if out.State != nil || len(out.Entries) > 0 {
			if err := g.file.Write(out.State, out.Entries); err != nil {
				return err
			}
		}
		g.send(out.Messages)
		g.committed = append(g.committed, out.Committed...)
		g.rep.Advance()
		if out.NewRole {
			g.changeRole()
		}
		if out.Complete {
			g.host.log.Info("this node's copy of the area is complete again", telemetry.FieldArea, g.name)
			if err := g.file.MarkComplete(); err != nil {
				return err
			}
		}
	}
	g.lastIndex.Store(g.rep.LastIndex())
	return nil
}

func (g *group) send(messages []*raftpb.Message) {
	for _, m := range messages {
		b := replica.AppendMessage(binary.AppendUvarint(nil, uint64(g.area)), m)
		sent := g.host.opt.Links.Send(m.GetTo(), kindRaft, b)
		if m.GetType() == raftpb.MsgSnap {
			g.rep.ReportSnapshot(m.GetTo(), sent)
		}
	}
}

// changeRole notes who leads now.
func (g *group) changeRole() {
	led, leader := g.term.Load() != 0, g.rep.Lead()
	g.leader.Store(leader)
	g.host.noteLead(g, leader, g.rep.Term(), time.Now())
	switch {
	case g.rep.IsLeader() && g.term.Load() != g.rep.Term():
		g.term.Store(g.rep.Term())
		g.startLeading(time.Now())
		g.host.log.Info("this node leads the area", telemetry.FieldArea, g.name, "term", g.rep.Term())
	case !g.rep.IsLeader() && led:
		g.term.Store(0)
		g.lead = lead{}
		g.host.log.Info("this node leads the area no more", telemetry.FieldArea, g.name, "lead", g.host.nodeName(leader))
	}
	g.out.sendAgain = true
}

// nextAgreed returns what the area does next, if anything.
func (g *group) nextAgreed() (area.Agreed, bool, error) {
	if s := g.install; s != nil {
		g.install = nil
		g.stepIndex.Store(s.Index)
		if err := g.restore(s); err != nil {
			return area.Agreed{}, false, fmt.Errorf("the state that the lead sent: %w", err)
		}
		g.host.fence(g.origins[g.host.opt.Self].gone)
		g.host.log.Info("the area continues from the state of the lead, because this node was too far behind", telemetry.FieldArea, g.name, telemetry.FieldTick, g.state.Now())
		g.out.applied(g)
		return area.Agreed{State: g.state}, true, nil
	}
	if len(g.committed) == 0 {
		return area.Agreed{}, false, nil
	}
	e := g.committed[0]
	g.committed = g.committed[1:]
	if len(g.committed) == 0 {
		g.committed = nil
	}
	t, err := parseBatch(e.Data, g.intents[:0])
	if err != nil {
		return area.Agreed{}, false, fmt.Errorf("entry %d of its log: %w", e.Index, err)
	}
	if t.prev != g.hash {
		return area.Agreed{}, false, fmt.Errorf("this node's state after tick %d differs from that of the lead: please report this with the folder %q", g.state.Now(), "cluster")
	}
	g.apply(&t)
	g.stepIndex.Store(e.Index)
	g.history.add(e)
	g.lead.sealed = false
	g.intents = t.intents
	return area.Agreed{Intents: t.intents}, true, nil
}

// apply updates what the log knows besides the area.
func (g *group) apply(t *batch) {
	g.origins.apply(t)
	for _, h := range t.homes {
		g.homes[h.who] = h.mark
	}
	g.saved = max(g.saved, t.saved)
	g.publishOrigins()
	for _, m := range t.gone {
		if m.node == g.host.opt.Self {
			g.host.fence(m.incarnation)
		}
	}
}

// publishOrigins stores what other goroutines read.
func (g *group) publishOrigins() {
	g.savedTick.Store(uint64(g.saved))
	for i := range g.origins {
		g.gone[i].Store(g.origins[i].gone)
	}
}

// Stepped implements area.Source.
func (g *group) Stepped(a *sim.Area, f *sim.Frame) {
	g.state, g.hash = a, f.Hash
	g.tick.Store(uint64(f.Tick))
	g.out.applied(g)
	if g.rep.IsLeader() {
		g.sendCrossings(f)
	}
	g.history.stepped(g)
	clear(g.intents) // release the texts and characters of the intents
}

// request runs f on the goroutine of the area. It returns false if done is closed before.
func (g *group) request(done <-chan struct{}, f func()) bool {
	finished := make(chan struct{})
	select {
	case g.requests <- func() { f(); close(finished) }:
		<-finished
		return true
	case <-done:
		return false
	case <-g.host.World.Done():
		return false
	}
}

// linkChanged tells the replica that the connection to a node broke or works again.
func (g *group) linkChanged(node uint64, up bool) {
	select {
	case g.links <- linkEvent{node, up}:
	default: // the group is stopped, or so far behind that it needs no hint
	}
}

// linkEvent says that the connection to a node broke or works again.
type linkEvent struct {
	node uint64
	up   bool
}
