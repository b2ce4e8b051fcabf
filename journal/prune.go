package journal

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

const (
	pruneRows          = 250         // rows deleted by one DELETE statement
	maxPruneStatements = 16          // maximum number of DELETE statements after one write
	agePruneInterval   = time.Minute // pause after all old rows have been deleted
	maxActions         = 100_000     // maximum number of operator actions in the file   guess: ten a day for thirty years
	maxActionText      = 1000        // maximum length of each text of an operator action in bytes
	actionPruneRows    = 1000        // operator actions deleted at once
)

// rowCounts counts the rows of a table by account. Excess rows are deleted from the account with the most rows, so that one
// account cannot displace the rows of others.
type rowCounts struct {
	table     string
	total     int
	byAccount map[string]int // number of rows by account in lower case, because the file compares accounts without ASCII case
}

func newRowCounts(table string) *rowCounts {
	return &rowCounts{table: table, byAccount: map[string]int{}}
}

func (s *rowCounts) add(account string, n int) {
	account = lowerASCII(account)
	s.total += n
	s.byAccount[account] += n
	if s.byAccount[account] <= 0 {
		delete(s.byAccount, account)
	}
}

// lowerASCII converts ASCII letters to lower case, as SQLite's NOCASE comparison does.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

func (s *rowCounts) load(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "SELECT account, count(*) FROM "+s.table+" GROUP BY account")
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
		s.add(account, n)
	}
	return rows.Err()
}

// largest returns the account with the most rows, its number of rows, and ahead, the difference from the number of rows of the
// second largest account.
func (s *rowCounts) largest() (account string, n, ahead int) {
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

// prune deletes excess and old rows, at most maxPruneStatements x pruneRows per call.
func (w *writer) prune(ctx context.Context, now time.Time) error {
	for _, c := range []struct {
		s    *rowCounts
		keep int
	}{{w.entries, w.j.opt.MaxEntries}, {w.around, 2 * w.j.opt.MaxEntries}} {
		if err := c.s.trim(ctx, w.db, c.keep); err != nil {
			return err
		}
	}
	if now.Sub(w.agePrunedAt) < agePruneInterval {
		return nil
	}
	limit := now.Add(-w.j.opt.MaxAge).UnixMilli()
	done := true
	for _, s := range []*rowCounts{w.entries, w.around} {
		n, err := s.deleteRows(ctx, w.db, "at_ms < ? ORDER BY at_ms", limit, pruneRows)
		if err != nil {
			return err
		}
		done = done && n < pruneRows
	}
	if done {
		w.agePrunedAt = now
	}
	return nil
}

// trim deletes the oldest rows of the largest accounts until the table has at most keep rows.
func (s *rowCounts) trim(ctx context.Context, db *sql.DB, keep int) error {
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
		if n == 0 { // nothing was deleted, because another program deleted the rows before
			s.add(account, -s.byAccount[account])
		}
	}
	return nil
}

// deleteRows deletes at most limit rows and returns how many it deleted.
func (s *rowCounts) deleteRows(ctx context.Context, db *sql.DB, where string, arg any, limit int) (n int, err error) {
	rows, err := db.QueryContext(ctx, "DELETE FROM "+s.table+" WHERE id IN (SELECT id FROM "+s.table+" WHERE "+where+" LIMIT ?) RETURNING account", arg, limit)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var account string
		if err := rows.Scan(&account); err != nil {
			return n, err
		}
		s.add(account, -1)
		n++
	}
	return n, rows.Err()
}
