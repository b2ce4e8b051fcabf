package session

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// cheap is the lowest hashing cost, which keeps tests fast.
var cheap = Cost{MemoryKiB: 8, Passes: 1, Threads: 1}

const human, wolf = 2, 1 // template ids

// twoFields is a world of two areas whose gates lead to each other.
func twoFields() *sim.World {
	beast := sim.Template{ID: wolf, Race: "Wolf", Radius: 1, StartArea: sim.NoArea}
	beast.Attr[0] = combat.Attribute{Value: 100, Max: 100}
	beast.Attr[1] = combat.Attribute{Value: 100, Max: 100}
	beast.Attr[2] = combat.Attribute{Value: 5, Max: 8}
	person := beast
	person.ID, person.Race, person.Playable, person.StartArea, person.Faction = human, "Human", true, 0, 1
	w := &sim.World{
		Name: "fields", TicksPerSecond: 20,
		Roles: combat.AttributeRoles{Health: 0, Speed: 1, Strength: 2, Energy: -1, Breath: -1, Toughness: -1},
		Rules: sim.Rules{
			Combat: combat.DefaultRules(), Claim: move.OriginalClaimPolicy(), Step: move.Euclidean,
			RespawnArea: sim.NoArea, RespawnPortal: -1, RespawnDelayMS: 2000, RespawnHealth: 50,
			PortalLockMS: 35_000, SaveEveryMS: 30_000, MaxActors: 3,
			Linger: sim.LingerRules{MS: 10_000, CombatMS: 20_000, RestartMS: 60_000},
		},
		Templates: []sim.Template{beast, person},
		NewCharacters: sim.NewCharacterRules{
			AllowAccounts: true, MaxCharacters: 2, AttributePoints: 4, Gold: 50, Reputation: 7, Pet: sim.NoTemplate,
			NameFilter: []string{"admin", "\u00a6"},
		},
		Areas: []sim.AreaDef{
			{Name: "West", Portals: []sim.Portal{
				{Name: "start", Pos: geom.Vec{X: 50, Y: 1, Z: 2}, Radius: 5, ToArea: sim.NoArea},
				{Name: "gate", Pos: geom.Vec{X: 100}, Radius: 5, ToArea: 1},
			}},
			{Name: "East", Portals: []sim.Portal{{Name: "gate", Pos: geom.Vec{X: 10, Z: 20}, Radius: 5, ToArea: 0, ToPortal: 1}}},
		},
	}
	w.Attributes[2].Name = "Strength"
	w.Attributes[3].Name, w.Attributes[3].Skill = "Fishing", true
	w.Attributes[4].Name, w.Attributes[4].Hidden = "Luck", true
	w.Factions[1].Ratings[1], w.Factions[1].Ratings[2] = 200, 30
	return w
}

// testServer is a hub over a real world and a real store, in virtual time (synctest).
type testServer struct {
	*Hub
	t     *testing.T
	ctx   context.Context
	world *area.World
	disk  *failingStore
	dir   string
	conns atomic.Uint64
}

// withServer runs fn with a started testServer. opt may be empty. Afterwards the world stops and the hub and the store close.
func withServer(t *testing.T, opt Options, fn func(r *testServer)) {
	t.Helper()
	withWorld(t, twoFields(), opt, fn)
}

// withIdleServer is like withServer, but an area steps only once per second, because no player enters the world.
func withIdleServer(t *testing.T, opt Options, fn func(r *testServer)) {
	t.Helper()
	w := twoFields()
	w.TicksPerSecond = 1
	withWorld(t, w, opt, fn)
}

func withWorld(t *testing.T, w *sim.World, opt Options, fn func(r *testServer)) {
	t.Helper()
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, w, opt)
		defer r.shut()
		fn(r)
	})
}

func newTestServer(t *testing.T, dir string, w *sim.World, opt Options) *testServer {
	t.Helper()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	or(&opt.HashCost, cheap)
	if opt.Log == nil {
		opt.Log = quiet
	}
	r := &testServer{t: t, ctx: t.Context(), dir: dir, disk: &failingStore{Store: db}, world: area.NewWorld(w, area.Options{Log: quiet})}
	r.Hub = NewHub(r.world, r.disk, opt)
	r.world.Start(t.Context())
	return r
}

func (r *testServer) shut() {
	r.t.Helper()
	r.must(r.world.Stop(context.Background()))
	r.must(r.Close(context.Background()))
	r.must(r.disk.Close())
}

// failingStore is a real store whose saves fail on request.
type failingStore struct {
	store.Store
	mu      sync.Mutex
	mood    error
	tries   int
	while   func() // called during every save; nil for none
	reading func() // called before characters are read; nil for none

	knownMood error // error that saving known addresses returns; nil for none
	losing    bool  // the answer to the next deletion of an access rule is lost
}

func (m *failingStore) set(mood error) {
	m.mu.Lock()
	m.mood = mood
	m.mu.Unlock()
}

func (m *failingStore) attempts() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tries
}

func (m *failingStore) Characters(ctx context.Context, id store.AccountID) ([]*sim.Character, error) {
	m.mu.Lock()
	reading := m.reading
	m.mu.Unlock()
	if reading != nil {
		reading()
	}
	return m.Store.Characters(ctx, id)
}

func (m *failingStore) SaveCharacters(ctx context.Context, fence store.Fence, batch []*sim.Character) error {
	m.mu.Lock()
	m.tries++
	mood, while := m.mood, m.while
	m.mu.Unlock()
	if while != nil {
		while()
	}
	if mood != nil {
		return mood
	}
	return m.Store.SaveCharacters(ctx, fence, batch)
}

func (r *testServer) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *testServer) mustBe(err, want error) {
	r.t.Helper()
	if !errors.Is(err, want) {
		r.t.Fatalf("error is %v, want %v", err, want)
	}
}

// peer is a new connection from one address.
func (r *testServer) peer() Peer {
	return Peer{Addr: netip.MustParseAddr("192.0.2.1"), Conn: r.conns.Add(1), Door: "rcce"}
}

// occupyHasher occupies every hasher until end is called.
func (r *testServer) occupyHasher() (end func()) {
	r.t.Helper()
	for range r.opt.Hashers {
		r.must(r.hasher.queue.Acquire(r.ctx, admission.Request{}))
	}
	return func() {
		for range r.opt.Hashers {
			r.hasher.queue.Release()
		}
	}
}

// join creates an account and returns its login.
func (r *testServer) join(name string) *Login {
	r.t.Helper()
	r.must(r.CreateAccount(r.ctx, r.peer(), name, "secret", ""))
	l, err := r.Login(r.ctx, r.peer(), name, "secret")
	r.must(err)
	return l
}

// player creates an account with a character of the same name.
func (r *testServer) player(name string) *Login {
	r.t.Helper()
	l := r.join(name)
	r.must(r.CreateCharacter(r.ctx, l, NewCharacter{Name: name, Template: human}))
	return l
}

func (r *testServer) enters(l *Login) *Session {
	r.t.Helper()
	s, err := r.Enter(r.ctx, l, 0)
	r.must(err)
	return s
}

// ticks waits for n ticks.
func ticks(n int) {
	time.Sleep(time.Duration(n) * 50 * time.Millisecond)
	synctest.Wait()
}

// walk submits a claim that a player of area 0 walks along the X axis to the coordinate x.
func (r *testServer) walk(s *Session, x float32) {
	r.t.Helper()
	at := s.Character.Pos
	in := sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: at.X, Y: at.Y, Z: at.Z, DestX: x, DestZ: at.Z}}
	r.must(s.Submit(in))
}

// stored returns the character's record in the store, even if the hub has a newer one.
func (r *testServer) stored(l *Login) *sim.Character {
	r.t.Helper()
	roster, err := r.disk.Characters(r.ctx, l.Account)
	r.must(err)
	return roster[0]
}
