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

// primary is a bit mask that selects the primary result code in an extended result code of SQLite.
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

// startError adds store.ErrCorrupt to the errors to which wrapCorrupt adds it, and to syntax errors. It is for Open, whose SQL
// statements are constant: a syntax error then means that the schema is damaged.
func startError(err error) error {
	var e *driver.Error
	if errors.As(err, &e) && e.Code()&primary == codes.SQLITE_ERROR && !errors.Is(err, store.ErrCorrupt) {
		return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
	}
	return wrapCorrupt(err)
}

// scanError adds store.ErrCorrupt to the same errors as wrapCorrupt, and to errors of decoding a row: a value that does not
// have the type of its column is damaged.
func scanError(err error) error {
	var e *driver.Error
	switch {
	case err == nil, errors.As(err, &e), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, store.ErrCorrupt):
		return wrapCorrupt(err)
	}
	return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
}

// isUnique reports whether a statement violated a unique constraint.
func isUnique(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code() == codes.SQLITE_CONSTRAINT_UNIQUE
}

// lineError wraps an error and makes its text one line of limited length, because SQLite quotes whole table definitions
// in messages.
type lineError struct{ error }

// maxStart and maxEnd limit the text of a lineError: of a longer text, it contains the first maxStart and the last maxEnd
// bytes.
const maxStart, maxEnd = 200, 120

// Error returns the text as one line.
func (e lineError) Error() string {
	text := strings.Join(strings.Fields(e.error.Error()), " ")
	if len(text) > maxStart+maxEnd {
		text = text[:maxStart] + " ... " + text[len(text)-maxEnd:]
	}
	return strings.ToValidUTF8(text, "?")
}

// Unwrap returns the original error.
func (e lineError) Unwrap() error { return e.error }
