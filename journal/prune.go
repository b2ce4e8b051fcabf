package journal

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

const (
	pruneRows          = 250         // rows per DELETE statement
	maxPruneStatements = 16          // DELETE statements per write
	agePruneInterval   = time.Minute // pause after a search for old rows found no more
	maxActions         = 100_000     // operator actions in the file, whatever their age   guess: ten a day for thirty years
	maxActionText      = 1000        // bytes of one text of an operator action
	actionPruneRows    = 1000        // operator actions deleted at once
)

// rowCounts is how many rows of a table belong to each account. Excess rows are deleted from the account with the most, so
// that one account cannot push out the rows of others.
type rowCounts struct {
	table     string
	total     int
	byAccount map[string]int // key: account in lower case, as the file compares it; no more accounts than rows
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

// lowerASCII folds ASCII letters only, as NOCASE does.
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

// largest returns the account with the most rows, their number, and how many more they are than the second most.
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

// prune deletes excess and old rows, a bounded number per call.
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

// trim deletes the oldest rows of the largest accounts until at most keep are left.
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
		if n == 0 { // another program deleted the rows
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
