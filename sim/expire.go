package sim

import "github.com/truestep-io/truestep/sim/geom"

// expire does what is due at this tick.
func (a *Area) expire() {
	for _, x := range a.actors {
		if x.gone {
			continue
		}
		if x.dead && a.now >= x.respawnTick {
			a.respawn(x)
			continue
		}
		if x.player && a.now >= x.saveTick {
			x.saveTick = a.now + a.ticks(a.world.Rules.SaveEveryMS)
			a.emit(Event{Kind: EventRecord, Who: x.id, Record: a.snapshotCharacter(x)})
		}
	}
	a.regenerate()
	a.spawnAll()
	a.decay()
}

// respawn lets a player live again where the world says.
func (a *Area) respawn(x *actor) {
	rules := &a.world.Rules
	x.dead = false
	h := x.attr[a.world.Fixed.Health]
	a.setHealth(x, max(1, int32(int64(h.Max)*int64(rules.RespawnHealth)/100)))
	if rules.RespawnArea != NoArea && rules.RespawnArea != a.id {
		a.depart(x, rules.RespawnArea, &Join{Portal: max(rules.RespawnPortal, 0)})
		return
	}
	pos, yaw := x.pos, x.yaw
	if i := a.respawnPortal(x.pos); i >= 0 {
		p := &a.def.Portals[i]
		pos, yaw = p.Pos, p.Yaw
		x.lastPortal, x.lastPortalTick = int32(i), a.now+a.ticks(rules.PortalLockMS)
	}
	a.put(x, pos, yaw)
	a.emit(Event{Kind: EventRespawned, Who: x.id, Pos: pos, Yaw: yaw})
}

// respawnPortal is the portal at which the dead of this area wake: the world's, else the nearest that leads nowhere,
// else -1.
func (a *Area) respawnPortal(from geom.Vec) int {
	if r := &a.world.Rules; r.RespawnArea == a.id && r.RespawnPortal >= 0 && r.RespawnPortal < len(a.def.Portals) {
		return r.RespawnPortal
	}
	best, bestAt := -1, float32(0)
	for i := range a.def.Portals {
		p := &a.def.Portals[i]
		if p.ToArea != NoArea || p.Name == "" {
			continue
		}
		if d := geom.Dist2(from, p.Pos); best < 0 || d < bestAt {
			best, bestAt = i, d
		}
	}
	return best
}

// regenerate gives health back to the living, all in the same tick, where the world has it.
func (a *Area) regenerate() {
	rules := &a.world.Rules
	if rules.HealthRegenMS <= 0 || rules.HealthRegenPercent <= 0 || a.now%a.ticks(rules.HealthRegenMS) != 0 {
		return
	}
	for _, x := range a.actors {
		h := x.attr[a.world.Fixed.Health]
		if x.gone || x.dead || h.Value >= h.Max {
			continue
		}
		a.setHealth(x, h.Value+max(1, int32(int64(h.Max)*int64(rules.HealthRegenPercent)/100)))
	}
}
