package postgres

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/store"
)

// Texts in PostgreSQL cannot contain zero bytes, but texts of the store may, for example a name imported from an old
// server's file. A zero byte is stored as \0 and a backslash as \\. All other characters are stored unchanged.
var (
	escaper   = strings.NewReplacer(`\`, `\\`, "\x00", `\0`)
	unescaper = strings.NewReplacer(`\\`, `\`, `\0`, "\x00")
)

// escape converts a text to the form in which it is stored. The text must be valid UTF-8.
func escape(text string) string { return escaper.Replace(text) }

// unescape reverses escape.
func unescape(stored string) string { return unescaper.Replace(stored) }

// checkText returns store.ErrText if a text is not valid UTF-8, which PostgreSQL rejects.
func checkText(texts ...string) error {
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return fmt.Errorf("%q: %w", text, store.ErrText)
		}
	}
	return nil
}

// inMillis truncates t to whole milliseconds, the precision of stored times.
func inMillis(t time.Time) time.Time { return t.Truncate(time.Millisecond).UTC() }
