package area

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// orderLog is a Log that records the order of its calls.
type orderLog struct {
	*memoryLog
	calls []string
}

func (l *orderLog) Seal(b Batch) {
	l.calls = append(l.calls, fmt.Sprintf("seal %d after %x with %d intents", b.Tick, b.PrevHash, len(b.Intents)))
	l.memoryLog.Seal(b)
}

func (l *orderLog) Commit() { l.calls = append(l.calls, "commit") }

func (l *orderLog) Snapshot(*sim.Area) { l.calls = append(l.calls, "snapshot") }

// hashing is a fake area that records its steps in an orderLog and whose frames have hashes.
type hashing struct {
	*fake
	log *orderLog
}

func (a *hashing) Step(intents []sim.Intent) *sim.Frame {
	a.log.calls = append(a.log.calls, "step")
	f := a.fake.Step(intents)
	f.Hash = uint64(f.Tick) * 0x10
	return f
}

func (a *hashing) CloneInto(*sim.Area) { a.log.calls = append(a.log.calls, "clone") }

func TestIntentsAreLoggedBeforeStepAndCommittedBeforeFrameIsPublished(t *testing.T) {
	w, fakes := newFakes(1, Options{})
	l := &orderLog{memoryLog: newMemoryLog(nil)}
	l.every = 2
	l.snapshots = append(l.snapshots, loggedSnapshot{}) // stands for a snapshot of the first tick
	r := w.areas[0]
	r.log, r.sim = l, &hashing{fakes[0], l}
	f := w.Subscribe("f", 4, All)
	submit(t, w, 0, join(1), join(2))
	for range 3 {
		r.step(nil, nil)
		p := <-f.C()
		l.calls = append(l.calls, fmt.Sprint("published ", p.Frame.Tick))
		p.Release()
	}
	want := []string{
		"seal 1 after 0 with 2 intents", "step", "commit", "published 1",
		"seal 2 after 10 with 0 intents", "step", "commit", "clone", "snapshot", "published 2", // the reader of the feed runs after the step
		"seal 3 after 20 with 0 intents", "step", "commit", "published 3",
	}
	if !slices.Equal(l.calls, want) {
		t.Errorf("got  %q\nwant %q", l.calls, want)
	}
	if w.Durable(0) != 0 || w.Durable(-1) != w.Durable(1) {
		t.Errorf("durable ticks %d, %d, %d", w.Durable(0), w.Durable(-1), w.Durable(1))
	}
	l.Sync()
	l.finishSync()
	w.Saved(0, 2)
	w.Saved(7, 9)
	if w.Durable(0) != 3 || l.saved != 2 {
		t.Errorf("durable tick %d, saved %d; want 3, 2", w.Durable(0), l.saved)
	}
}

func TestEveryTickIsDurableInWorldWithoutLogs(t *testing.T) {
	w, _ := newFakes(1, Options{})
	if w.Durable(0) != ^sim.Tick(0) {
		t.Errorf("durable tick %d", w.Durable(0))
	}
	w.Saved(0, 1)
	if err := w.CloseLogs(true); err != nil {
		t.Error(err)
	}
}

// twoLoggedFields returns a world of two areas that have logs. The first area has one player.
func twoLoggedFields(t *testing.T) (w *World, logs []*memoryLog) {
	logs = []*memoryLog{newMemoryLog(nil), newMemoryLog(nil)}
	w = NewWorld(twoFields(), Options{Seed: 1, Open: func(id sim.AreaID) (Log, *sim.Area) { return logs[id], nil }})
	submit(t, w, 0, enter(w.Def(), 1, 50))
	w.areas[0].step(nil, nil)
	return w, logs
}

func teleport(who sim.EntityID, to sim.AreaID) sim.Intent {
	return sim.Intent{Kind: sim.IntentTeleport, Who: who, To: to, Join: &sim.Join{Portal: -1}}
}

// outbox returns the numbers (sim.Join.Seq) of the players in the outbox of an area.
func outbox(r *runner) (seqs []uint64) {
	var a sim.Area
	r.sim.CloneInto(&a)
	a.Outbox(func(_ sim.AreaID, _ sim.EntityID, j *sim.Join) { seqs = append(seqs, j.Seq) })
	return seqs
}

func TestPlayerEntersNextAreaOnlyAfterDepartureIsDurable(t *testing.T) {
	w, logs := twoLoggedFields(t)
	west, east := w.areas[0], w.areas[1]
	submit(t, w, 0, teleport(1, 1))
	for range 3 {
		west.step(nil, nil)
		east.step(nil, nil)
	}
	if n := east.sim.Arrived(0); n != 0 || !logs[0].asked {
		t.Fatalf("%d arrivals before the departure is durable, sync asked: %v", n, logs[0].asked)
	}
	logs[0].finishSync()
	west.step(nil, nil)
	for range 3 {
		east.step(nil, nil)
		west.step(nil, nil)
	}
	if n := east.sim.Arrived(0); n != 1 || len(east.players()) != 1 {
		t.Fatalf("%d arrivals and players %v after the departure is durable", n, east.players())
	}
	if got := outbox(west); !slices.Equal(got, []uint64{1}) {
		t.Fatalf("outbox %v before the arrival is durable", got)
	}
	logs[1].finishSync()
	east.step(nil, nil)
	west.step(nil, nil)
	if got := outbox(west); len(got) != 0 {
		t.Errorf("outbox %v after the arrival is durable", got)
	}
}

func TestRestoredWorldCompletesInterruptedAreaChangesAndContinuesClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, logs := twoLoggedFields(t)
		claim := sim.Intent{Kind: sim.IntentClaim, Who: 1, AtMS: 123_456}
		submit(t, w, 0, claim, teleport(1, 1))
		w.areas[0].step(nil, nil)
		states := []*sim.Area{logs[0].restore(t, w.Def(), 0, 2), nil}
		logs = []*memoryLog{newMemoryLog(states[0]), newMemoryLog(nil)}
		w = NewWorld(w.Def(), Options{Seed: 1, Open: func(id sim.AreaID) (Log, *sim.Area) { return logs[id], states[id] }})
		if got := w.Restored(); !slices.Equal(got, []RestoredPlayer{{Entity: 1, Character: 1, Area: 1}}) {
			t.Errorf("restored players %+v, want one on its way to the east", got)
		}
		if w.NowMS() != 0 {
			t.Errorf("clock %d before the start", w.NowMS())
		}
		f := w.Subscribe("f", 64, All)
		w.Start(t.Context())
		if w.NowMS() <= 123_456 || w.NowMS() > 124_000 {
			t.Errorf("clock %d at the start, want a little more than that of the restored area", w.NowMS())
		}
		ticks(4)
		if got := w.Stats(); got[0].Players != 0 || got[1].Players != 1 {
			t.Errorf("%d players in the west, %d in the east", got[0].Players, got[1].Players)
		}
		if err := w.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		got := slices.DeleteFunc(collect(f), func(e string) bool { return e == "1  1" }) // leave out the record event of an autosave
		if !slices.Equal(got, []string{"1 joined 1", "1 left 1"}) {
			t.Errorf("events %q", got)
		}
	})
}

func TestPlayersBetweenAreasArriveDuringStopDespiteUnsyncedLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := twoLoggedFields(t)
		f := w.Subscribe("f", 64, All)
		w.Start(t.Context())
		submit(t, w, 0, teleport(1, 1))
		ticks(5)
		began := time.Now()
		if err := w.Stop(context.Background()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < syncTime || took > syncTime+100*time.Millisecond {
			t.Errorf("the stop took %v", took)
		}
		got := collect(f)
		if n := len(got); n < 2 || !slices.Equal(got[n-2:], []string{"1 joined 1", "1 left 1"}) {
			t.Errorf("events %q", got)
		}
	})
}

func TestLogOfPanickedAreaIsNotMarkedAsClosedCleanly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakes(2, Options{})
		logs := []*memoryLog{newMemoryLog(nil), newMemoryLog(nil)}
		for i, l := range logs {
			l.every = 1000
			l.snapshots = append(l.snapshots, loggedSnapshot{})
			w.areas[i].log = l
		}
		w.Start(t.Context())
		submit(t, w, 0, join(1), say(1, "break"))
		ticks(3)
		_ = w.Stop(t.Context())
		if err := w.CloseLogs(true); err != nil {
			t.Error(err)
		}
		if !slices.Equal(logs[0].closed, []bool{false}) || !slices.Equal(logs[1].closed, []bool{true}) {
			t.Errorf("closed %v and %v", logs[0].closed, logs[1].closed)
		}
	})
}

// bufferLog is a Log that encodes batches into reused memory.
type bufferLog struct {
	memoryLog
	buf []byte
}

func (l *bufferLog) Seal(b Batch)              { l.buf, l.sealed = sim.AppendIntents(l.buf[:0], b.Intents), b.Tick }
func (l *bufferLog) SnapshotBuffer() *sim.Area { return nil }

func TestReplayFileOfRestoredAreaBeginsWithRestoredState(t *testing.T) {
	def := twoFields()
	state := sim.NewArea(def, 0, 1)
	for range 7 {
		state.Recycle(state.Step(nil))
	}
	dir := t.TempDir()
	w := NewWorld(def, Options{Seed: 5, ReplayDir: dir, Log: slog.New(slog.DiscardHandler), Open: func(id sim.AreaID) (Log, *sim.Area) {
		return nil, []*sim.Area{state, nil}[id]
	}})
	r := w.areas[0]
	r.step(nil, nil)
	hash := r.hash
	f, err := os.Open(r.save("boom", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := ReadReplay(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.Play(def)
	if err != nil {
		t.Fatal(err)
	}
	if _, frame, err := b.Next(); err != nil || frame.Tick != 8 || frame.Hash != hash {
		t.Errorf("the replay leads to tick %v with hash %x (%v), want tick 8 with hash %x", b.Area().Now(), b.Area().Hash(), err, hash)
	}
}

func TestStopBeforeStartDoesNotRemoveRestoredPlayers(t *testing.T) {
	def := twoFields()
	state := sim.NewArea(def, 0, 1)
	state.Recycle(state.Step([]sim.Intent{enter(def, 1, 50)}))
	l := newMemoryLog(state)
	w := NewWorld(def, Options{Seed: 1, Open: func(id sim.AreaID) (Log, *sim.Area) {
		return []Log{l, nil}[id], []*sim.Area{state, nil}[id]
	}})
	if err := w.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := w.CloseLogs(false); err != nil || len(l.batches) != 0 {
		t.Errorf("%v; %d ticks on the log of a world that was not started, want 0", err, len(l.batches))
	}
}
