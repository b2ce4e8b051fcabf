package storetest

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// mustAccount creates an account with the given characters, and returns the IDs of the account and of the characters.
func (b *bench) mustAccount(a store.Account, characters ...*sim.Character) (id store.AccountID, ids []sim.CharacterID) {
	b.t.Helper()
	id, err := b.CreateAccount(b.ctx, a)
	b.must(err)
	for _, c := range characters {
		made, err := b.CreateCharacter(b.ctx, id, c, store.MaxCharacters)
		b.must(err)
		ids = append(ids, made)
	}
	return id, ids
}

// mustFind returns the names of the accounts that match a filter.
func (b *bench) mustFind(f store.Filter) (names []string) {
	b.t.Helper()
	if f.Limit == 0 {
		f.Limit = store.MaxFound
	}
	list, err := b.Find(b.ctx, f)
	b.must(err)
	for i := range list {
		names = append(names, list[i].Name)
	}
	return names
}

func accountsAreFound(t *testing.T, open Open) {
	b := begin(t, open)
	created := time.UnixMilli(1_767_323_045_678).UTC()
	b.mustAccount(store.Account{Name: "Ann", CreatedAt: created}, &sim.Character{Name: "Zoe", Door: "rs"}, &sim.Character{Name: "Ada", Door: "rcce"}, &sim.Character{Name: "Abe", Door: "rs"})
	b.mustAccount(store.Account{Name: "a_b", Banned: true, CreatedAt: created})
	b.mustAccount(store.Account{Name: "axb", CreatedAt: created.Add(time.Hour)})
	b.mustAccount(store.Account{Name: "Bea", CreatedAt: created}, &sim.Character{Name: "ANNE", Door: "web"})
	b.reopen()
	yes, no := true, false
	for _, c := range []struct {
		f    store.Filter
		want []string
	}{
		{store.Filter{}, []string{"Ann", "a_b", "axb", "Bea"}},
		{store.Filter{Prefix: "an"}, []string{"Ann", "Bea"}},
		{store.Filter{Prefix: "A_"}, []string{"a_b"}},
		{store.Filter{Prefix: "%"}, nil},
		{store.Filter{Prefix: "zo"}, []string{"Ann"}},
		{store.Filter{Door: "rs"}, []string{"Ann"}},
		{store.Filter{Door: "web", Prefix: "b"}, []string{"Bea"}},
		{store.Filter{Banned: &yes}, []string{"a_b"}},
		{store.Filter{Banned: &no, SeenBefore: created.Add(2 * time.Hour)}, []string{"axb"}},
		{store.Filter{SeenSince: created.Add(time.Hour)}, []string{"Ann", "axb", "Bea"}}, // Ann and Bea have characters that were saved just now
		{store.Filter{After: "ann", Limit: 2}, []string{"axb", "Bea"}},
	} {
		got := b.mustFind(c.f)
		slices.Sort(got)
		want := slices.Clone(c.want)
		if slices.Sort(want); !slices.Equal(got, want) && c.f.After == "" {
			t.Errorf("%+v finds %q, want %q", c.f, got, want)
		}
	}
	all := b.mustFind(store.Filter{})
	var paged []string
	for after := ""; ; {
		page := b.mustFind(store.Filter{After: after, Limit: 1})
		if len(page) == 0 {
			break
		}
		paged, after = append(paged, page...), page[0]
	}
	if !slices.Equal(paged, all) {
		t.Errorf("pages have %q, want %q", paged, all)
	}
	list, err := b.Find(b.ctx, store.Filter{Prefix: "ann", Limit: 1})
	b.must(err)
	if a := list[0]; !slices.Equal(a.Characters, []string{"Zoe", "Ada", "Abe"}) || !slices.Equal(a.Doors, []string{"rcce", "rs"}) || !a.LastSeen.After(created) {
		t.Errorf("found %+v", a)
	}
}

func charactersAreEdited(t *testing.T, open Open) {
	b := begin(t, open)
	_, ids := b.mustAccount(store.Account{Name: "Ann"}, &sim.Character{Name: "Ada", Version: 4, Gold: 1}, &sim.Character{Name: "Abe"})
	for range 2 { // the second call is a repetition
		b.must(b.EditCharacter(b.ctx, store.SessionHolder{}, &sim.Character{ID: ids[0], Name: "Ida", Version: 5, Gold: 9}))
	}
	b.mustBe(b.EditCharacter(b.ctx, store.SessionHolder{}, &sim.Character{ID: ids[0], Name: "Eda", Version: 5, Gold: 9}), store.ErrOutdated)
	b.reopen()
	if c, err := b.Character(b.ctx, ids[0]); err != nil || c.Name != "Ida" || c.Gold != 9 || c.Version != 5 {
		t.Errorf("edited is %+v, %v", c, err)
	}
	b.mustBe(b.EditCharacter(b.ctx, store.SessionHolder{}, &sim.Character{ID: ids[0], Name: "Ida", Version: 5, Gold: 8}), store.ErrOutdated)
	b.mustBe(b.EditCharacter(b.ctx, store.SessionHolder{}, &sim.Character{ID: ids[0], Name: "aBE", Version: 6}), store.ErrNameTaken)
	b.mustBe(b.EditCharacter(b.ctx, store.SessionHolder{}, &sim.Character{ID: ids[0], Name: "\xff", Version: 6}), store.ErrText)
	b.mustBe(b.EditCharacter(b.ctx, store.SessionHolder{}, &sim.Character{ID: 999, Name: "x", Version: 6}), store.ErrNotFound)
	if b.EditCharacter(b.ctx, store.SessionHolder{}, &sim.Character{ID: ids[0], Version: 6}) == nil {
		t.Error("a character without a name was stored")
	}
}

func charactersMoveBetweenAccounts(t *testing.T, open Open) {
	b := begin(t, open)
	var many []*sim.Character
	for i := range store.MaxCharacters {
		many = append(many, &sim.Character{Name: fmt.Sprint("Full", i)})
	}
	ann, anns := b.mustAccount(store.Account{Name: "Ann"}, &sim.Character{Name: "A1"}, &sim.Character{Name: "A2"}, &sim.Character{Name: "A3"})
	bea, _ := b.mustAccount(store.Account{Name: "Bea"}, &sim.Character{Name: "B1"})
	full, _ := b.mustAccount(store.Account{Name: "Full"}, many...)
	b.must(b.MoveCharacter(b.ctx, store.SessionHolder{}, anns[1], bea))
	b.must(b.MoveCharacter(b.ctx, store.SessionHolder{}, anns[0], ann)) // moving a character to its own account changes nothing
	b.mustBe(b.MoveCharacter(b.ctx, store.SessionHolder{}, anns[0], full), store.ErrTooMany)
	b.mustBe(b.MoveCharacter(b.ctx, store.SessionHolder{}, anns[0], 999), store.ErrNotFound)
	b.mustBe(b.MoveCharacter(b.ctx, store.SessionHolder{}, 999, bea), store.ErrNotFound)
	b.reopen()
	if a, c := b.names(ann), b.names(bea); a != "A1 A3" || c != "B1 A2" {
		t.Errorf("the accounts have %q and %q", a, c)
	}
	if owner, err := b.Owner(b.ctx, anns[1]); err != nil || owner != bea {
		t.Errorf("the moved character belongs to account %d, %v", owner, err)
	}

	b.mustBe(b.MergeAccounts(b.ctx, store.SessionHolder{}, ann, full), store.ErrTooMany)
	b.mustBe(b.MergeAccounts(b.ctx, store.SessionHolder{}, ann, 999), store.ErrNotFound)
	b.mustBe(b.MergeAccounts(b.ctx, store.SessionHolder{}, 999, ann), store.ErrNotFound)
	if b.MergeAccounts(b.ctx, store.SessionHolder{}, ann, ann) == nil {
		t.Error("an account was merged into itself")
	}
	if a := b.names(ann); a != "A1 A3" {
		t.Errorf("after merges that failed the account has %q", a)
	}
	b.must(b.MergeAccounts(b.ctx, store.SessionHolder{}, ann, bea))
	b.reopen()
	if c := b.names(bea); c != "B1 A2 A1 A3" {
		t.Errorf("the merged account has %q", c)
	}
	if _, err := b.Account(b.ctx, "Ann"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the account that was merged into another: %v", err)
	}
}

func accountsAreDeleted(t *testing.T, open Open) {
	b := begin(t, open)
	ann, _ := b.mustAccount(store.Account{Name: "Ann"}, &sim.Character{Name: "Ada"}, &sim.Character{Name: "Abe"})
	bea, _ := b.mustAccount(store.Account{Name: "Bea"}, &sim.Character{Name: "B1"})
	at := time.UnixMilli(1_767_323_045_678).UTC()
	b.must(b.SaveKnownAddresses(b.ctx, []store.KnownAddress{
		{Account: "ann", Addr: netip.MustParseAddr("192.0.2.1"), At: at}, {Account: "bea", Addr: netip.MustParseAddr("192.0.2.1"), At: at},
	}, at))
	b.must(b.DeleteAccount(b.ctx, store.SessionHolder{}, ann, "ann"))
	b.mustBe(b.DeleteAccount(b.ctx, store.SessionHolder{}, ann, "ann"), store.ErrNotFound)
	b.reopen()
	if left := b.names(ann); left != "" {
		t.Errorf("the deleted account has %q", left)
	}
	if known, err := b.KnownAddresses(b.ctx, at); err != nil || len(known) != 1 || known[0].Account != "bea" {
		t.Errorf("known addresses are %v, %v", known, err)
	}
	if _, err := b.CreateCharacter(b.ctx, bea, &sim.Character{Name: "Ada"}, store.MaxCharacters); err != nil {
		t.Errorf("the name of a deleted character is not free: %v", err)
	}
}
