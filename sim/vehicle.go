package sim

import (
	"cmp"
	"sort"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// An actor whose template is a vehicle is moved in one of four ways:
//
//   - with a driver under the predict authority, by that driver's inputs: the driver's PredictState has the state of
//     the vehicle (rule VH-1 of docs/wire/bedrock.md);
//   - with a rider under the claim authority, together with its rider;
//   - otherwise, while actor.vehicle is set, by vehicle physics (rule VH-6 of docs/wire/bedrock.md): it is always set for a boat
//     without a rider; for a horse it is set when its driver leaves it, until the horse rests;
//   - otherwise as an NPC.

// VehicleState is the state of a vehicle that vehicle physics moves. It is for the door of predicting clients; other
// doors read the ActorState.
type VehicleState struct {
	ID EntityID // id of the vehicle's actor
	move.Vehicle
}

// FindVehicle returns the state of the vehicle with this id, nil if vehicle physics does not move it.
func (f *Frame) FindVehicle(id EntityID) *VehicleState {
	i, ok := sort.Find(len(f.Vehicles), func(i int) int { return cmp.Compare(id, f.Vehicles[i].ID) })
	if !ok {
		return nil
	}
	return &f.Vehicles[i]
}

// vehicleKind returns the constants by which a type of vehicle moves.
func (a *Area) vehicleKind(t move.VehicleType) *move.VehicleKind {
	return &a.world.Rules.Predict.Vehicles[t]
}

// vehicleOf returns the physics state of y if y is a vehicle that is moved by its driver or by vehicle physics, and nil for any
// other actor.
func (a *Area) vehicleOf(y *actor) *move.Vehicle {
	if y.vehicle != nil {
		return y.vehicle
	}
	if driver := a.find(y.rider); driver != nil {
		return driver.authority.drivenVehicle()
	}
	return nil
}

// newVehicle returns the physics state of a vehicle at rest at the position of its actor.
func (a *Area) newVehicle(y *actor) move.Vehicle {
	k := a.vehicleKind(y.tmpl.Vehicle)
	body := move.NewAvatar(geom.Vec{})
	feet := body.FindStandingPlace(a.def.BlockGrid.ToBlocks(y.pos), a.def.Blocks, &a.scratch)
	v := move.NewVehicle(y.tmpl.Vehicle, k, feet, terrain.MirrorYaw(y.yaw)+k.YawOffset)
	v.Settle(k, a.def.Blocks, &a.scratch)
	a.setVehicleAttributes(y, &v)
	return v
}

// setVehicleAttributes sets the movement attribute of a vehicle: that of its kind, multiplied by the ratio of the actor's
// speed attribute to that of its template.
func (a *Area) setVehicleAttributes(y *actor, v *move.Vehicle) {
	v.Movement = a.vehicleKind(v.Type).Movement
	if s := a.world.Roles.Speed; s >= 0 && y.tmpl.Attr[s].Value > 0 {
		v.Movement = float32(v.Movement * (float32(y.attr[s].Value) / float32(y.tmpl.Attr[s].Value)))
	}
}

// launchBoat starts vehicle physics for y at its position if y is a boat. For any other actor it ends vehicle physics.
func (a *Area) launchBoat(y *actor) {
	y.vehicle = nil
	if y.tmpl.Vehicle == move.NoVehicle || !a.vehicleKind(y.tmpl.Vehicle).Boat {
		return
	}
	v := a.newVehicle(y)
	y.vehicle = &v
	a.followVehicle(y, y.vehicle)
}

// driftVehicle steps a vehicle without a driver by one tick of the area (rule VH-6 of docs/wire/bedrock.md). A horse at
// rest becomes an NPC again.
func (a *Area) driftVehicle(y *actor) {
	v := y.vehicle
	k := a.vehicleKind(v.Type)
	rests := false
	for range a.clientTicks() {
		rests = v.StepIdle(k, a.def.Blocks, &a.scratch)
	}
	a.followVehicle(y, v)
	switch {
	case v.Pos.Y < terrain.MinBlockY-fallOut:
		a.stopRiding(y)
		a.removeNPC(y)
	case rests && !k.Boat:
		y.vehicle = nil
		a.resumeAI(y)
	}
}

// fallOut is the depth, in blocks below the lowest block, at which a falling vehicle without a driver is removed from the area.
// The value is not measured.
const fallOut = 64

// clientTicks returns how many client ticks, 50 ms each, end in this tick of the area.
func (a *Area) clientTicks() int64 {
	const perSecond = 20
	tps := int64(a.world.TicksPerSecond)
	return int64(a.now)*perSecond/tps - int64(a.now-1)*perSecond/tps
}

// walkPace is the speed of a walking player, in blocks per tick of 50 ms. Doors of other protocols show a vehicle that is faster
// than this, and its riders, as running.
const walkPace = walkBlocksPerSecond / 20

// followVehicle moves the actor of a vehicle, and its riders, to the simulated position of the vehicle.
func (a *Area) followVehicle(y *actor, v *move.Vehicle) {
	k, g := a.vehicleKind(v.Type), &a.def.BlockGrid
	y.pos = g.ToWorld(v.Pos)
	y.yaw = terrain.MirrorYaw(v.Facing(k))
	y.running, y.backward = float32(v.Vel.X*v.Vel.X)+float32(v.Vel.Z*v.Vel.Z) > walkPace*walkPace, false
	y.headFor(a.leadPoint(v.Pos, v.Vel))
	for seat, id := range [...]EntityID{y.rider, y.passenger} {
		if rider := a.find(id); rider != nil {
			a.followSeat(rider, y, v.SeatPos(k, seat, y.rider == 0 || y.passenger == 0), &v.Vel)
		}
	}
}

// followMount moves the passenger of a mount to its seat. It is for mounts whose rider is not under the predict
// authority.
func (a *Area) followMount(y *actor) {
	if y.passenger == 0 || y.tmpl.Vehicle == move.NoVehicle {
		return
	}
	k := a.vehicleKind(y.tmpl.Vehicle)
	v := move.NewVehicle(y.tmpl.Vehicle, k, a.def.BlockGrid.ToBlocks(y.pos), terrain.MirrorYaw(y.yaw)+k.YawOffset)
	if rider := a.find(y.passenger); rider != nil {
		a.followSeat(rider, y, v.SeatPos(k, passengerSeat, false), &geom.Vec{})
	}
}
