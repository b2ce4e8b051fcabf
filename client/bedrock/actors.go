package bedrock

import (
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// movingStep is the distance in blocks that an actor must move between two position updates to count as moving.
const movingStep = 0.05

// longestGap is the longest interval between two position updates of an actor that is recorded. A longer interval usually means
// that the actor stood still, so it says nothing about the connection.
const longestGap = 2 * time.Second

// moveActorTo sets the position of an actor and its riders. If the actor was moving, it also records the interval since the last update.
func (s *Session) moveActorTo(a *Actor, pos geom.Vec) {
	s.counts.Updates++
	a.PositionUpdates++
	for _, id := range [...]uint64{a.Rider, a.Passenger} {
		if r := s.world.actors[id]; r != nil {
			r.Pos = pos
		}
	}
	if gap := time.Duration(s.now - a.lastUpdate); a.moving && a.lastUpdate != 0 && gap < longestGap && (s.opt.Measure == nil || s.opt.Measure(a.Name)) {
		recordDuration(s.measured.UpdateIntervals, gap)
	}
	a.lastUpdate, a.moving = s.now, geom.DistXZ(a.Pos, pos) > movingStep
	a.Pos = pos
}

// feetFrom converts a position in a packet to a feet position. For actors with the player model, packets carry the
// position of the eyes.
func (a *Actor) feetFrom(pos proto.Vec3) geom.Vec {
	if a.HasPlayerModel() {
		return feetOf(vec(pos))
	}
	return vehicleFeet(vec(pos), a.Vehicle())
}

// findActor returns the actor with the given runtime id. It returns nil for the client's own player. It also returns nil for an
// actor that the server has not announced, and then adds 1 to Counts.UnknownActors.
func (s *Session) findActor(runtime uint64) *Actor {
	a := s.world.actors[runtime]
	if a == nil && runtime != s.world.Self.RuntimeID {
		s.counts.UnknownActors++
	}
	return a
}

func (s *Session) handleMovePlayer(p *proto.MovePlayer) {
	if p.Runtime == s.world.Self.RuntimeID {
		s.predict.AddTeleport(*p)
		return
	}
	if a := s.findActor(p.Runtime); a != nil {
		s.moveActorTo(a, a.feetFrom(p.Position))
		a.Pitch, a.Yaw, a.HeadYaw, a.OnGround = p.Pitch, p.Yaw, p.HeadYaw, p.OnGround
	}
}

func (s *Session) handleMoveActor(p *proto.MoveActorAbsolute) {
	if p.Runtime == s.world.Self.RuntimeID {
		if p.Flags&proto.MoveForceLocal != 0 {
			s.predict.AddTeleport(proto.MovePlayer{Position: p.Position, Mode: proto.MoveNormal, OnGround: p.Flags&proto.MoveOnGround != 0})
		}
		return
	}
	if s.drives(p.Runtime) {
		s.counts.OwnVehicleMoves++
		return
	}
	if a := s.findActor(p.Runtime); a != nil {
		s.moveActorTo(a, a.feetFrom(p.Position))
		defer s.predict.followVehicle(a)
		a.Pitch, a.Yaw, a.HeadYaw = p.Pitch.Degrees(), p.Yaw.Degrees(), p.HeadYaw.Degrees()
		a.OnGround = p.Flags&proto.MoveOnGround != 0
	}
}

func (s *Session) handleMoveDelta(p *proto.MoveActorDelta) {
	a := s.findActor(p.Runtime)
	if a == nil {
		return
	}
	if s.drives(p.Runtime) {
		s.counts.OwnVehicleMoves++
		return
	}
	defer s.predict.followVehicle(a)
	at := vec3(a.Pos)
	for i, o := range [...]proto.Opt[float32]{p.X, p.Y, p.Z} {
		if o.Has {
			at[i] = o.V
			if i == 1 && a.HasPlayerModel() {
				at[i] -= move.EyeHeight
			} else if i == 1 {
				at[i] -= vehicleKinds[a.Vehicle()].Offset
			}
		}
	}
	s.moveActorTo(a, vec(at))
	for _, o := range [...]struct {
		to   *float32
		from proto.Opt[proto.ByteAngle]
	}{{&a.Pitch, p.Pitch}, {&a.Yaw, p.Yaw}, {&a.HeadYaw, p.HeadYaw}} {
		if o.from.Has {
			*o.to = o.from.V.Degrees()
		}
	}
	a.OnGround = p.OnGround
}

func (s *Session) handleAddPlayer(p *proto.AddPlayer) {
	s.announceActor(Actor{
		RuntimeID: p.Runtime, UniqueID: p.Abilities.Unique, UUID: p.UUID, Name: p.Name, Type: playerType,
		Pos: vec(p.Position), Yaw: p.Yaw, Pitch: p.Pitch, HeadYaw: p.HeadYaw, HeldItem: s.world.items[p.Held.NetworkID],
	}, p.Metadata, p.Links)
}

func (s *Session) handleAddActor(p *proto.AddActor) {
	a := Actor{
		RuntimeID: p.Runtime, UniqueID: p.Unique, Type: p.Type, Name: nameOf(p.Metadata),
		Pos: vec(p.Position), Yaw: p.Yaw, Pitch: p.Pitch, HeadYaw: p.HeadYaw,
	}
	a.Pos = a.feetFrom(p.Position)
	for i := range p.Attributes {
		if at := &p.Attributes[i]; at.Name == proto.AttributeHealth {
			a.Health, a.Dead = at.Current, at.Current <= 0
		}
	}
	s.announceActor(a, p.Metadata, p.Links)
}

// announceActor adds the actor that an AddPlayer or AddActor packet announces, with its metadata and links.
func (s *Session) announceActor(a Actor, m proto.Metadata, links []proto.ActorLink) {
	a.Scale = 1
	a.applyMetadata(m)
	s.world.add(a)
	for i := range links {
		s.handleLink(&links[i])
	}
}

// applyMetadata applies metadata to an actor. Values whose keys are absent do not change.
func (a *Actor) applyMetadata(m proto.Metadata) {
	for i := range m {
		switch e := &m[i]; e.Key {
		case proto.MetaFlags:
			a.Flags = uint64(e.Int)
		case proto.MetaName:
			a.Name = e.Text
		case proto.MetaScore:
			a.ScoreText = e.Text
		case proto.MetaScale:
			a.Scale = e.Float
		case proto.MetaWidth:
			a.Width = e.Float
		case proto.MetaHeight:
			a.Height = e.Float
		}
	}
}

// handleLink mounts an actor on another actor, or dismounts it from that actor.
func (s *Session) handleLink(l *proto.ActorLink) {
	if l.Rider == s.world.Self.UniqueID {
		s.handleOwnLink(l)
		return
	}
	rider, mount := s.world.actors[s.world.unique[l.Rider]], s.world.actors[s.world.unique[l.Ridden]]
	switch {
	case rider == nil || mount == nil || rider == mount:
		s.counts.UnknownActors++
	case l.Type == proto.LinkRemoved:
		s.world.unlink(rider, mount)
	default:
		s.world.unlink(rider, s.world.actors[rider.Mount])
		rider.Mount = mount.RuntimeID
		if l.Type == proto.LinkPassenger {
			mount.Passenger = rider.RuntimeID
		} else {
			s.world.unlink(s.world.actors[mount.Rider], mount)
			rider.Mount, mount.Rider = mount.RuntimeID, rider.RuntimeID
		}
		rider.Pos = mount.Pos
	}
}

// unlink dismounts rider from mount. It does nothing if rider does not ride mount, or if either of them is nil.
func (w *World) unlink(rider, mount *Actor) {
	switch {
	case rider == nil || mount == nil || rider.Mount != mount.RuntimeID:
		return
	case mount.Rider == rider.RuntimeID:
		mount.Rider = 0
	default:
		mount.Passenger = 0
	}
	rider.Mount = 0
}

// handleEquipment sets the item that another actor holds.
func (s *Session) handleEquipment(p *proto.MobEquipment) {
	if p.Runtime == s.world.Self.RuntimeID || p.Window != proto.WindowInventory {
		return
	}
	if a := s.findActor(p.Runtime); a != nil {
		a.HeldItem = s.world.items[p.Item.NetworkID]
	}
}

// setItems stores the names of the world's items, by their network ids in packets.
func (w *World) setItems(p *proto.ItemRegistry) {
	w.items = make(map[int16]string, len(p.Items))
	for i := range p.Items {
		w.items[p.Items[i].NetworkID] = p.Items[i].Name
	}
}

func nameOf(m proto.Metadata) string {
	e, _ := m.Find(proto.MetaName)
	return e.Text
}

// handleActorData applies metadata to an actor. Metadata of the client's player goes to the predictor.
func (s *Session) handleActorData(p *proto.SetActorData) {
	if p.Runtime == s.world.Self.RuntimeID {
		s.predict.AddActorData(*p)
		return
	}
	a := s.findActor(p.Runtime)
	if a == nil {
		return
	}
	a.applyMetadata(p.Metadata)
}

// handleAttributes stores the attributes that a packet contains for one actor. Those of the client's own player also change its
// predicted movement, and World.Self stores its health and hunger. Those of the vehicle that the player drives change the
// predicted movement of the vehicle.
func (s *Session) handleAttributes(p *proto.UpdateAttributes) {
	if p.Runtime == s.world.Self.RuntimeID {
		s.predict.AddAttributes(*p)
		s.applyOwnAttributes(p)
		return
	}
	if s.drives(p.Runtime) {
		s.predict.AddVehicleAttributes(*p)
	}
	if a := s.findActor(p.Runtime); a != nil {
		for i := range p.Attributes {
			switch at := &p.Attributes[i]; at.Name {
			case proto.AttributeHealth:
				a.Health, a.Dead = at.Current, at.Current <= 0
			case proto.AttributeMovement:
				a.Movement = at.Current
			case proto.AttributeJumpStrength:
				a.JumpStrength = at.Current
			}
		}
	}
}

func (s *Session) applyOwnAttributes(p *proto.UpdateAttributes) {
	self := &s.world.Self
	for i := range p.Attributes {
		switch a := &p.Attributes[i]; a.Name {
		case proto.AttributeHunger:
			self.Hunger = a.Current
		case proto.AttributeHealth:
			if a.Current < self.Health && self.MaxHealth > 0 {
				s.counts.DamageTaken += self.Health - max(a.Current, 0)
			}
			self.Health, self.MaxHealth = a.Current, a.Max
			if a.Current <= 0 {
				s.onDeath()
			} else {
				s.onRespawned()
			}
		}
	}
}

// updatePlayerList adds the players of a PlayerList packet to the stored player list, or removes them.
func (w *World) updatePlayerList(p *proto.PlayerList) {
	if w.playerList == nil {
		w.playerList = map[proto.UUID]string{}
	}
	for i := range p.Entries {
		switch e := &p.Entries[i]; {
		case e.Remove:
			delete(w.playerList, e.UUID)
		case len(w.playerList) < maxActors:
			w.playerList[e.UUID] = e.Name
		}
	}
}
