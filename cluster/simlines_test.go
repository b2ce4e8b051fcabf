package cluster

import (
	"fmt"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// line is a chat line of a client that a process has accepted.
type line struct {
	session   int
	area      sim.AreaID
	said      time.Duration
	taken     bool // it has left the inbox of the area, in a chunk
	heard     bool // it is in a frame
	mayBeLost bool
	number    int
}

func (c *client) say(x *session) {
	c.number++
	text := fmt.Sprintf("%d/%d/%d", c.id, x.number, c.number)
	c.s.note("client %d says %s in area %d", c.id, text, x.area)
	l := &line{session: x.number, area: x.area, said: c.s.now, number: c.number}
	if x.submit(sim.Intent{Kind: sim.IntentChat, Text: text}) {
		c.lines[text], c.last = l, l
		x.said = append(x.said, l)
	}
}

// dropWaiting notes which lines a leave or a lost connection removes from the inbox: none if the inbox gives out all intents of the
// player in one round.
func (x *session) dropWaiting() {
	if x.waiting+x.lately > area.MaxIntentsTick {
		x.loseLines(func(l *line) bool { return !l.taken })
	}
}

// loseLines notes that chat lines of the session that are not heard yet may be lost.
func (x *session) loseLines(which func(*line) bool) {
	for _, l := range x.said {
		l.mayBeLost = l.mayBeLost || which(l)
	}
}

// noteChunks notes which intents have left the inbox of the area in new chunks. From then on the node sends them again until they are
// in a frame. A round may have several chunks: each barrier makes one.
func (a *simArea) noteChunks() {
	out := &a.g.out
	if out.incarnation != a.chunks.incarnation {
		a.chunks = mark{incarnation: out.incarnation}
	}
	for i := range out.pending {
		c := &out.pending[i]
		if c.seq <= a.chunks.seq {
			continue
		}
		counts := map[*session]int{}
		for j := range c.intents {
			in := &c.intents[j]
			x := a.p.byActor[in.Who]
			if x == nil || in.Kind.IsOfServer() {
				continue
			}
			counts[x]++
			if l := x.c.lines[in.Text]; in.Kind == sim.IntentChat && l != nil {
				l.taken = true
			}
		}
		for x, n := range counts {
			if x.round != out.roundAt {
				x.round, x.lately = out.roundAt, 0
			}
			x.waiting, x.lately = max(0, x.waiting-n), x.lately+n
		}
	}
	a.chunks.seq = out.last
}

// unheard returns the chat lines that the process has put into chunks of an area and that are in no frame yet.
func (p *process) unheard(a sim.AreaID) (list []*line) {
	for _, c := range p.n.s.clients {
		for _, x := range c.sessions {
			for _, l := range x.said {
				if x.p == p && l.area == a && l.taken {
					list = append(list, l)
				}
			}
		}
	}
	return list
}

// heard notes that a line of chat was shown.
func (t *truth) heard(c *charTruth, by *client, text string) {
	l := by.lines[text]
	if l == nil {
		t.s.fail("a line was heard that no client has said: %q", text)
		return
	}
	t.s.stats.lines++
	if l.heard {
		t.s.fail("line %q of character %d is in two ticks", text, by.id)
	}
	l.heard = true
	if l.session != c.session {
		t.s.fail("line %q of session %d of character %d is heard, and session %d has the character", text, l.session, by.id, c.session)
	}
	x := by.sessions[l.session-1]
	for i, earlier := range x.said {
		if earlier == l {
			x.said = x.said[i+1:]
			return
		}
		if !earlier.mayBeLost {
			t.s.fail("line %q of character %d is heard, and the earlier line %d of the same session, accepted %v ago, was not", text, by.id, earlier.number, t.s.now-earlier.said)
			return
		}
	}
	t.s.fail("line %q of character %d is heard after a later line of the same session", text, by.id)
}

// checkHeard checks that all lines of a client in an area are heard before its character is no longer that of its session: the lines that
// are in chunks of nodes that the area has not declared dead. A session that takes over its own body again may have spoken after an earlier
// takeover and be confirmed a later one, which it had asked for before.
func (t *truth) checkHeard(a *simArea, c *client, by *session, what string) {
	for _, x := range c.sessions {
		if x == by || a.g.origins[x.p.n.id].gone >= x.holder.incarnation {
			continue
		}
		for _, l := range x.said {
			if l.area == a.g.area && l.taken && !l.mayBeLost {
				t.s.fail("character %d %v, and line %d of its session %d through node %d, accepted %v ago, was not heard", c.id, what, l.number, x.number, x.p.n.id, t.s.now-l.said)
			}
		}
	}
}

// checkApplied checks, when a process answers a barrier, that the lines before it are heard.
func (t *truth) checkApplied(p *process, before []*line) {
	for _, l := range before {
		if !l.heard && !l.mayBeLost {
			t.s.fail("node %d answers a barrier of area %d, and a line that it accepted before, %v ago, was not heard", p.n.id, l.area, t.s.now-l.said)
		}
	}
}
