package move

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// surface is what a boat is on in a tick, such as water or land.
type surface uint8

const (
	inAir      surface = iota
	afloat             // the boat floats: its reference point is below the surface of the water
	underwater         // the block above the one with its reference point contains water, too
	atWater            // the boat touches water without floating
	onLand             // the boat stands on ground
)

// stepBoat moves a boat by one tick and returns the surface that the boat was on. The parameter wet says whether the boat's box
// touches water. Source: docs/wire/bedrock.md, vehicles, boat.
func (v *Vehicle) stepBoat(in *Input, wet bool, k *VehicleKind, ground *terrain.Blocks, s *Scratch) surface {
	on, friction := v.surfaceBelow(k, ground)
	switch on {
	case underwater:
		v.Submerged = min(v.Submerged+1, k.SubmergedTicks+1)
	case afloat:
		v.Submerged = 0
	}
	if on != inAir {
		v.movePaddles(in, k)
	}
	v.PaddleTick = min(v.PaddleTick+1, math.MaxInt32-1)
	if wet {
		flow := ground.Current(terrain.WaterLiquid, k.body().boxAt(v.Pos))
		v.Vel = v.Vel.Add(geom.Vec{X: float32(flow.X * k.Current), Y: float32(flow.Y * k.Current), Z: float32(flow.Z * k.Current)})
	}
	v.Vel.X, v.Vel.Z, v.AngularVel = float32(v.Vel.X*friction), float32(v.Vel.Z*friction), float32(v.AngularVel*friction)
	if v.Submerged <= k.SubmergedTicks {
		v.paddle(friction, on != inAir, k)
	}
	v.sweep(k, 0, ground, s)
	v.Vel.X, v.Vel.Z = flushTiny(v.Vel.X), flushTiny(v.Vel.Z)
	v.Vel.Y = float32((v.Vel.Y - k.Gravity) * k.DragUp)
	if on == afloat || on == underwater {
		v.float(on == underwater, k)
	}
	if ground.HasAny(terrain.BubblesTrait) {
		v.riseInBubbles(k, ground)
	}
	return on
}

// surfaceBelow returns what the boat is on, and the factor by which that changes its speed per tick.
func (v *Vehicle) surfaceBelow(k *VehicleKind, ground *terrain.Blocks) (surface, float32) {
	o := v.Pos
	o.Y += k.Offset
	switch at := ground.LiquidAt(o); {
	case at.Liquid != terrain.WaterLiquid:
	case at.Covered:
		return underwater, k.WaterDrag
	case o.Y < at.Top:
		return afloat, k.WaterDrag
	default:
		return atWater, k.WaterDrag
	}
	x, z := blockAt(o.X), blockAt(o.Z)
	if v.OnGround {
		if below := ground.At(x, blockAt(v.Pos.Y-probeDepth), z).Kind(); below.Solid() {
			return onLand, below.Slipperiness
		}
		return onLand, k.NoBlockSlip
	}
	if ground.At(x, blockAt(o.Y)-1, z).Kind().Liquid == terrain.WaterLiquid {
		return atWater, k.WaterDrag
	}
	return inAir, 1
}

// movePaddles sets the strength of both paddles of a boat by the stick or by the paddle buttons of a touch screen, whichever the
// player has used last. The stick takes precedence.
func (v *Vehicle) movePaddles(in *Input, k *VehicleKind) {
	left, right := in.Flags.Has(InputPaddleLeft), in.Flags.Has(InputPaddleRight)
	strafe, forward := limitStick(in.Move)
	switch {
	case strafe != 0 || forward != 0:
		v.TouchPaddles = false
	case left || right:
		v.TouchPaddles = true
	}
	if v.TouchPaddles {
		v.Paddles[LeftPaddle].touch(left, v.PaddleTick, k)
		v.Paddles[RightPaddle].touch(right, v.PaddleTick, k)
	} else {
		m := geom.Sqrt(float32(strafe*strafe) + float32(forward*forward))
		if forward < 0 {
			m, strafe = float32(m*k.PaddleBack), -strafe
		}
		v.Paddles[LeftPaddle].push(float32(m*(1-max(0, strafe))), v.PaddleTick, k)
		v.Paddles[RightPaddle].push(float32(m*(1+min(0, strafe))), v.PaddleTick, k)
	}
}

// push moves a paddle by the stick. The parameter force, -1..1, is how far the stick is pushed for this paddle; negative is
// backward.
func (p *Paddle) push(force float32, tick int32, k *VehicleKind) {
	strength := float32(k.PaddleStrength * force)
	switch {
	case force == 0:
		p.Start, strength = -1, 0
	case tick-p.Start > k.StrokeTicks:
		p.Start = tick
	case force < 0:
		strength = -max(0, -strength-k.PaddleDrop)
	default:
		strength = max(0, strength-k.PaddleDrop)
	}
	p.Strength = strength
}

// touch moves a paddle that is held or released on a touch screen.
func (p *Paddle) touch(held bool, tick int32, k *VehicleKind) {
	if !held {
		p.Start = -1
		if p.Strength < k.PaddleStop {
			p.Strength = 0
		}
		p.Strength = float32(p.Strength * k.PaddleLet)
		return
	}
	again := p.Start < 0
	if again {
		p.Start = tick
	}
	switch {
	case again && tick-p.Last <= k.StrokeTicks+1, tick-p.Start > k.StrokeTicks:
		p.Strength = max(k.PaddleLeast, p.Strength-k.PaddleFade)
	default:
		p.Strength = k.PaddleStrength
	}
	p.Last = tick
}

// paddle turns and accelerates the boat by the force of its paddles, and then applies friction for the second time in the tick.
// The paddles have no force if the parameter effective is false, because the boat is in the air.
func (v *Vehicle) paddle(friction float32, effective bool, k *VehicleKind) {
	var force, torque float32
	if effective {
		l, r := float32(k.PaddleForce*v.Paddles[LeftPaddle].Strength), float32(k.PaddleForce*v.Paddles[RightPaddle].Strength)
		torque, force = float32(k.PaddleTorque*l)-float32(k.PaddleTorque*r), l+r
		if lengthXZ2(v.Vel) < k.SlowTurnSpeed2 && torque != 0 {
			force, torque = float32(force*friction), float32(torque*k.SlowTurn)
		}
	}
	v.AngularVel = float32((v.AngularVel + float32(k.PaddleTurn*torque)) * friction)
	v.Yaw = geom.WrapDegrees(v.Yaw + v.AngularVel)
	facing := float32((k.YawOffset - v.Yaw) * radPerDegree)
	v.Vel.X = float32((v.Vel.X + float32(force*preciseSine(facing))) * friction)
	v.Vel.Z = float32((v.Vel.Z + float32(force*preciseCosine(facing))) * friction)
}

// float applies the buoyancy of water to the vertical speed of the boat, after gravity. The parameter under says whether the boat
// is under water.
func (v *Vehicle) float(under bool, k *VehicleKind) {
	depth := float32(1)
	if !under {
		o := v.Pos.Y + k.Offset
		frac := o - float32(blockAt(o))
		depth = max(0, min(float32(k.DepthShare*(1-frac))+k.DepthLeast, 1))
	}
	if depth > 0 {
		v.Vel.Y = min(float32(k.Buoyancy*(depth-k.DepthLeast)), float32(k.RiseKeep*v.Vel.Y)+k.RiseGain)
	}
}

// riseInBubbles applies the force of a bubble column, which lifts the boat or drags it down.
func (v *Vehicle) riseInBubbles(k *VehicleKind, ground *terrain.Blocks) {
	switch ground.At(blockAt(v.Pos.X), blockAt(v.Pos.Y+k.Offset), blockAt(v.Pos.Z)).Kind().Bubbles {
	case terrain.RisingBubbles:
		v.Vel.Y = min(v.Vel.Y+k.BubbleRise, k.BubbleRiseMax)
	case terrain.DraggingBubbles:
		v.Vel.Y = max(v.Vel.Y-k.BubbleSink, -k.BubbleSinkMax)
	}
}
