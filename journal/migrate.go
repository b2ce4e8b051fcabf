package journal

import (
	"context"
	"database/sql"
	"fmt"
	"unicode/utf8"

	"github.com/truestep-io/truestep/internal/cp1252"
)

// repairTexts is migration 2. Version 1 decoded every name from Windows-1252, even names that clients had sent in
// UTF-8: it stored "ünal" as "Ã¼nal". The migration restores those names.
func repairTexts(ctx context.Context, tx *sql.Tx) error {
	for _, column := range []struct{ table, name string }{
		{"entries", "area"}, {"entries", "player"}, {"entries", "account"}, {"entries", "other"},
		{"around", "account"}, {"around", "text"}, {"deeds", "player"}, {"deeds", "account"},
	} {
		if err := repairColumn(ctx, tx, column.table, column.name); err != nil {
			return fmt.Errorf("repair the names in the column %s.%s: %w", column.table, column.name, err)
		}
	}
	return nil
}

func repairColumn(ctx context.Context, tx *sql.Tx, table, column string) error {
	// A text with as many bytes as characters is ASCII and needs no repair.
	rows, err := tx.QueryContext(ctx, fmt.Sprintf(
		"SELECT id, %[2]s FROM %[1]s WHERE length(CAST(%[2]s AS BLOB)) > length(%[2]s)", table, column))
	if err != nil {
		return err
	}
	defer rows.Close()
	repaired := map[int64]string{}
	for rows.Next() {
		var id int64
		var text string
		if err := rows.Scan(&id, &text); err != nil {
			return err
		}
		if sent, ok := cp1252.TryEncode(text); ok && utf8.ValidString(sent) {
			repaired[id] = sent
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	update := fmt.Sprintf("UPDATE %s SET %s = ? WHERE id = ?", table, column)
	for id, text := range repaired {
		if _, err := tx.ExecContext(ctx, update, text, id); err != nil {
			return err
		}
	}
	return nil
}
