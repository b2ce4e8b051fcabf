package postgres

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/store"
)

// PostgreSQL's texts cannot have zero bytes, which texts of the store may have: a name that an old server's file contains, for
// example. Such a byte is stored as \0, and a backslash as \\. All other texts are stored as they are.
var (
	escaper   = strings.NewReplacer(`\`, `\\`, "\x00", `\0`)
	unescaper = strings.NewReplacer(`\\`, `\`, `\0`, "\x00")
)

// escape returns a text in the form in which it is stored. The text must be valid UTF-8.
func escape(text string) string { return escaper.Replace(text) }

// unescape returns a text that escape has changed.
func unescape(stored string) string { return unescaper.Replace(stored) }

// checkText returns store.ErrText for texts that are not valid UTF-8, which PostgreSQL refuses.
func checkText(texts ...string) error {
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q: %w", text, store.ErrText)
		}
	}
	return nil
}

// inMillis returns t in whole milliseconds, the precision in which times are stored.
func inMillis(t time.Time) time.Time { return t.Truncate(time.Millisecond).UTC() }
