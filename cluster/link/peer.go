package link

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// Times of dialling.
const (
	minBackoff = 50 * time.Millisecond // wait after the first failure; it doubles with each further one
	maxBackoff = time.Second           // longest wait between two attempts
	dialTime   = time.Second           // time limit of a TCP connect
	steady     = time.Second           // a link that lasted this long resets the wait to minBackoff
)

// peer is another node with the links to it. One goroutine serves these links, one after the other, and makes all calls of the
// handler. The goroutine runs dial if this node dials the peer, else await.
type peer struct {
	m       *Mesh
	node    Node
	arrived chan struct{} // holds a value after waiting was set; capacity 1
	offsets offsets       // estimate of the node's clock
	notices notices       // log lines about the node
	unsent  atomic.Uint64 // number of frames that were refused because the queue was full

	mu       sync.Mutex
	waiting  *conn     // accepted link that the peer's goroutine has not taken over yet
	live     *conn     // current link; set before the handler's Up is called, and cleared before Down is called
	closed   bool      // no further link may begin
	last     Hello     // hello of the newest link
	since    time.Time // time at which live was set or became nil; zero if there was no link
	links    uint64    // number of links so far
	sent     uint64    // bytes sent on earlier links
	received uint64
	problem  string // why there is no link; "" while there is one
}

// current returns the current link, or nil if there is none.
func (p *peer) current() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live
}

// incarnation returns the newest incarnation (number of a run) of the node among its links, 0 if there is no link.
func (p *peer) incarnation() (newest uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range [...]*conn{p.waiting, p.live} {
		if c != nil {
			newest = max(newest, c.peer.Incarnation)
		}
	}
	return newest
}

// dial connects to the node, serves the link, and connects again, until the mesh is closed.
func (p *peer) dial() {
	wait := minBackoff
	for p.m.ctx.Err() == nil {
		c, err := p.connect()
		if err != nil {
			p.report(err)
			p.m.pause(wait)
			wait = min(2*wait, maxBackoff)
			continue
		}
		began := time.Now()
		p.serve(c)
		if time.Since(began) >= steady {
			wait = minBackoff
		}
		p.m.pause(wait)
		wait = min(2*wait, maxBackoff)
	}
}

// connect dials the node and does the handshake.
func (p *peer) connect() (*conn, error) {
	ctx, cancel := context.WithTimeout(p.m.ctx, dialTime)
	defer cancel()
	raw, err := p.m.cfg.Dial(ctx, "tcp", p.node.Addr)
	if err != nil {
		return nil, err
	}
	c, _, err := p.m.handshake(p.m.ctx, raw, p)
	return c, err
}

// await serves the links that the other node dials, until the mesh is closed.
func (p *peer) await() {
	for {
		select {
		case <-p.m.ctx.Done():
			return
		case <-p.arrived:
			p.mu.Lock()
			c := p.waiting
			p.mu.Unlock()
			if c != nil {
				p.serve(c)
			}
		}
	}
}

// take replaces the existing links to the node by a link that the node has dialled, and passes the new link to await. But if an
// existing link is from a newer process of the node, take closes the new link instead.
func (p *peer) take(c *conn) {
	p.mu.Lock()
	waiting, live := p.waiting, p.live
	refuse := p.closed
	for _, old := range [...]*conn{waiting, live} {
		refuse = refuse || old != nil && old.peer.Incarnation > c.peer.Incarnation
	}
	if !refuse {
		p.waiting = c
	}
	p.mu.Unlock()
	if refuse {
		c.fail(ErrReplaced)
		return
	}
	for _, old := range [...]*conn{waiting, live} {
		if old != nil {
			old.fail(ErrReplaced)
		}
	}
	select {
	case p.arrived <- struct{}{}:
	default:
	}
}

// begin makes c the current link. It returns false if c is closed, or was made before the last call of SetIncarnation.
func (p *peer) begin(c *conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting == c {
		p.waiting = nil
	}
	if p.closed || c.own != p.m.incarnation.Load() || c.why() != nil {
		return false
	}
	c.since = c.clock()
	p.live, p.last, p.since, p.problem = c, c.peer, c.since, ""
	p.links++
	return true
}

// serve makes c the current link, and calls the handler until c is closed.
func (p *peer) serve(c *conn) {
	m := p.m
	if !p.begin(c) {
		c.fail(ErrIncarnation)
		return
	}
	p.offsets.reset(c.first)
	c.from.timed = true
	var writer sync.WaitGroup
	writer.Go(c.write)
	m.cfg.Log.Info("link is up", slog.String(fieldNode, p.node.Name), slog.Uint64(fieldIncarnation, c.peer.Incarnation), slog.String(fieldVersion, c.peer.Program))
	m.cfg.Handler.Up(p.node.ID, c.peer)
	c.read(p.observe, func(kind byte, body []byte) { m.cfg.Handler.Receive(p.node.ID, kind, body) })
	writer.Wait()

	why := c.why()
	p.mu.Lock()
	p.live = nil
	p.since = c.clock()
	p.sent += c.sent.Load()
	p.received += c.received.Load()
	p.problem = why.Error()
	p.mu.Unlock()
	m.cfg.Log.Info("link is down", slog.String(fieldNode, p.node.Name), slog.Any(telemetry.FieldErr, why))
	m.cfg.Handler.Down(p.node.ID, why)
}

// close closes the links of the peer and prevents new ones.
func (p *peer) close(cause error) {
	p.mu.Lock()
	p.closed = true
	ending := [...]*conn{p.waiting, p.live}
	p.waiting = nil
	p.mu.Unlock()
	for _, c := range ending {
		if c != nil {
			c.fail(cause)
		}
	}
}

// observe adds a round trip to the estimate of the node's clock, and logs a clock that has drifted too far.
func (p *peer) observe(r roundTrip) {
	p.offsets.observe(r)
	if best := p.offsets.get(); best.beyond(MaxClockOffset) {
		p.notices.warn(p.m.cfg.Log, "the clock of another node differs too much from the clock of this node", nil, slog.String(fieldNode, p.node.Name), slog.Int64(fieldOffset, best.offset.Milliseconds()))
	}
}

// report logs why a link could not be made, and stores the reason for Status.
func (p *peer) report(err error) {
	if p.m.ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	if p.live == nil {
		p.problem = err.Error()
	}
	p.mu.Unlock()
	text := "cannot connect to another node, retrying"
	if _, ok := errors.AsType[*refused](err); ok {
		text = "link refused"
	} else if errors.Is(err, ErrRefused) {
		text = "link refused by node"
	}
	p.notices.warn(p.m.cfg.Log, text, err, slog.String(fieldNode, p.node.Name), slog.String(telemetry.FieldAddr, p.node.Addr))
}

func (p *peer) status() PeerStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	trip := p.offsets.get()
	s := PeerStatus{
		Node: p.node, Connected: p.live != nil, Since: p.since, Hello: p.last, RoundTrip: trip.length, OffsetMS: p.m.OffsetMS(p.node.ID),
		Links: p.links, Unsent: p.unsent.Load(), Sent: p.sent, Received: p.received, Problem: p.problem,
	}
	if c := p.live; c != nil {
		s.Queued = c.queuedBytes()
		s.Sent += c.sent.Load()
		s.Received += c.received.Load()
	}
	return s
}

// Names of log fields.
const (
	fieldNode        = "node"        // name of the other node
	fieldIncarnation = "incarnation" // incarnation of the other node
	fieldVersion     = "version"     // version of the program of the other node
	fieldOffset      = "offset_ms"   // clock of the other node minus the own clock
	fieldExpires     = "expires"     // time at which the certificate expires
)

// Limits for similar log lines. A line with equal text and an equal error is logged at most once in noticeEvery, and a line with
// equal text but another error at most once in noticeOther.
const (
	noticeEvery = 30 * time.Second
	noticeOther = 5 * time.Second
)

// notices limits the rate of log lines about one subject, such as a peer.
type notices struct {
	mu   sync.Mutex
	last map[string]*notice // newest line by text; texts are constants of the program
}

// notice is the newest log line with one text.
type notice struct {
	err     string    // text of the error
	at      time.Time // when it was logged
	leftOut int       // number of similar lines since at that were not logged
}

// warn logs a warning, or only counts it if a similar one was logged a short time ago. err may be nil.
func (n *notices) warn(log *slog.Logger, text string, err error, fields ...slog.Attr) {
	what := ""
	if err != nil {
		what = err.Error()
		fields = append(fields, slog.Any(telemetry.FieldErr, err))
	}
	n.mu.Lock()
	last := n.last[text]
	if last == nil {
		last = new(notice)
		if n.last == nil {
			n.last = map[string]*notice{}
		}
		n.last[text] = last
	}
	now := time.Now()
	past := now.Sub(last.at)
	if !last.at.IsZero() && (past < noticeOther || what == last.err && past < noticeEvery) {
		last.leftOut++
		n.mu.Unlock()
		return
	}
	if last.leftOut > 0 {
		fields = append(fields, slog.Int(telemetry.FieldLeftOut, last.leftOut))
	}
	*last = notice{err: what, at: now}
	n.mu.Unlock()
	log.LogAttrs(context.Background(), slog.LevelWarn, text, fields...)
}
