package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// RestoredRecords collects the records and ground items of areas that are restored from their tapes, for Hub.RestoreRecords. An
// area is restored from a snapshot of a tick up to which all records are stored (area.Host.Saved). The caller must pass the
// frames of the ticks that are stepped again after the snapshot to AddFrame, in order, and the state after the last tick to
// AddArea.
//
// Normally the store is not newer than the restored areas, so of two records of a character the one with the higher version is
// the newest. Only if a tape was damaged, or could not be written for some time, may the store be newer. The records of the areas
// then replace the stored ones as soon as the areas emit them.
type RestoredRecords struct {
	ticks   []tickRange
	records map[sim.CharacterID]*sim.Character
	from    map[sim.CharacterID]sim.AreaID // for each record in records, the area whose frame contained it
	ground  []droppedItem                  // items on the ground
	removed []droppedItem                  // items that the frames report as removed from the ground
}

// AddFrame adds the frame of a tick that was stepped again. The frame may be reused after the call, but its records
// must not be changed.
func (r *RestoredRecords) AddFrame(f *sim.Frame) {
	for i := range f.Events {
		e := &f.Events[i]
		if c := e.Record; c != nil {
			if r.records == nil {
				r.records, r.from = map[sim.CharacterID]*sim.Character{}, map[sim.CharacterID]sim.AreaID{}
			}
			if have := r.records[c.ID]; have == nil || have.Version <= c.Version {
				r.records[c.ID], r.from[c.ID] = c, f.Area
			}
		}
		if e.Kind == sim.EventPickedUp {
			r.removed = append(r.removed, toDropped(&e.Ground, f.Area))
		}
	}
}

// AddArea adds to r the items on the ground of a restored area, and the tick up to which the area was restored.
func (r *RestoredRecords) AddArea(a *sim.Area) {
	r.ticks = append(r.ticks, tickRange{a.ID(), 1, a.Now()})
	a.Ground(func(g sim.GroundItem) { r.ground = append(r.ground, toDropped(&g, a.ID())) })
}

// RestoreRecords passes the records of a restored world to the hub. It must be called before the world is started.
func (h *Hub) RestoreRecords(ctx context.Context, r *RestoredRecords) error {
	if err := h.writer.restore(ctx, r); err != nil {
		return fmt.Errorf("read the stored records of the areas restored from the tape: %w", err)
	}
	return nil
}

// restore queues the records that are newer than the stored ones, so that they are stored. It also queues the records of
// characters that have items on the ground, so that the stored records list these items.
func (k *recordWriter) restore(ctx context.Context, r *RestoredRecords) error {
	ids := map[sim.CharacterID]bool{}
	for id := range r.records {
		ids[id] = true
	}
	for _, d := range slices.Concat(r.ground, r.removed) {
		ids[d.dropper] = true
	}
	t := &tickRecords{ticks: r.ticks}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		stored, err := k.store.Character(ctx, id)
		switch newer := r.records[id]; {
		case errors.Is(err, store.ErrNotFound): // the character was deleted
			continue
		case err != nil:
			return err
		case newer != nil && newer.Version > stored.Version:
			t.records = append(t.records, newer)
		default:
			stored.Dropped = slices.DeleteFunc(stored.Dropped, func(d sim.DroppedItem) bool { return r.has(d.Handle, id) })
			t.records = append(t.records, stored)
		}
	}
	for _, d := range r.ground {
		t.ground = append(t.ground, groundChange{kind: itemDropped, item: d})
	}
	slices.SortFunc(t.ground, func(a, b groundChange) int { return cmp.Compare(a.item.handle, b.item.handle) })
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, a := range r.ticks {
		k.read[a.area].Store(uint64(a.last))
	}
	if k.cluster {
		k.waitByArea(t, r)
		return nil
	}
	k.wait(t)
	for _, c := range t.records {
		k.records[c.ID].restored = true
	}
	return nil
}

// has reports whether the item with the given handle must be removed from the record of the character that dropped it (the
// parameter dropper). That is so if a restored area has the item on its ground, or if a frame says that the item was removed
// from the ground.
func (r *RestoredRecords) has(handle uint32, dropper sim.CharacterID) bool {
	is := func(d droppedItem) bool { return d.handle == handle && d.dropper == dropper }
	return handle != 0 && (slices.ContainsFunc(r.ground, is) || slices.ContainsFunc(r.removed, is))
}
