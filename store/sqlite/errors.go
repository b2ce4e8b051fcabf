package sqlite

import (
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/truestep-io/truestep/store"
)

// primary is the part of a result code that all codes of a kind share.
const primary = 0xff

// hostError marks an error of SQLite that means damage as store.ErrCorrupt and passes everything else on.
func hostError(err error) error {
	var e *driver.Error
	if errors.As(err, &e) && !errors.Is(err, store.ErrCorrupt) {
		if c := e.Code() & primary; c == codes.SQLITE_CORRUPT || c == codes.SQLITE_NOTADB {
			return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
		}
	}
	return err
}

// isUnique tells whether a statement failed because a name is taken.
func isUnique(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code() == codes.SQLITE_CONSTRAINT_UNIQUE
}
