package cluster

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Limits of what lasts while nothing fails: all processes run and are connected, and no queue, disk or area is disturbed (isWhole). They
// count from the time since which that is so. docs/cluster.md promises them for single failures; several in a row may last longer, as
// long as the next one comes before the areas go on.
const (
	watchEvery    = 50 * time.Millisecond
	mostWithout   = 1200 * time.Millisecond // an area has no tick, or a character is between two areas
	mostElecting  = 2500 * time.Millisecond // an area has no tick, although a majority of the nodes is well and connected
	mostBehind    = 1200 * time.Millisecond // a copy of an area is behind by more than a few ticks
	mostIdle      = 8 * time.Second         // a client cannot act: it waits up to 6 s for frames, and then for its login
	ticksInFlight = 4
)

// isWhole reports whether nothing is down or disturbed. The absence of the database counts only for logins.
func (s *simulation) isWhole() bool {
	for _, l := range s.links {
		if l.slow > 0 || l.blocked != [2]bool{} || l.full != [2]bool{} {
			return false
		}
	}
	return !slices.ContainsFunc(s.nodes[1:], func(n *simNode) bool {
		return !n.isWell() || slices.ContainsFunc(s.nodes[1:], func(peer *simNode) bool { return peer != n && !n.reaches(peer) })
	})
}

// isWell reports whether a node runs undisturbed.
func (n *simNode) isWell() bool {
	p := n.p
	return p != nil && !p.paused && !p.dead && !p.fencing && !p.host.draining.Load() && n.isComplete() &&
		!slices.ContainsFunc(n.disks, func(d *simDisk) bool { return d.Full }) &&
		!slices.ContainsFunc(p.areas, func(a *simArea) bool { return p.n.s.now < a.stalled-60*time.Millisecond }) // other stalls are short
}

// reaches reports whether a node has a link to another one, as far as it knows.
func (n *simNode) reaches(peer *simNode) bool {
	e := n.p.ends[peer.id]
	return e != nil && e.up
}

// majority is a set of just so many nodes that they can elect a leader, whatever the others do.
type majority struct {
	nodes    []*simNode
	links    []*simLink    // the links between these nodes
	brokenAt time.Duration // when watch last found that a node or a link of them was disturbed
}

// newMajorities returns all majorities of the nodes of a simulation.
func newMajorities(s *simulation) (list []*majority) {
	for set := range 1 << (len(s.nodes) - 1) {
		if bits.OnesCount(uint(set)) != (len(s.nodes)-1)/2+1 {
			continue
		}
		has := func(n *simNode) bool { return set>>(n.id-1)&1 == 1 }
		m := &majority{}
		for _, n := range s.nodes[1:] {
			if has(n) {
				m.nodes = append(m.nodes, n)
			}
		}
		for _, l := range s.links {
			if has(l.lower) && has(l.higher) {
				m.links = append(m.links, l)
			}
		}
		list = append(list, m)
	}
	return list
}

// isWell reports whether the nodes of a majority run undisturbed and are connected.
func (m *majority) isWell() bool {
	return !slices.ContainsFunc(m.nodes, func(n *simNode) bool { return !n.isWell() }) &&
		!slices.ContainsFunc(m.links, func(l *simLink) bool {
			return l.slow > 0 || l.blocked != [2]bool{} || l.full != [2]bool{} || !l.lower.reaches(l.higher) || !l.higher.reaches(l.lower)
		})
}

// String lists the nodes.
func (m *majority) String() string {
	var names []string
	for _, n := range m.nodes {
		names = append(names, fmt.Sprint(n.id))
	}
	return "nodes " + strings.Join(names, ", ")
}

// watch checks at each moment of the run, not only at its end, that what is interrupted goes on in time.
func (s *simulation) watch() {
	s.after(watchEvery, s.watch)
	if !s.isWhole() {
		s.whole = s.now
	}
	if s.db.away || s.whole == s.now {
		s.wholeWithDB = s.now
	}
	// lasted returns for how long something has lasted that began at a time, without the time before which something failed.
	lasted := func(began time.Duration) time.Duration { return s.now - max(began, s.whole) }
	if s.now-s.whole > mostWithout {
		s.stats.watched++
	}
	for _, m := range s.most {
		if !m.isWell() {
			m.brokenAt = s.now
		}
	}
	for a := range s.truth.areas {
		h := &s.truth.areas[a]
		if d := lasted(h.newest()); d > mostWithout {
			s.fail("area %d has had no tick for %v, in which nothing failed", a, d)
		}
		for _, m := range s.most {
			if d := s.now - max(h.newest(), m.brokenAt); d > mostElecting {
				s.fail("area %d has had no tick for %v, in which %v were well and connected", a, d, m)
			}
		}
		for _, n := range s.nodes[1:] {
			if n.p == nil || len(h.times)-int(n.p.areas[a].seen) <= ticksInFlight {
				continue
			}
			if d := lasted(h.times[n.p.areas[a].seen]); d > mostBehind {
				s.fail("node %d is %d ticks behind in area %d, although nothing failed for %v", n.id, len(h.times)-int(n.p.areas[a].seen), a, d)
			}
		}
	}
	for _, c := range s.clients {
		at := &s.truth.chars[c.id]
		if d := lasted(at.since); at.where == underWay && d > mostWithout {
			s.fail("character %d is under way from area %d to %d for %v, in which nothing failed", c.id, at.area, at.to, d)
		}
		if d := s.now - max(c.played, s.wholeWithDB); d > mostIdle && s.now < s.lasts-afterwards {
			s.fail("client %d could not play for %v, in which nothing failed: its character %v", c.id, d, at)
		}
	}
}

// newest returns the time at which the newest tick of an area was first shown, 0 if there is none.
func (h *areaTruth) newest() time.Duration {
	if len(h.times) == 0 {
		return 0
	}
	return h.times[len(h.times)-1]
}
