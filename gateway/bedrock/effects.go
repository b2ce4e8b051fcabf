package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// effectIDs contains the protocol's number for each effect of the simulation that lasts some time, such as levitation.
var effectIDs = [sim.LastingEffects]int32{
	sim.EffectSpeed:       proto.EffectSpeed,
	sim.EffectSlowness:    proto.EffectSlowness,
	sim.EffectJumpBoost:   proto.EffectJumpBoost,
	sim.EffectLevitation:  proto.EffectLevitation,
	sim.EffectSlowFalling: proto.EffectSlowFalling,
}

// sendEffect sends a client an effect of its own player that has begun, changed or ended. Source: docs/wire/bedrock.md,
// effects.
func (c *conn) sendEffect(e *sim.Event) {
	r, kind := e.Rewind, sim.EffectKind(e.Type)
	if r == nil {
		return
	}
	c.sentOwn.effects = true
	if kind == sim.EffectFirework {
		send(c, proto.MovementEffect{Runtime: c.runtimeID, Effect: proto.MovementEffectGlideBoost, Duration: uint32(e.Value), Tick: r.Tick})
	} else {
		event := uint8(proto.EffectAdd)
		switch {
		case e.N == 0:
			event = proto.EffectRemove
		case r.Serial == 0:
			event = proto.EffectUpdate
		}
		send(c, mobEffect(c.runtimeID, event, kind, sim.ActiveEffect{Level: uint8(e.N), Ticks: e.Value}, r.Tick))
		if kind == sim.EffectSpeed || kind == sim.EffectSlowness {
			send(c, proto.UpdateAttributes{Runtime: c.runtimeID, Attributes: c.movementAttributes(&r.State), Tick: r.Tick})
		}
	}
	c.sendBarrier(r.Serial)
	c.flush()
}

// mobEffect returns the packet that tells a client that an effect of a player begins, changes or ends; the parameter event says
// which. The parameter runtime is the runtime id of the player. The parameter tick is the tick of the client's input with which
// the client applies the packet.
func mobEffect(runtime uint64, event uint8, kind sim.EffectKind, is sim.ActiveEffect, tick uint64) proto.MobEffect {
	p := proto.MobEffect{Runtime: runtime, Event: event, Effect: effectIDs[kind], Tick: tick}
	if event != proto.EffectRemove {
		p.Amplifier, p.Particles, p.Duration = int32(is.Level)-1, true, is.Ticks
	}
	return p
}

// sendEffects sends the current effects of a client's player when the client enters the world.
func (c *conn) sendEffects(p *sim.PredictionState) {
	for kind, is := range p.Effects {
		if is.Level > 0 {
			c.sentOwn.effects = true
			send(c, mobEffect(c.runtimeID, proto.EffectAdd, sim.EffectKind(kind), is, 0))
		}
	}
}

// resendEffects sends the effects of the client's own player again after a correction, because a correction contains no
// effects. The client may have applied an effect at another tick than the server, if the packet about it arrived too late for
// the client's prediction history. Effects that the player does not have are removed on the client. The parameter p is the
// player's state in the frame, or nil if the player has left. The parameter r contains the state in the correction.
func (c *conn) resendEffects(p *sim.AvatarState, r *sim.Rewind) {
	if p == nil || !c.sentOwn.effects {
		return
	}
	for _, e := range []struct {
		kind  sim.EffectKind
		level uint8
	}{{sim.EffectJumpBoost, r.State.JumpBoost}, {sim.EffectLevitation, r.State.Levitation}, {sim.EffectSlowFalling, r.State.SlowFalling}} {
		switch is := p.Prediction.Effects[e.kind]; e.level {
		case 0:
			send(c, mobEffect(c.runtimeID, proto.EffectRemove, e.kind, is, r.Tick))
		case is.Level: // if the levels differ, the frame has an event about the change, and sendEffect sends the effect
			send(c, mobEffect(c.runtimeID, proto.EffectAdd, e.kind, is, r.Tick))
		}
	}
	if r.State.Gliding {
		send(c, proto.MovementEffect{Runtime: c.runtimeID, Effect: proto.MovementEffectGlideBoost, Duration: uint32(r.State.GlideBoost), Tick: r.Tick})
	}
}

// syncOwnEquipment sends a client the worn and held items of its own player if they have changed. The client needs them to
// predict movement and the use of items: an elytra lets the player glide, enchanted boots make it swim faster, and only a held
// item can be used.
func (c *conn) syncOwnEquipment() {
	if c.scene == nil {
		return
	}
	av := c.scene.find(c.session.Entity)
	if av == nil || av.equipment == c.sentOwn.equipment {
		return
	}
	was, e := c.sentOwn.equipment, av.equipment
	c.sentOwn.equipment = e
	if e.hand != was.hand {
		send(c, proto.InventorySlot{Window: proto.WindowInventory, Item: e.hand.wireItem()})
	}
	if e.head != was.head || e.chest != was.chest || e.legs != was.legs || e.feet != was.feet {
		c.sendOwnArmour()
	}
}
