package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// ImportAccounts stores a batch of accounts of another server. It implements store.Store.
func (s *Store) ImportAccounts(ctx context.Context, batch []store.Import) (store.Imported, error) {
	var done store.Imported
	err := s.transact(ctx, func(tx *sql.Tx) error {
		for i := range batch {
			if err := importAccount(ctx, tx, &batch[i], &done); err != nil {
				return fmt.Errorf("import the account with index %d of the batch: %w", i, err)
			}
		}
		return nil
	})
	if err != nil {
		return store.Imported{}, fmt.Errorf("import %d accounts: %w", len(batch), err)
	}
	return done, nil
}

// importAccount imports one account. If a name is already in use, SQLite rolls back only the failed statement, so the
// transaction can continue.
func importAccount(ctx context.Context, tx *sql.Tx, in *store.Import, done *store.Imported) error {
	return done.Add(in, func(a *store.Account) (store.AccountID, error) { return insertAccount(ctx, tx, a) },
		func(id store.AccountID, slot int, c *sim.Character) (sim.CharacterID, error) {
			return insertCharacter(ctx, tx, id, slot, c)
		})
}
