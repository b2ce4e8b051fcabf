package move

import "github.com/truestep-io/truestep/sim/reason"

// Admit decides whether an input may be processed at all, by its tick (SV-17). It is asked when the input arrives. The
// reason why not is TickForged or TickGap; after a gap the caller teleports the player to where he is.
func (p *PredictPolicy) Admit(s *PredictState, in *Input) reason.Reason {
	const most = 1 << 63
	switch first := !s.Begun && s.Newest == 0; {
	case in.Tick >= most, !first && in.Tick <= s.Newest, in.Tick == 0 && !first:
		s.suspect(suspectForged)
		return reason.TickForged
	case !first && !s.Rebase && in.Tick-s.Newest > uint64(p.History):
		s.suspect(suspectLeap)
		s.Rebase = true
		return reason.TickGap
	}
	if !s.Rebase && s.Newest != 0 && in.Tick-s.Newest > 1 {
		s.suspect(suspectGap)
	}
	s.Rebase = false
	s.Newest = in.Tick
	return reason.None
}

// Lost notes that an input which was admitted will not be processed, because too many waited (SV-19). Those that are lost
// together, until the client is told, are one offence: a line that was dead for some seconds delivers them at once.
func (p *PredictPolicy) Lost(s *PredictState) {
	if !s.Overdue {
		s.suspect(suspectOverflow)
	}
	s.Overdue, s.OverdueWhy = true, reason.InputOverflow
}

// Turns is how many of the inputs that wait are processed in this server tick (SV-18): all if the policy is greedy, else
// those for which there was time since the last tick and as many more as idle ticks have saved up. It is to be asked once
// in each tick of the server, of which there are ticksPerSecond; clients have 20 in any world.
func (p *PredictPolicy) Turns(s *PredictState, waiting, ticksPerSecond int) int {
	s.fade(int32(ticksPerSecond))
	n := waiting
	if !p.Greedy {
		n = p.turns(s, waiting, ticksPerSecond)
	}
	s.Silent = max(s.Silent-int32(n*ticksPerSecond/leastPerSecond), 0)
	return n
}

func (p *PredictPolicy) turns(s *PredictState, waiting, ticksPerSecond int) int {
	s.Share += inputsPerSecond
	due := s.Share / int32(ticksPerSecond)
	s.Share %= int32(ticksPerSecond)
	turns := min(int32(waiting), due+s.Credits)
	if s.Begun {
		left := s.Credits + due - turns
		s.Credits = min(left, p.MaxCredits)
		s.Arrears = min(s.Arrears+left-s.Credits, p.Batch)
	}
	if turns <= due && int(turns) == waiting && s.Silent == 0 { // it keeps pace
		s.Arrears = 0
	}
	return int(turns + p.catchUp(s, int32(waiting)-turns, int32(ticksPerSecond)))
}

// catchUp is 1 if one input more may be processed, of those that wait. Without it whatever waits once, after a line was
// dead for longer than credits last or the server left ticks out, would wait as long as the client sends twenty a second:
// its player would be late for good. Time that was the client's is paid back at a tenth more than its pace; else clocks
// may differ by a thousandth, which is far less than the comparison gives away.
func (p *PredictPolicy) catchUp(s *PredictState, waiting, ticksPerSecond int32) int32 {
	if waiting <= 0 || p.MaxCredits == 0 {
		s.Waited = 0
		return 0
	}
	every := ticksPerSecond * driftSeconds
	if s.Arrears > 0 {
		every = (ticksPerSecond + 1) / repaysPerSecond
	}
	if s.Waited++; s.Waited < every {
		return 0
	}
	s.Waited, s.Arrears = 0, max(s.Arrears-1, 0)
	return 1
}

const (
	leastPerSecond  = 5  // inputs; whoever sends fewer is silent, however he spreads them
	repaysPerSecond = 2  // inputs that are caught up in a second...
	driftSeconds    = 50 // ...or seconds in which one is, where no time is owed   guess: cheap crystals are off by 1e-4
)
