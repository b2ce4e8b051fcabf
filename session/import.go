package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/store"
)

// Import stores the accounts of another server. Secrets that are bare MD5 hashes are hashed with argon2id at the given
// cost before they are stored; salted secrets are rehashed at the first login. Existing accounts are not changed, so
// the same batch may be imported again.
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
			a.Secret = "" // the account exists and will be skipped, so its secret need not be hashed
		case errors.Is(err, store.ErrNotFound):
			a.Secret = newPHC(a.Secret, cost).String() // clients send this MD5 hash as their secret
		default:
			return store.Imported{}, fmt.Errorf("import accounts: %w", err)
		}
	}
	return st.ImportAccounts(ctx, batch)
}
