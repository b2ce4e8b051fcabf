package sim

import "github.com/truestep-io/truestep/sim/geom"

// spawnState is what an area remembers of one of its spawns.
type spawnState struct {
	count int32 // actors of it that live
	due   Tick  // when the next may come; 0 while full
}

// spawnAll makes one actor per spawn that is below its maximum and whose period has passed.
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
				s.due = a.now // a new world is alive from its first tick
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

// spawn makes one actor of a spawn at a random place of its square. False if its template is missing or nobody fits.
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
	to := geom.Vec{X: at.X + a.luck.Symmetric(def.Size/2), Y: at.Y, Z: at.Z + a.luck.Symmetric(def.Size/2)}
	x.place(a.freeSpotNear(to, tmpl.Environment == Fly), 0)
	a.snapToGround(x)
	a.spawns[i].count++
	a.enter(x, false)
	return true
}

// newNPC makes an actor of a template, not yet in the table.
func (a *Area) newNPC(tmpl *Template) *actor {
	x := &actor{
		id:   EntityID(a.number()),
		tmpl: tmpl, name: tmpl.Race, level: 1,
		attr: tmpl.Attr, resist: tmpl.Resist,
		homeFaction: tmpl.Faction, ratings: a.world.Factions[tmpl.Faction].Ratings,
		waypoint: -1, spawn: -1, lastPortal: -1,
		attackedMS: a.ms(),
		authority:  &goalAuthority{},
	}
	if tmpl.Genders == 2 {
		x.looks.Gender = 1
	}
	for i, s := range tmpl.Kit {
		if i < len(x.inv) {
			x.inv[i] = s
		}
	}
	a.dress(x)
	return x
}

// enter puts an actor into the area and says so.
func (a *Area) enter(x *actor, login bool) {
	a.add(x)
	e := Event{Kind: EventJoined, Who: x.id, Pos: x.pos}
	if login {
		e.N = 1
	}
	a.emit(e)
}
