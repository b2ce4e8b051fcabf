package journal

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

const (
	pruneStep  = 250         // rows that one statement deletes
	pruneSteps = 16          // statements of one turn
	ageEvery   = time.Minute // how often old rows are looked for, when there were none
	maxDeeds   = 100_000     // of operators; they are kept whatever their age   guess: ten a day for thirty years
	maxText    = 1000        // bytes of one text of a deed
	deedPrune  = 1000        // deeds that are deleted at once
)

// shares is how many rows of a table belong to whom. What is too much is taken from whoever has most, so that nobody can
// push out what belongs to others by being refused a lot.
type shares struct {
	table string
	total int
	by    map[string]int // by account in lower case, as the file compares it; not more accounts than rows
}

func newShares(table string) *shares { return &shares{table: table, by: map[string]int{}} }

func (s *shares) add(account string, n int) {
	account = lower(account)
	s.total += n
	s.by[account] += n
	if s.by[account] <= 0 {
		delete(s.by, account)
	}
}

// lower folds ASCII letters, as NOCASE does.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

func (s *shares) load(ctx context.Context, db *sql.DB) error {
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

// most is who has most rows, and how many more than the next.
func (s *shares) most() (account string, n, ahead int) {
	second := 0
	for a, has := range s.by {
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
		s    *shares
		keep int
	}{{w.entries, w.j.opt.Keep}, {w.around, 2 * w.j.opt.Keep}} {
		if err := c.s.shrink(ctx, w.db, c.keep); err != nil {
			return err
		}
	}
	if now.Sub(w.aged) < ageEvery {
		return nil
	}
	limit := now.Add(-w.j.opt.Retain).UnixMilli()
	done := true
	for _, s := range []*shares{w.entries, w.around} {
		n, err := s.delete(ctx, w.db, "at_ms < ? ORDER BY at_ms", limit, pruneStep)
		if err != nil {
			return err
		}
		done = done && n < pruneStep
	}
	if done {
		w.aged = now
	}
	return nil
}

// shrink takes from those who have most.
func (s *shares) shrink(ctx context.Context, db *sql.DB, keep int) error {
	for range pruneSteps {
		excess := s.total - keep
		if excess <= 0 {
			return nil
		}
		account, _, ahead := s.most()
		n, err := s.delete(ctx, db, "account = ? ORDER BY id", account, min(excess, pruneStep, ahead+1))
		if err != nil {
			return err
		}
		if n == 0 { // somebody else deleted them
			s.add(account, -s.by[account])
		}
	}
	return nil
}

// delete deletes at most limit rows and returns how many there were.
func (s *shares) delete(ctx context.Context, db *sql.DB, where string, arg any, limit int) (n int, err error) {
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
