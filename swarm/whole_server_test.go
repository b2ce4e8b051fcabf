package swarm

import (
	"context"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	rsgate "github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim/terrain"
)

// lines are the impairments of the network between players and server under which the tests run.
var lines = map[string]netsim.Impairment{
	"perfect": {}, "bad": {DelayMS: 20, JitterMS: 5, Loss: 0.01},
}

// rig is a whole server on one host of an in-memory network, and players on another host, in virtual time (synctest).
type rig struct {
	t       *testing.T
	data    string // data folder of the server
	server  *server.Server
	players *netsim.Host
	impair  func(there, back netsim.Impairment) // changes the line between players and server
}

// overAllLines runs a test in virtual time with each network impairment; with -short, only with the lossy ones.
func overAllLines(t *testing.T, test func(t *testing.T, r *rig, lossy bool)) {
	t.Parallel()
	for name, imp := range lines {
		if testing.Short() && imp.Loss == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { test(t, open(t, imp), imp.Loss > 0) })
		})
	}
}

// open runs a server with the embedded world, all doors and the console until the test ends.
func open(t *testing.T, imp netsim.Impairment) *rig {
	t.Helper()
	network := netsim.New(2)
	host := network.Host("127.0.0.1")
	r := &rig{t: t, data: t.TempDir(), players: network.Host("127.1.0.1")}
	r.impair = func(there, back netsim.Impairment) { network.Impair(r.players, host, there, back) }
	r.impair(imp, imp)
	cfg := server.Default()
	cfg.DataDir, cfg.Seed, cfg.Log = r.data, 7, slog.New(slog.DiscardHandler)
	cfg.Sockets = gateway.SocketOpener{
		UDP: func(addr string) (gateway.Conn, error) { return host.ListenPacket(addr) },
		TCP: func(addr string) (net.Listener, error) { return host.Listen(addr) },
	}
	var err error
	if r.server, err = server.Start(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.server.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// config returns the configuration of n players at the door with index door in server.Doors.
func (r *rig) config(door int, n int) Config {
	return Config{
		Server: gateway.LocalAddr(r.server.Doors()[door].Addr).String(), Dial: r.players.Dial,
		Clients: n, Duration: 20 * time.Second, Ramp: 100, Prefix: "bot", Password: "secret", Seed: 9,
	}
}

func (r *rig) rcce(n int) RCCE {
	walls := map[string][]terrain.Solid{}
	for _, a := range content.DefaultWorld().Areas {
		walls[a.Name] = a.Solids
	}
	return RCCE{Config: r.config(0, n), Activity: Walk, InSight: true, Walls: walls}
}

func (r *rig) rs(n int) RS {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.data, rsgate.PublicFile))
	if err != nil {
		r.t.Fatal(err)
	}
	key, err := rs.ParsePublicKey(text)
	if err != nil {
		r.t.Fatal(err)
	}
	return RS{Config: r.config(1, n), Activity: Walk, InSight: true, Key: key}
}

func (r *rig) bedrock(n int) Bedrock {
	return Bedrock{Config: r.config(2, n), Activity: Walk, InSight: true}
}

func (r *rig) web(n int) Web {
	return Web{
		Config: r.config(3, n), Activity: Walk, InSight: true,
		ListenUDP: func() (net.PacketConn, error) { return r.players.ListenPacket(":0") },
	}
}

// play runs a swarm and returns its report.
func play[R Report](t *testing.T, p Protocol) (report R) {
	t.Helper()
	r, err := Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if c := r.common(); !r.OK(false) || c.Joined != p.config().Clients || c.Failed != 0 || c.Dropped != 0 || c.Unreadable != 0 || len(c.Retries) != 0 {
		t.Errorf("%+v", c)
	}
	return r.(R)
}

// maxGap returns the maximum time in ms between two updates of a nearby actor without impairment: the interval of the door
// plus the resolution of the histogram.
func maxGap(interval float64) float64 { return interval * 1.01 }

func TestHonestRCCEPlayersAreNotCorrected(t *testing.T) {
	overAllLines(t, func(t *testing.T, r *rig, lossy bool) {
		report := play[*RCCEReport](t, r.rcce(6))
		if report.Corrections != 0 || report.Snaps != 0 || report.SightLeast < 5 || report.ClaimsPerSecond == 0 || report.RoundTrip.Count == 0 {
			t.Errorf("%+v", report)
		}
		if !lossy && (report.Gap.Max > maxGap(200) || report.Resent != 0 || report.LateAnswers != 0) {
			t.Errorf("perfect line: gap %v, %d resent, %d late", report.Gap, report.Resent, report.LateAnswers)
		}
	})
}

// stallingConn is the connection of a client that stalls for a second at every hundredth read.
type stallingConn struct {
	net.Conn
	reads int
}

func (c *stallingConn) Read(b []byte) (int, error) {
	if c.reads++; c.reads%100 == 0 {
		time.Sleep(time.Second)
	}
	return c.Conn.Read(b)
}

// Clients on an overloaded machine stall and then read packets that the server sent seconds ago. The players walk around the
// walls of the embedded world and are not corrected.
func TestHonestRCCEPlayersAreNotCorrectedOnOverloadedMachine(t *testing.T) {
	for name, c := range map[string]struct {
		late   uint32 // delay of the server's packets, in ms
		stalls bool
	}{"late reads": {2000, false}, "stalls": {0, true}, "late reads and stalls": {1500, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := open(t, netsim.Impairment{})
				players := r.rcce(12)
				players.Duration = time.Minute
				if c.stalls {
					dial := players.Dial
					players.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
						conn, err := dial(ctx, network, addr)
						return &stallingConn{Conn: conn}, err
					}
				}
				time.AfterFunc(2*time.Second, func() { r.impair(netsim.Impairment{}, netsim.Impairment{DelayMS: c.late}) })
				if report := play[*RCCEReport](t, players); report.Corrections != 0 || report.Snaps != 0 || report.ClaimsPerSecond == 0 {
					t.Errorf("%d corrections, %d snaps: %+v", report.Corrections, report.Snaps, report)
				}
			})
		})
	}
}

func TestRSPlayersReceiveUpdateInEveryCycle(t *testing.T) {
	overAllLines(t, func(t *testing.T, r *rig, lossy bool) {
		players := r.rs(6)
		players.Chat, players.Kill = true, 3
		report := play[*RSReport](t, players)
		if report.Mismatched != 0 || report.Ignored != 0 || report.OffMap != 0 || report.InSight.Max < 6 || report.Clicks == 0 || report.Reconnects == 0 || report.Missed != 0 {
			t.Errorf("%+v", report)
		}
		if !lossy && report.Gap.Max > maxGap(600) {
			t.Errorf("perfect line: gap %v", report.Gap)
		}
	})
}

func TestHonestBedrockPlayersAmongCheatersAreNotCorrected(t *testing.T) {
	overAllLines(t, func(t *testing.T, r *rig, lossy bool) {
		players := r.bedrock(6)
		players.Cheat, players.Honest = []string{"speed", "teleport"}, 3
		report := play[*BedrockReport](t, players)
		if report.False != 0 || report.Deserved == 0 || report.Rewinds == 0 || report.UnknownActors != 0 || report.Trailing != 0 || len(report.ByReason) == 0 || report.CheatsDropped != 0 {
			t.Errorf("%+v", report)
		}
		if !lossy && (report.Gap.Max > maxGap(200) || report.Resent != 0) {
			t.Errorf("perfect line: gap %v, %d resent", report.Gap, report.Resent)
		}
	})
}

func TestHonestWebPlayersAreNotCorrected(t *testing.T) {
	overAllLines(t, func(t *testing.T, r *rig, lossy bool) {
		players := r.web(6)
		players.Activity = Mixed
		report := play[*WebReport](t, players)
		if report.False != 0 || report.SightMean < 6 || report.Snapshots < 18 || report.InputsPerSecond < 115 || report.Struck == 0 {
			t.Errorf("%+v", report)
		}
	})
}

func TestHonestWebPlayersOverWebSocketAreNotCorrected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		players := open(t, netsim.Impairment{}).web(4)
		players.WebSocket = true
		if report := play[*WebReport](t, players); report.False != 0 || report.Snapshots < 18 {
			t.Errorf("%+v", report)
		}
	})
}

// The stop waits for no timeout of a connection. The records are stored all the same.
func TestServerStopsWithinStopTimeoutThoughNoClientAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, netsim.Impairment{})
		ctx, cancel := context.WithCancel(t.Context())
		c, s, b, w := r.rcce(2), r.rs(2), r.bedrock(2), r.web(2)
		c.Prefix, s.Prefix, b.Prefix, w.Prefix = "stopc", "stopr", "stopb", "stopw"
		c.Duration, s.Duration, b.Duration, w.Duration = 0, 0, 0, 0
		var swarms sync.WaitGroup
		for _, p := range []Protocol{c, s, b, w} {
			swarms.Go(func() {
				if report, err := Run(ctx, p); err != nil || report.common().Joined != 2 {
					t.Errorf("%T: %+v, %v", p, report, err)
				}
			})
		}
		time.Sleep(10 * time.Second)
		r.impair(netsim.Impairment{Loss: 1}, netsim.Impairment{Loss: 1})
		began := time.Now()
		if err, took := r.server.Close(), time.Since(began); err != nil || took > server.StopTimeout {
			t.Errorf("the server stopped after %v with the error %v", took, err)
		}
		cancel()
		swarms.Wait()
		time.Sleep(2 * time.Minute) // for connections that clients were opening
	})
}

// Players of all doors play in one world for 20 s, and no client shows anything that differs from the console's live map.
func TestClientsOfAllProtocolsDisplayPositionsThatConsoleReports(t *testing.T) {
	overAllLines(t, func(t *testing.T, r *rig, lossy bool) {
		m := MixedConfig{
			Duration: 20 * time.Second, Ramp: 50, Console: r.server.ConsoleURL(), Dial: r.players.Dial,
			Allowance: 100 * time.Millisecond, TickMax: 50 * time.Millisecond,
		}
		c, s, b, w := r.rcce(2), r.rs(2), r.bedrock(2), r.web(2)
		c.Prefix, s.Prefix, b.Prefix, w.Prefix = "mixc", "mixr", "mixb", "mixw"
		m.Protocols = []Protocol{c, s, b, w}
		if lossy {
			m.Allowance = time.Second // includes the delay of TCP retransmissions
		}
		report, err := RunMixed(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range report.Doors {
			if d.Compared < 400 || d.Expected == 0 || d.Observations < 30 || d.ShownMean < 5 || d.Blurred != 0 || d.Stalled != 0 {
				t.Errorf("%+v", d)
			}
		}
		if len(report.Doors) != 4 || report.Frames == 0 || report.Lost != 0 || report.Stall != 0 {
			t.Errorf("%+v", report)
		}
		if !report.OK(false) || report.Joined != 8 || report.Failed+report.Dropped != 0 || report.Mismatches != 0 || report.False != 0 || len(report.ConsoleErrors) != 0 {
			t.Errorf("%+v", report)
		}
	})
}
