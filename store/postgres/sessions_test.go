package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// never is a function for the parameter gone of ClaimSession: it reports every holder as alive.
func never(store.SessionHolder) bool { return false }

func holder(node string, incarnation uint64) store.SessionHolder {
	return store.SessionHolder{Node: node, Incarnation: incarnation}
}

// sessionStores opens n stores on one database, as n processes would, and creates an account.
func sessionStores(t *testing.T, n int) (list []*Store, account store.AccountID) {
	t.Helper()
	url := pgtest.Schema(t)
	for range n {
		s := open(t, url, Shared())
		t.Cleanup(func() { closeStore(t, s) })
		list = append(list, s)
	}
	account, err := list[0].CreateAccount(t.Context(), store.Account{Name: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	return list, account
}

func TestAccountSessionIsHeldByOneNodeUntilReleased(t *testing.T) {
	stores, ada := sessionStores(t, 2)
	ctx, north, south := t.Context(), holder("nörth", 3), holder("south", 1)
	claim := func(s *Store, by store.SessionHolder, gone func(store.SessionHolder) bool, want error) {
		t.Helper()
		if err := s.ClaimSession(ctx, ada, by, gone); !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Fatalf("claim by %v: %v, want %v", by, err, want)
		}
	}
	release := func(s *Store, by store.SessionHolder) {
		t.Helper()
		if err := s.ReleaseSessions(ctx, []store.AccountID{ada}, by); err != nil {
			t.Fatal(err)
		}
	}
	claim(stores[0], north, never, nil)
	claim(stores[0], north, never, nil) // the holder claims the account again
	claim(stores[1], south, never, store.ErrSessionHeld)
	claim(stores[0], holder("nörth", 4), never, store.ErrSessionHeld) // the same node with another incarnation counts as another process
	for _, other := range []store.SessionHolder{south, holder("nörth", 2), holder("nörth", 4)} {
		release(stores[1], other) // does nothing: this process has no claim
	}
	list, err := stores[1].HeldSessions(ctx)
	if err != nil || len(list) != 1 || list[0].Account != ada || list[0].Name != "Ada" || list[0].Holder != north || time.Since(list[0].Since) > time.Minute {
		t.Fatalf("held are %+v, %v", list, err)
	}
	release(stores[0], north)
	claim(stores[1], south, never, nil)
	claim(stores[0], north, func(h store.SessionHolder) bool { return h == holder("south", 0) }, store.ErrSessionHeld)
	claim(stores[0], north, func(h store.SessionHolder) bool { return h == south }, nil)
	release(stores[1], south) // a late release has no effect, because the other node has the claim by now
	if list, err := stores[1].HeldSessions(ctx); err != nil || len(list) != 1 || list[0].Holder != north {
		t.Fatalf("held are %+v, %v", list, err)
	}
}

func TestAccountSessionIsRefusedForUnknownAccountOrInvalidNode(t *testing.T) {
	stores, ada := sessionStores(t, 1)
	s, ctx := stores[0], t.Context()
	if err := s.ClaimSession(ctx, ada+1, holder("north", 1), never); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("claim of an unknown account: %v", err)
	}
	if err := s.ClaimSession(ctx, ada, holder("\xff", 1), never); !errors.Is(err, store.ErrText) {
		t.Errorf("claim of a node whose name is not UTF-8: %v", err)
	}
	for _, by := range []store.SessionHolder{holder("", 1), holder("north", math.MaxInt64+1)} {
		if s.ClaimSession(ctx, ada, by, never) == nil || s.ReleaseSessions(ctx, []store.AccountID{ada}, by) == nil {
			t.Errorf("%+v is accepted as a holder", by)
		}
	}
	if err := s.ClaimSession(ctx, ada, holder("north", math.MaxInt64), never); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAccount(ctx, store.SessionHolder{}, ada, "ada"); err != nil {
		t.Fatal(err)
	}
	if list, err := s.HeldSessions(ctx); err != nil || len(list) != 0 {
		t.Errorf("after its account was deleted, held are %+v, %v", list, err)
	}
}

func TestConcurrentReservationsOfSerialNumbersDoNotOverlap(t *testing.T) {
	stores, _ := sessionStores(t, 2)
	var mu sync.Mutex
	seen := map[uint64]bool{}
	var wg sync.WaitGroup
	for _, s := range stores {
		wg.Go(func() {
			for range 20 {
				last, err := s.ReserveSerials(t.Context(), "north", 10)
				mu.Lock()
				if err != nil || last%10 != 0 || last == 0 || last > 400 || seen[last] {
					t.Errorf("reserved up to %d, %v", last, err)
				}
				seen[last] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if last, err := stores[0].ReserveSerials(t.Context(), "south", 7); last != 7 || err != nil {
		t.Errorf("another node reserved up to %d, %v, want 7", last, err)
	}
}

func TestOnlyOneOfConcurrentProcessesObtainsAccountSession(t *testing.T) {
	const nodes, each, rounds = 3, 4, 20
	stores, ada := sessionStores(t, nodes)
	ctx := t.Context()
	for round := range uint64(rounds) {
		dead := holder("dead", round+1)
		if round%2 == 1 { // in half of the rounds the account is held by a process that is gone
			if err := stores[0].ClaimSession(ctx, ada, dead, never); err != nil {
				t.Fatal(err)
			}
		}
		won := make(chan store.SessionHolder, nodes*each)
		var wg sync.WaitGroup
		for n, s := range stores {
			for i := range each {
				by := holder(fmt.Sprint("node", n), uint64(i)+1)
				wg.Go(func() {
					err := s.ClaimSession(ctx, ada, by, func(h store.SessionHolder) bool { return h == dead })
					switch {
					case err == nil:
						won <- by
					case !errors.Is(err, store.ErrSessionHeld):
						t.Errorf("claim: %v", err)
					}
				})
			}
		}
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("round %d: %d claims succeeded, want one", round, len(won))
		}
		winner := <-won
		if list, err := stores[0].HeldSessions(ctx); err != nil || len(list) != 1 || list[0].Holder != winner {
			t.Fatalf("round %d: held are %+v, %v, want %v", round, list, err, winner)
		}
		if err := stores[0].ReleaseSessions(ctx, []store.AccountID{ada}, winner); err != nil {
			t.Fatal(err)
		}
	}
}

// A claim of an account during its release by another process either succeeds or is refused. It never returns another error.
func TestClaimSessionDuringReleaseSucceedsOrReturnsErrSessionHeld(t *testing.T) {
	stores, ada := sessionStores(t, 2)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var inside sync.Mutex
	var wg sync.WaitGroup
	for n, s := range stores {
		by := holder(fmt.Sprint("node", n), 1)
		wg.Go(func() {
			for entered := 0; entered < 50; {
				err := s.ClaimSession(ctx, ada, by, never)
				if errors.Is(err, store.ErrSessionHeld) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if !inside.TryLock() {
					t.Error("two processes have claimed the account at the same time")
					return
				}
				entered++
				inside.Unlock()
				if err := s.ReleaseSessions(ctx, []store.AccountID{ada}, by); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// A new owner of an area stores ticks again that the former owner has stored. An item that was picked up in one of these ticks
// must not reappear on the ground.
func TestSaveOfEarlierTickDoesNotOverwriteItemsOnGround(t *testing.T) {
	stores, account := sessionStores(t, 2)
	ctx, former, owner := t.Context(), stores[0], stores[1]
	id, err := former.CreateCharacter(ctx, account, &sim.Character{Name: "Ada", Level: 1, Area: "Village"}, store.MaxCharacters)
	if err != nil {
		t.Fatal(err)
	}
	save := func(s *Store, epoch uint64, tick sim.Tick, version uint64, dropped ...sim.DroppedItem) {
		t.Helper()
		c := &sim.Character{ID: id, Name: "Ada", Level: 1, Area: "Village", Version: version, Dropped: dropped}
		if err := s.SaveCharacters(ctx, store.Fence{{Area: 0, Epoch: epoch, Tick: tick}}, []*sim.Character{c}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(version uint64, dropped int) {
		t.Helper()
		if c, err := owner.Character(ctx, id); err != nil || c.Version != version || len(c.Dropped) != dropped {
			t.Fatalf("stored is version %d with %v, %v; want %d with %d items", c.Version, c.Dropped, err, version, dropped)
		}
	}
	item := sim.DroppedItem{Handle: 7, Stack: sim.ItemStack{Item: 40, Amount: 1, Health: 100}}
	save(former, 1, 10, 5, item)
	check(5, 1)
	save(former, 1, 12, 5) // a record without the item: another player has picked it up
	check(5, 0)
	save(owner, 2, 10, 5, item)
	check(5, 0)
	save(owner, 2, 12, 5)
	save(owner, 2, 13, 6, item) // a newer record with the item: it was dropped again
	check(6, 1)
	if err := former.SaveCharacters(ctx, store.Fence{{Area: 0, Epoch: 1, Tick: 14}}, nil); !errors.Is(err, store.ErrFenced) {
		t.Errorf("a former owner: %v", err)
	}
	if err := owner.SaveCharacters(ctx, store.Fence{{Area: 0, Epoch: 2, Tick: math.MaxInt64 + 1}}, nil); err == nil {
		t.Error("a tick that cannot be stored is accepted")
	}
}

func TestReleaseOfSeveralAccountsLeavesThoseOfOtherProcesses(t *testing.T) {
	stores, ada := sessionStores(t, 1)
	s, ctx := stores[0], t.Context()
	ids := []store.AccountID{ada}
	for _, name := range []string{"Bea", "Cid", "Dan"} {
		id, err := s.CreateAccount(ctx, store.Account{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	north, others := holder("north", 3), []store.SessionHolder{holder("south", 3), holder("north", 4)}
	for i, by := range []store.SessionHolder{north, north, others[0], others[1]} {
		if err := s.ClaimSession(ctx, ids[i], by, never); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.ReleaseSessions(ctx, append(ids, ids[3]+1), north); err != nil { // the last account does not exist
		t.Fatal(err)
	}
	if list, err := s.HeldSessions(ctx); err != nil || len(list) != 2 || list[0].Holder != others[0] || list[1].Holder != others[1] {
		t.Errorf("held are %+v, %v", list, err)
	}
}

// Another process has claimed an account since the process that changes its records did.
func TestChangesOfStoredRecordsAreRefusedUnlessProcessHoldsAllAccountsConcerned(t *testing.T) {
	stores, _ := sessionStores(t, 1)
	s, ctx := stores[0], t.Context()
	first, second := holder("nörth", 2), holder("south", 1)
	ids := map[string]store.AccountID{}
	characters := map[string]*sim.Character{}
	for _, name := range []string{"Bea", "Cid", "Dan"} {
		ids[name], characters[name] = character(t, s, name)
	}
	claim := func(by store.SessionHolder, gone bool, names ...string) {
		for _, name := range names {
			if err := s.ClaimSession(ctx, ids[name], by, func(store.SessionHolder) bool { return gone }); err != nil {
				t.Fatal(err)
			}
		}
	}
	version := uint64(0)
	changes := []struct {
		name     string
		accounts []string
		make     func(by store.SessionHolder) error
	}{
		{"edit", []string{"Bea"}, func(by store.SessionHolder) error {
			version++
			return s.EditCharacter(ctx, by, &sim.Character{ID: characters["Bea"].ID, Name: "Bea", Version: version})
		}},
		{"move", []string{"Bea", "Cid"}, func(by store.SessionHolder) error {
			return s.MoveCharacter(ctx, by, characters["Bea"].ID, ids["Cid"])
		}},
		{"deletion of a character", []string{"Cid"}, func(by store.SessionHolder) error {
			return s.DeleteCharacter(ctx, by, ids["Cid"], characters["Bea"].ID)
		}},
		{"merge", []string{"Bea", "Cid"}, func(by store.SessionHolder) error { return s.MergeAccounts(ctx, by, ids["Bea"], ids["Cid"]) }},
		{"deletion of an account", []string{"Cid"}, func(by store.SessionHolder) error { return s.DeleteAccount(ctx, by, ids["Cid"], "cid") }},
	}
	for _, change := range changes {
		if err := change.make(first); !errors.Is(err, store.ErrNotHolder) {
			t.Errorf("%s of accounts without a holder: %v", change.name, err)
		}
		for _, name := range change.accounts { // another process takes over one of the accounts
			claim(first, false, change.accounts...)
			claim(second, true, name)
			for _, by := range []store.SessionHolder{first, holder("nörth", 1), holder("nörth", 0), holder("south", 2)} {
				if err := change.make(by); !errors.Is(err, store.ErrNotHolder) {
					t.Errorf("%s by %v while another process holds %s: %v", change.name, by, name, err)
				}
			}
			if err := s.ReleaseSessions(ctx, []store.AccountID{ids[name]}, second); err != nil {
				t.Fatal(err)
			}
		}
		claim(first, false, change.accounts...)
		if err := change.make(first); err != nil {
			t.Errorf("%s by the holder: %v", change.name, err)
		}
		if err := s.ReleaseSessions(ctx, []store.AccountID{ids["Bea"], ids["Cid"]}, first); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DeleteAccount(ctx, first, ids["Cid"], "cid"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("deletion of an account that no longer exists: %v", err)
	}
	if err := s.EditCharacter(ctx, first, &sim.Character{ID: characters["Bea"].ID, Name: "Bea", Version: 99}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("edit of a character that no longer exists: %v", err)
	}
	if err := s.EditCharacter(ctx, store.SessionHolder{Incarnation: 1}, characters["Dan"]); err == nil {
		t.Error("a holder without a name is accepted")
	}
}

// A process is about to change the records of an account. Until it has, no other process can claim the account.
func TestClaimWaitsForChangeOfStoredRecordsByHolder(t *testing.T) {
	stores, ada := sessionStores(t, 2)
	ctx, north, south := t.Context(), holder("north", 1), holder("south", 1)
	if err := stores[0].ClaimSession(ctx, ada, north, never); err != nil {
		t.Fatal(err)
	}
	claimed := make(chan error, 1)
	err := stores[0].transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		if err := lockHeld(ctx, tx, north, int64(ada)); err != nil {
			return change{}, err
		}
		go func() {
			claimed <- stores[1].ClaimSession(t.Context(), ada, south, func(store.SessionHolder) bool { return true })
		}()
		waits := func() (yes bool) {
			err := stores[0].pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM sessions%')`).Scan(&yes)
			return err == nil && yes
		}
		eventually(t, "the claim waits", waits)
		if len(claimed) > 0 {
			t.Error("the claim did not wait")
		}
		return change{}, nil
	})
	if err = errors.Join(err, <-claimed); err != nil {
		t.Fatal(err)
	}
	if err := stores[0].DeleteAccount(ctx, north, ada, "ada"); !errors.Is(err, store.ErrNotHolder) {
		t.Errorf("deletion by the former holder: %v", err)
	}
}

func TestLinkedSerialIsGreatestMarkedNumberOfNode(t *testing.T) {
	s := open(t, pgtest.Database(t), WithLog(quiet), Node("a"))
	defer closeStore(t, s)
	for _, node := range []string{"a", "b"} {
		if _, err := s.ReserveSerials(t.Context(), node, 9); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ mark, want uint64 }{{0, 0}, {3, 3}, {2, 3}, {9, 9}} {
		if err := s.MarkLinked(t.Context(), "a", c.mark); err != nil {
			t.Fatal(err)
		}
		if got, err := s.LinkedSerial(t.Context(), "a"); got != c.want || err != nil {
			t.Errorf("after %d: %d, %v, want %d", c.mark, got, err, c.want)
		}
	}
	for _, node := range []string{"b", "c"} {
		if got, err := s.LinkedSerial(t.Context(), node); got != 0 || err != nil {
			t.Errorf("node %s: %d, %v", node, got, err)
		}
	}
	if last, err := s.ReserveSerials(t.Context(), "a", 0); last != 9 || err != nil {
		t.Errorf("the last reserved number is %d, %v", last, err)
	}
}
