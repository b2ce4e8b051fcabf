// Package store says what outlives the process: accounts and their characters.
//
// It holds the records, the interface that every backend fulfils, and the written form that backends share (sheet.go). It
// opens nothing itself: see store/sqlite. Every backend runs the tests of store/storetest.
//
// Names and other texts are UTF-8 and come back as they were stored. Names of accounts, and names of characters, are unique
// with ASCII letters compared without case, as sim.EqualFold does.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// What a caller branches on. Everything else is the host's trouble: a disk, a network, a context that ended.
var (
	ErrNotFound      = errors.New("no such record")
	ErrAccountExists = errors.New("an account with this name exists")
	ErrNameTaken     = errors.New("a character with this name exists")
	ErrTooMany       = errors.New("the account has the maximum number of characters")
	ErrCorrupt       = errors.New("the stored data is damaged")
	ErrText          = errors.New("the text is not valid UTF-8")
)

// MaxCharacters is how many characters an account can hold at all. Source: Accounts.dat keeps ten slots.
const MaxCharacters = 10

// AccountID is the store's number of an account, > 0.
type AccountID int64

// Account is one account without its characters.
type Account struct {
	ID        AccountID // given by the store
	Name      string    // never empty
	Secret    string    // a hash; the store neither makes nor checks it
	Email     string
	GM        bool
	Banned    bool
	Frozen    bool      // by an operator: its player can neither move nor fight
	Ignore    []string  // names of accounts that he does not want to hear
	CreatedAt time.Time // UTC, whole milliseconds; zero means now when an account is made
}

// Import is an account of another server with its characters in the order of its roster.
type Import struct {
	Account    Account          // ID is ignored
	Characters []*sim.Character // IDs are ignored; at most MaxCharacters
}

// Imported is what became of a batch of imports.
type Imported struct {
	Accounts   int
	Characters int
	Skipped    []Skipped // in the order of the batch
}

// Skipped is a record that was not taken over.
type Skipped struct {
	Account   string
	Character string // "": the whole account
	Why       error  // wraps ErrAccountExists, ErrNameTaken or ErrTooMany
}

// Store keeps accounts and characters. It is safe for concurrent use. A call that returned nil has put its change where
// the death of the process cannot undo it; a call that returned an error has changed nothing.
//
// Records that come out belong to the caller. Records that go in are only read, and only during the call.
type Store interface {
	// CreateAccount stores a new account and returns its number. Errors: ErrAccountExists, ErrText.
	CreateAccount(ctx context.Context, a Account) (AccountID, error)

	// Account returns the account of that name. Errors: ErrNotFound.
	Account(ctx context.Context, name string) (*Account, error)

	// SetSecret replaces the hash of the account's secret. Errors: ErrNotFound, ErrText.
	SetSecret(ctx context.Context, id AccountID, secret string) error

	// SetBanned bans or pardons an account. Errors: ErrNotFound.
	SetBanned(ctx context.Context, id AccountID, banned bool) error

	// SetFrozen notes whether an operator has frozen an account. Errors: ErrNotFound.
	SetFrozen(ctx context.Context, id AccountID, frozen bool) error

	// Banned are the banned accounts by name, at most 10000.
	Banned(ctx context.Context) ([]Account, error)

	// ImportAccounts stores a batch at once. What exists already is kept as it is and reported, so that the same batch
	// may come again at every start. Errors: ErrText.
	ImportAccounts(ctx context.Context, batch []Import) (Imported, error)

	// Characters returns the roster of an account, oldest first: a character's index in it is what clients call its
	// slot, 0..9. It is empty if there is no such account. Errors: ErrCorrupt.
	Characters(ctx context.Context, id AccountID) ([]*sim.Character, error)

	// CreateCharacter adds c to the end of the roster unless it holds max characters already, and returns its number;
	// c.ID is ignored. Errors: ErrNameTaken, ErrTooMany, ErrNotFound, ErrText.
	CreateCharacter(ctx context.Context, id AccountID, c *sim.Character, max int) (sim.CharacterID, error)

	// SaveCharacters stores all of batch or, on an error, none of it. Characters that were deleted meanwhile are passed
	// over. Names, like the account and the place in the roster, are not changed by saving.
	SaveCharacters(ctx context.Context, batch []*sim.Character) error

	// DeleteCharacter deletes a character of that account; those behind it in the roster move up. Errors: ErrNotFound.
	DeleteCharacter(ctx context.Context, id AccountID, c sim.CharacterID) error

	// Close waits for calls under way and releases everything. The store is not used afterwards.
	Close() error
}
