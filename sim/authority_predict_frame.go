package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Rewind is the state of a predicting client's own player after one of the client's ticks. The client rewinds to that
// tick. All lengths are in blocks.
type Rewind struct {
	Tick     uint64       // client tick of State; 0 before the client's first input
	Serial   uint32       // serial number of the barrier that the door sends after this change, 0 for none
	State    move.Avatar  // state of the player's avatar after tick Tick
	Vehicle  move.Vehicle // state of the vehicle that the player drives after tick Tick; its Type is NoVehicle if it drives none
	Claimed  geom.Vec     // position of the feet that the client predicted
	Velocity geom.Vec     // velocity that the client predicted, blocks per tick
	Distance float32      // distance between Claimed and the server's position, blocks
	RTT      uint16       // round-trip time of the client in ms
}

// Speeds of a player on flat ground in blocks per second, at the standard movement attribute (move.WalkSpeed). Source:
// docs/wire/bedrock.md, terminal speeds.
const (
	walkBlocksPerSecond   = 4.317
	sprintBlocksPerSecond = 5.612
)

// Speeds of vehicles on flat ground and on water. Source: docs/wire/bedrock.md, vehicles.
const (
	gallopPerMovement   = 2.203 * 20 // blocks per second of a horse per unit of its movement attribute
	boatBlocksPerSecond = 7.6
)

// describeRider sets s.Motion, the motion of a rider in the frame, to that of its vehicle.
func (a *Area) describeRider(x *actor, p *predictAuthority, s *ActorState) {
	s.Motion.Mode, s.Motion.InAir = MotionStand, false
	if x.pos.X != x.destX || x.pos.Z != x.destZ {
		s.Motion.Mode = MotionWalk
	}
	if x.running {
		s.Motion.Mode = MotionRun
	}
	if v := &p.Vehicle; v.Type != move.NoVehicle {
		speed := float32(boatBlocksPerSecond)
		if k := a.vehicleKind(v.Type); !k.Boat {
			speed = gallopPerMovement * v.Movement
			s.Motion.InAir = !v.OnGround
		}
		s.Motion.RunSpeed = max(s.Motion.RunSpeed, float32(speed*a.def.BlockGrid.UnitsPerBlock))
	}
}

func (p *predictAuthority) describe(a *Area, x *actor, s *ActorState) {
	s.Flags |= FlagAvatar
	av := &p.Avatar
	share := max(a.movementSpeed(x)/move.WalkSpeed, 0) * a.def.BlockGrid.UnitsPerBlock
	s.Motion.WalkSpeed, s.Motion.RunSpeed = float32(share*walkBlocksPerSecond), float32(share*sprintBlocksPerSecond)
	s.Motion.InAir, s.Motion.FacesYaw, s.Motion.OwnSpeed = !av.OnGround, true, true
	switch {
	case x.mount != 0:
		a.describeRider(x, p, s)
	case av.Swimming:
		s.Motion.Mode = MotionSwim
	case av.Flying, av.Gliding:
		s.Motion.Mode = MotionFly
	case av.Sneaking, av.Crawling:
		s.Motion.Mode = MotionSneak
	case av.Vel.X == 0 && av.Vel.Z == 0:
		s.Motion.Mode = MotionStand
	case av.Sprinting:
		s.Motion.Mode = MotionRun
	default:
		s.Motion.Mode = MotionWalk
	}
	a.frame.Avatars = append(a.frame.Avatars, AvatarState{
		ID: x.id, Avatar: p.Avatar, Seat: p.ride.seat,
		Prediction: PredictionState{Tick: p.Tick, TeleportPending: p.Teleport.Open, RideSerial: p.ride.serial},
	})
	if x.effects != nil {
		f := &a.frame.Avatars[len(a.frame.Avatars)-1].Prediction
		for k := range LastingEffects {
			if is := x.effect(k); is.Level == x.effects.Announced[k] {
				f.Effects[k] = is
			}
		}
	}
}
