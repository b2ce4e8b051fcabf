// Package storetest provides the tests that every backend of store.Store must pass.
//
//	func TestBackend(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, dir string) store.Store { ... })
//	}
package storetest

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Open opens the store in a temporary directory, which is empty at first. Open is called again for the same directory
// after the store was closed; the store must then have the same content. The tests close the returned store.
type Open func(t *testing.T, dir string) store.Store

// Run runs all tests on one backend. The function open opens stores of that backend.
func Run(t *testing.T, open Open) {
	tests := []struct {
		name string
		run  func(t *testing.T, open Open)
	}{
		{"AccountsRoundTrip", accountsRoundTrip},
		{"AccountNamesIgnoreASCIICaseOnly", accountNamesIgnoreASCIICaseOnly},
		{"TextRoundTrips", textRoundTrips},
		{"InvalidUTF8IsRefused", invalidUTF8IsRefused},
		{"SecretsAndBansChange", secretsAndBansChange},
		{"AccountsAreFound", accountsAreFound},
		{"CharactersAreEdited", charactersAreEdited},
		{"CharactersMoveBetweenAccounts", charactersMoveBetweenAccounts},
		{"AccountsAreDeleted", accountsAreDeleted},
		{"AccessRulesAreStoredAndReplaced", accessRulesAreStoredAndReplaced},
		{"AccessRulesAreDeletedOnceExpired", accessRulesAreDeletedOnceExpired},
		{"BansOfAccountsSetTheirFlag", bansOfAccountsSetTheirFlag},
		{"KnownAddressesAreBoundedAndExpire", knownAddressesAreBoundedAndExpire},
		{"CharactersRoundTrip", charactersRoundTrip},
		{"NonFiniteNumbersAreStoredAsZero", notANumberIsStoredAsZero},
		{"CharacterNamesAreUnique", characterNamesAreUnique},
		{"RosterRefusesMoreThanMaximum", rosterRefusesMoreThanMaximum},
		{"DeletingMovesLaterSlotsUp", deletingMovesLaterSlotsUp},
		{"SavingChangesTheSheetOnly", savingChangesTheSheetOnly},
		{"BatchIsSavedAtomically", batchIsSavedAtomically},
		{"ImportsAreIdempotent", importsAreIdempotent},
		{"ImportsReportSkippedRecords", importsReportSkippedRecords},
		{"ConcurrentCreatesOfOneNameYieldOneRecord", concurrentCreatesYieldOneRecord},
		{"ConcurrentSavesSucceed", concurrentSavesSucceed},
		{"BatchMayHaveHundredsOfRecords", batchMayHaveHundredsOfRecords},
		{"OwnerOfEarlierEpochIsRefused", ownerOfEarlierEpochIsRefused},
		{"FencedSaveIgnoresOlderVersions", fencedSaveIgnoresOlderVersions},
		{"DroppedItemsAreSavedByOwnersOfTheirAreas", droppedItemsAreSavedByOwners},
		{"RacingOwnersLeaveRecordOfLastEpoch", racingOwnersLeaveRecordOfLastEpoch},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}

// bench is the store under test, with helper methods.
type bench struct {
	store.Store
	t    *testing.T
	ctx  context.Context
	open Open
	dir  string
}

func begin(t *testing.T, open Open) *bench {
	t.Helper()
	b := &bench{t: t, ctx: t.Context(), open: open, dir: t.TempDir()}
	b.Store = open(t, b.dir)
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

// reopen closes the store and opens it again, so that later checks read what is on disk.
func (b *bench) reopen() {
	b.t.Helper()
	if err := b.Close(); err != nil {
		b.t.Fatalf("close: %v", err)
	}
	b.Store = b.open(b.t, b.dir)
}

func (b *bench) account(name string) store.AccountID {
	b.t.Helper()
	id, err := b.CreateAccount(b.ctx, store.Account{Name: name, Secret: "hash"})
	if err != nil {
		b.t.Fatalf("account %q: %v", name, err)
	}
	return id
}

func (b *bench) character(id store.AccountID, name string) *sim.Character {
	b.t.Helper()
	c := &sim.Character{Name: name, Level: 1, Area: "Village"}
	made, err := b.CreateCharacter(b.ctx, id, c, store.MaxCharacters)
	if err != nil {
		b.t.Fatalf("character %q: %v", name, err)
	}
	c.ID = made
	return c
}

func (b *bench) roster(id store.AccountID) []*sim.Character {
	b.t.Helper()
	roster, err := b.Characters(b.ctx, id)
	if err != nil {
		b.t.Fatalf("roster of %d: %v", id, err)
	}
	return roster
}

func (b *bench) names(id store.AccountID) string {
	b.t.Helper()
	var names []string
	for _, c := range b.roster(id) {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

func (b *bench) mustBe(err, want error) {
	b.t.Helper()
	if !errors.Is(err, want) {
		b.t.Fatalf("got error %v, want %v", err, want)
	}
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func accountsRoundTrip(t *testing.T, open Open) {
	b := begin(t, open)
	want := store.Account{
		Name: "Rustbot", Secret: "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$a2V5", Email: "rust@bot.com",
		GM: true, Banned: true, Frozen: true, Ignore: []string{"loud", "J\u00f6rg"},
		CreatedAt: time.Date(2024, 2, 29, 12, 30, 0, 123e6, time.UTC),
	}
	id, err := b.CreateAccount(b.ctx, want)
	b.must(err)
	b.reopen()
	got, err := b.Account(b.ctx, "Rustbot")
	b.must(err)
	want.ID = id
	if id <= 0 || !reflect.DeepEqual(*got, want) {
		t.Fatalf("account came back as\n%+v, want\n%+v", *got, want)
	}
	if got, err = b.AccountByID(b.ctx, id); err != nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("account read by its ID is %+v, %v, want\n%+v", got, err, want)
	}
	_, err = b.AccountByID(b.ctx, id+1)
	b.mustBe(err, store.ErrNotFound)

	plain := b.account("plain")
	got, err = b.Account(b.ctx, "plain")
	b.must(err)
	if age := time.Since(got.CreatedAt); age < -time.Minute || age > time.Hour {
		t.Errorf("an account stored without a creation time was created %v ago", age)
	}
	if got.ID != plain || plain == id || got.GM || got.Banned || got.Frozen || len(got.Ignore) != 0 {
		t.Errorf("plain account came back as %+v", *got)
	}
}

func accountNamesIgnoreASCIICaseOnly(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("J\u00f6rg")
	_, err := b.CreateAccount(b.ctx, store.Account{Name: "j\u00f6RG"})
	b.mustBe(err, store.ErrAccountExists)
	got, err := b.Account(b.ctx, "J\u00f6RG")
	b.must(err)
	if got.ID != id || got.Name != "J\u00f6rg" {
		t.Errorf("found %d %q, want %d %q", got.ID, got.Name, id, "J\u00f6rg")
	}
	if other := b.account("J\u00d6rg"); other == id { // the case of letters outside ASCII counts, so this is another name
		t.Error("two different names give the same account")
	}
	_, err = b.Account(b.ctx, "Jorg")
	b.mustBe(err, store.ErrNotFound)
}

func secretsAndBansChange(t *testing.T, open Open) {
	b := begin(t, open)
	id, other := b.account("one"), b.account("two")
	b.must(b.SetSecret(b.ctx, id, "new"))
	b.must(b.SetBanned(b.ctx, id, true))
	b.must(b.SetFrozen(b.ctx, id, true))
	b.reopen()
	got, err := b.Account(b.ctx, "one")
	b.must(err)
	if got.Secret != "new" || !got.Banned || !got.Frozen {
		t.Errorf("account is %+v", *got)
	}
	if list, err := b.Banned(b.ctx); err != nil || len(list) != 1 || list[0].ID != id || list[0].Name != "one" || list[0].Secret != "new" {
		t.Errorf("banned are %+v, %v", list, err)
	}
	b.must(b.SetBanned(b.ctx, id, false))
	if list, err := b.Banned(b.ctx); err != nil || len(list) != 0 {
		t.Errorf("after the pardon banned are %+v, %v", list, err)
	}
	if got, err = b.Account(b.ctx, "one"); err != nil || got.Banned {
		t.Errorf("pardoned account is %+v, %v", got, err)
	}
	if got, err = b.Account(b.ctx, "two"); err != nil || got.ID != other || got.Secret != "hash" {
		t.Errorf("the other account is %+v, %v", got, err)
	}
	b.mustBe(b.SetSecret(b.ctx, 999, "x"), store.ErrNotFound)
	b.mustBe(b.SetBanned(b.ctx, 999, true), store.ErrNotFound)
}
