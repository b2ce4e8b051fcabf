package interest

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// FrameIndex indexes a frame for two queries: which actors are near each other, and which are bound to each other by a
// fight, a ride or a party. Build it once per frame; afterwards any number of goroutines may query it. The zero value is
// ready for Build, which reuses memory.
type FrameIndex struct {
	frame *sim.Frame
	grid  geom.Grid
	x, z  []float32 // X and Z coordinates of frame.Actors in world units, as input for the grid

	// version identifies the set of actors in the frame. Build increases it if the frame has other actors than the previous
	// one. It is 0 before the first Build.
	version uint64
	ids     []sim.EntityID // ids of frame.Actors, in the same order

	bonds   []bond   // pairs of actors that fight or ride each other, sorted, without duplicates
	first   []int32  // bonds[first[i]:first[i+1]] are the bonds of actor i; empty if the frame has no bonds
	parties []member // every actor that is in a party, sorted by party
	party   []int32  // by index of an actor: where its party begins in parties; undefined for actors without a party
}

// bond says that the updates of actor "of" always include actor "to", because one of the two fights or rides the other. Both are
// indices in Frame.Actors. Every such pair has two bonds, one per direction.
type bond struct{ of, to int32 }

// member is an actor that is in a party. The list of all members is sorted by party, then by index.
type member struct {
	party sim.PartyID
	index int32
}

// Build indexes the frame f. The index refers to f until the next Build, so the caller must not reuse f before that. The
// policy pol must be valid (see Policy.Check).
func (c *FrameIndex) Build(f *sim.Frame, pol *Policy) {
	c.frame = f
	c.x, c.z = c.x[:0], c.z[:0]
	same := len(c.ids) == len(f.Actors)
	c.ids = slices.Grow(c.ids[:0], len(f.Actors))[:len(f.Actors)]
	c.parties = c.parties[:0]
	c.bonds = c.bonds[:0]
	for i := range f.Actors {
		a := &f.Actors[i]
		c.x = append(c.x, a.Pos.X)
		c.z = append(c.z, a.Pos.Z)
		if c.ids[i] != a.ID {
			c.ids[i], same = a.ID, false
		}
		if a.Party != 0 {
			c.parties = append(c.parties, member{a.Party, int32(i)})
		}
		c.addBond(int32(i), a.Target)
		c.addBond(int32(i), a.Mount)
	}
	if !same || c.version == 0 {
		c.version++
	}
	c.grid.Build(pol.CloseRadius, c.x, c.z)
	c.sortParties()
	c.sortBonds()
}

func (c *FrameIndex) addBond(i int32, other sim.EntityID) {
	if other == 0 {
		return
	}
	if j := int32(c.frame.Index(other)); j >= 0 && j != i {
		c.bonds = append(c.bonds, bond{i, j}, bond{j, i})
	}
}

// sortParties sorts the list of party members, and stores for each member where its party begins in that list.
func (c *FrameIndex) sortParties() {
	slices.SortFunc(c.parties, compareMembers)
	c.party = slices.Grow(c.party[:0], len(c.ids))[:len(c.ids)]
	var begin int32
	for n, m := range c.parties {
		if m.party != c.parties[begin].party {
			begin = int32(n)
		}
		c.party[m.index] = begin
	}
}

// sortBonds sorts the list of bonds (fights and rides between two actors), and stores for each actor where its bonds begin in
// that list.
func (c *FrameIndex) sortBonds() {
	c.first = c.first[:0]
	if len(c.bonds) == 0 {
		return
	}
	slices.SortFunc(c.bonds, compareBonds)
	c.bonds = slices.Compact(c.bonds)
	for n, b := range c.bonds {
		for len(c.first) <= int(b.of) {
			c.first = append(c.first, int32(n))
		}
	}
	for len(c.first) <= len(c.frame.Actors) {
		c.first = append(c.first, int32(len(c.bonds)))
	}
}

// Frame returns the frame of the last Build.
func (c *FrameIndex) Frame() *sim.Frame { return c.frame }

// bondsOf returns the bonds of the actor with index i, which are its fights and rides, sorted by the index of the other actor.
func (c *FrameIndex) bondsOf(i int) []bond {
	if len(c.first) == 0 {
		return nil
	}
	return c.bonds[c.first[i]:c.first[i+1]]
}

// partyOf returns all members of an actor's party, itself included, sorted by index; nil if it has none.
func (c *FrameIndex) partyOf(i int) []member {
	p := c.frame.Actors[i].Party
	if p == 0 {
		return nil
	}
	from := int(c.party[i])
	to := from
	for to < len(c.parties) && c.parties[to].party == p {
		to++
	}
	return c.parties[from:to]
}

func compareMembers(a, b member) int {
	switch {
	case a.party < b.party:
		return -1
	case a.party > b.party:
		return 1
	}
	return int(a.index) - int(b.index)
}

func compareBonds(a, b bond) int {
	if a.of != b.of {
		return int(a.of) - int(b.of)
	}
	return int(a.to) - int(b.to)
}
