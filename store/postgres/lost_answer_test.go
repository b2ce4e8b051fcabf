package postgres

import (
	"errors"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// mustCount fails the test unless the store has so many accounts, and table store counts them.
func mustCount(t *testing.T, s *Store, accounts, characters int64) {
	t.Helper()
	var a, c int64
	if err := s.pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM characters)`).Scan(&a, &c); err != nil || a != accounts || c != characters {
		t.Errorf("stored are %d accounts and %d characters, %v; want %d and %d", a, c, err, accounts, characters)
	}
	if n, err := readState(t.Context(), s.pool); !s.shared && (err != nil || n.Accounts != accounts || n.Characters != characters) {
		t.Errorf("counted are %+v, %v, want %d accounts and %d characters", n, err, accounts, characters)
	}
}

func claim(t *testing.T, s *Store, id store.AccountID, by store.SessionHolder) {
	t.Helper()
	if by == (store.SessionHolder{}) {
		return
	}
	if err := s.ClaimSession(t.Context(), id, by, never); err != nil {
		t.Fatal(err)
	}
}

// lostCalls are calls of a store that has an account Ada with a character Ada. The holder of the account is by, if it is not zero. Each
// calls lose before the request whose answer is lost.
var lostCalls = map[string]func(t *testing.T, s *Store, id store.AccountID, c *sim.Character, by store.SessionHolder, lose func()){
	"EditCharacter": func(t *testing.T, s *Store, _ store.AccountID, c *sim.Character, by store.SessionHolder, lose func()) {
		c.Version, c.Gold = c.Version+1, 7
		lose()
		if err := s.EditCharacter(t.Context(), by, c); err != nil {
			t.Errorf("the edit is reported as failed: %v", err)
		}
		if got, err := s.Character(t.Context(), c.ID); err != nil || got.Gold != 7 || got.Version != c.Version {
			t.Errorf("stored is %+v, %v", got, err)
		}
		other := *c
		other.Gold = 8
		if err := s.EditCharacter(t.Context(), by, &other); !errors.Is(err, store.ErrOutdated) {
			t.Errorf("another edit to the same version: %v", err)
		}
	},
	"ReserveSerials": func(t *testing.T, s *Store, _ store.AccountID, _ *sim.Character, _ store.SessionHolder, lose func()) {
		lose()
		for i, n := range []uint64{3, 1} {
			if last, err := s.ReserveSerials(t.Context(), "north", n); last != 3+uint64(i) || err != nil {
				t.Errorf("the last of %d reserved numbers is %d, %v", n, last, err)
			}
		}
	},
	"CreateAccount": func(t *testing.T, s *Store, _ store.AccountID, _ *sim.Character, _ store.SessionHolder, lose func()) {
		lose()
		id, err := s.CreateAccount(t.Context(), store.Account{Name: "Bea", Secret: "hash"})
		if a, readErr := s.Account(t.Context(), "bea"); err != nil || readErr != nil || a.ID != id {
			t.Errorf("account %d: %v; stored is %+v, %v", id, err, a, readErr)
		}
		if _, err := s.CreateAccount(t.Context(), store.Account{Name: "Bea", Secret: "hash"}); !errors.Is(err, store.ErrAccountExists) {
			t.Errorf("another account with the name: %v", err)
		}
		mustCount(t, s, 2, 1)
	},
	"CreateCharacter": func(t *testing.T, s *Store, id store.AccountID, _ *sim.Character, _ store.SessionHolder, lose func()) {
		lose()
		made, err := s.CreateCharacter(t.Context(), id, &sim.Character{Name: "Bea"}, 2) // fills the last slot
		if roster, readErr := s.Characters(t.Context(), id); err != nil || readErr != nil || len(roster) != 2 || roster[1].ID != made || roster[1].Name != "Bea" {
			t.Errorf("character %d: %v; stored are %+v, %v", made, err, roster, readErr)
		}
		if _, err := s.CreateCharacter(t.Context(), id, &sim.Character{Name: "Bea"}, 3); !errors.Is(err, store.ErrNameTaken) {
			t.Errorf("another character with the name: %v", err)
		}
		mustCount(t, s, 1, 2)
	},
	"DeleteCharacter": func(t *testing.T, s *Store, id store.AccountID, c *sim.Character, by store.SessionHolder, lose func()) {
		lose()
		if err := s.DeleteCharacter(t.Context(), by, id, c.ID); err != nil {
			t.Errorf("the deletion is reported as failed: %v", err)
		}
		mustCount(t, s, 1, 0)
		if err := s.DeleteCharacter(t.Context(), by, id, c.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another deletion: %v", err)
		}
	},
	"DeleteAccount": func(t *testing.T, s *Store, id store.AccountID, _ *sim.Character, by store.SessionHolder, lose func()) {
		lose()
		if err := s.DeleteAccount(t.Context(), by, id, "ada"); err != nil {
			t.Errorf("the deletion is reported as failed: %v", err)
		}
		mustCount(t, s, 0, 0)
		if err := s.DeleteAccount(t.Context(), by, id, "ada"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another deletion: %v", err)
		}
	},
	"DeleteAccessRule": func(t *testing.T, s *Store, _ store.AccountID, _ *sim.Character, _ store.SessionHolder, lose func()) {
		mute := store.AccessRule{Kind: store.AccessMute, Account: "Ada"}
		if err := s.SetAccessRule(t.Context(), mute); err != nil {
			t.Fatal(err)
		}
		lose()
		if err := s.DeleteAccessRule(t.Context(), mute); err != nil {
			t.Errorf("the deletion is reported as failed: %v", err)
		}
		if err := s.DeleteAccessRule(t.Context(), mute); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another deletion: %v", err)
		}
	},
	"MergeAccounts": func(t *testing.T, s *Store, id store.AccountID, c *sim.Character, by store.SessionHolder, lose func()) {
		into, _ := character(t, s, "Bea")
		claim(t, s, into, by)
		lose()
		if err := s.MergeAccounts(t.Context(), by, id, into); err != nil {
			t.Errorf("the merge is reported as failed: %v", err)
		}
		if owner, err := s.Owner(t.Context(), c.ID); err != nil || owner != into {
			t.Errorf("the owner of the character is %d, %v, want %d", owner, err, into)
		}
		mustCount(t, s, 1, 2)
		if err := s.MergeAccounts(t.Context(), by, id, into); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("another merge: %v", err)
		}
	},
}

// shortConfirm shortens the time for which a store asks for the status of a commit.
func shortConfirm(s *Store) { s.confirmLimit = 200 * time.Millisecond }

// A change is stored, and neither the answer to its commit nor the status of the commit reaches the store, which repeats the change.
func TestChangeSucceedsAlthoughAnswerToItsCommitIsLost(t *testing.T) {
	server := pgtest.Shared(t)
	for name, call := range lostCalls {
		for mode, by := range map[string]store.SessionHolder{"single": {}, "shared": {}, "held": holder("north", 1)} {
			opts := []Option{WithLog(quiet), shortConfirm}
			if mode != "single" {
				opts = append(opts, Shared())
			}
			direct := pgtest.Schema(t)
			t.Run(name+"/"+mode, func(t *testing.T) {
				t.Parallel()
				line := pgtest.NewLine(t, server)
				s := open(t, line.URL(t, direct), opts...)
				defer closeStore(t, s)
				id, c := character(t, s, "Ada")
				claim(t, s, id, by)
				call(t, s, id, c, by, line.LoseOneAnswer)
				if n := line.Lost(); n != 1 {
					t.Errorf("%d answers were lost", n)
				}
			})
		}
	}
}
