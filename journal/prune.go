package journal

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/internal/sqlitefile"
)

const (
	agePruneInterval = time.Minute // pause between searches for old rows when a search has found none left
	maxActions       = 100_000     // maximum number of operator actions in the file (enough for ten a day for thirty years)
	maxActionText    = 1000        // maximum length of each text of an operator action in bytes
	actionPruneRows  = 1000        // maximum number of operator actions that one call of pruneActions deletes
)

// prune deletes entries and nearby events that are older than Options.MaxAge or exceed their maximum number. One call
// deletes only a limited number of rows, so that it does not delay writes for long.
func (w *writer) prune(ctx context.Context, now time.Time) error {
	for _, c := range []struct {
		s    *sqlitefile.RowCounts
		keep int
	}{{w.entries, w.j.opt.MaxEntries}, {w.hits, max(w.j.opt.MaxEntries/hitShare, 1)}, {w.around, 2 * w.j.opt.MaxEntries}} {
		if err := c.s.Trim(ctx, w.db, c.keep); err != nil {
			return err
		}
	}
	if now.Sub(w.agePrunedAt) < agePruneInterval {
		return nil
	}
	limit := now.Add(-w.j.opt.MaxAge).UnixMilli()
	done := true
	for _, s := range w.rowCounts() {
		_, all, err := s.DeleteBefore(ctx, w.db, limit)
		if err != nil {
			return err
		}
		done = done && all
	}
	if done {
		w.agePrunedAt = now
	}
	return nil
}
