package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// predictAuthority moves a player whose client predicts its own movement. The client sends one input per client tick,
// together with the position that it predicts. The server simulates the same inputs. Where the positions differ it
// corrects the client, which then rewinds and replays. A player does not move without an input (SV-1).
//
// The rules SV-n and A-n are those of docs/wire/bedrock.md.
type predictAuthority struct {
	authorityDefaults
	move.PredictState
	queue         []action // inputs and their actions in order of arrival, until a tick processes them
	serial        uint32   // serial number of the last barrier sent
	rtt           uint16   // round-trip time in ms, measured by the door
	wakeRequested bool     // the dead player asked to respawn
	ride          ride
}

// action is an entry of a player's queue: an input, or something else that the client has sent, such as an attack or the
// acknowledgement of a barrier. An entry that is not an input is executed just before the next input in the queue (rule SV-3
// of docs/wire/bedrock.md).
type action struct {
	kind     actionKind
	serial   uint32 // serial number of the acknowledged barrier, for actionBarrier
	target   EntityID
	seen     uint64     // Intent.Seen, for actionAttack
	input    move.Input // input of actionInput; for actionDismount only Pos is set: where the client has put the player
	unloaded bool       // for actionMount: the client has not loaded the ground around the vehicle
	placed   bool       // for actionDismount: input.Pos is set
}

type actionKind uint8

const (
	actionInput    actionKind = iota
	actionAttack              // attack the actor in action.target
	actionUse                 // begin to use the item in hand
	actionRelease             // stop using the item in hand
	actionBarrier             // handle the client's acknowledgement of a barrier
	actionMount               // mount the vehicle in action.target
	actionDismount            // leave the vehicle
)

// maxActions is the maximum number of a player's queued actions that are not inputs, such as attacks (rule SV-22 of
// docs/wire/bedrock.md). If there are more, the oldest is dropped.
const maxActions = 16

// newPredictAuthority returns the authority of a player with its avatar (simulated body): the avatar from its previous
// area, or a new one after a login.
func newPredictAuthority(a *Area, x *actor, j *Join) authority {
	p := &predictAuthority{}
	switch {
	case j == nil:
		return p
	case j.Predicted != nil:
		p.PredictState = *j.Predicted
		p.AcceptTickJump = true // inputs sent during the transfer are lost, so the next tick may be far ahead
	default:
		p.Avatar = move.NewAvatar(geom.Vec{})
	}
	p.Avatar.Speed = a.movementSpeed(x)
	return p
}

func (*predictAuthority) kind() authorityKind { return predictKind }

func (*predictAuthority) stored() bool { return true }

func (p *predictAuthority) roundTripMS() uint16 { return p.rtt }

// mayRespawn reports whether the client has asked to respawn. Clients ask when the player presses the respawn button.
func (p *predictAuthority) mayRespawn() bool { return p.wakeRequested }

func (p *predictAuthority) leave(j *Join) {
	s := p.PredictState
	j.Authority, j.Predicted = move.ByInput, &s
}

// move does nothing: simulateInputs has already moved the player, once for each input.
func (*predictAuthority) move(*Area, *actor) {}

func (p *predictAuthority) admit(a *Area, x *actor, in *Intent) {
	switch in.Kind {
	case IntentInput:
		p.admitInput(a, x, &in.Input)
	case IntentAttack:
		p.enqueue(a, x, action{kind: actionAttack, target: in.Target, seen: in.Seen})
	case IntentUseItem:
		kind := actionUse
		if in.Amount == 0 {
			kind = actionRelease
		}
		p.enqueue(a, x, action{kind: kind, serial: in.Serial})
	case IntentBarrierAck:
		p.enqueue(a, x, action{kind: actionBarrier, serial: in.Serial})
	case IntentRespawn:
		p.wakeRequested = x.dead
	case IntentInteract:
		p.admitMount(a, x, in)
	case IntentDismount:
		p.admitDismount(a, x, in)
	default:
		p.authorityDefaults.admit(a, x, in)
	}
}

// admitInput queues an input if its tick is valid (rule SV-17 of docs/wire/bedrock.md). If too many inputs wait, the oldest input
// is dropped. Attacks and other actions that were to be executed before that input are executed before the next input instead
// (rule SV-19 of docs/wire/bedrock.md).
func (p *predictAuthority) admitInput(a *Area, x *actor, in *move.Input) {
	policy := &a.world.Rules.Predict
	p.rtt = in.RTT
	switch why := policy.Admit(&p.PredictState, in); why {
	case reason.None:
	case reason.TickGap:
		a.refuse(x.id, 0, why, float32(in.Tick-p.NewestTick), float32(policy.History))
		a.resyncClient(x, p, why)
		return
	default:
		a.refuse(x.id, 0, why, float32(in.Tick), float32(p.NewestTick))
		return
	}
	if p.queuedInputs() >= int(policy.QueueSize) {
		p.dropOldest(actionInput)
		policy.InputDropped(&p.PredictState)
		a.refuse(x.id, 0, reason.InputOverflow, float32(policy.QueueSize+1), float32(policy.QueueSize))
	}
	p.queue = append(p.queue, action{input: *in})
}

// queuedInputs returns the number of inputs in the queue, which contains other actions, too.
func (p *predictAuthority) queuedInputs() int {
	n := 0
	for i := range p.queue {
		if p.queue[i].kind == actionInput {
			n++
		}
	}
	return n
}

// dropOldest removes the oldest entry of one sort from the queue: the oldest input if the parameter kind is actionInput,
// otherwise the oldest entry that is not an input.
func (p *predictAuthority) dropOldest(kind actionKind) {
	for i := range p.queue {
		if (p.queue[i].kind == actionInput) == (kind == actionInput) {
			p.queue = append(p.queue[:i], p.queue[i+1:]...)
			return
		}
	}
}

// enqueue queues an action that is not an input. The action is performed before the next input (rule SV-22 of
// docs/wire/bedrock.md).
func (p *predictAuthority) enqueue(a *Area, x *actor, act action) {
	if len(p.queue)-p.queuedInputs() >= maxActions {
		p.dropOldest(act.kind)
		a.refuse(x.id, act.target, reason.TooMuch, maxActions+1, maxActions)
	}
	p.queue = append(p.queue, act)
}

// simulateInputs is the predict authority's part of a tick. It simulates as many queued inputs of each player as
// PredictPolicy.InputsDue returns.
func (a *Area) simulateInputs() {
	for _, x := range a.actors {
		if p, ok := x.authority.(*predictAuthority); ok && !x.gone && !x.lingers() {
			a.simulatePlayer(x, p)
		}
	}
}

func (a *Area) simulatePlayer(x *actor, p *predictAuthority) {
	policy := &a.world.Rules.Predict
	a.syncAvatar(x, p)
	turns := policy.InputsDue(&p.PredictState, p.queuedInputs(), a.world.TicksPerSecond)
	if turns == 0 {
		a.countIdleTick(x, p)
	}
	for turns > 0 && len(p.queue) > 0 && !x.gone {
		turns -= a.processNext(x, p)
	}
	if x.gone {
		return
	}
	if tell, drop := policy.TickTeleport(&p.PredictState, a.world.TicksPerSecond, p.rtt); drop {
		a.expel(x, reason.TeleportIgnored)
	} else if tell {
		a.resendTeleport(x, p)
	}
	if policy.ShouldKick(&p.PredictState) {
		a.expel(x, reason.Suspected)
	}
}

// resendTeleport sends an unacknowledged teleport again. If a vehicle was teleported, the client is also sent a new barrier. Only
// the acknowledgement of the new barrier proves that the client has received the repeated teleport.
func (a *Area) resendTeleport(x *actor, p *predictAuthority) {
	r := &Rewind{}
	if p.HoldsVehicle() {
		p.serial++
		p.HoldVehicle(p.serial)
		r.Serial = p.serial
	}
	a.emitRewind(x, p, EventTeleported, reason.TeleportIgnored, r)
}

// countIdleTick counts consecutive ticks in which the queue had no input of the player. After many of them an event reports that
// the client is frozen, and later the player is expelled.
func (a *Area) countIdleTick(x *actor, p *predictAuthority) {
	report, disconnect := a.world.Rules.Predict.CountSilentTick(&p.PredictState, a.world.TicksPerSecond)
	switch {
	case disconnect:
		a.expel(x, reason.Frozen)
	case report:
		a.refuse(x.id, 0, reason.Frozen, float32(a.world.Rules.Predict.SilentReportMS), 0)
	}
}

// expel emits the event that makes the door disconnect a player. Until the door has done so, the player stays in the area.
func (a *Area) expel(x *actor, why reason.Reason) {
	a.emit(Event{Kind: EventExpelled, Who: x.id, Reason: why, Pos: x.pos})
}

// processNext executes the first action of the queue. It returns 1 if that action was an input, otherwise 0.
func (a *Area) processNext(x *actor, p *predictAuthority) int {
	act := p.queue[0]
	p.queue = append(p.queue[:0], p.queue[1:]...)
	if act.kind == actionInput {
		a.processInput(x, p, &act.input)
		a.countInput(x)
		return 1
	}
	a.perform(x, p, &act)
	return 0
}

// perform executes an entry of the input queue that is not an input, such as an attack, the use of an item or a dismount.
func (a *Area) perform(x *actor, p *predictAuthority, act *action) {
	switch act.kind {
	case actionAttack:
		if x.frozen { // the player was frozen after it requested the action
			a.refuse(x.id, act.target, reason.Halted, 0, 0)
		} else if p.Teleport.Open { // the client still shows its player at the old position
			a.refuse(x.id, act.target, reason.Warping, 0, 0)
		} else {
			a.attack(attack{x.id, act.target, act.seen}) // attack at once: the player is where its last processed input has moved it
		}
	case actionUse:
		p.Avatar.UsingItem = x.weapon != nil && x.weapon.Projectile != nil && !x.frozen
		a.useHeldItem(x)
	case actionRelease:
		p.Avatar.UsingItem = false
	case actionBarrier:
		p.AckBarrier(act.serial)
		p.ride.acked = p.ride.acked || act.serial >= p.ride.serial
	case actionMount:
		a.mountVehicle(x, p, act)
	case actionDismount:
		var wanted *geom.Vec
		if act.placed {
			at := act.input.Pos // a copy, because a pointer into act would move act to the heap
			wanted = &at
		}
		a.leaveVehicle(x, p, wanted)
	}
}

// flushQueue processes the whole queue of a player that has been teleported. Until the client acknowledges the teleport, its
// inputs change nothing, so they are processed at once instead of one per tick. All of them were sent before the teleport, so
// none can acknowledge it. If a queued action makes a driver dismount, its vehicle need not wait for the acknowledgement any
// more; then flushQueue ends, and the later actions stay in the queue.
func (a *Area) flushQueue(x *actor, p *predictAuthority) {
	for p.Teleport.Open && len(p.queue) > 0 {
		act := p.queue[0]
		p.queue = append(p.queue[:0], p.queue[1:]...)
		if act.kind != actionInput {
			a.perform(x, p, &act)
			continue
		}
		act.input.Flags &^= move.InputHandledTeleport
		if x.mount == 0 || !a.processRiderInput(x, p, &act.input) {
			a.world.Rules.Predict.Process(&p.PredictState, &act.input, a.def.Blocks, &a.scratch)
		}
		a.countInput(x)
	}
}

// countInput reduces the remaining time of a player's effects by one client tick. It is called once per input, because each input
// stands for one client tick.
func (a *Area) countInput(x *actor) {
	if x.effects != nil {
		x.countEffects(1)
		a.syncEffects(x)
	}
}

// processInput simulates one input and emits the resulting events (rule SV-3 of docs/wire/bedrock.md).
func (a *Area) processInput(x *actor, p *predictAuthority, in *move.Input) {
	if p.followsRide(x, in) && a.processRiderInput(x, p, in) {
		return
	}
	wasOnGround := p.Avatar.OnGround
	v := a.world.Rules.Predict.Process(&p.PredictState, in, a.def.Blocks, &a.scratch)
	a.syncActor(x, p)
	if wasOnGround && !p.Avatar.OnGround && p.Avatar.Vel.Y > 0 && in.Flags.Any(move.InputJumping|move.InputStartJump) {
		a.emit(Event{Kind: EventJumped, Who: x.id})
	}
	a.emitPrediction(x, p, &v)
}

// emitPrediction emits the events that follow from the result of a simulated input: anomalies, the player's stance, a correction.
func (a *Area) emitPrediction(x *actor, p *predictAuthority, v *move.Prediction) {
	for _, why := range v.Anomalies {
		if why != reason.None {
			a.refuse(x.id, 0, why, 0, 0)
		}
	}
	if v.SendStance {
		a.emitRewind(x, p, EventStance, v.Correct, &Rewind{})
	}
	switch {
	case v.Correct == reason.None:
		return
	case a.world.Rules.Predict.CorrectionTooLate(&p.PredictState, p.rtt):
		a.resyncClient(x, p, v.Correct)
		return
	}
	p.serial++
	a.emit(Event{
		Kind: EventCorrected, Who: x.id, Reason: v.Correct, Asked: v.PosError, Allowed: v.Allowed, Yaw: x.yaw,
		Pos: x.pos, From: a.def.BlockGrid.ToWorld(v.ClaimedPos),
		Rewind: &Rewind{
			Tick: p.Tick, Serial: p.serial, State: p.Avatar, Vehicle: p.Vehicle,
			Claimed: v.ClaimedPos, Velocity: v.ClaimedVel, Distance: v.PosError, RTT: p.rtt,
		},
	})
	p.MarkChanged(p.serial)
}

// emitRewind emits an event with the state of a predicted player after its last processed input. The player's client rewinds to
// that state. The caller has set those fields of r that the state does not determine; emitRewind sets the others.
func (a *Area) emitRewind(x *actor, p *predictAuthority, kind EventKind, why reason.Reason, r *Rewind) {
	r.Tick, r.State, r.Vehicle, r.RTT = p.Tick, p.Avatar, p.Vehicle, p.rtt
	a.emit(Event{Kind: kind, Who: x.id, Reason: why, Pos: x.pos, Yaw: x.yaw, Rewind: r})
}

// emitBarrier sends the client a change of its player's state, followed by a barrier (a request to acknowledge). An input that
// arrives before the acknowledgement was made without knowledge of the change.
func (a *Area) emitBarrier(x *actor, p *predictAuthority, kind EventKind, why reason.Reason) {
	p.serial++
	a.emitRewind(x, p, kind, why, &Rewind{Serial: p.serial})
	p.MarkChanged(p.serial)
}
