package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/store"
)

// CreateAccount implements store.Store.
func (s *Store) CreateAccount(ctx context.Context, a store.Account) (store.AccountID, error) {
	id, err := insertAccount(ctx, s.db, &a)
	if err != nil {
		return 0, fmt.Errorf("create account: %w", err)
	}
	return id, nil
}

// execer is a database or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func insertAccount(ctx context.Context, db execer, a *store.Account) (store.AccountID, error) {
	created := a.CreatedAt
	if created.IsZero() {
		created = time.Now()
	}
	ignores, err := encodeNames(a.Ignore)
	if err != nil {
		return 0, err
	}
	res, err := db.ExecContext(ctx, `
		INSERT INTO accounts (name, secret, email, gm, banned, frozen, ignores, created_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		store.ToText(a.Name), store.ToText(a.Secret), store.ToText(a.Email), a.GM, a.Banned, a.Frozen, ignores, created.UnixMilli())
	if isUnique(err) {
		return 0, store.ErrAccountExists
	}
	if err != nil {
		return 0, hostError(err)
	}
	id, err := res.LastInsertId()
	return store.AccountID(id), err
}

const accountColumns = `id, name, secret, email, gm, banned, frozen, ignores, created_ms`

// Account implements store.Store.
func (s *Store) Account(ctx context.Context, name string) (*store.Account, error) {
	row := s.db.QueryRowContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE name = ?`, store.ToText(name))
	return scanAccount(row.Scan)
}

// Banned implements store.Store.
func (s *Store) Banned(ctx context.Context) ([]store.Account, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+accountColumns+` FROM accounts WHERE banned ORDER BY name LIMIT 10000`)
	if err != nil {
		return nil, fmt.Errorf("read bans: %w", hostError(err))
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
		return nil, fmt.Errorf("read bans: %w", hostError(err))
	}
	return list, nil
}

// scanAccount reads one row of accountColumns.
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
		return nil, fmt.Errorf("read account: %w", hostError(err))
	}
	for _, text := range []*string{&a.Name, &a.Secret, &a.Email} {
		if *text, err = store.FromText(*text); err != nil {
			return nil, fmt.Errorf("read account %d: %w", a.ID, err)
		}
	}
	if a.Ignore, err = decodeNames(ignores); err != nil {
		return nil, fmt.Errorf("read account %d: %w", a.ID, err)
	}
	a.CreatedAt = time.UnixMilli(created).UTC()
	return &a, nil
}

// SetSecret implements store.Store.
func (s *Store) SetSecret(ctx context.Context, id store.AccountID, secret string) error {
	return s.set(ctx, "secret", id, `UPDATE accounts SET secret = ? WHERE id = ?`, store.ToText(secret))
}

// SetBanned implements store.Store.
func (s *Store) SetBanned(ctx context.Context, id store.AccountID, banned bool) error {
	return s.set(ctx, "ban", id, `UPDATE accounts SET banned = ? WHERE id = ?`, banned)
}

// SetFrozen implements store.Store.
func (s *Store) SetFrozen(ctx context.Context, id store.AccountID, frozen bool) error {
	return s.set(ctx, "freeze", id, `UPDATE accounts SET frozen = ? WHERE id = ?`, frozen)
}

func (s *Store) set(ctx context.Context, what string, id store.AccountID, query string, value any) error {
	res, err := s.db.ExecContext(ctx, query, value, id)
	if err == nil {
		err = oneRow(res)
	}
	if err != nil {
		return fmt.Errorf("set %s of account %d: %w", what, id, hostError(err))
	}
	return nil
}

// oneRow says store.ErrNotFound if a statement changed nothing.
func oneRow(res sql.Result) error {
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return store.ErrNotFound
	}
	return err
}

func encodeNames(names []string) (string, error) {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = store.ToText(name)
	}
	b, err := json.Marshal(texts)
	return string(b), err
}

func decodeNames(list string) ([]string, error) {
	var texts, names []string
	if err := json.Unmarshal([]byte(list), &texts); err != nil {
		return nil, fmt.Errorf("ignores: %v: %w", err, store.ErrCorrupt)
	}
	for _, text := range texts {
		name, err := store.FromText(text)
		if err != nil {
			return nil, fmt.Errorf("ignores: %w", err)
		}
		names = append(names, name)
	}
	return names, nil
}
