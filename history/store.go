package history

import (
	"errors"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"slices"
	"sync"
	"time"
)

// FileName is the usual name of the history file in the data folder of a server.
const FileName = "history.rings"

// MaxSeries is the maximum number of series of a store, which keeps the file below 9 MiB. Series beyond it are not
// recorded.
const MaxSeries = 128

// Options configures a store.
type Options struct {
	Path   string        // path of the file, which is created if it is missing
	Series []Series      // series that this run of the server records, with different names
	Retain time.Duration // how long values are retained, at most MaxRetain
	Start  time.Time     // start of this run of the server
	Log    *slog.Logger  // nil selects slog.Default()
}

// Store records statistics of a server over time in a file. A series is one recorded quantity, such as the number of
// players.
type Store struct {
	log   *slog.Logger
	start int64 // ms since 1970
	place []int // for each series of Options, its index in the field series; -1 if it is not recorded

	mu      sync.Mutex
	series  []Series // series of the file: first those of this run, then those of earlier runs
	rings   []*ring
	file    *os.File  // nil if the file cannot be written
	offsets []int64   // offset of each ring in the file, in bytes
	failed  error     // error of the last write; nil if it succeeded
	since   time.Time // time of the first of the consecutive failed writes
	record  []byte    // buffer in which Add encodes a bucket
}

// Open opens a store. It always succeeds. If the file cannot be read or written, it logs the error.
func Open(o Options) *Store {
	s := &Store{log: o.Log, start: o.Start.UnixMilli(), series: slices.Clone(o.Series[:min(len(o.Series), MaxSeries)])}
	if s.log == nil {
		s.log = slog.Default()
	}
	if len(o.Series) > MaxSeries {
		s.log.Warn("history: too many series; the last ones are not recorded", "n", len(o.Series), "max", MaxSeries)
	}
	old, err := readFile(o.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		aside := o.Path + ".damaged"
		s.log.Error("history: the file cannot be read; it is renamed, and a new file is created", "file", o.Path, "to", aside, "err", err)
		if err := os.Rename(o.Path, aside); err != nil {
			s.log.Error("history: cannot rename the damaged file", "err", err)
		}
	}
	if old != nil {
		if old.damaged > 0 {
			s.log.Warn("history: skipped damaged records, which a crash of the machine can cause", "records", old.damaged)
		}
		s.keepSeries(old)
	}
	for i := range o.Series {
		if i >= MaxSeries {
			s.place = append(s.place, -1)
		} else {
			s.place = append(s.place, i)
		}
	}
	for _, r := range resolutions {
		g := newRing(resolution{r.step, slotsFor(r, o.Retain)}, len(s.series))
		if old != nil {
			g.copyFrom(s.series, old)
		}
		s.rings = append(s.rings, g)
	}
	s.openFile(o.Path, old)
	return s
}

// slotsFor returns the number of buckets that a ring of resolution r needs to retain values for the given duration. The
// result is at least 2 and at most r.slots.
func slotsFor(r resolution, retain time.Duration) int {
	return int(min(int64(r.slots), max(int64(retain.Seconds())/r.step+2, 2)))
}

// keepSeries appends the series of earlier runs that have values in the file and are not recorded by this run. The
// parameter old is the content of the file.
func (s *Store) keepSeries(old *stored) {
	for i, c := range old.head.Series {
		known := slices.ContainsFunc(s.series, func(k Series) bool { return k.Name == c.Name })
		if known || len(s.series) >= MaxSeries || !old.hasValues(i) {
			continue
		}
		s.series = append(s.series, c)
	}
}

// hasValues reports whether a series of the file has a value in any bucket. The parameter series is the index of the series.
func (old *stored) hasValues(series int) bool {
	for _, g := range old.rings {
		for i := range g.buckets {
			if b := &g.buckets[i]; b.at != 0 && !math.IsNaN(b.values[series]) {
				return true
			}
		}
	}
	return false
}

// copyFrom copies buckets into the ring g from an earlier history file, whose content is the parameter old. The parameter series has
// the series of g, which may differ from those of the file. If the file has no ring of the same resolution, nothing is copied.
func (g *ring) copyFrom(series []Series, old *stored) {
	i := slices.IndexFunc(old.rings, func(r *ring) bool { return r.step == g.step })
	if i < 0 {
		return
	}
	from := make([]int, len(series))
	for c := range series {
		from[c] = slices.Index(old.head.Series, series[c])
	}
	for k := range old.rings[i].buckets {
		b := &old.rings[i].buckets[k]
		into := &g.buckets[g.slot(b.at)]
		if b.at == 0 || into.at > b.at {
			continue
		}
		into.at, into.run, into.n = b.at, b.run, b.n
		for c, at := range from {
			into.values[c] = math.NaN()
			if at >= 0 {
				into.values[c] = b.values[at]
			}
		}
	}
}

// openFile opens the file for writing. It rewrites the whole file first if the series or rings have changed.
func (s *Store) openFile(path string, old *stored) {
	if old == nil || !old.head.sameLayout(s.series, s.rings) {
		if err := writeFile(path, s.series, s.rings); err != nil {
			s.fail(err, time.UnixMilli(s.start))
			return
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		s.fail(err, time.UnixMilli(s.start))
		return
	}
	s.file = f
	at := headLength(s.series, s.rings)
	for _, g := range s.rings {
		s.offsets = append(s.offsets, at)
		at += int64(g.slots) * int64(recordSize(len(s.series)))
	}
}

// Add adds one sample: a value for each series of Options, NaN if a series has none. A sample before 1970 is ignored.
func (s *Store) Add(at time.Time, values []float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at.Unix() <= 0 {
		return
	}
	sample := make([]float64, len(s.series))
	for i := range sample {
		sample[i] = math.NaN()
	}
	for i, v := range values[:min(len(values), len(s.place))] {
		if s.place[i] >= 0 && !math.IsInf(v, 0) {
			sample[s.place[i]] = v
		}
	}
	var failed error
	for i, g := range s.rings {
		k := g.add(s.series, at.Unix(), s.start, sample)
		if s.file == nil {
			continue
		}
		s.record = g.buckets[k].appendTo(s.record[:0])
		if _, err := s.file.WriteAt(s.record, s.offsets[i]+int64(k)*int64(len(s.record))); err != nil && failed == nil {
			failed = err
		}
	}
	if s.file != nil {
		s.fail(failed, at)
	}
}

// fail records the result of a write to the file, and logs when writes begin to fail and when they succeed again. The parameter
// err is the error of the write, nil if it succeeded.
func (s *Store) fail(err error, at time.Time) {
	switch {
	case err != nil && s.failed == nil:
		s.since = at
		s.log.Error("history: cannot write the file; values are kept in memory only until a write succeeds", "err", err)
	case err == nil && s.failed != nil:
		s.log.Info("history: the file can be written again")
	}
	s.failed = err
}

// Err returns the error of the last write and the time since which writes fail. The result err is nil while the file
// can be written.
func (s *Store) Err() (since time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.since, s.failed
}

// Close flushes the file to disk and closes it.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	err := errors.Join(s.file.Sync(), s.file.Close())
	s.file = nil
	return err
}
