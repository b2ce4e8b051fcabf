package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Characters returns the characters of an account. It implements store.Store.
func (s *Store) Characters(ctx context.Context, id store.AccountID) ([]*sim.Character, error) {
	roster, err := readRoster(ctx, s.db, id)
	if err != nil {
		return nil, fmt.Errorf("read characters of account %d: %w", id, err)
	}
	return roster, nil
}

func readRoster(ctx context.Context, db *sql.DB, id store.AccountID) ([]*sim.Character, error) {
	rows, err := db.QueryContext(ctx, `SELECT id, name, sheet FROM characters WHERE account = ? ORDER BY slot`, id)
	if err != nil {
		return nil, wrapCorrupt(err)
	}
	defer rows.Close()
	var roster []*sim.Character
	for rows.Next() {
		var (
			c     sim.CharacterID
			name  string
			sheet []byte
		)
		if err := rows.Scan(&c, &name, &sheet); err != nil {
			return nil, wrapCorrupt(err)
		}
		character, err := decode(c, name, sheet)
		if err != nil {
			return nil, fmt.Errorf("read character %d: %w", c, err)
		}
		roster = append(roster, character)
	}
	return roster, wrapCorrupt(rows.Err())
}

// Character returns a character. It implements store.Store.
func (s *Store) Character(ctx context.Context, id sim.CharacterID) (*sim.Character, error) {
	var name string
	var sheet []byte
	err := s.db.QueryRowContext(ctx, `SELECT name, sheet FROM characters WHERE id = ?`, id).Scan(&name, &sheet)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read character %d: %w", id, wrapCorrupt(err))
	}
	c, err := decode(id, name, sheet)
	if err != nil {
		return nil, fmt.Errorf("read character %d: %w", id, err)
	}
	return c, nil
}

// Owner returns the account that owns a character. It implements store.Store.
func (s *Store) Owner(ctx context.Context, id sim.CharacterID) (account store.AccountID, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT account FROM characters WHERE id = ?`, id).Scan(&account)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("read owner of character %d: %w", id, wrapCorrupt(err))
	}
	return account, nil
}

func decode(id sim.CharacterID, name string, sheet []byte) (*sim.Character, error) {
	c, err := store.DecodeSheet(sheet)
	if err != nil {
		return nil, err
	}
	c.ID, c.Name = id, name
	return c, nil
}

// CreateCharacter stores a new character of an account and returns its ID. It implements store.Store.
func (s *Store) CreateCharacter(ctx context.Context, id store.AccountID, c *sim.Character, limit int) (sim.CharacterID, error) {
	var made sim.CharacterID
	err := s.transact(ctx, func(tx *sql.Tx) error {
		var exists bool
		var slot int
		err := tx.QueryRowContext(ctx, `
			SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ?1), (SELECT count(*) FROM characters WHERE account = ?1)`, id).
			Scan(&exists, &slot)
		switch {
		case err != nil:
			return err
		case !exists:
			return store.ErrNotFound
		case slot >= min(limit, store.MaxCharacters):
			return store.ErrTooMany
		}
		made, err = insertCharacter(ctx, tx, id, slot, c)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("create character: %w", err)
	}
	return made, nil
}

func insertCharacter(ctx context.Context, tx *sql.Tx, id store.AccountID, slot int, c *sim.Character) (sim.CharacterID, error) {
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
	res, err := tx.ExecContext(ctx, `INSERT INTO characters (account, slot, name, saved_ms, sheet) VALUES (?, ?, ?, ?, ?)`,
		id, slot, c.Name, time.Now().UnixMilli(), string(sheet))
	if isUnique(err) {
		return 0, store.ErrNameTaken // the name is the duplicate, not the slot: the caller counted the slots in the same transaction
	}
	if err != nil {
		return 0, err
	}
	made, err := res.LastInsertId()
	if err == nil {
		err = characterTable.updateSums(ctx, tx, made)
	}
	return sim.CharacterID(made), err
}

// DeleteCharacter deletes a character of an account. It implements store.Store.
func (s *Store) DeleteCharacter(ctx context.Context, _ store.SessionHolder, id store.AccountID, c sim.CharacterID) error {
	err := s.transact(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM characters WHERE id = ? AND account = ?`, c, id)
		if err == nil {
			err = oneRow(res)
		}
		if err != nil {
			return err
		}
		return closeGap(ctx, tx, int64(id))
	})
	if err != nil {
		return fmt.Errorf("delete character %d: %w", c, err)
	}
	return nil
}
