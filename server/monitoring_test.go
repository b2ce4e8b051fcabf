package server

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/telemetry"
)

// alertRule is a rule of packaging/prometheus/truestep.rules.yml.
type alertRule struct{ alert, expr, pause, severity, summary, description string }

// dashboard is the part of packaging/grafana/truestep.json that the tests check.
type dashboard struct {
	Panels []panel
}

type panel struct {
	ID      int
	Title   string
	Type    string // "row": a heading
	GridPos struct{ X, Y, W, H int }
	Targets []struct{ RefID, Expr, LegendFormat string }
}

// seriesLabels parses metrics in the text format of Prometheus. It returns each metric's labels and those that Prometheus adds.
func seriesLabels(text string) map[string][]string {
	labels := map[string][]string{"up": {"job", "instance"}}
	for line := range strings.Lines(text) {
		if found := regexp.MustCompile(`^(\w+)(?:\{(.*)\})? `).FindStringSubmatch(line); found != nil {
			list := append(labels[found[1]], "job", "instance")
			for _, l := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(found[2], -1) {
				list = append(list, l[1])
			}
			labels[found[1]] = list
		}
	}
	return labels
}

// exportedLabels returns the labels of the metrics of a server with all doors. They include metrics that appear only after
// their first event or only in a cluster.
func exportedLabels(t *testing.T) map[string][]string {
	t.Helper()
	cfg := quietConfig(t)
	cfg.Metrics, cfg.Doors = "127.0.0.1:0", Doors()
	for _, d := range cfg.Doors {
		switch s := d.Settings().(type) {
		case *rcce.Config:
			s.Rcce = "127.0.0.1:0"
		case *rs.Config:
			s.Rs = "127.0.0.1:0"
		case *bedrock.Config:
			s.Bedrock = "127.0.0.1:0"
		case *web.Config:
			s.Web = "127.0.0.1:0"
		}
	}
	s := start(t, cfg)
	labels := seriesLabels(httpGet(t, "http://"+s.MetricsAddr().String()+"/metrics"))

	m := telemetry.New()
	m.Cluster([]string{"b"}, []string{"Vale"}).Changes.With("stops")
	m.Door("rs").Bad.With("short").Inc()
	m.HeldBack("rs").With("address").Inc()
	for _, c := range []*telemetry.Counters{m.Held, m.Corrected, m.Refused, m.Logins} {
		c.With("x").Inc()
	}
	for name, list := range seriesLabels(metricsText(t, m)) {
		switch name {
		case "truestep_bad_packets_total", "truestep_held_back_total", "truestep_claims_held_total", "truestep_corrections_total", "truestep_wishes_refused_total", "truestep_logins_total":
			labels[name] = list
		default:
			if strings.HasPrefix(name, "truestep_cluster_") {
				labels[name] = list
			}
		}
	}
	return labels
}

func TestAlertRulesAreCompleteAndReferToExportedMetrics(t *testing.T) {
	labels := exportedLabels(t)
	rules := readRules(t)
	if len(rules) < 20 {
		t.Errorf("there are %d rules", len(rules))
	}
	names := map[string]bool{}
	for _, r := range rules {
		if names[r.alert] || r.expr == "" || r.pause == "" || r.summary == "" || r.description == "" || r.severity != "critical" && r.severity != "warning" {
			t.Errorf("the rule is incomplete, or its name is used twice: %+v", r)
		}
		names[r.alert] = true
		has := checkExpression(t, r.alert, r.expr, labels)
		for _, text := range []string{r.summary, r.description} {
			for _, l := range regexp.MustCompile(`\$labels\.(\w+)`).FindAllStringSubmatch(text, -1) {
				if !slices.Contains(has, l[1]) {
					t.Errorf("%s: %q names the label %s, but the result of the expression has %q", r.alert, text, l[1], has)
				}
			}
		}
	}
}

// readRules reads the alert rules from a YAML file. It understands only the forms of lines that this file has, and rejects all others.
func readRules(t *testing.T) (rules []alertRule) {
	t.Helper()
	text, err := os.ReadFile("../packaging/prometheus/truestep.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	field := regexp.MustCompile(`^ {8,10}(expr|for|severity|summary|description): (?:'((?:[^']|'')*)'|(\w+))$`)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		name, isRule := strings.CutPrefix(line, "      - alert: ")
		m := field.FindStringSubmatch(line)
		switch {
		case isRule:
			rules = append(rules, alertRule{alert: name})
		case m != nil && len(rules) > 0:
			r := &rules[len(rules)-1]
			into := map[string]*string{"expr": &r.expr, "for": &r.pause, "severity": &r.severity, "summary": &r.summary, "description": &r.description}[m[1]]
			*into = strings.ReplaceAll(m[2], "''", "'") + m[3]
		case strings.HasPrefix(line, "#") || slices.Contains([]string{"groups:", "  - name: truestep", "    rules:", "        labels:", "        annotations:"}, line):
		default:
			t.Errorf("the rules have the line %q", line)
		}
	}
	return rules
}

func TestDashboardPanelsReferToExportedMetricsAndDoNotOverlap(t *testing.T) {
	text, err := os.ReadFile("../packaging/grafana/truestep.json")
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&d); err != nil {
		t.Fatal(err)
	}
	if len(d.Panels) < 20 {
		t.Errorf("there are %d panels", len(d.Panels))
	}
	labels := exportedLabels(t)
	taken := map[[2]int]string{} // title of the panel at each place of the grid
	ids := map[int]bool{}
	for _, p := range d.Panels {
		if ids[p.ID] || p.Title == "" || (len(p.Targets) == 0) != (p.Type == "row") || p.GridPos.W < 1 || p.GridPos.H < 1 || p.GridPos.X+p.GridPos.W > 24 {
			t.Errorf("the panel is incomplete, a row with expressions, wider than the page, or its id is used twice: %+v", p)
		}
		ids[p.ID] = true
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if other, ok := taken[at]; ok && other != p.Title {
					t.Fatalf("the panels %q and %q overlap", p.Title, other)
				}
				taken[at] = p.Title
			}
		}
		for _, target := range p.Targets {
			has := checkExpression(t, p.Title, target.Expr, labels)
			for _, l := range regexp.MustCompile(`\{\{\s*(\w+)\s*\}\}`).FindAllStringSubmatch(target.LegendFormat, -1) {
				if !slices.Contains(has, l[1]) {
					t.Errorf("%s: the legend %q names the label %s, but the result of the expression has %q", p.Title, target.LegendFormat, l[1], has)
				}
			}
		}
	}
}

// The dashboard shows the metrics of a cluster in the row "Cluster", below all other panels.
func TestDashboardHasRowWithMetricsOfCluster(t *testing.T) {
	text, err := os.ReadFile("../packaging/grafana/truestep.json")
	if err != nil {
		t.Fatal(err)
	}
	var d dashboard
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(d.Panels, func(p panel) bool { return p.Type == "row" && p.Title == "Cluster" })
	if at < 0 {
		t.Fatal("there is no row")
	}
	shown := map[string]bool{}
	for i, p := range d.Panels {
		for _, target := range p.Targets {
			for _, name := range regexp.MustCompile(`truestep_cluster_\w+`).FindAllString(target.Expr, -1) {
				shown[name] = true
				if i < at || p.GridPos.Y <= d.Panels[at].GridPos.Y {
					t.Errorf("panel %q is not in the row", p.Title)
				}
			}
		}
	}
	for _, name := range []string{
		"commit_seconds_bucket", "lead_changes_by_cause_total", "players_under_way", "copy_lag_ticks", "unstepped_entries", "unsaved_ticks", "area_leads", "load", "node_up", "round_trip_us",
		"messages_refused_total", "messages_dropped_total",
	} {
		if !shown["truestep_cluster_"+name] {
			t.Errorf("the row does not show truestep_cluster_%s", name)
		}
	}
}

// promFunctions are the words that may stand before a parenthesis in the expressions, such as function names.
var promFunctions = []string{"sum", "max", "by", "on", "group_left", "rate", "increase", "histogram_quantile", "clamp_min"}

// checkExpression checks a PromQL expression: its parentheses match, its functions are known, its metrics exist, and they
// have the labels that the expression uses in selectors and for grouping. It returns the labels of the result.
func checkExpression(t *testing.T, where, text string, labels map[string][]string) []string {
	t.Helper()
	var open []rune
	pairs := map[rune]rune{')': '(', '}': '{', ']': '['}
	for _, c := range text {
		if strings.ContainsRune("({[", c) {
			open = append(open, c)
		} else if pair, closes := pairs[c]; closes {
			if len(open) == 0 || open[len(open)-1] != pair {
				t.Errorf("%s: %q has no matching parenthesis in %s", where, c, text)
				return nil
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("%s: %d parentheses are not closed in %s", where, len(open), text)
	}
	for _, f := range regexp.MustCompile(`(\w+) ?\(`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(promFunctions, f[1]) {
			t.Errorf("%s: unknown function %s in %s", where, f[1], text)
		}
	}
	var all []string // labels of all metrics of the expression
	metrics := regexp.MustCompile(`\b(up|truestep_\w+|go_\w+|process_\w+)\b(?:\{([^}]*)\})?`).FindAllStringSubmatch(text, -1)
	for _, m := range metrics {
		have, ok := labels[m[1]]
		if !ok {
			t.Errorf("%s: there is no metric %s in %s", where, m[1], text)
		}
		all = append(all, have...)
		for _, l := range regexp.MustCompile(`(\w+)(?:=~|!~|!=|=)"`).FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains(have, l[1]) {
				t.Errorf("%s: %s has no label %s", where, m[1], l[1])
			}
		}
	}
	if len(metrics) == 0 {
		t.Errorf("%s: no metric in %s", where, text)
		return nil
	}
	var first []string // labels that remain after the first aggregation, which is the left side of a division
	for i, by := range regexp.MustCompile(`\b(?:by|on) \(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		for l := range strings.SplitSeq(by[1], ",") {
			l = strings.TrimSpace(l)
			if !slices.Contains(all, l) {
				t.Errorf("%s: no metric of %s has the label %q", where, text, l)
			}
			if i == 0 && l != "le" {
				first = append(first, l)
			}
		}
	}
	switch {
	case regexp.MustCompile(`^(sum|max)\(`).MatchString(text):
		return nil
	case first != nil:
		return first
	}
	return labels[metrics[0][1]]
}
