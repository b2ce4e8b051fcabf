package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// CreateAccount stores a new account and returns its ID. It implements store.Store.
func (s *Store) CreateAccount(ctx context.Context, a store.Account) (id store.AccountID, err error) {
	err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (by change, err error) {
		if id != 0 { // this function is called again: the commit of the previous call may have been made
			stored, err := hasRow(ctx, tx, `SELECT FROM accounts WHERE id = $1 AND name = $2 AND secret = $3`, int64(id), escape(a.Name), escape(a.Secret))
			if stored || err != nil {
				return change{}, err
			}
		}
		id, err = insertAccount(ctx, tx, &a)
		return change{accounts: 1}, err
	})
	if err != nil {
		return 0, fmt.Errorf("create account: %w", err)
	}
	return id, nil
}

var errNoName = errors.New("the name of the account or character is empty")

func insertAccount(ctx context.Context, tx pgx.Tx, a *store.Account) (id store.AccountID, err error) {
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
	ignores, err := json.Marshal(append([]string{}, a.Ignore...))
	if err != nil {
		return 0, err
	}
	// ON CONFLICT DO NOTHING avoids the error of a name that is already in use, because an error would abort the
	// transaction: an import adds further accounts in the same transaction.
	err = tx.QueryRow(ctx, `INSERT INTO accounts (name, secret, email, gm, banned, frozen, ignores, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT DO NOTHING RETURNING id`,
		escape(a.Name), escape(a.Secret), escape(a.Email), a.GM, a.Banned, a.Frozen, string(ignores), inMillis(created)).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, store.ErrAccountExists
	}
	return id, err
}

const selectAccounts = `SELECT id, name, secret, email, gm, banned, frozen, ignores::text, created FROM accounts `

// Account returns the account with a name. It implements store.Store.
func (s *Store) Account(ctx context.Context, name string) (*store.Account, error) {
	if checkText(name) != nil { // no stored name can equal a name that is not UTF-8
		return nil, fmt.Errorf("read account: %w", store.ErrNotFound)
	}
	return s.readAccount(ctx, selectAccounts+`WHERE lower(name) = lower($1::text COLLATE "C")`, escape(name))
}

// AccountByID returns the account with an ID. It implements store.Store.
func (s *Store) AccountByID(ctx context.Context, id store.AccountID) (*store.Account, error) {
	return s.readAccount(ctx, selectAccounts+`WHERE id = $1`, int64(id))
}

func (s *Store) readAccount(ctx context.Context, query string, arg any) (a *store.Account, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) (err error) {
		a, err = scanAccount(conn.QueryRow(ctx, query, arg))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read account: %w", err)
	}
	return a, nil
}

// Banned returns the banned accounts, at most 10,000. It implements store.Store.
func (s *Store) Banned(ctx context.Context) (list []store.Account, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, selectAccounts+`WHERE banned ORDER BY lower(name) LIMIT 10000`)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Account, error) {
			a, err := scanAccount(row)
			if err != nil {
				return store.Account{}, err
			}
			return *a, nil
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read banned accounts: %w", err)
	}
	return list, nil
}

// scanAccount decodes a row of selectAccounts. Errors: store.ErrCorrupt.
func scanAccount(row pgx.Row) (*store.Account, error) {
	var (
		a       store.Account
		ignores string
	)
	if err := row.Scan(&a.ID, &a.Name, &a.Secret, &a.Email, &a.GM, &a.Banned, &a.Frozen, &ignores, &a.CreatedAt); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(ignores), &a.Ignore); err != nil {
		return nil, fmt.Errorf("read account %d: its list of ignored players is not valid JSON: %v: %w", a.ID, err, store.ErrCorrupt)
	}
	a.Name, a.Secret, a.Email, a.CreatedAt = unescape(a.Name), unescape(a.Secret), unescape(a.Email), a.CreatedAt.UTC()
	return &a, nil
}

// SetSecret replaces the password hash of an account. It implements store.Store.
func (s *Store) SetSecret(ctx context.Context, id store.AccountID, secret string) error {
	if err := checkText(secret); err != nil {
		return fmt.Errorf("set the password hash of account %d: %w", id, err)
	}
	return s.set(ctx, "secret", id, `UPDATE accounts SET secret = $1 WHERE id = $2`, escape(secret))
}

// SetBanned sets or clears the ban flag of an account. It implements store.Store.
func (s *Store) SetBanned(ctx context.Context, id store.AccountID, banned bool) error {
	return s.set(ctx, "ban", id, `WITH pardoned AS (DELETE FROM access_rules r USING accounts a WHERE NOT $1 AND a.id = $2 AND r.kind = 'ban' AND lower(r.account) = lower(a.name))
		UPDATE accounts SET banned = $1 WHERE id = $2`, banned)
}

// SetFrozen stores whether the player of an account is frozen. It implements store.Store.
func (s *Store) SetFrozen(ctx context.Context, id store.AccountID, frozen bool) error {
	return s.set(ctx, "freeze", id, `UPDATE accounts SET frozen = $1 WHERE id = $2`, frozen)
}

func (s *Store) set(ctx context.Context, what string, id store.AccountID, query string, value any) error {
	err := s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		tag, err := tx.Exec(ctx, query, value, int64(id))
		if err == nil && tag.RowsAffected() == 0 {
			err = store.ErrNotFound
		}
		return change{}, err
	})
	if err != nil {
		return fmt.Errorf("set the %s flag of account %d: %w", what, id, err)
	}
	return nil
}

// ImportAccounts stores a batch of accounts of another server. It implements store.Store.
func (s *Store) ImportAccounts(ctx context.Context, batch []store.Import) (done store.Imported, err error) {
	err = s.transact(ctx, importTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		done = store.Imported{}
		for i := range batch {
			if err := importAccount(ctx, tx, &batch[i], &done); err != nil {
				return change{}, fmt.Errorf("import the account with index %d of the batch: %w", i, err)
			}
		}
		return change{accounts: int64(done.Accounts), characters: int64(done.Characters)}, nil
	})
	if err != nil {
		return store.Imported{}, fmt.Errorf("import %d accounts: %w", len(batch), err)
	}
	return done, nil
}

// importTimeout is the maximum duration of an import, which may have any number of accounts.
const importTimeout = time.Hour

func importAccount(ctx context.Context, tx pgx.Tx, in *store.Import, done *store.Imported) error {
	return done.Add(in, func(a *store.Account) (store.AccountID, error) { return insertAccount(ctx, tx, a) },
		func(id store.AccountID, slot int, c *sim.Character) (sim.CharacterID, error) {
			return insertCharacter(ctx, tx, id, slot, c)
		})
}
