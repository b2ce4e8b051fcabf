package bedrock

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// sentState contains what a client was last sent about its own player.
type sentState struct {
	health, healthMax int32 // health in points, as last sent; -1 means that the health must be sent again
	dead              bool  // the client was sent the player's death and no respawn since
	equipment         equipment
	effects           bool // the client has been sent at least one effect packet
}

// position returns the position of the player's feet in the last frame, in blocks. It is zero if the client is in no scene, for
// example because the connection was closed when its send queue was full.
func (c *conn) position() geom.Vec {
	if c.scene == nil {
		return geom.Vec{}
	}
	if av := c.scene.find(c.session.Entity); av != nil {
		return av.pos
	}
	return geom.Vec{}
}

// sendCorrection sends the client the true state of its player at the tick of one of the client's inputs. A barrier
// follows: a request whose answer proves that the client has received the correction (rules SV-5 and SV-14 of
// docs/wire/bedrock.md).
func (c *conn) sendCorrection(r *sim.Rewind) {
	a := &r.State
	if r.Vehicle.Type != move.NoVehicle {
		c.sendVehicleCorrection(r)
		return
	}
	send(c, proto.CorrectPlayerMovePrediction{
		Type: proto.PredictionPlayer, Position: eyePosition(a.Pos), Delta: toVec3(a.Vel),
		Rotation: proto.Vec2{a.Pitch, a.Yaw}, OnGround: a.OnGround, Tick: r.Tick,
	})
	c.sendBarrier(r.Serial)
	c.flush()
}

// maxBarriers is the maximum number of unanswered barriers that a connection stores. The value is an estimate of how many
// barriers a server sends within a second when it catches up after a delay.
const maxBarriers = 32

// sendBarrier sends a barrier: a request whose answer proves that the client has received an earlier change of its player's
// state. The parameter serial is the number of the change; 0 sends no barrier. Only the answer to the last barrier counts. A
// worker that has missed a frame may send an older change after a newer one. The last barrier therefore contains the highest
// number sent so far.
func (c *conn) sendBarrier(serial uint32) {
	if serial == 0 {
		return
	}
	if n := len(c.barriers); n > 0 {
		serial = max(serial, c.barriers[n-1])
	}
	if len(c.barriers) == maxBarriers {
		c.barriers = slices.Delete(c.barriers, 0, 1)
	}
	c.barriers = append(c.barriers, serial)
	send(c, proto.NetworkStackLatency{Timestamp: uint64(serial) * barrierUnit, NeedsResponse: true})
}

// sendStance answers a client's request to sprint, sneak, swim and so on with the resulting state of the player (rule SV-21
// of docs/wire/bedrock.md).
func (c *conn) sendStance(r *sim.Rewind) {
	c.syncOwnEquipment()
	send(c, proto.SetActorData{Runtime: c.runtimeID, Metadata: c.ownMetadata(&r.State), Tick: r.Tick})
	send(c, proto.UpdateAttributes{Runtime: c.runtimeID, Attributes: c.movementAttributes(&r.State), Tick: r.Tick})
	if c.ride.drives() {
		c.sendVehicleAttributes(c.ride.wire, &r.Vehicle, r.Tick)
	}
	if r.State.Flying || r.State.MayFly {
		send(c, c.abilities(&r.State))
	}
	c.sendBarrier(r.Serial)
	c.flush()
}

// sendKnockback sets the velocity of the client's player, or that of the vehicle that it drives.
func (c *conn) sendKnockback(r *sim.Rewind) {
	if r.Vehicle.Type != move.NoVehicle { // it is not known whether a driver's client accepts SetActorMotion for its vehicle
		c.sendVehicleCorrection(r)
		return
	}
	send(c, proto.SetActorMotion{Runtime: c.runtimeID, Velocity: toVec3(r.State.Vel), Tick: r.Tick})
	c.sendBarrier(r.Serial)
}

// sendTeleport moves the client's player to the position in r. The client acknowledges the teleport with a flag in an
// input. If the player drives a vehicle, sendTeleport sends the state of the vehicle and a barrier instead.
func (c *conn) sendTeleport(r *sim.Rewind) {
	if r.Vehicle.Type != move.NoVehicle {
		c.sendVehicleCorrection(r)
		return
	}
	a := &r.State
	send(c, proto.MovePlayer{
		Runtime: c.runtimeID, Position: eyePosition(a.Pos), Pitch: a.Pitch, Yaw: a.Yaw, HeadYaw: a.HeadYaw,
		Mode: proto.MoveTeleport, OnGround: a.OnGround, TeleportCause: proto.TeleportCommand, Tick: r.Tick,
	})
	c.flush()
}

// sendHealth sends the player's health if the health has changed since it was last sent.
func (c *conn) sendHealth(a *sim.ActorState) {
	if c.sentOwn.health == a.Health && c.sentOwn.healthMax == a.HealthMax {
		return
	}
	c.sentOwn.health, c.sentOwn.healthMax = a.Health, a.HealthMax
	send(c, proto.UpdateAttributes{Runtime: c.runtimeID, Attributes: []proto.Attribute{actorHealth(a)}, Tick: c.inputTick})
}

// syncDeath sends the client the death or the respawn of its player if the client was not sent it with the event: (1) the worker
// missed the frame of the event, (2) the event was in another area, or (3) the player died while it had no connection. While the
// client loads the world, syncDeath does nothing.
func (c *conn) syncDeath(f *sim.Frame) {
	if c.stage != stagePlay {
		return
	}
	a := f.Find(c.session.Entity)
	switch dead := a.Is(sim.FlagDead); {
	case dead && !c.sentOwn.dead:
		c.sendDeath(a, "")
	case !dead && c.sentOwn.dead:
		c.sendRespawn(f)
	}
}

// sendDeath sends the client the death of its player. The parameter by is the name of the killer, or "". The client requests
// the respawn later, automatically or when its player presses a button.
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

// sendRespawn tells the client that its player is alive again. It does not send the new position: the teleport to that position is
// sent with another event. The frame must contain the player.
func (c *conn) sendRespawn(f *sim.Frame) {
	c.sentOwn.dead = false
	c.sentOwn.health = -1
	send(c, proto.Respawn{Position: eyePosition(c.position()), State: proto.RespawnServerReady, Runtime: c.runtimeID})
	c.sendHealth(f.Find(c.session.Entity))
	if p := f.FindAvatar(c.session.Entity); p != nil {
		send(c, proto.SetActorData{Runtime: c.runtimeID, Metadata: c.ownMetadata(&p.Avatar), Tick: p.Prediction.Tick})
	}
}

// movementAttributes returns the attributes that the client needs to predict movement: the current walking or sprinting
// speed, and the world's acceleration in water and in lava.
func (c *conn) movementAttributes(a *move.Avatar) []proto.Attribute {
	l := &c.w.g.world.Def().Rules.Predict.Liquids
	return []proto.Attribute{
		speedAttribute(proto.AttributeMovement, a.MovementSpeed(), move.WalkSpeed),
		speedAttribute(proto.AttributeUnderwaterMovement, l.Water.Accelerate, l.Water.Accelerate),
		speedAttribute(proto.AttributeLavaMovement, l.Lava.Accelerate, l.Lava.Accelerate),
	}
}

// speedAttribute returns an attribute that is a speed or an acceleration. The parameter current is its present value, and
// usual is its value without effects.
func speedAttribute(name string, current, usual float32) proto.Attribute {
	return proto.Attribute{Max: maxFloat, DefaultMax: maxFloat, Current: current, Default: usual, Name: name}
}

const maxFloat = 3.4028235e38 // largest float32, for attributes without a maximum

// clientHealthMax is the maximum health on clients: 20 points, displayed as 10 hearts. The health of an actor in the world
// is scaled to this range.
const clientHealthMax = 20

func actorHealth(a *sim.ActorState) proto.Attribute { return healthAttribute(a.Health, a.HealthMax) }

func healthAttribute(value, most int32) proto.Attribute {
	share := float32(0)
	if value > 0 && most > 0 {
		share = max(clientHealthMax*float32(value)/float32(most), 0.5) // a living actor has at least half a heart
	}
	return proto.Attribute{Max: clientHealthMax, DefaultMax: clientHealthMax, Default: clientHealthMax, Current: share, Name: proto.AttributeHealth}
}

// hungerAttribute returns an attribute for a full hunger bar, because the world has no hunger.
func hungerAttribute() proto.Attribute {
	return proto.Attribute{Max: 20, DefaultMax: 20, Default: 20, Current: 20, Name: proto.AttributeHunger}
}
