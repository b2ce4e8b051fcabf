package cluster

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"time"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Periods and limits of a node's copy of an area. Constants whose names end in Ticks count ticks of the replica, one every
// tickEvery; see replica.Config.
const (
	tickEvery      = 10 * time.Millisecond // time between two ticks of the replica
	heartbeatTicks = 5                     // 50 ms between two heartbeats of a leader
	silenceTicks   = 60                    // 600 ms until a silent leader is replaced   measured: busy machines pause for 386 ms
	quorumTicks    = 60                    // 600 ms until a leader without a majority steps down
	staggerTicks   = 15                    // 150 ms between the campaigns of two candidates

	resendEvery   = 300 * time.Millisecond // interval at which unapplied chunks and unconfirmed crossings are sent again
	snapshotEvery = 600                    // batches between two snapshots of an area: 30 s at 20 ticks per second; see Host.snapshotEvery
	maxTimeAhead  = 10 * time.Second       // how far the time of a batch may be ahead of this node's clock; see agreedTime
	maxInbound    = 4096                   // maximum number of waiting messages per area; further ones are dropped and sent again
)

// retained limits the batches before an area's last snapshot that each node keeps in memory: at most those of 90 s. A node that was
// away for less time gets the batches that it missed, steps them and records them on its tape. A node that was away for longer gets
// the leader's snapshot, and its tape has a gap.
var retained = replica.Retention{Entries: 3 * snapshotEvery, Bytes: 4 << 20}

// group is this node's copy of one area: its replica of the Raft log, and the sim.Area that steps the entries of the
// log. It implements area.Source. Its methods run on the goroutine of the area, except deliver, request and
// linkChanged. Other goroutines may read the atomic fields.
type group struct {
	host *Host
	area sim.AreaID       // id of the area
	name string           // name of the area
	rep  *replica.Replica // Raft state of this copy
	file File             // file of the replica

	inbound  chan inbound  // messages that wait for the area
	requests chan func()   // functions that the goroutine of the area runs between two ticks
	encoded  chan encoded  // the snapshot that was finished last, to be written; capacity 1
	links    chan struct{} // signals that connections to other nodes have changed; capacity 1

	state      *sim.Area         // state after the last stepped batch
	hash       uint64            // hash of state
	dispute    dispute           // whether other nodes have the same state
	committed  []replica.Entry   // committed batches that are not stepped yet
	install    *replica.Snapshot // snapshot from the leader that replaces the state; nil for none
	intents    []sim.Intent      // buffer for the intents of the batch that is being stepped, reused
	checked    []sim.Intent      // buffer of checkContent, reused
	lostAt     time.Time         // time at which tellLost last sent a message, or last had no reason to send one
	handedOver uint64            // newest term whose election a leader has started by handing over the area; see noteHandover
	lostTold   []time.Time       // by number of a node: when this node last heeded its message that it has lost a part of its log
	steppedAt  time.Time         // time at which this node stepped the last batch
	batchMS    int64             // time of the newest batch by the clock of its leader, in ms since 1970 UTC; not in the future
	raftDue    time.Time         // time of the replica's next tick

	// State that the log replicates besides the area itself: all nodes have equal values after the same batch, and snapshots
	// contain them.
	origins origins
	homes   homes
	saved   sim.Tick // tick up to which the records of the area are stored

	history history   // batches since the last snapshot
	load    loadMeter // load of the area

	out  sender // chunks of this node
	lead lead   // state that is used only while this node leads the area

	surrender surrender // newest decision of this node to count ticks as stored although it lacks their records

	// Not only the goroutine of the area but any goroutine may read the following fields.
	crossed   crossed         // crossings in the newest state
	leader    atomic.Uint64   // number of the node that leads, 0 if none is known
	term      atomic.Uint64   // term in which this node leads, 0 if it does not
	tick      atomic.Uint64   // newest stepped tick
	savedTick atomic.Uint64   // copy of saved
	gone      []atomic.Uint64 // copy of origin.gone, by number of the node
	present   atomic.Uint64   // incarnation of this node in origins
	ownSaved  atomic.Uint64   // tick up to which the hub of this node has stored the records in this term; see savedByOwner
	missed    atomic.Uint64   // newest tick whose frame the hub of this node has missed; 0 for none
	givenUp   atomic.Uint64   // tick up to which this leader owns the area although it lacks some records; 0 for none
	lost      []atomic.Bool   // by number of a node: its connection was lost since takeLinkEvents last ran
	lastIndex atomic.Uint64   // index of the newest entry in this node's log
	stepIndex atomic.Uint64   // index of the newest entry that this node has stepped
}

// newGroup returns this node's copy of an area. The parameter kept is the content of the copy's file, from which the copy
// continues.
func newGroup(h *Host, id sim.AreaID, kept Kept) (*group, error) {
	g := &group{
		host: h, area: id, name: h.opt.World.Areas[id].Name, file: kept.File,
		inbound: make(chan inbound, maxInbound), requests: make(chan func()), encoded: make(chan encoded, 1), links: make(chan struct{}, 1), lostTold: make([]time.Time, len(h.opt.Nodes)+1), lost: make([]atomic.Bool, len(h.opt.Nodes)+1),
		homes: homes{}, dispute: dispute{votes: make([]vote, len(h.opt.Nodes)+1)}, origins: make(origins, len(h.opt.Nodes)+1), gone: make([]atomic.Uint64, len(h.opt.Nodes)+1),
		load: newLoadMeter(len(h.opt.Nodes)),
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
		return nil, fmt.Errorf("area %q: restore its state from the snapshot in its Raft log: %w", g.name, err)
	}
	return g, nil
}

// State implements area.Source. It returns the state of the area after the last stepped batch.
func (g *group) State() *sim.Area { return g.state }

// setState makes a, with its hash and its tick, this node's copy of the area.
func (g *group) setState(a *sim.Area) {
	g.state, g.hash = a, a.Hash()
	g.dispute.begin(a.Now(), g.hash)
	g.tick.Store(uint64(a.Now()))
	g.publishCrossings()
}

// Next implements area.Source. It runs the replica until there is a batch to step, and returns false if stop is closed
// or the group has failed. If this node still leads the area then, the other nodes elect a leader at once.
func (g *group) Next(stop <-chan struct{}) (area.Agreed, bool) {
	g.catchUp(time.Now())
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		in, ok, err := g.proceed()
		if err != nil {
			g.fail(err)
			return area.Agreed{}, false
		}
		if ok {
			return in, true
		}
		timer.Reset(time.Until(g.wakeAt()))
		select {
		case <-stop:
			g.resign()
			return area.Agreed{}, false
		case m := <-g.inbound:
			g.receive(m)
			g.receiveWaiting()
		case run := <-g.requests:
			run()
		case <-g.links:
			g.takeLinkEvents()
		case s := <-g.encoded:
			g.history.waiting = s
		case <-timer.C:
		}
		g.onTime(time.Now())
	}
}

// catchUp performs a tick of the replica if one is due. Next calls it before each batch, so that a backlog of batches does not delay it,
// nor the news that the leader cannot be reached, without which this node would refuse its vote to others.
func (g *group) catchUp(now time.Time) {
	if g.raftDue.IsZero() {
		g.raftDue = now
	}
	if !now.Before(g.raftDue) {
		select {
		case <-g.links:
			g.takeLinkEvents()
		default:
		}
		g.receiveWaiting()
		g.onTime(now)
	}
}

// takeLinkEvents handles the changes of connections since its last call. A connection that was lost and made again counts as lost: the
// process of the node may be another one.
func (g *group) takeLinkEvents() {
	for node := range g.lost {
		if g.lost[node].Swap(false) {
			g.rep.LinkLost(uint64(node))
		}
	}
	g.out.sendAgain = true
}

// proceed writes a waiting snapshot if possible, does what the replica asks for (see advance), and returns the next input of the
// area. The result ok is false if there is none.
func (g *group) proceed() (in area.Agreed, ok bool, err error) {
	if g.dispute.agrees() {
		err = g.writeWaiting()
	}
	if err == nil {
		err = g.advance()
	}
	if err == nil {
		in, ok, err = g.nextAgreed()
	}
	return in, ok, err
}

// wakeAt returns the time at which the goroutine of the group must run even if no message arrives: for the next tick of the
// replica or, on the leader, for the next batch.
func (g *group) wakeAt() time.Time {
	if due, leads := g.lead.tryAt, g.rep.IsLeader(); leads && due.Before(g.raftDue) {
		return due
	}
	return g.raftDue
}

// onTime performs what is due now: a tick of the replica and, on the leader, the next batch.
func (g *group) onTime(now time.Time) {
	if !now.Before(g.raftDue) {
		g.raftDue = now.Add(tickEvery) // after a long stop of the process the replica gets one tick, not all that it missed
		g.rep.Tick()
		g.out.flush(g, now)
		g.tellLost(now)
	}
	if g.rep.IsLeader() && !now.Before(g.lead.tryAt) {
		g.seal(now)
		g.handOver(now)
	}
}

// tellLost reports to the leader that this node has lost a part of its log, every 2 s (lostEvery), while this node does not follow that
// leader because it was elected before this node started. A leader that this node follows sends it the whole log; another leader would
// begin anew with that.
func (g *group) tellLost(now time.Time) {
	switch lead := g.rep.EarlierLeader(); {
	case !g.rep.IsIncomplete() || g.rep.Lead() != 0 || lead == 0:
		g.lostAt = now
	case now.Sub(g.lostAt) >= lostEvery:
		g.lostAt = now
		g.host.opt.Links.Send(lead, kindLost, binary.AppendUvarint(nil, uint64(g.area)))
	}
}

// lostEvery is the interval at which tellLost reports a lost part of the log to the leader.
const lostEvery = 2 * time.Second

// advance carries out the output of the replica: it writes to the file, sends messages, and collects the committed
// batches.
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

// send sends Raft messages to other nodes.
func (g *group) send(messages []*raftpb.Message) {
	for _, m := range messages {
		b := replica.AppendMessage(binary.AppendUvarint(nil, uint64(g.area)), m)
		sent := g.host.opt.Links.Send(m.GetTo(), kindRaft, b)
		if m.GetType() == raftpb.MsgSnap {
			g.rep.ReportSnapshot(m.GetTo(), sent)
		}
	}
}

// fail stops this node because this copy of the area cannot go on, for example because the disk is full. If this node leads, the other
// nodes elect a leader at once, instead of when they notice its silence. The caller must not use the replica any more, so that the
// replica acknowledges nothing that is not written.
func (g *group) fail(err error) {
	g.host.draining.Store(true)
	g.host.stopping.Store(true)
	g.host.Tell()
	g.resign()
	g.term.Store(0)
	g.leader.Store(0)
	g.host.fail(fmt.Errorf("area %q: %w", g.name, err))
}

// resign makes another node ask for votes at once, if this node leads the area. The caller must not use the replica any more.
func (g *group) resign() {
	if m := g.rep.Resign(g.isReady); m != nil {
		g.send([]*raftpb.Message{m})
	}
}

// changeRole records the current leader, and starts or ends leading if this node has become the leader or has lost the
// role.
func (g *group) changeRole() {
	led, leader := g.term.Load() != 0, g.rep.Lead()
	g.leader.Store(leader)
	g.host.noteLead(g, leader, g.rep.Term(), time.Now())
	switch {
	case g.rep.IsLeader() && g.term.Load() != g.rep.Term():
		g.startLeading(time.Now())
		g.term.Store(g.rep.Term())
		g.host.log.Info("this node leads the area", telemetry.FieldArea, g.name, "term", g.rep.Term())
	case !g.rep.IsLeader() && led:
		g.term.Store(0)
		g.endLeading()
		if leader == 0 {
			g.host.log.Info("this node no longer leads the area; no other leader is known yet", telemetry.FieldArea, g.name)
		} else {
			g.host.log.Info("this node no longer leads the area", telemetry.FieldArea, g.name, "lead", g.host.nodeName(leader))
		}
	}
	g.out.sendAgain = true
}

// nextAgreed returns the next input of the area: a state from the leader, or the intents of the next committed batch.
// The second result is false if there is none.
func (g *group) nextAgreed() (area.Agreed, bool, error) {
	if wait, err := g.outvoted(time.Now()); wait || err != nil {
		return area.Agreed{}, false, err
	}
	if s := g.install; s != nil {
		g.install = nil
		g.stepIndex.Store(s.Index)
		if err := g.restore(s); err != nil {
			return area.Agreed{}, false, fmt.Errorf("restore the area's state from the leader's snapshot: %w", err)
		}
		g.host.fence(g.origins[g.host.opt.Self].gone)
		g.host.log.Info("the area continues from a snapshot of the leader, because this node was too far behind", telemetry.FieldArea, g.name, telemetry.FieldTick, g.state.Now())
		g.out.applied(g)
		return area.Agreed{State: g.state}, true, nil
	}
	if len(g.committed) == 0 {
		return area.Agreed{}, false, nil
	}
	e := g.committed[0]
	t, err := parseBatch(e.Data, g.intents[:0])
	if err != nil {
		return area.Agreed{}, false, fmt.Errorf("decode entry %d of the Raft log: %w", e.Index, err)
	}
	if t.prev != g.hash {
		if step, err := g.settle(time.Now()); !step {
			return area.Agreed{}, false, err
		}
	}
	if g.committed = g.committed[1:]; len(g.committed) == 0 {
		g.committed = nil
	}
	g.countLost(t.saved, e.Term)
	g.apply(&t)
	g.load.count(t.intents, g.homeOf)
	g.stepIndex.Store(e.Index)
	g.history.add(e)
	if g.lead.sealed && g.host.opt.Committed != nil {
		g.host.opt.Committed(g.area, time.Since(g.lead.sealedAt))
	}
	g.lead.sealed = false
	g.intents = t.intents
	g.batchMS = max(g.batchMS, min(t.atMS, g.host.NowMS()))
	return area.Agreed{Intents: t.intents, AtMS: g.agreedTime(&t)}, true, nil
}

// agreedTime returns the time of a batch, in ms since 1970 UTC, limited to maxTimeAhead after the present time of this node. Areas show
// the latest time of any batch. Without the limit, one batch with a time in the far future would stop the time of tapes and journals
// on all nodes until then; its leader may have a wrong clock, or an attacker may have its key. No state depends on the time, so nodes
// may apply different limits.
func (g *group) agreedTime(t *batch) int64 {
	return min(t.atMS, g.host.NowMS()+maxTimeAhead.Milliseconds())
}

// apply updates the replicated state that is not part of sim.Area with a batch: the progress of each node (origins), the nodes
// through which players are connected (homes), and the tick up to which records are stored. If the batch declares an incarnation
// of this node dead, apply calls Host.fence.
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

// publishOrigins copies the saved tick, this node's incarnation and which nodes are declared dead to the fields that other goroutines read.
func (g *group) publishOrigins() {
	g.savedTick.Store(uint64(g.saved))
	g.present.Store(g.origins[g.host.opt.Self].incarnation)
	for i := range g.origins {
		g.gone[i].Store(g.origins[i].gone)
	}
}

// Stepped implements area.Source. It is called after each batch, with the stepped area and the frame of the tick.
func (g *group) Stepped(a *sim.Area, f *sim.Frame) {
	g.state, g.hash, g.steppedAt = a, f.Hash, time.Now()
	g.dispute.stepped(f.Tick, f.Hash)
	g.checkOutvoted(f.Tick, f.Hash)
	g.tick.Store(uint64(f.Tick))
	g.load.stepped(f, g.host.opt.World.TicksPerSecond, g.homeOf)
	g.out.applied(g)
	g.updateCrossings()
	if g.rep.IsLeader() {
		if g.lead.taken == nil { // the batch is of the earlier leader, so startLeading could not count its tick
			g.lead.due = g.lead.due.Add(g.host.period)
		}
		g.sendCrossings(f)
		if g.lead.sweep.sealed {
			g.lead.sweep = sweep{}
		}
	}
	g.history.stepped(g)
	clear(g.intents) // release the texts and characters of the intents
}

// request runs f on the goroutine of the area and waits until f has returned. It returns false, without running f, if done is
// closed or the world stops first.
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

// linkChanged tells the group that the connection to a node broke or was made. It never blocks. Any goroutine may call it.
func (g *group) linkChanged(node uint64, up bool) {
	if !up {
		g.lost[node].Store(true)
	}
	select {
	case g.links <- struct{}{}:
	default: // a signal waits already
	}
}
