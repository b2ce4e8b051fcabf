package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// claimAuthority moves a player whose client claims a position and a destination. If a claim exceeds the allowance, the
// server holds (rejects) the claim: the player stays at its previous position. Between claims the server walks the
// player toward the claimed destination.
//
// The state of this authority is in actor.claim and actor.ignoreClaimsUntil. Snapshots and hashes contain these fields for every
// actor, because the server resets them whenever it moves a player to another place, whatever the player's authority.
type claimAuthority struct{ authorityDefaults }

func newClaimAuthority(*Area, *actor, *Join) authority { return claimAuthority{} }

func (claimAuthority) kind() authorityKind { return claimKind }

func (claimAuthority) mayRide() bool { return true }

func (c claimAuthority) clone(*cloneMemory) authority { return c }

func (claimAuthority) leave(j *Join) { j.Authority = move.ByClaim }

func (claimAuthority) move(a *Area, x *actor) {
	a.walkToDest(x)
	if mount := a.find(x.mount); mount != nil {
		a.syncMount(mount, x)
	}
}

func (claimAuthority) describe(a *Area, x *actor, s *ActorState) { a.describeWalk(x, s) }

func (c claimAuthority) admit(a *Area, x *actor, in *Intent) {
	if in.Kind == IntentClaim {
		a.admitClaim(x, in)
		return
	}
	c.authorityDefaults.admit(a, x, in)
}

// admitClaim judges one position claim. It makes the checks of the RealmCrafter specification P_StandardUpdate in the same
// order: (1) the sender is an actor of this area (checked in Area.admit), (2) the client has confirmed the last warp, (3) no
// other actor rides the sender. It also refuses the claims of a dead player.
func (a *Area) admitClaim(x *actor, in *Intent) {
	switch {
	case a.now < x.ignoreClaimsUntil:
		a.refuse(x.id, 0, reason.Warping, 0, 0)
		return
	case x.rider != 0:
		a.refuse(x.id, 0, reason.Ridden, 0, 0)
		return
	case x.dead:
		a.refuse(x.id, 0, reason.Dead, 0, 0)
		return
	}
	if x.frozen {
		a.holdFrozen(x, in)
		return
	}
	pace := a.speedShare(x)
	mount := a.find(x.mount)
	if mount != nil {
		pace = max(pace, a.speedShare(mount)) // the RealmCrafter server allows a rider the walking speed of the rider even on a slower mount
	}
	v := a.world.Rules.Claim.JudgeIn(a.sceneOf(x), &x.claim, x.pos, pace, in.Claim, in.AtMS)
	a.emitVerdict(x, in, v)
	x.pos = v.Pos
	x.headFor(v.DestX, v.DestZ)
	x.running, x.backward = v.Running, v.Backward
	if mount != nil {
		a.syncMount(mount, x)
	}
}

// speedShare returns the speed of x as a share (0..1) of its maximum speed. The rules by which claims are judged expect it in
// this form.
func (a *Area) speedShare(x *actor) float32 {
	s := a.speedAttribute(x)
	return move.SpeedShare(s.Value, s.Max)
}

// emitVerdict emits the events of a judged claim: one for each refusal and each change by the server, with the claimed and the
// allowed value. If the client is corrected, its claims are ignored until it confirms the correction.
func (a *Area) emitVerdict(x *actor, in *Intent, v move.ClaimVerdict) {
	from := in.Claim.Position()
	if v.Sanitized {
		a.emit(Event{Kind: EventRefused, Who: x.id, Reason: reason.NotFinite, Asked: in.Claim.MaxCoordinate(), Allowed: move.WorldLimit, Pos: v.Pos})
	}
	if v.BackwardRun {
		speed := a.speedAttribute(x)
		a.emit(Event{Kind: EventRefused, Who: x.id, Reason: reason.BackwardRun,
			Asked: move.UnitsPerSecond(speed.Value, speed.Max, true, false), Allowed: move.UnitsPerSecond(speed.Value, speed.Max, false, true), Pos: v.Pos})
	}
	if v.Held != reason.None {
		a.emit(Event{Kind: EventHeld, Who: x.id, Reason: v.Held, Asked: v.Asked, Allowed: v.Allowed, Pos: v.Pos, From: from})
	}
	if v.Correct {
		a.emit(Event{Kind: EventCorrected, Who: x.id, Reason: reason.RepeatedHolds, Asked: v.Asked, Allowed: v.Allowed, Pos: v.Pos, From: from, Yaw: x.yaw})
		x.ignoreClaimsUntil = a.now + a.ticks(a.world.Rules.Claim.IgnoreMS)
	}
}

// holdFrozen rejects a claim of a player that an operator has frozen, and corrects its client. Further claims are refused
// until the client confirms the correction.
func (a *Area) holdFrozen(x *actor, in *Intent) {
	from := geom.Vec{X: move.SanitizeCoord(in.Claim.X), Y: x.pos.Y, Z: move.SanitizeCoord(in.Claim.Z)}
	asked := geom.DistXZ(from, x.pos)
	if asked == 0 {
		return
	}
	x.stop()
	a.emit(Event{Kind: EventHeld, Who: x.id, Reason: reason.Halted, Asked: asked, Pos: x.pos, From: from})
	a.emit(Event{Kind: EventCorrected, Who: x.id, Reason: reason.Halted, Asked: asked, Pos: x.pos, From: from, Yaw: x.yaw})
	a.resetMovement(x)
}
