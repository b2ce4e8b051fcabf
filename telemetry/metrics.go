// Package telemetry has the metrics of a server, the names of its log fields, and the line that it prints each second.
//
// One Metrics is made by the command and handed to whoever counts. It owns its registry, so that two servers in one
// test process do not meet. Packages ask once for the part that they update (Area, Door, a counter by label value) and
// keep it: from then on counting is one atomic addition.
//
//	m := telemetry.New()
//	door := m.Door("rcce")
//	door.PacketsIn.Inc()
//	http.Handle("/metrics", m.Handler())
//
// It starts no goroutines.
package telemetry

import (
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics is everything that one server counts. Safe for any goroutine.
type Metrics struct {
	reg *prometheus.Registry

	Held      *Counters // claims held, by reason
	Corrected *Counters // clients told their position, by reason
	Refused   *Counters // wishes refused, by reason
	Logins    *Counters // by result: "ok", "wrong_password"...
	Saves     *Counters // records stored, by result: "ok", "error"
	Journal   *Counters // entries of the journal, by result: "stored", "lost"; and "missed_frames"

	mu    sync.Mutex
	areas map[string]*Area
	doors map[string]*Door
}

// Area is what one area counts.
type Area struct {
	Players  *Gauge
	Actors   *Gauge   // players included
	Overruns *Counter // ticks that took longer than a tick lasts
	Skipped  *Counter // ticks left out because the area was too late to catch up
	Intents  *Counter // handed to the simulation
	Full     *Counter // intents turned away because their player's budget was used up
	Missed   *Counter // frames that a slow reader did not get, summed over the readers

	tick prometheus.Histogram
}

// Tick counts one tick that took so many seconds.
func (a *Area) Tick(seconds float64) { a.tick.Observe(seconds) }

// Door is what one door counts. Bytes are those of the datagrams or stream, headers of lower layers aside.
type Door struct {
	Sessions   *Gauge
	PacketsIn  *Counter
	PacketsOut *Counter
	BytesIn    *Counter
	BytesOut   *Counter
	Bad        *Counters // packets refused, by kind: "short", "range", "flood"...
}

// tickBuckets are seconds; the budget of a tick is 0.05.
var tickBuckets = []float64{.00025, .0005, .001, .002, .004, .008, .016, .032, .05, .1, .2, .5}

// New returns metrics with a registry of their own, which also has the figures of the Go runtime and the process.
func New() *Metrics {
	reg := prometheus.NewRegistry()
	reg.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return &Metrics{
		reg:       reg,
		Held:      newCounters(reg, "truestep_claims_held_total", "Claims of position that were held.", "reason", nil),
		Corrected: newCounters(reg, "truestep_corrections_total", "Clients that were told their position.", "reason", nil),
		Refused:   newCounters(reg, "truestep_wishes_refused_total", "Wishes of players that were refused.", "reason", nil),
		Logins:    newCounters(reg, "truestep_logins_total", "Logins by their result.", "result", nil),
		Saves:     newCounters(reg, "truestep_saves_total", "Records of characters stored, by result.", "result", nil),
		Journal:   newCounters(reg, "truestep_journal_total", "Entries of the journal, and frames that it missed, by result.", "result", nil),
		areas:     map[string]*Area{},
		doors:     map[string]*Door{},
	}
}

// Handler serves the metrics in the text format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.reg, promhttp.HandlerOpts{Registry: m.reg})
}

// Area returns what the area of that name counts, always the same for the same name.
func (m *Metrics) Area(name string) *Area {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.areas[name]; a != nil {
		return a
	}
	at := prometheus.Labels{"area": name}
	a := &Area{
		Players:  newGauge(m.reg, "truestep_players", "Players in the area.", at),
		Actors:   newGauge(m.reg, "truestep_actors", "Actors in the area, players included.", at),
		Overruns: newCounter(m.reg, "truestep_tick_overruns_total", "Ticks that took longer than a tick lasts.", at),
		Skipped:  newCounter(m.reg, "truestep_ticks_skipped_total", "Ticks left out after an overrun.", at),
		Intents:  newCounter(m.reg, "truestep_intents_total", "Intents handed to the simulation.", at),
		Full:     newCounter(m.reg, "truestep_intents_full_total", "Intents beyond the budget of their player.", at),
		Missed:   newCounter(m.reg, "truestep_frames_missed_total", "Frames that slow readers did not get.", at),
		tick: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "truestep_tick_seconds", Help: "How long ticks take.", ConstLabels: at, Buckets: tickBuckets,
		}),
	}
	m.reg.MustRegister(a.tick)
	m.areas[name] = a
	return a
}

// Door returns what the door of that name counts, always the same for the same name.
func (m *Metrics) Door(name string) *Door {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.doors[name]; d != nil {
		return d
	}
	at := prometheus.Labels{"door": name}
	in := prometheus.Labels{"door": name, "direction": "in"}
	out := prometheus.Labels{"door": name, "direction": "out"}
	const packets, packetsHelp = "truestep_packets_total", "Packets of the door's protocol."
	const bytes, bytesHelp = "truestep_bytes_total", "Bytes of datagrams or streams."
	d := &Door{
		Sessions:   newGauge(m.reg, "truestep_sessions", "Connections of the door.", at),
		PacketsIn:  newCounter(m.reg, packets, packetsHelp, in),
		PacketsOut: newCounter(m.reg, packets, packetsHelp, out),
		BytesIn:    newCounter(m.reg, bytes, bytesHelp, in),
		BytesOut:   newCounter(m.reg, bytes, bytesHelp, out),
		Bad:        newCounters(m.reg, "truestep_bad_packets_total", "Packets that were refused.", "kind", at),
	}
	m.doors[name] = d
	return d
}

// Totals are the sums since the start that the status line compares.
type Totals struct {
	PacketsIn, PacketsOut uint64
	BytesIn, BytesOut     uint64
	Holds                 []NamedCount // in order of first use
}

// NamedCount is a count and what was counted.
type NamedCount struct {
	Name string
	N    uint64
}

// Totals sums the doors and copies the holds by reason.
func (m *Metrics) Totals() Totals {
	var t Totals
	m.mu.Lock()
	for _, d := range m.doors {
		t.PacketsIn += d.PacketsIn.Load()
		t.PacketsOut += d.PacketsOut.Load()
		t.BytesIn += d.BytesIn.Load()
		t.BytesOut += d.BytesOut.Load()
	}
	m.mu.Unlock()
	m.Held.Each(func(reason string, n uint64) { t.Holds = append(t.Holds, NamedCount{reason, n}) })
	return t
}
