package store

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// MaxFound is the maximum number of accounts that one call of Find returns.
const MaxFound = 1000

// Filter selects the accounts that match all its fields. A field with its zero value matches every account.
type Filter struct {
	Prefix     string    // beginning of the name of the account or of one of its characters, regardless of ASCII case
	Door       string    // door of one of the account's characters, such as "rcce"
	Banned     *bool     // true selects banned accounts, false the others; nil selects both
	SeenSince  time.Time // selects accounts last seen at this time or later
	SeenBefore time.Time // selects accounts last seen before this time
	After      string    // selects accounts whose name sorts after this one; pass the last name of a page to get the next page
	Limit      int       // maximum number of accounts, 1..MaxFound
}

// Found is an account in the result of Find.
type Found struct {
	Account
	Doors      []string // doors of the account's characters, sorted, without duplicates
	Characters []string // names of the account's characters, in roster order
	// LastSeen is the time at which a record of one of the account's characters was last stored. If it has no characters,
	// LastSeen is the time at which the account was created. The time is in UTC and whole milliseconds.
	LastSeen time.Time
}

// Management changes accounts and characters of players who are not in the world. The caller must ensure that these
// players are not in the world, because a server saves the characters in its world again and would overwrite the
// change.
//
// If several processes share the store, a process that changes an account or its characters must hold the accounts concerned
// (Sessions), and passes itself as the parameter by. The transaction of the change then checks that the process still holds the
// accounts: it may have been paused since it claimed them, so that another process let their players enter the world. If it does
// not hold them, the error is ErrNotHolder. A process that shares the store with no other passes the zero value, and a store that
// is not shared ignores the parameter.
type Management interface {
	// Find returns accounts sorted by name, regardless of case. Errors: ErrCorrupt.
	Find(ctx context.Context, f Filter) ([]Found, error)

	// EditCharacter replaces the name and the record of a character, but not its account, slot and time of the last save. The
	// field c.Version must be greater than the stored version, so that an older record that a server restores from its tape later
	// does not replace the edited one. If exactly this name and record are stored already, the result is nil, so that a call whose
	// result was lost can be repeated. Errors: ErrNotFound, ErrNotHolder, ErrNameTaken, ErrText if the name is not valid UTF-8,
	// ErrOutdated.
	EditCharacter(ctx context.Context, by SessionHolder, c *sim.Character) error

	// MoveCharacter moves a character to the end of the roster of another account. Errors: ErrNotFound, ErrNotHolder, ErrTooMany.
	MoveCharacter(ctx context.Context, by SessionHolder, c sim.CharacterID, to AccountID) error

	// MergeAccounts merges one account into another. It appends all characters of the first account (the parameter
	// from) to the roster of the second (the parameter into), and deletes the first account. Errors: ErrNotFound,
	// ErrNotHolder, ErrTooMany.
	MergeAccounts(ctx context.Context, by SessionHolder, from, into AccountID) error

	// DeleteAccount deletes an account, its characters and the addresses from which it logged in. The parameter folded
	// is the account's name in the form of KnownAddress.Account, by which the addresses are found. Errors: ErrNotFound,
	// ErrNotHolder.
	DeleteAccount(ctx context.Context, by SessionHolder, id AccountID, folded string) error
}
