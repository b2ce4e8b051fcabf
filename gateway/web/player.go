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
	messagesPerSecond = 100              // maximum messages per second of one client: 20 inputs, 20 acknowledgements, and requests (Act)
	messageBurst      = 200              // maximum number of messages that may arrive at once after a network stall
	maxQueuedInputs   = 40               // maximum number of inputs that wait for their tick; beyond it the oldest are dropped
)

// player is a client in the world, with its connection. Only its worker may use the fields below the line.
type player struct {
	g        *Gateway
	w        *worker
	link     link
	who      session.Peer
	place    *admission.Place
	login    *session.Login
	session  *session.Session
	token    proto.ResumeToken
	resume   *resumable
	replaced atomic.Bool   // another connection of the account continues the session
	left     atomic.Bool   // the player has logged out, so its body must not linger
	unplayed atomic.Bool   // the character is new and its client has sent no input yet, so its body does not linger
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
	expelled   bool          // the area has requested the end of the connection
	barriers   []uint32      // serials of Own messages that are not confirmed, oldest first
	pending    []pendingAct  // attacks and commands that wait for their result
	rtt        roundTrip
	loss       session.Loss
	lastLink   int64 // time in ms when the measurements of the link were stored
	linkStores int
	packetsOut uint64
	party      sim.PartyID
	areaTick   sim.Tick // tick of the last change of area fields that the client was sent
	farewellAt int64    // time in ms when the connection is closed because the player was removed; 0 if it was not
}

// pendingAct is an attack or a command whose result the area has not reported yet.
type pendingAct struct {
	number uint16
	target sim.EntityID // target of an attack; 0 for a command
	since  sim.Tick
}

// rate is a token bucket that limits the messages of one client. Only the reading goroutine uses it.
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

// handle parses one message and passes it to the worker. It returns whether the connection may continue.
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
		p.w.post(inbound{p: p, input: proto.Input{ReceivedSnapshots: ack.ReceivedSnapshots}})
		return true
	}
	m, err := proto.ParseClientMessage(b)
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

// bye sends the client the reason for which the connection ends, and closes the connection. It may be called from any
// goroutine.
func (p *player) bye(why proto.ByeReason, resume bool, text string) {
	p.link.control(&proto.Bye{Reason: why, Resume: resume, Text: text})
	p.link.close()
}

// disconnect ends the session of a connection that has ended. The player's body lingers in the world, unless the player has
// logged out.
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

// send queues a control message. A client that does not read is disconnected when its queue is full: the queued messages are
// replaced by the reason, which the client receives if it reads again before the connection is closed.
func (p *player) send(m proto.Message) {
	if !p.link.control(m) {
		p.g.countSlowReader()
		p.link.controlLast(&proto.Bye{Reason: proto.ByeSlow, Resume: true, Text: "Your connection is too slow for what happens here."})
		p.link.close()
		return
	}
	p.sent++
	p.packetsOut++
}

// countSlowReader counts a client that is disconnected because it does not read.
func (g *Gateway) countSlowReader() { g.door.Bad.With("slow_reader").Inc() }

// hears reports whether the client has confirmed the control message with this number.
func (p *player) hears(number uint16) bool { return int16(p.heard-number) >= 0 }
