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

// Limits for the messages of a connected client.
const (
	readTimeout       = 30 * time.Second // time without a message after which a connection is considered lost
	messagesPerSecond = 100              // maximum number of messages per second of one client: 20 inputs, 20 acknowledgements, and requests (Act)
	messageBurst      = 200              // maximum number of messages that may arrive at once, after a stall of the network
	maxQueuedInputs   = 60               // maximum number of queued inputs of one client, 3 s; if there are more, the oldest are dropped
)

// player is a connection together with its player in the world. The fields after the comment "//--" are used only by the worker
// that serves the player.
type player struct {
	g        *Gateway
	w        *worker
	link     link
	who      session.Peer
	place    *admission.Place // place of this connection within the door's limit of connections; nil if the connection has no place
	login    *session.Login
	session  *session.Session
	token    proto.ResumeToken // token with which the client can resume the session
	resume   *resumable        // session that token resumes
	replaced atomic.Bool       // another connection of the account has taken over the session
	left     atomic.Bool       // the player has logged out, so its actor must not stay in the world
	unplayed atomic.Bool       // the character is new and its client has sent no input yet, so its actor does not stay in the world without a connection
	gone     chan struct{}     // closed when the connection has ended
	once     sync.Once         // runs disconnect once

	//--

	welcomed bool          // the client was sent its Welcome message
	answerBy int64         // time in ms until which the client must be sent a Welcome or a Refused message
	scene    *scene        // nil while the player is in no area
	former   *scene        // the scene that the player has just left; nil once the player has arrived in the next one
	shown    interest.View // actors in the client's view
	teller   *proto.Teller // encodes snapshots
	budget   proto.Budget  // limits the bytes per second that the client is sent
	handles  handleTable
	sent     uint16 // number of control messages that were sent, modulo 65536
	heard    uint16 // number of control messages that the client has received, modulo 65536

	inputs     []queuedInput // inputs that have not been passed to the area yet
	newest     uint64        // tick of the newest input received
	passed     uint64        // tick of the newest input that was passed to the area; that of the Welcome before the first
	passedNow  int           // number of inputs that were passed to the area with the present frame
	inputTick  uint64        // tick of the last input that the area has processed; that of the Welcome before the first
	dueInputs  int           // inputs that are due and were not passed to the area, in units of 1/TicksPerSecond of an input
	expelled   bool          // the area has ended the session, for example because of cheating
	unheard    bool          // the connection was ended because the client has acknowledged no snapshots
	barriers   []uint32      // serials of Own messages that the client has not acknowledged, oldest first
	pending    []pendingAct  // attacks and commands whose results are awaited
	rtt        roundTrip
	loss       session.Loss
	lastLink   int64       // time in ms at which the connection's statistics were last stored
	linkStores int         // number of times that the statistics were stored
	packetsOut uint64      // number of messages and snapshots sent
	party      sim.PartyID // party at the last update of the view
	areaTick   sim.Tick    // value of scene.areaTick when the client was last sent the game's area fields; 0 before
	farewellAt int64       // time in ms at which to close the connection, because the player left the world; 0 while the player is in the world
}

// pendingAct is an attack or a command of the client for which the area has not reported the result yet.
type pendingAct struct {
	number uint16       // number of the client's request
	target sim.EntityID // target of an attack; 0 for a command
	since  sim.Tick     // tick of the request
}

// rate is a token bucket that limits the messages of one client. Only the goroutine that reads from the client uses it.
type rate struct {
	tokens float64
	at     time.Time
}

// allow removes a token from the bucket. It returns false if there is none, because the client has sent messages too fast.
func (r *rate) allow(now time.Time) bool {
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

// read processes the messages of the client until the connection ends.
func (p *player) read() {
	var limit rate
	for {
		ctx, cancel := context.WithTimeout(p.g.ctx, readTimeout)
		b, err := p.link.receive(ctx)
		cancel()
		bad := errors.Is(err, errBadDatagram)
		if !bad && errors.Is(err, errMalformed) {
			p.malformed()
		}
		if err != nil && !bad {
			return
		}
		p.g.door.PacketsIn.Inc()
		p.g.door.BytesIn.Add(len(b))
		p.session.Link().PacketsIn.Add(1)
		p.session.Link().BytesIn.Add(uint64(len(b)))
		if !limit.allow(time.Now()) {
			p.g.door.Bad.With("flood").Inc()
			continue
		}
		if bad {
			p.g.door.Bad.With("malformed_datagram").Inc()
			continue
		}
		if !p.handle(b) {
			return
		}
	}
}

// handle parses one message and passes it to the worker of the player. It returns false if the connection must end.
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

// malformed counts an invalid message of the client in the metrics and closes the connection.
func (p *player) malformed() {
	p.g.door.Bad.With("malformed").Inc()
	p.bye(proto.ByeMalformed, false, "The server did not understand your client.")
}

// bye tells the client why the connection ends, and closes the connection. The parameter resume is true if the client may resume
// the session on another connection. bye may be called from any goroutine.
func (p *player) bye(why proto.ByeReason, resume bool, text string) {
	p.link.control(&proto.Bye{Reason: why, Resume: resume, Text: text})
	p.link.close()
}

// endUnheard ends the connection of a client that has acknowledged no snapshots for too long, and counts that in the metrics. Later calls
// have no effect. The client may resume its session.
func (p *player) endUnheard() {
	if p.unheard {
		return
	}
	p.unheard = true
	p.g.door.Bad.With("unacknowledged").Inc()
	p.bye(proto.ByeSlow, true, "The connection was lost.")
}

// disconnect ends the session of a player whose connection has ended. The player's actor stays in the world for some seconds. It
// leaves at once if the player has logged out, or is new and has sent no input.
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

// send queues a control message. If the queue is full because the client does not read, send replaces the queued messages
// by one with the reason and disconnects the client. The client receives that message if it reads again in time.
func (p *player) send(m proto.Message) {
	length, ok := p.link.control(m)
	if !ok {
		p.g.countSlowReader()
		p.link.controlLast(&proto.Bye{Reason: proto.ByeSlow, Resume: true, Text: "Your connection is too slow for the number of messages of this area."})
		p.link.close()
		return
	}
	p.budget.AddControl(length)
	p.sent++
	p.packetsOut++
}

// countSlowReader counts in the metrics that a client was disconnected because it does not read.
func (g *Gateway) countSlowReader() { g.door.Bad.With("slow_reader").Inc() }

// hears reports whether the client has confirmed the receipt of the control message with this number. Numbers are modulo 65536.
func (p *player) hears(number uint16) bool { return int16(p.heard-number) >= 0 }
