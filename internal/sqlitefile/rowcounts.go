package sqlitefile

import (
	"context"
	"database/sql"
	"strings"
)

const (
	pruneRows          = 250 // maximum number of rows that one DELETE statement deletes
	maxPruneStatements = 16  // maximum number of DELETE statements of one Trim
)

// RowCounts counts the rows of a table by account, or only those rows that meet a condition. Trim deletes excess rows from the
// account with the most rows, so one account cannot displace the rows of others. The table has the columns id and account. A
// RowCounts is not safe for concurrent use.
type RowCounts struct {
	table     string
	where     string // SQL condition of the rows that are counted and deleted; "1" for all
	total     int
	byAccount map[string]int // number of rows by account in lower case, because the file compares accounts without ASCII case
}

// NewRowCounts returns a RowCounts for the table with the given name. All counts are 0 until Load reads them from the file.
func NewRowCounts(table string) *RowCounts { return NewRowCountsWhere(table, "1") }

// NewRowCountsWhere returns a RowCounts for those rows of the table that meet an SQL condition. Other rows are neither counted nor
// deleted.
func NewRowCountsWhere(table, condition string) *RowCounts {
	return &RowCounts{table: table, where: condition, byAccount: map[string]int{}}
}

// Total returns the number of rows in the table.
func (s *RowCounts) Total() int { return s.total }

// Of returns the number of rows of an account. The case of ASCII letters in the name does not matter.
func (s *RowCounts) Of(account string) int { return s.byAccount[LowerASCII(account)] }

// Add counts n more rows of an account, or fewer if n is negative.
func (s *RowCounts) Add(account string, n int) {
	account = LowerASCII(account)
	s.total += n
	s.byAccount[account] += n
	if s.byAccount[account] <= 0 {
		delete(s.byAccount, account)
	}
}

// LowerASCII converts ASCII letters to lower case, as SQLite's NOCASE comparison does.
func LowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// Load counts the rows of the table in the file. It must be called before the other methods.
func (s *RowCounts) Load(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "SELECT account, count(*) FROM "+s.table+" WHERE "+s.where+" GROUP BY account")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var account string
		var n int
		if err := rows.Scan(&account, &n); err != nil {
			return err
		}
		s.Add(account, n)
	}
	return rows.Err()
}

// largest returns the account with the most rows. The result n is the number of its rows. The result ahead is the difference
// between n and the number of rows of the account that has the second most.
func (s *RowCounts) largest() (account string, n, ahead int) {
	second := 0
	for a, has := range s.byAccount {
		switch {
		case has > n || has == n && a < account:
			second = n
			account, n = a, has
		case has > second:
			second = has
		}
	}
	return account, n, n - second
}

// Trim deletes the oldest rows of the accounts with the most rows until the table has at most keep rows. One call deletes at
// most 4000 rows.
func (s *RowCounts) Trim(ctx context.Context, db *sql.DB, keep int) error {
	for range maxPruneStatements {
		excess := s.total - keep
		if excess <= 0 {
			return nil
		}
		account, _, ahead := s.largest()
		n, err := s.deleteRows(ctx, db, "account = ? ORDER BY id", account, min(excess, pruneRows, ahead+1))
		if err != nil {
			return err
		}
		if n == 0 { // another program has already deleted the rows
			s.Add(account, -s.byAccount[account])
		}
	}
	return nil
}

// DeleteBefore deletes at most 250 rows whose column at_ms is less than limit, oldest first. The result deleted is true if it has
// deleted any rows. The result done is true if no row below the limit is left.
func (s *RowCounts) DeleteBefore(ctx context.Context, db *sql.DB, limit int64) (deleted, done bool, err error) {
	n, err := s.deleteRows(ctx, db, "at_ms < ? ORDER BY at_ms", limit, pruneRows)
	return n > 0, n < pruneRows, err
}

// deleteRows deletes at most limit rows that match the SQL condition where with the argument arg. It returns how many rows it has
// deleted.
func (s *RowCounts) deleteRows(ctx context.Context, db *sql.DB, where string, arg any, limit int) (n int, err error) {
	rows, err := db.QueryContext(ctx, "DELETE FROM "+s.table+" WHERE id IN (SELECT id FROM "+s.table+" WHERE "+s.where+" AND "+where+" LIMIT ?) RETURNING account", arg, limit)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var account string
		if err := rows.Scan(&account); err != nil {
			return n, err
		}
		s.Add(account, -1)
		n++
	}
	return n, rows.Err()
}
