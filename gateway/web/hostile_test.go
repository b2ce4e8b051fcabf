package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// raw is a client that sends arbitrary bytes over WebSocket.
type raw struct {
	r    *rig
	http *http.Client
	ws   *websocket.Conn
	at   string // address of the server
}

func (r *rig) newRaw() *raw {
	_, h := r.options("", true)
	return &raw{r: r, at: "127.0.0.1:8090", http: &http.Client{Transport: &http.Transport{DialContext: h.Dial, DisableKeepAlives: true}}}
}

// post makes a request and returns the status and the body.
func (x *raw) post(method, path, body, origin string) (int, []byte) {
	x.r.t.Helper()
	q, err := http.NewRequest(method, "http://"+x.at+path, strings.NewReader(body))
	if err != nil {
		x.r.t.Fatal(err)
	}
	if origin != "" {
		q.Header.Set("Origin", origin)
	}
	a, err := x.http.Do(q)
	if err != nil {
		x.r.t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		x.r.t.Fatal(err)
	}
	return a.StatusCode, b
}

// ticket returns a ticket of a new guest.
func (x *raw) ticket() string {
	x.r.t.Helper()
	status, b := x.post(http.MethodPost, "/play/v1/ticket", "{}", "")
	var t struct{ Ticket string }
	if err := json.Unmarshal(b, &t); status != http.StatusOK || err != nil || t.Ticket == "" {
		x.r.t.Fatalf("ticket: %d %s", status, b)
	}
	return t.Ticket
}

// dial opens a WebSocket.
func (x *raw) dial(header http.Header) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, "ws://"+x.at+"/play/v1/ws", &websocket.DialOptions{HTTPClient: x.http, HTTPHeader: header})
	if err == nil {
		ws.SetReadLimit(1 << 20)
		x.ws = ws
	}
	return err
}

func (x *raw) send(b []byte) {
	x.r.t.Helper()
	if err := x.ws.Write(context.Background(), websocket.MessageBinary, b); err != nil {
		x.r.t.Logf("send: %v", err)
	}
}

// until reads messages until f returns true for one of them. It returns false if the connection ends before that.
func (x *raw) until(f func(m proto.Message) bool) bool {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		_, b, err := x.ws.Read(ctx)
		cancel()
		if err != nil {
			return false
		}
		if b[0]&proto.KindSnapshot != 0 {
			continue
		}
		if m, err := proto.ParseServerMessage(b); err == nil && f(m) {
			return true
		}
	}
}

// enter connects, logs in as a guest, and waits for the Welcome, which it returns. It fails the test if none comes.
func (x *raw) enter() (w *proto.Welcome) {
	x.r.t.Helper()
	if err := x.dial(nil); err != nil {
		x.r.t.Fatal(err)
	}
	x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: x.ticket()}))
	if !x.until(func(m proto.Message) (ok bool) { w, ok = m.(*proto.Welcome); return ok }) {
		x.r.t.Fatal("no Welcome")
	}
	return w
}

// endsWith reads until the connection ends and checks that the server's Bye message states the expected reason, the parameter why.
func (x *raw) endsWith(why proto.ByeReason) {
	x.r.t.Helper()
	var got *proto.Bye
	for x.until(func(m proto.Message) bool {
		b, ok := m.(*proto.Bye)
		if ok {
			got = b
		}
		return ok
	}) {
	}
	if got == nil || got.Reason != why {
		x.r.t.Errorf("the connection ended with %+v, want reason %d", got, why)
	}
	_ = x.ws.CloseNow()
}

// bad returns how many invalid messages and requests of a kind the door has counted.
func (r *rig) bad(kind string) uint64 { return r.metrics.Door("web").Bad.With(kind).Load() }

// besideHonest runs a test while an honest player plays, and fails if the honest player is affected.
func besideHonest(t *testing.T, test func(r *rig)) {
	t.Helper()
	t.Parallel()
	withServer(t, web.Options{Origins: []string{"https://game.example"}}, netsim.Impairment{}, func(r *rig) { r.besideHonest(func() { test(r) }) })
}

// besideHonest runs a part of a test while an honest player plays, and fails if the honest player is affected.
func (r *rig) besideHonest(part func()) {
	r.t.Helper()
	p := r.join("Good", false)
	p.do(wander(1))
	part()
	time.Sleep(time.Second)
	p.look(func(w *webcl.World) {
		if w.Counts.Corrections != 0 || w.Self() == nil || w.Self().Health() != 1 {
			r.t.Errorf("the honest player was harmed: %+v", w.Counts)
		}
	})
	if err := p.stop(); err != nil {
		r.t.Errorf("the honest player lost its connection: %v", err)
	}
}

func TestRequestsFromPagesOfOtherOriginsAreRefused(t *testing.T) {
	besideHonest(t, func(r *rig) {
		x := r.newRaw()
		for origin, want := range map[string]int{
			"https://evil.example": http.StatusForbidden, "null": http.StatusForbidden, "http://127.0.0.1:9999": http.StatusForbidden,
			"https://game.example": http.StatusOK, "http://127.0.0.1:8090": http.StatusOK, "http://localhost:8090": http.StatusOK, "": http.StatusOK,
		} {
			if status, b := x.post(http.MethodPost, "/play/v1/ticket", "", origin); status != want {
				r.t.Errorf("origin %q: %d %s, want %d", origin, status, b, want)
			}
		}
		if err := x.dial(http.Header{"Origin": {"https://evil.example"}}); err == nil {
			r.t.Error("a WebSocket of a foreign origin was accepted")
		}
		if r.bad("origin") != 4 {
			r.t.Errorf("%d refusals counted, want 4", r.bad("origin"))
		}
	})
}

func TestMalformedTicketRequestsAreRefused(t *testing.T) {
	besideHonest(t, func(r *rig) {
		x := r.newRaw()
		for body, want := range map[string]int{
			"[": http.StatusBadRequest, `{"guest": 5}`: http.StatusBadRequest, `{"guest": "abc"}`: http.StatusForbidden,
			`{"name": "` + strings.Repeat("x", 5000) + `"}`: http.StatusBadRequest, `{"name": "Eve"}`: http.StatusOK,
		} {
			if status, b := x.post(http.MethodPost, "/play/v1/ticket", body, ""); status != want {
				r.t.Errorf("%.20s: %d %s, want %d", body, status, b, want)
			}
		}
		if status, _ := x.post(http.MethodGet, "/play/v1/ground/0000000000000000", "", ""); status != http.StatusNotFound {
			r.t.Errorf("unknown ground: %d", status)
		}
	})
}

func TestForgedOrUsedTicketsAreRefused(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		late := x.ticket()
		time.Sleep(61 * time.Second) // tickets are valid for a minute
		r.besideHonest(func() {
			used := x.ticket()
			damaged := "A" + used[1:]
			if damaged == used {
				damaged = "B" + used[1:]
			}
			for i, try := range []struct {
				ticket string
				want   proto.RefusedReason // 0: admitted
			}{
				{"", proto.RefusedTicket}, {"nonsense", proto.RefusedTicket}, {damaged, proto.RefusedTicket},
				{used, 0}, {used, proto.RefusedTicket}, {late, proto.RefusedTicket},
			} {
				if err := x.dial(nil); err != nil {
					r.t.Fatal(err)
				}
				x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: try.ticket}))
				got := proto.RefusedReason(255)
				x.until(func(m proto.Message) bool {
					switch m := m.(type) {
					case *proto.Welcome:
						got = 0
					case *proto.Refused:
						got = m.Reason
					}
					return got != 255
				})
				if got != try.want {
					r.t.Errorf("try %d: refused with %d, want %d", i, got, try.want)
				}
				_ = x.ws.CloseNow()
			}
		})
	})
}

func TestClientsOfAnotherVersionOrWorldAreRefused(t *testing.T) {
	besideHonest(t, func(r *rig) {
		other := proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: "t"})
		other[4]++ // the version in TSW1
		for name, c := range map[string]struct {
			hello []byte
			want  proto.RefusedReason
		}{
			"another version": {other, proto.RefusedVersion},
			"older coding":    {proto.AppendMessage(nil, &proto.Hello{Ticket: r.newRaw().ticket()}), proto.RefusedVersion},
			"another schema":  {proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: r.newRaw().ticket(), Schema: proto.Hash{1}}), proto.RefusedSchema},
		} {
			x := r.newRaw()
			if err := x.dial(nil); err != nil {
				r.t.Fatal(err)
			}
			x.send(c.hello)
			var got *proto.Refused
			x.until(func(m proto.Message) (ok bool) {
				got, ok = m.(*proto.Refused)
				return ok
			})
			if got == nil || got.Reason != c.want || got.Text == "" {
				r.t.Errorf("%s: refused with %+v, want reason %d and a sentence", name, got, c.want)
			}
			_ = x.ws.CloseNow()
		}
	})
}

func TestConnectionsWithoutHelloAreClosed(t *testing.T) {
	besideHonest(t, func(r *rig) {
		silent, wrong, long := r.newRaw(), r.newRaw(), r.newRaw()
		for _, x := range []*raw{silent, wrong, long} {
			if err := x.dial(nil); err != nil {
				r.t.Fatal(err)
			}
		}
		wrong.send((&proto.Ack{}).Append(nil))
		long.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: strings.Repeat("t", proto.MaxHello)}))
		began := time.Now()
		for _, x := range []*raw{silent, wrong, long} {
			if x.until(func(proto.Message) bool { return false }) {
				r.t.Error("the connection is still open")
			}
			_ = x.ws.CloseNow()
		}
		if took := time.Since(began); took > 7*time.Second {
			r.t.Errorf("closed after %v, want at most 5 s", took)
		}
		time.Sleep(time.Second)
		if r.bad("no_hello") != 1 || r.bad("malformed") != 2 {
			r.t.Errorf("counted %d without hello and %d malformed, want 1 and 2", r.bad("no_hello"), r.bad("malformed"))
		}
	})
}

func TestMalformedControlMessagesEndTheConnection(t *testing.T) {
	besideHonest(t, func(r *rig) {
		act := proto.AppendMessage(nil, &proto.Act{Number: 1, Verb: proto.VerbSay, Text: "x"})
		for name, b := range map[string][]byte{
			"empty": {}, "short act": act[:5], "act with another byte": append(bytes.Clone(act), 0),
			"long act":    proto.AppendMessage(nil, &proto.Act{Verb: proto.VerbSay, Text: strings.Repeat("x", 600)}),
			"hello again": proto.AppendMessage(nil, &proto.Hello{Features: proto.Features}), "unknown verb": {3, 1, 0, 99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		} {
			x := r.newRaw()
			x.enter()
			x.send(b)
			r.t.Logf("%s", name)
			x.endsWith(proto.ByeMalformed)
		}
	})
}

// Damaged datagrams and unknown messages are counted and dropped. The player is not disconnected.
func TestMalformedDatagramsAreDropped(t *testing.T) {
	besideHonest(t, func(r *rig) {
		x := r.newRaw()
		x.enter()
		in := proto.Input{N: 1}
		good := in.Append(nil)
		for _, b := range [][]byte{good[:20], append(bytes.Clone(good), 1), {proto.KindAck, 1, 2}, {0x3f, 5, 5}} {
			x.send(b)
		}
		x.send(proto.AppendMessage(nil, &proto.Act{Number: 1, Verb: proto.VerbAttack, Handle: 999}))
		x.send(proto.AppendMessage(nil, &proto.Act{Number: 2, Verb: proto.VerbAttack, Handle: proto.NoHandle}))
		for n := uint16(1); n <= 2; n++ {
			if !x.until(func(m proto.Message) bool {
				a, ok := m.(*proto.Answer)
				return ok && a.Number == n && a.Reason == uint8(reason.TargetGone)
			}) {
				r.t.Fatal("the connection ended")
			}
		}
		if a, b, c, d := r.bad("malformed_input"), r.bad("malformed_ack"), r.bad("unknown"), r.bad("target_gone"); a != 2 || b != 1 || c != 1 || d != 2 {
			r.t.Errorf("counted %d inputs, %d acks, %d unknown, %d targets, want 2, 1, 1, 2", a, b, c, d)
		}
		_ = x.ws.CloseNow()
	})
}

// A flood of inputs and requests affects only its sender. Requests above the player's rate limit are answered with a refusal.
// Above the connection's limit of messages, they are dropped unread.
func TestMessagesBeyondRateLimitAreDropped(t *testing.T) {
	besideHonest(t, func(r *rig) {
		x := r.newRaw()
		x.enter()
		var tooMuch atomic.Int32
		go func() { // the client reads, so that the server can answer
			x.until(func(m proto.Message) bool {
				if a, ok := m.(*proto.Answer); ok && a.Reason == uint8(reason.TooMuch) {
					tooMuch.Add(1)
				}
				return false
			})
		}()
		in := proto.Input{N: 1}
		for i := range 2000 {
			in.Tick = uint32(i)
			x.send(in.Append(nil))
			x.send(proto.AppendMessage(nil, &proto.Act{Number: uint16(i), Verb: proto.VerbSay, Text: "spam"}))
			if i%100 == 0 {
				time.Sleep(10 * time.Millisecond)
			}
		}
		time.Sleep(time.Second)
		if r.bad("flood") < 3000 {
			r.t.Errorf("%d messages dropped as a flood", r.bad("flood"))
		}
		if tooMuch.Load() == 0 {
			r.t.Error("no request was answered with too_much")
		}
		_ = x.ws.CloseNow()
	})
}

// talkUntilSlow sends lines of text to the player that is not "Good", whose client does not read, until the server has disconnected
// that client. It calls input for each input of the client. The parameter full says that the lines are more than the server's queue
// holds. Then the client must be disconnected at once, otherwise after ten seconds. Its player must stay in the world for a while.
func (r *rig) talkUntilSlow(lines int, full bool, input func(in *proto.Input)) {
	r.t.Helper()
	players := r.hub.Players()
	slow := players[slices.IndexFunc(players, func(p session.Player) bool { return p.Name != "Good" })]
	line := sim.Intent{Kind: sim.IntentMessage, Who: slow.Entity, Text: strings.Repeat("x", 2000)}
	began, sent := time.Now(), 0
	for in := (proto.Input{N: 1}); r.bad("slow_reader") == 0; in.Tick++ {
		if in.Tick > 20*20 {
			r.t.Fatal("the client that does not read is still connected after twenty seconds")
		}
		input(&in)
		for range min(10, lines-sent) {
			line.AtMS = r.world.NowMS()
			if err := r.world.Submit(slow.Area, line); err != nil {
				r.t.Fatal(err)
			}
			sent++
		}
		time.Sleep(50 * time.Millisecond)
	}
	if took := time.Since(began); took < 10*time.Second != full || sent == lines == full {
		r.t.Errorf("disconnected after %v and %d lines", took, sent)
	}
	time.Sleep(2 * time.Second)
	if players := r.hub.Players(); len(players) != 2 || !slices.ContainsFunc(players, func(p session.Player) bool { return p.Lingering }) {
		r.t.Errorf("players %+v, want two of which one lingers", players)
	}
}

// A client that sends inputs but does not read is disconnected in two cases: at once when more than maxControl bytes of control
// messages wait for it, otherwise when a write has waited for ten seconds.
func TestClientThatDoesNotReadIsDisconnected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines int // number of lines of 2 KB that the client is sent; its connection accepts 256 KiB
		full  bool
	}{
		"few messages wait": {150, false}, "more messages than the queue holds": {1000, true},
	} {
		t.Run(name, func(t *testing.T) {
			besideHonest(t, func(r *rig) {
				x := r.newRaw()
				x.enter()
				r.talkUntilSlow(c.lines, c.full, func(in *proto.Input) {
					_ = x.ws.Write(context.Background(), websocket.MessageBinary, in.Append(nil)) // fails when the server has closed the connection
				})
				_ = x.ws.CloseNow()
			})
		})
	}
}

// The actor of a guest that disconnects before its first input is removed at once. If it stayed in the world for some seconds, as
// usual, such guests could fill the world with actors.
func TestGuestThatDisconnectsBeforeFirstInputIsRemovedImmediately(t *testing.T) {
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		ann := r.join("Ann", false)
		o, _ := r.options("Ghost", true)
		c, err := webcl.Dial(context.Background(), "http://127.0.0.1:8090", o)
		if err != nil {
			t.Fatal(err)
		}
		ann.until("Ann sees the guest", func(w *webcl.World) bool { return w.FindByName("Ghost") != nil })
		began := time.Now()
		c.Close()
		ann.until("the guest is gone", func(w *webcl.World) bool { return w.FindByName("Ghost") == nil })
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("its body stayed for %v", took)
		}
		if err := ann.stop(); err != nil {
			t.Error(err)
		}
	})
}
