package store

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// MaxFound is the maximum number of accounts that Find returns.
const MaxFound = 1000

// Filter selects accounts. A field with its zero value matches every account. An account must match all fields.
type Filter struct {
	Prefix     string    // start of the account's name or of the name of a character; ASCII case is ignored
	Door       string    // door of a character, such as "rcce"
	Banned     *bool     // whether the account is banned
	SeenSince  time.Time // last seen at that time or later
	SeenBefore time.Time // last seen earlier
	After      string    // accounts whose name is sorted after this one, to continue after the last account of a page
	Limit      int       // maximum number of accounts, 1..MaxFound
}

// Found is an account that Find has found.
type Found struct {
	Account
	Doors      []string  // doors of the characters, each once, sorted
	Characters []string  // names of the characters in the order of the roster
	LastSeen   time.Time // when the record of a character was last stored, or the account was created; UTC, whole milliseconds
}

// Management changes accounts and characters of players who are not in the world. The caller ensures that they are not: the
// server saves a character in the world again and would overwrite the change.
type Management interface {
	// Find returns accounts sorted by name without case. Errors: ErrCorrupt.
	Find(ctx context.Context, f Filter) ([]Found, error)

	// EditCharacter replaces the name and the record of a character; account, slot and time of the last save stay. c.Version must be
	// greater than that of the stored record, so that no older record of a log replaces the edited one. Errors: ErrNotFound, ErrNameTaken,
	// ErrText, ErrOutdated.
	EditCharacter(ctx context.Context, c *sim.Character) error

	// MoveCharacter moves a character to the end of the roster of another account. Errors: ErrNotFound, ErrTooMany.
	MoveCharacter(ctx context.Context, c sim.CharacterID, to AccountID) error

	// MergeAccounts moves all characters of an account to the end of the roster of another one and deletes the first. Errors: ErrNotFound,
	// ErrTooMany.
	MergeAccounts(ctx context.Context, from, into AccountID) error

	// DeleteAccount deletes an account with its characters and the addresses from which it logged in. folded is the name of the account in
	// the form of KnownAddress.Account. Errors: ErrNotFound.
	DeleteAccount(ctx context.Context, id AccountID, folded string) error
}
