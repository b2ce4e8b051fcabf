package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

func TestHealthReportListsLateAreas(t *testing.T) {
	var h health
	now := time.Unix(1000, 0)
	at := func(passed time.Duration, ticks ...sim.Tick) string {
		now = now.Add(passed)
		h.check([]area.AreaStats{{Name: "Vale", Tick: ticks[0]}, {Name: "Ring", Tick: ticks[1]}}, 20, now)
		return strings.Join(h.late, "; ")
	}
	for i, c := range []struct {
		passed     time.Duration
		vale, ring sim.Tick
		want       string
	}{
		{0, 5000, 100, ""}, // the first check has nothing to compare with
		{2 * time.Second, 5040, 139, ""},
		{2 * time.Second, 5080, 139, `area "Ring" is late: 0 % of its ticks in the last 2 s`},
		{4 * time.Second, 5140, 219, `area "Vale" is late: 75 % of its ticks in the last 4 s`},
		{2 * time.Second, 5172, 259, ""},
	} {
		if got := at(c.passed, c.vale, c.ring); got != c.want {
			t.Errorf("check %d: %q, want %q", i, got, c.want)
		}
	}
}

// getHealth requests /readyz and returns the HTTP status and the decoded answer.
func getHealth(t *testing.T, s *Server) (int, Health) {
	t.Helper()
	r, err := http.Get("http://" + s.MetricsAddr().String() + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var h Health
	if err := json.NewDecoder(r.Body).Decode(&h); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, h
}

// endingDoor is a door whose Run returns when end is closed.
type endingDoor struct {
	brokenDoor
	end chan struct{}
}

func (d *endingDoor) Open(*gateway.Host) error { return nil }
func (d *endingDoor) Run(context.Context) error {
	<-d.end
	return nil
}

func TestServerIsReadyUntilItsProtocolGatewayCloses(t *testing.T) {
	cfg := quietConfig(t)
	door := &endingDoor{end: make(chan struct{})}
	cfg.Doors, cfg.Metrics = []gateway.Door{door}, "127.0.0.1:0"
	s := start(t, cfg)
	if code, h := getHealth(t, s); code != http.StatusOK || !h.Ready || len(h.Problems)+len(h.Failures) != 0 {
		t.Errorf("status %d, %+v", code, h)
	}
	if text := httpGet(t, "http://"+s.MetricsAddr().String()+"/healthz"); text != "ok\n" {
		t.Errorf("/healthz answers %q", text)
	}
	later := time.Now()
	eventually(t, "an area that has not stepped for an hour makes the server not ready", func() bool {
		later = later.Add(time.Hour)
		s.health.check(s.world.Stats(), s.world.Def().TicksPerSecond, later)
		code, h := getHealth(t, s)
		return code == http.StatusServiceUnavailable && !h.Ready && len(h.Problems) > 0 && strings.Contains(h.Problems[0], "is late")
	})
	close(door.end)
	eventually(t, "the door ends", func() bool {
		code, h := getHealth(t, s)
		return code == http.StatusServiceUnavailable && !h.Ready && slices.Contains(h.Problems, "the door broken is closed")
	})
}

// metricsText returns metrics in the text format of Prometheus.
func metricsText(t *testing.T, m *telemetry.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}
