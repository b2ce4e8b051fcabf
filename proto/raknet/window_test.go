package raknet

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// For any order of arrival, a window and a plain set agree on which numbers were received.
func TestReceiveWindowReportsNumberAsSeenIfAndOnlyIfReceived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w window
		set := map[int64]bool{}
		start := rapid.Int64Range(0, 1<<25).Draw(t, "start")
		w.low = start
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			if rapid.IntRange(0, 20).Draw(t, "skip") == 0 {
				w.skipTo(w.low + rapid.Int64Range(0, windowSize).Draw(t, "by"))
			}
			n := w.low + rapid.Int64Range(-windowSize, windowSize+5).Draw(t, "n")
			if rapid.Bool().Draw(t, "near") {
				n = w.low + rapid.Int64Range(0, 3).Draw(t, "near n")
			}
			if w.tooFarAhead(n) != (n >= w.low+windowSize) {
				t.Fatalf("%d ahead of %d", n, w.low)
			}
			if w.tooFarAhead(n) || n < start {
				continue
			}
			if w.seen(n) != set[n] {
				t.Fatalf("%d seen: %v", n, w.seen(n))
			}
			if !set[n] {
				w.mark(n)
				set[n] = true
			}
			if set[w.low] {
				t.Fatalf("low %d was already received", w.low)
			}
		}
	})
}

// As long as no gap was given up, the gaps are exactly the missing numbers below the highest received number.
func TestReceiveStateReportsExactlyTheMissingNumbersAsGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r receiveState
		start := rapid.Int64Range(0, 1<<24).Draw(t, "start")
		r.low, r.high = start, start
		set := map[int64]bool{}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			n := r.low + rapid.Int64Range(0, 40).Draw(t, "n")
			if r.seen(n) {
				continue
			}
			r.add(n, 0, 30)
			set[n] = true
		}
		var missing, gaps []int64
		for n := start; n < r.high; n++ {
			if !set[n] {
				missing = append(missing, n)
			}
		}
		for _, g := range r.gaps {
			for n := g.first; n <= g.last; n++ {
				gaps = append(gaps, n)
			}
		}
		if !slices.Equal(missing, gaps) {
			t.Fatalf("missing %v, gaps %v", missing, gaps)
		}
	})
}

func TestDatagramNumberRangesAreSplitAt24BitWrap(t *testing.T) {
	const wrap = 1 << 24
	if got := appendSplitAtWrap(nil, span{wrap - 2, wrap + 3}); !slices.Equal(got, []span{{wrap - 2, wrap - 1}, {wrap, wrap + 3}}) {
		t.Errorf("spans %v", got)
	}
	if got := appendSplitAtWrap(nil, span{wrap, wrap + 3}); !slices.Equal(got, []span{{wrap, wrap + 3}}) {
		t.Errorf("spans %v", got)
	}
	r := receiveState{}
	for n := int64(wrap - 2); n < wrap+2; n++ {
		r.queueAck(n, 0, 0)
	}
	if !slices.Equal(r.ackSpans, []span{{wrap - 2, wrap - 1}, {wrap, wrap + 1}}) {
		t.Errorf("ack spans %v", r.ackSpans)
	}
}

func TestTruncatedSequenceNumberIsExtendedToNearestFullNumber(t *testing.T) {
	for _, c := range []struct {
		v    uint32
		near int64
		want int64
	}{
		{5, 0, 5}, {0xffffff, 0, -1}, {0, 0xffffff, 1 << 24}, {0xfffffe, 1 << 24, 1<<24 - 2}, {3, 5<<24 - 1, 5<<24 + 3},
		{0x800000, 0, -0x800000}, {0x7fffff, 0, 0x7fffff},
	} {
		if got := extend(c.v, c.near); got != c.want {
			t.Errorf("%#x near %d: %d, want %d", c.v, c.near, got, c.want)
		}
	}
}
