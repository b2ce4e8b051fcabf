package telemetry

import (
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil || w.Code != 200 {
		t.Fatalf("scrape: status %d, %v", w.Code, err)
	}
	return string(body)
}

func TestMetricsHandlerServesEveryCounter(t *testing.T) {
	m := New()
	a := m.Area("Plains")
	a.Players.Set(3)
	a.Actors.Set(40)
	a.Overruns.Inc()
	a.Skipped.Add(2)
	a.Intents.Add(17)
	a.Full.Add(4)
	a.Missed.Add(5)
	a.ObserveTick(0.003)
	d := m.Door("rcce")
	d.Sessions.Add(2)
	d.Sessions.Add(-1)
	d.PacketsIn.Add(6)
	d.PacketsOut.Add(7)
	d.BytesIn.Add(800)
	d.BytesOut.Add(900)
	d.Bad.With("short").Inc()
	m.Held.With("too_fast").Add(11)
	m.Corrected.With("repeated_holds").Inc()
	m.Refused.With("no_pvp").Inc()
	m.Logins.With("ok").Inc()
	m.Saves.With("error").Inc()
	m.HeldBack("rcce").With("address").Inc()
	m.HeldBack("rcce").With("address").Inc()
	m.HeldBack("rs").With("address").Inc()

	got := scrape(t, m)
	for _, want := range []string{
		`truestep_players{area="Plains"} 3`,
		`truestep_actors{area="Plains"} 40`,
		`truestep_tick_overruns_total{area="Plains"} 1`,
		`truestep_ticks_skipped_total{area="Plains"} 2`,
		`truestep_intents_total{area="Plains"} 17`,
		`truestep_intents_full_total{area="Plains"} 4`,
		`truestep_frames_missed_total{area="Plains"} 5`,
		`truestep_tick_seconds_bucket{area="Plains",le="0.002"} 0`,
		`truestep_tick_seconds_bucket{area="Plains",le="0.004"} 1`,
		`truestep_sessions{door="rcce"} 1`,
		`truestep_packets_total{direction="in",door="rcce"} 6`,
		`truestep_packets_total{direction="out",door="rcce"} 7`,
		`truestep_bytes_total{direction="in",door="rcce"} 800`,
		`truestep_bytes_total{direction="out",door="rcce"} 900`,
		`truestep_bad_packets_total{door="rcce",kind="short"} 1`,
		`truestep_claims_held_total{reason="too_fast"} 11`,
		`truestep_corrections_total{reason="repeated_holds"} 1`,
		`truestep_wishes_refused_total{reason="no_pvp"} 1`,
		`truestep_logins_total{result="ok"} 1`,
		`truestep_saves_total{result="error"} 1`,
		`truestep_held_back_total{budget="address",door="rcce"} 2`,
		`truestep_held_back_total{budget="address",door="rs"} 1`,
		`go_goroutines `,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("scrape lacks %s", want)
		}
	}
}

// Each value of the cluster is another number, so that a value under another value's name fails the test.
func TestMetricsHandlerServesValuesOfEachNodeAndAreaOfCluster(t *testing.T) {
	m := New()
	c := m.Cluster([]string{"b", "c"}, []string{"Plains", "Hills"})
	n, a := &c.Nodes[1], &c.Areas[1]
	want := []string{`truestep_cluster_node_up{node="b"} 0`, `truestep_cluster_area_load{area="Plains"} 0`}
	for i, g := range []struct {
		gauge *Gauge
		line  string
	}{
		{c.Load, `load`}, {c.Draining, `draining`}, {c.Unsynced, `log_unsynced_ms`},
		{n.Up, `node_up{node="c"}`}, {n.RoundTripUS, `round_trip_us{node="c"}`}, {n.ClockOffsetMS, `clock_offset_ms{node="c"}`}, {n.QueueBytes, `queue_bytes{node="c"}`},
		{a.HasLead, `area_has_lead{area="Hills"}`}, {a.Leads, `area_leads{area="Hills"}`}, {a.Load, `area_load{area="Hills"}`}, {a.Lag, `copy_lag_ticks{area="Hills"}`},
		{a.Unsaved, `unsaved_ticks{area="Hills"}`}, {a.Unstepped, `unstepped_entries{area="Hills"}`},
		{a.UnderWay, `players_under_way{area="Hills"}`}, {a.OldestMS, `oldest_under_way_ms{area="Hills"}`},
	} {
		g.gauge.Set(-i - 1)
		want = append(want, fmt.Sprintf("truestep_cluster_%s %d", g.line, -i-1))
	}
	for i, g := range []struct {
		counter *Counter
		line    string
	}{
		{c.Fenced, `fenced`}, {c.Dropped, `messages_dropped`}, {c.Refused, `messages_refused`}, {c.Crossings, `crossings`}, {c.LostTicks, `lost_record_ticks`},
	} {
		g.counter.Add(i + 1)
		want = append(want, fmt.Sprintf("truestep_cluster_%s_total %d", g.line, i+1))
	}
	c.Changes.With("drain").Add(2)
	a.LeadMoves.Add(3)
	c.ObserveCrossing(0.06)
	a.ObserveCommit(0.003)
	want = append(want,
		`truestep_cluster_lead_changes_by_cause_total{cause="drain"} 2`, `truestep_cluster_lead_changes_total{area="Hills"} 3`,
		`truestep_cluster_crossing_seconds_bucket{le="0.05"} 0`, `truestep_cluster_crossing_seconds_bucket{le="0.075"} 1`,
		`truestep_cluster_commit_seconds_bucket{area="Hills",le="0.002"} 0`, `truestep_cluster_commit_seconds_bucket{area="Hills",le="0.004"} 1`)
	got := scrape(t, m)
	for _, line := range want {
		if !strings.Contains(got, "\n"+line+"\n") {
			t.Errorf("scrape lacks %s", line)
		}
	}
}

func TestCounterLookupsWithSameNameReturnSameCounter(t *testing.T) {
	m := New()
	area, door, held := m.Area("A"), m.Door("rcce"), m.Held.With("x")
	if m.Area("A") != area || m.Area("B") == area {
		t.Error("area counters do not depend on the name alone")
	}
	if m.Door("rcce") != door || m.Door("rs") == door {
		t.Error("door counters do not depend on the name alone")
	}
	if m.Held.With("x") != held || m.Held.With("y") == held {
		t.Error("counters do not depend on the label value alone")
	}
}

func TestMetricsOfTwoServersAreSeparate(t *testing.T) {
	a, b := New(), New()
	a.Area("Plains").Players.Set(3)
	if b.Area("Plains").Players.Load() != 0 {
		t.Error("the metrics of two servers are shared")
	}
}

func TestCounterIgnoresNegativeAmounts(t *testing.T) {
	var c Counter
	c.Add(5)
	c.Add(-3)
	if c.Load() != 5 {
		t.Errorf("count is %d, want 5", c.Load())
	}
}

func TestTotalsAreSumsOfAllDoors(t *testing.T) {
	m := New()
	m.Door("rcce").PacketsIn.Add(2)
	m.Door("rs").PacketsIn.Add(3)
	m.Door("rs").BytesOut.Add(10)
	m.Held.With("too_fast").Add(4)
	got := m.Totals()
	if got.PacketsIn != 5 || got.BytesOut != 10 || len(got.Holds) != 1 || got.Holds[0] != (NamedCount{"too_fast", 4}) {
		t.Errorf("totals are %+v", got)
	}
}

func TestConcurrentIncrementsDuringScrapeAreAllCounted(t *testing.T) {
	m := New()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				m.Door("rcce").Bad.With("short").Inc()
				m.Area("Plains").ObserveTick(0.001)
			}
		})
	}
	scrape(t, m)
	wg.Wait()
	if n := m.Door("rcce").Bad.With("short").Load(); n != 800 {
		t.Errorf("counted %d of 800", n)
	}
}

func TestUpdatingMetricsDoesNotAllocate(t *testing.T) {
	m := New()
	a, d, held := m.Area("Plains"), m.Door("rcce"), m.Held.With("too_fast")
	if n := testing.AllocsPerRun(100, func() {
		a.ObserveTick(0.001)
		a.Intents.Add(3)
		d.PacketsIn.Inc()
		held.Inc()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCount(b *testing.B) {
	d := New().Door("rcce")
	b.ReportAllocs()
	for b.Loop() {
		d.PacketsIn.Inc()
		d.BytesIn.Add(22)
	}
}
