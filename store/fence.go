package store

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// Has reports whether the fence contains the area a.
func (f Fence) Has(a sim.AreaID) bool {
	return slices.ContainsFunc(f, func(o Owner) bool { return o.Area == a })
}

// Merge returns the record to store when a process that owns the areas of the fence saves the record c. The parameter stored is
// the record that c would replace. The result is the record with the higher version, or c if the versions are equal. Its list of
// dropped items, however, comes from both records: an item on the ground of an area in the fence is taken from c, and an item on
// the ground of another area from stored. The reason is that only the owner of an area knows when an item was picked up there.
// Merge changes neither c nor stored.
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
	add(record, func(d *sim.DroppedItem) bool { return d.Handle == 0 }) // the item lies in no area, so it belongs to the record
	add(stored, func(d *sim.DroppedItem) bool { return d.Handle != 0 && !f.Has(sim.AreaOfHandle(d.Handle)) })
	add(c, func(d *sim.DroppedItem) bool { return d.Handle != 0 && f.Has(sim.AreaOfHandle(d.Handle)) })
	return &merged
}
