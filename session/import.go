package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/store"
)

// Import stores the accounts of another server. Bare MD5 secrets are hashed with argon2id before they are stored, at the given
// cost each; salted ones are rehashed at the first login. Existing accounts are not changed, so that the same batch may be
// imported again.
func Import(ctx context.Context, st store.Store, batch []store.Import, cost Cost) (store.Imported, error) {
	batch = slices.Clone(batch)
	for i := range batch {
		a := &batch[i].Account
		if !isMD5(a.Secret) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return store.Imported{}, err
		}
		switch _, err := st.Account(ctx, a.Name); {
		case err == nil:
			a.Secret = "" // it will be skipped; hashing it at every start would waste time
		case errors.Is(err, store.ErrNotFound):
			a.Secret = newPHC(a.Secret, cost).String() // clients send this MD5
		default:
			return store.Imported{}, fmt.Errorf("import: %w", err)
		}
	}
	return st.ImportAccounts(ctx, batch)
}
