package sim

import "github.com/truestep-io/truestep/sim/reason"

// MaxIntentsPerTick is the maximum number of intents of one player that are executed in a tick. Further ones are refused.
// Clients send a claim every 140..200 ms and an attack every 250 ms, which at 20 ticks per second is less than one intent per
// tick. So a client that exceeds the maximum is a script. The exact value is not measured.
const MaxIntentsPerTick = 16

// admit executes the intents of a tick in order. It refuses intents that the rules forbid, each with a reason. An attack is only
// queued; it is executed later in the tick.
func (a *Area) admit(intents []Intent) {
	for _, x := range a.actors {
		x.intentCount, x.tickPos = 0, x.pos
	}
	for i := range intents {
		in := &intents[i]
		if in.AtMS > a.clock {
			a.clock, a.clockTick = in.AtMS, a.now
		}
		switch in.Kind {
		case IntentJoin:
			a.join(in)
			continue
		case IntentSettle:
			a.settle(in.To, in.Seq)
			continue
		}
		x := a.find(in.Who)
		if in.Kind.IsOperatorOrder() {
			a.handleOrder(x, in)
			continue
		}
		if x == nil || !x.player {
			a.refuseAbsent(in)
			continue
		}
		switch in.Kind {
		case IntentLeave:
			a.leave(x)
			continue
		case IntentDisconnect:
			a.disconnect(x, in.Amount != 0)
			continue
		case IntentResume:
			a.resume(x, in)
			continue
		}
		if x.lingers() { // the client sent the intent before its connection was lost
			continue
		}
		if in.Kind == IntentInput || in.Kind == IntentBarrierAck { // the predict authority limits the number of these intents itself
			a.execute(x, in)
			continue
		}
		switch x.intentCount++; {
		case x.intentCount <= MaxIntentsPerTick:
			a.execute(x, in)
		case x.intentCount == MaxIntentsPerTick+1: // refused once per tick: one event per intent would let a client flood the frame
			a.refuseIntent(x, in, reason.TooMuch, float32(x.intentCount), MaxIntentsPerTick)
		}
	}
}

// refuseAbsent refuses an intent of a player that left in this tick or has never been in this area. The event contains texts of the
// player, because the player may be on its way to another area, where the server sends them again.
func (a *Area) refuseAbsent(in *Intent) {
	e := Event{Kind: EventRefused, Who: in.Who, Reason: reason.Unknown}
	switch in.Kind {
	case IntentChat, IntentInviteParty, IntentAcceptInvite, IntentLeaveParty:
		e.N, e.Text = int32(in.Kind), in.Text
	case IntentCommand:
		if in.SlotA == CommandLine && in.Serial == 0 { // a client that numbers its commands is answered that the result is unknown
			e.N, e.Text = int32(in.Kind), in.Text
		}
	}
	a.emit(e)
}

// execute carries out an intent of the player x that admit has not refused. An intent whose meaning depends on the authority of x
// is passed to that authority.
func (a *Area) execute(x *actor, in *Intent) {
	if x.frozen && in.Kind.stoppedByFreeze() {
		a.refuseIntent(x, in, reason.Halted, 0, 0)
		return
	}
	if in.Kind.byAuthority() {
		x.authority.admit(a, x, in)
		return
	}
	switch in.Kind {
	case IntentWarpAck:
		x.ignoreClaimsUntil = 0
	case IntentChat:
		a.emit(Event{Kind: EventChat, Who: x.id, Text: in.Text})
	case IntentJump:
		if x.mount == 0 && !x.dead {
			a.emit(Event{Kind: EventJumped, Who: x.id})
		}
	case IntentSwap, IntentStack, IntentDrop, IntentPickUp:
		a.handleItems(x, in)
	case IntentInviteParty, IntentAcceptInvite, IntentLeaveParty:
		a.handleParty(x, in)
	case IntentActionBar:
		a.setActionBarSlot(x, in.SlotA, in.Text)
	case IntentCommand:
		if in.SlotA == CommandLine {
			a.handleCommandLine(x, in)
		} else {
			a.handleCommand(x, in)
		}
	}
}
