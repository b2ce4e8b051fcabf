package session

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/internal/simstore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// epochWorld is the world as one process sees it: the process owns the only area in an epoch.
type epochWorld struct {
	epoch uint64
	saved sim.Tick
}

func (w *epochWorld) Storable(sim.AreaID) sim.Tick              { return 100 }
func (w *epochWorld) Saved(_ sim.AreaID, tick sim.Tick)         { w.saved = tick }
func (w *epochWorld) Owner(sim.AreaID) (epoch uint64, own bool) { return w.epoch, true }
func (w *epochWorld) SavedTick(sim.AreaID) sim.Tick             { return w.saved }
func (w *epochWorld) Missed(sim.AreaID, sim.Tick)               {}

// epochStore is a store of records with the rules of package store/postgres.
type epochStore struct {
	store.Store
	records simstore.Records
	away    error // error of each save; nil for none
}

func (s *epochStore) SaveCharacters(_ context.Context, f store.Fence, batch []*sim.Character) error {
	if s.away != nil {
		return s.away
	}
	return s.records.Save(f, batch)
}

func (s *epochStore) Character(_ context.Context, id sim.CharacterID) (*sim.Character, error) {
	c := *s.records.Characters[id]
	c.Dropped = slices.Clone(c.Dropped)
	return &c, nil
}

// An owner is cut off before it has stored records, and the cluster gives these up: the next owner, which lacks them, counts their ticks
// as stored. The player logs in again with its older stored record. Then the former owner stores the records that were given up, which
// have greater versions than those of the next owner. Only the epoch tells that they are of another past. While no records are given up,
// versions and ticks keep the store right without epochs, because all processes read the same frames: see ownersModel.
func TestRecordsThatWereGivenUpAreNotStoredLater(t *testing.T) {
	for _, noEpochs := range []bool{false, true} {
		st := &epochStore{records: simstore.New()}
		st.records.NoEpochs = noEpochs
		process := func(epoch uint64) *recordWriter {
			k := newRecordWriter(st, &epochWorld{epoch: epoch}, 1, Options{Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New()})
			k.cluster = true
			return k
		}
		frame := func(tick sim.Tick, kind sim.EventKind, version uint64, points int32) *sim.Frame {
			return &sim.Frame{Tick: tick, Events: []sim.Event{{Kind: kind, Record: &sim.Character{ID: 1, Version: version, XP: points}}}}
		}
		former, owner := process(1), process(2)
		former.putFrame(frame(1, sim.EventRecord, 1, 10), false)
		if n, err := former.flush(t.Context(), true); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		former.putFrame(frame(2, sim.EventRecord, 2, 20), false)
		former.putFrame(frame(3, sim.EventLeft, 3, 30), false) // the former owner stands still now

		owner.putFrame(frame(4, sim.EventRecord, 2, 11), true) // the player has entered with the stored record
		if n, err := owner.flush(t.Context(), true); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		_, err := former.flush(t.Context(), true)
		want := int32(11)
		if noEpochs { // the error that epochs prevent
			want = 30
		}
		if got := st.records.Characters[1].XP; got != want || err != nil {
			t.Errorf("without epochs %t: the store has %d points, want %d; %v", noEpochs, got, want, err)
		}
		if refused := former.refused[0]; refused != 0 == noEpochs {
			t.Errorf("without epochs %t: the former owner has been refused in epoch %d", noEpochs, refused)
		}
	}
}

// An owner has missed the frame in which an item that it knows was picked up, and the cluster has given up the records of that tick. Its
// first save fails. The next one must store the record of the character that had dropped the item, or the store has the item twice once the
// other character's record is stored.
func TestItemsGoneInMissedTicksAreRemovedFromRecordsAfterFailedSave(t *testing.T) {
	st := &epochStore{records: simstore.New()}
	k := newRecordWriter(st, &epochWorld{epoch: 1}, 1, Options{Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New()})
	k.cluster = true
	item := sim.GroundItem{Handle: 7, Stack: sim.ItemStack{Item: 3, Amount: 1}, Dropper: 1}
	k.putFrame(&sim.Frame{Tick: 1, Ground: []sim.GroundItem{item}, Events: []sim.Event{
		{Kind: sim.EventDropped, Ground: item}, {Kind: sim.EventRecord, Record: &sim.Character{ID: 1, Version: 2}},
	}}, false)
	if n, err := k.flush(t.Context(), true); n != 1 || err != nil || len(st.records.Characters[1].Dropped) != 1 {
		t.Fatalf("%d records are stored, %v: %+v", n, err, st.records.Characters[1])
	}
	k.putFrame(&sim.Frame{Tick: 3}, true)
	st.away = store.ErrUnavailable
	if _, err := k.flush(t.Context(), true); err == nil {
		t.Fatal("the save has not failed")
	}
	st.away = nil
	if n, err := k.flush(t.Context(), true); n != 1 || err != nil || len(st.records.Characters[1].Dropped) != 0 {
		t.Errorf("then %d records are stored, %v: %+v", n, err, st.records.Characters[1].Dropped)
	}
	if len(k.records) != 0 {
		t.Errorf("%d records are still in memory", len(k.records))
	}
}

// As above, but at the second save the process has no record of the character in memory: it has started after the drop, or the owner of
// another area has stored a newer record of the character meanwhile. Until then logins must not give the item back.
func TestItemsGoneInMissedTicksAreRemovedFromRecordsThatAreNotInMemory(t *testing.T) {
	item := sim.GroundItem{Handle: 7, Stack: sim.ItemStack{Item: 3, Amount: 1}, Dropper: 1}
	stored := func(version uint64) *sim.Character {
		return &sim.Character{ID: 1, Version: version, Dropped: []sim.DroppedItem{{Handle: 7, Stack: item.Stack}}}
	}
	for name, c := range map[string]struct {
		first     *sim.Frame // the frame in which the process sees the item
		elsewhere bool       // a newer record of the character comes from another area, whose owner stores it after the first save
	}{
		"started after the drop": {&sim.Frame{Tick: 3, Ground: []sim.GroundItem{item}}, false},
		"newer record stored by other owner": {&sim.Frame{Tick: 1, Ground: []sim.GroundItem{item}, Events: []sim.Event{
			{Kind: sim.EventDropped, Ground: item}, {Kind: sim.EventRecord, Record: &sim.Character{ID: 1, Version: 2}},
		}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			st := &epochStore{records: simstore.New()}
			st.records.Characters[1] = stored(2)
			w := &twoAreas{epochs: [2]uint64{1, 1}}
			k := newRecordWriter(st, w, 2, Options{Log: slog.New(slog.DiscardHandler), Metrics: telemetry.New()})
			k.cluster = true
			k.putFrame(c.first, c.first.Tick > 1)
			if _, err := k.flush(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			if c.elsewhere {
				k.putFrame(&sim.Frame{Area: 1, Tick: 1, Events: []sim.Event{{Kind: sim.EventRecord, Record: &sim.Character{ID: 1, Version: 5}}}}, false)
			}
			k.putFrame(&sim.Frame{Tick: 9}, true)
			st.away = store.ErrUnavailable
			if _, err := k.flush(t.Context(), true); err == nil {
				t.Fatal("the save has not failed")
			}
			st.away = nil
			if c.elsewhere {
				st.records.Characters[1] = stored(5)
				w.epochs[1], w.saved[1] = 0, 1
			}
			if got := k.withoutGround(st.records.Characters[1]); len(got.Dropped) != 0 {
				t.Errorf("a login before the next save gives back %+v", got.Dropped)
			}
			if n, err := k.flush(t.Context(), false); n != 1 || err != nil {
				t.Errorf("then %d records are stored, %v, want 1", n, err)
			}
			if got := st.records.Characters[1].Dropped; len(got) != 0 {
				t.Errorf("the stored record has %+v", got)
			}
			if len(k.records) != 0 || len(k.unheld) != 0 || len(k.ground) != 0 {
				t.Errorf("in memory: %d records, unheld %v, on the ground %v", len(k.records), k.unheld, k.ground)
			}
		})
	}
}

// twoAreas is a world of two areas as one process sees it: the process owns each in its epoch, or does not own it if the epoch is 0.
type twoAreas struct {
	epochs [2]uint64
	saved  [2]sim.Tick
}

func (w *twoAreas) Storable(sim.AreaID) sim.Tick                { return 100 }
func (w *twoAreas) Saved(a sim.AreaID, tick sim.Tick)           { w.saved[a] = tick }
func (w *twoAreas) Owner(a sim.AreaID) (epoch uint64, own bool) { return w.epochs[a], w.epochs[a] > 0 }
func (w *twoAreas) SavedTick(a sim.AreaID) sim.Tick             { return w.saved[a] }
func (w *twoAreas) Missed(sim.AreaID, sim.Tick)                 {}
