package chatlog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/sqlitefile"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Default values of Options.Retain and Options.Keep.
const (
	DefaultRetain = 30 * 24 * time.Hour // age at which lines are deleted (chosen because players complain within weeks)
	DefaultKeep   = 1_000_000           // number of lines, about 300 MB on disk
)

const (
	maxQueue = 8192 // maximum number of lines that wait to be written (chosen as 20 s of 20 areas at their chat limit)

	withheldBurst     = 10 // withheld lines of one account stored at once
	withheldPerSecond = 1  // withheld lines of one account stored per second after the burst
	// time after which the log forgets an unused player identity (knownPlayer) and an unused limit of an account (withheldBudget)
	forgetAfter = 2 * time.Minute
	feedDepth   = 256 // frames buffered per area: 12 s at 20 ticks a second; reading one takes microseconds
)

// Speaker is the identity of the player behind an actor.
type Speaker struct {
	Account string // name of the account
	Player  string // name of the character
	Door    string // name of the door, such as "rcce"
}

// Options configures a log. Path is required.
type Options struct {
	Path   string        // path of the file; its folder is created if missing
	Retain time.Duration // age at which lines are deleted; 0 selects DefaultRetain
	Keep   int           // maximum number of lines in the file; beyond it the oldest are deleted; 0 selects DefaultKeep

	// Identify returns the player behind an actor, or false if the actor is not a player in the world. It must not call
	// the log. If Identify is nil, no actor counts as a player.
	Identify func(sim.EntityID) (Speaker, bool)

	Log     *slog.Logger       // default: slog.Default()
	Metrics *telemetry.Metrics // default: metrics that are counted but not exported
}

// Log is an open chat log. Its methods are safe for concurrent use, also those of a nil Log.
type Log struct {
	*Reader
	opt Options
	log *slog.Logger

	areas    []string   // area names by AreaID; set by Watch
	feed     *area.Feed // nil before Watch
	feedDone chan struct{}
	stopping chan struct{}
	stopOnce sync.Once
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed when the writer has returned
	writeErr error         // error of the last write, valid after done is closed

	writing sync.Mutex // held while the file is written; guards the fields of writer
	writer  writer

	mu       sync.Mutex
	queue    []Line
	players  map[sim.EntityID]*knownPlayer
	withheld map[string]*withheldBudget // by account
	lost     int                        // lines that were dropped because the queue was full, since report last ran
	failure  *telemetry.Failure         // nil while the file can be written
}

// knownPlayer is a player whose identity the log remembers, because a frame may be read after the player has left the world.
type knownPlayer struct {
	Speaker
	at time.Time // time at which the player was last identified
}

// withheldBudget is the limit of one account on stored lines that no player received, because clients may send such lines without
// limit.
type withheldBudget struct {
	used float64 // number of tokens in use, 0 to withheldBurst; 0 means that the full burst is available
	at   time.Time
}

// Open opens the log for writing. The caller ensures that only one process at a time does so. If the file is damaged,
// or was written by another program or a newer version, Open renames it, logs that, and creates a new file.
func Open(o Options) (*Log, error) {
	if o.Retain <= 0 {
		o.Retain = DefaultRetain
	}
	if o.Keep <= 0 {
		o.Keep = DefaultKeep
	}
	if o.Identify == nil {
		o.Identify = func(sim.EntityID) (Speaker, bool) { return Speaker{}, false }
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.New()
	}
	db, err := fileKind.Open(o.Path, o.Log)
	if err != nil {
		return nil, err
	}
	l := &Log{
		opt: o, log: o.Log, feedDone: make(chan struct{}), stopping: make(chan struct{}), done: make(chan struct{}),
		writer:  writer{db: db, rows: sqlitefile.NewRowCounts("lines"), emptyWAL: true},
		players: map[sim.EntityID]*knownPlayer{}, withheld: map[string]*withheldBudget{},
	}
	if err = l.writer.rows.Load(context.Background(), db); err != nil {
		err = fmt.Errorf("%s: %w", o.Path, fileKind.MarkDamage(err))
	} else {
		l.Reader, err = OpenReader(o.Path)
	}
	if err != nil {
		return nil, errors.Join(err, l.Reader.Close(), db.Close())
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	l.cancel = cancel
	go func() {
		defer close(l.done)
		l.writeErr = l.run(ctx)
	}()
	return l, nil
}

// Remove deletes the log at path, and the renamed copies of earlier damaged logs. It reports whether any of these files
// existed. The caller ensures that no process has the log open.
func Remove(path string) (existed bool, err error) {
	return removeFiles(path, func(suffix string, _ fs.FileInfo) bool {
		return suffix == "" || suffix == "-wal" || suffix == "-shm" || isAside(suffix)
	})
}

// isAside reports whether a suffix, the part of a file name after the log's own name, marks a damaged log that Open
// renamed.
func isAside(suffix string) bool {
	return strings.HasPrefix(suffix, ".") && strings.Contains(suffix, ".damaged")
}

// removeFiles deletes those files in the log's folder whose names begin with the log's name and for which the function choose
// returns true. The parameter suffix of choose is the rest of the file's name.
func removeFiles(path string, choose func(suffix string, info fs.FileInfo) bool) (removed bool, err error) {
	folder := filepath.Dir(path)
	list, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	for _, entry := range list {
		suffix, ours := strings.CutPrefix(entry.Name(), filepath.Base(path))
		info, gone := entry.Info()
		if !ours || gone != nil || !info.Mode().IsRegular() || !choose(suffix, info) {
			continue
		}
		if failed := os.Remove(filepath.Join(folder, entry.Name())); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
			continue
		}
		removed = true
	}
	if err != nil {
		err = fmt.Errorf("delete files of the chat log: %w", err)
	}
	return removed, err
}

// Watch starts reading the frames of a world. It must be called once, before the world starts.
func (l *Log) Watch(w area.Host) {
	if l == nil {
		return
	}
	def := w.Def()
	for i := range def.Areas {
		l.areas = append(l.areas, def.Areas[i].Name)
	}
	feed := w.Subscribe("chat log", feedDepth, area.All)
	l.feed = feed
	go func() {
		defer close(l.feedDone)
		for p := range feed.C() {
			l.readFrame(p)
			p.Release()
		}
	}()
}

// readFrame adds the lines of chat that a frame contains.
func (l *Log) readFrame(p area.Published) {
	if p.Missed > 0 {
		l.opt.Metrics.ChatLog.With("missed_frames").Add(int(min(p.Missed, 1<<30)))
	}
	f := p.Frame
	for i := range f.Events {
		switch e := &f.Events[i]; e.Kind {
		case sim.EventJoined, sim.EventResumed:
			l.identify(e.Who)
		case sim.EventChat:
			s, ok := l.identify(e.Who)
			if !ok {
				continue // an NPC
			}
			line := Line{Channel: Area, Area: l.areaName(f.Area), Account: s.Account, Player: s.Player, Door: s.Door, Text: e.Text}
			if x := f.Find(e.Who); x != nil {
				line.Pos, line.HasPos = x.Pos, true
			}
			l.Add(line)
		}
	}
}

// identify returns the player behind an actor. It remembers the player, so that it still finds a player that has left
// the world.
func (l *Log) identify(id sim.EntityID) (Speaker, bool) {
	s, ok := l.opt.Identify(id) // called without l.mu, because Identify may block on other locks
	l.mu.Lock()
	defer l.mu.Unlock()
	if ok {
		l.players[id] = &knownPlayer{s, time.Now()}
		return s, true
	}
	if k := l.players[id]; k != nil {
		return k.Speaker, true
	}
	return Speaker{}, false
}

func (l *Log) areaName(id sim.AreaID) string {
	if id < 0 || int(id) >= len(l.areas) {
		return ""
	}
	return l.areas[id]
}

// Add queues a line. It never blocks. An account's lines that no player received (Line.Withheld) are limited to a burst of ten and
// then one per second. Excess lines are only counted in the metric "skipped".
func (l *Log) Add(line Line) {
	if l == nil {
		return
	}
	now := time.Now()
	line.clean(now)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case line.Withheld != Shown && !l.allowWithheld(line.Account, now):
		l.opt.Metrics.ChatLog.With("skipped").Inc()
	case len(l.queue) >= maxQueue:
		l.lost++
	default:
		l.queue = append(l.queue, line)
	}
}

// allowWithheld reports whether the log may store one more of an account's lines that no player received. If so, it counts the line
// against the account's limit. The caller holds l.mu.
func (l *Log) allowWithheld(account string, now time.Time) bool {
	account = sqlitefile.LowerASCII(account)
	b := l.withheld[account]
	if b == nil {
		b = &withheldBudget{at: now}
		l.withheld[account] = b
	}
	b.used = max(b.used-max(now.Sub(b.at).Seconds(), 0)*withheldPerSecond, 0)
	b.at = now
	if b.used > withheldBurst-1 {
		return false
	}
	b.used++
	return true
}

// sweep forgets departed players, and the limits of accounts, that were not used for longer than forgetAfter.
func (l *Log) sweep(now time.Time) {
	l.mu.Lock()
	var old []sim.EntityID
	for id, k := range l.players {
		if now.Sub(k.at) > forgetAfter {
			old = append(old, id)
		}
	}
	for account, b := range l.withheld {
		if now.Sub(b.at) > forgetAfter {
			delete(l.withheld, account)
		}
	}
	l.mu.Unlock()
	for _, id := range old {
		_, here := l.opt.Identify(id) // called without l.mu, because Identify may block on other locks
		l.mu.Lock()
		if k := l.players[id]; k != nil && here {
			k.at = now
		} else if k != nil && now.Sub(k.at) > forgetAfter {
			delete(l.players, id)
		}
		l.mu.Unlock()
	}
}

// Retain returns the age at which lines are deleted. For a nil Log it returns 0.
func (l *Log) Retain() time.Duration {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.opt.Retain
}

// SetBounds changes the age at which lines are deleted (retain), and the maximum number of lines (keep).
func (l *Log) SetBounds(retain time.Duration, keep int) {
	if l == nil {
		return
	}
	l.writing.Lock() // the writer reads opt while it holds this lock
	defer l.writing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.opt.Retain != retain {
		l.writer.prunedAt = time.Time{} // look for old lines at once
	}
	l.opt.Retain, l.opt.Keep = retain, keep
}

// Failure returns the current failure to write the file and when it began, or nil while the file can be written.
func (l *Log) Failure() *telemetry.Failure {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failure
}

// Close reads the remaining frames of the feed, until the feed ends because the world has stopped. Then it writes all queued
// lines and closes the file. If ctx ends first, the error contains the number of lines that were not written. Close may be
// called more than once.
func (l *Log) Close(ctx context.Context) error {
	if l == nil {
		return nil
	}
	if l.feed != nil {
		select {
		case <-l.feedDone:
		case <-ctx.Done():
			l.feed.Close()
			<-l.feedDone
		}
	}
	l.stopOnce.Do(func() { close(l.stopping) })
	select {
	case <-l.done:
	case <-ctx.Done():
		l.cancel(ctx.Err())
		<-l.done
	}
	l.mu.Lock()
	rest := len(l.queue)
	l.mu.Unlock()
	err := errors.Join(l.Reader.Close(), l.writer.db.Close())
	if l.writeErr != nil || rest > 0 {
		return fmt.Errorf("%s: %d lines of chat could not be written: %w", l.opt.Path, rest, errors.Join(l.writeErr, err))
	}
	return err
}
