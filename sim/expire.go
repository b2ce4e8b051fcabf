package sim

// expire does what is due in this tick: it removes players that have lingered long enough, respawns players, emits records to be
// stored, restores health, lets spawns create NPCs, removes items from the ground, and changes the weather.
func (a *Area) expire() {
	for _, x := range a.actors {
		if x.gone {
			continue
		}
		if x.lingers() && a.now >= a.lingersUntil(x) {
			a.leave(x)
			continue
		}
		if x.dead && !x.lingers() && a.now >= x.respawnTick && x.authority.mayRespawn() {
			a.respawn(x)
			continue
		}
		if x.player && a.now >= x.saveTick {
			x.saveTick = a.now + a.ticks(a.world.Rules.SaveEveryMS)
			a.emit(Event{Kind: EventRecord, Who: x.id, Record: a.snapshotRecord(x)})
		}
	}
	a.regenerate()
	a.spawnAll()
	a.expireGround()
	a.updateWeather()
}

// regenerate restores health of living actors, if the world has a rule for it. Actors are staggered over the period by
// id, so that not all of them send an update in the same tick.
func (a *Area) regenerate() {
	rules := &a.world.Rules
	if rules.HealthRegenMS <= 0 || rules.HealthRegenPercent <= 0 {
		return
	}
	period := a.ticks(rules.HealthRegenMS)
	for _, x := range a.actors {
		h := x.attr[a.world.Roles.Health]
		if h.Value >= h.Max || x.gone || x.dead || (a.now+Tick(x.id))%period != 0 {
			continue
		}
		a.setHealth(x, h.Value+max(1, int32(int64(h.Max)*int64(rules.HealthRegenPercent)/100)))
	}
}
