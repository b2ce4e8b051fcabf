package sqlite

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/store"
)

// If a bit in the definition of a table or index is flipped, Open refuses the database with an error that names the table or index. A
// change by ALTER TABLE or CREATE INDEX is accepted.
func TestCorruptSchemaIsRefusedAndSchemaChangedByOperatorIsAccepted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	addAccounts(t, s, "a", 3)
	closeStore(t, s)
	whole := files(t, dir)
	for _, c := range []struct{ name, text, by, says string }{
		{"column", "since_ms   INTEGER NOT NULL", "since_mt   INTEGER NOT NULL", "definition of table access_rules is damaged"},
		{"trigger", "SET accounts = accounts + 1", "SET accounts = accounts + 3", "definition of trigger account_added is damaged"},
		{"name of a trigger", "triggercharacter_edited", "triggercharacter_editee", "malformed database schema (character_editee)"},
		{"collation", "name       TEXT    NOT NULL COLLATE NOCASE", "name       TEXT    NOT NULL COLLATE NOCASF", "no such collation sequence"},
		{"comment", "-- hash, PHC form", "-- hash, PHC forn", "definition of table accounts is damaged"},
		{"syntax", "CREATE TABLE access_rules (", "CREATE TABLE access_rules `", "malformed database schema"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := put(t, damage(t, whole, c.text, c.by))
			before := files(t, dir)[FileName]
			_, err := Open(t.Context(), dir, silent)
			if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "restore a backup") || strings.Contains(err.Error(), "\n") || len(err.Error()) > 700 {
				t.Errorf("want %q: %v", c.says, err)
			}
			if string(before) != string(files(t, dir)[FileName]) {
				t.Error("a refused file was changed")
			}
		})
	}
	for _, query := range []string{
		`ALTER TABLE characters ADD COLUMN notes TEXT`,
		`CREATE INDEX by_email ON accounts (email)`,
		`CREATE TABLE mine (a INTEGER); CREATE TRIGGER mine AFTER INSERT ON accounts BEGIN INSERT INTO mine VALUES (NEW.id); END`,
	} {
		dir := put(t, whole)
		execFile(t, filepath.Join(dir, FileName), query)
		s := open(t, dir)
		if accounts, _ := countAccounts(t, s); accounts != 3 {
			t.Errorf("after %s there are %d accounts", query, accounts)
		}
		closeStore(t, s)
	}
}

// A damaged list of migrations is refused with another error than the list of a newer program version.
func TestDamagedMigrationListIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	closeStore(t, open(t, dir))
	whole := files(t, dir)
	for query, want := range map[string]error{
		`UPDATE goose_db_version SET is_applied = NULL WHERE version_id = 4`:                      store.ErrCorrupt,
		`UPDATE goose_db_version SET is_applied = 0 WHERE version_id = 7`:                         store.ErrCorrupt,
		`UPDATE goose_db_version SET version_id = 2 WHERE version_id = 6`:                         store.ErrCorrupt,
		`UPDATE goose_db_version SET version_id = 1034 WHERE version_id = 10`:                     store.ErrCorrupt,
		`DELETE FROM goose_db_version WHERE version_id = 5`:                                       store.ErrCorrupt,
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (5, 1)`:                     store.ErrCorrupt,
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (900, 1), (902, 1)`:         ErrNewer,
		`UPDATE goose_db_version SET tstamp = 'some time'`:                                        store.ErrCorrupt,
		`UPDATE goose_db_version SET tstamp = '2029-01-01 00:00:00'`:                              nil,
		`UPDATE goose_db_version SET id = id + 100; DELETE FROM sqlite_sequence WHERE name = 'x'`: nil,
	} {
		dir := put(t, whole)
		path := filepath.Join(dir, FileName)
		if strings.Contains(query, "NULL") {
			execFile(t, path, `PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'is_applied INTEGER NOT NULL', 'is_applied INTEGER') WHERE name = 'goose_db_version'`)
		}
		execFile(t, path, query)
		s, err := Open(t.Context(), dir, silent)
		if want == nil && err != nil || !errors.Is(err, want) || err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", query, err)
		}
		if err == nil {
			closeStore(t, s)
		}
	}
}
