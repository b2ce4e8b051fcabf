package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/fsync"
	"github.com/truestep-io/truestep/store"
)

// BackupFile describes a file of the data directory, other than the database, that a backup contains.
type BackupFile struct {
	Name   string // name of the file, relative to the data directory
	Bytes  int64  // size of the file
	SHA256 string // hexadecimal SHA-256 of the file
}

// A backup is a single file: a copy of the database, with additional tables that contain the other files. Restore removes
// these tables.
const (
	createFileTables = `CREATE TABLE backup_files (name TEXT PRIMARY KEY, mode INTEGER NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL) STRICT;
		CREATE TABLE backup_parts (name TEXT NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (name, part)) STRICT`
	dropFileTables = `DROP TABLE IF EXISTS backup_files; DROP TABLE IF EXISTS backup_parts`

	partBytes = 1 << 20 // maximum number of bytes of a file's content per row
)

// addFiles copies the given files of dir into the database at path. It skips missing files. It copies SQLite databases
// together with their write-ahead logs. If the parameter tape is true, it also copies the files of the tape.
func addFiles(ctx context.Context, path, dir string, files []string, tape bool) (err error) {
	db, err := connect(path, url.Values{}, "journal_mode(DELETE)", "synchronous(FULL)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, dropFileTables+";"+createFileTables); err != nil {
		return err
	}
	for _, name := range files {
		if err := addFileOf(ctx, db, path, dir, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if !tape {
		return nil
	}
	return copyTape(dir, func(name string) error { return addFileOf(ctx, db, path, dir, name) })
}

// addFileOf copies one file of dir into the database. Errors: fs.ErrNotExist.
func addFileOf(ctx context.Context, db *sql.DB, path, dir, name string) error {
	from := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Stat(from)
	if err == nil && isDatabase(name) {
		from = path + ".journal"
		defer removeDatabase(from)
		if err = errors.Join(removeDatabase(from), touch(from)); err == nil {
			err = copyPages(ctx, filepath.Join(dir, name), from, nil)
		}
	}
	if err == nil {
		err = addFile(ctx, db, name, from, info.Mode().Perm())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// isDatabase reports whether a file of the data directory is an SQLite database, which may have a write-ahead log
// beside it.
func isDatabase(name string) bool { return strings.HasSuffix(name, ".sqlite") }

func addFile(ctx context.Context, db *sql.DB, name, from string, mode fs.FileMode) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	hash, size, b := sha256.New(), int64(0), make([]byte, partBytes)
	for part := 0; ; part++ {
		n, err := io.ReadFull(f, b)
		if n > 0 {
			hash.Write(b[:n])
			size += int64(n)
			if _, err := tx.ExecContext(ctx, `INSERT INTO backup_parts VALUES (?, ?, ?)`, name, part, b[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO backup_files VALUES (?, ?, ?, ?)`, name, int64(mode), size, hex.EncodeToString(hash.Sum(nil)))
	if err != nil {
		return err
	}
	return tx.Commit()
}

// verifyFiles returns the files that a backup contains besides the database. It returns store.ErrCorrupt if one is
// damaged. Backups of older versions contain no such files.
func verifyFiles(ctx context.Context, db *sql.DB) (files []BackupFile, err error) {
	var tables int
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema WHERE name IN ('backup_files', 'backup_parts')`).Scan(&tables); err != nil || tables == 0 {
		return nil, wrapCorrupt(err)
	}
	err = queryValues(ctx, db, `SELECT name, size, sha256 FROM backup_files ORDER BY name`, func(values []any) error {
		f := BackupFile{}
		f.Name, _ = values[0].(string)
		f.Bytes, _ = values[1].(int64)
		f.SHA256, _ = values[2].(string)
		if tapeFile.MatchString(f.Name) {
			files = append(files, f)
			return nil
		}
		if f.Name != filepath.Base(f.Name) || !filepath.IsLocal(f.Name) || strings.HasPrefix(f.Name, FileName) || f.Name == lockName {
			return fmt.Errorf("the backup contains a file %q, whose name is not allowed: %w", f.Name, store.ErrCorrupt)
		}
		files = append(files, f)
		return nil
	})
	for i := range files {
		if err == nil {
			err = copyBackupFile(ctx, db, &files[i], io.Discard)
		}
	}
	return files, err
}

// copyBackupFile copies the content of one file of a backup to a writer. It returns store.ErrCorrupt if the content is
// damaged.
func copyBackupFile(ctx context.Context, db *sql.DB, f *BackupFile, to io.Writer) error {
	hash, size := sha256.New(), int64(0)
	err := queryValues(ctx, db, `SELECT data FROM backup_parts WHERE name = ? ORDER BY part`, func(values []any) error {
		b, _ := values[0].([]byte)
		hash.Write(b)
		size += int64(len(b))
		_, err := to.Write(b)
		return err
	}, f.Name)
	if err == nil && (size != f.Bytes || hex.EncodeToString(hash.Sum(nil)) != f.SHA256) {
		err = fmt.Errorf("read %s in the backup: %w", f.Name, store.ErrCorrupt)
	}
	return err
}

// checkExisting returns the files of a backup that must be written to dir: those that are missing there or have other content
// there. If a file has other content there, the result exists is true. If the parameter replace is false, such a file is an error
// instead: ErrExists.
func checkExisting(ctx context.Context, dir string, files []BackupFile, replace bool) (differ []BackupFile, exists bool, err error) {
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		_, sum, err := digest(ctx, path)
		logged := false // whether a write-ahead log may change the content of the database f
		if isDatabase(f.Name) {
			_, noLog := os.Lstat(path + logSuffix)
			logged = noLog == nil
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			exists = exists || logged // SQLite would apply the log of the lost database to the restored one
		case err != nil:
			return nil, false, err
		case sum == f.SHA256 && !logged:
			continue
		case replace:
			exists = true
		default:
			return nil, false, fmt.Errorf("restore %s: %w, and its content differs from that in the backup", path, ErrExists)
		}
		differ = append(differ, f)
	}
	return differ, exists, nil
}

// newSuffix is appended to the name of a file that Restore has extracted, until the database has been restored too.
const newSuffix = ".restored"

// extractFiles writes the files of the backup at path to dir, with newSuffix appended to their names, and the files of
// the tape to a new folder. Then it removes all these files from the backup. It returns the folder of the tape, "" if
// there is none.
func extractFiles(ctx context.Context, path, dir string, files, tape []BackupFile) (tapeFolder string, err error) {
	db, err := connect(path, url.Values{}, "journal_mode(DELETE)", "synchronous(FULL)", "secure_delete(1)")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for i := range files {
		if err := extractFile(ctx, db, &files[i], filepath.Join(dir, files[i].Name)+newSuffix); err != nil {
			return "", err
		}
	}
	if tapeFolder, err = extractTape(ctx, db, dir, tape); err != nil {
		return "", fmt.Errorf("extract the tape of the backup: %w", err)
	}
	_, err = db.ExecContext(ctx, dropFileTables+"; VACUUM")
	return tapeFolder, err
}

// extractTape writes the files of the tape to a new folder and returns its path. The folder has a temporary name until
// it is complete.
func extractTape(ctx context.Context, db *sql.DB, dir string, files []BackupFile) (final string, err error) {
	if len(files) == 0 {
		return "", nil
	}
	final = restoredTape(dir, time.Now())
	part := final + ".part"
	for i := range files {
		to := filepath.Join(part, filepath.FromSlash(strings.TrimPrefix(files[i].Name, TapeFolder+"/")))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return "", err
		}
		if err := extractFile(ctx, db, &files[i], to); err != nil {
			return "", errors.Join(err, os.RemoveAll(part))
		}
	}
	return final, os.Rename(part, final)
}

func extractFile(ctx context.Context, db *sql.DB, f *BackupFile, path string) error {
	var mode int64
	if err := db.QueryRowContext(ctx, `SELECT mode FROM backup_files WHERE name = ?`, f.Name).Scan(&mode); err != nil {
		return wrapCorrupt(err)
	}
	if err := removeIfThere(path); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(mode)&0o755)
	if err != nil {
		return err
	}
	if err = copyBackupFile(ctx, db, f, out); err == nil {
		err = out.Sync()
	}
	return errors.Join(err, out.Close())
}

// placeFiles renames extracted files to their final names. Existing files with these names are first moved to another
// folder. The parameter aside is the path of that folder, empty if no such file exists.
func placeFiles(dir, aside string, files []BackupFile) error {
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		for _, suffix := range []string{"", logSuffix, "-shm"} {
			if aside == "" || suffix != "" && !isDatabase(f.Name) {
				continue
			}
			if err := os.Rename(path+suffix, filepath.Join(aside, f.Name+suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err := os.Rename(path+newSuffix, path); err != nil {
			return err
		}
	}
	return fsync.Dir(dir)
}
