package rcce

import (
	"slices"
	"strings"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// scene is what one worker shows of one area to its clients there. It exists while the worker has clients in the area
// and is brought up to each frame by show. RealmCrafter shows a whole area to everybody in it, so all members know the
// same faces, but for newcomers, who are told of them bit by bit.
type scene struct {
	w        *worker
	id       sim.AreaID
	def      *sim.AreaDef
	members  []*conn     // may hold clients that have left until the end of show
	actors   []actorView // those of the last frame, in its order
	removed  []actorView // those that the last frame no longer has
	added    []int32     // indices in faces of those that it has and the one before had not
	previous []actorView // working memory
	entities map[uint16]sim.EntityID

	index      interest.FrameIndex
	indexTick  sim.Tick // of the frame that crowd and updates are of
	updates    []byte   // one StandardUpdate message per face, back to back
	updateEnds []int32  // where each of them ends
	nearby     []int32  // working memory
}

// face is an actor as clients of this door know it.
type actorView struct {
	id        sim.EntityID
	runtimeID uint16
	body      *sim.Body
}

func newScene(w *worker, id sim.AreaID) *scene {
	return &scene{w: w, id: id, def: &w.g.world.Def().Areas[id], entities: map[uint16]sim.EntityID{}}
}

// Close gives the runtime ids back.
func (s *scene) Close() {
	for _, o := range s.actors {
		s.releaseID(o)
	}
}

// drop takes a client out. It stays in members until show has walked them.
func (s *scene) removeMember(c *conn) {
	if c.scene == s {
		c.scene = nil
	}
}

// Sweep forgets the members that have left and reports whether none remains.
func (s *scene) Sweep() (empty bool) {
	s.members = slices.DeleteFunc(s.members, func(c *conn) bool { return c.closed || c.scene != s })
	return len(s.members) == 0
}

// compare brings the faces up to the frame: who came, who is gone. It compares tables, not events, so that frames that
// were missed do no harm. Both sides are sorted by entity.
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
			s.actors = append(s.actors, actorView{a.ID, old[0].runtimeID, a.Body})
			old = old[1:]
			continue
		}
		rid := s.w.g.ids.acquire(a.ID)
		if rid != 0 {
			s.entities[rid] = a.ID
		}
		s.added = append(s.added, int32(i))
		s.actors = append(s.actors, actorView{a.ID, rid, a.Body})
	}
	for _, o := range old {
		s.removeActor(o)
	}
}

func (s *scene) removeActor(o actorView) {
	s.removed = append(s.removed, o)
	delete(s.entities, o.runtimeID)
	s.releaseID(o)
}

// release gives back what hold gave. Without an id nothing was given, and another worker may have had more luck since.
func (s *scene) releaseID(o actorView) {
	if o.runtimeID != 0 {
		s.w.g.ids.release(o.id)
	}
}

// rid is the runtime id of an actor of this frame or of one that is gone with it; 0 for nobody.
func (s *scene) runtimeIDOf(e sim.EntityID) uint16 {
	if f := s.viewOf(e); f != nil {
		return f.runtimeID
	}
	return 0
}

// face is an actor of this frame or one that is gone with it; nil for nobody. Both lists are sorted by entity.
func (s *scene) viewOf(e sim.EntityID) *actorView {
	if e == 0 {
		return nil
	}
	for _, faces := range [2][]actorView{s.actors, s.removed} {
		if i, ok := slices.BinarySearchFunc(faces, e, compareEntity); ok {
			return &faces[i]
		}
	}
	return nil
}

func compareEntity(f actorView, e sim.EntityID) int {
	switch {
	case f.id < e:
		return -1
	case f.id > e:
		return 1
	}
	return 0
}

// entity is the actor that clients call rid; 0 if there is none here.
func (s *scene) entityOf(rid uint16) sim.EntityID { return s.entities[rid] }

// member is the client whose player that is, nil if it is none of this worker's.
func (s *scene) memberOf(e sim.EntityID) *conn {
	for _, c := range s.members {
		if c.session != nil && c.session.Entity == e && c.scene == s {
			return c
		}
	}
	return nil
}

// tell sends a packet to every client here but those of the two actors; 0 leaves nobody out. It is encoded once.
func (s *scene) sendToAll(p proto.Packet, except1, except2 sim.EntityID) {
	s.w.scratch = p.Append(s.w.scratch[:0])
	for _, c := range s.members {
		if c.scene == s && c.session.Entity != except1 && c.session.Entity != except2 {
			c.sendBytes(s.w.scratch)
		}
	}
}

// tellOne sends a packet to the client of one actor, if he is here.
func (s *scene) sendToOwner(e sim.EntityID, p proto.Packet) {
	if c := s.memberOf(e); c != nil {
		c.send(p)
	}
}

// names lists the players here, for /who.
func (s *scene) playerNames() string {
	var names []string
	for i := range s.actors {
		if b := s.actors[i].body; b.Character != 0 {
			names = append(names, b.Name)
		}
	}
	slices.Sort(names)
	const most = 40
	if len(names) > most {
		names = append(names[:most], "...")
	}
	return "In " + s.def.Name + ": " + strings.Join(names, ", ")
}
