package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// interactSquared is the largest distance for mounting an actor, in square units on the ground (radius 20).
// Source: docs/wire/rcce.md, InteractDist.
const interactSquared = 400

// abandonedMountMS is how long a mount brought from another area waits for a rider before it is removed. The spawn in its
// old area has already replaced it. guess: time enough for a fight and a walk.
const abandonedMountMS = 300_000

// interact handles a right click on an actor, which mounts it if it is rideable. The scripts that the original ran here
// are not supported.
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

// startRiding puts a rider on a mount. From then on the rider moves both.
func (a *Area) startRiding(rider, mount *actor) {
	rider.mount, mount.rider = mount.id, rider.id
	mount.mode, mount.target = modeMount, 0
	syncMount(mount, rider)
	a.emit(Event{Kind: EventMounted, Who: rider.id, Other: mount.id})
}

// stopRiding separates rider and mount; x is either of them. The mount returns to what it did before.
func (a *Area) stopRiding(x *actor) {
	rider, mount := x, a.find(x.mount)
	if x.rider != 0 {
		rider, mount = a.find(x.rider), x
	}
	if rider == nil || mount == nil || rider.mount != mount.id {
		return
	}
	rider.mount, mount.rider = 0, 0
	mount.backward = false
	mount.stop()
	switch {
	case mount.leader != 0:
		mount.mode = modePet
	case mount.waypoint >= 0:
		a.returnToPatrol(mount, modePatrol) // from its position at the dismount
	default:
		mount.mode = modeWait
		mount.pauseTick = a.now + a.ticks(abandonedMountMS)
	}
	a.emit(Event{Kind: EventDismounted, Who: rider.id, Other: mount.id})
}

// isAbandoned reports whether a mount brought from another area has waited abandonedMountMS for a rider.
func (a *Area) isAbandoned(x *actor) bool {
	return x.waypoint < 0 && x.spawn < 0 && x.leader == 0 && x.rider == 0 && x.pauseTick > 0 && a.now >= x.pauseTick
}
