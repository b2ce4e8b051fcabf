package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/storetest"
)

// tableRows returns all rows of the tables that a copy replaces, with the checksums of the rows.
func tableRows(t *testing.T, s *Store) (list []string) {
	t.Helper()
	for _, table := range []string{"accounts", "characters", "known_addresses", "access_rules", "areas", "sqlite_sequence"} {
		err := queryValues(t.Context(), s.db, `SELECT * FROM `+table+` ORDER BY 1, 2`, func(v []any) error {
			list = append(list, fmt.Sprintf("%s %#v", table, v))
			return nil
		})
		if err != nil {
			t.Fatal(table, err)
		}
	}
	return list
}

func TestCopyOfDataFileHasSameRowsAndFailedCopyLeavesTargetUnchanged(t *testing.T) {
	from, to := open(t, t.TempDir()), open(t, t.TempDir())
	defer closeStore(t, from)
	storetest.Fill(t, from)
	if _, err := to.CreateAccount(t.Context(), store.Account{Name: "Old"}); err != nil {
		t.Fatal(err)
	}
	before := tableRows(t, to)
	exec := func(query string) {
		if _, err := to.db.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []error{store.ErrNotEmpty, context.Canceled, store.ErrCorrupt} {
		if want == store.ErrCorrupt {
			exec(`CREATE TRIGGER damage AFTER INSERT ON characters WHEN NEW.slot = 2 BEGIN UPDATE characters SET slot = 5 WHERE id = NEW.id; END`)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := store.Copy(ctx, from, to, want != store.ErrNotEmpty, func(verb string, done, total int) {
			if want == context.Canceled && verb == "verified" && done == total-1 {
				cancel()
			}
		})
		if cancel(); !errors.Is(err, want) || !slices.Equal(tableRows(t, to), before) {
			t.Errorf("%v, want %v; the target has %d rows, had %d", err, want, len(tableRows(t, to)), len(before))
		}
	}
	exec(`DROP TRIGGER damage`)
	done, err := store.Copy(t.Context(), from, to, true, nil)
	if err != nil || done.Accounts != 20 || done.Known != 4 {
		t.Errorf("copied %+v, %v", done, err)
	}
	got, want := tableRows(t, to), tableRows(t, from)
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("row %d of the copy is %.2000s, want %.2000s", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("the copy has %d rows, want %d", len(got), len(want))
	}
	closeStore(t, to)
}
