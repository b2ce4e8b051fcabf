package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// ProcessRider processes an input that steps nothing: that of a passenger, or of a rider whose client does not know yet
// that it mounted or dismounted (rule VH-2 of docs/wire/bedrock.md). Only the rotation counts; position and velocity are not compared. in is
// sanitized.
func (p *PredictPolicy) ProcessRider(s *PredictState, in *Input) Prediction {
	var v Prediction
	s.Tick, s.Started = in.Tick, true
	s.sanitizeInput(in, &v)
	v.ClaimedPos, v.ClaimedVel, v.Held = in.Pos, in.Delta, true
	s.Avatar.Pitch, s.Avatar.Yaw, s.Avatar.HeadYaw = in.Pitch, in.Yaw, in.HeadYaw
	if !s.Teleport.Open { // otherwise the vehicle is held until the change is acknowledged
		s.awaitsChange(in.Tick, false, p.History)
	}
	return v
}

// AddForeignVehicle counts an input that moves a vehicle which the player does not ride (rule VH-2 of docs/wire/bedrock.md).
func (s *PredictState) AddForeignVehicle() { s.addSuspicion(suspectVehicle) }

// AddVehicleFlip counts an input that changes between walking and riding too often (rule VH-10 of docs/wire/bedrock.md).
func (s *PredictState) AddVehicleFlip() { s.addSuspicion(suspectVehicleFlip) }

// SitAt places the body of a rider at rest on its seat, and ends sneaking and other states that are possible only on foot.
func (s *PredictState) SitAt(seat geom.Vec) {
	a := &s.Avatar
	a.Pos, a.Vel = seat, geom.Vec{}
	a.OnGround, a.Collided, a.HasKnockback, a.JumpDelay = true, 0, false, 0
	a.Sneaking, a.Sprinting, a.Swimming, a.Gliding, a.Flying, a.Crawling, a.ForcedLow, a.UsingItem = false, false, false, false, false, false, false, false
}

// StandAt places the body at rest on its feet after it has left a vehicle. The client computed the inputs in flight without
// this change, so the caller sends it to the client and calls MarkChanged.
func (s *PredictState) StandAt(feet geom.Vec, ground *terrain.Blocks, scratch *Scratch) {
	a := &s.Avatar
	a.Pos, a.Collided, a.HasKnockback = feet, 0, false
	a.Vel, a.OnGround = geom.Vec{Y: restingFall}, a.onFloor(ground, scratch)
}

// SeatPos is the position of a seat of the vehicle. Seat 0 is the driver's; it is in the middle while the driver is alone.
func (v *Vehicle) SeatPos(k *VehicleKind, seat int, alone bool) geom.Vec {
	at := k.SeatAlone
	if !alone {
		at = k.Seats[min(seat, len(k.Seats)-1)]
	}
	yaw := float32(v.Yaw * radPerDegree)
	sin, cos := sine(yaw), cosine(yaw)
	return geom.Vec{
		X: v.Pos.X + float32(at.X*cos) - float32(at.Z*sin),
		Y: v.Pos.Y + at.Y,
		Z: v.Pos.Z + float32(at.Z*cos) + float32(at.X*sin),
	}
}

// DistanceToBox is the distance in blocks of a point from the box of the vehicle, 0 inside.
func (v *Vehicle) DistanceToBox(k *VehicleKind, p geom.Vec) float32 {
	outside := func(x, lo, hi float32) float32 { return max(lo-x, x-hi, 0) }
	half := k.Width / 2
	d := geom.Vec{
		X: outside(p.X, v.Pos.X-half, v.Pos.X+half),
		Y: outside(p.Y, v.Pos.Y, v.Pos.Y+k.Height),
		Z: outside(p.Z, v.Pos.Z-half, v.Pos.Z+half),
	}
	return geom.Sqrt(float32(d.X*d.X) + float32(d.Y*d.Y) + float32(d.Z*d.Z))
}

// Distances at which a player leaves a vehicle, in blocks: rule VH-5 of docs/wire/bedrock.md.
const (
	leaveReach = 2    // from the box of the vehicle to the place where a rider may ask to stand
	leaveGap   = 0.05 // between the boxes of the vehicle and of a rider that left it   guess
)

// sidesOfVehicle are the directions in which a place beside a vehicle is searched: right, left, back, front and the
// corners between them, for a vehicle that faces +Z.
var sidesOfVehicle = [8][2]float32{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}

// LeavePlace returns the position of a player after it has left the vehicle: the requested position if it is near, free and not
// behind blocks, else the first such side of the vehicle, else its top, else a position inside it (rule VH-5 of
// docs/wire/bedrock.md). wanted is the requested position, nil for none; a position that is not finite counts as none.
func (a *Avatar) LeavePlace(v *Vehicle, k *VehicleKind, wanted *geom.Vec, ground *terrain.Blocks, s *Scratch) geom.Vec {
	middle := v.Pos
	middle.Y += float32(k.Height / 2)
	free := func(p geom.Vec) bool { return a.fitsAt(p, ground, s) && s.reaches(middle, p, ground) }
	if wanted != nil && v.DistanceToBox(k, *wanted) <= leaveReach && free(*wanted) { // a NaN is at no distance
		return *wanted
	}
	yaw := float32(v.Facing(k) * radPerDegree)
	sin, cos := sine(yaw), cosine(yaw)
	away := float32(k.Width/2) + halfWidth + leaveGap
	for _, side := range &sidesOfVehicle {
		x, z := float32(side[0]*away), float32(side[1]*away)
		p := v.Pos
		p.X += float32(x*cos) - float32(z*sin)
		p.Z += float32(z*cos) + float32(x*sin)
		if free(p) {
			return p
		}
	}
	top := v.Pos
	top.Y += k.Height
	switch {
	case free(top):
		return top
	case a.fitsAt(v.Pos, ground, s): // inside the vehicle; not on its top, which may be in another room above a low ceiling
		return v.Pos
	}
	return a.FindStandingPlace(top, ground, s)
}

// reaches reports whether nothing solid stands between two points, by moving a small body from one to the other: first
// up or down, then across.
func (s *Scratch) reaches(from, to geom.Vec, ground *terrain.Blocks) bool {
	const small = 0.05
	to.Y += small
	want := to.Sub(from)
	_, got := s.moveBody(from, want, body{small, small}, 0, false, ground)
	return got == want
}
