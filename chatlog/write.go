package chatlog

import (
	"context"
	"database/sql"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/sqlitefile"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	writeInterval   = 250 * time.Millisecond // interval of writes
	maxRetryDelay   = 30 * time.Second       // longest pause between attempts after errors
	closeRetryDelay = 100 * time.Millisecond // pause between attempts while the log is being closed
	maxBatch        = 1000                   // maximum number of lines per transaction
	pruneInterval   = time.Minute            // pause between searches for old lines when a search has found none left
	asideInterval   = time.Hour              // interval at which old renamed copies of damaged logs are deleted
	sweepInterval   = time.Minute            // interval at which the state of players that left is deleted
)

// writer holds the database of the chat log, and the state that is used only for writing to it. Log.writing guards this state.
type writer struct {
	db       *sql.DB               // the only connection that writes
	rows     *sqlitefile.RowCounts // number of lines per account
	failing  bool                  // the last write failed
	lostSaid bool                  // lost lines were already reported in the server's log
	prunedAt time.Time             // time at which the last complete search for old lines ended
	asideAt  time.Time             // time at which old renamed copies of damaged logs were last deleted
	sweptAt  time.Time             // time of the last sweep
	emptyWAL bool                  // lines were deleted, so the write-ahead log may still contain their texts and must be emptied
}

// run writes the queued lines every writeInterval. After an error the pause doubles up to maxRetryDelay. Only the first
// of consecutive errors is logged. When the log is closed, run writes all remaining lines and returns. If ctx ends
// before that, run returns the last error, and the remaining lines are lost.
func (l *Log) run(ctx context.Context) error {
	pause, over := writeInterval, l.feedDone
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-l.stopping:
			return l.drain(ctx)
		case <-over: // the world has stopped: write at once, because a stopping server has little time
			over = nil
		case <-timer.C:
		}
		if err := l.write(ctx, true); err != nil {
			pause = min(pause*2, maxRetryDelay)
		} else {
			pause = writeInterval
		}
		timer.Reset(pause)
	}
}

// drain writes all remaining lines. It retries after errors until ctx ends.
func (l *Log) drain(ctx context.Context) error {
	for {
		err := l.write(ctx, false)
		if err == nil && l.queued() == 0 {
			return nil
		}
		if err == nil {
			continue
		}
		select {
		case <-time.After(closeRetryDelay):
		case <-ctx.Done():
			return err
		}
	}
}

func (l *Log) queued() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.queue)
}

// write writes one batch of queued lines. If the parameter prune is true, it also calls the method prune, which deletes
// old and excess lines.
func (l *Log) write(ctx context.Context, prune bool) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	now := time.Now()
	err := l.writeBatch(ctx)
	if err == nil && prune {
		err = l.prune(ctx, now)
	}
	l.report(ctx, err, now)
	if now.Sub(l.writer.sweptAt) >= sweepInterval {
		l.writer.sweptAt = now
		l.sweep(now)
	}
	return err
}

// report enters the result of a write into the metrics, the server's log and the failure state. The caller holds l.writing.
func (l *Log) report(ctx context.Context, err error, now time.Time) {
	w := &l.writer
	if err != nil && ctx.Err() == nil && !w.failing {
		l.log.Error("cannot write the chat log, retrying", telemetry.FieldErr, fileKind.MarkDamage(err))
	}
	if err == nil && w.failing {
		l.log.Info("chat log can be written again")
	}
	w.failing = err != nil
	l.mu.Lock()
	lost := l.lost
	l.lost = 0
	if ctx.Err() == nil {
		l.failure = l.failure.Next("CHAT LOG NOT WRITTEN", err, now)
		l.opt.Metrics.ChatLogFailing.Set(map[bool]int{true: 1}[err != nil])
	}
	l.mu.Unlock()
	if lost == 0 {
		return
	}
	l.opt.Metrics.ChatLog.With("lost").Add(lost)
	if !w.lostSaid {
		w.lostSaid = true
		l.log.Warn("chat log lost lines because its queue of unwritten lines was full; see the metric truestep_chat_log_total", "lines", lost)
	}
}

// writeBatch writes the oldest queued lines in one transaction and then removes them from the queue. A batch with a
// line that violates a constraint of the table is dropped, because retrying it would block all later lines. The caller
// holds l.writing.
func (l *Log) writeBatch(ctx context.Context) error {
	l.mu.Lock()
	batch := l.queue[:min(len(l.queue), maxBatch)]
	l.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	err := l.insert(ctx, batch)
	if err != nil && !sqlitefile.IsConstraint(err) {
		return err
	}
	if err != nil {
		l.log.Error("the database of the chat log rejected lines of chat; they are lost", "lines", len(batch), telemetry.FieldErr, err)
		l.opt.Metrics.ChatLog.With("lost").Add(len(batch))
	} else {
		l.opt.Metrics.ChatLog.With("stored").Add(len(batch))
		for i := range batch {
			l.writer.rows.Add(batch[i].Account, 1)
		}
	}
	l.mu.Lock()
	l.queue = slices.Delete(l.queue, 0, len(batch))
	l.mu.Unlock()
	return nil
}

func (l *Log) insert(ctx context.Context, batch []Line) error {
	tx, err := l.writer.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	stmt, err := tx.PrepareContext(ctx, `INSERT INTO lines (at_ms, channel, area, pos_x, pos_y, pos_z, account, player, door, operator,
		to_account, to_player, told, text, withheld) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i := range batch {
		b := &batch[i]
		var pos [3]any
		if b.HasPos {
			pos = [3]any{float64(b.Pos.X), float64(b.Pos.Y), float64(b.Pos.Z)}
		}
		if _, err := stmt.ExecContext(ctx, b.At.UnixMilli(), string(b.Channel), b.Area, pos[0], pos[1], pos[2], b.Account, b.Player, b.Door,
			b.Operator, b.ToAccount, b.ToPlayer, b.Told, b.Text, string(b.Withheld)); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// prune deletes lines that are older than the retention time or exceed the maximum number. One call deletes only a limited number
// of lines, so that it does not delay writes for long. Once all old lines are deleted, it empties the write-ahead log, which may
// still contain them. The caller holds l.writing.
func (l *Log) prune(ctx context.Context, now time.Time) error {
	w := &l.writer
	if w.rows.Total() > l.opt.Keep {
		w.emptyWAL = true
		if err := w.rows.Trim(ctx, w.db, l.opt.Keep); err != nil {
			return err
		}
	}
	if now.Sub(w.prunedAt) < pruneInterval {
		return nil
	}
	deleted, done, err := w.rows.DeleteBefore(ctx, w.db, now.Add(-l.opt.Retain).UnixMilli())
	w.emptyWAL = w.emptyWAL || deleted
	if err != nil || !done {
		return err
	}
	w.prunedAt = now
	if err := w.truncateWAL(ctx); err != nil || now.Sub(w.asideAt) < asideInterval {
		return err
	}
	w.asideAt = now
	_, err = removeFiles(l.opt.Path, func(suffix string, info fs.FileInfo) bool {
		return isAside(suffix) && now.Sub(info.ModTime()) > l.opt.Retain
	})
	return err
}

// truncateWAL empties the write-ahead log if lines were deleted since it was last emptied. While another program reads
// the file, the write-ahead log cannot be emptied; the next call tries again.
func (w *writer) truncateWAL(ctx context.Context) error {
	if !w.emptyWAL {
		return nil
	}
	var busy, frames, moved int
	err := w.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved)
	w.emptyWAL = err != nil || busy != 0
	return err
}

// Forget deletes the lines of an account, and in messages to the account it replaces the recipient by removedName. It returns the
// number of deleted and changed lines.
func (l *Log) Forget(ctx context.Context, account string) (changed int64, err error) {
	if l == nil || account == "" {
		return 0, nil
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	for l.queued() > 0 { // write all queued lines first, so that no line of the account is written afterwards
		if err := l.writeBatch(ctx); err != nil {
			return 0, l.wrapError(err)
		}
	}
	w := &l.writer
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, l.wrapError(err)
	}
	defer tx.Rollback() // no effect after Commit
	deleted, err := sqlitefile.ExecCount(ctx, tx, `DELETE FROM lines WHERE account = ?`, account)
	if err != nil {
		return 0, l.wrapError(err)
	}
	renamed, err := sqlitefile.ExecCount(ctx, tx, `UPDATE lines SET to_account = '', to_player = ? WHERE to_account = ?`, removedName, account)
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return 0, l.wrapError(err)
	}
	w.rows.Add(account, -w.rows.Of(account))
	w.emptyWAL = true
	return deleted + renamed, l.wrapError(w.truncateWAL(ctx))
}

// Rename assigns the lines and messages of an account to the account into which it was merged, and returns their number. The
// parameter account is the name of the merged account, and into is the name of the account that remains.
func (l *Log) Rename(ctx context.Context, account, into string) (renamed int64, err error) {
	if l == nil || account == "" || into == "" {
		return 0, nil
	}
	l.writing.Lock()
	defer l.writing.Unlock()
	for l.queued() > 0 { // write all queued lines first, so that no line with the old name is written afterwards
		if err := l.writeBatch(ctx); err != nil {
			return 0, l.wrapError(err)
		}
	}
	tx, err := l.writer.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, l.wrapError(err)
	}
	defer tx.Rollback() // no effect after Commit
	for _, query := range []string{`UPDATE lines SET account = ? WHERE account = ?`, `UPDATE lines SET to_account = ? WHERE to_account = ?`} {
		n, err := sqlitefile.ExecCount(ctx, tx, query, into, account)
		if err != nil {
			return 0, l.wrapError(err)
		}
		renamed += n
	}
	if err := tx.Commit(); err != nil {
		return 0, l.wrapError(err)
	}
	if rows := l.writer.rows; !strings.EqualFold(account, into) {
		n := rows.Of(account)
		rows.Add(account, -n)
		rows.Add(into, n)
	}
	return renamed, nil
}

// removedName replaces the name of the recipient in a stored message after the recipient's account was deleted.
const removedName = "(deleted)"
