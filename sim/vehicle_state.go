package sim

import "github.com/truestep-io/truestep/sim/move"

// vehicle reads or writes a pointer to the state of a vehicle, which is nil if there is none.
func (c *codec) vehicle(p **move.Vehicle) {
	present := *p != nil
	c.flag(&present)
	if !present {
		return
	}
	if c.reading {
		*p = new(move.Vehicle)
	}
	c.vehicleFields(*p)
}

// vehicleValue reads or writes the state of a vehicle. The zero value, with Type NoVehicle, means none.
func (c *codec) vehicleValue(v *move.Vehicle) {
	present := v.Type != move.NoVehicle
	if c.flag(&present); present {
		c.vehicleFields(v)
	}
}

func (c *codec) vehicleFields(v *move.Vehicle) {
	num(c, &v.Type)
	if !v.Type.Valid() {
		c.fail()
	}
	c.vec(&v.Pos, &v.Vel)
	c.f32(&v.Yaw, &v.ChargeScale, &v.PendingJump, &v.AngularVel, &v.Movement, &v.JumpStrength)
	c.flag(&v.OnGround, &v.JumpHeld, &v.Standing, &v.Sliding, &v.Jumping, &v.TouchPaddles, &v.MayJump)
	num(c, &v.Collided)
	num(c, &v.JumpBoost)
	for _, n := range [...]*int32{&v.ChargeTicks, &v.PaddleTick, &v.Submerged} {
		num(c, n)
	}
	for i := range v.Paddles {
		num(c, &v.Paddles[i].Start)
		num(c, &v.Paddles[i].Last)
		c.f32(&v.Paddles[i].Strength)
	}
}

func hashVehicle(h hash64, v *move.Vehicle) hash64 {
	hashVec(&h, v.Pos)
	hashVec(&h, v.Vel)
	h.f32(v.Yaw, v.AngularVel)
	h.f32(v.ChargeScale, v.PendingJump)
	h.f32(v.Movement, v.JumpStrength)
	h.i32(v.ChargeTicks, v.PaddleTick)
	h.u64(uint64(uint32(v.Submerged))<<32 | uint64(v.Type)<<24 | uint64(v.Collided)<<16 | uint64(v.JumpBoost)<<8 |
		bits(v.OnGround, v.JumpHeld, v.Standing, v.Sliding, v.Jumping, v.TouchPaddles, v.MayJump))
	for i := range v.Paddles {
		h.i32(v.Paddles[i].Start, v.Paddles[i].Last)
		h.f32(v.Paddles[i].Strength, 0)
	}
	return h
}

func (r *ride) codec(c *codec) {
	num(c, &r.former)
	num(c, &r.seat)
	c.flag(&r.inFlight, &r.acked, &r.follows, &r.inputAfterAck, &r.wasRiding)
	num(c, &r.requests)
	num(c, &r.misses)
	num(c, &r.serial)
	num(c, &r.changeTick)
	num(c, &r.requestTick)
	for i := range r.flips {
		num(c, &r.flips[i])
	}
}

func (r *ride) hash(h *hash64) {
	h.u64(uint64(r.former))
	h.u64(bits(r.inFlight, r.acked, r.follows, r.inputAfterAck, r.wasRiding) | uint64(r.seat)<<8 | uint64(r.requests)<<16 | uint64(r.misses)<<24 | uint64(r.serial)<<32)
	h.u64(r.changeTick)
	h.u64(uint64(r.requestTick))
	for _, tick := range r.flips {
		h.u64(tick)
	}
}
