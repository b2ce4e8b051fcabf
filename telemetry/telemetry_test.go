package telemetry

import (
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
		`go_goroutines `,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("scrape lacks %s", want)
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
