package rewind

// Stats counts what a history did since it was made.
type Stats struct {
	Queued      uint64 // packets that waited for their tick
	Untimed     uint64 // packets with tick 0, applied at once
	Late        uint64 // packets for a tick that was forgotten, applied at once
	Early       uint64 // packets for a tick that was not simulated yet, applied at once
	Overflowed  uint64 // packets for a tick that held MaxFiled, applied at once
	Rewinds     uint64 // times that the past was corrected
	Replayed    uint64 // ticks that were simulated again
	MaxReplayed int    // most ticks of one replay
	Unchanged   uint64 // rewinds after which every state was as before (CL-7)
	Visible     uint64 // rewinds after which the present was another
}

// Stats returns the counts so far.
func (h *History[S, I, P]) Stats() Stats { return h.stats }

// count files a packet that did not wait under its reason.
func (s *Stats) countUnqueued(tick, newest uint64) {
	switch {
	case tick == 0:
		s.Untimed++
	case tick > newest:
		s.Early++
	default:
		s.Late++
	}
}

// rewound counts a replay. compared reports whether its states were held against the former ones.
func (s *Stats) countRewind(r Rewind, compared bool) {
	s.Rewinds++
	s.Replayed += uint64(r.Replayed)
	s.MaxReplayed = max(s.MaxReplayed, r.Replayed)
	if compared && r.Changed == 0 {
		s.Unchanged++
	}
	if r.Visible {
		s.Visible++
	}
}
