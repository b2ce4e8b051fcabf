package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// filled returns a directory with a closed store whose database has several pages.
func filled(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	s := open(t, dir)
	var batch []store.Import
	for i := range 60 {
		name := strings.Repeat("x", i+1)
		batch = append(batch, store.Import{Account: store.Account{Name: name}, Characters: []*sim.Character{{Name: name}}})
	}
	if _, err := s.ImportAccounts(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	return dir, filepath.Join(dir, FileName)
}

func execFile(t *testing.T, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

func TestUnusableDatabaseFileIsRefusedUnchanged(t *testing.T) {
	edit := func(change func(b []byte) []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, change(b), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name  string
		spoil func(t *testing.T, path string)
		want  error
		hint  string
	}{
		{"a text file", edit(func([]byte) []byte { return []byte("these are my notes, do not lose them") }), ErrForeign, "move it away"},
		{"a short file", edit(func([]byte) []byte { return []byte("SQLite") }), ErrForeign, "move it away"},
		{"zeros", edit(func(b []byte) []byte { return make([]byte, len(b)) }), ErrForeign, "move it away"},
		{"cut in half", edit(func(b []byte) []byte { return b[:len(b)/2] }), store.ErrCorrupt, "restore a backup"},
		{"cut in a page", edit(func(b []byte) []byte { return b[:len(b)-1000] }), store.ErrCorrupt, "restore a backup"},
		{"a page of noise", edit(func(b []byte) []byte {
			for i := 2 * 4096; i < 3*4096; i++ {
				b[i] = byte(i * 7)
			}
			return b
		}), store.ErrCorrupt, "restore a backup"},
		{"only the header", edit(func(b []byte) []byte { return b[:100] }), store.ErrCorrupt, "restore a backup"},
		{"another program's", func(t *testing.T, path string) {
			execFile(t, path, "PRAGMA application_id = 12345")
		}, ErrForeign, "choose another data directory"},
		{"tables without our mark", func(t *testing.T, path string) {
			execFile(t, path, "PRAGMA application_id = 0")
		}, ErrForeign, "choose another data directory"},
		{"a newer version's", func(t *testing.T, path string) {
			execFile(t, path, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
		}, ErrNewer, "the tables have version 9999, this program knows"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir, path := filled(t)
			test.spoil(t, path)
			before := files(t, dir)
			s, err := Open(t.Context(), dir)
			if err == nil {
				closeStore(t, s)
				t.Fatal("the store was opened")
			}
			t.Log(err)
			if !errors.Is(err, test.want) {
				t.Errorf("error is %v, want %v", err, test.want)
			}
			if text := err.Error(); !strings.Contains(text, path) || !strings.Contains(text, test.hint) || strings.Contains(text, "\n") {
				t.Errorf("error is not one line that names the file and says %q: %q", test.hint, text)
			}
			if after := files(t, dir); !bytes.Equal(after[FileName], before[FileName]) {
				t.Error("the file was changed")
			}
		})
	}
}

// files returns the contents of a directory's files by name.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		if all[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// The last changes of a killed process are only in the write-ahead log, so the database can only be repaired together with the
// log.
func TestWriteAheadLogOfRefusedDatabaseIsNotDeleted(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	runWriter(t, self, dir, 3)
	path := filepath.Join(dir, FileName)
	log, err := os.ReadFile(path + "-wal")
	if err != nil || len(log) == 0 {
		t.Fatalf("the killed writer left no log: %v", err)
	}
	for _, spoiled := range []struct {
		content string
		want    error
	}{{"damaged beyond recognition", ErrForeign}, {"", store.ErrCorrupt}} {
		if err := os.WriteFile(path, []byte(spoiled.content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), dir); !errors.Is(err, spoiled.want) {
			t.Errorf("with %q in the file the error is %v", spoiled.content, err)
		}
		if after, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Equal(after, log) {
			t.Errorf("the log was changed: %v", err)
		}
	}
}

func TestSecondOpenOfDataDirectoryIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	s := open(t, dir)
	_, err := Open(t.Context(), dir)
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "process ") {
		t.Errorf("the second Open returned %v", err)
	}
	closeStore(t, s)
	closeStore(t, open(t, dir))
}

func TestKilledProcessReleasesDataDirectory(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	runWriter(t, self, dir, 1)
	closeStore(t, open(t, dir))
}

func TestDatabaseFilesAreReadableByOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("Windows has no file modes; the directory's access list applies")
		return
	}
	dir := filepath.Join(t.TempDir(), "data")
	s := open(t, dir)
	defer closeStore(t, s)
	if _, err := s.CreateAccount(t.Context(), store.Account{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	modes := map[string]fs.FileMode{".": 0o700 | fs.ModeDir}
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm", lockName} {
		modes[name] = 0o600
	}
	for name, want := range modes {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
	}
}

func TestDataDirectoryNameMayHaveSpecialCharacters(t *testing.T) {
	for _, name := range []string{"with blank", "what?", "a#b", "50%25 off", "J\u00f6rg", "a&_pragma=x", "plus+"} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, "?") {
			continue
		}
		dir := filepath.Join(t.TempDir(), name)
		closeStore(t, open(t, dir))
		if _, err := os.Stat(filepath.Join(dir, FileName)); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestOpenInitializesEmptyDatabaseFileOfInterruptedFirstStart(t *testing.T) {
	dir := t.TempDir()
	if err := touch(filepath.Join(dir, FileName)); err != nil {
		t.Fatal(err)
	}
	closeStore(t, open(t, dir))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, t.TempDir()); err == nil {
		t.Error("Open with a cancelled context opened the store")
	}
}

func TestDamagedCharacterSheetIsReported(t *testing.T) {
	dir, path := filled(t)
	execFile(t, path, `UPDATE characters SET sheet = '{"gold": 5, "glod": 6}' WHERE name = 'xx'`)
	s := open(t, dir)
	defer closeStore(t, s)
	a, err := s.Account(t.Context(), "xx")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.Characters(t.Context(), a.ID); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "glod") {
		t.Errorf("error is %v", err)
	}
}
