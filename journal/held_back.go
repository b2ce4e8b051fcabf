package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"
)

// HeldBack is the number of connections or logins of one network that a door refused or displaced within about a minute
// because of one limit (admission.Budget).
type HeldBack struct {
	ID      int64     // greater than 0, ascending
	At      time.Time // time of the last refused or displaced connection or login
	Since   time.Time // time of the first refused or displaced connection or login after the latest pause of at least ten minutes
	Kind    string    // "connection", "login" or "account"
	Door    string    // name of the door, or "console" or "metrics"
	Budget  string    // name of the limit, such as "network"; "" if the entry sums up several networks
	Network string    // IPv4 /24 or IPv6 /48 of the clients; "" if the entry sums up several networks
	Account string    // account to which clients tried to log in; "" if the limit is not per account
	Times   uint64    // number of refused or displaced connections or logins within the minute
}

// maxHeldBack is the maximum number of HeldBack rows in the file: three days of an attack that adds the maximum number
// of rows every minute.
const maxHeldBack = 100_000

// RecordHeldBack writes the HeldBack entries of the last minute. It deletes the oldest rows beyond maxHeldBack and rows
// older than Options.MaxAge. The caller limits the number of rows per minute.
func (j *Journal) RecordHeldBack(ctx context.Context, list []HeldBack) error {
	err := j.insertHeldBack(ctx, list)
	if ctx.Err() == nil {
		j.noteWrite(err)
	}
	return j.wrapError(err)
}

func (j *Journal) insertHeldBack(ctx context.Context, list []HeldBack) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // no effect after Commit
	err = execEach(ctx, tx, `INSERT INTO held_back (at_ms, since_ms, kind, door, budget, network, account, times) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		list, func(h *HeldBack) []any {
			return []any{h.At.UnixMilli(), h.Since.UnixMilli(), h.Kind, h.Door, h.Budget, h.Network, truncateText(h.Account), int64(h.Times)}
		})
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM held_back WHERE id <= (SELECT max(id) FROM held_back) - ? OR at_ms < ?`,
			maxHeldBack, time.Now().Add(-j.opt.MaxAge).UnixMilli())
	}
	if err == nil {
		err = tx.Commit()
	}
	return err
}

// HeldBackQuery selects the entries that match all its fields that are not zero. Zero fields match everything.
type HeldBackQuery struct {
	Door, Account string    // name of the door; name of the account, in which the case of ASCII letters is ignored
	Since, Until  time.Time // select entries with Since <= At < Until
	Before        int64     // selects entries with a smaller ID; pass the ID of the last entry of a page to get the next page
	Limit         int       // maximum number of entries, up to MaxLimit; 0 selects DefaultLimit
}

// HeldBack returns the entries that match q, newest first. A journal file of a version before heldBackSchema has none.
func (r *Reader) HeldBack(ctx context.Context, q HeldBackQuery) ([]HeldBack, error) {
	if r.version < heldBackSchema {
		return nil, nil
	}
	var w condition
	w.addIf(q.Door != "", "door = ?", q.Door)
	w.addIf(q.Account != "", "account = ? COLLATE NOCASE", q.Account)
	w.addIf(!q.Since.IsZero(), "at_ms >= ?", q.Since.UnixMilli())
	w.addIf(!q.Until.IsZero(), "at_ms < ?", q.Until.UnixMilli())
	w.limitPage(q.Before, q.Limit)
	return collect(ctx, r, scanHeldBack, selectHeldBack+w.String()+" ORDER BY id DESC LIMIT ?", w.args...)
}

const selectHeldBack = `SELECT id, at_ms, since_ms, kind, door, budget, network, account, times FROM held_back WHERE `

// scanHeldBack decodes a row of the result of the query selectHeldBack.
func scanHeldBack(rows *sql.Rows, h *HeldBack) error {
	var at, since int64
	err := rows.Scan(&h.ID, &at, &since, &h.Kind, &h.Door, &h.Budget, &h.Network, &h.Account, &h.Times)
	h.At, h.Since = time.UnixMilli(at).UTC(), time.UnixMilli(since).UTC()
	return err
}

// MarshalJSON encodes the entry as docs/console-api.md describes it.
func (h HeldBack) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID      int64  `json:"id"`
		At      string `json:"at"`
		Since   string `json:"since"`
		Kind    string `json:"kind"`
		Door    string `json:"door"`
		Budget  string `json:"budget"`
		Network string `json:"network"`
		Account string `json:"account"`
		Times   uint64 `json:"times"`
	}{h.ID, formatTime(h.At), formatTime(h.Since), h.Kind, h.Door, h.Budget, h.Network, h.Account, h.Times})
}
