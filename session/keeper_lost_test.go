package session

import (
	"context"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// answeringStore is a store whose next change of an account or a roster takes effect, and then has another result: what answer returns,
// which is called after the change.
type answeringStore struct {
	store.Store
	answer func(again func() error) error
}

func (s *answeringStore) change(do func() error) error {
	err := do()
	if answer := s.answer; err == nil && answer != nil {
		s.answer = nil
		err = answer(do)
	}
	return err
}

func (s *answeringStore) DeleteAccount(ctx context.Context, by store.SessionHolder, id store.AccountID, folded string) error {
	return s.change(func() error { return s.Store.DeleteAccount(ctx, by, id, folded) })
}

func (s *answeringStore) MergeAccounts(ctx context.Context, by store.SessionHolder, from, into store.AccountID) error {
	return s.change(func() error { return s.Store.MergeAccounts(ctx, by, from, into) })
}

func (s *answeringStore) DeleteCharacter(ctx context.Context, by store.SessionHolder, id store.AccountID, c sim.CharacterID) error {
	return s.change(func() error { return s.Store.DeleteCharacter(ctx, by, id, c) })
}

// The database is lost before it answers, or another process has made the same change.
func TestResultOfKeeperSaysWhatIsKnownAfterChangeWithoutAnswer(t *testing.T) {
	lost := func(func() error) error { return store.ErrUnavailable }
	madeBefore := func(again func() error) error { return again() }
	withServer(t, Options{}, func(r *testServer) {
		st := &answeringStore{Store: r.disk}
		k := NewKeeper(st)
		for answer, want := range map[*func(func() error) error]error{&lost: store.ErrUnavailable, &madeBefore: store.ErrNotFound} {
			r.player("Ada")
			st.answer = *answer
			names, err := k.Delete(r.ctx, "Ada", false)
			if r.mustBe(err, want); !slices.Equal(names, []string{"Ada"}) {
				t.Errorf("after %v, the deleted characters are %q", err, names)
			}
		}
		names, err := k.Delete(r.ctx, "Ada", false)
		if r.mustBe(err, store.ErrNotFound); names != nil {
			t.Errorf("an account that did not exist had the characters %q", names)
		}

		r.player("Bea")
		r.player("Cid")
		st.answer = madeBefore
		r.mustBe(k.DeleteCharacter(r.ctx, "Bea", "Bea", false), ErrNoCharacter)
		r.mustRestrict(store.AccessRule{Kind: store.AccessMute, Account: "Bea"})
		st.answer = madeBefore
		r.must(k.Merge(r.ctx, "Bea", "Cid", false))
		if rules, err := k.AccessRules(r.ctx, "Bea"); err != nil || len(rules) != 0 {
			t.Errorf("of the merged account are left %+v, %v", rules, err)
		}
		r.player("Dan")
		st.answer = func(func() error) error { // both accounts are deleted
			r.must(st.Store.DeleteAccount(r.ctx, store.SessionHolder{}, r.accountID("Cid"), "cid"))
			return store.ErrNotFound
		}
		r.mustBe(k.Merge(r.ctx, "Dan", "Cid", false), store.ErrNotFound)
	})
}

// accountID returns the id of an account.
func (r *testServer) accountID(name string) store.AccountID {
	r.t.Helper()
	a, err := r.disk.Account(r.ctx, name)
	r.must(err)
	return a.ID
}
