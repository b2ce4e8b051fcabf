package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// handleOrder executes an operator order and emits an event with its result. An order may be refused, for example because the
// player has just left the area. The parameter x is nil if the player is not in the area.
func (a *Area) handleOrder(x *actor, in *Intent) {
	done := Event{Kind: EventOrderDone, Who: in.Who, Reason: reason.Unknown, N: int32(in.Serial)}
	switch {
	case in.Kind == IntentSpawn:
		done.Other, done.Reason = a.spawnForOperator(in)
	case in.Kind == IntentRemove:
		done.Other, done.Reason = in.Target, a.removeForOperator(in.Target)
	case x != nil && x.player:
		done.Reason = a.executeOrder(x, in, &done.Text)
	}
	a.emit(done)
}

// executeOrder executes an operator order for a player in the area. It returns why the order is refused, or reason.None.
// If EventOrderDone must say what was done, it sets done to that text.
func (a *Area) executeOrder(x *actor, in *Intent, done *string) (why reason.Reason) {
	switch in.Kind {
	case IntentGive:
		*done, why = a.giveItems(x, in)
		return why
	case IntentTake:
		*done, why = a.takeItems(x, in)
		return why
	case IntentAttribute:
		*done, why = a.setAttribute(x, in)
		return why
	case IntentMessage:
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: in.Text, N: int32(in.Amount)})
	case IntentTeleport:
		return a.teleport(x, in)
	case IntentFreeze:
		a.freeze(x, in.Amount != 0)
	}
	return reason.None
}

// teleport moves a player to the position in an operator's order, in this area or another one. It refuses the order if the player
// is dead.
func (a *Area) teleport(x *actor, in *Intent) reason.Reason {
	switch {
	case in.Join == nil, in.To < 0, int(in.To) >= len(a.world.Areas):
		a.refuse(x.id, 0, reason.Unknown, 0, 0)
		return reason.Unknown
	case x.dead:
		a.refuse(x.id, 0, reason.Dead, 0, 0)
		return reason.Dead
	}
	j := *in.Join
	for _, v := range [...]*float32{&j.Pos.X, &j.Pos.Y, &j.Pos.Z} {
		*v = move.SanitizeCoord(*v)
	}
	if !geom.Finite(j.Yaw) {
		j.Yaw = 0
	}
	a.transfer(x, in.To, &j)
	return reason.None
}

// freeze freezes or unfreezes a player. A frozen player can only chat: portals do not transfer it, and its pets stop fighting.
// The player can still be hurt.
func (a *Area) freeze(x *actor, frozen bool) {
	if x.frozen == frozen {
		return
	}
	x.frozen = frozen
	text := "You can move again."
	if frozen {
		text = "An operator has frozen you. You can talk, and nothing else."
		x.target = 0
		x.stop()
		x.authority.interrupt()
		a.recallPets(x)
		if mount := a.find(x.mount); mount != nil && !x.authority.mayRide() {
			a.unseat(x, mount, nil) // otherwise the player's inputs would move the mount
		}
	}
	a.emit(Event{Kind: EventMessage, Who: x.id, Text: text, N: ToneWarning})
}

// stoppedByFreeze reports whether intents of that kind are refused for frozen players. Three sorts are not refused: (1) claims,
// which are held (rejected) instead, (2) inputs, which are simulated with an avatar that cannot move, and (3) intents that
// clients send by themselves, without an action of the player.
func (k IntentKind) stoppedByFreeze() bool {
	switch k {
	case IntentClaim, IntentInput, IntentBarrierAck, IntentWarpAck, IntentChat, IntentActionBar, IntentRespawn, IntentGait:
		return false
	}
	return true
}
