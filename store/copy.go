package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// ErrNotEmpty means that the target of a copy already has accounts and must not be overwritten.
var ErrNotEmpty = errors.New("the target database already has accounts")

// Row is one row of a store, of any table. Exactly one of its fields is set.
type Row struct {
	LastIDs   *LastIDs         // the greatest IDs that were assigned
	Account   *Account         // an account without its characters
	Character *StoredCharacter // a character
	Known     *KnownAddress    // an address from which an account has logged in
	Access    *AccessRule      // a ban, a mute or an entry of the whitelist
	Owner     *Owner           // an area with its highest epoch
}

// LastIDs are the greatest IDs that a store has ever assigned. A copied store assigns greater IDs, so that it does not
// reuse the IDs of deleted rows.
type LastIDs struct {
	Account   AccountID       // greatest ID of an account
	Character sim.CharacterID // greatest ID of a character
}

// StoredCharacter is the row of a character in a store.
type StoredCharacter struct {
	ID      sim.CharacterID // id of the character, unique in the store
	Account AccountID       // account that owns the character
	Slot    int             // position in the account's roster, from 0
	Name    string          // name of the character
	Saved   time.Time       // time of the last save, UTC, whole milliseconds
	Sheet   []byte          // the character as EncodeSheet encodes it
}

// Reader reads the whole content of a store.
type Reader interface {
	// Rows returns the number of all rows, for a display of progress.
	Rows(ctx context.Context) (int, error)

	// Read calls fn with all rows of one snapshot: LastIDs; accounts and characters, sorted by ID; known addresses,
	// sorted by SortKnown; access rules, in the order of CompareAccessRules; and owners, sorted by area. A row is valid
	// only during the call of fn.
	Read(ctx context.Context, fn func(*Row) error) error
}

// ErrMayBeReplaced means that the connection to a store was lost while its content was replaced, so that it may have the former content
// or the new one.
var ErrMayBeReplaced = errors.New("it is not known whether the content was replaced")

// Writer replaces the whole content of a store.
type Writer interface {
	// Replace deletes all rows and writes new ones, in one transaction. (1) It calls the function fill, which must pass each new
	// row to the function put, in the order of Reader.Read. (2) It calls the function check, which can read the new content in
	// the same transaction. If Replace returns an error other than ErrMayBeReplaced, the store is not changed. If the store has accounts and overwrite
	// is false, the error is ErrNotEmpty.
	Replace(ctx context.Context, overwrite bool, fill func(put func(*Row) error) error, check func(Reader) error) error
}

// Copied counts the rows that were copied.
type Copied struct {
	Accounts, Characters, Known int // number of rows of each kind
	Rows                        int // rows of all tables
}

// CopyProgress is called while rows are copied or verified, to display progress. The parameter verb is "copied" or "verified".
// The parameter done is the number of rows that have been copied or verified so far, and total is the number of all rows.
type CopyProgress func(verb string, done, total int)

// Copy replaces the content of a store, the target, by the content of another store, the source. The parameter from
// reads the source, and to writes the target. Before it commits, Copy reads the written rows back and compares their
// checksums with those of the source rows. After an error other than ErrMayBeReplaced the target is unchanged. If the target has
// accounts and overwrite is false, the error is ErrNotEmpty.
func Copy(ctx context.Context, from Reader, to Writer, overwrite bool, report CopyProgress) (c Copied, err error) {
	if report == nil {
		report = func(string, int, int) {}
	}
	total, err := from.Rows(ctx)
	if err != nil {
		return c, err
	}
	var sums []uint64
	fill := func(put func(*Row) error) error {
		c, sums = Copied{}, make([]uint64, 0, total)
		return from.Read(ctx, func(r *Row) error {
			sum, err := r.sum()
			if err == nil {
				err = put(r)
			}
			if err != nil {
				return fmt.Errorf("%v: %w", r, err)
			}
			sums = append(sums, sum)
			c.count(r)
			report("copied", c.Rows, total)
			return nil
		})
	}
	check := func(written Reader) error {
		n := 0
		err := written.Read(ctx, func(r *Row) error {
			sum, err := r.sum()
			if err != nil {
				return err
			}
			if n >= len(sums) || sum != sums[n] {
				return fmt.Errorf("the copy differs from its source at %v: %w", r, ErrCorrupt)
			}
			n++
			report("verified", n, total)
			return nil
		})
		if err == nil && n != len(sums) {
			err = fmt.Errorf("the copy has %d of %d rows: %w", n, len(sums), ErrCorrupt)
		}
		return err
	}
	return c, to.Replace(ctx, overwrite, fill, check)
}

func (c *Copied) count(r *Row) {
	c.Rows++
	switch {
	case r.Account != nil:
		c.Accounts++
	case r.Character != nil:
		c.Characters++
	case r.Known != nil:
		c.Known++
	}
}

// sum returns a checksum over all values of the row.
func (r *Row) sum() (uint64, error) {
	c := *r
	if c.Account != nil && len(c.Account.Ignore) == 0 { // a nil list and an empty one count as equal
		a := *c.Account
		a.Ignore = nil
		c.Account = &a
	}
	b, err := json.Marshal(&c)
	if err != nil {
		return 0, err
	}
	hash := sha256.Sum256(b)
	return binary.LittleEndian.Uint64(hash[:]), nil
}

// String returns the kind and the name or ID of the row, for messages.
func (r *Row) String() string {
	switch {
	case r.Account != nil:
		return fmt.Sprintf("account %q (%d)", r.Account.Name, r.Account.ID)
	case r.Character != nil:
		return fmt.Sprintf("character %q (%d)", r.Character.Name, r.Character.ID)
	case r.Known != nil:
		return fmt.Sprintf("known address of account %q", r.Known.Account)
	case r.Access != nil:
		return fmt.Sprintf("%s of %q", r.Access.Kind, r.Access.Account+r.Access.NetworkText())
	case r.Owner != nil:
		return fmt.Sprintf("area %d", r.Owner.Area)
	}
	return "the greatest IDs"
}

// SortKnown sorts addresses by account name, then by address.
func SortKnown(list []KnownAddress) {
	slices.SortFunc(list, func(a, b KnownAddress) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), bytes.Compare(a.Addr.AsSlice(), b.Addr.AsSlice()))
	})
}
