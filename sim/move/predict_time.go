package move

import "github.com/truestep-io/truestep/sim/reason"

// Admit decides whether an input may be processed at all, by its tick (SV-17). It is asked when the input arrives. The
// reason why not is TickForged or TickGap; after a gap the caller teleports the player to where he is.
func (p *PredictPolicy) Admit(s *PredictState, in *Input) reason.Reason {
	const most = 1 << 63
	switch first := !s.Started && s.NewestTick == 0; {
	case in.Tick >= most, !first && in.Tick <= s.NewestTick, in.Tick == 0 && !first:
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

// Lost notes that an input which was admitted will not be processed, because too many waited (SV-19). Those that are lost
// together, until the client is told, are one offence: a line that was dead for some seconds delivers them at once.
func (p *PredictPolicy) InputDropped(s *PredictState) {
	if !s.ForceCorrection {
		s.addSuspicion(suspectOverflow)
	}
	s.ForceCorrection, s.ForceReason = true, reason.InputOverflow
}

// Turns is how many of the inputs that wait are processed in this server tick (SV-18): all if the policy is greedy, else
// those for which there was time since the last tick and as many more as idle ticks have saved up. It is to be asked once
// in each tick of the server, of which there are ticksPerSecond; clients have 20 in any world.
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
	if turns <= due && int(turns) == waiting && s.SilentTicks == 0 { // it keeps pace
		s.OwedTicks = 0
	}
	return int(turns + p.catchUp(s, int32(waiting)-turns, int32(ticksPerSecond)))
}

// catchUp is 1 if one input more may be processed, of those that wait. Without it whatever waits once, after a line was
// dead for longer than credits last or the server left ticks out, would wait as long as the client sends twenty a second:
// its player would be late for good. Time that was the client's is paid back at a tenth more than its pace; else clocks
// may differ by a thousandth, which is far less than the comparison gives away.
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
	minInputsPerSecond = 5  // inputs; whoever sends fewer is silent, however he spreads them
	catchUpPerSecond   = 2  // inputs that are caught up in a second...
	driftSeconds       = 50 // ...or seconds in which one is, where no time is owed   guess: cheap crystals are off by 1e-4
)
