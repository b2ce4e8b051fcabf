package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
	if errors.As(err, &e) && e.Code()&primary == codes.SQLITE_ERROR && !errors.Is(err, store.ErrCorrupt) {
		return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
	}
	return wrapCorrupt(err)
}

// scanError is wrapCorrupt for a row that must have values of certain types: other values are damaged.
func scanError(err error) error {
	var e *driver.Error
	switch {
	case err == nil, errors.As(err, &e), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, store.ErrCorrupt):
		return wrapCorrupt(err)
	}
	return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
}

// isUnique reports whether a statement failed on a unique constraint.
func isUnique(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code() == codes.SQLITE_CONSTRAINT_UNIQUE
}

// lineError is an error whose text is one line of limited length. SQLite quotes whole definitions of tables in its messages.
type lineError struct{ error }

// maxStart and maxEnd are the lengths of the parts of a long text that are kept.
const maxStart, maxEnd = 200, 120

// Error returns the text in one line.
func (e lineError) Error() string {
	text := strings.Join(strings.Fields(e.error.Error()), " ")
	if len(text) > maxStart+maxEnd {
		text = text[:maxStart] + " ... " + text[len(text)-maxEnd:]
	}
	return strings.ToValidUTF8(text, "?")
}

// Unwrap returns the whole error.
func (e lineError) Unwrap() error { return e.error }
