package web_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/telemetry"
)

const otherAddr = "127.0.0.2:8090"

// openOther opens a second web door at otherAddr for the same players, like that of another node of a cluster. The folder keys
// contains the door's key. The result closes the door.
func (r *rig) openOther(keys string) (closeDoor func()) {
	r.t.Helper()
	if r.other == nil {
		r.other = r.network.Host("127.0.0.2")
	}
	listener, err := r.other.Listen(":8090")
	if err != nil {
		r.t.Fatal(err)
	}
	gate, err := web.Listen(r.hub, r.world, web.Options{Listener: listener, KeyDir: keys, Workers: 1, Metrics: telemetry.New(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := gate.Run(ctx); err != nil {
			r.t.Errorf("the other door: %v", err)
		}
	})
	return func() {
		end()
		running.Wait()
	}
}

// dialOther connects a client to the second door, which openOther has opened.
func (r *rig) dialOther(o webcl.Options) (*webcl.Client, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return webcl.Dial(ctx, "http://"+otherAddr, o)
}

// If a guest's node is gone, another node admits the guest as the same player, because all nodes have the same key. A node with
// another key does not know the guest.
func TestGuestIsTheSamePlayerThroughDoorOfAnotherNode(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		closeOther := r.openOther(r.keys)
		p := r.join("Ann", true)
		to := geom.Vec{X: -6, Z: 4}
		p.do(walkTo(to))
		p.until("Ann is at her goal", func(w *webcl.World) bool { return w.Self() != nil && geom.DistXZ(w.Self().Pos(), to) < 0.5 })
		before := r.hub.Players()
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
		o, _ := r.options("", true)
		o.Guest, o.Resume = p.c.GuestIdentity(), p.c.ResumeToken()
		c, err := r.dialOther(o)
		if err != nil {
			r.t.Fatal(err)
		}
		life, end := context.WithCancel(context.Background())
		again := &player{r: r, c: c, end: end, done: make(chan error, 1)}
		go func() { again.done <- c.Play(life, again.keys) }()
		again.until("Ann is in her body", func(w *webcl.World) bool {
			return w.Self() != nil && w.Self().Name == "Ann" && geom.DistXZ(w.Self().Pos(), to) < 0.6
		})
		if after := r.hub.Players(); len(after) != 1 || after[0].Account != before[0].Account {
			r.t.Errorf("players %+v, before %+v: want the same account", after, before)
		}
		if err := again.stop(); err != nil {
			r.t.Error(err)
		}
		closeOther()
		defer r.openOther(r.t.TempDir())()
		if _, err := r.dialOther(o); err == nil || !strings.Contains(err.Error(), "does not know the guest identity") {
			r.t.Errorf("a node with another key: %v", err)
		}
	})
}

// A client that resumes through another node is told that this node does not know its requests, also if it comes again without having
// received that Welcome. The node knows the requests that it has executed itself.
func TestClientIsToldThatAnotherNodeDoesNotKnowItsRequests(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		defer r.openOther(r.keys)()
		p := r.join("Ann", true)
		p.until("an input is processed", func(w *webcl.World) bool { return w.Counts.Inputs > 20 && w.Self() != nil })
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
		begun := p.c.ResumeToken()
		newest := begun
		for i, c := range []struct {
			other  bool // connects to the door of the other node
			newest bool // has received the Welcome of the connection before this one
			known  bool
		}{{true, true, false}, {true, false, false}, {true, true, true}, {false, true, false}, {false, true, true}} {
			o, h := r.options("", true)
			o.Guest, o.Resume = p.c.GuestIdentity(), begun
			if c.newest {
				o.Resume = newest
			}
			var client *webcl.Client
			if c.other {
				var err error
				if client, err = r.dialOther(o); err != nil {
					r.t.Fatal(err)
				}
				client.Close()
			} else {
				at, err := r.dial(o, h)
				if err != nil {
					r.t.Fatal(err)
				}
				client = at.c
				if err := at.stop(); err != nil {
					r.t.Error(err)
				}
			}
			newest = client.ResumeToken()
			if client.KnowsRequests() != c.known {
				r.t.Errorf("connection %d: the node says that it knows the executed requests: %t, want %t", i+1, !c.known, c.known)
			}
		}
	})
}

// A node that has lost most of the others refuses tickets at once, so that clients try another node, and does so no longer than that.
func TestNodeThatHasLostTheOthersRefusesTickets(t *testing.T) {
	t.Parallel()
	var stalled atomic.Bool
	withServer(t, web.Options{Stalled: stalled.Load}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		for _, c := range []struct {
			stalled bool
			status  int
			code    string
		}{{false, http.StatusOK, ""}, {true, http.StatusServiceUnavailable, "stalled"}, {false, http.StatusOK, ""}} {
			stalled.Store(c.stalled)
			status, b := x.post(http.MethodPost, "/play/v1/ticket", "", "")
			var answer struct{ Code string }
			if err := json.Unmarshal(b, &answer); err != nil || status != c.status || answer.Code != c.code {
				r.t.Errorf("stalled %t: status %d, %s, want status %d and the code %q", c.stalled, status, b, c.status, c.code)
			}
		}
		if n := r.bad("refused_stalled"); n != 1 {
			r.t.Errorf("%d refusals are counted, want 1", n)
		}
	})
}

// A ticket is valid at each node, whichever has issued it: a balancer may send a client's two connections to two nodes.
func TestTicketOfOneNodeAdmitsPlayerThroughDoorOfAnotherNode(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		defer r.openOther(r.keys)()
		login := `{"name":"Ann","secret":"` + secret + `","create":true}`
		ticket := func(ask string) string {
			_, b := r.newRaw().post(http.MethodPost, "/play/v1/ticket", ask, "")
			return ticketOf(r.t, b)
		}
		enter := func(ticket string) bool {
			x := r.newRaw()
			x.at = otherAddr
			if err := x.dial(nil); err != nil {
				r.t.Fatal(err)
			}
			defer x.close()
			x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: ticket}))
			return x.until(func(m proto.Message) bool { _, entered := m.(*proto.Welcome); return entered })
		}
		for _, ask := range []string{`{"name":"Bob"}`, login, login} { // at the second login, the account has a player in the world
			if !enter(ticket(ask)) {
				r.t.Errorf("the ticket for %s is refused", ask)
			}
		}
		refuses := func(ticket, text string) {
			x := r.newRaw()
			x.at = otherAddr
			x.refused(ticket, text)
			x.close()
		}
		used := ticket(login)
		enter(used)
		refuses(used, "used already")
		old := ticket(login)
		time.Sleep(time.Minute) // the player leaves the world
		late := old
		old = ticket(login)
		if _, err := r.hub.Keeper().ResetSecret(r.t.Context(), "Ann", ""); err != nil {
			r.t.Fatal(err)
		}
		refuses(old, "The secret of the account has changed")
		refuses(late, "expired")
		refuses(old[:len(old)-4]+"AAAA", "not valid")
	})
}

// A client is sent the addresses of the other nodes. Pages that were loaded from these nodes may connect, too.
func TestTicketResponseListsOtherNodesWhosePagesMayConnect(t *testing.T) {
	t.Parallel()
	nodes := []string{"http://127.0.0.1:8090", "http://10.0.0.2:8090", "https://c.example"}
	withServer(t, web.Options{Nodes: nodes}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		firsts := map[string]bool{}
		for range 100 { // that one of the two is never the first has a probability of 2^-99
			status, b := x.post(http.MethodPost, "/play/v1/ticket", "", nodes[1])
			var answer struct{ Nodes []string }
			if err := json.Unmarshal(b, &answer); err != nil || status != http.StatusOK || !slices.Equal(slices.Sorted(slices.Values(answer.Nodes)), nodes[1:]) {
				r.t.Fatalf("status %d, nodes %v, want %v in any order", status, answer.Nodes, nodes[1:])
			}
			firsts[answer.Nodes[0]] = true
		}
		if len(firsts) != 2 {
			r.t.Errorf("the nodes %v are the first of 100 lists, want both", firsts)
		}
		if err := x.dial(http.Header{"Origin": {nodes[2]}}); err != nil {
			r.t.Errorf("a page of another node may not connect: %v", err)
		} else {
			x.close()
		}
		page, err := x.http.Get("http://" + x.at + "/")
		if err != nil {
			r.t.Fatal(err)
		}
		page.Body.Close()
		if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, " "+nodes[1]+" ") {
			r.t.Errorf("the page may not connect to another node: %s", policy)
		}
		if status, _ := x.post(http.MethodPost, "/play/v1/ticket", "", "https://d.example"); status != http.StatusForbidden {
			r.t.Errorf("a page of a stranger: status %d", status)
		}
	})
}
