package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// BeginReplay records that the client is sent the teleport with the tick of the last processed input. A client that rewinds
// applies the teleport to that tick and replays its later inputs at the target, where it may jump in other ticks than at the place
// where it made them. The server's avatar stands still meanwhile. The server therefore replays the inputs with a copy of the
// avatar, to know the client's jump delay when the client acknowledges the teleport. A correction does not contain that delay.
// Before the first input there is no tick to replay from. BeginReplay is called once all queued inputs are processed.
func (s *PredictState) BeginReplay() {
	if s.Teleport.Open && s.Tick != 0 {
		s.Teleport.Tick, s.Teleport.Replay = s.Tick, s.Avatar
	}
}

// replayedBody is the state after an input of the body that a client replays at the target of a teleport.
type replayedBody struct {
	ok        bool // the client replays its inputs; otherwise the other fields are not set
	pos       geom.Vec
	jumpDelay uint8
}

// replayInput steps the replayed body by an input of a client that has not acknowledged the teleport before, and returns its state.
// The replayed body does not move the player. InputUnloaded is not used: it says that the door has not sent the terrain at the target
// yet, but the client receives that terrain before the teleport. If the tick of the teleport has left the client's history, the client
// applies the teleport to the present and replays nothing; then the replay ends. It also ends with an input of a rider: the client has not
// been told yet that it no longer rides, and a rider does not jump.
func (p *PredictPolicy) replayInput(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch) replayedBody {
	t := &s.Teleport
	switch {
	case t.Tick == 0 || t.Replay.JumpDelay == seatedJumpDelay:
		return replayedBody{}
	case in.Tick-t.Tick > uint64(p.History), in.Flags.Any(InputVehicle):
		t.Tick, t.Replay = 0, Avatar{}
		return replayedBody{}
	}
	t.Replay.copyAbilities(&s.Avatar)
	t.Replay.StepIn(&p.Liquids, in, ground, scratch)
	return replayedBody{true, t.Replay.Pos, t.Replay.JumpDelay}
}

// copyAbilities copies from b the fields that only the server sets.
func (a *Avatar) copyAbilities(b *Avatar) {
	a.MayFly, a.MayGlide, a.MaySprint, a.UsingItem, a.Immobile, a.Dead = b.MayFly, b.MayGlide, b.MaySprint, b.UsingItem, b.Immobile, b.Dead
	a.Speed, a.JumpBoost, a.Levitation, a.SlowFalling = b.Speed, b.JumpBoost, b.Levitation, b.SlowFalling
	a.SoulSpeed, a.DepthStrider = b.SoulSpeed, b.DepthStrider
}

// adoptJumpDelay sets the avatar's jump delay to that of the replayed body, after the step of the input that acknowledges the
// teleport, if the client has replayed its inputs. It has if it is nearer to the replayed body than to the avatar. Other clients apply
// a teleport to the present and replay nothing; followJumpDelay has set their delay.
func (s *PredictState) adoptJumpDelay(replay *replayedBody, in *Input) {
	if !in.Flags.Any(InputUnclaimed) && geom.Dist2(in.Pos, replay.pos) < geom.Dist2(in.Pos, s.Avatar.Pos) {
		s.Avatar.JumpDelay = replay.jumpDelay
	}
}

// seatedJumpDelay is the value to which SitUntilTeleport sets Avatar.JumpDelay until the teleport ends.
const seatedJumpDelay = 255

// SitUntilTeleport records that the client seats the player on a vehicle before it handles the teleport that TeleportTo has begun. A
// rider does not jump, so the player can jump as soon as the teleport is acknowledged, whatever its inputs until then say, unless
// LeaveSeat is called before.
func (s *PredictState) SitUntilTeleport() { s.Avatar.JumpDelay = seatedJumpDelay }

// SitsUntilTeleport reports whether the client has seated the player, or will, before it handles the teleport (SitUntilTeleport).
func (s *PredictState) SitsUntilTeleport() bool { return s.Avatar.JumpDelay == seatedJumpDelay }

// LeaveSeat ends what SitUntilTeleport has begun: the client has dismounted the player from the seat, and its player may jump from
// now on. If the client has sent an input since the tick of the teleport, its replay dismounts the player in the same tick and at the
// same position again, so the player jumps as before, and followJumpDelay is right: the replayed body remains seated and is not stepped.
func (s *PredictState) LeaveSeat() {
	if !s.SitsUntilTeleport() {
		return
	}
	s.Avatar.JumpDelay = 0
	if s.Tick == s.Teleport.Tick { // the client applies the teleport after the dismount, and replays its later inputs at the target
		s.Teleport.Replay.JumpDelay = 0
	}
}

// endTeleport ends a teleport, whether the client has acknowledged it or not.
func (s *PredictState) endTeleport() {
	s.Teleport = Teleport{}
	if s.SitsUntilTeleport() {
		s.Avatar.JumpDelay = 0
	}
}
