package cluster

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/internal/simdisk"
	"github.com/truestep-io/truestep/sim"
)

// simNode is a machine: its disks, its clock, and the process that runs on it.
type simNode struct {
	s      *simulation
	id     uint64
	name   string
	disks  []*simDisk
	p      *process // nil while no process runs
	clock  simClock
	plan   crashPlan
	serial uint64 // last number that the database gave out, for incarnations and players
}

// process is a run of the program on a node.
type process struct {
	n        *simNode
	host     *Host
	handler  link.Handler // host
	areas    []*simArea
	ends     []*simEnd // ends[i] is the connection to node i; nil for none
	mesh     uint64    // incarnation in the hellos of this node
	dead     bool
	crashing bool // the process is to crash in the code that is running
	paused   bool
	pausedAt time.Duration // time at which the process was last paused
	onResume []func()      // functions that wait until the process is scheduled again

	gate    chan struct{} // the goroutine of Host.fence waits at this gate for a new incarnation
	next    uint64        // number of the new incarnation for which gate opens
	fencing bool

	hub
}

// simArea is the goroutine of an area: it does what area.World does with an area.Source, whenever it is scheduled.
type simArea struct {
	p        *process
	g        *group
	timer    int           // number of the newest timer event
	timerAt  time.Duration // time of that event
	stalled  time.Duration // the goroutine is not scheduled until then
	queued   bool          // an event will run the area at the end of the stall
	requests []func()
	seen     sim.Tick
	chunks   mark // newest chunk of this node that noteChunks has read
	failed   bool // the disk was full, and the goroutine of the area has ended
}

// point names a place in the code at which a process may crash.
type point int

const (
	pointAny point = iota
	pointSend
	pointWrite   // crash before entries are written
	pointWritten // crash after entries are written, before the messages that confirm them are sent
	pointVote    // crash before a term or vote is written
	pointVoted
	pointRotate
	pointRotated
	pointMark
	pointStep // crash before a batch is stepped
	pointStepped
	pointPublished // crash after a frame is published, before the group learns that the tick is stepped
	points         // number of points
)

// crashPlan makes a node's process crash when it reaches a point of the kind at, after it has passed skip such points.
type crashPlan struct {
	set  bool
	at   point
	skip int
}

// point marks a point in the code of a process. It crashes the process if a crash is planned there.
func (s *simulation) point(p *process, at point) {
	if p.crashing { // the code under test has caught the panic of the crash
		panic(errCrash)
	}
	plan := &p.n.plan
	if !plan.set || s.running != p || plan.at != pointAny && plan.at != at {
		return
	}
	if plan.skip--; plan.skip < 0 {
		plan.set = false
		s.note("node %d crashes at point %d", p.n.id, at)
		p.crash()
	}
}

// crash ends the process now. If the code under test catches the panic, the process does nothing any more and ends a little later.
func (p *process) crash() {
	p.crashing = true
	panic(errCrash)
}

func newSimNode(s *simulation, id uint64) *simNode {
	n := &simNode{s: s, id: id, name: fmt.Sprint("n", id)}
	n.clock = newSimClock(s.rand.Uint64())
	for range s.def.Areas {
		n.disks = append(n.disks, &simDisk{})
	}
	return n
}

// list returns the list of nodes.
func (s *simulation) list() (list []link.Node) {
	for _, n := range s.nodes[1:] {
		list = append(list, link.Node{ID: n.id, Name: n.name})
	}
	return list
}

// reserve returns the next number of a node from the database, for an incarnation or a player.
func (n *simNode) reserve() uint64 {
	n.serial++
	return n.serial
}

// start runs a process with what the disks have. It waits for the database.
func (n *simNode) start() {
	s := n.s
	if n.p != nil {
		return
	}
	if s.db.away {
		s.after(200*time.Millisecond, n.start)
		return
	}
	n.plan = crashPlan{}
	p := &process{n: n, ends: make([]*simEnd, len(s.nodes)), gate: make(chan struct{}), hub: newHub()}
	incarnation := n.reserve()
	host, err := New(Options{
		World: s.def, Seed: 1, Nodes: s.list(), Self: n.id, Links: simLinks{p}, Incarnation: incarnation, FixedLeads: s.fixedLeads,
		Fenced: func() uint64 {
			<-p.gate
			return p.next
		},
		Open: func(a sim.AreaID) (Kept, error) {
			return n.disks[a].open(p), nil
		},
		Area: area.Options{Log: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		s.fail("node %d does not start: %v", n.id, err)
		return
	}
	host.snapshotEvery, host.maxWithoutSnapshot, host.retained = s.faults.snapshotEvery, s.faults.maxWithoutSnapshot, s.faults.retained
	host.balance = balanceRules{every: time.Second, again: 2 * time.Second, minGain: 1, samples: 2}
	p.host, p.handler, p.mesh, n.p = host, host, host.Incarnation(), p
	p.setClock()
	n.serial = max(n.serial, p.mesh)
	s.note("node %d starts as incarnation %d", n.id, p.mesh)
	size := []int{12, 40, maxInbound}[s.rand.IntN(3)] // a queue of usual size does not become full in a run
	for _, g := range host.groups {
		g.inbound = make(chan inbound, size)
		a := &simArea{p: p, g: g, seen: g.state.Now()}
		p.areas = append(p.areas, a)
		s.truth.checkStart(n, g)
		s.after(s.between(0, 10*time.Millisecond), a.run)
	}
	for _, l := range s.links {
		if l.lower == n || l.higher == n {
			l.dial()
		}
	}
	p.every(time.Second, p.tell)
	p.every(200*time.Millisecond, func() {
		for _, d := range n.disks {
			d.Sync()
		}
	})
	p.every(s.faults.storeEvery, p.store)
	p.every(900*time.Millisecond, p.releaseClaims)
}

// tell sends the node's news to the other nodes. During that call the node may place areas by load; tell counts them.
func (p *process) tell() {
	was := slices.Clone(p.host.placed)
	p.host.Tell()
	for a, now := range p.host.placed {
		if now != was[a] {
			p.n.s.stats.placed++
			p.n.s.note("area %d is placed at node %d by load", a, now.node)
		}
	}
}

// every calls f at random intervals of d/2 to d until the process ends, except while the process is paused.
func (p *process) every(d time.Duration, f func()) {
	s := p.n.s
	s.after(s.between(d/2, d), func() {
		if p.dead {
			return
		}
		if !p.paused {
			s.within(p, f)
		}
		p.every(d, f)
	})
}

// How a process ends.
type endKind int

const (
	byKill  endKind = iota // kill -9: the operating system sends what was written to sockets, and closes them
	byCrash                // a crash at a chosen point of the code; sockets as with byKill
	byPower                // loss of power: the peers hear nothing, and unsynced writes are lost, or all but the first ones of them
)

// kill ends the process of a node.
func (n *simNode) kill(how endKind) {
	p, s := n.p, n.s
	if p == nil {
		return
	}
	s.note("node %d dies (%d)", n.id, how)
	s.stats.kills++
	n.p = nil
	for _, e := range p.ends {
		if e == nil {
			continue
		}
		other := e.other()
		e.closed, e.up, e.held = true, false, nil
		if !other.cut {
			other.cut, other.lostAfter = true, s.now+s.between(0, time.Millisecond)
		}
		wait := s.between(0, 3*time.Millisecond)
		if how == byPower {
			other.lostAfter = s.now
			wait = silence - s.between(0, 100*time.Millisecond)
		}
		s.after(wait, func() { other.notice("node gone") })
	}
	p.end()
	s.loseSessions(p)
	if how == byPower {
		for _, d := range n.disks {
			kept := s.rand.IntN(d.Unsynced() + 1)
			if kept > 0 {
				s.stats.kept++
			}
			d.LosePower(kept)
		}
	}
}

// end stops the goroutines of a process.
func (p *process) end() {
	p.dead = true
	if p.host != nil {
		p.n.s.stats.dropped += int(p.host.metrics.Dropped.Load())
	}
	close(p.gate)
	synctest.Wait()
}

// loseDisks removes the content of all disks of a node. The process must be down.
func (n *simNode) loseDisks() {
	n.s.note("node %d loses its disks", n.id)
	for a := range n.disks {
		n.disks[a] = &simDisk{Disk: simdisk.Disk{Lost: true}}
	}
}

// setFull fills the disks of the node, or frees space on them.
func (n *simNode) setFull(full bool) {
	for _, d := range n.disks {
		d.Full = full
	}
}

// isComplete reports whether a disk of the node has lost nothing.
func (n *simNode) isComplete() bool {
	return !slices.ContainsFunc(n.disks, func(d *simDisk) bool { return d.Lost })
}

// pause stops the process as SIGSTOP does, and resume continues it.
func (n *simNode) pause() {
	p, s := n.p, n.s
	if p == nil || p.paused {
		return
	}
	s.note("node %d stands still", n.id)
	p.paused, p.pausedAt = true, s.now
	for _, e := range p.ends { // the other nodes receive nothing, not even pings
		if e == nil {
			continue
		}
		other, began := e.other(), s.now
		s.after(silence-s.between(0, 100*time.Millisecond), func() {
			if p.paused && p.pausedAt == began && !p.dead {
				other.notice("silence")
			}
		})
	}
}

func (p *process) resume() {
	s := p.n.s
	if p.dead || !p.paused {
		return
	}
	s.note("node %d goes on", p.n.id)
	p.paused = false
	for _, e := range p.ends {
		if e == nil {
			continue
		}
		if s.chance(3) && len(e.held) > 0 && s.now-e.heldSince > silence { // the read times out before the held data is read
			e.held = nil
			e.close("silence")
			continue
		}
		e.release()
	}
	waiting := p.onResume
	p.onResume = nil
	for _, f := range waiting {
		s.after(s.between(0, 2*time.Millisecond), f)
	}
	p.scheduleAll()
}

// settle must be called after each call of the process's code. It lets a goroutine that Host.fence has started run until the
// goroutine waits for a new incarnation.
func (p *process) settle() {
	if p.dead || p.host == nil {
		return
	}
	s := p.n.s
	if !p.fencing && p.host.fencing.Load() {
		p.fencing = true
		synctest.Wait() // Fenced is called
		s.note("node %d is fenced", p.n.id)
		s.stats.fenced++
		s.after(s.between(0, 100*time.Millisecond), func() { // clients continue until their sessions end
			p.whenRuns(func() {
				s.loseSessions(p)
				s.after(s.between(0, 1500*time.Millisecond), p.reincarnate)
			})
		})
	}
	if err := p.host.World.Err(); err != nil && !errors.Is(err, simdisk.ErrFull) {
		s.fail("node %d stops: %v", p.n.id, err)
	}
}

// reincarnate lets a fenced process continue with a new incarnation, once it is not paused and the database can be reached.
func (p *process) reincarnate() {
	s := p.n.s
	switch {
	case p.dead:
		return
	case p.paused, s.db.away:
		s.after(100*time.Millisecond, p.reincarnate)
		return
	}
	p.next = p.n.reserve()
	p.mesh = p.next
	for _, e := range p.ends {
		if e != nil {
			e.close("new incarnation")
		}
	}
	if p.dead { // it crashed when it lost its links
		return
	}
	p.gate <- struct{}{}
	synctest.Wait()
	p.n.serial = max(p.n.serial, p.host.Incarnation())
	p.fencing = false
	s.note("node %d continues as incarnation %d", p.n.id, p.host.Incarnation())
}

// scheduleAll schedules each area for which something waits.
func (p *process) scheduleAll() {
	for _, a := range p.areas {
		if len(a.g.inbound) > 0 || len(a.g.links) > 0 || len(a.requests) > 0 {
			a.run()
		}
	}
}

// request runs f on the goroutine of the area.
func (a *simArea) request(f func()) {
	a.requests = append(a.requests, f)
	a.run()
}

// run is what the goroutine of the area does when it is scheduled: see group.Next and area.World.
func (a *simArea) run() {
	p, s := a.p, a.p.n.s
	switch {
	case p.dead, a.failed:
		return
	case p.paused:
		if !a.queued {
			a.queued = true
			p.onResume = append(p.onResume, func() { a.queued = false; a.run() })
		}
		return
	case s.now < a.stalled:
		if !a.queued {
			a.queued = true
			s.at(a.stalled, func() { a.queued = false; a.run() })
		}
		return
	}
	s.within(p, a.work)
	if !p.dead && !a.failed {
		a.noteChunks()
		a.setTimer()
	}
}

// work handles everything that waits for the area, and steps the agreed batches.
func (a *simArea) work() {
	g, s, now := a.g, a.p.n.s, time.Now()
	g.catchUp(now)
	g.onTime(now)
	for s.violation == nil {
		in, ok, err := g.proceed()
		if errors.Is(err, simdisk.ErrFull) {
			a.failed = true
			g.fail(err)
			return
		}
		if err != nil {
			s.fail("node %d, area %d stops: %v", a.p.n.id, g.area, err)
			return
		}
		if ok {
			a.step(in)
			if s.now < a.stalled {
				return
			}
			g.catchUp(now)
			continue
		}
		if !a.takeOne() {
			break
		}
		g.onTime(now)
	}
	s.truth.checkLead(a)
}

// takeOne handles one waiting message, event or request of the area, chosen at random, as the select statement of group.Next does.
func (a *simArea) takeOne() bool {
	g, s := a.g, a.p.n.s
	waits := [...]bool{len(g.inbound) > 0, len(a.requests) > 0, len(g.links) > 0, len(g.encoded) > 0}
	n := 0
	for _, w := range waits {
		if w {
			n++
		}
	}
	if n == 0 {
		return false
	}
	pick := 0
	if n > 1 {
		pick = s.rand.IntN(n)
	}
	for source, w := range waits {
		if !w {
			continue
		}
		if pick > 0 {
			pick--
			continue
		}
		switch source {
		case 0:
			g.receive(<-g.inbound)
			g.receiveWaiting()
		case 1:
			f := a.requests[0]
			a.requests = a.requests[1:]
			f()
		case 2:
			<-g.links
			g.takeLinkEvents()
		case 3:
			g.history.waiting = <-g.encoded
		}
		break
	}
	return true
}

// step advances the area by a batch, or replaces its state by one from the leader.
func (a *simArea) step(in area.Agreed) {
	p, s, g := a.p, a.p.n.s, a.g
	if in.State != nil {
		s.truth.skip(p, g, a.seen, in.State)
		a.seen = in.State.Now()
		return
	}
	s.point(p, pointStep)
	f := g.state.Step(in.Intents)
	s.point(p, pointStepped)
	a.seen = f.Tick
	s.stats.ticks++
	s.mix(p.n.id, uint64(f.Area), uint64(f.Tick), f.Hash)
	if s.executes != nil {
		intents, frame := s.executes(p, in.Intents, f)
		s.truth.publish(a, intents, frame)
	} else {
		s.truth.publish(a, in.Intents, f)
	}
	if s.shows != nil {
		p.readFrame(s.shows(p, f))
	} else {
		p.readFrame(f)
	}
	s.point(p, pointPublished)
	encoding := g.history.busy
	g.Stepped(g.state, f)
	g.state.Recycle(f)
	if g.history.busy && !encoding {
		snapshot := <-g.encoded // the goroutine that encodes the snapshot sends it
		s.after(s.between(time.Millisecond, 30*time.Millisecond), func() {
			g.encoded <- snapshot
			a.run()
		})
	}
	if s.chance(400) { // another goroutine uses the processor, or the garbage collector runs
		a.stalled = s.now + s.between(0, 60*time.Millisecond)
	}
}

// setTimer schedules a run of the area for the time at which the group has something to do even if no message arrives.
func (a *simArea) setTimer() {
	s := a.p.n.s
	at := max(a.g.wakeAt().Sub(s.began), s.now)
	if at == a.timerAt {
		return
	}
	a.timer++
	a.timerAt = at
	timer := a.timer
	s.at(at, func() {
		if a.timer == timer {
			a.timerAt = -1
			a.run()
		}
	})
}
