package rewind

// Rewind describes what one call of Reconcile did. The zero value means that no packet was queued.
type Rewind struct {
	To       uint64 // tick to which the history was rewound: the oldest with queued packets
	Replayed int    // number of ticks simulated again, from To + 1 to the present
	Changed  int    // number of ticks whose state changed, To included; 0 if the history has no equal function
	Visible  bool   // the present state changed, so the displayed position jumps (rule CL-6 of docs/wire/bedrock.md)
}

// Happened reports whether packets were queued, so that the history was rewound.
func (r Rewind) Happened() bool { return r.To != 0 }

// Reconcile applies the queued packets. It goes back to the oldest tick that has a queued packet, applies the packets of
// that tick, and simulates every later tick again, with the stored input and packets of that tick (rules CL-3 a and CL-4 of
// docs/wire/bedrock.md). Step calls Reconcile. Call it before Step to choose the input based on the corrected state.
func (h *History[S, I, P]) Reconcile() Rewind {
	if h.dirty == 0 {
		return Rewind{}
	}
	r := Rewind{To: h.dirty, Replayed: int(h.tick - h.dirty)}
	was := h.now
	e := h.at(h.dirty)
	s := h.applyPackets(e, e.stepped, &r)
	for t := h.dirty + 1; t <= h.tick; t++ {
		e = h.at(t)
		e.stepped = s
		h.step(&e.stepped, e.input)
		s = h.applyPackets(e, e.stepped, &r)
	}
	h.now, h.dirty = s, 0
	r.Visible = h.equal != nil && !h.equal(was, s)
	h.stats.countRewind(r, h.equal != nil)
	return r
}

// applyPackets applies all packets that belong to the tick of the entry e. The parameter s is the state after the
// simulation of that tick.
func (h *History[S, I, P]) applyPackets(e *entry[S, I, P], s S, r *Rewind) S {
	for i := range e.packets {
		s = h.apply(s, e.packets[i])
	}
	if h.equal != nil && !h.equal(e.after, s) {
		r.Changed++
	}
	e.after = s
	return s
}
