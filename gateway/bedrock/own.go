package bedrock

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// told is what a client was told of its own player last.
type told struct {
	health, most int32
	dead         bool
}

// at is where the player is, feet, by the last frame.
func (c *conn) at() geom.Vec {
	if n := c.scene.face(c.session.Entity); n != nil {
		return n.at
	}
	return geom.Vec{}
}

// correct tells the client what is true after one of its inputs (SV-5), and sends a barrier behind it (SV-14).
func (c *conn) correct(r *sim.Rewind) {
	a := &r.State
	send(c, proto.CorrectPlayerMovePrediction{
		Type: proto.PredictionPlayer, Position: eyes(a.Pos), Delta: toVec3(a.Vel),
		Rotation: proto.Vec2{a.Pitch, a.Yaw}, OnGround: a.OnGround, Tick: r.Tick,
	})
	c.bar(r.Serial)
	c.flush()
}

// mostBarriers is how many barriers are remembered until they come back: as many as a server that catches up may send in
// a second.  guess
const mostBarriers = 32

// bar sends the barrier of a change: when it comes back, the client has heard of the change.
func (c *conn) bar(serial uint32) {
	if serial != 0 {
		if len(c.barriers) == mostBarriers {
			c.barriers = slices.Delete(c.barriers, 0, 1)
		}
		c.barriers = append(c.barriers, serial)
		send(c, proto.NetworkStackLatency{Timestamp: uint64(serial) * barrierUnit, NeedsResponse: true})
	}
}

// stance answers a request to sprint, sneak or the like: with what the player does now (SV-21).
func (c *conn) stance(r *sim.Rewind) {
	send(c, proto.SetActorData{Runtime: c.id, Metadata: ownMetadata(&r.State), Tick: r.Tick})
	send(c, proto.UpdateAttributes{Runtime: c.id, Attributes: []proto.Attribute{movement(&r.State)}, Tick: r.Tick})
	if r.State.Flying || r.State.MayFly {
		send(c, c.abilities(&r.State))
	}
	c.bar(r.Serial)
	c.flush()
}

// knock pushes the player of this client.
func (c *conn) knocked(r *sim.Rewind) {
	send(c, proto.SetActorMotion{Runtime: c.id, Velocity: toVec3(r.State.Vel), Tick: r.Tick})
	c.bar(r.Serial)
}

// teleport puts the player somewhere; his client acknowledges with an input.
func (c *conn) teleport(r *sim.Rewind) {
	a := &r.State
	send(c, proto.MovePlayer{
		Runtime: c.id, Position: eyes(a.Pos), Pitch: a.Pitch, Yaw: a.Yaw, HeadYaw: a.HeadYaw,
		Mode: proto.MoveTeleport, OnGround: a.OnGround, TeleportCause: proto.TeleportCommand, Tick: r.Tick,
	})
	c.flush()
}

// vitals tells the client its player's health, if it changed.
func (c *conn) vitals(a *sim.ActorState) {
	if c.told.health == a.Health && c.told.most == a.HealthMax {
		return
	}
	c.told.health, c.told.most = a.Health, a.HealthMax
	send(c, proto.UpdateAttributes{Runtime: c.id, Attributes: []proto.Attribute{health(a)}, Tick: c.tick})
}

// mortal tells the client that its player died or lives again, if it does not know: the event was in a frame that was
// missed, or in another area.
func (c *conn) mortal(f *sim.Frame) {
	a := f.Find(c.session.Entity)
	switch dead := a.Is(sim.FlagDead); {
	case dead && !c.told.dead:
		c.died(a, "")
	case !dead && c.told.dead:
		c.respawned(f)
	}
}

// died shows the client its death. It asks to live again by itself, or when its player pushes a button.
func (c *conn) died(a *sim.ActorState, by string) {
	c.told.dead = true
	c.vitals(a)
	cause := proto.DeathInfo{Cause: "death.attack.generic", Parameters: []string{c.session.Character.Name}}
	if by != "" {
		cause = proto.DeathInfo{Cause: "death.attack.player", Parameters: []string{c.session.Character.Name, by}}
	}
	send(c, cause)
	send(c, proto.Respawn{Position: eyes(c.at()), State: proto.RespawnSearching, Runtime: c.id})
}

// respawned shows the client that its player lives again; the teleport to where he wakes is told, too. The player is in
// the frame.
func (c *conn) respawned(f *sim.Frame) {
	c.told.dead = false
	c.told.health = -1
	send(c, proto.Respawn{Position: eyes(c.at()), State: proto.RespawnServerReady, Runtime: c.id})
	c.vitals(f.Find(c.session.Entity))
	if p := f.FindPredicted(c.session.Entity); p != nil {
		send(c, proto.SetActorData{Runtime: c.id, Metadata: ownMetadata(&p.Avatar), Tick: p.Tick})
	}
}

// movement is the attribute that says how fast the player walks or sprints.
func movement(a *move.Avatar) proto.Attribute {
	return proto.Attribute{
		Max: maxFloat, DefaultMax: maxFloat, Current: a.MovementSpeed(), Default: move.WalkSpeed, Name: proto.AttributeMovement,
	}
}

const maxFloat = 3.4028235e38

// hearts is the health of any actor in full, in the measure of clients; the world's is shown as a share of it.
const hearts = 20

func health(a *sim.ActorState) proto.Attribute { return heartsOf(a.Health, a.HealthMax) }

func heartsOf(value, most int32) proto.Attribute {
	share := float32(0)
	if value > 0 && most > 0 {
		share = max(hearts*float32(value)/float32(most), 0.5) // half a heart, as long as there is life
	}
	return proto.Attribute{Max: hearts, DefaultMax: hearts, Default: hearts, Current: share, Name: proto.AttributeHealth}
}

func hunger() proto.Attribute {
	return proto.Attribute{Max: 20, DefaultMax: 20, Default: 20, Current: 20, Name: proto.AttributeHunger}
}
