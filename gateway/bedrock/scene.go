package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/gateway"
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

	crowd   interest.FrameIndex
	crowded sim.Tick // of the frame that crowd is of
	encoded []byte   // packets about faces, header and body, back to back
	spans   []spans  // where the packets about each face are

	shots []shot // in the air
}

// face is an actor as clients of this door know it.
type face struct {
	id           sim.EntityID
	wire         uint64
	body         *sim.Body
	look         *look
	name         string
	gear         gear
	health, most int32
	mount        sim.EntityID // whom it rides, 0 nobody
	rider        sim.EntityID // who rides it
	seat         proto.Vec3   // where it sits on its mount; zero if that is not here
	hopped       sim.Tick     // when its jump began; 0: it is in none
	at           geom.Vec     // feet, blocks
	yaw          float32
	turned       float32 // yaw in the world, as the last frame had it
	pitch        float32
	height       float32 // of the box, blocks at scale 1
	flags        proto.ActorFlags
	predicted    bool
	ground       bool // stands

	// When it changed last. news is the newest of them.
	moved   sim.Tick // at, yaw or ground
	changed sim.Tick // flags, box, name, seat or the health that is written under it
	hurt    sim.Tick // health
	dressed sim.Tick // gear
	seated  sim.Tick // mount
	came    sim.Tick // into the area
	news    sim.Tick
}

func newScene(w *worker, id sim.AreaID) *scene {
	return &scene{w: w, id: id, def: &w.g.world.Def().Areas[id]}
}

// Close gives the wire ids back.
func (s *scene) Close() {
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

// Sweep forgets the members that have left and reports whether none remains.
func (s *scene) Sweep() (empty bool) {
	s.members = slices.DeleteFunc(s.members, func(c *conn) bool { return c.closed || c.scene != s })
	return len(s.members) == 0
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
		n.update(s, f, a)
		s.faces = append(s.faces, n)
	}
	for i := range old {
		s.w.ids.drop(old[i].id)
	}
	s.saddle(f)
}

// predictedOf is what the frame has of a predicted player, nil for others.
func predictedOf(f *sim.Frame, a *sim.ActorState) *sim.PredictedState {
	if !a.Is(sim.FlagPredicted) {
		return nil
	}
	return f.FindPredicted(a.ID)
}

// update takes over what the frame says of the actor.
func (n *face) update(s *scene, f *sim.Frame, a *sim.ActorState) {
	was := *n
	if n.body == nil || n.body.Version != a.Body.Version {
		n.embody(s.w.g.wardrobe, a.Body)
	}
	n.health, n.most, n.mount, n.rider = a.Health, a.HealthMax, a.Mount, 0
	n.place(s, f, a, &was)
	if n.at != was.at || n.yaw != was.yaw || n.pitch != was.pitch || n.ground != was.ground || n.mount != was.mount {
		n.moved = f.Tick
	}
	if was.body == nil {
		n.news = f.Tick
		return
	}
	n.compare(&was, f.Tick)
	n.news = max(n.moved, n.changed, n.hurt, n.dressed, n.seated, n.came)
}

// embody takes over what changes seldom.
func (n *face) embody(d *wardrobe, b *sim.Body) {
	n.body, n.look, n.name, n.gear = b, d.look(b.Template), clean(gateway.Legible(b.Name)), d.gearOf(b)
}

// compare notes what is not as it was.
func (n *face) compare(was *face, now sim.Tick) {
	if n.health != was.health || n.most != was.most {
		n.hurt, n.changed = now, now
	}
	if n.flags != was.flags || n.height != was.height || n.name != was.name {
		n.changed = now
	}
	if n.gear != was.gear {
		n.dressed = now
	}
	if n.mount != was.mount {
		n.seated = now
	}
}

// place finds out where the actor is, and how it stands there.
func (n *face) place(s *scene, f *sim.Frame, a *sim.ActorState, was *face) {
	n.yaw, n.turned = facing(f, a, was), a.Yaw
	p := predictedOf(f, a)
	if n.predicted = p != nil; n.predicted { // he says himself where he is among the blocks, exactly
		b := &p.Avatar
		n.at, n.pitch, n.ground, n.height, n.flags = b.Pos, b.Pitch, b.OnGround, b.Height(), flagsOf(a, b)
	} else {
		n.at, n.ground, n.height, n.flags = standing(s.def, a), !a.Motion.InAir, n.look.box.height, flagsOf(a, nil)
	}
	if n.hopped == 0 {
		return
	}
	if up := hopping(n.hopped, f.Tick, s.w.g.world.Def().TicksPerSecond); up > 0 && !n.predicted {
		n.at.Y += up
		n.ground = false
	} else if f.Tick > n.hopped {
		n.hopped = 0
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
