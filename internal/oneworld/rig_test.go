package oneworld

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/truestep-io/truestep/area"
	bedrockgate "github.com/truestep-io/truestep/gateway/bedrock"
	rccegate "github.com/truestep-io/truestep/gateway/rcce"
	rsgate "github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/internal/lateness"
	rsproto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// These tests wait most of the time: a few more of them at once than cores are quicker, and many more are late.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "3"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

// The doors, by their names in sessions and metrics.
const (
	rcce    = "rcce"
	rs      = "rs"
	bedrock = "bedrock"
)

var doors = [...]string{rcce, rs, bedrock}

// patience is how long a test waits for what must come, on a machine that has much else to do. Nine fights to the death took
// longer than half a minute on one that was eight times too slow.
const patience = 2 * time.Minute

// password is everybody's.
const password = "secret"

// rsKey is that of every server's door for RuneScape clients: 512 bits, as real clients ship.
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

// rig is a whole server with all its doors open.
type rig struct {
	t       testing.TB
	def     *sim.World
	world   *area.World
	hub     *session.Hub
	disk    *sqlite.Store
	metrics *telemetry.Metrics
	truth   *truth
	addr    map[string]string // by door
	late    *lateness.Worst
	entry   time.Duration // how long the last who joined took for it
}

// gate is an open door.
type gate interface {
	Addr() netip.AddrPort
	Run(ctx context.Context) error
}

// open runs a server until the test ends.
func open(t testing.TB, w *sim.World) *rig {
	t.Helper()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	r := &rig{t: t, def: w, metrics: telemetry.New(), addr: map[string]string{}, late: lateness.Measure(t, thereAndBack(t))}
	var err error
	if r.disk, err = sqlite.Open(t.Context(), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	r.world = area.NewWorld(w, area.Options{Log: quiet, Seed: 7, Metrics: r.metrics})
	r.hub = session.NewHub(r.world, r.disk, session.Options{
		Log: quiet, Metrics: r.metrics, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
	})
	r.truth = watch(r.world, r.late)
	rg, err1 := rccegate.Listen(r.hub, r.world, rccegate.Options{Addr: "127.0.0.1:0", Log: quiet, Metrics: r.metrics})
	sg, err2 := rsgate.Listen(r.hub, r.world, rsgate.Options{Addr: "127.0.0.1:0", Log: quiet, Metrics: r.metrics, Key: rsKey(), Register: true})
	bg, err3 := bedrockgate.Listen(r.hub, r.world, bedrockgate.Options{Addr: "127.0.0.1:0", Log: quiet, Metrics: r.metrics})
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for door, g := range map[string]gate{rcce: rg, rs: sg, bedrock: bg} {
		r.addr[door] = g.Addr().String()
		running.Go(func() {
			if err := g.Run(context.Background()); err != nil {
				t.Errorf("%s: %v", door, err)
			}
		})
	}
	r.world.Start(context.Background())
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		err := r.world.Stop(ctx)
		running.Wait()
		if err := errors.Join(err, r.hub.Close(ctx), r.disk.Close()); err != nil {
			t.Error(err)
		}
		r.truth.wait()
	})
	return r
}

// area is the number and the definition of an area.
func (r *rig) area(name string) (sim.AreaID, *sim.AreaDef) {
	id := r.def.AreaNamed(name)
	if id == sim.NoArea {
		r.t.Fatalf("no area is called %s", name)
	}
	return id, &r.def.Areas[id]
}

// secret is what a client of RealmCrafter sends for everybody's password.
func secret() string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

// settle makes an account with a character that stands somewhere. arms is the item in its hand, 0 for that of every
// newcomer.
func (r *rig) settle(door, name, area string, at geom.Vec, arms uint16) {
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
	if arms != 0 {
		c.Inventory[sim.SlotWeapon].Item = arms
	}
	if err := r.disk.SaveCharacters(r.t.Context(), roster); err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
}

// peer is somebody on this machine.
func (r *rig) peer(door string) session.Peer {
	return session.Peer{Addr: netip.MustParseAddr("127.0.0.1"), Conn: 1 << 40, Door: door}
}

// register makes an account as that door does, and logs in.
func (r *rig) register(door, name string) (*session.Login, error) {
	who := r.peer(door)
	if door == bedrock {
		return r.hub.Vouch(r.t.Context(), who, "bedrock:"+strings.ToLower(name))
	}
	if err := r.hub.CreateAccount(r.t.Context(), who, name, secret(), ""); err != nil {
		return nil, err
	}
	return r.hub.Login(r.t.Context(), who, name, secret())
}

// soon waits until ok.
func soon(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !within(patience, ok) {
		t.Fatalf("waited %v in vain: %s", patience, what)
	}
}

// within tells whether ok comes true in that time.
func within(d time.Duration, ok func() bool) bool {
	for end := time.Now().Add(d); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// thereAndBack is the way that what a client says goes and its answer comes: a socket, somebody else, a socket. It takes a
// second at most, which is how late a lost answer is.
func thereAndBack(t testing.TB) func() {
	echo, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ask, err := net.Dial("udp", echo.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 16)
		for {
			n, from, err := echo.ReadFrom(b)
			if err != nil {
				return
			}
			_, _ = echo.WriteTo(b[:n], from)
		}
	}()
	t.Cleanup(func() {
		echo.Close()
		ask.Close()
		<-done
	})
	b, n := make([]byte, 16), uint64(0)
	return func() {
		n++
		_ = ask.SetDeadline(time.Now().Add(time.Second))
		_, err := ask.Write(binary.BigEndian.AppendUint64(b[:0], n))
		for got := uint64(0); err == nil && got < n; { // an answer that was given up may come after all
			if _, err = ask.Read(b); err == nil {
				got = binary.BigEndian.Uint64(b)
			}
		}
	}
}

// calm tells whether the machine has done its work in time since everybody came in. If it has not, clients have lived through seconds of
// silence, and are rightly corrected, or shown others who leap.
func (r *rig) calm() bool {
	worst := r.late.Get()
	if worst < 150*time.Millisecond {
		return true
	}
	r.t.Logf("the machine stalled for %v: what depends on time is not judged", worst)
	return false
}
