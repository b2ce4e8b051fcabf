package history

import (
	"math"
	"slices"
	"time"
)

// MaxPoints is the maximum number of points of a result.
const MaxPoints = 3000

// Result contains the values of series over consecutive intervals of equal length, oldest first.
type Result struct {
	From   time.Time     // start of the first interval
	Step   time.Duration // length of an interval
	Points int           // number of intervals
	Series []Series      // the requested series that exist
	Values [][]float64   // per series, one value for each interval; NaN if the interval has none
	// Restarts are the times at which the server was started, oldest first. If the server was started several times within one
	// interval of length Step, only the last start is listed. A run that ended before its first sample is not listed.
	Restarts []time.Time
}

// Series returns all series of the store: first those that this run of the server records, then those of earlier runs
// that still have values.
func (s *Store) Series() []Series {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.series)
}

// Query returns the values of the series that the function keep selects, between the times from and to. It uses the finest
// resolution that reaches back to from and gives at most MaxPoints intervals. Intervals that begin after the time now are left
// out; they exist if the clock was once ahead.
func (s *Store) Query(from, to, now time.Time, keep func(Series) bool) Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	if to.After(now) {
		to = now
	}
	begin, end := max(from.Unix(), 0), to.Unix()
	g := s.ringFor(begin, end, now.Unix())
	begin -= begin % g.step
	if oldest := now.Unix() - int64(g.slots-1)*g.step; begin < oldest {
		begin = max(oldest-oldest%g.step, 0)
	}
	r := Result{From: time.Unix(begin, 0), Step: time.Duration(g.step) * time.Second}
	if end >= begin {
		r.Points = int((end-begin)/g.step) + 1
	}
	if r.Points > MaxPoints {
		r.Points = MaxPoints
	}
	runs := map[int64]bool{}
	for i, c := range s.series {
		if !keep(c) {
			continue
		}
		values := make([]float64, r.Points)
		for k := range values {
			values[k] = math.NaN()
			if b := g.find(begin + int64(k)*g.step); b != nil {
				values[k] = b.values[i]
			}
		}
		r.Series, r.Values = append(r.Series, c), append(r.Values, values)
	}
	for k := range r.Points {
		if b := g.find(begin + int64(k)*g.step); b != nil && b.run >= from.UnixMilli() && b.run <= now.UnixMilli() && !runs[b.run] {
			runs[b.run] = true
			r.Restarts = append(r.Restarts, time.UnixMilli(b.run))
		}
	}
	slices.SortFunc(r.Restarts, time.Time.Compare)
	return r
}

// ringFor returns the ring that answers a query about a period: the finest ring that still contains the beginning of the period
// and divides the period into at most MaxPoints intervals. If there is none, it returns the coarsest ring. The parameters are the
// beginning and the end of the period and the present time, in seconds since 1970.
func (s *Store) ringFor(begin, end, now int64) *ring {
	for _, g := range s.rings {
		if (end-begin)/g.step < MaxPoints && now-begin <= int64(g.slots-1)*g.step {
			return g
		}
	}
	return s.rings[len(s.rings)-1]
}
