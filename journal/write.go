package journal

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/internal/sqlitefile"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	writeInterval   = 250 * time.Millisecond // interval of writes
	maxRetryDelay   = 30 * time.Second       // longest pause between attempts after errors
	closeRetryDelay = 100 * time.Millisecond // pause between attempts while the journal is being closed
	maxBatch        = 1000                   // maximum number of entries per transaction, small enough not to delay readers

	sweepInterval    = 10 * time.Second // interval at which the state of players that left is deleted
	forgetAfterLeave = 10 * time.Second // how long the state of a player is retained after it left
	maxSilence       = time.Minute      // time without events of a player after which the journal asks Identify whether the player is still in the world
)

// writer is the state of the goroutine that writes entries and nearby events to the file.
type writer struct {
	j           *Journal
	db          *sql.DB
	entries     *sqlitefile.RowCounts // number of entries per account, without those about hits
	hits        *sqlitefile.RowCounts // number of entries about hits per account
	around      *sqlitefile.RowCounts // number of nearby events per account
	batch       batch                 // rows to write; after an error they stay here for the next attempt
	failing     bool                  // the last write failed
	agePrunedAt time.Time             // time at which the last complete search for old rows ended

	reported struct{ lost, notes, frames, past uint64 } // losses that were already reported in metrics and log: entries (lost), nearby events (notes) and frames
}

// batch holds the rows that one transaction writes.
type batch struct {
	inserts []Entry     // new entries, in order of their IDs
	updates []Entry     // entries already in the file into which decisions were merged
	nearby  []nearbyRow // new nearby events
}

func (b *batch) empty() bool { return len(b.inserts)+len(b.updates)+len(b.nearby) == 0 }

func newWriter(j *Journal) *writer {
	return &writer{
		j: j, db: j.db, around: sqlitefile.NewRowCounts("around"),
		entries: sqlitefile.NewRowCountsWhere("entries", "verdict <> 'hit'"), hits: sqlitefile.NewRowCountsWhere("entries", "verdict = 'hit'"),
	}
}

// rowCounts returns the row counts of all kinds of rows that the writer deletes when they are too old or too many.
func (w *writer) rowCounts() []*sqlitefile.RowCounts {
	return []*sqlitefile.RowCounts{w.entries, w.hits, w.around}
}

// load reads from the file the highest ID ever assigned to an entry and the numbers of rows of each account. If OfCluster is set, it
// also reads the time of the newest entry of each area.
func (w *writer) load(ctx context.Context) error {
	var last sql.NullInt64
	err := w.db.QueryRowContext(ctx, "SELECT max(seq) FROM sqlite_sequence WHERE name = 'entries'").Scan(&last)
	w.j.nextID = last.Int64 + 1
	if err == nil && w.j.opt.OfCluster {
		w.j.loadedMS, err = newestTimes(ctx, w.db, time.Now())
	}
	for _, s := range w.rowCounts() {
		if err == nil {
			err = s.Load(ctx, w.db)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", w.j.opt.Path, fileKind.MarkDamage(err))
	}
	return nil
}

// newestTimes returns the time of the newest entry of each area, by name of the area, in ms since 1970. A time after now counts as now,
// because the clock of an earlier run must have been wrong.
func newestTimes(ctx context.Context, db *sql.DB, now time.Time) (map[string]int64, error) {
	rows, err := db.QueryContext(ctx, "SELECT area, max(at_ms) FROM entries GROUP BY area")
	if err != nil {
		return nil, err
	}
	defer rows.Close() // closed before the next query, because db has only one connection
	times := map[string]int64{}
	for rows.Next() {
		var area string
		var atMS int64
		if err := rows.Scan(&area, &atMS); err != nil {
			return nil, err
		}
		times[area] = min(atMS, now.UnixMilli())
	}
	return times, rows.Err()
}

// run writes the queued rows every writeInterval. (1) After an error the pause doubles up to maxRetryDelay. Only the first of
// consecutive errors is logged. (2) When the frame feed has ended, run writes immediately, because a stopping server has little
// time. (3) When the journal is closed, run writes all remaining rows and returns. If ctx ends before that, run returns the last
// error, and the remaining rows are lost.
func (w *writer) run(ctx context.Context) error {
	pause, over := writeInterval, w.j.feedDone
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-w.j.stopping:
			return w.drain(ctx)
		case <-over:
			over = nil
		case r := <-w.j.forgets:
			r.done <- w.forget(&r)
			continue
		case <-timer.C:
		}
		if err := w.writeAndPrune(ctx, true); err != nil {
			pause = min(pause*2, maxRetryDelay)
		} else {
			pause = writeInterval
		}
		timer.Reset(pause)
	}
}

// drain writes all remaining rows. It retries after errors until ctx ends.
func (w *writer) drain(ctx context.Context) error {
	for {
		err := w.writeAndPrune(ctx, false)
		if err == nil && w.queuedRows() == 0 {
			return nil
		}
		if err == nil {
			continue
		}
		select {
		case <-time.After(closeRetryDelay):
		case <-ctx.Done():
			w.requeueBatch()
			return err
		}
	}
}

// queuedRows returns the number of rows that wait to be written.
func (w *writer) queuedRows() int {
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	return len(w.j.queue) + len(w.j.nearbyQueue)
}

// requeueBatch returns the entries of a failed batch to the queue, so that Close includes them in the number of entries
// that were not written.
func (w *writer) requeueBatch() {
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	for i := range w.batch.inserts {
		w.j.queue = append(w.j.queue, &openEntry{entry: w.batch.inserts[i]})
	}
}

// writeAndPrune writes one batch of queued rows. If the parameter prune is true, it also calls the method prune, which
// deletes old and excess rows.
func (w *writer) writeAndPrune(ctx context.Context, prune bool) error {
	w.fillBatch()
	err := w.writeBatch(ctx)
	if err == nil && prune {
		err = w.prune(ctx, time.Now())
	}
	if err != nil && ctx.Err() == nil && !w.failing {
		w.j.log.Error("cannot write the journal file, retrying; the entries stay in memory", telemetry.FieldErr, fileKind.MarkDamage(err))
	}
	if err == nil && w.failing {
		w.j.log.Info("journal is written again")
	}
	w.failing = err != nil
	w.reportLosses()
	return err
}

// fillBatch moves queued rows into the batch. If the last write failed, the batch still has its rows, and no further ones are
// added.
func (w *writer) fillBatch() {
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
			b.updates = append(b.updates, it.entry)
		} else {
			b.inserts = append(b.inserts, it.entry)
		}
		it.queued, it.stored = false, true
		it.player.queuedEntries--
	}
	j.queue = slices.Delete(j.queue, 0, n)
	n = min(len(j.nearbyQueue), 2*maxBatch)
	b.nearby = append(b.nearby, j.nearbyQueue[:n]...)
	j.nearbyQueue = slices.Delete(j.nearbyQueue, 0, n)
}

// sweep deletes the state of players that have left, at most once per sweepInterval. The caller holds j.mu.
func (j *Journal) sweep(now time.Time) {
	if now.Sub(j.sweptAt) < sweepInterval {
		return
	}
	j.sweptAt = now
	for id, v := range j.players {
		over := !v.leftAt.IsZero() && now.Sub(v.leftAt) > forgetAfterLeave
		if !over && now.Sub(v.lastSeen) > maxSilence {
			_, here := j.opt.Identify(id)
			over = !here
		}
		if over {
			delete(j.players, id)
		}
	}
}

// writeBatch writes the batch. A batch with a row that violates a constraint of the tables is dropped, because retrying
// it would block all later batches.
func (w *writer) writeBatch(ctx context.Context) error {
	b := &w.batch
	if b.empty() {
		return nil
	}
	err := w.transact(ctx)
	if err != nil && !sqlitefile.IsConstraint(err) {
		if ctx.Err() != nil {
			return err
		}
		return w.j.noteWrite(err)
	}
	w.j.noteWrite(nil)
	results := w.j.opt.Metrics.Journal
	if err != nil {
		w.j.log.Error("the journal entries of one write are lost because a row violates a constraint of the file's tables", "entries", len(b.inserts), telemetry.FieldErr, err)
		results.With("lost").Add(len(b.inserts))
	} else {
		results.With("stored").Add(len(b.inserts))
		for i := range b.inserts {
			counts := w.entries
			if b.inserts[i].Verdict == Hit {
				counts = w.hits
			}
			counts.Add(b.inserts[i].Account, 1)
		}
		for i := range b.nearby {
			w.around.Add(b.nearby[i].account, 1)
		}
		w.notifyListeners(b.inserts)
		w.notifyListeners(b.updates)
	}
	b.inserts, b.updates, b.nearby = b.inserts[:0], b.updates[:0], b.nearby[:0]
	return nil
}

// notifyListeners passes stored entries to the callbacks of OnEntry.
func (w *writer) notifyListeners(list []Entry) {
	w.j.mu.Lock()
	taps := slices.Clone(w.j.listeners)
	w.j.mu.Unlock()
	for _, t := range taps {
		for i := range list {
			e := list[i]
			e.At, e.First = storedTime(e.At), storedTime(e.First)
			t.notify(e)
		}
	}
}

const (
	insertEntry = `INSERT INTO entries (id, at_ms, first_ms, area, area_id, tick, verdict, reason, entity, player, account, door, rtt_ms,
		asked, allowed, unit, from_x, from_y, from_z, pos_x, pos_y, pos_z, other, times,
		ago_ms, seen_x, seen_y, seen_z, other_x, other_y, other_z, late_ms, late_times)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	updateEntry = `UPDATE entries SET at_ms = ?, area = ?, area_id = ?, tick = ?, rtt_ms = ?, asked = ?, allowed = ?, unit = ?,
		from_x = ?, from_y = ?, from_z = ?, pos_x = ?, pos_y = ?, pos_z = ?, other = ?, times = ?,
		ago_ms = ?, seen_x = ?, seen_y = ?, seen_z = ?, other_x = ?, other_y = ?, other_z = ?, late_ms = ?, late_times = ? WHERE id = ?`
	insertNearbyRow = `INSERT INTO around (at_ms, area_id, tick, entity, account, kind, text) VALUES (?, ?, ?, ?, ?, ?, ?)`
)

func (w *writer) transact(ctx context.Context) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	if err := execEach(ctx, tx, insertEntry, w.batch.inserts, insertArgs); err != nil {
		return err
	}
	if err := execEach(ctx, tx, updateEntry, w.batch.updates, updateArgs); err != nil {
		return err
	}
	if err := execEach(ctx, tx, insertNearbyRow, w.batch.nearby, nearbyArgs); err != nil {
		return err
	}
	return tx.Commit()
}

// execEach executes one statement for each element of a list. The function args returns the arguments of the statement
// for an element.
func execEach[T any](ctx context.Context, tx *sql.Tx, query string, list []T, args func(*T) []any) error {
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
	from, pos := coordinates(e.From, e.HasFrom), coordinates(e.Pos, e.HasFrom || e.HasPos)
	seen, other := coordinates(e.Seen, e.AgoMS > 0), coordinates(e.OtherPos, e.AgoMS > 0)
	return []any{
		e.ID, e.At.UnixMilli(), e.First.UnixMilli(), e.Area, int64(e.AreaID), int64(e.Tick), e.Verdict.String(), e.Reason.String(),
		int64(e.Entity), e.Player, e.Account, e.Door, sql.NullInt32{Int32: e.RTT, Valid: e.RTT >= 0}, e.Asked, e.Allowed, e.Unit,
		from[0], from[1], from[2], pos[0], pos[1], pos[2], e.Other, e.Times,
		e.AgoMS, seen[0], seen[1], seen[2], other[0], other[1], other[2], e.Late.Milliseconds(), e.LateTimes,
	}
}

func updateArgs(e *Entry) []any {
	from, pos := coordinates(e.From, e.HasFrom), coordinates(e.Pos, e.HasFrom || e.HasPos)
	seen, other := coordinates(e.Seen, e.AgoMS > 0), coordinates(e.OtherPos, e.AgoMS > 0)
	return []any{
		e.At.UnixMilli(), e.Area, int64(e.AreaID), int64(e.Tick), sql.NullInt32{Int32: e.RTT, Valid: e.RTT >= 0}, e.Asked, e.Allowed, e.Unit,
		from[0], from[1], from[2], pos[0], pos[1], pos[2], e.Other, e.Times,
		e.AgoMS, seen[0], seen[1], seen[2], other[0], other[1], other[2], e.Late.Milliseconds(), e.LateTimes, e.ID,
	}
}

func nearbyArgs(n *nearbyRow) []any {
	return []any{n.at.UnixMilli(), int64(n.area), int64(n.tick), int64(n.entity), n.account, n.kind, n.text}
}

// coordinates returns the values of the three columns of a position. If the parameter ok is false, they are NULL.
func coordinates(v geom.Vec, ok bool) [3]any {
	if !ok {
		return [3]any{}
	}
	return [3]any{float64(v.X), float64(v.Y), float64(v.Z)}
}

// storedTime returns t as the file stores it: in whole milliseconds, in UTC.
func storedTime(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }

// reportLosses adds to the metrics the entries and frames that were lost since the previous call. It logs only the first lost
// entry, the first lost nearby event, the first lost frame, and the first frame that was lost because this node was away.
func (w *writer) reportLosses() {
	j := w.j
	j.mu.Lock()
	lost, notes, frames, past := j.lostEntries, j.lostNearby, j.lostFrames, j.pastFrames
	j.mu.Unlock()
	was := w.reported
	w.reported.lost, w.reported.notes, w.reported.frames, w.reported.past = lost, notes, frames, past
	if n := lost - was.lost; n > 0 {
		j.opt.Metrics.Journal.With("lost").Add(int(n))
	}
	if n := frames - was.frames; n > 0 {
		j.opt.Metrics.Journal.With("missed_frames").Add(int(n))
	}
	if lost > 0 && was.lost == 0 || notes > 0 && was.notes == 0 || frames > past && was.frames == was.past {
		j.log.Warn("the journal cannot keep up and lost entries, events or frames; see the metric truestep_journal_total",
			"entries", lost, "around", notes, "frames", frames-past)
	}
	if past > 0 && was.past == 0 {
		j.log.Info("this node was away; the journal lacks events of ticks that the node has made up for; other nodes have them", "frames", past)
	}
}
