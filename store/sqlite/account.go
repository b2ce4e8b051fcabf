package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/store"
)

// CreateAccount stores a new account and returns its ID. It implements store.Store.
func (s *Store) CreateAccount(ctx context.Context, a store.Account) (store.AccountID, error) {
	var id store.AccountID
	err := s.transact(ctx, func(tx *sql.Tx) (err error) {
		id, err = insertAccount(ctx, tx, &a)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("create account: %w", err)
	}
	return id, nil
}

func insertAccount(ctx context.Context, tx *sql.Tx, a *store.Account) (store.AccountID, error) {
	if a.Name == "" {
		return 0, errNoName
	}
	created := a.CreatedAt
	if created.IsZero() {
		created = time.Now()
	}
	if err := checkText(append([]string{a.Name, a.Secret, a.Email}, a.Ignore...)...); err != nil {
		return 0, err
	}
	ignores, err := encodeNames(a.Ignore)
	if err != nil {
		return 0, err
	}
	res, err := tx.ExecContext(ctx, `
		INSERT INTO accounts (name, secret, email, gm, banned, frozen, ignores, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		a.Name, a.Secret, a.Email, a.GM, a.Banned, a.Frozen, ignores, created.UnixMilli())
	if isUnique(err) {
		return 0, store.ErrAccountExists
	}
	if err != nil {
		return 0, wrapCorrupt(err)
	}
	id, err := res.LastInsertId()
	if err == nil {
		err = accountTable.updateSums(ctx, tx, id)
	}
	return store.AccountID(id), err
}

var errNoName = errors.New("the name of the account or character is empty")

const accountColumns = `id, name, secret, email, gm, banned, frozen, ignores, created_ms`

// Account returns the account with a name. It implements store.Store.
func (s *Store) Account(ctx context.Context, name string) (*store.Account, error) {
	row := s.db.QueryRowContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE name = ?`, name)
	return scanAccount(row.Scan)
}

// AccountByID returns the account with an ID. It implements store.Store.
func (s *Store) AccountByID(ctx context.Context, id store.AccountID) (*store.Account, error) {
	row := s.db.QueryRowContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE id = ?`, id)
	return scanAccount(row.Scan)
}

// Banned returns the banned accounts. It implements store.Store.
func (s *Store) Banned(ctx context.Context) ([]store.Account, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE banned ORDER BY name LIMIT 10000`)
	if err != nil {
		return nil, fmt.Errorf("read banned accounts: %w", wrapCorrupt(err))
	}
	defer rows.Close()
	var list []store.Account
	for rows.Next() {
		a, err := scanAccount(rows.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, *a)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read banned accounts: %w", wrapCorrupt(err))
	}
	return list, nil
}

// scanAccount decodes a row with the columns of accountColumns. Errors: store.ErrNotFound, store.ErrCorrupt.
func scanAccount(scan func(...any) error) (*store.Account, error) {
	var (
		a       store.Account
		ignores string
		created int64
	)
	err := scan(&a.ID, &a.Name, &a.Secret, &a.Email, &a.GM, &a.Banned, &a.Frozen, &ignores, &created)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read account: %w", wrapCorrupt(err))
	}
	if err := json.Unmarshal([]byte(ignores), &a.Ignore); err != nil {
		return nil, fmt.Errorf("read account %d: its list of ignored players is not valid JSON: %v: %w", a.ID, err, store.ErrCorrupt)
	}
	a.CreatedAt = time.UnixMilli(created).UTC()
	return &a, nil
}

// SetSecret replaces the password hash of an account. It implements store.Store.
func (s *Store) SetSecret(ctx context.Context, id store.AccountID, secret string) error {
	if err := checkText(secret); err != nil {
		return fmt.Errorf("set the password hash of account %d: %w", id, err)
	}
	return s.set(ctx, "secret", id, `UPDATE accounts SET secret = ? WHERE id = ?`, secret)
}

// SetBanned sets or clears the ban flag of an account. It implements store.Store.
func (s *Store) SetBanned(ctx context.Context, id store.AccountID, banned bool) error {
	err := s.transact(ctx, func(tx *sql.Tx) error {
		if err := setAccount(ctx, tx, id, `UPDATE accounts SET banned = ? WHERE id = ?`, banned); err != nil || banned {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM access_rules WHERE kind = ? AND account = (SELECT name FROM accounts WHERE id = ?)`, store.AccessBan, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("set the ban flag of account %d: %w", id, err)
	}
	return nil
}

// SetFrozen stores whether the player of an account is frozen. It implements store.Store.
func (s *Store) SetFrozen(ctx context.Context, id store.AccountID, frozen bool) error {
	return s.set(ctx, "freeze", id, `UPDATE accounts SET frozen = ? WHERE id = ?`, frozen)
}

func (s *Store) set(ctx context.Context, what string, id store.AccountID, query string, value any) error {
	err := s.transact(ctx, func(tx *sql.Tx) error { return setAccount(ctx, tx, id, query, value) })
	if err != nil {
		return fmt.Errorf("set the %s flag of account %d: %w", what, id, err)
	}
	return nil
}

// setAccount executes a query that changes a column of one account, and updates the row's checksum. Errors:
// store.ErrNotFound.
func setAccount(ctx context.Context, tx *sql.Tx, id store.AccountID, query string, value any) error {
	res, err := tx.ExecContext(ctx, query, value, id)
	if err == nil {
		err = oneRow(res)
	}
	if err == nil {
		err = accountTable.updateSums(ctx, tx, int64(id))
	}
	return err
}

// oneRow returns store.ErrNotFound if a statement changed no row.
func oneRow(res sql.Result) error {
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return store.ErrNotFound
	}
	return err
}

// encodeNames encodes a list of names as a JSON array; nil becomes [].
func encodeNames(names []string) (string, error) {
	b, err := json.Marshal(append([]string{}, names...))
	return string(b), err
}

// checkText returns store.ErrText if a text is not valid UTF-8, because SQLite would not return such a text unchanged.
func checkText(texts ...string) error {
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q: %w", text, store.ErrText)
		}
	}
	return nil
}
