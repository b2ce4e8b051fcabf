package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Characters returns the characters of an account. It implements store.Store.
func (s *Store) Characters(ctx context.Context, id store.AccountID) (roster []*sim.Character, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, `SELECT id, name, sheet::text FROM characters WHERE account = $1 ORDER BY slot`, int64(id))
		if err != nil {
			return err
		}
		roster, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*sim.Character, error) { return scanCharacter(row) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read characters of account %d: %w", id, err)
	}
	return roster, nil
}

// Character returns a character. It implements store.Store.
func (s *Store) Character(ctx context.Context, id sim.CharacterID) (c *sim.Character, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) (err error) {
		c, err = scanCharacter(conn.QueryRow(ctx, `SELECT id, name, sheet::text FROM characters WHERE id = $1`, int64(id)))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read character %d: %w", id, err)
	}
	return c, nil
}

// scanCharacter decodes a row with the columns id, name and sheet, the JSON form of a character. Errors: store.ErrCorrupt.
func scanCharacter(row pgx.Row) (*sim.Character, error) {
	var id sim.CharacterID
	var name, sheet string
	if err := row.Scan(&id, &name, &sheet); err != nil {
		return nil, err
	}
	c, err := store.DecodeSheet([]byte(sheet))
	if err != nil {
		return nil, fmt.Errorf("read character %d: %w", id, err)
	}
	c.ID, c.Name = id, unescape(name)
	return c, nil
}

// Owner returns the account that owns a character. It implements store.Store.
func (s *Store) Owner(ctx context.Context, id sim.CharacterID) (account store.AccountID, err error) {
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, `SELECT account FROM characters WHERE id = $1`, int64(id)).Scan(&account)
	})
	if err != nil {
		return 0, fmt.Errorf("read owner of character %d: %w", id, err)
	}
	return account, nil
}

// CreateCharacter stores a new character of an account and returns its ID. It implements store.Store.
func (s *Store) CreateCharacter(ctx context.Context, id store.AccountID, c *sim.Character, limit int) (made sim.CharacterID, err error) {
	err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		// Lock the account's row, so that a concurrent creation for the same account does not use the same slot.
		if err := tx.QueryRow(ctx, `SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, int64(id)).Scan(&id); err != nil {
			return change{}, err
		}
		if made != 0 { // this function is called again: the commit of the previous call may have been made
			stored, err := hasRow(ctx, tx, `SELECT FROM characters WHERE id = $1 AND account = $2 AND name = $3`, int64(made), int64(id), escape(c.Name))
			if stored || err != nil {
				return change{}, err
			}
		}
		var slot int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM characters WHERE account = $1`, int64(id)).Scan(&slot); err != nil {
			return change{}, err
		}
		if slot >= min(limit, store.MaxCharacters) {
			return change{}, store.ErrTooMany
		}
		made, err = insertCharacter(ctx, tx, id, slot, c)
		return change{characters: 1}, err
	})
	if err != nil {
		return 0, fmt.Errorf("create character: %w", err)
	}
	return made, nil
}

func insertCharacter(ctx context.Context, tx pgx.Tx, id store.AccountID, slot int, c *sim.Character) (made sim.CharacterID, err error) {
	if c.Name == "" {
		return 0, errNoName
	}
	if err := checkText(c.Name); err != nil {
		return 0, err
	}
	sheet, err := store.EncodeSheet(c)
	if err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, `INSERT INTO characters (account, slot, name, version, saved, sheet) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (lower(name)) DO NOTHING RETURNING id`, int64(id), slot, escape(c.Name), versionOf(c), inMillis(time.Now()), string(sheet)).Scan(&made)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, store.ErrNameTaken
	}
	return made, err
}

// versionOf returns the version of a record as a value of the column version, whose type bigint is signed. A version greater than
// the greatest bigint is stored as the greatest bigint.
func versionOf(c *sim.Character) int64 { return int64(min(c.Version, math.MaxInt64)) }

// DeleteCharacter deletes a character of an account. It implements store.Store.
func (s *Store) DeleteCharacter(ctx context.Context, by store.SessionHolder, id store.AccountID, c sim.CharacterID) error {
	deleted := false // in a call of the function below, whose commit may have been made
	err := s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		if err := lockHeld(ctx, tx, by, int64(id)); err != nil {
			return change{}, err
		}
		if _, err := tx.Exec(ctx, `SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, int64(id)); err != nil {
			return change{}, err
		}
		var slot int
		err := tx.QueryRow(ctx, `DELETE FROM characters WHERE id = $1 AND account = $2 RETURNING slot`, int64(c), int64(id)).Scan(&slot)
		if deleted && errors.Is(err, pgx.ErrNoRows) {
			return change{}, nil
		}
		if err == nil {
			deleted = true
			_, err = tx.Exec(ctx, `UPDATE characters SET slot = slot - 1 WHERE account = $1 AND slot > $2`, int64(id), slot)
		}
		return change{characters: -1}, err
	})
	if err != nil {
		return fmt.Errorf("delete character %d: %w", c, err)
	}
	return nil
}
