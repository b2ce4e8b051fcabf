package session

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// droppedItem is an item on the ground of an area.
//
// While the item is on the ground, the stored record of the character that dropped it still contains it, in
// sim.Character.Dropped. When another character picks the item up, the records of both characters are stored in one
// transaction. When the server ends, there are two cases:
//
//   - The items on the ground are lost: after a stop, or after a kill without a tape or with a discarded tape. The character gets
//     the item back when its record is read (giveBack). If the item does not fit into the backpack, it stays in Dropped until it
//     fits.
//   - The ground is restored from the tape: RestoredRecords finds the items on the ground in the stored records by their handles
//     and removes them from the records that are read, so that the item is only on the ground.
type droppedItem struct {
	handle  uint32
	area    sim.AreaID
	dropper sim.CharacterID
	stack   sim.ItemStack
}

// groundChange is a change of the set of items on the ground of an area.
type groundChange struct {
	kind groundChangeKind
	item droppedItem // the item; for groundSeen only the area is set
	seen []uint32    // for groundSeen: handles of all items on the ground of the area, sorted

	// lying and gone are set for groundSeen in a cluster. lying has all items on the ground of the area. gone has the handles that
	// were in recordWriter.ground when the frame was read, but are not in seen.
	lying []droppedItem
	gone  []uint32

	// removed is set for groundSeen in a cluster, when the change is merged: the known items that it has removed from the ground, sorted by
	// handle. If the save of the tick fails, the records of their droppers are stored at the next attempt.
	removed []droppedItem
}

type groundChangeKind uint8

const (
	itemDropped groundChangeKind = iota
	itemRemoved                  // a player picked the item up, or it has expired
	groundSeen                   // after missed frames: seen lists all items on the ground, and all others were removed
)

func toDropped(g *sim.GroundItem, in sim.AreaID) droppedItem {
	return droppedItem{handle: g.Handle, area: in, dropper: g.Dropper, stack: g.Stack}
}

// putFrame queues the records in a frame to be saved. The world emits a player's record in the tick in which the player drops
// or picks up an item. The result pickedUp is true if an item was picked up. The caller then saves at once instead of waiting
// for the next interval, so that the records of both characters are stored soon. The parameter missed is true if frames before
// this one were missed.
func (k *recordWriter) putFrame(f *sim.Frame, missed bool) (pickedUp bool) {
	if f.Tick > sim.Tick(k.read[f.Area].Load())+1 {
		missed = missed || k.cluster // in a cluster, a process that has started from a snapshot has missed all earlier frames, too
		k.gap[f.Area].Store(uint64(f.Tick - 1))
		k.world.Missed(f.Area, f.Tick-1) // the world must know of the missed ticks before k.read changes: see nextBatch
	}
	defer k.read[f.Area].Store(uint64(f.Tick)) // the tick counts as read only when the records of the frame are queued
	matters := func(e sim.Event) bool {
		return e.Record != nil || e.Kind == sim.EventPickedUp || k.cluster && e.Kind == sim.EventDropped
	}
	if !missed && !slices.ContainsFunc(f.Events, matters) {
		return false // most frames contain no record
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cluster {
		k.seeGround(f, missed)
	}
	t := &tickRecords{ticks: []tickRange{{f.Area, f.Tick, f.Tick}}}
	if missed {
		t.ground = append(t.ground, k.groundSeen(f))
	}
	for i := range f.Events {
		if c := f.Events[i].Record; c != nil && !k.hasNewer(c) {
			t.add(c)
		}
	}
	for i := range f.Events {
		e := &f.Events[i]
		switch e.Kind {
		case sim.EventDropped:
			if t.has(e.Ground.Dropper) { // if the dropper has no record here, its older record still has the item in the backpack
				t.ground = append(t.ground, groundChange{kind: itemDropped, item: toDropped(&e.Ground, f.Area)})
			}
		case sim.EventPickedUp: // Who is 0 if the item has expired
			t.ground = append(t.ground, groundChange{kind: itemRemoved, item: toDropped(&e.Ground, f.Area)})
			pickedUp = pickedUp || e.Who != 0
		}
	}
	if len(t.records) > 0 || len(t.ground) > 0 {
		k.wait(t)
	}
	return pickedUp
}

// hasNewer reports whether the writer has a record of the same character that is newer than c. The caller holds k.mu.
func (k *recordWriter) hasNewer(c *sim.Character) bool {
	r := k.records[c.ID]
	return r != nil && r.newest != nil && !r.restored && r.newest.Version > c.Version
}

// add adds a record to the changes of a tick. It replaces an earlier record of the same character.
func (t *tickRecords) add(c *sim.Character) {
	for i := range t.records {
		if t.records[i].ID == c.ID {
			t.records[i] = c
			return
		}
	}
	t.records = append(t.records, c)
}

func (t *tickRecords) has(id sim.CharacterID) bool {
	return slices.ContainsFunc(t.records, func(c *sim.Character) bool { return c.ID == id })
}

// groundSeen returns a change after which the known items on the ground of an area are those in the frame f. The caller holds k.mu.
func (k *recordWriter) groundSeen(f *sim.Frame) groundChange {
	g := groundChange{kind: groundSeen, item: droppedItem{area: f.Area}, seen: handlesOf(f.Ground)}
	if !k.cluster {
		return g
	}
	for i := range f.Ground {
		g.lying = append(g.lying, toDropped(&f.Ground[i], f.Area))
	}
	for handle, in := range k.ground {
		if _, seen := slices.BinarySearch(g.seen, handle); in == f.Area && !seen {
			g.gone = append(g.gone, handle)
		}
	}
	return g
}

func handlesOf(ground []sim.GroundItem) []uint32 {
	handles := make([]uint32, len(ground))
	for i := range ground {
		handles[i] = ground[i].Handle
	}
	return handles
}

// changeGround processes a change of the items on the ground of an area: it updates the lists of dropped items
// (heldRecord.onGround) of the characters that dropped them. The caller holds k.mu.
func (k *recordWriter) changeGround(g *groundChange) {
	switch g.kind {
	case itemDropped:
		if r := k.records[g.item.dropper]; r != nil && r.current != nil {
			r.onGround = append(r.onGround, g.item)
			k.setChanged(r, true)
		}
	case itemRemoved:
		if r := k.records[g.item.dropper]; r != nil && r.current != nil {
			r.onGround = slices.DeleteFunc(r.onGround, func(d droppedItem) bool { return d.handle == g.item.handle })
			k.setChanged(r, true)
		}
	case groundSeen:
		for _, r := range k.records {
			gone := func(d droppedItem) bool {
				_, seen := slices.BinarySearch(g.seen, d.handle)
				return d.area == g.item.area && !seen
			}
			if slices.ContainsFunc(r.onGround, gone) {
				r.onGround = slices.DeleteFunc(r.onGround, gone)
				k.setChanged(r, true)
			}
		}
	}
}

// withDropped returns a copy of the record c as it must be stored: the field Dropped also contains the character's
// items on the ground.
func withDropped(c *sim.Character, onGround []droppedItem) *sim.Character {
	if len(onGround) == 0 {
		return c
	}
	with := *c
	with.Dropped = slices.Clone(c.Dropped)
	for _, d := range onGround {
		with.Dropped = append(with.Dropped, sim.DroppedItem{Handle: d.handle, Stack: d.stack})
	}
	return &with
}

// giveBack returns a copy of the record c in which the dropped items are in the backpack. Items that do not fit stay in Dropped, but
// without a handle, because they are on the ground of no area.
func giveBack(c *sim.Character, w *sim.World) *sim.Character {
	if len(c.Dropped) == 0 {
		return c
	}
	with := *c
	with.Dropped = nil
	for _, d := range c.Dropped {
		slot := slotFor(&with.Inventory, d.Stack, w)
		if slot < 0 {
			with.Dropped = append(with.Dropped, sim.DroppedItem{Stack: d.Stack})
			continue
		}
		amount := with.Inventory[slot].Amount
		with.Inventory[slot] = d.Stack
		with.Inventory[slot].Amount += amount // the amount of an empty slot is 0; its other fields may have any value
	}
	return &with
}

// slotFor returns the backpack slot for an item: a slot with items that it can be stacked onto, else an empty slot,
// else -1.
func slotFor(inv *sim.Inventory, s sim.ItemStack, w *sim.World) int {
	for slot := sim.SlotBackpack; slot < sim.SlotCount; slot++ {
		if have := inv[slot]; !have.Empty() && w.CanStack(have, s) && have.Amount <= ^s.Amount {
			return slot
		}
	}
	for slot := sim.SlotBackpack; slot < sim.SlotCount; slot++ {
		if inv[slot].Empty() {
			return slot
		}
	}
	return -1
}
