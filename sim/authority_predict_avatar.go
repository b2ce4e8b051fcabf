package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// syncActor copies position, yaw and movement from the avatar (the simulated body of a predicted player) to its actor.
func (a *Area) syncActor(x *actor, p *predictAuthority) {
	av := &p.Avatar
	g := &a.def.BlockGrid
	x.pos = g.ToWorld(av.Pos)
	x.yaw = terrain.MirrorYaw(av.Yaw)
	x.running, x.backward = av.Sprinting, false
	x.headFor(a.leadPoint(av.Pos, av.Vel))
}

// leadPoint returns the point, in world units, that a player or vehicle reaches after leadTicks client ticks at its current
// velocity. The parameter pos is in blocks, vel in blocks per client tick.
func (a *Area) leadPoint(pos, vel geom.Vec) (x, z float32) {
	to := a.def.BlockGrid.ToWorld(geom.Vec{X: pos.X + float32(vel.X*leadTicks), Y: pos.Y, Z: pos.Z + float32(vel.Z*leadTicks)})
	return to.X, to.Z
}

// leadTicks is how many client ticks the destination of a predicted player is ahead of it: the point that the player reaches in
// that time at its current velocity. Clients of other doors draw the player walking to its destination, so the walk must last
// until their next update.
const leadTicks = 4

// syncAvatar copies changes of the actor to its avatar: death, effects, speed, elytra, depth strider and freezing. Each change
// except death is sent to the client with the tick of the client's last input. The client rewinds to that tick, because it
// computed its later inputs without the change. Some of these inputs are still on their way.
func (a *Area) syncAvatar(x *actor, p *predictAuthority) {
	if x.dead && !p.Avatar.Dead {
		p.MarkDead()
	}
	a.syncEffects(x)
	speed := a.movementSpeed(x)
	av := &p.Avatar
	if av.Speed == speed && av.Immobile == x.frozen && av.MayGlide == x.glides && av.DepthStrider == x.depthStrider {
		return
	}
	av.Speed, av.Immobile, av.MayGlide, av.DepthStrider = speed, x.frozen, x.glides, x.depthStrider
	if !p.Started {
		return // the door sends these values when the client enters the world
	}
	p.serial++
	a.emitRewind(x, p, EventStance, reason.None, &Rewind{Serial: p.serial})
	p.MarkChangedUntilAck(p.serial)
}

// movementSpeed returns the movement attribute of a player in blocks per tick: the protocol's walking speed, multiplied
// by the ratio of the player's speed attribute to that of its template, and by its effects.
func (a *Area) movementSpeed(x *actor) float32 {
	speed := move.WalkSpeed
	if s := a.world.Roles.Speed; s >= 0 && x.tmpl.Attr[s].Value > 0 {
		speed = float32(speed * (float32(x.attr[s].Value) / float32(x.tmpl.Attr[s].Value)))
	}
	if percent := x.speedPercent(); percent != 100 {
		speed = float32(speed * (float32(percent) / 100))
	}
	return speed
}

// announceEffect sets the level of an effect in the avatar and sends it to the client with the tick of its last input. Before the
// first input there is no such tick, so announceEffect returns false. If an effect was only renewed, no barrier follows, because
// no movement step depends on the duration of an effect.
func (p *predictAuthority) announceEffect(a *Area, x *actor, k EffectKind, is ActiveEffect, changed bool) bool {
	if !p.Started {
		return false
	}
	switch av := &p.Avatar; k {
	case EffectSpeed, EffectSlowness:
		av.Speed = a.movementSpeed(x)
	case EffectJumpBoost:
		av.JumpBoost = is.Level
	case EffectLevitation:
		av.Levitation = is.Level
	case EffectSlowFalling:
		av.SlowFalling = is.Level
	}
	p.emitEffect(a, x, k, is, changed)
	return true
}

// emitEffect emits an event that informs the player's client of an effect. If the effect changes the player's next movement step,
// a barrier follows the event.
func (p *predictAuthority) emitEffect(a *Area, x *actor, k EffectKind, is ActiveEffect, changed bool) {
	r := &Rewind{Tick: p.Tick, State: p.Avatar, RTT: p.rtt}
	if changed {
		p.serial++
		r.Serial = p.serial
		p.MarkChangedUntilAck(p.serial)
	}
	a.emitEffect(x, k, is, r)
}

// countsEffects returns true: each input reduces the remaining time of the effects by one tick, so that client and server
// end an effect in the same client tick.
func (*predictAuthority) countsEffects() bool { return true }

// boostGlide starts a firework that lasts the given number of client ticks. Each simulated step of the glide counts as one of
// these ticks, on the client and on the server.
func (p *predictAuthority) boostGlide(a *Area, x *actor, ticks int32) {
	if !p.Started || !p.Avatar.Gliding || p.Teleport.Open {
		return
	}
	p.Avatar.GlideBoost = uint16(min(max(ticks, 0), maxGlideBoost))
	p.emitEffect(a, x, EffectFirework, ActiveEffect{Level: 1, Ticks: int32(p.Avatar.GlideBoost)}, true)
}

// maxGlideBoost is the maximum duration of a firework in ticks of 50 ms: 20 s.
const maxGlideBoost = 400

// placed moves the avatar to the position of its actor, but onto the blocks below that position, because the height of the
// position may come from clients of other doors.
func (p *predictAuthority) placed(a *Area, x *actor) {
	yaw := terrain.MirrorYaw(x.yaw)
	p.Avatar.Yaw, p.Avatar.HeadYaw = yaw, yaw
	p.TeleportTo(p.Avatar.FindStandingPlace(a.def.BlockGrid.ToBlocks(x.pos), a.def.Blocks, &a.scratch))
	p.wakeRequested, p.Avatar.Dead = false, x.dead
	a.flushQueue(x, p)
	a.syncActor(x, p)
}

// announcePlacement sends the client a teleport to its new position. After a login the teleport counts as acknowledged,
// because the door sends the position in the packets of the login.
func (p *predictAuthority) announcePlacement(a *Area, x *actor, login bool) {
	if login {
		p.CompleteTeleport(a.def.Blocks, &a.scratch)
		return
	}
	p.BeginReplay()
	a.emitRewind(x, p, EventTeleported, reason.None, &Rewind{})
}

// resyncClient teleports a player to its own position, because client and server no longer agree on ticks or positions. The
// server ignores the movement in the client's inputs until the client has acknowledged the teleport. The player keeps its
// velocity, which is also sent to the client. A client can provoke such a teleport, so the client must not profit from it: a
// fall or a knockback continues, and the time for the acknowledgement of an earlier teleport is not extended.
//
// A driver stays on its seat; its client is sent the state of the vehicle instead. A passenger needs no teleport, because
// its client predicts nothing.
func (a *Area) resyncClient(x *actor, p *predictAuthority, why reason.Reason) {
	if x.mount != 0 {
		if p.ride.seat == driverSeat {
			a.holdVehicle(x, p, why)
		}
		return
	}
	v, was := p.Avatar.Vel, p.PredictState
	p.TeleportTo(was.Avatar.Pos)
	p.SilentTicks, p.Teleport.Resends = was.SilentTicks, was.Teleport.Resends
	if was.Teleport.Open {
		p.Teleport.WaitTicks = was.Teleport.WaitTicks
	}
	a.flushQueue(x, p)
	a.syncActor(x, p)
	a.emitRewind(x, p, EventTeleported, why, &Rewind{})
	p.SetVelocity(v)
	p.BeginReplay()
	a.emitBarrier(x, p, EventKnockback, why)
}

// holdVehicle does for a driver what resyncClient does for a player on foot: it stops the vehicle until the driver's client has
// acknowledged the state of the vehicle. The client applies that state to its current tick. It cannot rewind to the tick of the
// state, because it has deleted that tick from its history.
func (a *Area) holdVehicle(x *actor, p *predictAuthority, why reason.Reason) {
	p.serial++
	p.HoldVehicle(p.serial)
	a.flushQueue(x, p)
	if p.HoldsVehicle() {
		a.emitRewind(x, p, EventTeleported, why, &Rewind{Serial: p.Pending.Serial})
	}
}

// knockback changes the player's velocity immediately on the server, and sends the change to its client with the tick
// of the last input, to which the client rewinds. A player that has sent no input yet is not pushed: its client has no
// tick to rewind to, and may not even be in the world. Source: docs/wire/bedrock.md, knockback; specification
// PlayerMovementOverview, second example.
func (p *predictAuthority) knockback(a *Area, x, by *actor) {
	k := a.world.Rules.Knockback
	// A hit on a rider (x.mount != 0) does not push the rider (rule VH-7 of docs/wire/bedrock.md).
	if x.dead || k == (Knockback{}) || p.Teleport.Open || !p.Started || x.mount != 0 {
		return
	}
	p.SetVelocity(k.velocity(x, by))
	a.emitBarrier(x, p, EventKnockback, reason.None)
}

// velocity returns the velocity, in blocks per tick, that a hit by attacker gives the actor x. It points away from attacker and
// upward.
func (k Knockback) velocity(x, attacker *actor) geom.Vec {
	dx, dz := x.pos.X-attacker.pos.X, attacker.pos.Z-x.pos.Z // in block coordinates, whose Z axis is reversed
	v := geom.Vec{Y: k.Up}
	if d := geom.Sqrt(float32(dx*dx) + float32(dz*dz)); d > 0 {
		v.X, v.Z = float32(dx/d)*k.Away, float32(dz/d)*k.Away
	}
	return v
}
