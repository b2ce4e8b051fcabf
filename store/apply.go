package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/sim"
)

// ApplyRecords stores records that a server could not save when it stopped. It skips a record whose character does not
// exist, has another name, or has been saved again since. The result skipped has a line with the reason for each of
// these records.
func ApplyRecords(ctx context.Context, s Store, list []*sim.Character) (stored int, skipped []string, err error) {
	var apply []*sim.Character
	for _, c := range list {
		old, err := s.Character(ctx, c.ID)
		switch {
		case errors.Is(err, ErrNotFound) || err == nil && old.Name != c.Name:
			skipped = append(skipped, fmt.Sprintf("character %s: this database does not have the character", c.Name))
		case errors.Is(err, ErrCorrupt): // the stored record is damaged, so any other is better
			apply = append(apply, c)
		case err != nil:
			return 0, nil, err
		case !isNewer(c, old):
			skipped = append(skipped, fmt.Sprintf("character %s: the stored record is as new or newer", c.Name))
		default:
			apply = append(apply, c)
		}
	}
	return len(apply), skipped, s.SaveCharacters(ctx, nil, apply)
}

// isNewer reports whether the record c is newer than the stored record. If both have the same version but differ, c is newer: the
// player dropped items after that version was stored, so the stored record still has them in the inventory.
func isNewer(c, stored *sim.Character) bool {
	if stored.Version != c.Version {
		return stored.Version < c.Version
	}
	was, wasErr := EncodeSheet(stored)
	now, nowErr := EncodeSheet(c)
	return wasErr == nil && nowErr == nil && !bytes.Equal(now, was)
}
