package rewind

// MaxQueuedPerTick bounds the memory and the time that packets of a server can cost. A history of n ticks stores at most n x
// MaxQueuedPerTick packets; all of them may belong to one tick. Further packets are applied immediately and not stored.
const MaxQueuedPerTick = 64

// Outcome says what History.Add did with a packet: it queued the packet or applied it immediately.
type Outcome uint8

// Values of Outcome: what History.Add did with a packet.
const (
	Queued  Outcome = iota + 1 // the packet is in the history and takes effect with the next Reconcile or Step
	Applied                    // the packet has already changed the present state
)

// History holds the newest ticks of one predicted object. For each tick it holds the input, the state after the tick, and
// the packets that belong to the tick (rule CL-1 of docs/wire/bedrock.md). The type S is a state, I an input, and P a
// packet that changes a state.
type History[S, I, P any] struct {
	step  func(*S, I)       // simulates one tick
	apply func(S, P) S      // applies a packet to a state
	equal func(a, b S) bool // compares two states for the statistics; may be nil

	ring  []entry[S, I, P] // entries of the last ticks: tick t is at t % len(ring), for Oldest() <= t <= tick
	start uint64           // last tick before the history; the tick start+1 is the first with an entry
	tick  uint64           // newest tick in the history; equal to start if the history is empty
	now   S                // present state: the state after the tick in the field tick, with the packets applied since
	dirty uint64           // lowest tick with queued packets; 0 if no packets are queued
	kept  int              // number of packets in all entries; at most len(ring) x MaxQueuedPerTick
	stats Stats
}

// entry is one tick of the history.
type entry[S, I, P any] struct {
	input   I   // input with which the tick was simulated
	stepped S   // state after the step and before any packet of the tick, from which a rewind starts
	after   S   // state after the step and the packets of the tick that have taken effect
	packets []P // packets of the tick in order of arrival
}

// New returns an empty history for the last size ticks, at least 1. It allocates memory for all ticks, so the caller must limit a size that
// comes from the network. The history begins at tick 0 with the zero state; see Reset. The function step advances a state by one tick, in
// place; it must not retain the pointer. The function apply applies a packet to a state. The function equal compares two states for the
// statistics of changes (see Equal); nil leaves these statistics at zero.
func New[S, I, P any](size int, step func(*S, I), apply func(S, P) S, equal func(a, b S) bool) *History[S, I, P] {
	return &History[S, I, P]{step: step, apply: apply, equal: equal, ring: make([]entry[S, I, P], max(size, 1))}
}

// Equal compares two states with ==. It can be passed to New for the parameter equal.
func Equal[S comparable](a, b S) bool { return a == b }

// Reset removes all ticks from the history. The state s becomes the state after the given tick, so the next Step simulates
// tick + 1. The statistics are not reset.
func (h *History[S, I, P]) Reset(tick uint64, s S) {
	for i := range h.ring {
		h.ring[i].clear()
	}
	h.start, h.tick, h.now, h.dirty, h.kept = tick, tick, s, 0, 0
}

// Tick returns the newest simulated tick, or the tick of the last Reset if none was simulated since.
func (h *History[S, I, P]) Tick() uint64 { return h.tick }

// State returns the present state, which is the state after Tick. Queued packets change it only at the next Reconcile.
func (h *History[S, I, P]) State() S { return h.now }

// Now returns the present state like State, but does not copy it. The caller must not modify it, nor read it after the next call of
// a method that changes the history.
func (h *History[S, I, P]) Now() *S { return &h.now }

// Oldest returns the oldest tick in the history, or Tick + 1 if the history is empty.
func (h *History[S, I, P]) Oldest() uint64 {
	if n := uint64(len(h.ring)); h.tick-h.start > n {
		return h.tick - n + 1
	}
	return h.start + 1
}

// Contains reports whether a tick is in the history. Add queues only packets for such ticks.
func (h *History[S, I, P]) Contains(tick uint64) bool {
	return tick != 0 && tick >= h.Oldest() && tick <= h.tick
}

// At returns the input of a tick and the state after that tick. The state is that of the last replay. ok is false if the
// tick is not in the history.
func (h *History[S, I, P]) At(tick uint64) (in I, after S, ok bool) {
	if !h.Contains(tick) {
		return in, after, false
	}
	e := h.at(tick)
	return e.input, e.after, true
}

// Add adds a packet that belongs to a tick of the client (rule CL-2 of docs/wire/bedrock.md). If the tick is in the history, Add
// queues the packet for the next Reconcile. Otherwise, or if the history stores the maximum number of packets, it applies the
// packet to the present state immediately.
func (h *History[S, I, P]) Add(tick uint64, p P) Outcome {
	if !h.Contains(tick) {
		h.stats.countUnqueued(tick, h.tick)
		h.applyNow(p)
		return Applied
	}
	if h.full() {
		h.stats.Overflowed++
		h.applyNow(p)
		return Applied
	}
	h.keep(h.at(tick), p)
	h.stats.Queued++
	if h.dirty == 0 || tick < h.dirty {
		h.dirty = tick
	}
	return Queued
}

// applyNow applies a packet to the present state. It also stores the packet with the newest tick, so that later replays apply it
// again.
func (h *History[S, I, P]) applyNow(p P) {
	h.now = h.apply(h.now, p)
	if h.tick == h.start {
		return // the history is empty
	}
	e := h.at(h.tick)
	e.after = h.now
	if !h.full() {
		h.keep(e, p)
	}
}

// full reports whether the history stores the maximum number of packets.
func (h *History[S, I, P]) full() bool { return h.kept >= len(h.ring)*MaxQueuedPerTick }

// keep stores a packet. The parameter e is the entry of the tick to which the packet belongs.
func (h *History[S, I, P]) keep(e *entry[S, I, P], p P) {
	e.packets = append(e.packets, p)
	h.kept++
}

// Step simulates one more tick with the player's input and returns the state after it as Now does (rule CL-3 of docs/wire/bedrock.md).
// Before that it applies the queued packets, as Reconcile does. If the history has its maximum number of ticks, the oldest is dropped.
func (h *History[S, I, P]) Step(in I) *S {
	h.Reconcile()
	h.tick++
	e := h.at(h.tick)
	h.kept -= len(e.packets)
	e.clear()
	h.step(&h.now, in)
	e.input = in // three statements, because a tuple assignment would copy each state twice
	e.stepped = h.now
	e.after = h.now
	return &h.now
}

func (h *History[S, I, P]) at(tick uint64) *entry[S, I, P] { return &h.ring[tick%uint64(len(h.ring))] }

// clear removes the packets of an entry and keeps their slice for reuse, unless the slice is long. Otherwise every entry that
// once had many packets would hold that memory for ever.
func (e *entry[S, I, P]) clear() {
	clear(e.packets)
	e.packets = e.packets[:0]
	if cap(e.packets) > 2*MaxQueuedPerTick {
		e.packets = nil
	}
}
