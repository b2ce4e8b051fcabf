package session

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/store"
)

// SecretMark returns a digest of the account of the login and of its secret as it is stored. It differs for another account of the
// same name, and after each change of the secret. With it LoginVerified recognizes the account in another process.
func (l *Login) SecretMark() [sha256.Size]byte { return secretMark(l.Account, l.stored) }

func secretMark(id store.AccountID, stored string) [sha256.Size]byte {
	return sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, uint64(id)), stored...))
}

// LoginVerified logs in an account whose secret was verified by another node of the cluster, or by this process before a
// restart. The function isMark reports whether a digest is the SecretMark of the login at which the secret was verified.
// Gateways must not let a client choose the mark. Errors: ErrDenied if the secret was replaced since then or the account was
// deleted, AccessError, ErrOnline together with the Login, and those of the store.
func (h *Hub) LoginVerified(ctx context.Context, p Peer, name string, isMark func([sha256.Size]byte) bool) (*Login, error) {
	if err := h.loadAccess(ctx); err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	if err := h.checkAddr(p.Addr); err != nil {
		return nil, err
	}
	a, err := h.store.Account(ctx, name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, ErrDenied
	case err != nil:
		return nil, fmt.Errorf("login: %w", err)
	case a.Secret == "" || !isMark(secretMark(a.ID, a.Secret)):
		return nil, ErrDenied
	}
	if err := h.checkName(a.Name, a.Banned); err != nil {
		return nil, err
	}
	return h.grantLogin(p, a)
}
