// Package telemetry has the metrics of a server, the names of its log fields, and the status line that it prints each
// second.
//
// A server creates one Metrics and passes it to its packages. Each Metrics has its own registry, so two servers in one
// process do not share counters. A package looks up each counter once (Area, Door, or a counter by label value) and
// stores it; after that, counting is one atomic addition.
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

// Metrics holds the metrics of one server. It is safe for concurrent use.
type Metrics struct {
	reg *prometheus.Registry

	Held      *Counters // claims held by the movement rules, by reason
	Corrected *Counters // corrections sent to clients, by reason
	Refused   *Counters // refused intents, by reason
	Limited   *Counters // intents above a rate limit, by class, for example "claim" or "area_chat"
	Logins    *Counters // logins by result, for example "ok" or "wrong_password"
	// passwords of logins checked, by method: "argon2id" if hashed, "proof" if compared with a recent successful login
	Secrets *Counters
	Saves   *Counters // records by result of a save: stored ("ok") or not stored ("error"); each retry counts again
	// Journal counts entries of the journal by result: "stored" or "lost". With the label "missed_frames" it counts frames whose
	// events the journal could not read.
	Journal *Counters

	// ChatLog counts chat lines by result: "stored", "lost", or "skipped" if an account sent too many lines that no
	// player received. With the label "missed_frames" it counts frames whose chat lines the log could not read.
	ChatLog *Counters

	Unsaved     *Gauge // player records that wait to be saved
	SaveFailing *Gauge // 1 while player records cannot be saved, else 0

	JournalFailing *Gauge // 1 while the journal cannot be written, else 0
	ChatLogFailing *Gauge // 1 while the chat log cannot be written, else 0
	LedgerFailing  *Gauge // 1 while the commit ledger of the database cannot be written, else 0

	StoreUnreachable *Gauge // 1 while the database server cannot be reached, else 0

	BackupFailing *Gauge // 1 while scheduled backups fail, else 0
	// time of the last scheduled backup in this run of the server, seconds since 1970 UTC; 0 before the first
	BackupTime *Gauge

	WebhookWaiting *Gauge   // events that wait to be delivered to receivers of webhooks
	WebhookMissed  *Counter // events that were not delivered: dropped by a full queue, refused, or too old

	TapeGaps   *Counter // periods in which ticks were published before they were recorded on the tape
	TapeMissed *Counter // ticks that were published before they were recorded on the tape
	TapeBytes  *Counter // bytes written to the tape
	TapeDisk   *Gauge   // size of the tape on disk in bytes

	mu    sync.Mutex
	areas map[string]*Area
	doors map[string]*DoorMetrics
	held  map[string]*Counters // by door
}

// Area holds the metrics of one area.
type Area struct {
	Players  *Gauge   // players in the area
	Actors   *Gauge   // actors in the area, players included
	Overruns *Counter // ticks whose step took longer than a tick period
	Skipped  *Counter // ticks skipped after an overrun
	Intents  *Counter // intents passed to the simulation
	Full     *Counter // intents rejected because the player's queue of waiting intents was full
	Missed   *Counter // frames that slow readers did not receive, summed over the readers

	tick prometheus.Histogram
}

// ObserveTick records the duration of one tick in seconds.
func (a *Area) ObserveTick(seconds float64) { a.tick.Observe(seconds) }

// DoorMetrics holds the metrics of one door. Bytes are counted without the headers of lower layers: only the payload of datagrams, or
// the content of a stream.
type DoorMetrics struct {
	Sessions   *Gauge    // open sessions
	SendQueue  *Gauge    // bytes of messages that wait to be sent or acknowledged, for doors over UDP
	PacketsIn  *Counter  // packets received
	PacketsOut *Counter  // packets sent
	BytesIn    *Counter  // payload bytes received
	BytesOut   *Counter  // payload bytes sent
	Bad        *Counters // rejected packets by kind, for example "short", "range" or "flood"
}

// tickBuckets are the upper bounds of the buckets of the histogram of tick durations, in seconds. The time between two ticks is
// 0.05 s.
var tickBuckets = []float64{.00025, .0005, .001, .002, .004, .008, .016, .032, .05, .1, .2, .5}

// New returns metrics with their own registry, which includes the collectors of the Go runtime and the process.
func New() *Metrics {
	reg := prometheus.NewRegistry()
	reg.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return &Metrics{
		reg:              reg,
		Held:             newCounters(reg, "truestep_claims_held_total", "Claims of position that the movement rules rejected (held), by reason.", "reason", nil),
		Corrected:        newCounters(reg, "truestep_corrections_total", "Corrections of position sent to clients.", "reason", nil),
		Refused:          newCounters(reg, "truestep_wishes_refused_total", "Intents of players that were refused.", "reason", nil),
		Limited:          newCounters(reg, "truestep_intents_limited_total", "Intents dropped because they exceed a rate limit, by class.", "class", nil),
		Logins:           newCounters(reg, "truestep_logins_total", "Logins, by result.", "result", nil),
		Secrets:          newCounters(reg, "truestep_secrets_checked_total", "Passwords hashed or checked, by method: argon2id if hashed, proof if compared with a recent successful login.", "by", nil),
		Saves:            newCounters(reg, "truestep_saves_total", "Saved records of characters, by result.", "result", nil),
		Journal:          newCounters(reg, "truestep_journal_total", "Journal entries stored or lost, and frames that the journal missed, by result.", "result", nil),
		ChatLog:          newCounters(reg, "truestep_chat_log_total", "Lines of chat by result: stored, lost, or skipped, which are withheld lines above their limit. missed_frames counts frames that the chat log missed.", "result", nil),
		Unsaved:          newGauge(reg, "truestep_records_unsaved", "Player records that wait to be saved.", nil),
		SaveFailing:      newGauge(reg, "truestep_save_failing", "1 while player records cannot be saved, else 0.", nil),
		JournalFailing:   newGauge(reg, "truestep_journal_failing", "1 while the journal cannot be written, else 0.", nil),
		ChatLogFailing:   newGauge(reg, "truestep_chat_log_failing", "1 while the chat log cannot be written, else 0.", nil),
		LedgerFailing:    newGauge(reg, "truestep_ledger_failing", "1 while the ledger of the database cannot be written or its log cannot be checkpointed, else 0.", nil),
		StoreUnreachable: newGauge(reg, "truestep_store_unreachable", "1 while the PostgreSQL server cannot be reached, else 0. Always 0 with SQLite.", nil),

		BackupFailing:  newGauge(reg, "truestep_backup_failing", "1 while scheduled backups fail, else 0.", nil),
		BackupTime:     newGauge(reg, "truestep_backup_time_seconds", "Time of the last scheduled backup, seconds since 1970 UTC; 0 if this run has made none.", nil),
		WebhookWaiting: newGauge(reg, "truestep_webhook_events_waiting", "Events that wait to be delivered to receivers of webhooks; counted every ten seconds.", nil),
		WebhookMissed:  newCounter(reg, "truestep_webhook_events_missed_total", "Events that receivers of webhooks did not get: dropped by a full queue, refused, or too old.", nil),
		TapeGaps:       newCounter(reg, "truestep_tape_gaps_total", "Periods in which ticks were published before they were on the tape.", nil),
		TapeMissed:     newCounter(reg, "truestep_tape_missed_ticks_total", "Ticks that were published before they were on the tape.", nil),
		TapeBytes:      newCounter(reg, "truestep_tape_written_bytes_total", "Bytes of ticks written to the tape.", nil),
		TapeDisk:       newGauge(reg, "truestep_tape_disk_bytes", "Bytes of the tape on disk.", nil),
		areas:          map[string]*Area{},
		doors:          map[string]*DoorMetrics{},
		held:           map[string]*Counters{},
	}
}

// Handler serves the metrics in the Prometheus text format. Requests that arrive at the same time share one collection of the
// values.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.reg, promhttp.HandlerOpts{Registry: m.reg, CoalesceGather: true})
}

// Area returns the counters of the area with the given name. Calls with the same name return the same counters.
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
		Overruns: newCounter(m.reg, "truestep_tick_overruns_total", "Ticks whose step took longer than a tick period.", at),
		Skipped:  newCounter(m.reg, "truestep_ticks_skipped_total", "Ticks skipped after an overrun.", at),
		Intents:  newCounter(m.reg, "truestep_intents_total", "Intents passed to the simulation.", at),
		Full:     newCounter(m.reg, "truestep_intents_full_total", "Intents rejected because their player has too many waiting.", at),
		Missed:   newCounter(m.reg, "truestep_frames_missed_total", "Frames that slow readers did not receive.", at),
		tick: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "truestep_tick_seconds", Help: "Duration of a tick's step.", ConstLabels: at, Buckets: tickBuckets,
		}),
	}
	m.reg.MustRegister(a.tick)
	m.areas[name] = a
	return a
}

// Door returns the counters of the door with the given name. Calls with the same name return the same counters.
func (m *Metrics) Door(name string) *DoorMetrics {
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
	d := &DoorMetrics{
		Sessions:   newGauge(m.reg, "truestep_sessions", "Connections of the door.", at),
		SendQueue:  newGauge(m.reg, "truestep_send_queue_bytes", "Memory of messages that wait to be sent or acknowledged; 0 for doors over TCP.", at),
		PacketsIn:  newCounter(m.reg, packets, packetsHelp, in),
		PacketsOut: newCounter(m.reg, packets, packetsHelp, out),
		BytesIn:    newCounter(m.reg, bytes, bytesHelp, in),
		BytesOut:   newCounter(m.reg, bytes, bytesHelp, out),
		Bad:        newCounters(m.reg, "truestep_bad_packets_total", "Rejected packets, by kind.", "kind", at),
	}
	m.doors[name] = d
	return d
}

// HeldBack returns the counters of the connections and logins that a door, or the console, has refused or displaced because of a
// limit. The label value is the name of the limit (admission.Budget).
func (m *Metrics) HeldBack(door string) *Counters {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.held[door]
	if c == nil {
		c = newCounters(m.reg, "truestep_held_back_total", "Connections and logins refused or displaced because of a limit, by limit (budget).", "budget", prometheus.Labels{"door": door})
		m.held[door] = c
	}
	return c
}

// Totals are sums over all doors since the start of the server. The status line shows by how much they have grown between two
// readings.
type Totals struct {
	PacketsIn, PacketsOut uint64       // packets of all doors
	BytesIn, BytesOut     uint64       // payload bytes of all doors
	Holds                 []NamedCount // held claims by reason, in order of first use
}

// NamedCount is a label value of a counter and the count for that value.
type NamedCount struct {
	Name string // value of the label
	N    uint64 // value of the counter
}

// Totals returns the traffic of all doors and the held claims by reason, since the start of the server.
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
