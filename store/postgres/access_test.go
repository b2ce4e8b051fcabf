package postgres

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/store"
)

// One node deletes a ban that has expired while another one is storing it again without an end.
func TestBanRenewedDuringDeletionOfExpiredBansStays(t *testing.T) {
	url := pgtest.Database(t)
	s := open(t, url, WithLog(quiet), Shared())
	defer closeStore(t, s)
	id, _ := character(t, s, "Ada")
	now := time.Now()
	ban := store.AccessRule{Kind: store.AccessBan, Account: "Ada", Until: now.Add(-time.Second)}
	if err := s.SetAccessRule(t.Context(), ban); err != nil {
		t.Fatal(err)
	}
	other, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(t.Context())
	tx, err := other.Begin(t.Context())
	if err == nil {
		renewed := ban
		renewed.Until = time.Time{}
		err = setAccessRule(t.Context(), tx, &renewed)
	}
	if err != nil {
		t.Fatal(err)
	}
	deleted := make(chan error)
	go func() { deleted <- s.DeleteExpiredRule(t.Context(), ban, now) }()
	eventually(t, "the deletion waits for the other node", func() bool {
		var n int
		err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`).Scan(&n)
		return err == nil && n > 0
	})
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-deleted; !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the deletion ended with %v, want %v", err, store.ErrNotFound)
	}
	if list, err := s.AccessRules(t.Context()); err != nil || len(list) != 1 || !list[0].Until.IsZero() {
		t.Errorf("stored are %+v, %v", list, err)
	}
	if a, err := s.AccountByID(t.Context(), id); err != nil || !a.Banned {
		t.Errorf("the account is %+v, %v", a, err)
	}
}

func TestRuleIsNotDeletedAsExpiredByNodeWhoseClockIsAhead(t *testing.T) {
	s := open(t, pgtest.Database(t), WithLog(quiet), Shared())
	defer closeStore(t, s)
	ban := store.AccessRule{Kind: store.AccessBan, Account: "Ada", Until: time.Now().Add(30 * time.Minute)}
	if err := s.SetAccessRule(t.Context(), ban); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteExpiredRule(t.Context(), ban, time.Now().Add(time.Hour)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the deletion ended with %v, want %v", err, store.ErrNotFound)
	}
	if list, err := s.AccessRules(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("stored are %+v, %v", list, err)
	}
}
