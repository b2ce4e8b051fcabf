package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/fsync"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// faultInvalid is the fault of a row whose values violate a constraint of its table.
const faultInvalid rowFault = "invalid"

// Queries that return the raw values of rows. The values of a damaged row may have any type.
const (
	selectCharacters = `SELECT 'characters', id, CAST(account AS INTEGER), CAST(slot AS INTEGER), CAST(name AS BLOB), CAST(sheet AS BLOB) FROM characters WHERE `
	selectAccounts   = `SELECT 'accounts', id, 0, 0, CAST(name AS BLOB), CAST(ignores AS BLOB) FROM accounts WHERE `
)

// SQL conditions of rows that violate the constraints of their table. Only damaged rows violate them.
const (
	badCharacter = `(name <> '' AND slot BETWEEN 0 AND 9 AND json_valid(sheet)) IS NOT TRUE`
	badAccount   = `(name <> '' AND gm IN (0, 1) AND banned IN (0, 1) AND frozen IN (0, 1) AND json_valid(ignores)) IS NOT TRUE`
)

// badRow is a damaged or lost row with its raw content, as it is written to a file for the operator.
type badRow struct {
	Fault   rowFault `json:"fault"`             // how the row is damaged, or that it is lost
	Table   string   `json:"table"`             // name of the table: "accounts" or "characters"
	ID      int64    `json:"id"`                // ID of the account or character
	Account int64    `json:"account,omitempty"` // account of a character
	Slot    int64    `json:"slot,omitempty"`    // position of a character in its account's roster, from 0
	Name    string   `json:"name"`              // name of the account or character, as far as readable
	Text    string   `json:"text,omitempty"`    // sheet of a character, or ignored names of an account
}

// repairRows makes the tables consistent with their checksums, so that one damaged row does not prevent the server's start.
// (1) It writes the damaged and lost rows to a file in the folder aside, or in a new folder if aside is "". (2) It removes
// damaged characters, and resets damaged fields of accounts. The parameter found is the result of checkRows, nil for a
// database that had no checksums.
func (s *Store) repairRows(ctx context.Context, found *rowFindings, aside string) error {
	if found == nil {
		found = &rowFindings{}
	}
	if found.repair {
		if err := s.rebuildIndexes(ctx, found); err != nil {
			return fmt.Errorf("rebuild the indexes: %w", err)
		}
		if !found.isLoss() && len(found.damaged) == 0 {
			s.log.Warn("damaged indexes or checksums of the database were rebuilt; no stored data is missing", telemetry.FieldFile, s.path)
		}
	}
	if err := s.repairLastIDs(ctx, found); err != nil {
		return fmt.Errorf("replace a damaged counter of the IDs assigned so far: %w", err)
	}
	rows, err := s.readBadRows(ctx, found)
	if err != nil {
		return fmt.Errorf("read damaged rows: %w", err)
	}
	if len(rows) > 0 {
		if err := s.setAsideRows(ctx, rows, aside); err != nil {
			return fmt.Errorf("copy damaged rows to a file: %w", err)
		}
	}
	return s.sumMissing(ctx)
}

// rebuildIndexes rebuilds the indexes of the tables. It also computes the totals in table store from the rows again: the sums of
// checksums and the numbers of rows.
func (s *Store) rebuildIndexes(ctx context.Context, found *rowFindings) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		for i := range summedTables {
			t := &summedTables[i]
			_, err := tx.ExecContext(ctx, `REINDEX `+t.name)
			if isUnique(err) { // a deleted row has reappeared, and another row uses its name
				err = fmt.Errorf("two rows of %s have the same name: %w", t.name, store.ErrCorrupt)
			}
			if err == nil {
				err = t.repairTypes(ctx, tx, found.damaged)
			}
			if err != nil {
				return err
			}
			for _, r := range found.moved {
				if r.table != t {
					continue
				}
				if _, err := tx.ExecContext(ctx, `UPDATE `+t.name+` SET id = ? WHERE id = ?`, r.to, r.from); err != nil {
					return err
				}
				if err := t.updateSums(ctx, tx, r.to); err != nil {
					return err
				}
			}
			sums := "coalesce(" + strings.ReplaceAll(t.sumColumns(), ", ", ", 0) + coalesce(") + ", 0)"
			_, err = tx.ExecContext(ctx, `UPDATE store SET `+t.total+` = (SELECT coalesce(sum(`+sums+`), 0) FROM `+t.name+`), `+t.name+` = (SELECT count(*) FROM `+t.name+`)`)
			if err != nil {
				return err
			}
		}
		for _, r := range found.resum {
			if err := r.table.updateSums(ctx, tx, r.id); err != nil {
				return err
			}
		}
		return nil
	})
}

// repairTypes converts values to the types of their columns. It skips damaged rows, which setAsideRows repairs or removes. A
// trigger clears the checksums of the changed rows, as after any change by SQL. The checksums are computed again later.
func (t *summedTable) repairTypes(ctx context.Context, tx *sql.Tx, damaged []faultyRow) error {
	except := []int64{}
	for i := range damaged {
		if damaged[i].table == t {
			except = append(except, damaged[i].id)
		}
	}
	ids, err := json.Marshal(except)
	if err != nil {
		return err
	}
	var set []string
	for _, column := range t.texts {
		set = append(set, column+" = CAST(coalesce("+column+", '') AS TEXT)")
	}
	for _, column := range t.numbers {
		set = append(set, column+" = CAST(coalesce("+column+", 0) AS INTEGER)")
	}
	_, err = tx.ExecContext(ctx, `UPDATE `+t.name+` SET `+strings.Join(set, ", ")+` WHERE (`+t.wrongTypes()+`) AND id NOT IN (SELECT value FROM json_each(?))`, string(ids))
	return err
}

// repairLastIDs repairs the greatest ID that a table has ever assigned. SQLite gives new rows greater IDs than this one. A
// damaged value is replaced by the greatest ID of the existing rows.
func (s *Store) repairLastIDs(ctx context.Context, found *rowFindings) error {
	for i := range summedTables {
		if !found.ids[i] {
			continue
		}
		t := &summedTables[i]
		err := s.transact(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name = ?`, t.name); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO sqlite_sequence (name, seq) SELECT ?, max(id) FROM `+t.name, t.name)
			return err
		})
		if err != nil {
			return err
		}
		s.log.Warn("the greatest ID ever assigned was damaged and was replaced by the greatest existing ID; IDs of the last deleted rows may be assigned again",
			telemetry.FieldFile, s.path, "table", t.name)
	}
	return nil
}

// readBadRows returns the raw content of the damaged and lost rows that checkRows found, and of the rows that violate
// constraints.
func (s *Store) readBadRows(ctx context.Context, found *rowFindings) (rows []badRow, err error) {
	named := map[string]bool{}
	read := func(query string, fault rowFault, args ...any) error {
		return queryValues(ctx, s.db, query, func(v []any) error {
			r := badRow{Fault: fault, Table: v[0].(string), ID: v[1].(int64)}
			key := fmt.Sprint(r.Table, r.ID)
			if named[key] {
				return nil
			}
			named[key] = true
			r.Account, _ = v[2].(int64)
			r.Slot, _ = v[3].(int64)
			name, _ := v[4].([]byte)
			text, _ := v[5].([]byte)
			r.Name, r.Text = string(name), string(text)
			rows = append(rows, r)
			return nil
		}, args...)
	}
	for _, list := range [][]faultyRow{found.damaged, found.lost} {
		for _, r := range list {
			query := selectAccounts
			if r.table == characterTable {
				query = selectCharacters
			}
			before := len(rows)
			if err := read(query+`id = ?`, r.fault, r.id); err != nil {
				return nil, err
			}
			if len(rows) == before && r.fault == faultMissing {
				rows = append(rows, badRow{Fault: r.fault, Table: r.table.name, ID: r.id, Name: r.name})
			}
		}
	}
	if err := read(selectCharacters+badCharacter, faultInvalid); err != nil {
		return nil, err
	}
	return rows, read(selectAccounts+badAccount, faultInvalid)
}

// setAsideRows writes damaged and lost rows to a file for the operator, repairs or removes them in the tables, and logs each
// row.
func (s *Store) setAsideRows(ctx context.Context, rows []badRow, aside string) (err error) {
	if aside == "" {
		if aside, err = makeAside(filepath.Dir(s.path), time.Now()); err != nil {
			return err
		}
	}
	file := filepath.Join(aside, "rows.jsonl")
	var text []byte
	for i := range rows {
		line, err := json.Marshal(&rows[i])
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	if err := fsync.WriteFile(file, text); err != nil {
		return err
	}
	err = s.transact(ctx, func(tx *sql.Tx) error {
		for i := range rows {
			if err := repairRow(ctx, tx, &rows[i]); err != nil {
				return fmt.Errorf("repair the row %d of the table %s: %w", rows[i].ID, rows[i].Table, err)
			}
		}
		return closeGaps(ctx, tx)
	})
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		field := telemetry.FieldAccount
		what := "the stored account is damaged; its damaged fields were reset, and it has no operator rights"
		switch {
		case r.Fault != faultInvalid && r.Fault != faultDamaged:
			what = "the last change of a stored " + strings.TrimSuffix(r.Table, "s") + " is lost"
		case r.Table == characterTable.name:
			what = "the stored character is damaged; it was set aside and is not in the game"
		}
		if r.Table == characterTable.name {
			field = telemetry.FieldCharacter
		}
		s.log.Error(what, field, r.Name, "id", r.ID, "account_id", r.Account, telemetry.FieldReason, r.Fault, telemetry.FieldFile, file)
	}
	return nil
}

// repairRow repairs a damaged row: it removes a character; in an account it resets the damaged fields and revokes the operator
// rights. Rows that are missing, or intact but outdated, are not changed.
func repairRow(ctx context.Context, tx *sql.Tx, r *badRow) error {
	if r.Fault != faultInvalid && r.Fault != faultDamaged {
		return nil
	}
	if r.Table == characterTable.name {
		_, err := tx.ExecContext(ctx, `DELETE FROM characters WHERE id = ?`, r.ID)
		return err
	}
	_, err := tx.ExecContext(ctx, `UPDATE accounts SET gm = 0, banned = coalesce(banned <> 0, 0), frozen = coalesce(frozen <> 0, 0),
		ignores = CAST(iif(json_valid(ignores), iif(json_type(ignores) = 'array' AND NOT EXISTS (SELECT 1 FROM json_each(ignores) WHERE type <> 'text'), ignores, '[]'), '[]') AS TEXT),
		name = CAST(iif(name <> '', name, 'account-' || id) AS TEXT), secret = CAST(coalesce(secret, '') AS TEXT), email = CAST(coalesce(email, '') AS TEXT),
		created_ms = CAST(coalesce(created_ms, 0) AS INTEGER), sum = NULL WHERE id = ?`, r.ID)
	if err != nil {
		return err
	}
	return accountTable.updateSums(ctx, tx, r.ID)
}

// closeGaps renumbers the slots of the characters of every account, so that there are no gaps.
func closeGaps(ctx context.Context, tx *sql.Tx) error {
	var accounts []int64
	err := queryValues(ctx, tx, `SELECT account FROM characters GROUP BY account HAVING max(slot) >= count(*)`, func(values []any) error {
		accounts = append(accounts, values[0].(int64))
		return nil
	})
	if err != nil {
		return err
	}
	for _, account := range accounts {
		if err := closeGap(ctx, tx, account); err != nil {
			return err
		}
	}
	return nil
}

// closeGap renumbers the slots of the characters of an account in their order, so that there are no gaps.
func closeGap(ctx context.Context, tx *sql.Tx, account int64) error {
	var moves [][2]int64 // ID and new slot
	var next int64
	err := queryValues(ctx, tx, `SELECT id, slot FROM characters WHERE account = ? ORDER BY slot`, func(values []any) error {
		if id, slot := values[0].(int64), values[1].(int64); slot != next {
			moves = append(moves, [2]int64{id, next})
		}
		next++
		return nil
	}, account)
	if err != nil {
		return err
	}
	for _, move := range moves { // the order of moves ensures that a slot is free before a character moves into it
		if _, err := tx.ExecContext(ctx, `UPDATE characters SET slot = ? WHERE id = ?`, move[1], move[0]); err != nil {
			return err
		}
		if err := characterTable.updateSums(ctx, tx, move[0]); err != nil {
			return err
		}
	}
	return nil
}
