package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/truestep-io/truestep/internal/cp1252"
)

// renamed describes an account or character to whose name a number was appended, because the repaired name was already in
// use.
type renamed struct{ what, from, to string }

// textMigration is migration 3. Up to version 2 every text was decoded from Windows-1252, even texts that clients had
// sent in UTF-8: "ünal" was stored as "Ã¼nal". If the Windows-1252 bytes of a text are valid UTF-8, the migration
// decodes them as UTF-8. It does not use package store, whose records may change after this migration was released.
type textMigration struct{ renamed []renamed }

// repair returns the text that a client sent, given the text that version 2 stored for it.
func repair(text string) string {
	if sent, ok := cp1252.TryEncode(text); ok && utf8.ValidString(sent) {
		return sent
	}
	return text
}

func (m *textMigration) run(ctx context.Context, tx *sql.Tx) error {
	m.renamed = nil
	for _, step := range []struct {
		query  string
		repair func(ctx context.Context, tx *sql.Tx, id int64, text string) error
	}{
		// Repair names in order of length. A repair makes a name shorter, so another row may already have the repaired name. If
		// the name of that row must be repaired too, it is shorter and thus repaired first.
		{`SELECT id, name FROM accounts WHERE ` + notASCII("name") + ` ORDER BY length(name), id`, m.repairAccountName},
		{`SELECT id, name FROM characters WHERE ` + notASCII("name") + ` ORDER BY length(name), id`, m.repairCharacterName},
		{`SELECT id, email FROM accounts WHERE ` + notASCII("email"), repairEmail},
		{`SELECT id, ignores FROM accounts WHERE ` + notASCII("ignores"), repairIgnores},
		{`SELECT id, sheet FROM characters WHERE ` + notASCII("sheet"), repairSheet},
	} {
		rows, err := readTexts(ctx, tx, step.query)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if err := step.repair(ctx, tx, r.id, r.text); err != nil {
				return fmt.Errorf("convert the text of the row with ID %d to UTF-8: %w", r.id, err)
			}
		}
	}
	return nil
}

// notASCII returns the SQL condition that a text in a column is not only ASCII: it has more bytes than characters. SQL's length
// stops at a zero character, so the condition is also true for texts that contain one.
func notASCII(column string) string {
	return "length(CAST(" + column + " AS BLOB)) > length(" + column + ")"
}

type textRow struct {
	id   int64
	text string
}

func readTexts(ctx context.Context, tx *sql.Tx, query string) ([]textRow, error) {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []textRow
	for rows.Next() {
		var r textRow
		if err := rows.Scan(&r.id, &r.text); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

func (m *textMigration) repairAccountName(ctx context.Context, tx *sql.Tx, id int64, name string) error {
	return m.repairName(ctx, tx, "account", `UPDATE accounts SET name = ? WHERE id = ?`, "_", id, name)
}

func (m *textMigration) repairCharacterName(ctx context.Context, tx *sql.Tx, id int64, name string) error {
	return m.repairName(ctx, tx, "character", `UPDATE characters SET name = ? WHERE id = ?`, " ", id, name)
}

// repairName renames a row to its repaired name. If another row already has that name, repairName appends the separator and the first
// free number from 2 on: with the separator "_", "ünal" becomes "ünal_2".
func (m *textMigration) repairName(ctx context.Context, tx *sql.Tx, what, update, separator string, id int64, name string) error {
	fixed := repair(name)
	if fixed == name {
		return nil
	}
	to := fixed
	for n := 2; ; n++ {
		_, err := tx.ExecContext(ctx, update, to, id)
		if err == nil {
			break
		}
		if !isUnique(err) { // a failed constraint rolls back only its statement, so the transaction continues
			return err
		}
		to = fmt.Sprintf("%s%s%d", fixed, separator, n)
	}
	if to != fixed {
		m.renamed = append(m.renamed, renamed{what, fixed, to})
	}
	return nil
}

func repairEmail(ctx context.Context, tx *sql.Tx, id int64, email string) error {
	if fixed := repair(email); fixed != email {
		_, err := tx.ExecContext(ctx, `UPDATE accounts SET email = ? WHERE id = ?`, fixed, id)
		return err
	}
	return nil
}

func repairIgnores(ctx context.Context, tx *sql.Tx, id int64, list string) error {
	var names []string
	if err := json.Unmarshal([]byte(list), &names); err != nil {
		return nil // damaged data stays as it is and is reported when it is read
	}
	changed := false
	for i, name := range names {
		names[i] = repair(name)
		changed = changed || names[i] != name
	}
	return update(ctx, tx, changed, `UPDATE accounts SET ignores = ? WHERE id = ?`, id, names)
}

// repairSheet repairs the texts of a character's sheet, but not its action bar: the row of shortcuts to items and spells in
// RealmCrafter clients. The slots of the bar were never UTF-8, and the two bytes of an item's number may be valid UTF-8 by
// chance.
func repairSheet(ctx context.Context, tx *sql.Tx, id int64, text string) error {
	var sheet map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &sheet); err != nil {
		return nil // damaged data stays as it is and is reported when it is read
	}
	changed := false
	for _, key := range []string{"door", "tag", "area", "last_portal_area"} {
		changed = repairKey(sheet, key) || changed
	}
	var pets []map[string]json.RawMessage
	if json.Unmarshal(sheet["pets"], &pets) == nil {
		petsChanged := false
		for _, p := range pets {
			petsChanged = repairKey(p, "name") || petsChanged
		}
		if petsChanged {
			b, err := json.Marshal(pets)
			if err != nil {
				return err
			}
			sheet["pets"], changed = b, true
		}
	}
	return update(ctx, tx, changed, `UPDATE characters SET sheet = ? WHERE id = ?`, id, sheet)
}

// repairKey applies repair to the value of a key in a JSON object, if the value is a string. It reports whether the
// value changed.
func repairKey(object map[string]json.RawMessage, key string) bool {
	var text string
	if json.Unmarshal(object[key], &text) != nil {
		return false
	}
	fixed := repair(text)
	if fixed == text {
		return false
	}
	b, err := json.Marshal(fixed)
	if err != nil {
		return false
	}
	object[key] = b
	return true
}

// update stores a repaired value: it executes an SQL query with the value as JSON and the row's id. If the parameter
// changed is false, it does nothing.
func update(ctx context.Context, tx *sql.Tx, changed bool, query string, id int64, value any) error {
	if !changed {
		return nil
	}
	b, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, query, string(b), id)
	return err
}
