package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// firstChunks is the number of chunks that a client is sent before the PlayStatus packet that ends its loading screen: the
// chunk with its player and the eight chunks around it. The server sends them without a request of the client (rule LO-4 of
// docs/wire/bedrock.md).
const firstChunks = 9

// leaveScene removes all actors and projectiles from the client's display, because its player has left the area. The client
// stays in the scene's field clients until the end of the frame.
func (c *conn) leaveScene() {
	if s := c.scene; s != nil {
		s.removeProjectiles(c)
	}
	c.scene = nil
	c.removeDead(maxTick)
	for id := range c.view.runtimeIDs {
		c.hideActor(id)
	}
	c.view.reset()
	c.ride = ownRide{}
}

// leaveSceneFor removes the client from its scene and makes it wait until its player appears in area a. If the connection
// was closed meanwhile because its send queue was full, the client does not wait.
func (c *conn) leaveSceneFor(a sim.AreaID) {
	if c.leaveScene(); !c.closed {
		c.w.scenes.Expect(c, a)
	}
}

// Arrive adds the client to the scene if the frame contains the client's player. If it does not, and the session has ended
// because the area was full, Arrive refuses the login.
func (c *conn) Arrive(s *scene, f *sim.Frame) {
	if !c.session.MayShow(f) {
		return
	}
	p := f.FindAvatar(c.session.Entity)
	if p == nil {
		select {
		case <-c.session.Ended():
			c.refuseLogin(errAreaFull)
		default:
		}
		return
	}
	c.w.scenes.Expect(c, sim.NoArea)
	c.session.SetArea(s.id)
	c.scene = s
	c.inputTick = p.Prediction.Tick
	c.view.reset()
	c.view.interest.Self = c.session.Entity
	c.view.lastBroadcast, c.view.lastMiddle = f.Tick, f.Tick
	c.chunks.reset(c.w.g.opt.Radius)
	s.clients = append(s.clients, c)
	if c.firstArrival {
		c.sendWorld(s, f, p)
		return
	}
	c.syncChunks(s.def, s.id, p.Avatar.Pos, firstChunks)
	c.sendTeleport(&sim.Rewind{Tick: p.Prediction.Tick, State: p.Avatar})
}

// ShowOwn sends the client the events of the tick in which its player arrived, after the packets of the entry. It leaves out events that
// these packets contain, such as a new position.
func (c *conn) ShowOwn(s *scene, f *sim.Frame) {
	for i := range f.Events {
		if c.scene != s || c.closed {
			return
		}
		e := &f.Events[i]
		if e.Who != c.session.Entity {
			continue
		}
		switch e.Kind {
		case sim.EventMessage, sim.EventXP, sim.EventRefused, sim.EventStance, sim.EventEffect:
			s.sendOwnEvent(c, f, e)
		case sim.EventChat:
			if av := s.find(e.Who); av != nil {
				send(c, proto.Text{Type: proto.TextChat, Author: av.name, Message: cleanText(e.Text)})
			}
		}
	}
}

// sendWorld sends StartGame and the packets that follow it in the login sequence. Source: docs/wire/bedrock.md, after
// StartGame.
func (c *conn) sendWorld(s *scene, f *sim.Frame, p *sim.AvatarState) {
	c.firstArrival = false
	a := &p.Avatar
	world := c.w.g.world.Def()
	start := proto.PlainStartGame(c.version)
	start.Unique, start.Runtime = int64(c.runtimeID), c.runtimeID
	start.Position, start.Rotation = eyePosition(a.Pos), proto.Vec2{a.Pitch, a.Yaw}
	start.Spawn = toBlockPos(a.Pos)
	start.LevelID, start.WorldName = world.Name, world.Name
	start.RewindHistory = world.Rules.Predict.History
	start.Tick = int64(f.Tick)
	send(c, start)
	send(c, c.w.g.appearanceTable.registry)
	send(c, c.w.g.appearanceTable.entityKinds)
	send(c, proto.BiomeDefinitionList{})
	send(c, proto.CreativeContent{})
	send(c, proto.ChunkRadiusUpdated{Radius: c.chunks.radius})
	send(c, proto.SetTime{Time: noon})
	send(c, c.abilities(a))
	self := f.Find(c.session.Entity)
	c.sentOwn = sentState{health: self.Health, healthMax: self.HealthMax} // the client counts as alive until syncDeath sends the death
	send(c, proto.UpdateAttributes{Runtime: c.runtimeID, Attributes: append(c.movementAttributes(a), actorHealth(self), hungerAttribute())})
	send(c, proto.SetActorData{Runtime: c.runtimeID, Metadata: ownMetadata(a)})
	c.syncOwnEquipment()
	c.sendEffects(&p.Prediction)
	if av := s.find(c.session.Entity); av != nil {
		send(c, playerListAdd(c.runtimeID, av.name, c.w.skinOf(av)))
	}
	c.syncChunks(s.def, s.id, a.Pos, firstChunks)
	send(c, proto.PlayStatus{Status: proto.StatusSpawn})
	c.enterStage(stageSpawning)
}

// noon is the time of day that clients display, in game ticks. The time is not advanced, so there is no night.
const noon = 6000

// sendGreeting sends the world's greeting to a client that has spawned.
func (c *conn) sendGreeting() {
	if text := c.w.g.world.Def().NewCharacters.Greeting; text != "" {
		c.sendSystemText(text)
	}
}
