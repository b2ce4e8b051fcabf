package bedrock

import (
	"github.com/truestep-io/truestep/client/keys"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Ride is a Behaviour with which the player mounts the nearest free horse or boat, drives it between random points for the
// number of ticks in the field Ticks, and dismounts. If no vehicle is within SearchRadius, and for 300 ticks after a ride,
// the field Idle controls the player.
type Ride struct {
	SearchRadius float32 // radius in blocks in which vehicles are chosen; 0 selects 32
	Radius       float32 // maximum distance of the random points from the position where the player mounted, in blocks; 0 selects 16
	Ticks        uint64  // duration of a ride in ticks; 0 selects 1200
	Idle         Wander  // behaviour while there is no vehicle to ride

	home        geom.Vec          // position where the player mounted
	goal        geom.Vec          // point to which the player rides
	goalUntil   uint64            // tick at which the goal is given up
	rideUntil   uint64            // tick at which the ride ends, 0 while the player does not ride
	walkUntil   uint64            // tick until which the player does not mount again
	nextRequest uint64            // tick of the next request to mount
	requests    int               // requests to mount the current target so far
	target      uint64            // runtime id of the vehicle that the player walks to
	ignored     map[uint64]uint64 // by runtime id of a vehicle: tick until which the vehicle is ignored
	stuckTicks  int               // consecutive ticks without movement
	reverse     uint64            // tick until which a boat goes backward
}

const (
	rideRadius     = 16   // default of Ride.Radius, in blocks
	rideTicks      = 1200 // default of Ride.Ticks, in ticks
	walkTicks      = 300  // ticks between two rides
	mountDistance  = 3    // distance in blocks from which the player asks to mount
	requestTicks   = 20   // ticks between two requests
	maxRequests    = 3    // requests without success after which a vehicle is ignored
	goalTicks      = 200  // ticks within which a goal must be reached
	goalDistance   = 3    // distance in blocks at which a goal is reached
	reverseTicks   = 25   // ticks for which a stuck boat goes backward
	jumpHoldTicks  = 8    // ticks for which a stuck horse holds the jump key
	minMovement    = 0.01 // distance per tick in blocks that counts as movement
	maxStuckTicks  = 30   // ticks without movement after which the goal is given up
	boatTurnDegree = 45   // angle to the goal in degrees from which a boat turns on the spot
)

// Act returns the keys of the next tick: those that walk to a vehicle or drive it, or otherwise those of Idle. It also requests
// to mount and to dismount. It implements Behaviour.
func (b *Ride) Act(p *Player) Keys {
	switch runtime, drives := p.Riding(); {
	case runtime == 0:
		b.rideUntil = 0
		return b.walk(p)
	case b.rideUntil == 0:
		b.rideUntil, b.goalUntil, b.target, b.home = p.Tick()+orDefault(b.Ticks, rideTicks), 0, 0, p.Pos()
	case p.Tick() >= b.rideUntil || !drives:
		p.Dismount()
		b.walkUntil = p.Tick() + walkTicks
		return Keys{Yaw: p.State().Yaw}
	}
	return b.drive(p)
}

// Active reports whether the player rides a vehicle or is walking to one.
func (b *Ride) Active() bool { return b.rideUntil != 0 || b.target != 0 }

// walk returns the keys to walk to the nearest free vehicle. When the player is near the vehicle, walk also requests to mount it.
func (b *Ride) walk(p *Player) Keys {
	if p.Tick() < b.walkUntil {
		return b.Idle.Act(p)
	}
	a, ok := p.World().Actor(b.target)
	if !ok || !b.wants(&a, p.Tick()) {
		near, d := p.World().Nearest(p.Pos(), func(a *Actor) bool { return b.wants(a, p.Tick()) })
		if near == nil || d > orDefault(b.SearchRadius, searchRadius) {
			b.target = 0
			return b.Idle.Act(p)
		}
		a, b.requests, b.goalUntil = *near, 0, p.Tick()+chaseTicks
		b.target = a.RuntimeID
	}
	if b.requests >= maxRequests || p.Tick() >= b.goalUntil {
		b.ignore(p.Tick())
		return b.Idle.Act(p)
	}
	keys := p.KeysToward(a.Pos)
	if geom.Sqrt(geom.Dist2(p.Pos(), a.Pos)) > mountDistance {
		return keys
	}
	keys.Forward, keys.Jump = 0, false
	if p.Tick() >= b.nextRequest {
		b.nextRequest = p.Tick() + requestTicks
		b.requests++
		p.Mount(a.RuntimeID)
	}
	return keys
}

// wants reports whether an actor is a vehicle without riders that the player may try to mount.
func (b *Ride) wants(a *Actor, tick uint64) bool {
	return a.Vehicle() != move.NoVehicle && a.Rider == 0 && a.Passenger == 0 && !a.Dead && b.ignored[a.RuntimeID] <= tick
}

// ignore makes the player abandon the vehicle to which it walks. The player does not choose this vehicle again for ignoreTicks.
func (b *Ride) ignore(tick uint64) {
	if b.ignored == nil || len(b.ignored) > maxActors {
		b.ignored = map[uint64]uint64{}
	}
	b.ignored[b.target], b.target = tick+ignoreTicks, 0
}

// drive returns the keys that steer the vehicle to the goal. It chooses a new goal if the vehicle has arrived or is stuck.
func (b *Ride) drive(p *Player) Keys {
	v := p.Vehicle()
	k := &vehicleKinds[v.Type]
	if geom.DistXZ(v.Vel, geom.Vec{}) < minMovement {
		b.stuckTicks++
	} else {
		b.stuckTicks = 0
	}
	if b.goalUntil <= p.Tick() || geom.DistXZ(v.Pos, b.goal) < goalDistance || b.stuckTicks > maxStuckTicks {
		b.chooseGoal(p)
	}
	yaw, _ := keys.ViewDirection(v.Pos, b.goal)
	if !k.Boat {
		stuck := b.stuckTicks > 2 || v.ChargeTicks > 0
		return Keys{Yaw: yaw, Forward: 1, Jump: stuck && v.ChargeTicks < jumpHoldTicks}
	}
	if b.stuckTicks > 10 {
		b.reverse = p.Tick() + reverseTicks
	}
	turn := geom.WrapDegrees(yaw - v.Facing(k))
	keys := Keys{Yaw: yaw, Forward: 1, Strafe: max(-1, min(-turn/boatTurnDegree, 1))}
	switch {
	case p.Tick() < b.reverse:
		keys.Forward, keys.Strafe = -1, 0.5
	case geom.Abs(turn) > boatTurnDegree:
		keys.Forward = 0
	}
	return keys
}

func (b *Ride) chooseGoal(p *Player) {
	b.goal = keys.RandomPoint(p.Rand(), b.home, orDefault(b.Radius, rideRadius))
	b.goalUntil, b.stuckTicks = p.Tick()+goalTicks, 0
}
