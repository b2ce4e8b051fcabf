package store

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// Has reports whether the fence has an area.
func (f Fence) Has(a sim.AreaID) bool {
	return slices.ContainsFunc(f, func(o Owner) bool { return o.Area == a })
}

// Merge returns the record that a backend stores if c is to be stored with the fence in place of another record. It is the one with the
// higher version, or c if they are equal. The dropped items on the ground of the fence's areas are those of c, and the ones on the
// ground of other areas are those of the stored record, because only the owner of an area knows when an item was picked up there. Neither c nor stored is
// changed.
func (f Fence) Merge(stored, c *sim.Character) *sim.Character {
	record := c
	if stored.Version > c.Version {
		record = stored
	}
	if len(stored.Dropped) == 0 && len(c.Dropped) == 0 {
		return record
	}
	merged := *record
	merged.Dropped = nil
	add := func(from *sim.Character, belongs func(d *sim.DroppedItem) bool) {
		for i := range from.Dropped {
			if belongs(&from.Dropped[i]) {
				merged.Dropped = append(merged.Dropped, from.Dropped[i])
			}
		}
	}
	add(record, func(d *sim.DroppedItem) bool { return d.Handle == 0 }) // it lies nowhere, and belongs to the record
	add(stored, func(d *sim.DroppedItem) bool { return d.Handle != 0 && !f.Has(sim.AreaOfHandle(d.Handle)) })
	add(c, func(d *sim.DroppedItem) bool { return d.Handle != 0 && f.Has(sim.AreaOfHandle(d.Handle)) })
	return &merged
}
