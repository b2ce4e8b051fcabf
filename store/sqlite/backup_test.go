package sqlite

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

func TestBackupOfRunningServerIsConsistentAndCanBeRestored(t *testing.T) {
	t.Parallel()
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "copy.db")
	s := open(t, dir)
	addAccounts(t, s, "a", 40)
	var roster []*sim.Character
	for id := range store.AccountID(40) {
		list, err := s.Characters(t.Context(), id+1)
		if err != nil {
			t.Fatal(err)
		}
		roster = append(roster, list...)
	}
	ctx, cancel := context.WithCancel(t.Context())
	saved, saving := make(chan int32), make(chan struct{})
	go func() { // each commit sets the gold of all characters to the same number
		var gold int32
		for ; ctx.Err() == nil; gold++ {
			if gold == 1 {
				close(saving)
			}
			for _, c := range roster {
				c.Gold = gold + 1
			}
			if err := s.SaveCharacters(t.Context(), nil, roster); err != nil {
				t.Error(err)
			}
		}
		saved <- gold
	}()
	<-saving
	last := 0
	sum, err := Backup(t.Context(), dir, file, BackupOptions{Report: func(done, total int) { last = total - done }})
	cancel()
	gold := <-saved
	if err != nil || last != 0 {
		t.Fatalf("%v, %d pages left", err, last)
	}
	if sum.Accounts != 40 || sum.Characters != 40 || sum.Commit < 81 || sum.At.IsZero() || len(sum.SHA256) != 64 {
		t.Errorf("the summary is %+v", *sum)
	}
	info, err := os.Stat(file)
	if err != nil || info.Size() != sum.Bytes || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if left, _ := filepath.Glob(file + ".*"); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
	if _, err := Backup(t.Context(), dir, file, BackupOptions{}); !errors.Is(err, ErrExists) {
		t.Errorf("a second backup into the same file: %v", err)
	}
	if _, _, err := Restore(t.Context(), file, dir, true, nil); !errors.Is(err, ErrInUse) {
		t.Errorf("restore under a running server: %v", err)
	}
	addAccounts(t, s, "later", 1)
	closeStore(t, s)
	before := files(t, dir)

	if _, _, err := Restore(t.Context(), file, dir, false, nil); !errors.Is(err, ErrExists) || !maps.EqualFunc(before, files(t, dir), bytes.Equal) {
		t.Errorf("restore over a database without leave: %v", err)
	}
	back, aside, err := Restore(t.Context(), file, dir, true, nil)
	if err != nil || !reflect.DeepEqual(back, sum) {
		t.Fatalf("restored %+v, %v; want %+v", back, err, sum)
	}
	if got := files(t, aside); !bytes.Equal(got[FileName], before[FileName]) || !bytes.Equal(got[ledgerName], before[ledgerName]) {
		t.Error("the old files are not set aside")
	}
	s = open(t, dir)
	defer closeStore(t, s)
	for id := range store.AccountID(40) {
		list, err := s.Characters(t.Context(), id+1)
		if err != nil || len(list) != 1 || list[0].Gold != mustGold(t, s) || list[0].Gold < 1 || list[0].Gold > gold {
			t.Fatalf("account %d has %+v, %v", id+1, list, err)
		}
	}
	if n, _ := countAccounts(t, s); n != 40 {
		t.Errorf("%d accounts", n)
	}
}

func mustGold(t *testing.T, s *Store) (gold int32) {
	t.Helper()
	if err := s.db.QueryRow(`SELECT gold FROM character_overview WHERE id = 1`).Scan(&gold); err != nil {
		t.Fatal(err)
	}
	return gold
}

func TestDataOfKilledServerOrOlderVersionCanBeBackedUp(t *testing.T) {
	t.Parallel()
	for name, all := range map[string]map[string][]byte{
		"killed": killed(t, func(s *Store) { addAccounts(t, s, "a", 7) }),
		"of an older version": func() map[string][]byte {
			b, err := os.ReadFile("testdata/before_utf8.db")
			if err != nil {
				t.Fatal(err)
			}
			return map[string][]byte{FileName: b}
		}(),
	} {
		dir, file, other := put(t, all), filepath.Join(t.TempDir(), "copy.db"), filepath.Join(t.TempDir(), "new", "data")
		sum, err := Backup(t.Context(), dir, file, BackupOptions{})
		if err != nil || sum.Accounts != 7 {
			t.Errorf("%s: %+v, %v", name, sum, err)
			continue
		}
		if _, _, err := Restore(t.Context(), file, other, false, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s := open(t, other)
		if n, _ := countAccounts(t, s); n != 7 {
			t.Errorf("%s: %d accounts came back", name, n)
		}
		closeStore(t, s)
	}
}

func TestRestoreRefusesDamagedBackup(t *testing.T) {
	t.Parallel()
	live, file, dir := t.TempDir(), filepath.Join(t.TempDir(), "copy.db"), t.TempDir()
	s := open(t, live)
	addAccounts(t, s, "a", 30)
	closeStore(t, s)
	if _, err := Backup(t.Context(), live, file, BackupOptions{}); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	running := killed(t, func(s *Store) { addAccounts(t, s, "a", 1) })
	closeStore(t, open(t, dir))
	before := files(t, dir)
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"cut":                        {good[:len(good)/2], store.ErrCorrupt},
		"a page of zeros":            {append(append(append([]byte{}, good[:8192]...), make([]byte, 4096)...), good[12288:]...), store.ErrCorrupt},
		"a text":                     {[]byte("notes, which are longer than the first bytes of a database"), ErrForeign},
		"nothing":                    {nil, os.ErrNotExist},
		"file of a server that runs": {running[FileName], ErrIncomplete},
	} {
		if err := os.WriteFile(file, c.b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Restore(t.Context(), file, dir, true, nil); !errors.Is(err, c.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !maps.EqualFunc(before, files(t, dir), bytes.Equal) {
		t.Error("a refused restore changed the data directory")
	}
}

// A backup of a folder with missing data is refused, because it would hide the loss.
func TestBackupOfDataDirectoryWithMissingCommitsIsRefused(t *testing.T) {
	t.Parallel()
	whole := killed(t, func(s *Store) { addAccounts(t, s, "a", 5) })
	file := filepath.Join(t.TempDir(), "copy.db")
	if _, err := Backup(t.Context(), put(t, with(whole, logName, nil)), file, BackupOptions{}); !errors.Is(err, ErrLoss) {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was written")
	}
}

// Restore is interrupted after it has removed the write-ahead log, or after it has replaced the database file. In both
// cases the next start reports the missing data.
func TestInterruptedRestoreIsReportedByNextOpen(t *testing.T) {
	t.Parallel()
	live, file := t.TempDir(), filepath.Join(t.TempDir(), "copy.db")
	s := open(t, live)
	addAccounts(t, s, "a", 3)
	if _, err := Backup(t.Context(), live, file, BackupOptions{}); err != nil {
		t.Fatal(err)
	}
	addAccounts(t, s, "b", 3)
	all := files(t, live)
	closeStore(t, s)
	backup, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	expectLoss(t, map[string][]byte{FileName: all[FileName], ledgerName: all[ledgerName]}, 0, "; 0 of 6 accounts") // the log was removed
	expectLoss(t, map[string][]byte{FileName: backup, ledgerName: all[ledgerName]}, 3, "; 3 of 6 accounts")        // the file was replaced
}

// Restore renames the tape, because a server would otherwise continue from a tape that is newer than the restored database.
func TestRestoreMovesTapeOfReplacedDatabaseToOtherFolder(t *testing.T) {
	t.Parallel()
	live, file := t.TempDir(), filepath.Join(t.TempDir(), "copy.db")
	s := open(t, live)
	addAccounts(t, s, "a", 3)
	if _, err := Backup(t.Context(), live, file, BackupOptions{}); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	segment := filepath.Join(TapeFolder, "000-vale", "1.wal")
	if err := errors.Join(os.MkdirAll(filepath.Join(live, filepath.Dir(segment)), 0o700), os.WriteFile(filepath.Join(live, segment), []byte("ticks"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Restore(t.Context(), file, live, false, nil); !errors.Is(err, ErrExists) {
		t.Errorf("without leave: %v", err)
	}
	_, aside, err := Restore(t.Context(), file, live, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(aside, segment)); err != nil || string(b) != "ticks" {
		t.Errorf("the tape that was set aside: %q, %v", b, err)
	}
	if _, err := os.Lstat(filepath.Join(live, TapeFolder)); err == nil {
		t.Error("the tape is still there")
	}
}

// If a failed restore moved the tape away, a server would start with the old database but without its tape, and report nothing.
func TestFailedRestoreLeavesTapeBesideOldDatabase(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "copy.db")
	block := func(path string) error { // puts a folder there: if not empty, a folder can neither be removed nor replaced
		return os.MkdirAll(filepath.Join(path, "folder"), 0o700)
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		what  string
		block string // name of a file of the data directory that cannot be replaced; "" for none
		into  func(dir string) error
		says  string // expected text of the error about the files that are set aside
		tape  string // glob of the tape's expected path, relative to the data directory
	}{
		{"the backup cannot be copied", FileName + ".part", nil, "", TapeFolder},
		{"the database cannot be replaced", FileName + "-shm", nil, "the restore has put the previous files into ", TapeFolder},
		{"the accounts cannot be stored", "", func(string) error { return broken }, "", TapeFolder},
		{"the tape cannot be moved back", "", func(dir string) error { return errors.Join(broken, block(filepath.Join(dir, TapeFolder))) }, "the restore has put the previous files into ", asidePrefix + "*/" + TapeFolder},
	} {
		live := t.TempDir()
		s := open(t, live)
		addAccounts(t, s, "a", 3)
		segment := filepath.Join("000-vale", "0000000001.wal")
		if err := errors.Join(os.MkdirAll(filepath.Join(live, TapeFolder, filepath.Dir(segment)), 0o700), os.WriteFile(filepath.Join(live, TapeFolder, segment), []byte("ticks"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := Backup(t.Context(), live, file, BackupOptions{Tape: true, Replace: true}); err != nil {
			t.Fatal(err)
		}
		closeStore(t, s)
		var into func(store.Reader) error
		if c.into != nil {
			into = func(store.Reader) error {
				if _, err := os.Lstat(filepath.Join(live, TapeFolder)); err == nil {
					t.Errorf("%s: the tape is there while the accounts are replaced", c.what)
				}
				return c.into(live)
			}
		}
		if c.block != "" {
			if err := block(filepath.Join(live, c.block)); err != nil {
				t.Fatal(err)
			}
		}
		_, _, err := Restore(t.Context(), file, live, true, into)
		if err == nil || !strings.Contains(err.Error(), c.says) || (c.says == "") == strings.Contains(err.Error(), asidePrefix) {
			t.Errorf("%s: the error is %v", c.what, err)
		}
		found, _ := filepath.Glob(filepath.Join(live, c.tape))
		if len(found) != 1 {
			t.Fatalf("%s: the tape is in %q", c.what, found)
		}
		if b, err := os.ReadFile(filepath.Join(found[0], segment)); err != nil || string(b) != "ticks" {
			t.Errorf("%s: the tape has %q, %v", c.what, b, err)
		}
		if left, _ := filepath.Glob(filepath.Join(live, RestoredTapeFolder+"*")); len(left) != 0 {
			t.Errorf("%s: left over: %q", c.what, left)
		}
		if left, _ := filepath.Glob(filepath.Join(live, asidePrefix+"*")); c.says == "" && len(left) != 0 {
			t.Errorf("%s: left over: %q", c.what, left)
		}
	}
}

// A backup has the files that an operator needs besides the database, and a consistent copy of a database that is in use.
func TestRestoreWritesAllFilesInBackup(t *testing.T) {
	t.Parallel()
	live, file := t.TempDir(), filepath.Join(t.TempDir(), "copy.db")
	s := open(t, live)
	addAccounts(t, s, "a", 3)
	key := bytes.Repeat([]byte("secret key "), 200_000) // longer than one row
	for name, b := range map[string][]byte{"key.pem": key, "public.txt": []byte("public"), "empty.json": nil} {
		if err := os.WriteFile(filepath.Join(live, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	journal, err := connect(filepath.Join(live, "journal.sqlite"), url.Values{}, "journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	if _, err := journal.ExecContext(t.Context(), `CREATE TABLE entries (text TEXT); INSERT INTO entries VALUES ('in the log')`); err != nil {
		t.Fatal(err)
	}
	sum, err := Backup(t.Context(), live, file, BackupOptions{Files: []string{"key.pem", "public.txt", "empty.json", "journal.sqlite", "not there"}})
	closeStore(t, s)
	if err != nil || len(sum.Files) != 4 || sum.Files[2].Name != "key.pem" && sum.Files[2].Bytes != int64(len(key)) {
		t.Fatalf("%+v, %v", sum, err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(file + ".*"); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}

	other := t.TempDir()
	old := []byte("older key")
	if err := errors.Join(os.WriteFile(filepath.Join(other, "key.pem"), old, 0o600), os.WriteFile(filepath.Join(other, "public.txt"), []byte("public"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Restore(t.Context(), file, other, false, nil); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "key.pem") {
		t.Errorf("restore over another key without leave: %v", err)
	}
	back, aside, err := Restore(t.Context(), file, other, true, nil)
	if err != nil || !reflect.DeepEqual(back, sum) {
		t.Fatalf("restored %+v, %v", back, err)
	}
	all := files(t, other)
	if !bytes.Equal(all["key.pem"], key) || string(all["public.txt"]) != "public" || all["empty.json"] == nil || !bytes.Equal(files(t, aside)["key.pem"], old) || len(files(t, aside)) != 1 {
		t.Error("the files differ from those of the backup")
	}
	if bytes.Contains(all[FileName], []byte("secret key")) {
		t.Error("the key is in the database")
	}
	for name := range all {
		if strings.Contains(name, newSuffix) || strings.Contains(name, "backup") || strings.Contains(name, ".part") {
			t.Errorf("left over: %s", name)
		}
	}
	restored, err := connect(filepath.Join(other, "journal.sqlite"), url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	var text string
	if err := restored.QueryRowContext(t.Context(), `SELECT text FROM entries`).Scan(&text); err != nil || text != "in the log" {
		t.Errorf("the journal has %q, %v", text, err)
	}
	s = openWith(t, other, WithLog(slog.New(slog.NewTextHandler(failOnWrite{t}, nil))))
	if n, _ := countAccounts(t, s); n != 3 {
		t.Errorf("%d accounts", n)
	}
	closeStore(t, s)

	at := bytes.LastIndex(whole, []byte("secret key"))
	damaged := slices.Clone(whole)
	damaged[at] ^= 1
	if err := os.WriteFile(file, damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(t.Context(), file); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "key.pem") {
		t.Errorf("a damaged key: %v", err)
	}
	execFile(t, file, `UPDATE backup_files SET name = '../key.pem'`+` WHERE name = 'key.pem'`)
	if _, err := Verify(t.Context(), file); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("a file outside of the folder: %v", err)
	}
}

// A database file may be lost while its write-ahead log is left. SQLite would apply that log to the restored database.
func TestRestoreMovesWriteAheadLogWithoutDatabaseToOtherFolder(t *testing.T) {
	live, file, to := t.TempDir(), filepath.Join(t.TempDir(), "copy.db"), t.TempDir()
	t.Chdir(t.TempDir())
	closeStore(t, open(t, live))
	journal, err := connect(filepath.Join(live, "journal.sqlite"), url.Values{}, "journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.ExecContext(t.Context(), `CREATE TABLE entries (text TEXT)`); err != nil {
		t.Fatal(err)
	}
	if _, err := Backup(t.Context(), live, file, BackupOptions{Files: []string{"journal.sqlite"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.ExecContext(t.Context(), `INSERT INTO entries VALUES ('after the backup')`); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(filepath.Join(live, "journal.sqlite"+logSuffix))
	if err != nil || len(log) == 0 {
		t.Fatalf("a log of %d bytes, %v", len(log), err)
	}
	if err := errors.Join(journal.Close(), os.WriteFile(filepath.Join(to, "journal.sqlite"+logSuffix), log, 0o600)); err != nil {
		t.Fatal(err)
	}
	_, aside, err := Restore(t.Context(), file, to, false, nil)
	if err != nil || !bytes.Equal(files(t, aside)["journal.sqlite"+logSuffix], log) {
		t.Fatalf("%d files in %q, %v", len(files(t, aside)), aside, err)
	}
	restored, err := connect(filepath.Join(to, "journal.sqlite"), url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	var n int
	if err := restored.QueryRowContext(t.Context(), `SELECT count(*) FROM entries`).Scan(&n); err != nil || n > 0 {
		t.Errorf("%d entries, %v", n, err)
	}
	if left := files(t, "."); len(left) > 0 {
		t.Errorf("%d files in the working directory", len(left))
	}
}

// countedContext is a context that ends at the given number of calls of Err.
type countedContext struct {
	context.Context
	calls, end int
}

func (c *countedContext) Err() error {
	if c.calls++; c.calls >= c.end {
		return context.Canceled
	}
	return nil
}

// A server that is being stopped must not read a backup of many gigabytes to the end.
func TestDigestOfLargeFileStopsWhenContextEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(file, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if size, _, err := digest(&countedContext{t.Context(), 0, 3}, file); !errors.Is(err, context.Canceled) || size == 0 || size > 1<<19 {
		t.Errorf("%d bytes were read, %v; want a part of the file", size, err)
	}
	if size, _, err := digest(t.Context(), file); err != nil || size != 1<<20 {
		t.Errorf("%d bytes were read, %v; want the whole file", size, err)
	}
}
