package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// scene is one worker's copy of an area, from which the worker updates its clients in that area. It exists as long as it
// has clients. In each frame, a packet about an actor is encoded once and sent to all clients that display the actor (see
// clientView).
type scene struct {
	w        *worker
	id       sim.AreaID
	def      *sim.AreaDef
	tick     sim.Tick    // tick of the last frame
	clients  []*conn     // clients in the area; a client that leaves stays in the list until the end of the frame
	actors   []actorView // actors of the last frame, in the order of the frame
	previous []actorView // actors of the frame before the last; syncActors reuses the memory

	index     interest.FrameIndex // positions of the actors, for finding the actors near a client
	indexTick sim.Tick            // tick of the frame for which index was built
	encoded   []byte              // encoded packets about actors, each with header and body
	ranges    []packetRanges      // ranges[i] contains the positions in encoded of the packets about actors[i]

	inFlight []projectile // projectiles in flight
}

// actorView contains the data of an actor in the form that is sent to Bedrock clients.
type actorView struct {
	id                sim.EntityID
	runtimeID         uint64 // id of the actor on the clients
	body              *sim.Body
	appearance        *actorAppearance
	name              string
	equipment         equipment
	health, healthMax int32
	mount             sim.EntityID // actor that this actor rides, 0 if none
	rider             sim.EntityID // actor that drives or sits alone on this actor, 0 if none
	passenger         sim.EntityID // second actor that rides this actor, 0 if none
	seat              uint8        // seat of this actor on its mount; seat 0 drives
	inBoat            bool         // the actor rides a boat
	paddles           [2]float32   // for a boat: time for which its left and right paddle have moved, in the clients' unit
	seatOffset        proto.Vec3   // position of this actor relative to its mount; zero if the mount is not in the scene
	jumpTick          sim.Tick     // tick at which the actor's jump began; 0 if the actor does not jump
	pos               geom.Vec     // position of the feet in blocks
	yaw               float32      // displayed yaw in degrees
	worldYaw          float32      // yaw in the world in the last frame, in degrees
	pitch             float32      // in degrees
	height            float32      // height of the collision box in blocks at scale 1
	flags             proto.ActorFlags
	exactBody         bool // pos is the position of a body that is simulated in blocks; it includes the height of jumps
	onGround          bool

	// Ticks of the last changes. There is one field for the contents of each kind of packet, so that a client is sent only
	// packets whose contents have changed.
	moveTick      sim.Tick // last change of pos, yaw, pitch, onGround or mount
	paddleTick    sim.Tick // last change of paddles
	dataTick      sim.Tick // last change of flags, box, name, seatOffset or the health displayed under the name
	healthTick    sim.Tick // last change of health or healthMax
	equipmentTick sim.Tick // last change of equipment
	mountTick     sim.Tick // last change of mount or seat
	enterTick     sim.Tick // tick of the actor's entry to the area
	changeTick    sim.Tick // latest of the ticks above
}

func newScene(w *worker, id sim.AreaID) *scene {
	return &scene{w: w, id: id, def: &w.g.world.Def().Areas[id]}
}

// Close releases the runtime ids of all actors.
func (s *scene) Close() {
	for i := range s.actors {
		s.w.ids.release(s.actors[i].id)
	}
}

// removeClient records that a client is no longer in the scene. The scene's list contains the client until Sweep deletes it.
func (s *scene) removeClient(c *conn) {
	if c.scene == s {
		c.scene = nil
	}
}

// Sweep removes the clients that have left the scene from its list. It returns true if no client remains.
func (s *scene) Sweep() (empty bool) {
	s.clients = slices.DeleteFunc(s.clients, func(c *conn) bool { return c.closed || c.scene != s })
	return len(s.clients) == 0
}

// syncActors updates s.actors from the frame. Both s.actors and the frame's actors are sorted by entity id.
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
	s.updateRiding(f)
}

// update sets the fields of an actor's view from the actor's state in a frame.
func (av *actorView) update(s *scene, f *sim.Frame, a *sim.ActorState) {
	was := *av
	if av.body == nil || av.body.Version != a.Body.Version {
		av.applyBody(s.w.g.appearanceTable, a.Body)
	}
	av.health, av.healthMax, av.mount, av.seat, av.rider, av.passenger = a.Health, a.HealthMax, a.Mount, 0, 0, 0
	av.setPosition(s, f, a, &was)
	if av.pos != was.pos || av.yaw != was.yaw || av.pitch != was.pitch || av.onGround != was.onGround || av.mount != was.mount {
		av.moveTick = f.Tick
	}
	if was.body == nil {
		av.changeTick = f.Tick
		return
	}
	av.markChanges(&was, f.Tick)
	av.changeTick = max(av.moveTick, av.dataTick, av.healthTick, av.equipmentTick, av.mountTick, av.paddleTick, av.enterTick)
}

// displayedYaw returns the actor's yaw in the last frame for gateway.BlockYaw: as clients display it, and as it is in the world.
func (av *actorView) displayedYaw() gateway.DisplayedYaw {
	return gateway.DisplayedYaw{Known: av.body != nil, Yaw: av.yaw, WorldYaw: av.worldYaw}
}

// applyBody sets the fields that depend on the actor's body (sim.Body), which rarely changes: appearance, name and equipment.
func (av *actorView) applyBody(tab *appearanceTable, b *sim.Body) {
	av.body, av.appearance, av.name, av.equipment = b, tab.ofTemplate(b.Template), cleanText(b.Name), tab.equipmentOf(b)
}

// markChanges compares the actor with the parameter was, the same actor in the previous frame. For each kind of data that
// differs, it sets the tick of the last change, such as healthTick, to the parameter now.
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
	if av.mount != was.mount || av.seat != was.seat {
		av.mountTick = now
	}
}

// setPosition computes the displayed position, rotation and posture of an actor from a frame. The parameter was is the
// actor in the previous frame.
func (av *actorView) setPosition(s *scene, f *sim.Frame, a *sim.ActorState, was *actorView) {
	av.yaw, av.worldYaw = gateway.BlockYaw(f, a, was.displayedYaw()), a.Yaw
	p := f.AvatarOf(a)
	if av.exactBody = p != nil; av.exactBody {
		b := &p.Avatar
		av.pos, av.pitch, av.onGround, av.height, av.flags = b.Pos, b.Pitch, b.OnGround, b.Height(), flagsOf(a, b)
		av.seat = p.Seat
	} else {
		av.pos, av.onGround, av.height, av.flags = gateway.BlockPosition(s.def, a), !a.Motion.InAir, av.appearance.box.height, flagsOf(a, nil)
	}
	if av.appearance.kind != nil {
		av.setVehicle(f, a, was)
	}
	if av.jumpTick == 0 {
		return
	}
	if up := gateway.JumpArc(av.jumpTick, f.Tick, s.w.g.world.Def().TicksPerSecond); up > 0 && !av.exactBody {
		av.pos.Y += up
		av.onGround = false
	} else if f.Tick > av.jumpTick {
		av.jumpTick = 0
	}
}

// find returns an actor of the last frame, or nil if the frame does not contain it.
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

// clientOf returns the client of a player if the client is in this scene and on this worker, otherwise nil.
func (s *scene) clientOf(e sim.EntityID) *conn {
	if c := s.w.players[e]; c != nil && c.scene == s {
		return c
	}
	return nil
}

// sendToAll sends a packet to all clients of the scene.
func sendToAll[P proto.Packet](s *scene, p P) {
	for _, c := range s.clients {
		if c.scene == s {
			send(c, p)
		}
	}
}
