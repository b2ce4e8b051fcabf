package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// firstColumns is how many columns a client gets before it is told that it stands in the world: its own and those
// around it. LO-4: nothing is waited for.
const firstColumns = 9

// leaveScene takes the client out of its scene, which forgets it at the end of the frame.
func (c *conn) leaveScene() {
	if s := c.scene; s != nil {
		s.disarm(c)
	}
	c.scene = nil
	c.bury(never)
	for id := range c.sight.wires {
		c.hide(id)
	}
	c.sight.reset()
}

// Arrive takes a client into the scene if the frame has its player, and turns it away if the visit is over before it
// began: the area was full.
func (c *conn) Arrive(s *scene, f *sim.Frame) {
	p := f.FindPredicted(c.session.Entity)
	if p == nil {
		select {
		case <-c.session.Over():
			c.turnAway(errAreaFull)
		default:
		}
		return
	}
	c.w.scenes.Expect(c, sim.NoArea)
	c.session.Arrive(s.id)
	c.scene = s
	c.tick = p.Tick
	c.sight.reset()
	c.sight.view.Self = c.session.Entity
	c.sight.served, c.sight.middle = f.Tick, f.Tick
	c.ground.reset(c.w.g.opt.Radius)
	s.members = append(s.members, c)
	if c.welcome {
		c.begin(s, f, p)
		return
	}
	c.walkGround(s.def, s.id, p.Avatar.Pos, firstColumns)
	c.teleport(&sim.Rewind{Tick: p.Tick, State: p.Avatar})
}

// begin puts a client into the world. Source: docs/wire/bedrock.md, after StartGame.
func (c *conn) begin(s *scene, f *sim.Frame, p *sim.PredictedState) {
	c.welcome = false
	a := &p.Avatar
	world := c.w.g.world.Def()
	start := proto.PlainStartGame(c.version)
	start.Unique, start.Runtime = int64(c.id), c.id
	start.Position, start.Rotation = eyes(a.Pos), proto.Vec2{a.Pitch, a.Yaw}
	start.Spawn = blockPos(a.Pos)
	start.LevelID, start.WorldName = world.Name, world.Name
	start.RewindHistory = world.Rules.Predict.History
	start.Tick = int64(f.Tick)
	send(c, start)
	send(c, c.w.g.wardrobe.registry)
	send(c, c.w.g.wardrobe.kinds)
	send(c, proto.BiomeDefinitionList{})
	send(c, proto.CreativeContent{})
	send(c, proto.ChunkRadiusUpdated{Radius: c.ground.radius})
	send(c, proto.SetTime{Time: noon})
	send(c, c.abilities(a))
	self := f.Find(c.session.Entity)
	c.told = told{health: self.Health, most: self.HealthMax, dead: self.Is(sim.FlagDead)}
	send(c, proto.UpdateAttributes{Runtime: c.id, Attributes: []proto.Attribute{movement(a), health(self), hunger()}})
	send(c, proto.SetActorData{Runtime: c.id, Metadata: ownMetadata(a)})
	if n := s.face(c.session.Entity); n != nil {
		send(c, playerListAdd(c.id, n.name, c.w.skin(n)))
	}
	c.walkGround(s.def, s.id, a.Pos, firstColumns)
	send(c, proto.PlayStatus{Status: proto.StatusSpawn})
	c.enterStage(stageSpawning)
}

// noon is a time of day, in ticks: there is no night here.
const noon = 6000

// greet welcomes somebody who stands in the world.
func (c *conn) greet() {
	if text := c.w.g.world.Def().NewCharacters.Greeting; text != "" {
		c.tellOne(text)
	}
}
