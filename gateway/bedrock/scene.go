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
	w        *worker
	id       sim.AreaID
	def      *sim.AreaDef
	clients  []*conn     // may hold clients that have left until the end of a frame
	actors   []actorView // those of the last frame, in its order
	previous []actorView // working memory

	index     interest.FrameIndex
	indexTick sim.Tick       // of the frame that crowd is of
	encoded   []byte         // packets about faces, header and body, back to back
	ranges    []packetRanges // where the packets about each face are

	inFlight []projectile // in the air
}

// face is an actor as clients of this door know it.
type actorView struct {
	id                sim.EntityID
	runtimeID         uint64
	body              *sim.Body
	appearance        *actorAppearance
	name              string
	equipment         equipment
	health, healthMax int32
	mount             sim.EntityID // whom it rides, 0 nobody
	rider             sim.EntityID // who rides it
	seatOffset        proto.Vec3   // where it sits on its mount; zero if that is not here
	jumpTick          sim.Tick     // when its jump began; 0: it is in none
	pos               geom.Vec     // feet, blocks
	yaw               float32
	worldYaw          float32 // yaw in the world, as the last frame had it
	pitch             float32
	height            float32 // of the box, blocks at scale 1
	flags             proto.ActorFlags
	predicted         bool
	onGround          bool // stands

	// When it changed last. news is the newest of them.
	moveTick      sim.Tick // at, yaw or ground
	dataTick      sim.Tick // flags, box, name, seat or the health that is written under it
	healthTick    sim.Tick // health
	equipmentTick sim.Tick // gear
	mountTick     sim.Tick // mount
	enterTick     sim.Tick // into the area
	changeTick    sim.Tick
}

func newScene(w *worker, id sim.AreaID) *scene {
	return &scene{w: w, id: id, def: &w.g.world.Def().Areas[id]}
}

// Close gives the wire ids back.
func (s *scene) Close() {
	for i := range s.actors {
		s.w.ids.release(s.actors[i].id)
	}
}

// drop takes a client out. It stays in members until sweep.
func (s *scene) removeClient(c *conn) {
	if c.scene == s {
		c.scene = nil
	}
}

// Sweep forgets the members that have left and reports whether none remains.
func (s *scene) Sweep() (empty bool) {
	s.clients = slices.DeleteFunc(s.clients, func(c *conn) bool { return c.closed || c.scene != s })
	return len(s.clients) == 0
}

// compare brings the faces up to the frame. Both sides are sorted by entity.
func (s *scene) syncActors(f *sim.Frame) {
	s.previous, s.actors = s.actors, s.previous[:0]
	old := s.previous
	for i := range f.Actors {
		a := &f.Actors[i]
		for len(old) > 0 && old[0].id < a.ID {
			s.w.ids.release(old[0].id)
			old = old[1:]
		}
		var av actorView
		if len(old) > 0 && old[0].id == a.ID {
			av, old = old[0], old[1:]
		} else {
			av = actorView{id: a.ID, runtimeID: s.w.ids.acquire(a.ID), moveTick: f.Tick, enterTick: f.Tick}
		}
		av.update(s, f, a)
		s.actors = append(s.actors, av)
	}
	for i := range old {
		s.w.ids.release(old[i].id)
	}
	s.syncMounts(f)
}

// predictedOf is what the frame has of a predicted player, nil for others.
func predictedOf(f *sim.Frame, a *sim.ActorState) *sim.PredictedState {
	if !a.Is(sim.FlagPredicted) {
		return nil
	}
	return f.FindPredicted(a.ID)
}

// update takes over what the frame says of the actor.
func (av *actorView) update(s *scene, f *sim.Frame, a *sim.ActorState) {
	was := *av
	if av.body == nil || av.body.Version != a.Body.Version {
		av.applyBody(s.w.g.appearances, a.Body)
	}
	av.health, av.healthMax, av.mount, av.rider = a.Health, a.HealthMax, a.Mount, 0
	av.setPosition(s, f, a, &was)
	if av.pos != was.pos || av.yaw != was.yaw || av.pitch != was.pitch || av.onGround != was.onGround || av.mount != was.mount {
		av.moveTick = f.Tick
	}
	if was.body == nil {
		av.changeTick = f.Tick
		return
	}
	av.markChanges(&was, f.Tick)
	av.changeTick = max(av.moveTick, av.dataTick, av.healthTick, av.equipmentTick, av.mountTick, av.enterTick)
}

// embody takes over what changes seldom.
func (av *actorView) applyBody(tab *appearanceTable, b *sim.Body) {
	av.body, av.appearance, av.name, av.equipment = b, tab.ofTemplate(b.Template), cleanText(gateway.Legible(b.Name)), tab.equipmentOf(b)
}

// compare notes what is not as it was.
func (av *actorView) markChanges(was *actorView, now sim.Tick) {
	if av.health != was.health || av.healthMax != was.healthMax {
		av.healthTick, av.dataTick = now, now
	}
	if av.flags != was.flags || av.height != was.height || av.name != was.name {
		av.dataTick = now
	}
	if av.equipment != was.equipment {
		av.equipmentTick = now
	}
	if av.mount != was.mount {
		av.mountTick = now
	}
}

// place finds out where the actor is, and how it stands there.
func (av *actorView) setPosition(s *scene, f *sim.Frame, a *sim.ActorState, was *actorView) {
	av.yaw, av.worldYaw = displayYaw(f, a, was), a.Yaw
	p := predictedOf(f, a)
	if av.predicted = p != nil; av.predicted { // he says himself where he is among the blocks, exactly
		b := &p.Avatar
		av.pos, av.pitch, av.onGround, av.height, av.flags = b.Pos, b.Pitch, b.OnGround, b.Height(), flagsOf(a, b)
	} else {
		av.pos, av.onGround, av.height, av.flags = groundedPosition(s.def, a), !a.Motion.InAir, av.appearance.box.height, flagsOf(a, nil)
	}
	if av.jumpTick == 0 {
		return
	}
	if up := jumpHeight(av.jumpTick, f.Tick, s.w.g.world.Def().TicksPerSecond); up > 0 && !av.predicted {
		av.pos.Y += up
		av.onGround = false
	} else if f.Tick > av.jumpTick {
		av.jumpTick = 0
	}
}

// face is that of an actor of this frame, nil for nobody.
func (s *scene) find(e sim.EntityID) *actorView {
	i, ok := slices.BinarySearchFunc(s.actors, e, func(f actorView, e sim.EntityID) int {
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
	return &s.actors[i]
}

// member is the client here whose player that is, nil if it is none of this worker's.
func (s *scene) clientOf(e sim.EntityID) *conn {
	if c := s.w.players[e]; c != nil && c.scene == s {
		return c
	}
	return nil
}

// tellAll sends a packet to every client here.
func sendToAll[P proto.Packet](s *scene, p P) {
	for _, c := range s.clients {
		if c.scene == s {
			send(c, p)
		}
	}
}
