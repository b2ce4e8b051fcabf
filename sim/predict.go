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
	Claimed  geom.Vec    // feet, as the client had predicted
	Distance float32     // between the two
	RTT      uint16      // ms
	Again    bool        // a teleport that was told before
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
	turns := policy.Turns(&p.PredictState, p.inputs(), a.world.TicksPerSecond)
	if turns == 0 {
		a.idle(x)
	}
	for turns > 0 && len(p.queue) > 0 && !x.gone {
		turns -= a.take(x)
	}
	if x.gone {
		return
	}
	if tell, drop := policy.Wait(&p.PredictState, a.world.TicksPerSecond, p.rtt); drop {
		a.expel(x, reason.TeleportIgnored)
	} else if tell {
		a.rewind(x, EventTeleported, reason.TeleportIgnored, &Rewind{Again: true})
	}
	if policy.Suspected(&p.PredictState) {
		a.expel(x, reason.Suspected)
	}
}

// idle is a tick in which a player has sent no input.
func (a *Area) idle(x *actor) {
	frozen, drop := a.world.Rules.Predict.Idle(&x.predicted.PredictState, a.world.TicksPerSecond)
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
		a.refuse(x.id, 0, why, float32(in.Input.Tick-p.Newest), float32(policy.History))
		a.reseat(x, why)
		return
	default:
		a.refuse(x.id, 0, why, float32(in.Input.Tick), float32(p.Newest))
		return
	}
	if p.inputs() >= int(policy.Batch) {
		p.drop(deedInput)
		policy.Lost(&p.PredictState)
		a.refuse(x.id, 0, reason.InputOverflow, float32(policy.Batch+1), float32(policy.Batch))
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
		if p.Teleport.Open { // he is not where his client shows him
			a.refuse(x.id, d.target, reason.Warping, 0, 0)
		} else {
			a.attack(attack{x.id, d.target}) // now: his place is that after his last input
		}
	case deedUse:
		p.Avatar.Using = x.weapon != nil && x.weapon.Projectile != nil
	case deedRelease:
		p.Avatar.Using = false
	case deedBarrier:
		p.Acknowledge(d.serial)
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
	v := a.world.Rules.Predict.Process(&p.PredictState, in, a.def.Blocks, &a.scratch)
	a.follows(x)
	for _, why := range v.Noted {
		if why != reason.None {
			a.refuse(x.id, 0, why, 0, 0)
		}
	}
	if v.Stance {
		a.rewind(x, EventStance, reason.None, &Rewind{})
	}
	switch {
	case v.Correct == reason.None:
		return
	case a.world.Rules.Predict.Late(&p.PredictState, p.rtt):
		a.reseat(x, v.Correct)
		return
	}
	p.serial++
	a.emit(Event{
		Kind: EventCorrected, Who: x.id, Reason: v.Correct, Asked: v.Distance, Allowed: v.Allowed, Yaw: x.yaw,
		Pos: x.pos, From: a.def.BlockGrid.ToWorld(v.Claimed),
		Rewind: &Rewind{Tick: p.Tick, Serial: p.serial, State: p.Avatar, Claimed: v.Claimed, Distance: v.Distance, RTT: p.rtt},
	})
	p.Changed(p.serial)
}

// rewind tells the client of a player what is true of him after his last input. r has the rest.
func (a *Area) rewind(x *actor, kind EventKind, why reason.Reason, r *Rewind) {
	p := x.predicted
	r.Tick, r.State, r.RTT = p.Tick, p.Avatar, p.rtt
	a.emit(Event{Kind: kind, Who: x.id, Reason: why, Pos: x.pos, Yaw: x.yaw, Rewind: r})
}

// follows lets the actor be where the body is, and look and head where that does.
func (a *Area) follows(x *actor) {
	av := &x.predicted.Avatar
	g := &a.def.BlockGrid
	x.pos = g.ToWorld(av.Pos)
	x.yaw = worldYaw(av.Yaw)
	x.running, x.backward = av.Sprinting, false
	ahead := geom.Vec{
		X: av.Pos.X + float32(av.Vel.X*leadTicks),
		Y: av.Pos.Y,
		Z: av.Pos.Z + float32(av.Vel.Z*leadTicks),
	}
	to := g.ToWorld(ahead)
	x.heads(to.X, to.Z)
}

// leadTicks is how far ahead of a predicted player his destination lies, for those who see him walk toward it: as long
// as they wait for the next word of him.
const leadTicks = 4

// worldYaw is a yaw of blocks in the world: both turn to the left, but north is -Z there and +Z here.
func worldYaw(blocks float32) float32 { return turn(180 - blocks) }

// turn brings an angle to -180..180.
func turn(deg float32) float32 {
	for deg > 180 {
		deg -= 360
	}
	for deg < -180 {
		deg += 360
	}
	return deg
}

// reseat teleports a predicted player to where he is, since his client has lost the thread; what it says counts again
// once it has been there. He keeps his velocity and his client is told that too: clients can bring this about, and it
// must not be a way to end a fall or a knockback, nor to begin the time anew in which he may ignore a teleport.
func (a *Area) reseat(x *actor, why reason.Reason) {
	p := x.predicted
	v, was := p.Avatar.Vel, p.PredictState
	p.Put(was.Avatar.Pos)
	p.Silent, p.Teleport.Tries = was.Silent, was.Teleport.Tries
	if was.Teleport.Open {
		p.Teleport.Waits = was.Teleport.Waits
	}
	a.outdate(x)
	a.follows(x)
	a.rewind(x, EventTeleported, why, &Rewind{})
	p.Knock(v)
	p.serial++
	a.rewind(x, EventKnocked, why, &Rewind{Serial: p.serial})
	p.Changed(p.serial)
}

// embodies gives a player of the predict authority his body. s is what he had in the area that he comes from, nil after
// a login.
func (a *Area) embodies(x *actor, s *move.PredictState) {
	p := &predicted{}
	if s != nil {
		p.PredictState = *s
		p.Rebase = true // what he sent meanwhile is lost
	} else {
		p.Avatar = move.NewAvatar(geom.Vec{})
	}
	p.Avatar.Speed = a.walkSpeed(x)
	x.predicted = p
}

// alight puts the body of a player where he was placed in the world. Places have the height that other doors' clients
// give them, so he stands on the blocks that are there.
func (a *Area) alight(x *actor) {
	p := x.predicted
	yaw := turn(180 - x.yaw)
	p.Avatar.Yaw, p.Avatar.HeadYaw = yaw, yaw
	p.Put(p.Avatar.Stand(a.def.BlockGrid.ToBlocks(x.pos), a.def.Blocks, &a.scratch))
	p.wakes, p.Avatar.Dead = false, x.dead
	a.outdate(x)
	a.follows(x)
}

// lands lets the client of a player who was put somewhere know. Who logs in reads it in the answer to his login, where
// he stands at rest.
func (a *Area) lands(x *actor, login bool) {
	p := x.predicted
	if p == nil {
		return
	}
	if login {
		p.Settle(a.def.Blocks, &a.scratch)
		return
	}
	a.rewind(x, EventTeleported, reason.None, &Rewind{})
}

// knock pushes a player away from whoever struck him: at once on the server, with the tick of his last input for his
// client, which rewinds. Source: docs/wire/bedrock.md, knockback; seed PlayerMovementOverview, second example.
func (a *Area) knock(y, by *actor) {
	p, k := y.predicted, a.world.Rules.Knockback
	if p == nil || y.dead || k == (Knockback{}) || p.Teleport.Open {
		return
	}
	dx, dz := y.pos.X-by.pos.X, by.pos.Z-y.pos.Z // in blocks' directions
	v := geom.Vec{Y: k.Up}
	if d := geom.Sqrt(float32(dx*dx) + float32(dz*dz)); d > 0 {
		v.X, v.Z = float32(dx/d)*k.Away, float32(dz/d)*k.Away
	}
	p.Knock(v)
	p.serial++
	a.rewind(y, EventKnocked, reason.None, &Rewind{Serial: p.serial})
	p.Changed(p.serial)
}

// adjust brings what the world knows of a player to his body: his death and his speed. A change of speed is told with the
// tick of his last input, and inputs under way do not know of it.
func (a *Area) adjust(x *actor) {
	p := x.predicted
	if x.dead && !p.Avatar.Dead {
		p.Die()
	}
	speed := a.walkSpeed(x)
	if p.Avatar.Speed == speed {
		return
	}
	p.Avatar.Speed = speed
	if !p.Begun {
		return // he is told when he enters
	}
	p.serial++
	a.rewind(x, EventStance, reason.None, &Rewind{Serial: p.serial})
	p.Changed(p.serial)
}

// walkSpeed is the movement attribute of a player: that of the protocol for the speed that his template has.
func (a *Area) walkSpeed(x *actor) float32 {
	s := a.world.Fixed.Speed
	if s < 0 || x.tmpl.Attr[s].Value <= 0 {
		return move.WalkSpeed
	}
	return float32(move.WalkSpeed * (float32(x.attr[s].Value) / float32(x.tmpl.Attr[s].Value)))
}
