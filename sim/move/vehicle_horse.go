package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// usualSlipCubed is 0.6 cubed, as the clients round it. 0.6 is the slipperiness of most blocks, on which the acceleration of a
// horse equals its movement attribute.
const usualSlipCubed float32 = 0.21600002

// stepHorse moves a horse on land by one tick. If the rider released the jump key in this tick, the result is the charge of the
// jump in percent, otherwise noJump. Source: docs/wire/bedrock.md, vehicles, horse.
func (v *Vehicle) stepHorse(in *Input, k *VehicleKind, ground *terrain.Blocks, s *Scratch) (request int32) {
	request = v.chargeJump(in.Flags.Has(InputJumpDown), k)
	v.turnToward(in.Yaw, k)
	if request != noJump {
		v.rear(request, k)
	}
	below := ground.At(blockAt(v.Pos.X), blockAt(v.Pos.Y-probeDepth), blockAt(v.Pos.Z)).Kind()
	friction, accel, step := airFriction, float32(v.Movement*k.AirShare), k.Step
	if below.Sticky {
		step = k.StepHoney
	}
	if v.OnGround {
		share := float32(0)
		friction, share = slipFactors(below.Slipperiness)
		accel = float32(v.Movement * share)
	}
	facing := float32(v.Yaw * radPerDegree)
	sin, cos := preciseSine(facing), preciseCosine(facing)
	strafe, forward := limitStick(in.Move)
	v.launch(forward, sin, cos, below.Sticky, k)
	if !v.OnGround || !v.Standing || v.Jumping || v.Sliding {
		v.accelerate(strafe, forward, accel, sin, cos, k)
	}
	v.sweep(k, step, ground, s)
	v.Vel = geom.Vec{
		X: flushTiny(float32(v.Vel.X * friction)), Y: float32((v.Vel.Y - k.Gravity) * k.DragUp), Z: flushTiny(float32(v.Vel.Z * friction)),
	}
	if v.OnGround {
		v.Jumping, v.PendingJump, v.Standing, v.Sliding = false, 0, false, false
	}
	return request
}

// slipFactors returns two numbers for ground of the given slipperiness: the factor on the speed per tick, and the acceleration as
// a share of the movement attribute. Both are computed in float64, from the slipperiness rounded to three decimals
// (0.6 of a float32 becomes 0.6 of a float64), and rounded to float32 at the end.
func slipFactors(slip float32) (friction, accel float32) {
	d := float64(int32(float64(float64(slip)*1000)+0.5)) / 1000
	return float32(0.91 * d), usualSlipCubed / float32(float64(d*d)*d)
}

// limitStick returns the sideways and forward parts of the stick, shortened to a length of at most 1.
func limitStick(move [2]float32) (strafe, forward float32) {
	strafe, forward = move[0], move[1]
	if q := float32(strafe*strafe) + float32(forward*forward); q > 1 {
		n := geom.Sqrt(q)
		strafe, forward = strafe/n, forward/n
	}
	return strafe, forward
}

// noJump stands for a tick in which the rider has not released the jump key. It differs from a charge of 0, which is a jump whose
// key was held for one tick.
const noJump = -1

// chargeJump counts the ticks for which the jump key is held. In the tick of its release it returns the charge in
// percent, otherwise noJump.
func (v *Vehicle) chargeJump(held bool, k *VehicleKind) (request int32) {
	was := v.JumpHeld
	v.JumpHeld = held
	if v.ChargeTicks < 0 {
		if v.ChargeTicks++; v.ChargeTicks == 0 {
			v.ChargeScale = 0
		}
	}
	request = noJump
	switch {
	case !v.MayJump:
		v.ChargeScale = 0
	case was && !held:
		request = int32(float32(100 * v.ChargeScale))
		v.ChargeTicks = -k.JumpDelay
	case held && !was:
		v.ChargeTicks, v.ChargeScale = 0, 0
	case held:
		v.ChargeTicks = min(v.ChargeTicks+1, maxChargeTicks)
		if v.ChargeTicks < k.JumpTicks {
			v.ChargeScale = float32(float32(v.ChargeTicks) * (1 / float32(k.JumpTicks)))
		} else {
			v.ChargeScale = k.JumpLate + (1-k.JumpLate)/float32(v.ChargeTicks-k.JumpTicks+1)
		}
	}
	return request
}

// maxChargeTicks is the maximum of ChargeTicks, for a key that is held for hours. At that number the charge has long stopped
// changing.
const maxChargeTicks = 1 << 20

// turnToward turns the horse toward its rider's yaw by a share of the difference between the two yaws. The smaller the difference
// is, the greater is the share. If the difference is YawSpan or more, the share is YawShare * YawLeast.
func (v *Vehicle) turnToward(yaw float32, k *VehicleKind) {
	d := geom.WrapDegrees(yaw - v.Yaw)
	rate := max(k.YawLeast, (k.YawSpan-min(geom.Abs(d), k.YawSpan))/float32(2*k.YawSpan))
	v.Yaw = geom.WrapDegrees(v.Yaw + float32(d*float32(k.YawShare*rate)))
}

// rear prepares the jump that the rider requested: the horse stands on its hind legs until it jumps. The parameter request is the
// charge in percent.
func (v *Vehicle) rear(request int32, k *VehicleKind) {
	v.PendingJump = 1
	if request < k.JumpFull {
		v.PendingJump = k.JumpBase + float32(k.JumpGain*float32(request))/float32(k.JumpFull)
	}
	v.Standing, v.Sliding = true, true
}

// launch lets the horse jump if a jump is pending and the horse is on the ground.
func (v *Vehicle) launch(forward, sin, cos float32, sticky bool, k *VehicleKind) {
	if !v.OnGround || v.Jumping || v.PendingJump <= 0 {
		return
	}
	v.Vel.Y = float32(v.JumpStrength*v.PendingJump) + float32(jumpBoostSpeed*float32(v.JumpBoost))
	if sticky {
		v.Vel.Y = float32(v.Vel.Y * k.JumpHoney)
	}
	if forward > 0 {
		kick := float32(k.ForwardKick * v.PendingJump)
		v.Vel.X -= float32(kick * sin)
		v.Vel.Z += float32(kick * cos)
	}
	v.Jumping, v.PendingJump = true, 0
}

// accelerate adds to the velocity what the driver's stick causes in one tick: the position of the stick times accel, rotated by
// the horse's yaw.
func (v *Vehicle) accelerate(strafe, forward, accel, sin, cos float32, k *VehicleKind) {
	strafe = float32(strafe * k.SideFactor)
	if forward <= 0 {
		forward = float32(forward * k.BackFactor)
	}
	q := float32(strafe*strafe) + float32(forward*forward)
	if q < minImpulse2 {
		return
	}
	f := accel / max(geom.Sqrt(q), 1)
	strafe, forward = float32(strafe*f), float32(forward*f)
	v.Vel.X += float32(strafe*cos) - float32(forward*sin)
	v.Vel.Z += float32(forward*cos) + float32(strafe*sin)
}
