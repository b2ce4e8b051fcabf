package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
)

func TestMain(m *testing.M) {
	leaktest.VerifyTestMain(m, goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
		goleak.IgnoreAnyFunction("github.com/truestep-io/truestep/internal/pgtest.awaitEnd"))
}

// waitLimit bounds the wait for an event that should happen immediately; only a failing test waits so long.
const waitLimit = time.Minute

// quietConfig returns the configuration of a server that opens no sockets, and has smallWorld and a new data folder. Its stop may take four times as
// long as that of other servers, because many tests demand that everything is stored, on machines that stand still for seconds.
func quietConfig(t *testing.T) Config {
	t.Helper()
	cfg := Default()
	cfg.Doors, cfg.DataDir, cfg.Console, cfg.Metrics = nil, t.TempDir(), gateway.Off, gateway.Off
	cfg.World = smallWorld(t)
	cfg.Log, cfg.StopTimeout = slog.New(slog.DiscardHandler), 4*StopTimeout
	return cfg
}

func start(t *testing.T, cfg Config) *Server {
	t.Helper()
	s, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// join creates an account with a character and enters the world with it, as a door does. A node of a cluster must reach the others.
func join(t *testing.T, s *Server) *session.Session {
	t.Helper()
	awaitServing(t, s)
	ctx, peer := t.Context(), session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1, Door: "test"}
	if err := s.hub.CreateAccount(ctx, peer, "ann", "secret", ""); err != nil {
		t.Fatal(err)
	}
	l, err := s.hub.Login(ctx, peer, "ann", "secret")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.hub.CreateCharacter(ctx, l, session.NewCharacter{Name: "Ann"}); err != nil {
		t.Fatal(err)
	}
	p, err := s.hub.Enter(ctx, l, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// eventually polls until done returns true.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for start := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > waitLimit {
			t.Fatalf("did not happen in time: %s", what)
		}
	}
}

func httpGet(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, r.Status, err)
	}
	return string(b)
}

func TestMetricsCountRejectedMovementClaimsByReason(t *testing.T) {
	cfg := quietConfig(t)
	cfg.Metrics = "127.0.0.1:0"
	s := start(t, cfg)
	player := join(t, s)
	at := player.Character.Pos
	claim := func(x float32) bool {
		c := move.Claim{X: x, Y: at.Y, Z: at.Z, DestX: x, DestZ: at.Z}
		return player.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: c}) == nil
	}
	url := "http://" + s.MetricsAddr().String() + "/metrics"
	held := regexp.MustCompile(`truestep_claims_held_total\{reason="too_fast"\} [1-9]`)
	eventually(t, "a jump of 5000 units is held", func() bool {
		time.Sleep(20 * time.Millisecond) // stay below the rate limit of claims
		claim(at.X + 5000)
		return held.MatchString(httpGet(t, url))
	})
	x := at.X
	eventually(t, "the player walks 3 units", func() bool {
		time.Sleep(50 * time.Millisecond)
		x = min(x+0.3, at.X+3)
		return claim(x) && x == at.X+3
	})
	feed := s.world.Subscribe("test", 1, area.All)
	eventually(t, "the player has moved in the world", func() bool {
		claim(x) // the claims of the walk may have been ignored, because the client has not confirmed a correction
		p := <-feed.C()
		defer p.Release()
		actor := p.Frame.Find(player.Entity)
		return actor != nil && actor.Pos.X >= at.X+1
	})
	feed.Close()
	// The autosave period is 30 s, so a record that is stored now was saved by Close.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	st, err := sqlite.Open(context.Background(), cfg.DataDir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	a, err := st.Account(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	list, err := st.Characters(t.Context(), a.ID)
	if err != nil || len(list) != 1 || list[0].Pos.X < at.X+1 || list[0].Pos.X > at.X+5 {
		t.Errorf("%v, saved %v, started at %v", err, list, at)
	}
}

func TestServerWaitReturnsErrorIfProtocolGatewayClosesWhileServerRuns(t *testing.T) {
	s := &Server{store: folderStore{}, hub: new(session.Hub), world: area.NewWorld(content.DefaultWorld().World, area.Options{}), closed: make(chan *runningDoor, 1)}
	s.closed <- &runningDoor{Door: rcce.NewDoor()}
	if err := s.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "rcce: the door closed while the server was running") {
		t.Errorf("Wait returned %v", err)
	}
}

func TestRunReturnsErrorWithPathOfReplayFileIfAreaPanics(t *testing.T) {
	cfg := quietConfig(t)
	cfg.World = content.DefaultWorld()
	cfg.World.Areas[0].Spawns[0].Waypoint = 60000 // package content refuses such a waypoint, so the area panics
	if err := Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "the replay of its last ticks is "+cfg.DataDir) {
		t.Errorf("Run returned %v", err)
	}
}

func TestRunCallsReadyAndReturnsWhenContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cfg := quietConfig(t)
	ready := false
	cfg.Ready = func(*Server) { ready = true; cancel() }
	if err := Run(ctx, cfg); err != nil || !ready {
		t.Errorf("Run returned %v, ready: %v", err, ready)
	}
}

func TestFailedStartLeavesNoOpenPortOrFile(t *testing.T) {
	cfg := quietConfig(t)
	cfg.DataDir += "/new"
	taken := rcce.NewDoor()
	taken.Rcce = "127.0.0.1:0"
	if err := taken.Bind(&gateway.Host{}); err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	other := rcce.NewDoor()
	other.Rcce = taken.Addr().String()
	cfg.Doors, cfg.Metrics, cfg.Console = []gateway.Door{other}, "127.0.0.1:0", "127.0.0.1:0"
	if _, err := Start(t.Context(), cfg); err == nil {
		t.Fatal("a port in use was accepted")
	}
	if err := taken.Close(); err != nil {
		t.Fatal(err)
	}
	s := start(t, cfg) // succeeds, because ports and folder are free again
	if s.Addr("rcce") != taken.Addr() {
		t.Errorf("the door is at %v, want %v", s.Addr("rcce"), taken.Addr())
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Errorf("closing twice: %v", err)
	}
}

func TestStartWithEmptyConfigReportsEveryProblem(t *testing.T) {
	_, err := Start(t.Context(), Config{})
	if err == nil || strings.Count(err.Error(), "\n") != 4 {
		t.Errorf("Start returned %v", err)
	}
}
