package area

import (
	"math"
	"math/bits"
	"time"
)

// timings are how long the ticks of the last seconds took: one small histogram per second in a ring. Adding costs a
// few instructions and no memory; reading sums the ring.
type timings struct {
	ring [statsSeconds]histogram
	at   int64 // second of the entry now written
}

// statsSeconds is how far back the tick times of Stats reach.
const statsSeconds = 10

// histogram counts durations in buckets of 1 us below 16 us and of an eighth of a power of two above, up to 67 s.
type histogram [8 * 24]uint32

// bucket is the index for a duration.
func bucket(d time.Duration) int {
	us := uint64(max(d.Microseconds(), 0))
	if us < 8 {
		return int(us)
	}
	top := bits.Len64(us) - 4 // how far the leading 4 bits must be shifted down
	return min(8*top+int(us>>top), len(histogram{})-1)
}

// ceiling is the shortest duration that no longer falls into the bucket.
func ceiling(i int) time.Duration {
	if i < 8 {
		return time.Duration(i+1) * time.Microsecond
	}
	top := i/8 - 1
	return time.Duration(i%8+9) << top * time.Microsecond
}

// add counts a tick that ended in that second of the world's clock.
func (t *timings) add(second int64, d time.Duration) {
	t.advance(second)
	t.ring[second%statsSeconds][bucket(d)]++
}

// advance forgets the seconds that fell out of the ring.
func (t *timings) advance(second int64) {
	for from := max(t.at+1, second-statsSeconds+1); from <= second; from++ {
		t.ring[from%statsSeconds] = histogram{}
	}
	t.at = max(t.at, second)
}

// sum is the histogram of all seconds in the ring.
func (t *timings) sum(second int64) histogram {
	t.advance(second)
	var all histogram
	for i := range t.ring {
		for j, n := range t.ring[i] {
			all[j] += n
		}
	}
	return all
}

// quantile is a duration that at least the share q (0..1) of those counted did not exceed, at most an eighth too
// long; 0 if nothing was counted.
func (h *histogram) quantile(q float64) time.Duration {
	var total uint64
	for _, n := range h {
		total += uint64(n)
	}
	if total == 0 {
		return 0
	}
	rank := max(uint64(math.Ceil(q*float64(total))), 1)
	for i, n := range h {
		if uint64(n) >= rank {
			return ceiling(i)
		}
		rank -= uint64(n)
	}
	return ceiling(len(h) - 1)
}
