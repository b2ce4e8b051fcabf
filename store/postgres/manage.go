package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Find returns the accounts that match a filter. It implements store.Management.
func (s *Store) Find(ctx context.Context, f store.Filter) (list []store.Found, err error) {
	const seen = `coalesce((SELECT max(saved) FROM characters WHERE account = a.id), a.created)`
	var where []string
	var args []any
	add := func(condition string, value any) {
		args = append(args, value)
		where = append(where, strings.ReplaceAll(condition, "?", fmt.Sprintf("$%d", len(args))))
	}
	if f.Prefix != "" {
		if checkText(f.Prefix) != nil { // no stored name can begin with a text that is not UTF-8
			return nil, nil
		}
		add(`(lower(a.name) LIKE lower(?::text COLLATE "C") OR EXISTS (SELECT FROM characters WHERE account = a.id AND lower(name) LIKE lower(?::text COLLATE "C")))`,
			likePrefix(escape(f.Prefix)))
	}
	if f.Door != "" {
		add(`EXISTS (SELECT FROM characters WHERE account = a.id AND `+doorOf+` = ?)`, f.Door)
	}
	if f.Banned != nil {
		add(`a.banned = ?`, *f.Banned)
	}
	if !f.SeenSince.IsZero() {
		add(seen+` >= ?`, f.SeenSince)
	}
	if !f.SeenBefore.IsZero() {
		add(seen+` < ?`, f.SeenBefore)
	}
	if f.After != "" {
		add(`lower(a.name) > lower(?::text COLLATE "C")`, escape(f.After))
	}
	query := `SELECT id, name, secret, email, gm, banned, frozen, ignores::text, created, ` + seen + `,
		ARRAY(SELECT name FROM characters WHERE account = a.id ORDER BY slot), ARRAY(SELECT DISTINCT coalesce(` + doorOf + `, '') FROM characters WHERE account = a.id)
		FROM accounts a`
	if len(where) > 0 {
		query += ` WHERE ` + strings.Join(where, ` AND `)
	}
	args = append(args, min(max(f.Limit, 1), store.MaxFound))
	query += fmt.Sprintf(` ORDER BY lower(a.name) LIMIT $%d`, len(args))
	err = s.read(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, scanFound)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find accounts: %w", err)
	}
	return list, nil
}

// doorOf is an SQL expression for the door through which a character was created. It does not use the operator ->>, which fails
// if any text in the sheet contains a zero byte.
const doorOf = `substring(sheet::text FROM '"door":"([^"\\]*)"')`

// likePrefix returns a LIKE pattern that matches texts with the given prefix.
func likePrefix(prefix string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(prefix) + `%`
}

func scanFound(row pgx.CollectableRow) (found store.Found, err error) {
	var seen time.Time
	var names, doors []string
	a, err := scanAccount(withColumns{row, []any{&seen, &names, &doors}})
	if err != nil {
		return found, err
	}
	found = store.Found{Account: *a, LastSeen: seen.UTC()}
	for _, name := range names {
		found.Characters = append(found.Characters, unescape(name))
	}
	found.Doors = slices.DeleteFunc(doors, func(door string) bool { return door == "" })
	slices.Sort(found.Doors)
	return found, nil
}

// withColumns is a row with more columns than a function such as scanAccount knows. It lets that function scan the row: its
// method Scan decodes the additional columns, which come last, into the variables more.
type withColumns struct {
	pgx.Row
	more []any
}

// Scan decodes the row into columns and the additional columns into r.more. It implements pgx.Row.
func (r withColumns) Scan(columns ...any) error { return r.Row.Scan(append(columns, r.more...)...) }

// EditCharacter replaces the name and the record of a character. It implements store.Management.
func (s *Store) EditCharacter(ctx context.Context, by store.SessionHolder, c *sim.Character) error {
	err := checkText(c.Name)
	if err == nil && c.Name == "" {
		err = errNoName
	}
	var sheet []byte
	if err == nil {
		sheet, err = store.EncodeSheet(c)
	}
	if err == nil {
		err = s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
			if err := lockHeldOwner(ctx, tx, by, c.ID); err != nil {
				return change{}, err
			}
			var version int64
			var name, stored string
			if err := tx.QueryRow(ctx, `SELECT version, name, sheet::text FROM characters WHERE id = $1 FOR UPDATE`, int64(c.ID)).Scan(&version, &name, &stored); err != nil {
				return change{}, err
			}
			if name == escape(c.Name) && stored == string(sheet) { // transact has called this function again, because the answer to the commit was lost
				return change{}, nil
			}
			if version >= versionOf(c) {
				return change{}, store.ErrOutdated
			}
			_, err := tx.Exec(ctx, `UPDATE characters SET name = $1, version = $2, sheet = $3 WHERE id = $4`, escape(c.Name), versionOf(c), string(sheet), int64(c.ID))
			if sqlState(err) == uniqueViolation {
				err = store.ErrNameTaken
			}
			return change{}, err
		})
	}
	if err != nil {
		return fmt.Errorf("edit character %d: %w", c.ID, err)
	}
	return nil
}

// MoveCharacter moves a character to another account. It implements store.Management.
func (s *Store) MoveCharacter(ctx context.Context, by store.SessionHolder, c sim.CharacterID, to store.AccountID) error {
	err := s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		var from int64
		if err := tx.QueryRow(ctx, `SELECT account FROM characters WHERE id = $1`, int64(c)).Scan(&from); err != nil {
			return change{}, err
		}
		if err := lockHeld(ctx, tx, by, from, int64(to)); err != nil {
			return change{}, err
		}
		if err := lockAccounts(ctx, tx, from, int64(to)); err != nil || from == int64(to) {
			return change{}, err
		}
		return change{}, moveCharacters(ctx, tx, `id`, int64(c), to, from)
	})
	if err != nil {
		return fmt.Errorf("move character %d to account %d: %w", c, to, err)
	}
	return nil
}

// lockAccounts locks two accounts until the end of the transaction, so that no other transaction changes their rosters.
// Errors: pgx.ErrNoRows if one of them does not exist.
func lockAccounts(ctx context.Context, tx pgx.Tx, a, b int64) error {
	// Lock the accounts in ascending order of their IDs, so that two concurrent moves cannot deadlock.
	for _, id := range slices.Compact([]int64{min(a, b), max(a, b)}) {
		var locked int64
		if err := tx.QueryRow(ctx, `SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE`, id).Scan(&locked); err != nil {
			return err
		}
	}
	return nil
}

// moveCharacters moves all characters whose row has the given value in the given column to another account. It appends them to the
// roster of that account (the parameter to), and closes the gaps in the roster of the first account (the parameter from). Errors:
// store.ErrTooMany.
func moveCharacters(ctx context.Context, tx pgx.Tx, column string, value int64, to store.AccountID, from int64) error {
	var moving, there int
	err := tx.QueryRow(ctx, `SELECT (SELECT count(*) FROM characters WHERE `+column+` = $1), (SELECT count(*) FROM characters WHERE account = $2)`, value, int64(to)).Scan(&moving, &there)
	if err != nil {
		return err
	}
	if moving+there > store.MaxCharacters {
		return store.ErrTooMany
	}
	_, err = tx.Exec(ctx, `UPDATE characters c SET account = $2, slot = $3 + m.n FROM
		(SELECT id, row_number() OVER (ORDER BY slot) - 1 AS n FROM characters WHERE `+column+` = $1) m WHERE c.id = m.id`, value, int64(to), there)
	if err == nil {
		_, err = tx.Exec(ctx, `UPDATE characters c SET slot = m.n FROM
			(SELECT id, row_number() OVER (ORDER BY slot) - 1 AS n FROM characters WHERE account = $1) m WHERE c.id = m.id AND c.slot <> m.n`, from)
	}
	return err
}

// MergeAccounts merges one account into another. It implements store.Management.
func (s *Store) MergeAccounts(ctx context.Context, by store.SessionHolder, from, into store.AccountID) error {
	deleted := false // in a call of the function below, whose commit may have been made
	err := s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (change, error) {
		if from == into {
			return change{}, errors.New("an account cannot be merged into itself")
		}
		err := lockHeld(ctx, tx, by, int64(from), int64(into))
		if err == nil {
			err = lockAccounts(ctx, tx, int64(from), int64(into))
		}
		if deleted && errors.Is(err, pgx.ErrNoRows) {
			return change{}, nil
		}
		if err == nil {
			err = moveCharacters(ctx, tx, `account`, int64(from), into, int64(from))
		}
		if err != nil {
			return change{}, err
		}
		made, err := deleteAccount(ctx, tx, from)
		deleted = deleted || err == nil
		return made, err
	})
	if err != nil {
		return fmt.Errorf("merge account %d into %d: %w", from, into, err)
	}
	return nil
}

// DeleteAccount deletes an account and its characters. It implements store.Management.
func (s *Store) DeleteAccount(ctx context.Context, by store.SessionHolder, id store.AccountID, folded string) error {
	deleted := false // in a call of the function below, whose commit may have been made
	err := s.transact(ctx, callTimeout, func(ctx context.Context, tx pgx.Tx) (made change, err error) {
		err = lockHeld(ctx, tx, by, int64(id))
		if err == nil && checkText(folded) == nil {
			_, err = tx.Exec(ctx, `DELETE FROM known_addresses WHERE account = $1`, escape(folded))
		}
		if err == nil {
			made, err = deleteAccount(ctx, tx, id)
		}
		if deleted && errors.Is(err, pgx.ErrNoRows) {
			return change{}, nil
		}
		deleted = deleted || err == nil
		return made, err
	})
	if err != nil {
		return fmt.Errorf("delete account %d: %w", id, err)
	}
	return nil
}

// deleteAccount deletes an account and its characters. Errors: pgx.ErrNoRows if there is no such account.
func deleteAccount(ctx context.Context, tx pgx.Tx, id store.AccountID) (by change, err error) {
	tag, err := tx.Exec(ctx, `DELETE FROM characters WHERE account = $1`, int64(id))
	if err != nil {
		return by, err
	}
	by.characters = -tag.RowsAffected()
	if tag, err = tx.Exec(ctx, `DELETE FROM accounts WHERE id = $1`, int64(id)); err == nil && tag.RowsAffected() == 0 {
		err = pgx.ErrNoRows
	}
	by.accounts = -1
	return by, err
}
