// Package store defines what is persistent: accounts, their characters, bans and other rules of access, and the addresses from which
// accounts have logged in.
//
// It defines the records, the interface that every backend implements, and the JSON form of characters that backends share
// (sheet.go). The backends are store/sqlite and store/postgres. Every backend passes the tests of store/storetest. A backend that
// several processes share, which is store/postgres, also knows which process has a player of an account in the world (Sessions).
//
// Names and other texts are UTF-8 and are returned as they were stored. Names of accounts, and names of characters, are unique
// if ASCII letters are compared without case, as sim.EqualFold does.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Errors that callers branch on. Any other error is a failure of the host: a disk, a network, a context that ended.
var (
	ErrNotFound      = errors.New("no such account or character in the store")
	ErrAccountExists = errors.New("an account with this name exists")
	ErrNameTaken     = errors.New("a character with this name exists")
	ErrTooMany       = errors.New("the account has the maximum number of characters")
	ErrTooManyRules  = errors.New("the maximum number of bans, mutes and whitelisted accounts is stored")
	ErrCorrupt       = errors.New("the stored data is damaged")
	ErrOutdated      = errors.New("the stored record of the character has changed meanwhile")
	ErrText          = errors.New("the text to store is not valid UTF-8")
	ErrFenced        = errors.New("another process owns the area in a later epoch")
	ErrUnavailable   = errors.New("the database cannot be reached at present")
)

// MaxCharacters is the maximum number of characters of an account. Source: Accounts.dat keeps ten slots.
const MaxCharacters = 10

// AccountID is the id of an account in the store, greater than 0.
type AccountID int64

// Account is one account without its characters.
type Account struct {
	ID        AccountID // assigned by the store
	Name      string    // never empty
	Secret    string    // a hash; the store neither creates nor checks it
	Email     string
	GM        bool
	Banned    bool
	Frozen    bool      // an operator has frozen the player, which can neither move nor fight
	Ignore    []string  // names of accounts whose chat the player does not want to see
	CreatedAt time.Time // time of creation, UTC, whole milliseconds; CreateAccount sets a zero time to now
}

// Owner is an area whose records a process writes, and the epoch of that ownership. Each process that takes over an area has a
// greater epoch than all earlier owners. The epoch is, for example, the term of an election.
type Owner struct {
	Area  sim.AreaID
	Epoch uint64 // at most math.MaxInt64

	// Tick is the newest tick of the area of which, and of all earlier ones, the records are stored with the batch; 0 if the batch has
	// none of the area. Two owners may store the records of the same ticks, and the later owner those of earlier ticks. A store
	// that several processes share keeps the greatest tick of each area, so that items on the ground are not put back to an earlier state.
	Tick sim.Tick
}

// Fence lists the areas of the records in a batch. It keeps a process that has lost an area, and does not know it yet, from
// overwriting the records of its successor. A process whose areas no other process can take over while it runs passes nil.
type Fence []Owner

// Import is an account of another server with its characters in the order of its roster.
type Import struct {
	Account    Account          // account to create; Account.ID is ignored
	Characters []*sim.Character // at most MaxCharacters; their IDs are ignored
}

// Imported is the result of a batch of imports.
type Imported struct {
	Accounts   int
	Characters int
	Skipped    []Skipped // records that were not imported, in the order of the batch
}

// Skipped is a record that was not imported.
type Skipped struct {
	Account   string
	Character string // "" if the whole account was skipped
	Why       error  // wraps ErrAccountExists, ErrNameTaken or ErrTooMany
}

// Store stores accounts and characters. It is safe for concurrent use. After a call returned nil, its change survives a crash
// of the process; a call that returned an error has changed nothing. Any call may fail with ErrUnavailable if the store is on
// another machine; the caller may repeat it, and if the connection was lost during a commit, the change may have been made.
//
// Returned records belong to the caller. Passed records are only read, and only during the call.
type Store interface {
	Management

	// CreateAccount stores a new account and returns its ID. Errors: ErrAccountExists, ErrText.
	CreateAccount(ctx context.Context, a Account) (AccountID, error)

	// Account returns the account of that name. Errors: ErrNotFound.
	Account(ctx context.Context, name string) (*Account, error)

	// AccountByID returns the account with that ID. Errors: ErrNotFound.
	AccountByID(ctx context.Context, id AccountID) (*Account, error)

	// SetSecret replaces the hash of the account's secret. Errors: ErrNotFound, ErrText.
	SetSecret(ctx context.Context, id AccountID, secret string) error

	// SetBanned sets Account.Banned, and with banned false deletes the AccessBan rule of the account. Errors: ErrNotFound.
	SetBanned(ctx context.Context, id AccountID, banned bool) error

	// SetFrozen stores whether an operator has frozen the player of an account. Errors: ErrNotFound.
	SetFrozen(ctx context.Context, id AccountID, frozen bool) error

	// Banned returns the banned accounts, sorted by name, at most 10000.
	Banned(ctx context.Context) ([]Account, error)

	// SetAccessRule stores a rule, in place of the one of the same kind, account and network. With an AccessBan of an existing
	// account it sets Account.Banned as well. Errors: ErrTooManyRules beyond MaxAccessRules, ErrText.
	SetAccessRule(ctx context.Context, r AccessRule) error

	// DeleteAccessRule deletes the rule of that kind, account and network; its other fields do not matter. With an AccessBan of
	// an existing account it clears Account.Banned as well. Errors: ErrNotFound if there is no such rule.
	DeleteAccessRule(ctx context.Context, r AccessRule) error

	// AccessRules returns all rules, expired ones too, in the order of CompareAccessRules.
	AccessRules(ctx context.Context) ([]AccessRule, error)

	// SaveKnownAddresses stores addresses from which accounts have logged in. The accounts need not exist. It deletes
	// addresses older than since, and the oldest beyond MaxKnownAddresses. Errors: ErrText.
	SaveKnownAddresses(ctx context.Context, list []KnownAddress, since time.Time) error

	// KnownAddresses returns the stored addresses that are not older than since, oldest first. Damaged addresses are left out,
	// because they only affect the priority of logins.
	KnownAddresses(ctx context.Context, since time.Time) ([]KnownAddress, error)

	// ImportAccounts stores a batch in one transaction. Existing accounts are not changed and are reported, so that the same
	// batch may be imported again at every start. Errors: ErrText.
	ImportAccounts(ctx context.Context, batch []Import) (Imported, error)

	// Characters returns the roster of an account, oldest first. The index of a character is its slot on the wire, 0..9. The
	// roster is empty if there is no such account. Errors: ErrCorrupt.
	Characters(ctx context.Context, id AccountID) ([]*sim.Character, error)

	// Character returns one character. Errors: ErrNotFound, ErrCorrupt.
	Character(ctx context.Context, id sim.CharacterID) (*sim.Character, error)

	// Owner returns the account of a character. Errors: ErrNotFound.
	Owner(ctx context.Context, id sim.CharacterID) (AccountID, error)

	// CreateCharacter appends c to the roster and returns its ID. c.ID is ignored. If the roster has max characters already, it
	// returns ErrTooMany. Errors: ErrNameTaken, ErrTooMany, ErrNotFound, ErrText.
	CreateCharacter(ctx context.Context, id AccountID, c *sim.Character, max int) (sim.CharacterID, error)

	// SaveCharacters stores all of batch or, on an error, none of it. Of several records of a character the last one counts.
	// Deleted characters are ignored. Saving does not change the name, the account and the slot of a character.
	//
	// For each area the store keeps the greatest epoch of a fence. If that is greater than Owner.Epoch, nothing is stored and
	// the error is ErrFenced; if it is lower, it is raised in the same transaction. An empty batch raises the epochs only, as a
	// new owner does before it reads records. Areas of other owners may have written a character later, so with a fence a
	// record is ignored whose Version is lower than that of the stored one, and dropped items on the ground of areas that are not in
	// the fence, or of which a later tick is stored, stay as they are stored: see Fence.Merge. Without a fence a record is stored as it is.
	SaveCharacters(ctx context.Context, fence Fence, batch []*sim.Character) error

	// DeleteCharacter deletes a character of that account; the characters after it in the roster move up by one slot. Errors:
	// ErrNotFound.
	DeleteCharacter(ctx context.Context, id AccountID, c sim.CharacterID) error

	// Close waits for running calls and releases all resources. The store must not be used afterwards.
	Close() error
}
