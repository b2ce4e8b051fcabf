package rcce

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// A worker misses frames of an area if it has not read its feed for some seconds, or if the area continues from the state of another
// node of a cluster. The events of these frames are lost to the worker. Most of what they say is also in the state of the actors and of the
// ground, so the scene remembers that state and sends the differences. Chat lines, hits, messages and changes of inventories and of other
// attributes are not sent: a client displays its inventory and these attributes wrongly until it fetches its character again.

// repair sends the members the changes of the frames that the worker missed before f. The caller also sends the events of f,
// except those for which the function repairs returns true.
func (s *scene) repair(f *sim.Frame) {
	old := s.previous
	for i := range s.actors {
		id := s.actors[i].id
		for len(old) > 0 && old[0].id < id {
			old = old[1:]
		}
		if len(old) > 0 && old[0].id == id {
			s.repairActor(f, &f.Actors[i], &old[0])
		}
	}
	s.repairGround(f)
	if f.Weather != s.weather {
		s.sendToAll(proto.WeatherChange{Area: areaHandle(s.id), Weather: uint8(f.Weather)}, 0, 0)
	}
}

// repairs reports whether the method repair already sends what events of kind k say. This is so for gained experience: if
// the event was sent, too, clients would add its points a second time.
func repairs(k sim.EventKind) bool { return k == sim.EventXP }

// repairActor sends the changes of an actor from the parameter was, the state that the members were sent last, to the parameter
// now, the state in the frame f.
func (s *scene) repairActor(f *sim.Frame, now *sim.ActorState, was *actorView) {
	roles := &s.w.g.world.Def().Roles
	for _, stat := range [...]struct {
		kind     sim.EventKind
		role     int
		was, now int32
	}{
		{sim.EventStatMaximum, roles.Health, was.healthMax, now.HealthMax}, {sim.EventStat, roles.Health, was.health, now.Health},
		{sim.EventStatMaximum, roles.Speed, was.speedMax, now.SpeedMax}, {sim.EventStat, roles.Speed, was.speed, now.Speed},
		{sim.EventStat, roles.Energy, was.energy, now.Energy},
	} {
		if stat.role >= 0 && stat.was != stat.now {
			s.sendStat(f, &sim.Event{Kind: stat.kind, Who: now.ID, N: int32(stat.role), Value: stat.now}, was.runtimeID)
		}
	}
	if now.Body.Equipment != was.body.Equipment {
		s.sendToAll(equipment(s.w.g.opt.LiveAppearance(), was.runtimeID, now.Body), now.ID, 0)
	}
	c := s.memberOf(now.ID)
	if c == nil {
		return
	}
	c.sendXP(was.body.Level, was.body.XP, now.Body)
	died := slices.ContainsFunc(f.Events, func(e sim.Event) bool { return e.Kind == sim.EventDied && e.Who == now.ID }) // if so, sendDeath sends the death
	if now.Is(sim.FlagDead) && !was.dead && !died {
		c.send(deathMessage)
	}
	if now.Party != was.party {
		c.send(partyOf(f, now))
	}
}

// repairGround sends which items have appeared on the ground, and which are gone. It skips items that an event of the frame is
// about, because the members are sent that event.
func (s *scene) repairGround(f *sim.Frame) {
	told := func(handle uint32) bool {
		return slices.ContainsFunc(f.Events, func(e sim.Event) bool {
			return (e.Kind == sim.EventDropped || e.Kind == sim.EventPickedUp) && e.Ground.Handle == handle
		})
	}
	old := s.ground
	for i := range f.Ground {
		g := &f.Ground[i]
		for len(old) > 0 && old[0] < g.Handle {
			s.repairGone(old[0], told)
			old = old[1:]
		}
		if len(old) > 0 && old[0] == g.Handle {
			old = old[1:]
		} else if !told(g.Handle) {
			s.sendToAll(droppedItem(s.w.g.world.Def(), g), 0, 0)
		}
	}
	for _, handle := range old {
		s.repairGone(handle, told)
	}
}

// repairGone sends that an item is gone from the ground. It does nothing if told returns true, because an event of the frame then
// says so.
func (s *scene) repairGone(handle uint32, told func(uint32) bool) {
	if !told(handle) {
		s.sendToAll(proto.InventoryGone{Drop: handle}, 0, 0)
	}
}

// rememberArea stores the weather of the frame, and which items are on the ground.
func (s *scene) rememberArea(f *sim.Frame) {
	s.weather = f.Weather
	s.ground = s.ground[:0]
	for i := range f.Ground {
		s.ground = append(s.ground, f.Ground[i].Handle)
	}
}
