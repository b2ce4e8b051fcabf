package store

import (
	"context"
	"errors"
	"time"
)

// Errors of a store that several processes share.
var (
	ErrSessionHeld = errors.New("another process has a player of the account in the world")
	ErrNotHolder   = errors.New("the process no longer holds the account that it changes")
)

// SessionHolder identifies a process of a cluster: a node in one of its incarnations. Players enter the world through it.
type SessionHolder struct {
	Node        string // name of the node, not empty
	Incarnation uint64 // grows with each start of the node, and when the cluster declares a process dead; at most math.MaxInt64
}

// HeldSession says that an account has a player in the world, and through which process. ClaimSession records that.
type HeldSession struct {
	Account AccountID     // account that has a player in the world
	Name    string        // name of the account
	Holder  SessionHolder // process through which the player entered
	Since   time.Time     // time of the process's call of ClaimSession, UTC, whole milliseconds
}

// Sessions stores which process of a cluster has a player of an account in the world, so that an account cannot enter
// twice. Only a store that several processes share implements Sessions: store/postgres. It is safe for concurrent use.
type Sessions interface {
	// ClaimSession makes a process the holder of an account: players of the account may enter the world only through the
	// holder. It succeeds if the account has no holder, if the process already is the holder, or if the present holder is dead
	// and will not come back. If several processes claim an account concurrently, exactly one succeeds. The function gone
	// reports whether a holder is dead. It is called within a transaction, maybe several times, and must not block. Errors:
	// ErrSessionHeld, ErrNotFound if there is no such account, ErrText if the name of the node is not valid UTF-8.
	ClaimSession(ctx context.Context, id AccountID, by SessionHolder, gone func(SessionHolder) bool) error

	// ReleaseSessions makes a process give up accounts that it holds, all of them or none, so that they have no holder. It
	// ignores accounts that another process holds, or another incarnation of the same node.
	ReleaseSessions(ctx context.Context, ids []AccountID, by SessionHolder) error

	// ReserveSerials reserves n serial numbers for the entity ids of a node's players, and returns the last of them. The first
	// call for a node reserves 1..n. No number is reserved twice for a node. If n is 0, nothing is reserved, and the result is the last
	// number that was reserved, 0 if there is none. Errors: ErrText if the name of the node is not valid UTF-8.
	ReserveSerials(ctx context.Context, node string, n uint64) (last uint64, err error)

	// HeldSessions returns the accounts that have a holder, sorted by account.
	HeldSessions(ctx context.Context) ([]HeldSession, error)
}
