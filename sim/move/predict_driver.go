package move

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// yawTolerance is the maximum difference, in degrees, between a vehicle's yaw on the server and on the driver's client. If the
// difference is greater, the driver is corrected (rule VH-3 of docs/wire/bedrock.md).
const yawTolerance = 2

// ProcessDriver simulates one tick of s.Vehicle with an input of its driver. It judges the input as Process judges an input of a
// player on foot (rule VH-3 of docs/wire/bedrock.md).
func (p *PredictPolicy) ProcessDriver(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch) Prediction {
	v := p.ProcessRider(s, in)
	if s.Teleport.Open && !s.followsCorrection(in, &p.Vehicles[s.Vehicle.Type], ground, &v) {
		return v
	}
	if in.Flags.Any(InputUnloaded) { // the client has no ground yet: nothing to simulate or compare (rule CH-1 of docs/wire/bedrock.md)
		s.Vehicle.Vel, s.Vehicle.AngularVel = geom.Vec{}, 0
		return v
	}
	k, vehicle := &p.Vehicles[s.Vehicle.Type], &s.Vehicle
	v.Held, v.ClaimedPos = false, in.vehicleFeet(k)
	v.Allowed = p.threshold(s)
	if p.TrustClient {
		vehicle.follow(in, limits{across: 4, up: 4, down: 4}, k, ground, scratch)
		s.acceptClient()
		return v
	}
	bounded := vehicle.Step(in, k, ground, scratch).Mode == BoundVehicle
	v.PosError = geom.Sqrt(geom.Dist2(vehicle.Pos, v.ClaimedPos))
	v.VelError = geom.Sqrt(geom.Dist2(vehicle.Vel, in.Delta))
	turned := geom.Abs(geom.WrapDegrees(in.VehicleYaw-vehicle.Yaw)) > yawTolerance
	s.EaseBudget = min(s.EaseBudget+float32(p.EasePerSecond*secondsPerTick), p.EasePerSecond)
	agrees := !s.ForceCorrection && !turned && v.PosError <= float32(v.Allowed*p.AcceptShare) && v.VelError <= VelocityTolerance
	if agrees {
		s.EaseDisabled = false
	} else if v.TeleportAcked && !s.ForceCorrection && (turned || v.PosError > float32(v.Allowed*p.AcceptShare)) {
		// The client acknowledges a teleport but is not where the server's vehicle is. For players on foot, offTarget checks this.
		s.ForceCorrection, s.ForceReason = true, reason.Landing
		v.Allowed *= p.AcceptShare
	}
	switch {
	case s.awaitsChange(in.Tick, agrees, p.History):
	case s.ForceCorrection:
		p.decideCorrection(s, &v, s.ForceReason)
	case v.PosError > v.Allowed || turned:
		p.decideCorrection(s, &v, reason.Mispredicted)
	case p.VelocityThreshold > 0 && v.VelError > p.VelocityThreshold:
		p.decideCorrection(s, &v, reason.MispredictedSpeed)
	case v.PosError > 0 && !bounded && !k.Boat && vehicle.OnGround:
		p.easeVehicle(s, k, ground, scratch, &v)
	}
	return v
}

// followsCorrection reports whether the client has applied the correction for which HoldVehicle has stopped the vehicle. If so,
// the vehicle moves again. If not, the input moves only the paddles or the jump charge. The client moves them, too, and
// corrections do not contain them.
func (s *PredictState) followsCorrection(in *Input, k *VehicleKind, ground *terrain.Blocks, v *Prediction) bool {
	if s.Pending.Open && !s.Pending.Acked {
		s.Vehicle.followControls(in, k, ground)
		return false
	}
	s.Teleport, s.Pending = Teleport{}, PendingChange{}
	v.TeleportAcked = true
	return true
}

// easeVehicle moves a horse on the ground a little toward the client's position, as easeTowardClient does with a player on foot.
func (p *PredictPolicy) easeVehicle(s *PredictState, k *VehicleKind, ground *terrain.Blocks, scratch *Scratch, v *Prediction) {
	maximum := float32(v.Allowed * p.EaseShare)
	if v.PosError <= float32(v.Allowed*p.AcceptShare) {
		maximum = v.PosError
	}
	maximum = min(maximum, s.EaseBudget)
	d := geom.DistXZ(v.ClaimedPos, s.Vehicle.Pos)
	if s.EaseDisabled || s.Suspicion > 0 || maximum <= 0 || d == 0 {
		return
	}
	to, share := s.Vehicle.Pos, min(maximum/d, 1)
	to.X += float32((v.ClaimedPos.X - to.X) * share)
	to.Z += float32((v.ClaimedPos.Z - to.Z) * share)
	scratch.collectBody(to, geom.Vec{}, k.body(), 0, ground)
	if scratch.overlaps(k.body().boxAt(to)) {
		return
	}
	s.Vehicle.Pos = to
	v.EasedBy = min(d, maximum)
	s.EaseBudget -= v.EasedBy
}

// ProcessAbsentDriver processes a driver's input in which the client does not name the vehicle: it steps s.Vehicle without any
// pressed key and corrects the client (rule VH-2 of docs/wire/bedrock.md). A client that learns late that its player drives
// counts the ticks of its paddles from that moment, so until then the controls remain as they were at mounting.
func (p *PredictPolicy) ProcessAbsentDriver(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch) Prediction {
	v := p.ProcessRider(s, in)
	k := &p.Vehicles[s.Vehicle.Type]
	defer s.Vehicle.ResetControls()
	if s.Teleport.Open && !s.followsCorrection(in, k, ground, &v) {
		return v
	}
	idle := Input{Tick: in.Tick, Yaw: s.Vehicle.Facing(k), Delta: s.Vehicle.Vel, VehicleYaw: s.Vehicle.Yaw}
	idle.claimVehicleFeet(s.Vehicle.Pos, k) // where its movement is bounded, the vehicle stays at its position
	s.Vehicle.Step(&idle, k, ground, scratch)
	v.Allowed = p.threshold(s)
	if !s.awaitsChange(in.Tick, false, p.History) {
		p.decideCorrection(s, &v, reason.VehicleMissing)
	}
	return v
}

// followControls moves the controls of a vehicle (paddles, jump charge) by one tick, but not the vehicle itself.
func (v *Vehicle) followControls(in *Input, k *VehicleKind, ground *terrain.Blocks) {
	if !k.Boat {
		v.chargeJump(in.Flags.Has(InputJumpDown), k)
		return
	}
	if on, _ := v.surfaceBelow(k, ground); on != inAir {
		v.movePaddles(in, k)
	}
	v.PaddleTick = min(v.PaddleTick+1, math.MaxInt32-1)
}

// Settle stops the vehicle at its position. It gives the vehicle the state in which a client creates a vehicle that it sees for
// the first time: a yaw that packets can express, and no jump or turn begun by the last driver.
func (v *Vehicle) Settle(k *VehicleKind, ground *terrain.Blocks, s *Scratch) {
	v.ResetControls()
	v.Vel, v.AngularVel, v.Yaw = geom.Vec{}, 0, nearestWireYaw(v.Yaw)
	v.PendingJump, v.Standing, v.Sliding, v.Jumping, v.Submerged, v.Collided = 0, false, false, false, 0, 0
	if v.OnGround = v.onFloor(k, ground, s); v.OnGround {
		v.Vel.Y = restingFall
	}
}
