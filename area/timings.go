package area

import (
	"math"
	"math/bits"
	"time"
)

// timings records the durations of the ticks of the last statsSeconds, in a ring of one small histogram per second.
// Adding a duration does not allocate; a read sums up the ring.
type timings struct {
	ring [statsSeconds]histogram
	at   int64 // newest second of the world's clock that the ring covers
}

// statsSeconds is the number of seconds that the tick times in AreaStats cover.
const statsSeconds = 10

// histogram counts durations in buckets, up to 67 s. Below 16 us each bucket is 1 us wide. Above that, the range between two
// powers of two is divided into eight buckets.
type histogram [8 * 24]uint32

// bucket returns the index of the bucket of a histogram in which a duration is counted.
func bucket(d time.Duration) int {
	us := uint64(max(d.Microseconds(), 0))
	if us < 8 {
		return int(us)
	}
	top := bits.Len64(us) - 4 // number of bits to shift right so that the leading 4 bits remain
	return min(8*top+int(us>>top), len(histogram{})-1)
}

// upperBound returns the upper limit of bucket i, which is the lower limit of the next bucket. Durations counted in bucket i are
// below it.
func upperBound(i int) time.Duration {
	if i < 8 {
		return time.Duration(i+1) * time.Microsecond
	}
	top := i/8 - 1
	return time.Duration(i%8+9) << top * time.Microsecond
}

// add counts a tick that took the duration d and ended in the given second of the world's clock.
func (t *timings) add(second int64, d time.Duration) {
	t.advance(second)
	t.ring[second%statsSeconds][bucket(d)]++
}

// advance makes the parameter second the newest second that the ring covers. The ring reuses the histograms of old seconds, so
// advance clears those of all seconds after the previous newest one, up to that second.
func (t *timings) advance(second int64) {
	for from := max(t.at+1, second-statsSeconds+1); from <= second; from++ {
		t.ring[from%statsSeconds] = histogram{}
	}
	t.at = max(t.at, second)
}

// sum adds up the histograms of statsSeconds seconds, of which the newest is the parameter second.
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

// quantile returns the q-quantile of the counted durations (q is 0..1), rounded up to the upper bound of its bucket. The
// result is at most one eighth too long, and 0 if nothing was counted.
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
			return upperBound(i)
		}
		rank -= uint64(n)
	}
	return upperBound(len(h) - 1)
}
