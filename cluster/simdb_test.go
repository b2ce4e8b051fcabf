package cluster

import (
	"cmp"
	"errors"
	"slices"

	"github.com/truestep-io/truestep/internal/simstore"
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
	records simstore.Records
}

func newDatabase() database {
	return database{holders: map[sim.CharacterID]mark{}, records: simstore.New()}
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
	have := db.records.Characters[c.ID]
	switch {
	case db.away:
		return errAway
	case db.holders[c.ID] != by:
		return store.ErrNotHolder
	case have != nil && have.Version >= c.Version, c.Version == 0:
		return store.ErrOutdated
	}
	db.records.Characters[c.ID] = c
	return db.answer()
}

// save stores records of the areas in a fence, all or none: see simstore.Records.Save.
func (db *database) save(fence store.Fence, batch []*sim.Character) error {
	if db.away {
		return errAway
	}
	if err := db.records.Save(fence, batch); err != nil {
		return err
	}
	return db.answer()
}

// store writes the records of all areas that this node owns in one transaction, unless a later owner of one of these areas has written
// already. It drops the records that other nodes have stored. If an area has nothing to write, the owner reports without the database that
// everything is stored.
func (p *process) store() {
	s, db := p.n.s, &p.n.s.db
	var fence store.Fence
	var batch []*sim.Character
	var owned []sim.AreaID
	for i := range db.saved {
		a := sim.AreaID(i)
		saved := p.host.SavedTick(a)
		p.unsaved[a] = slices.DeleteFunc(p.unsaved[a], func(r tickRecord) bool { return r.tick <= saved })
		epoch, own := p.host.Owner(a)
		if !own && p.areas[a].g.term.Load() != 0 {
			s.stats.lacked++
		}
		if !own {
			continue
		}
		owned = append(owned, a)
		if n := len(p.unsaved[a]); n > 0 {
			fence = append(fence, store.Owner{Area: a, Epoch: epoch, Tick: p.unsaved[a][n-1].tick})
		}
		for _, r := range p.unsaved[a] {
			batch = append(batch, r.record)
		}
	}
	slices.SortStableFunc(batch, func(a, b *sim.Character) int { return cmp.Compare(a.Version, b.Version) }) // the newest record counts
	refused := len(fence) > 0 && db.save(fence, batch) != nil
	for _, a := range owned {
		if refused && fence.Has(a) {
			continue
		}
		p.unsaved[a] = p.unsaved[a][:0]
		s.truth.saved(p, a, p.read[a])
		p.host.Saved(a, p.read[a])
	}
}
