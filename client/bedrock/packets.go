package bedrock

import (
	"bytes"
	"math"

	"github.com/truestep-io/truestep/client/rewind"
	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// The methods in this file add packets about the client's own player to the prediction history (rule CL-2 of
// docs/wire/bedrock.md). If the tick of a packet is in the history, the packet takes effect at that tick, as soon as Reconcile
// or Advance is called. A packet whose tick is 0 or not in the history takes effect immediately.

// AddCorrection adds a correction of the client's player, or of the vehicle that it drives, to the prediction history.
func (p *Predictor) AddCorrection(c proto.CorrectPlayerMovePrediction) rewind.Outcome {
	p.counts.Corrections++
	if c.Type == proto.PredictionVehicle {
		return p.history.Add(c.Tick, stateUpdate{
			kind: updateVehicle, pos: vec(c.Position), vel: vec(c.Delta), yaw: c.Rotation[1], head: c.AngularVelocity.V, onGround: c.OnGround,
			number: p.registerCorrection(c.Tick),
		})
	}
	return p.history.Add(c.Tick, stateUpdate{
		kind: updateCorrection, pos: feetOf(vec(c.Position)), vel: vec(c.Delta), onGround: c.OnGround, number: p.registerCorrection(c.Tick),
	})
}

// AddTeleport adds a teleport of the client's player to the prediction history. The next input tells the server that the client
// has teleported the player. A packet with the mode rotation only turns the player.
func (p *Predictor) AddTeleport(m proto.MovePlayer) rewind.Outcome {
	if m.Mode == proto.MoveRotation {
		return p.history.Add(m.Tick, stateUpdate{kind: updateRotation, pitch: m.Pitch, yaw: m.Yaw, head: m.HeadYaw})
	}
	p.counts.Teleports++
	p.teleportPending = p.teleportPending || m.Mode != proto.MoveNormal
	return p.history.Add(m.Tick, stateUpdate{
		kind: updateTeleport, pos: feetOf(vec(m.Position)), onGround: m.OnGround,
		pitch: m.Pitch, yaw: m.Yaw, head: m.HeadYaw,
	})
}

// AddMotion adds a change of the player's velocity to the prediction history, for example by a knockback.
func (p *Predictor) AddMotion(m proto.SetActorMotion) rewind.Outcome {
	p.counts.Motions++
	return p.history.Add(m.Tick, stateUpdate{kind: updateMotion, vel: vec(m.Velocity)})
}

// sprintHunger is the number of food points above which a player may sprint. Source: docs/wire/bedrock.md, SV-21.
const sprintHunger = 6

// AddAttributes adds to the prediction history the attributes on which movement depends: speed on land, in water and in lava,
// health (a dead player does not move) and hunger (a hungry player may not sprint).
func (p *Predictor) AddAttributes(u proto.UpdateAttributes) {
	p.counts.Attributes++
	for i := range u.Attributes {
		switch a := &u.Attributes[i]; a.Name {
		case proto.AttributeMovement:
			p.history.Add(u.Tick, stateUpdate{kind: updateSpeed, speed: a.Current, walk: a.Default})
		case proto.AttributeUnderwaterMovement:
			p.history.Add(u.Tick, stateUpdate{kind: updateWaterSpeed, speed: a.Current})
		case proto.AttributeLavaMovement:
			p.history.Add(u.Tick, stateUpdate{kind: updateLavaSpeed, speed: a.Current})
		case proto.AttributeHealth:
			p.history.Add(u.Tick, stateUpdate{kind: updateHealth, dead: a.Current <= 0})
		case proto.AttributeHunger:
			p.history.Add(u.Tick, stateUpdate{kind: updateHunger, fed: a.Current > sprintHunger})
		}
	}
}

// AddEffect adds to the prediction history the change of an effect on which movement depends. It ignores speed effects, because
// the server sends the resulting speed as an attribute.
func (p *Predictor) AddEffect(e proto.MobEffect) {
	p.counts.Effects++
	n := stateUpdate{kind: updateEffect}
	switch e.Effect {
	case proto.EffectJumpBoost:
		n.effect = effectJump
	case proto.EffectLevitation:
		n.effect = effectLevitation
	case proto.EffectSlowFalling:
		n.effect = effectSlowFalling
	default:
		return
	}
	if e.Event != proto.EffectRemove {
		n.level = uint8(min(max(int64(e.Amplifier)+1, 0), 255))
	}
	p.history.Add(e.Tick, n)
}

// maxDepthStrider is the highest level of the enchantment Depth Strider in the game.
const maxDepthStrider = 3

// SetArmor reads the armour that the client's player wears: helmet, chest, legs and boots, in this order. It uses only the
// enchantment Depth Strider of the boots, which makes a swimmer faster. The armour packet has no tick, so the change takes effect
// immediately.
func (p *Predictor) SetArmor(items []proto.Item) {
	n := stateUpdate{kind: updateEffect, effect: effectDepthStrider}
	const boots = 3
	if len(items) > boots {
		for level := int16(1); level <= maxDepthStrider; level++ {
			enchanted := proto.EnchantedItem(items[boots].NetworkID, proto.EnchantmentDepthStrider, level)
			if bytes.Equal(items[boots].Extra, enchanted.Extra) {
				n.level = uint8(level)
			}
		}
	}
	p.history.Add(0, n)
}

// AddMovementEffect adds the boost of a firework to the prediction history. It ignores other movement effects.
func (p *Predictor) AddMovementEffect(e proto.MovementEffect) rewind.Outcome {
	if e.Effect != proto.MovementEffectGlideBoost {
		return 0
	}
	p.counts.Effects++
	return p.history.Add(e.Tick, stateUpdate{kind: updateBoost, ticks: uint16(min(e.Duration, math.MaxUint16))})
}

// SetElytra sets whether the player wears an elytra. The armour packet has no tick, so the change takes effect immediately.
func (p *Predictor) SetElytra(worn bool) {
	p.history.Add(0, stateUpdate{kind: updateElytra, elytra: worn})
}

// wirePostures pairs each posture with its actor flag in the protocol.
var wirePostures = [...]struct {
	ours postures
	wire proto.ActorFlag
	key  proto.MetaKey // metadata key that carries the flag
}{
	{postureSneak, proto.FlagSneaking, proto.MetaFlags},
	{postureSprint, proto.FlagSprinting, proto.MetaFlags},
	{postureSwim, proto.FlagSwimming, proto.MetaFlags},
	{postureGlide, proto.FlagGliding, proto.MetaFlags},
	{postureUse, proto.FlagUsingItem, proto.MetaFlags},
	{postureImmobile, proto.FlagImmobile, proto.MetaFlags},
	{postureCrawl, proto.FlagCrawling, proto.MetaFlags2},
}

// AddActorData adds a change of the posture of the client's player to the prediction history. If the packet has no posture flags,
// it adds the height of the bounding box instead. It ignores metadata on which movement does not depend.
func (p *Predictor) AddActorData(d proto.SetActorData) rewind.Outcome {
	n := stateUpdate{kind: updatePostures}
	flags := d.Metadata.Flags()
	for _, w := range wirePostures {
		if _, present := d.Metadata.Find(w.key); present {
			n.mask |= w.ours
			if flags.Has(w.wire) {
				n.postures |= w.ours
			}
		}
	}
	if n.mask == 0 {
		box, ok := d.Metadata.Find(proto.MetaHeight)
		if !ok {
			return 0
		}
		n = stateUpdate{kind: updateBox, height: box.Float}
	}
	p.counts.ActorData++
	return p.history.Add(d.Tick, n)
}

// AddAbilities applies an UpdateAbilities packet: whether the player may fly, and whether it flies. The packet has no tick, so it
// takes effect immediately and causes no replay.
func (p *Predictor) AddAbilities(u proto.UpdateAbilities) {
	p.counts.Abilities++
	n := stateUpdate{kind: updateAbilities}
	for _, l := range u.Layers { // from the lowest layer to the topmost: the topmost layer that decides an ability wins
		if l.Allowed&proto.AbilityMayFly != 0 {
			n.fed = l.Enabled&proto.AbilityMayFly != 0
		}
		if l.Allowed&proto.AbilityFlying != 0 {
			n.postures &^= postureFly
			if l.Enabled&proto.AbilityFlying != 0 {
				n.postures |= postureFly
			}
		}
	}
	p.history.Add(0, n)
}
