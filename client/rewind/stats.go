package rewind

// Stats counts the packets and rewinds of a history since its creation.
type Stats struct {
	Queued      uint64 // packets queued at their tick
	Untimed     uint64 // packets with tick 0, applied immediately
	Late        uint64 // packets for a tick no longer in the history, applied immediately
	Early       uint64 // packets for a tick not simulated yet, applied immediately
	Overflowed  uint64 // packets applied immediately because the history stored the maximum number of packets
	Rewinds     uint64 // calls of Reconcile or Step that found queued packets
	Replayed    uint64 // ticks simulated again in all rewinds
	MaxReplayed int    // greatest number of ticks simulated again in one rewind
	Unchanged   uint64 // rewinds that changed no state (rule CL-7 of docs/wire/bedrock.md)
	Visible     uint64 // rewinds that changed the present state (rule CL-6 of docs/wire/bedrock.md)
}

// Stats returns the counts so far.
func (h *History[S, I, P]) Stats() Stats { return h.stats }

// countUnqueued counts a packet that was applied immediately because its tick is not in the history: it has no tick, or the tick
// is too new or too old. The parameter tick is the tick of the packet, and newest the newest simulated tick.
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

// countRewind counts a rewind. The parameter compared says whether the history compares states: only then the fields of r about
// changes are valid.
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
