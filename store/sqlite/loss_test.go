package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	logName    = FileName + logSuffix
	ledgerName = FileName + ledgerSuffix
)

// addAccounts creates accounts name0 to name<n-1> with one character each, in two commits per account.
func addAccounts(t *testing.T, s *Store, name string, n int) {
	t.Helper()
	for i := range n {
		name := fmt.Sprint(name, i)
		id, err := s.CreateAccount(t.Context(), store.Account{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.CreateCharacter(t.Context(), id, &sim.Character{Name: name}, 1); err != nil {
			t.Fatal(err)
		}
	}
}

// killed calls use with a store and returns the files that remain if the server is then killed.
func killed(t *testing.T, use func(s *Store)) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir)
	defer closeStore(t, s)
	use(s)
	all := files(t, dir)
	delete(all, FileName+"-shm") // the index of the write-ahead log, which the next start creates again
	delete(all, lockName)
	return all
}

// put writes files into a new directory.
func put(t *testing.T, all map[string][]byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, b := range all {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// countAccounts returns the number of accounts and of characters.
func countAccounts(t *testing.T, s *Store) (accounts, characters int) {
	t.Helper()
	err := s.db.QueryRowContext(t.Context(), `SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM characters)`).Scan(&accounts, &characters)
	if err != nil {
		t.Fatal(err)
	}
	return accounts, characters
}

// expectLoss checks that (1) Open refuses the files with the texts in its error and does not change them, (2) WithAcceptLoss opens
// them with the given number of accounts and copies every file, and (3) the next Open logs nothing.
func expectLoss(t *testing.T, all map[string][]byte, accounts int, texts ...string) {
	t.Helper()
	dir := put(t, all)
	s, err := Open(t.Context(), dir)
	if err == nil {
		n, _ := countAccounts(t, s)
		closeStore(t, s)
		t.Fatalf("opened without a word with %d accounts", n)
	}
	t.Log(err)
	if !errors.Is(err, ErrLoss) || !errors.Is(err, store.ErrCorrupt) || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is not one line about a loss: %q", err)
	}
	for _, text := range append(texts, filepath.Join(dir, FileName), "--accept-loss", "truestep restore") {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("the error does not say %q", text)
		}
	}
	for name, b := range files(t, dir) {
		if had, ok := all[name]; ok && !bytes.Equal(b, had) || !ok && name != lockName && name != FileName+"-shm" {
			t.Errorf("the refused start changed %s", name)
		}
	}
	var log bytes.Buffer
	text := WithLog(slog.New(slog.NewTextHandler(&log, nil)))
	if s, err = Open(t.Context(), dir, WithAcceptLoss(true), text); err != nil {
		t.Fatalf("with --accept-loss: %v", err)
	}
	if n, _ := countAccounts(t, s); n != accounts {
		t.Errorf("%d accounts are left, want %d", n, accounts)
	}
	addAccounts(t, s, "later", 2)
	closeStore(t, s)
	aside, _ := filepath.Glob(filepath.Join(dir, asidePrefix+"*"))
	if len(aside) != 1 || !strings.Contains(log.String(), aside[0]) || !maps.EqualFunc(with(files(t, aside[0]), "rows.jsonl", nil), all, bytes.Equal) {
		t.Errorf("copies are in %q; log:\n%s", aside, log.String())
	}
	log.Reset()
	if s, err = Open(t.Context(), dir, text); err != nil {
		t.Fatalf("the start after that: %v", err)
	}
	if n, _ := countAccounts(t, s); n != accounts+2 || log.Len() > 0 {
		t.Errorf("the start after that has %d accounts, want %d, and says %q", n, accounts+2, log.String())
	}
	closeStore(t, s)
}

func with(all map[string][]byte, name string, b []byte) map[string][]byte {
	all = maps.Clone(all)
	if all[name] = b; b == nil {
		delete(all, name)
	}
	return all
}

func TestErrorOfOpenSaysWhichDataIsMissing(t *testing.T) {
	t.Parallel()
	const n = 25
	whole := killed(t, func(s *Store) { addAccounts(t, s, "a", n) })
	wal := whole[logName]
	damaged := func(change func(b []byte)) map[string][]byte {
		b := slices.Clone(wal)
		change(b)
		return with(whole, logName, b)
	}
	other := killed(t, func(s *Store) { addAccounts(t, s, "other", 3) })
	t.Run("one bit of the log", func(t *testing.T) {
		expectLoss(t, damaged(func(b []byte) { b[len(b)/2] ^= 4 }), 13, "of 25 accounts", "of 25 characters", logName+" is damaged or cut off", "commits are missing")
	})
	t.Run("log cut", func(t *testing.T) {
		expectLoss(t, with(whole, logName, wal[:len(wal)*3/4]), 19, "; 19 of 25 accounts")
	})
	t.Run("noise in the log", func(t *testing.T) {
		expectLoss(t, damaged(func(b []byte) {
			for i := 64; i < 9000; i++ {
				b[i] = byte(i * 7)
			}
		}), 0, "; 0 of 25 accounts")
	})
	t.Run("log missing", func(t *testing.T) {
		expectLoss(t, with(whole, logName, nil), 0, "log "+logName+" is missing", "; 0 of 25 accounts")
	})
	t.Run("log empty", func(t *testing.T) {
		expectLoss(t, with(whole, logName, []byte{}), 0, "; 0 of 25 accounts")
	})
	t.Run("log of another database", func(t *testing.T) {
		expectLoss(t, with(whole, logName, other[logName]), 0, "is damaged or of another database", "; 0 of 25 accounts")
	})
	t.Run("ledger of another database", func(t *testing.T) {
		expectLoss(t, with(whole, ledgerName, other[ledgerName]), n, "ledger "+ledgerName+" is of another database", "this database has 25 accounts", "had 3 and 3")
	})
	t.Run("file copied alone", func(t *testing.T) {
		expectLoss(t, map[string][]byte{FileName: whole[FileName]}, 0, "copied alone", "how many there were is not known")
	})
	t.Run("ledger missing", func(t *testing.T) {
		expectLoss(t, with(whole, ledgerName, nil), n, ledgerName+" is missing")
	})
	t.Run("file missing", func(t *testing.T) {
		expectLoss(t, map[string][]byte{ledgerName: whole[ledgerName]}, 0, "the file is missing or empty", "; 0 of 25 accounts")
	})
	t.Run("file missing, log there", func(t *testing.T) {
		expectLoss(t, with(whole, FileName, nil), 0, "the file is missing or empty", "; 0 of 25 accounts")
	})
}

// A database file and a write-ahead log of different times give a mixture of old and new pages that no check of the database's
// structure detects.
func TestOpenRefusesDatabaseWithOlderOrNewerWriteAheadLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	addAccounts(t, s, "a", 5)
	early := files(t, dir)
	if done, err := s.checkpoint(t.Context()); !done || err != nil {
		t.Fatal(done, err)
	}
	addAccounts(t, s, "b", 5)
	late := files(t, dir)
	closeStore(t, s)
	after := files(t, dir)
	for name, b := range map[string]struct {
		all  map[string][]byte
		left int
		text string
	}{
		"older file":            {map[string][]byte{FileName: early[FileName], logName: late[logName], ledgerName: late[ledgerName]}, 0, "of another database"},
		"older file and ledger": {map[string][]byte{FileName: early[FileName], logName: late[logName], ledgerName: early[ledgerName]}, 0, "of another database"},
		"older log":             {map[string][]byte{FileName: late[FileName], logName: early[logName], ledgerName: late[ledgerName]}, 5, "; 5 of 10 accounts"},
		"older copy":            {map[string][]byte{FileName: early[FileName], logName: early[logName], ledgerName: late[ledgerName]}, 5, "; 5 of 10 accounts"},
		"older copy after stop": {map[string][]byte{FileName: early[FileName], ledgerName: after[ledgerName]}, 0, "; 0 of 10 accounts"},
	} {
		t.Run(name, func(t *testing.T) { expectLoss(t, b.all, b.left, b.text) })
	}
	t.Run("foreign log beside a complete file", func(t *testing.T) {
		dir := put(t, map[string][]byte{FileName: after[FileName], logName: early[logName], ledgerName: after[ledgerName]})
		var log bytes.Buffer
		s, err := Open(t.Context(), dir, WithLog(slog.New(slog.NewTextHandler(&log, nil))))
		if err != nil {
			t.Fatal(err)
		}
		defer closeStore(t, s)
		if n, _ := countAccounts(t, s); n != 10 || !strings.Contains(log.String(), "was moved aside; no stored data is missing") {
			t.Errorf("%d accounts, log %q", n, log.String())
		}
	})
}

// A set of files that has every commit is opened without a log line, except one about a damaged line of the ledger.
func TestOpenOfDatabaseWithAllCommitsReportsNoLoss(t *testing.T) {
	t.Parallel()
	const n = 4
	var stopped, restarted map[string][]byte
	whole := killed(t, func(s *Store) { addAccounts(t, s, "a", n) })
	dir := put(t, whole)
	closeStore(t, open(t, dir))
	stopped = files(t, dir)
	s := open(t, dir)
	restarted = files(t, dir)
	closeStore(t, s)
	for name, all := range map[string]map[string][]byte{
		"killed":                          whole,
		"killed, with half a commit":      with(whole, logName, append(slices.Clone(whole[logName]), make([]byte, 1000)...)),
		"stopped":                         stopped,
		"file of a stopped server, alone": {FileName: stopped[FileName]},
		"killed after the start":          restarted,
		"log checkpointed and removed":    with(restarted, logName, nil),
		"newest line of the ledger lost":  with(whole, ledgerName, bytes.Replace(whole[ledgerName], fmt.Appendf(nil, "generation=%d ", 1+2*n), fmt.Appendf(nil, "generation=%d ", 7), 1)),
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s, err := Open(t.Context(), put(t, all), WithLog(slog.New(slog.NewTextHandler(&log, nil))))
			if err != nil {
				t.Fatal(err)
			}
			defer closeStore(t, s)
			accounts, characters := countAccounts(t, s)
			if says := strings.Contains(log.String(), "damaged_lines=1"); accounts != n || characters != n || says != strings.Contains(name, "line") || !says && log.Len() > 0 {
				t.Errorf("%d accounts, %d characters, log %q", accounts, characters, log.String())
			}
		})
	}
}

// Every bit flip, truncation and overwrite in the log either loses no commit or is reported.
func TestCommitsLostInDamagedWriteAheadLogAreReported(t *testing.T) {
	t.Parallel()
	const n = 10
	whole := killed(t, func(s *Store) { addAccounts(t, s, "a", n) })
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	said := 0
	for i := range 30 {
		b := slices.Clone(whole[logName])
		at := r.IntN(len(b))
		switch i % 3 {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b = b[:at]
		case 2:
			for j := at; j < min(at+r.IntN(9000), len(b)); j++ {
				b[j] = byte(r.Uint32())
			}
		}
		s, err := Open(t.Context(), put(t, with(whole, logName, b)), WithLog(slog.New(slog.NewTextHandler(io.Discard, nil))))
		if errors.Is(err, ErrLoss) {
			said++
			continue
		}
		if err != nil {
			t.Fatalf("case %d at %d: %v", i, at, err)
		}
		if accounts, characters := countAccounts(t, s); accounts != n || characters != n {
			t.Errorf("case %d at %d: %d accounts and %d characters without a word", i, at, accounts, characters)
		}
		closeStore(t, s)
	}
	if said < 15 {
		t.Errorf("only %d of 30 were noticed", said)
	}
}

func TestWriteAheadLogIsCheckpointedAtMaximumLength(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	defer closeStore(t, s)
	addAccounts(t, s, "a", 5)
	s.nextCheckpoint = 1
	addAccounts(t, s, "b", 1)
	size, err := sizeOf(filepath.Join(dir, logName))
	if err != nil || size > 50_000 || s.checkpointed.Load() != 1+2*5+1 || s.nextCheckpoint != checkpointBytes {
		t.Errorf("the log has %d bytes, the file has commit %d, %v", size, s.checkpointed.Load(), err)
	}
}

func TestFailingCommitLedgerWritesAreReported(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	m := telemetry.New()
	s := openWith(t, t.TempDir(), WithMetrics(m), WithLog(slog.New(slog.NewTextHandler(&log, nil))))
	defer closeStore(t, s)
	works := s.ledger.F
	broken, err := os.Open(works.Name()) // read-only
	if err != nil {
		t.Fatal(err)
	}
	defer broken.Close()
	for i, f := range []*os.File{broken, broken, works} {
		s.ledger.F = f
		addAccounts(t, s, fmt.Sprint("a", i), 1)
		failing := f == broken
		if got := s.Failure(); (got != nil) != failing || failing && got.Err == nil || m.LedgerFailing.Load() != map[bool]int64{true: 1}[failing] {
			t.Errorf("after %d commits the failure is %+v, the metric %d", 2*(i+1), got, m.LedgerFailing.Load())
		}
	}
	if strings.Count(log.String(), "cannot write") != 1 || !strings.Contains(log.String(), "is written again") {
		t.Errorf("log:\n%s", log.String())
	}
}
