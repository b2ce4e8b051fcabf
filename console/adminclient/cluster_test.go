package adminclient

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const clusterAnswer = `{"node":"a","at":"2026-01-02T03:04:05.678Z","nodes":[
{"name":"a","addr":"10.0.0.1:7946","self":true,"state":"draining","since":"2026-01-02T01:04:05.678Z","version":"v1.3.0 abc","incarnation":41,"leads":0,"load":700,"link":null},
{"name":"b","addr":"10.0.0.2:7946","self":false,"state":"down","since":"2026-01-02T03:00:05.678Z","version":"v1.2.0 def","incarnation":17,"neverLeads":true,"leads":1,"link":{"roundTripUs":310,"clockOffsetMs":-2,"queuedBytes":0,"unsent":0,"links":3,"problem":"refused\u001b[0m"}}],
"areas":[{"id":0,"name":"Vale","lead":"b","since":"2026-01-02T03:04:00.678Z","term":7,"preferred":"b","placedBy":"operator","load":300,"tick":1000,"savedTick":900,"logLast":1004,"logStepped":1001,
"copies":[{"node":"a","lagTicks":3},{"node":"b","lagTicks":null}],"leadChanges":2,"lastChange":{"at":"2026-01-02T03:04:00.678Z","area":"Vale","from":"a","to":"b","cause":"no_link","reason":"a drains"}},
{"id":1,"name":"Ring","lead":null,"since":"2026-01-02T03:04:00.678Z","term":0,"preferred":null,"placedBy":"load","load":0,"tick":0,"savedTick":0,"logLast":0,"logStepped":0,"copies":[],"leadChanges":0,"lastChange":null}],
"transfers":[{"from":0,"fromName":"Vale","to":1,"toName":"Ring","underWay":3,"arrived":1,"oldestMs":1250,"settled":40,"why":"Ring has no leader\u001b[0m"}],
"paused":"node a drains","changes":[{"at":"2026-01-02T03:04:00.678Z","area":"Vale","from":"a","to":"b","cause":"drains","reason":"a drains"},{"at":"2026-01-02T02:04:00.678Z","area":"Vale","from":"b","to":"a","cause":"no_answer","reason":"b did not answer in time\u001b[0m"}],"fenced":2,"dropped":0,"refused":1,"lostTicks":1200,"crossings":0}`

// asked starts a server that gives the same answer to every request. It returns the access to the server, and the text of the last
// request.
func asked(t *testing.T, answer string) (*Access, *string) {
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.URL.Path + "?" + r.URL.RawQuery + " " + string(b)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(s.Close)
	return &Access{URL: s.URL, Token: "x", Timeout: time.Minute}, &got
}

func TestClusterStatusPrintsNodesAndAreas(t *testing.T) {
	a, got := asked(t, clusterAnswer)
	var out bytes.Buffer
	if err := (&ClusterStatus{Access: *a}).Run(Output{&out, io.Discard}); err != nil {
		t.Fatal(err)
	}
	if *got != "GET /api/v1/cluster? " {
		t.Errorf("asked %q", *got)
	}
	text := out.String()
	if strings.Contains(text, "\x1b") {
		t.Error("a control character is printed")
	}
	words := strings.Join(strings.Fields(text), " ")
	for _, want := range []string{
		"NODE STATE SINCE LEADS LOAD TRIP CLOCK ADDRESS VERSION PROBLEM a draining 2h 0 700 this node 10.0.0.1:7946 v1.3.0 abc", "b down, never leads 4m 1 0 0.31 ms -2 ms 10.0.0.2:7946 v1.2.0 def refused",
		"AREA LEADER SINCE PLACED LOAD TICK BEHIND UNSTEPPED UNSAVED CHANGES LAST Vale b 5s operator, b 300 1000 a 3, b ? 3 100 2 " + localTime("2026-01-02T03:04:00Z") + " fail-over: a drains", "Ring none 5s load 0 0 0 0 0", "0 no area is placed by load now: node a drains",
		"FROM TO PLAYERS ARRIVED OLDEST BEFORE WHY Vale Ring 3 1 1.2 s 40 Ring has no leader", "CHANGED AREA FROM TO REASON " + localTime("2026-01-02T03:04:00Z") + " Vale a b a drains " + localTime("2026-01-02T02:04:00Z") + " Vale b a fail-over: b did not answer in time",
		"since its start, node a refused 1 message of other nodes that it could not use; was taken for dead 2 times; found no records of 1200 ticks on any node, which are lost",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	out.Reset()
	a.JSON = true
	if err := (&ClusterStatus{Access: *a}).Run(Output{&out, io.Discard}); err != nil || !strings.HasPrefix(out.String(), `{"node":"a"`) || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("error %v, output %s", err, out.String())
	}
}

// localTime returns a time as commands print it.
func localTime(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return err.Error()
	}
	return at.Local().Format(time.DateTime)
}

func TestClusterStatusOmitsEmptyListsOfTransfersAndChanges(t *testing.T) {
	a, _ := asked(t, `{"node":"a","at":"2026-01-02T03:04:05.678Z","nodes":[],"areas":[],"transfers":[],"paused":"","changes":[]}`)
	var out bytes.Buffer
	if err := (&ClusterStatus{Access: *a}).Run(Output{&out, io.Discard}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "NODE") || lines[1] != "" || !strings.HasPrefix(lines[2], "AREA") {
		t.Errorf("the output is %q", out.String())
	}
}

func TestClusterStatusPrintsTenNewestChanges(t *testing.T) {
	var changes []string
	for i := range 12 {
		changes = append(changes, fmt.Sprintf(`{"at":"2026-01-02T03:04:00.678Z","area":"Area %d","from":"a","to":"b","cause":"drains","reason":"a drains"}`, i))
	}
	a, _ := asked(t, `{"node":"a","at":"2026-01-02T03:04:05.678Z","nodes":[],"areas":[],"transfers":[],"paused":"","changes":[`+strings.Join(changes, ",")+`]}`)
	var out bytes.Buffer
	if err := (&ClusterStatus{Access: *a}).Run(Output{&out, io.Discard}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "Area 0") || !strings.Contains(text, "Area 9") || strings.Contains(text, "Area 10") {
		t.Error(text)
	}
}

func TestPlayersOfClusterArePrintedWithTheirNode(t *testing.T) {
	a, _ := asked(t, `{"players":[{"entity":7,"name":"Ann","account":"ann","node":"b","door":"rs","addr":"192.0.2.1","area":"Vale","since":"2026-01-02T03:04:05.678Z"},
		{"entity":9,"name":"Cy","account":"","node":"c","door":"","addr":"","area":"Vale","since":null,"lingering":true}],"missing":["c"]}`)
	var out bytes.Buffer
	if err := (&Players{}).Run(a, Output{&out, io.Discard}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"the players of node c are not all listed", "ENTITY NAME ACCOUNT DOOR ADDRESS AREA SINCE STATE NODE 7 Ann ann rs 192.0.2.1 Vale", "9 Cy Vale lingering c"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestStopAndAnnounceCommandsPrintNodesWithoutAnswer(t *testing.T) {
	a, got := asked(t, `{"ok":true,"told":2,"at":"2026-01-02T03:04:05.678Z","missing":["c"]}`)
	minute := Countdown{In: time.Minute}
	onB, all := minute, minute
	onB.Node, all.AllNodes = "b", true
	for want, run := range map[string]func(*Access, Output) error{
		`POST /api/v1/restart? {"in":"1m","reason":""} the server restarts in 1m (no answer from node c); truestep admin cancel keeps it running`:                       (&Restart{minute}).Run,
		`POST /api/v1/restart? {"in":"1m","node":"b","reason":""} node b restarts in 1m (no answer from node c); truestep admin cancel --on-node b keeps it running`:    (&Restart{onB}).Run,
		`POST /api/v1/stop? {"allNodes":true,"in":"1m","reason":""} all nodes stop in 1m (no answer from node c); truestep admin cancel --all-nodes keeps them running`: (&Stop{all}).Run,
		`DELETE /api/v1/stop?  the server keeps running (no answer from node c)`:                                                                                        (&Cancel{}).Run,
		`DELETE /api/v1/stop?node=b  node b keeps running (no answer from node c)`:                                                                                      (&Cancel{onB.StopNodes}).Run,
		`DELETE /api/v1/stop?allNodes=true  all nodes keep running (no answer from node c)`:                                                                             (&Cancel{all.StopNodes}).Run,
		`POST /api/v1/announce? {"area":"","text":"tea"} announced to 2 players (no answer from node c)`:                                                                (&Announce{Text: []string{"tea"}}).Run,
	} {
		var out bytes.Buffer
		if err := run(a, Output{&out, io.Discard}); err != nil {
			t.Error(err)
		}
		if text := *got + " " + strings.TrimSpace(out.String()); text != want {
			t.Errorf("call and output are %q, want %q", text, want)
		}
	}
}

func TestClusterChatPrintsStartOfNextPageAndMissingNode(t *testing.T) {
	a, got := asked(t, `{"lines":[{"id":17,"at":"2026-01-02T03:04:05.678Z","channel":"area","area":"Vale","account":"ann","text":"hello","node":"a"}],"next":"a:17,b:0","retain":"30d","missing":["c"]}`)
	var out bytes.Buffer
	if err := (&Chat{Before: "a:20", Limit: 1}).Run(a, Output{&out, io.Discard}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(*got, "before=a%3A20") || !strings.Contains(out.String(), "more with --before a:17,b:0") || !strings.Contains(out.String(), "from which no answer came: c") {
		t.Errorf("%s is shown as\n%s", *got, out.String())
	}
}

func TestEachClusterCommandSendsItsAPICall(t *testing.T) {
	a, got := asked(t, `{"ok":true}`)
	for want, run := range map[string]func(Output) error{
		`POST /api/v1/cluster/drain? {"node":""} the node leads no area; truestep cluster undrain lets it lead again`:           (&ClusterDrain{Access: *a}).Run,
		`POST /api/v1/cluster/drain? {"node":"b"} node b leads no area; truestep cluster undrain lets it lead again`:            (&ClusterDrain{NamedNode{"b"}, *a}).Run,
		`POST /api/v1/cluster/undrain? {"node":"b"} node b leads areas again`:                                                   (&ClusterUndrain{NamedNode{"b"}, *a}).Run,
		`POST /api/v1/cluster/move? {"area":"Vale","node":"b"} node b leads Vale`:                                               (&ClusterMove{Access: *a, Area: "Vale", Node: "b"}).Run,
		`POST /api/v1/cluster/release? {"area":"Vale"} Vale is released: load or the default order decides which node leads it`: (&ClusterRelease{Access: *a, Area: "Vale"}).Run,
	} {
		var out bytes.Buffer
		if err := run(Output{&out, io.Discard}); err != nil {
			t.Error(err)
		}
		if text := *got + " " + strings.TrimSpace(out.String()); text != want {
			t.Errorf("call and output are %q, want %q", text, want)
		}
	}
}
