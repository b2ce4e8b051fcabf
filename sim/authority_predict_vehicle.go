package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Only the predict authority simulates vehicles: the state of a vehicle with a driver is in the driver's authority.

func (p *predictAuthority) drivenVehicle() *move.Vehicle { return &p.Vehicle }

// driverOf returns the driver of a vehicle and its authority. Both are nil if the vehicle has no driver; the authority is
// nil if it is not the predict authority.
func (a *Area) driverOf(y *actor) (*actor, *predictAuthority) {
	driver := a.find(y.rider)
	if driver == nil {
		return nil, nil
	}
	p, _ := driver.authority.(*predictAuthority)
	return driver, p
}

// promotePassenger makes the passenger of a vehicle its driver if the vehicle has none. It emits the event that a player takes a
// seat. Doors then tell clients that the player is the driver (rule VH-6 of docs/wire/bedrock.md). The parameter v is the physics
// state of the vehicle.
func (a *Area) promotePassenger(y *actor, v move.Vehicle) {
	if x := a.find(y.passenger); x != nil {
		if p, ok := x.authority.(*predictAuthority); ok {
			y.passenger = 0
			a.takeSeat(x, p, y, driverSeat, v)
		}
	}
}

// followSeat moves the avatar of a rider under the predict authority to its seat. It also moves the rider's actor to the
// position of the vehicle. For riders under other authorities it does nothing.
func (a *Area) followSeat(rider, y *actor, seat geom.Vec, vel *geom.Vec) {
	p, ok := rider.authority.(*predictAuthority)
	if !ok {
		return
	}
	p.SitAt(seat)
	rider.pos = y.pos
	rider.yaw = terrain.MirrorYaw(p.Avatar.Yaw)
	rider.running, rider.backward = y.running, false
	rider.headFor(y.destX, y.destZ)
}

// drivenVehicleFits reports whether the vehicle state of a rider under the predict authority belongs to the vehicle that
// it sits on. For actors under other authorities it returns true.
func (a *Area) drivenVehicleFits(x *actor) bool {
	p, ok := x.authority.(*predictAuthority)
	if !ok {
		return true
	}
	driven := move.NoVehicle
	if mount := a.byID[x.mount]; mount != nil && mount.rider == x.id {
		driven = mount.tmpl.Vehicle
	}
	return p.Vehicle.Type == driven && (x.mount == 0 || driven != move.NoVehicle || p.ride.seat == passengerSeat)
}
