package server

import (
	"errors"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/telemetry"
)

func TestClusterMetricsEqualValuesOfClusterStatus(t *testing.T) {
	m := telemetry.New()
	c := m.Cluster([]string{"b", "c"}, []string{"Vale"})
	s := cluster.Status{
		Node: "a", Fenced: 1, Dropped: 2, Refused: 3, Crossed: 4, LostTicks: 6, Causes: map[cluster.LeadCause]uint64{cluster.CauseDrains: 7},
		Nodes: []cluster.NodeStatus{
			{Name: "a", Self: true, Up: true, Draining: true, Load: 700},
			{Name: "b", Up: true, Link: link.PeerStatus{RoundTrip: 300 * time.Microsecond, OffsetMS: -2, Queued: 70}},
			{Name: "c"},
		},
		Areas:     []cluster.AreaStatus{{Name: "Vale", Lead: "a", Load: 300, Tick: 100, SavedTick: 90, Changes: 5, LastIndex: 130, StepIndex: 127, UnderWay: 2, Copies: []cluster.Copy{{Node: "a", Known: true, Lag: 6}, {Node: "b"}, {Node: "c"}}}},
		Transfers: []cluster.Transfer{{From: 0, To: 1, UnderWay: 1, Oldest: 40 * time.Millisecond}, {From: 0, To: 2, UnderWay: 1, Oldest: 70 * time.Millisecond}, {From: 1, To: 0, UnderWay: 1, Oldest: time.Second}},
	}
	for range 2 { // the second call must not change anything
		setClusterMetrics(c, &s)
	}
	c.Areas[0].ObserveCommit(0.0007)
	text := metricsText(t, m)
	for _, want := range []string{
		"truestep_cluster_draining 1", "truestep_cluster_load 700", `truestep_cluster_area_load{area="Vale"} 300`, "truestep_cluster_fenced_total 1", "truestep_cluster_messages_dropped_total 2", "truestep_cluster_messages_refused_total 3",
		"truestep_cluster_crossings_total 4", "truestep_cluster_lost_record_ticks_total 6", `truestep_cluster_node_up{node="b"} 1`, `truestep_cluster_node_up{node="c"} 0`, `truestep_cluster_round_trip_us{node="b"} 300`,
		`truestep_cluster_clock_offset_ms{node="b"} -2`, `truestep_cluster_queue_bytes{node="b"} 70`, `truestep_cluster_area_has_lead{area="Vale"} 1`,
		`truestep_cluster_area_leads{area="Vale"} 1`, `truestep_cluster_copy_lag_ticks{area="Vale"} 6`, `truestep_cluster_unsaved_ticks{area="Vale"} 10`,
		`truestep_cluster_lead_changes_total{area="Vale"} 5`, `truestep_cluster_lead_changes_by_cause_total{cause="drains"} 7`, `truestep_cluster_unstepped_entries{area="Vale"} 3`,
		`truestep_cluster_players_under_way{area="Vale"} 2`, `truestep_cluster_oldest_under_way_ms{area="Vale"} 70`, `truestep_cluster_commit_seconds_bucket{area="Vale",le="0.001"} 1`, `truestep_cluster_commit_seconds_bucket{area="Vale",le="0.0005"} 0`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("no line %s", want)
		}
	}
	s.Areas[0].Lead, s.Transfers = "", nil
	setClusterMetrics(c, &s)
	if text := metricsText(t, m); !strings.Contains(text, `truestep_cluster_oldest_under_way_ms{area="Vale"} 0`) {
		t.Error("a player who has arrived is the oldest under way")
	}
	if text := metricsText(t, m); !strings.Contains(text, `truestep_cluster_area_has_lead{area="Vale"} 0`) || !strings.Contains(text, `truestep_cluster_area_leads{area="Vale"} 0`) {
		t.Error("an area without a leader has one in the metrics")
	}
}

// docs/cluster.md lists exactly the metrics of a cluster.
func TestClusterDocumentationListsExactlyTheClusterMetrics(t *testing.T) {
	m := telemetry.New()
	m.Cluster([]string{"b"}, []string{"Vale"}).Changes.With("stops")
	text, err := os.ReadFile("../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	var have, documented []string
	for _, f := range regexp.MustCompile(`(?m)^# TYPE (truestep_cluster_\w+) `).FindAllStringSubmatch(metricsText(t, m), -1) {
		have = append(have, f[1])
	}
	for _, f := range regexp.MustCompile("(?m)^\\| `(truestep_cluster_\\w+)` \\|").FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, f[1])
	}
	slices.Sort(documented)
	if !slices.Equal(have, documented) || len(have) == 0 {
		t.Errorf("the metrics are\n%s\nand the document has\n%s", strings.Join(have, "\n"), strings.Join(documented, "\n"))
	}
}

func TestNodeIsReadyAndCanMoveAreasOnlyWhileEveryAreaHasLeader(t *testing.T) {
	next := quietConfig(t)
	all := smallTOML() + moreAreas // so that each node leads an area
	next.World, next.Settings = loadWith(t, all, "leash = 150", "leash = 90"), map[string]string{}
	nodes := startCluster(t, func(_ string, cfg *Config) {
		cfg.World, cfg.LogLevel, cfg.Settings, cfg.Doors = loadWith(t, all), new(slog.LevelVar), map[string]string{}, webAndRS()
		cfg.Reread = func() (Config, error) { return next, nil }
	})
	checkWorldIsKept(t, nodes[0])
	eventually(t, "all nodes see the default leaders", func() bool {
		for _, s := range nodes {
			for i, a := range s.cluster.host.Status().Areas {
				if a.Lead != []string{"a", "b", "c"}[i%3] {
					return false
				}
			}
		}
		return true
	})
	for _, s := range nodes {
		if problems := s.cluster.problems(time.Now()); len(problems) > 0 {
			t.Errorf("node %s is not ready: %v", s.cluster.name, problems)
		}
	}
	host := nodes[0].cluster.host
	if status := ticketStatus(t, nodes[2]); status != http.StatusOK {
		t.Errorf("a request for a ticket is answered with status %d while all areas have leaders", status)
	}
	eventually(t, "node a has measured its links to the others", func() bool {
		return !slices.ContainsFunc(host.Status().Nodes, func(n cluster.NodeStatus) bool {
			return !n.Up || !n.Self && (n.Link.RoundTrip == 0 || !n.Link.Connected)
		})
	})
	eventually(t, "node c has been connected for long enough to lead an area", func() bool {
		if a := host.Status().Areas[0]; a.Lead == "c" && a.Preferred == "" {
			return false // node c leads the area because node a did not answer in time, and soon hands it over to node a
		}
		err := host.Move(t.Context(), 0, "c")
		if err != nil && !errors.Is(err, cluster.ErrNodeDown) && !errors.Is(err, cluster.ErrNotMoved) && !errors.Is(err, cluster.ErrNoLead) {
			t.Fatal(err)
		}
		return err == nil
	})
	eventually(t, "the first node knows why the leader has changed", func() bool {
		a := host.Status().Areas[0]
		return a.Lead == "c" && a.Preferred == "c" && a.Last != nil && a.Last.Reason == "moved by an operator"
	})
	eventually(t, "the second node knows the new leader", func() bool { // the news that the area is moved may arrive after the change of leaders
		a := nodes[1].cluster.host.Status().Areas[0]
		return a.Lead == "c" && a.Preferred == "c" && a.Last != nil
	})
	eventually(t, "the metrics are up to date", func() bool {
		text := metricsText(t, nodes[2].metrics)
		return strings.Contains(text, `truestep_cluster_node_up{node="a"} 1`) && strings.Contains(text, `truestep_cluster_area_leads{area="`+host.Status().Areas[0].Name+`"} 1`)
	})
	for _, s := range nodes[:2] {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	eventually(t, "the last node is not ready", func() bool {
		h := nodes[2].Health()
		return !h.Ready && slices.ContainsFunc(h.Problems, func(p string) bool {
			return strings.Contains(p, "has no leader since") && strings.HasSuffix(p, ": none is elected, or most nodes cannot be reached; see the log of this node")
		})
	})
	eventually(t, "the last node refuses tickets, so that clients log in through another one", func() bool { return ticketStatus(t, nodes[2]) == http.StatusServiceUnavailable })
}

// A script that starts one node after the other must not go on before the node has found the others.
func TestNodeIsNotReadyBeforeItKnowsLeaderOfEachArea(t *testing.T) {
	cfg := loneNode(t, freeAddr(t))
	cfg.World = content.DefaultWorld() // which has several areas
	s := start(t, cfg)
	if h := s.Health(); h.Ready || len(h.Problems) != len(s.cluster.host.Status().Areas) {
		t.Errorf("a node that reaches no other is ready at its start, or has no problem of some area: %+v", h)
	}
}

// ticketStatus returns the HTTP status of a request for a ticket of a new guest at a node's web door.
func ticketStatus(t *testing.T, s *Server) int {
	t.Helper()
	rsp, err := http.Post("http://"+s.Addr("web").String()+"/play/v1/ticket", "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	rsp.Body.Close()
	return rsp.StatusCode
}

// checkWorldIsKept reloads the changed world of a node. The nodes of a cluster step the same areas, so one of them cannot change the
// world alone.
func checkWorldIsKept(t *testing.T, s *Server) {
	t.Helper()
	r, err := s.Reload(t.Context())
	if err != nil || r.World != nil || !slices.ContainsFunc(r.Kept, func(k console.KeptSetting) bool {
		return k.Setting == theWorld && strings.Contains(k.Why, area.ErrShared.Error()) && strings.Contains(k.Why, "rules.LeashUnits: 90")
	}) {
		t.Errorf("the reload: %+v, %v", r, err)
	}
	if got := s.world.Def().Rules.LeashUnits; got != 150 {
		t.Errorf("the leash is %v", got)
	}
}
