package journal

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// Deed is what an operator did or tried to do.
type Deed struct {
	ID              int64
	At              time.Time // now if zero
	Operator, Role  string
	Action          string // "kick", "ban"...
	Player, Account string // whom it concerned; "" nobody
	Detail          string // what exactly
	Result          string // "ok", or why not
}

// Note writes a deed into the file before it returns. Texts are cut at 1000 bytes. Of more than 100,000 deeds the operator
// who has most of them loses his oldest, so that nobody can push out what others did by doing a lot.
func (j *Journal) Note(ctx context.Context, d Deed) error {
	if d.At.IsZero() {
		d.At = time.Now()
	}
	_, err := j.db.ExecContext(ctx, `
		INSERT INTO deeds (at_ms, operator, role, action, player, account, detail, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		d.At.UnixMilli(), clip(d.Operator), clip(d.Role), clip(d.Action), clip(d.Player), clip(d.Account), clip(d.Detail), clip(d.Result))
	if err != nil {
		return j.failed(err)
	}
	if j.deeds.Add(1) > maxDeeds {
		err = j.pruneDeeds(ctx)
	}
	return j.failed(err)
}

// countDeeds finds out how many the file has.
func (j *Journal) countDeeds(ctx context.Context) error {
	var n int64
	err := j.db.QueryRowContext(ctx, "SELECT count(*) FROM deeds").Scan(&n)
	j.deeds.Store(n)
	return j.failed(err)
}

// pruneDeeds makes room.
func (j *Journal) pruneDeeds(ctx context.Context) error {
	gone, err := j.db.ExecContext(ctx, `
		DELETE FROM deeds WHERE id IN (
			SELECT id FROM deeds WHERE operator = (SELECT operator FROM deeds GROUP BY operator ORDER BY count(*) DESC, min(id) LIMIT 1)
			ORDER BY id LIMIT ?)`, deedPrune)
	if err != nil {
		return err
	}
	n, err := gone.RowsAffected()
	j.deeds.Add(-n)
	return err
}

// clip cuts a text, and makes UTF-8 of what is none.
func clip(text string) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	return strings.ToValidUTF8(text, "")
}

// Deeds are what operators did, newest first, those with an ID below before if it is not 0.
func (r *Reader) Deeds(ctx context.Context, before int64, limit int) ([]Deed, error) {
	var w where
	w.and(before > 0, "id < ?", before)
	if limit <= 0 {
		limit = DefaultLimit
	}
	w.args = append(w.args, min(limit, MaxLimit))
	rows, err := r.db.QueryContext(ctx, `
		SELECT id, at_ms, operator, role, action, player, account, detail, result FROM deeds
		WHERE `+w.String()+` ORDER BY id DESC LIMIT ?`, w.args...)
	if err != nil {
		return nil, r.failed(err)
	}
	defer rows.Close()
	var list []Deed
	for rows.Next() {
		var d Deed
		var at int64
		if err := rows.Scan(&d.ID, &at, &d.Operator, &d.Role, &d.Action, &d.Player, &d.Account, &d.Detail, &d.Result); err != nil {
			return nil, r.failed(err)
		}
		d.At = time.UnixMilli(at).UTC()
		list = append(list, d)
	}
	return list, r.failed(rows.Err())
}

// MarshalJSON writes it as docs/console-api.md has it.
func (d Deed) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID       int64  `json:"id"`
		At       string `json:"at"`
		Operator string `json:"operator"`
		Role     string `json:"role"`
		Action   string `json:"action"`
		Player   string `json:"player"`
		Account  string `json:"account"`
		Detail   string `json:"detail"`
		Result   string `json:"result"`
	}{d.ID, stamp(d.At), d.Operator, d.Role, d.Action, d.Player, d.Account, d.Detail, d.Result})
}
