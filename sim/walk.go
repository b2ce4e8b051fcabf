package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// energyPerSecond is the energy that running costs per second: one point per 1/30 s. Source: docs/wire/rcce.md, movement.
const energyPerSecond = 30

// moveAll moves every actor by one tick under its authority. Then water damages actors, and portals transfer the players inside
// them.
func (a *Area) moveAll() {
	for _, x := range a.actors {
		if x.gone || x.dead || x.rider != 0 {
			continue // a mount is moved by its rider
		}
		x.authority.move(a, x)
	}
	for _, x := range a.actors {
		if x.gone || x.dead {
			continue
		}
		a.applyWater(x)
		if x.player && !x.dead {
			a.updateEffects(x)
		}
		if x.player && !x.dead && !x.frozen && !x.lingers() {
			a.enterPortal(x)
		}
	}
	a.gridTick = 0 // rebuild the grid: a call for help must find NPCs at their new positions
}

// walkToDest moves an actor by one tick toward its destination, at the speed of its mount if it has one. An actor without
// energy cannot run, so it walks.
func (a *Area) walkToDest(x *actor) {
	if a.spendEnergy(x) {
		x.running = false
		x.energyDebt %= 1000
	}
	walker := x
	if mount := a.find(x.mount); mount != nil {
		walker = mount
	}
	s := a.speedAttribute(walker)
	units := move.UnitsPerSecond(s.Value, s.Max, x.running, x.backward) / float32(a.world.TicksPerSecond)
	in := a.sceneOf(x)
	x.pos = move.WalkWithWalls(in.Walls, in.Flies, x.pos, x.destX, x.destZ, units, a.world.Rules.Step)
}

// describeWalk writes into s the motion of an actor that walkToDest moves.
func (a *Area) describeWalk(x *actor, s *ActorState) {
	m := &s.Motion
	m.InAir = x.tmpl.Environment == Fly
	switch {
	case x.dead || move.Arrived(x.pos, x.destX, x.destZ):
		m.Mode = MotionStand
	case m.InAir:
		m.Mode = MotionFly
	case x.running:
		m.Mode = MotionRun
	default:
		m.Mode = MotionWalk
	}
}

// spendEnergy makes running cost energy, if the world has an energy attribute: it subtracts the cost of one tick. While the actor
// does not run, it restores energy instead. The result exhausted is true if the actor runs but has no energy left.
func (a *Area) spendEnergy(x *actor) (exhausted bool) {
	e := a.world.Roles.Energy
	if e < 0 {
		return false
	}
	energy := &x.attr[e]
	tps := int32(a.world.TicksPerSecond)
	if x.running && x.mount == 0 {
		x.energyDebt += energyPerSecond * 1000 / tps
		spent := min(x.energyDebt/1000, max(energy.Value, 0))
		energy.Value = max(energy.Value-spent, 0)
		x.energyDebt -= spent * 1000
		return energy.Value == 0
	}
	if regen := a.world.Rules.EnergyRegen; regen > 0 && energy.Value < energy.Max {
		x.energyDebt -= regen * 1000 / tps
		if x.energyDebt >= 1000 {
			return false
		}
		energy.Value = min(energy.Value-x.energyDebt/1000, energy.Max)
		x.energyDebt %= 1000
	}
	return false
}

// flyHeight returns the height at which clients see a flying actor. While the actor patrols or returns to its patrol, the
// height is interpolated between the start of the walk and the waypoint, by the share of the distance that the actor has flown.
// The RealmCrafter server interpolates during a chase, too, so its actors sink toward the waypoint that they have left. Source:
// specification P_StandardUpdate, Environment_Fly, "in patrol mode".
func (a *Area) flyHeight(x *actor) float32 {
	if x.player || x.mode != modePatrol && x.mode != modeRun || x.waypoint < 0 {
		return x.pos.Y
	}
	return move.FlyHeight(x.walkStart, x.pos, geom.Vec{X: x.destX, Y: a.def.Waypoints[x.waypoint].Pos.Y, Z: x.destZ})
}

// applyWater applies the effects of water to an actor below the water's surface. An actor that is more than 2 units deep loses
// one point of breath per second or, if it has no breath left, one point of health. Harmful water also does its damage, reduced
// by the actor's resistance. Source: docs/wire/rcce.md 6.8, underwater.
func (a *Area) applyWater(x *actor) {
	if x.tmpl.Environment == Swim {
		return
	}
	w := a.waterAt(x.pos)
	if w != nil && a.sitsInBoat(x) {
		w = nil
	}
	if w == nil {
		x.waterTick = 0
		a.regainBreath(x)
		return
	}
	second := Tick(a.world.TicksPerSecond)
	if x.waterTick == 0 {
		x.waterTick = a.now + second
		return
	}
	if a.now < x.waterTick {
		return
	}
	x.waterTick += second
	var hurt int32
	if b := a.world.Roles.Breath; b >= 0 && w.Y-x.pos.Y > 2 {
		if breath := &x.attr[b]; breath.Value > 0 {
			breath.Value--
			a.emit(Event{Kind: EventStat, Who: x.id, N: int32(b), Value: breath.Value})
		} else {
			hurt++
		}
	}
	if w.Damage > 0 {
		hurt += max(1, w.Damage-(x.resist[w.DamageType]-100))
	}
	if hurt > 0 {
		a.setHealth(x, a.health(x)-hurt)
		if a.health(x) <= 0 {
			a.kill(x, nil)
		}
	}
}

// sitsInBoat reports whether an actor rides a boat. Boats float below the surface, so their riders would count as in
// water.
func (a *Area) sitsInBoat(x *actor) bool {
	mount := a.find(x.mount)
	return mount != nil && mount.tmpl.Vehicle != move.NoVehicle && a.vehicleKind(mount.tmpl.Vehicle).Boat
}

// waterAt returns the water that contains the point p, or nil if there is none.
func (a *Area) waterAt(p geom.Vec) *Water {
	for i := range a.def.Waters {
		w := &a.def.Waters[i]
		if p.Y < w.Y+0.5 && p.X > w.X && p.X < w.X+w.Width && p.Z > w.Z && p.Z < w.Z+w.Depth {
			return w
		}
	}
	return nil
}

// regainBreath restores breath above water: in each 1/30 s one point with a probability of 1/10, which is 3 points per second on
// average.
func (a *Area) regainBreath(x *actor) {
	b := a.world.Roles.Breath
	if b < 0 {
		return
	}
	if breath := &x.attr[b]; breath.Value < breath.Max && a.chancePerSecond(3) {
		breath.Value++
		a.emit(Event{Kind: EventStat, Who: x.id, N: int32(b), Value: breath.Value})
	}
}
