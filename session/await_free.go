package session

import (
	"context"
	"errors"
	"time"
)

const (
	freePoll  = 50 * time.Millisecond // interval at which EnterWhenFree looks in memory whether the account may be free
	heldRetry = time.Second           // interval at which EnterWhenFree asks the directory again about an account that another node holds
)

// heldError is the ErrOnline of an account that another process of the cluster holds.
type heldError struct {
	err  error       // error of the store
	gone func() bool // reports whether the cluster has declared that process dead; does not block
}

// Error returns the reason, for logs.
func (e *heldError) Error() string { return ErrOnline.Error() + ": " + e.err.Error() }

// Unwrap returns ErrOnline and the error of the store.
func (e *heldError) Unwrap() []error { return []error{ErrOnline, e.err} }

// EnterWhenFree lets a character enter the world as Enter does. While the account is in the world, it waits, until ctx ends: the
// session that the client replaces may be about to end, or the node of that session may have failed. Errors: those of Enter.
func (h *Hub) EnterWhenFree(ctx context.Context, l *Login, index int) (*Session, error) {
	for {
		s, err := h.Enter(ctx, l, index)
		if !errors.Is(err, ErrOnline) || !waitUntilFree(ctx, err) {
			return s, err
		}
	}
}

// waitUntilFree waits, after Enter has returned the error online, until the account may be free. Whether this process has a player
// of the account, Enter finds out in memory. An attempt with an account that another process holds costs the database a transaction,
// and after the end of a node all its players try at once. waitUntilFree then returns as soon as the cluster has declared that
// process dead, and otherwise after heldRetry, because the player may have left. It returns false if ctx ends first.
func waitUntilFree(ctx context.Context, online error) bool {
	ticker := time.NewTicker(freePoll)
	defer ticker.Stop()
	held, isHeld := errors.AsType[*heldError](online)
	for began := time.Now(); ; {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return false
		}
		if !isHeld || held.gone() || time.Since(began) >= heldRetry {
			return true
		}
	}
}
