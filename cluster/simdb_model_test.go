package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
)

// dbEngine is the database of a cluster: the model of the simulation, or store/postgres with a PostgreSQL server. The tests of this file
// run the same script on both.
type dbEngine interface {
	claim(c sim.CharacterID, by mark, gone func(mark) bool) error
	release(list []sim.CharacterID, by mark) error
	save(fence store.Fence, batch []*sim.Character) error
	edit(c *sim.Character, by mark) error
	stored(c sim.CharacterID) (string, error) // returns what of the stored record the script sets: see contentOf
	reserve(node uint64) (uint64, error)      // returns the next number of a node
	setAway(away bool)
	setLosing(losing bool) // while set, the answers to requests that take effect are lost
}

// modelDB is the model.
type modelDB struct {
	database
	nodes [4]simNode
}

func (m *modelDB) stored(c sim.CharacterID) (string, error) {
	switch r := m.records.Characters[c]; {
	case m.away:
		return "", errAway
	case r != nil:
		return contentOf(r), nil
	}
	return contentOf(&sim.Character{}), nil
}

// contentOf returns what the script sets in a record.
func contentOf(r *sim.Character) string {
	text := fmt.Sprintf("version %d, %d points", r.Version, r.XP)
	for i := range r.Dropped {
		d := &r.Dropped[i]
		text += fmt.Sprintf(", %d dropped in area %d", d.Stack.Amount, sim.AreaOfHandle(d.Handle))
	}
	return text
}

func (m *modelDB) reserve(node uint64) (uint64, error) {
	if m.away { // a starting process, or one that continues as a new incarnation, waits for the database
		return 0, errAway
	}
	next := m.nodes[node].reserve()
	if err := m.answer(); err != nil {
		return 0, err
	}
	return next, nil
}

func (m *modelDB) setAway(away bool) { m.away = away }

func (m *modelDB) setLosing(losing bool) {
	if m.loses = nil; losing {
		m.loses = func() bool { return true }
	}
}

// droppedIn returns an item on the ground of an area.
func droppedIn(a sim.AreaID, amount int) sim.DroppedItem {
	handles := sort.Search(1<<31, func(h int) bool { return sim.AreaOfHandle(uint32(h)) > 0 }) // number of handles of an area
	return sim.DroppedItem{Handle: uint32(int(a)*handles + amount), Stack: sim.ItemStack{Item: 1, Amount: uint16(amount), Health: 100}}
}

// realDB is a PostgreSQL server, with a store for each node.
type realDB struct {
	t        *testing.T
	server   *pgtest.Server
	line     *pgtest.Line       // all connections of the stores
	stores   [4]*postgres.Store // by number of the node
	accounts map[sim.CharacterID]store.AccountID
	records  map[sim.CharacterID]*sim.Character
	away     bool
	losing   bool
}

const dbCharacters = 3

// newRealDB returns an empty database of a server.
func newRealDB(t *testing.T, server *pgtest.Server) *realDB {
	r := &realDB{t: t, server: server, accounts: map[sim.CharacterID]store.AccountID{}, records: map[sim.CharacterID]*sim.Character{}}
	r.line = pgtest.NewLine(t, server)
	url := r.line.URL(t, server.Database(t))
	for node := 1; node <= 3; node++ {
		st, err := postgres.Open(t.Context(), url, postgres.Node(fmt.Sprint("n", node)), postgres.WithLog(slog.New(slog.DiscardHandler)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = st.Close() })
		r.stores[node] = st
	}
	for c := sim.CharacterID(1); c <= dbCharacters; c++ {
		id, err := r.stores[1].CreateAccount(t.Context(), store.Account{Name: fmt.Sprint("P", c)})
		if err != nil {
			t.Fatal(err)
		}
		record := &sim.Character{Name: fmt.Sprint("P", c), Template: 2, Level: 1}
		if record.ID, err = r.stores[1].CreateCharacter(t.Context(), id, record, 9); err != nil {
			t.Fatal(err)
		}
		r.accounts[c], r.records[c] = id, record
	}
	return r
}

// do runs a request with a time limit. While the database is away, the limit is short, and most errors become errAway. While answers
// are lost, the error of a request that had none becomes errNoAnswer.
func (r *realDB) do(f func(ctx context.Context) error) error {
	limit := 20 * time.Second
	if r.away {
		limit = 300 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	err := f(ctx)
	if r.away && err != nil && !errors.Is(err, store.ErrFenced) && !errors.Is(err, store.ErrSessionHeld) && !errors.Is(err, store.ErrNotHolder) {
		return errAway
	}
	if r.losing && errors.Is(err, store.ErrUnavailable) {
		return errNoAnswer
	}
	return err
}

func holderOf(m mark) store.SessionHolder {
	return store.SessionHolder{Node: fmt.Sprint("n", m.node), Incarnation: m.incarnation}
}

func (r *realDB) claim(c sim.CharacterID, by mark, gone func(mark) bool) error {
	return r.do(func(ctx context.Context) error {
		return r.stores[by.node].ClaimSession(ctx, r.accounts[c], holderOf(by), func(h store.SessionHolder) bool {
			have := mark{incarnation: h.Incarnation}
			if _, err := fmt.Sscanf(h.Node, "n%d", &have.node); err != nil {
				r.t.Error(err)
			}
			return gone(have)
		})
	})
}

func (r *realDB) release(list []sim.CharacterID, by mark) error {
	var accounts []store.AccountID
	for _, c := range list {
		accounts = append(accounts, r.accounts[c])
	}
	return r.do(func(ctx context.Context) error { return r.stores[by.node].ReleaseSessions(ctx, accounts, holderOf(by)) })
}

func (r *realDB) save(fence store.Fence, batch []*sim.Character) error {
	var stored []*sim.Character
	for _, x := range batch {
		c := *x
		c.ID = r.records[c.ID].ID
		stored = append(stored, &c)
	}
	return r.do(func(ctx context.Context) error {
		return r.stores[1+fence[0].Epoch%3].SaveCharacters(ctx, fence, stored)
	})
}

func (r *realDB) edit(c *sim.Character, by mark) error {
	record := *c
	record.ID = r.records[c.ID].ID
	return r.do(func(ctx context.Context) error { return r.stores[by.node].EditCharacter(ctx, holderOf(by), &record) })
}

func (r *realDB) stored(c sim.CharacterID) (content string, err error) {
	err = r.do(func(ctx context.Context) error {
		record, err := r.stores[1].Character(ctx, r.records[c].ID)
		if err == nil {
			content = contentOf(record)
		}
		return err
	})
	return content, err
}

func (r *realDB) reserve(node uint64) (last uint64, err error) {
	err = r.do(func(ctx context.Context) (err error) {
		last, err = r.stores[node].ReserveSerials(ctx, fmt.Sprint("n", node), 1)
		return err
	})
	return last, err
}

func (r *realDB) setAway(away bool) {
	r.away = away
	if away {
		r.server.Kill()
	} else if err := r.server.Launch(); err != nil {
		r.t.Fatal(err)
	}
}

func (r *realDB) setLosing(losing bool) {
	if r.losing = losing; losing {
		r.line.LoseAnswer()
	} else {
		r.line.Restore()
	}
}

// dbPlay says which random requests dbScript plays.
type dbPlay struct {
	seed     uint64
	requests int
	outages  bool // the database is away now and then
	losses   bool // the answers to some requests are lost
}

// dbScript plays random requests of three nodes and returns their results.
func dbScript(e dbEngine, play dbPlay) (seen []string) {
	r := rand.New(rand.NewPCG(play.seed, 9))
	dead := map[mark]bool{}
	incarnations := [4]uint64{0, 1, 1, 1}
	versions := [dbCharacters + 1]uint64{}
	tick, epoch := sim.Tick(0), uint64(2)
	note := func(err error, format string, args ...any) {
		kind := "done"
		switch {
		case errors.Is(err, store.ErrFenced):
			kind = "fenced"
		case errors.Is(err, store.ErrSessionHeld):
			kind = "held"
		case errors.Is(err, store.ErrNotHolder):
			kind = "not holder"
		case errors.Is(err, store.ErrOutdated):
			kind = "outdated"
		case errors.Is(err, errAway):
			kind = "away"
		case errors.Is(err, errNoAnswer):
			kind = "no answer"
		case err != nil:
			kind = err.Error()
		}
		seen = append(seen, fmt.Sprintf(format, args...)+": "+kind)
	}
	claimed := map[sim.CharacterID]mark{} // newest process that has claimed each account
	claim := func(c sim.CharacterID, by mark) {
		err := e.claim(c, by, func(have mark) bool { return dead[have] })
		if err == nil {
			claimed[c] = by
		}
		note(err, "%d.%d claims account %d", by.node, by.incarnation, c)
	}
	away := false
	for n := range play.requests {
		if play.outages && n%40 == 30 || away && n%40 == 38 {
			away = !away
			e.setAway(away)
		}
		c, node := sim.CharacterID(1+r.IntN(dbCharacters)), uint64(1+r.IntN(3))
		by := mark{node: node, incarnation: incarnations[node]}
		if r.IntN(6) == 0 { // the claim or release comes from a process that has been replaced
			by.incarnation--
		}
		losing := play.losses && n%6 == 5
		if losing {
			e.setLosing(true)
		}
		switch k := r.IntN(14); {
		case k < 4:
			claim(c, by)
		case k < 6:
			list := []sim.CharacterID{c, 1 + c%dbCharacters}[:1+r.IntN(2)]
			note(e.release(list, by), "%d.%d releases accounts %d", by.node, by.incarnation, list)
		case k < 7: // the process is declared dead and continues as the next incarnation
			dead[by] = true
			incarnations[node]++
		case k < 11:
			if r.IntN(5) == 0 {
				epoch++
			}
			tick++
			var fence store.Fence // of one to three areas; some epochs and ticks are lower than those that are stored
			for _, a := range r.Perm(simAreas)[:1+r.IntN(simAreas)] {
				back := uint64(0)
				if r.IntN(4) == 0 {
					back = 1 + uint64(r.IntN(2))
				}
				fence = append(fence, store.Owner{Area: sim.AreaID(a), Epoch: epoch - back, Tick: tick - min(tick, sim.Tick(r.IntN(4)))})
			}
			var batch []*sim.Character
			var list []uint64
			for i := range 1 + r.IntN(2) {
				id := 1 + (int(c)+i)%dbCharacters
				v := max(1, versions[id]+uint64(r.IntN(4)))
				v -= min(v-1, 1)
				list = append(list, uint64(id), v)
				record := &sim.Character{ID: sim.CharacterID(id), Name: fmt.Sprint("P", id), Template: 2, Level: 1, Version: v, XP: int32(n)}
				for range r.IntN(3) {
					record.Dropped = append(record.Dropped, droppedIn(sim.AreaID(r.IntN(simAreas)), 1+r.IntN(50)))
				}
				batch = append(batch, record)
			}
			err := e.save(fence, batch)
			for _, record := range batch {
				if err == nil || errors.Is(err, errNoAnswer) {
					versions[record.ID] = max(versions[record.ID], record.Version)
				}
			}
			note(err, "the owner of %+v saves records and versions %v", fence, list)
		case k < 12:
			last, err := e.reserve(node)
			note(err, "node %d reserves %d", node, last)
		default: // an operator changes a character; most of the time the process has just claimed its account
			if have, ok := claimed[c]; ok && r.IntN(2) == 0 {
				by = have
			}
			if r.IntN(4) > 0 && !losing { // of two requests, only the answer to the first would be lost
				claim(c, by)
			}
			v := max(1, versions[c]) - 1 + uint64(r.IntN(3))
			record := &sim.Character{ID: c, Name: fmt.Sprint("P", c), Template: 2, Level: 1, Version: v, XP: int32(n)}
			err := e.edit(record, by)
			if err == nil || errors.Is(err, errNoAnswer) {
				versions[c] = max(versions[c], v)
			}
			note(err, "%d.%d changes character %d to version %d", by.node, by.incarnation, c, v)
		}
		if losing {
			e.setLosing(false)
		}
		if !away {
			have, err := e.stored(c)
			note(err, "record %d has %s", c, have)
		}
	}
	return seen
}

func TestPostgreSQLGivesSameResultsAsModelOfDatabase(t *testing.T) {
	server, err := pgtest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Kill)
	covered := map[string]int{}
	for _, play := range []dbPlay{{seed: 1, requests: 600}, {seed: 2, requests: 120, outages: true}, {seed: 3, requests: 96, losses: true}} {
		got, want := dbScript(newRealDB(t, server), play), dbScript(&modelDB{database: newDatabase()}, play)
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("seed %d, request %d: PostgreSQL says\n%s\nand the model\n%s\nafter %q", play.seed, i, got[i], want[i], want[max(0, i-8):i])
			}
			for _, kind := range []string{"fenced", ": held", "away", "done", "no answer", "not holder", "outdated"} {
				if len(got[i]) > len(kind) && got[i][len(got[i])-len(kind):] == kind {
					covered[kind]++
				}
			}
		}
		if len(got) != len(want) {
			t.Fatalf("seed %d: %d and %d results", play.seed, len(got), len(want))
		}
	}
	if len(covered) < 7 || slices.Min(slices.Collect(maps.Values(covered))) < 8 {
		t.Errorf("the script has hardly covered some results: %v", covered)
	}
}

// The script of the test above must tell a store without the rule of epochs, or of ticks, from one with both.
func TestScriptDetectsStoreWithoutEpochsOrTicks(t *testing.T) {
	play := dbPlay{seed: 1, requests: 600}
	want := dbScript(&modelDB{database: newDatabase()}, play)
	for name, spoil := range map[string]func(*modelDB){
		"epochs": func(m *modelDB) { m.records.NoEpochs = true },
		"ticks":  func(m *modelDB) { m.records.NoTicks = true },
	} {
		m := &modelDB{database: newDatabase()}
		spoil(m)
		if slices.Equal(dbScript(m, play), want) {
			t.Errorf("a store without %s gives the same results", name)
		}
	}
}
