package journal

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// OperatorAction is what an operator did or tried to do.
type OperatorAction struct {
	ID              int64
	At              time.Time // now if zero
	Operator, Role  string
	Action          string // "kick", "ban"...
	Player, Account string // whom it concerned; "" nobody
	Detail          string // what exactly
	Result          string // "ok", or why not
}

// RecordAction writes a deed into the file before it returns. Texts are cut at 1000 bytes. Of more than 100,000 deeds the operator
// who has most of them loses his oldest, so that nobody can push out what others did by doing a lot.
func (j *Journal) RecordAction(ctx context.Context, d OperatorAction) error {
	if d.At.IsZero() {
		d.At = time.Now()
	}
	_, err := j.db.ExecContext(ctx, `
		INSERT INTO deeds (at_ms, operator, role, action, player, account, detail, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		d.At.UnixMilli(), truncateText(d.Operator), truncateText(d.Role), truncateText(d.Action), truncateText(d.Player), truncateText(d.Account), truncateText(d.Detail), truncateText(d.Result))
	if err != nil {
		return j.wrapError(err)
	}
	if j.actionCount.Add(1) > maxActions {
		err = j.pruneActions(ctx)
	}
	return j.wrapError(err)
}

// countActions finds out how many the file has.
func (j *Journal) countActions(ctx context.Context) error {
	var n int64
	err := j.db.QueryRowContext(ctx, "SELECT count(*) FROM deeds").Scan(&n)
	j.actionCount.Store(n)
	return j.wrapError(err)
}

// pruneActions makes room.
func (j *Journal) pruneActions(ctx context.Context) error {
	gone, err := j.db.ExecContext(ctx, `
		DELETE FROM deeds WHERE id IN (
			SELECT id FROM deeds WHERE operator = (SELECT operator FROM deeds GROUP BY operator ORDER BY count(*) DESC, min(id) LIMIT 1)
			ORDER BY id LIMIT ?)`, actionPruneRows)
	if err != nil {
		return err
	}
	n, err := gone.RowsAffected()
	j.actionCount.Add(-n)
	return err
}

// truncateText cuts a text, and makes UTF-8 of what is none.
func truncateText(text string) string {
	if len(text) > maxActionText {
		text = text[:maxActionText]
	}
	return strings.ToValidUTF8(text, "")
}

// OperatorActions are what operators did, newest first, those with an ID below before if it is not 0.
func (r *Reader) OperatorActions(ctx context.Context, before int64, limit int) ([]OperatorAction, error) {
	var w condition
	w.addIf(before > 0, "id < ?", before)
	if limit <= 0 {
		limit = DefaultLimit
	}
	w.args = append(w.args, min(limit, MaxLimit))
	rows, err := r.db.QueryContext(ctx, `
		SELECT id, at_ms, operator, role, action, player, account, detail, result FROM deeds
		WHERE `+w.String()+` ORDER BY id DESC LIMIT ?`, w.args...)
	if err != nil {
		return nil, r.wrapError(err)
	}
	defer rows.Close()
	var list []OperatorAction
	for rows.Next() {
		var d OperatorAction
		var at int64
		if err := rows.Scan(&d.ID, &at, &d.Operator, &d.Role, &d.Action, &d.Player, &d.Account, &d.Detail, &d.Result); err != nil {
			return nil, r.wrapError(err)
		}
		d.At = time.UnixMilli(at).UTC()
		list = append(list, d)
	}
	return list, r.wrapError(rows.Err())
}

// MarshalJSON writes it as docs/console-api.md has it.
func (d OperatorAction) MarshalJSON() ([]byte, error) {
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
	}{d.ID, formatTime(d.At), d.Operator, d.Role, d.Action, d.Player, d.Account, d.Detail, d.Result})
}
