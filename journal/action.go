package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
)

// OperatorAction is an entry of the audit log: an action that an operator performed or attempted.
type OperatorAction struct {
	ID              int64     // greater than 0, ascending, never reused; set by RecordAction
	At              time.Time // time of the action; RecordAction replaces a zero time by the current time
	Operator, Role  string    // name of the operator, and its role such as "admin" or "moderator"
	Action          string    // name of the action, such as "kick" or "ban"
	Player, Account string    // names of the player and account that the action targets; "" if none
	Detail          string    // parameters, such as the reason of a ban
	Result          string    // "ok", or the text of the error
}

// RecordAction writes an operator's action to the file before it returns. Texts are truncated to 1000 bytes. If the
// file has more than 100,000 actions, the oldest actions of the operator with the most actions are deleted, so one
// operator cannot displace the actions of others.
func (j *Journal) RecordAction(ctx context.Context, d OperatorAction) error {
	if d.At.IsZero() {
		d.At = time.Now()
	}
	_, err := j.db.ExecContext(ctx, `
		INSERT INTO deeds (at_ms, operator, role, action, player, account, detail, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		d.At.UnixMilli(), truncateText(d.Operator), truncateText(d.Role), truncateText(d.Action), truncateText(d.Player), truncateText(d.Account), truncateText(d.Detail), truncateText(d.Result))
	if ctx.Err() == nil {
		j.noteWrite(err)
	}
	if err != nil {
		return j.wrapError(err)
	}
	if j.actionCount.Add(1) > maxActions {
		err = j.pruneActions(ctx)
	}
	return j.wrapError(err)
}

// countActions sets j.actionCount to the number of operators' actions in the file.
func (j *Journal) countActions(ctx context.Context) error {
	var n int64
	err := j.db.QueryRowContext(ctx, "SELECT count(*) FROM deeds").Scan(&n)
	j.actionCount.Store(n)
	return j.wrapError(err)
}

// pruneActions makes room in the audit log: it deletes the oldest actions of the operator with the most actions in the file, at most
// actionPruneRows of them.
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

// truncateText truncates a text to maxActionText bytes and removes bytes that are not valid UTF-8.
func truncateText(text string) string {
	if len(text) > maxActionText {
		text = text[:maxActionText]
	}
	return strings.ToValidUTF8(text, "")
}

// OperatorActions returns the actions of operators, newest first. If the parameter before is not 0, it returns only
// actions whose ID is smaller than before.
func (r *Reader) OperatorActions(ctx context.Context, before int64, limit int) ([]OperatorAction, error) {
	var w condition
	w.limitPage(before, limit)
	return collect(ctx, r, scanAction, selectActions+w.String()+" ORDER BY id DESC LIMIT ?", w.args...)
}

const selectActions = `SELECT id, at_ms, operator, role, action, player, account, detail, result FROM deeds WHERE `

// scanAction decodes into d one row that the query selectActions returned.
func scanAction(rows *sql.Rows, d *OperatorAction) error {
	var at int64
	err := rows.Scan(&d.ID, &at, &d.Operator, &d.Role, &d.Action, &d.Player, &d.Account, &d.Detail, &d.Result)
	d.At = time.UnixMilli(at).UTC()
	return err
}

// MarshalJSON encodes the action as docs/console-api.md describes it.
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
