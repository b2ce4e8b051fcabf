package history

import (
	"math"
	"slices"
	"time"
)

// MaxPoints is the maximum number of points of a result.
const MaxPoints = 3000

// Result is figures of equal intervals, in order of time.
type Result struct {
	From     time.Time // begin of the first interval
	Step     time.Duration
	Points   int
	Columns  []Column    // those that were asked for and exist
	Values   [][]float64 // one slice per column with Points values; NaN where there is none
	Restarts []time.Time // starts of runs of the server in the time, in order; of several in one interval the last
}

// Columns returns all columns that have figures, those of this run first.
func (s *Store) Columns() []Column {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.columns)
}

// Query returns the columns for which keep returns true, from from to to, which must not be before it, in the finest resolution that
// reaches back to from and gives at most MaxPoints points. Intervals that begin after now are left out, so that a clock that was ahead has no effect.
func (s *Store) Query(from, to, now time.Time, keep func(Column) bool) Result {
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
	for i, c := range s.columns {
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
		r.Columns, r.Values = append(r.Columns, c), append(r.Values, values)
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

// ringFor returns the finest ring that still has the begin of a time and does not give too many points for it.
func (s *Store) ringFor(begin, end, now int64) *ring {
	for _, g := range s.rings {
		if (end-begin)/g.step < MaxPoints && now-begin <= int64(g.slots-1)*g.step {
			return g
		}
	}
	return s.rings[len(s.rings)-1]
}
