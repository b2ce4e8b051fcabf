package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// answer does with a player what an operator asks for, and says what became of it: whoever gave the order cannot know
// whether the player has just gone elsewhere. x is nil if he is not here, or no more.
func (a *Area) answer(x *actor, in *Intent) {
	why := reason.Unknown
	if x != nil && x.player {
		why = a.obey(x, in)
	}
	a.emit(Event{Kind: EventOrderDone, Who: in.Who, Reason: why, N: int32(in.Serial)})
}

// obey is answer for somebody who is here. It returns why not.
func (a *Area) obey(x *actor, in *Intent) reason.Reason {
	switch in.Kind {
	case IntentMessage:
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: in.Text, N: int32(in.Amount)})
	case IntentTeleport:
		return a.send(x, in)
	case IntentFreeze:
		a.freeze(x, in.Amount != 0)
	}
	return reason.None
}

// send puts a player where an operator wants him, here or in another area. The dead stay where they fell.
func (a *Area) send(x *actor, in *Intent) reason.Reason {
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
		*v = move.ClampWorldCoord(*v)
	}
	if !geom.Finite(j.Yaw) {
		j.Yaw = 0
	}
	a.depart(x, in.To, &j)
	return reason.None
}

// freeze lets a player do nothing any more but talk, or everything again: no portal takes him, and his pets come back from
// his fights. He still can be hurt.
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
		a.callOff(x)
	}
	a.emit(Event{Kind: EventMessage, Who: x.id, Text: text, N: ToneWarning})
}

// isDeed tells whether an intent is one of those that the frozen may not have. Claims are held, inputs are simulated for
// somebody who cannot move, and what a client does on its own account is done.
func (k IntentKind) isDeed() bool {
	switch k {
	case IntentClaim, IntentInput, IntentBarrierAck, IntentWarpAck, IntentChat, IntentActionBar, IntentRespawn, IntentGait:
		return false
	}
	return true
}
