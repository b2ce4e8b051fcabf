package postgres

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/store/storetest"
)

// allRows returns copies of all rows of a store.
func allRows(t *testing.T, r store.Reader) (list []store.Row) {
	t.Helper()
	err := r.Read(t.Context(), func(row *store.Row) error {
		c := *row
		if c.Character != nil {
			copied := *c.Character
			copied.Sheet = append([]byte(nil), copied.Sheet...)
			c.Character = &copied
		}
		if c.Account != nil && len(c.Account.Ignore) == 0 {
			c.Account.Ignore = nil
		}
		list = append(list, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func openSQLite(t *testing.T, dir string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func reader(t *testing.T, url string, exclusive bool) *Reader {
	t.Helper()
	r, err := OpenReader(t.Context(), url, exclusive, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDataCopiedToPostgreSQLAndBackHasSameRows(t *testing.T) {
	from, to, url := openSQLite(t, t.TempDir()), openSQLite(t, t.TempDir()), pgtest.Database(t)
	storetest.Fill(t, from)
	want := allRows(t, from)
	verified := 0
	db := open(t, url, WithLog(quiet))
	done, err := store.Copy(t.Context(), from, db, false, func(verb string, done, total int) {
		if verb == "verified" {
			verified = done
		}
		if total != len(want) {
			t.Fatalf("%s %d of %d rows, want %d", verb, done, total, len(want))
		}
	})
	if err != nil || done.Rows != len(want) || verified != len(want) || done.Accounts != 20 || done.Known != 4 {
		t.Fatalf("copied %+v, %d verified, %v", done, verified, err)
	}
	closeStore(t, db)
	r := reader(t, url, true)
	if got := allRows(t, r); !reflect.DeepEqual(got, want) {
		t.Errorf("the copy differs:\n%+v\nwant\n%+v", got, want)
	}
	if _, err := store.Copy(t.Context(), r, to, false, nil); err != nil {
		t.Fatal(err)
	}
	if got := allRows(t, to); !reflect.DeepEqual(got, want) {
		t.Errorf("the copy of the copy differs:\n%+v\nwant\n%+v", got, want)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	// Accounts and characters that are created afterwards get unused ids, and the counts of rows include them.
	for _, s := range []store.Store{open(t, url, WithLog(quiet)), to} {
		id, err := s.CreateAccount(t.Context(), store.Account{Name: "New"})
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.CreateCharacter(t.Context(), id, &sim.Character{Name: "New"}, 1)
		if last := want[0].LastIDs; err != nil || id != last.Account+1 || c != last.Character+1 {
			t.Errorf("new ids are %d and %d, %v, want those after %+v", id, c, err, *last)
		}
		if db, ok := s.(*Store); ok {
			state, err := readState(t.Context(), db.pool)
			if err != nil || state.Accounts != int64(done.Accounts)+1 || state.Characters != int64(done.Characters)+1 {
				t.Errorf("the counts are %+v, %v", state, err)
			}
			closeStore(t, db)
		}
	}
}

func TestFailedCopyLeavesTargetDatabaseUnchanged(t *testing.T) {
	from, url := openSQLite(t, t.TempDir()), pgtest.Database(t)
	storetest.Fill(t, from)
	db := open(t, url, WithLog(quiet))
	character(t, db, "Old")
	closeStore(t, db)
	file := openSQLite(t, t.TempDir())
	if _, err := file.CreateAccount(t.Context(), store.Account{Name: "Old"}); err != nil {
		t.Fatal(err)
	}
	r := reader(t, url, false)
	before, beforeFile := allRows(t, r), allRows(t, file)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	unchanged := func(what string, err error, want error) {
		t.Helper()
		r := reader(t, url, false)
		defer r.Close()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		if got := allRows(t, r); !reflect.DeepEqual(got, before) {
			t.Errorf("%s: the database has %+v", what, got)
		}
		if got := allRows(t, file); !reflect.DeepEqual(got, beforeFile) {
			t.Errorf("%s: the file has %+v", what, got)
		}
	}
	copyWith := func(w store.Writer, overwrite bool, want error) error {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := store.Copy(ctx, from, w, overwrite, func(verb string, done, total int) {
			if want == context.Canceled && done == total-1 && verb == "verified" {
				cancel()
			}
		})
		return err
	}
	each := func(what string, overwrite bool, want error) {
		t.Helper()
		unchanged(what+" to the file", copyWith(file, overwrite, want), want)
		db := open(t, url, WithLog(quiet))
		err := copyWith(db, overwrite, want)
		if _, err := db.Account(t.Context(), "old"); err != nil {
			t.Error(err)
		}
		closeStore(t, db)
		unchanged(what+" to the database", err, want)
	}
	each("a copy without leave", false, store.ErrNotEmpty)
	each("an interrupted copy", true, context.Canceled)

	pgtest.Shared(t).Exec(t, dbName(t, url), `CREATE FUNCTION damage() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN IF NEW.name LIKE 'character19%' THEN NEW.slot = 5; END IF; RETURN NEW; END $$;
		CREATE TRIGGER damage BEFORE INSERT ON characters FOR EACH ROW EXECUTE FUNCTION damage()`)
	db = open(t, url, WithLog(quiet))
	_, err := store.Copy(t.Context(), from, db, true, nil)
	closeStore(t, db)
	unchanged("a copy that differs", err, store.ErrCorrupt)
	if err == nil || !strings.Contains(err.Error(), `character "character19`) {
		t.Errorf("the row is not named: %v", err)
	}
}

func TestDatabaseInUseCanBeReadUnlessExclusiveAccessIsRequested(t *testing.T) {
	url := pgtest.Database(t)
	if _, err := OpenReader(t.Context(), url, false, quiet); err == nil || !strings.Contains(err.Error(), "has no tables of truestep") {
		t.Errorf("an empty database: %v", err)
	}
	s := open(t, url, WithLog(quiet))
	defer closeStore(t, s)
	character(t, s, "Ada")
	r := reader(t, url, false)
	character(t, s, "Bea")
	if got := allRows(t, r); len(got) != 3 {
		t.Errorf("one snapshot has %+v", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReader(t.Context(), url, true, quiet); !errors.Is(err, ErrInUse) || strings.Contains(err.Error(), "\n") {
		t.Errorf("a database in use: %v", err)
	}
}

func TestCopyFromSlowSourceIsNotEndedByIdleLimit(t *testing.T) {
	from, short := openSQLite(t, t.TempDir()), func(s *Store) { s.idleLimit = 200 * time.Millisecond }
	storetest.Fill(t, from)
	url := pgtest.Database(t)
	closeStore(t, open(t, url, WithLog(quiet))) // creates the tables under the normal limit: a busy machine may pause for longer than the short one
	db := open(t, url, WithLog(quiet), short)
	defer closeStore(t, db)
	pauses := 0
	done, err := store.Copy(t.Context(), from, db, false, func(verb string, done, total int) {
		if done == 1 || done == total {
			pauses++
			time.Sleep(3 * db.idleLimit)
		}
	})
	if err != nil || done.Accounts != 20 || pauses != 4 {
		t.Errorf("copied %+v with %d pauses: %v", done, pauses, err)
	}
}
