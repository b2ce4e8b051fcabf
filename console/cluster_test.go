package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim"
)

// fakeCluster is a cluster whose answers the test sets.
type fakeCluster struct {
	mu       sync.Mutex
	draining bool
	moves    []string
	err      error // result of Drain, Undrain and Move
	answerer cluster.Answerer
	ask      func(ctx context.Context, node string, question []byte) ([]byte, error) // nil: no other node can be reached
}

func (f *fakeCluster) Ask(ctx context.Context, node string, question []byte) ([]byte, error) {
	if f.ask == nil {
		return nil, fmt.Errorf("%w: node %s", cluster.ErrUnreachable, node)
	}
	return f.ask(ctx, node, question)
}

func (f *fakeCluster) SetAnswerer(a cluster.Answerer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answerer = a
}

func (f *fakeCluster) Status() cluster.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	change := cluster.LeadChange{At: anyTime, Area: "Truestep Vale", From: "b", To: "a", Cause: cluster.CauseNoConnection, Reason: "no connection to b"}
	return cluster.Status{
		Node: "a", Dropped: 1, Refused: 2, Fenced: 3, Crossed: 4, LostTicks: 5,
		Nodes: []cluster.NodeStatus{
			{Name: "a", Addr: "10.0.0.1:1", Self: true, Up: true, Since: anyTime, Draining: f.draining, Incarnation: 9, Version: "v1.3.0 abc", Load: 700, DoorLoad: 400},
			{Name: "b", Addr: "10.0.0.2:1", Since: anyTime, Incarnation: 8, NeverLeads: true, Link: link.PeerStatus{RoundTrip: 300 * time.Microsecond, OffsetMS: -2, Links: 3, Problem: "refused"}},
			{Name: "c", Addr: "10.0.0.3:1", Up: true, Leaving: true, Since: anyTime},
		},
		Areas: []cluster.AreaStatus{
			{ID: 0, Name: "Truestep Vale", Lead: "a", Since: anyTime, Term: 7, Tick: 100, SavedTick: 90, LastIndex: 103, StepIndex: 102, Preferred: "a", PlacedBy: cluster.PlacedByOperator, Load: 300, UnderWay: 3, Settled: 40, Changes: 1, Last: &change,
				Copies: []cluster.Copy{{Node: "a", Known: true}, {Node: "b"}, {Node: "c", Known: true, Lag: 5}}},
			{ID: 1, Name: "Windmoor", Since: anyTime},
		},
		Transfers: []cluster.Transfer{{From: 0, To: 1, UnderWay: 3, Arrived: 2, Oldest: 1234567 * time.Microsecond, Settled: 37, Why: "Windmoor has no leader"}},
		Paused:    "there is no connection to node b",
		Changes:   []cluster.LeadChange{change},
	}
}

func (f *fakeCluster) Drain(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, limited := ctx.Deadline(); !limited {
		return errors.New("a drain without a time limit")
	}
	f.draining = true
	return f.err
}

func (f *fakeCluster) Undrain() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.draining = false
	return f.err
}

func (f *fakeCluster) Move(_ context.Context, a sim.AreaID, node string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.moves = append(f.moves, fmt.Sprint(a, " ", node))
	return f.err
}

func (f *fakeCluster) Release(a sim.AreaID) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.moves = append(f.moves, fmt.Sprint(a, " released"))
	return f.err
}

// inCluster runs a test with the console of a node.
func inCluster(t *testing.T, test func(*testing.T, *harness, *fakeCluster)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := new(fakeCluster)
		test(t, startOn(t, netsim.ListenPipe("127.0.0.1:8080"), func(o *Options) { o.Cluster = f }, func(*harness) {}), f)
	})
}

func TestClusterAPIResponseListsNodesAreasAndLeaderChanges(t *testing.T) {
	t.Parallel()
	inCluster(t, func(t *testing.T, r *harness, f *fakeCluster) {
		at := formatTime(anyTime)
		change := `{"at":"` + at + `","area":"Truestep Vale","from":"b","to":"a","cause":"no_connection","reason":"no connection to b"}`
		body := r.call(Viewer, "GET", "/cluster", "").body
		for _, want := range []string{
			`{"node":"a","at":"`,
			`{"name":"a","addr":"10.0.0.1:1","self":true,"state":"up","since":"` + at + `","version":"v1.3.0 abc","incarnation":9,"neverLeads":false,"leads":1,"load":700,"doorLoad":400,"link":null}`,
			`{"name":"b","addr":"10.0.0.2:1","self":false,"state":"down","since":"` + at + `","version":"","incarnation":8,"neverLeads":true,"leads":0,"load":0,"doorLoad":0,"link":{"roundTripUs":300,"clockOffsetMs":-2,"queuedBytes":0,"unsent":0,"links":3,"problem":"refused"}}`,
			`"name":"c","addr":"10.0.0.3:1","self":false,"state":"leaving"`,
			`{"id":0,"name":"Truestep Vale","lead":"a","since":"` + at + `","term":7,"preferred":"a","placedBy":"operator","load":300,"tick":100,"savedTick":90,"logLast":103,"logStepped":102,` +
				`"copies":[{"node":"a","lagTicks":0},{"node":"b","lagTicks":null},{"node":"c","lagTicks":5}],"underWay":3,"settled":40,"leadChanges":1,"lastChange":` + change + `}`,
			`"name":"Windmoor","lead":null`,
			`],"transfers":[{"from":0,"fromName":"Truestep Vale","to":1,"toName":"Windmoor","underWay":3,"arrived":2,"oldestMs":1234,"settled":37,"why":"Windmoor has no leader"}],"paused":"there is no connection to node b","changes":[` + change + `],"fenced":3,"dropped":1,"refused":2,"lostTicks":5,"crossings":4}`,
		} {
			if !strings.Contains(body, want) {
				t.Errorf("no %s in %s", want, body)
			}
		}
		if w := get[struct{ Node *string }](r, Viewer, "/world"); w.Node == nil || *w.Node != "a" {
			t.Errorf("GET /world: node %v", w.Node)
		}
		text, err := os.ReadFile("../docs/console-api.md")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(body, -1) {
			if !strings.Contains(string(text), `"`+m[1]+`"`) {
				t.Errorf("the document does not have %q", m[1])
			}
		}
	})
}

func TestClusterActionsRequireAdminAndAreAudited(t *testing.T) {
	t.Parallel()
	inCluster(t, func(t *testing.T, r *harness, f *fakeCluster) {
		for _, path := range []string{"/cluster/drain", "/cluster/undrain", "/cluster/move", "/cluster/release"} {
			r.wantError(r.call(Moderator, "POST", path, ""), 403, codeForbidden, "admin")
		}
		if f.draining || len(f.moves) > 0 {
			t.Error("a moderator acted")
		}
		if a := r.call(Admin, "POST", "/cluster/drain", ""); a.status != 200 || !f.draining {
			t.Errorf("drain: %d %s", a.status, a.body)
		}
		if body := r.call(Viewer, "GET", "/cluster", "").body; !strings.Contains(body, `"self":true,"state":"draining"`) {
			t.Error(body)
		}
		if a := r.call(Admin, "POST", "/cluster/undrain", ""); a.status != 200 || f.draining {
			t.Errorf("undrain: %d %s", a.status, a.body)
		}
		for _, body := range []string{`{"area":"truestep vale","node":"b"}`, `{"area":1,"node":" c "}`} {
			if a := r.call(Admin, "POST", "/cluster/move", body); a.status != 200 {
				t.Errorf("move: %d %s", a.status, a.body)
			}
		}
		if a := r.call(Admin, "POST", "/cluster/release", `{"area":1}`); a.status != 200 {
			t.Errorf("release: %d %s", a.status, a.body)
		}
		if got := strings.Join(f.moves, ", "); got != "0 b, 1 c, 1 released" {
			t.Errorf("moved %s", got)
		}
		var got []string
		for _, e := range get[auditList](r, Admin, "/audit").Entries {
			got = append(got, e.Action+" "+e.Detail+": "+e.Result)
		}
		const refused = ": this call needs the role admin; yours is moderator"
		want := []string{"cluster_release Windmoor: ok", "cluster_move Windmoor to c: ok", "cluster_move Truestep Vale to b: ok", "cluster_undrain node a: ok", "cluster_drain node a: ok",
			"cluster_release " + refused, "cluster_move " + refused, "cluster_undrain " + refused, "cluster_drain " + refused}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("the audit has\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func TestImpossibleClusterActionIsRefusedWithRemedy(t *testing.T) {
	t.Parallel()
	inCluster(t, func(t *testing.T, r *harness, f *fakeCluster) {
		move := `{"area":"Truestep Vale","node":"b"}`
		for want, err := range map[string]error{
			"conflict the node cannot be reached: node b":          fmt.Errorf("%w: node b", cluster.ErrUnreachable),
			"conflict the node cannot lead an area now: it drains": fmt.Errorf("%w: it drains", cluster.ErrNodeDown),
			"conflict the area has not moved yet: wait":            fmt.Errorf("%w: wait", cluster.ErrNotMoved),
			"conflict " + cluster.ErrNoLead.Error():                cluster.ErrNoLead,
			`not_found there is no such node in the cluster: "b"`:  fmt.Errorf("%w: %q", cluster.ErrNoNode, "b"),
			"internal internal error; see the server's log":        errors.New("secret"),
		} {
			f.err = err
			if a := r.call(Admin, "POST", "/cluster/move", move); a.code+" "+a.message != want {
				t.Errorf("a move that fails with %v: status %d, response %s", err, a.status, a.body)
			}
		}
		f.err = errors.New("2 areas have found no other node to lead them")
		r.wantError(r.call(Admin, "POST", "/cluster/drain", ""), 409, codeConflict, "the node drains, but 2 areas have found no other node to lead them yet")
		f.err = cluster.ErrNeverLeads
		r.wantError(r.call(Admin, "POST", "/cluster/undrain", ""), 409, codeConflict, "because of its setting cluster-lead = false")
		f.err = nil
		r.wantError(r.call(Admin, "POST", "/cluster/move", `{"area":"nowhere","node":"b"}`), 404, codeNotFound, `there is no area "nowhere": the world has `+r.world.Def().Areas[0].Name+", ")
		r.wantError(r.call(Admin, "POST", "/cluster/move", `{"area":"0"}`), 400, codeBadRequest, `"node" is missing`)
		r.wantError(r.call(Admin, "POST", "/cluster/release", `{}`), 400, codeBadRequest, `"area" is missing`)
		r.wantError(r.call(Admin, "POST", "/cluster/move", `{"node":"b"}`), 400, codeBadRequest, `"area" is missing`)
		r.wantError(r.call(Admin, "POST", "/cluster/move", `{"area":true,"node":"b"}`), 400, codeBadRequest, `"area" must be a name or a number`)
	})
}

func TestClusterAPICallsReturnNotFoundWithoutCluster(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.wantError(r.call(Viewer, "GET", "/cluster", ""), 404, codeNotFound, "not a node of a cluster")
		r.wantError(r.call(Admin, "POST", "/cluster/drain", ""), 404, codeNotFound, "not a node of a cluster")
		r.wantError(r.call(Admin, "POST", "/cluster/undrain", ""), 404, codeNotFound, "not a node of a cluster")
		r.wantError(r.call(Admin, "POST", "/cluster/move", `{"area":0,"node":"b"}`), 404, codeNotFound, "not a node of a cluster")
		r.wantError(r.call(Admin, "POST", "/cluster/release", `{"area":0}`), 404, codeNotFound, "not a node of a cluster")
		if body := r.call(Viewer, "GET", "/world", "").body; !strings.Contains(body, `"node":null`) {
			t.Error("GET /world names a node")
		}
	})
}
