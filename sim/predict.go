package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// predicted is what an area keeps of a player under the predict authority. It is state.
type predicted struct {
	move.PredictState
	queue  []deed // what he did, in order of arrival, until a tick processes it
	serial uint32 // of the last barrier
	rtt    uint16 // ms, as the door measured it
	wakes  bool   // he asked to live again
}

// deed is an input, or something that belongs to the input behind it (SV-3): it is done just before that is simulated.
type deed struct {
	kind   deedKind
	serial uint32 // of a barrier
	target EntityID
	input  move.Input
}

type deedKind uint8

const (
	deedInput   deedKind = iota
	deedAttack           // on target
	deedUse              // the item in hand
	deedRelease          // it is let go
	deedBarrier          // a barrier came back
)

// maxDeeds is how many deeds may wait for one input (SV-22); the oldest gives way. Barriers are counted with them.
const maxDeeds = 16

// Rewind is what a predicting client is told of its own player, with the tick of its own after which that is true. All
// lengths are blocks.
type Rewind struct {
	Tick     uint64      // of the client; 0 before its first input
	Serial   uint32      // of the barrier to be sent behind it, 0 none
	State    move.Avatar // after that tick
	Claimed  geom.Vec    // feet, as the client had predicted...
	Velocity geom.Vec    // ...and the velocity, per tick
	Distance float32     // between the two
	RTT      uint16      // ms
}

// PredictedState is what a frame has of a player under the predict authority beside his ActorState.
type PredictedState struct {
	ID       EntityID
	Tick     uint64 // of the last processed input (SV-4)
	Avatar   move.Avatar
	Teleport bool // one is not acknowledged yet
}

// FindPredicted is the predicted state of that player, nil if he has none.
func (f *Frame) FindPredicted(id EntityID) *PredictedState {
	lo, hi := 0, len(f.Predicted)
	for lo < hi {
		mid := (lo + hi) / 2
		if f.Predicted[mid].ID < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(f.Predicted) && f.Predicted[lo].ID == id {
		return &f.Predicted[lo]
	}
	return nil
}

// predictAll processes the inputs of players under the predict authority: for each as many as the policy grants in this
// tick. Nobody moves without one (SV-1).
func (a *Area) predictAll() {
	if a.predictors == 0 {
		return
	}
	for _, x := range a.actors {
		if x.predicted != nil && !x.gone {
			a.predict(x)
		}
	}
}

func (a *Area) predict(x *actor) {
	p, policy := x.predicted, &a.world.Rules.Predict
	a.adjust(x)
	turns := policy.InputsDue(&p.PredictState, p.inputs(), a.world.TicksPerSecond)
	if turns == 0 {
		a.idle(x)
	}
	for turns > 0 && len(p.queue) > 0 && !x.gone {
		turns -= a.take(x)
	}
	if x.gone {
		return
	}
	if tell, drop := policy.TickTeleport(&p.PredictState, a.world.TicksPerSecond, p.rtt); drop {
		a.expel(x, reason.TeleportIgnored)
	} else if tell {
		a.rewind(x, EventTeleported, reason.TeleportIgnored, &Rewind{})
	}
	if policy.ShouldKick(&p.PredictState) {
		a.expel(x, reason.Suspected)
	}
}

// idle is a tick in which a player has sent no input.
func (a *Area) idle(x *actor) {
	frozen, drop := a.world.Rules.Predict.TickIdle(&x.predicted.PredictState, a.world.TicksPerSecond)
	switch {
	case drop:
		a.expel(x, reason.Frozen)
	case frozen:
		a.refuse(x.id, 0, reason.Frozen, float32(a.world.Rules.Predict.FrozenMS), 0)
	}
}

// expel asks the door to send a player away. He stays until it does.
func (a *Area) expel(x *actor, why reason.Reason) {
	a.emit(Event{Kind: EventExpelled, Who: x.id, Reason: why, Pos: x.pos})
}

// inputs is how many inputs wait.
func (p *predicted) inputs() int {
	n := 0
	for i := range p.queue {
		if p.queue[i].kind == deedInput {
			n++
		}
	}
	return n
}

// accept takes an input into the queue, if its tick lets it (SV-17). When too many wait the oldest is dropped, and what
// belonged to it is done with the next (SV-19).
func (a *Area) accept(x *actor, in *Intent) {
	p := x.predicted
	if p == nil {
		a.refuse(x.id, 0, reason.OtherAuthority, 0, 0)
		return
	}
	policy := &a.world.Rules.Predict
	p.rtt = in.Input.RTT
	switch why := policy.Admit(&p.PredictState, &in.Input); why {
	case reason.None:
	case reason.TickGap:
		a.refuse(x.id, 0, why, float32(in.Input.Tick-p.NewestTick), float32(policy.History))
		a.reseat(x, why)
		return
	default:
		a.refuse(x.id, 0, why, float32(in.Input.Tick), float32(p.NewestTick))
		return
	}
	if p.inputs() >= int(policy.QueueSize) {
		p.drop(deedInput)
		policy.InputDropped(&p.PredictState)
		a.refuse(x.id, 0, reason.InputOverflow, float32(policy.QueueSize+1), float32(policy.QueueSize))
	}
	p.queue = append(p.queue, deed{input: in.Input})
}

// drop takes the oldest deed out that is, or is not, an input.
func (p *predicted) drop(kind deedKind) {
	for i := range p.queue {
		if (p.queue[i].kind == deedInput) == (kind == deedInput) {
			p.queue = append(p.queue[:i], p.queue[i+1:]...)
			return
		}
	}
}

// attend takes what belongs to the next input.
func (a *Area) attend(x *actor, in *Intent) {
	d := deed{kind: deedBarrier, serial: in.Serial}
	switch {
	case x.predicted == nil:
		a.refuse(x.id, 0, reason.OtherAuthority, 0, 0)
		return
	case in.Kind == IntentUse && in.Amount == 0:
		d.kind = deedRelease
	case in.Kind == IntentUse:
		d.kind = deedUse
	}
	a.attach(x, d)
}

// attach lets a deed wait for the next input (SV-22).
func (a *Area) attach(x *actor, d deed) {
	p := x.predicted
	if len(p.queue)-p.inputs() >= maxDeeds {
		p.drop(d.kind)
		a.refuse(x.id, d.target, reason.TooMuch, maxDeeds+1, maxDeeds)
	}
	p.queue = append(p.queue, d)
}

// take does the first deed of the queue, and tells how many inputs that was.
func (a *Area) take(x *actor) int {
	p := x.predicted
	d := p.queue[0]
	p.queue = append(p.queue[:0], p.queue[1:]...)
	if d.kind == deedInput {
		a.process(x, &d.input)
		return 1
	}
	a.do(x, &d)
	return 0
}

// do does what belongs to an input.
func (a *Area) do(x *actor, d *deed) {
	p := x.predicted
	switch d.kind {
	case deedAttack:
		if x.frozen { // since he asked for it
			a.refuse(x.id, d.target, reason.Halted, 0, 0)
		} else if p.Teleport.Open { // he is not where his client shows him
			a.refuse(x.id, d.target, reason.Warping, 0, 0)
		} else {
			a.attack(attack{x.id, d.target}) // now: his place is that after his last input
		}
	case deedUse:
		p.Avatar.UsingItem = x.weapon != nil && x.weapon.Projectile != nil && !x.frozen
	case deedRelease:
		p.Avatar.UsingItem = false
	case deedBarrier:
		p.AckBarrier(d.serial)
	}
}

// outdate ends the waiting of what a player did before he was teleported. His inputs count for no more than those that
// come until he acknowledges, so there is no reason to let him wait for them; none of them can be the acknowledgement.
func (a *Area) outdate(x *actor) {
	p := x.predicted
	for i := range p.queue {
		d := &p.queue[i]
		if d.kind != deedInput {
			a.do(x, d)
			continue
		}
		d.input.Flags &^= move.InputHandledTeleport
		a.world.Rules.Predict.Process(&p.PredictState, &d.input, a.def.Blocks, &a.scratch)
	}
	p.queue = p.queue[:0]
}

// process simulates one input and tells what came of it (SV-3).
func (a *Area) process(x *actor, in *move.Input) {
	p := x.predicted
	stood := p.Avatar.OnGround
	v := a.world.Rules.Predict.Process(&p.PredictState, in, a.def.Blocks, &a.scratch)
	a.follows(x)
	if stood && !p.Avatar.OnGround && p.Avatar.Vel.Y > 0 && in.Flags.Any(move.InputJumping|move.InputStartJump) {
		a.emit(Event{Kind: EventJumped, Who: x.id})
	}
	for _, why := range v.Anomalies {
		if why != reason.None {
			a.refuse(x.id, 0, why, 0, 0)
		}
	}
	if v.SendStance {
		a.rewind(x, EventStance, reason.None, &Rewind{})
	}
	switch {
	case v.Correct == reason.None:
		return
	case a.world.Rules.Predict.CorrectionTooLate(&p.PredictState, p.rtt):
		a.reseat(x, v.Correct)
		return
	}
	p.serial++
	a.emit(Event{
		Kind: EventCorrected, Who: x.id, Reason: v.Correct, Asked: v.PosError, Allowed: v.Allowed, Yaw: x.yaw,
		Pos: x.pos, From: a.def.BlockGrid.ToWorld(v.ClaimedPos),
		Rewind: &Rewind{Tick: p.Tick, Serial: p.serial, State: p.Avatar, Claimed: v.ClaimedPos, Velocity: v.ClaimedVel, Distance: v.PosError, RTT: p.rtt},
	})
	p.MarkChanged(p.serial)
}

// rewind tells the client of a player what is true of him after his last input. r has the rest.
func (a *Area) rewind(x *actor, kind EventKind, why reason.Reason, r *Rewind) {
	p := x.predicted
	r.Tick, r.State, r.RTT = p.Tick, p.Avatar, p.rtt
	a.emit(Event{Kind: kind, Who: x.id, Reason: why, Pos: x.pos, Yaw: x.yaw, Rewind: r})
}

// bar tells a change that inputs under way do not know of, with a barrier behind it.
func (a *Area) bar(x *actor, kind EventKind, why reason.Reason) {
	p := x.predicted
	p.serial++
	a.rewind(x, kind, why, &Rewind{Serial: p.serial})
	p.MarkChanged(p.serial)
}
