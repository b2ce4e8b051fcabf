package store

import (
	"context"
	"errors"
	"time"
)

// ErrSessionHeld means that another process has a player of the account in the world.
var ErrSessionHeld = errors.New("another process has a player of the account in the world")

// SessionHolder is a process of a cluster through which players enter the world.
type SessionHolder struct {
	Node        string // name of the node, not empty
	Incarnation uint64 // grows with each start of the node, and when the cluster has given up on a process; at most math.MaxInt64
}

// HeldSession is an account with a player in the world and the process that holds it.
type HeldSession struct {
	Account AccountID
	Name    string // name of the account
	Holder  SessionHolder
	Since   time.Time // time of the claim, UTC, whole milliseconds
}

// Sessions stores which process of a cluster has a player of an account in the world, so that an account enters once. Only a
// store that several processes share implements it: store/postgres. It is safe for concurrent use.
type Sessions interface {
	// ClaimSession makes a process the holder of an account, if the account has no holder, if the process is the holder, or if gone
	// reports that the present holder is no longer there and will not come back. Of processes that claim an account concurrently, exactly
	// one succeeds. gone is called in a transaction, maybe several times; it must not block. Errors: ErrSessionHeld, ErrNotFound if
	// there is no such account, ErrText.
	ClaimSession(ctx context.Context, id AccountID, by SessionHolder, gone func(SessionHolder) bool) error

	// ReleaseSession ends the claim of a process. It does nothing if the process, in that incarnation, is not the holder.
	ReleaseSession(ctx context.Context, id AccountID, by SessionHolder) error

	// ReserveSerials reserves n serial numbers of entities for the players of a node, and returns the last of them. The first
	// numbers that a node reserves are 1..n. No number of a node is returned twice. Errors: ErrText.
	ReserveSerials(ctx context.Context, node string, n uint64) (last uint64, err error)

	// ForgetOwners forgets all epochs and ticks of areas and all claims, for a cluster whose areas begin anew. No process may have the store
	// open that stores records.
	ForgetOwners(ctx context.Context) error

	// HeldSessions returns all claims, sorted by account.
	HeldSessions(ctx context.Context) ([]HeldSession, error)
}
