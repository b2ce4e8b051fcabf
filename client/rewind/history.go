package rewind

// MaxFiled is how many packets the history keeps for one tick. What comes on top of them takes effect at once and is not
// remembered, so that a peer cannot make the client hold or replay more than size x MaxFiled packets.
const MaxQueuedPerTick = 64

// Fate is what became of a packet.
type Outcome uint8

// The fates.
const (
	Queued  Outcome = iota + 1 // it waits in the history for the next Settle or Step
	Applied                    // it has changed the present already
)

// History holds the newest ticks of one predicted thing: for each the input, the state after it and the packets that
// belong to it (CL-1). S is the state, I the input of a tick, P a packet that changes a state.
type History[S, I, P any] struct {
	step  func(S, I) S
	apply func(S, P) S
	equal func(a, b S) bool

	ring  []entry[S, I, P] // tick t is at t % len(ring) while oldest <= t <= tick
	start uint64           // tick after which the history begins; it has no entry itself
	tick  uint64           // the newest; start while there is none
	now   S                // the state after tick and after what took effect since
	dirty uint64           // lowest tick whose packets wait; 0 none, as tick 0 is never remembered
	stats Stats
}

// entry is one tick.
type entry[S, I, P any] struct {
	input   I
	stepped S   // after the step alone; a rewind begins here and applies every packet again
	after   S   // after the packets too, as far as they have taken effect
	packets []P // in order of arrival
}

// New returns an empty history of the last size ticks; a size below 1 counts as 1. The memory for them is taken now, so
// a size that came off a wire is bounded by the caller. step simulates one tick, apply puts a packet into a state.
// same reports whether two states are one and the same; it only serves the statistics, and nil leaves those at zero.
// See Equal. The history begins at tick 0 with the zero state; see Reset.
func New[S, I, P any](size int, step func(S, I) S, apply func(S, P) S, equal func(a, b S) bool) *History[S, I, P] {
	return &History[S, I, P]{step: step, apply: apply, equal: equal, ring: make([]entry[S, I, P], max(size, 1))}
}

// Equal is New's same for states that Go can compare.
func Equal[S comparable](a, b S) bool { return a == b }

// Reset forgets every tick and goes on after tick with state s: the next Step is tick + 1. Statistics are kept.
func (h *History[S, I, P]) Reset(tick uint64, s S) {
	for i := range h.ring {
		h.ring[i].clear()
	}
	h.start, h.tick, h.now, h.dirty = tick, tick, s, 0
}

// Tick is the newest tick that was simulated, or that of the last Reset.
func (h *History[S, I, P]) Tick() uint64 { return h.tick }

// State is the present: the state after Tick. Packets that wait have no effect on it yet.
func (h *History[S, I, P]) State() S { return h.now }

// Oldest is the oldest tick that is remembered; it is above Tick if none is.
func (h *History[S, I, P]) Oldest() uint64 {
	if n := uint64(len(h.ring)); h.tick-h.start > n {
		return h.tick - n + 1
	}
	return h.start + 1
}

// Holds reports whether a tick is remembered, so that a packet for it would wait.
func (h *History[S, I, P]) Contains(tick uint64) bool {
	return tick != 0 && tick >= h.Oldest() && tick <= h.tick
}

// At returns the input of a remembered tick and the state after it, as the last replay left it. ok is false if the tick
// is not remembered.
func (h *History[S, I, P]) At(tick uint64) (in I, after S, ok bool) {
	if !h.Contains(tick) {
		return in, after, false
	}
	e := h.at(tick)
	return e.input, e.after, true
}

// File hands over a packet that belongs to a tick of the client (CL-2). It waits if the tick is remembered. With tick 0,
// or one that the history does not hold, it changes the present at once; no tick is simulated again for it.
func (h *History[S, I, P]) Add(tick uint64, p P) Outcome {
	if !h.Contains(tick) {
		h.stats.countUnqueued(tick, h.tick)
		h.applyNow(p)
		return Applied
	}
	e := h.at(tick)
	if len(e.packets) >= MaxQueuedPerTick {
		h.stats.Overflowed++
		h.applyNow(p)
		return Applied
	}
	e.packets = append(e.packets, p)
	h.stats.Queued++
	if h.dirty == 0 || tick < h.dirty {
		h.dirty = tick
	}
	return Queued
}

// applyNow changes the present. The newest tick keeps the packet, so that it survives a later rewind.
func (h *History[S, I, P]) applyNow(p P) {
	h.now = h.apply(h.now, p)
	if h.tick == h.start {
		return // nothing is remembered yet
	}
	e := h.at(h.tick)
	e.after = h.now
	if len(e.packets) < MaxQueuedPerTick {
		e.packets = append(e.packets, p)
	}
}

// Step advances by one tick with an input and returns the state after it (CL-3). Packets that wait take effect first,
// as with Settle. The oldest tick is forgotten when the history is full.
func (h *History[S, I, P]) Step(in I) S {
	h.Reconcile()
	h.tick++
	e := h.at(h.tick)
	e.clear()
	h.now = h.step(h.now, in)
	e.input, e.stepped, e.after = in, h.now, h.now
	return h.now
}

func (h *History[S, I, P]) at(tick uint64) *entry[S, I, P] { return &h.ring[tick%uint64(len(h.ring))] }

// forget lets go of the packets but keeps their room.
func (e *entry[S, I, P]) clear() {
	clear(e.packets)
	e.packets = e.packets[:0]
}
