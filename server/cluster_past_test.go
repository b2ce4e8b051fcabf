package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// whyAnn returns the rejected claims (holds) of the player Ann that the command why finds in a node's journal, newest first.
func whyAnn(t *testing.T, s *Server) []journal.Entry {
	t.Helper()
	c := Why{Player: "ann", Verdict: []string{"held"}, DataDir: s.cfg.DataDir, Since: "10m", Limit: 20}
	r, err := c.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	q, err := c.Query(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.Entries(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// holdAnn makes Ann claim a position that it cannot have reached, and waits until the commands why of the servers have that hold, their
// newest of n. It returns the entry of the first server.
func holdAnn(t *testing.T, ann *session.Session, n int, servers ...*Server) journal.Entry {
	t.Helper()
	claimFarAway(t, ann)
	for _, s := range servers {
		eventually(t, fmt.Sprintf("node %s has hold %d", s.cluster.name, n), func() bool { return len(whyAnn(t, s)) == n })
	}
	return whyAnn(t, servers[0])[0]
}

// requireLead waits until all servers see that node leads area 0. If leads is false, it waits until they see another leader.
func requireLead(t *testing.T, node string, leads bool, servers ...*Server) {
	t.Helper()
	for _, s := range servers {
		eventually(t, fmt.Sprintf("node %s sees that %s leads area 0: %v", s.cluster.name, node, leads), func() bool {
			lead := s.cluster.host.Status().Areas[0].Lead
			return lead != "" && (lead == node) == leads
		})
	}
}

// pastOf returns the tick of area 0 that the console of a server shows if an operator selects the time at.
func pastOf(t *testing.T, s *Server, at time.Time) sim.Tick {
	t.Helper()
	base, token, _ := strings.Cut(s.ConsoleURL(), "/#token=")
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	c, _, err := websocket.Dial(ctx, fmt.Sprintf("%s/api/v1/past?area=0&rate=20&at=%d", base, at.UnixMilli()),
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	c.SetReadLimit(8 << 20)
	for {
		kind, b, err := c.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var state struct {
			Type string
			Tick sim.Tick
		}
		if kind != websocket.MessageText {
			if _, err := console.ParseLive(b, nil); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := json.Unmarshal(b, &state); err != nil {
			t.Fatal(err)
		}
		if state.Type == "state" {
			return state.Tick
		}
	}
}

// Ann is held three times: while node a leads its area, after an operator has moved the leadership to node c, and after node c has
// stopped. Every node then answers for all three ticks, also node c, which was down in the last one.
func TestEveryNodeAnswersWhyAndReplayAndTimeBarAcrossLeaderChanges(t *testing.T) {
	nodes := startCluster(t, func(_ string, cfg *Config) { cfg.journalDepth = 1 << 14 }) // all frames, even if node c makes up for its ticks faster than it writes
	a, b, c := nodes[0], nodes[1], nodes[2]
	requireLead(t, "a", true, nodes...)
	ann := join(t, b)
	holds := []journal.Entry{holdAnn(t, ann, 1, nodes...)}
	eventually(t, "node c has been connected for long enough to lead the area", func() bool {
		return a.cluster.host.Move(t.Context(), 0, "c") == nil
	})
	requireLead(t, "c", true, nodes...)
	time.Sleep(1100 * time.Millisecond) // wait, because the journal merges holds within a second into one entry
	holds = append(holds, holdAnn(t, ann, 2, nodes...))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	requireLead(t, "c", false, a, b)
	time.Sleep(1100 * time.Millisecond)
	holds = append(holds, holdAnn(t, ann, 3, a, b))
	c = start(t, c.cfg)
	eventually(t, "node c has the hold of the time in which it was down", func() bool { return len(whyAnn(t, c)) == 3 })

	world := smallWorldConfig()
	for _, s := range []*Server{a, b, c} {
		name := "node " + s.cluster.name
		list := whyAnn(t, s)
		status, body := askConsole(t, s, "GET", "/corrections?player=Ann&verdict=held", "")
		var shown struct{ Entries []struct{ Tick sim.Tick } }
		if err := json.Unmarshal(body, &shown); err != nil || status != 200 || len(list) != 3 || len(shown.Entries) != 3 {
			t.Fatalf("%s: %d %s, %v; why has %d entries", name, status, body, err, len(list))
		}
		for i, want := range holds {
			got := list[2-i]
			if got.Tick != want.Tick || !got.At.Equal(want.At) || got.From != want.From || got.Verdict != journal.Held || got.Reason != reason.TooFast || shown.Entries[2-i].Tick != want.Tick {
				t.Errorf("%s has hold %d as %+v, on the page in tick %d; node a has %+v", name, i+1, got, shown.Entries[2-i].Tick, want)
			}
			if tick := pastOf(t, s, want.At); tick != want.Tick {
				t.Errorf("%s shows tick %d for the time of hold %d, which is tick %d", name, tick, i+1, want.Tick)
			}
			around := ReplayTape{Area: want.Area, From: want.At.Format(time.RFC3339Nano), To: want.At.Add(time.Millisecond).Format(time.RFC3339Nano)}
			out, err := printStretchOf(t, world, around, s.cfg.DataDir, time.Now())
			if line := fmt.Sprintf("%9d  event  held         Ann (%d)", want.Tick, ann.Entity); err != nil || !strings.Contains(out, line) {
				t.Errorf("%s replays hold %d, %v:\n%s\nwant a line with %q", name, i+1, err, out, line)
			}
			export := TapeExport{WorldConfig: world, Paths: []string{filepath.Join(t.TempDir(), "hold.replay")}, Around: got.ID, DataDir: s.cfg.DataDir}
			var printed strings.Builder
			if err := export.Export(t.Context(), &printed, time.Now()); err != nil || !strings.Contains(printed.String(), fmt.Sprintf("entry %d is in tick %d", got.ID, want.Tick)) {
				t.Errorf("%s exports hold %d: %v\n%s", name, i+1, err, printed.String())
			}
		}
		p, err := s.openPast()(0)
		if err != nil {
			t.Fatal(err)
		}
		if spans, err := p.Spans(); err != nil || len(spans) != 1 || spans[0].First != 1 {
			t.Errorf("the time bar of %s has %+v, %v", name, spans, err)
		}
		p.Close()
	}
}
