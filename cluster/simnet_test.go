package cluster

import (
	"time"

	"github.com/truestep-io/truestep/cluster/link"
)

// simLink models what package link guarantees for a pair of nodes, and nothing beyond:
//
//   - There is at most one connection. It carries the frames of each direction in order, without gaps and duplicates, until it breaks.
//     Then, in each direction, all frames after some point are lost; the point may differ between the directions.
//   - Each end calls Up, then Receive for each frame, then Down. The ends learn of a break at different times: at once, after the frames
//     that the peer sent before its end, or by 600 ms of silence. Send accepts frames until then. An end that still has the old connection
//     gets Down before the Up of the next one.
//   - While the queue of a direction is full, Send refuses frames and may take later ones, because each frame that is written makes room.
//   - A direction that carries nothing for a while delivers all frames later, in order, unless the receiver closes the connection
//     after 600 ms of silence.
//   - After a break the node with the smaller number dials again after 50 ms, and doubles the wait after each failure up to 1 s.
//
// Two things are not modelled. (1) Links cannot reorder, duplicate or damage frames, or lose some that Send has taken in the middle. (2) A
// real writer gives up if the peer reads nothing for 1.5 s; the ends then learn of the break as in the other cases.
type simLink struct {
	s       *simulation
	lower   *simNode
	higher  *simNode
	since   [2]time.Duration // time at which each direction was last blocked
	blocked [2]bool          // frames from the lower node (0) or the higher node (1) do not get through
	full    [2]bool          // the queue of that direction is full
	slow    time.Duration
	dials   int // attempts since the last connection
	dialing bool
}

// simConn is a connection, with an end at each node.
type simConn struct {
	link *simLink
	ends [2]*simEnd // ends[0] is at the lower node, ends[1] at the higher one
}

// simEnd is one end of a connection: the state of the node's handler for it, and the frames that arrive there.
type simEnd struct {
	conn      *simConn
	side      int // 0 at the lower node
	p         *process
	up        bool          // Up was called, and Down was not called since
	closed    bool          // Down was called, or Up will never be called
	last      time.Duration // time at which the newest frame arrives
	lostAfter time.Duration // if cut: frames that would arrive after this time are lost
	cut       bool
	held      []frame // frames that wait because the direction is blocked or the process stands still
	heldSince time.Duration
	since     time.Duration // time of the first measurement of the other node's clock
	err       int64         // error of the clock offset that this node has measured, in ms
}

type frame struct {
	kind byte
	body []byte
}

// silence is the time after which package link closes a silent connection.
const silence = 600 * time.Millisecond

func newSimLink(s *simulation, lower, higher *simNode) *simLink {
	return &simLink{s: s, lower: lower, higher: higher}
}

func (e *simEnd) other() *simEnd { return e.conn.ends[1-e.side] }

// simLinks implements Links for a process.
type simLinks struct{ p *process }

// Send implements Links.
func (l simLinks) Send(to uint64, kind byte, body []byte) bool {
	p, s := l.p, l.p.n.s
	if p.dead {
		return false
	}
	if s.running == p {
		if s.sends != nil {
			s.sends(p, to, kind, body)
		}
		s.point(p, pointSend)
	}
	e := p.ends[to]
	if e == nil || !e.up {
		return false
	}
	if e.conn.link.full[e.side] && s.chance(4) {
		s.stats.refused++
		return false
	}
	s.mix(p.n.id, to, uint64(kind), uint64(len(body)))
	e.conn.link.carry(e.other(), frame{kind, body})
	return true
}

// carry delivers a frame to one end of a connection after a random delay.
func (l *simLink) carry(to *simEnd, f frame) {
	s := l.s
	delay := 50*time.Microsecond + time.Duration(s.rand.Int64N(int64(400*time.Microsecond)))
	if s.chance(64) {
		delay += s.between(0, 30*time.Millisecond)
	}
	if l.slow > 0 {
		delay += s.between(0, l.slow)
	}
	to.last = max(s.now+delay, to.last+1)
	at := to.last
	s.at(at, func() { l.arrive(to, f, at) })
}

func (l *simLink) arrive(to *simEnd, f frame, at time.Duration) {
	switch {
	case to.closed || to.cut && at > to.lostAfter:
	case !to.up || l.blocked[1-to.side] || to.p.paused || len(to.held) > 0:
		to.hold(f)
	default:
		l.s.within(to.p, func() { to.p.handler.Receive(to.other().p.n.id, f.kind, f.body) })
		to.p.scheduleAll()
	}
}

func (e *simEnd) hold(f frame) {
	if len(e.held) == 0 {
		e.heldSince = e.conn.link.s.now
	}
	e.held = append(e.held, f)
}

// release delivers the frames that were held, if nothing holds them any more.
func (e *simEnd) release() {
	l := e.conn.link
	for len(e.held) > 0 && e.up && !l.blocked[1-e.side] && !e.p.paused && !e.p.dead {
		f := e.held[0]
		e.held = e.held[1:]
		l.s.within(e.p, func() { e.p.handler.Receive(e.other().p.n.id, f.kind, f.body) })
	}
	if !e.p.dead {
		e.p.scheduleAll()
	}
}

// close closes an end because its connection is broken, calls Down of its handler, and makes the other end close a little later.
func (e *simEnd) close(why string) {
	if e.closed {
		return
	}
	s := e.conn.link.s
	e.closed, e.held = true, nil
	wasUp := e.up
	e.up = false
	if e.p.ends[e.other().p.n.id] == e {
		e.p.ends[e.other().p.n.id] = nil
	}
	if wasUp && !e.p.dead {
		s.note("node %d loses its link to %d: %s", e.p.n.id, e.other().p.n.id, why)
		s.within(e.p, func() { e.p.handler.Down(e.other().p.n.id, link.ErrGone) })
		e.p.scheduleAll()
	}
	e.conn.end(e.side)
	e.conn.link.dial()
}

// end breaks a connection after one end has closed it. The other end reads what is under way and then learns of the break, or, if
// nothing gets through, closes its end because of the silence.
func (c *simConn) end(closer int) {
	s, l, other := c.link.s, c.link, c.ends[1-closer]
	if other.closed {
		return
	}
	if !other.cut {
		other.cut, other.lostAfter = true, s.now+s.between(0, time.Millisecond)
	}
	wait := s.between(0, 3*time.Millisecond)
	if l.blocked[closer] || s.chance(8) {
		wait = silence - s.between(0, 100*time.Millisecond)
	}
	s.after(wait, func() { other.notice("connection lost") })
}

// notice closes an end: at once, or, if its process is paused, when the process continues.
func (e *simEnd) notice(why string) {
	switch {
	case e.closed:
	case e.p.paused && !e.p.dead:
		e.p.onResume = append(e.p.onResume, func() { e.notice(why) })
	default:
		e.close(why)
	}
}

// reset breaks the connection of a link, if there is one. Frames that would arrive after a random moment are lost.
func (l *simLink) reset() {
	for _, n := range [...]*simNode{l.lower, l.higher} {
		if n.p == nil {
			continue
		}
		peer := l.higher.id
		if n == l.higher {
			peer = l.lower.id
		}
		if e := n.p.ends[peer]; e != nil {
			for _, end := range e.conn.ends {
				if !end.cut {
					end.cut, end.lostAfter = true, l.s.now+l.s.between(0, time.Millisecond)
				}
				l.s.after(l.s.between(0, 5*time.Millisecond), func() { end.notice("reset") })
			}
			return
		}
	}
}

// setBlocked blocks or unblocks one direction of a link. The parameter from is 0 for frames from the lower node, 1 from the higher one.
func (l *simLink) setBlocked(from int, blocked bool) {
	if l.blocked[from] == blocked {
		return
	}
	s := l.s
	l.blocked[from] = blocked
	receiver := l.higher
	sender := l.lower.id
	if from == 1 {
		receiver, sender = l.lower, l.higher.id
	}
	if receiver.p == nil {
		return
	}
	e := receiver.p.ends[sender]
	if e == nil {
		return
	}
	if !blocked {
		s.after(s.between(0, 2*time.Millisecond), e.release)
		return
	}
	began := s.now
	l.since[from] = began
	s.after(silence-s.between(0, 100*time.Millisecond), func() {
		if l.blocked[from] && l.since[from] == began && !e.closed {
			e.notice("silence")
		}
	})
}

// dial makes a connection after some time, if the link needs one.
func (l *simLink) dial() {
	if l.dialing {
		return
	}
	l.dialing = true
	wait := min(50*time.Millisecond<<min(l.dials, 5), time.Second)
	l.dials++
	l.s.after(wait+l.s.between(0, 5*time.Millisecond), l.connect)
}

// connect does the handshake, unless one of the nodes does not answer or a direction is blocked.
func (l *simLink) connect() {
	l.dialing = false
	s, a, b := l.s, l.lower.p, l.higher.p
	if a == nil || a.ends[l.higher.id] != nil {
		return // the process dials when it starts
	}
	if b == nil || a.paused || b.paused || l.blocked[0] || l.blocked[1] {
		l.dial()
		return
	}
	if old := b.ends[l.lower.id]; old != nil {
		old.close("replaced")
	}
	c := &simConn{link: l}
	for side, p := range [...]*process{a, b} {
		c.ends[side] = &simEnd{conn: c, side: side, p: p, since: s.now, err: s.rand.Int64N(5) - 2}
	}
	a.ends[l.higher.id], b.ends[l.lower.id] = c.ends[0], c.ends[1]
	l.dials = 0
	for _, e := range c.ends {
		hello := link.Hello{Node: e.other().p.n.id, Incarnation: e.other().p.mesh}
		s.after(s.between(200*time.Microsecond, 2*time.Millisecond), func() { e.begin(hello) })
	}
}

// begin calls Up of the end's handler: at once, or, if the process is paused, when the process continues.
func (e *simEnd) begin(hello link.Hello) {
	s := e.conn.link.s
	switch {
	case e.closed || e.p.dead:
		return
	case e.p.paused:
		e.p.onResume = append(e.p.onResume, func() { e.begin(hello) })
		return
	}
	e.up = true
	s.note("node %d has a link to %d", e.p.n.id, hello.Node)
	s.within(e.p, func() { e.p.handler.Up(hello.Node, hello) })
	e.release()
}
