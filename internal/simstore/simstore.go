// Package simstore models how package store/postgres stores the records of characters for the owners of areas, for simulations. The
// test of package cluster that compares its database with PostgreSQL plays the same requests on both.
package simstore

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Records has the stored records, and the greatest epoch and tick that any fence has named for each area.
type Records struct {
	Characters map[sim.CharacterID]*sim.Character

	NoEpochs bool // an error: former owners are not refused
	NoTicks  bool // an error: a save also replaces the items on the ground of areas of which a later tick is stored

	epochs map[sim.AreaID]uint64
	ticks  map[sim.AreaID]sim.Tick
}

// New returns an empty store.
func New() Records {
	return Records{Characters: map[sim.CharacterID]*sim.Character{}, epochs: map[sim.AreaID]uint64{}, ticks: map[sim.AreaID]sim.Tick{}}
}

// Save stores all records of a batch with a fence or, if the error is store.ErrFenced, none. See store.Store.SaveCharacters for the
// rules. A record without a stored one is stored.
func (s *Records) Save(fence store.Fence, batch []*sim.Character) error {
	for _, o := range fence {
		if o.Epoch < s.epochs[o.Area] && !s.NoEpochs {
			return store.ErrFenced
		}
	}
	var current store.Fence // the areas of which no later tick is stored
	for _, o := range fence {
		s.epochs[o.Area] = o.Epoch
		if o.Tick >= s.ticks[o.Area] || s.NoTicks {
			s.ticks[o.Area] = o.Tick
			current = append(current, o)
		}
	}
	last := map[sim.CharacterID]int{}
	for i, c := range batch {
		last[c.ID] = i
	}
	for i, c := range batch {
		if last[c.ID] != i {
			continue
		}
		have := s.Characters[c.ID]
		if have == nil {
			have = &sim.Character{}
		}
		s.Characters[c.ID] = current.Merge(have, c)
	}
	return nil
}
