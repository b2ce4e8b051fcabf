package journal

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

const (
	pruneRows          = 250         // rows that one statement deletes
	maxPruneStatements = 16          // statements of one turn
	agePruneInterval   = time.Minute // how often old rows are looked for, when there were none
	maxActions         = 100_000     // of operators; they are kept whatever their age   guess: ten a day for thirty years
	maxActionText      = 1000        // bytes of one text of a deed
	actionPruneRows    = 1000        // deeds that are deleted at once
)

// rowCounts is how many rows of a table belong to whom. What is too much is taken from whoever has most, so that nobody can
// push out what belongs to others by being refused a lot.
type rowCounts struct {
	table     string
	total     int
	byAccount map[string]int // by account in lower case, as the file compares it; not more accounts than rows
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

// lowerASCII folds ASCII letters, as NOCASE does.
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

// largest is who has most rows, and how many more than the next.
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

// prune deletes what is too much or too old, a little at a time.
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

// trim takes from those who have most.
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
		if n == 0 { // somebody else deleted them
			s.add(account, -s.byAccount[account])
		}
	}
	return nil
}

// deleteRows deletes at most limit rows and returns how many there were.
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
