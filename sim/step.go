package sim

// Step advances the area by one tick and returns the frame after it. intents are in inbox order, which a journal records;
// they are read, not kept. The frame is immutable and readers may keep it. The owner of the area may give it back with
// Recycle once it has no readers; then a steady tick allocates nothing.
func (a *Area) Step(intents []Intent) *Frame {
	a.now++
	a.beginFrame()
	a.admit(intents)    // refuse what the rules refuse, with a reason
	a.thinkAll()        // NPCs choose destinations and targets
	a.stepAuthorities() // paths are followed, inputs are simulated
	a.moveAll()         // all actors walk; mounts, water and portals
	a.fightAll()        // hits, damage, deaths
	a.expire()          // timers that are due: respawns, spawns, autosaves
	a.sweep()
	return a.publish()
}

// Recycle gives a frame of this area back for reuse. It must not be read from then on.
func (a *Area) Recycle(f *Frame) {
	if f != nil && f.Area == a.id && len(a.free) < maxFreeFrames {
		a.free = append(a.free, f)
	}
}

// maxFreeFrames bounds the free list. More frames in flight are rare; the garbage collector takes them.
const maxFreeFrames = 64

// beginFrame takes a frame from the free list, or a new one, and empties it.
func (a *Area) beginFrame() {
	if n := len(a.free); n > 0 {
		a.frame = a.free[n-1]
		a.free = a.free[:n-1]
	} else {
		a.frame = &Frame{Area: a.id}
	}
	a.frame.Actors = a.frame.Actors[:0]
	a.frame.Predicted = a.frame.Predicted[:0]
	a.frame.Ground = a.frame.Ground[:0]
	clear(a.frame.Events) // release the records and texts of old events
	a.frame.Events = a.frame.Events[:0]
}

// publish writes the table into the frame and returns it.
func (a *Area) publish() *Frame {
	f := a.frame
	f.Tick = a.now
	f.Weather = a.weather
	for _, x := range a.actors {
		if x.bodyStale {
			a.rebuildBody(x)
		}
		f.Actors = append(f.Actors, a.row(x))
		x.authority.describe(a, x, &f.Actors[len(f.Actors)-1])
	}
	for i := range a.ground {
		f.Ground = append(f.Ground, a.ground[i].GroundItem)
	}
	f.Hash = a.hash()
	a.frame = nil
	return f
}

// row is the frame row of an actor, without the part that its authority describes.
func (a *Area) row(x *actor) ActorState {
	fixed := &a.world.Roles
	health, speed := x.attr[fixed.Health], x.attr[fixed.Speed]
	s := ActorState{
		ID: x.id, Body: x.body,
		Pos: x.pos, DestX: x.destX, DestZ: x.destZ, Yaw: x.yaw,
		Mount: x.mount, Target: x.target, Leader: x.leader, Party: x.party,
		Health: health.Value, HealthMax: health.Max,
		Energy: x.attribute(fixed.Energy).Value,
		Speed:  speed.Value, SpeedMax: speed.Max,
		Motion: Motion{Step: x.pos.Sub(x.tickPos)},
	}
	if x.player {
		s.Flags |= FlagPlayer
	}
	if x.running {
		s.Flags |= FlagRunning
	}
	if x.backward {
		s.Flags |= FlagBackward
	}
	if x.dead {
		s.Flags |= FlagDead
	}
	if x.frozen {
		s.Flags |= FlagFrozen
	}
	if x.tmpl.Environment == Fly {
		s.Flags |= FlagFlying
		s.Pos.Y = a.flyHeight(x)
	}
	return s
}

// rebuildBody makes a new Body of the actor's current fields.
func (a *Area) rebuildBody(x *actor) {
	b := &Body{
		Template: x.tmpl.ID, Name: x.name, Tag: x.tag, Appearance: x.appearance,
		Level: x.level, XP: x.xp, Reputation: x.reputation,
		HomeFaction: x.homeFaction, Ratings: x.ratings,
	}
	if x.record != nil {
		b.Character = x.record.ID
	}
	for i := range b.Equipment {
		b.Equipment[i] = x.inv[i].ID()
	}
	b.UpdateVersion()
	x.body = b
	x.bodyStale = false
	x.digest = digest(x)
}
