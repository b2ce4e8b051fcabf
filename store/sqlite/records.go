package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// ApplyRecords stores records that a server could not save when it stopped. One whose character does not exist, has another name, or
// was saved since is not stored; it is returned in skipped, with the reason.
func (s *Store) ApplyRecords(ctx context.Context, list []*sim.Character) (skipped map[*sim.Character]string, err error) {
	skipped = map[*sim.Character]string{}
	var apply []*sim.Character
	for _, c := range list {
		var name string
		var sheet []byte
		err := s.db.QueryRowContext(ctx, `SELECT name, sheet FROM characters WHERE id = ?`, c.ID).Scan(&name, &sheet)
		if errors.Is(err, sql.ErrNoRows) || err == nil && name != c.Name {
			skipped[c] = "this database does not have the character"
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read character %d: %w", c.ID, wrapCorrupt(err))
		}
		if !isNewer(c, sheet) {
			skipped[c] = "the stored record is as new or newer"
			continue
		}
		apply = append(apply, c)
	}
	return skipped, s.SaveCharacters(ctx, apply)
}

// isNewer reports whether a record is newer than a stored sheet. If both have the same version and differ, the stored one still has
// items that the player had dropped.
func isNewer(c *sim.Character, sheet []byte) bool {
	old, err := store.DecodeSheet(sheet)
	if err != nil || old.Version != c.Version {
		return err != nil || old.Version < c.Version
	}
	now, err := store.EncodeSheet(c)
	return err == nil && !bytes.Equal(now, sheet)
}
