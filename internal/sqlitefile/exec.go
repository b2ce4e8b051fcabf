package sqlitefile

import (
	"context"
	"database/sql"
)

// ExecCount executes a statement and returns the number of rows that it has changed.
func ExecCount(ctx context.Context, tx *sql.Tx, query string, args ...any) (int64, error) {
	res, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}
