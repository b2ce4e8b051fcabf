package console

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// dialLive opens a live map.
func (r *harness) dialLive(ctx context.Context, role Role, query string) (*websocket.Conn, *http.Response, error) {
	header := http.Header{"Authorization": {"Bearer " + r.tokens[role]}}
	c, res, err := websocket.Dial(ctx, r.url+apiBase+"/live?"+query, &websocket.DialOptions{HTTPHeader: header, HTTPClient: &http.Client{Transport: r.transport}})
	if err == nil {
		c.SetReadLimit(8 << 20)
	}
	return c, res, err
}

// openLive opens a live map, and fails the test if that fails. The map is closed at the end of the test.
func (r *harness) openLive(role Role, query string) (context.Context, *websocket.Conn) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	c, _, err := r.dialLive(ctx, role, query)
	if err != nil {
		cancel()
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.CloseNow(); cancel() })
	return ctx, c
}

// liveText is any text message of a live map.
type liveText struct {
	Type     string
	Area     int
	Rate     int
	TickRate int
	Add      []rosterActor
	Remove   []sim.EntityID
	Entry    map[string]any
	By, On   sim.EntityID
	ID       sim.EntityID
}

// readMessage reads a text message or a frame.
func (r *harness) readMessage(ctx context.Context, c *websocket.Conn) (*liveText, *LiveFrame) {
	r.t.Helper()
	kind, b, err := c.Read(ctx)
	if err != nil {
		r.t.Fatalf("no connection: %v\n%s", err, r.log)
	}
	if kind == websocket.MessageText {
		m := new(liveText)
		if err := json.Unmarshal(b, m); err != nil {
			r.t.Fatalf("%v in %s", err, b)
		}
		return m, nil
	}
	f, err := ParseLive(b, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return nil, &f
}

// Every actor of a live frame is in a roster that was sent before the frame, and its position equals that in the area's frame.
func TestLiveMapShowsEveryActorAtItsPositionInAreaFrame(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		feed := r.world.Subscribe("test", 64, area.All)
		defer feed.Close()
		type row struct {
			pos    [3]float32
			player bool
		}
		var mu sync.Mutex
		truth := map[sim.Tick]map[sim.EntityID]row{}
		go func() {
			for p := range feed.C() {
				if p.Frame.Area == 0 {
					rows := map[sim.EntityID]row{}
					for i := range p.Frame.Actors {
						a := &p.Frame.Actors[i]
						rows[a.ID] = row{[3]float32{a.Pos.X, a.Pos.Y, a.Pos.Z}, a.Is(sim.FlagPlayer)}
					}
					mu.Lock()
					truth[p.Frame.Tick] = rows
					mu.Unlock()
				}
				p.Release()
			}
		}()
		ctx, c := r.openLive(Viewer, "area=0&rate=20")
		hello, _ := r.readMessage(ctx, c)
		if hello == nil || hello.Type != "hello" || hello.Area != 0 || hello.Rate != 20 || hello.TickRate != 20 {
			t.Fatalf("the hello message is %+v", hello)
		}
		known := map[sim.EntityID]rosterActor{}
		var ann sim.EntityID
		var last sim.Tick
		var left bool
		for frames := 0; frames < 30 || !left; {
			m, f := r.readMessage(ctx, c)
			if m != nil {
				for _, a := range m.Add {
					known[a.ID] = a
				}
				for _, id := range m.Remove {
					if _, ok := known[id]; !ok {
						t.Errorf("%d was removed but never added", id)
					}
					delete(known, id)
					left = left || id == ann
				}
				continue
			}
			frames++
			if f.Tick <= last {
				t.Errorf("tick %d after %d", f.Tick, last)
			}
			last = f.Tick
			if d := time.Since(time.UnixMilli(int64(f.At))); d < 0 || d >= time.Second/20 {
				t.Errorf("the frame is %v old", d)
			}
			mu.Lock()
			rows, ok := truth[f.Tick]
			mu.Unlock()
			if len(f.Actors) != len(known) {
				t.Errorf("%d actors, %d are known", len(f.Actors), len(known))
			}
			for _, a := range f.Actors {
				k, told := known[a.ID]
				if want, there := rows[a.ID]; !told || ok && (!there || want.pos != [3]float32{a.Pos.X, a.Pos.Y, a.Pos.Z} || want.player != (a.Flags&LivePlayer != 0)) {
					t.Errorf("tick %d: %+v, roster %v, in the frame %+v", f.Tick, a, told, want)
				}
				if a.ID == ann && (k.Name != "Ann" || k.Door == nil || *k.Door != "rcce" || !k.Player) {
					t.Errorf("Ann is described as %+v", k)
				}
			}
			switch frames {
			case 5:
				s := r.enter("Ann")
				ann = s.Entity
				defer s.Leave()
				go func() { time.Sleep(500 * time.Millisecond); s.Leave() }()
			}
		}
	})
}

// claimFarAway submits claims of distant positions until one is held.
func (r *harness) claimFarAway(s *session.Session) {
	r.t.Helper()
	if err := s.Submit(sim.Intent{Kind: sim.IntentWarpAck}); err != nil { // acknowledges the position at which the player entered
		r.t.Fatal(err)
	}
	at := s.Character.Pos
	if err := s.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: at.X + 5000, Y: at.Y, Z: at.Z, DestX: at.X, DestZ: at.Z}}); err != nil {
		r.t.Fatal(err)
	}
}

// The journal entry of a hold is sent to the live maps of its area.
func TestRejectedClaimIsSentToLiveMapsOfItsArea(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		ctx, c := r.openLive(Viewer, "area=0&rate=5")
		if m, _ := r.readMessage(ctx, c); m == nil || m.Type != "hello" { // journal entries arrive after the hello message
			t.Fatalf("the first message is %+v, want hello", m)
		}
		r.claimFarAway(s)
		for {
			m, _ := r.readMessage(ctx, c)
			if m != nil && m.Type == "entry" {
				if m.Entry["verdict"] != "held" || m.Entry["reason"] != "too_fast" || m.Entry["player"] != "Ann" || m.Entry["door"] != "rcce" {
					t.Errorf("the entry is %v", m.Entry)
				}
				return
			}
		}
	})
}

func TestLiveMapRequestWithInvalidParameterIsRefusedWithReason(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *Options) { o.MaxViewers = 2 })
	for query, want := range map[string]string{
		"": `"area" is missing`, "area=99": "there is no area", "area=0&rate=0": `"rate" must be a whole number, 1..20`, "area=0&rate=21": "1..20",
		"area=0&rate=x": "1..20", "area=0&speed=1": "unknown parameter", "area=0&area=1": "2 times", "area=%zz": "malformed", "area=0": "WebSocket",
	} {
		if a := r.call(Viewer, "GET", "/live?"+query, ""); a.status < 400 || a.status > 404 || !strings.Contains(a.message, want) {
			t.Errorf("query %q: status %d, message %q, want %q", query, a.status, a.message, want)
		}
	}
	ctx := t.Context()
	if _, res, err := r.dialLive(ctx, NoRole, "area=0"); err == nil || res == nil || res.StatusCode != 401 {
		t.Errorf("without a token: %v, %v", res, err)
	}
	header := http.Header{"Authorization": {"Bearer " + r.tokens[Admin]}, "Origin": {"http://evil.example"}}
	if _, res, err := websocket.Dial(ctx, r.url+apiBase+"/live?area=0", &websocket.DialOptions{HTTPHeader: header}); err == nil || res == nil || res.StatusCode != 403 {
		t.Errorf("from another site: %v, %v", res, err)
	}
	header.Set("Origin", strings.Replace(r.url, "http:", "https:", 1))
	if _, res, err := websocket.Dial(ctx, r.url+apiBase+"/live?area=0", &websocket.DialOptions{HTTPHeader: header}); err == nil || res == nil || res.StatusCode != 403 {
		t.Errorf("from another scheme: %v, %v", res, err)
	}
	r.openLive(Viewer, "area=Truestep+Vale")
	r.openLive(Viewer, "area=1&rate=1")
	r.eventually("both look", func() bool { return r.viewers.Load() == 2 })
	if _, res, err := r.dialLive(ctx, Viewer, "area=0"); err == nil || res == nil || res.StatusCode != 429 {
		t.Errorf("one live map above the maximum: %v, %v", res, err)
	}
}

func closeCode(ctx context.Context, c *websocket.Conn) websocket.StatusCode {
	for {
		if _, _, err := c.Read(ctx); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

func TestLiveMapConnectionIsClosedWhenClientSendsMessage(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		ctx, c := r.openLive(Viewer, "area=0")
		if err := c.Write(ctx, websocket.MessageText, []byte("hello")); err != nil {
			t.Fatal(err)
		}
		if code := closeCode(ctx, c); code != websocket.StatusPolicyViolation {
			t.Errorf("closed with %d", code)
		}
		r.eventually("all live maps are closed", func() bool { return r.viewers.Load() == 0 && len(r.frames.areas[0].viewers.current()) == 0 })
	})
}

func TestLiveMapClosesWhenItsOperatorLogsOut(t *testing.T) {
	t.Parallel()
	inBubble(t, func(r *harness) { r.pingInterval = 20 * time.Millisecond }, func(t *testing.T, r *harness) {
		c := r.cookieOf(r.tokens[Viewer])
		ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
		defer cancel()
		conn, _, err := websocket.Dial(ctx, r.url+apiBase+"/live?area=0", &websocket.DialOptions{
			HTTPHeader: http.Header{"Cookie": {c.Name + "=" + c.Value}}, HTTPClient: &http.Client{Transport: r.transport},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		if m, _ := r.readMessage(ctx, conn); m == nil || m.Type != "hello" {
			t.Errorf("the first message is %+v, want hello", m)
		}
		conn.SetReadLimit(8 << 20)
		r.callWithCookie(c, "DELETE", "/session", "")
		if code := closeCode(ctx, conn); code != closeLoginEnded {
			t.Errorf("closed with %d", code)
		}
	})
}

func TestConsoleStopClosesLiveMapsImmediately(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, r *harness) {
		ctx, c := r.openLive(Viewer, "area=0")
		r.openUnreadLive("area=0") // this client does not answer the close frame
		code := make(chan websocket.StatusCode, 1)
		go func() { code <- closeCode(ctx, c) }()
		r.eventually("both look", func() bool { return r.viewers.Load() == 2 })
		began := time.Now()
		r.shutdown()
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("it took %v", took)
		}
		if got := <-code; got != websocket.StatusGoingAway {
			t.Errorf("closed with %d", got)
		}
	})
}

// openUnreadLive opens a live map over a connection that is never read, with a small buffer.
func (r *harness) openUnreadLive(query string) net.Conn {
	r.t.Helper()
	c, err := r.dial(r.t.Context(), "tcp", r.Listener.Addr().String())
	if err != nil {
		r.t.Fatal(err)
	}
	if socket, ok := c.(*net.TCPConn); ok {
		socket.SetReadBuffer(4096)
	} else {
		go io.CopyN(io.Discard, c, 8<<20) // reads as much as a socket would buffer, because a pipe buffers nothing
	}
	_, err = c.Write([]byte("GET " + apiBase + "/live?" + query + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + r.tokens[Viewer] +
		"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

// With a hundred live maps, half of which never read, no tick is late and the heap does not grow. Live maps that never read
// are closed.
func TestStalledLiveMapsDelayNoTick(t *testing.T) {
	inBubble(t, func(r *harness) { r.pingInterval, r.sendTimeout = 100*time.Millisecond, time.Second }, func(t *testing.T, r *harness) {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		counts := make([]int, 50)
		var wg sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for i := range counts {
			_, c := r.openLive(Viewer, "area=0&rate=20")
			wg.Go(func() {
				for {
					kind, _, err := c.Read(ctx)
					if err != nil {
						return
					}
					if kind == websocket.MessageBinary {
						counts[i]++
					}
				}
			})
			r.openUnreadLive("area=0&rate=20")
		}
		r.eventually("all look", func() bool { return r.viewers.Load() == 100 })
		from := r.world.Stats()[0]
		r.eventually("the deaf are closed", func() bool { return r.viewers.Load() == 50 })
		to := r.world.Stats()[0]
		runtime.GC()
		runtime.ReadMemStats(&after)
		if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 32<<20 {
			t.Errorf("the heap grew by %d KiB", grown>>10)
		}
		if to.Overruns > from.Overruns || to.Skipped > from.Skipped || to.Missed > from.Missed {
			t.Errorf("%d ticks overran, %d were skipped, %d frames were missed", to.Overruns-from.Overruns, to.Skipped-from.Skipped, to.Missed-from.Missed)
		}
		cancel()
		wg.Wait()
		slices.Sort(counts)
		if counts[0] == 0 {
			t.Errorf("a reading viewer received nothing: %v", counts)
		}
		r.eventually("all live maps are closed", func() bool { return r.viewers.Load() == 0 && len(r.frames.areas[0].viewers.current()) == 0 })
	})
}

// Viewers of live maps that join and leave concurrently all receive frames. Run with -race.
func TestConcurrentLiveMapViewersAllReceiveFrames(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i := range 5 {
				ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
				c, _, err := r.dialLive(ctx, Viewer, []string{"area=0&rate=20", "area=0&rate=10", "area=1&rate=20"}[(n+i)%3])
				if err != nil {
					t.Error(err)
					cancel()
					return
				}
				for range 3 {
					if _, _, err := c.Read(ctx); err != nil {
						t.Error(err)
					}
				}
				if n%2 == 0 {
					c.CloseNow()
				} else {
					c.Close(websocket.StatusNormalClosure, "")
				}
				cancel()
			}
		})
	}
	wg.Go(func() {
		for range 20 {
			r.call(Viewer, "GET", "/players", "")
			r.call(Viewer, "GET", "/overview", "")
		}
	})
	wg.Wait()
	r.eventually("all live maps are closed", func() bool { return r.viewers.Load() == 0 })
}

// Repeated holds of one player change one journal entry. The changed entry is sent again and does not count against the limit
// of new entries.
func TestJournalEntryWithHigherCountIsSentAgainToLiveMap(t *testing.T) {
	t.Parallel()
	at := time.UnixMilli(1767323045000)
	x := newFrameReader(defaultWorld(), func(sim.EntityID) string { return "" }, func() time.Time { return at })
	crews := &x.areas[0].viewers
	crews.join(newViewer(), 5)
	crew := crews.current()[0]
	told := func() (list [][2]int64) {
		for _, b := range crew.messages {
			var m struct{ Entry struct{ ID, Times int64 } }
			if err := json.Unmarshal(b, &m); err != nil {
				t.Fatal(err)
			}
			list = append(list, [2]int64{m.Entry.ID, m.Entry.Times})
		}
		crew.messages = nil
		return list
	}
	x.onEntry(journal.Entry{ID: 7, Times: 2})
	x.onEntry(journal.Entry{ID: 7, Times: 5})
	if got := told(); !slices.Equal(got, [][2]int64{{7, 2}, {7, 5}}) {
		t.Errorf("sent %v", got)
	}
	at = at.Add(time.Second)
	for i := range 3 * maxEntriesPerSecond {
		x.onEntry(journal.Entry{ID: 7, Times: int32(6 + i)})
	}
	for i := range 3 * maxEntriesPerSecond {
		x.onEntry(journal.Entry{ID: int64(8 + i), Times: 1})
	}
	if got := told(); len(got) != 2*maxEntriesPerSecond || got[0] != [2]int64{7, 6} || got[maxEntriesPerSecond] != [2]int64{8, 1} {
		t.Errorf("sent %v", got)
	}
}
