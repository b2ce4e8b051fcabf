package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// follows lets the actor be where the body is, and look and head where that does.
func (a *Area) follows(x *actor) {
	av := &x.predicted.Avatar
	g := &a.def.BlockGrid
	x.pos = g.ToWorld(av.Pos)
	x.yaw = terrain.MirrorYaw(av.Yaw)
	x.running, x.backward = av.Sprinting, false
	ahead := geom.Vec{
		X: av.Pos.X + float32(av.Vel.X*leadTicks),
		Y: av.Pos.Y,
		Z: av.Pos.Z + float32(av.Vel.Z*leadTicks),
	}
	to := g.ToWorld(ahead)
	x.heads(to.X, to.Z)
}

// leadTicks is how far ahead of a predicted player his destination lies, for those who see him walk toward it: as long
// as they wait for the next word of him.
const leadTicks = 4

// reseat teleports a predicted player to where he is, since his client has lost the thread; what it says counts again
// once it has been there. He keeps his velocity and his client is told that too: clients can bring this about, and it
// must not be a way to end a fall or a knockback, nor to begin the time anew in which he may ignore a teleport.
func (a *Area) reseat(x *actor, why reason.Reason) {
	p := x.predicted
	v, was := p.Avatar.Vel, p.PredictState
	p.TeleportTo(was.Avatar.Pos)
	p.SilentTicks, p.Teleport.Resends = was.SilentTicks, was.Teleport.Resends
	if was.Teleport.Open {
		p.Teleport.WaitTicks = was.Teleport.WaitTicks
	}
	a.outdate(x)
	a.follows(x)
	a.rewind(x, EventTeleported, why, &Rewind{})
	p.SetVelocity(v)
	a.bar(x, EventKnocked, why)
}

// embodies gives a player of the predict authority his body. s is what he had in the area that he comes from, nil after
// a login.
func (a *Area) embodies(x *actor, s *move.PredictState) {
	p := &predicted{}
	if s != nil {
		p.PredictState = *s
		p.AcceptTickJump = true // what he sent meanwhile is lost
	} else {
		p.Avatar = move.NewAvatar(geom.Vec{})
	}
	p.Avatar.Speed = a.walkSpeed(x)
	x.predicted = p
}

// alight puts the body of a player where he was placed in the world. Places have the height that other doors' clients
// give them, so he stands on the blocks that are there.
func (a *Area) alight(x *actor) {
	p := x.predicted
	yaw := terrain.MirrorYaw(x.yaw)
	p.Avatar.Yaw, p.Avatar.HeadYaw = yaw, yaw
	p.TeleportTo(p.Avatar.FindStandingPlace(a.def.BlockGrid.ToBlocks(x.pos), a.def.Blocks, &a.scratch))
	p.wakes, p.Avatar.Dead = false, x.dead
	a.outdate(x)
	a.follows(x)
}

// lands lets the client of a player who was put somewhere know. Who logs in reads it in the answer to his login, where
// he stands at rest.
func (a *Area) lands(x *actor, login bool) {
	p := x.predicted
	if p == nil {
		return
	}
	if login {
		p.CompleteTeleport(a.def.Blocks, &a.scratch)
		return
	}
	a.rewind(x, EventTeleported, reason.None, &Rewind{})
}

// knock pushes a player away from whoever struck him: at once on the server, with the tick of his last input for his
// client, which rewinds. Who has not sent his first input stands fast: there is no tick yet to which his client could
// go back, and it may not even be in the world. Source: docs/wire/bedrock.md, knockback; seed PlayerMovementOverview,
// second example.
func (a *Area) knock(y, by *actor) {
	p, k := y.predicted, a.world.Rules.Knockback
	if p == nil || y.dead || k == (Knockback{}) || p.Teleport.Open || !p.Started {
		return
	}
	dx, dz := y.pos.X-by.pos.X, by.pos.Z-y.pos.Z // in blocks' directions
	v := geom.Vec{Y: k.Up}
	if d := geom.Sqrt(float32(dx*dx) + float32(dz*dz)); d > 0 {
		v.X, v.Z = float32(dx/d)*k.Away, float32(dz/d)*k.Away
	}
	p.SetVelocity(v)
	a.bar(y, EventKnocked, reason.None)
}

// adjust brings what the world knows of a player to his body: his death, his speed and whether he is frozen. A change of the
// last two is told with the tick of his last input, and inputs under way do not know of it.
func (a *Area) adjust(x *actor) {
	p := x.predicted
	if x.dead && !p.Avatar.Dead {
		p.MarkDead()
	}
	speed := a.walkSpeed(x)
	if p.Avatar.Speed == speed && p.Avatar.Immobile == x.frozen {
		return
	}
	p.Avatar.Speed, p.Avatar.Immobile = speed, x.frozen
	if !p.Started {
		return // he is told when he enters
	}
	p.serial++
	a.rewind(x, EventStance, reason.None, &Rewind{Serial: p.serial})
	p.MarkChangedBarrierOnly(p.serial)
}

// walkSpeed is the movement attribute of a player: that of the protocol for the speed that his template has.
func (a *Area) walkSpeed(x *actor) float32 {
	s := a.world.Fixed.Speed
	if s < 0 || x.tmpl.Attr[s].Value <= 0 {
		return move.WalkSpeed
	}
	return float32(move.WalkSpeed * (float32(x.attr[s].Value) / float32(x.tmpl.Attr[s].Value)))
}
