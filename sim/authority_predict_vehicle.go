package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Only the predict authority simulates vehicles: the state of a vehicle with a driver is in the driver's authority.

// driverOf is the authority of the driver of a vehicle, nil if it has no driver under the predict authority.
func (a *Area) driverOf(y *actor) (*actor, *predictAuthority) {
	driver := a.find(y.rider)
	if driver == nil {
		return nil, nil
	}
	p, _ := driver.authority.(*predictAuthority)
	return driver, p
}

// promotePassenger makes the passenger of a vehicle without a driver its driver, by a new link (rule VH-6 of
// docs/wire/bedrock.md). v is the state of the vehicle.
func (a *Area) promotePassenger(y *actor, v move.Vehicle) {
	if x := a.find(y.passenger); x != nil {
		if p, ok := x.authority.(*predictAuthority); ok {
			y.passenger = 0
			a.takeSeat(x, p, y, driverSeat, v)
		}
	}
}

// followSeat puts the avatar of a rider under the predict authority on its seat. The position of the actor itself is that of
// the vehicle, as it is for riders under other authorities.
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

// drivenVehicleFits reports whether the vehicle in the state of a rider under the predict authority is the one that it sits on. It is
// true for actors under other authorities.
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
