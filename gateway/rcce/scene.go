package rcce

import (
	"slices"
	"strings"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// scene is one worker's copy of an area, from which the worker updates its clients in that area, the members. The scene exists as
// long as it has members. RealmCrafter clients are sent all actors of their area. All members therefore know the same actors,
// except those that have just entered and were not sent all actors yet.
type scene struct {
	w        *worker
	id       sim.AreaID
	def      *sim.AreaDef
	members  []*conn                 // clients in the area; a client that leaves stays in the list until Sweep
	actors   []actorView             // actors of the last frame, in the order of the frame
	removed  []actorView             // actors that the last frame removed
	moved    []sim.PartyID           // parties of which an actor has entered or left with the last frame, sorted
	added    []int32                 // indices in actors of the actors that the last frame added
	previous []actorView             // actors of the frame before the last; syncActors reuses the memory
	entities map[uint16]sim.EntityID // actor by runtime id
	tick     sim.Tick                // tick of the last frame; 0 before the first
	ground   []uint32                // handles of the items on the ground in the last frame, sorted
	weather  sim.Weather             // weather of the last frame

	index      interest.FrameIndex
	indexTick  sim.Tick // tick of the frame for which index and updates were built
	updates    []byte   // concatenated StandardUpdate messages, one per actor
	updateEnds []int32  // updateEnds[i] is the end in updates of the message about actors[i]
	nearby     []int32  // buffer that sendUpdates reuses
}

// actorView is the state of an actor that the scene keeps from frame to frame.
type actorView struct {
	id        sim.EntityID
	runtimeID uint16
	body      *sim.Body

	// The fields below serve to find out what has changed in frames that the worker has missed.
	health, healthMax, energy, speed, speedMax int32
	party                                      sim.PartyID
	dead                                       bool
}

func viewActor(a *sim.ActorState, runtimeID uint16) actorView {
	return actorView{a.ID, runtimeID, a.Body, a.Health, a.HealthMax, a.Energy, a.Speed, a.SpeedMax, a.Party, a.Is(sim.FlagDead)}
}

func newScene(w *worker, id sim.AreaID) *scene {
	return &scene{w: w, id: id, def: &w.g.world.Def().Areas[id], entities: map[uint16]sim.EntityID{}}
}

// Close releases the runtime ids of all actors. It is called when the scene has no more members.
func (s *scene) Close() {
	for _, view := range s.actors {
		s.releaseID(view)
	}
}

// removeMember removes a client from the scene. The scene's list contains the client until Sweep deletes it.
func (s *scene) removeMember(c *conn) {
	if c.scene == s {
		c.scene = nil
	}
}

// Sweep deletes clients that have left the scene from the scene's list. It returns true if the list is then empty.
func (s *scene) Sweep() (empty bool) {
	s.members = slices.DeleteFunc(s.members, func(c *conn) bool { return c.closed || c.scene != s })
	return len(s.members) == 0
}

// syncActors compares the scene's actors with those of a frame. It sets the list "actors" to those of the frame, and the lists
// "added" and "removed" to the differences. It does not use the frame's events, so the lists are correct even if the worker has
// missed frames. The lists of the scene and of the frame are sorted by entity id.
func (s *scene) syncActors(f *sim.Frame) {
	s.previous, s.actors = s.actors, s.previous[:0]
	s.removed, s.added = s.removed[:0], s.added[:0]
	old := s.previous
	for i := range f.Actors {
		a := &f.Actors[i]
		for len(old) > 0 && old[0].id < a.ID {
			s.removeActor(old[0])
			old = old[1:]
		}
		if len(old) > 0 && old[0].id == a.ID {
			s.actors = append(s.actors, viewActor(a, old[0].runtimeID))
			old = old[1:]
			continue
		}
		rid := s.w.g.ids.acquire(a.ID)
		if rid != 0 {
			s.entities[rid] = a.ID
		}
		s.added = append(s.added, int32(i))
		s.actors = append(s.actors, viewActor(a, rid))
	}
	for _, view := range old {
		s.removeActor(view)
	}
}

// removeActor appends an actor to the list "removed" and releases its runtime id.
func (s *scene) removeActor(view actorView) {
	s.removed = append(s.removed, view)
	delete(s.entities, view.runtimeID)
	s.releaseID(view)
}

// releaseID releases the runtime id of an actor that is no longer in the scene. If all ids were in use when syncActors added the
// actor, view has no id, and releaseID does nothing. Another worker may have got an id for the actor since, which this worker must
// not release.
func (s *scene) releaseID(view actorView) {
	if view.runtimeID != 0 {
		s.w.g.ids.release(view.id)
	}
}

// runtimeIDOf returns the runtime id of an actor that is in the last frame or that the last frame removed. It returns 0 for any
// other actor.
func (s *scene) runtimeIDOf(e sim.EntityID) uint16 {
	if view := s.viewOf(e); view != nil {
		return view.runtimeID
	}
	return 0
}

// viewOf returns what the scene stores about an actor that is in the last frame, or that this frame removed. For any other actor
// it returns nil.
func (s *scene) viewOf(e sim.EntityID) *actorView {
	if e == 0 {
		return nil
	}
	for _, views := range [2][]actorView{s.actors, s.removed} {
		if i, ok := slices.BinarySearchFunc(views, e, compareEntity); ok {
			return &views[i]
		}
	}
	return nil
}

func compareEntity(view actorView, e sim.EntityID) int {
	switch {
	case view.id < e:
		return -1
	case view.id > e:
		return 1
	}
	return 0
}

// entityOf returns the actor with a runtime id, or 0 if this scene has none.
func (s *scene) entityOf(rid uint16) sim.EntityID { return s.entities[rid] }

// memberOf returns the client in this scene whose player is the actor "e", or nil if there is none.
func (s *scene) memberOf(e sim.EntityID) *conn {
	for _, c := range s.members {
		if c.session != nil && c.session.Entity == e && c.scene == s {
			return c
		}
	}
	return nil
}

// sendToAll sends a packet to all members except the clients of the players except1 and except2. If one of these is 0, it
// excludes no client. The packet is encoded once.
func (s *scene) sendToAll(p proto.Packet, except1, except2 sim.EntityID) {
	s.w.scratch = p.Append(s.w.scratch[:0])
	for _, c := range s.members {
		if c.scene == s && c.session.Entity != except1 && c.session.Entity != except2 {
			c.sendBytes(s.w.scratch)
		}
	}
}

// sendToOwner sends a packet to the client of the player "e". It does nothing if that client is not a member of the scene.
func (s *scene) sendToOwner(e sim.EntityID, p proto.Packet) {
	if c := s.memberOf(e); c != nil {
		c.send(p)
	}
}

// whoReply returns the answer to the command /who: the name of the area and the names of up to 40 of its players.
func (s *scene) whoReply() string {
	var names []string
	for i := range s.actors {
		if b := s.actors[i].body; b.Character != 0 {
			names = append(names, b.Name)
		}
	}
	slices.Sort(names)
	const maxNames = 40
	if len(names) > maxNames {
		names = append(names[:maxNames], "...")
	}
	return "In " + s.def.Name + ": " + strings.Join(names, ", ")
}
