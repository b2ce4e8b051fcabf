package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// BackupConfig configures the backups that a running server makes of its own data.
type BackupConfig struct {
	BackupEvery time.Duration `help:"How often the running server backs up its data: database, journal, tape, keys and operators; 0 never." default:"0s" toml:"backup-every"`
	BackupKeep  int           `help:"Number of these backups that are kept." default:"7" toml:"backup-keep"`
	BackupDir   string        `help:"Folder of these backups; default DATA-DIR/backups." placeholder:"DIR" toml:"backup-dir"`
}

// Limits of the settings of BackupConfig.
const (
	minBackupEvery = time.Minute
	maxBackupEvery = 365 * 24 * time.Hour
	maxBackupKeep  = 10_000 // backups
)

// defaultBackupFolder is the folder of backups, relative to the data folder, if BackupDir is not set.
const defaultBackupFolder = "backups"

func (c *BackupConfig) check(p *gateway.Problems) {
	p.Refuse(c.BackupEvery != 0 && (c.BackupEvery < minBackupEvery || c.BackupEvery > maxBackupEvery), "backup-every %v: must be 1m..8760h, or 0 for no backups", c.BackupEvery)
	p.Refuse(c.BackupEvery != 0 && (c.BackupKeep < 1 || c.BackupKeep > maxBackupKeep), "backup-keep %d: must be 1..%d", c.BackupKeep, maxBackupKeep)
}

// backupName matches the file names of scheduled backups. A name contains the UTC time at which the backup began.
var backupName = regexp.MustCompile(`^truestep-[0-9]{8}-[0-9]{6}\.backup$`)

// Patterns of the names that a server leaves if it is killed while it makes a scheduled backup. partialFile matches the incomplete
// file, and the copy of a database beside it with the logs that SQLite writes. partialFolder matches the folder with the copy of a
// PostgreSQL database.
var (
	partialFile   = regexp.MustCompile(`^truestep-[0-9]{8}-[0-9]{6}\.backup\.part(\.journal)?(-journal|-wal|-shm)?$`)
	partialFolder = regexp.MustCompile(`^\.truestep-[0-9]{8}-[0-9]{6}\.backup-[0-9]+$`)
)

const backupTime = "truestep-20060102-150405.backup" // layout of the name for time.Format

// backupRetry is the time from a failed backup to the next attempt. If the interval of backups is shorter, the next attempt is
// after that interval.
const backupRetry = 5 * time.Minute

// backupSchedule makes backups while a server runs. The zero value makes none.
type backupSchedule struct {
	dir   string             // folder of the backups
	stop  context.CancelFunc // ends the schedule; nil before start
	ended chan struct{}      // closed when the schedule has ended; nil before start

	mu      sync.Mutex
	failure *telemetry.Failure // nil if the last backup succeeded
}

// start creates the folder of backups and starts the schedule, unless BackupEvery is 0, which means no scheduled backups.
func (b *backupSchedule) start(s *Server) error {
	if s.cfg.BackupEvery == 0 {
		return nil
	}
	b.dir = cmp.Or(s.cfg.BackupDir, filepath.Join(s.cfg.DataDir, defaultBackupFolder))
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return gateway.WithFix(fmt.Errorf("create the folder of backups: %w", err), "choose with --backup-dir DIR a folder that the server can write to")
	}
	now := time.Now()
	list, err := listBackups(b.dir, now)
	if err != nil {
		return gateway.WithFix(fmt.Errorf("list the folder of backups: %w", err), "choose with --backup-dir DIR a folder that the server can read")
	}
	removePartialBackups(b.dir, s.log)
	ctx, stop := context.WithCancel(context.Background())
	b.stop, b.ended = stop, make(chan struct{})
	wait := nextBackup(list, s.cfg.BackupEvery, now)
	go func() {
		defer close(b.ended)
		b.run(ctx, s, wait)
	}()
	return nil
}

// cancel ends the schedule. A backup that is being made is aborted, which takes a moment; see wait.
func (b *backupSchedule) cancel() {
	if b.stop != nil {
		b.stop()
	}
}

// wait waits until the schedule, which cancel has told to stop, has ended, or until ctx ends. A backup ends late if the
// disk is slow to sync its file.
func (b *backupSchedule) wait(ctx context.Context, s *Server) {
	if b.ended == nil {
		return
	}
	select {
	case <-b.ended:
		return
	default:
	}
	select {
	case <-b.ended:
	case <-ctx.Done():
		s.log.Warn("an aborted backup has not ended within the stop timeout", telemetry.FieldFile, b.dir)
	}
}

// run makes the first backup after the time wait, and further backups at regular intervals until ctx ends.
func (b *backupSchedule) run(ctx context.Context, s *Server, wait time.Duration) {
	for timer := time.NewTimer(wait); ; timer.Reset(wait) {
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		began := time.Now()
		sum, file, err := b.make(ctx, s, began)
		if ctx.Err() != nil {
			return
		}
		b.report(s, sum, file, err, began)
		wait = max(0, s.cfg.BackupEvery-time.Since(began))
		if err != nil {
			wait = min(s.cfg.BackupEvery, backupRetry)
		}
	}
}

// make writes and verifies a backup. Then it deletes the oldest backups, so that at most BackupKeep remain.
func (b *backupSchedule) make(ctx context.Context, s *Server, now time.Time) (sum *sqlite.Summary, file string, err error) {
	file = filepath.Join(b.dir, now.UTC().Format(backupTime))
	sum, err = backUp(ctx, s.cfg.DataDir, s.cfg.StoreConfig, file, sqlite.BackupOptions{Files: BackupFiles(true, true, true), Tape: true, Replace: true}, nil)
	if err != nil {
		return nil, file, err
	}
	return sum, file, pruneBackups(b.dir, s.cfg.BackupKeep, now)
}

// report reports the result of a backup to the status line, the console, the metrics and the log.
func (b *backupSchedule) report(s *Server, sum *sqlite.Summary, file string, err error, began time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	took := time.Since(began)
	switch {
	case err != nil:
		s.log.Error("backup failed, retrying later", telemetry.FieldFile, file, telemetry.FieldErr, err)
	case b.failure != nil:
		s.log.Info("backups are written again", telemetry.FieldFile, file, telemetry.FieldDuration, took)
	default:
		s.log.Info("backup written and verified", telemetry.FieldFile, file, "bytes", sum.Bytes, "with", describeBackup(sum), telemetry.FieldDuration, took)
	}
	b.failure = b.failure.Next("BACKUP FAILED", err, time.Now())
	s.metrics.BackupFailing.Set(map[bool]int{true: 1}[err != nil])
	if err == nil {
		s.metrics.BackupTime.Set(int(began.Unix()))
	}
}

// lastFailure returns why backups fail at present, and since when. It returns nil if the last backup succeeded.
func (b *backupSchedule) lastFailure() *telemetry.Failure {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failure
}

// listBackups returns the names of the scheduled backups in a folder, oldest first. It ignores other files. Names later than now
// were given while the clock was ahead. They are first in the list, because backups that were made since the clock was corrected
// have earlier names but newer data.
func listBackups(dir string, now time.Time) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if backupName.MatchString(e.Name()) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names) // names contain the time, so this sorts by time
	latest := now.UTC().Format(backupTime)
	if i := slices.IndexFunc(names, func(name string) bool { return name > latest }); i > 0 {
		names = slices.Concat(names[i:], names[:i])
	}
	return names, err
}

// removePartialBackups deletes incomplete scheduled backups, which a killed server has left in a folder. It is called while
// no backup is being made. An error is only logged, because it does not concern the next backup.
func removePartialBackups(dir string, log *slog.Logger) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if isPartialBackup(e) {
			path := filepath.Join(dir, e.Name())
			log.Info("deleting a backup that was not completed", telemetry.FieldFile, path)
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	if err != nil {
		log.Warn("cannot delete backups that were not completed", telemetry.FieldErr, err)
	}
}

func isPartialBackup(e fs.DirEntry) bool {
	return e.Type().IsRegular() && partialFile.MatchString(e.Name()) || e.IsDir() && partialFolder.MatchString(e.Name())
}

// nextBackup returns the time until the next backup is due: one interval after the newest backup, or 0 if there is no backup. The
// names are those that listBackups returns. If the clock was set back, so that all names are later than now, the newest backup
// counts as made now.
func nextBackup(names []string, every time.Duration, now time.Time) time.Duration {
	if len(names) == 0 {
		return 0
	}
	newest, err := time.ParseInLocation(backupTime, names[len(names)-1], time.UTC)
	if err != nil {
		return 0
	}
	return min(every, max(0, every-now.Sub(newest)))
}

// pruneBackups deletes the oldest backups until at most keep backups are left. It never deletes the backup that was just
// made; the parameter made is the time in that backup's name.
func pruneBackups(dir string, keep int, made time.Time) error {
	names, err := listBackups(dir, made) // the last name is that of the backup just made
	if err != nil {
		return fmt.Errorf("list old backups: %w", err)
	}
	for len(names) > keep {
		if err := os.Remove(filepath.Join(dir, names[0])); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("delete an old backup: %w", err)
		}
		names = names[1:]
	}
	return nil
}
