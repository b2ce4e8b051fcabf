package sim

import (
	"slices"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// join adds a player to the area: after a login, or from another area with its pets and mount.
func (a *Area) join(in *Intent) {
	j := in.Join
	if j != nil && j.Seq != 0 && !a.expectArrival(in) {
		return
	}
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
	for i, p := range j.Pets {
		a.setFields(a.spawnPet(x, p), j.petFields(a.world, i))
	}
	if j.Mount != nil {
		a.setFields(a.spawnMount(x, *j.Mount, j.MountIsPet), j.petFields(a.world, len(j.Pets)))
	}
}

// newPlayer returns a new actor with the values of a join. The actor is not in the area yet: the caller adds it with enter.
func (a *Area) newPlayer(id EntityID, tmpl *Template, j *Join) *actor {
	c := j.Character
	x := &actor{
		id: id, tmpl: tmpl, name: c.Name, tag: c.Tag, appearance: c.Appearance, player: true, record: c, recordVersion: c.Version,
		level: c.Level, xp: c.XP, xpBar: c.XPBar, gold: c.Gold, reputation: c.Reputation,
		attr: c.Attr, resist: c.Resist, ratings: c.Ratings, homeFaction: c.HomeFaction,
		inv: c.Inventory, party: j.Party, invited: j.Invited,
		waypoint: -1, spawn: -1, lastPortal: -1,
		lastAttackMS: a.ms(), frozen: j.Frozen, fields: a.world.joinFields(j),
	}
	// The first autosave is delayed by a number of ticks that depends on the player's id. So players that joined in the same tick
	// are not all saved in the same tick.
	x.saveTick = a.now + 1 + Tick(id)%a.ticks(a.world.Rules.SaveEveryMS)
	if j.Effects != nil {
		x.effects = &effectState{ActorEffects: *j.Effects}
		if j.Authority != move.ByInput { // doors of other authorities send the client all attributes again
			x.effects.Announced = [LastingEffects]uint8{}
		}
	}
	a.startTimers(x, &j.Timers)
	if j.Invited != 0 {
		x.invitedUntil = a.now + j.InvitedFor
	}
	x.authority = a.newAuthority(x, j)
	if x.homeFaction >= combat.Factions {
		x.homeFaction = tmpl.Faction
	}
	a.clampAttributes(x, j.Health)
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
	a.updateEquipment(x)
	return x
}

// clampAttributes limits the values of a record's attributes to their maxima. The parameter health is the health of a player
// from another area; if it is 0, the health in the record applies. If that is 0, too, the player is revived: it was dead when
// an older version of the server stored the record.
func (a *Area) clampAttributes(x *actor, health int32) {
	h := &x.attr[a.world.Roles.Health]
	if health > 0 {
		h.Value = health
	}
	for i := range x.attr {
		x.attr[i].Value = min(x.attr[i].Value, x.attr[i].Max)
	}
	if h.Value <= 0 {
		h.Value = a.respawnHealth(h.Max)
	}
}

// resetMovement resets the movement state of a player that the server has moved: claims that its client sent before are
// ignored, the movement allowance starts anew, and the authority adopts the new position.
func (a *Area) resetMovement(x *actor) {
	a.world.Rules.Claim.Reset(&x.claim, a.claimClockMS())
	x.ignoreClaimsUntil = a.now + a.ticks(a.world.Rules.Claim.IgnoreMS)
	x.authority.placed(a, x)
	x.tickPos = x.pos
	x.placedTick = a.now
}

// leave removes a player from the world and emits its record.
func (a *Area) leave(x *actor) {
	a.stopRiding(x)
	record := a.snapshotRecord(x)
	a.removePets(x)
	a.remove(x)
	a.emit(Event{Kind: EventLeft, Who: x.id, Record: record})
}

// removePets removes the pets of a player from the area, because the player leaves it. When the player enters an area again, the
// pets in Join.Pets are created; after a login, Join.Pets contains the pets of the player's record.
func (a *Area) removePets(leader *actor) {
	for len(leader.pets) > 0 {
		a.removeNPC(leader.pets[0])
	}
}

// removeNPC removes an NPC without a death and emits EventRemoved.
func (a *Area) removeNPC(y *actor) {
	a.remove(y)
	a.emit(Event{Kind: EventRemoved, Who: y.id})
}

// enterPortal transfers a player through the portal in which it stands, unless the player has just arrived there.
func (a *Area) enterPortal(x *actor) {
	if i := a.entranceAt(x); i >= 0 {
		p := &a.def.Portals[i]
		a.transfer(x, p.ToArea, &Join{Portal: p.ToPortal})
	}
}

// entranceAt returns the index of the first portal in which a player stands and which is not locked for it, -1 if there
// is none.
func (a *Area) entranceAt(x *actor) int {
	for i := range a.def.Portals {
		p := &a.def.Portals[i]
		near := p.ToArea != NoArea && geom.Dist2(x.pos, p.Pos) < float32(p.Radius*p.Radius)
		if near && (x.lastPortal != int32(i) || a.now >= x.lastPortalTick) {
			return i
		}
	}
	return -1
}

// transfer moves a player with its pets and mount to another area, or to another position in this one. The parameter j contains
// the destination; transfer sets the other fields of j.
func (a *Area) transfer(x *actor, to AreaID, j *Join) {
	if !x.authority.mayRide() {
		a.stopRiding(x) // the mount stays in this area
	}
	if to == a.id {
		pos, yaw := j.Pos, j.Yaw
		if j.Portal >= 0 && j.Portal < len(a.def.Portals) {
			p := &a.def.Portals[j.Portal]
			pos, yaw = p.Pos, p.Yaw
			x.lastPortal, x.lastPortalTick = int32(j.Portal), a.now+a.ticks(a.world.Rules.PortalLockMS)
		}
		a.placePlayer(x, pos, yaw)
		a.emit(Event{Kind: EventPlaced, Who: x.id, Pos: x.pos, Yaw: yaw})
		x.authority.announcePlacement(a, x, false)
		return
	}
	record := a.snapshotRecord(x)
	a.world.recordArrival(record, to, j)
	j.Character, j.Party, j.Health, j.Frozen = record, x.party, a.health(x), x.frozen
	j.Fields = slices.Clone(x.fields)
	j.Timers = a.timersOf(x)
	if a.isInvited(x) {
		j.Invited, j.InvitedFor = x.invited, x.invitedUntil-a.now
	}
	if x.effects != nil {
		e := x.effects.ActorEffects
		j.Effects = &e
	}
	x.authority.leave(j)
	mount := a.find(x.mount)
	j.PetFields = a.companionFields(x, mount)
	if mount != nil {
		if passenger := a.find(mount.passenger); passenger != nil {
			a.unseat(passenger, mount, nil) // the passenger stays at its position
		}
		m := a.petRecord(mount)
		j.Mount, j.MountIsPet = &m, mount.leader == x.id
		a.stopRiding(x)
		a.removeNPC(mount)
	}
	j.Pets = a.recordPets(x) // the list excludes the mount, which travels as Join.Mount
	a.removePets(x)
	a.remove(x)
	a.depart(x.id, to, j)
	a.emit(Event{Kind: EventDeparted, Who: x.id, To: to, Join: j, Record: record})
}

// companionFields returns the game fields of the pets of a player except the mount, followed by the fields of the mount if it is not nil.
func (a *Area) companionFields(x, mount *actor) (list []int32) {
	for _, y := range x.pets {
		if y != mount {
			list = append(list, y.fields...)
		}
	}
	if mount != nil {
		list = append(list, mount.fields...)
	}
	return list
}

// petFields returns the game fields of pet n of a join. The mount, if there is one, counts as the last pet. The result is nil if
// the join has no such fields, or if their number is not the one that the world declares.
func (j *Join) petFields(w *World, n int) []int32 {
	each, all := len(w.Schema.Fields[FieldOfNPC]), len(j.Pets)
	if j.Mount != nil {
		all++
	}
	if j.Login || len(j.PetFields) == 0 || len(j.PetFields) != all*each {
		return nil
	}
	return j.PetFields[n*each:][:each]
}

// setFields sets the game fields of an NPC, which may be nil, within their ranges. If there are no values, it does nothing.
func (a *Area) setFields(x *actor, values []int32) {
	if x == nil {
		return
	}
	for i, v := range values {
		f := &a.world.Schema.Fields[FieldOfNPC][i]
		x.fields[i] = min(max(v, f.Min), f.Max)
	}
}

// timersOf returns the time limits of a player that continue in its next area.
func (a *Area) timersOf(x *actor) (t PlayerTimers) {
	left := func(until Tick) Tick { return max(until, a.now) - a.now }
	t.Combat = left(x.linger.combatUntil)
	if counts := left(x.linger.spentUntil); counts > 0 && x.linger.spent > 0 {
		t.Spent, t.SpentCounts = x.linger.spent, counts
	}
	if x.effects != nil {
		t.Use = left(x.effects.nextUse)
	}
	return t
}

// startTimers continues the time limits of a player that arrives from another area.
func (a *Area) startTimers(x *actor, t *PlayerTimers) {
	if t.Combat > 0 {
		x.linger.combatUntil = a.now + t.Combat
	}
	if t.Spent > 0 {
		x.linger.spent, x.linger.spentUntil = t.Spent, a.now+t.SpentCounts
	}
	if t.Use > 0 {
		x.effectsOf().nextUse = a.now + t.Use
	}
}

// recordArrival sets the area and the position in record c to those at which join j will place the player.
func (w *World) recordArrival(c *Character, to AreaID, j *Join) {
	def := &w.Areas[to]
	c.Area, c.Pos, c.Yaw = def.Name, j.Pos, j.Yaw
	if j.Portal >= 0 && j.Portal < len(def.Portals) {
		p := &def.Portals[j.Portal]
		c.Pos, c.Yaw = p.Pos, p.Yaw
		c.LastPortalArea, c.LastPortal = def.Name, int32(j.Portal)
	}
}

// placePlayer moves a player, its mount and its pets to another position in this area. The caller emits the event that reports
// the new position of the player.
func (a *Area) placePlayer(x *actor, pos geom.Vec, yaw float32) {
	if mount := a.find(x.mount); mount != nil {
		a.placeCompanion(mount, pos, yaw)
	}
	for _, y := range x.pets {
		if y.rider == 0 {
			a.placeCompanion(y, pos, yaw)
			y.target, y.mode = 0, modePet
		}
	}
	x.place(pos, yaw)
	a.resetMovement(x)
	a.gridTick = 0
}

// placeCompanion moves a mount or pet to the destination of its player.
func (a *Area) placeCompanion(y *actor, pos geom.Vec, yaw float32) {
	if passenger := a.find(y.passenger); passenger != nil {
		a.unseat(passenger, y, nil) // the passenger stays at its position
	}
	if y.rider == 0 {
		pos = a.freeSpotNear(pos, y.tmpl.Environment == Fly)
	}
	y.place(pos, yaw)
	a.snapToGround(y)
	if y.vehicle != nil {
		a.launchBoat(y)
	}
	y.tickPos = y.pos
	y.placedTick = a.now
	a.emit(Event{Kind: EventPlaced, Who: y.id, Pos: y.pos, Yaw: yaw})
}
