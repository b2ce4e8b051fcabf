package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// migrations are applied in order, each in its own transaction. A released migration never changes.
//
//go:embed migrations/*.sql
var migrations embed.FS

// versionTable is the table in which goose records applied migrations. goose's default name is not used, because
// another program in the same database may use it.
const versionTable = "truestep_migrations"

// minVersion is the oldest accepted version of PostgreSQL: 15, the oldest version that the tests run with.
const minVersion = 150000

// Errors of Open for a server or database that cannot be used. Open has then changed nothing.
var (
	ErrTooOld   = errors.New("the PostgreSQL server is older than version 15, the oldest that truestep supports")
	ErrEncoding = errors.New("the encoding of the database is not UTF8")
	ErrForeign  = errors.New("the database has tables of another program")
	ErrNewer    = errors.New("the database was written by a newer version of truestep")
)

// checkServer rejects servers that cannot be used, and logs warnings about settings that endanger stored data.
func (s *Store) checkServer(ctx context.Context, conn *pgx.Conn) error {
	var version int
	var versionText, encoding, fsync, checksums string
	var schema *string
	var standby, encrypted bool
	err := conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_version'), current_setting('server_encoding'),
		current_setting('fsync'), current_setting('data_checksums'), current_schema()::text, pg_is_in_recovery(),
		coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)`).
		Scan(&version, &versionText, &encoding, &fsync, &checksums, &schema, &standby, &encrypted)
	if err != nil {
		return err
	}
	c := conn.Config()
	switch {
	case version < s.minVersion:
		return fmt.Errorf("PostgreSQL at %s has version %s: %w: update it to version %d or newer", address(c), versionText, ErrTooOld, s.minVersion/10000)
	case encoding != "UTF8":
		return fmt.Errorf("%s: %w (it is %s): create the database with createdb --encoding UTF8 --template template0 %s", s.where, ErrEncoding, encoding, c.Database)
	case standby && !s.readOnly:
		return fmt.Errorf("%s is a standby, which is read-only: name the primary server, or several hosts with target_session_attrs=read-write in the URL", s.where)
	case schema == nil:
		return fmt.Errorf("%s has none of the schemas of its search_path: create the schema, or remove search_path from the URL", s.where)
	}
	if fsync == "off" {
		s.log.Warn("the database does not sync to disk: a loss of power can destroy it; set fsync = on in postgresql.conf", "database", s.label)
	}
	if checksums == "off" {
		s.log.Warn("the database has no checksums: data that its disk has changed is not noticed; stop it and run pg_checksums --enable", "database", s.label)
	}
	if !encrypted && !isLocal(c.Host) {
		s.log.Warn("the connection to the database is not encrypted; set sslmode=verify-full in the URL", "database", s.label)
	}
	return nil
}

// isLocal reports whether a host name or address is this machine.
func isLocal(host string) bool {
	if filepath.IsAbs(host) || host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// checkSchema returns the schema version of the tables, 0 if there are none. It rejects tables of other programs and of
// newer versions.
func (s *Store) checkSchema(ctx context.Context, conn *pgx.Conn) (version int64, err error) {
	var versioned bool
	var others int
	err = conn.QueryRow(ctx, `SELECT coalesce(bool_or(tablename = $1), false),
		count(*) FILTER (WHERE tablename IN ('store', 'accounts', 'characters', 'areas', 'known_addresses', 'sessions'))
		FROM pg_tables WHERE schemaname = current_schema()`, versionTable).Scan(&versioned, &others)
	if err != nil {
		return 0, err
	}
	if !versioned {
		if others > 0 {
			return 0, fmt.Errorf("%s: %w: create another database, or a schema that search_path in the URL names", s.where, ErrForeign)
		}
		return 0, nil
	}
	if err := conn.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM `+versionTable+` WHERE is_applied`).Scan(&version); err != nil {
		return 0, err
	}
	known, err := newestMigration()
	if err == nil && version > known {
		err = fmt.Errorf("%s: %w (its tables have version %d, this program knows %d): start that version, or restore a backup made before the update", s.where, ErrNewer, version, known)
	}
	return version, err
}

// newestMigration returns the schema version that this program's migrations create.
func newestMigration() (newest int64, err error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return 0, fmt.Errorf("read the version in the file name of the migration %s: %w", name, err)
		}
		newest = max(newest, version)
	}
	return newest, err
}

// migrateRetry is the pause in seconds before a process that waits for another one to migrate the tables looks again. The default of goose
// is five seconds, for which two of three nodes that start together on an empty database would wait.
const migrateRetry = 1

// migrate applies the migrations that the database lacks. The parameter version is the present schema version of the database.
// Processes that share the database migrate it one after the other.
func (s *Store) migrate(ctx context.Context, version int64) error {
	if newest, err := newestMigration(); err != nil || version == newest {
		return err
	}
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(migrateRetry, uint64(openTimeout/time.Second)/migrateRetry))
	if err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(s.pool)
	defer db.Close() // the pool stays open
	p, err := goose.NewProvider(goose.DialectPostgres, db, dir, goose.WithDisableGlobalRegistry(true), goose.WithTableName(versionTable),
		goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}
