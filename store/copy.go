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

// ErrNotEmpty means that the target of a copy has accounts.
var ErrNotEmpty = errors.New("has accounts already")

// Row is one row of the content of a store. One of its fields is set.
type Row struct {
	LastIDs   *LastIDs
	Account   *Account
	Character *StoredCharacter
	Known     *KnownAddress
	Access    *AccessRule
	Owner     *Owner // an area with its greatest epoch
}

// LastIDs are the greatest IDs that a store has ever assigned. A copy continues after them, so that it does not assign the IDs
// of deleted rows again.
type LastIDs struct {
	Account   AccountID
	Character sim.CharacterID
}

// StoredCharacter is the row of a character, with its account, slot and time of the last save.
type StoredCharacter struct {
	ID      sim.CharacterID
	Account AccountID
	Slot    int
	Name    string
	Saved   time.Time // UTC, whole milliseconds
	Sheet   []byte    // see EncodeSheet
}

// Reader reads the content of a store.
type Reader interface {
	// Rows returns the number of rows, for showing progress.
	Rows(ctx context.Context) (int, error)

	// Read calls fn with all rows of one snapshot: LastIDs, accounts and characters in the order of their IDs, known addresses as
	// SortKnown sorts them, rules of access as CompareAccessRules orders them, and owners in the order of their areas. Rows are valid during the call only.
	Read(ctx context.Context, fn func(*Row) error) error
}

// Writer replaces the content of a store.
type Writer interface {
	// Replace removes all rows and writes those that fill puts, in the order of Reader.Read, in one transaction. Then it calls
	// check with the content as the transaction sees it. If fill or check returns an error, the store is not changed. If the
	// store has accounts and overwrite is false, the error is ErrNotEmpty.
	Replace(ctx context.Context, overwrite bool, fill func(put func(*Row) error) error, check func(Reader) error) error
}

// Copied counts the rows of a copy.
type Copied struct {
	Accounts, Characters, Known int
	Rows                        int // all rows
}

// CopyProgress is called with the number of rows that are copied, or verified, and the number of all rows.
type CopyProgress func(verb string, done, total int)

// Copy replaces the content of the store to by that of the store from. Before it commits, it reads the written rows back and
// compares the checksum of each with that of the source row. After an error the target is unchanged. Errors: ErrNotEmpty if the
// target has accounts and overwrite is false.
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

// sum returns a checksum of all values of a row.
func (r *Row) sum() (uint64, error) {
	c := *r
	if c.Account != nil && len(c.Account.Ignore) == 0 { // nil and empty are the same list
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

// String returns the kind and the name or ID of a row for messages.
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

// SortKnown sorts addresses by account and address.
func SortKnown(list []KnownAddress) {
	slices.SortFunc(list, func(a, b KnownAddress) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), bytes.Compare(a.Addr.AsSlice(), b.Addr.AsSlice()))
	})
}
