package move

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Changed notes that the server has changed the state after the last processed tick, by a correction, a knockback or
// otherwise, and that a barrier of that serial follows it to the client. A later change takes the place of an earlier
// one: what the client answers before the last barrier is back counts for nothing.
func (s *PredictState) MarkChanged(serial uint32) {
	s.Pending = PendingChange{Open: true, Tick: s.Tick, Serial: serial, BarrierOnly: s.Pending.BarrierOnly}
}

// ChangedUnseen is Changed for what need not show at once, like the speed of somebody who stands or falls: a client that
// has not heard of it agrees for a while.
func (s *PredictState) MarkChangedBarrierOnly(serial uint32) {
	s.MarkChanged(serial)
	s.Pending.BarrierOnly = true
}

// Acknowledge notes that a barrier came back. It must come in order with the inputs.
func (s *PredictState) AckBarrier(serial uint32) {
	if s.Pending.Open && s.Pending.Serial == serial {
		s.Pending.Acked = true
	}
}

// Knock gives the body a velocity, in blocks per tick. It is the body's at once; inputs that are under way do not know
// of it, so the caller tells the client and calls Changed.
func (s *PredictState) SetVelocity(v geom.Vec) {
	s.Avatar.Vel = v
}

// Put teleports the body. The client's positions are ignored until it acknowledges; whatever was on its way to it does
// not matter any more.
func (s *PredictState) TeleportTo(feet geom.Vec) {
	s.Avatar.Pos, s.Avatar.Vel = feet, geom.Vec{}
	s.Avatar.OnGround, s.Avatar.Collided, s.Avatar.HasKnockback = false, 0, false
	s.Avatar.JumpDelay = 0 // the client's has run on while the body stood
	s.Pending, s.ForceCorrection, s.EaseDisabled, s.SilentTicks = PendingChange{}, false, false, 0
	s.Teleport = Teleport{Open: true}
}

// Die ends what a player does, and lets him lie where he is until he lives again.
func (s *PredictState) MarkDead() {
	s.Avatar.Dead, s.Avatar.Sprinting, s.Avatar.UsingItem = true, false, false
}

// Settle ends a teleport that the client knows of without being asked, as at its login, and lets the body rest. It stands
// only where there is ground: else each login in the air would be a step to jump from.
func (s *PredictState) CompleteTeleport(ground *terrain.Blocks, scratch *Scratch) {
	s.Teleport = Teleport{}
	s.Avatar.Vel, s.Avatar.OnGround = geom.Vec{Y: restingFall}, s.Avatar.onFloor(ground, scratch)
}

// Stand is the lowest place at or above feet where the body fits, in steps of half a block; feet itself if there is
// none below the top of what stands there. What is below is not looked at: gravity finds it. Whoever fell below every
// block stands on the highest: he would fall for ever.
func (a *Avatar) FindStandingPlace(feet geom.Vec, ground *terrain.Blocks, scratch *Scratch) geom.Vec {
	surface := ground.Surface(blockAt(feet.X), blockAt(feet.Z))
	p := feet
	if p.Y < terrain.MinBlockY && surface > terrain.MinBlockY {
		p.Y = float32(surface)
	}
	for top := float32(surface) + 2; p.Y >= terrain.MinBlockY && p.Y <= top; p.Y = float32(math.Floor(float64(p.Y)*2)+1) / 2 {
		if a.fits(p, ground, scratch) {
			return p
		}
	}
	return feet
}

// fits tells whether the body could be with its feet at p.
func (a *Avatar) fits(p geom.Vec, ground *terrain.Blocks, s *Scratch) bool {
	s.gather(p, geom.Vec{}, a.Height(), 0, ground)
	return !s.overlaps(boxAt(p, a.Height()))
}

// maxTeleportWait is in ms. A client can make its round trip look as long as it likes.
const maxTeleportWait = 10_000

// Wait counts a server tick in which a teleport may be outstanding: tell says that it is time to tell it again, drop
// that it was told often enough. ticksPerSecond is the server's, rttMS the client's round trip.
func (p *PredictPolicy) TickTeleport(s *PredictState, ticksPerSecond int, rttMS uint16) (tell, drop bool) {
	t := &s.Teleport
	if !t.Open {
		return false, false
	}
	t.WaitTicks++
	if int(t.WaitTicks)*1000 < max(int(p.TeleportResendMS), min(4*int(rttMS), maxTeleportWait))*ticksPerSecond {
		return false, false
	}
	if t.Sends >= p.MaxTeleportSends {
		return false, true
	}
	t.WaitTicks = 0
	t.Sends++
	return true, false
}

// Idle counts a server tick without an input. frozen is true once, when the client has been silent for a while; drop
// when it has been for too long (SV-20). It stands where it is meanwhile (SV-1); so that nobody hangs in the air by an
// input now and then, each makes good no more than its share of a second. The dead may be silent: their clients
// show them a screen.
func (p *PredictPolicy) TickIdle(s *PredictState, ticksPerSecond int) (frozen, drop bool) {
	if !s.Started || s.Avatar.Dead {
		return false, false
	}
	s.SilentTicks++
	ms := int(s.SilentTicks) * 1000
	if p.FrozenKickMS > 0 && ms >= int(p.FrozenKickMS)*ticksPerSecond {
		return false, true
	}
	before := ms - 1000
	at := int(p.FrozenMS) * ticksPerSecond
	return p.FrozenMS > 0 && ms >= at && before < at, false
}

// Suspected tells whether the player has done too many odd things to stay.
func (p *PredictPolicy) ShouldKick(s *PredictState) bool {
	return p.KickSuspicion > 0 && s.Suspicion >= p.KickSuspicion
}

func (s *PredictState) addSuspicion(by int32) { s.Suspicion = min(s.Suspicion+by, 1<<20) }

// fade halves the suspicion each 10 s.
func (s *PredictState) decaySuspicion(ticksPerSecond int32) {
	if s.Suspicion == 0 {
		return
	}
	if s.DecayTicks++; s.DecayTicks >= suspicionHalfLifeSeconds*ticksPerSecond {
		s.DecayTicks = 0
		s.Suspicion /= 2
	}
}

// MovementSpeed is the movement attribute that a client is told of its player: the speed, with the factor of sprinting
// while he sprints.
func (a *Avatar) MovementSpeed() float32 {
	if a.Sprinting {
		return float32(a.Speed * SprintFactor)
	}
	return a.Speed
}
