package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// isTrustedName reports whether a name has the form of a LoginWithoutSecret account, such as "bedrock:ada".
// CreateAccount refuses such names: an account with a secret would lock out the player whose name the gateway has
// verified.
func isTrustedName(name string) bool { return strings.Contains(name, ":") }

// LoginWithoutSecret logs in a client whose identity the gateway has verified, or chooses not to verify. If the account
// does not exist, it is created without a secret, so that Login cannot open it. Errors: ErrInvalid for a name that an
// account cannot have, ErrDenied for an account that has a secret, ErrAccountsClosed, ErrThrottled, ErrBusy,
// AccessError, and ErrOnline together with the Login.
func (h *Hub) LoginWithoutSecret(ctx context.Context, p Peer, name string) (*Login, error) {
	l, err := h.loginWithoutSecret(ctx, p, name)
	h.opt.Metrics.Logins.With(resultLabel(err)).Inc()
	return l, err
}

func (h *Hub) loginWithoutSecret(ctx context.Context, p Peer, name string) (*Login, error) {
	if !isPrintable(name, 1, maxAccountName) {
		return nil, ErrInvalid
	}
	if err := h.checkNewcomer(ctx, p, name); err != nil { // must precede the creation of a new account
		return nil, fmt.Errorf("login: %w", err)
	}
	a, err := h.store.Account(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		a, err = h.createTrustedAccount(ctx, p, name)
	}
	switch {
	case err != nil:
		return nil, err
	case a.Secret != "":
		return nil, ErrDenied
	}
	if err := h.checkName(a.Name, a.Banned); err != nil {
		return nil, err
	}
	return h.grantLogin(p, a)
}

// createTrustedAccount creates an account without a secret.
func (h *Hub) createTrustedAccount(ctx context.Context, p Peer, name string) (*store.Account, error) {
	if !h.world.Def().NewCharacters.AllowAccounts {
		return nil, ErrAccountsClosed
	}
	if err := h.countNewAccount(p); err != nil {
		return nil, err
	}
	a := store.Account{Name: name, CreatedAt: time.Now()}
	var err error
	a.ID, err = h.store.CreateAccount(ctx, a)
	if errors.Is(err, store.ErrAccountExists) { // another login with that name has created it concurrently
		return nil, ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("create account: %w", err)
	}
	h.log.Info("account created", telemetry.FieldAccount, name, telemetry.FieldDoor, p.Door, telemetry.FieldAddr, p.Addr)
	return &a, nil
}

// countNewAccount counts a new account against the limit of the peer's address. Errors: ErrThrottled.
func (h *Hub) countNewAccount(p Peer) error {
	if err := h.checkNewAccounts(p); err != nil {
		return err
	}
	h.newAccounts.Add(p.network(), time.Now())
	return nil
}

// checkNewAccounts returns ErrThrottled if the peer's address has created as many accounts as are allowed within
// Options.Window. Loopback addresses are exempt, because the operator uses them.
func (h *Hub) checkNewAccounts(p Peer) error {
	a := p.network()
	if a.IsLoopback() || h.newAccounts.Get(a, time.Now()) < h.limits.Load().AccountsPerAddr {
		return nil
	}
	h.opt.Gate.Hold(p.Door, admission.BudgetAccounts, p.Addr, "")
	return ErrThrottled
}
