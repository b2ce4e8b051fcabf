package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// vouchedName tells whether a name is of the kind that doors vouch for: "bedrock:ada". Nobody may register such an account
// with a secret, for then its player could not come in any more.
func vouchedName(name string) bool { return strings.Contains(name, ":") }

// Vouch is a login without a secret: the door itself knows who the peer is, or lets everybody be who he says he is. The
// account is made if there is none; it has no secret, so that no other door opens it. Errors: ErrInvalid for a name that
// cannot be an account's, ErrDenied for one that has a secret, ErrAccountsClosed, ErrThrottled, ErrBanned, and ErrOnline
// with the Login.
func (h *Hub) LoginWithoutSecret(ctx context.Context, p Peer, name string) (*Login, error) {
	l, err := h.vouch(ctx, p, name)
	h.opt.Metrics.Logins.With(result(err)).Inc()
	return l, err
}

func (h *Hub) vouch(ctx context.Context, p Peer, name string) (*Login, error) {
	if !printable(name, 1, maxAccountName) {
		return nil, ErrInvalid
	}
	a, err := h.store.Account(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		a, err = h.introduce(ctx, p, name)
	}
	switch {
	case err != nil:
		return nil, err
	case a.Secret != "":
		return nil, ErrDenied
	case a.Banned:
		return nil, ErrBanned
	}
	return h.admit(p, a)
}

// introduce makes an account without a secret.
func (h *Hub) introduce(ctx context.Context, p Peer, name string) (*store.Account, error) {
	if !h.world.Def().NewCharacters.AllowAccounts {
		return nil, ErrAccountsClosed
	}
	if err := h.mayMake(p); err != nil {
		return nil, err
	}
	a := store.Account{Name: name, CreatedAt: time.Now()}
	var err error
	a.ID, err = h.store.CreateAccount(ctx, a)
	if errors.Is(err, store.ErrAccountExists) { // somebody else of that name, in this very moment
		return nil, ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("vouch: %w", err)
	}
	h.log.Info("account created", telemetry.FieldAccount, name, telemetry.FieldDoor, p.Door, telemetry.FieldAddr, p.Addr)
	return &a, nil
}

// mayMake counts a new account against the peer's network. Whoever is on this machine is the operator.
func (h *Hub) mayMake(p Peer) error {
	now, network := time.Now(), p.network()
	if network.IsLoopback() {
		return nil
	}
	if h.makers.of(network, now) >= h.opt.AccountsPerAddr {
		return ErrThrottled
	}
	h.makers.add(network, now)
	return nil
}
