package cluster

import (
	"errors"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// database models what the nodes share, with the guarantees of package store/postgres: the directory of sessions, and the store of records
// with their owners' epochs.
type database struct {
	away    bool        // no request succeeds
	loses   func() bool // reports whether the answer to a request that has taken effect is lost; nil: none is lost
	holders map[sim.CharacterID]mark
	saved   [simAreas]sim.Tick
	epochs  [simAreas]uint64
	records map[sim.CharacterID]*sim.Character
}

func newDatabase() database {
	return database{holders: map[sim.CharacterID]mark{}, records: map[sim.CharacterID]*sim.Character{}}
}

var (
	errAway     = errors.New("the database is away")                           // error of all requests while the database cannot be reached
	errNoAnswer = errors.New("the answer of the database to a commit is lost") // error of requests that have taken effect
)

// answer returns the error of a request that has taken effect.
func (db *database) answer() error {
	if db.loses != nil && db.loses() {
		return errNoAnswer
	}
	return nil
}

// claim makes a process the holder of a character's account, unless another process that is not gone holds it.
func (db *database) claim(c sim.CharacterID, by mark, gone func(mark) bool) error {
	if db.away {
		return errAway
	}
	if have, ok := db.holders[c]; ok && have != by && !gone(have) {
		return store.ErrSessionHeld
	}
	db.holders[c] = by
	return db.answer()
}

// release makes a process give up accounts. It ignores accounts that another process holds.
func (db *database) release(list []sim.CharacterID, by mark) error {
	if db.away {
		return errAway
	}
	for _, c := range list {
		if db.holders[c] == by {
			delete(db.holders, c)
		}
	}
	return db.answer()
}

// edit replaces the record of a character that is not in the world, if a process still holds its account. The new record must have a
// greater version than the stored one.
func (db *database) edit(c *sim.Character, by mark) error {
	have := db.records[c.ID]
	switch {
	case db.away:
		return errAway
	case db.holders[c.ID] != by:
		return store.ErrNotHolder
	case have != nil && have.Version >= c.Version, c.Version == 0:
		return store.ErrOutdated
	}
	db.records[c.ID] = c
	return db.answer()
}

// save stores records of an area for the owner with an epoch, unless an owner with a greater epoch has stored records of the area. A
// record does not replace a newer one, but for the items that it has dropped in the area: see store.Fence.Merge. If a batch has several
// records of a character, the last one counts.
func (db *database) save(a sim.AreaID, epoch uint64, records []tickRecord) error {
	switch {
	case db.away:
		return errAway
	case epoch < db.epochs[a]:
		return store.ErrFenced
	}
	db.epochs[a] = epoch
	fence, last := store.Fence{{Area: a, Epoch: epoch}}, map[sim.CharacterID]int{}
	for i, r := range records {
		last[r.record.ID] = i
	}
	for i, r := range records {
		if last[r.record.ID] != i {
			continue
		}
		have := db.records[r.record.ID]
		if have == nil {
			have = &sim.Character{}
		}
		db.records[r.record.ID] = fence.Merge(have, r.record)
	}
	return db.answer()
}
