package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// Conditions that the rows of a table violate if they were damaged: those of their CHECK constraints.
const (
	badCharacter = `NOT (name <> '' AND slot BETWEEN 0 AND 9 AND json_valid(sheet))`
	badAccount   = `NOT (name <> '' AND gm IN (0, 1) AND banned IN (0, 1) AND frozen IN (0, 1) AND json_valid(ignores))`
)

// badRow is a damaged row as it was stored, for the operator.
type badRow struct {
	Table   string `json:"table"` // name of the table: "accounts" or "characters"
	ID      int64  `json:"id"`
	Account int64  `json:"account,omitempty"` // account of a damaged character
	Slot    int64  `json:"slot,omitempty"`
	Name    string `json:"name"`
	Text    string `json:"text"` // sheet of a character, or ignored names of an account
}

// setAsideRows moves characters whose row is damaged out of the database, and resets the damaged fields of accounts, so that one row
// does not stop the server. The rows are first written to a file in a folder set-aside-*.
func (s *Store) setAsideRows(ctx context.Context) error {
	var rows []badRow
	for _, q := range []string{
		`SELECT 'characters', id, account, slot, name, CAST(sheet AS BLOB) FROM characters WHERE ` + badCharacter,
		`SELECT 'accounts', id, 0, 0, name, CAST(ignores AS BLOB) FROM accounts WHERE ` + badAccount,
	} {
		found, err := readBadRows(ctx, s.db, q)
		if err != nil {
			return hostError(err)
		}
		rows = append(rows, found...)
	}
	if len(rows) == 0 {
		return nil
	}
	aside, err := makeAside(filepath.Dir(s.path), time.Now())
	if err != nil {
		return fmt.Errorf("set rows aside: %w", err)
	}
	file := filepath.Join(aside, "rows.jsonl")
	var text []byte
	for i := range rows {
		line, err := json.Marshal(&rows[i])
		if err != nil {
			return fmt.Errorf("set rows aside: %w", err)
		}
		text = append(append(text, line...), '\n')
	}
	if err := writeSynced(file, text); err != nil {
		return fmt.Errorf("set rows aside: %w", err)
	}
	err = s.transact(ctx, func(tx *sql.Tx) error {
		for i := range rows {
			if err := repairRow(ctx, tx, &rows[i]); err != nil {
				return fmt.Errorf("%s %d: %w", rows[i].Table, rows[i].ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("set rows aside: %w", err)
	}
	for i := range rows {
		if r := &rows[i]; r.Table == "characters" {
			s.log.Error("the stored character is damaged; it was set aside and is not in the game", telemetry.FieldCharacter, r.Name, "id", r.ID, "account_id", r.Account, telemetry.FieldFile, file)
		} else {
			s.log.Error("the stored account is damaged; its damaged fields were reset", telemetry.FieldAccount, r.Name, "id", r.ID, telemetry.FieldFile, file)
		}
	}
	return nil
}

func readBadRows(ctx context.Context, db *sql.DB, query string) ([]badRow, error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []badRow
	for rows.Next() {
		var r badRow
		var text []byte
		if err := rows.Scan(&r.Table, &r.ID, &r.Account, &r.Slot, &r.Name, &text); err != nil {
			return nil, err
		}
		r.Text = string(text)
		list = append(list, r)
	}
	return list, rows.Err()
}

// repairRow removes a character and closes the gap in its account's roster, or resets an account. An account whose rights
// are damaged gets none.
func repairRow(ctx context.Context, tx *sql.Tx, r *badRow) error {
	if r.Table == "accounts" {
		_, err := tx.ExecContext(ctx, `UPDATE accounts SET gm = (gm = 1), banned = (banned <> 0), frozen = (frozen <> 0),
			ignores = iif(json_valid(ignores), ignores, '[]'), name = iif(name <> '', name, 'account-' || id) WHERE id = ?`, r.ID)
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM characters WHERE id = ?`, r.ID); err != nil {
		return err
	}
	ids, err := characterIDs(ctx, tx, r.Account)
	if err != nil {
		return err
	}
	for slot, id := range ids { // ascending, because a slot must be free before the next character moves into it
		if _, err := tx.ExecContext(ctx, `UPDATE characters SET slot = ? WHERE id = ? AND slot <> ?1`, slot, id); err != nil {
			return err
		}
	}
	return nil
}

// characterIDs returns the roster of an account, oldest first.
func characterIDs(ctx context.Context, tx *sql.Tx, account int64) (ids []int64, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id FROM characters WHERE account = ? ORDER BY slot`, account)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
