package web

import (
	"slices"
	"strings"
	"unicode/utf8"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// inputsPerSecond is the number of inputs that a client sends per second. It is the same for all worlds, whatever their tick
// rate.
const inputsPerSecond = 20

// maxChat is the maximum length in bytes of a chat line and of other texts from players.
const maxChat = 250

// keyFlags pairs each key bit of the protocol with its input flag of sim/move.
var keyFlags = [...]struct {
	wire proto.Keys
	move move.InputFlags
}{
	{proto.KeyJumpDown, move.InputJumpDown},
	{proto.KeyJumping, move.InputJumping},
	{proto.KeyStartJump, move.InputStartJump},
	{proto.KeySneakDown, move.InputSneakDown},
	{proto.KeyStartSneak, move.InputStartSneak},
	{proto.KeyStopSneak, move.InputStopSneak},
	{proto.KeyStartSprint, move.InputStartSprint},
	{proto.KeyStopSprint, move.InputStopSprint},
	{proto.KeyStartSwim, move.InputStartSwim},
	{proto.KeyStopSwim, move.InputStopSwim},
	{proto.KeyStartGlide, move.InputStartGlide},
	{proto.KeyStopGlide, move.InputStopGlide},
	{proto.KeyWantUp, move.InputWantUp},
	{proto.KeyWantDown, move.InputWantDown},
	{proto.KeyHandledTeleport, move.InputHandledTeleport},
}

// toInput converts the keys and angles of one client tick to an input for the area. The parameter rtt is the round-trip time in
// ms. The position that the client claims for some ticks is not a part of the keys; the caller adds it.
func toInput(tick uint64, e *proto.InputEntry, rtt uint16) move.Input {
	yaw := e.YawDegrees()
	in := move.Input{Tick: tick, Pitch: float32(e.Pitch), Yaw: yaw, HeadYaw: yaw, RTT: rtt}
	in.Move[0], in.Move[1] = e.Sticks()
	for _, f := range &keyFlags {
		if e.Keys&f.wire != 0 {
			in.Flags |= f.move
		}
	}
	if e.Forward > 0 {
		in.Flags |= move.InputUp
	} else if e.Forward < 0 {
		in.Flags |= move.InputDown
	}
	return in
}

func vec(v [3]float32) geom.Vec { return geom.Vec{X: v[0], Y: v[1], Z: v[2]} }

// extend returns the 64-bit tick whose low 32 bits are low, as a message contains them. Of all such ticks, it is the one nearest
// to the tick in the parameter last.
func extend(low uint32, last uint64) uint64 { return last + uint64(int64(int32(low-uint32(last)))) }

// handleInput processes an input message, which contains the newest inputs of the client and acknowledges snapshots. A message
// without inputs is only an acknowledgement.
func (p *player) handleInput(in *proto.Input) {
	if !p.welcomed {
		p.g.door.Bad.With("early_input").Inc()
		return
	}
	p.rtt.taken(in.Run, in.Seq, p.g.nowMS())
	if !p.link.ordered() {
		if err := p.teller.Ack(in.ReceivedSnapshots); err != nil {
			p.malformed()
			return
		}
	}
	if in.N == 0 { // the message contains no input: it is only an acknowledgement
		return
	}
	p.unplayed.Store(false)
	if int16(in.Heard-p.heard) >= 0 && int16(p.sent-in.Heard) >= 0 {
		p.heard = in.Heard
		p.handles.confirm(p.hears, p.teller.Confirmed(), p.teller.Confirm)
	}
	tick := extend(in.Tick, p.newest)
	for i := range in.N {
		t := tick - uint64(in.N-1-i)
		at, queued := p.findQueued(t)
		if queued || t <= p.passed || t > tick { // the input was received or given up before, or its tick would be below 0
			continue
		}
		e := queuedInput{input: toInput(t, &in.Entries[i], p.rtt.ms())}
		if i == in.N-1 {
			e.input.Pos, e.input.Delta = vec(in.Pos), vec(in.Vel)
			e.confirms = p.confirmBarrier(in.Barrier)
		} else {
			e.input.Flags |= move.InputUnclaimed
		}
		p.queueInput(at, e)
	}
}

// findQueued returns the index in p.inputs of the input of a tick, or the index at which it belongs if it is not queued.
func (p *player) findQueued(tick uint64) (at int, queued bool) {
	at = len(p.inputs)
	for at > 0 && p.inputs[at-1].input.Tick >= tick {
		at--
	}
	return at, at < len(p.inputs) && p.inputs[at].input.Tick == tick
}

// queueInput inserts an input into p.inputs at the index of its tick. That is the end, unless the network has reordered messages: those
// of a burst, after a stall, can arrive newest first. If the queue is full, the oldest input is dropped.
func (p *player) queueInput(at int, e queuedInput) {
	p.newest = max(p.newest, e.input.Tick)
	p.inputs = slices.Insert(p.inputs, at, e)
	if len(p.inputs) > maxQueuedInputs {
		p.inputs[1].confirms = max(p.inputs[1].confirms, p.inputs[0].confirms)
		p.inputs = append(p.inputs[:0], p.inputs[1:]...)
		p.g.door.Bad.With("overflow").Inc()
	}
}

// queuedInput is an input of the client that waits to be passed to the area.
type queuedInput struct {
	input    move.Input
	confirms uint32 // serial of the change of the player's state that this input is the first to acknowledge; 0 if there is no such change
}

// maxReserve is the number of waiting inputs above which each frame passes one more to the area than usual, until the queue is
// shorter again. A longer queue would delay the player's inputs.
const maxReserve = 6

// maxAhead is the number of inputs waiting in the area from which on a frame passes no more to it than usual. The area drops inputs
// when 40 wait, and corrects the client then. It processes 20 inputs per second of ticks, so their number grows when the area skips
// ticks because the machine is overloaded: the client sends inputs in that time, too.
const maxAhead = 10

// submitInputs passes the queued inputs that are due in this frame to the area, 20 per second. The remaining ones are a reserve
// for times in which inputs arrive late. An input that the area or the session has no room for stays in the queue.
func (p *player) submitInputs() {
	p.dueInputs += inputsPerSecond
	perSecond := p.g.world.Def().TicksPerSecond
	due := p.dueInputs / perSecond
	p.dueInputs -= due * perSecond
	if len(p.inputs) > maxReserve && p.passed-p.inputTick < maxAhead {
		due++
	}
	due = min(due, len(p.inputs))
	p.passedNow = 0
	for p.passedNow < due && p.submitInput(&p.inputs[p.passedNow]) {
		p.passedNow++
	}
	p.inputs = append(p.inputs[:0], p.inputs[p.passedNow:]...)
}

// submitInput passes a queued input to the area. It returns false if there is no room for it. The client acknowledges a change of its
// player's state with the first input that it made with the change. The area must be told this before it processes that input, and
// after the earlier inputs, which were made without the change.
func (p *player) submitInput(e *queuedInput) bool {
	if e.confirms != 0 {
		if !p.submit(sim.Intent{Kind: sim.IntentBarrierAck, Serial: e.confirms}) {
			return false
		}
		e.confirms = 0
	}
	if !p.submit(sim.Intent{Kind: sim.IntentInput, Input: e.input}) {
		return false
	}
	if e.input.Tick > p.passed+1 { // the inputs between them were dropped here, or lost: no later message has repeated them
		p.g.door.Bad.With("input_gap").Inc()
	}
	p.passed = e.input.Tick
	return true
}

// waiting returns the number of inputs of the client that wait at the server: those in reserve, and those that the area has queued
// for later ticks. The inputs that were passed to the area with the present frame do not count, because the next tick processes them.
// A client that has sent too many inputs at once sends fewer until the number is 1 (docs/wire/web.md, "waits").
func (p *player) waiting() int {
	inArea := int(p.passed - p.inputTick)
	return len(p.inputs) + max(inArea-p.passedNow, 0)
}

// submit passes an intent to the area. If the player has exceeded its rate limit, or too many of its intents wait for the area, submit
// counts the intent in the metrics and returns false.
func (p *player) submit(in sim.Intent) bool {
	if err := p.session.Submit(in); err != nil {
		p.g.door.Bad.With("budget").Inc()
		return false
	}
	return true
}

// maxBarriers is the maximum number of serial numbers in player.barriers, which are those of Own messages that the client
// has not acknowledged. Beyond the maximum, the oldest number is forgotten.
const maxBarriers = 32

// addBarrier records that the client was sent an Own message, a state of its player, and will acknowledge it. The parameter
// serial is the number of the change that caused it.
func (p *player) addBarrier(serial uint32) {
	if n := len(p.barriers); n > 0 {
		serial = max(serial, p.barriers[n-1])
	}
	if len(p.barriers) == maxBarriers {
		p.barriers = slices.Delete(p.barriers, 0, 1)
	}
	p.barriers = append(p.barriers, serial)
}

// confirmBarrier processes the client's acknowledgement of Own messages, which are states of its player. The parameter "low" is
// the low 16 bits of the serial number of the newest Own message that the client has received. The result is the complete
// serial number, or 0 if the client was sent a newer Own message: only the acknowledgement of the newest change has an effect
// (docs/decisions/0007-barriers-not-time.md).
func (p *player) confirmBarrier(low uint16) uint32 {
	n := len(p.barriers)
	if n == 0 || uint16(p.barriers[n-1]) != low {
		return 0
	}
	serial := p.barriers[n-1]
	p.barriers = p.barriers[:0]
	return serial
}

// handleAct processes a request of the client other than movement, such as an attack. If the request was executed before, it is
// only answered again.
func (p *player) handleAct(a *proto.Act) {
	says := a.Verb == proto.VerbSay && !strings.HasPrefix(cleanText(a.Text), "/")
	if !p.welcomed || p.scene == nil && !says { // between two areas, the session hub sends lines of chat again when the player has arrived
		p.g.door.Bad.With("untimely").Inc()
		p.answer(a.Number, reason.Unknown, 0, 0)
		return
	}
	if !p.resume.acts.add(a.Number) {
		again := p.resume.acts.answer(a.Number) // the request was executed before the previous connection was lost
		p.send(&again)
		return
	}
	switch a.Verb {
	case proto.VerbAttack:
		p.attack(a)
	case proto.VerbSay:
		if line, ok := strings.CutPrefix(cleanText(a.Text), "/"); ok {
			p.typedCommand(a, line)
			return
		}
		p.do(a, sim.Intent{Kind: sim.IntentChat, Text: cleanText(a.Text)})
	case proto.VerbCommand:
		p.command(a)
	case proto.VerbWake:
		p.do(a, sim.Intent{Kind: sim.IntentRespawn})
	case proto.VerbUse:
		in := sim.Intent{Kind: sim.IntentUseItem, Amount: 1}
		if a.Text == "stop" {
			in.Amount = 0
		}
		p.do(a, in)
	}
}

// do submits an intent for a request of the client and answers the request at once. It is for requests whose result the area does
// not report.
func (p *player) do(a *proto.Act, in sim.Intent) {
	switch {
	case in.Kind == sim.IntentChat && in.Text == "":
		p.answer(a.Number, reason.None, 0, 0)
	case p.submit(in):
		p.answer(a.Number, reason.None, 0, 0)
	default:
		p.answer(a.Number, reason.TooMuch, 0, 0)
	}
}

// maxPending is the maximum number of attacks and commands of a client for which the area has not reported the result yet.
// Further ones are refused.
const maxPending = 16

// attack submits an attack to the area, which reports the result in an event.
func (p *player) attack(a *proto.Act) {
	target := p.handles.entity(a.Handle)
	switch {
	case target == 0 || target == p.session.Entity:
		p.refuseTarget(a)
	case len(p.pending) >= maxPending || !p.submit(sim.Intent{Kind: sim.IntentAttack, Target: target, Seen: fullSeen(a.Seen, p.scene.tick)}):
		p.answer(a.Number, reason.TooMuch, 0, 0)
	default:
		p.pending = append(p.pending, pendingAct{number: a.Number, target: target, since: p.scene.tick})
	}
}

// refuseTarget refuses and counts a request whose handle does not stand for another actor that the client displays. Honest
// clients, too, send such requests, for actors that have just left.
func (p *player) refuseTarget(a *proto.Act) {
	p.g.door.Bad.With("target_gone").Inc()
	p.answer(a.Number, reason.TargetGone, 0, 0)
}

// fullSeen returns which time of the area the client displayed when it attacked, in 1/256 ticks. Lag compensation needs it. The
// client sends only the low 24 bits of this time, the parameter "low". Of the times with these bits, the result is the one
// nearest to the tick in the parameter newest. If low is 0, the client has sent no time, and the result is 0.
func fullSeen(low uint32, newest sim.Tick) uint64 {
	if low == 0 {
		return 0
	}
	now := uint64(newest) << 8
	off := int64(int32((low-uint32(now))<<8) >> 8) // difference between the two times, as a signed number of 24 bits
	return uint64(max(int64(now)+off, 1))
}

// settle sends the client the result of an attack. The result belongs to the client's oldest attack on this target that has no
// result yet.
func (p *player) settle(target sim.EntityID, why reason.Reason, asked, allowed float32) {
	i := slices.IndexFunc(p.pending, func(a pendingAct) bool { return a.target == target })
	if i < 0 {
		return
	}
	p.answer(p.pending[i].number, why, asked, allowed)
	p.pending = slices.Delete(p.pending, i, i+1)
}

// settleOld answers attacks and commands of the client that have had no result for two seconds. This happens if the worker has
// missed the frame with the result.
func (p *player) settleOld(now sim.Tick) {
	limit := sim.Tick(2 * p.g.world.Def().TicksPerSecond)
	for len(p.pending) > 0 && now >= p.pending[0].since+limit {
		p.answer(p.pending[0].number, reason.Unknown, 0, 0)
		p.pending = slices.Delete(p.pending, 0, 1)
	}
}

// settleAll answers all attacks and commands of the client that have no result with an unknown result. It is called when
// the player enters another area, because the former area will not report the results.
func (p *player) settleAll() {
	for i := range p.pending {
		p.answer(p.pending[i].number, reason.Unknown, 0, 0)
	}
	p.pending = p.pending[:0]
}

// answer sends the client the result of its request with the given number. If a rule has refused the request, asked is the amount
// that the player requested and allowed the amount that the rule allows, in the unit of the rule.
func (p *player) answer(number uint16, why reason.Reason, asked, allowed float32) {
	p.sendAnswer(&proto.Answer{Number: number, Reason: uint8(why), Asked: asked, Allowed: allowed})
}

// sendAnswer sends the client an answer, and stores it for the case that the client repeats the request on another connection.
func (p *player) sendAnswer(a *proto.Answer) {
	p.resume.acts.record(a)
	p.send(a)
}

// cleanText makes a player's text safe to display on other clients: it removes invalid UTF-8 and control characters, and cuts the
// text to maxChat bytes.
func cleanText(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
	return strings.TrimSpace(cutText(text, maxChat))
}

// maxTold is the maximum length in bytes of a line of text from the server. The other 16 bytes of a message are for its
// code and the other fields of an Event.
const maxTold = proto.MaxServer - 16

// cutText returns the first bytes of a text, at most limit, without a partial character at the end.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for i := limit; i > limit-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return text[:i]
		}
	}
	return text[:limit] // the text is not valid UTF-8
}

// roundTrip measures the round-trip time of a connection: from the sending of a snapshot to its first acknowledgement. The index
// of a snapshot in the arrays is its number modulo 64.
type roundTrip struct {
	sentAt [64]int64  // time in ms at which each snapshot was sent
	seq    [64]uint16 // number of each snapshot
	run    uint8      // run to which the last snapshot belongs (see sent)
	last   int64      // smoothed round-trip time in ms; 0 until the first measurement
	known  bool       // a round trip has been measured
	waits  [64]bool   // the snapshot is not acknowledged yet
}

// sent records that a snapshot was sent at the time now in ms. The parameter seq is the snapshot's number in its run. A run
// begins when the player enters an area, and after 64 snapshots without an acknowledgement.
func (r *roundTrip) sent(run uint8, seq uint16, now int64) {
	i := seq % 64
	r.sentAt[i], r.seq[i], r.waits[i], r.run = now, seq, true, run
}

// taken records that the client has acknowledged a snapshot at the time "now" in ms. It ignores snapshots of earlier runs,
// because every run begins with the same numbers (see sent).
func (r *roundTrip) taken(run uint8, seq uint16, now int64) {
	i := seq % 64
	if run != r.run || !r.waits[i] || r.seq[i] != seq {
		return
	}
	r.waits[i] = false
	ms := now - r.sentAt[i]
	if !r.known {
		r.known, r.last = true, ms
		return
	}
	r.last += (ms - r.last) / 4
}

// ms returns the smoothed round-trip time in ms, or 0 if none was measured yet.
func (r *roundTrip) ms() uint16 { return uint16(min(max(r.last, 0), 1<<16-1)) }

// linkInterval is the time in ms between two updates of a connection's statistics.
const linkInterval = 200

// measure copies the statistics of a player's connection to the session, from which the console reads them. It does so at most
// every linkInterval. The parameter "now" is in ms.
func (p *player) measure(now int64) {
	if now-p.lastLink < linkInterval || !p.welcomed {
		return
	}
	p.lastLink = now
	l := p.session.Link()
	if p.rtt.known {
		l.RTT.Store(int32(p.rtt.ms()))
	}
	l.InView.Store(int32(len(p.handles.by)))
	l.PacketsOut.Store(p.packetsOut)
	if p.linkStores++; p.linkStores%5 == 0 && !p.link.ordered() {
		sent, lost := p.teller.SnapshotCounts()
		l.Loss.Store(p.loss.Update(sent-lost, lost))
	}
}
