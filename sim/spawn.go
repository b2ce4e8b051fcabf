package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// spawnState is what an area remembers about one of its spawns.
type spawnState struct {
	count int32 // living actors of this spawn
	due   Tick  // tick at which the next actor appears; 0 while the spawn has its maximum of actors
}

// spawnAll creates one actor for each spawn that has fewer than its maximum and whose period has passed. In the first
// tick of an area it fills every spawn to its maximum.
func (a *Area) spawnAll() {
	for i := range a.spawns {
		def, s := &a.def.Spawns[i], &a.spawns[i]
		if s.count >= def.Max {
			s.due = 0
			continue
		}
		if s.due == 0 {
			s.due = a.now + a.ticks(def.PeriodMS)
			if a.now == 1 {
				s.due = a.now // the first tick of a new area does not wait for the period
			}
		}
		if a.now < s.due {
			continue
		}
		s.due = a.now + a.ticks(def.PeriodMS)
		a.spawn(int32(i))
		if a.now == 1 {
			for s.count < def.Max && a.spawn(int32(i)) {
			}
		}
	}
}

// spawn creates one actor of spawn i at a random position in its square. It returns false if the template is missing or
// the area is full.
func (a *Area) spawn(i int32) bool {
	def := &a.def.Spawns[i]
	tmpl := a.world.Template(def.Template)
	if tmpl == nil || len(a.actors) >= int(a.world.Rules.MaxActors) {
		return false
	}
	x := a.newNPC(tmpl)
	x.spawn, x.waypoint = i, def.Waypoint
	x.mode = modePatrol
	at := a.def.Waypoints[def.Waypoint].Pos
	to := geom.Vec{X: at.X + a.rng.Symmetric(def.Size/2), Y: at.Y, Z: at.Z + a.rng.Symmetric(def.Size/2)}
	x.place(a.freeSpotNear(to, tmpl.Environment == Fly), 0)
	a.snapToGround(x)
	a.launchBoat(x)
	a.spawns[i].count++
	a.enter(x, false)
	return true
}

// spawnedByOperator is the value of actor.spawn of an NPC that an operator has created.
const spawnedByOperator = -2

// spawnAt creates an NPC of a template at a position, in world units, or at the nearest free position, and returns the id of the
// NPC. The parameter by is stored as actor.spawn: the index of the spawn, -1 for an NPC of no spawn, or spawnedByOperator.
func (a *Area) spawnAt(tmpl *Template, by int32, pos geom.Vec, yaw float32) EntityID {
	for _, v := range [...]*float32{&pos.X, &pos.Y, &pos.Z} {
		*v = move.SanitizeCoord(*v)
	}
	x := a.newNPC(tmpl)
	x.spawn = by
	x.place(a.freeSpotNear(pos, tmpl.Environment == Fly), yaw)
	a.snapToGround(x)
	a.launchBoat(x)
	a.enter(x, false)
	return x.id
}

// newNPC returns a new NPC with the values of a template. The NPC is not in the area yet: the caller places it and calls enter.
func (a *Area) newNPC(tmpl *Template) *actor {
	x := &actor{
		id:   EntityID(a.newID()),
		tmpl: tmpl, name: tmpl.Race, level: 1,
		attr: tmpl.Attr, resist: tmpl.Resist,
		homeFaction: tmpl.Faction, ratings: a.world.Factions[tmpl.Faction].Ratings,
		waypoint: -1, spawn: -1, lastPortal: -1,
		lastAttackMS: a.ms(),
		authority:    &goalAuthority{},
		fields:       a.world.newFields(FieldOfNPC),
	}
	if tmpl.Genders == 2 {
		x.appearance.Gender = 1
	}
	for i, s := range tmpl.Kit {
		if i < len(x.inv) {
			x.inv[i] = s
		}
	}
	a.updateEquipment(x)
	return x
}

// enter adds an actor to the area and emits EventJoined. The parameter login is true for a player that has just logged in.
func (a *Area) enter(x *actor, login bool) {
	a.add(x)
	e := Event{Kind: EventJoined, Who: x.id, Pos: x.pos}
	if login {
		e.N = 1
	}
	a.emit(e)
}
