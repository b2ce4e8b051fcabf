package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
)

// migrations are applied in order, each in its own transaction. A released migration never changes.
//
//go:embed migrations/*.sql
var migrations embed.FS

// textVersion is the number of the only migration that is written in Go, see migrate_text.go.
const textVersion = 3

// stateVersion is the number of the migration that adds the table named store.
const stateVersion = 4

// sumVersion is the number of the migration that adds checksums of rows.
const sumVersion = 6

// migrate applies the migrations that a database of the given schema version lacks. The version is that of readVersion, which has
// checked that every migration up to it is applied; 0 stands for an unknown version.
func migrate(ctx context.Context, db *sql.DB, log *slog.Logger, version int64) error {
	known, err := migrationVersions()
	if err != nil || version == known[len(known)-1] {
		return err
	}
	return migrateTo(ctx, db, log, goose.MaxVersion)
}

// migrateTo applies the migrations that the database lacks, up to a version.
func migrateTo(ctx context.Context, db *sql.DB, log *slog.Logger, version int64) error {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	var texts textMigration
	p, err := goose.NewProvider(goose.DialectSQLite3, db, dir, goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(
		goose.NewGoMigration(textVersion, &goose.GoFunc{RunTx: texts.run}, nil)))
	if err != nil {
		return err
	}
	if _, err = p.UpTo(ctx, version); err != nil { // do not close the provider, because that would close db
		return err
	}
	for _, r := range texts.renamed {
		log.Warn("a stored name that was converted to UTF-8 is already in use; a number was appended to it", "kind", r.what, "name", r.from, "renamed", r.to)
	}
	return nil
}
