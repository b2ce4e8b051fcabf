package area

import (
	"sync"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

// AreaStats has the statistics of one area. Counts are since the start of the process; tick times cover the last 10 s.
type AreaStats struct {
	Area     sim.AreaID    // id of the area
	Name     string        // name of the area
	Tick     sim.Tick      // number of the newest tick
	Players  int           // number of players in the area
	Actors   int           // number of actors, players included
	TickP50  time.Duration // median duration of a tick
	TickP99  time.Duration // 99th percentile of the duration of a tick
	Overruns uint64        // ticks that took longer than a tick period, or after which ticks were skipped
	Skipped  uint64        // ticks skipped after an overrun
	Intents  uint64        // intents passed to the simulation
	Full     uint64        // intents rejected with ErrFull
	Events   uint64        // events in all frames
	Missed   uint64        // frames that did not fit into a feed, summed over all feeds

	Held      map[string]uint64 // number of held (rejected) claims by name of the reason
	Corrected map[string]uint64 // number of corrections by name of the reason
	Refused   map[string]uint64 // number of refused intents by name of the reason

	Err error // error that stopped the area: a panic, or a tick that did not end; nil while the area runs
}

// statsRecorder collects the stats of one area. The area's goroutine writes it once per tick; any goroutine may read it.
type statsRecorder struct {
	shared  *telemetry.Metrics
	metrics *telemetry.Area

	mu        sync.Mutex
	stats     AreaStats // the maps are nil here; read fills the maps of the copy that it returns
	times     timings
	held      reasonCounts
	corrected reasonCounts
	refused   reasonCounts
}

// reasonCounts counts how often each reason occurred, for AreaStats and for the shared metrics. A statsRecorder has one for
// held claims, one for corrections and one for refused intents. The slices are indexed by the number of the reason.
type reasonCounts struct {
	counts []uint64
	names  []string
	total  []*telemetry.Counter // metric of each reason; nil until its first occurrence
}

// add counts one occurrence of a reason. At the first occurrence it looks up the metric by the name of the reason.
func (t *reasonCounts) add(in *telemetry.Counters, reason int, name func() string) {
	for reason >= len(t.counts) {
		t.counts = append(t.counts, 0)
		t.names = append(t.names, "")
		t.total = append(t.total, nil)
	}
	if t.total[reason] == nil {
		t.names[reason] = name()
		t.total[reason] = in.With(t.names[reason])
	}
	t.counts[reason]++
	t.total[reason].Inc()
}

func (t *reasonCounts) byName() map[string]uint64 {
	m := map[string]uint64{}
	for i, n := range t.counts {
		if n > 0 {
			m[t.names[i]] += n
		}
	}
	return m
}

func newStatsRecorder(m *telemetry.Metrics, id sim.AreaID, name string) *statsRecorder {
	return &statsRecorder{
		shared:  m,
		metrics: m.Area(name),
		stats:   AreaStats{Area: id, Name: name},
	}
}

// addTick records one tick: its frame, the number of its intents, the world's clock at its end, and its duration.
func (l *statsRecorder) addTick(f *sim.Frame, intents int, nowMS int64, took time.Duration) {
	players := 0
	for i := range f.Actors {
		if f.Actors[i].Is(sim.FlagPlayer) {
			players++
		}
	}
	l.metrics.Players.Set(players)
	l.metrics.Actors.Set(len(f.Actors))
	l.metrics.Intents.Add(intents)
	l.metrics.ObserveTick(took.Seconds())

	l.mu.Lock()
	defer l.mu.Unlock()
	s := &l.stats
	s.Tick, s.Players, s.Actors = f.Tick, players, len(f.Actors)
	s.Intents += uint64(intents)
	s.Events += uint64(len(f.Events))
	l.times.add(nowMS/1000, took)
	for i := range f.Events {
		e := &f.Events[i]
		switch e.Kind {
		case sim.EventHeld:
			l.held.add(l.shared.Held, int(e.Reason), e.Reason.String)
		case sim.EventCorrected:
			l.corrected.add(l.shared.Corrected, int(e.Reason), e.Reason.String)
		case sim.EventTeleported: // a teleport with a reason replaces a correction that would reach the client too late
			if e.Reason != reason.None {
				l.corrected.add(l.shared.Corrected, int(e.Reason), e.Reason.String)
			}
		case sim.EventRefused:
			l.refused.add(l.shared.Refused, int(e.Reason), e.Reason.String)
		}
	}
}

func (l *statsRecorder) addOverrun(skipped int) {
	l.metrics.Overruns.Inc()
	l.metrics.Skipped.Add(skipped)
	l.mu.Lock()
	l.stats.Overruns++
	l.stats.Skipped += uint64(skipped)
	l.mu.Unlock()
}

func (l *statsRecorder) addFull() {
	l.metrics.Full.Inc()
	l.mu.Lock()
	l.stats.Full++
	l.mu.Unlock()
}

func (l *statsRecorder) addMissed() {
	l.metrics.Missed.Inc()
	l.mu.Lock()
	l.stats.Missed++
	l.mu.Unlock()
}

// setFailed records the error that stopped the area. The actors of the area are gone, so the counts of players and actors become
// 0.
func (l *statsRecorder) setFailed(err error) {
	l.metrics.Players.Set(0)
	l.metrics.Actors.Set(0)
	l.mu.Lock()
	l.stats.Err = err
	l.stats.Players, l.stats.Actors = 0, 0
	l.mu.Unlock()
}

// read returns a copy of the stats. The tick times cover the 10 s before nowMS.
func (l *statsRecorder) read(nowMS int64) AreaStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.stats
	all := l.times.sum(nowMS / 1000)
	s.TickP50, s.TickP99 = all.quantile(.50), all.quantile(.99)
	s.Held, s.Corrected, s.Refused = l.held.byName(), l.corrected.byName(), l.refused.byName()
	return s
}

// Stats returns the statistics of every area, in the order of their ids.
func (w *World) Stats() []AreaStats {
	all := make([]AreaStats, len(w.areas))
	now := w.NowMS()
	for i, r := range w.areas {
		all[i] = r.stats.read(now)
	}
	return all
}

// Sum adds up the statistics of several areas. Tick and the tick times are maxima over the areas; Err is the first error.
func Sum(list []AreaStats) AreaStats {
	sum := AreaStats{Area: sim.NoArea, Held: map[string]uint64{}, Corrected: map[string]uint64{}, Refused: map[string]uint64{}}
	for i := range list {
		s := &list[i]
		sum.Tick = max(sum.Tick, s.Tick)
		sum.Players += s.Players
		sum.Actors += s.Actors
		sum.TickP50 = max(sum.TickP50, s.TickP50)
		sum.TickP99 = max(sum.TickP99, s.TickP99)
		sum.Overruns += s.Overruns
		sum.Skipped += s.Skipped
		sum.Intents += s.Intents
		sum.Full += s.Full
		sum.Events += s.Events
		sum.Missed += s.Missed
		addTo(sum.Held, s.Held)
		addTo(sum.Corrected, s.Corrected)
		addTo(sum.Refused, s.Refused)
		if sum.Err == nil {
			sum.Err = s.Err
		}
	}
	return sum
}

func addTo(sum, more map[string]uint64) {
	for name, n := range more {
		sum[name] += n
	}
}
