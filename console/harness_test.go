package console

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// harness is a console over a real world, hub, store and journal, on a TCP port or on pipes.
type harness struct {
	*Console
	t         testing.TB
	def       *sim.World
	disk      *sqlite.Store
	world     *area.World
	dir       string
	url       string
	dial      func(ctx context.Context, network, addr string) (net.Conn, error)
	transport *http.Transport // used without http.Client, so redirects are not followed and cookies are not stored
	settle    func()          // waits until every goroutine of the synctest bubble is blocked; only with pipes
	tokens    map[Role]string
	log       *logbuf.Buffer
	clock     *testClock
	conns     uint64
	stopped   bool
}

// defaultWorld returns the embedded world, which is created once and must not be changed.
var defaultWorld = sync.OnceValue(func() *sim.World { return content.DefaultWorld().World })

// emptyJournal has a journal without entries, whose migrations take longer than most tests.
var emptyJournal = emptystore.NewTemplate(func(dir string) error {
	j, err := journal.Open(journal.Options{Path: filepath.Join(dir, journal.FileName), Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New()})
	if err != nil {
		return err
	}
	return j.Close(context.Background())
})

// testClock is the real clock plus an offset, or a frozen time plus an offset.
type testClock struct {
	mu       sync.Mutex
	offset   time.Duration
	frozenAt time.Time // time at which the clock is frozen; zero if the clock runs
}

func (s *testClock) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.frozenAt.IsZero() {
		return s.frozenAt.Add(s.offset)
	}
	return time.Now().Add(s.offset)
}

func (s *testClock) freeze() {
	s.mu.Lock()
	s.frozenAt = time.Now()
	s.mu.Unlock()
}

func (s *testClock) advance(d time.Duration) {
	s.mu.Lock()
	s.offset += d
	s.mu.Unlock()
}

// start returns a running harness with the embedded world. The function change, if not nil, modifies the options.
func start(t testing.TB, change func(*Options)) *harness {
	t.Helper()
	return startWith(t, change, func(*harness) {})
}

// startWith does the same as start, but before the server starts it passes the harness to the function before.
func startWith(t testing.TB, change func(*Options), before func(*harness)) *harness {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, l, change, before)
}

// startOn does the same as startWith, on a given listener.
func startOn(t testing.TB, l net.Listener, change func(*Options), before func(*harness)) *harness {
	t.Helper()
	r := newHarness(t, l, defaultWorld(), change)
	before(r)
	r.world.Start(context.Background())
	served := make(chan error, 1)
	go func() { served <- r.Run() }()
	t.Cleanup(func() {
		r.shutdown()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return r
}

// newHarness returns a harness whose world and server are not started.
func newHarness(t testing.TB, l net.Listener, def *sim.World, change func(*Options)) *harness {
	t.Helper()
	r := &harness{t: t, def: def, dir: emptystore.Dir(t), url: "http://" + l.Addr().String(), tokens: map[Role]string{}, log: new(logbuf.Buffer), clock: new(testClock)}
	r.dial, r.transport, r.settle = new(net.Dialer).DialContext, http.DefaultTransport.(*http.Transport), func() {}
	if p, ok := l.(*netsim.PipeListener); ok {
		r.dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return p.Dial(ctx, netip.MustParseAddrPort("127.0.0.1:5000"))
		}
		r.transport, r.settle = &http.Transport{DialContext: r.dial}, synctest.Wait
		t.Cleanup(r.transport.CloseIdleConnections)
	}
	log := slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	metrics := telemetry.New()
	emptyJournal.Copy(t, r.dir)
	disk, err := sqlite.Open(context.Background(), r.dir)
	if err != nil {
		t.Fatal(err)
	}
	r.world = area.NewWorld(def, area.Options{Seed: 1, Log: log, Metrics: metrics})
	r.disk = disk
	hub := session.NewHub(r.world, disk, session.Options{Log: log, Metrics: metrics, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	j, err := journal.Open(journal.Options{
		Path: filepath.Join(r.dir, journal.FileName), Log: log, Metrics: metrics,
		Identify: func(id sim.EntityID) (journal.Identity, bool) {
			p, ok := hub.Player(id)
			return journal.Identity{Name: p.Name, Account: p.Account, Door: p.Door, RTT: p.Link.RTT}, ok
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	j.Watch(r.world)
	tokens, err := OpenTokens(filepath.Join(r.dir, TokensFile))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Listener: l, World: r.world, Hub: hub, Journal: j, Metrics: metrics, Log: log, Tokens: tokens, Version: "test",
		Doors: []DoorInfo{{Name: "rcce", Title: "RealmCrafter CE", Open: true, Addr: "127.0.0.1:25000", CycleMS: 200, Shape: "circle",
			Bands: []Band{{"close", func(*sim.AreaDef) float32 { return 500 }, 200}}}},
	}
	o.Failures = func() []telemetry.Failure {
		return []telemetry.Failure{{What: "LEDGER NOT WRITTEN", Since: r.clock.now(), Err: errors.New("disk full")}}
	}
	if change != nil {
		change(&o)
	}
	if r.Console, err = New(o); err != nil {
		t.Fatal(err)
	}
	r.Console.now = r.clock.now
	for role := Viewer; role <= Admin; role++ {
		r.tokens[role] = tokens.Issue(role.String(), role)
	}
	t.Cleanup(func() {
		r.shutdown()
		if err := disk.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// shutdown stops everything except the store, in the same order as truestep serve. It may be called twice.
func (r *harness) shutdown() {
	if r.stopped {
		return
	}
	r.stopped = true
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	for _, err := range []error{r.world.Stop(ctx), r.Hub.Close(ctx), r.Close(ctx), r.Journal.Close(ctx)} {
		if err != nil {
			r.t.Error(err)
		}
	}
}

// enter adds a new player to the world through a door.
func (r *harness) enter(name string) *session.Session {
	r.t.Helper()
	r.conns++
	ctx := context.Background()
	peer := session.Peer{Addr: netip.MustParseAddr("192.0.2.7"), Conn: r.conns, Door: "rcce"}
	if err := r.Hub.CreateAccount(ctx, peer, strings.ToLower(name), "secret", ""); err != nil {
		r.t.Fatal(err)
	}
	l, err := r.Hub.Login(ctx, peer, strings.ToLower(name), "secret")
	if err != nil {
		r.t.Fatal(err)
	}
	if err := r.Hub.CreateCharacter(ctx, l, session.NewCharacter{Name: name}); err != nil {
		r.t.Fatal(err)
	}
	s, err := r.Hub.Enter(ctx, l, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// waitUntilShown waits until the console has the state of a player.
func (r *harness) waitUntilShown(s *session.Session) {
	r.t.Helper()
	r.eventually("the console has the player", func() bool {
		p, ok := r.Hub.Player(s.Entity)
		if !ok {
			return false
		}
		_, ok = r.frames.player(p.Area, s.Entity)
		return ok
	})
}

// waitLimit is how long a test waits before it fails. Only failing tests wait that long.
const waitLimit = time.Minute

// eventually waits until done returns true.
func (r *harness) eventually(what string, done func() bool) {
	r.t.Helper()
	for began := time.Now(); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Since(began) > waitLimit {
			r.t.Fatalf("did not happen in time: %s\n%s", what, r.log)
		}
	}
	r.settle()
}

// request returns a request to the API with the token of a role. It has no body if body is "".
func (r *harness) request(role Role, method, path, body string) *http.Request {
	r.t.Helper()
	req, err := http.NewRequest(method, r.url+apiBase+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	if role != NoRole {
		req.Header.Set("Authorization", "Bearer "+r.tokens[role])
	}
	return req
}

// answer is a decoded response.
type answer struct {
	status  int
	header  http.Header
	body    string
	code    string // error code, "" if the request succeeded
	message string // error message, "" if the request succeeded
}

func (r *harness) do(req *http.Request) answer {
	r.t.Helper()
	res, err := r.transport.RoundTrip(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	a := answer{status: res.StatusCode, header: res.Header, body: string(b)}
	if a.status >= 400 {
		var e errorBody
		if err := json.Unmarshal(b, &e); err != nil || e.Error.Code == "" || e.Error.Message == "" {
			r.t.Errorf("%s %s: an error without a code: %q", req.Method, req.URL, b)
		}
		a.code, a.message = e.Error.Code, e.Error.Message
	}
	return a
}

// call sends a request to the API with the token of a role.
func (r *harness) call(role Role, method, path, body string) answer {
	r.t.Helper()
	return r.do(r.request(role, method, path, body))
}

// get sends a GET request and decodes the response.
func get[T any](r *harness, role Role, path string) T {
	r.t.Helper()
	a := r.call(role, "GET", path, "")
	var v T
	if a.status != http.StatusOK {
		r.t.Fatalf("GET %s: %d %s", path, a.status, a.body)
	}
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		r.t.Fatalf("GET %s: %v in %s", path, err, a.body)
	}
	return v
}

// wantError checks that a response is an error with the given status and code. Its message must contain the parameter says.
func (r *harness) wantError(a answer, status int, code, says string) {
	r.t.Helper()
	if a.status != status || a.code != code || !strings.Contains(a.message, says) {
		r.t.Errorf("answered %d %s %q, want %d %s with %q", a.status, a.code, a.message, status, code, says)
	}
}

func addrFrom(b [4]byte) netip.Addr { return netip.AddrFrom4(b) }

// anyTime is a fixed time for tests that do not depend on the time.
var anyTime = time.UnixMilli(1767323045678)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// inBubble runs a test in a synctest bubble, so that no time limit depends on the speed of the machine. The function before, if not
// nil, is called before the server starts.
func inBubble(t *testing.T, before func(*harness), test func(*testing.T, *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if before == nil {
			before = func(*harness) {}
		}
		test(t, startOn(t, netsim.ListenPipe("127.0.0.1:8080"), nil, before))
	})
}
