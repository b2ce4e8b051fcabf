package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// PredictState is the state of the predict authority for one player: the avatar after the last processed input, and the changes
// by the server that the client has not confirmed yet. It is plain data, which a snapshot copies. In the zero value no input has
// been processed.
type PredictState struct {
	Avatar     Avatar // simulated body after the last processed input
	Tick       uint64 // tick of the last processed input; sent in every packet about this player (rule SV-4 of docs/wire/bedrock.md)
	Started    bool   // an input has been processed
	NewestTick uint64 // tick of the last admitted input; Tick <= NewestTick

	TickRemainder int32 // part of a client tick that remained after the last server tick, in 1/ticksPerSecond of a client tick
	Credits       int32 // number of extra inputs that may be processed, because there was no input in earlier ticks
	OwedTicks     int32 // number of ticks without an input for which MaxCredits left no credit; their inputs are queued or still to arrive
	BacklogTicks  int32 // consecutive server ticks after each of which an input was still queued
	SilentTicks   int32 // server ticks without an input; each later input reduces the count
	DecayTicks    int32 // server ticks since Suspicion was halved

	Pending  PendingChange // change that the client has not confirmed yet
	Teleport Teleport      // teleport that the client has not acknowledged yet

	LastCorrection  uint64        // tick of the last correction; valid if Corrected
	Corrected       bool          // a correction was sent
	EaseBudget      float32       // blocks by which the server may still move the player toward the client's position; refilled by EasePerSecond
	EaseDisabled    bool          // true: the client's position is not adopted, until an input whose prediction matches the server's simulation
	ForceCorrection bool          // the next input is corrected, however small its error is; ForceReason says why
	ForceReason     reason.Reason // reason for ForceCorrection: inputs were lost, or the client acknowledged a teleport off its target
	AcceptTickJump  bool          // accept the next input's tick, however far ahead it is
	Suspicion       int32         // sum of the weights of recent anomalies; halved every 10 s

	Vehicle Vehicle // vehicle that the player drives (rule VH-1 of docs/wire/bedrock.md); its Type is NoVehicle while it drives none
}

// PendingChange is a change by the server, such as a correction or a knockback, that the client has not confirmed.
// Inputs that were sent before the client knew of the change cannot match the server's simulation, and are not
// corrected (rule SV-14 of docs/wire/bedrock.md).
type PendingChange struct {
	Open          bool   // the change is not confirmed yet
	Tick          uint64 // number of the last client tick that was processed before the change
	Serial        uint32 // serial number of the barrier sent after the change
	Acked         bool   // the client has acknowledged the barrier
	InputAfterAck bool   // an input was processed after the acknowledgement
	NeedsAck      bool   // only the barrier confirms the change, because inputs may match the server although the client does not know of the change
}

// Teleport is a teleport that the client has not acknowledged. Until it does, the client's positions are ignored.
//
// If the player drives a vehicle, a Teleport means that the vehicle is stopped, because a correction of it would arrive too late
// for the client's history. The client acknowledges it with its answer to the barrier in PredictState.Pending.
type Teleport struct {
	Open      bool   // the client has not acknowledged the teleport yet
	WaitTicks int32  // server ticks since the teleport was last sent
	Resends   int32  // number of times the teleport was sent again
	Tick      uint64 // tick from which a client that rewinds replays its inputs at the target; 0 if it replays none
	Replay    Avatar // body of such a client after the last processed input; zero if Tick is 0
}

// Prediction is the result of processing one input: the errors of the client's prediction, and what must be sent to the client.
type Prediction struct {
	Mode          Mode             // movement mode of the step
	ClaimedPos    geom.Vec         // position of the feet that the client predicted for this tick
	ClaimedVel    geom.Vec         // velocity that the client predicted for this tick, blocks per tick
	PosError      float32          // distance between the client's and the server's position, blocks (rule SV-11 of docs/wire/bedrock.md)
	VelError      float32          // difference between the two velocities, blocks per tick
	Allowed       float32          // maximum position error that is not corrected, blocks
	Correct       reason.Reason    // reason to send the client the state after this tick, None if client and server agree (rule SV-5 of docs/wire/bedrock.md)
	EasedBy       float32          // blocks by which the server's position was moved toward the client's
	Anomalies     [4]reason.Reason // first anomalies of the input, None after the last
	SendStance    bool             // the client must be sent its stance, because it requested a change or may not know the result of one
	TeleportAcked bool             // this input acknowledged the teleport
	Held          bool             // the position of the input was ignored
}

// addAnomaly records that an input is suspicious, with the reason. Only the first four reasons of an input are recorded.
func (v *Prediction) addAnomaly(r reason.Reason) {
	for i := range v.Anomalies {
		if v.Anomalies[i] == reason.None {
			v.Anomalies[i] = r
			return
		}
	}
}

// Process simulates the tick of an input that Admit has accepted, and compares the result with the state that the client
// predicted (rules SV-2 and SV-3 of docs/wire/bedrock.md). The parameter ground is the blocks of the area; scratch is working
// memory of the caller. Process replaces invalid values in the input. It does not allocate.
func (p *PredictPolicy) Process(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch) Prediction {
	var v Prediction
	s.Tick, s.Started = in.Tick, true
	if in.Flags.Any(InputUnclaimed) { // the server's own position: in modes that accept the client's position, the body must not move
		in.Pos, in.Delta = s.Avatar.Pos, s.Avatar.Vel
	}
	s.sanitizeInput(in, &v)
	v.ClaimedPos, v.ClaimedVel = in.Pos, in.Delta
	var replay replayedBody
	if s.Teleport.Open {
		replay = p.replayInput(s, in, ground, scratch)
		if !s.acksTeleport(in, &v) {
			p.holdInput(s, in, ground, scratch, &v)
			return v
		}
	}
	// The position in the input is that of a vehicle, but the player rides none (rule SV-10 of docs/wire/bedrock.md).
	if in.Flags.Any(InputVehicle) && !in.Flags.Any(InputFormerVehicle) {
		s.addSuspicion(suspectVehicle)
		v.addAnomaly(reason.VehicleForeign)
	}
	if in.Flags.Any(InputUnloaded) { // the client has no ground yet: nothing to simulate or compare (rule CH-1 of docs/wire/bedrock.md)
		p.holdInput(s, in, ground, scratch, &v)
		s.Avatar.Vel = geom.Vec{}
		return v
	}
	r := p.stepInput(&s.Avatar, in, ground, scratch)
	if replay.ok {
		s.adoptJumpDelay(&replay, in)
	}
	v.Mode, v.SendStance = r.Mode, v.TeleportAcked || (r.Refused|r.StanceChanges)&stanceRequests != 0
	// Two kinds of refused requests are not suspicious: (1) stop requests, such as a request to stand up under a low ceiling, and
	// (2) requests that the client sent before it knew of its player's death.
	if r.Refused&stanceRequests&inputStarts != 0 && v.Mode != ModeDead {
		s.addSuspicion(suspectStance)
		v.addAnomaly(reason.StanceRefused)
	}
	if v.Mode != ModeDead && !in.Flags.Any(InputUnclaimed) { // a dead body is not corrected
		p.judgePrediction(s, in, ground, scratch, &v)
	}
	return v
}

// stepInput moves the avatar by one input: it simulates the input or, if the policy trusts the client, accepts the
// client's position (rule SV-9 of docs/wire/bedrock.md).
func (p *PredictPolicy) stepInput(a *Avatar, in *Input, ground *terrain.Blocks, scratch *Scratch) StepResult {
	if p.TrustClient && !a.Dead && !a.Immobile && !in.Flags.Any(InputVehicle) {
		return a.stepByClient(&p.Liquids, in, p.AcceptLimit, ground, scratch)
	}
	return a.StepIn(&p.Liquids, in, ground, scratch)
}

// stepByClient moves the avatar to the position of an input and sets its velocity. If limit is 0, there is no check. Otherwise
// the avatar moves by at most limit blocks horizontally, up and down, and only as far as the blocks allow. Requests for a stance,
// such as sneaking, are granted or refused as usual.
func (a *Avatar) stepByClient(l *Liquids, in *Input, limit float32, ground *terrain.Blocks, scratch *Scratch) (r StepResult) {
	was, t := a.activeStances(), a.touchedBlocks(l, ground)
	a.Pitch, a.Yaw, a.HeadYaw = in.Pitch, in.Yaw, in.HeadYaw
	r.Refused = a.applyRequests(in, t, ground, scratch)
	r.Mode = a.mode(t, l)
	if limit > 0 {
		maximum := limits{limit, limit, limit}
		r.Clamped = a.stepWithin(bounds{maximum, maximum}, in, ground, scratch)
	} else {
		a.Pos, a.Collided = in.Pos, 0
		a.Vel = geom.Vec{X: clampAbs(in.Delta.X, MaxSpeed), Y: clampAbs(in.Delta.Y, MaxSpeed), Z: clampAbs(in.Delta.Z, MaxSpeed)}
		a.OnGround = a.Vel.Y <= 0 && a.onFloor(ground, scratch)
	}
	r.StanceChanges = stanceChanges(was, a.activeStances())
	return r
}

// sanitizeInput replaces invalid values of the input and records them as anomalies (rule SV-16 of docs/wire/bedrock.md).
func (s *PredictState) sanitizeInput(in *Input, v *Prediction) {
	c := in.Clean(&s.Avatar)
	if c&(CleanedNotFinite|CleanedFar) != 0 {
		if !s.Teleport.Open { // honest clients send such coordinates right after a teleport
			s.addSuspicion(suspectNotFinite)
		}
		v.addAnomaly(reason.NotFinite)
	}
	if c&(CleanedMove|CleanedPitch) != 0 {
		s.addSuspicion(suspectClamped)
		v.addAnomaly(reason.InputClamped)
	}
	if in.Flags.Any(InputHandledTeleport) && !s.Teleport.Open {
		in.Flags &^= InputHandledTeleport
		s.addSuspicion(suspectTeleport)
		v.addAnomaly(reason.NoTeleport)
	}
}

// acksTeleport reports whether the input acknowledges the teleport. If it does, acksTeleport ends the teleport. The client is
// then also sent its stance, because inputs that requested another stance may have been lost.
func (s *PredictState) acksTeleport(in *Input, v *Prediction) bool {
	if !in.Flags.Any(InputHandledTeleport) {
		return false
	}
	s.endTeleport()
	v.TeleportAcked = true
	return true
}

// holdInput processes an input that must not move the avatar, because a teleport is unacknowledged or the client has no ground
// yet. It uses only the input's tick and its requests: a sprint or a sneak that begins in this time continues afterwards.
func (p *PredictPolicy) holdInput(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch, v *Prediction) {
	a := &s.Avatar
	was := a.activeStances()
	a.followJumpDelay(in)
	refused := a.applyRequests(in, a.touchedBlocks(&p.Liquids, ground), ground, scratch)
	v.SendStance = v.TeleportAcked || (refused|stanceChanges(was, a.activeStances()))&stanceRequests != 0
	v.Held = true
}

// judgePrediction compares the client's prediction with the avatar after the step, and decides about a correction (rules
// SV-6, SV-7 and SV-11 of docs/wire/bedrock.md).
func (p *PredictPolicy) judgePrediction(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch, v *Prediction) {
	vehicle := in.Flags.Any(InputVehicle)
	v.Allowed = p.threshold(s)
	v.PosError = geom.Sqrt(geom.Dist2(s.Avatar.Pos, in.Pos))
	v.VelError = geom.Sqrt(geom.Dist2(s.Avatar.Vel, in.Delta))
	if v.PosError > v.Allowed && v.Mode == ModeLiquid && s.Avatar.swimsNearSurface(ground) {
		v.PosError = surfaceError(s.Avatar.Pos, in.Pos, p.Liquids.Water.SurfaceTolerance)
	}
	if p.TrustClient && !vehicle {
		s.acceptClient()
		return
	}
	s.EaseBudget = min(s.EaseBudget+float32(p.EasePerSecond*secondsPerTick), p.EasePerSecond)
	agrees := !vehicle && !s.ForceCorrection && v.PosError <= float32(v.Allowed*p.AcceptShare) && v.VelError <= VelocityTolerance
	if agrees {
		s.EaseDisabled = false
	} else if v.TeleportAcked && !s.ForceCorrection && p.offTarget(v, &s.Avatar) { // a small offset would grow at the next edge or step
		s.ForceCorrection, s.ForceReason = true, reason.Landing
		v.Allowed *= p.AcceptShare
	}
	blocked := s.awaitsChange(in.Tick, agrees, p.History)
	switch {
	case blocked:
		return
	case vehicle:
		p.decideCorrection(s, v, reason.VehicleForeign)
	case s.ForceCorrection:
		p.decideCorrection(s, v, s.ForceReason)
	case v.PosError > v.Allowed:
		p.decideCorrection(s, v, reason.Mispredicted)
	case p.VelocityThreshold > 0 && v.VelError > p.VelocityThreshold:
		p.decideCorrection(s, v, reason.MispredictedSpeed)
	case v.PosError > 0:
		p.easeTowardClient(s, in, ground, scratch, v)
	}
}

// surfaceError returns the distance between two positions of a swimmer near the surface of water, where clients and server often
// differ a little in height. The vertical difference is first reduced by the parameter tolerance.
func surfaceError(a, b geom.Vec, tolerance float32) float32 {
	d := a.Sub(b)
	d.Y = max(geom.Abs(d.Y)-tolerance, 0)
	return geom.Sqrt(geom.Dist2(d, geom.Vec{}))
}

// offTarget reports whether a client that acknowledges a teleport is not at the server's position, or its horizontal velocity
// differs from the server's. The vertical velocity is not compared, because a client that starts to fall one tick later than
// the server still arrives at the server's position on the ground.
func (p *PredictPolicy) offTarget(v *Prediction, a *Avatar) bool {
	dx, dz := v.ClaimedVel.X-a.Vel.X, v.ClaimedVel.Z-a.Vel.Z
	return v.PosError > float32(v.Allowed*p.AcceptShare) || geom.Sqrt(float32(dx*dx)+float32(dz*dz)) > VelocityTolerance
}

// stanceRequests are the requests to start or stop a stance, such as sneaking. The client is sent the result of each (rule SV-21
// of docs/wire/bedrock.md).
const stanceRequests = InputStartSneak | InputStopSneak | InputStartSprint | InputStopSprint | InputStartSwim | InputStopSwim |
	InputStartGlide | InputStopGlide | InputStartCrawl | InputStopCrawl | InputStartFly | InputStopFly

const (
	inputsPerSecond = 20                   // inputs per second: one per client tick
	secondsPerTick  = 1. / inputsPerSecond // seconds per client tick
)

// VelocityTolerance is the maximum difference, in blocks per tick, between two velocities that count as equal. Source:
// docs/wire/bedrock.md.
const VelocityTolerance = 0.01

// CorrectionTooLate reports whether a correction of the last processed tick would arrive after the client has deleted that tick
// from its history. That is so if the time of the queued inputs plus the round trip (rttMS, in ms) is at least the time that
// the history covers. Then the caller teleports the player instead (rule SV-15 of docs/wire/bedrock.md).
func (p *PredictPolicy) CorrectionTooLate(s *PredictState, rttMS uint16) bool {
	return s.NewestTick-s.Tick+uint64(rttMS)*inputsPerSecond/1000 >= uint64(p.History)
}

// threshold returns the position error, in blocks, above which the player is corrected.
func (p *PredictPolicy) threshold(s *PredictState) float32 {
	if p.StrictSuspicion > 0 && s.Suspicion >= p.StrictSuspicion {
		return min(p.Threshold, p.StrictThreshold)
	}
	return p.Threshold
}

// awaitsChange reports whether a change by the server is still unconfirmed, so that the client's prediction cannot match yet
// (rule SV-14 of docs/wire/bedrock.md). A change counts as confirmed when (1) a later input matches, unless
// PendingChange.NeedsAck is set, (2) the barrier was acknowledged and one more input was processed, or (3) the tick of the
// change has left the client's history.
func (s *PredictState) awaitsChange(tick uint64, agrees bool, history int32) bool {
	f := &s.Pending
	switch {
	case !f.Open:
		return false
	case agrees && !f.NeedsAck && tick > f.Tick, f.InputAfterAck, tick > f.Tick+uint64(history):
		*f = PendingChange{}
		return false
	case f.Acked:
		f.InputAfterAck = true
	}
	return true
}

// acceptClient cancels corrections that the server has requested or sent, because clients are not corrected while the policy
// trusts them (rule SV-9 of docs/wire/bedrock.md).
func (s *PredictState) acceptClient() { s.Pending, s.ForceCorrection = PendingChange{}, false }

// decideCorrection requests a correction, unless the last one is too recent (rule SV-13 of docs/wire/bedrock.md). A correction
// does not contain the stance (sneaking, sprinting and so on). So the client is sent its stance, too, in three cases: (1) its
// prediction has not matched since the last correction, (2) inputs were lost, or (3) the player swims, because after a correction
// its client assumes the box of a standing player.
func (p *PredictPolicy) decideCorrection(s *PredictState, v *Prediction, why reason.Reason) {
	again := s.EaseDisabled
	s.EaseDisabled = true
	if s.Corrected && s.Tick <= s.LastCorrection+uint64(p.MinDelay) {
		return
	}
	v.SendStance = v.SendStance || again || why == reason.InputOverflow || s.Avatar.Swimming
	s.Corrected, s.LastCorrection, s.ForceCorrection = true, s.Tick, false
	v.Correct = why
}

// easeTowardClient moves the server's position a little toward the client's, horizontally and never into a block (rule SV-11 of
// docs/wire/bedrock.md). The distance per second is limited. The position is not moved while the client is under any suspicion,
// or while its prediction does not match (rule SV-12 of docs/wire/bedrock.md).
func (p *PredictPolicy) easeTowardClient(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch, v *Prediction) {
	maximum := float32(v.Allowed * p.EaseShare)
	if v.PosError <= float32(v.Allowed*p.AcceptShare) {
		maximum = v.PosError
	}
	maximum = min(maximum, s.EaseBudget)
	if s.EaseDisabled || s.Suspicion > 0 || maximum <= 0 || v.Mode != ModeWalk && v.Mode != ModeLiquid {
		return
	}
	to := s.Avatar.Pos
	dx, dz := in.Pos.X-to.X, in.Pos.Z-to.Z
	d := geom.DistXZ(in.Pos, to)
	if d == 0 {
		return
	}
	if d <= maximum {
		to.X, to.Z = in.Pos.X, in.Pos.Z
	} else {
		to.X += float32(dx * (maximum / d))
		to.Z += float32(dz * (maximum / d))
	}
	if !s.Avatar.fitsAt(to, ground, scratch) {
		return
	}
	v.EasedBy = min(d, maximum)
	s.Avatar.Pos = to
	s.EaseBudget -= v.EasedBy
}
