package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

func TestHealthReportNamesLateAreas(t *testing.T) {
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
		{0, 5000, 100, ""}, // nothing to compare with
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

// The alert rules and the dashboard refer only to metrics and labels that a server exports.
func TestAlertRulesAndDashboardUseExistingMetrics(t *testing.T) {
	m := telemetry.New()
	m.Area("Vale").ObserveTick(0.001)
	m.Cluster([]string{"b"}, []string{"Vale"})
	m.Door("rs").Bad.With("short").Inc()
	m.HeldBack("rs").With("address").Inc()
	for _, c := range []*telemetry.Counters{m.Held, m.Corrected, m.Refused, m.Limited, m.Logins, m.Secrets, m.Saves, m.Journal} {
		c.With("x").Inc()
	}
	labels := map[string][]string{"up": {"job", "instance"}}
	for line := range strings.Lines(metricsText(t, m)) {
		if found := regexp.MustCompile(`^(\w+)(?:\{(.*)\})? `).FindStringSubmatch(line); found != nil {
			list := append(labels[found[1]], "job", "instance") // which Prometheus adds
			for _, l := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(found[2], -1) {
				list = append(list, l[1])
			}
			labels[found[1]] = list
		}
	}
	for file, expression := range map[string]*regexp.Regexp{
		"../packaging/prometheus/truestep.rules.yml": regexp.MustCompile(`(?m)^ +expr: '(.*)'$`),
		"../packaging/grafana/truestep.json":         regexp.MustCompile(`(?m)^ +"expr": "(.*)",?$`),
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := expression.FindAllStringSubmatch(string(text), -1)
		if len(found) < 10 {
			t.Errorf("%s has %d expressions", file, len(found))
		}
		for _, e := range found {
			checkExpression(t, file, strings.ReplaceAll(e[1], `\"`, `"`), labels)
		}
	}
}

// checkExpression checks that the metrics of a PromQL expression exist and have the labels that the expression uses, in
// selectors and for grouping.
func checkExpression(t *testing.T, file, text string, labels map[string][]string) {
	t.Helper()
	var all []string // labels of all metrics of the expression
	for _, m := range regexp.MustCompile(`\b(up|truestep_\w+|go_\w+|process_\w+)\b(?:\{([^}]*)\})?`).FindAllStringSubmatch(text, -1) {
		have, ok := labels[m[1]]
		if !ok {
			t.Errorf("%s: there is no metric %s in %s", file, m[1], text)
		}
		all = append(all, have...)
		for _, l := range regexp.MustCompile(`(\w+)(?:=~|!~|!=|=)"`).FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(have, l[1]) {
				t.Errorf("%s: %s has no label %s", file, m[1], l[1])
			}
		}
	}
	if len(all) == 0 {
		t.Errorf("%s: no metric in %s", file, text)
	}
	for _, by := range regexp.MustCompile(`\b(?:by|on) \(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		for l := range strings.SplitSeq(by[1], ",") {
			if l = strings.TrimSpace(l); !slices.Contains(all, l) {
				t.Errorf("%s: no metric of %s has the label %q", file, text, l)
			}
		}
	}
}

// metricsText returns metrics in the text format of Prometheus.
func metricsText(t *testing.T, m *telemetry.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}
