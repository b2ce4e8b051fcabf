package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// rowSum returns the CRC-32C of the values of a row. The values must have the types in which the database returns them, because
// the checksum covers the type of each value. It also covers the length of each text.
func rowSum(values ...any) int64 {
	var sum uint32
	var b [9]byte
	for _, value := range values {
		var text []byte
		kind, n := byte('n'), uint64(0)
		switch v := value.(type) {
		case int64:
			kind, n = 'i', uint64(v)
		case float64: // floats occur only in damaged rows
			kind, n = 'f', math.Float64bits(v)
		case string:
			kind, n, text = 't', uint64(len(v)), []byte(v)
		case []byte:
			kind, n, text = 't', uint64(len(v)), v
		}
		b[0] = kind
		binary.LittleEndian.PutUint64(b[1:], n)
		sum = crc32.Update(crc32.Update(sum, castagnoli, b[:]), castagnoli, text)
	}
	return int64(sum)
}

// summedTable describes a table whose rows have checksums. Columns with texts are read as blobs, because SQLite ends a text
// at a zero byte.
type summedTable struct {
	name    string      // name of the table
	kind    string      // noun for a row in messages, such as "account"
	sums    [][2]string // each checksum: its column, and the columns that it covers
	total   string      // column of table store with the sum of all checksums
	index   string      // name of the index that contains the ID and the checksums of each row
	indexes [][2]string // all indexes, each with the columns of its key
	byName  string      // name of the index that contains the names
	texts   []string    // columns that contain texts
	numbers []string    // columns that contain integers and are not covered by a checksum
}

var summedTables = []summedTable{
	{
		name: "accounts", kind: "account", total: "account_total", index: "account_sums", byName: "sqlite_autoindex_accounts_1",
		sums: [][2]string{
			{"sum", "id, CAST(name AS BLOB), CAST(secret AS BLOB), CAST(email AS BLOB), gm, banned, frozen, CAST(ignores AS BLOB), created_ms"},
		},
		indexes: [][2]string{{"account_sums", "id, sum"}, {"sqlite_autoindex_accounts_1", "name"}},
		texts:   []string{"name", "secret", "email", "ignores"},
	},
	{
		name: "characters", kind: "character", total: "character_total", index: "character_sums", byName: "sqlite_autoindex_characters_1",
		sums:    [][2]string{{"sum", "id, CAST(sheet AS BLOB)"}, {"place_sum", "id, account, slot, CAST(name AS BLOB)"}},
		indexes: [][2]string{{"character_sums", "id, sum, place_sum"}, {"sqlite_autoindex_characters_1", "name"}, {"sqlite_autoindex_characters_2", "account, slot"}},
		texts:   []string{"name", "sheet"}, numbers: []string{"saved_ms"},
	},
}

var accountTable, characterTable = &summedTables[0], &summedTables[1]

// querier is the method to query rows. A database, a connection and a transaction have it.
type querier interface {
	rower
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// queryValues calls fn with the values of each row of a query. The values are valid only during the call.
func queryValues(ctx context.Context, db querier, query string, fn func(values []any) error, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return wrapCorrupt(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return wrapCorrupt(err)
		}
		if err := fn(values); err != nil {
			return err
		}
	}
	return wrapCorrupt(rows.Err())
}

// updateSums computes the checksums of a row that was added or changed in the transaction, and stores them in the row.
func (t *summedTable) updateSums(ctx context.Context, tx *sql.Tx, id int64) error {
	for _, sum := range t.sums {
		var now int64
		err := queryValues(ctx, tx, fmt.Sprintf(`SELECT %s FROM %s WHERE id = ?`, sum[1], t.name), func(values []any) error {
			now = rowSum(values...)
			return nil
		}, id)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`UPDATE %s SET %s = ? WHERE id = ?`, t.name, sum[0]), now, id); err != nil {
			return err
		}
	}
	return nil
}

// sumMissing computes the checksums of rows that have none: rows written by older versions, and rows changed by another
// program.
func (s *Store) sumMissing(ctx context.Context) error {
	for i := range summedTables {
		t := &summedTables[i]
		query := fmt.Sprintf(`SELECT id FROM %s INDEXED BY %s WHERE %s IS NULL`, t.name, t.index, t.sums[0][0])
		for _, sum := range t.sums[1:] {
			query += " OR " + sum[0] + " IS NULL"
		}
		var ids []int64
		err := queryValues(ctx, s.db, query, func(values []any) error {
			ids = append(ids, values[0].(int64))
			return nil
		})
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			continue
		}
		err = s.transact(ctx, func(tx *sql.Tx) error {
			for _, id := range ids {
				if err := t.updateSums(ctx, tx, id); err != nil {
					return fmt.Errorf("compute the checksum of %s %d: %w", t.kind, id, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	var rules int
	if err := s.db.QueryRowContext(ctx, `SELECT count(*) FROM access_rules WHERE account_sum IS NULL`).Scan(&rules); err != nil || rules == 0 {
		return wrapCorrupt(err)
	}
	return s.transact(ctx, func(tx *sql.Tx) error { return sumRules(ctx, tx) })
}
