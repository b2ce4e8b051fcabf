package sim

import (
	"slices"

	"github.com/truestep-io/truestep/sim/move"
)

// Step advances the area by one tick and returns the frame after it. intents are in inbox order, which is also the order in a
// recording; they are read, not retained. The frame is immutable. When nothing reads the frame any more, the owner of the area
// may return it with Recycle. If all frames are returned, a tick normally does not allocate.
func (a *Area) Step(intents []Intent) *Frame {
	a.now++
	a.beginFrame()
	a.admit(intents)    // refuse what the rules refuse, with a reason
	a.thinkAll()        // NPCs choose destinations and targets
	a.stepAuthorities() // paths are followed, inputs are simulated
	a.moveAll()         // move all actors and mounts; apply water and portals
	a.fightAll()        // resolve attacks: hits, damage, deaths
	a.tickGame()        // run the rules of the game
	a.expire()          // run timers that are due: respawns, spawns, autosaves
	a.sweep()
	return a.publish()
}

// Recycle gives a frame back to its area, which reuses the memory of the frame. The frame must not be read from then on.
func (a *Area) Recycle(f *Frame) {
	if f != nil && f.Area == a.id && len(a.free) < maxFreeFrames {
		a.free = append(a.free, f)
	}
}

// maxFreeFrames is the maximum length of the list of frames for reuse. Further recycled frames, which are rare, are left
// to the garbage collector.
const maxFreeFrames = 64

// beginFrame prepares an empty frame for the tick: a recycled one, or a new one.
func (a *Area) beginFrame() {
	if n := len(a.free); n > 0 {
		a.frame = a.free[n-1]
		a.free = a.free[:n-1]
	} else {
		a.frame = &Frame{Area: a.id}
	}
	a.frame.Actors = a.frame.Actors[:0]
	a.frame.Avatars = a.frame.Avatars[:0]
	a.frame.Vehicles = a.frame.Vehicles[:0]
	a.frame.Ground = a.frame.Ground[:0]
	a.frame.Fields = a.frame.Fields[:0]
	a.frame.AreaFields = a.frame.AreaFields[:0]
	clear(a.frame.Events) // release the records and texts of old events
	a.frame.Events = a.frame.Events[:0]
}

// publish writes the state of the area into the frame and returns the frame.
func (a *Area) publish() *Frame {
	f := a.frame
	f.Tick = a.now
	f.Weather = a.weather
	f.Actors = slices.Grow(f.Actors, len(a.actors))[:len(a.actors)]
	places := a.beginPlaces()
	h := a.hashBeforeActors()
	for i, x := range a.actors {
		if x.bodyStale {
			a.rebuildBody(x)
		}
		s := &f.Actors[i]
		a.fillRow(s, x)
		s.FirstField = int32(len(f.Fields))
		if len(x.fields) > 0 { // most worlds declare no fields, and an append of no elements still costs a call
			f.Fields = append(f.Fields, x.fields...)
		}
		x.authority.describe(a, x, s)
		if x.tmpl.Vehicle != move.NoVehicle {
			if v := a.vehicleOf(x); v != nil {
				f.Vehicles = append(f.Vehicles, VehicleState{x.id, *v})
			}
		}
		// Compute the hash and store the position in this loop, not in separate ones, while the actor is in the processor's cache.
		h = a.hashActor(h, x)
		if i < len(places) { // true for all actors, or for none if lag compensation is off
			places[i] = place{x.id, x.pos}
		}
	}
	f.AreaFields = append(f.AreaFields, a.fields...)
	for i := range a.ground {
		f.Ground = append(f.Ground, a.ground[i].GroundItem)
	}
	a.endPlaces()
	f.Hash = a.hashAfterActors(h)
	a.frame = nil
	return f
}

// fillRow fills the state of an actor in the frame, except for the part that its authority describes. The fields are assigned one
// by one, because the compiler would build a composite literal elsewhere in memory and copy it.
func (a *Area) fillRow(s *ActorState, x *actor) {
	roles := &a.world.Roles
	health, speed := &x.attr[roles.Health], &x.attr[roles.Speed]
	*s = ActorState{}
	s.ID, s.Body = x.id, x.body
	s.Pos, s.DestX, s.DestZ, s.Yaw = x.pos, x.destX, x.destZ, x.yaw
	s.Mount, s.Target, s.Leader, s.Party = x.mount, x.target, x.leader, x.party
	s.Health, s.HealthMax = health.Value, health.Max
	s.Energy = x.attribute(roles.Energy).Value
	s.Speed, s.SpeedMax = speed.Value, speed.Max
	if x.effects != nil {
		s.Speed = a.speedAttribute(x).Value
	}
	s.Motion.Step = x.pos.Sub(x.tickPos)
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
	if x.lingers() {
		s.Flags |= FlagLingering
		s.LingersUntil = a.lingersUntil(x)
	}
	if x.spawn == spawnedByOperator {
		s.Flags |= FlagSpawned
	}
	if x.tmpl.Environment == Fly {
		s.Flags |= FlagFlying
		s.Pos.Y = a.flyHeight(x)
	}
}

// rebuildBody replaces the actor's Body by a new one with the current values.
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
