package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

func concurrentCreatesYieldOneRecord(t *testing.T, open Open) {
	b := begin(t, open)
	const many = 8
	var accounts, characters atomic.Int32
	ids := make([]store.AccountID, many)
	for i := range ids {
		ids[i] = b.account(fmt.Sprint("owner", i))
	}
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			_, err := b.CreateAccount(b.ctx, store.Account{Name: "Same"})
			count(t, &accounts, err, store.ErrAccountExists)
			_, err = b.CreateCharacter(b.ctx, ids[i], &sim.Character{Name: "Same"}, 10)
			count(t, &characters, err, store.ErrNameTaken)
		})
	}
	wg.Wait()
	if accounts.Load() != 1 || characters.Load() != 1 {
		t.Errorf("%d accounts and %d characters were created with the same name, want 1 and 1", accounts.Load(), characters.Load())
	}
}

// count adds 1 to n if err is nil. It fails the test if err is neither nil nor the error want.
func count(t *testing.T, n *atomic.Int32, err, want error) {
	switch {
	case err == nil:
		n.Add(1)
	case !errors.Is(err, want):
		t.Errorf("concurrent call: error %v, want %v or none", err, want)
	}
}

func concurrentSavesSucceed(t *testing.T, open Open) {
	b := begin(t, open)
	const writers, rounds = 4, 10
	ids := make([]store.AccountID, writers)
	var wg sync.WaitGroup
	for i := range writers {
		id := b.account(fmt.Sprint("w", i))
		ids[i] = id
		c := b.character(id, fmt.Sprint("W", i))
		wg.Go(func() {
			for gold := range int32(rounds) {
				next := *c
				next.Gold = gold + 1
				if err := b.SaveCharacters(b.ctx, nil, []*sim.Character{&next}); err != nil {
					t.Errorf("save: %v", err)
				}
				if roster, err := b.Characters(b.ctx, id); err != nil || roster[0].Gold != gold+1 {
					t.Errorf("a save of this goroutine is not read back: %v", err)
				}
			}
		})
	}
	wg.Wait()
	b.reopen()
	for _, id := range ids {
		if got := b.roster(id)[0].Gold; got != rounds {
			t.Errorf("gold is %d, want %d", got, rounds)
		}
	}
}

// ordinary returns a character whose record has a typical size. A record with every field set (the function full) is twenty times
// as large.
func ordinary(name string) *sim.Character {
	c := &sim.Character{Name: name, Door: "rcce", Level: 3, Area: "Village"}
	for i := range 8 {
		c.Attr[i].Value, c.Attr[i].Max = 50, 100
		c.Inventory[i] = sim.ItemStack{Item: uint16(i), Amount: 1, Health: 100}
	}
	for i := range c.Ratings {
		c.Ratings[i] = 100
	}
	return c
}

func batchMayHaveHundredsOfRecords(t *testing.T, open Open) {
	b := begin(t, open)
	const many = 600 // more than a server saves in one batch
	batch := make([]store.Import, many)
	for i := range batch {
		c := ordinary(fmt.Sprint("Character", i))
		batch[i] = store.Import{Account: store.Account{Name: fmt.Sprint("account", i)}, Characters: []*sim.Character{c}}
	}
	if done, err := b.ImportAccounts(b.ctx, batch); err != nil || done.Characters != many {
		t.Fatalf("imported %+v, %v", done, err)
	}
	last, err := b.Account(b.ctx, fmt.Sprint("account", many-1))
	b.must(err)
	newest := b.roster(last.ID)[0]
	saves := make([]*sim.Character, many)
	for i := range saves {
		c := *newest
		c.ID, c.Gold = newest.ID-sim.CharacterID(i), int32(i)
		saves[i] = &c
	}
	b.must(b.SaveCharacters(b.ctx, nil, saves))
	b.reopen()
	first, err := b.Account(b.ctx, "ACCOUNT0")
	b.must(err)
	roster := b.roster(first.ID)
	if len(roster) != 1 || roster[0].Name != "Character0" {
		t.Fatalf("the first roster is %v", roster)
	}
}
