package sim

import "github.com/truestep-io/truestep/sim/geom"

// respawn revives a dead player at the place that respawnPlace returns.
func (a *Area) respawn(x *actor) {
	x.dead = false
	a.setHealth(x, a.respawnHealth(x.attr[a.world.Roles.Health].Max))
	area, portal := a.respawnPlace(x.pos)
	if area != a.id {
		a.transfer(x, area, &Join{Portal: portal})
		return
	}
	pos, yaw := x.pos, x.yaw
	if portal >= 0 {
		p := &a.def.Portals[portal]
		pos, yaw = p.Pos, p.Yaw
		x.lastPortal, x.lastPortalTick = int32(portal), a.now+a.ticks(a.world.Rules.PortalLockMS)
	}
	a.placePlayer(x, pos, yaw)
	a.emit(Event{Kind: EventRespawned, Who: x.id, Pos: x.pos, Yaw: yaw})
	x.authority.announcePlacement(a, x, false)
}

// respawnHealth returns the health of a player after its respawn.
func (a *Area) respawnHealth(maximum int32) int32 {
	return max(1, int32(int64(maximum)*int64(a.world.Rules.RespawnHealth)/100))
}

// respawnRecord sets the position and health in the record of a dead player to those that the player will have after its respawn.
func (a *Area) respawnRecord(c *Character) {
	h := &c.Attr[a.world.Roles.Health]
	h.Value = a.respawnHealth(h.Max)
	area, portal := a.respawnPlace(c.Pos)
	j := Join{Portal: portal}
	if area == a.id {
		j.Pos, j.Yaw = c.Pos, c.Yaw
	}
	a.world.recordArrival(c, area, &j)
}

// respawnPlace returns the area in which a player respawns, and the index of a portal there. The parameter death is the
// position at which the player died. If the rules name no portal, it chooses a respawn point, which is a portal that leads
// nowhere: in this area the nearest one, in another area the first one or, without one, the first portal. The index -1 means no
// portal: the player respawns where it died or, in another area, at the origin.
func (a *Area) respawnPlace(death geom.Vec) (AreaID, int) {
	rules := &a.world.Rules
	if rules.RespawnArea == NoArea {
		return a.id, a.world.Areas[a.id].nearestRespawnPoint(death)
	}
	def := &a.world.Areas[rules.RespawnArea]
	switch {
	case rules.RespawnPortal >= 0 && rules.RespawnPortal < len(def.Portals):
		return rules.RespawnArea, rules.RespawnPortal
	case rules.RespawnArea == a.id:
		return a.id, def.nearestRespawnPoint(death)
	}
	for i := range def.Portals {
		if def.Portals[i].isRespawnPoint() {
			return rules.RespawnArea, i
		}
	}
	return rules.RespawnArea, min(0, len(def.Portals)-1)
}

// nearestRespawnPoint returns the index of the nearest portal that is a respawn point, -1 if there is none.
func (d *AreaDef) nearestRespawnPoint(from geom.Vec) int {
	best, bestAt := -1, float32(0)
	for i := range d.Portals {
		p := &d.Portals[i]
		if !p.isRespawnPoint() {
			continue
		}
		if at := geom.Dist2(from, p.Pos); best < 0 || at < bestAt {
			best, bestAt = i, at
		}
	}
	return best
}

// isRespawnPoint reports whether players respawn at the portal: it has a name and leads nowhere.
func (p *Portal) isRespawnPoint() bool { return p.ToArea == NoArea && p.Name != "" }
