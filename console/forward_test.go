package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/cluster"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim"
)

// pairedCluster connects the console of a node, a or b, with the console of the other node. A third node, c, cannot be reached.
type pairedCluster struct {
	fakeCluster
	name  string
	other *pairedCluster
	asked int  // number of questions to the other node
	lost  bool // answers of the other node are lost
}

func (f *pairedCluster) Status() cluster.Status {
	s := f.fakeCluster.Status()
	s.Node = f.name
	for i := range s.Nodes {
		s.Nodes[i].Self = s.Nodes[i].Name == f.name
	}
	return s
}

func (f *pairedCluster) Ask(ctx context.Context, node string, question []byte) ([]byte, error) {
	if f.other.name != node {
		return nil, fmt.Errorf("%w: node %s", cluster.ErrUnreachable, node)
	}
	f.asked++
	if f.lost {
		return nil, fmt.Errorf("%w: node %s", cluster.ErrAnswerLost, node)
	}
	f.other.mu.Lock()
	answer := f.other.answerer
	f.other.mu.Unlock()
	if answer == nil {
		return nil, fmt.Errorf("%w: node %s", cluster.ErrAskRefused, node)
	}
	return answer(ctx, f.name, question), nil
}

// onTwoNodes runs a test with the consoles of the nodes a and b. Their worlds are separate, so each node has no frame of the players
// of the other one.
func onTwoNodes(t *testing.T, test func(t *testing.T, a, b *harness)) {
	t.Helper()
	onTwoNodesWith(t, func(*Options) {}, test)
}

// onTwoNodesWith does the same as onTwoNodes, but first changes the options of both consoles.
func onTwoNodesWith(t *testing.T, change func(*Options), test func(t *testing.T, a, b *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		x, y := &pairedCluster{name: "a"}, &pairedCluster{name: "b"}
		x.other, y.other = y, x
		start := func(f *pairedCluster) *harness {
			return startOn(t, netsim.ListenPipe("127.0.0.1:8080"), func(o *Options) {
				o.Cluster = f
				change(o)
			}, func(*harness) {})
		}
		test(t, start(x), start(y))
	})
}

func TestConsoleListsAndActsOnPlayersOfOtherNode(t *testing.T) {
	t.Parallel()
	onTwoNodes(t, func(t *testing.T, a, b *harness) {
		ann := a.enter("Ann")
		filler := b.enter("Filler") // Filler gets the same entity id on node b as Ann on node a
		bo := b.enter("Bo")
		filler.Leave()
		a.waitUntilShown(ann)
		b.waitUntilShown(bo)
		time.Sleep(2 * time.Second)
		list := get[playersBody](a, Viewer, "/players")
		if len(list.Players) != 2 || list.Players[0].Name != "Ann" || *list.Players[0].Node != "a" || list.Players[1].Account != "bo" || *list.Players[1].Node != "b" ||
			list.Players[1].Door != "rcce" || list.Players[1].HealthMax == 0 || !slices.Equal(list.Missing, []string{"c"}) {
			t.Fatalf("the players are %+v", list)
		}
		if got := get[playersBody](a, Viewer, "/players?q=BO").Players; len(got) != 1 || got[0].Entity != bo.Entity {
			t.Errorf("search: %+v", got)
		}
		if asked := a.Cluster.(*pairedCluster).asked; asked != 1 {
			t.Errorf("two lists within a second cause %d questions", asked)
		}
		if p := get[playerDetail](a, Viewer, pathOf(bo, "")); p.Name != "Bo" || *p.Node != "b" || p.Pos == nil || len(p.Attributes) == 0 {
			t.Errorf("Bo is described as %+v", p)
		}
		a.wantError(a.call(Viewer, "POST", pathOf(bo, "/kick"), `{"reason":"spam"}`), 403, codeForbidden, "moderator")
		a.wantError(a.call(Moderator, "POST", pathOf(bo, "/message"), `{"text":""}`), 400, codeBadRequest, `"text" is missing`)
		a.wantError(a.call(Moderator, "POST", pathOf(bo, "/kick"), `{"reason":"`+strings.Repeat("x", maxForwardedBody)+`"}`), 400, codeBadRequest, "larger than 8192 bytes")
		for _, c := range []struct {
			role         Role
			action, body string
		}{
			{Moderator, "/message", `{"text":"hello"}`}, {Moderator, "/teleport", `{"areaId":0,"x":5,"y":null,"z":6}`}, {Moderator, "/freeze", `{"frozen":true}`},
			{Admin, "/give", `{"item":1,"amount":1}`}, {Admin, "/take", `{"item":1,"amount":1}`}, {Admin, "/attribute", `{"attribute":0,"value":5}`}, {Moderator, "/kick", `{"reason":"spam"}`},
		} {
			if got := a.call(c.role, "POST", pathOf(bo, c.action), c.body); got.status != 200 || got.body != `{"ok":true}`+"\n" {
				t.Errorf("action %s: status %d, response %s", c.action, got.status, got.body)
			}
		}
		<-bo.Ended()
		if text := bo.KickMessage(); text != "You were sent away: spam" {
			t.Errorf("the player is told %q", text)
		}
		a.wantError(a.call(Moderator, "POST", pathOf(bo, "/kick"), `{"reason":"again"}`), 404, codeNotFound, "no such player is in the world")

		of := func(r *harness) (list []string) {
			for _, e := range get[auditList](r, Admin, "/audit").Entries {
				if e.Action == "kick" {
					list = append(list, strings.Join([]string{e.Operator, e.Role, e.Player, e.Account, e.Detail, e.Result}, "|"))
				}
			}
			return list
		}
		id := fmt.Sprint("entity ", bo.Entity)
		if got, want := of(a), []string{
			"moderator (api)|moderator|||" + id + "|no such player is in the world", "moderator (api)|moderator|Bo|bo|node b: spam|ok",
			"moderator (api)|moderator|||" + id + "|the body is larger than 8192 bytes, or was not received", "viewer (api)|viewer||||this call needs the role moderator; yours is viewer",
		}; !slices.Equal(got, want) {
			t.Errorf("the audit of the node of the operator has\n%s", strings.Join(got, "\n"))
		}
		if got, want := of(b), []string{"moderator (api)|moderator|Bo|bo|from node a: spam|ok"}; !slices.Equal(got, want) {
			t.Errorf("the audit of the node of the player has\n%s", strings.Join(got, "\n"))
		}
	})
}

// The area's frames contain a player that is connected through node c. Node c cannot be reached.
func TestPlayerOfUnreachableNodeIsListedAndErrorOfActionContainsNode(t *testing.T) {
	t.Parallel()
	onTwoNodes(t, func(t *testing.T, a, b *harness) {
		id := sim.PlayerID(3, 7) // a player of node c
		human := a.def.Template(1)
		for i := range a.def.Templates {
			if a.def.Templates[i].Playable {
				human = &a.def.Templates[i]
			}
		}
		err := a.world.Submit(0, sim.Intent{Kind: sim.IntentJoin, Who: id, Join: &sim.Join{
			Character: &sim.Character{ID: 9, Name: "Cy", Template: human.ID, Level: 3, Attr: human.Attr}, Portal: -1, Login: true,
		}})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		list := get[playersBody](a, Viewer, "/players")
		if len(list.Players) != 1 {
			t.Fatalf("the players are %+v, want one", list)
		}
		if p := list.Players[0]; p.Entity != id || p.Name != "Cy" || p.Account != "" || *p.Node != "c" || p.Since != nil || p.Level != 3 || p.Area != a.areaName(0) {
			t.Errorf("the player is %+v", p)
		}
		if got := get[overviewBody](a, Viewer, "/overview").Online; got != 1 {
			t.Errorf("%d players are online", got)
		}
		path := "/players/" + strconv.FormatUint(uint64(id), 10)
		for _, c := range [][2]string{{"GET", path}, {"POST", path + "/kick"}} {
			a.wantError(a.call(Moderator, c[0], c[1], `{"reason":""}`), 409, codeConflict, "the node of the player did nothing: the node cannot be reached: node c")
		}
		if e := get[auditList](a, Admin, "/audit").Entries[0]; e.Action != "kick" || e.Player != "Cy" || !strings.Contains(e.Result, "node c") {
			t.Errorf("audit %+v", e)
		}
	})
}

func TestAnnouncementReachesPlayersOfAllNodes(t *testing.T) {
	t.Parallel()
	onTwoNodes(t, func(t *testing.T, a, b *harness) {
		ann, bo := a.enter("Ann"), b.enter("Bo")
		a.waitUntilShown(ann)
		b.waitUntilShown(bo)
		heard := make(chan string, 8)
		for name, r := range map[string]*harness{"a": a, "b": b} {
			feed := r.world.Subscribe("test", 64, area.All)
			defer feed.Close()
			go func() {
				for p := range feed.C() {
					for _, e := range p.Frame.Events {
						if e.Kind == sim.EventMessage {
							heard <- name + ": " + e.Text
						}
					}
					p.Release()
				}
			}()
		}
		got := a.call(Moderator, "POST", "/announce", `{"text":"Tea <time>"}`)
		if got.body != `{"ok":true,"told":2,"missing":["c"]}`+"\n" {
			t.Errorf("status %d, response %s", got.status, got.body)
		}
		texts := []string{<-heard, <-heard}
		slices.Sort(texts)
		if !slices.Equal(texts, []string{"a: Tea <time>", "b: Tea <time>"}) {
			t.Errorf("the players are sent %q", texts)
		}
		a.wantError(a.call(Moderator, "POST", "/announce", `{"text":"x","area":"nowhere"}`), 404, codeNotFound, "nowhere")
		for r, want := range map[*harness]string{a: "all nodes (no answer: c): to everybody: Tea <time>", b: "from node a: to everybody: Tea <time>"} {
			list := get[auditList](r, Admin, "/audit").Entries
			if e := list[len(list)-1]; e.Action != "announce" || e.Operator != "moderator (api)" || e.Detail != want {
				t.Errorf("audit %+v, want %q", e, want)
			}
		}
	})
}

func TestRestartIsPlannedAndCancelledOnNamedNodeAndOnAllNodes(t *testing.T) {
	t.Parallel()
	onTwoNodes(t, func(t *testing.T, a, b *harness) {
		planned := func(r *harness, query string) bool {
			return get[struct{ Planned *stopBody }](r, Viewer, "/stop"+query).Planned != nil
		}
		expect := func(got answer, body string, onA, onB bool) {
			t.Helper()
			if got.status != 200 || !strings.HasSuffix(got.body, body+"}\n") || planned(a, "") != onA || planned(b, "") != onB || planned(a, "?node=b") != onB {
				t.Errorf("%d %s; planned on a: %v, on b: %v", got.status, got.body, planned(a, ""), planned(b, ""))
			}
		}
		expect(a.call(Admin, "POST", "/restart", `{"in":"5m","reason":"update","node":"b"}`), `"missing":[]`, false, true)
		if p, ok := b.Hub.PlannedStop(); !ok || !p.Restart || p.Reason != "update" || p.By != "admin (api)" {
			t.Errorf("planned %+v", p)
		}
		a.wantError(a.call(Admin, "DELETE", "/stop", ""), 404, codeNotFound, "no stop and no restart is planned")
		expect(a.call(Admin, "DELETE", "/stop?node=b", ""), `"missing":[]`, false, false)
		a.wantError(a.call(Admin, "DELETE", "/stop?node=b", ""), 404, codeNotFound, "no stop and no restart is planned")
		expect(a.call(Admin, "POST", "/stop", `{"in":"5m","allNodes":true}`), `"missing":["c"]`, true, true)
		expect(a.call(Admin, "DELETE", "/stop?allNodes=true", ""), `"missing":["c"]`, false, false)
		a.wantError(a.call(Admin, "DELETE", "/stop?allNodes=true", ""), 409, codeConflict, "no stop is planned here, but these nodes have not answered: c")
		expect(b.call(Admin, "POST", "/stop", `{"in":"5m"}`), `"missing":[]`, false, true) // the stop is planned on the other node (b) only
		expect(a.call(Admin, "DELETE", "/stop?allNodes=true", ""), `"missing":["c"]`, false, false)
		expect(a.call(Admin, "POST", "/stop", `{"in":"5m","node":"a"}`), `"missing":[]`, true, false)
		a.wantError(a.call(Admin, "POST", "/stop", `{"in":"5m","node":"c"}`), 409, codeConflict, "the node cannot be reached: node c")
		a.wantError(a.call(Admin, "POST", "/stop", `{"in":"5m","node":"b","allNodes":true}`), 400, codeBadRequest, "exclude each other")
		var details []string
		for _, e := range get[auditList](a, Admin, "/audit").Entries {
			if e.Result == "ok" {
				details = append(details, e.Action+" "+e.Detail)
			}
		}
		if want := []string{"stop in 5m", "stop_cancel all nodes (no answer: c)", "stop_cancel all nodes (no answer: c)", "stop all nodes (no answer: c): in 5m", "stop_cancel node b", "restart node b: in 5m: update"}; !slices.Equal(details, want) {
			t.Errorf("the audit has %q", details)
		}
	})
}

// Each node searches its own chat log, so the start of a page has an id for each node.
func TestChatSearchMergesLinesOfAllNodesByTime(t *testing.T) {
	t.Parallel()
	chats := map[string]*chatlog.Log{}
	onTwoNodesWith(t, func(o *Options) {
		log, err := chatlog.Open(chatlog.Options{Path: filepath.Join(t.TempDir(), chatlog.FileName), Log: o.Log, Metrics: o.Metrics})
		if err != nil {
			t.Fatal(err)
		}
		o.Chat, chats[o.Cluster.Status().Node] = log, log
	}, func(t *testing.T, a, b *harness) {
		for i := range 7 { // node a stores lines 1, 2, 4 and 5; node b stores 0, 3 and 6
			r := a
			if i%3 == 0 {
				r = b
			}
			r.Chat.Add(chatlog.Line{Channel: chatlog.Area, Account: "ann", Text: fmt.Sprint("line ", i)})
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second) // until the chat logs have stored the lines
		type page struct {
			Lines   []struct{ Text, Node, Account string }
			Next    *string
			Missing []string
		}
		read := func(query string) (texts []string) {
			for pages := 0; ; pages++ {
				p := get[page](a, Moderator, "/chat?"+query)
				for _, l := range p.Lines {
					texts = append(texts, l.Text+" "+l.Node)
				}
				if !slices.Equal(p.Missing, []string{"c"}) && pages == 0 {
					t.Errorf("missing %q", p.Missing)
				}
				if p.Next == nil || pages > 9 {
					return texts
				}
				query = strings.Split(query, "&before")[0] + "&before=" + url.QueryEscape(*p.Next)
			}
		}
		want := []string{"line 6 b", "line 5 a", "line 4 a", "line 3 b", "line 2 a", "line 1 a", "line 0 b"}
		for _, limit := range []string{"1", "2", "3", "7", "50"} {
			if got := read("limit=" + limit); !slices.Equal(got, want) {
				t.Errorf("pages of %s lines have %q", limit, got)
			}
			for _, r := range []*harness{a, b} {
				r.clock.advance(10 * time.Second) // refills the operator's action budget
			}
		}
		if got := read("q=3&account=ann"); !slices.Equal(got, []string{"line 3 b"}) {
			t.Errorf("search: %q", got)
		}
		for _, before := range []string{"17", "a", "a:x", "d:1", "a:1,a:2", "a:-1", "a:1,"} {
			a.wantError(a.call(Moderator, "GET", "/chat?before="+before, ""), 400, codeBadRequest, `"before" must be the "next" of an earlier page`)
		}
		if e := get[auditList](b, Admin, "/audit?limit=1").Entries[0]; e.Action != "search_chat" || e.Account != "ann" || !strings.HasPrefix(e.Detail, "from node a: words") {
			t.Errorf("audit of the other node: %+v", e)
		}
		a.shutdown()
		b.shutdown()
		for _, log := range chats {
			if err := log.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestNodeIsDrainedFromConsoleOfOtherNode(t *testing.T) {
	t.Parallel()
	onTwoNodes(t, func(t *testing.T, a, b *harness) {
		x, y := a.Cluster.(*pairedCluster), b.Cluster.(*pairedCluster)
		if got := a.call(Admin, "POST", "/cluster/drain", `{"node":"b"}`); got.status != 200 || !y.draining || x.draining {
			t.Errorf("%d %s; a drains: %v, b drains: %v", got.status, got.body, x.draining, y.draining)
		}
		if got := a.call(Admin, "POST", "/cluster/undrain", `{"node":"b"}`); got.status != 200 || y.draining {
			t.Errorf("undrain of node b: status %d, response %s", got.status, got.body)
		}
		if got := a.call(Admin, "POST", "/cluster/drain", `{"node":"a"}`); got.status != 200 || !x.draining {
			t.Errorf("drain of node a: status %d, response %s", got.status, got.body)
		}
		a.wantError(a.call(Admin, "POST", "/cluster/drain", `{"node":"c"}`), 409, codeConflict, "the node cannot be reached: node c")
		a.wantError(a.call(Admin, "POST", "/cluster/drain", `{"nod":"c"}`), 400, codeBadRequest, `unknown field "nod"`)
		for r, want := range map[*harness]string{
			a: "cluster_drain node c: the node cannot be reached: node c, cluster_drain node a: ok, cluster_undrain node b: ok, cluster_drain node b: ok",
			b: "cluster_undrain from node a: node b: ok, cluster_drain from node a: node b: ok",
		} {
			var got []string
			for _, e := range get[auditList](r, Admin, "/audit").Entries {
				if e.Detail != "" {
					got = append(got, e.Action+" "+e.Detail+": "+e.Result)
				}
			}
			if text := strings.Join(got, ", "); text != want {
				t.Errorf("the audit has %s, want %s", text, want)
			}
		}
	})
}

func TestForwardedCallUndergoesChecksOfOperatorRequest(t *testing.T) {
	t.Parallel()
	onTwoNodes(t, func(t *testing.T, a, b *harness) {
		ann := a.enter("Ann")
		a.waitUntilShown(ann)
		kick := forwardedCall{Operator: "bea", Via: viaConsole, Role: "moderator", Method: "POST", Path: pathOf(ann, "/kick"), Body: `{"reason":""}`}
		change := func(f func(*forwardedCall)) string {
			c := kick
			f(&c)
			text, err := json.Marshal(&c)
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		for question, want := range map[string]string{
			"": "the body is empty", "null": "the name of an operator is empty", `{"operator":"bea","root":true}`: `unknown field "root"`, "{} {}": "data after",
			change(func(f *forwardedCall) { f.Operator = "bea\n" }):                     "not printable",
			change(func(f *forwardedCall) { f.Via = "door" }):                           `"via" "door" is unknown`,
			change(func(f *forwardedCall) { f.Role = "none" }):                          `role "none"`,
			change(func(f *forwardedCall) { f.Role = "viewer" }):                        "this call needs the role moderator; yours is viewer",
			change(func(f *forwardedCall) { f.Method = "GET" }):                         "is not a call that a node runs for another one",
			change(func(f *forwardedCall) { f.Path = "/bans" }):                         "is not a call that a node runs for another one",
			change(func(f *forwardedCall) { f.Path = "/players/1/2/kick" }):             "is not a call that a node runs for another one",
			change(func(f *forwardedCall) { f.Path = "/players//kick" }):                "is not a call that a node runs for another one",
			change(func(f *forwardedCall) { f.Path = "/players/x%zz/kick" }):            "the path or the query is malformed",
			change(func(f *forwardedCall) { f.Path = "/players/x/kick" }):               `"x" is not an entity id`,
			change(func(f *forwardedCall) { f.Body = `{"reason":"","why":""}` }):        `unknown field "why"`,
			change(func(f *forwardedCall) { f.Body = strings.Repeat(" ", 8<<10+1) }):    "larger than 8192 bytes",
			change(func(f *forwardedCall) { f.Method, f.Path = "GET", "/players?q=a" }): "is not a call that a node runs for another one",
			change(func(f *forwardedCall) {
				f.Role, f.Path, f.Body = "admin", "/stop", `{"in":"5m","node":"b"}`
			}): "already forwarded",
			change(func(f *forwardedCall) {
				f.Role, f.Path, f.Body = "admin", "/restart", `{"in":"5m","allNodes":true}`
			}): "already forwarded",
			change(func(f *forwardedCall) {
				f.Role, f.Path, f.Body = "admin", "/cluster/drain", `{"node":"b"}`
			}): "already forwarded",
		} {
			var got forwardedAnswer
			if err := json.Unmarshal(a.answerNode(t.Context(), "b", []byte(question)), &got); err != nil {
				t.Errorf("the answer to question %s cannot be decoded: %v", question, err)
			}
			if got.Status < 400 || !strings.Contains(string(got.Body), strings.ReplaceAll(want, `"`, `\"`)) {
				t.Errorf("%s is answered with %d %s, want %q", question, got.Status, got.Body, want)
			}
		}
		if _, ok := a.Hub.Player(ann.Entity); !ok {
			t.Error("the player was kicked")
		}
	})
}

func TestForwardedCallsExistInAPIAndIncludeEveryPlayerCall(t *testing.T) {
	for _, name := range forwarded {
		method, path, _ := strings.Cut(name, " ")
		if to, entity := findForwarded(method, strings.Replace(path, "{entity}", "7", 1)); to == nil || to.path != path || (entity == "7") != strings.Contains(path, "{entity}") {
			t.Errorf("%s is not found", name)
		}
	}
	for i := range routes {
		r := &routes[i]
		if strings.HasPrefix(r.path, "/players/{entity}") && !slices.Contains(forwarded, r.method+" "+r.path) {
			t.Errorf("%s %s is about a player, and other nodes cannot ask for it", r.method, r.path)
		}
	}
}

func TestPlayersOfOtherNodeArriveInPages(t *testing.T) {
	var all []playerBody
	for i := range 2*playersAtOnce + 1 {
		all = append(all, playerBody{Entity: sim.EntityID(10 + 2*i)})
	}
	var sorted bool
	f := &fakeCluster{ask: func(_ context.Context, _ string, question []byte) ([]byte, error) {
		var q forwardedCall
		if err := decodeBody(question, &q); err != nil {
			return nil, err
		}
		text, _ := strings.CutPrefix(q.Query, "after=")
		after, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		page := pageForNode(all, after)
		if !sorted {
			page = pageForNode(all, 0)
		}
		body, _ := json.Marshal(playersBody{page, nil})
		return json.Marshal(forwardedAnswer{Status: 200, Body: body})
	}}
	k := &call{Console: &Console{Options: Options{Cluster: f}}, caller: caller{name: "ann", role: Viewer}}
	if got, err := k.playersOf(t.Context(), "b"); err == nil || len(got) > 2*playersAtOnce {
		t.Errorf("a node that repeats its first page: %d players, %v", len(got), err)
	}
	sorted = true
	got, err := k.playersOf(t.Context(), "b")
	if err != nil || len(got) != len(all) {
		t.Fatalf("%d players, %v", len(got), err)
	}
	for i := range got {
		if got[i].Entity != all[i].Entity {
			t.Fatalf("player %d is %d", i, got[i].Entity)
		}
	}
}

func FuzzForwardedCall(f *testing.F) {
	for _, c := range []forwardedCall{
		{Operator: "ann", Via: viaAPI, Role: "admin", Method: "POST", Path: "/players/7/kick", Body: `{"reason":"x"}`},
		{Operator: "ann", Role: "viewer", Method: "GET", Path: "/players", Query: "after=7"},
	} {
		b, _ := json.Marshal(&c)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, by, err := parseForwarded(b)
		if err != nil {
			return
		}
		if by.role < Viewer || by.name == "" || len(c.Body) > maxForwardedBody {
			t.Errorf("accepted %+v of %+v", c, by)
		}
		if to, _ := findForwarded(c.Method, c.Path); to != nil && !slices.Contains(forwarded, to.method+" "+to.path) {
			t.Errorf("found %s %s", to.method, to.path)
		}
		again, _ := json.Marshal(&c)
		if d, _, err := parseForwarded(again); err != nil || d != c {
			t.Errorf("%+v is decoded as %+v, %v", c, d, err)
		}
	})
}

// Nodes of a cluster accept each other only if the text clusterFormats of package server is equal, which must change with this JSON.
func TestForwardedCallAndAnswerEqualVectors(t *testing.T) {
	c, _ := json.Marshal(forwardedCall{"ann", viaAPI, "admin", "POST", "/players/7/kick", "", `{"reason":"x"}`})
	a, _ := json.Marshal(forwardedAnswer{200, false, "Bo", "bo", "x", json.RawMessage(`{"ok":true}`)})
	have := string(c) + "\n" + string(a) + "\n"
	const file = "testdata/forward.txt"
	if *update {
		if err := os.WriteFile(file, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if have != string(want) {
		t.Errorf("the form is\n%s\nwant\n%s", have, want)
	}
}
