package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync"

	"github.com/pressly/goose/v3"

	"github.com/truestep-io/truestep/store"
)

// readVersion returns the schema version of the tables, and rejects newer versions. The list of applied migrations must
// contain each version from 0 on once; a list with a gap is damaged. Without this check a lost version would be applied
// again.
func readVersion(ctx context.Context, db querier) (int64, error) {
	known, err := migrationVersions()
	if err != nil {
		return 0, err
	}
	var applied []int64
	valid := true
	err = queryValues(ctx, db, `SELECT version_id, typeof(is_applied) = 'integer' AND is_applied = 1 AND datetime(tstamp) IS NOT NULL FROM goose_db_version`, func(v []any) error {
		version, isNumber := v[0].(int64)
		valid = valid && isNumber && v[1] == int64(1)
		applied = append(applied, version)
		return nil
	})
	if err != nil {
		return 0, err
	}
	slices.Sort(applied)
	for i, version := range applied {
		if i < len(known) {
			valid = valid && version == known[i]
		} else {
			valid = valid && version > applied[i-1] // versions of a newer program may have gaps between them
		}
	}
	switch {
	case !valid:
		return 0, fmt.Errorf("the list of migrations in table goose_db_version is damaged: %w", store.ErrCorrupt)
	case len(applied) == 0:
		return 0, nil
	case len(applied) > len(known):
		return 0, fmt.Errorf("%w (the tables have version %d, this program knows %d)", ErrNewer, applied[len(applied)-1], known[len(known)-1])
	}
	return applied[len(applied)-1], nil
}

// migrationVersions returns the schema versions that this program knows, ascending. Version 0 stands for the list of
// migrations itself.
var migrationVersions = sync.OnceValues(func() ([]int64, error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	versions := []int64{0, textVersion}
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, fmt.Errorf("read the version in the file name of the migration %s: %w", name, err)
		}
		versions = append(versions, version)
	}
	slices.Sort(versions)
	return versions, nil
})

// definition identifies a table, an index or a trigger of the database schema.
type definition struct{ kind, name, table string }

// definitions returns the schema that the migrations up to a version create, as the SQL text of each table, index and
// trigger. The text of an index that belongs to a constraint is "".
func definitions(ctx context.Context, version int64) (map[definition]string, error) {
	defined.Lock()
	defer defined.Unlock()
	if all := defined.byVersion[version]; all != nil {
		return all, nil
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if err := migrateTo(ctx, db, slog.New(slog.DiscardHandler), version); err != nil {
		return nil, err
	}
	all, err := readDefinitions(ctx, db)
	if err == nil {
		defined.byVersion[version] = all
	}
	return all, err
}

var defined = struct {
	sync.Mutex
	byVersion map[int64]map[definition]string
}{byVersion: map[int64]map[definition]string{}}

// readDefinitions returns the definitions in a database, except that of the list of migrations, which belongs to goose.
func readDefinitions(ctx context.Context, db querier) (map[definition]string, error) {
	all := map[definition]string{}
	err := queryValues(ctx, db, `SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(coalesce(sql, '') AS BLOB)
		FROM sqlite_schema WHERE name <> 'goose_db_version'`, func(v []any) error {
		var text [4]string
		for i := range text {
			b, _ := v[i].([]byte)
			text[i] = string(b)
		}
		all[definition{text[0], text[1], text[2]}] = text[3]
		return nil
	})
	return all, err
}

// checkDefinitions rejects a database in which a definition of this program is missing or has changed bytes. SQLite itself
// detects only text that is no longer valid SQL: a flipped bit in the name of a column or in the text of a trigger would go
// unnoticed. If a definition is longer or shorter, the operator has altered it with SQL; it is accepted, as are additional
// definitions.
func checkDefinitions(ctx context.Context, db querier, version int64) error {
	if version == 0 {
		return nil
	}
	want, err := definitions(ctx, version)
	if err != nil {
		return err
	}
	got, err := readDefinitions(ctx, db)
	if err != nil {
		return err
	}
	for d, text := range want {
		if found, ok := got[d]; !ok || len(found) == len(text) && found != text {
			return fmt.Errorf("the definition of %s %s is damaged: %w", d.kind, d.name, store.ErrCorrupt)
		}
	}
	return nil
}
