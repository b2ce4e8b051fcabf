package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// join lets a player enter: from a login, or from another area with his pets and his mount.
func (a *Area) join(in *Intent) {
	j := in.Join
	if j == nil || j.Character == nil || in.Who == 0 || a.byID[in.Who] != nil {
		a.refuse(in.Who, 0, reason.Unknown, 0, 0)
		return
	}
	tmpl := a.world.Template(j.Character.Template)
	if tmpl == nil {
		a.refuse(in.Who, 0, reason.Unknown, 0, 0)
		return
	}
	if j.Login && len(a.actors) >= int(a.world.Rules.MaxActors) {
		a.refuse(in.Who, 0, reason.AreaFull, float32(len(a.actors)), float32(a.world.Rules.MaxActors))
		return
	}
	x := a.newPlayer(in.Who, tmpl, j)
	a.enter(x, j.Login)
	x.authority.announcePlacement(a, x, j.Login)
	for _, p := range j.Pets {
		a.bringPet(x, p)
	}
	if j.Mount != nil {
		a.bringMount(x, *j.Mount, j.MountIsPet)
	}
}

// newPlayer makes the actor of a character, not yet in the table.
func (a *Area) newPlayer(id EntityID, tmpl *Template, j *Join) *actor {
	c := j.Character
	x := &actor{
		id: id, tmpl: tmpl, name: c.Name, tag: c.Tag, looks: c.Appearance, player: true, record: c,
		level: c.Level, xp: c.XP, xpBar: c.XPBar, gold: c.Gold, repute: c.Reputation,
		attr: c.Attr, resist: c.Resist, ratings: c.Ratings, homeFaction: c.HomeFaction,
		inv: c.Inventory, party: j.Party,
		waypoint: -1, spawn: -1, lastPortal: -1,
		attackedMS: a.ms(), frozen: j.Frozen,
	}
	// Those who came in one tick are not all stored in one.
	x.saveTick = a.now + 1 + Tick(id)%a.ticks(a.world.Rules.SaveEveryMS)
	x.authority = a.newAuthority(x, j)
	if x.homeFaction >= combat.Factions {
		x.homeFaction = tmpl.Faction
	}
	a.heal(x, j.Health)
	pos, yaw := j.Pos, j.Yaw
	if j.Portal >= 0 && j.Portal < len(a.def.Portals) {
		p := &a.def.Portals[j.Portal]
		pos, yaw = p.Pos, p.Yaw
		x.lastPortal = int32(j.Portal)
	} else if EqualFold(c.LastPortalArea, a.def.Name) {
		x.lastPortal = c.LastPortal
	}
	x.lastPortalTick = a.now + a.ticks(a.world.Rules.PortalLockMS)
	x.place(pos, yaw)
	a.resetMovement(x)
	a.dress(x)
	return x
}

// heal brings the attributes of a record within their bounds. health is that of a traveller, 0 for the record's own; a
// record without any is of somebody who died before this server kept it, and he lives again.
func (a *Area) heal(x *actor, health int32) {
	h := &x.attr[a.world.Roles.Health]
	if health > 0 {
		h.Value = health
	}
	for i := range x.attr {
		x.attr[i].Value = min(x.attr[i].Value, x.attr[i].Max)
	}
	if h.Value <= 0 {
		h.Value = a.wakingHealth(h.Max)
	}
}

// resetMovement follows a placement by the server: claims sent before it are ignored, the allowance starts anew, and the
// authority takes over the new position.
func (a *Area) resetMovement(x *actor) {
	a.world.Rules.Claim.Reset(&x.claim, a.claimMS())
	x.ignoreClaimsUntil = a.now + a.ticks(a.world.Rules.Claim.IgnoreMS)
	x.authority.placed(a, x)
	x.tickPos = x.pos
}

// leave takes a player out of the world; his record goes with the event.
func (a *Area) leave(x *actor) {
	a.unseat(x)
	record := a.snapshotCharacter(x)
	a.removePets(x)
	a.remove(x)
	a.emit(Event{Kind: EventLeft, Who: x.id, Record: record})
}

// removePets takes the pets of a player out with him; they come back when he does.
func (a *Area) removePets(leader *actor) {
	for len(leader.pets) > 0 {
		a.vanish(leader.pets[0])
	}
}

// vanish takes an NPC out without a death.
func (a *Area) vanish(y *actor) {
	a.remove(y)
	a.emit(Event{Kind: EventRemoved, Who: y.id})
}

// enterPortal sends a player through the entrance that he stands in, unless he just came through it.
func (a *Area) enterPortal(x *actor) {
	for i := range a.def.Portals {
		p := &a.def.Portals[i]
		if p.ToArea == NoArea || geom.Dist2(x.pos, p.Pos) >= float32(p.Radius*p.Radius) {
			continue
		}
		if x.lastPortal == int32(i) && a.now < x.lastPortalTick {
			continue
		}
		a.depart(x, p.ToArea, &Join{Portal: p.ToPortal})
		return
	}
}

// depart sends a player to another area, or to another place of this one, with pets and mount. j says where; the
// rest of it is filled here.
func (a *Area) depart(x *actor, to AreaID, j *Join) {
	if to == a.id {
		pos, yaw := j.Pos, j.Yaw
		if j.Portal >= 0 && j.Portal < len(a.def.Portals) {
			p := &a.def.Portals[j.Portal]
			pos, yaw = p.Pos, p.Yaw
			x.lastPortal, x.lastPortalTick = int32(j.Portal), a.now+a.ticks(a.world.Rules.PortalLockMS)
		}
		a.put(x, pos, yaw)
		a.emit(Event{Kind: EventPlaced, Who: x.id, Pos: x.pos, Yaw: yaw})
		x.authority.announcePlacement(a, x, false)
		return
	}
	record := a.snapshotCharacter(x)
	a.world.locate(record, to, j)
	j.Character, j.Party, j.Health, j.Frozen = record, x.party, a.health(x), x.frozen
	x.authority.leave(j)
	if mount := a.find(x.mount); mount != nil {
		m := a.asPet(mount)
		j.Mount, j.MountIsPet = &m, mount.leader == x.id
		a.unseat(x)
		a.vanish(mount)
	}
	j.Pets = a.petsOf(x) // the others, who come on foot
	a.removePets(x)
	a.remove(x)
	a.emit(Event{Kind: EventDeparted, Who: x.id, To: to, Join: j, Record: record})
}

// locate writes into a record where a join leads.
func (w *World) locate(c *Character, to AreaID, j *Join) {
	def := &w.Areas[to]
	c.Area, c.Pos, c.Yaw = def.Name, j.Pos, j.Yaw
	if j.Portal >= 0 && j.Portal < len(def.Portals) {
		p := &def.Portals[j.Portal]
		c.Pos, c.Yaw = p.Pos, p.Yaw
		c.LastPortalArea, c.LastPortal = def.Name, int32(j.Portal)
	}
}

// put places a player somewhere in this area, after his mount and pets. The caller tells what moved him.
func (a *Area) put(x *actor, pos geom.Vec, yaw float32) {
	if mount := a.find(x.mount); mount != nil {
		a.shift(mount, pos, yaw)
	}
	for _, y := range x.pets {
		if y.rider == 0 {
			a.shift(y, pos, yaw)
			y.target, y.mode = 0, modePet
		}
	}
	x.place(pos, yaw)
	a.resetMovement(x)
	a.gridTick = 0
}

// shift places one who goes where another goes.
func (a *Area) shift(y *actor, pos geom.Vec, yaw float32) {
	if y.rider == 0 {
		pos = a.freeSpotNear(pos, y.tmpl.Environment == Fly)
	}
	y.place(pos, yaw)
	a.snapToGround(y)
	y.tickPos = y.pos
	a.emit(Event{Kind: EventPlaced, Who: y.id, Pos: y.pos, Yaw: yaw})
}
