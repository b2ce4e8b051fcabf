package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// codec reads or writes the state of the predict authority in a snapshot.
func (p *predictAuthority) codec(c *codec) {
	codecPredictState(c, &p.PredictState)
	replays := p.Teleport.Tick != 0
	c.flag(&replays, &p.wakeRequested)
	if replays {
		codecReplay(c, &p.Teleport)
	}
	p.ride.codec(c)
	num(c, &p.serial)
	num(c, &p.rtt)
	n := c.length(len(p.queue))
	if n > move.MaxQueueSize+maxActions {
		c.fail()
		return
	}
	for i := range n {
		if c.reading {
			p.queue = append(p.queue, action{})
		}
		p.queue[i].codec(c)
	}
}

// codecReplay reads or writes the part of a teleport that is only set while the client may replay inputs.
func codecReplay(c *codec, t *move.Teleport) {
	num(c, &t.Tick)
	codecAvatar(c, &t.Replay)
	if t.Tick == 0 {
		c.fail()
	}
}

// codecPredictState reads or writes the state of a predicted player, except what codecReplay does. The player takes this state
// along when it moves to another area.
func codecPredictState(c *codec, s *move.PredictState) {
	codecAvatar(c, &s.Avatar)
	num(c, &s.Tick)
	num(c, &s.NewestTick)
	for _, n := range [...]*int32{&s.TickRemainder, &s.Credits, &s.OwedTicks, &s.BacklogTicks, &s.SilentTicks, &s.DecayTicks, &s.Teleport.WaitTicks, &s.Teleport.Resends, &s.Suspicion} {
		num(c, n)
	}
	num(c, &s.Pending.Tick)
	num(c, &s.Pending.Serial)
	num(c, &s.LastCorrection)
	c.reason(&s.ForceReason)
	c.f32(&s.EaseBudget)
	c.flag(&s.Started, &s.Pending.Open, &s.Pending.Acked, &s.Pending.InputAfterAck, &s.Teleport.Open, &s.Corrected, &s.EaseDisabled, &s.ForceCorrection)
	c.flag(&s.AcceptTickJump, &s.Pending.NeedsAck)
	c.vehicleValue(&s.Vehicle)
}

// reason reads or writes a reason. Reading an unknown reason is an error.
func (c *codec) reason(p *reason.Reason) {
	num(c, p)
	if !p.Valid() {
		c.fail()
	}
}

func (act *action) codec(c *codec) {
	num(c, &act.kind)
	num(c, &act.serial)
	num(c, &act.target)
	if act.kind > actionDismount {
		c.fail()
	}
	switch act.kind {
	case actionAttack:
		num(c, &act.seen)
	case actionInput:
		codecInput(c, &act.input)
	case actionMount:
		c.flag(&act.unloaded)
	case actionDismount:
		c.flag(&act.placed)
		c.vec(&act.input.Pos)
	}
}

func codecInput(c *codec, in *move.Input) {
	num(c, &in.Tick)
	num(c, &in.Flags)
	num(c, &in.RTT)
	c.f32(&in.Pitch, &in.Yaw, &in.HeadYaw, &in.Move[0], &in.Move[1])
	c.f32(&in.VehicleYaw)
	c.vec(&in.Pos, &in.Delta)
	num(c, &in.Vehicle)
}

func codecAvatar(c *codec, a *move.Avatar) {
	c.vec(&a.Pos, &a.Vel, &a.KnockbackVel)
	c.f32(&a.Pitch, &a.Yaw, &a.HeadYaw, &a.Speed)
	c.flag(&a.OnGround, &a.Sneaking, &a.Sprinting, &a.Swimming, &a.Gliding, &a.Flying, &a.Crawling, &a.ForcedLow)
	c.flag(&a.MayFly, &a.MayGlide, &a.MaySprint, &a.UsingItem, &a.Immobile, &a.Dead, &a.HasKnockback, &a.SneakHeld)
	c.flag(&a.SoulSpeed)
	num(c, &a.GlideBoost)
	num(c, &a.Collided)
	for _, n := range [...]*uint8{&a.JumpDelay, &a.JumpBoost, &a.Levitation, &a.SlowFalling} {
		num(c, n)
	}
	num(c, &a.SwimPose)
	num(c, &a.DepthStrider)
}

func (p *predictAuthority) clone(m *cloneMemory) authority {
	q := m.predicts.clone(p)
	q.queue = m.queues.cloneSlice(p.queue)
	return q
}

func (p *predictAuthority) hash(h hash64) hash64 {
	s := &p.PredictState
	hashAvatar(&h, &s.Avatar)
	h.u64(s.Tick)
	h.u64(s.NewestTick)
	h.i32(s.Credits, s.SilentTicks)
	h.i32(s.OwedTicks, s.BacklogTicks<<16|s.TickRemainder)
	h.i32(s.DecayTicks, s.Suspicion)
	h.i32(s.Teleport.WaitTicks, s.Teleport.Resends)
	h.u64(s.Pending.Tick)
	h.u64(s.LastCorrection)
	h.f32(s.EaseBudget, 0)
	h.u64(uint64(s.Pending.Serial)<<32 | uint64(p.serial))
	h.u64(bits(s.Started, s.Pending.Open, s.Pending.Acked, s.Pending.InputAfterAck, s.Teleport.Open, s.Corrected, s.EaseDisabled, s.ForceCorrection) |
		bits(s.AcceptTickJump, p.wakeRequested, s.Pending.NeedsAck)<<8 | uint64(s.ForceReason)<<16 | uint64(p.rtt)<<32)
	for i := range p.queue {
		p.queue[i].hash(&h)
	}
	if p.ride != (ride{}) {
		p.ride.hash(&h)
	}
	if s.Vehicle.Type != move.NoVehicle {
		h = hashVehicle(h, &s.Vehicle)
	}
	if s.Teleport.Tick != 0 {
		h.u64(s.Teleport.Tick)
		hashAvatar(&h, &s.Teleport.Replay)
	}
	return h
}

func (act *action) hash(h *hash64) {
	h.u64(uint64(act.kind)<<32 | uint64(act.serial))
	h.u64(uint64(act.target))
	switch act.kind {
	case actionAttack:
		h.u64(act.seen)
	case actionMount, actionDismount:
		h.u64(bits(act.unloaded, act.placed))
		hashVec(h, act.input.Pos)
	}
	if act.kind != actionInput {
		return
	}
	in := &act.input
	if in.Vehicle != 0 {
		h.u64(in.Vehicle)
	}
	h.u64(in.Tick)
	h.u64(uint64(in.Flags))
	h.f32(in.Pitch, in.Yaw)
	h.f32(in.HeadYaw, float32(in.RTT))
	h.f32(in.Move[0], in.Move[1])
	hashVec(h, in.Pos)
	hashVec(h, in.Delta)
	if in.VehicleYaw != 0 {
		h.f32(in.VehicleYaw, 0)
	}
}

func hashAvatar(h *hash64, a *move.Avatar) {
	hashVec(h, a.Pos)
	hashVec(h, a.Vel)
	hashVec(h, a.KnockbackVel)
	h.f32(a.Pitch, a.Yaw)
	h.f32(a.HeadYaw, a.Speed)
	h.u64(bits(a.OnGround, a.Sneaking, a.Sprinting, a.Swimming, a.Gliding, a.Flying, a.Crawling, a.ForcedLow) |
		bits(a.MayFly, a.MayGlide, a.MaySprint, a.UsingItem, a.Immobile, a.Dead, a.HasKnockback, a.SneakHeld)<<8 |
		uint64(a.Collided)<<16 | uint64(a.JumpDelay)<<24 | uint64(a.JumpBoost)<<32 | uint64(a.Levitation)<<40 | uint64(a.SlowFalling)<<48 | bits(a.SoulSpeed)<<56)
	if a.GlideBoost > 0 {
		h.u64(uint64(a.GlideBoost))
	}
	if a.SwimPose != 0 || a.DepthStrider != 0 {
		h.u64(uint64(a.SwimPose)<<32 | uint64(a.DepthStrider)<<40)
	}
}

func hashVec(h *hash64, v geom.Vec) {
	h.f32(v.X, v.Y)
	h.f32(v.Z, 0)
}
