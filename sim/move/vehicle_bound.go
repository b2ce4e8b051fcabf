package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// stepBounded moves the vehicle to the position that the driver's client claims, as far as the limits of the kind and the blocks
// in between allow, and accepts velocity and rotation. It returns true if the vehicle has not reached that position (rule VH-11
// of docs/wire/bedrock.md).
func (v *Vehicle) stepBounded(in *Input, k *VehicleKind, ground *terrain.Blocks, s *Scratch) (clamped bool) {
	return v.follow(in, v.limits(k, ground), k, ground, s)
}

// limits returns the maximum movement per tick for the kind of vehicle, on the ground on which the vehicle is.
func (v *Vehicle) limits(k *VehicleKind, ground *terrain.Blocks) limits {
	l := limits{
		across: k.Limits.Across + float32(k.Limits.PerSpeed*v.Movement),
		up:     k.Limits.Up + float32(k.Limits.PerJump*v.JumpStrength),
		down:   k.Limits.Down,
	}
	if k.Limits.AcrossIce > 0 && ground.At(blockAt(v.Pos.X), blockAt(v.Pos.Y-probeDepth), blockAt(v.Pos.Z)).Kind().Slipperiness > slipperyGround {
		l.across = k.Limits.AcrossIce
	}
	return l
}

// slipperyGround is the slipperiness above which ground counts as ice. Most blocks have 0.6.
const slipperyGround = 0.9

// follow moves the vehicle to the claimed position, but not beyond the limits l and not through blocks. It accepts the claimed
// velocity within the limits, and the claimed yaw.
func (v *Vehicle) follow(in *Input, l limits, k *VehicleKind, ground *terrain.Blocks, s *Scratch) (clamped bool) {
	asked := in.vehicleFeet(k).Sub(v.Pos)
	want := l.clamp(asked)
	s.collectBody(v.Pos, want, k.body(), 0, ground)
	v.Collided = blockedAxes(want, s.slide(want))
	v.Pos = s.feet
	vel := l.clamp(in.Delta)
	v.Vel = clearAxes(vel, v.Collided)
	v.OnGround = vel.Y <= 0 && v.onFloor(k, ground, s)
	v.AngularVel = geom.WrapDegrees(in.VehicleYaw - v.Yaw)
	v.Yaw = in.VehicleYaw
	return want != asked || v.Collided != 0
}

// onFloor reports whether the vehicle stands on ground.
func (v *Vehicle) onFloor(k *VehicleKind, ground *terrain.Blocks, s *Scratch) bool {
	s.collectBody(v.Pos, geom.Vec{Y: -groundProbe}, k.body(), 0, ground)
	return s.slideY(-groundProbe) != -groundProbe
}

// vehicleFeet returns the position of the vehicle's feet that the input claims. The door has subtracted the EyeHeight of a player
// on foot from the height in the packet, so vehicleFeet adds it again and subtracts the offset of the vehicle's kind instead.
func (in *Input) vehicleFeet(k *VehicleKind) geom.Vec {
	p := in.Pos
	p.Y += EyeHeight - k.Offset
	return p
}

// claimVehicleFeet sets the position in the input so that the input claims a vehicle with its feet at the position feet. It is
// the inverse of vehicleFeet.
func (in *Input) claimVehicleFeet(feet geom.Vec, k *VehicleKind) {
	in.Pos = feet
	in.Pos.Y -= EyeHeight - k.Offset
}
