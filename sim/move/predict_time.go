package move

import "github.com/truestep-io/truestep/sim/reason"

// Admit decides by the tick of an input whether the input may be processed (rule SV-17 of docs/wire/bedrock.md). Call it
// when the input arrives. It returns None, TickForged or TickGap; after TickGap the caller teleports the player to its
// current position.
func (p *PredictPolicy) Admit(s *PredictState, in *Input) reason.Reason {
	const maximum = 1 << 63
	switch first := !s.Started && s.NewestTick == 0; {
	case in.Tick >= maximum, !first && in.Tick <= s.NewestTick, in.Tick == 0 && !first:
		s.addSuspicion(suspectForged)
		return reason.TickForged
	case !first && !s.AcceptTickJump && in.Tick-s.NewestTick > uint64(p.History):
		s.addSuspicion(suspectBigGap)
		s.AcceptTickJump = true
		return reason.TickGap
	}
	if !s.AcceptTickJump && s.NewestTick != 0 && in.Tick-s.NewestTick > 1 {
		s.addSuspicion(suspectGap)
	}
	s.AcceptTickJump = false
	s.NewestTick = in.Tick
	return reason.None
}

// InputDropped records that an input which Admit has accepted will not be processed, because the queue was full (rule SV-19 of
// docs/wire/bedrock.md). It forces a correction. Suspicion grows only with the first dropped input before that correction,
// because a connection that stalled for seconds delivers many inputs at once.
func (p *PredictPolicy) InputDropped(s *PredictState) {
	if !s.ForceCorrection {
		s.addSuspicion(suspectOverflow)
	}
	s.ForceCorrection, s.ForceReason = true, reason.InputOverflow
}

// InputsDue returns how many of the waiting inputs must be processed in this server tick (rule SV-18 of docs/wire/bedrock.md):
// all of them if the policy is greedy. Otherwise it is the number that clients send between two ticks, plus the number that was
// missing in earlier ticks (the credits). Call it once per server tick. The parameter ticksPerSecond is the server's tick rate.
// Clients always send 20 inputs per second.
func (p *PredictPolicy) InputsDue(s *PredictState, waiting, ticksPerSecond int) int {
	s.decaySuspicion(int32(ticksPerSecond))
	n := waiting
	if !p.Greedy {
		n = p.inputsDue(s, waiting, ticksPerSecond)
	}
	s.SilentTicks = max(s.SilentTicks-int32(n*ticksPerSecond/minInputsPerSecond), 0)
	return n
}

func (p *PredictPolicy) inputsDue(s *PredictState, waiting, ticksPerSecond int) int {
	s.TickRemainder += inputsPerSecond
	due := s.TickRemainder / int32(ticksPerSecond)
	s.TickRemainder %= int32(ticksPerSecond)
	turns := min(int32(waiting), due+s.Credits)
	if s.Started {
		left := s.Credits + due - turns
		s.Credits = min(left, p.MaxCredits)
		s.OwedTicks = min(s.OwedTicks+left-s.Credits, p.QueueSize)
	}
	if turns <= due && int(turns) == waiting && s.SilentTicks == 0 { // the client keeps pace
		s.OwedTicks = 0
	}
	return int(turns + p.catchUp(s, int32(waiting)-turns, int32(ticksPerSecond)))
}

// catchUp returns 1 if one more of the waiting inputs may be processed in this server tick, else 0. It is for inputs that were
// delayed, by a stall of the connection or by skipped server ticks, for longer than the credits cover. Without it they would stay
// delayed, because the client continues to send 20 inputs per second. (1) While the server owes the client ticks
// (PredictState.OwedTicks), inputs are processed 10 % faster than the client sends them. (2) Otherwise one extra input per
// driftSeconds is allowed, for clocks that differ by up to 0.1 %. What a client could gain by (2) is far less than what
// AcceptShare and EasePerSecond allow.
func (p *PredictPolicy) catchUp(s *PredictState, waiting, ticksPerSecond int32) int32 {
	if waiting <= 0 || p.MaxCredits == 0 {
		s.BacklogTicks = 0
		return 0
	}
	every := ticksPerSecond * driftSeconds
	if s.OwedTicks > 0 {
		every = (ticksPerSecond + 1) / catchUpPerSecond
	}
	if s.BacklogTicks++; s.BacklogTicks < every {
		return 0
	}
	s.BacklogTicks, s.OwedTicks = 0, max(s.OwedTicks-1, 0)
	return 1
}

const (
	minInputsPerSecond = 5  // clients that send fewer inputs per second count as silent
	catchUpPerSecond   = 2  // extra inputs per second while ticks are owed
	driftSeconds       = 50 // seconds per extra input while no ticks are owed; chosen because cheap crystals are off by 1e-4
)
