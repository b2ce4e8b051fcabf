package session

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
)

// lastRun is the state that a killed server left: the store, and an area at the tick of its last snapshot.
type lastRun struct {
	world *sim.World
	store *sqlite.Store
	area  *sim.Area
	chars []*sim.Character
}

// newLastRun returns a run in which every player has dropped its only item at tick 2, and the records of that tick are stored.
func newLastRun(t *testing.T, dir string, names ...string) *lastRun {
	t.Helper()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	run := &lastRun{world: market(), store: db}
	run.area = sim.NewArea(run.world, 0, 1)
	world := area.NewWorld(run.world, area.Options{})
	hub := NewHub(world, db, Options{HashCost: cheap, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	var joins, drops []sim.Intent
	for i, name := range names {
		l := (&testServer{Hub: hub, t: t, ctx: t.Context()}).player(name)
		c, err := hub.Character(t.Context(), l, 0)
		if err != nil {
			t.Fatal(err)
		}
		c.Inventory[bag] = sim.ItemStack{Item: herb, Amount: 1, Health: 100}
		run.chars = append(run.chars, c)
		who := sim.PlayerID(0, uint64(1000+i))
		joins = append(joins, sim.Intent{Kind: sim.IntentJoin, Who: who, Join: &sim.Join{Character: c, Portal: -1, Pos: c.Pos, Login: true}})
		drops = append(drops, sim.Intent{Kind: sim.IntentDrop, Who: who, SlotA: bag, Amount: 1})
	}
	run.area.Step(joins)
	hub.writer.putFrame(run.area.Step(drops), false)
	if err := errors.Join(world.Stop(t.Context()), hub.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	return run
}

// start steps the area through the given ticks, as a restore from the tape does, and starts a server with it.
func (run *lastRun) start(t *testing.T, dir string, ticks ...[]sim.Intent) *testServer {
	t.Helper()
	var restored RestoredRecords
	for _, intents := range ticks {
		restored.AddFrame(run.area.Step(intents))
	}
	restored.AddArea(run.area)
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	r := &testServer{t: t, ctx: t.Context(), dir: dir, disk: &failingStore{Store: run.store}}
	r.world = area.NewWorld(run.world, area.Options{Log: quiet, Open: func(id sim.AreaID) (area.Log, *sim.Area) {
		if id == 0 {
			return nil, run.area
		}
		return nil, nil
	}})
	r.Hub = NewHub(r.world, r.disk, Options{HashCost: cheap, Log: quiet})
	r.must(r.RestoreRecords(t.Context(), &restored))
	r.world.Start(t.Context())
	return r
}

func leave(who uint64) sim.Intent {
	return sim.Intent{Kind: sim.IntentLeave, Who: sim.PlayerID(0, who)}
}

// While an item is on the ground of a restored area, the player that dropped it does not have it. After the server stops, the
// player's record has the item again.
func TestItemOnGroundInRestoredAreaIsNotInInventoryOfDropper(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		run := newLastRun(t, dir, "Ada")
		if stored, err := run.store.Character(t.Context(), run.chars[0].ID); err != nil || len(stored.Dropped) != 1 {
			t.Fatalf("stored before the kill: %v, %v", stored, err)
		}
		r := run.start(t, dir, []sim.Intent{leave(1000)})
		ticks(40)
		l, err := r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.must(err)
		s := r.enters(l)
		if c := s.Character; len(c.Dropped) != 0 || c.Inventory[bag].Amount != 0 {
			t.Errorf("Ada enters with %v and %v while the item is on the ground", c.Inventory[bag], c.Dropped)
		}
		if stored := r.stored(l); len(stored.Dropped) != 1 || stored.Inventory[bag].Amount != 0 {
			t.Errorf("stored while the item is on the ground: %v and %v", stored.Inventory[bag], stored.Dropped)
		}
		r.must(r.world.Stop(r.ctx))
		r.must(r.Close(r.ctx))
		if c := giveBack(r.stored(l), run.world); c.Inventory[bag].Amount != 1 || len(c.Dropped) != 0 {
			t.Errorf("after a stop Ada has %v and %v", c.Inventory[bag], c.Dropped)
		}
		r.must(r.disk.Close())
	})
}

// While Ada is not in the world, Bea picks up Ada's item: in a tick that the restart steps again, or after the restart.
func TestItemPickedUpAfterSnapshotIsNotReturnedToDropper(t *testing.T) {
	for _, before := range []bool{true, false} {
		dir := emptystore.Dir(t)
		synctest.Test(t, func(t *testing.T) {
			run := newLastRun(t, dir, "Ada", "Bea")
			var adas uint32
			run.area.Ground(func(g sim.GroundItem) {
				if g.Dropper == run.chars[0].ID {
					adas = g.Handle
				}
			})
			take := sim.Intent{Kind: sim.IntentPickUp, Who: sim.PlayerID(0, 1001), SlotA: bag, Ground: adas}
			again := [][]sim.Intent{{leave(1000)}, {take}}
			if !before {
				again = again[:1]
			}
			r := run.start(t, dir, again...)
			defer r.shut()
			if !before {
				r.must(r.world.Submit(0, take))
			}
			ticks(60)
			ada, err := r.disk.Character(r.ctx, run.chars[0].ID)
			r.must(err)
			bea, err := r.disk.Character(r.ctx, run.chars[1].ID)
			r.must(err)
			if len(ada.Dropped) != 0 || ada.Inventory[bag].Amount != 0 || len(bea.Dropped) != 1 || bea.Inventory[bag].Amount != 1 {
				t.Errorf("picked up before the kill %v: Ada has %v and %v, Bea %v and %v", before, ada.Inventory[bag], ada.Dropped, bea.Inventory[bag], bea.Dropped)
			}
		})
	}
}

// A store that is newer than a restored area, because the log of the area had a gap, must not override the records that the area
// emits.
func TestRecordOfRestoredAreaReplacesNewerStoredRecord(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		run := newLastRun(t, dir, "Ada")
		ahead, err := run.store.Character(t.Context(), run.chars[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		gold := ahead.Gold
		ahead.Gold, ahead.Version = 999, ahead.Version+10
		if err := run.store.SaveCharacters(t.Context(), nil, []*sim.Character{ahead}); err != nil {
			t.Fatal(err)
		}
		r := run.start(t, dir)
		defer r.shut()
		r.must(r.world.Submit(0, leave(1000)))
		ticks(60)
		l, err := r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.must(err)
		if c, err := r.Character(r.ctx, l, 0); err != nil || c.Gold != gold || r.stored(l).Gold != gold {
			t.Errorf("the roster has %d gold, %v, and the store %d; want %d, as in the area", c.Gold, err, r.stored(l).Gold, gold)
		}
	})
}

func TestRestoreOfRecordsFailsIfStoreCannotBeRead(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		broken := errors.New("disk failed")
		r.writer.store = unreadable{r.disk, broken}
		r.mustBe(r.RestoreRecords(r.ctx, &RestoredRecords{ground: []droppedItem{{handle: 1, dropper: 1}}}), broken)
	})
}

// unreadable is a store whose reads of characters fail.
type unreadable struct {
	store.Store
	err error
}

func (u unreadable) Character(context.Context, sim.CharacterID) (*sim.Character, error) {
	return nil, u.err
}
