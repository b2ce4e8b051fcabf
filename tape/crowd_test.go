package tape

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/mixedplayers"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/rng"
)

// recordCrowd records ticks of n players without waiting for the clock. If clean is false, it leaves the tape as a killed server does.
func recordCrowd(tb testing.TB, n, ticks int, clean bool) Options {
	tb.Helper()
	o := options(nil)
	o.FS, o.Dir, o.World, o.SegmentTicks = nil, tb.TempDir(), content.DefaultWorld().World, 600
	t, err := Open(o)
	if err != nil {
		tb.Fatal(err)
	}
	logs := make([]area.Log, len(o.World.Areas))
	for i := range logs {
		logs[i], _ = t.OpenArea(sim.AreaID(i))
	}
	a, log := sim.NewArea(o.World, 0, o.Seed), logs[0]
	c := mixedplayers.New(o.World, 0)
	intents, hash := c.Joins(n), uint64(0)
	for range ticks {
		log.Seal(area.Batch{Tick: a.Now() + 1, PrevHash: hash, Intents: intents})
		a.Recycle(c.Frame())
		c.SetFrame(a.Step(intents))
		hash = c.Frame().Hash
		for log.Commit(); !log.(*Log).isStored(); log.Commit() {
		}
		if memory := log.SnapshotBuffer(); memory != nil {
			a.CloneInto(memory)
			log.Snapshot(memory)
		}
		intents = c.Intents()
	}
	for _, log := range logs {
		err = errors.Join(err, log.Close(clean))
	}
	for t.compressing() {
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(err, t.Close()); err != nil {
		tb.Fatal(err)
	}
	return o
}

// compressing reports whether some closed segment is not compressed yet.
func (t *Tape) compressing() bool {
	for _, l := range t.areas {
		l.mu.Lock()
		for _, s := range l.segments {
			if s.serial < l.serial && !s.compressed {
				l.mu.Unlock()
				return true
			}
		}
		l.mu.Unlock()
	}
	return false
}

// BenchmarkRecover measures the recovery of an area with 1,000 players after a kill, 30 s after the last snapshot.
func BenchmarkRecover(b *testing.B) {
	crowds := []int{250, 1000}
	if testing.Short() { // in short mode the benchmarks only check that they run
		crowds = []int{20}
	}
	for _, players := range crowds {
		b.Run(fmt.Sprintf("players=%d/ticks=599", players), func(b *testing.B) {
			o := recordCrowd(b, players, 1199, false)
			for b.Loop() {
				r, err := restore(o)
				if err != nil || r.Area.Now() != 1199 || r.Ticks != 599 {
					b.Fatal(r, err)
				}
			}
		})
	}
}

// BenchmarkVerify measures the verification of a tape of 250 players of several doors, as a multiple of the recorded time.
func BenchmarkVerify(b *testing.B) {
	players := 250
	if testing.Short() {
		players = 20
	}
	o := recordCrowd(b, players, 2400, true)
	var played, spent time.Duration
	for b.Loop() {
		began := time.Now()
		v, err := Verify(o)
		if err != nil || len(v.Problems) > 0 || v.Ticks < 2400 {
			b.Fatal(v, err)
		}
		played += v.Played
		spent += time.Since(began)
	}
	b.ReportMetric(played.Seconds()/spent.Seconds(), "times-real-time")
}

// seekTick is Seek with a tick instead of a time, because a benchmark records many ticks within one millisecond.
func (p *Playback) seekTick(tick sim.Tick) error {
	if err := p.line.refresh(); err != nil {
		return err
	}
	i := slices.IndexFunc(p.line.parts, func(s *part) bool { return tick <= s.until })
	g := goal{i, math.MaxInt64, tick}
	if _, err := p.start(&g); err != nil {
		return err
	}
	return p.run(&g)
}

// BenchmarkSeek measures Playback.Seek on a tape of 300 players of several doors with a snapshot every 30 s. It seeks in three
// ways: with an empty cache to the last tick before a snapshot, to times within 10 s as when the console's time slider is
// dragged, and to random times.
func BenchmarkSeek(b *testing.B) {
	players := 300
	if testing.Short() {
		players = 20
	}
	o := recordCrowd(b, players, 2400, true)
	seek := func(p *Playback, tick sim.Tick) {
		if err := p.seekTick(tick); err != nil || p.Tick() != tick {
			b.Fatal(p.Tick(), tick, err)
		}
	}
	b.Run("cold", func(b *testing.B) {
		var worst time.Duration
		for b.Loop() {
			began := time.Now()
			p := openPlayback(b, o)
			seek(p, 1200)
			worst = max(worst, time.Since(began))
			p.Close()
		}
		b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
	})
	for _, c := range []struct {
		name   string
		within int32
	}{{"drag", 200}, {"random", 2399}} {
		b.Run(c.name, func(b *testing.B) {
			p := openPlayback(b, o)
			seek(p, 1200)
			var worst time.Duration
			random := rng.New(1)
			at := sim.Tick(1200)
			for b.Loop() {
				at = sim.Tick(min(max(int32(at)+random.IntN(2*c.within)-c.within, 1), 2400))
				began := time.Now()
				seek(p, at)
				worst = max(worst, time.Since(began))
			}
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
			b.ReportMetric(float64(p.kept.bytes)/float64(len(p.kept.list)), "bytes/state")
		})
	}
}
