// Package store defines the persistent data: accounts, their characters, bans and other access rules, and the addresses
// from which accounts have logged in.
//
// It defines the records, the interface that every backend implements, and the JSON form of characters that all
// backends use (sheet.go). The backends are store/sqlite and store/postgres; both pass the tests of store/storetest.
// Several processes can share store/postgres, which therefore also stores which process has a player of an account in
// the world (Sessions).
//
// Names and other texts are UTF-8 and are returned as they were stored. The names of accounts are unique, and so are
// the names of characters; the case of ASCII letters is ignored, as by sim.EqualFold.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Errors that callers can test with errors.Is. Any other error is a failure outside the store: of a disk, a network, or
// an ended context.
var (
	ErrNotFound      = errors.New("no such account or character in the store")
	ErrAccountExists = errors.New("an account with this name exists")
	ErrNameTaken     = errors.New("a character with this name exists")
	ErrTooMany       = errors.New("the account has the maximum number of characters")
	ErrTooManyRules  = errors.New("the store already has the maximum number of bans, mutes and whitelisted accounts")
	ErrCorrupt       = errors.New("the stored data is damaged")
	ErrOutdated      = errors.New("the stored record of the character has a newer version than the change")
	ErrText          = errors.New("the text to store is not valid UTF-8")
	ErrFenced        = errors.New("another process owns the area in a later epoch")
	ErrUnavailable   = errors.New("the database cannot be reached at present")
)

// MaxCharacters is the maximum number of characters per account. Source: Accounts.dat has ten slots.
const MaxCharacters = 10

// AccountID is the id of an account in the store, greater than 0.
type AccountID int64

// Account is one account without its characters.
type Account struct {
	ID        AccountID // id of the account, assigned by the store
	Name      string    // name of the account, never empty
	Secret    string    // hash of the password; the store neither creates nor verifies it
	Email     string    // e-mail address, "" if unknown
	GM        bool      // the player is a game master
	Banned    bool      // the account may not log in
	Frozen    bool      // an operator has frozen the player, who can neither move nor fight
	Ignore    []string  // names of accounts whose chat is not sent to the player
	CreatedAt time.Time // time of creation, UTC, whole milliseconds; CreateAccount replaces a zero time by the current time
}

// Owner is the ownership of an area: a process that owns the area in an epoch may store records of the area. A process that
// takes over the area uses a greater epoch than all before it, for example the term of its election as the area's leader.
type Owner struct {
	Area  sim.AreaID // the owned area
	Epoch uint64     // epoch in which the process owns the area, at most math.MaxInt64

	// Tick is the tick of the area up to which the records are stored after this batch, or 0 if the batch has no records of the
	// area. A later owner may store the records of ticks that an earlier owner has already stored. A store that several processes
	// share therefore remembers the greatest tick of each area, so that items on the ground are not reset to an earlier state.
	Tick sim.Tick
}

// Fence lists the areas to which the records of a batch belong. It prevents a process that has lost an area without
// knowing it from overwriting the records of the area's new owner. A process whose areas no other process can take over
// passes nil.
type Fence []Owner

// Import is an account of another server, with its characters in roster order.
type Import struct {
	Account    Account          // account to create; Account.ID is ignored
	Characters []*sim.Character // at most MaxCharacters; their IDs are ignored
}

// Imported is the result of importing a batch of accounts.
type Imported struct {
	Accounts   int       // number of accounts imported
	Characters int       // number of characters imported
	Skipped    []Skipped // records that were not imported, in the order of the batch
}

// Skipped is a record that was not imported.
type Skipped struct {
	Account   string // name of the account
	Character string // name of the character; "" if the whole account was skipped
	Why       error  // wraps ErrAccountExists, ErrNameTaken or ErrTooMany
}

// Store stores accounts and characters. It is safe for concurrent use. After a call has returned nil, its change survives a crash
// of the process. A call that returned an error has changed nothing, with one exception: a store on another machine may return
// ErrUnavailable from any call. If the connection was lost during the commit, the change may then have been made. The caller may
// repeat such a call.
//
// Returned records belong to the caller. Records passed to the store are only read, and only during the call.
type Store interface {
	Management

	// CreateAccount stores a new account and returns its ID. Errors: ErrAccountExists, ErrText if a text is not valid UTF-8.
	CreateAccount(ctx context.Context, a Account) (AccountID, error)

	// Account returns the account with that name. Errors: ErrNotFound.
	Account(ctx context.Context, name string) (*Account, error)

	// AccountByID returns the account with that ID. Errors: ErrNotFound.
	AccountByID(ctx context.Context, id AccountID) (*Account, error)

	// SetSecret replaces the hash of the account's secret. Errors: ErrNotFound, ErrText if the hash is not valid UTF-8.
	SetSecret(ctx context.Context, id AccountID, secret string) error

	// SetBanned sets Account.Banned. If banned is false, it also deletes the AccessBan rule of the account. Errors:
	// ErrNotFound.
	SetBanned(ctx context.Context, id AccountID, banned bool) error

	// SetFrozen stores whether an operator has frozen the player of an account. Errors: ErrNotFound.
	SetFrozen(ctx context.Context, id AccountID, frozen bool) error

	// Banned returns the banned accounts, sorted by name, at most 10000.
	Banned(ctx context.Context) ([]Account, error)

	// SetAccessRule stores a rule and replaces the rule with the same kind, account and network, if any. An AccessBan
	// of an existing account also sets Account.Banned. Errors: ErrTooManyRules beyond MaxAccessRules, ErrText if a text is not
	// valid UTF-8.
	SetAccessRule(ctx context.Context, r AccessRule) error

	// DeleteAccessRule deletes the rule with the same kind, account and network; the other fields of r are ignored.
	// Deleting an AccessBan of an existing account also clears Account.Banned. Errors: ErrNotFound if there is no such
	// rule.
	DeleteAccessRule(ctx context.Context, r AccessRule) error

	// DeleteExpiredRule deletes a rule as DeleteAccessRule does, but only if the stored rule has expired at the time now: another
	// process that shares the store may have renewed it. Errors: ErrNotFound if there is no such rule, or if it has not expired.
	DeleteExpiredRule(ctx context.Context, r AccessRule, now time.Time) error

	// AccessRules returns all rules, including expired ones, in the order of CompareAccessRules.
	AccessRules(ctx context.Context) ([]AccessRule, error)

	// SaveKnownAddresses stores addresses from which accounts have logged in. The accounts need not exist. It deletes
	// addresses whose last login (KnownAddress.At) was before the time since, and the oldest addresses beyond
	// MaxKnownAddresses. Errors: ErrText if an account name is not valid UTF-8.
	SaveKnownAddresses(ctx context.Context, list []KnownAddress, since time.Time) error

	// KnownAddresses returns the stored addresses whose last login (KnownAddress.At) was at the time since or later,
	// oldest first. It omits damaged addresses, because addresses only affect the priority of logins.
	KnownAddresses(ctx context.Context, since time.Time) ([]KnownAddress, error)

	// ImportAccounts stores a batch in one transaction. Existing accounts are not changed but reported as skipped, so
	// the same batch may be imported again at every start. Errors: ErrText if a text is not valid UTF-8.
	ImportAccounts(ctx context.Context, batch []Import) (Imported, error)

	// Characters returns the roster of an account, oldest character first. The index of a character in the roster is its
	// slot number in the protocols, 0..9. If there is no such account, the roster is empty. Errors: ErrCorrupt.
	Characters(ctx context.Context, id AccountID) ([]*sim.Character, error)

	// Character returns one character. Errors: ErrNotFound, ErrCorrupt.
	Character(ctx context.Context, id sim.CharacterID) (*sim.Character, error)

	// Owner returns the account of a character. Errors: ErrNotFound.
	Owner(ctx context.Context, id sim.CharacterID) (AccountID, error)

	// CreateCharacter appends c to the roster of an account and returns its ID. The field c.ID is ignored. Errors:
	// ErrNameTaken, ErrTooMany if the roster already has max characters, ErrNotFound, ErrText if the name is not valid
	// UTF-8.
	CreateCharacter(ctx context.Context, id AccountID, c *sim.Character, max int) (sim.CharacterID, error)

	// SaveCharacters stores all records of batch or, after an error, none. If batch has several records of a character, the last
	// one is stored. Records of deleted characters are ignored. Saving does not change the name, account and slot of a character.
	//
	// With a fence, three rules apply. (1) A former owner of an area can store nothing: for each area the store remembers the
	// greatest epoch of any fence. If that epoch is greater than Owner.Epoch, the error is ErrFenced. If it is lower, it is
	// raised in the same transaction. A call with an empty batch only raises epochs; a new owner does so before it reads records.
	// (2) Owners of other areas may have stored a newer record of a character. A record whose Version is lower than the stored
	// one is therefore ignored. (3) Dropped items stay as stored if they are on the ground of an area that is not in the fence,
	// or of an area of which a later tick is stored; see Fence.Merge. Without a fence, records are stored unchanged.
	//
	// Rules (2) and (3) alone make the late save of a former owner harmless as long as all owners store the same records. Rule (1)
	// is for records that a cluster has given up because no connected node had them: a player has entered with an older record
	// since, and its new records have the same versions as those that were given up, or lower ones.
	SaveCharacters(ctx context.Context, fence Fence, batch []*sim.Character) error

	// DeleteCharacter deletes a character of an account. The characters after it in the roster move up by one slot. For the
	// parameter by see Management. Errors: ErrNotFound, ErrNotHolder.
	DeleteCharacter(ctx context.Context, by SessionHolder, id AccountID, c sim.CharacterID) error

	// Close waits for running calls and releases all resources. The store must not be used afterwards.
	Close() error
}
