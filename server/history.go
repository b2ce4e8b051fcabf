package server

import (
	"math"
	"path/filepath"
	"runtime/metrics"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/history"
	"github.com/truestep-io/truestep/internal/duration"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/telemetry"
)

// HistoryConfig configures the history of the server's statistics (players, tick durations, traffic and others), which
// survives restarts.
type HistoryConfig struct {
	HistoryRetain string `help:"How long figures for the charts of the console are kept over restarts, at most 366d, in a file of at most 9 MB; off keeps only the last hour, in memory." default:"366d" placeholder:"TIME" toml:"history-retain"`
}

// Limits of HistoryRetain.
const (
	minHistory = time.Hour
	maxHistory = 366 * 24 * time.Hour
)

func (c *HistoryConfig) check(p *gateway.Problems) {
	if c.HistoryRetain == gateway.Off || c.HistoryRetain == "" {
		return
	}
	d, err := duration.Parse(c.HistoryRetain)
	p.Refuse(err != nil || d < minHistory || d > maxHistory, "history-retain %q: must be 1h..366d, such as 30d, or off", c.HistoryRetain)
}

// historyRetain returns how long statistics are kept. It returns 0 if the history is off.
func (c *HistoryConfig) historyRetain() time.Duration {
	d, _ := duration.Parse(c.HistoryRetain)
	return d // d is 0 for the text "off"; check has refused all other invalid texts
}

// historyEvery is the interval at which statistics are sampled.
const historyEvery = 10 * time.Second

// historyRecorder samples the statistics of a server periodically and stores them. The zero value does nothing.
type historyRecorder struct {
	store *history.Store // nil if the history is off
	loop  periodic

	areas, doors []string     // names of the areas and doors, in the order of their series
	last         figureCounts // counters at the last sample
}

// figureCounts holds the values of counters at one time. The history stores how much each counter rises per interval.
type figureCounts struct {
	bytesIn, bytesOut, late uint64                      // bytes of traffic; ticks that took longer than a tick period
	loginsOK, loginsFailed  uint64                      // successful and failed logins
	byWeight                [len(historyWeights)]uint64 // holds and corrections, by index in historyWeights
}

// historyWeights lists the weights of reasons. A weight says how suspicious a hold or correction is. The history has one series
// for each weight.
var historyWeights = [...]reason.Weight{reason.Operator, reason.Harmless, reason.Unusual, reason.Suspicious}

// historySeries are the series that the history of every server has. Further series depend on the world and the doors:
// "players.area.NAME" and "players.door.NAME" for the players in each area and through each door, and "corrections.WEIGHT" for
// holds and corrections.
var historySeries = []history.Series{
	{Name: "players", Kind: history.Mean}, {Name: "players.peak", Kind: history.Max},
	{Name: "tick.p50", Kind: history.Mean}, {Name: "tick.p99", Kind: history.Max}, {Name: "ticks.late", Kind: history.Sum},
	{Name: "bytes.in", Kind: history.Mean}, {Name: "bytes.out", Kind: history.Mean},
	{Name: "logins.ok", Kind: history.Sum}, {Name: "logins.failed", Kind: history.Sum},
	{Name: "memory", Kind: history.Max},
}

// open opens the history file. The first sample is taken one interval after the start.
func (h *historyRecorder) open(s *Server, now time.Time) {
	retain := s.cfg.historyRetain()
	if retain == 0 {
		return
	}
	series := append([]history.Series(nil), historySeries...)
	for _, w := range historyWeights {
		series = append(series, history.Series{Name: "corrections." + w.String(), Kind: history.Sum})
	}
	for _, d := range s.doors {
		h.doors = append(h.doors, d.Name())
		series = append(series, history.Series{Name: "players.door." + d.Name(), Kind: history.Mean})
	}
	for i := range s.cfg.World.Areas {
		name := s.cfg.World.Areas[i].Name
		h.areas = append(h.areas, name)
		series = append(series, history.Series{Name: "players.area." + name, Kind: history.Mean})
	}
	h.store = history.Open(history.Options{Path: filepath.Join(s.cfg.DataDir, history.FileName), Series: series, Retain: retain, Start: now, Log: s.log})
}

// start starts a goroutine that takes the samples. The recorder has its own goroutine because writing to the disk may
// block.
func (h *historyRecorder) start(s *Server) {
	if h.store == nil {
		return
	}
	h.last = countFigures(s.world.Stats(), s.metrics)
	h.loop.start(historyEvery, func(now time.Time) { h.sample(now, s.world.Stats(), s.hub.Players(), s.metrics) })
}

// close stops sampling and closes the file.
func (h *historyRecorder) close() error {
	if h.store == nil {
		return nil
	}
	h.loop.stop()
	return h.store.Close()
}

// failure returns why the history file cannot be written at present, or nil if it can be written.
func (h *historyRecorder) failure() *telemetry.Failure {
	if h.store == nil {
		return nil
	}
	since, err := h.store.Err()
	if err == nil {
		return nil
	}
	return &telemetry.Failure{What: "HISTORY NOT WRITTEN", Err: err, Since: since}
}

// countFigures reads the current values of the counters from the areas and the metrics.
func countFigures(areas []area.AreaStats, m *telemetry.Metrics) (c figureCounts) {
	totals := m.Totals()
	c.bytesIn, c.bytesOut = totals.BytesIn, totals.BytesOut
	m.Logins.Each(func(result string, n uint64) {
		switch result {
		case "ok":
			c.loginsOK += n
		default:
			c.loginsFailed += n
		}
	})
	for i := range areas {
		c.late += areas[i].Overruns
		for _, counts := range []map[string]uint64{areas[i].Held, areas[i].Corrected} {
			for name, n := range counts {
				c.byWeight[weightIndex(name)] += n
			}
		}
	}
	return c
}

// weightIndex returns the index in historyWeights of the weight of the reason with the given name. Unknown reasons count as
// harmless.
func weightIndex(name string) int {
	for _, r := range reason.All() {
		if r.String() != name {
			continue
		}
		for i, w := range historyWeights {
			if w == r.Weight() {
				return i
			}
		}
	}
	return 1 // harmless
}

// sample adds one sample to the history: a value for each series, in the order of the series. The value of a counter is its increase
// since the last sample; that of a counter of bytes is the increase per second.
func (h *historyRecorder) sample(now time.Time, areas []area.AreaStats, players []session.Player, m *telemetry.Metrics) {
	count := countFigures(areas, m)
	was := h.last
	h.last = count
	grown := func(now, was uint64) float64 {
		if now < was { // the counter restarted at 0 because the area was restarted
			return float64(now)
		}
		return float64(now - was)
	}
	var p50, p99 time.Duration
	for i := range areas {
		p50, p99 = max(p50, areas[i].TickP50), max(p99, areas[i].TickP99)
	}
	seconds := historyEvery.Seconds()
	online := float64(len(players))
	values := []float64{
		online, online, p50.Seconds(), p99.Seconds(), grown(count.late, was.late),
		grown(count.bytesIn, was.bytesIn) / seconds, grown(count.bytesOut, was.bytesOut) / seconds,
		grown(count.loginsOK, was.loginsOK), grown(count.loginsFailed, was.loginsFailed), memoryInUse(),
	}
	for i := range historyWeights {
		values = append(values, grown(count.byWeight[i], was.byWeight[i]))
	}
	for _, door := range h.doors {
		n := 0
		for i := range players {
			if players[i].Door == door {
				n++
			}
		}
		values = append(values, float64(n))
	}
	for i := range h.areas {
		n := math.NaN()
		if i < len(areas) {
			n = float64(areas[i].Players)
		}
		values = append(values, n)
	}
	h.store.Add(now, values)
}

// memoryInUse returns the memory in bytes that the Go runtime has obtained from the operating system and not returned.
func memoryInUse() float64 {
	list := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(list)
	return float64(list[0].Value.Uint64()) - float64(list[1].Value.Uint64())
}
