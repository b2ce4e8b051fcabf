package oneworld

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"math/big"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/chatlog"
	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/content"
	bedrockgate "github.com/truestep-io/truestep/gateway/bedrock"
	rccegate "github.com/truestep-io/truestep/gateway/rcce"
	rsgate "github.com/truestep-io/truestep/gateway/rs"
	webgate "github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/internal/netsim"
	rsproto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

// Names of the doors in sessions and metrics.
const (
	rcce    = "rcce"
	rs      = "rs"
	bedrock = "bedrock"
	web     = "web"
)

var doors = [...]string{rcce, rs, bedrock, web}

// waitLimit is the maximum virtual time for which a test waits for an expected state.
const waitLimit = 2 * time.Minute

// password is the password of every account.
const password = "secrets!"

// rsKey is the login key of the door for RuneScape clients: 512 bits, as real clients have.
var rsKey = sync.OnceValue(func() *rsproto.PrivateKey {
	for {
		p, err1 := rand.Prime(rand.Reader, 256)
		q, err2 := rand.Prime(rand.Reader, 256)
		k, err3 := rsproto.NewPrivateKey(p, q, big.NewInt(rsproto.DefaultExponent))
		if errors.Join(err1, err2, err3) == nil {
			return k
		}
	}
})

// rig is a whole server with all doors open on an in-memory network, in virtual time (synctest).
type rig struct {
	t       testing.TB
	def     *sim.World
	world   *area.World
	hub     *session.Hub
	disk    *sqlite.Store
	chat    *chatlog.Log
	metrics *telemetry.Metrics
	truth   *truth
	addr    map[string]string // address of each door
	grounds webcl.GroundCache // cache of the areas' grounds, shared by all web clients

	network *netsim.Network
	host    *netsim.Host
	line    netsim.Impairment // impairment of the link between each client and the server, in both directions
	mu      sync.Mutex
	homes   int                     // number of client hosts so far
	hosts   map[string]*netsim.Host // newest host of each player, by name
	drops   drops                   // dropped datagrams since recordDrops
}

// runner is an open gateway of any door.
type runner interface {
	Run(ctx context.Context) error
}

// lines contains the network impairments with which the tests run, by name.
var lines = map[string]netsim.Impairment{
	"perfect": {},
	"bad":     {DelayMS: 40, JitterMS: 20, Loss: 0.03, Duplicate: 0.01, Reorder: 0.03},
}

// overAllLines runs a test in virtual time, once for each impairment in lines. Each run has its own server with the world of w.
func overAllLines(t *testing.T, w func(t testing.TB) *content.World, test func(t *testing.T, r *rig)) {
	t.Parallel()
	for name := range lines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overLine(t, name, w, test)
		})
	}
}

// overLine runs a test in virtual time with a server of the world that w creates. name selects the impairment of the clients'
// links from lines.
func overLine(t *testing.T, name string, w func(t testing.TB) *content.World, test func(t *testing.T, r *rig)) {
	rsKey() // generate the RSA key outside the synctest bubble: searching primes takes seconds of real time
	world := w(t)
	synctest.Test(t, func(t *testing.T) { test(t, open(t, world, lines[name])) })
}

// open runs a server until the test ends.
func open(t testing.TB, w *content.World, imp netsim.Impairment) *rig {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	r := &rig{t: t, def: w.World, metrics: telemetry.New(), addr: map[string]string{}, network: netsim.New(9), line: imp, hosts: map[string]*netsim.Host{}}
	r.host = r.network.Host("127.0.0.1")
	var err error
	if r.disk, err = sqlite.Open(t.Context(), emptystore.Dir(t)); err != nil {
		t.Fatal(err)
	}
	r.world = area.NewWorld(w.World, area.Options{Log: quiet, Seed: 7, Metrics: r.metrics})
	r.hub = session.NewHub(r.world, r.disk, session.Options{
		Log: quiet, Metrics: r.metrics, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
	})
	r.truth = watchFrames(r.world)
	r.chat, err = chatlog.Open(chatlog.Options{
		Path: filepath.Join(t.TempDir(), chatlog.FileName), Log: quiet, Metrics: r.metrics,
		Identify: func(id sim.EntityID) (chatlog.Speaker, bool) {
			p, ok := r.hub.Player(id)
			return chatlog.Speaker{Account: p.Account, Player: p.Name, Door: p.Door}, ok
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.chat.Watch(r.world)
	rcceSocket, err1 := r.host.ListenPacket(":25000")
	rsListener, err2 := r.host.Listen(":43594")
	bedrockSocket, err3 := r.host.ListenPacket(":19132")
	webListener, err4 := r.host.Listen(":8090")
	webSocket, err5 := r.host.ListenPacket(":8090")
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
	rg, err1 := rccegate.Listen(r.hub, r.world, rccegate.Options{Appearance: w.Appearance.RealmCrafter, Conn: rcceSocket, Log: quiet, Metrics: r.metrics})
	sg, err2 := rsgate.Listen(r.hub, r.world, rsgate.Options{Appearance: w.Appearance.RuneScape, Listener: rsListener, Log: quiet, Metrics: r.metrics, Key: rsKey(), Register: true})
	bg, err3 := bedrockgate.Listen(r.hub, r.world, bedrockgate.Options{Appearance: w.Appearance.Bedrock, Conn: bedrockSocket, Log: quiet, Metrics: r.metrics})
	wg, err4 := webgate.Listen(r.hub, r.world, webgate.Options{Listener: webListener, UDP: webSocket, KeyDir: t.TempDir(), Log: quiet, Metrics: r.metrics})
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	r.addr[web] = "127.0.0.1:8090"
	r.addr[rcce], r.addr[rs], r.addr[bedrock] = rcceSocket.AddrPort().String(), rsListener.AddrPort().String(), bedrockSocket.AddrPort().String()
	var running sync.WaitGroup
	for door, g := range map[string]runner{rcce: rg, rs: sg, bedrock: bg, web: wg} {
		running.Go(func() {
			if err := g.Run(context.Background()); err != nil {
				t.Errorf("%s: %v", door, err)
			}
		})
	}
	r.world.Start(context.Background())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
		defer cancel()
		err := r.world.Stop(ctx)
		running.Wait()
		if err := errors.Join(err, r.hub.Close(ctx), r.chat.Close(ctx), r.disk.Close()); err != nil {
			t.Error(err)
		}
		r.truth.wait()
	})
	return r
}

// area returns the id and the definition of an area by name.
func (r *rig) area(name string) (sim.AreaID, *sim.AreaDef) {
	id := r.def.AreaNamed(name)
	if id == sim.NoArea {
		r.t.Fatalf("no area has the name %s", name)
	}
	return id, &r.def.Areas[id]
}

// passwordHash returns the MD5 that a RealmCrafter client sends for password.
func passwordHash() string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

// createCharacter creates an account with a character at a position. weapon is the item in its hand; 0 selects the weapon of
// new characters.
func (r *rig) createCharacter(door, name, area string, at geom.Vec, weapon uint16) {
	r.t.Helper()
	l, err := r.register(door, name)
	if err == nil {
		err = r.hub.CreateCharacter(r.t.Context(), l, session.NewCharacter{Name: name, Template: 1})
	}
	var roster []*sim.Character
	if err == nil {
		roster, err = r.disk.Characters(r.t.Context(), l.Account)
	}
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	c := roster[0]
	c.Area, c.Pos, c.LastPortalArea = area, at, ""
	if weapon != 0 {
		c.Inventory[sim.SlotWeapon].Item = weapon
	}
	if err := r.disk.SaveCharacters(r.t.Context(), nil, roster); err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
}

// peer returns a local peer of a door.
func (r *rig) peer(door string) session.Peer {
	return session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1 << 40, Door: door}
}

// register creates an account in the same way as the door, and logs in.
func (r *rig) register(door, name string) (*session.Login, error) {
	who := r.peer(door)
	if door == bedrock {
		return r.hub.LoginWithoutSecret(r.t.Context(), who, "bedrock:"+strings.ToLower(name))
	}
	if err := r.hub.CreateAccount(r.t.Context(), who, name, passwordHash(), ""); err != nil {
		return nil, err
	}
	return r.hub.Login(r.t.Context(), who, name, passwordHash())
}

// waitFor waits until ok returns true, at most for waitLimit.
func waitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !happensWithin(waitLimit, ok) {
		t.Fatalf("not within %v: %s", waitLimit, what)
	}
}

// happensWithin reports whether ok returns true within d. It calls ok every 10 ms, when all other goroutines are blocked. Only
// the goroutine of the test may call it: see synctest.Wait.
func happensWithin(d time.Duration, ok func() bool) bool {
	for end := time.Now().Add(d); ; time.Sleep(10 * time.Millisecond) {
		synctest.Wait()
		switch {
		case ok():
			return true
		case time.Now().After(end):
			return false
		}
	}
}

// newClientHost adds a host for one client, with the rig's impairment on its link to the server. Its address is a loopback
// address, which is exempt from limits per address, so that the test covers the other limits.
func (r *rig) newClientHost() *netsim.Host {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.homes++
	h := r.network.Host(netip.AddrFrom4([4]byte{127, 1, byte(r.homes >> 8), byte(r.homes)}).String())
	r.network.Impair(h, r.host, r.line, r.line)
	return h
}

// newHostOf adds a host for the client of a player.
func (r *rig) newHostOf(name string) *netsim.Host {
	h := r.newClientHost()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hosts[name] = h
	return h
}

// cutOff makes the network drop every datagram between the client of a player and the server.
func (r *rig) cutOff(name string) {
	r.mu.Lock()
	h := r.hosts[name]
	r.mu.Unlock()
	r.network.Impair(h, r.host, netsim.Impairment{Loss: 1}, netsim.Impairment{Loss: 1})
}
