package session

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// put adds records to the writer as if they were in one frame.
func (k *recordWriter) put(list ...*sim.Character) {
	f := &sim.Frame{Tick: sim.Tick(k.read[0].Load())}
	for _, c := range list {
		f.Events = append(f.Events, sim.Event{Kind: sim.EventRecord, Record: c})
	}
	k.putFrame(f, false)
}

func TestHubCloseSavesRecordsOfAllPlayers(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, twoFields(), Options{})
		ada, bea := r.enters(r.player("Ada")), r.player("Bea")
		ticks(20)
		r.walk(ada, 80)
		ticks(100)
		late := r.enters(bea) // Bea's join is still in the inbox of the area
		r.must(r.world.Stop(t.Context()))
		r.must(r.Close(t.Context()))
		ada.Leave() // a gateway may call Leave after the world has stopped
		late.Leave()
		for _, s := range []*Session{ada, late} {
			select {
			case <-s.Ended():
			default:
				t.Errorf("the presence of %s has not ended", s.Character.Name)
			}
		}
		_, err := r.Enter(t.Context(), bea, 0)
		r.mustBe(err, ErrClosed)
		r.must(r.Close(t.Context())) // a second Close does nothing
		r.must(r.disk.Close())

		db, err := sqlite.Open(t.Context(), dir)
		r.must(err)
		defer db.Close()
		a, err := db.Account(t.Context(), "ada")
		r.must(err)
		if roster, err := db.Characters(t.Context(), a.ID); err != nil || roster[0].Pos.X != 80 {
			t.Errorf("stored is %+v, %v", roster, err)
		}
	})
}

func TestPlayerRecordIsAutosavedDuringPlay(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(20)
		r.walk(s, 80)
		ticks(31 * 20) // the world's autosave period of 30 s plus one second
		if got := r.stored(l).Pos.X; got != 80 {
			t.Errorf("after 30 s the store has %v", got)
		}
	})
}

func TestFailingStoreIsReportedAndDelaysNoPlayer(t *testing.T) {
	var log bytes.Buffer
	opt := Options{Log: slog.New(slog.NewTextHandler(&log, nil))}
	withServer(t, opt, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(20)
		r.walk(s, 80)
		ticks(100)
		r.disk.set(errors.New("disk full"))
		before := r.disk.attempts()
		s.Leave()
		if again := r.enters(l); again.Character.Pos.X != 80 {
			t.Errorf("came back at %v: not the newest record", again.Character.Pos)
		} else {
			again.Leave()
		}
		if c, err := r.Character(r.ctx, l, 0); err != nil || c.Pos.X != 80 {
			t.Errorf("the roster shows %v, %v", c, err)
		}
		time.Sleep(10 * time.Minute)
		if s := r.SaveStatus(); s.Unsaved != 1 || time.Since(s.Since) < 9*time.Minute || s.Err == nil || r.opt.Metrics.SaveFailing.Load() != 1 || r.opt.Metrics.Unsaved.Load() != 1 {
			t.Errorf("the status is %+v", s)
		}
		if n := r.disk.attempts() - before; n < 15 || n > 30 { // retries come after 1, 2, 4, 8 and 16 s, then every 30 s
			t.Errorf("%d attempts in ten minutes", n)
		}
		r.disk.set(nil)
		time.Sleep(31 * time.Second)
		if got := r.stored(l).Pos.X; got != 80 || r.Stats().Unsaved != 0 {
			t.Errorf("afterwards the store has %v, %d records wait", got, r.Stats().Unsaved)
		}
		if s := r.SaveStatus(); s != (SaveStatus{}) || r.opt.Metrics.SaveFailing.Load() != 0 || r.opt.Metrics.Unsaved.Load() != 0 {
			t.Errorf("afterwards the status is %+v", s)
		}
	})
	if n := strings.Count(log.String(), "disk full"); n < 8 || n > 11 || !strings.Contains(log.String(), "still cannot save player records, retrying\" unsaved=1") { // the error is logged about once a minute
		t.Errorf("logged %d times:\n%s", n, log.String())
	}
	if !strings.Contains(log.String(), "player records are saved again") {
		t.Errorf("the first save that works again is not logged:\n%s", log.String())
	}
}

func TestHubCloseReportsNumberOfLostRecords(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, twoFields(), Options{DumpDir: dir})
		r.enters(r.player("Ada"))
		r.enters(r.player("Bea"))
		ticks(20)
		r.disk.set(errors.New("disk full"))
		r.must(r.world.Stop(t.Context()))
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if err := r.Close(ctx); err == nil || !strings.Contains(err.Error(), "2 player records are not saved: disk full; the records are in "+dir) {
			t.Errorf("close says %v", err)
		}
		dumps, _ := filepath.Glob(filepath.Join(dir, "unsaved-*.jsonl"))
		if len(dumps) != 1 {
			t.Fatalf("dumps: %q", dumps)
		}
		f, err := os.Open(dumps[0])
		r.must(err)
		defer f.Close()
		if list, err := store.ReadRecords(f); err != nil || len(list) != 2 || list[0].Name != "Ada" || list[1].Name != "Bea" {
			t.Errorf("dumped: %v, %v", list, err)
		}
		r.must(r.disk.Close())
	})
}

func TestHubCloseRetriesFailedSaveUntilItSucceeds(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, twoFields(), Options{})
		l := r.player("Ada")
		s := r.enters(l)
		ticks(20)
		r.walk(s, 80)
		ticks(100)
		r.disk.set(errors.New("locked by a backup"))
		r.must(r.world.Stop(t.Context()))
		time.AfterFunc(2*time.Second, func() { r.disk.set(nil) })
		r.must(r.Close(t.Context()))
		if got := r.stored(l).Pos.X; got != 80 {
			t.Errorf("stored is %v", got)
		}
		r.must(r.disk.Close())
	})
}

func TestHubCloseStopsWaitingForWorldWhenContextEnds(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, twoFields(), Options{})
		s := r.enters(r.player("Ada"))
		ticks(2)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_ = r.Close(ctx) // Close may or may not have saved the records that the hub had received
		if waited := time.Since(began); waited > 2*time.Second {
			t.Errorf("waited %v", waited)
		}
		<-s.Ended()
		r.must(r.world.Stop(t.Context()))
		r.must(r.disk.Close())
	})
}

// A hub that missed the frame of a leave still releases the account, and removes players that left in the missed frames.
func TestAccountIsReleasedIfHubMissedFrameInWhichPlayerLeft(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(5)
		r.mu.Lock() // blocks the goroutine that reads frames
		v := s.presence
		v.leftAt = time.Now()
		r.leavingByAccount[v.account] = v
		delete(r.online, v.account)
		r.mu.Unlock()
		empty := &sim.Frame{Area: 0}
		r.handleFrame(empty, 7)
		_, err := r.Enter(r.ctx, l, 0)
		if err != nil && !errors.Is(err, ErrBusy) {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		r.enters(l)

		there := &sim.Frame{Area: 1, Actors: []sim.ActorState{{ID: 77}}}
		ghost := &presence{entity: 77, account: 900, character: 900, area: 0, leftAt: time.Now(), ended: make(chan struct{})}
		r.mu.Lock()
		r.presences[77], r.leavingByAccount[900] = ghost, ghost
		r.mu.Unlock()
		r.handleFrame(there, 1)
		r.mu.Lock()
		if ghost.area != 1 || ghost.recordLost {
			t.Errorf("a player seen in the east is known in %d, lost %v", ghost.area, ghost.recordLost)
		}
		r.mu.Unlock()
	})
}

func TestMissedFramesOfOneAreaDoNotAffectPlayersElsewhere(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		v := &presence{entity: 77, account: 900, character: 900, area: 1, leftAt: time.Now(), ended: make(chan struct{})}
		r.mu.Lock()
		r.presences[77], r.leavingByAccount[900] = v, v
		r.mu.Unlock()
		r.handleFrame(&sim.Frame{Area: 0}, 3)
		r.mu.Lock()
		defer r.mu.Unlock()
		if v.recordLost {
			t.Error("missed frames of the west end a presence that is leaving the east")
		}
	})
}

func TestSessionEndsIfAreaNeverAdmitsItsPlayer(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		v := &presence{entity: 99, account: l.Account, character: r.stored(l).ID, leftAt: time.Now(), ended: make(chan struct{})}
		r.mu.Lock()
		r.presences[99], r.leavingByAccount[v.account] = v, v
		r.mu.Unlock()
		r.sendLeave(v, 0) // the area has no such actor and answers with a refusal
		ticks(2)
		_, err := r.Enter(r.ctx, l, 0)
		if err != nil {
			r.mustBe(err, ErrBusy)
		}
		time.Sleep(2 * time.Second)
		<-v.ended
		if err != nil {
			r.enters(l)
		}
	})
}

// If a character entered the world with an outdated record, gold that the player has given away since then would be duplicated.
func TestReentryReadsStoreOnlyAfterHubReceivedLastRecordOfPlayer(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(5)
		r.disk.mu.Lock()
		r.disk.reading = func() {
			if n := r.Stats().Leaving; n != 0 {
				t.Errorf("the store is read while %d last records are on their way", n)
			}
		}
		r.disk.mu.Unlock()
		s.Leave()
		r.enters(l)
	})
}

func TestEnterReturnsErrBusyIfPreviousLeaveTimesOut(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		c := r.stored(l)
		v := &presence{entity: 99, account: l.Account, character: c.ID, leftAt: time.Now(), ended: make(chan struct{})}
		r.mu.Lock()
		r.presences[99], r.leavingByAccount[v.account] = v, v
		r.mu.Unlock()
		began := time.Now()
		_, err := r.Enter(r.ctx, l, 0)
		r.mustBe(err, ErrBusy)
		if waited := time.Since(began); waited != 3*time.Second {
			t.Errorf("waited %v", waited)
		}
		ctx, cancel := context.WithTimeout(r.ctx, time.Second)
		defer cancel()
		_, err = r.Enter(ctx, l, 0)
		r.mustBe(err, context.DeadlineExceeded)
		time.AfterFunc(time.Second, func() { r.endPresence(99) })
		r.enters(l)
	})
}

// The list of characters reads the store and then the unsaved records. A record that is saved between these two reads is still
// in the list.
func TestCharacterListHasNewestRecordDuringSave(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		old, seen := r.stored(l), r.writer.savedBatches()
		newer := *old
		newer.Gold, newer.Version = 999, old.Version+1
		r.writer.put(&newer)
		if _, err := r.writer.flush(r.ctx, false); err != nil {
			t.Fatal(err)
		}
		if r.writer.applyUnsaved([]*sim.Character{old}, seen) {
			t.Error("applyUnsaved does not report that a batch was saved since the store was read")
		}
		if c, err := r.Character(r.ctx, l, 0); err != nil || c.Gold != 999 {
			t.Errorf("read %v, %v", c, err)
		}
	})
}

func TestRecordReceivedDuringSaveIsSavedNext(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		older, newer := *r.stored(l), *r.stored(l)
		older.Gold, newer.Gold = 1, 2
		newer.Version = older.Version + 1
		r.writer.put(&older)
		r.disk.mu.Lock()
		r.disk.while = func() { r.writer.put(&newer) }
		r.disk.mu.Unlock()
		_, err := r.writer.flush(r.ctx, false)
		r.must(err)
		r.disk.mu.Lock()
		r.disk.while = nil
		r.disk.mu.Unlock()
		if got := r.stored(l).Gold; got != 1 || r.writer.unsaved() != 1 {
			t.Errorf("stored is %d gold, %d records wait", got, r.writer.unsaved())
		}
		time.Sleep(2 * time.Second)
		if got := r.stored(l).Gold; got != 2 || r.writer.unsaved() != 0 {
			t.Errorf("then stored is %d gold, %d records wait", got, r.writer.unsaved())
		}
	})
}

func TestManyRecordsAreSavedInSeveralTransactionsOfLimitedSize(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		before := r.disk.attempts()
		for i := range 2*maxBatch + 1 { // records of deleted characters, which saving skips
			r.writer.put(&sim.Character{ID: sim.CharacterID(1_000_000 + i)})
		}
		n, err := r.writer.flush(r.ctx, false)
		if err != nil || n != 2*maxBatch+1 || r.disk.attempts()-before != 3 || r.writer.unsaved() != 0 {
			t.Errorf("saved %d in %d batches, %v; %d left", n, r.disk.attempts()-before, err, r.writer.unsaved())
		}
	})
}

func TestRecordsOfOneTickAreSavedInOneTransaction(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		before := r.disk.attempts()
		r.writer.put(&sim.Character{ID: 1_000_000})
		var tick []*sim.Character
		for i := range 2 * maxBatch {
			tick = append(tick, &sim.Character{ID: sim.CharacterID(2_000_000 + i)})
		}
		r.writer.put(tick...)
		n, err := r.writer.flush(r.ctx, false)
		if err != nil || n != 2*maxBatch+1 || r.disk.attempts()-before != 2 {
			t.Errorf("saved %d in %d transactions, %v", n, r.disk.attempts()-before, err)
		}
	})
}

// testLog is a log of an area. The test decides which ticks are durable.
type testLog struct {
	mu      sync.Mutex
	durable [2]sim.Tick
	saved   [2]sim.Tick
}

func (l *testLog) Storable(a sim.AreaID) sim.Tick {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.durable[a]
}

func (l *testLog) Owner(sim.AreaID) (epoch uint64, own bool) { return 0, true }
func (l *testLog) SavedTick(sim.AreaID) sim.Tick             { return math.MaxUint64 }
func (l *testLog) Missed(sim.AreaID, sim.Tick)               {}

func (l *testLog) Saved(a sim.AreaID, tick sim.Tick) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.saved[a] = tick
}

func (l *testLog) savedUpTo(a sim.AreaID) sim.Tick {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.saved[a]
}

func (l *testLog) set(a sim.AreaID, tick sim.Tick) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.durable[a] = tick
}

func TestRecordIsSavedOnlyAfterItsTickIsDurable(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l, log := r.player("Ada"), &testLog{}
		r.writer.world = log
		s := r.enters(l)
		ticks(20)
		r.walk(s, 80)
		ticks(100)
		s.Leave()
		ticks(100)
		if n := r.Stats().Unsaved; r.stored(l).Pos.X == 80 || n != 1 {
			t.Fatalf("the store has %v before the tick is durable; %d records wait", r.stored(l).Pos, n)
		}
		if saved := log.savedUpTo(0); saved == 0 || saved > 121 {
			t.Errorf("the area is told that its ticks up to %d are saved, the leave included", saved)
		}
		if c, err := r.Character(r.ctx, l, 0); err != nil || c.Pos.X != 80 {
			t.Errorf("the roster shows %v, %v", c, err)
		}
		log.set(0, 1<<40)
		ticks(40)
		if r.stored(l).Pos.X != 80 || r.Stats().Unsaved != 0 {
			t.Errorf("then the store has %v, %d records wait", r.stored(l).Pos, r.Stats().Unsaved)
		}
		if west, east := log.savedUpTo(0), log.savedUpTo(1); west < 230 || east < 230 {
			t.Errorf("the areas are told that their ticks up to %d and %d are saved", west, east)
		}
	})
}

// Close saves the records even if the ticks that they come from never become durable because the log's disk hangs.
func TestHubCloseSavesRecordsOfTicksThatAreNotDurable(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, twoFields(), Options{})
		r.writer.world = &testLog{}
		l := r.player("Ada")
		s := r.enters(l)
		ticks(20)
		r.walk(s, 80)
		ticks(100)
		r.must(r.world.Stop(t.Context()))
		began := time.Now()
		r.must(r.Close(t.Context()))
		if waited := time.Since(began); r.stored(l).Pos.X != 80 || waited > time.Second {
			t.Errorf("after %v stored is %v", waited, r.stored(l).Pos)
		}
		r.must(r.disk.Close())
	})
}

func TestMergeOfTickRecordsKeepsNewestVersionsAndNetGroundItemChanges(t *testing.T) {
	old, newer, other := &sim.Character{ID: 1, Version: 1}, &sim.Character{ID: 1, Version: 2}, &sim.Character{ID: 2}
	item := func(kind groundChangeKind, handle uint32) groundChange {
		return groundChange{kind: kind, item: droppedItem{handle: handle}}
	}
	a := &tickRecords{ticks: []tickRange{{0, 3, 3}}, records: []*sim.Character{old}, ground: []groundChange{item(itemDropped, 7), item(itemDropped, 8)}}
	a.join(&tickRecords{ticks: []tickRange{{1, 9, 9}}, records: []*sim.Character{other}}, false)
	a.join(&tickRecords{ticks: []tickRange{{0, 5, 5}}, records: []*sim.Character{newer}, ground: []groundChange{item(itemRemoved, 7), item(itemRemoved, 6)}}, false)
	if !slices.Equal(a.ticks, []tickRange{{0, 3, 5}, {1, 9, 9}}) || !slices.Equal(a.records, []*sim.Character{newer, other}) {
		t.Errorf("ticks %v, records %v", a.ticks, a.records)
	}
	if len(a.ground) != 2 || a.ground[0].item.handle != 8 || a.ground[1].item.handle != 6 {
		t.Errorf("changes of the ground: %v", a.ground)
	}
}
