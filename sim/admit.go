package sim

import (
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// maxWishes is how many intents of one player a tick takes. Clients send a claim per 140..200 ms and an attack per
// 250 ms; the rest is somebody's script. guess: ten times the busiest real client at 20 ticks a second.
const maxWishes = 16

// admit takes the intents in order. What the rules refuse is refused here, with a reason; attacks wait for fightAll.
func (a *Area) admit(intents []Intent) {
	for _, x := range a.actors {
		x.wishes = 0
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
		if in.Kind.OfOperator() {
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
		if in.Kind == IntentInput || in.Kind == IntentBarrier { // they have bounds of their own
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
	switch in.Kind {
	case IntentClaim:
		a.claim(x, in)
	case IntentWarped:
		x.warpTick = 0
	case IntentInput:
		a.accept(x, in)
	case IntentBarrier, IntentUse:
		a.attend(x, in)
	case IntentWake:
		if x.predicted != nil {
			x.predicted.wakes = x.dead
		}
	case IntentAttack:
		if x.predicted != nil {
			a.attach(x, deed{kind: deedAttack, target: in.Target})
		} else {
			a.attacks = append(a.attacks, attack{x.id, in.Target})
		}
	case IntentSay:
		a.emit(Event{Kind: EventSaid, Who: x.id, Text: in.Text})
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
	case IntentInvite, IntentAccept, IntentQuit:
		a.socialise(x, in)
	case IntentBar:
		a.keepBar(x, in.SlotA, in.Text)
	case IntentPath:
		a.head(x, in)
	case IntentFace:
		a.face(x, in.Tile)
	case IntentFight:
		a.engage(x, in.Target)
	case IntentGait:
		if x.tread != nil {
			x.tread.Running = in.Amount != 0
		}
	}
}

// claim judges one position claim. Gates in the order of the seed P_StandardUpdate: the sender is an actor of this
// area (admit), no warp is under way, and nobody rides it. The dead stay where they fell.
func (a *Area) claim(x *actor, in *Intent) {
	switch {
	case x.tread != nil, x.predicted != nil:
		a.refuse(x.id, 0, reason.OtherAuthority, 0, 0)
		return
	case a.now < x.warpTick:
		a.refuse(x.id, 0, reason.Warping, 0, 0)
		return
	case x.rider != 0:
		a.refuse(x.id, 0, reason.Ridden, 0, 0)
		return
	case x.dead:
		a.refuse(x.id, 0, reason.Dead, 0, 0)
		return
	}
	if x.frozen {
		a.halt(x, in)
		return
	}
	pace := a.pace(x)
	mount := a.find(x.mount)
	if mount != nil {
		pace = max(pace, a.pace(mount)) // the seed grants a rider what his own speed allows, even on a slow mount
	}
	v := a.world.Rules.Claim.JudgeIn(a.sceneOf(x), &x.claim, x.pos, pace, in.Claim, in.AtMS)
	a.report(x, in, v)
	x.pos = v.Pos
	x.heads(v.DestX, v.DestZ)
	x.running, x.backward = v.Running, v.Backward
	if mount != nil {
		follow(mount, x)
	}
}

// report turns what the verdict has against a claim into events, each with its figures.
func (a *Area) report(x *actor, in *Intent, v move.ClaimVerdict) {
	from := in.Claim.Position()
	if v.Sanitized {
		a.emit(Event{Kind: EventRefused, Who: x.id, Reason: reason.NotFinite, Asked: in.Claim.MaxCoordinate(), Allowed: move.WorldLimit, Pos: v.Pos})
	}
	if v.BackwardRun {
		speed := x.attribute(a.world.Fixed.Speed)
		a.emit(Event{Kind: EventRefused, Who: x.id, Reason: reason.BackwardRun,
			Asked: move.UnitsPerSecond(speed.Value, speed.Max, true, false), Allowed: move.UnitsPerSecond(speed.Value, speed.Max, false, true), Pos: v.Pos})
	}
	if v.Held != reason.None {
		a.emit(Event{Kind: EventHeld, Who: x.id, Reason: v.Held, Asked: v.Asked, Allowed: v.Allowed, Pos: v.Pos, From: from})
	}
	if v.Correct {
		a.emit(Event{Kind: EventCorrected, Who: x.id, Reason: reason.RepeatedHolds, Asked: v.Asked, Allowed: v.Allowed, Pos: v.Pos, From: from, Yaw: x.yaw})
		x.warpTick = a.now + a.ticks(a.world.Rules.Claim.IgnoreMS)
	}
}

// follow puts a mount where its rider is.
func follow(mount, rider *actor) {
	mount.pos, mount.old = rider.pos, rider.old
	mount.destX, mount.destZ = rider.destX, rider.destZ
	mount.running, mount.backward = rider.running, rider.backward
}
