package sim

import "github.com/truestep-io/truestep/sim/geom"

// respawn lets a player live again where the world says.
func (a *Area) respawn(x *actor) {
	x.dead = false
	a.setHealth(x, a.wakingHealth(x.attr[a.world.Roles.Health].Max))
	area, portal := a.wakesAt(x.pos)
	if area != a.id {
		a.depart(x, area, &Join{Portal: portal})
		return
	}
	pos, yaw := x.pos, x.yaw
	if portal >= 0 {
		p := &a.def.Portals[portal]
		pos, yaw = p.Pos, p.Yaw
		x.lastPortal, x.lastPortalTick = int32(portal), a.now+a.ticks(a.world.Rules.PortalLockMS)
	}
	a.put(x, pos, yaw)
	a.emit(Event{Kind: EventRespawned, Who: x.id, Pos: x.pos, Yaw: yaw})
	x.authority.announcePlacement(a, x, false)
}

// wakingHealth is the health with which a player lives again.
func (a *Area) wakingHealth(most int32) int32 {
	return max(1, int32(int64(most)*int64(a.world.Rules.RespawnHealth)/100))
}

// wake turns the record of a dead player of this area into that of the same player after his respawn.
func (a *Area) wake(c *Character) {
	h := &c.Attr[a.world.Roles.Health]
	h.Value = a.wakingHealth(h.Max)
	area, portal := a.wakesAt(c.Pos)
	j := Join{Portal: portal}
	if area == a.id {
		j.Pos, j.Yaw = c.Pos, c.Yaw
	}
	a.world.locate(c, area, &j)
}

// wakesAt tells where a player who fell at a place of this area wakes: at that portal of that area, or with -1 where he
// fell, in another area at its origin. Without a portal that the world names, it is the nearest that leads nowhere; of
// another area the first such, or else its first.
func (a *Area) wakesAt(fell geom.Vec) (AreaID, int) {
	rules := &a.world.Rules
	if rules.RespawnArea == NoArea {
		return a.id, a.world.Areas[a.id].nearestRefuge(fell)
	}
	def := &a.world.Areas[rules.RespawnArea]
	switch {
	case rules.RespawnPortal >= 0 && rules.RespawnPortal < len(def.Portals):
		return rules.RespawnArea, rules.RespawnPortal
	case rules.RespawnArea == a.id:
		return a.id, def.nearestRefuge(fell)
	}
	for i := range def.Portals {
		if def.Portals[i].isRefuge() {
			return rules.RespawnArea, i
		}
	}
	return rules.RespawnArea, min(0, len(def.Portals)-1)
}

// nearestRefuge is the index of the nearest portal that leads nowhere, -1 if all do.
func (d *AreaDef) nearestRefuge(from geom.Vec) int {
	best, bestAt := -1, float32(0)
	for i := range d.Portals {
		p := &d.Portals[i]
		if !p.isRefuge() {
			continue
		}
		if at := geom.Dist2(from, p.Pos); best < 0 || at < bestAt {
			best, bestAt = i, at
		}
	}
	return best
}

// isRefuge tells whether whoever wakes at the portal stays there.
func (p *Portal) isRefuge() bool { return p.ToArea == NoArea && p.Name != "" }
