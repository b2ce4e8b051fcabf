package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/postgres"
	"github.com/truestep-io/truestep/store/sqlite"
)

// CopyStore is the command that copies accounts and characters from one store to another. No server may be using either
// store.
type CopyStore struct {
	From    StorePlace `help:"Where to copy from: sqlite:DIR, the data folder of a server, or postgres://USER@HOST/DATABASE." placeholder:"PLACE" required:""`
	To      StorePlace `help:"Where to copy to, in the same form." placeholder:"PLACE" required:""`
	Replace bool       `help:"Replace the accounts and characters that are there."`
}

// StorePlace names a store: sqlite:DIR for a data folder, or the URL of a PostgreSQL database. Its text forms omit the
// password of the URL.
type StorePlace string

// sqlitePrefix precedes the path of the data folder in a StorePlace.
const sqlitePrefix = "sqlite:"

// folder returns the data folder of an SQLite store, or "" for a database.
func (p StorePlace) folder() string {
	dir, ok := strings.CutPrefix(string(p), sqlitePrefix)
	if !ok {
		return ""
	}
	return dir
}

// String returns the StorePlace without a password.
func (p StorePlace) String() string {
	if dir := p.folder(); dir != "" {
		return sqlitePrefix + dir
	}
	return StoreURL(p).String()
}

// MarshalText returns the StorePlace without a password, for encoders such as JSON.
func (p StorePlace) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

func (p StorePlace) check(flag string) error {
	if p.folder() != "" {
		return nil
	}
	if postgres.IsURL(string(p)) {
		if err := postgres.CheckURL(string(p)); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		return nil
	}
	return fmt.Errorf("%s: must be sqlite:DIR with the data folder of a server, or postgres://USER@HOST/DATABASE", flag)
}

// Run copies the data, verifies the copy, and prints one line to out. If the parameter progress is a terminal, Run reports there
// how far the copy is.
func (c *CopyStore) Run(ctx context.Context, out, progress io.Writer) (err error) {
	if err := errors.Join(c.From.check("--from"), c.To.check("--to")); err != nil {
		return err
	}
	if c.From == c.To {
		return errors.New("--from and --to name the same store")
	}
	from, err := openSource(ctx, c.From)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	done, err := copyTo(ctx, from, c.To, c.Replace, showRows(progress, time.Now))
	switch {
	case errors.Is(err, store.ErrMayBeReplaced):
		return fmt.Errorf("store copy: %w; check the content of %v, or repeat the copy with --replace", err, c.To)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("store copy: interrupted; %v is unchanged", c.To)
	case errors.Is(err, store.ErrNotEmpty):
		return fmt.Errorf("store copy: %w; replace them with --replace", err)
	case err != nil:
		return fmt.Errorf("store copy: %w; %v is unchanged", err, c.To)
	}
	_, err = fmt.Fprintf(out, "copied and verified: %s, %s and %s from %v to %v\n", terminal.Count(done.Accounts, "account"),
		terminal.Count(done.Characters, "character"), knownAddresses(done.Known), c.From, c.To)
	return err
}

func knownAddresses(n int) string {
	if n == 1 {
		return "1 known address"
	}
	return fmt.Sprintf("%d known addresses", n)
}

// showRows returns a function that prints once a second how many rows were copied. It returns nil if to is not a terminal.
func showRows(to io.Writer, now func() time.Time) store.CopyProgress {
	if !terminal.IsTerminal(to) {
		return nil
	}
	next := now().Add(time.Second)
	return func(verb string, done, total int) {
		if at := now(); at.After(next) {
			next = at.Add(time.Second)
			fmt.Fprintf(to, "%s %d of %d rows\n", verb, done, total)
		}
	}
}

// source is a store from which data is copied.
type source interface {
	store.Reader
	io.Closer
}

// openSource opens a store for reading. It fails if a server uses the store, or if records are missing there that its tape has.
func openSource(ctx context.Context, p StorePlace) (source, error) {
	dir := p.folder()
	if dir == "" {
		return postgres.OpenReader(ctx, string(p), true, slog.Default())
	}
	if err := (StoreConfig{}).CheckFolder(dir); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, sqlite.FileName)); err != nil { // checked first, because Open would create the file
		return nil, fmt.Errorf("%s has no accounts: %w; name the data folder of a server", dir, err)
	}
	file, err := sqlite.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	if err := checkUnsavedTicks(dir); err != nil { // checked after Open, which locks the folder
		return nil, errors.Join(fmt.Errorf("store copy: %w", err), file.Close())
	}
	return file, nil
}

// copyTo copies a store to another place. The parameter from reads the store, and the parameter to names the place. If replace is
// set, copyTo replaces the content of an existing store there.
func copyTo(ctx context.Context, from store.Reader, to StorePlace, replace bool, report store.CopyProgress) (done store.Copied, err error) {
	dir := to.folder()
	if dir == "" {
		db, err := postgres.Open(ctx, string(to))
		if err != nil {
			return done, err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
		return store.Copy(ctx, from, db, replace, report)
	}
	_, statErr := os.Stat(filepath.Join(dir, sqlite.FileName))
	isNew := errors.Is(statErr, fs.ErrNotExist)
	file, err := sqlite.Open(ctx, dir)
	if err != nil {
		return done, err
	}
	done, err = store.Copy(ctx, from, &tapeMover{Writer: file, dir: dir}, replace, report)
	err = errors.Join(err, file.Close())
	if err != nil && isNew {
		return done, errors.Join(err, sqlite.Remove(dir))
	}
	if err == nil && postgres.HasLedger(dir) {
		err = postgres.SetLedgerAside(dir)
	}
	return done, err
}

// tapeMover is a store.Writer that renames the tape of the data folder before the commit, because the tape does not
// match the new content.
type tapeMover struct {
	store.Writer
	dir   string
	aside string // new path of the tape; "" if there was no tape
}

// Replace implements store.Writer. It renames the tape after the check of the new content has succeeded, and renames it back if
// the commit then fails.
func (m *tapeMover) Replace(ctx context.Context, overwrite bool, fill func(put func(*store.Row) error) error, check func(store.Reader) error) error {
	err := m.Writer.Replace(ctx, overwrite, fill, func(r store.Reader) error {
		if err := check(r); err != nil {
			return err
		}
		return m.move()
	})
	if err != nil && m.aside != "" {
		err = errors.Join(err, os.Rename(m.aside, filepath.Join(m.dir, sqlite.TapeFolder)))
	}
	return err
}

func (m *tapeMover) move() error {
	tape := filepath.Join(m.dir, sqlite.TapeFolder)
	if !hasFolder(tape) {
		return nil
	}
	aside := filepath.Join(m.dir, tapeDiscarded+time.Now().UTC().Format("20060102-150405"))
	if err := os.Rename(tape, aside); err != nil {
		return fmt.Errorf("rename the tape, which does not match the copied accounts: %w", err)
	}
	m.aside = aside
	return nil
}
