package postgres

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// quiet discards log lines, for stores that cause expected warnings.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// patience is the maximum time that tests wait for an event. On an idle machine the event occurs within milliseconds.
const patience = 30 * time.Second

// eventually waits until ok returns true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for began := time.Now(); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("after %v still not: %s", patience, what)
		}
	}
}

// killed kills the server of the tests, calls fn and starts the server again.
func killed(t *testing.T, fn func()) {
	t.Helper()
	server := pgtest.Shared(t)
	server.Kill()
	fn()
	if err := server.Launch(); err != nil {
		t.Fatal(err)
	}
}

func character(t testing.TB, s *Store, name string) (store.AccountID, *sim.Character) {
	t.Helper()
	id, err := s.CreateAccount(t.Context(), store.Account{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	c := &sim.Character{Name: name}
	if c.ID, err = s.CreateCharacter(t.Context(), id, c, 1); err != nil {
		t.Fatal(err)
	}
	return id, c
}

func TestStoreCallsFailOnlyWhileDatabaseServerIsDown(t *testing.T) {
	metrics := telemetry.New()
	s := open(t, pgtest.Database(t), WithLog(quiet), WithMetrics(metrics))
	defer closeStore(t, s)
	_, ada := character(t, s, "Ada")
	ada.Gold = 7
	killed(t, func() {
		began := time.Now()
		for what, call := range map[string]func() error{
			"login": func() error { _, err := s.Account(t.Context(), "Ada"); return err },
			"save":  func() error { return s.SaveCharacters(t.Context(), nil, []*sim.Character{ada}) },
			"create": func() error {
				_, err := s.CreateAccount(t.Context(), store.Account{Name: "Bea"})
				return err
			},
		} {
			if err := call(); !errors.Is(err, store.ErrUnavailable) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", what, err)
			}
		}
		if took := time.Since(began); took > patience {
			t.Errorf("three calls took %v", took)
		}
		eventually(t, "the failure is reported", func() bool { return len(s.Failures()) == 1 && s.Failures()[0].What == "DATABASE LOST" })
		eventually(t, "the metric says that the database cannot be reached", func() bool { return metrics.StoreUnreachable.Load() == 1 })
	})
	if err := s.SaveCharacters(t.Context(), nil, []*sim.Character{ada}); err != nil { // succeeds at once: no broken connection is used
		t.Fatal(err)
	}
	if got, err := s.Character(t.Context(), ada.ID); err != nil || got.Gold != 7 {
		t.Errorf("read %+v, %v", got, err)
	}
	eventually(t, "the failure is over", func() bool { return len(s.Failures()) == 0 })
	eventually(t, "the metric says that the database can be reached", func() bool { return metrics.StoreUnreachable.Load() == 0 })
}

// A save that returned nil survives if the database server is killed afterwards. A save during which the server is killed
// may be stored or not.
func TestAcknowledgedSavesSurviveKillOfDatabaseServer(t *testing.T) {
	s := open(t, pgtest.Database(t), WithLog(quiet))
	defer closeStore(t, s)
	_, ada := character(t, s, "Ada")
	var acknowledged int32
	var saving sync.WaitGroup
	half, stop := make(chan struct{}), make(chan struct{})
	saving.Go(func() {
		for gold := int32(1); ; gold++ {
			select {
			case <-stop:
				return
			default:
			}
			if gold == 50 {
				close(half)
			}
			next := *ada
			next.Gold = gold
			for s.SaveCharacters(context.Background(), nil, []*sim.Character{&next}) != nil {
				time.Sleep(10 * time.Millisecond)
			}
			acknowledged = gold
		}
	})
	<-half
	killed(t, func() {})
	close(stop)
	saving.Wait()
	if got, err := s.Character(t.Context(), ada.ID); err != nil || got.Gold != acknowledged {
		t.Errorf("stored are %v, %v; acknowledged were %d", got.Gold, err, acknowledged)
	}
}

func TestResultOfCommitIsQueriedAfterConnectionLoss(t *testing.T) {
	s := open(t, pgtest.Database(t), WithLog(quiet))
	defer closeStore(t, s)
	lost := errors.New("the answer was lost")
	status := func(end func(pgx.Tx) error) error {
		var id string
		conn, err := s.pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
		tx, err := conn.Begin(t.Context())
		if err == nil {
			err = tx.QueryRow(t.Context(), `SELECT pg_current_xact_id()::text`).Scan(&id)
		}
		if err == nil {
			err = end(tx)
		}
		if err != nil {
			t.Fatal(err)
		}
		return s.confirm(t.Context(), id, lost)
	}
	if err := status(func(tx pgx.Tx) error { return tx.Commit(t.Context()) }); err != nil {
		t.Errorf("a transaction that was committed: %v", err)
	}
	if err := status(func(tx pgx.Tx) error { return tx.Rollback(t.Context()) }); !errors.Is(err, lost) {
		t.Errorf("a transaction that was rolled back: %v", err)
	}
	if err := s.confirm(t.Context(), "99999999", lost); !errors.Is(err, lost) {
		t.Errorf("a transaction that the server does not know: %v", err)
	}
}

func TestCancelledContextInterruptsStoreCall(t *testing.T) {
	url := pgtest.Database(t)
	s := open(t, url, WithLog(quiet))
	defer closeStore(t, s)
	_, ada := character(t, s, "Ada")
	blocker, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer blocker.Close(t.Context())
	if _, err := blocker.Exec(t.Context(), `BEGIN; LOCK TABLE characters`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.SaveCharacters(ctx, nil, []*sim.Character{ada}) }()
	eventually(t, "the save waits for the lock", func() bool {
		var n int
		err := blocker.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`).Scan(&n)
		return err == nil && n > 0
	})
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestSecondServerOfDatabaseIsRefusedWithOneLineError(t *testing.T) {
	url := pgtest.Database(t)
	first := open(t, url, WithLog(quiet))
	_, err := Open(t.Context(), url, WithLog(quiet))
	if !errors.Is(err, ErrInUse) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "truestep, process ") {
		t.Errorf("a second server: %v", err)
	}
	if _, err := Open(t.Context(), url, WithLog(quiet), Shared()); !errors.Is(err, ErrInUse) {
		t.Errorf("a process that shares the database: %v", err)
	}
	closeStore(t, first)
	one, two := open(t, url, WithLog(quiet), Shared()), open(t, url, WithLog(quiet), Shared())
	if _, err := Open(t.Context(), url, WithLog(quiet)); !errors.Is(err, ErrInUse) {
		t.Errorf("a single server while others share the database: %v", err)
	}
	closeStore(t, one)
	closeStore(t, two)
	closeStore(t, open(t, url, WithLog(quiet)))
}

func TestDatabaseLockIsAcquiredAgainAfterConnectionLoss(t *testing.T) {
	url := pgtest.Database(t)
	s := open(t, url, WithLog(quiet))
	defer closeStore(t, s)
	admin, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(t.Context())
	var pid int32
	err = admin.QueryRow(t.Context(), `SELECT pid, pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&pid, new(bool))
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "another session has the lock", func() bool {
		var n int
		err := admin.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid <> $1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, pid).Scan(&n)
		return err == nil && n == 1
	})
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "Ada"}); err != nil {
		t.Errorf("after the lock was taken again: %v", err)
	}
}

func TestServerWritesNothingAfterTakeoverOfItsDatabase(t *testing.T) {
	url := pgtest.Database(t)
	first := open(t, url, WithLog(quiet))
	defer closeStore(t, first)
	_, ada := character(t, first, "Ada")
	first.owner.close() // simulates a server that has lost its connection without noticing
	second := open(t, url, WithLog(quiet))
	ada.Gold = 7
	if err := first.SaveCharacters(t.Context(), nil, []*sim.Character{ada}); !errors.Is(err, ErrInUse) {
		t.Errorf("a save after another server has taken over: %v", err)
	}
	select {
	case <-first.Lost():
	default:
		t.Error("the loss is not reported")
	}
	if got, err := second.Character(t.Context(), ada.ID); err != nil || got.Gold != 0 {
		t.Errorf("stored is %+v, %v", got, err)
	}
	closeStore(t, second)
}

func TestTakeoverOfDatabaseByOtherServerIsDetected(t *testing.T) {
	url := pgtest.Database(t)
	s := open(t, url, WithLog(quiet))
	defer closeStore(t, s)
	for _, query := range []string{
		"UPDATE store SET run = run + 1", // committed before the store connects again
		"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
	} {
		pgtest.Shared(t).Exec(t, dbName(t, url), query)
	}
	select {
	case <-s.Lost():
	case <-time.After(patience):
		t.Fatal("the loss is not reported")
	}
}

// Two stores on one database stand for two processes. They concurrently save records of one area, one in odd epochs, one in even epochs.
func TestSaveOfOlderEpochFailsAfterSaveOfNewerEpoch(t *testing.T) {
	url := pgtest.Database(t)
	stores := []*Store{open(t, url, WithLog(quiet), Shared()), open(t, url, WithLog(quiet), Shared())}
	_, ada := character(t, stores[0], "Ada")
	const epochs = 20
	var mu sync.Mutex
	greatest := uint64(0)
	var wg sync.WaitGroup
	for i, s := range stores {
		wg.Go(func() {
			for epoch := uint64(i) + 1; epoch <= epochs; epoch += 2 {
				for save := range int32(5) {
					mu.Lock()
					before := greatest
					mu.Unlock()
					next := *ada
					next.Version, next.Gold = epoch, int32(epoch)*10+save
					err := s.SaveCharacters(t.Context(), store.Fence{{Area: 3, Epoch: epoch}, {Area: sim.AreaID(i), Epoch: 1}}, []*sim.Character{&next})
					if err == nil && before > epoch {
						t.Errorf("a save of epoch %d succeeded after one of epoch %d", epoch, before)
					}
					if err != nil && !errors.Is(err, store.ErrFenced) {
						t.Errorf("save: %v", err)
					}
					mu.Lock()
					if err == nil {
						greatest = max(greatest, epoch)
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if got, err := stores[1].Character(t.Context(), ada.ID); err != nil || got.Gold != epochs*10+4 {
		t.Errorf("stored is %+v, %v, want the last save of epoch %d", got, err, epochs)
	}
	for _, s := range stores {
		closeStore(t, s)
	}
}
