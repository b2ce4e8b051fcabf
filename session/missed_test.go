package session

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// missingWorld is a world with one area. This process owns the area unless the process has missed ticks.
type missingWorld struct {
	testLog
	missed  sim.Tick
	saved   sim.Tick // tick up to which other processes have stored all records
	atOwner func()   // called by the next call of Owner; nil for nothing
}

func (w *missingWorld) Storable(sim.AreaID) sim.Tick       { return 1 << 40 }
func (w *missingWorld) SavedTick(sim.AreaID) sim.Tick      { return w.saved }
func (w *missingWorld) Missed(_ sim.AreaID, tick sim.Tick) { w.missed = tick }
func (w *missingWorld) Owner(sim.AreaID) (epoch uint64, _ bool) {
	if f := w.atOwner; f != nil {
		w.atOwner = nil
		f()
	}
	return 1, w.missed <= w.saved
}

func newMissingWriter() (*recordWriter, *missingWorld) {
	w := &missingWorld{}
	k := newRecordWriter(nil, w, 1, Options{Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New()})
	k.cluster = true
	return k, w
}

func TestMissedFramesAreReportedToWorld(t *testing.T) {
	k, w := newMissingWriter()
	k.putFrame(&sim.Frame{Tick: 1}, false)
	k.putFrame(&sim.Frame{Tick: 2}, true) // missed is true, as after a tick that panicked, but the tick numbers have no gap
	if w.missed != 0 {
		t.Errorf("missed are %d", w.missed)
	}
	k.putFrame(&sim.Frame{Tick: 9}, true)
	if w.missed != 8 {
		t.Errorf("missed are %d, want 8", w.missed)
	}
	started, w := newMissingWriter()
	started.putFrame(&sim.Frame{Tick: 601}, false) // first frame of a process that started from a snapshot of tick 600
	if w.missed != 600 {
		t.Errorf("missed are %d, want 600", w.missed)
	}
}

// The frames are read by one goroutine, and the records are stored by another one.
func TestTicksMissedDuringSaveAreNotReportedAsSaved(t *testing.T) {
	k, w := newMissingWriter()
	k.putFrame(&sim.Frame{Tick: 1}, false)
	saved := func() sim.Tick {
		t.Helper()
		if _, err := k.flush(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		return w.testLog.saved[0]
	}
	if got := saved(); got != 1 {
		t.Fatalf("saved are ticks up to %d", got)
	}
	read := func() { k.putFrame(&sim.Frame{Tick: 9}, true) }
	w.atOwner = func() { // called while the process still counts as the owner
		w.atOwner = nil
		read()
		w.missed = 0
	}
	if got := saved(); got != 1 {
		t.Errorf("saved are ticks up to %d, and ticks 2 to 8 were missed", got)
	}
	w.missed = 8
	if got := saved(); got != 1 {
		t.Errorf("saved are ticks up to %d, although the process does not own the area", got)
	}
}

// recordStore is a store of records.
type recordStore struct {
	store.Store
	records map[sim.CharacterID]*sim.Character
	away    bool            // no request succeeds
	damaged sim.CharacterID // character whose record cannot be read; 0 for none
}

func (s *recordStore) Character(_ context.Context, id sim.CharacterID) (*sim.Character, error) {
	if s.away {
		return nil, store.ErrUnavailable
	}
	if s.records[id] == nil {
		return nil, store.ErrNotFound
	}
	if id == s.damaged {
		return nil, fmt.Errorf("decode the record: %w", store.ErrCorrupt)
	}
	c := *s.records[id]
	c.Dropped = slices.Clone(c.Dropped)
	return &c, nil
}

func (s *recordStore) SaveCharacters(_ context.Context, f store.Fence, batch []*sim.Character) error {
	for _, c := range batch {
		s.records[c.ID] = f.Merge(s.records[c.ID], c)
	}
	return nil
}

// apple and pear are items on the ground of area 0 that character 1 has dropped.
var (
	apple = sim.GroundItem{Handle: 7, Dropper: 1, Stack: sim.ItemStack{Item: 1, Amount: 1}}
	pear  = sim.GroundItem{Handle: 8, Dropper: 1, Stack: sim.ItemStack{Item: 2, Amount: 1}}
)

// newStartedWriter returns a writer of a process that continues area 0 from a snapshot, in which the apple and the pear are on the
// ground. All records are stored.
func newStartedWriter() (*recordWriter, *missingWorld, *recordStore) {
	k, w := newMissingWriter()
	dropped := []sim.DroppedItem{{Handle: apple.Handle, Stack: apple.Stack}, {Handle: pear.Handle, Stack: pear.Stack}}
	s := &recordStore{records: map[sim.CharacterID]*sim.Character{1: {ID: 1, Version: 5, Dropped: dropped}, 2: {ID: 2, Version: 5}}}
	k.store, w.saved = s, 600
	k.putFrame(&sim.Frame{Tick: 601, Ground: []sim.GroundItem{apple, pear}}, false)
	return k, w, s
}

// entersWith returns the handles of the dropped items that character 1 would get back if it entered the world now.
func (s *recordStore) entersWith(k *recordWriter) (handles []uint32) {
	c := *s.records[1]
	c.Dropped = slices.Clone(c.Dropped)
	roster := []*sim.Character{&c}
	k.applyUnsaved(roster, k.savedBatches())
	for _, d := range roster[0].Dropped {
		handles = append(handles, d.Handle)
	}
	return handles
}

func TestItemOnGroundAtStartOfNodeIsNotReturnedToDropper(t *testing.T) {
	k, _, s := newStartedWriter()
	if got := s.entersWith(k); len(got) > 0 {
		t.Errorf("the character enters with the items %v, which are on the ground", got)
	}
}

// The node owns the area, and has never had the record of the character that dropped the apple.
func TestPickUpRemovesItemFromStoredRecordOfDropperWhoseDropWasMissed(t *testing.T) {
	for name, last := range map[string][]sim.Event{
		"expired":        {{Kind: sim.EventPickedUp, Ground: apple}},
		"picked up":      {{Kind: sim.EventPickedUp, Who: 2, Ground: apple}, {Kind: sim.EventRecord, Record: &sim.Character{ID: 2, Version: 6}}},
		"dropper stored": {{Kind: sim.EventPickedUp, Who: 2, Ground: apple}, {Kind: sim.EventRecord, Record: &sim.Character{ID: 1, Version: 6}}},
	} {
		k, _, s := newStartedWriter()
		k.putFrame(&sim.Frame{Tick: 602, Ground: []sim.GroundItem{pear}, Events: last}, false)
		s.away = name != "dropper stored"
		if _, err := k.flush(t.Context(), false); s.away != (err != nil) {
			t.Errorf("%s: the database is away: %t, %v", name, s.away, err)
		}
		if got := s.entersWith(k); len(got) > 0 {
			t.Errorf("%s: the character enters with the items %v", name, got)
		}
		s.away = false
		if _, err := k.flush(t.Context(), false); err != nil {
			t.Error(err)
		}
		if got := s.records[1].Dropped; len(got) != 1 || got[0].Handle != pear.Handle {
			t.Errorf("%s: the stored record of the dropper has the dropped items %v, want the pear", name, got)
		}
		if got := s.entersWith(k); len(got) > 0 {
			t.Errorf("%s: the character enters with the items %v", name, got)
		}
	}
}

func TestPickUpIsStoredAlthoughRecordOfDropperIsDamaged(t *testing.T) {
	k, w, s := newStartedWriter()
	var log strings.Builder
	k.log = slog.New(slog.NewTextHandler(&log, nil))
	s.damaged = 1
	for i, item := range []sim.GroundItem{apple, pear} {
		tick, version := sim.Tick(602+i), uint64(6+i)
		k.putFrame(&sim.Frame{Tick: tick, Events: []sim.Event{{Kind: sim.EventPickedUp, Who: 2, Ground: item}, {Kind: sim.EventRecord, Record: &sim.Character{ID: 2, Version: version}}}}, false)
		if _, err := k.flush(t.Context(), false); err != nil {
			t.Error(err)
		}
		if got := s.records[2].Version; got != version || w.testLog.saved[0] != tick {
			t.Errorf("stored is version %d of the other character, and ticks up to %d; want %d and %d", got, w.testLog.saved[0], version, tick)
		}
	}
	if got := s.records[1]; got.Version != 5 || len(got.Dropped) != 2 {
		t.Errorf("the damaged record is replaced by %+v", got)
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 || !strings.Contains(log.String(), "character_id=1 ") {
		t.Errorf("logged: %s", log.String())
	}
}

// The writer may merge the first frame after missed frames only after it has read later frames.
func TestItemDroppedAfterMissedFramesLiesOnGround(t *testing.T) {
	k, w, _ := newStartedWriter()
	plum := sim.GroundItem{Handle: 9, Dropper: 2}
	k.putFrame(&sim.Frame{Tick: 602, Ground: []sim.GroundItem{apple, pear, plum}, Events: []sim.Event{
		{Kind: sim.EventDropped, Who: 2, Ground: plum}, {Kind: sim.EventRecord, Record: &sim.Character{ID: 2, Version: 6}}}}, false)
	w.missed = 1 << 40 // a process that has missed ticks owns no area
	for w.saved = 601; w.saved <= 602; w.saved++ {
		if _, err := k.flush(t.Context(), false); err != nil {
			t.Error(err)
		}
		if !k.liesOnGround(plum.Handle) || !k.liesOnGround(apple.Handle) {
			t.Errorf("after tick %d is saved, the plum lies on the ground: %t, the apple: %t", w.saved, k.liesOnGround(plum.Handle), k.liesOnGround(apple.Handle))
		}
	}
}
