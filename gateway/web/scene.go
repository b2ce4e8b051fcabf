package web

import (
	"math"
	"slices"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Bits of the field "flags" of an actor in snapshots, above the low three bits, which contain the motion mode (sim.MotionMode).
const (
	flagInAir     = 1 << 3
	flagDead      = 1 << 4
	flagLingering = 1 << 5 // the player has lost its connection
	flagJump      = 1 << 6 // toggles when the actor is moved without walking, so that clients do not interpolate between the two positions
)

// Tolerances and weights of actors in snapshots, for close actors and for those at medium distance. The tolerance is the position
// error of an actor on clients, in 1/64 blocks, up to which a snapshot may leave the actor out. If there is no room for all
// actors, those with a higher weight are sent first. Source: web specification, section 4.
const (
	toleranceClose, toleranceMiddle = 1, 4
	weightClose, weightMiddle       = 4, 1
)

// scene is one worker's copy of an area, from which the worker updates its clients in that area.
type scene struct {
	w        *worker
	id       sim.AreaID
	def      *sim.AreaDef
	tick     sim.Tick    // tick of the last frame
	clients  []*player   // players in the area; a player that leaves stays in the list until the end of the frame
	actors   []actorView // actors of the last frame, sorted by entity id
	previous []actorView // actors of the frame before the last; syncActors reuses the memory
	index    interest.FrameIndex
	shown    sim.Tick       // tick of the last frame that was broadcast
	died     []sim.EntityID // actors that have died since the tick in the field shown

	fields     []int32  // values of the game's fields of all actors, in the order of the frame
	oldFields  []int32  // fields of the previous frame; syncFields reuses the memory
	areaFields []int32  // values of the game's fields of the area
	areaTick   sim.Tick // tick at which areaFields changed last; 0 before the first frame
	values     []int32  // buffer for the result of player.valuesOf
}

// actorView holds the state of an actor as this door sends it to clients.
type actorView struct {
	id       sim.EntityID
	body     *sim.Body
	state    [proto.BuiltinFields]int32 // values of the built-in fields, quantised as in snapshots
	yaw      gateway.DisplayedYaw
	jumpTick sim.Tick // tick at which the actor's jump began; 0 if the actor does not jump
	placed   bool     // value of flagJump
	entered  sim.Tick // tick at which the actor entered the area
	bodyTick sim.Tick // tick of the last change of a field that is not in snapshots
	health   int32    // maximum health in points

	player     bool // the actor is a player, not an NPC
	party      sim.PartyID
	firstField int // index in scene.fields of the first value of this actor
}

func newScene(w *worker, id sim.AreaID) *scene {
	return &scene{w: w, id: id, def: &w.g.world.Def().Areas[id]}
}

// Close does nothing: a scene holds nothing that must be released.
func (s *scene) Close() {}

// removeClient records that a player has left the scene. The list of clients contains the player until Sweep deletes it.
func (s *scene) removeClient(p *player) {
	if p.scene == s {
		p.scene = nil
	}
}

// Sweep deletes players that have left the scene from the list of clients. It returns true if the list is then empty.
func (s *scene) Sweep() (empty bool) {
	s.clients = slices.DeleteFunc(s.clients, func(p *player) bool { return p.scene != s })
	return len(s.clients) == 0
}

// Show updates the scene to a frame and sends the frame's events to the clients.
func (s *scene) Show(f *sim.Frame) {
	s.tick = f.Tick
	s.syncActors(f)
	for i := range f.Events {
		s.sendEvent(f, &f.Events[i])
		if e := &f.Events[i]; e.Kind == sim.EventDied {
			s.died = append(s.died, e.Who)
		}
	}
	for _, p := range s.clients {
		if p.scene != s {
			continue
		}
		if f.Find(p.session.Entity) == nil { // the worker has missed the frame with the player's departure
			p.leaveScene()
			s.w.scenes.Expect(p, gateway.AnyArea)
			continue
		}
		if own := f.FindAvatar(p.session.Entity); own != nil && own.Prediction.Tick != 0 { // 0 before the client's first input
			p.inputTick = own.Prediction.Tick
		}
		p.settleOld(f.Tick)
	}
}

// syncActors updates the actors of the scene to those of a frame. Both lists are sorted by entity id.
func (s *scene) syncActors(f *sim.Frame) {
	s.previous, s.actors = s.actors, s.previous[:0]
	s.syncFields(f)
	old := s.previous
	for i := range f.Actors {
		a := &f.Actors[i]
		for len(old) > 0 && old[0].id < a.ID {
			old = old[1:]
		}
		av := actorView{id: a.ID, entered: f.Tick}
		if len(old) > 0 && old[0].id == a.ID {
			av, old = old[0], old[1:]
		}
		av.update(s, f, a)
		s.actors = append(s.actors, av)
	}
}

// update sets the fields of an actor's view from the actor's state in a frame.
func (av *actorView) update(s *scene, f *sim.Frame, a *sim.ActorState) {
	if av.body == nil || av.body.Version != a.Body.Version || av.health != a.HealthMax {
		av.body, av.bodyTick, av.health = a.Body, f.Tick, a.HealthMax
	}
	av.syncGame(s, f, a)
	pos, yaw := s.place(av, f, a)
	av.yaw = gateway.DisplayedYaw{Known: true, Yaw: yaw, WorldYaw: a.Yaw}
	flags := int32(a.Motion.Mode)
	for bit, on := range [...]bool{3: a.Motion.InAir || av.jumpTick != 0, 4: a.Is(sim.FlagDead), 5: a.Is(sim.FlagLingering), 6: av.placed} {
		if on {
			flags |= 1 << bit
		}
	}
	av.state = [proto.BuiltinFields]int32{quantum(pos.X), quantum(pos.Y), quantum(pos.Z), yawUnits(yaw), healthShare(a.Health, a.HealthMax), flags}
}

// place returns the position in blocks and the yaw in degrees at which clients display an actor.
func (s *scene) place(av *actorView, f *sim.Frame, a *sim.ActorState) (geom.Vec, float32) {
	if p := f.AvatarOf(a); p != nil {
		return p.Avatar.Pos, p.Avatar.Yaw
	}
	if v := f.FindVehicle(a.ID); v != nil {
		return v.Pos, v.Yaw
	}
	pos := gateway.BlockPosition(s.def, a)
	if av.jumpTick != 0 {
		up := gateway.JumpArc(av.jumpTick, f.Tick, s.w.g.world.Def().TicksPerSecond)
		if up == 0 && f.Tick > av.jumpTick {
			av.jumpTick = 0
		}
		pos.Y += up
	}
	return pos, gateway.BlockYaw(f, a, av.yaw)
}

// quantaPerBlock is the resolution of positions in messages, in units per block.
const quantaPerBlock = 64

// quantum converts a coordinate in blocks to the units of messages, 1/64 block.
func quantum(blocks float32) int32 { return int32(math.RoundToEven(float64(blocks) * quantaPerBlock)) }

// yawUnits converts an angle in degrees to units of 1/256 of a turn, 0..255.
func yawUnits(degrees float32) int32 {
	return int32(math.RoundToEven(float64(degrees)/360*256)) & 255
}

// healthShare returns the health of an actor as a fraction of its maximum, in units of 1/255. The parameter "most" is the
// maximum. An actor that has health left gets at least 1.
func healthShare(health, most int32) int32 {
	if health <= 0 || most <= 0 {
		return 0
	}
	return int32(min(max(int64(health)*255/int64(most), 1), 255))
}

// find returns the view of an actor that is in the last frame, or nil if it is not.
func (s *scene) find(e sim.EntityID) *actorView { return findActor(s.actors, e) }

func findActor(list []actorView, e sim.EntityID) *actorView {
	i, ok := slices.BinarySearchFunc(list, e, func(av actorView, e sim.EntityID) int {
		switch {
		case av.id < e:
			return -1
		case av.id > e:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return &list[i]
}

// Broadcast passes the due inputs of all players to the area. It then tells each client which actors have entered and left its
// view, and sends it a snapshot. If the worker cannot keep up with the frames of the area, it leaves out this second part, so
// that it reaches the newest frame sooner. Clients extrapolate meanwhile.
func (s *scene) Broadcast(f *sim.Frame) {
	for _, p := range s.clients {
		if p.scene == s && p.welcomed {
			p.submitInputs()
		}
	}
	if s.w.behind() {
		s.w.g.door.Bad.With("late_frame").Inc()
		return
	}
	s.w.beginSnapshots()
	defer s.w.rest()
	built := false
	for _, p := range s.clients {
		if p.scene != s || !p.welcomed {
			continue
		}
		self := f.Index(p.session.Entity)
		if self < 0 {
			continue
		}
		if !built {
			s.index.Build(f, s.w.g.opt.Policy)
			built = true
		}
		s.updateView(p, f, self)
		s.sendAreaFields(p)
		s.w.yield()
	}
	s.shown, s.died = f.Tick, s.died[:0]
}

// updateView sends one client the changes in its view, and a snapshot. The parameter self is the index of the client's own player
// in f.Actors.
func (s *scene) updateView(p *player, f *sim.Frame, self int) {
	own := &s.actors[self]
	resend := s.w.g.layout.slowParty && p.party != own.party // the client may now know other fields of the members of its old and its new party
	p.party = own.party
	u := p.shown.Update(&s.index, self, true, s.w.g.opt.Policy)
	for _, id := range u.Leave {
		p.hide(id, s.leaveReason(id))
	}
	for _, i := range u.Enter {
		p.show(&s.actors[i])
	}
	for _, near := range [2][]int32{u.Close, u.Middle} {
		for _, i := range near {
			if av := &s.actors[i]; s.bodyDue(av) || resend {
				p.sendBody(av)
			}
		}
	}
	if s.bodyDue(own) {
		p.sendBody(own)
	}
	if !p.link.ready() {
		return
	}
	for _, i := range u.Close {
		p.want(&s.actors[i], toleranceClose, weightClose)
	}
	for _, i := range u.Middle {
		p.want(&s.actors[i], toleranceMiddle, weightMiddle)
	}
	p.want(own, 0, weightClose)
	s.sendSnapshot(p, f)
}

// bodyDue reports whether clients must be sent the fields of an actor that are not in snapshots: one of them has changed since
// the last broadcast. If the actor has entered the area since then, the result is false, because its Enter message contains
// these fields.
func (s *scene) bodyDue(av *actorView) bool { return av.bodyTick > s.shown && av.entered <= s.shown }

// want makes the client's next snapshot contain an actor, if the client displays the actor and there is room. The parameter
// tolerance is the position error, in 1/64 blocks, that the client may keep. Actors with a higher weight are sent first.
func (p *player) want(av *actorView, tolerance, weight int32) {
	if h := p.handles.handle(av.id); h != proto.NoHandle {
		p.teller.Want(h, p.valuesOf(av), tolerance, weight)
	}
}

// sendSnapshot encodes a snapshot of the actors that were selected by calls of the method want, and sends it to the client. If the client
// has acknowledged none for too long, sendSnapshot ends the connection instead; the client may resume its session.
func (s *scene) sendSnapshot(p *player, f *sim.Frame) {
	if p.teller.Unheard() {
		p.endUnheard()
		return
	}
	h := proto.SnapshotHeader{Tick: uint32(f.Tick), Input: uint8(p.inputTick), Waits: uint8(min(p.waiting(), 15))}
	s.w.buf = p.teller.Append(s.w.buf[:0], h, p.budget.Snapshot(h.Tick))
	p.budget.AddSnapshot(len(s.w.buf))
	p.link.snapshot(s.w.buf)
	p.packetsOut++
	p.rtt.sent(p.teller.Run(), p.teller.Seq(), s.w.g.nowMS())
	s.w.g.door.PacketsOut.Inc()
	s.w.g.door.BytesOut.Add(len(s.w.buf))
	p.session.Link().BytesOut.Add(uint64(len(s.w.buf)))
}

// leaveReason returns the reason for an actor's Leave message: the actor is out of view, has died, or has left the area.
func (s *scene) leaveReason(id sim.EntityID) proto.LeaveReason {
	switch {
	case s.find(id) != nil:
		return proto.LeaveSight
	case slices.Contains(s.died, id):
		return proto.LeaveDead
	}
	return proto.LeaveGone
}

// show assigns a handle to an actor and sends the client the actor's Enter message. If no handle is free, the client is not told
// about the actor.
func (p *player) show(av *actorView) {
	h, ok := p.handles.acquire(av.id)
	if !ok {
		return
	}
	p.sendEnter(av, h, uint8(av.fieldKind()))
}

// sendEnter makes the client display an actor, by an Enter message. Snapshots contain the actor only after the client has
// confirmed this message, because the client cannot decode the actor before it.
func (p *player) sendEnter(av *actorView, h uint16, kind uint8) {
	values := p.valuesOf(av)
	p.send(&proto.Enter{Handle: h, Kind: kind, State: values, Body: p.bodyOf(av, h)})
	p.teller.Enter(h, kind, values)
	if p.link.ordered() {
		p.teller.Confirm(h)
		return
	}
	p.handles.entered = append(p.handles.entered, pendingHandle{handle: h, number: p.sent})
}

// bodyOf returns a Body message: the fields of an actor that are not in snapshots, because they rarely change.
func (p *player) bodyOf(av *actorView, h uint16) proto.Body {
	b := proto.Body{Handle: h, Mask: proto.BodyAll, Level: uint16(min(max(av.body.Level, 0), math.MaxUint16)), HealthMax: av.health, Height: heightUnits, Name: cleanText(av.body.Name)}
	if av.body.Character != 0 {
		if who, ok := p.g.hub.Player(av.id); ok {
			b.Door = who.Door
		}
	}
	if slow := p.g.layout.slow[av.fieldKind()]; len(slow) > 0 {
		b.Mask |= proto.BodyFields
		b.Fields = p.appendFields(nil, av, slow)
	}
	return b
}

// heightUnits is the height of an actor in messages to clients, the same for every actor: 1.8 blocks, in units of 1/16 block.
const heightUnits = 29

// sendBody sends a client the fields of an actor that are not in snapshots. It does nothing if the client does not display the
// actor.
func (p *player) sendBody(av *actorView) {
	if h := p.handles.handle(av.id); h != proto.NoHandle {
		b := p.bodyOf(av, h)
		p.send(&b)
	}
}

// hide tells the client to stop displaying an actor. The parameter "why" is the reason in the Leave message.
func (p *player) hide(e sim.EntityID, why proto.LeaveReason) {
	h := p.handles.handle(e)
	if h == proto.NoHandle {
		return
	}
	p.send(&proto.Leave{Handle: h, Reason: why})
	p.handles.release(e, p.sent, p.teller.Sent())
	p.teller.Leave(h)
	if p.link.ordered() {
		p.handles.confirm(func(uint16) bool { return true }, math.MaxUint64, nil)
	}
}

// leaveScene removes the player from its scene. It sends no Leave messages, because the client removes all actors when it
// receives the next Area message.
func (p *player) leaveScene() { p.scene, p.former = nil, p.scene }

// Arrive adds the client to the scene if the frame contains its player. If the session has ended instead (the area was full),
// Arrive disconnects the client.
func (p *player) Arrive(s *scene, f *sim.Frame) {
	if !p.session.MayShow(f) {
		return
	}
	own := f.FindAvatar(p.session.Entity)
	if own == nil {
		select {
		case <-p.session.Ended():
			p.left.Store(true)
			p.bye(proto.ByeKicked, false, "The area is full.")
		default:
		}
		return
	}
	s.w.scenes.Expect(p, sim.NoArea)
	p.session.SetArea(s.id)
	p.scene, p.former = s, nil
	s.clients = append(s.clients, p)
	p.shown.Reset()
	p.shown.Self = p.session.Entity
	p.handles.reset()
	p.settleAll()
	p.areaTick, p.party = 0, 0
	if p.teller == nil {
		p.teller = proto.NewTeller(&s.w.g.schema, p.link.ordered(), s.w.g.world.Def().TicksPerSecond)
	} else {
		p.teller.Reset()
	}
	p.welcome(s, f, own)
}

// ShowOwn sends the client the events of the tick in which its player arrived, after the messages of the entry. It leaves out events that
// these messages contain, such as a new position.
func (p *player) ShowOwn(s *scene, f *sim.Frame) {
	if p.scene != s {
		return
	}
	for i := range f.Events {
		e := &f.Events[i]
		if e.Who != p.session.Entity {
			continue
		}
		switch e.Kind {
		case sim.EventMessage, sim.EventXP, sim.EventRefused, sim.EventCommand:
			s.sendOwnEvent(p, f, e)
		case sim.EventChat:
			own := p.handles.handle(e.Who)
			p.send(&proto.Event{Tick: uint32(f.Tick), Kind: proto.EventSaid, Who: own, Other: proto.NoHandle, Text: cleanText(e.Text)})
		case sim.EventGame:
			s.sendGameEvent(f, e, p)
		}
	}
}

// welcome tells a client in which area its player is, and in which state. A client that has just connected gets both in a Welcome
// message. A client whose player has changed areas gets them in an Area and an Own message.
func (p *player) welcome(s *scene, f *sim.Frame, own *sim.AvatarState) {
	av := s.find(p.session.Entity)
	h, _ := p.handles.acquire(p.session.Entity) // the table is empty after reset, so a handle is free
	at := proto.Area{Area: uint16(s.id), Ground: s.w.g.grounds[s.id].hash, Run: p.teller.Run(), Own: h, Name: s.def.Name}
	if !p.welcomed {
		p.welcomed = true
		p.newest, p.passed, p.inputTick = uint64(f.Tick), uint64(f.Tick), uint64(f.Tick)
		features := proto.Features
		if p.resume.known {
			features |= proto.FeatureKnownActs
		}
		p.send(&proto.Welcome{
			Features: features, Run: at.Run, Ticks: uint8(min(s.w.g.world.Def().TicksPerSecond, 255)), Tick: p.newest, Own: h, Area: at, Resume: p.token, Schema: s.w.g.hash,
			Avatar: avatarOf(&own.Avatar),
		})
		if text := s.w.g.world.Def().NewCharacters.Greeting; text != "" && !p.session.Resumed() {
			p.send(&proto.Event{Tick: uint32(f.Tick), Kind: proto.EventTold, Who: proto.NoHandle, Other: proto.NoHandle, Text: text})
		}
	} else {
		p.send(&at)
		p.sendOwn(proto.OwnTeleported, 0, &sim.Rewind{Tick: own.Prediction.Tick, State: own.Avatar})
	}
	p.party = av.party
	p.sendEnter(av, h, uint8(sim.FieldOfPlayer))
}

// avatarOf converts an avatar of package move to one of the protocol.
func avatarOf(a *move.Avatar) proto.Avatar {
	w := proto.Avatar{
		Pos: [3]float32{a.Pos.X, a.Pos.Y, a.Pos.Z}, Vel: [3]float32{a.Vel.X, a.Vel.Y, a.Vel.Z},
		Pitch: a.Pitch, Yaw: a.Yaw, HeadYaw: a.HeadYaw, Collided: uint8(a.Collided), JumpDelay: a.JumpDelay, SwimPose: a.SwimPose, Speed: a.Speed,
		JumpBoost: a.JumpBoost, Levitation: a.Levitation, SlowFalling: a.SlowFalling, DepthStrider: a.DepthStrider, GlideBoost: a.GlideBoost,
	}
	if a.HasKnockback {
		w.KnockbackVel = [3]float32{a.KnockbackVel.X, a.KnockbackVel.Y, a.KnockbackVel.Z}
	}
	for _, f := range [...]struct {
		flag proto.AvatarFlags
		on   bool
	}{
		{proto.AvatarOnGround, a.OnGround}, {proto.AvatarSneaking, a.Sneaking}, {proto.AvatarSprinting, a.Sprinting},
		{proto.AvatarSwimming, a.Swimming}, {proto.AvatarGliding, a.Gliding}, {proto.AvatarFlying, a.Flying},
		{proto.AvatarCrawling, a.Crawling}, {proto.AvatarForcedLow, a.ForcedLow}, {proto.AvatarSneakHeld, a.SneakHeld},
		{proto.AvatarMayFly, a.MayFly}, {proto.AvatarMayGlide, a.MayGlide}, {proto.AvatarMaySprint, a.MaySprint},
		{proto.AvatarUsingItem, a.UsingItem}, {proto.AvatarImmobile, a.Immobile}, {proto.AvatarDead, a.Dead},
		{proto.AvatarSoulSpeed, a.SoulSpeed}, {proto.AvatarHasKnockback, a.HasKnockback},
	} {
		if f.on {
			w.Flags |= f.flag
		}
	}
	return w
}
