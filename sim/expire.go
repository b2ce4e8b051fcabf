package sim

// expire does what is due at this tick.
func (a *Area) expire() {
	for _, x := range a.actors {
		if x.gone {
			continue
		}
		if x.dead && a.now >= x.respawnTick && x.authority.mayRespawn() {
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
	a.turnWeather()
}

// regenerate gives health back to the living, where the world has it: each in a tick of its own, so that a hurt crowd
// is not told of all at once.
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
