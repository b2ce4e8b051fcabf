package sim

import "github.com/truestep-io/truestep/sim/reason"

// maxWishes is how many intents of one player a tick takes. Clients send a claim per 140..200 ms and an attack per
// 250 ms; the rest is somebody's script. guess: ten times the busiest real client at 20 ticks a second.
const maxWishes = 16

// admit takes the intents in order. What the rules refuse is refused here, with a reason; attacks wait for fightAll.
func (a *Area) admit(intents []Intent) {
	for _, x := range a.actors {
		x.wishes, x.tickPos = 0, x.pos
	}
	for i := range intents {
		in := &intents[i]
		if in.AtMS > a.clock {
			a.clock, a.heard = in.AtMS, a.now
		}
		if in.Kind == IntentJoin {
			a.join(in)
			continue
		}
		x := a.find(in.Who)
		if in.Kind.IsOperatorOrder() {
			a.answer(x, in)
			continue
		}
		if x == nil || !x.player {
			a.refuse(in.Who, 0, reason.Unknown, 0, 0) // it left in this very tick, or was never here
			continue
		}
		if in.Kind == IntentLeave {
			a.leave(x)
			continue
		}
		if in.Kind == IntentInput || in.Kind == IntentBarrierAck { // they have bounds of their own
			a.grant(x, in)
			continue
		}
		switch x.wishes++; {
		case x.wishes <= maxWishes:
			a.grant(x, in)
		case x.wishes == maxWishes+1: // told once a tick: an answer to each would let him flood the frame
			a.refuse(x.id, in.Target, reason.TooMuch, float32(x.wishes), maxWishes)
		}
	}
}

// grant does what one player in the area asks for.
func (a *Area) grant(x *actor, in *Intent) {
	if x.frozen && in.Kind.isDeed() {
		a.refuse(x.id, in.Target, reason.Halted, 0, 0)
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
	case IntentInteract:
		a.interact(x, in.Target)
	case IntentDismount:
		a.unseat(x)
	case IntentSwap, IntentStack, IntentDrop, IntentPickUp:
		a.handle(x, in)
	case IntentInviteParty, IntentAcceptInvite, IntentLeaveParty:
		a.socialise(x, in)
	case IntentActionBar:
		a.keepBar(x, in.SlotA, in.Text)
	}
}
