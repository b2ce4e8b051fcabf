package journal

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	turnEvery  = 250 * time.Millisecond // between two batches
	turnRetry  = 30 * time.Second       // the longest pause after errors
	retryClose = 100 * time.Millisecond // between the last attempts
	maxBatch   = 1000                   // entries in a transaction, which readers do not wait for

	sweepEvery = 10 * time.Second
	lingers    = 10 * time.Second // how long a visit is remembered after its end
	silence    = time.Minute      // of a visit, before anybody asks whether it is over: its end may have been missed
)

// writer is the only one who writes to the file.
type writer struct {
	j       *Journal
	db      *sql.DB
	entries *shares
	around  *shares
	batch   batch // what is being written; it stays after an error
	failing bool
	aged    time.Time // when what is too old was looked for last

	told struct{ lost, notes, frames uint64 } // of the journal's losses, what was logged
}

// batch is one transaction.
type batch struct {
	fresh []Entry // to be inserted, in order of their IDs
	grown []Entry // to be updated
	notes []note
}

func (b *batch) empty() bool { return len(b.fresh)+len(b.grown)+len(b.notes) == 0 }

func newWriter(j *Journal) *writer {
	return &writer{j: j, db: j.db, entries: newShares("entries"), around: newShares("around")}
}

// load finds out what is in the file.
func (w *writer) load(ctx context.Context) error {
	var last sql.NullInt64
	err := w.db.QueryRowContext(ctx, "SELECT max(seq) FROM sqlite_sequence WHERE name = 'entries'").Scan(&last)
	w.j.nextID = last.Int64 + 1
	for _, s := range []*shares{w.entries, w.around} {
		if err == nil {
			err = s.load(ctx, w.db)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.j.opt.Path, hostError(err))
	}
	return nil
}

// run writes in a rhythm until the journal is closed, and then what is left until ctx ends. After an error it waits longer
// and longer, and logs only the first of a row. When the world has stopped it writes at once what that had to say: those
// who stop a server have little time.
func (w *writer) run(ctx context.Context) error {
	pause, over := turnEvery, w.j.read
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-w.j.stop:
			return w.finish(ctx)
		case <-over:
			over = nil
		case <-timer.C:
		}
		if err := w.turn(ctx, true); err != nil {
			pause = min(pause*2, turnRetry)
		} else {
			pause = turnEvery
		}
		timer.Reset(pause)
	}
}

// finish writes everything that is left.
func (w *writer) finish(ctx context.Context) error {
	for {
		err := w.turn(ctx, false)
		if err == nil && w.left() == 0 {
			return nil
		}
		if err == nil {
			continue
		}
		select {
		case <-time.After(retryClose):
		case <-ctx.Done():
			w.giveBack()
			return err
		}
	}
}

// left is how much waits.
func (w *writer) left() int {
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	return len(w.j.queue) + len(w.j.notes)
}

// giveBack puts what could not be written where Close counts it.
func (w *writer) giveBack() {
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	for i := range w.batch.fresh {
		w.j.queue = append(w.j.queue, &item{entry: w.batch.fresh[i]})
	}
}

// turn writes one batch and, if asked to, removes a little of what is too much.
func (w *writer) turn(ctx context.Context, prune bool) error {
	w.collect()
	err := w.write(ctx)
	if err == nil && prune {
		err = w.prune(ctx, time.Now())
	}
	if err != nil && ctx.Err() == nil && !w.failing {
		w.j.log.Error("the journal is not written; trying again until it is", telemetry.FieldErr, hostError(err))
	}
	if err == nil && w.failing {
		w.j.log.Info("the journal is written again")
	}
	w.failing = err != nil
	w.report()
	return err
}

// collect takes what waits, unless a batch has to be written again.
func (w *writer) collect() {
	j, b := w.j, &w.batch
	now := time.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sweep(now)
	if !b.empty() {
		return
	}
	n := min(len(j.queue), maxBatch)
	for _, it := range j.queue[:n] {
		if it.stored {
			b.grown = append(b.grown, it.entry)
		} else {
			b.fresh = append(b.fresh, it.entry)
		}
		it.queued, it.stored = false, true
		it.visit.waiting--
	}
	j.queue = slices.Delete(j.queue, 0, n)
	n = min(len(j.notes), 2*maxBatch)
	b.notes = append(b.notes, j.notes[:n]...)
	j.notes = slices.Delete(j.notes, 0, n)
}

// sweep forgets visits that are over. It needs the lock.
func (j *Journal) sweep(now time.Time) {
	if now.Sub(j.swept) < sweepEvery {
		return
	}
	j.swept = now
	for id, v := range j.visits {
		over := !v.gone.IsZero() && now.Sub(v.gone) > lingers
		if !over && now.Sub(v.seen) > silence {
			_, here := j.opt.Who(id)
			over = !here
		}
		if over {
			delete(j.visits, id)
		}
	}
}

// write writes the batch. A row that the file will never take is given up, for the others would wait for ever.
func (w *writer) write(ctx context.Context) error {
	b := &w.batch
	if b.empty() {
		return nil
	}
	err := w.transact(ctx)
	if err != nil && !isConstraint(err) {
		return err
	}
	results := w.j.opt.Metrics.Journal
	if err != nil {
		w.j.log.Error("entries of the journal cannot be written and are given up", "entries", len(b.fresh), telemetry.FieldErr, err)
		results.With("lost").Add(len(b.fresh))
	} else {
		results.With("stored").Add(len(b.fresh))
		for i := range b.fresh {
			w.entries.add(b.fresh[i].Account, 1)
		}
		for i := range b.notes {
			w.around.add(b.notes[i].account, 1)
		}
		w.tell(b.fresh)
		w.tell(b.grown)
	}
	b.fresh, b.grown, b.notes = b.fresh[:0], b.grown[:0], b.notes[:0]
	return nil
}

// tell tells those who listen.
func (w *writer) tell(list []Entry) {
	w.j.mu.Lock()
	taps := slices.Clone(w.j.taps)
	w.j.mu.Unlock()
	for _, t := range taps {
		for i := range list {
			e := list[i]
			e.At, e.First = inFile(e.At), inFile(e.First)
			t.hear(e)
		}
	}
}

const (
	insertEntry = `INSERT INTO entries (id, at_ms, first_ms, area, area_id, tick, verdict, reason, entity, player, account, door, rtt_ms,
		asked, allowed, unit, from_x, from_y, from_z, pos_x, pos_y, pos_z, other, times)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	updateEntry = `UPDATE entries SET at_ms = ?, area = ?, area_id = ?, tick = ?, rtt_ms = ?, asked = ?, allowed = ?, unit = ?,
		from_x = ?, from_y = ?, from_z = ?, pos_x = ?, pos_y = ?, pos_z = ?, other = ?, times = ? WHERE id = ?`
	insertNote = `INSERT INTO around (at_ms, area_id, tick, entity, account, kind, text) VALUES (?, ?, ?, ?, ?, ?, ?)`
)

func (w *writer) transact(ctx context.Context) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	if err := many(ctx, tx, insertEntry, w.batch.fresh, insertArgs); err != nil {
		return err
	}
	if err := many(ctx, tx, updateEntry, w.batch.grown, updateArgs); err != nil {
		return err
	}
	if err := many(ctx, tx, insertNote, w.batch.notes, noteArgs); err != nil {
		return err
	}
	return tx.Commit()
}

// many runs one statement for each of a list.
func many[T any](ctx context.Context, tx *sql.Tx, query string, list []T, args func(*T) []any) error {
	if len(list) == 0 {
		return nil
	}
	stmt, err := tx.PrepareContext(ctx, query)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i := range list {
		if _, err := stmt.ExecContext(ctx, args(&list[i])...); err != nil {
			return err
		}
	}
	return nil
}

func insertArgs(e *Entry) []any {
	from, pos := coordinates(e.From, e.Placed), coordinates(e.Pos, e.Placed || e.Stood)
	return []any{
		e.ID, e.At.UnixMilli(), e.First.UnixMilli(), e.Area, int64(e.AreaID), int64(e.Tick), e.Verdict.String(), e.Reason.String(),
		int64(e.Entity), e.Player, e.Account, e.Door, sql.NullInt32{Int32: e.RTT, Valid: e.RTT >= 0}, e.Asked, e.Allowed, e.Unit,
		from[0], from[1], from[2], pos[0], pos[1], pos[2], e.Other, e.Times,
	}
}

func updateArgs(e *Entry) []any {
	from, pos := coordinates(e.From, e.Placed), coordinates(e.Pos, e.Placed || e.Stood)
	return []any{
		e.At.UnixMilli(), e.Area, int64(e.AreaID), int64(e.Tick), sql.NullInt32{Int32: e.RTT, Valid: e.RTT >= 0}, e.Asked, e.Allowed, e.Unit,
		from[0], from[1], from[2], pos[0], pos[1], pos[2], e.Other, e.Times, e.ID,
	}
}

func noteArgs(n *note) []any {
	return []any{n.at.UnixMilli(), int64(n.area), int64(n.tick), int64(n.entity), n.account, n.kind, n.text}
}

// coordinates are those of a place, NULL if there is none.
func coordinates(v geom.Vec, ok bool) [3]any {
	if !ok {
		return [3]any{}
	}
	return [3]any{float64(v.X), float64(v.Y), float64(v.Z)}
}

// inFile is a time as the file has it.
func inFile(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }

// report logs what was lost since the last time, at most once per row of losses, and counts it.
func (w *writer) report() {
	j := w.j
	j.mu.Lock()
	lost, notes, frames := j.lost, j.lostNotes, j.lostFrames
	j.mu.Unlock()
	was := w.told
	w.told.lost, w.told.notes, w.told.frames = lost, notes, frames
	if n := lost - was.lost; n > 0 {
		j.opt.Metrics.Journal.With("lost").Add(int(n))
	}
	if n := frames - was.frames; n > 0 {
		j.opt.Metrics.Journal.With("missed_frames").Add(int(n))
	}
	if lost > 0 && was.lost == 0 || notes > 0 && was.notes == 0 || frames > 0 && was.frames == 0 {
		j.log.Warn("the journal is behind and has holes; truestep_journal_total counts them",
			"entries", lost, "around", notes, "frames", frames)
	}
}
