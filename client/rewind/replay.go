package rewind

// Rewind is one correction of the past, as Settle did it. The zero value says that nothing waited.
type Rewind struct {
	To       uint64 // oldest tick that had news
	Replayed int    // ticks that were simulated again: all after To
	Changed  int    // ticks from To on whose state is another now; 0 as well if the history was made without same
	Visible  bool   // the present is another now, so what is drawn jumps (CL-6)
}

// Happened reports whether anything waited at all.
func (r Rewind) Happened() bool { return r.To != 0 }

// Settle lets the packets that wait take effect: it goes back to the oldest tick that has news, applies what is filed
// there, and simulates every later tick again with its own input and its own packets (CL-3 a, CL-4). Step does so by
// itself; call it before, to decide on an input by the state that is true.
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
		e.stepped = h.step(s, e.input)
		s = h.applyPackets(e, e.stepped, &r)
	}
	h.now, h.dirty = s, 0
	r.Visible = h.equal != nil && !h.equal(was, s)
	h.stats.countRewind(r, h.equal != nil)
	return r
}

// settleEntry applies all packets of a tick to the state s after its step.
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
