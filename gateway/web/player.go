package web

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
)

// Limits of reading from a client whose player is in the world.
const (
	readTimeout       = 30 * time.Second // time without a message after which a connection counts as lost
	messagesPerSecond = 100              // maximum rate of messages: 20 inputs, 20 acknowledgements, and acts
	messageBurst      = 200              // maximum number of messages that may arrive at once after a network stall
	maxQueuedInputs   = 40               // inputs that wait for their tick; the oldest are dropped
)

// player is a client in the world. Fields below the line belong to its worker.
type player struct {
	g        *Gateway
	w        *worker
	link     link
	who      session.Peer
	place    *admission.Place
	login    *session.Login
	session  *session.Session
	token    proto.Token
	resume   *resumable
	replaced atomic.Bool   // another connection of the account goes on with the session
	left     atomic.Bool   // the player has left, and its body must not linger
	unplayed atomic.Bool   // the character is new, and its client has sent no input: nobody would miss its body
	gone     chan struct{} // closed when the connection has ended
	once     sync.Once

	//--

	welcomed bool
	scene    *scene
	shown    interest.View
	teller   *proto.Teller
	handles  handleTable
	sent     uint16 // control messages sent, low bits
	heard    uint16 // control messages that the client has confirmed, low bits

	inputs     []queuedInput // inputs that wait for their tick
	newest     uint64        // tick of the newest input received
	inputTick  uint64        // tick of the last input that the area has processed
	dueInputs  int           // inputs due since the last frame, in 1/ticks per second
	expelled   bool          // the area has asked for the end of the connection
	barriers   []uint32      // serials of Own messages that are not confirmed, oldest first
	pending    []pendingAct  // attacks that wait for their result
	rtt        roundTrip
	loss       session.Loss
	lastLink   int64 // time in ms when the measurements of the link were stored
	linkStores int
	packetsOut uint64
	party      sim.PartyID
	areaTick   sim.Tick // of the fields of the area that the client was sent last
	farewellAt int64    // time in ms when the connection is closed because the player was removed; 0 if it was not
}

// pendingAct is an attack or a command whose result the area has not told yet.
type pendingAct struct {
	number uint16
	target sim.EntityID // of an attack; 0 of a command
	since  sim.Tick
}

// rate limits the messages of one client. It is a token bucket, used by the reading goroutine only.
type rate struct {
	tokens float64
	at     time.Time
}

// take takes a token. It returns false if the client exceeds its rate.
func (r *rate) take(now time.Time) bool {
	if r.at.IsZero() {
		r.tokens = messageBurst
	} else {
		r.tokens = min(r.tokens+now.Sub(r.at).Seconds()*messagesPerSecond, messageBurst)
	}
	r.at = now
	if r.tokens < 1 {
		return false
	}
	r.tokens--
	return true
}

// read handles the messages of the client until the connection ends.
func (p *player) read() {
	var limit rate
	for {
		ctx, cancel := context.WithTimeout(p.g.ctx, readTimeout)
		b, err := p.link.receive(ctx)
		cancel()
		if errors.Is(err, errMalformed) {
			p.malformed()
		}
		if err != nil {
			return
		}
		p.g.door.PacketsIn.Inc()
		p.g.door.BytesIn.Add(len(b))
		p.session.Link().PacketsIn.Add(1)
		p.session.Link().BytesIn.Add(uint64(len(b)))
		if !limit.take(time.Now()) {
			p.g.door.Bad.With("flood").Inc()
			continue
		}
		if !p.handle(b) {
			return
		}
	}
}

// handle parses one message and gives it to the worker. It returns false when the connection must end.
func (p *player) handle(b []byte) bool {
	if len(b) == 0 {
		p.malformed()
		return false
	}
	switch b[0] {
	case proto.KindInput:
		in, err := proto.ParseInput(b)
		if err != nil {
			p.g.door.Bad.With("malformed_input").Inc()
			return true // a damaged datagram is dropped
		}
		p.w.post(inbound{p: p, input: in})
		return true
	case proto.KindAck:
		ack, err := proto.ParseAck(b)
		if err != nil {
			p.g.door.Bad.With("malformed_ack").Inc()
			return true
		}
		p.w.post(inbound{p: p, input: proto.Input{Received: ack.Received}})
		return true
	}
	m, err := proto.ParseToServer(b)
	if errors.Is(err, proto.ErrUnknown) {
		p.g.door.Bad.With("unknown").Inc()
		return true
	}
	act, ok := m.(*proto.Act)
	if err != nil || !ok {
		p.malformed()
		return false
	}
	if act.Verb == proto.VerbLeave {
		p.left.Store(true)
		p.bye(proto.ByeLeft, false, "")
		return false
	}
	return p.w.enqueue(func() { p.handleAct(act) })
}

// malformed ends the connection of a client that violates the protocol.
func (p *player) malformed() {
	p.g.door.Bad.With("malformed").Inc()
	p.bye(proto.ByeMalformed, false, "The server did not understand your client.")
}

// bye tells the client that the connection ends, and ends it. It may be called from any goroutine.
func (p *player) bye(why proto.ByeReason, resume bool, text string) {
	p.link.control(&proto.Bye{Reason: why, Resume: resume, Text: text})
	p.link.close()
}

// disconnect ends the session of a connection that has ended. The body lingers, unless the player has left.
func (p *player) disconnect() {
	p.once.Do(func() {
		if p.left.Load() || p.unplayed.Load() {
			p.session.Leave()
			p.g.resumes.end(p.token)
		} else {
			p.session.Disconnect()
			p.g.resumes.disconnected(p.token, time.Now())
		}
		p.g.ours.Delete(p.session.Entity)
		p.releaseAccount()
		close(p.gone)
		if p.w != nil {
			p.w.enqueue(func() { p.w.remove(p) })
		}
	})
}

// send queues a control message. A client that does not read is disconnected.
func (p *player) send(m proto.Message) {
	if !p.link.control(m) {
		p.g.door.Bad.With("slow_reader").Inc()
		p.link.close()
		return
	}
	p.sent++
	p.packetsOut++
}

// hears reports whether the client has confirmed the control message with a number.
func (p *player) hears(number uint16) bool { return int16(p.heard-number) >= 0 }
