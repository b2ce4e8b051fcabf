package sqlite

import (
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/truestep-io/truestep/store"
)

// primary masks the primary result code in an extended result code of SQLite.
const primary = 0xff

// wrapCorrupt adds store.ErrCorrupt to an SQLite error that means a damaged file. It returns any other error unchanged.
func wrapCorrupt(err error) error {
	var e *driver.Error
	if errors.As(err, &e) && !errors.Is(err, store.ErrCorrupt) {
		if c := e.Code() & primary; c == codes.SQLITE_CORRUPT || c == codes.SQLITE_NOTADB {
			return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
		}
	}
	return err
}

// startError is wrapCorrupt for statements of Open. These are constant, so a syntax error in one of them means that the
// definitions of the tables are damaged.
func startError(err error) error {
	var e *driver.Error
	if errors.As(err, &e) && e.Code() == codes.SQLITE_ERROR && !errors.Is(err, store.ErrCorrupt) {
		return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
	}
	return wrapCorrupt(err)
}

// isUnique reports whether a statement failed on a unique constraint.
func isUnique(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code() == codes.SQLITE_CONSTRAINT_UNIQUE
}
