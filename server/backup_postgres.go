package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
	"github.com/truestep-io/truestep/store/sqlite"
)

// backUp writes a backup of a data folder. If c names a PostgreSQL database, the backup contains the accounts and
// characters of that database. A server may be using the folder and the database.
func backUp(ctx context.Context, dir string, c StoreConfig, file string, o sqlite.BackupOptions, rows store.CopyProgress) (*sqlite.Summary, error) {
	if err := c.CheckFolder(dir); err != nil {
		return nil, err
	}
	if c.Store == "" {
		if err := checkNoNode(dir); err != nil {
			return nil, err
		}
		return sqlite.Backup(ctx, dir, file, o)
	}
	return backUpDatabase(ctx, dir, c, file, o, rows)
}

// checkNoNode returns an error if a data folder is that of a node of a cluster. An SQLite file in it is outdated: it is that of the single
// server that used the folder before.
func checkNoNode(dir string) error {
	node, err := hasRaftLogs(dir)
	if err == nil && node {
		err = fmt.Errorf("%s is the folder of a node of a cluster, whose accounts and characters are in its PostgreSQL database: name it with --store postgres://USER@HOST/DATABASE, "+
			"or, if a single server has taken over, move the folder %s away", dir, filepath.Join(dir, clusterFolder))
	}
	return err
}

// backUpDatabase copies one snapshot of the database to a temporary SQLite file beside the backup, and makes the backup
// from that file.
func backUpDatabase(ctx context.Context, dir string, c StoreConfig, file string, o sqlite.BackupOptions, rows store.CopyProgress) (sum *sqlite.Summary, err error) {
	if _, err := os.Lstat(file); err == nil && !o.Replace {
		return nil, fmt.Errorf("%s: %w", file, sqlite.ErrExists)
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("backup: %w", err)
	}
	from, err := postgres.OpenReader(ctx, string(c.Store), false, slog.Default())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	tmp, err := os.MkdirTemp(filepath.Dir(file), temporaryBackupFolder(file))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if err := copyToNew(ctx, from, tmp, rows); err != nil {
		return nil, fmt.Errorf("copy %v for the backup: %w", c.Store, err)
	}
	o.FilesDir = dir
	return sqlite.Backup(ctx, tmp, file, o)
}

// temporaryBackupFolder returns a name pattern for os.MkdirTemp: that of the folder to which a database is copied while the
// backup is written to file.
func temporaryBackupFolder(file string) string { return "." + filepath.Base(file) + "-*" }

// copyToNew creates an SQLite file in a folder and copies a store to it.
func copyToNew(ctx context.Context, from store.Reader, dir string, rows store.CopyProgress) error {
	st, err := sqlite.Open(ctx, dir)
	if err != nil {
		return err
	}
	_, err = store.Copy(ctx, from, st, false, rows)
	return errors.Join(err, st.Close())
}

// restore restores a backup to a data folder. If c names a PostgreSQL database, it restores the accounts and characters to that
// database. The second result is the path of the folder to which replaced files were moved; see sqlite.Restore.
func restore(ctx context.Context, file, dir string, c StoreConfig, replace bool) (*sqlite.Summary, string, error) {
	if c.Store == "" {
		sum, aside, err := sqlite.Restore(ctx, file, dir, replace, nil)
		if err == nil && postgres.HasLedger(dir) {
			err = postgres.SetLedgerAside(dir)
		}
		return sum, aside, err
	}
	return sqlite.Restore(ctx, file, dir, replace, func(from store.Reader) (err error) {
		// Open refuses a database that lacks commits listed in the ledger of the data folder, unless this loss is accepted.
		// Here it is accepted if the backup may replace the content of the database: the missing commits then do not matter.
		db, err := postgres.Open(ctx, string(c.Store), postgres.WithLedger(dir), postgres.WithAcceptLoss(replace))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		_, err = store.Copy(ctx, from, db, replace, nil)
		return err
	})
}

// restoreRecords stores the player records in a file that a server wrote when it could not save the records in its store. The
// result stored is the number of stored records. The result skipped has one line with the reason for each record that was not
// stored. The error is store.ErrNotFound if the file is of another kind.
func restoreRecords(ctx context.Context, file, dir string, c StoreConfig) (stored int, skipped []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	list, err := store.ReadRecords(f)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", file, err)
	}
	st, err := openStore(ctx, dir, c, storeOptions{})
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	return store.ApplyRecords(ctx, st, list)
}
