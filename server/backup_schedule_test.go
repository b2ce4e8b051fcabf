package server

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/history"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
	"github.com/truestep-io/truestep/telemetry"
)

func TestScheduledBackupIsDueOneIntervalAfterNewestBackup(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		names []string
		want  time.Duration
	}{
		{nil, 0},
		{[]string{"truestep-20260228-120000.backup", "truestep-20260301-100000.backup"}, 22 * time.Hour},
		{[]string{"truestep-20260220-120000.backup"}, 0},
		{[]string{"truestep-20270101-000000.backup"}, 24 * time.Hour}, // the clock was set back
		{[]string{"truestep-20269999-999999.backup"}, 0},
	} {
		if got := nextBackup(c.names, 24*time.Hour, now); got != c.want {
			t.Errorf("%v: next in %v, want %v", c.names, got, c.want)
		}
	}
}

func TestBackupsBeyondLimitAreDeletedAndOtherFilesRemain(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		writeText(t, filepath.Join(dir, fmt.Sprintf("truestep-2026010%d-000000.backup", i+1)), "x")
	}
	others := []string{"truestep-20250101-000000.backup.part", "notes.txt", "monday.backup"}
	for _, name := range others {
		writeText(t, filepath.Join(dir, name), "x")
	}
	now := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	if err := pruneBackups(dir, 2, now); err != nil {
		t.Fatal(err)
	}
	names, err := listBackups(dir, now)
	if want := []string{"truestep-20260104-000000.backup", "truestep-20260105-000000.backup"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("left are %v, %v; want %v", names, err, want)
	}
	for _, name := range others {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// The names of backups contain their time. Backups that were made while the clock was ahead have later names than backups
// made after its correction. A new backup must replace the one that was made first, not the one with the earliest name.
func TestBackupReplacesFirstMadeBackupEvenAfterClockCorrection(t *testing.T) {
	dir := t.TempDir()
	write := func(at time.Time) string {
		name := at.Format(backupTime)
		writeText(t, filepath.Join(dir, name), "x")
		if err := pruneBackups(dir, 3, at); err != nil {
			t.Fatal(err)
		}
		return name
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var want []string
	for day := range 3 {
		want = append(want, write(now.AddDate(1, 0, day)))
	}
	for day := range 5 {
		at := now.AddDate(0, 0, day)
		want = append(want[1:], write(at))
		names, err := listBackups(dir, at)
		if err != nil || !slices.Equal(names, want) {
			t.Fatalf("after the backup of %v there are %v, %v; want %v", at, names, err, want)
		}
		if wait := nextBackup(names, 24*time.Hour, at.Add(time.Hour)); wait != 23*time.Hour {
			t.Errorf("an hour after the backup of %v the next one is due in %v, want 23h", at, wait)
		}
	}
}

// A server that is killed while it makes a backup leaves partial files behind and, if its store is PostgreSQL, a folder.
func TestStartDeletesPartialBackupsOfKilledServer(t *testing.T) {
	const name = "truestep-20260101-000000.backup"
	partial := []string{name + ".part", name + ".part-journal", name + ".part-wal", name + ".part-shm", name + ".part.journal", name + ".part.journal-journal", "." + name + "-123456"}
	others := []string{name, "monday.backup.part", "truestep-2026-000000.backup.part", name + ".party", "." + name, ".truestep-backup-1", "." + name + "-99", name + ".part-shm2"}
	cfg := quietConfig(t)
	cfg.BackupEvery, cfg.BackupDir = 24*time.Hour, t.TempDir()
	for _, name := range slices.Concat(partial, others) {
		path := filepath.Join(cfg.BackupDir, name)
		if strings.HasSuffix(name, "-123456") { // a folder
			path = filepath.Join(path, sqlite.FileName)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		writeText(t, path, "x")
	}
	left := func(names []string) (list []string) {
		for _, name := range names {
			if _, err := os.Lstat(filepath.Join(cfg.BackupDir, name)); err == nil {
				list = append(list, name)
			}
		}
		return list
	}
	s := start(t, cfg)
	if list := left(partial); len(list) != 0 {
		t.Errorf("left are %q", list)
	}
	if list := left(others); !slices.Equal(list, others) {
		t.Errorf("of other files only %q are left", list)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// While a backup is being made, its folder has only files that the next start would delete.
func TestFilesOfUnfinishedBackupAreRecognizedAsPartial(t *testing.T) {
	cfg := quietConfig(t)
	if err := start(t, cfg).Close(); err != nil {
		t.Fatal(err)
	}
	dir, seen := t.TempDir(), 0
	report := func(int, int) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			seen++
			if !isPartialBackup(e) {
				t.Errorf("%s is not known as partial", e.Name())
			}
		}
	}
	if _, err := sqlite.Backup(t.Context(), cfg.DataDir, filepath.Join(dir, time.Now().UTC().Format(backupTime)), sqlite.BackupOptions{Report: report}); err != nil || seen == 0 {
		t.Errorf("%d partial files, %v", seen, err)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestBackupOfRunningServerIsRestoredCompletely(t *testing.T) {
	cfg := quietConfig(t)
	cfg.Console = "127.0.0.1:0" // the console creates the file of logins
	cfg.BackupEvery, cfg.BackupKeep = time.Hour, 3
	writeText(t, filepath.Join(cfg.DataDir, "operators.json"), `{"operators": []}`)
	writeText(t, filepath.Join(cfg.DataDir, "web.key"), "key of guests")
	writeText(t, filepath.Join(cfg.DataDir, "rs-key.pem"), "key of the door")
	cfg.HistoryRetain = "30d"
	s := start(t, cfg)
	p := join(t, s)
	walkAway(t, s, p)
	rules := []store.AccessRule{
		{Kind: store.AccessMute, Account: "ann", Reason: "shouting", Until: time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)},
		{Kind: store.AccessBan, Network: netip.MustParsePrefix("192.0.2.0/24")}, {Kind: store.AccessWhitelisted, Account: "ann"},
	}
	for _, rule := range rules {
		if _, err := s.hub.Restrict(t.Context(), rule); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(cfg.DataDir, "backups")
	var names []string
	eventually(t, "the first backup is made at once", func() bool {
		names, _ = listBackups(dir, time.Now())
		return len(names) == 1
	})
	again := s.backups.backup(t, s) // now the player is in the store
	if s.backups.lastFailure() != nil || len(s.Failures()) != 0 {
		t.Errorf("failures %+v", s.Failures())
	}
	for minute := range 2 { // one backup more than cfg.BackupKeep, with the backup in again
		if _, _, err := s.backups.make(t.Context(), s, time.Now().Add(time.Duration(minute+2)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := listBackups(dir, time.Now()); err != nil || len(left) != cfg.BackupKeep || slices.Contains(left, names[0]) || !slices.Contains(left, filepath.Base(again)) {
		t.Errorf("after four backups there are %q, %v; want the newest %d", left, err, cfg.BackupKeep)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	restored := filepath.Join(t.TempDir(), "restored")
	sum, _, err := sqlite.Restore(t.Context(), again, restored, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Accounts != 1 || sum.Characters != 1 {
		t.Errorf("restored are %d accounts and %d characters, want one of each", sum.Accounts, sum.Characters)
	}
	for name, want := range map[string]string{"operators.json": `{"operators": []}`, "web.key": "key of guests", "rs-key.pem": "key of the door"} {
		if b, err := os.ReadFile(filepath.Join(restored, name)); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	if _, err := os.Stat(filepath.Join(restored, "journal.sqlite")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Join(restored, history.FileName)); err != nil || info.Size() == 0 {
		t.Errorf("the figures of the charts: %v", err)
	}
	if _, err := os.Stat(filepath.Join(restored, sqlite.TapeFolder)); !os.IsNotExist(err) {
		t.Errorf("the tape of the backup is where a start would continue it: %v", err)
	}
	v, err := tape.Verify(tape.Options{Dir: sum.Tape, World: s.cfg.World.World})
	if err != nil || v.Ticks == 0 || len(v.Problems) != 0 {
		t.Errorf("the tape of the backup in %q: %+v, %v", sum.Tape, v, err)
	}
	cfg = quietConfig(t)
	cfg.DataDir = restored
	checkRules(t, restored, rules)
	if q := enterAgain(t, start(t, cfg)); q.Character.Name != "Ann" {
		t.Errorf("entered as %q", q.Character.Name)
	}
}

// backup makes a backup now and returns its path.
func (b *backupSchedule) backup(t *testing.T, s *Server) string {
	t.Helper()
	_, file, err := b.make(t.Context(), s, time.Now().Add(time.Minute)) // a minute later, so that the file gets another name
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFailedBackupIsReportedUntilOneSucceeds(t *testing.T) {
	var log bytes.Buffer
	cfg := quietConfig(t)
	cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	s := start(t, cfg)
	s.backups.dir = filepath.Join(cfg.DataDir, "missing", "folder")
	sum, file, err := s.backups.make(t.Context(), s, time.Now())
	if err == nil {
		t.Fatal("a backup to a missing folder succeeded")
	}
	s.backups.report(s, sum, file, err, time.Now())
	if f := s.Failures(); len(f) != 1 || f[0].What != "BACKUP FAILED" || !strings.Contains(f[0].Err.Error(), "missing") {
		t.Errorf("failures %+v", f)
	}
	if h := s.Health(); !h.Ready || len(h.Failures) != 1 {
		t.Errorf("health %+v; want ready, with one failure", h)
	}
	s.backups.dir = cfg.DataDir
	sum, file, err = s.backups.make(t.Context(), s, time.Now())
	s.backups.report(s, sum, file, err, time.Now())
	if f := s.Failures(); err != nil || len(f) != 0 {
		t.Errorf("after a backup failures %+v, %v", f, err)
	}
	if text := log.String(); !strings.Contains(text, "backup failed") || !strings.Contains(text, "backups are written again") {
		t.Errorf("log\n%s", text)
	}
}

func TestScheduledBackupIsRetriedSoonAfterFailure(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &Server{cfg: quietConfig(t), log: slog.New(slog.DiscardHandler), metrics: telemetry.New()}
		s.cfg.DataDir = filepath.Join(dir, "no-database")
		s.cfg.BackupEvery, s.cfg.BackupKeep, s.cfg.BackupDir = 24*time.Hour, 1, dir
		if err := s.backups.start(s); err != nil {
			t.Fatal(err)
		}
		defer s.backups.wait(t.Context(), s)
		defer s.backups.cancel()
		time.Sleep(time.Second)
		synctest.Wait()
		first := s.backups.lastFailure()
		if first == nil {
			t.Fatal("a backup of a folder without a database succeeded")
		}
		time.Sleep(backupRetry)
		synctest.Wait()
		if now := s.backups.lastFailure(); now == first || now.Since != first.Since {
			t.Errorf("after %v the failure is %+v, want another attempt of the failure since %v", backupRetry, now, first.Since)
		}
	})
}

// A backup that is aborted may end late, because syncing a large backup to a slow disk cannot be aborted.
func TestServerStopsWhileAbortedBackupHasNotEnded(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	aborted := false
	s.backups.stop, s.backups.ended = func() { aborted = true }, make(chan struct{})
	go func() {
		<-s.world.Done()
		close(s.backups.ended)
	}()
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		if err != nil || !aborted {
			t.Errorf("closed with %v, aborted %v", err, aborted)
		}
	case <-time.After(time.Minute):
		t.Error("the stop waits for the backup")
		_ = s.world.Stop(t.Context())
		<-closed
	}
	var log bytes.Buffer
	s.log, s.backups.ended = slog.New(slog.NewTextHandler(&log, nil)), make(chan struct{})
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if s.backups.wait(over, s); !strings.Contains(log.String(), "has not ended") {
		t.Errorf("the log has %q", log.String())
	}
}

func TestBackupSettingsOutOfRangeAreRefused(t *testing.T) {
	for _, c := range []BackupConfig{{BackupEvery: time.Second, BackupKeep: 7}, {BackupEvery: time.Hour}, {BackupEvery: -time.Hour, BackupKeep: 7}, {BackupEvery: time.Hour, BackupKeep: 1 << 20}} {
		var p gateway.Problems
		if c.check(&p); p.Err() == nil || !strings.Contains(p.Err().Error(), "backup-") {
			t.Errorf("%+v: %v", c, p.Err())
		}
	}
	cfg := quietConfig(t)
	writeText(t, filepath.Join(cfg.DataDir, "file"), "")
	cfg.BackupEvery, cfg.BackupDir = time.Hour, filepath.Join(cfg.DataDir, "file")
	if s, err := Start(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "--backup-dir") {
		if s != nil {
			s.Close()
		}
		t.Errorf("a folder of backups that is a file: %v", err)
	}
}

// checkRules checks that the database in a data folder contains exactly the given access rules.
func checkRules(t *testing.T, dir string, want []store.AccessRule) {
	t.Helper()
	st, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	got, err := st.AccessRules(t.Context())
	if err != nil || len(got) != len(want) {
		t.Errorf("the access rules are %+v, %v", got, err)
	}
	for _, w := range want {
		if !slices.ContainsFunc(got, func(r store.AccessRule) bool {
			return r.Kind == w.Kind && r.Account == w.Account && r.Network == w.Network && r.Reason == w.Reason && r.Until.Equal(w.Until)
		}) {
			t.Errorf("the access rules have no %+v: %+v", w, got)
		}
	}
}
