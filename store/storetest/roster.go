package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

func characterNamesAreUnique(t *testing.T, open Open) {
	b := begin(t, open)
	one, two := b.account("one"), b.account("two")
	b.character(one, "Ada")
	_, err := b.CreateCharacter(b.ctx, two, &sim.Character{Name: "aDA"}, 10)
	b.mustBe(err, store.ErrNameTaken)
	_, err = b.CreateCharacter(b.ctx, 999, &sim.Character{Name: "Bea"}, 10)
	b.mustBe(err, store.ErrNotFound)
	if got := b.names(two); got != "" {
		t.Errorf("the second account has %q", got)
	}
	if len(b.roster(999)) != 0 {
		t.Error("a missing account has characters")
	}
}

func rosterRefusesMoreThanMaximum(t *testing.T, open Open) {
	b := begin(t, open)
	few, many := b.account("few"), b.account("many")
	b.character(few, "A")
	b.character(few, "B")
	_, err := b.CreateCharacter(b.ctx, few, &sim.Character{Name: "C"}, 2)
	b.mustBe(err, store.ErrTooMany)
	for i := range store.MaxCharacters {
		b.character(many, fmt.Sprint("M", i))
	}
	_, err = b.CreateCharacter(b.ctx, many, &sim.Character{Name: "M10"}, 99)
	b.mustBe(err, store.ErrTooMany)
}

func deletingMovesLaterSlotsUp(t *testing.T, open Open) {
	b := begin(t, open)
	id, other := b.account("one"), b.account("two")
	ada, bea, cid := b.character(id, "Ada"), b.character(id, "Bea"), b.character(id, "Cid")
	b.character(other, "Zoe")
	b.mustBe(b.DeleteCharacter(b.ctx, store.SessionHolder{}, other, ada.ID), store.ErrNotFound) // the character belongs to another account
	b.must(b.DeleteCharacter(b.ctx, store.SessionHolder{}, id, ada.ID))
	b.mustBe(b.DeleteCharacter(b.ctx, store.SessionHolder{}, id, ada.ID), store.ErrNotFound)
	if got := b.names(id); got != "Bea Cid" {
		t.Errorf("roster is %q", got)
	}
	again := b.character(id, "ada") // the name is free again, but the id is not reused
	if again.ID == ada.ID || again.ID == bea.ID || again.ID == cid.ID {
		t.Errorf("character id %d was used before", again.ID)
	}
	b.reopen()
	if got := b.names(id); got != "Bea Cid ada" {
		t.Errorf("roster is %q", got)
	}
	b.must(b.DeleteCharacter(b.ctx, store.SessionHolder{}, id, cid.ID))
	for i := range store.MaxCharacters - 2 {
		b.character(id, fmt.Sprint("N", i))
	}
	if got := len(b.roster(id)); got != store.MaxCharacters {
		t.Errorf("the roster has %d characters, want the maximum", got)
	}
	if got := b.names(other); got != "Zoe" {
		t.Errorf("the other roster is %q", got)
	}
}

func savingChangesTheSheetOnly(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("one")
	ada, bea := b.character(id, "Ada"), b.character(id, "Bea")
	gone := b.character(id, "Gone")
	b.must(b.DeleteCharacter(b.ctx, store.SessionHolder{}, id, gone.ID))
	ada.Gold, ada.Name, gone.Gold = 7, "Bea", 9
	b.must(b.SaveCharacters(b.ctx, nil, []*sim.Character{ada, gone}))
	b.must(b.SaveCharacters(b.ctx, nil, nil))
	b.reopen()
	if got := b.names(id); got != "Ada Bea" {
		t.Errorf("roster is %q: saving renamed a character or restored a deleted one", got)
	}
	roster := b.roster(id)
	if roster[0].Gold != 7 || roster[1].Gold != bea.Gold {
		t.Errorf("gold is %d and %d", roster[0].Gold, roster[1].Gold)
	}
	roster[0].Gold = 1000 // the caller may change a returned record
	if b.roster(id)[0].Gold != 7 {
		t.Error("changing a returned record changed the store")
	}
}

func batchIsSavedAtomically(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("one")
	ada := b.character(id, "Ada")
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	batch := make([]*sim.Character, 100)
	for i := range batch {
		c := *ada
		c.Gold = int32(i + 1)
		batch[i] = &c
	}
	if err := b.SaveCharacters(ctx, nil, batch); !errors.Is(err, context.Canceled) {
		t.Fatalf("saving with a cancelled context returned %v", err)
	}
	if got := b.roster(id)[0].Gold; got != 0 {
		t.Errorf("a batch that failed left %d gold", got)
	}
	b.must(b.SaveCharacters(b.ctx, nil, batch))
	if got := b.roster(id)[0].Gold; got != 100 {
		t.Errorf("the last record of a batch has 100 gold, stored is %d", got)
	}
}

func importsAreIdempotent(t *testing.T, open Open) {
	b := begin(t, open)
	ada := full("Ada")
	batch := []store.Import{
		{Account: store.Account{Name: "one", Secret: "s", GM: true}, Characters: []*sim.Character{ada, {Name: "Bea"}}},
		{Account: store.Account{Name: "two", Banned: true}},
	}
	done, err := b.ImportAccounts(b.ctx, batch)
	b.must(err)
	if done.Accounts != 2 || done.Characters != 2 || len(done.Skipped) != 0 {
		t.Fatalf("imported %+v", done)
	}
	one, err := b.Account(b.ctx, "ONE")
	b.must(err)
	if !one.GM || one.Secret != "s" || b.names(one.ID) != "Ada Bea" {
		t.Errorf("imported %+v with %q", *one, b.names(one.ID))
	}
	ada.ID = b.roster(one.ID)[0].ID
	same(t, b.roster(one.ID)[0], ada, "imported")

	b.must(b.SetSecret(b.ctx, one.ID, "changed"))
	done, err = b.ImportAccounts(b.ctx, batch)
	b.must(err)
	if done.Accounts != 0 || done.Characters != 0 || len(done.Skipped) != 2 {
		t.Errorf("the second time imported %+v", done)
	}
	b.reopen()
	if one, err = b.Account(b.ctx, "one"); err != nil || one.Secret != "changed" || b.names(one.ID) != "Ada Bea" {
		t.Errorf("after the second time: %+v, %v", one, err)
	}
}

func importsReportSkippedRecords(t *testing.T, open Open) {
	b := begin(t, open)
	b.character(b.account("old"), "Taken")
	var crowd []*sim.Character
	for i := range store.MaxCharacters + 1 {
		crowd = append(crowd, &sim.Character{Name: fmt.Sprint("C", i)})
	}
	done, err := b.ImportAccounts(b.ctx, []store.Import{
		{Account: store.Account{Name: "OLD"}, Characters: []*sim.Character{{Name: "Never"}}},
		{Account: store.Account{Name: "new"}, Characters: []*sim.Character{{Name: "A"}, {Name: "taken"}, {Name: "B"}}},
		{Account: store.Account{Name: "crowd"}, Characters: crowd},
		{Account: store.Account{Name: "New"}},
	})
	b.must(err)
	want := []store.Skipped{
		{Account: "OLD", Why: store.ErrAccountExists},
		{Account: "new", Character: "taken", Why: store.ErrNameTaken},
		{Account: "crowd", Character: "C10", Why: store.ErrTooMany},
		{Account: "New", Why: store.ErrAccountExists},
	}
	if done.Accounts != 2 || done.Characters != 12 || len(done.Skipped) != len(want) {
		t.Fatalf("imported %+v", done)
	}
	for i, s := range done.Skipped {
		if s.Account != want[i].Account || s.Character != want[i].Character || !errors.Is(s.Why, want[i].Why) {
			t.Errorf("skipped %+v, want %+v", s, want[i])
		}
	}
	fresh, err := b.Account(b.ctx, "new")
	b.must(err)
	if got := b.names(fresh.ID); got != "A B" {
		t.Errorf("roster is %q", got)
	}
}
