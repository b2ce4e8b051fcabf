package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// ride records what a predicting client knows about the vehicle that its player rides. Inputs that the client sent before
// it learned of a mount or dismount still refer to the previous state (rule VH-2 of docs/wire/bedrock.md). A "change" is
// a mount or dismount.
type ride struct {
	former        EntityID  // vehicle that the player left, until the client has acknowledged the change; 0 for none
	seat          uint8     // seat on the vehicle that the player rides: driverSeat or passengerSeat
	inFlight      bool      // the client is not assumed to know of the last change yet (see settle)
	acked         bool      // the client has acknowledged the barrier sent after the last change
	follows       bool      // an input that reflects the last change has arrived
	inputAfterAck bool      // an input has been processed after the acknowledgement
	wasRiding     bool      // the last input had the flag InputVehicle
	requests      uint8     // requests to mount since requestTick
	misses        uint8     // consecutive inputs of a driver that do not name its vehicle
	serial        uint32    // serial number of the barrier sent after the last change
	changeTick    uint64    // client tick of the last change
	requestTick   Tick      // tick at which the count of requests began
	flips         [2]uint64 // client ticks of the last two unexpected switches between walking and riding, the latest last; 0 for none
}

// Seats of a vehicle.
const (
	driverSeat    = 0
	passengerSeat = 1
)

// Limits of the requests of clients to mount and ride vehicles. Source: docs/wire/bedrock.md, riding.
const (
	rideReach       = 6  // maximum blocks from a player's eye to the box of the vehicle that it mounts (rule VH-4 of docs/wire/bedrock.md)
	rideSettleTicks = 40 // client ticks after which a client is expected to know of a change (rule VH-2 of docs/wire/bedrock.md)
	rideMisses      = 40 // consecutive inputs without the vehicle's id after which a driver is dismounted (rule VH-2 of docs/wire/bedrock.md)
	ridesPerSecond  = 4  // maximum requests to mount per second (rule VH-10 of docs/wire/bedrock.md)
	flipTicks       = 20 // client ticks in which a client may change twice between walking and riding (rule VH-10 of docs/wire/bedrock.md)
)

// admitMount queues a request to mount, which is executed before the player's next input (rule VH-4 of docs/wire/bedrock.md).
func (p *predictAuthority) admitMount(a *Area, x *actor, in *Intent) {
	r := &p.ride
	if r.requests == 0 || a.now >= r.requestTick+a.ticks(1000) {
		r.requestTick, r.requests = a.now, 0
	}
	if r.requests >= ridesPerSecond {
		a.refuseRide(x, in.Target, reason.TooMuch, ridesPerSecond+1, ridesPerSecond)
		return
	}
	r.requests++
	p.enqueue(a, x, action{kind: actionMount, target: in.Target, unloaded: in.Amount != 0})
}

// admitDismount queues a request to leave the vehicle. If the player rides none, and its client has not seated it either, the
// request has no effect (rule VH-10 of docs/wire/bedrock.md).
func (p *predictAuthority) admitDismount(a *Area, x *actor, in *Intent) {
	if x.mount == 0 && !p.queued(actionMount) && !p.SitsUntilTeleport() {
		return
	}
	p.enqueue(a, x, action{kind: actionDismount, input: in.Input, placed: in.Amount != 0})
}

// queued reports whether an action of that kind is in the queue.
func (p *predictAuthority) queued(kind actionKind) bool {
	for i := range p.queue {
		if p.queue[i].kind == kind {
			return true
		}
	}
	return false
}

// refuseRide emits the event that a request to mount was refused.
func (a *Area) refuseRide(x *actor, target EntityID, why reason.Reason, asked, allowed float32) {
	a.emit(Event{Kind: EventRefused, Who: x.id, Other: target, Reason: why, Asked: asked, Allowed: allowed, N: int32(IntentInteract)})
}

// mountVehicle executes a queued request to mount a vehicle (rule VH-4 of docs/wire/bedrock.md).
func (a *Area) mountVehicle(x *actor, p *predictAuthority, act *action) {
	y := a.find(act.target)
	seat, why := a.chooseSeat(x, p, y, act.unloaded)
	if why != reason.None {
		a.refuseRide(x, act.target, why, 0, 0)
		return
	}
	eye := p.Avatar.Pos
	eye.Y += move.EyeHeight
	v := a.vehicleOf(y)
	if v == nil {
		made := a.newVehicle(y)
		v = &made
	}
	if d := v.DistanceToBox(a.vehicleKind(v.Type), eye); !(d <= rideReach) {
		u := a.def.BlockGrid.UnitsPerBlock
		a.refuseRide(x, y.id, reason.TooFar, float32(d*u), float32(rideReach*u))
		return
	}
	if !a.lineOfSight(x, y) {
		a.refuseRide(x, y.id, reason.Covered, 0, 0)
		return
	}
	a.takeSeat(x, p, y, seat, *v)
}

// chooseSeat returns the seat of vehicle y that player x may take: the driver's seat if it is free, otherwise the passenger's
// seat. If x may take neither seat, it returns the reason.
func (a *Area) chooseSeat(x *actor, p *predictAuthority, y *actor, unloaded bool) (uint8, reason.Reason) {
	switch {
	case x.dead:
		return 0, reason.Dead
	case x.frozen:
		return 0, reason.Halted
	case p.Teleport.Open || unloaded: // the client still shows its player at the old place, or has no ground to ride on
		return 0, reason.Warping
	case y == nil || y == x || y.dead:
		return 0, reason.TargetGone
	case y.player || y.tmpl.Vehicle == move.NoVehicle || y.mount != 0 || x.mount != 0 || p.Avatar.Sneaking || y.leader != 0 && y.leader != x.id:
		return 0, reason.NotRideable
	}
	k := a.vehicleKind(y.tmpl.Vehicle)
	switch {
	case k.Mode == move.RefuseVehicle:
		return 0, reason.NotRideable
	case y.rider == 0:
		return driverSeat, reason.None
	case k.SeatCount > 1 && y.passenger == 0:
		return passengerSeat, reason.None
	}
	return 0, reason.SeatTaken
}

// takeSeat puts a player under the predict authority on a seat of vehicle y. The parameter v is the physics state of the vehicle.
func (a *Area) takeSeat(x *actor, p *predictAuthority, y *actor, seat uint8, v move.Vehicle) {
	x.mount, x.target = y.id, 0
	if seat == driverSeat {
		v.Settle(a.vehicleKind(v.Type), a.def.Blocks, &a.scratch) // clients begin a ride with a vehicle at rest
		y.rider, y.vehicle, p.Vehicle = x.id, nil, v
		y.mode, y.target = modeMount, 0
		a.followVehicle(y, &p.Vehicle)
	} else {
		y.passenger = x.id
		if vehicle := a.vehicleOf(y); vehicle != nil {
			a.followVehicle(y, vehicle)
		} else {
			a.followMount(y)
		}
	}
	p.changeRide(x.mount, 0, seat)
	a.emitRide(x, p, y, EventMounted, int32(seat))
}

// changeRide records that the player mounts or leaves a vehicle. The caller sends the client an event with a barrier. When the
// client acknowledges the barrier, it knows of the change.
func (p *predictAuthority) changeRide(mount, former EntityID, seat uint8) {
	p.serial++
	tick := p.Tick
	if !p.Started {
		tick = p.NewestTick
	}
	p.ride = ride{
		former: former, seat: seat, inFlight: true, serial: p.serial, changeTick: tick, wasRiding: p.ride.wasRiding,
		requests: p.ride.requests, requestTick: p.ride.requestTick,
	}
	p.MarkChangedUntilAck(p.serial)
}

// emitRide emits the event that a player mounted or left vehicle y. The event contains, for the client of the player,
// the state of the player after its last input.
func (a *Area) emitRide(x *actor, p *predictAuthority, y *actor, kind EventKind, seat int32) {
	a.emit(Event{
		Kind: kind, Who: x.id, Other: y.id, N: seat, Pos: x.pos, Yaw: x.yaw,
		Rewind: &Rewind{Tick: p.Tick, Serial: p.ride.serial, State: p.Avatar, Vehicle: p.Vehicle, RTT: p.rtt},
	})
}

// leaveVehicle executes a queued request to leave the vehicle. The player is placed at the parameter wanted, if that is possible
// (rule VH-5 of docs/wire/bedrock.md). If the player rides none, its client may have left the seat on which it has put the player
// because of a link that was in flight (see unseated).
func (a *Area) leaveVehicle(x *actor, p *predictAuthority, wanted *geom.Vec) {
	if y := a.find(x.mount); y != nil {
		a.unseat(x, y, wanted)
		return
	}
	p.LeaveSeat()
}

// unseated puts a player under the predict authority beside the vehicle that it has left, at rest, and informs its client. The
// parameter wanted is the position at which the client has already put the player, nil if the server dismounts the player. In two
// cases the client is teleported: (1) the player does not stand at that position, or (2) the client has not yet received the
// previous change of its seat. A player that dies or leaves the area in this tick is not teleported.
func (p *predictAuthority) unseated(a *Area, x, y *actor, v *move.Vehicle, wanted *geom.Vec, stays bool) {
	k := a.vehicleKind(v.Type)
	unaware := p.ride.inFlight && !p.ride.acked // a link packet on its way to the client will show the player on its seat again
	at := p.Avatar.LeavePlace(v, k, wanted, a.def.Blocks, &a.scratch)
	p.LeaveVehicle()
	p.StandAt(at, a.def.Blocks, &a.scratch)
	a.syncActor(x, p)
	p.changeRide(0, y.id, 0)
	a.emitRide(x, p, y, EventDismounted, 0)
	if stays && (wanted == nil || at != *wanted || unaware) {
		p.TeleportTo(at)
		if unaware {
			p.SitUntilTeleport()
		}
		a.flushQueue(x, p)
		a.syncActor(x, p)
		if wanted != nil { // otherwise the client still rides, and replays its inputs as a rider
			p.BeginReplay()
		}
		a.emitRewind(x, p, EventTeleported, reason.None, &Rewind{})
	}
}

// followsRide reports whether an input must be processed as that of a rider: the player rides a vehicle, or has just left one and
// its client may not know that yet.
func (p *predictAuthority) followsRide(x *actor, in *move.Input) bool {
	r := &p.ride
	return (!p.Teleport.Open || p.HoldsVehicle()) && (x.mount != 0 || r.inFlight || r.former != 0 || r.wasRiding || in.Flags.Any(move.InputVehicle))
}

// processRiderInput processes an input of a player that rides a vehicle, or that has just left one while its client may not know
// that yet. It returns false if the caller must process the input as that of a player on foot.
func (a *Area) processRiderInput(x *actor, p *predictAuthority, in *move.Input) bool {
	r := &p.ride
	y := a.find(x.mount)
	riding := in.Flags.Any(move.InputVehicle)
	a.countFlips(x, p, riding, in.Tick)
	named := riding && y != nil && in.Vehicle == uint64(y.id)
	formerNamed := riding && r.former != 0 && in.Vehicle == uint64(r.former)
	in.Flags &^= move.InputFormerVehicle
	defer r.settle(in.Tick, named || !riding && y == nil)
	switch {
	case y == nil && formerNamed && !r.inFlight: // the client still names the former vehicle, although it should know of the dismount
		in.Flags |= move.InputFormerVehicle
		return false
	case y == nil && !formerNamed:
		return false
	case y == nil, r.seat == passengerSeat, !named && r.inFlight:
		if riding && !named && !formerNamed {
			p.AddForeignVehicle()
			a.refuse(x.id, 0, reason.VehicleForeign, 0, 0)
		}
		v := a.world.Rules.Predict.ProcessRider(&p.PredictState, in)
		a.emitPrediction(x, p, &v)
		if y != nil && r.seat == passengerSeat {
			x.yaw = terrain.MirrorYaw(p.Avatar.Yaw)
		}
		return true
	}
	a.driveVehicle(x, p, y, in, named)
	return true
}

// settle determines after each input whether the client knows of the last mount or dismount (the change). Until then, inputs
// that do not reflect the change are tolerated. The parameter follows says whether this input reflects the change. The client
// is assumed to know of it in two cases: (1) rideSettleTicks client ticks have passed, or (2) an input has reflected the
// change, and an input was processed after the client acknowledged it. Inputs that name the vehicle which the player left are
// tolerated longer: until the client is assumed to know and, in case (1) too, an input was processed after the acknowledgement.
func (r *ride) settle(tick uint64, follows bool) {
	if !r.inFlight && r.former == 0 {
		return
	}
	r.follows = r.follows || follows
	late := tick > r.changeTick+rideSettleTicks
	if r.inputAfterAck && (r.follows || late) {
		r.former = 0
	}
	r.inFlight = r.inFlight && !late && !(r.follows && r.inputAfterAck)
	r.inputAfterAck = r.inputAfterAck || r.acked
}

// countFlips counts how often the inputs of a client switch between walking and riding although the server has neither mounted
// nor dismounted its player. Two such switches within flipTicks client ticks are tolerated; each further one adds suspicion (rule
// VH-10 of docs/wire/bedrock.md).
func (a *Area) countFlips(x *actor, p *predictAuthority, riding bool, tick uint64) {
	r := &p.ride
	if riding == r.wasRiding {
		return
	}
	r.wasRiding = riding
	if r.inFlight && riding == (x.mount != 0) {
		return // the switch follows from a mount or dismount that the client has just learnt of
	}
	if oldest := r.flips[0]; oldest != 0 && tick < oldest+flipTicks {
		p.AddVehicleFlip()
		a.refuse(x.id, 0, reason.VehicleFlips, 0, 0)
	}
	r.flips = [2]uint64{r.flips[1], tick}
}

// driveVehicle steps a vehicle by an input of its driver. If an input does not contain the id of the vehicle, the vehicle moves
// as if no key were pressed, and the client is corrected. After rideMisses such inputs in a row the driver is dismounted (rule
// VH-2 of docs/wire/bedrock.md).
func (a *Area) driveVehicle(x *actor, p *predictAuthority, y *actor, in *move.Input, named bool) {
	r := &p.ride
	policy := &a.world.Rules.Predict
	wasJumping := p.Vehicle.Jumping
	var v move.Prediction
	if named {
		r.misses = 0
		v = policy.ProcessDriver(&p.PredictState, in, a.def.Blocks, &a.scratch)
	} else {
		r.misses++
		v = policy.ProcessAbsentDriver(&p.PredictState, in, a.def.Blocks, &a.scratch)
	}
	a.emitPrediction(x, p, &v)
	if x.mount != y.id { // the player has left the vehicle, by a dismount request in its queue
		return
	}
	a.followVehicle(y, &p.Vehicle)
	if !wasJumping && p.Vehicle.Jumping {
		a.emit(Event{Kind: EventJumped, Who: y.id})
	}
	if r.misses >= rideMisses {
		a.unseatFor(x, y, reason.VehicleMissing)
	}
}
