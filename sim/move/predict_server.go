package move

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// MarkChanged records that the server has changed the state after the last processed tick, by a correction, a knockback or
// otherwise. The parameter serial is the serial number of the barrier that the client is sent after the change. A later change
// replaces an earlier one: inputs are not judged until the last change is confirmed, for example by the acknowledgement of its
// barrier.
func (s *PredictState) MarkChanged(serial uint32) {
	s.Pending = PendingChange{Open: true, Tick: s.Tick, Serial: serial, NeedsAck: s.Pending.NeedsAck}
}

// MarkChangedUntilAck records a change like MarkChanged, but only the acknowledgement of the barrier confirms it. It is for a
// change that does not always affect the next inputs, such as a changed speed attribute of a player that stands or falls. A
// client that does not know of such a change may predict the server's positions for a while, so their agreement confirms
// nothing.
func (s *PredictState) MarkChangedUntilAck(serial uint32) {
	s.MarkChanged(serial)
	s.Pending.NeedsAck = true
}

// AckBarrier records that the client has acknowledged a barrier. Inputs that arrived before the acknowledgement must be processed
// before this call, and later ones after it.
func (s *PredictState) AckBarrier(serial uint32) {
	if s.Pending.Open && s.Pending.Serial == serial {
		s.Pending.Acked = true
	}
}

// SetVelocity sets the player's velocity, in blocks per tick, immediately. The client computed the inputs in flight without the
// new velocity, so the caller must send it to the client and call MarkChanged.
func (s *PredictState) SetVelocity(v geom.Vec) {
	s.Avatar.Vel = v
}

// TeleportTo moves the player so that its feet are at the position feet, and cancels pending changes. Until the client
// acknowledges the teleport, its positions are ignored.
func (s *PredictState) TeleportTo(feet geom.Vec) {
	s.Avatar.Pos, s.Avatar.Vel = feet, geom.Vec{}
	s.Avatar.OnGround, s.Avatar.Collided, s.Avatar.HasKnockback = false, 0, false
	s.Avatar.GlideBoost = 0
	s.Avatar.SwimPose = 0 // by now the client has laid the body of a swimmer flat, and raised any other body
	if s.Avatar.Swimming {
		s.Avatar.SwimPose = fullSwimPose
	}
	s.Pending, s.ForceCorrection, s.EaseDisabled, s.SilentTicks = PendingChange{}, false, false, 0
	s.Teleport = Teleport{Open: true}
}

// HoldVehicle stops the vehicle that the player drives, without losing its velocity, until the client acknowledges a barrier. The
// client is sent a correction of the vehicle and then that barrier, whose serial number is the parameter serial. For a player on
// foot, TeleportTo has the same purpose.
func (s *PredictState) HoldVehicle(serial uint32) {
	s.MarkChangedUntilAck(serial)
	s.Teleport.Open, s.ForceCorrection, s.EaseDisabled = true, false, false
}

// HoldsVehicle reports whether HoldVehicle has stopped the vehicle that the player drives.
func (s *PredictState) HoldsVehicle() bool { return s.Teleport.Open && s.Vehicle.Type != NoVehicle }

// LeaveVehicle records that the player no longer drives a vehicle. If HoldVehicle has stopped the vehicle, and the client has not
// acknowledged that yet, the vehicle is not stopped any more.
func (s *PredictState) LeaveVehicle() {
	if s.HoldsVehicle() {
		s.Teleport = Teleport{}
	}
	s.Vehicle = Vehicle{}
}

// MarkDead records that the player is dead. It ends sprinting and the use of items. The body stays where it is until the respawn.
func (s *PredictState) MarkDead() {
	s.Avatar.Dead, s.Avatar.Sprinting, s.Avatar.UsingItem = true, false, false
}

// CompleteTeleport ends a teleport that needs no acknowledgement, as at login, and stops the player. The player counts as
// on the ground only if there is ground below it; otherwise every login in the air would allow a jump.
func (s *PredictState) CompleteTeleport(ground *terrain.Blocks, scratch *Scratch) {
	s.endTeleport()
	s.Avatar.Vel, s.Avatar.OnGround = geom.Vec{Y: restingFall}, s.Avatar.onFloor(ground, scratch)
}

// FindStandingPlace returns the lowest position, at or above the position feet, where the body fits. It searches upward
// in steps of half a block, to two blocks above the surface, and returns feet itself if it finds none. It does not
// search downward, because gravity moves the body down. A body below every block is placed on the surface, because it
// would fall forever.
func (a *Avatar) FindStandingPlace(feet geom.Vec, ground *terrain.Blocks, scratch *Scratch) geom.Vec {
	surface := ground.Surface(blockAt(feet.X), blockAt(feet.Z))
	p := feet
	if p.Y < terrain.MinBlockY && surface > terrain.MinBlockY {
		p.Y = float32(surface)
	}
	for top := float32(surface) + 2; p.Y >= terrain.MinBlockY && p.Y <= top; p.Y = float32(math.Floor(float64(p.Y)*2)+1) / 2 {
		if a.fitsAt(p, ground, scratch) {
			return p
		}
	}
	return feet
}

// fitsAt reports whether the body with its feet at p overlaps no block.
func (a *Avatar) fitsAt(p geom.Vec, ground *terrain.Blocks, s *Scratch) bool {
	s.collectBoxes(p, geom.Vec{}, a.Height(), 0, ground)
	return !s.overlaps(boxAt(p, a.Height()))
}

// maxTeleportWait limits the wait, in ms, before a teleport is sent again to a client with a long round trip. The wait is four
// round trips, but a client can pretend any round trip.
const maxTeleportWait = 10_000

// TickTeleport counts a server tick in which a teleport is unacknowledged. The result resend means that the teleport must be sent
// again. The result drop means that the client has ignored it too often and must be disconnected. The parameter ticksPerSecond is
// the server's tick rate, rttMS the client's round trip in ms.
func (p *PredictPolicy) TickTeleport(s *PredictState, ticksPerSecond int, rttMS uint16) (resend, drop bool) {
	t := &s.Teleport
	if !t.Open {
		return false, false
	}
	t.WaitTicks++
	if int(t.WaitTicks)*1000 < max(int(p.TeleportResendMS), min(4*int(rttMS), maxTeleportWait))*ticksPerSecond {
		return false, false
	}
	if t.Resends >= p.MaxTeleportResends {
		return false, true
	}
	t.WaitTicks = 0
	t.Resends++
	return true, false
}

// CountSilentTick counts a server tick without an input. The result report is true once, when the client has been silent for
// SilentReportMS. The result disconnect is true when it has been silent for SilentKickMS (rule SV-20 of docs/wire/bedrock.md).
// Without inputs the player does not move (rule SV-1 of docs/wire/bedrock.md). A client that sends too few inputs counts as silent,
// too, because it could hover in the air: each input shortens the counted silence by only 1/minInputsPerSecond seconds. Clients of
// dead players may be silent, because they show the death screen.
func (p *PredictPolicy) CountSilentTick(s *PredictState, ticksPerSecond int) (report, disconnect bool) {
	if !s.Started || s.Avatar.Dead {
		return false, false
	}
	s.SilentTicks++
	ms := int(s.SilentTicks) * 1000
	if p.SilentKickMS > 0 && ms >= int(p.SilentKickMS)*ticksPerSecond {
		return false, true
	}
	before := ms - 1000
	at := int(p.SilentReportMS) * ticksPerSecond
	return p.SilentReportMS > 0 && ms >= at && before < at, false
}

// ShouldKick reports whether the player has so many suspicion points (KickSuspicion) that it must be disconnected.
func (p *PredictPolicy) ShouldKick(s *PredictState) bool {
	return p.KickSuspicion > 0 && s.Suspicion >= p.KickSuspicion
}

func (s *PredictState) addSuspicion(by int32) { s.Suspicion = min(s.Suspicion+by, 1<<20) }

// decaySuspicion halves the suspicion every 10 s.
func (s *PredictState) decaySuspicion(ticksPerSecond int32) {
	if s.Suspicion == 0 {
		return
	}
	if s.DecayTicks++; s.DecayTicks >= suspicionHalfLifeSeconds*ticksPerSecond {
		s.DecayTicks = 0
		s.Suspicion /= 2
	}
}

// MovementSpeed returns the movement attribute as clients see it: Speed, multiplied by SprintFactor while the player sprints.
func (a *Avatar) MovementSpeed() float32 {
	if a.Sprinting {
		return float32(a.Speed * SprintFactor)
	}
	return a.Speed
}
