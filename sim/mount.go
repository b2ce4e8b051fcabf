package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// interactSquared is the square of the maximum distance for mounting an actor, which is 20 units on the ground plane. Source:
// docs/wire/rcce.md, RightClick.
const interactSquared = 400

// abandonedMountMS is how long, in ms, a mount from another area may be without a rider before it is removed. This area does
// not need such a mount, and its spawn in the other area has replaced it by a new NPC. The value is not measured. It is chosen
// to be enough for a fight and a walk.
const abandonedMountMS = 300_000

// interact handles a right click on an actor: a rideable actor is mounted. The scripts that the RealmCrafter server ran
// on a right click are not supported.
func (a *Area) interact(x *actor, target EntityID) {
	y := a.find(target)
	switch {
	case x.dead:
		a.refuse(x.id, target, reason.Dead, 0, 0)
	case !x.authority.mayRide():
		a.refuse(x.id, target, reason.OtherAuthority, 0, 0) // a player under the path or predict authority cannot ride: a mount follows its rider's claims
	case y == nil || y == x:
		a.refuse(x.id, target, reason.TargetGone, 0, 0)
	case !y.tmpl.Rideable || y.player || y.dead || y.rider != 0 || y.mount != 0 || x.mount != 0 || x.rider != 0 ||
		y.leader != 0 && y.leader != x.id:
		a.refuse(x.id, target, reason.NotRideable, 0, 0)
	case geom.Dist2XZ(x.pos, y.pos) > interactSquared:
		a.refuse(x.id, target, reason.TooFar, geom.DistXZ(x.pos, y.pos), 20)
	case !a.lineOfSight(x, y): // otherwise the mount would move to its rider through the wall
		a.refuse(x.id, target, reason.Covered, 0, 0)
	default:
		a.startRiding(x, y)
	}
}

// startRiding seats a rider on a mount. From then on the movement of the rider also moves the mount.
func (a *Area) startRiding(rider, mount *actor) {
	rider.mount, mount.rider = mount.id, rider.id
	mount.mode, mount.target, mount.vehicle = modeMount, 0, nil
	a.syncMount(mount, rider)
	a.emit(Event{Kind: EventMounted, Who: rider.id, Other: mount.id})
}

// syncMount moves a mount along with its rider: it copies the rider's position, yaw and destination to the mount, and moves the
// passenger to its seat.
func (a *Area) syncMount(mount, rider *actor) {
	mount.pos, mount.walkStart = rider.pos, rider.walkStart
	mount.destX, mount.destZ = rider.destX, rider.destZ
	mount.running, mount.backward = rider.running, rider.backward
	a.followMount(mount)
}

// stopRiding dismounts an actor, and dismounts the riders of the actor. It is called when the actor dies or leaves the
// area. Its riders stay in the area, so the client of each rider is sent the rider's position.
func (a *Area) stopRiding(x *actor) {
	if mount := a.find(x.mount); mount != nil {
		a.separate(x, mount, nil, false)
	}
	for _, id := range [...]EntityID{x.passenger, x.rider} { // the passenger first: it must not become the driver
		if rider := a.find(id); rider != nil {
			a.separate(rider, x, nil, true)
		}
	}
}

// unseat dismounts a rider; rider and mount stay in the area. The parameter wanted is the position that the client chose for the
// rider, nil if the server dismounts the rider.
func (a *Area) unseat(rider, mount *actor, wanted *geom.Vec) { a.separate(rider, mount, wanted, true) }

// unseatFor dismounts a rider under the predict authority. The parameter why is the reason in the event that teleports the rider.
func (a *Area) unseatFor(rider, mount *actor, why reason.Reason) {
	a.unseat(rider, mount, nil)
	if n := len(a.frame.Events); n > 0 && a.frame.Events[n-1].Kind == EventTeleported {
		a.frame.Events[n-1].Reason = why
	}
}

// separate dismounts a rider. If the rider was the driver, a passenger becomes the driver. Without a passenger a mount resumes
// its AI, and a vehicle drifts until it comes to rest. The parameter wanted is the position that the client chose for the
// rider, nil for none. The parameter stays is false if the rider dies or leaves the area in this tick.
func (a *Area) separate(rider, mount *actor, wanted *geom.Vec, stays bool) {
	if rider.mount != mount.id {
		return
	}
	v, drifts := a.leftVehicle(mount)
	rider.mount = 0
	if mount.passenger == rider.id {
		mount.passenger = 0
		if mount.rider == 0 && mount.mode == modeWait {
			mount.pauseTick = a.now + a.ticks(abandonedMountMS)
		}
	} else {
		mount.rider = 0
		mount.backward = false
		a.resumeAI(mount)
		if drifts {
			v.ResetControls()
			mount.vehicle = &v
		} else {
			a.launchBoat(mount)
		}
	}
	rider.authority.unseated(a, rider, mount, &v, wanted, stays)
	if mount.rider == 0 {
		a.promotePassenger(mount, v)
	}
}

// leftVehicle returns the vehicle state of a mount that a rider leaves. The result moves says whether the mount moves by vehicle
// physics and therefore continues to move without a driver.
func (a *Area) leftVehicle(mount *actor) (v move.Vehicle, moves bool) {
	if v := a.vehicleOf(mount); v != nil {
		return *v, true
	}
	if mount.tmpl.Vehicle == move.NoVehicle {
		return move.Vehicle{}, false
	}
	return a.newVehicle(mount), false
}

// resumeAI makes an NPC that was ridden continue its patrol. A vehicle without a patrol stays where its rider left it.
func (a *Area) resumeAI(mount *actor) {
	mount.stop()
	switch {
	case mount.leader != 0:
		mount.mode = modePet
	case mount.waypoint >= 0 && (mount.tmpl.Vehicle == move.NoVehicle || a.movesOn(mount)):
		a.returnToPatrol(mount, modePatrol) // the patrol continues from the position of the dismount
	default:
		mount.mode = modeWait
		mount.pauseTick = a.now + a.ticks(abandonedMountMS)
	}
}

// isAbandoned reports whether a mount that was ridden here from another area has waited abandonedMountMS for a rider. A
// mount that an operator has created waits until an operator removes it.
func (a *Area) isAbandoned(x *actor) bool {
	return x.waypoint < 0 && x.spawn == -1 && x.leader == 0 && x.rider == 0 && x.passenger == 0 && x.pauseTick > 0 && a.now >= x.pauseTick
}
