package session

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// tickRecords are the changes that one tick of an area makes to the stored records.
//
// The store contains the records after a set of ticks, and each transaction adds ticks to that set. If the set contains
// a tick of an area, it also contains:
//
//   - every earlier tick of that area, so that the records of the giver and the receiver of an item are stored together;
//   - every earlier tick, of any area, that has a record of one of the tick's characters. A character that dropped an item and
//     moved to another area is therefore not stored without the item before the item is stored as dropped.
//
// Every tick of the set is durable, so a world that is restored from its tapes is never older than the store. Therefore
// neither a kill nor a loss of power loses or duplicates an item.
//
// To ensure this, ticks are queued in the order in which their frames were read. In that order an actor departs from an
// area before it joins the next. A tick is merged into the records when it is durable and no earlier tick that it
// depends on is still queued. All changed records are then saved in one transaction.
//
// In a cluster every process reads the frames of every area, and stores the records of the areas that it owns
// (area.Host.Owner). A tick of another owner's area stays queued until that owner has stored it (area.Host.SavedTick),
// and is then merged as stored. A tick of an owned area that depends on a queued tick stays queued too, so the order
// above holds over all processes. A process that becomes the owner of an area stores the queued ticks of that area. If
// a save is refused because another process has become the owner, its ticks are queued again. A process that has not read the frames
// of some ticks of an area (area.Host.Missed) does not own the area until these ticks are stored.
type tickRecords struct {
	ticks   []tickRange      // one range, unless join has added other ticks
	records []*sim.Character // newest record of each character
	ground  []groundChange   // changes of the items on the ground, oldest first

	before []*sim.Character // in a cluster, for each record: value of heldRecord.current before the tick was merged
}

// tickRange is a range of consecutive ticks of one area.
type tickRange struct {
	area        sim.AreaID
	first, last sim.Tick
}

// maxWaiting is the length at which the queue of ticks is full, for example because a tape cannot be written. A further tick is
// then joined into the last queued tick, which limits memory by the number of characters. In a cluster it is joined into the
// last queued tick of its own area; if that area has none, the tick is queued nevertheless.
const maxWaiting = 4096 // chosen as 10 s of a world of 20 areas in which every tick has records

// join adds the changes of the later tick u to t, so that both ticks are saved together. If an item was dropped and then removed from
// the ground, the two changes cancel out and are deleted. In a cluster they are kept, because a former owner of the area may have
// stored the item as dropped.
func (t *tickRecords) join(u *tickRecords, cluster bool) {
	for _, r := range u.ticks {
		if i := slices.IndexFunc(t.ticks, func(have tickRange) bool { return have.area == r.area }); i >= 0 {
			t.ticks[i].last = r.last
		} else {
			t.ticks = append(t.ticks, r)
		}
	}
	byID := make(map[sim.CharacterID]int, len(t.records))
	for i, c := range t.records {
		byID[c.ID] = i
	}
	for _, c := range u.records {
		if i, ok := byID[c.ID]; ok {
			t.records[i] = c
		} else {
			t.records = append(t.records, c)
		}
	}
	for _, g := range u.ground {
		dropped := func(have groundChange) bool { return have.kind == itemDropped && have.item.handle == g.item.handle }
		if i := slices.IndexFunc(t.ground, dropped); g.kind == itemRemoved && i >= 0 && !cluster {
			t.ground = slices.Delete(t.ground, i, i+1)
		} else {
			t.ground = append(t.ground, g)
		}
	}
}

// wait queues a tick until it is durable, and updates the newest record of each of its characters. The caller holds
// k.mu.
func (k *recordWriter) wait(t *tickRecords) {
	for _, c := range t.records {
		r := k.records[c.ID]
		if r == nil {
			r = &heldRecord{onGround: k.unheld[c.ID]}
			k.records[c.ID] = r
			delete(k.unheld, c.ID)
		}
		r.newest, r.restored = c, false
		k.setUnstored(r, true)
	}
	if into := k.joinInto(t); into != nil {
		k.countQueued(into, -1)
		into.join(t, k.cluster)
		k.countQueued(into, 1)
	} else {
		k.waiting = append(k.waiting, t)
		k.countQueued(t, 1)
	}
}

// countQueued adds n to the number of queued ticks of each character of a tick. In a cluster a record is retained in memory
// while that number is not 0, even if the record is already stored. The reason: a joined tick may be merged before earlier
// ticks of its characters (dependencies.block), and these then change which of the characters' items are on the ground. The
// caller holds k.mu.
func (k *recordWriter) countQueued(t *tickRecords, n int) {
	if !k.cluster {
		return
	}
	for _, c := range t.records {
		if r := k.records[c.ID]; r != nil {
			r.queued += n
		}
	}
}

// joinInto returns the queued tick into which the tick t must be joined because the queue is full, or nil if the queue has room. In a
// cluster it is the last queued tick of the area of t. The caller holds k.mu.
func (k *recordWriter) joinInto(t *tickRecords) *tickRecords {
	if len(k.waiting) < k.maxWaiting {
		return nil
	}
	if !k.cluster {
		return k.waiting[len(k.waiting)-1]
	}
	for _, w := range slices.Backward(k.waiting) {
		if w.ticks[0].area == t.ticks[0].area {
			return w
		}
	}
	return nil
}

// recordBatch is the content of one transaction.
type recordBatch struct {
	records []*sim.Character
	fence   store.Fence // nil for a single server

	// ticks are the queued ticks that the transaction stores, in order. The field is used only in a cluster.
	ticks []*tickRecords

	// removed has the items that the ticks have removed from the ground and whose droppers have no record in memory. The field is
	// used only in a cluster.
	removed []droppedItem

	// through has, by AreaID, the tick up to which all records of the area are stored once this batch is saved.
	through []sim.Tick
}

// nextBatch returns the records for the next transaction, about maxBatch. To get them, it merges queued ticks into the records
// in memory. It merges only durable ticks, unless the parameter all is true; then it merges other ticks, too, but in a cluster
// only those of areas that this process owns. The result more is true if further ticks can be merged.
func (k *recordWriter) nextBatch(all bool) (b recordBatch, more bool) {
	b.through = make([]sim.Tick, len(k.read))
	for a := range k.read {
		b.through[a] = sim.Tick(k.read[a].Load())
	}
	// Call k.owners only after k.read is loaded: by then the world knows which frames up to these ticks were missed, which decides
	// who owns the areas.
	owners := k.owners()
	k.mu.Lock()
	defer k.mu.Unlock()
	held := dependencies{cluster: k.cluster}
	rest := k.waiting[:0]
	for i, t := range k.waiting {
		if k.changed > 0 && k.changed+len(t.records) > k.maxBatch {
			rest, more = append(rest, k.waiting[i:]...), true
			break
		}
		own := owners.own(t)
		ready := t.isDurable(owners) && !held.block(t)
		if all {
			ready = !k.cluster || own && !held.block(t) // ticks of other processes are not stored by this one
		}
		if !ready {
			held.add(t)
			rest = append(rest, t)
			continue
		}
		k.countQueued(t, -1)
		if k.cluster {
			removed := k.mergeOf(t, own)
			if own {
				b.ticks, b.removed = append(b.ticks, t), append(b.removed, removed...)
			}
		} else {
			k.merge(t)
		}
	}
	clear(k.waiting[len(rest):])
	k.waiting = rest
	for _, t := range rest {
		for _, r := range t.ticks {
			b.through[r.area] = min(b.through[r.area], r.first-1)
		}
	}
	for a := range owners {
		if o := &owners[a]; !o.own {
			b.through[a] = 0
		}
	}
	b.records, b.fence = k.changedRecords(), fenceOf(b.ticks, owners)
	return b, more
}

// isDurable reports whether the tick may be merged: it is durable and, if another process owns its area, that process
// has stored it.
func (t *tickRecords) isDurable(owners areaOwners) bool {
	return !slices.ContainsFunc(t.ticks, func(r tickRange) bool { return r.last > owners[r.area].through })
}

// dependencies are the areas and characters of the ticks that cannot be stored yet and stay queued. Later ticks of the same areas
// or characters must stay queued too.
type dependencies struct {
	cluster    bool
	areas      map[sim.AreaID]bool
	characters map[sim.CharacterID]bool
}

// block reports whether the tick t must stay queued. That is so if an earlier tick that stays queued has the same area or a
// character of t; d has the areas and characters of these ticks.
//
// There is an exception in a cluster: a joined tick (see joinInto) waits only for earlier ticks of its own area, and ticks of other
// areas do not wait for it. The reason: while the database is unavailable for long, each process joins different ticks, so the owners
// of two areas could otherwise wait for each other forever. The records of the two areas may therefore be stored out of order. They
// are complete once all are stored.
func (d *dependencies) block(t *tickRecords) bool {
	return slices.ContainsFunc(t.ticks, func(r tickRange) bool { return d.areas[r.area] }) ||
		!(d.cluster && t.isJoined()) && slices.ContainsFunc(t.records, func(c *sim.Character) bool { return d.characters[c.ID] })
}

// isJoined reports whether t is a joined tick: several ticks of one area that a process of a cluster has combined.
func (t *tickRecords) isJoined() bool { return t.ticks[0].first < t.ticks[0].last }

// add notes that the tick t stays queued.
func (d *dependencies) add(t *tickRecords) {
	if d.areas == nil {
		d.areas, d.characters = map[sim.AreaID]bool{}, map[sim.CharacterID]bool{}
	}
	for _, r := range t.ticks {
		d.areas[r.area] = true
	}
	if d.cluster && t.isJoined() {
		return
	}
	for _, c := range t.records {
		d.characters[c.ID] = true
	}
}

// merge applies a tick to the records in memory. It skips records of characters that were deleted after the tick. The
// caller holds k.mu.
func (k *recordWriter) merge(t *tickRecords) {
	for _, c := range t.records {
		if r := k.records[c.ID]; r != nil {
			r.current = c
			k.setChanged(r, true)
		}
	}
	for i := range t.ground {
		k.changeGround(&t.ground[i])
	}
}
