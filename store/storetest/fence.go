package storetest

import (
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// withGold returns a batch with a copy of the record c that has the given version and amount of gold.
func withGold(c *sim.Character, version uint64, gold int32) []*sim.Character {
	next := *c
	next.Version, next.Gold = version, gold
	return []*sim.Character{&next}
}

func ownerOfEarlierEpochIsRefused(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("one")
	ada := b.character(id, "Ada")
	gold := func(want int32) {
		t.Helper()
		if got := b.roster(id)[0].Gold; got != want {
			t.Errorf("gold is %d, want %d", got, want)
		}
	}
	first := store.Fence{{Area: 2, Epoch: 7}, {Area: 0, Epoch: 1}}
	b.must(b.SaveCharacters(b.ctx, first, withGold(ada, 1, 10)))
	gold(10)
	b.must(b.SaveCharacters(b.ctx, store.Fence{{Area: 2, Epoch: 8}}, nil)) // the next owner raises the epoch before it reads the records
	b.reopen()
	b.mustBe(b.SaveCharacters(b.ctx, first, withGold(ada, 2, 20)), store.ErrFenced)
	b.mustBe(b.SaveCharacters(b.ctx, store.Fence{{Area: 0, Epoch: 5}, {Area: 2, Epoch: 7}}, withGold(ada, 2, 20)), store.ErrFenced)
	gold(10)
	b.must(b.SaveCharacters(b.ctx, store.Fence{{Area: 0, Epoch: 1}}, withGold(ada, 2, 30))) // the refused call did not raise the epoch of area 0
	b.must(b.SaveCharacters(b.ctx, store.Fence{{Area: 2, Epoch: 8}, {Area: 5, Epoch: 0}}, withGold(ada, 3, 40)))
	gold(40)
	b.must(b.SaveCharacters(b.ctx, nil, withGold(ada, 4, 50)))
	gold(50)
	if err := b.SaveCharacters(b.ctx, store.Fence{{Area: 1, Epoch: math.MaxInt64 + 1}}, nil); err == nil || errors.Is(err, store.ErrFenced) {
		t.Errorf("a save with an epoch that is too large to be stored: error %v, want one other than ErrFenced", err)
	}
}

func fencedSaveIgnoresOlderVersions(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("one")
	ada, bea := b.character(id, "Ada"), b.character(id, "Bea")
	one, two := store.Fence{{Area: 1, Epoch: 1}}, store.Fence{{Area: 2, Epoch: 1}}
	b.must(b.SaveCharacters(b.ctx, one, withGold(ada, 5, 50)))
	b.must(b.SaveCharacters(b.ctx, two, append(withGold(ada, 4, 40), withGold(bea, 1, 11)...))) // older: Ada was in area 2 before area 1
	roster := b.roster(id)
	if roster[0].Gold != 50 || roster[0].Version != 5 || roster[1].Gold != 11 {
		t.Errorf("gold is %d and %d, want 50 and 11", roster[0].Gold, roster[1].Gold)
	}
	b.must(b.SaveCharacters(b.ctx, one, withGold(ada, 5, 51))) // an equal version is saved: items on the ground may differ
	b.must(b.SaveCharacters(b.ctx, nil, withGold(bea, 0, 12))) // without a fence an older version is saved, too, because the caller knows the order
	roster = b.roster(id)
	if roster[0].Gold != 51 || roster[1].Gold != 12 || roster[1].Version != 0 {
		t.Errorf("gold is %d and %d, want 51 and 12", roster[0].Gold, roster[1].Gold)
	}
}

// droppedItemsAreSavedByOwners tests that the owner of an area changes only the dropped items of that area, even if the owner
// does not know the newest record of the character. A character drops items in areas 1 and 2, which have different owners, and
// goes to area 3.
func droppedItemsAreSavedByOwners(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("one")
	ada := b.character(id, "Ada")
	ada.ActionBar[2] = "I\x00\x05" // an item of a RealmCrafter project, by its number in two bytes
	handle := func(a sim.AreaID) uint32 { return uint32(a)<<20 + 7 }
	item := func(a sim.AreaID) sim.DroppedItem {
		if a == 0 {
			return sim.DroppedItem{Stack: sim.ItemStack{Item: 40, Amount: 1, Health: 100}} // the item lies in no area
		}
		return sim.DroppedItem{Handle: handle(a), Stack: sim.ItemStack{Item: 40 + uint16(a), Amount: 1, Health: 100}}
	}
	save := func(owner sim.AreaID, version uint64, gold int32, dropped ...sim.AreaID) {
		t.Helper()
		batch := withGold(ada, version, gold)
		for _, a := range dropped {
			batch[0].Dropped = append(batch[0].Dropped, item(a))
		}
		b.must(b.SaveCharacters(b.ctx, store.Fence{{Area: owner, Epoch: 1}}, batch))
	}
	check := func(gold int32, dropped ...sim.AreaID) {
		t.Helper()
		c := b.roster(id)[0]
		var want []sim.DroppedItem
		for _, a := range dropped {
			want = append(want, item(a))
		}
		if c.Gold != gold || !slices.EqualFunc(c.Dropped, want, func(a, b sim.DroppedItem) bool { return a == b }) {
			t.Fatalf("gold is %d, dropped are %v; want %d, %v", c.Gold, c.Dropped, gold, want)
		}
	}
	save(1, 1, 10, 0, 1)
	check(10, 0, 1)
	save(2, 2, 20, 0, 2) // the owner of area 2 does not know of the item in area 1
	check(20, 0, 1, 2)
	save(3, 3, 30, 1, 2)
	check(30, 1, 2)
	save(1, 1, 10, 0) // the item in area 1 was picked up; the owner of area 1 does not know the newest record
	check(30, 2)
	save(3, 4, 40, 1, 2) // the owner of area 3 does not know that the item in area 1 was picked up
	check(40, 2)
	save(2, 2, 20, 0, 1, 2)
	check(40, 2)
	save(2, 4, 40)
	check(40)
}

// racingOwnersLeaveRecordOfLastEpoch lets two owners of an area save concurrently. Each of them raises the epoch
// several times. After a save of an epoch has succeeded, no save of an earlier epoch may succeed.
func racingOwnersLeaveRecordOfLastEpoch(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("one")
	ada := b.character(id, "Ada")
	const epochs = 20
	var greatest atomic.Uint64 // greatest epoch with which a save has succeeded
	var wg sync.WaitGroup
	for owner := range uint64(2) {
		wg.Go(func() {
			for epoch := owner + 1; epoch <= epochs; epoch += 2 {
				for save := range int32(5) {
					before := greatest.Load()
					err := b.SaveCharacters(b.ctx, store.Fence{{Area: 3, Epoch: epoch}}, withGold(ada, epoch, int32(epoch)*10+save))
					switch {
					case err == nil && before > epoch:
						t.Errorf("a save of epoch %d succeeded after one of epoch %d", epoch, before)
					case err == nil:
						for was := greatest.Load(); was < epoch && !greatest.CompareAndSwap(was, epoch); was = greatest.Load() {
						}
					case !errors.Is(err, store.ErrFenced):
						t.Errorf("save: %v", err)
					}
				}
			}
		})
	}
	wg.Wait()
	if got := b.roster(id)[0].Gold; got != epochs*10+4 {
		t.Errorf("gold is %d, want that of the last save of epoch %d", got, epochs)
	}
}
