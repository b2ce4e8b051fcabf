package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// applyRecords stores records that a server could not save when it stopped. A record whose character does not exist, has
// another name, or was saved since is not stored; skipped describes such records and the reasons.
func (s *Store) applyRecords(ctx context.Context, list []*sim.Character) (skipped map[*sim.Character]string, err error) {
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

// RestoreRecords stores the records of a file that a server wrote because it could not save them, in the existing database
// in dir. skipped describes the records that were not stored, and why. Errors: store.ErrNotFound for another kind of file.
func RestoreRecords(ctx context.Context, file, dir string) (stored int, skipped []string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	list, err := store.ReadRecords(f)
	if err != nil {
		return 0, nil, fmt.Errorf("%s: %w", file, err)
	}
	s, err := Open(ctx, dir)
	if err != nil {
		return 0, nil, err
	}
	why, err := s.applyRecords(ctx, list)
	if err = errors.Join(err, s.Close()); err != nil {
		return 0, nil, err
	}
	for _, c := range list {
		if why[c] != "" {
			skipped = append(skipped, fmt.Sprintf("character %s: %s", c.Name, why[c]))
		}
	}
	return len(list) - len(skipped), skipped, nil
}

// isNewer reports whether a record is newer than a stored sheet. If both have the same version and differ, the stored sheet
// still has items that the player has dropped, so the record is newer.
func isNewer(c *sim.Character, sheet []byte) bool {
	old, err := store.DecodeSheet(sheet)
	if err != nil || old.Version != c.Version {
		return err != nil || old.Version < c.Version
	}
	now, err := store.EncodeSheet(c)
	return err == nil && !bytes.Equal(now, sheet)
}
