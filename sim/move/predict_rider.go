package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// ProcessRider processes an input for which nothing is simulated: that of a passenger, or of a rider whose client does not know
// yet that the player mounted or dismounted (rule VH-2 of docs/wire/bedrock.md). Of the input only the rotation is used; position
// and velocity are not compared. Invalid values in the input are replaced.
func (p *PredictPolicy) ProcessRider(s *PredictState, in *Input) Prediction {
	var v Prediction
	s.Tick, s.Started = in.Tick, true
	s.sanitizeInput(in, &v)
	v.ClaimedPos, v.ClaimedVel, v.Held = in.Pos, in.Delta, true
	s.Avatar.Pitch, s.Avatar.Yaw, s.Avatar.HeadYaw = in.Pitch, in.Yaw, in.HeadYaw
	if !s.Teleport.Open { // otherwise the vehicle is stopped until the change is acknowledged
		s.awaitsChange(in.Tick, false, p.History)
	}
	return v
}

// AddForeignVehicle adds suspicion points for an input that moves a vehicle which the player does not ride (rule VH-2 of
// docs/wire/bedrock.md).
func (s *PredictState) AddForeignVehicle() { s.addSuspicion(suspectVehicle) }

// AddVehicleFlip adds suspicion points because the client's inputs switch between walking and riding too often (rule VH-10 of
// docs/wire/bedrock.md).
func (s *PredictState) AddVehicleFlip() { s.addSuspicion(suspectVehicleFlip) }

// SitAt places a rider on its seat, without velocity, and ends sneaking and other stances that are possible only on foot.
func (s *PredictState) SitAt(seat geom.Vec) {
	a := &s.Avatar
	a.Pos, a.Vel = seat, geom.Vec{}
	a.OnGround, a.Collided, a.HasKnockback, a.JumpDelay = true, 0, false, 0
	a.Sneaking, a.Sprinting, a.Swimming, a.Gliding, a.Flying, a.Crawling, a.ForcedLow, a.UsingItem = false, false, false, false, false, false, false, false
}

// StandAt places a player that has left a vehicle with its feet at the position feet, without velocity. The client computed the
// inputs in flight without this change, so the caller must send the change to the client and call MarkChanged.
func (s *PredictState) StandAt(feet geom.Vec, ground *terrain.Blocks, scratch *Scratch) {
	a := &s.Avatar
	a.Pos, a.Collided, a.HasKnockback = feet, 0, false
	a.Vel, a.OnGround = geom.Vec{Y: restingFall}, a.onFloor(ground, scratch)
}

// SeatPos returns the position of a seat of the vehicle. Seat 0 is the driver's. If the parameter alone is true, the driver has
// no passenger and sits in the middle: SeatPos returns that position.
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

// DistanceToBox returns the distance in blocks of a point from the box of the vehicle. It is 0 inside the box.
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

// Distances, in blocks, that limit where a player stands after leaving a vehicle: rule VH-5 of docs/wire/bedrock.md.
const (
	leaveReach = 2    // maximum distance from the box of the vehicle to the position where a rider asks to stand
	leaveGap   = 0.05 // distance between the boxes of the vehicle and of a rider that has left it; not measured
)

// sidesOfVehicle are the directions in which a position beside a vehicle that faces +Z is searched: right, left, back,
// front, and the corners between them.
var sidesOfVehicle = [8][2]float32{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}

// LeavePlace returns the position of a player after it has left a vehicle (rule VH-5 of docs/wire/bedrock.md). It returns the
// first free one of (1) the requested position, which must be near, (2) a position beside the vehicle, (3) the top of the
// vehicle, and (4) a position inside the vehicle. (1), (2) and (3) must not be behind blocks. If none is possible, the player
// stands at the lowest free place at or above the top of the vehicle. The parameter wanted is the requested position, nil for
// none. A position that is not finite counts as none.
func (a *Avatar) LeavePlace(v *Vehicle, k *VehicleKind, wanted *geom.Vec, ground *terrain.Blocks, s *Scratch) geom.Vec {
	middle := v.Pos
	middle.Y += float32(k.Height / 2)
	free := func(p geom.Vec) bool { return a.fitsAt(p, ground, s) && s.reaches(middle, p, ground) }
	if wanted != nil && v.DistanceToBox(k, *wanted) <= leaveReach && free(*wanted) { // false for NaN, whose distance compares with nothing
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

// reaches reports whether no solid is between two points. To find out, it moves a small body from one point to the other: first
// up or down, then horizontally.
func (s *Scratch) reaches(from, to geom.Vec, ground *terrain.Blocks) bool {
	const small = 0.05
	to.Y += small
	want := to.Sub(from)
	_, got := s.moveBody(from, want, body{small, small}, 0, false, ground)
	return got == want
}
