package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Find returns the accounts that match a filter. It implements store.Management.
func (s *Store) Find(ctx context.Context, f store.Filter) ([]store.Found, error) {
	var where []string
	var args []any
	add := func(condition string, values ...any) { where, args = append(where, condition), append(args, values...) }
	if f.Prefix != "" {
		like := likePrefix(f.Prefix)
		add(`(a.name LIKE ? ESCAPE '\' OR EXISTS (SELECT 1 FROM characters WHERE account = a.id AND name LIKE ? ESCAPE '\'))`, like, like)
	}
	if f.Door != "" {
		add(`EXISTS (SELECT 1 FROM characters WHERE account = a.id AND json_valid(sheet) AND json_extract(sheet, '$.door') = ?)`, f.Door)
	}
	if f.Banned != nil {
		add(`a.banned = ?`, *f.Banned)
	}
	const seen = `coalesce((SELECT max(saved_ms) FROM characters WHERE account = a.id), a.created_ms)`
	if !f.SeenSince.IsZero() {
		add(seen+` >= ?`, f.SeenSince.UnixMilli())
	}
	if !f.SeenBefore.IsZero() {
		add(seen+` < ?`, f.SeenBefore.UnixMilli())
	}
	if f.After != "" {
		add(`a.name > ?`, f.After)
	}
	query := `SELECT ` + accountColumns + `, ` + seen + `,
		(SELECT json_group_array(json_object('name', name, 'door', CASE WHEN json_valid(sheet) THEN json_extract(sheet, '$.door') END))
			FROM (SELECT name, sheet FROM characters WHERE account = a.id ORDER BY slot))
		FROM accounts a`
	if len(where) > 0 {
		query += ` WHERE ` + strings.Join(where, ` AND `)
	}
	args = append(args, min(max(f.Limit, 1), store.MaxFound))
	rows, err := s.db.QueryContext(ctx, query+` ORDER BY a.name LIMIT ?`, args...)
	if err != nil {
		return nil, fmt.Errorf("find accounts: %w", wrapCorrupt(err))
	}
	defer rows.Close()
	var list []store.Found
	for rows.Next() {
		found, err := scanFound(rows)
		if err != nil {
			return nil, fmt.Errorf("find accounts: %w", err)
		}
		list = append(list, *found)
	}
	return list, wrapCorrupt(rows.Err())
}

// likePrefix returns a LIKE pattern that matches texts with the given prefix.
func likePrefix(prefix string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(prefix) + `%`
}

func scanFound(rows *sql.Rows) (*store.Found, error) {
	var seen int64
	var characters string
	a, err := scanAccount(func(columns ...any) error { return rows.Scan(append(columns, &seen, &characters)...) })
	if err != nil {
		return nil, err
	}
	found := &store.Found{Account: *a, LastSeen: time.UnixMilli(seen).UTC()}
	var list []struct {
		Name string
		Door *string
	}
	if err := json.Unmarshal([]byte(characters), &list); err != nil {
		return nil, fmt.Errorf("read characters of account %d: %v: %w", a.ID, err, store.ErrCorrupt)
	}
	for _, c := range list {
		found.Characters = append(found.Characters, c.Name)
		if c.Door != nil {
			found.Doors = append(found.Doors, *c.Door)
		}
	}
	found.Doors = slices.Compact(slices.Sorted(slices.Values(found.Doors)))
	return found, nil
}

// EditCharacter replaces the name and the record of a character. It implements store.Management.
func (s *Store) EditCharacter(ctx context.Context, _ store.SessionHolder, c *sim.Character) error {
	err := checkText(c.Name)
	if err == nil && c.Name == "" {
		err = errNoName
	}
	if err == nil {
		err = s.transact(ctx, func(tx *sql.Tx) error { return editCharacter(ctx, tx, c) })
	}
	if err != nil {
		return fmt.Errorf("edit character %d: %w", c.ID, err)
	}
	return nil
}

func editCharacter(ctx context.Context, tx *sql.Tx, c *sim.Character) error {
	var stored []byte
	var name string
	err := tx.QueryRowContext(ctx, `SELECT name, sheet FROM characters WHERE id = ?`, c.ID).Scan(&name, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	if err != nil {
		return err
	}
	sheet, err := store.EncodeSheet(c)
	if err != nil {
		return err
	}
	if name == c.Name && bytes.Equal(stored, sheet) {
		return nil
	}
	if old, err := store.DecodeSheet(stored); err == nil && old.Version >= c.Version {
		return store.ErrOutdated
	}
	_, err = tx.ExecContext(ctx, `UPDATE characters SET name = ?, sheet = ? WHERE id = ?`, c.Name, string(sheet), c.ID)
	if isUnique(err) {
		return store.ErrNameTaken
	}
	if err != nil {
		return err
	}
	return characterTable.updateSums(ctx, tx, int64(c.ID))
}

// MoveCharacter moves a character to another account. It implements store.Management.
func (s *Store) MoveCharacter(ctx context.Context, _ store.SessionHolder, c sim.CharacterID, to store.AccountID) error {
	err := s.transact(ctx, func(tx *sql.Tx) error {
		var from int64
		err := tx.QueryRowContext(ctx, `SELECT account FROM characters WHERE id = ?`, c).Scan(&from)
		if errors.Is(err, sql.ErrNoRows) {
			return store.ErrNotFound
		}
		if err != nil || from == int64(to) {
			return err
		}
		slot, err := freeSlot(ctx, tx, to)
		if err != nil {
			return err
		}
		if err := place(ctx, tx, int64(c), to, slot); err != nil {
			return err
		}
		return closeGap(ctx, tx, from)
	})
	if err != nil {
		return fmt.Errorf("move character %d to account %d: %w", c, to, err)
	}
	return nil
}

// freeSlot returns the slot after the last character of an account. Errors: store.ErrNotFound, store.ErrTooMany.
func freeSlot(ctx context.Context, tx *sql.Tx, account store.AccountID) (slot int, err error) {
	var exists bool
	err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ?1), (SELECT count(*) FROM characters WHERE account = ?1)`, account).
		Scan(&exists, &slot)
	switch {
	case err != nil:
		return 0, err
	case !exists:
		return 0, store.ErrNotFound
	case slot >= store.MaxCharacters:
		return 0, store.ErrTooMany
	}
	return slot, nil
}

// place sets the account and the slot of a character.
func place(ctx context.Context, tx *sql.Tx, c int64, account store.AccountID, slot int) error {
	if _, err := tx.ExecContext(ctx, `UPDATE characters SET account = ?, slot = ? WHERE id = ?`, account, slot, c); err != nil {
		return err
	}
	return characterTable.updateSums(ctx, tx, c)
}

// MergeAccounts merges one account into another. It implements store.Management.
func (s *Store) MergeAccounts(ctx context.Context, _ store.SessionHolder, from, into store.AccountID) error {
	err := s.transact(ctx, func(tx *sql.Tx) error {
		if from == into {
			return errors.New("an account cannot be merged into itself")
		}
		var list []int64
		err := queryValues(ctx, tx, `SELECT id FROM characters WHERE account = ? ORDER BY slot`, func(values []any) error {
			list = append(list, values[0].(int64))
			return nil
		}, int64(from))
		if err != nil {
			return err
		}
		for _, c := range list {
			slot, err := freeSlot(ctx, tx, into)
			if err != nil {
				return err
			}
			if err := place(ctx, tx, c, into, slot); err != nil {
				return err
			}
		}
		var exists bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM accounts WHERE id = ?)`, into).Scan(&exists); err != nil {
			return err
		}
		if !exists {
			return store.ErrNotFound
		}
		return deleteAccount(ctx, tx, from)
	})
	if err != nil {
		return fmt.Errorf("merge account %d into %d: %w", from, into, err)
	}
	return nil
}

// DeleteAccount deletes an account and its characters. It implements store.Management.
func (s *Store) DeleteAccount(ctx context.Context, _ store.SessionHolder, id store.AccountID, folded string) error {
	err := s.transact(ctx, func(tx *sql.Tx) error {
		// Delete the characters explicitly. A cascade does not run the triggers that maintain the totals.
		if _, err := tx.ExecContext(ctx, `DELETE FROM characters WHERE account = ?`, id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM known_addresses WHERE account = ?`, folded); err != nil {
			return err
		}
		return deleteAccount(ctx, tx, id)
	})
	if err != nil {
		return fmt.Errorf("delete account %d: %w", id, err)
	}
	return nil
}

func deleteAccount(ctx context.Context, tx *sql.Tx, id store.AccountID) error {
	res, err := tx.ExecContext(ctx, `DELETE FROM accounts WHERE id = ?`, id)
	if err != nil {
		return err
	}
	return oneRow(res)
}
