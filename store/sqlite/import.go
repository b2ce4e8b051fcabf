package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/store"
)

// ImportAccounts implements store.Store.
func (s *Store) ImportAccounts(ctx context.Context, batch []store.Import) (store.Imported, error) {
	var done store.Imported
	err := s.transact(ctx, func(tx *sql.Tx) error {
		for i := range batch {
			if err := importAccount(ctx, tx, &batch[i], &done); err != nil {
				return fmt.Errorf("account %d of the batch: %w", i, err)
			}
		}
		return nil
	})
	if err != nil {
		return store.Imported{}, fmt.Errorf("import %d accounts: %w", len(batch), err)
	}
	return done, nil
}

// importAccount imports one account. If a name is taken, SQLite rolls back only the failed statement, so the transaction can continue.
func importAccount(ctx context.Context, tx *sql.Tx, in *store.Import, done *store.Imported) error {
	skip := func(character string, why error) {
		done.Skipped = append(done.Skipped, store.Skipped{Account: in.Account.Name, Character: character, Why: why})
	}
	id, err := insertAccount(ctx, tx, &in.Account)
	if errors.Is(err, store.ErrAccountExists) {
		skip("", err)
		return nil
	}
	if err != nil {
		return err
	}
	done.Accounts++
	slot := 0
	for _, c := range in.Characters {
		if slot >= store.MaxCharacters {
			skip(c.Name, store.ErrTooMany)
			continue
		}
		_, err := insertCharacter(ctx, tx, id, slot, c)
		if errors.Is(err, store.ErrNameTaken) {
			skip(c.Name, err)
			continue
		}
		if err != nil {
			return err
		}
		slot++
		done.Characters++
	}
	return nil
}
