package bedrock

import (
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// This file converts rides in the simulation to packets about vehicles, and packets of clients about vehicles to intents.
// Source: docs/wire/bedrock.md, riding.

// ownRide describes the vehicle that a client's own player rides, as the client was last told.
type ownRide struct {
	mount, former    sim.EntityID // vehicle that the player rides, and vehicle that the player left last; 0 means none
	wire, formerWire uint64       // runtime ids of mount and former on the client
	seat             uint8        // number of the player's seat; the player on seat 0 drives
	serial           uint32       // PredictionState.RideSerial of the last ride change that the client was sent
	seatOffset       proto.Vec3   // position of the seat relative to the vehicle, for the player's metadata
	inBoat           bool
}

// drives reports whether the client's player drives a vehicle. The client then predicts the vehicle's movement.
func (r *ownRide) drives() bool { return r.mount != 0 && r.seat == 0 }

// unknownVehicle replaces the id of a vehicle in an input if vehicleNamed does not accept that id. No actor has this entity id.
const unknownVehicle = 1 << 60

// vehicleNamed returns the entity id of the vehicle whose unique id an input contains. Only two vehicles are accepted: the one
// that the client's player rides, and the one that it left last. For any other, the result is unknownVehicle.
func (r *ownRide) vehicleNamed(id proto.ActorUniqueID) uint64 {
	switch {
	case r.mount != 0 && uint64(id) == r.wire:
		return uint64(r.mount)
	case r.former != 0 && uint64(id) == r.formerWire:
		return uint64(r.former)
	}
	return unknownVehicle
}

// requestRide submits the player's request to mount an actor (rule VH-4 of docs/wire/bedrock.md). A request that exceeds the
// session's rate limit is not submitted but refused at once.
func (c *conn) requestRide(target proto.ActorRuntimeID) {
	in := sim.Intent{Kind: sim.IntentInteract, Target: c.view.entity(target)}
	if av := c.scene.find(in.Target); av != nil && !c.chunks.covers(av.pos) {
		in.Amount = 1
	}
	if !c.submit(in) || in.Target == 0 { // Target is 0 if the client has not been shown this actor
		c.refuseRide(target)
	}
}

// refuseRide answers a refused request to mount the actor target. The client already displays its player on the target, so
// refuseRide sends the removal of the link between the two. It does nothing if the player does ride the target.
func (c *conn) refuseRide(target proto.ActorRuntimeID) {
	if target != c.ride.wire || c.ride.mount == 0 {
		send(c, proto.SetActorLink{Link: proto.ActorLink{Ridden: int64(target), Rider: int64(c.runtimeID), Type: proto.LinkRemoved, Immediate: true}})
	}
}

// requestLeave submits the player's request to leave its vehicle. The client already displays the player beside the vehicle
// (rule VH-5 of docs/wire/bedrock.md).
func (c *conn) requestLeave(p *proto.Interact) {
	in := sim.Intent{Kind: sim.IntentDismount}
	if p.Position.Has {
		in.Amount, in.Input.Pos = 1, fromVec3(p.Position.V)
	}
	if !c.submit(in) {
		c.sendOwnLink()
	}
}

// answerRefusedRide tells a client that the area has refused to let its player mount or leave a vehicle. The client already
// displays the requested change. To undo it, the client is sent the removal of the link, or the link again.
func (c *conn) answerRefusedRide(e *sim.Event) {
	switch sim.IntentKind(e.N) {
	case sim.IntentInteract:
		if wire := c.view.runtimeIDs[e.Other]; wire != 0 {
			c.refuseRide(wire)
		}
	case sim.IntentDismount:
		c.sendOwnLink()
	}
}

// sendOwnLink sends the client again the link between its own player and the vehicle that the player rides. It does nothing
// if the player does not ride.
func (c *conn) sendOwnLink() {
	if c.ride.mount != 0 {
		send(c, proto.SetActorLink{Link: proto.ActorLink{
			Ridden: int64(c.ride.wire), Rider: int64(c.runtimeID), Type: linkType(c.ride.seat), RiderInitiated: true,
		}})
	}
}

// sendMounted tells a client that its own player has mounted a vehicle: by the metadata of both, the link between them, and a
// barrier. A driver is first sent the exact position and yaw of the vehicle, because its client may display them differently. If
// the client does not display the vehicle yet, sendMounted does nothing, and syncRide sends these packets later.
func (c *conn) sendMounted(s *scene, mount sim.EntityID, seat uint8, r *sim.Rewind) {
	m := s.find(mount)
	wire := c.view.runtimeIDs[mount]
	if m == nil || wire == 0 || m.appearance.kind == nil {
		return
	}
	k := m.appearance.kind
	self := s.find(c.session.Entity)
	alone := m.rider == 0 || m.passenger == 0
	c.ride = ownRide{mount: mount, wire: wire, seat: seat, serial: r.Serial, inBoat: k.Boat, seatOffset: toVec3(seatOf(k, seat, alone))}
	if self == nil || self.appearance.isPlayerModel() {
		c.ride.seatOffset[1] += playerSeatHeight
	}
	vehicle := &r.Vehicle
	if vehicle.Type == move.NoVehicle {
		vehicle = nil
	}
	if vehicle != nil {
		send(c, placeVehicle(wire, vehicle, k))
	}
	c.sendVehicle(m, vehicle, r.Tick)
	send(c, proto.SetActorData{Runtime: c.runtimeID, Metadata: c.ownMetadata(&r.State), Tick: r.Tick})
	c.sendOwnLink()
	c.sendBarrier(r.Serial)
	c.flush()
}

// sendDismounted tells a client that its own player has left its vehicle. It sends the removal of the link, the player's
// metadata and a barrier.
func (c *conn) sendDismounted(r *sim.Rewind) {
	was := c.ride
	c.ride = ownRide{former: was.mount, formerWire: was.wire, serial: r.Serial}
	if was.mount != 0 {
		send(c, proto.SetActorLink{Link: proto.ActorLink{Ridden: int64(was.wire), Rider: int64(c.runtimeID), Type: proto.LinkRemoved, Immediate: true}})
	}
	m := c.ownMetadata(&r.State)
	m.Set(proto.ByteMeta(proto.MetaSeatLocked, 0))
	m.Set(proto.ByteMeta(proto.MetaSeatTurned, 0))
	send(c, proto.SetActorData{Runtime: c.runtimeID, Metadata: m, Tick: r.Tick})
	c.sendBarrier(r.Serial)
	c.flush()
}

// syncRide tells a client that its own player has mounted or left a vehicle, if this could not be sent with the event. That
// has two causes: the worker missed the frame, or the client did not display the vehicle yet.
func (c *conn) syncRide(s *scene, f *sim.Frame) {
	p, a := f.FindAvatar(c.session.Entity), f.Find(c.session.Entity)
	if p == nil || a == nil || p.Prediction.RideSerial == c.ride.serial {
		return
	}
	r := sim.Rewind{Tick: p.Prediction.Tick, Serial: p.Prediction.RideSerial, State: p.Avatar}
	if a.Mount == 0 {
		c.sendDismounted(&r)
		return
	}
	if c.ride.mount != 0 {
		left := r
		left.Serial = 0 // send no barrier here, because a barrier follows the link to the next vehicle
		c.sendDismounted(&left)
	}
	if v := f.FindVehicle(a.Mount); v != nil && p.Seat == 0 {
		r.Vehicle = v.Vehicle
	}
	c.sendMounted(s, a.Mount, p.Seat, &r)
}

// vehicleKind returns the physics constants of a type of vehicle.
func (c *conn) vehicleKind(t move.VehicleType) *move.VehicleKind {
	return &c.w.g.world.Def().Rules.Predict.Vehicles[t]
}

// sendVehicleCorrection sends a driver the true state of its vehicle at the tick of one of the driver's inputs, followed by
// a barrier (rule VH-3 of docs/wire/bedrock.md).
func (c *conn) sendVehicleCorrection(r *sim.Rewind) {
	v := &r.Vehicle
	k := c.vehicleKind(v.Type)
	p := proto.CorrectPlayerMovePrediction{
		Type: proto.PredictionVehicle, Position: vehiclePosition(v, k), Delta: toVec3(v.Vel),
		Rotation: proto.Vec2{0, v.Yaw}, OnGround: v.OnGround, Tick: r.Tick,
	}
	if k.Boat {
		p.AngularVelocity = proto.Some(v.AngularVel)
	}
	send(c, p)
	c.sendBarrier(r.Serial)
	c.flush()
}

// placeVehicle returns the packet with the position at which the driver of a vehicle begins to drive. If the vehicle was
// moving when the player mounted it, the driver's client displays an older position until it receives this packet.
func placeVehicle(wire uint64, v *move.Vehicle, k *move.VehicleKind) proto.MoveActorAbsolute {
	yaw := proto.ByteAngleOf(v.Yaw)
	p := proto.MoveActorAbsolute{Runtime: wire, Flags: proto.MoveTeleported, Position: vehiclePosition(v, k), Yaw: yaw, HeadYaw: yaw}
	if v.OnGround {
		p.Flags |= proto.MoveOnGround
	}
	return p
}

// vehiclePosition returns the position of a vehicle that packets contain. It is above the vehicle's lowest point by an
// offset that depends on the kind of vehicle.
func vehiclePosition(v *move.Vehicle, k *move.VehicleKind) proto.Vec3 {
	return proto.Vec3{v.Pos.X, v.Pos.Y + k.Offset, v.Pos.Z}
}

// ownMetadata returns the metadata of the client's own player, including its seat if the player rides.
func (c *conn) ownMetadata(b *move.Avatar) proto.Metadata {
	m := ownMetadata(b)
	if c.ride.mount != 0 {
		f := m.Flags()
		f.Set(proto.FlagRiding, true)
		m.SetFlags(f)
		setSeat(&m, c.ride.seatOffset, c.ride.inBoat)
	}
	return m
}

// Angles of riders in a boat, in degrees. In packets, the yaw of a boat is a quarter turn off the direction in which the boat
// points. A rider can look up to a quarter turn to each side of that direction.
const (
	boatSeatTurn = 90
	boatSeatYaw  = -90
)

// setSeat adds the metadata by which clients display a rider on its seat.
func setSeat(m *proto.Metadata, at proto.Vec3, inBoat bool) {
	m.Set(proto.MetaEntry{Key: proto.MetaSeat, Type: proto.MetaVec3, Vec: at})
	if !inBoat {
		m.Set(proto.ByteMeta(proto.MetaSeatLocked, 0))
		m.Set(proto.ByteMeta(proto.MetaSeatTurned, 0))
		return
	}
	m.Set(proto.ByteMeta(proto.MetaSeatLocked, 1))
	m.Set(proto.FloatMeta(proto.MetaSeatTurn, boatSeatTurn))
	m.Set(proto.ByteMeta(proto.MetaSeatTurned, 1))
	m.Set(proto.FloatMeta(proto.MetaSeatYaw, boatSeatYaw))
}

// boatHealth is the health in the metadata of every boat. Clients expect this value to be constant.
const boatHealth = 40

// boatBuoyancy is the JSON text with the buoyancy settings of boats. It disables waves, because each client would simulate
// different waves.
const boatBuoyancy = `{"apply_gravity":true,"base_buoyancy":1.0,"big_wave_probability":0.0,"big_wave_speed":10.0,"drag_down_on_buoyancy_removed":0.0,` +
	`"liquid_blocks":["minecraft:water","minecraft:flowing_water"],"movement_type":"none","simulate_waves":false}`

// setVehicle adds the metadata that clients need to predict a vehicle.
func setVehicle(m *proto.Metadata, k *move.VehicleKind) {
	m.Set(proto.ByteMeta(proto.MetaDriverSeat, 0))
	if k.Boat {
		m.Set(proto.IntMeta(proto.MetaHealth, boatHealth))
		m.Set(proto.ByteMeta(proto.MetaBuoyant, 1))
		m.Set(proto.TextMeta(proto.MetaBuoyancy, boatBuoyancy))
	}
}

// sendVehicle sends the metadata of a vehicle and, if the vehicle is a horse, its attributes. The parameter v is the state
// of the vehicle; nil selects the default attributes. The parameter tick is the tick of the driver's last input, or 0 if
// the client is not that of the driver.
func (c *conn) sendVehicle(m *actorView, v *move.Vehicle, tick uint64) {
	send(c, proto.SetActorData{Runtime: m.runtimeID, Metadata: actorMetadata(m), Tick: tick})
	if v == nil {
		k := m.appearance.kind
		v = &move.Vehicle{Type: m.appearance.vehicle, Movement: k.Movement, JumpStrength: k.JumpStrength}
	}
	c.sendVehicleAttributes(m.runtimeID, v, tick)
}

// maxJumpStrength is the maximum value of the attribute AttributeJumpStrength.
const maxJumpStrength = 2

// sendVehicleAttributes sends the attributes of a horse. Boats have none.
func (c *conn) sendVehicleAttributes(wire uint64, v *move.Vehicle, tick uint64) {
	k := c.vehicleKind(v.Type)
	if k.Boat || v.Type == move.NoVehicle {
		return
	}
	send(c, proto.UpdateAttributes{Runtime: wire, Tick: tick, Attributes: []proto.Attribute{
		speedAttribute(proto.AttributeMovement, v.Movement, k.Movement),
		{Max: maxJumpStrength, DefaultMax: maxJumpStrength, Current: v.JumpStrength, Default: k.JumpStrength, Name: proto.AttributeJumpStrength},
		speedAttribute(proto.AttributeUnderwaterMovement, k.UnderwaterMax, k.UnderwaterMax),
		speedAttribute(proto.AttributeLavaMovement, k.LavaMax, k.LavaMax),
	}})
}

// setVehicle sets the flags of an actor that is a vehicle. If the frame contains the state of the vehicle's simulation,
// setVehicle also sets the exact position and rotation, and advances the paddles of a boat.
func (av *actorView) setVehicle(f *sim.Frame, a *sim.ActorState, was *actorView) {
	k := av.appearance.kind
	if k.Boat {
		av.flags.Set(proto.FlagCollidable, true)
	} else {
		for _, flag := range [...]proto.ActorFlag{proto.FlagSaddled, proto.FlagTamed, proto.FlagWASDControlled, proto.FlagCanPowerJump} {
			av.flags.Set(flag, true)
		}
	}
	v := f.FindVehicle(a.ID)
	if v == nil {
		before := was.displayedYaw()
		before.Yaw -= k.YawOffset
		av.yaw = gateway.BlockYaw(f, a, before) + k.YawOffset
		return
	}
	av.pos, av.yaw, av.onGround = v.Pos, v.Yaw, v.OnGround
	av.flags.Set(proto.FlagRearing, v.Standing)
	for i := range v.Paddles {
		if v.Paddles[i].Strength != 0 && f.Tick%2 == 0 {
			av.paddles[i] += paddleTimeStep
			av.paddleTick = f.Tick
		}
	}
}

// paddleTimeStep is the amount by which the metadata value of a paddle increases every second tick while the paddle moves
// (rule VH-8 of docs/wire/bedrock.md). Clients compute the position of the paddle from this value.
const paddleTimeStep = 0.04

// paddlePacket returns the packet with the metadata values of a boat's two paddles (see paddleTimeStep).
func paddlePacket(av *actorView) proto.SetActorData {
	var m proto.Metadata
	m.Set(proto.FloatMeta(proto.MetaPaddleLeft, av.paddles[move.LeftPaddle]))
	m.Set(proto.FloatMeta(proto.MetaPaddleRight, av.paddles[move.RightPaddle]))
	return proto.SetActorData{Runtime: av.runtimeID, Metadata: m}
}
