package journal

import (
	"context"
	"database/sql"
	"time"
)

// Group sums up the entries of one player that have the same reason.
type Group struct {
	Last  Entry     // the newest entry
	First time.Time // time of the first decision in any of the entries

	Entries   int64 // number of entries in the group
	Times     int64 // number of decisions in these entries, the sum of Entry.Times
	LateTimes int64 // number of decisions made while the area was behind its schedule, the sum of Entry.LateTimes
}

// Groups sums up the entries that match q: one group per account, player and reason. The group with the newest entry comes
// first. So the result has every player and reason, whereas the newest entries may all be of one player. q.Before is ignored.
// q.Limit is the maximum number of groups, up to MaxLimit+1.
func (r *Reader) Groups(ctx context.Context, q Query) ([]Group, error) {
	w := r.conditionOf(&q, "+at_ms") // "+" keeps SQLite from using the index on at_ms, so that it reads only entries_group
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	w.args = append(w.args, min(limit, MaxLimit+1)) // callers request one more group than they show, to learn if there are more
	late := "sum(late_times)"
	if r.version < lateSchema {
		late = "0"
	}
	scan := func(rows *sql.Rows, g *Group) error {
		var first int64
		err := scanEntry(rows, &g.Last, &first, &g.Entries, &g.Times, &g.LateTimes)
		g.First = time.UnixMilli(first).UTC()
		return err
	}
	return collect(ctx, r, scan, "SELECT "+entryColumns+r.optionalColumns()+`, since, n, decisions, late FROM
		(SELECT account AS by_account, player AS by_player, reason AS by_reason, max(at_ms) AS newest, min(first_ms) AS since,
			count(*) AS n, sum(times) AS decisions, `+late+` AS late
			FROM entries WHERE `+w.String()+` GROUP BY account, player, reason ORDER BY newest DESC LIMIT ?)
		JOIN entries ON id = (SELECT max(id) FROM entries WHERE at_ms = newest AND account = by_account AND player = by_player AND reason = by_reason)
		ORDER BY newest DESC, id DESC`, w.args...)
}
