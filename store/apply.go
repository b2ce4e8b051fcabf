package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/sim"
)

// ApplyRecords stores records that a server could not save when it stopped. It does not store a record whose character does not
// exist, has another name, or was saved again later. skipped has a line for each of these records, with the reason.
func ApplyRecords(ctx context.Context, s Store, list []*sim.Character) (stored int, skipped []string, err error) {
	var apply []*sim.Character
	for _, c := range list {
		old, err := s.Character(ctx, c.ID)
		switch {
		case errors.Is(err, ErrNotFound) || err == nil && old.Name != c.Name:
			skipped = append(skipped, fmt.Sprintf("character %s: this database does not have the character", c.Name))
		case errors.Is(err, ErrCorrupt): // a damaged record is older than any other
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

// isNewer reports whether a record is newer than a stored one. If both have equal versions but differ, the stored record still
// contains items that the player has dropped since, so c is newer.
func isNewer(c, stored *sim.Character) bool {
	if stored.Version != c.Version {
		return stored.Version < c.Version
	}
	was, wasErr := EncodeSheet(stored)
	now, nowErr := EncodeSheet(c)
	return wasErr == nil && nowErr == nil && !bytes.Equal(now, was)
}
