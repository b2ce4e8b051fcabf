package session

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// areaOwner says which process stores the records of an area, and up to which tick.
type areaOwner struct {
	own     bool     // this process stores the records of the area
	epoch   uint64   // epoch in which this process owns the area
	saved   sim.Tick // in a cluster, the newest tick that another process has stored; 0 on a single server
	through sim.Tick // newest tick that this process may store; if own is false: newest tick that the owner has stored
}

// areaOwners has the areaOwner of each area, by AreaID.
type areaOwners []areaOwner

// owners returns, for each area, which process stores its records at present. After the store has refused to save records of an
// area (store.ErrFenced), the area counts as owned by another process until this process owns it in a later epoch.
func (k *recordWriter) owners() areaOwners {
	list := make(areaOwners, len(k.read))
	k.mu.Lock()
	refused := slices.Clone(k.refused)
	k.mu.Unlock()
	for a := range list {
		id, o := sim.AreaID(a), &list[a]
		o.epoch, o.own = k.world.Owner(id)
		o.own = o.own && (!k.cluster || o.epoch > refused[a])
		if k.cluster {
			o.saved = k.world.SavedTick(id)
		}
		if o.through = o.saved; o.own {
			o.through = k.world.Storable(id)
		}
	}
	return list
}

// own reports whether this process has to store the records of a tick: it owns the area of the tick, and no former
// owner has already stored the tick.
func (o areaOwners) own(t *tickRecords) bool {
	return !slices.ContainsFunc(t.ticks, func(r tickRange) bool { return !o[r.area].own || r.last <= o[r.area].saved })
}

// fenceOf returns the fence (store.Fence) of a transaction that stores the given ticks: the areas of the ticks with their
// epochs, sorted by area. It returns nil if there are no ticks.
func fenceOf(ticks []*tickRecords, owners areaOwners) (f store.Fence) {
	for a := range owners {
		o := store.Owner{Area: sim.AreaID(a), Epoch: owners[a].epoch}
		for _, t := range ticks {
			if r := t.ticks[0]; r.area == o.Area {
				o.Tick = r.last
			}
		}
		if o.Tick > 0 {
			f = append(f, o)
		}
	}
	return f
}

// mergeOf applies a tick to the records in memory, in a cluster. If the parameter own is true, this process must save the
// changed records. If own is false, the process that owns the area has already stored them, and records that are no longer
// needed are dropped from memory. The result removed has items that were removed from the ground: those whose droppers have no
// record in memory. The caller holds k.mu.
func (k *recordWriter) mergeOf(t *tickRecords, own bool) (removed []droppedItem) {
	t.before = t.before[:0]
	for _, c := range t.records {
		r := k.records[c.ID]
		if r == nil { // the character was deleted
			t.before = append(t.before, nil)
			continue
		}
		t.before = append(t.before, r.current)
		if r.current == nil || r.current.Version <= c.Version { // an older record must not replace a stored newer one: see returnTicks
			r.current = c
		}
		k.setChanged(r, own || r.changed)
	}
	for i := range t.ground {
		removed = append(removed, k.changeGroundOf(&t.ground[i], own)...)
	}
	if own {
		return removed
	}
	k.batches++ // invalidates rosters that were read before, which may lack the records
	for _, c := range t.records {
		k.releaseStored(k.records[c.ID])
	}
	for i := range t.ground {
		if g := &t.ground[i]; g.kind != groundSeen {
			k.releaseStored(k.records[g.item.dropper])
			continue
		}
		for _, r := range k.records {
			k.releaseStored(r)
		}
	}
	return removed
}

// addDroppers adds to a batch the stored records of characters whose dropped items were removed from the ground, without these
// items; otherwise the characters would get the items back. The records are not in memory because this process has missed the
// ticks in which the items were dropped. A damaged record stays as it is. Errors: those of the store.
func (k *recordWriter) addDroppers(ctx context.Context, b *recordBatch) error {
	if len(b.removed) == 0 {
		return nil
	}
	for _, d := range b.removed {
		if slices.ContainsFunc(b.records, func(c *sim.Character) bool { return c.ID == d.dropper }) {
			continue
		}
		c, err := k.store.Character(ctx, d.dropper)
		if errors.Is(err, store.ErrNotFound) { // the character was deleted
			continue
		}
		if errors.Is(err, store.ErrCorrupt) { // the character cannot enter until an operator has mended the record
			if !k.damaged[d.dropper] {
				k.damaged[d.dropper] = true
				k.log.Error("the stored record of a character is damaged, so an item that was taken from the ground stays in the list of items that the character has dropped; the character gets the item back when the record is mended",
					"character_id", d.dropper, telemetry.FieldErr, err)
			}
			continue
		}
		if err != nil {
			return err
		}
		c.Dropped = slices.DeleteFunc(c.Dropped, func(have sim.DroppedItem) bool {
			return slices.ContainsFunc(b.removed, func(d droppedItem) bool { return d.handle == have.Handle })
		})
		b.records = append(b.records, c)
	}
	slices.SortFunc(b.records, func(a, b *sim.Character) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// releaseStored drops a record from memory if it is no longer needed. The parameter r may be nil. The caller holds k.mu.
func (k *recordWriter) releaseStored(r *heldRecord) {
	if r != nil && r.newest != nil {
		k.release(r)
	}
}

// changeGroundOf is changeGround for a cluster: it updates k.ground and the lists of dropped items of the characters that
// dropped them. The parameter own is true if this process stores the records; they are then marked as changed. The result has the
// items that were removed from the ground and whose droppers have no record in memory that could be marked. The caller holds k.mu.
func (k *recordWriter) changeGroundOf(g *groundChange, own bool) (removed []droppedItem) {
	changed := func(r *heldRecord) { k.setChanged(r, own || r.changed) }
	r := k.records[g.item.dropper]
	known := r != nil && r.current != nil
	is := func(d droppedItem) bool { return d.handle == g.item.handle }
	switch g.kind {
	case itemDropped:
		if known && !slices.ContainsFunc(r.onGround, is) {
			r.onGround = append(r.onGround, g.item)
			changed(r)
		}
	case itemRemoved:
		delete(k.ground, g.item.handle)
		k.setOnGround(g.item, false)
		if !known {
			return []droppedItem{g.item}
		}
		changed(r)
	case groundSeen:
		for _, handle := range g.gone { // only these: other items that g.seen lacks may have been dropped in later ticks
			delete(k.ground, handle)
		}
		for _, r := range k.records {
			r.onGround = slices.DeleteFunc(r.onGround, g.remove)
		}
		for id, list := range k.unheld {
			if k.unheld[id] = slices.DeleteFunc(list, g.remove); len(k.unheld[id]) == 0 {
				delete(k.unheld, id)
			}
		}
		slices.SortFunc(g.removed, func(a, b droppedItem) int { return cmp.Compare(a.handle, b.handle) }) // a test runs the same way each time
		g.removed = slices.Compact(g.removed)
		for _, d := range g.removed { // also the items of an earlier attempt, which has failed
			if r := k.records[d.dropper]; r != nil && r.current != nil {
				changed(r)
			} else {
				removed = append(removed, d)
			}
		}
		for _, d := range g.lying {
			k.setOnGround(d, true)
		}
	}
	return removed
}

// remove reports whether a change of the kind groundSeen removes an item from the ground, and if so adds the item to g.removed.
func (g *groundChange) remove(d droppedItem) bool {
	if _, seen := slices.BinarySearch(g.seen, d.handle); d.area != g.item.area || seen {
		return false
	}
	g.removed = append(g.removed, d)
	return true
}

// setOnGround adds an item to the list of its dropper's items that are on the ground after the merged ticks, or removes it from that
// list if lies is false. The caller holds k.mu.
func (k *recordWriter) setOnGround(item droppedItem, lies bool) {
	list, r := k.unheld[item.dropper], k.records[item.dropper]
	if r != nil {
		list = r.onGround
	}
	list = slices.DeleteFunc(list, func(d droppedItem) bool { return d.handle == item.handle })
	if lies {
		list = append(list, item)
	}
	switch {
	case r != nil:
		r.onGround = list
	case len(list) > 0:
		k.unheld[item.dropper] = list
	default:
		delete(k.unheld, item.dropper)
	}
}

// seeGround updates k.ground, which lists the items on the ground of all areas: it adds the items that were dropped in the tick
// of the frame f. After missed frames it also adds every item that is on the ground of the frame's area, or was until this tick. It
// is used only in a cluster. The caller holds k.mu.
func (k *recordWriter) seeGround(f *sim.Frame, missed bool) {
	for i := range f.Events {
		if e := &f.Events[i]; e.Kind == sim.EventDropped || missed && e.Kind == sim.EventPickedUp {
			k.ground[e.Ground.Handle] = f.Area
		}
	}
	if missed {
		for i := range f.Ground {
			k.ground[f.Ground[i].Handle] = f.Area
		}
	}
}

// returnTicks undoes in memory the changes of the ticks of a failed transaction, and queues the ticks again. At the next attempt the
// areas may have other owners, so that other processes store the ticks.
func (k *recordWriter) returnTicks(b *recordBatch) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range b.records {
		if r := k.records[c.ID]; r != nil {
			k.setChanged(r, false)
		}
	}
	for _, t := range slices.Backward(b.ticks) {
		for _, g := range slices.Backward(t.ground) {
			k.revertGround(&g)
		}
		for i, c := range t.records {
			r := k.records[c.ID]
			if r == nil {
				continue
			}
			if r.current == c { // if the record differs, a later tick was merged, which its owner has stored
				r.current = t.before[i]
			}
			k.setChanged(r, false)
		}
	}
	k.waiting = slices.Concat(b.ticks, k.waiting)
	for _, t := range b.ticks {
		k.countQueued(t, 1)
	}
}

// revertGround undoes, in memory, a change of the items on the ground of an area, because a save has failed and the tick of the
// change is queued again. Of a change of the kind groundSeen only k.ground is undone: see groundChange.removed. The caller holds k.mu.
func (k *recordWriter) revertGround(g *groundChange) {
	switch g.kind {
	case itemDropped:
		k.setOnGround(g.item, false)
	case itemRemoved:
		k.ground[g.item.handle] = g.item.area
		k.setOnGround(g.item, true)
	case groundSeen:
		for _, handle := range g.gone {
			k.ground[handle] = g.item.area
		}
	}
}

// refuseFenced is called after a save has failed with store.ErrFenced. It finds out which areas of the fence belong to another
// process: those that have a greater epoch in the store. The records of these areas wait until that process has stored them, or
// until this process owns the area again. Errors: those of the store, except store.ErrFenced.
func (k *recordWriter) refuseFenced(ctx context.Context, fence store.Fence) error {
	for _, o := range fence {
		err := k.store.SaveCharacters(ctx, store.Fence{{Area: o.Area, Epoch: o.Epoch}}, nil)
		if err == nil {
			continue
		}
		if !errors.Is(err, store.ErrFenced) {
			return err
		}
		k.mu.Lock()
		k.refused[o.Area] = max(k.refused[o.Area], o.Epoch)
		k.mu.Unlock()
		k.log.Warn("another node now stores the records of an area; this node no longer does", telemetry.FieldArea, o.Area, "epoch", o.Epoch)
	}
	return nil
}

// ownUnsaved returns the number of records that this process still has to store. On a single server these are all unsaved
// records. In a cluster, a record does not count if it can be stored only after a tick of an area that another process owns:
// every process has all ticks in memory, so another process can store the record later.
func (k *recordWriter) ownUnsaved() int {
	if !k.cluster {
		return k.unsaved()
	}
	owners := k.owners()
	k.mu.Lock()
	defer k.mu.Unlock()
	n := k.changed
	held := dependencies{cluster: k.cluster}
	for _, t := range k.waiting {
		if owners.own(t) && !held.block(t) {
			n += len(t.records)
		} else {
			held.add(t)
		}
	}
	return n
}

// waitByArea queues the restored records of each area separately, because in a cluster the owner of an area stores them. For
// each area it also queues records that are already stored: those of characters that are elsewhere but have items on the ground
// of the area. The caller holds k.mu.
func (k *recordWriter) waitByArea(all *tickRecords, r *RestoredRecords) {
	for _, tick := range all.ticks {
		t := &tickRecords{ticks: []tickRange{tick}}
		for _, c := range all.records {
			from, emitted := r.from[c.ID]
			dropped := slices.ContainsFunc(all.ground, func(g groundChange) bool { return g.item.dropper == c.ID && g.item.area == tick.area })
			if emitted && from == tick.area || dropped {
				t.records = append(t.records, c)
			}
		}
		for _, g := range all.ground {
			if g.item.area == tick.area {
				t.ground = append(t.ground, g)
				k.ground[g.item.handle] = tick.area
			}
		}
		if len(t.records) > 0 {
			k.wait(t)
		}
	}
}
