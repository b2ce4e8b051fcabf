package cluster

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
)

// faults is the plan of what goes wrong in a run.
type faults struct {
	snapshotEvery      int
	maxWithoutSnapshot int
	storeEvery         time.Duration // longest time between two attempts of a process to store records; the shortest is half of it
	retained           replica.Retention
	kinds              []func() // possible faults, some of them several times, in random order
	next               int
	outages            bool // outages are the only faults of this run
}

func (s *simulation) planFaults() {
	f := &s.faults
	f.snapshotEvery, f.maxWithoutSnapshot = 40+s.rand.IntN(300), maxWithoutSnapshot
	if s.chance(3) { // so frequently that a node often continues from a snapshot that has players under way
		f.snapshotEvery, f.storeEvery = 4+s.rand.IntN(20), s.between(50*time.Millisecond, 200*time.Millisecond)
	}
	f.retained = replica.Retention{Entries: s.rand.IntN(3) * 100, Bytes: 4 << 20}
	weights := []struct {
		times int
		fault func()
	}{
		{3, s.killSome}, {6, s.crashOne}, {2, s.cutPower}, {2, s.loseDisk}, {3, s.pauseOne}, {2, s.cutLink}, {2, s.isolate}, {2, s.blockOneWay},
		{2, s.slowLink}, {2, s.resetLink}, {3, s.stallArea}, {3, s.rotateFaults}, {1, s.killAll}, {2, s.moveLeads}, {1, s.cutDatabase},
		{2, s.fillDisk}, {3, s.fillQueue}, {2, s.loseAnswers}, {2, s.forgetVotes},
	}
	for _, w := range weights {
		for range w.times {
			f.kinds = append(f.kinds, w.fault)
		}
	}
	s.rand.Shuffle(len(f.kinds), func(i, j int) { f.kinds[i], f.kinds[j] = f.kinds[j], f.kinds[i] })
}

// planOutages plans a run in which nothing but outages goes wrong. Snapshots do not wait long for records to be stored.
func (s *simulation) planOutages() {
	f := &s.faults
	f.outages, f.kinds = true, []func(){s.outage}
	f.snapshotEvery = 30 + s.rand.IntN(30)
	f.maxWithoutSnapshot = f.snapshotEvery + s.rand.IntN(20)
	f.retained = replica.Retention{Entries: 20, Bytes: 4 << 20} // a node that misses one or two ticks gets them as entries, with records
}

// planForgeries lets a node send forged messages before every third fault, beginning with the first, so that a brief run has some.
func (s *simulation) planForgeries() {
	f := &s.faults
	for i := (len(f.kinds) - 1) / 3; i >= 0; i-- {
		f.kinds = slices.Insert(f.kinds, 3*i, s.forge)
	}
}

// outage takes the database away for so long that the areas drop batches whose records are not stored. One node (of five: two) is cut off
// meanwhile and comes back without these records, and as many others die. Only one node has all records then.
func (s *simulation) outage() {
	behind, _, dies := s.parts()
	s.note("the database is away")
	s.db.away = true
	apart := s.between(4*time.Second, 7*time.Second)
	s.after(s.between(0, 2*time.Second), func() {
		s.isolateNodes(behind, apart)
		s.after(apart+s.between(0, 2*time.Second), func() {
			for _, n := range dies {
				n.kill(byKill)
				s.after(s.between(0, 2*time.Second), n.start) // the started process waits for the database
			}
			s.after(s.between(0, 4*time.Second), func() {
				s.note("the database is back")
				s.db.away = false
			})
		})
	})
}

// nextFault lets something go wrong, and plans the next fault: sometimes at once, sometimes after the cluster has recovered.
func (s *simulation) nextFault() {
	f := &s.faults
	if s.now >= s.lasts-recovery {
		s.heal()
		return
	}
	f.kinds[f.next%len(f.kinds)]()
	f.next++
	wait := s.between(20*time.Millisecond, time.Second)
	if s.chance(2) {
		wait = s.between(2*time.Second, 6*time.Second)
	}
	if f.outages { // outages do not overlap
		wait = s.between(22*time.Second, 26*time.Second)
	}
	s.at(min(s.now+wait, s.lasts-recovery), s.nextFault)
}

// heal ends all faults.
func (s *simulation) heal() {
	s.note("all faults end")
	s.db.away, s.db.loses = false, nil
	for _, l := range s.links {
		l.slow, l.full = 0, [2]bool{}
		l.setBlocked(0, false)
		l.setBlocked(1, false)
	}
	for _, n := range s.nodes[1:] {
		n.plan.set = false
		if n.p == nil {
			n.start()
		} else {
			n.p.resume()
		}
	}
}

func (s *simulation) pick() *simNode { return s.nodes[1+s.rand.IntN(len(s.nodes)-1)] }

// maxDown returns how many nodes may be down at once without the end of the cluster: one of three, two of five.
func (s *simulation) maxDown() int { return (len(s.nodes) - 2) / 2 }

// parts divides the nodes at random: a few, so many that the others are a majority, one node, and the rest, so many as the few.
func (s *simulation) parts() (some []*simNode, one *simNode, rest []*simNode) {
	list := slices.Clone(s.nodes[1:])
	s.rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	half := s.maxDown()
	return list[:half], list[half], list[half+1:]
}

// pickRunning returns a random node whose process runs, nil if there is none.
func (s *simulation) pickRunning() *simNode {
	list := slices.DeleteFunc(slices.Clone(s.nodes[1:]), func(n *simNode) bool { return n.p == nil })
	if len(list) == 0 {
		return nil
	}
	return list[s.rand.IntN(len(list))]
}

// downTime is how long a process is down: often so short that the others have not elected a leader yet.
func (s *simulation) downTime() time.Duration {
	switch s.rand.IntN(3) {
	case 0:
		return s.between(5*time.Millisecond, 200*time.Millisecond)
	case 1:
		return s.between(200*time.Millisecond, 2*time.Second)
	}
	return s.between(2*time.Second, 6*time.Second)
}

// killSome kills one node, of five nodes sometimes two.
func (s *simulation) killSome() {
	for range 1 + s.rand.IntN(s.maxDown()) {
		if n := s.pickRunning(); n != nil {
			n.kill(byKill)
			s.after(s.downTime(), n.start)
		}
	}
}

// crashOne plans that a node's process crashes at a point in its code, and that the node then starts a new process.
func (s *simulation) crashOne() {
	n := s.pick()
	n.plan = crashPlan{set: true, at: point(s.rand.IntN(int(points))), skip: s.rand.IntN(4)}
	if n.plan.at == pointAny || n.plan.at == pointSend {
		n.plan.skip = s.rand.IntN(300)
	}
	s.watchRestart(n, s.now+8*time.Second)
}

// watchRestart starts a node again after its planned crash.
func (s *simulation) watchRestart(n *simNode, until time.Duration) {
	switch {
	case n.p == nil:
		s.after(s.downTime(), n.start)
	case n.plan.set && s.now < until:
		s.after(20*time.Millisecond, func() { s.watchRestart(n, until) })
	default:
		n.plan.set = false
	}
}

// mayLose reports whether a node may lose the content of its disks: only if the disks of a majority remain complete, which Raft needs.
func (s *simulation) mayLose(n *simNode) bool {
	lost := 1
	for _, o := range s.nodes[1:] {
		if o != n && !o.isComplete() {
			lost++
		}
	}
	return lost <= s.maxDown()
}

func (s *simulation) cutPower() {
	if n := s.pickRunning(); n != nil && s.mayLose(n) {
		n.kill(byPower)
		s.after(s.between(500*time.Millisecond, 4*time.Second), n.start)
	}
}

func (s *simulation) loseDisk() {
	if n := s.pickRunning(); n != nil && s.mayLose(n) {
		n.kill(byKill)
		n.loseDisks()
		s.after(s.downTime()/2, n.start)
	}
}

func (s *simulation) pauseOne() {
	if n := s.pickRunning(); n != nil {
		p := n.p
		n.pause()
		s.after(s.between(50*time.Millisecond, 6*time.Second), p.resume)
	}
}

// fillDisk fills the disks of a node. Its process stops at the next write, and ends some time later.
func (s *simulation) fillDisk() {
	if n := s.pickRunning(); n != nil {
		s.note("the disks of node %d are full", n.id)
		n.setFull(true)
		s.after(s.between(100*time.Millisecond, 2*time.Second), func() {
			n.kill(byKill)
			n.setFull(false)
			down := s.downTime()
			if s.now >= s.lasts-recovery {
				down = 0
			}
			s.after(down, n.start)
		})
	}
}

// blockFor blocks directions of links for some time.
func (s *simulation) blockFor(d time.Duration, block func(set func(l *simLink, from int))) {
	block(func(l *simLink, from int) {
		l.setBlocked(from, true)
		s.after(d, func() { l.setBlocked(from, false) })
	})
}

func (s *simulation) faultTime() time.Duration {
	if s.chance(2) {
		return s.between(20*time.Millisecond, 1500*time.Millisecond)
	}
	return s.between(time.Second, 6*time.Second)
}

func (s *simulation) cutLink() {
	l := s.links[s.rand.IntN(len(s.links))]
	s.note("the link of %d and %d carries nothing", l.lower.id, l.higher.id)
	s.blockFor(s.faultTime(), func(set func(l *simLink, from int)) {
		set(l, 0)
		set(l, 1)
	})
}

// isolate cuts off a node, of five nodes sometimes two together.
func (s *simulation) isolate() {
	some, _, _ := s.parts()
	s.isolateNodes(some[:1+s.rand.IntN(len(some))], s.faultTime())
}

// isolateNodes cuts off nodes from all others, but not from each other.
func (s *simulation) isolateNodes(list []*simNode, d time.Duration) {
	for _, n := range list {
		s.note("node %d is cut off", n.id)
	}
	s.blockFor(d, func(set func(l *simLink, from int)) {
		for _, l := range s.links {
			if slices.Contains(list, l.lower) != slices.Contains(list, l.higher) {
				set(l, 0)
				set(l, 1)
			}
		}
	})
}

// blockOneWay lets nothing through from one node to another, or from one node to all, or from all to one.
func (s *simulation) blockOneWay() {
	n, all := s.pick(), s.chance(2)
	from := s.rand.IntN(2)
	s.note("one direction at node %d carries nothing", n.id)
	s.blockFor(s.faultTime(), func(set func(l *simLink, from int)) {
		for _, l := range s.links {
			side := from
			switch n {
			case l.lower:
			case l.higher:
				side = 1 - from
			default:
				continue
			}
			set(l, side)
			if !all {
				return
			}
		}
	})
}

func (s *simulation) slowLink() {
	l := s.links[s.rand.IntN(len(s.links))]
	l.slow = s.between(5*time.Millisecond, 400*time.Millisecond)
	s.note("the link of %d and %d is slow: %v", l.lower.id, l.higher.id, l.slow)
	s.after(s.faultTime(), func() { l.slow = 0 })
}

// fillQueue fills the queue of one direction of a link, which then refuses a frame now and then.
func (s *simulation) fillQueue() {
	l, from := s.links[s.rand.IntN(len(s.links))], s.rand.IntN(2)
	s.note("the queue of a direction of the link of %d and %d is full", l.lower.id, l.higher.id)
	l.full[from] = true
	s.after(s.faultTime(), func() { l.full[from] = false })
}

func (s *simulation) resetLink() {
	l := s.links[s.rand.IntN(len(s.links))]
	s.note("the link of %d and %d breaks", l.lower.id, l.higher.id)
	l.reset()
}

// stallArea stops scheduling one area of a node for a while, as if a write to the disk or a step of the area took long.
func (s *simulation) stallArea() {
	if n := s.pickRunning(); n != nil {
		a := n.p.areas[s.rand.IntN(simAreas)]
		a.stalled = s.now + s.between(20*time.Millisecond, 4*time.Second)
		s.note("area %d of node %d stands still until %v", a.g.area, n.id, a.stalled)
	}
}

// rotateFaults changes which two nodes are the majority (of five: which three). The first part misses what the others agree on. Then the
// one node in between fails, perhaps with its disks, and comes back. Finally the rest is killed, so that the first part and that node are
// the majority.
func (s *simulation) rotateFaults() {
	behind, fails, goes := s.parts()
	apart := s.between(200*time.Millisecond, 1800*time.Millisecond)
	s.isolateNodes(behind, apart)
	s.after(apart-s.between(0, 150*time.Millisecond), func() {
		if fails.p != nil {
			loses := s.chance(2) && s.mayLose(fails)
			fails.kill(byKill)
			if loses {
				fails.loseDisks()
			}
			s.after(s.between(5*time.Millisecond, 300*time.Millisecond), fails.start)
		}
		s.after(s.between(0, 100*time.Millisecond), func() {
			for _, n := range goes {
				if n.p != nil {
					n.kill(byKill)
					s.after(s.between(time.Second, 6*time.Second), n.start)
				}
			}
		})
	})
}

// forgetVotes lets nodes forget for which leader they have voted while the earlier leader still leads. The leader of an area loses its links; the
// links to some nodes come back at once, those to the others later. As soon as these nodes have helped to elect another leader, they are
// killed and lose their disks. When they come back, the earlier leader, which has not noticed yet that it was replaced, is the first that
// they hear: if they followed it, a majority would acknowledge its entries.
func (s *simulation) forgetVotes() {
	a := sim.AreaID(s.rand.IntN(simAreas))
	i := slices.IndexFunc(s.nodes[1:], func(n *simNode) bool { return n.p != nil && !n.p.paused && n.p.leads(a) })
	if i < 0 || slices.ContainsFunc(s.nodes[1:], func(n *simNode) bool { return n.p == nil || !n.isComplete() }) {
		return
	}
	earlier := s.nodes[1+i]
	line := slices.DeleteFunc(slices.Clone(earlier.p.host.membersOf(a)), func(id uint64) bool { return id == earlier.id }) // in the order of candidates
	var forget []*simNode
	for _, id := range line[len(line)-s.maxDown():] {
		forget = append(forget, s.nodes[id])
	}
	s.note("node %d is cut off, and some forget that they voted for another leader", earlier.id)
	for _, l := range s.links {
		if l.lower == earlier || l.higher == earlier {
			l.reset()
		}
	}
	s.blockFor(s.faultTime(), func(set func(l *simLink, from int)) {
		for _, l := range s.links {
			if (l.lower == earlier || l.higher == earlier) && !slices.Contains(forget, l.lower) && !slices.Contains(forget, l.higher) {
				set(l, 0)
				set(l, 1)
			}
		}
	})
	s.after(s.between(8*time.Millisecond, 35*time.Millisecond), func() {
		for _, n := range forget {
			if n.kill(byKill); s.mayLose(n) {
				n.loseDisks()
			}
			s.after(s.between(2*time.Millisecond, 12*time.Millisecond), n.start)
		}
	})
}

func (s *simulation) killAll() {
	for _, n := range s.nodes[1:] {
		n.kill(byKill)
		s.after(s.between(5*time.Millisecond, 2*time.Second), n.start)
	}
}

// moveLeads makes a node drain for a while, so that leaders change without a failure.
func (s *simulation) moveLeads() {
	n := s.pickRunning()
	if n == nil || n.p.paused {
		return
	}
	p := n.p
	s.note("node %d drains", n.id)
	s.within(p, func() {
		p.host.draining.Store(true)
		p.host.forgetMoves()
		p.host.Tell()
	})
	s.after(s.between(200*time.Millisecond, 4*time.Second), func() { p.undrain() })
}

func (p *process) undrain() {
	p.whenRuns(func() { p.n.s.within(p, func() { _ = p.host.Undrain() }) })
}

func (s *simulation) cutDatabase() {
	s.note("the database is away")
	s.db.away = true
	s.after(s.between(500*time.Millisecond, 5*time.Second), func() { s.db.away = false })
}

// loseAnswers lets connections to the database break: requests take effect, and every second answer is lost.
func (s *simulation) loseAnswers() {
	s.note("answers of the database are lost")
	s.db.loses = func() bool { return s.chance(2) }
	s.after(s.between(500*time.Millisecond, 5*time.Second), func() {
		s.note("answers of the database are lost no more")
		s.db.loses = nil
	})
}
