package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// PredictState is what the predict authority keeps of one player: his body after the last processed input, and what is
// under way between server and client. It is plain data; a snapshot copies it. The zero value knows no input yet.
type PredictState struct {
	Avatar     Avatar
	Tick       uint64 // of the last processed input; the tick of every packet about this player (SV-4)
	Started    bool   // there was one
	NewestTick uint64 // tick of the last admitted input, Tick <= Newest

	TickRemainder int32 // of a client's tick, in parts of a second of server ticks: what the last server tick left over
	Credits       int32 // inputs that may be processed beyond those of the tick
	OwedTicks     int32 // idle ticks beyond all credits, whose inputs wait or are yet to come
	BacklogTicks  int32 // server ticks in each of which an input was left waiting
	SilentTicks   int32 // server ticks without an input, less those that inputs have made good
	DecayTicks    int32 // server ticks until Suspicion halves

	Pending  PendingChange
	Teleport Teleport

	LastCorrection  uint64  // tick of the last correction...
	Corrected       bool    // ...if there was one
	EaseBudget      float32 // blocks that may still be given away
	EaseDisabled    bool    // nothing is given away until an input agrees
	ForceCorrection bool    // inputs were lost: the next one is corrected whatever the difference
	ForceReason     reason.Reason
	AcceptTickJump  bool // the next input's tick counts, however far it jumps
	Suspicion       int32
}

// Flight is a change by the server that the client does not know of yet: a correction, a knockback or the like. Inputs
// that were under way meanwhile disagree by design and are not corrected (SV-14).
type PendingChange struct {
	Open          bool
	Tick          uint64 // the change is in the state after that tick
	Serial        uint32 // of the barrier that was sent behind it
	Acked         bool   // the barrier came back...
	InputAfterAck bool   // ...and one more input was processed
	BarrierOnly   bool   // the change need not show at once: an input that agrees proves nothing
}

// Teleport is one that the client has not acknowledged yet; until then its positions count for nothing.
type Teleport struct {
	Open      bool
	WaitTicks int32 // server ticks since it was told
	Sends     int32 // how often it was told
}

// Prediction is what became of one input.
type Prediction struct {
	Mode          Mode          // how the step was made
	ClaimedPos    geom.Vec      // where the client said it is, feet...
	ClaimedVel    geom.Vec      // ...and how fast, blocks per tick
	PosError      float32       // between that and where it is, blocks (SV-11)
	VelError      float32       // the difference of the velocities, blocks per tick
	Allowed       float32       // the threshold, blocks
	Correct       reason.Reason // not None: tell the client the state after this tick (SV-5)
	EasedBy       float32       // blocks by which the server gave way
	Anomalies     [4]reason.Reason
	SendStance    bool // the client asked for another stance or gait: tell it what came of it
	TeleportAcked bool // this input acknowledged the teleport
	Held          bool // positions are ignored until the teleport is acknowledged
}

// note adds something odd about the input; more than four kinds at once tell nothing new.
func (v *Prediction) addAnomaly(r reason.Reason) {
	for i := range v.Anomalies {
		if v.Anomalies[i] == reason.None {
			v.Anomalies[i] = r
			return
		}
	}
}

// Process simulates the tick of one input, which Admit has let pass, and judges it (SV-2, SV-3). ground is that of the
// area; scratch belongs to the caller. in is changed where it is not fit for use. It does not allocate.
func (p *PredictPolicy) Process(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch) Prediction {
	var v Prediction
	s.Tick, s.Started = in.Tick, true
	s.sanitizeInput(in, &v)
	v.ClaimedPos, v.ClaimedVel = in.Pos, in.Delta
	if s.Teleport.Open && !s.acksTeleport(in, &v) {
		s.holdInput(in, ground, scratch, &v)
		return v
	}
	if in.Flags.Any(InputVehicle) { // nobody rides through this door: the position is of something else (SV-10)
		s.addSuspicion(suspectVehicle)
		v.addAnomaly(reason.VehicleRefused)
	}
	if in.Flags.Any(InputUnloaded) { // the client has no ground to stand on yet: nothing to simulate or compare (CH-1)
		s.holdInput(in, ground, scratch, &v)
		s.Avatar.Vel = geom.Vec{}
		return v
	}
	r := p.step(&s.Avatar, in, ground, scratch)
	v.Mode, v.SendStance = r.Mode, v.TeleportAcked || (r.Refused|r.Changed)&stanceRequests != 0
	// Whoever asks to stop and may not, under a low ceiling, wants nothing odd, nor does who has not heard of his death.
	if r.Refused&stanceRequests&inputStarts != 0 && v.Mode != ModeDead {
		s.addSuspicion(suspectStance)
		v.addAnomaly(reason.StanceRefused)
	}
	if v.Mode != ModeDead { // a corpse is not corrected
		p.compare(s, in, ground, scratch, &v)
	}
	return v
}

// step moves the body by one input: as the rules say, or as the client says if the policy takes its word (SV-9).
func (p *PredictPolicy) step(a *Avatar, in *Input, ground *terrain.Blocks, scratch *Scratch) StepResult {
	if p.TrustClient && !a.Dead && !a.Immobile && !in.Flags.Any(InputVehicle) {
		return a.stepByClient(in, ground, scratch)
	}
	return a.Step(in, ground, scratch)
}

// follow takes the position and velocity of an input as far as one may fly in a tick and the blocks on the way allow.
// Requests are granted as ever.
func (a *Avatar) stepByClient(in *Input, ground *terrain.Blocks, scratch *Scratch) (r StepResult) {
	was, t := a.activeStances(), a.contact(ground)
	a.Pitch, a.Yaw, a.HeadYaw = in.Pitch, in.Yaw, in.HeadYaw
	r.Refused = a.applyRequests(in, t, ground, scratch)
	r.Mode, r.Clamped = a.mode(t), a.stepBounded(in, ModeFly, ground, scratch)
	r.Changed = changes(was, a.activeStances())
	return r
}

// mend makes the input fit for use (SV-16).
func (s *PredictState) sanitizeInput(in *Input, v *Prediction) {
	c := in.Clean(&s.Avatar)
	if c&(CleanedNotFinite|CleanedFar) != 0 {
		if !s.Teleport.Open { // honest clients send such numbers when they have just been put somewhere
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

// lands tells whether the input acknowledges the teleport. If so, the client is told its stance: inputs that asked for
// another one may have been lost on the way.
func (s *PredictState) acksTeleport(in *Input, v *Prediction) bool {
	if !in.Flags.Any(InputHandledTeleport) {
		return false
	}
	s.Teleport = Teleport{}
	v.TeleportAcked = true
	return true
}

// hold lets nothing of the input count but its tick and what it asks for: a client that sprints or sneaks meanwhile goes
// on with that afterwards.
func (s *PredictState) holdInput(in *Input, ground *terrain.Blocks, scratch *Scratch, v *Prediction) {
	a := &s.Avatar
	was := a.activeStances()
	refused := a.applyRequests(in, a.contact(ground), ground, scratch)
	v.SendStance = v.TeleportAcked || (refused|changes(was, a.activeStances()))&stanceRequests != 0
	v.Held = true
}

// compare judges the client's prediction against the state after the step (SV-6, SV-7, SV-11).
func (p *PredictPolicy) compare(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch, v *Prediction) {
	vehicle := in.Flags.Any(InputVehicle)
	v.Allowed = p.threshold(s)
	v.PosError = geom.Sqrt(geom.Dist2(s.Avatar.Pos, in.Pos))
	v.VelError = geom.Sqrt(geom.Dist2(s.Avatar.Vel, in.Delta))
	if p.TrustClient && !vehicle {
		s.acceptClient()
		return
	}
	s.EaseBudget = min(s.EaseBudget+float32(p.EasePerSecond*secondsPerTick), p.EasePerSecond)
	agrees := !vehicle && !s.ForceCorrection && v.PosError <= float32(v.Allowed*p.AcceptShare) && v.VelError <= VelocityTolerance
	if agrees {
		s.EaseDisabled = false
	} else if v.TeleportAcked && !s.ForceCorrection && p.landedOff(v, &s.Avatar) { // a little off would be more at the next edge or step
		s.ForceCorrection, s.ForceReason = true, reason.Landing
		v.Allowed *= p.AcceptShare
	}
	blocked := s.awaitsChange(in.Tick, agrees, p.History)
	switch {
	case blocked:
		return
	case vehicle:
		p.correct(s, v, reason.VehicleRefused)
	case s.ForceCorrection:
		p.correct(s, v, s.ForceReason)
	case v.PosError > v.Allowed:
		p.correct(s, v, reason.Mispredicted)
	case p.VelocityThreshold > 0 && v.VelError > p.VelocityThreshold:
		p.correct(s, v, reason.MispredictedSpeed)
	case v.PosError > 0:
		p.ease(s, in, ground, scratch, v)
	}
}

// besides tells whether a client landed beside the place to which it was moved, or still goes. One that only began to fall
// a tick later stands where it should as soon as it meets the ground.
func (p *PredictPolicy) landedOff(v *Prediction, a *Avatar) bool {
	dx, dz := v.ClaimedVel.X-a.Vel.X, v.ClaimedVel.Z-a.Vel.Z
	return v.PosError > float32(v.Allowed*p.AcceptShare) || geom.Sqrt(float32(dx*dx)+float32(dz*dz)) > VelocityTolerance
}

// stances are the requests that the client hears an answer to (SV-21).
const stanceRequests = InputStartSneak | InputStopSneak | InputStartSprint | InputStopSprint | InputStartSwim | InputStopSwim |
	InputStartGlide | InputStopGlide | InputStartCrawl | InputStopCrawl | InputStartFly | InputStopFly

const (
	inputsPerSecond = 20                   // of a client, one in each of its ticks
	secondsPerTick  = 1. / inputsPerSecond // of a client's tick
)

// AgreeSpeed is the difference of two velocities below which they are the same, in blocks per tick [C].
const VelocityTolerance = 0.01

// Late tells whether a correction of the last processed input would come when the client has forgotten that tick: what
// waits and what is under way is more than its history. rttMS is its round trip. A teleport is right then (SV-15).
func (p *PredictPolicy) CorrectionTooLate(s *PredictState, rttMS uint16) bool {
	return s.NewestTick-s.Tick+uint64(rttMS)*inputsPerSecond/1000 >= uint64(p.History)
}

// threshold is the distance above which a player is corrected.
func (p *PredictPolicy) threshold(s *PredictState) float32 {
	if p.StrictSuspicion > 0 && s.Suspicion >= p.StrictSuspicion {
		return min(p.Threshold, p.StrictThreshold)
	}
	return p.Threshold
}

// wait tells whether a change is still on its way to the client, which then cannot agree (SV-14). It is over when an
// input after it agrees, unless that proves nothing, when the barrier came back and one more input was processed, or when
// the client's history no longer holds it.
func (s *PredictState) awaitsChange(tick uint64, agrees bool, history int32) bool {
	f := &s.Pending
	switch {
	case !f.Open:
		return false
	case agrees && !f.BarrierOnly && tick > f.Tick, f.InputAfterAck, tick > f.Tick+uint64(history):
		*f = PendingChange{}
		return false
	case f.Acked:
		f.InputAfterAck = true
	}
	return true
}

// settle ends what nobody is corrected for where the client's word is taken (SV-9).
func (s *PredictState) acceptClient() { s.Pending, s.ForceCorrection = PendingChange{}, false }

// correct decides to tell the client, unless the last time is too near (SV-13). A client that has not agreed since it was
// corrected last may be of another mind about its stance, which a correction does not tell: so it is told as well, as
// after inputs that were lost.
func (p *PredictPolicy) correct(s *PredictState, v *Prediction, why reason.Reason) {
	again := s.EaseDisabled
	s.EaseDisabled = true
	if s.Corrected && s.Tick <= s.LastCorrection+uint64(p.MinDelay) {
		return
	}
	v.SendStance = v.SendStance || again || why == reason.InputOverflow
	s.Corrected, s.LastCorrection, s.ForceCorrection = true, s.Tick, false
	v.Correct = why
}

// giveWay lets the server's position follow the client's by a little, over the ground and never into a block (SV-11). It
// is bounded in time, and off while anything else is odd (SV-12).
func (p *PredictPolicy) ease(s *PredictState, in *Input, ground *terrain.Blocks, scratch *Scratch, v *Prediction) {
	most := float32(v.Allowed * p.EaseShare)
	if v.PosError <= float32(v.Allowed*p.AcceptShare) {
		most = v.PosError
	}
	most = min(most, s.EaseBudget)
	if s.EaseDisabled || s.Suspicion > 0 || most <= 0 || v.Mode != ModeWalk {
		return
	}
	to := s.Avatar.Pos
	dx, dz := in.Pos.X-to.X, in.Pos.Z-to.Z
	d := geom.DistXZ(in.Pos, to)
	if d == 0 {
		return
	}
	if d <= most {
		to.X, to.Z = in.Pos.X, in.Pos.Z
	} else {
		to.X += float32(dx * (most / d))
		to.Z += float32(dz * (most / d))
	}
	if !s.Avatar.fits(to, ground, scratch) {
		return
	}
	v.EasedBy = min(d, most)
	s.Avatar.Pos = to
	s.EaseBudget -= v.EasedBy
}
