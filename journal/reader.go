package journal

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Limits of the result of one query.
const (
	DefaultLimit = 100  // number of entries if Query.Limit is 0
	MaxLimit     = 1000 // entries
	maxAround    = 50   // maximum number of nearby events before an entry, and also after it
)

// Reader queries a journal, also while a server writes it. It is safe for concurrent use.
type Reader struct {
	db      *sql.DB
	path    string
	version int64 // schema version of the file
	firstID int64 // ID of the first entry of this run of the server, for Query.Entity; 0 if unknown
}

// OpenReader opens the journal at path read-only. An error is one line and may wrap ErrMissing, ErrDamaged, ErrForeign or
// ErrVersion.
func OpenReader(path string) (*Reader, error) {
	db, version, err := fileKind.OpenReader(path, oldestSchema)
	if err != nil {
		return nil, err
	}
	return &Reader{db: db, path: path, version: version}, nil
}

// Close closes the file. Closing a nil Reader does nothing.
func (r *Reader) Close() error {
	if r == nil {
		return nil
	}
	return r.db.Close()
}

// Query selects the entries that match all its fields that are not zero. Zero fields match everything.
type Query struct {
	Player   string          // complete name of the player; the case of ASCII letters is ignored
	Account  string          // complete name of the account; the case of ASCII letters is ignored
	Entity   sim.EntityID    // id of the player's actor; ids are valid for one run of the server, so a Journal searches only the entries of this run
	Reasons  []reason.Reason // selects entries with any of these reasons
	Weights  []reason.Weight // selects entries whose reason has one of these weights
	Verdicts []Verdict       // selects entries with any of these verdicts
	Area     string          // name of the area
	Since    time.Time       // selects entries whose At is this time or later
	Until    time.Time       // selects entries whose At is before this time
	// Before selects a page of the list. It is the ID of the last entry of the previous page: only entries after that entry in
	// the list are selected. 0 selects the first page.
	Before int64
	Limit  int // maximum number of entries, up to MaxLimit; 0 selects DefaultLimit
}

// optionalColumns returns the SQL columns of an entry that files of older versions do not have. In place of the columns that
// the file of r lacks, it returns constants.
func (r *Reader) optionalColumns() string {
	columns := seenColumns
	if r.version < seenSchema {
		columns = noSeenColumns
	}
	if r.version < lateSchema {
		return columns + ", 0, 0"
	}
	return columns + ", late_ms, late_times"
}

// seenColumns are the SQL columns of Entry.AgoMS, Seen and OtherPos, which describe lag compensation. A file with a schema
// version below seenSchema lacks these columns; the constants noSeenColumns are selected in their place.
const (
	seenColumns   = `, ago_ms, seen_x, seen_y, seen_z, other_x, other_y, other_z`
	noSeenColumns = `, 0, NULL, NULL, NULL, NULL, NULL, NULL`
)

const entryColumns = `id, at_ms, first_ms, area, area_id, tick, verdict, reason, entity, player, account, door, rtt_ms,
	asked, allowed, unit, from_x, from_y, from_z, pos_x, pos_y, pos_z, other, times`

const (
	newestFirst = " ORDER BY at_ms DESC, id DESC LIMIT ?" // end of the query of a page of entries, see condition.limitPage
	afterEntry  = "(at_ms, id) < (?, ?)"                  // condition for entries that come after an entry with this time and ID
)

// condition collects the parts of a WHERE clause and the arguments of the query.
type condition struct {
	parts []string
	args  []any
}

func (w *condition) addIf(set bool, part string, args ...any) {
	if set {
		w.parts = append(w.parts, part)
		w.args = append(w.args, args...)
	}
}

// addIn requires the column to equal one of the names. If names is empty, it requires nothing.
func (w *condition) addIn(column string, names []any) {
	w.addIf(len(names) > 0, column+" IN (?"+strings.Repeat(", ?", max(len(names)-1, 0))+")", names...)
}

// addWeights selects entries whose reason has one of the weights; the parameter column names the column with the reason. A
// weight says how suspicious a reason is. If the list weights is empty, addWeights selects all entries. A reason that this
// program does not know counts as unusual, but its name cannot be listed in the query. A query for unusual reasons therefore
// excludes all known reasons of other weights.
func (w *condition) addWeights(column string, weights []reason.Weight) {
	if len(weights) == 0 {
		return
	}
	var in, others []any
	for _, r := range reason.All() {
		if slices.Contains(weights, r.Weight()) {
			in = append(in, r.String())
		} else {
			others = append(others, r.String())
		}
	}
	switch {
	case !slices.Contains(weights, reason.Unusual):
		w.addIn(column, in)
	case len(others) > 0:
		w.addIn("NOT "+column, others)
	}
}

// limitPage selects one page of rows: at most limit rows, and never more than MaxLimit. The limit 0 stands for DefaultLimit. If
// before is not 0, the page has only rows with an id smaller than before. The query must end with "LIMIT ?": limitPage appends
// the argument for it, so the caller must add no further arguments.
func (w *condition) limitPage(before int64, limit int) {
	w.addIf(before > 0, "id < ?", before)
	if limit <= 0 {
		limit = DefaultLimit
	}
	w.args = append(w.args, min(limit, MaxLimit))
}

// String returns the SQL text of the condition, which is true for a row that meets all its parts.
func (w *condition) String() string {
	if len(w.parts) == 0 {
		return "1"
	}
	return strings.Join(w.parts, " AND ")
}

// Entries returns the entries that match q, newest first: sorted by At, and by ID within the same millisecond. An entry
// moves to the front of the list when another decision is merged into it.
func (r *Reader) Entries(ctx context.Context, q Query) ([]Entry, error) {
	w := r.conditionOf(&q, "at_ms")
	if q.Before > 0 {
		// Read the time of the entry first, because SQLite can use an index for (at_ms, id) < (?, ?), but not for a comparison with
		// the result of a subquery under a condition.
		var at int64
		err := r.db.QueryRowContext(ctx, "SELECT at_ms FROM entries WHERE id = ?", q.Before).Scan(&at)
		switch {
		case err == nil:
			w.addIf(true, afterEntry, at, q.Before)
		case errors.Is(err, sql.ErrNoRows):
			// The entry was deleted after the previous page was read, so its time is unknown. The page then consists of entries
			// with a smaller ID, because the order by ID is nearly the order by time. "+" keeps SQLite from reading in the order of ID.
			w.addIf(true, "+id < ?", q.Before)
		default:
			return nil, r.wrapError(err)
		}
	}
	w.limitPage(0, q.Limit)
	return r.entries(ctx, w.String()+newestFirst, w.args...)
}

// conditionOf returns the condition of all fields of q except Before and Limit. The parameter at is the SQL expression
// for the time of an entry. It is either the column at_ms, or +at_ms, which keeps SQLite from using the index on the
// time.
func (r *Reader) conditionOf(q *Query, at string) *condition {
	w := &condition{}
	w.addIf(q.Player != "", "player = ?", q.Player)
	w.addIf(q.Account != "", "account = ?", q.Account)
	w.addIf(q.Entity != 0, "entity = ? AND id >= ?", int64(q.Entity), r.firstID)
	// SQLite should use the index on the reason only if the query is for a single reason and nothing else. The sign "+" keeps it from
	// using that index where another index reads fewer rows, or where entries of several reasons would have to be sorted.
	column := "reason"
	if len(q.Reasons) > 1 || len(q.Weights) > 0 || q.Player != "" || q.Account != "" || q.Entity != 0 {
		column = "+reason"
	}
	w.addIn(column, distinctNames(q.Reasons))
	w.addWeights(column, q.Weights)
	w.addIn("verdict", distinctNames(q.Verdicts))
	w.addIf(q.Area != "", "area = ?", q.Area)
	w.addIf(!q.Since.IsZero(), at+" >= ?", q.Since.UnixMilli())
	w.addIf(!q.Until.IsZero(), at+" < ?", q.Until.UnixMilli())
	return w
}

func distinctNames[T fmt.Stringer](list []T) []any {
	var all []any
	for _, v := range list {
		if !slices.Contains(all, any(v.String())) {
			all = append(all, v.String())
		}
	}
	return all
}

func (r *Reader) entries(ctx context.Context, where string, args ...any) ([]Entry, error) {
	scan := func(rows *sql.Rows, e *Entry) error { return scanEntry(rows, e) }
	return collect(ctx, r, scan, "SELECT "+entryColumns+r.optionalColumns()+" FROM entries WHERE "+where, args...)
}

// collect runs a query and returns its rows. The function scan decodes one row. The result is nil if there is no row.
func collect[T any](ctx context.Context, r *Reader, scan func(*sql.Rows, *T) error, query string, args ...any) ([]T, error) {
	rows, err := r.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, r.wrapError(err)
	}
	defer rows.Close()
	var list []T
	for rows.Next() {
		var v T
		if err := scan(rows, &v); err != nil {
			return nil, r.wrapError(err)
		}
		list = append(list, v)
	}
	return list, r.wrapError(rows.Err())
}

func (r *Reader) wrapError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", r.path, fileKind.MarkDamage(err))
}

// scanEntry decodes a row into an entry. The row may have further columns after those of an entry; they are decoded
// into the variables more.
func scanEntry(rows *sql.Rows, e *Entry, more ...any) error {
	var (
		late                            int64
		at, first, areaID, tick, entity int64
		verdict, why                    string
		rtt                             sql.NullInt32
		from, pos, seen, other          [3]sql.NullFloat64
	)
	err := rows.Scan(append([]any{&e.ID, &at, &first, &e.Area, &areaID, &tick, &verdict, &why, &entity, &e.Player, &e.Account, &e.Door, &rtt,
		&e.Asked, &e.Allowed, &e.Unit, &from[0], &from[1], &from[2], &pos[0], &pos[1], &pos[2], &e.Other, &e.Times,
		&e.AgoMS, &seen[0], &seen[1], &seen[2], &other[0], &other[1], &other[2], &late, &e.LateTimes}, more...)...)
	if err != nil {
		return err
	}
	e.At, e.First = time.UnixMilli(at).UTC(), time.UnixMilli(first).UTC()
	e.AreaID, e.Tick, e.Entity = sim.AreaID(areaID), sim.Tick(tick), sim.EntityID(entity)
	e.Verdict, _ = ParseVerdict(verdict)
	e.Reason, _ = ParseReason(why)
	e.Late = time.Duration(late) * time.Millisecond
	e.RTT = -1
	if rtt.Valid {
		e.RTT = rtt.Int32
	}
	e.HasPos = pos[0].Valid && pos[1].Valid && pos[2].Valid
	e.HasFrom = e.HasPos && from[0].Valid && from[1].Valid && from[2].Valid
	e.From, e.Pos = vecFromColumns(from), vecFromColumns(pos)
	e.Seen, e.OtherPos = vecFromColumns(seen), vecFromColumns(other)
	return nil
}

func vecFromColumns(c [3]sql.NullFloat64) geom.Vec {
	return geom.Vec{X: float32(c[0].Float64), Y: float32(c[1].Float64), Z: float32(c[2].Float64)}
}

// Entry returns one entry, and the events of its player from NearbyWindow before to NearbyWindow after it, in order of
// time. The list includes the entry itself. Error: ErrNotFound.
func (r *Reader) Entry(ctx context.Context, id int64) (Entry, []NearbyEvent, error) {
	list, err := r.entries(ctx, "id = ?", id)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("read journal entry %d: %w", id, ErrNotFound)
	}
	if err != nil {
		return Entry{}, nil, err
	}
	e := &list[0]
	around, err := r.nearbyEvents(ctx, e)
	return *e, around, err
}

func (r *Reader) nearbyEvents(ctx context.Context, e *Entry) ([]NearbyEvent, error) {
	at, from, to := e.At.UnixMilli(), e.First.Add(-NearbyWindow).UnixMilli(), e.At.Add(NearbyWindow).UnixMilli()
	all := []NearbyEvent{entryAsNearby(e)}
	for _, half := range []struct {
		first, last int64
		order       string
	}{{from, at, "DESC"}, {at + 1, to, "ASC"}} {
		notes, err := r.readNearbyRows(ctx, e, half.first, half.last, half.order)
		if err != nil {
			return nil, err
		}
		others, err := r.entries(ctx, "entity = ? AND account = ? AND at_ms BETWEEN ? AND ? AND id <> ? ORDER BY at_ms "+half.order+" LIMIT ?",
			int64(e.Entity), e.Account, half.first, half.last, e.ID, maxAround)
		if err != nil {
			return nil, err
		}
		for i := range others {
			notes = append(notes, entryAsNearby(&others[i]))
		}
		all = append(all, notes...)
	}
	slices.SortStableFunc(all, func(a, b NearbyEvent) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Entry, b.Entry)) })
	return all, nil
}

func (r *Reader) readNearbyRows(ctx context.Context, e *Entry, first, last int64, order string) ([]NearbyEvent, error) {
	scan := func(rows *sql.Rows, a *NearbyEvent) error {
		var at, tick int64
		err := rows.Scan(&at, &tick, &a.Kind, &a.Text)
		a.At, a.Tick = time.UnixMilli(at).UTC(), sim.Tick(tick)
		return err
	}
	list, err := collect(ctx, r, scan, `
		SELECT at_ms, tick, kind, text FROM around
		WHERE at_ms BETWEEN ? AND ? AND (entity = ? AND account IN (?, '') OR entity = 0 AND area_id = ?)
		ORDER BY at_ms `+order+`, id `+order+` LIMIT ?`, first, last, int64(e.Entity), e.Account, int64(e.AreaID), maxAround)
	if order == "DESC" {
		slices.Reverse(list)
	}
	return list, err
}

// entryAsNearby converts an entry to a nearby event, so that it can be listed among the events near another entry.
func entryAsNearby(e *Entry) NearbyEvent {
	return NearbyEvent{At: e.At, Tick: e.Tick, Kind: e.Verdict.String(), Text: e.Summary(), Entry: e.ID}
}

// Players returns at most limit names of players that have entries, sorted by their latest entry, newest first.
func (r *Reader) Players(ctx context.Context, limit int) ([]string, error) {
	scan := func(rows *sql.Rows, name *string) error { return rows.Scan(name) }
	return collect(ctx, r, scan, `SELECT player FROM entries WHERE player <> '' GROUP BY player ORDER BY max(id) DESC LIMIT ?`, limit)
}
