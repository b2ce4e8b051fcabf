package web_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

// testWorld has a Field with steps, a wall and a portal, where players may fight, and a Meadow behind the portal.
const testWorld = `
name = "Test"
damage_types = ["Slashing"]

[rules.combat]
formula = 2
delay = 0.25
armour_wear = false

[rules.respawn]
delay = 1

[rules.regeneration]
health_every = 0

[newcomers]
greeting = "Welcome to the test."
kit = [{ item = "Sword" }]

[[attribute]]
name = "Health"
role = "health"

[[attribute]]
name = "Strength"
role = "strength"

[[attribute]]
index = 4
name = "Speed"
role = "speed"

[[item]]
id = 1
name = "Sword"
kind = "weapon"
damage = 30
wears = false

[[template]]
id = 1
race = "Human"
playable = true
start = { area = "Field", portal = "Start" }
xp = 100
attributes = { Health = 100, Strength = [20, 100], Speed = [50, 100] }

[[template]]
id = 2
race = "Sheep"
attributes = { Health = 30, Speed = [30, 100] }

[[area]]
name = "Field"
pvp = true
tiles = { size = 7, base = [8192, 8192] }
blocks = { units = 2, origin = [0, 64, 0] }

[[area.portal]]
name = "Start"
at = [0, 0, 0]
radius = 2

[[area.portal]]
name = "Gate"
at = [60, 0, 0]
to = { area = "Meadow", portal = "Lawn" }

[[area.solid]]
name = "Step"
from = [10, 0, 4]
to = [12, 1, 40]

[[area.solid]]
name = "Wall"
from = [20, 0, 4]
to = [22, 8, 40]

[[area.path]]
name = "Round"
points = [[-10, 0, -20], [10, 0, -20]]

[[area.spawn]]
template = "Sheep"
waypoint = "Round 1"
size = 3

[[area]]
name = "Meadow"
tiles = { size = 5, base = [2000, 5000], plane = 1 }
blocks = { units = 2, origin = [1000, 70, -3000] }

[[area.portal]]
name = "Lawn"
at = [100, 12, 100]
`

// rig is a server with a web door in virtual time, on an in-memory network.
type rig struct {
	t       *testing.T
	def     *sim.World
	world   *area.World
	hub     *session.Hub
	store   *sqlite.Store
	metrics *telemetry.Metrics
	logs    *logbuf.Buffer
	network *netsim.Network
	host    *netsim.Host
	line    netsim.Impairment
	hosts   int
	gate    *web.Gateway
	keys    string       // folder of the signing key
	other   *netsim.Host // host of the door that openOther opens; nil before
}

// lines are the connections over which most tests run: WebTransport and WebSocket, each without and with delay or loss.
var lines = map[string]struct {
	ws  bool
	imp netsim.Impairment
}{
	"WebTransport":          {false, netsim.Impairment{}},
	"WebTransport, 5% loss": {false, netsim.Impairment{DelayMS: 50, JitterMS: 20, Loss: 0.05, Duplicate: 0.02, Reorder: 0.02}},
	"WebSocket":             {true, netsim.Impairment{}},
	"WebSocket, 100 ms":     {true, netsim.Impairment{DelayMS: 50, JitterMS: 20}},
}

// overLines runs a test once for each connection in the variable lines.
func overLines(t *testing.T, test func(t *testing.T, r *rig, ws bool)) {
	t.Parallel()
	for name, l := range lines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			withServer(t, web.Options{}, l.imp, func(r *rig) { test(r.t, r, l.ws) })
		})
	}
}

// withServer runs a test in virtual time with a server of testWorld.
func withServer(t *testing.T, o web.Options, imp netsim.Impairment, test func(r *rig)) {
	t.Helper()
	withServerOf(t, testWorld, o, imp, test)
}

// withServerOf runs a test in virtual time with a server of a world, whose world file is the parameter world.
func withServerOf(t *testing.T, world string, o web.Options, imp netsim.Impairment, test func(r *rig)) {
	t.Helper()
	w, _, err := content.LoadWorld("test.toml", []byte(world))
	if err != nil {
		t.Fatal(err)
	}
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := open(t, w, dir, o, imp)
		defer r.start()()
		test(r)
	})
}

func open(t *testing.T, w *content.World, dir string, o web.Options, imp netsim.Impairment) *rig {
	return openWith(t, w, dir, o, imp, area.Options{})
}

// openWith is open with options for the areas. It sets their fields Log, Seed and Metrics.
func openWith(t *testing.T, w *content.World, dir string, o web.Options, imp netsim.Impairment, areas area.Options) *rig {
	quiet := slog.New(slog.DiscardHandler)
	r := &rig{t: t, def: w.World, metrics: telemetry.New(), logs: &logbuf.Buffer{}, network: netsim.New(5), line: imp, keys: dir}
	r.host = r.network.Host("127.0.0.1")
	var err error
	if r.store, err = sqlite.Open(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	areas.Log, areas.Seed, areas.Metrics = quiet, 7, r.metrics
	r.world = area.NewWorld(w.World, areas)
	r.hub = session.NewHub(r.world, r.store, session.Options{Log: quiet, Metrics: r.metrics, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1}})
	listener, err1 := r.host.Listen(":8090")
	udp, err2 := r.host.ListenPacket(":8090")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	o.Listener, o.UDP, o.KeyDir, o.Metrics, o.Log = listener, udp, dir, r.metrics, slog.New(slog.NewTextHandler(r.logs, nil))
	if o.Workers == 0 {
		o.Workers = 2
	}
	if r.gate, err = web.Listen(r.hub, r.world, o); err != nil {
		t.Fatal(err)
	}
	return r
}

// start starts the server. It returns the function that stops the server.
func (r *rig) start() func() {
	var running sync.WaitGroup
	running.Go(func() {
		if err := r.gate.Run(context.Background()); err != nil {
			r.t.Errorf("door: %v", err)
		}
	})
	r.world.Start(context.Background())
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		err := r.world.Stop(ctx)
		running.Wait()
		if err := errors.Join(err, r.hub.Close(ctx), r.store.Close()); err != nil {
			r.t.Error(err)
		}
		if n := r.metrics.Door("web").Sessions.Load(); n != 0 {
			r.t.Errorf("%d sessions are open after the stop", n)
		}
	}
}

// player is a client that plays until the test calls stop.
type player struct {
	r    *rig
	c    *webcl.Client
	host *netsim.Host
	end  context.CancelFunc
	done chan error

	mu  sync.Mutex
	act func(w *webcl.World) keys.Keys
}

// options returns the options of a client, and a new host for the client.
func (r *rig) options(name string, ws bool) (webcl.Options, *netsim.Host) {
	r.hosts++
	h := r.network.Host(fmt.Sprintf("127.1.%d.%d", r.hosts>>8, r.hosts&255))
	r.network.Impair(h, r.host, r.line, r.line)
	return webcl.Options{
		Name: name, WS: ws, Dial: h.Dial, Listen: func() (net.PacketConn, error) { return h.ListenPacket(":0") },
	}, h
}

// join connects a client and waits until its player, with the given name, is in the world.
func (r *rig) join(name string, ws bool) *player {
	r.t.Helper()
	o, h := r.options(name, ws)
	p, err := r.dial(o, h)
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	return p
}

func (r *rig) dial(o webcl.Options, h *netsim.Host) (*player, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c, err := webcl.Dial(ctx, "http://127.0.0.1:8090", o)
	if err != nil {
		return nil, err
	}
	p := &player{r: r, c: c, host: h, done: make(chan error, 1)}
	life, end := context.WithCancel(context.Background())
	p.end = end
	go func() { p.done <- c.Play(life, p.keys) }()
	return p, nil
}

func (p *player) keys(w *webcl.World) keys.Keys {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.act == nil {
		return keys.Keys{}
	}
	return p.act(w)
}

// do sets the function that chooses the player's keys in each tick.
func (p *player) do(act func(w *webcl.World) keys.Keys) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.act = act
}

// stop closes the connection and returns the error with which it ended.
func (p *player) stop() error {
	p.end()
	return <-p.done
}

// look calls f with the client's world.
func (p *player) look(f func(w *webcl.World)) { p.c.Inspect(f) }

// until waits until f returns true for the client's world.
func (p *player) until(what string, f func(w *webcl.World) bool) {
	p.r.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		ok := false
		p.look(func(w *webcl.World) { ok = f(w) })
		if ok {
			return
		}
	}
	p.look(func(w *webcl.World) {
		p.r.t.Fatalf("not within a minute: %s; at %v in %s, counts %+v", what, w.State().Pos, w.Area, w.Counts)
	})
}

// walkTo returns keys that lead to a point in blocks.
func walkTo(to geom.Vec) func(w *webcl.World) keys.Keys {
	return func(w *webcl.World) keys.Keys {
		at := w.State().Pos
		if geom.DistXZ(at, to) < 0.3 {
			return keys.Keys{}
		}
		return keys.Keys{Forward: 1, Yaw: float32(math.Atan2(float64(at.X-to.X), float64(to.Z-at.Z)) * 180 / math.Pi)}
	}
}

// An honest client is never corrected, over any of the connections and wherever its player walks.
func TestHonestClientIsNeverCorrected(t *testing.T) {
	overLines(t, func(t *testing.T, r *rig, ws bool) {
		p := r.join("Ann", ws)
		time.Sleep(time.Second)
		p.do(wander(9))
		time.Sleep(2 * time.Minute)
		p.do(nil)
		time.Sleep(2 * time.Second)
		p.look(func(w *webcl.World) {
			if c := w.Counts; c.Corrections != 0 || c.Inputs < 2400 {
				t.Errorf("counts %+v, last own message %+v", c, w.LastOwn)
			}
			self := w.Self()
			if self == nil {
				t.Fatal("the client is not shown its own player")
			}
			if d := geom.Sqrt(geom.Dist2(self.Pos(), w.State().Pos)); d > 0.05 {
				t.Errorf("the server shows the player at %v, the client at %v", self.Pos(), w.State().Pos)
			}
		})
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	})
}

// Two players see each other walk. Each client is sent the other player's name, door and chat lines.
func TestPlayersAreSentMovementAndChatOfEachOther(t *testing.T) {
	overLines(t, func(t *testing.T, r *rig, ws bool) {
		ann, bob := r.join("Ann", ws), r.join("Bob", ws)
		to := geom.Vec{X: 8, Y: 64, Z: 5}
		bob.do(walkTo(to))
		ann.until("Bob is shown at his goal", func(w *webcl.World) bool {
			b := w.FindByName("Bob")
			return b != nil && b.Door == "web" && geom.DistXZ(b.Pos(), to) < 0.5
		})
		var number uint16
		bob.look(func(w *webcl.World) { number = w.Say("Hello, Ann.") })
		ann.until("Ann hears Bob", func(w *webcl.World) bool {
			for _, l := range w.Lines {
				if l == "Bob\tHello, Ann." {
					return true
				}
			}
			return false
		})
		bob.until("the request is answered", func(w *webcl.World) bool {
			a, ok := w.Answer(number)
			return ok && a.Reason == 0
		})
		ann.until("the greeting has arrived", func(w *webcl.World) bool { return len(w.Lines) > 0 && w.Lines[0] == "\tWelcome to the test." })
		if err := bob.stop(); err != nil {
			t.Error(err)
		}
		ann.until("Bob stands lingering, then leaves", func(w *webcl.World) bool { return w.FindByName("Bob") == nil })
		if err := ann.stop(); err != nil {
			t.Error(err)
		}
	})
}

// A player attacks another until the other dies. The dead player requests its respawn. Both clients are sent the death and the
// respawn.
func TestDeathAndRespawnOfKilledPlayerAreSent(t *testing.T) {
	overLines(t, func(t *testing.T, r *rig, ws bool) {
		ann, bob := r.join("Ann", ws), r.join("Bob", ws)
		next := uint64(0)
		var last uint16
		ann.do(func(w *webcl.World) keys.Keys {
			b := w.FindByName("Bob")
			if b == nil || b.Dead() {
				return keys.Keys{}
			}
			if w.Tick() >= next {
				next, last = w.Tick()+10, w.Attack(b)
			}
			return keys.Keys{}
		})
		bob.until("Bob is dead", func(w *webcl.World) bool { return w.Counts.Deaths == 1 })
		ann.until("Ann sees it", func(w *webcl.World) bool { b := w.FindByName("Bob"); return b != nil && b.Dead() && b.Health() == 0 })
		ann.until("every blow was answered", func(w *webcl.World) bool { _, ok := w.Answer(last); return ok })
		ann.do(nil)
		time.Sleep(500 * time.Millisecond) // the last knockback ends
		var died geom.Vec
		bob.look(func(w *webcl.World) { died = w.State().Pos })
		bob.do(func(*webcl.World) keys.Keys { return keys.Keys{Forward: 1, Jump: true, Sprint: true} })
		time.Sleep(1500 * time.Millisecond)
		bob.look(func(w *webcl.World) {
			if d := geom.DistXZ(died, w.State().Pos); d > 0.05 {
				t.Errorf("the dead player predicted that its keys move it by %.2f blocks", d)
			}
		})
		bob.look(func(w *webcl.World) { w.Wake() })
		bob.until("Bob lives again", func(w *webcl.World) bool { return w.Counts.Teleports > 0 && w.Self().Health() > 0 && !w.State().Dead })
		bob.do(walkTo(geom.Vec{X: 5, Z: 5}))
		ann.until("Ann sees Bob walk", func(w *webcl.World) bool {
			b := w.FindByName("Bob")
			return b != nil && !b.Dead() && geom.DistXZ(b.Pos(), geom.Vec{X: 5, Z: 5}) < 0.5
		})
		for _, p := range []*player{ann, bob} {
			p.look(func(w *webcl.World) {
				if w.Counts.Corrections != 0 {
					t.Errorf("counts %+v, last own message %+v", w.Counts, w.LastOwn)
				}
			})
			if err := p.stop(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A player walks through a portal and continues to walk in the other area.
func TestPlayerWalksThroughPortalIntoOtherArea(t *testing.T) {
	overLines(t, func(t *testing.T, r *rig, ws bool) {
		p := r.join("Ann", ws)
		p.do(walkTo(geom.Vec{X: 30, Z: 0}))
		p.until("the player is in the Meadow", func(w *webcl.World) bool { return w.Area == "Meadow" && w.Self() != nil })
		p.do(wander(4))
		time.Sleep(20 * time.Second)
		p.do(nil)
		time.Sleep(2 * time.Second)
		p.look(func(w *webcl.World) {
			if w.Counts.Corrections != 0 {
				t.Errorf("counts %+v, last own message %+v", w.Counts, w.LastOwn)
			}
			if d := geom.Sqrt(geom.Dist2(w.Self().Pos(), w.State().Pos)); d > 0.05 {
				t.Errorf("the server shows the player at %v, the client at %v", w.Self().Pos(), w.State().Pos)
			}
		})
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	})
}

// A player with queued inputs is hit. The client made these inputs before it received the knockback. The player is not
// corrected, because its confirmation of the knockback is submitted after these inputs.
func TestKnockbackOfPlayerWithBufferedInputsCausesNoCorrection(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{DelayMS: 5}, func(r *rig) {
		ann, bob := r.join("Ann", true), r.join("Bob", true)
		time.Sleep(time.Second)
		slow := netsim.Impairment{DelayMS: 205}
		r.network.Impair(bob.host, r.host, slow, r.line)
		time.Sleep(time.Second)
		r.network.Impair(bob.host, r.host, r.line, r.line) // inputs that were delayed by 0.2 s arrive at once and wait at the server
		time.Sleep(time.Second)
		bob.look(func(w *webcl.World) {
			if w.Waits < 2 {
				r.t.Errorf("%d inputs wait, want at least 2", w.Waits)
			}
		})
		next := uint64(0)
		ann.do(func(w *webcl.World) keys.Keys {
			b := w.FindByName("Bob")
			if b != nil && !b.Dead() && w.Tick() >= next {
				next = w.Tick() + 20
				w.Attack(b)
			}
			return keys.Keys{}
		})
		bob.until("Bob is hit twice", func(w *webcl.World) bool { return w.Counts.Knockbacks == 2 })
		time.Sleep(700 * time.Millisecond)
		bob.look(func(w *webcl.World) {
			if w.Counts.Corrections != 0 {
				r.t.Errorf("counts %+v, last own message %+v", w.Counts, w.LastOwn)
			}
		})
		for _, p := range []*player{ann, bob} {
			if err := p.stop(); err != nil {
				r.t.Error(err)
			}
		}
	})
}
