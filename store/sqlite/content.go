package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

var (
	_ store.Reader = (*Store)(nil)
	_ store.Writer = (*Store)(nil)
)

// Rows returns the number of all rows. It implements store.Reader.
func (s *Store) Rows(ctx context.Context) (int, error) { return content{s.db}.Rows(ctx) }

// Read calls fn with each row. It implements store.Reader. Other calls of the store block until it returns.
func (s *Store) Read(ctx context.Context, fn func(*store.Row) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("read all rows of the database: %w", err)
	}
	defer tx.Rollback() // nothing was changed
	return content{tx}.Read(ctx, fn)
}

// content reads all rows of the tables through a connection or a transaction.
type content struct{ db querier }

// Rows returns the number of all rows. It implements store.Reader.
func (c content) Rows(ctx context.Context) (n int, err error) {
	err = c.db.QueryRowContext(ctx, `SELECT 1 + (SELECT count(*) FROM accounts) + (SELECT count(*) FROM characters) +
		(SELECT count(*) FROM known_addresses) + (SELECT count(*) FROM access_rules) + (SELECT count(*) FROM areas)`).Scan(&n)
	return n, wrapCorrupt(err)
}

// Read calls fn with each row. It implements store.Reader.
func (c content) Read(ctx context.Context, fn func(*store.Row) error) error {
	var last store.LastIDs
	err := c.db.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'accounts'), 0),
		coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'characters'), 0)`).Scan(&last.Account, &last.Character)
	if err != nil {
		return fmt.Errorf("read all rows of the database: %w", wrapCorrupt(err))
	}
	if err := fn(&store.Row{LastIDs: &last}); err != nil {
		return err
	}
	if err := c.readAccounts(ctx, fn); err != nil {
		return err
	}
	err = queryValues(ctx, c.db, `SELECT id, account, slot, CAST(name AS BLOB), saved_ms, CAST(sheet AS BLOB) FROM characters ORDER BY id`, func(v []any) error {
		r := &store.StoredCharacter{}
		id, _ := v[0].(int64)
		account, _ := v[1].(int64)
		slot, _ := v[2].(int64)
		name, _ := v[3].([]byte)
		saved, _ := v[4].(int64)
		r.Sheet, _ = v[5].([]byte)
		r.ID, r.Account, r.Slot, r.Name, r.Saved = sim.CharacterID(id), store.AccountID(account), int(slot), string(name), time.UnixMilli(saved).UTC()
		return fn(&store.Row{Character: r})
	})
	if err != nil {
		return err
	}
	if err := c.readKnown(ctx, fn); err != nil {
		return err
	}
	rules, _, _, err := readAccessRules(ctx, c.db)
	if err != nil {
		return err
	}
	for i := range rules {
		if err := fn(&store.Row{Access: &rules[i]}); err != nil {
			return err
		}
	}
	return queryValues(ctx, c.db, `SELECT area, epoch FROM areas ORDER BY area`, func(v []any) error {
		area, _ := v[0].(int64)
		epoch, _ := v[1].(int64)
		return fn(&store.Row{Owner: &store.Owner{Area: sim.AreaID(area), Epoch: uint64(epoch)}})
	})
}

func (c content) readAccounts(ctx context.Context, fn func(*store.Row) error) error {
	rows, err := c.db.QueryContext(ctx, `SELECT `+accountColumns+` FROM accounts ORDER BY id`)
	if err != nil {
		return wrapCorrupt(err)
	}
	defer rows.Close()
	for rows.Next() {
		a, err := scanAccount(rows.Scan)
		if err == nil {
			err = fn(&store.Row{Account: a})
		}
		if err != nil {
			return err
		}
	}
	return wrapCorrupt(rows.Err())
}

func (c content) readKnown(ctx context.Context, fn func(*store.Row) error) error {
	var list []store.KnownAddress
	err := queryValues(ctx, c.db, `SELECT CAST(account AS BLOB), addr, at_ms FROM known_addresses`, func(v []any) error {
		account, _ := v[0].([]byte)
		addr, _ := v[1].([]byte)
		at, _ := v[2].(int64)
		if a, ok := netip.AddrFromSlice(addr); ok { // damaged addresses are not copied
			list = append(list, store.KnownAddress{Account: string(account), Addr: a, At: time.UnixMilli(at).UTC()})
		}
		return nil
	})
	store.SortKnown(list)
	for i := range list {
		if err == nil {
			err = fn(&store.Row{Known: &list[i]})
		}
	}
	return err
}

// Replace implements store.Writer. In one transaction, it deletes all rows, calls fill, which passes the new rows to put, and then calls
// check, which can read them. If fill or check returns an error, the store is not changed. If the store has accounts and overwrite is
// false, the error is store.ErrNotEmpty.
func (s *Store) Replace(ctx context.Context, overwrite bool, fill func(put func(*store.Row) error) error, check func(store.Reader) error) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		var accounts int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM accounts`).Scan(&accounts); err != nil {
			return err
		}
		if accounts > 0 && !overwrite {
			return fmt.Errorf("%s: %w", s.path, store.ErrNotEmpty)
		}
		for _, table := range []string{"characters", "accounts", "known_addresses", "access_rules", "areas"} {
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+table); err != nil {
				return err
			}
		}
		w := &contentWriter{tx: tx, prepared: map[string]*sql.Stmt{}}
		defer w.close()
		if err := fill(func(r *store.Row) error { return w.put(ctx, r) }); err != nil {
			return err
		}
		if err := w.setLastIDs(ctx); err != nil {
			return err
		}
		return check(content{tx})
	})
}

// contentWriter inserts rows in a transaction.
type contentWriter struct {
	tx       *sql.Tx
	prepared map[string]*sql.Stmt // statements by their SQL text
	last     store.LastIDs
}

func (w *contentWriter) close() {
	for _, s := range w.prepared {
		s.Close()
	}
}

func (w *contentWriter) exec(ctx context.Context, query string, args ...any) error {
	s := w.prepared[query]
	if s == nil {
		var err error
		if s, err = w.tx.PrepareContext(ctx, query); err != nil {
			return err
		}
		w.prepared[query] = s
	}
	_, err := s.ExecContext(ctx, args...)
	return err
}

func (w *contentWriter) put(ctx context.Context, r *store.Row) error {
	switch {
	case r.LastIDs != nil:
		w.last = *r.LastIDs
	case r.Account != nil:
		a := r.Account
		ignores, err := encodeNames(a.Ignore)
		if err != nil {
			return err
		}
		created := a.CreatedAt.UnixMilli()
		sum := rowSum(int64(a.ID), a.Name, a.Secret, a.Email, number(a.GM), number(a.Banned), number(a.Frozen), ignores, created)
		return w.exec(ctx, `INSERT INTO accounts (id, name, secret, email, gm, banned, frozen, ignores, created_ms, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			int64(a.ID), a.Name, a.Secret, a.Email, a.GM, a.Banned, a.Frozen, ignores, created, sum)
	case r.Character != nil:
		c := r.Character
		id, account, slot, sheet := int64(c.ID), int64(c.Account), int64(c.Slot), string(c.Sheet)
		return w.exec(ctx, `INSERT INTO characters (id, account, slot, name, saved_ms, sheet, sum, place_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			id, account, slot, c.Name, c.Saved.UnixMilli(), sheet, rowSum(id, sheet), rowSum(id, account, slot, c.Name))
	case r.Known != nil:
		addr, at := r.Known.Addr.AsSlice(), r.Known.At.UnixMilli()
		return w.exec(ctx, `INSERT INTO known_addresses (account, addr, at_ms, sum) VALUES (?, ?, ?, ?)`, r.Known.Account, addr, at, rowSum(r.Known.Account, addr, at))
	case r.Access != nil:
		a := r.Access
		since, until := timeToMS(a.Since), timeToMS(a.Until)
		return w.exec(ctx, `INSERT INTO access_rules (kind, account, network, reason, "by", since_ms, until_ms, sum, account_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			string(a.Kind), a.Account, a.NetworkText(), a.Reason, a.By, since, until, rowSum(string(a.Kind), a.NetworkText(), a.Reason, a.By, since, until), rowSum(a.Account))
	case r.Owner != nil:
		return w.exec(ctx, `INSERT INTO areas (area, epoch) VALUES (?, ?)`, int64(r.Owner.Area), int64(r.Owner.Epoch))
	}
	return nil
}

// setLastIDs sets the IDs after which SQLite numbers new rows.
func (w *contentWriter) setLastIDs(ctx context.Context) error {
	for table, last := range map[string]int64{"accounts": int64(w.last.Account), "characters": int64(w.last.Character)} {
		if err := w.exec(ctx, `DELETE FROM sqlite_sequence WHERE name = ?`, table); err != nil {
			return err
		}
		if err := w.exec(ctx, `INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE ? > 0`, table, last, last); err != nil {
			return err
		}
	}
	return nil
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
