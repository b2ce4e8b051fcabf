package sim

import (
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
	for _, p := range j.Pets {
		a.bringPet(x, p)
	}
	if j.Mount != nil {
		if m := a.bringPet(x, *j.Mount); m != nil {
			m.leader = 0
			a.seat(x, m)
		}
	}
}

// newPlayer makes the actor of a character, not yet in the table.
func (a *Area) newPlayer(id EntityID, tmpl *Template, j *Join) *actor {
	c := j.Character
	x := &actor{
		id: id, tmpl: tmpl, name: c.Name, tag: c.Tag, looks: c.Looks, player: true, record: c,
		level: c.Level, xp: c.XP, xpBar: c.XPBar, gold: c.Gold, repute: c.Repute,
		attr: c.Attr, resist: c.Resist, ratings: c.Ratings, homeFaction: c.HomeFaction,
		inv: c.Inventory, party: j.Party,
		waypoint: -1, spawn: -1, lastPortal: -1,
		attackedMS: a.ms(),
		saveTick:   a.now + a.ticks(a.world.Rules.SaveEveryMS),
	}
	h := &x.attr[a.world.Fixed.Health]
	if j.Health > 0 {
		h.Value = min(j.Health, h.Max)
	}
	if h.Value <= 0 {
		h.Value = max(1, h.Max*a.world.Rules.RespawnHealth/100) // he logged out dead
	}
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
	a.warped(x)
	a.dress(x)
	return x
}

// warped begins the time in which claims that were under way before a warp are dropped, and the allowance anew.
func (a *Area) warped(x *actor) {
	a.world.Rules.Claim.Reset(&x.claim, a.clock)
	x.warpTick = a.now + a.ticks(a.world.Rules.Claim.IgnoreMS)
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
	for _, y := range a.actors {
		if y.leader == leader.id && !y.gone {
			a.vanish(y)
		}
	}
}

// vanish takes an NPC out without a death.
func (a *Area) vanish(y *actor) {
	a.remove(y)
	a.emit(Event{Kind: EventGone, Who: y.id})
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
		a.emit(Event{Kind: EventMoved, Who: x.id, Pos: pos, Yaw: yaw})
		return
	}
	record := a.snapshotCharacter(x)
	record.Area = a.world.Areas[to].Name
	record.Pos, record.Yaw = j.Pos, j.Yaw
	if j.Portal >= 0 && j.Portal < len(a.world.Areas[to].Portals) {
		p := &a.world.Areas[to].Portals[j.Portal]
		record.Pos, record.Yaw = p.Pos, p.Yaw
		record.LastPortalArea, record.LastPortal = record.Area, int32(j.Portal)
	}
	j.Character, j.Party, j.Health, j.Pets = record, x.party, a.health(x), record.Pets
	if mount := a.find(x.mount); mount != nil {
		m := a.asPet(mount)
		j.Mount = &m
		a.unseat(x)
		a.vanish(mount)
	}
	a.removePets(x)
	a.remove(x)
	a.emit(Event{Kind: EventDeparted, Who: x.id, To: to, Join: j, Record: record})
}

// put places a player somewhere in this area, with mount and pets.
func (a *Area) put(x *actor, pos geom.Vec, yaw float32) {
	x.place(pos, yaw)
	a.warped(x)
	if mount := a.find(x.mount); mount != nil {
		mount.place(pos, yaw)
	}
	for _, y := range a.actors {
		if y.leader == x.id && !y.gone && y.rider == 0 {
			y.place(pos, yaw)
			y.target, y.mode = 0, modePet
		}
	}
	a.gridTick = 0
}
