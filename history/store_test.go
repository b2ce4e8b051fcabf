package history

import (
	"bytes"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var testSeries = []Series{{"players", Mean}, {"slowest", Max}, {"logins", Sum}}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func all(Series) bool { return true }

type bench struct {
	*Store
	path string
	log  bytes.Buffer
}

func open(t *testing.T, path string, start time.Time, change func(*Options)) *bench {
	t.Helper()
	b := &bench{path: path}
	o := Options{Path: path, Series: testSeries, Retain: MaxRetain, Start: start, Log: slog.New(slog.NewTextHandler(&b.log, nil))}
	if change != nil {
		change(&o)
	}
	b.Store = Open(o)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// value returns the value of a series at a time, or NaN if no interval of the result contains that time.
func (r *Result) value(series string, at time.Time) float64 {
	for i, c := range r.Series {
		if k := int(at.Sub(r.From) / r.Step); c.Name == series && k >= 0 && k < r.Points {
			return r.Values[i][k]
		}
	}
	return math.NaN()
}

func TestHistoryBucketsOfEveryResolutionEqualAggregatedSamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := Open(Options{Path: filepath.Join(t.TempDir(), FileName), Series: testSeries, Retain: MaxRetain, Start: noon, Log: slog.New(slog.DiscardHandler)})
		defer b.Close()
		type sample struct {
			at     time.Time
			values []float64
		}
		var samples []sample
		at := noon
		for range rapid.IntRange(1, 300).Draw(rt, "samples") {
			at = at.Add(time.Duration(rapid.SampledFrom([]int{10, 10, 10, 10, 11, 40, 700}).Draw(rt, "pause")) * time.Second)
			s := sample{at, []float64{float64(rapid.IntRange(0, 500).Draw(rt, "players")), float64(rapid.IntRange(0, 90).Draw(rt, "slowest")), float64(rapid.IntRange(0, 9).Draw(rt, "logins"))}}
			samples = append(samples, s)
			b.Add(s.at, s.values)
		}
		for i, res := range resolutions {
			g := b.rings[i]
			for k := range g.buckets {
				bucket := &g.buckets[k]
				if bucket.at == 0 {
					continue
				}
				var n, sum, most, total float64
				for _, s := range samples {
					if u := s.at.Unix(); u >= bucket.at && u < bucket.at+res.step {
						n, sum, most, total = n+1, sum+s.values[0], max(most, s.values[1]), total+s.values[2]
					}
				}
				if n != float64(bucket.n) || math.Abs(sum/n-bucket.values[0]) > 1e-9*max(1, sum) || most != bucket.values[1] || total != bucket.values[2] {
					rt.Fatalf("%d s from %d: %d samples, %v; want %v samples, mean %v, max %v, sum %v", res.step, bucket.at, bucket.n, bucket.values, n, sum/n, most, total)
				}
			}
		}
	})
}

func TestHistorySurvivesRestartAndContinuesLastInterval(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	first := open(t, path, noon, nil)
	for i := range 30 {
		first.Add(noon.Add(time.Duration(i)*10*time.Second), []float64{4, 1, 1})
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := noon.Add(8 * time.Minute)
	second := open(t, path, again, nil)
	second.Add(again.Add(10*time.Second), []float64{35, 7, 1})
	now := again.Add(time.Minute)
	r := second.Query(noon, now, now, all)
	if r.Step != 10*time.Second || r.value("players", noon.Add(15*time.Second)) != 4 || !math.IsNaN(r.value("players", noon.Add(6*time.Minute))) {
		t.Errorf("%v: %v then %v, want 4 and a gap", r.Step, r.value("players", noon.Add(15*time.Second)), r.value("players", noon.Add(6*time.Minute)))
	}
	if len(r.Restarts) != 2 || !r.Restarts[1].Equal(again) {
		t.Errorf("restarts %v", r.Restarts)
	}
	quarter := second.Query(noon.Add(-10*24*time.Hour), now, now, all)
	if quarter.Step != 15*time.Minute || quarter.value("logins", noon) != 31 || quarter.value("players", noon) != (30*4+35)/31.0 || quarter.value("slowest", noon) != 7 {
		t.Errorf("step %v: %v logins, %v players, slowest %v", quarter.Step, quarter.value("logins", noon), quarter.value("players", noon), quarter.value("slowest", noon))
	}
}

func TestOpenSkipsDamagedHistoryRecordsAndReplacesTruncatedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	b := open(t, path, noon, nil)
	for i := range 5 {
		b.Add(noon.Add(time.Duration(i)*10*time.Second), []float64{float64(i), 0, 0})
	}
	b.Close()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := int(b.offsets[0]) + b.rings[0].slot(noon.Unix()+20)*recordSize(len(testSeries))

	torn := bytes.Clone(good)
	torn[at+25] ^= 0x10
	if err := os.WriteFile(path, torn, 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, path, noon.Add(time.Hour), nil)
	now := noon.Add(time.Minute)
	r := c.Query(noon, now, now, all)
	if !math.IsNaN(r.value("players", noon.Add(20*time.Second))) || r.value("players", noon.Add(30*time.Second)) != 3 || !strings.Contains(c.log.String(), "records=1") {
		t.Errorf("a torn record: %v, %v, log %s", r.value("players", noon.Add(20*time.Second)), r.value("players", noon.Add(30*time.Second)), c.log.String())
	}
	c.Close()

	for n := 0; n < len(good); n += 1 + n/7 {
		part := filepath.Join(dir, "part.rings")
		if err := os.WriteFile(part, good[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		d := open(t, part, noon.Add(time.Hour), nil)
		d.Add(noon.Add(time.Hour), []float64{9, 9, 9})
		d.Close()
		e := open(t, part, noon.Add(2*time.Hour), nil)
		late := noon.Add(time.Hour + time.Minute)
		if r := e.Query(noon.Add(time.Hour), late, late, all); r.value("players", noon.Add(time.Hour)) != 9 {
			t.Fatalf("%d of %d bytes: the file that replaced it has no figures", n, len(good))
		}
		e.Close()
		os.Remove(part + ".damaged")
	}
}

func TestHistoryIsKeptInMemoryIfFolderIsMissing(t *testing.T) {
	b := open(t, filepath.Join(t.TempDir(), "none", FileName), noon, nil)
	b.Add(noon, []float64{3, 0, 0})
	r := b.Query(noon, noon, noon, all)
	if since, err := b.Err(); err == nil || !since.Equal(noon) || r.value("players", noon) != 3 {
		t.Errorf("%v since %v, players %v", err, since, r.value("players", noon))
	}
}

func TestHistoryStaysCorrectAfterClockIsSetBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	ahead := open(t, path, noon.Add(48*time.Hour), nil) // two days ahead
	ahead.Add(noon.Add(48*time.Hour), []float64{99, 0, 5})
	ahead.Close()
	b := open(t, path, noon, nil)
	b.Add(noon.Add(30*time.Second), []float64{2, 0, 1})
	b.Add(noon.Add(22*time.Second), []float64{4, 0, 1}) // the clock is set back by a few seconds
	b.Add(noon.Add(32*time.Second), []float64{4, 0, 1})
	now := noon.Add(40 * time.Second)
	r := b.Query(noon, noon.Add(72*time.Hour), now, all)
	if r.value("players", noon.Add(30*time.Second)) != 3 || r.value("players", noon.Add(20*time.Second)) != 4 {
		t.Errorf("players %v and %v", r.value("players", noon.Add(30*time.Second)), r.value("players", noon.Add(20*time.Second)))
	}
	for _, v := range r.Values[0] {
		if v == 99 {
			t.Error("a figure from the future is shown")
		}
	}
	if len(r.Restarts) != 1 {
		t.Errorf("restarts %v", r.Restarts)
	}
	later := noon.Add(48 * time.Hour)
	b.Add(later, []float64{6, 0, 1})
	if r := b.Query(later, later, later, all); r.value("players", later) != 6 || r.value("logins", later) != 1 {
		t.Errorf("figures of the clock that was ahead are mixed in: %v players, %v logins", r.value("players", later), r.value("logins", later))
	}
}

func TestHistoryFileIsLimitedByRetentionAndOldSamplesAreOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	short := open(t, path, noon, func(o *Options) { o.Retain = 2 * time.Hour })
	for i := range 6 * 360 { // six hours
		short.Add(noon.Add(time.Duration(i)*10*time.Second), []float64{float64(i), 0, 0})
	}
	now := noon.Add(6 * time.Hour)
	r := short.Query(noon, now, now, all)
	if r.value("players", noon) == 0 || !math.IsNaN(r.value("players", noon)) {
		t.Errorf("a figure of six hours ago: %v", r.value("players", noon))
	}
	if v := r.value("players", now.Add(-time.Hour)); math.IsNaN(v) {
		t.Error("no figure of an hour ago")
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > 80_000 {
		t.Errorf("%v, %d bytes for two hours", err, info.Size())
	}
	short.Close()
	long := open(t, path, now, nil)
	if r := long.Query(now.Add(-time.Hour), now, now, all); math.IsNaN(r.value("players", now.Add(-time.Minute))) {
		t.Error("a longer retention loses the figures of the shorter one")
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 512<<10 {
		t.Errorf("%v, %d bytes for a year of three series", err, info.Size())
	}
}

func TestHistorySeriesOfPreviousRunAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	old := open(t, path, noon, nil)
	old.Add(noon, []float64{5, 0, 0})
	old.Close()
	b := open(t, path, noon.Add(time.Minute), func(o *Options) { o.Series = []Series{{"memory", Max}, {"logins", Sum}} })
	b.Add(noon.Add(time.Minute), []float64{1e9, 2})
	now := noon.Add(2 * time.Minute)
	r := b.Query(noon, now, now, all)
	if len(r.Series) != 4 || r.value("players", noon) != 5 || r.value("memory", noon.Add(time.Minute)) != 1e9 || !math.IsNaN(r.value("memory", noon)) {
		t.Errorf("%v, players %v", r.Series, r.value("players", noon))
	}
	if one := b.Query(noon, now, now, func(c Series) bool { return c.Name == "logins" }); len(one.Series) != 1 {
		t.Errorf("%v", one.Series)
	}
}

func TestHistoryQueryReturnsAtMostMaxPoints(t *testing.T) {
	b := open(t, filepath.Join(t.TempDir(), FileName), noon, nil)
	for _, from := range []time.Time{{}, time.Unix(0, 0), noon.Add(-100 * 365 * 24 * time.Hour), noon.Add(time.Hour)} {
		if r := b.Query(from, noon, noon, all); r.Points > MaxPoints {
			t.Errorf("from %v: %d points", from, r.Points)
		}
	}
	for span, step := range map[time.Duration]time.Duration{time.Hour: 10 * time.Second, 24 * time.Hour: time.Minute, 30 * 24 * time.Hour: 15 * time.Minute, 365 * 24 * time.Hour: 3 * time.Hour} {
		if r := b.Query(noon.Add(-span), noon, noon, all); r.Step != step {
			t.Errorf("%v: step %v, want %v", span, r.Step, step)
		}
	}
}
