package bedrock

import (
	"strings"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// vehicleKinds are the physics constants of vehicles. Clients contain them; the server does not send them.
var vehicleKinds = move.DefaultVehicleKinds()

// seat says whether the client's player is on foot, drives a vehicle or is a passenger.
type seat uint8

const (
	onFoot seat = iota
	driverSeat
	passengerSeat
)

// ride says which vehicle the client's player rides, if any, and on which seat.
type ride struct {
	seat    seat         // seat of the player; onFoot means that the player rides nothing
	runtime uint64       // runtime id of the vehicle
	unique  int64        // unique id of the vehicle
	vehicle move.Vehicle // predicted state of the vehicle; only if the player drives the vehicle
}

// rider is the predicted state of the client's player: its body, and the vehicle that it rides.
type rider struct {
	move.Avatar
	ride
	waterSpeed, lavaSpeed float32 // underwater and lava movement attributes as the server sent them; 0 for the default
}

// kind returns the physics constants of the vehicle that the player drives.
func (r *ride) kind() *move.VehicleKind { return &vehicleKinds[r.vehicle.Type] }

// vehiclePosition returns the position of a vehicle as packets contain it. This position is VehicleKind.Offset above the lowest
// point of the vehicle, v.Pos.
func vehiclePosition(v *move.Vehicle) geom.Vec {
	p := v.Pos
	p.Y += vehicleKinds[v.Type].Offset
	return p
}

func vehicleFeet(pos geom.Vec, of move.VehicleType) geom.Vec {
	pos.Y -= vehicleKinds[of].Offset
	return pos
}

// Vehicle returns the type of vehicle that the actor is, or NoVehicle if clients do not predict it as a vehicle.
func (a *Actor) Vehicle() move.VehicleType {
	name, ok := strings.CutPrefix(a.Type, "minecraft:")
	if !ok {
		return move.NoVehicle
	}
	of, _ := move.VehicleTypeNamed(name)
	return of
}

// stepVehicle simulates one tick of the vehicle that the player drives. The player stays on its seat.
func (p *Predictor) stepVehicle(r *rider, in move.Input) {
	v, k := &r.vehicle, r.kind()
	before := *v
	r.Pitch, r.Yaw, r.HeadYaw = in.Pitch, in.Yaw, in.HeadYaw
	if in.Flags.Has(move.InputUnloaded) {
		v.Vel, v.AngularVel = geom.Vec{}, 0 // without terrain the vehicle cannot be simulated (rule CH-1 of docs/wire/bedrock.md)
	} else {
		in.Pos, in.Delta = driftVehicle(v, &in)
		in.VehicleYaw = v.Yaw
		v.Step(&in, k, p.ground.Blocks(), &p.scratch)
		r.vehicle = p.tamper.alterVehicle(before, *v, in)
	}
	r.Avatar = seated(r.Avatar, r.vehicle.SeatPos(k, 0, true))
}

// driftVehicle simulates one tick of a vehicle in a movement mode in which the server accepts the client's values. It returns the
// new velocity, and the position to put into the input. From that position the eye height of a player is subtracted, because
// AuthInput adds this height to the position of every input.
func driftVehicle(v *move.Vehicle, in *move.Input) (pos, vel geom.Vec) {
	b := move.Avatar{Pos: v.Pos}
	_, vel = drift(&b, in)
	next := *v
	next.Pos = v.Pos.Add(vel)
	return feetOf(vehiclePosition(&next)), vel
}

// seated returns the avatar a, moved to a seat and at rest there. The parameter seat is the position of the seat.
func seated(a move.Avatar, seat geom.Vec) move.Avatar {
	s := move.PredictState{Avatar: a}
	s.SitAt(seat)
	return s.Avatar
}

// dismounted returns the state of a player that has left its vehicle and stands at rest. The parameter feet is the new
// position of the player's feet.
func (p *Predictor) dismounted(r rider, feet geom.Vec) rider {
	s := move.PredictState{Avatar: r.Avatar}
	s.StandAt(feet, p.ground.Blocks(), &p.scratch)
	return rider{Avatar: s.Avatar, waterSpeed: r.waterSpeed, lavaSpeed: r.lavaSpeed}
}

// Riding returns the runtime id of the actor that the client's player rides, or 0 if it rides none. drives says whether the
// player drives that actor.
func (p *Predictor) Riding() (runtime uint64, drives bool) {
	r := p.history.Now()
	return r.runtime, r.seat == driverSeat
}

// Vehicle returns the predicted state of the vehicle that the client's player drives; its type is NoVehicle if the
// player drives none.
func (p *Predictor) Vehicle() move.Vehicle { return p.history.Now().vehicle }

// mount seats the client's player on an actor, as its driver or as a passenger. The prediction of the vehicle starts at the
// last position of the actor that the server sent.
func (p *Predictor) mount(a *Actor, at seat) {
	r := ride{seat: at, runtime: a.RuntimeID, unique: a.UniqueID}
	r.vehicle = p.vehicleOf(a)
	p.history.Add(0, stateUpdate{kind: updateMount, ride: &r})
	p.counts.Mounts++
}

// vehicleOf returns the state of an actor as a vehicle at rest, at the last position of the actor that the server sent.
func (p *Predictor) vehicleOf(a *Actor) move.Vehicle {
	of := a.Vehicle()
	k := &vehicleKinds[of]
	v := move.NewVehicle(of, k, a.Pos, a.Yaw)
	v.Settle(k, p.ground.Blocks(), &p.scratch)
	if a.Movement > 0 {
		v.Movement = a.Movement
	}
	if a.JumpStrength > 0 {
		v.JumpStrength = a.JumpStrength
	}
	v.MayJump = v.MayJump && a.Flags>>proto.FlagCanPowerJump&1 != 0
	return v
}

// dismount places the client's player beside its vehicle (rule VH-5 of docs/wire/bedrock.md). It returns the new position
// of the player.
func (p *Predictor) dismount() geom.Vec {
	r := p.history.State()
	at := r.LeavePlace(&r.vehicle, r.kind(), nil, p.ground.Blocks(), &p.scratch)
	p.history.Add(0, stateUpdate{kind: updateDismount, pos: at})
	return at
}

// followVehicle moves a passenger with its vehicle a, whose position the server has just sent. It does nothing if the
// player is not a passenger of a.
func (p *Predictor) followVehicle(a *Actor) {
	r := p.history.State()
	if r.seat != passengerSeat || r.runtime != a.RuntimeID {
		return
	}
	r.vehicle.Pos, r.vehicle.Yaw = a.Pos, a.Yaw
	p.history.Add(0, stateUpdate{kind: updateMount, ride: &r.ride})
}

// AddVehicleAttributes adds to the prediction history the attributes of the vehicle that the client's player drives.
func (p *Predictor) AddVehicleAttributes(u proto.UpdateAttributes) {
	p.counts.Attributes++
	for i := range u.Attributes {
		switch a := &u.Attributes[i]; a.Name {
		case proto.AttributeMovement:
			p.history.Add(u.Tick, stateUpdate{kind: updateVehicleSpeed, speed: a.Current})
		case proto.AttributeJumpStrength:
			p.history.Add(u.Tick, stateUpdate{kind: updateVehicleJump, speed: a.Current})
		}
	}
}

// applyToRide applies the update n to the state r if n mounts or dismounts the player or changes its vehicle. For any other
// update it returns r unchanged and ok = false.
func (p *Predictor) applyToRide(r rider, n *stateUpdate) (_ rider, ok bool) {
	switch n.kind {
	case updateMount:
		r.ride = *n.ride
		r.Avatar = seated(r.Avatar, r.vehicle.SeatPos(r.kind(), int(r.seat-driverSeat), r.seat == driverSeat))
	case updateDismount:
		if r.seat != onFoot {
			r = p.dismounted(r, n.pos)
		}
	case updateVehicle:
		if r.seat == driverSeat {
			v := &r.vehicle
			v.Pos, v.Vel, v.OnGround, v.Yaw = vehicleFeet(n.pos, v.Type), n.vel, n.onGround, n.yaw
			if r.kind().Boat {
				v.AngularVel = n.head
			}
			r.Avatar = seated(r.Avatar, v.SeatPos(r.kind(), 0, true))
		}
	case updateVehicleSpeed:
		if r.seat == driverSeat {
			r.vehicle.Movement = n.speed
		}
	case updateVehicleJump:
		if r.seat == driverSeat {
			r.vehicle.JumpStrength = n.speed
		}
	default:
		return r, false
	}
	return r, true
}

// handleOwnLink mounts the client's player on an actor, or dismounts the player. If a link of type LinkRemoved names an actor
// that the player does not ride, the server has refused a request to mount, or confirms that the player has dismounted.
func (s *Session) handleOwnLink(l *proto.ActorLink) {
	runtime, drives := s.predict.Riding()
	ridden := s.world.actors[s.world.unique[l.Ridden]]
	switch {
	case ridden == nil:
		s.counts.UnknownActors++
	case l.Type == proto.LinkRemoved && runtime == ridden.RuntimeID:
		s.dismount()
	case l.Type == proto.LinkRemoved:
		s.counts.RidesRefused++
	case ridden.Vehicle() == move.NoVehicle, runtime == ridden.RuntimeID && drives == (l.Type == proto.LinkRider):
	default:
		if runtime != 0 {
			s.dismount()
		}
		at := driverSeat
		if l.Type == proto.LinkPassenger {
			at = passengerSeat
		}
		s.predict.mount(ridden, at)
	}
}

// dismount places the client's player beside its vehicle and returns the new position of the player. If the player was the
// driver, the vehicle's actor gets the predicted position of the vehicle.
func (s *Session) dismount() geom.Vec {
	if a := s.world.actors[s.predict.history.Now().runtime]; a != nil && s.predict.history.Now().seat == driverSeat {
		v := s.predict.Vehicle()
		a.Pos, a.Yaw = v.Pos, v.Yaw
	}
	return s.predict.dismount()
}

// Mount requests to ride an actor, as a click on it with an empty hand does. The request is sent before the next input.
func (s *Session) Mount(runtime uint64) {
	if s.stage != stagePlay {
		return
	}
	s.queuePacket(proto.InventoryTransaction{
		Type: proto.TransactionUseItemOnActor,
		UseOnActor: proto.UseItemOnActor{
			Target: runtime, Action: proto.UseOnActorInteract, PlayerPosition: vec3(eyeOf(s.predict.State().Pos)),
		},
	})
}

// Dismount dismounts the client's player from its vehicle. The player stands beside the vehicle immediately.
func (s *Session) Dismount() {
	runtime, _ := s.predict.Riding()
	if s.stage != stagePlay || runtime == 0 {
		return
	}
	at := s.dismount()
	s.queuePacket(proto.Interact{Action: proto.InteractLeaveVehicle, Target: runtime, Position: proto.Some(vec3(at))})
}

// drives reports whether the client's player drives an actor.
func (s *Session) drives(runtime uint64) bool {
	ridden, drives := s.predict.Riding()
	return drives && ridden == runtime
}

// handleRemove removes an actor. If the client's player rides that actor, the player dismounts.
func (s *Session) handleRemove(unique int64) {
	if runtime, _ := s.predict.Riding(); runtime != 0 && s.world.unique[unique] == runtime {
		s.dismount()
	}
	if !s.world.remove(unique) {
		s.counts.UnknownActors++
	}
}
