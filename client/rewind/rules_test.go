package rewind

import (
	"slices"
	"testing"
)

// body is a simple simulation: it moves by its velocity, which friction halves. A push adds velocity.
type body struct{ X, V float32 }

type packet struct {
	set     bool // the packet replaces the state; otherwise it is a push
	X, V    float32
	nothing bool
}

func stepBody(b body, push float32) body {
	b.V = float32(b.V*0.5) + push
	b.X += b.V
	return b
}

func applyPacket(b body, n packet) body {
	switch {
	case n.nothing:
		return b
	case n.set:
		return body{n.X, n.V}
	}
	b.V = float32(b.V*0.25) + n.V // the result depends on the previous velocity, so the order and the number of pushes matter
	return b
}

// inPlace converts step, which returns a new state, to the form that New requires: a function that changes the state in place.
func inPlace[S, I any](step func(S, I) S) func(*S, I) {
	return func(s *S, in I) { *s = step(*s, in) }
}

// newHistory returns a history that has stepped through ticks 101..100+n with inputs 1, 2, 3...
func newHistory(size, n int) *History[body, float32, packet] {
	h := New(size, inPlace(stepBody), applyPacket, Equal[body])
	h.Reset(100, body{})
	for i := range n {
		h.Step(float32(i + 1))
	}
	return h
}

// Rule CL-1 of docs/wire/bedrock.md: a history of size H holds the newest H ticks, each with its input and the state after it.
func TestHistoryHoldsOnlyNewestTicks(t *testing.T) {
	h := newHistory(4, 6)
	if h.Tick() != 106 || h.Oldest() != 103 {
		t.Fatalf("holds %d..%d, want 103..106", h.Oldest(), h.Tick())
	}
	want := body{}
	for tick := uint64(101); tick <= 106; tick++ {
		in := float32(tick - 100)
		want = stepBody(want, in)
		gotIn, got, ok := h.At(tick)
		if ok != (tick >= 103) {
			t.Errorf("tick %d: held %v", tick, ok)
		}
		if ok && (gotIn != in || got != want) {
			t.Errorf("tick %d: input %v, state %v, want %v and %v", tick, gotIn, got, in, want)
		}
	}
	if h.State() != want {
		t.Errorf("present %v, want %v", h.State(), want)
	}
}

// Rule CL-2 of docs/wire/bedrock.md: a packet for a tick in the history is queued and not applied yet.
func TestPacketForTickInHistoryIsQueued(t *testing.T) {
	h := newHistory(4, 6)
	before := h.State()
	for _, tick := range []uint64{106, 103} {
		if got := h.Add(tick, packet{set: true, X: 50}); got != Queued {
			t.Errorf("tick %d: outcome %d, want queued", tick, got)
		}
	}
	if h.State() != before {
		t.Error("a queued packet changed the present before the next step")
	}
}

// Rule CL-2 of docs/wire/bedrock.md: packets with tick 0, a tick no longer or not yet in the history are applied
// immediately, without a replay.
func TestPacketsForTicksOutsideHistoryApplyImmediately(t *testing.T) {
	for name, tick := range map[string]uint64{"zero": 0, "forgotten": 102, "before the first": 100, "future": 107, "huge": ^uint64(0)} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(4, 6)
			if got := h.Add(tick, packet{set: true, X: 50, V: 2}); got != Applied {
				t.Fatalf("outcome %d, want applied", got)
			}
			if want := (body{50, 2}); h.State() != want {
				t.Errorf("present %v, want %v", h.State(), want)
			}
			if r := h.Reconcile(); r.Happened() {
				t.Errorf("replayed %+v for a packet outside of the history", r)
			}
			if got, want := *h.Step(7), stepBody(body{50, 2}, 7); got != want {
				t.Errorf("next step gives %v, want %v", got, want)
			}
		})
	}
}

// Rule CL-2 of docs/wire/bedrock.md: before the first step the history is empty, so everything is applied
// immediately.
func TestPacketsBeforeFirstStepApplyImmediately(t *testing.T) {
	h := newHistory(4, 0)
	if got := h.Add(100, packet{set: true, X: 3}); got != Applied {
		t.Errorf("outcome %d, want applied", got)
	}
	if want := (body{X: 3}); h.State() != want {
		t.Errorf("present %v, want %v", h.State(), want)
	}
}

// Rule CL-3 of docs/wire/bedrock.md: Step rewinds to the lowest tick with a packet, applies it, replays with the
// stored inputs, and then simulates.
func TestStepRewindsThenAppliesPacketsThenReplaysInputs(t *testing.T) {
	h := newHistory(8, 6)
	h.Add(105, packet{V: 9})               // the packet for the higher tick arrives first
	h.Add(103, packet{set: true, X: 50})   // the packet for the lowest tick, at which the replay begins
	h.Add(103, packet{V: 4})               // packets of one tick are applied in order of arrival
	want := body{X: 50, V: 4}              // state after tick 103: the correction, then the push onto V = 0
	want = stepBody(want, 4)               // state after tick 104
	want = stepBody(want, 5)               // state after tick 105
	want = applyPacket(want, packet{V: 9}) // the packet that was queued at tick 105
	want = stepBody(want, 6)               // state after tick 106
	if got := *h.Step(7); got != stepBody(want, 7) {
		t.Errorf("after the step: %v, want %v", got, stepBody(want, 7))
	}
	if s := h.Stats(); s.Rewinds != 1 || s.Replayed != 3 || s.MaxReplayed != 3 || s.Visible != 1 || s.Unchanged != 0 || s.Queued != 3 {
		t.Errorf("statistics %+v", s)
	}
	if r := h.Reconcile(); r.Happened() {
		t.Errorf("replayed again: %+v", r)
	}
}

// Rule CL-3 of docs/wire/bedrock.md: a packet for the newest tick needs no replay.
func TestPacketForNewestTickNeedsNoReplay(t *testing.T) {
	h := newHistory(8, 6)
	h.Add(106, packet{set: true, X: 1})
	if r := h.Reconcile(); r.To != 106 || r.Replayed != 0 || r.Changed != 1 || !r.Visible {
		t.Errorf("rewind %+v", r)
	}
	if want := (body{X: 1}); h.State() != want {
		t.Errorf("present %v, want %v", h.State(), want)
	}
}

// Rule CL-4 of docs/wire/bedrock.md: packets stay in the history, so that a later rewind to an older tick applies
// them again, once each.
func TestStoredPacketsAreAppliedAgainDuringReplay(t *testing.T) {
	h := newHistory(8, 6)
	h.Add(105, packet{V: 9})
	h.Reconcile()
	h.Add(102, packet{set: true, X: -7, V: 1})
	h.Reconcile()
	want := body{-7, 1}
	for _, in := range []float32{3, 4, 5} {
		want = stepBody(want, in)
	}
	want = stepBody(applyPacket(want, packet{V: 9}), 6)
	if h.State() != want {
		t.Errorf("present %v, want %v", h.State(), want)
	}
}

// Rule CL-4 of docs/wire/bedrock.md: a packet that was applied immediately belongs to the newest tick and survives a
// rewind to an older one.
func TestPacketAppliedImmediatelySurvivesRewind(t *testing.T) {
	h := newHistory(8, 4)
	h.Add(0, packet{V: 9}) // tick 0 means no tick: the packet is applied immediately, in tick 104
	h.Step(5)
	h.Add(103, packet{set: true, X: 20})
	h.Reconcile()
	want := applyPacket(stepBody(body{X: 20}, 4), packet{V: 9})
	if want = stepBody(want, 5); h.State() != want {
		t.Errorf("present %v, want %v", h.State(), want)
	}
}

// Rule CL-4 of docs/wire/bedrock.md: a packet is dropped together with its tick.
func TestPacketsAreDroppedWhenTheirTickLeavesHistory(t *testing.T) {
	h := newHistory(2, 2)
	h.Add(101, packet{V: 9})
	h.Step(3)
	h.Step(4)
	for i := range h.ring {
		if n := len(h.ring[i].packets); n != 0 {
			t.Errorf("entry %d keeps %d packets", i, n)
		}
		if full := h.ring[i].packets[:cap(h.ring[i].packets)]; slices.ContainsFunc(full, func(n packet) bool { return n != packet{} }) {
			t.Errorf("entry %d keeps a reference to a dropped packet", i)
		}
	}
}

// Rule CL-5 of docs/wire/bedrock.md: a correction for a tick replaces the state at the end of that tick.
func TestCorrectionForTickReplacesStateAtEndOfThatTick(t *testing.T) {
	h := newHistory(8, 6)
	h.Add(104, packet{set: true, X: 8, V: 2})
	h.Reconcile()
	if _, got, _ := h.At(104); got != (body{8, 2}) {
		t.Errorf("after tick 104: %v", got)
	}
}

// Rule CL-6 of docs/wire/bedrock.md: the present state is not interpolated: after one Reconcile it is the corrected
// state.
func TestCorrectionChangesPresentStateWithoutInterpolation(t *testing.T) {
	h := newHistory(8, 3)
	h.Add(103, packet{set: true, X: 1000})
	if r := h.Reconcile(); !r.Visible || h.State().X != 1000 {
		t.Errorf("%+v, present %v", r, h.State())
	}
}

// Rule CL-7 of docs/wire/bedrock.md: a packet with the state that the client already has changes no state.
func TestPacketThatConfirmsPredictedStateChangesNothing(t *testing.T) {
	h := newHistory(8, 6)
	_, was, _ := h.At(103)
	before := h.State()
	h.Add(103, packet{set: true, X: was.X, V: was.V})
	h.Add(105, packet{nothing: true})
	if r := h.Reconcile(); r.To != 103 || r.Replayed != 3 || r.Changed != 0 || r.Visible {
		t.Errorf("%+v, want an invisible replay of 3 ticks from 103", r)
	}
	if h.State() != before {
		t.Errorf("present %v, was %v", h.State(), before)
	}
	if s := h.Stats(); s.Unchanged != 1 || s.Visible != 0 {
		t.Errorf("statistics %+v", s)
	}
}

func TestStatsCountUnqueuedPacketsByReason(t *testing.T) {
	h := newHistory(4, 6)
	for _, tick := range []uint64{0, 0, 1, 102, 107} {
		h.Add(tick, packet{})
	}
	if s := h.Stats(); s.Untimed != 2 || s.Late != 2 || s.Early != 1 || s.Queued != 0 || s.Rewinds != 0 {
		t.Errorf("statistics %+v", s)
	}
}

// One tick may have any number of packets, all of which take effect at their tick and again in later replays.
func TestHundredsOfPacketsForOneTickAreQueued(t *testing.T) {
	const n = 10 * MaxQueuedPerTick
	h := newHistory(40, 44)
	for i := range n {
		if h.Add(110, packet{set: true, X: float32(i)}) != Queued {
			t.Fatalf("packet %d was not queued", i)
		}
	}
	h.Reconcile()
	if _, after, _ := h.At(110); after.X != n-1 {
		t.Errorf("after tick 110 at %v, want %v", after.X, n-1)
	}
	was := h.State()
	h.Add(108, packet{nothing: true})
	if h.Reconcile(); h.State() != was {
		t.Errorf("a later replay ends at %v, want %v", h.State(), was)
	}
	for h.Contains(110) {
		h.Step(0)
	}
	if h.kept != 0 {
		t.Errorf("%d packets kept after their ticks", h.kept)
	}
	for i := range h.ring {
		if c := cap(h.ring[i].packets); c > 2*MaxQueuedPerTick {
			t.Errorf("an entry keeps room for %d packets", c)
		}
	}
}

// Memory and replay time remain bounded if a peer sends any number of packets.
func TestPacketsBeyondQueueLimitApplyImmediately(t *testing.T) {
	h := newHistory(4, 4)
	for range 4 * MaxQueuedPerTick {
		if h.Add(103, packet{nothing: true}) != Queued {
			t.Fatal("not queued below the limit")
		}
	}
	if h.Add(103, packet{set: true, X: 5}) != Applied || h.State().X != 5 {
		t.Errorf("present %v, want the packet applied at once", h.State())
	}
	for range 10 * MaxQueuedPerTick {
		h.Add(0, packet{nothing: true})
	}
	if n := len(h.at(103).packets) + len(h.at(104).packets); n > 4*MaxQueuedPerTick || n != h.kept {
		t.Errorf("%d packets kept, counted as %d", n, h.kept)
	}
	if s := h.Stats(); s.Overflowed != 1 {
		t.Errorf("statistics %+v", s)
	}
}

func TestResetClearsPredictionHistory(t *testing.T) {
	h := newHistory(4, 4)
	h.Add(103, packet{set: true, X: 5})
	h.Reset(500, body{X: 9})
	if r := h.Reconcile(); r.Happened() || h.State() != (body{X: 9}) || h.Tick() != 500 || h.Oldest() != 501 {
		t.Errorf("%+v, %v at %d, oldest %d", r, h.State(), h.Tick(), h.Oldest())
	}
	if h.Step(1); h.Tick() != 501 || !h.Contains(501) || h.Contains(500) {
		t.Errorf("holds %d..%d", h.Oldest(), h.Tick())
	}
}

func TestHistoryWithoutComparisonFunctionCountsRewindsButNoChanges(t *testing.T) {
	h := New(4, inPlace(stepBody), applyPacket, nil)
	h.Step(1)
	h.Add(1, packet{set: true, X: 5})
	if r := h.Reconcile(); r.Visible || r.Changed != 0 || h.State().X != 5 {
		t.Errorf("rewind %+v, state %v", r, h.State())
	}
	if s := h.Stats(); s.Unchanged != 0 || s.Rewinds != 1 {
		t.Errorf("statistics %+v", s)
	}
}

func TestHistoryWithSizeBelowOneHoldsOneTick(t *testing.T) {
	h := New(-3, inPlace(stepBody), applyPacket, Equal[body])
	h.Step(1)
	h.Step(2)
	if h.Oldest() != 2 || h.Add(2, packet{set: true}) != Queued || h.Add(1, packet{}) != Applied {
		t.Errorf("holds %d..%d", h.Oldest(), h.Tick())
	}
}

// Steady use with corrections does not allocate.
func TestHistoryWithCorrectionsDoesNotAllocate(t *testing.T) {
	h := newHistory(40, 200)
	round := func() {
		h.Add(h.Tick()-20, packet{V: 1})
		h.Add(h.Tick()-20, packet{set: true, X: 1})
		h.Add(0, packet{V: 1})
		h.Step(1)
	}
	for range 100 {
		round()
	}
	if n := testing.AllocsPerRun(1000, round); n != 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

func BenchmarkStep(b *testing.B) {
	for name, depth := range map[string]uint64{"calm": 0, "replay=4": 4, "replay=39": 39} {
		b.Run(name, func(b *testing.B) {
			h := newHistory(40, 80)
			b.ReportAllocs()
			for b.Loop() {
				if depth > 0 {
					h.Add(h.Tick()-depth, packet{set: true, X: 1})
				}
				h.Step(1)
			}
		})
	}
}
