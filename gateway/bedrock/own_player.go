package bedrock

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// told is what a client was told of its own player last.
type sentState struct {
	health, healthMax int32
	dead              bool
}

// at is where the player is, feet, by the last frame.
func (c *conn) position() geom.Vec {
	if av := c.scene.find(c.session.Entity); av != nil {
		return av.pos
	}
	return geom.Vec{}
}

// correct tells the client what is true after one of its inputs (SV-5), and sends a barrier behind it (SV-14).
func (c *conn) sendCorrection(r *sim.Rewind) {
	a := &r.State
	send(c, proto.CorrectPlayerMovePrediction{
		Type: proto.PredictionPlayer, Position: eyePosition(a.Pos), Delta: toVec3(a.Vel),
		Rotation: proto.Vec2{a.Pitch, a.Yaw}, OnGround: a.OnGround, Tick: r.Tick,
	})
	c.sendBarrier(r.Serial)
	c.flush()
}

// mostBarriers is how many barriers are remembered until they come back: as many as a server that catches up may send in
// a second.  guess
const maxBarriers = 32

// bar sends the barrier of a change: when it comes back, the client has heard of the change.
func (c *conn) sendBarrier(serial uint32) {
	if serial != 0 {
		if len(c.barriers) == maxBarriers {
			c.barriers = slices.Delete(c.barriers, 0, 1)
		}
		c.barriers = append(c.barriers, serial)
		send(c, proto.NetworkStackLatency{Timestamp: uint64(serial) * barrierUnit, NeedsResponse: true})
	}
}

// stance answers a request to sprint, sneak or the like: with what the player does now (SV-21).
func (c *conn) sendStance(r *sim.Rewind) {
	send(c, proto.SetActorData{Runtime: c.runtimeID, Metadata: ownMetadata(&r.State), Tick: r.Tick})
	send(c, proto.UpdateAttributes{Runtime: c.runtimeID, Attributes: []proto.Attribute{speedAttribute(&r.State)}, Tick: r.Tick})
	if r.State.Flying || r.State.MayFly {
		send(c, c.abilities(&r.State))
	}
	c.sendBarrier(r.Serial)
	c.flush()
}

// knock pushes the player of this client.
func (c *conn) sendKnockback(r *sim.Rewind) {
	send(c, proto.SetActorMotion{Runtime: c.runtimeID, Velocity: toVec3(r.State.Vel), Tick: r.Tick})
	c.sendBarrier(r.Serial)
}

// teleport puts the player somewhere; his client acknowledges with an input.
func (c *conn) sendTeleport(r *sim.Rewind) {
	a := &r.State
	send(c, proto.MovePlayer{
		Runtime: c.runtimeID, Position: eyePosition(a.Pos), Pitch: a.Pitch, Yaw: a.Yaw, HeadYaw: a.HeadYaw,
		Mode: proto.MoveTeleport, OnGround: a.OnGround, TeleportCause: proto.TeleportCommand, Tick: r.Tick,
	})
	c.flush()
}

// vitals tells the client its player's health, if it changed.
func (c *conn) sendHealth(a *sim.ActorState) {
	if c.sentOwn.health == a.Health && c.sentOwn.healthMax == a.HealthMax {
		return
	}
	c.sentOwn.health, c.sentOwn.healthMax = a.Health, a.HealthMax
	send(c, proto.UpdateAttributes{Runtime: c.runtimeID, Attributes: []proto.Attribute{actorHealth(a)}, Tick: c.inputTick})
}

// mortal tells the client that its player died or lives again, if it does not know: the event was in a frame that was
// missed, or in another area.
func (c *conn) syncDeath(f *sim.Frame) {
	a := f.Find(c.session.Entity)
	switch dead := a.Is(sim.FlagDead); {
	case dead && !c.sentOwn.dead:
		c.sendDeath(a, "")
	case !dead && c.sentOwn.dead:
		c.sendRespawn(f)
	}
}

// died shows the client its death. It asks to live again by itself, or when its player pushes a button.
func (c *conn) sendDeath(a *sim.ActorState, by string) {
	c.sentOwn.dead = true
	c.sendHealth(a)
	cause := proto.DeathInfo{Cause: "death.attack.generic", Parameters: []string{c.session.Character.Name}}
	if by != "" {
		cause = proto.DeathInfo{Cause: "death.attack.player", Parameters: []string{c.session.Character.Name, by}}
	}
	send(c, cause)
	send(c, proto.Respawn{Position: eyePosition(c.position()), State: proto.RespawnSearching, Runtime: c.runtimeID})
}

// respawned shows the client that its player lives again; the teleport to where he wakes is told, too. The player is in
// the frame.
func (c *conn) sendRespawn(f *sim.Frame) {
	c.sentOwn.dead = false
	c.sentOwn.health = -1
	send(c, proto.Respawn{Position: eyePosition(c.position()), State: proto.RespawnServerReady, Runtime: c.runtimeID})
	c.sendHealth(f.Find(c.session.Entity))
	if p := f.FindPredicted(c.session.Entity); p != nil {
		send(c, proto.SetActorData{Runtime: c.runtimeID, Metadata: ownMetadata(&p.Avatar), Tick: p.Tick})
	}
}

// movement is the attribute that says how fast the player walks or sprints.
func speedAttribute(a *move.Avatar) proto.Attribute {
	return proto.Attribute{
		Max: maxFloat, DefaultMax: maxFloat, Current: a.MovementSpeed(), Default: move.WalkSpeed, Name: proto.AttributeMovement,
	}
}

const maxFloat = 3.4028235e38

// hearts is the health of any actor in full, in the measure of clients; the world's is shown as a share of it.
const clientHealthMax = 20

func actorHealth(a *sim.ActorState) proto.Attribute { return healthAttribute(a.Health, a.HealthMax) }

func healthAttribute(value, most int32) proto.Attribute {
	share := float32(0)
	if value > 0 && most > 0 {
		share = max(clientHealthMax*float32(value)/float32(most), 0.5) // half a heart, as long as there is life
	}
	return proto.Attribute{Max: clientHealthMax, DefaultMax: clientHealthMax, Default: clientHealthMax, Current: share, Name: proto.AttributeHealth}
}

func hungerAttribute() proto.Attribute {
	return proto.Attribute{Max: 20, DefaultMax: 20, Default: 20, Current: 20, Name: proto.AttributeHunger}
}
