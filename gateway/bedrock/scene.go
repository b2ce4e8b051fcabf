package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// scene is what one worker shows of one area to its clients there. It exists while the worker has clients in the area.
// What an actor does is encoded once a frame; what each client sees of it is its own affair (sight).
type scene struct {
	w       *worker
	id      sim.AreaID
	def     *sim.AreaDef
	members []*conn // may hold clients that have left until the end of a frame
	faces   []face  // those of the last frame, in its order
	prev    []face  // working memory

	crowd   interest.Crowd
	crowded sim.Tick // of the frame that crowd is of
	encoded []byte   // packets about faces, header and body, back to back
	moves   []span   // where MoveActorAbsolute of each face is; empty: not encoded yet
	looks   []span   // the same for SetActorData
}

// face is an actor as clients of this door know it.
type face struct {
	id      sim.EntityID
	wire    uint64
	body    *sim.Body
	at      geom.Vec // feet, blocks
	yaw     float32
	turned  float32 // yaw in the world, as the last frame had it
	pitch   float32
	height  float32 // of the box, blocks
	flags   proto.ActorFlags
	ground  bool     // stands
	moved   sim.Tick // when at, yaw or ground changed last
	changed sim.Tick // when flags, box or name did
	came    sim.Tick // when it came into the area
}

func newScene(w *worker, id sim.AreaID) *scene {
	return &scene{w: w, id: id, def: &w.g.world.Def().Areas[id]}
}

// close gives the wire ids back.
func (s *scene) close() {
	for i := range s.faces {
		s.w.ids.drop(s.faces[i].id)
	}
}

// drop takes a client out. It stays in members until sweep.
func (s *scene) drop(c *conn) {
	if c.scene == s {
		c.scene = nil
	}
}

// sweep forgets the members that have left.
func (s *scene) sweep() {
	s.members = slices.DeleteFunc(s.members, func(c *conn) bool { return c.closed || c.scene != s })
}

// compare brings the faces up to the frame. Both sides are sorted by entity.
func (s *scene) compare(f *sim.Frame) {
	s.prev, s.faces = s.faces, s.prev[:0]
	old := s.prev
	for i := range f.Actors {
		a := &f.Actors[i]
		for len(old) > 0 && old[0].id < a.ID {
			s.w.ids.drop(old[0].id)
			old = old[1:]
		}
		var n face
		if len(old) > 0 && old[0].id == a.ID {
			n, old = old[0], old[1:]
		} else {
			n = face{id: a.ID, wire: s.w.ids.hold(a.ID), moved: f.Tick, came: f.Tick}
		}
		n.update(s.def, f, a)
		s.faces = append(s.faces, n)
	}
	for i := range old {
		s.w.ids.drop(old[i].id)
	}
}

// predictedOf is what the frame has of a predicted player, nil for others.
func predictedOf(f *sim.Frame, a *sim.ActorState) *sim.PredictedState {
	if !a.Is(sim.FlagPredicted) {
		return nil
	}
	return f.FindPredicted(a.ID)
}

// update takes over what the frame says of the actor.
func (n *face) update(def *sim.AreaDef, f *sim.Frame, a *sim.ActorState) {
	was := *n
	n.body = a.Body
	n.yaw, n.turned = facing(f, a, &was), a.Yaw
	if p := predictedOf(f, a); p != nil { // he says himself where he is among the blocks, exactly
		b := &p.Avatar
		n.at, n.pitch, n.ground, n.height, n.flags = b.Pos, b.Pitch, b.OnGround, b.Height(), flagsOf(a, b)
	} else {
		n.at, n.ground, n.height, n.flags = standing(def, a), !a.Is(sim.FlagFlying), playerHeight, flagsOf(a, nil)
	}
	if n.at != was.at || n.yaw != was.yaw || n.pitch != was.pitch || n.ground != was.ground {
		n.moved = f.Tick
	}
	if was.body != nil && (n.flags != was.flags || n.height != was.height || n.body.Name != was.body.Name) {
		n.changed = f.Tick
	}
}

// face is that of an actor of this frame, nil for nobody.
func (s *scene) face(e sim.EntityID) *face {
	i, ok := slices.BinarySearchFunc(s.faces, e, func(f face, e sim.EntityID) int {
		switch {
		case f.id < e:
			return -1
		case f.id > e:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return &s.faces[i]
}

// member is the client here whose player that is, nil if it is none of this worker's.
func (s *scene) member(e sim.EntityID) *conn {
	if c := s.w.players[e]; c != nil && c.scene == s {
		return c
	}
	return nil
}

// tellAll sends a packet to every client here.
func tellAll[P proto.Packet](s *scene, p P) {
	for _, c := range s.members {
		if c.scene == s {
			send(c, p)
		}
	}
}
