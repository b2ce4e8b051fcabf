package session

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// droppedItem is an item on the ground of an area.
//
// As long as it is there, the stored record of the player that dropped it still has it: if the server is killed, or stops, the item is
// neither lost nor there twice. The record without it is stored in one transaction with that of the player that picks it up, immediately.
type droppedItem struct {
	handle uint32
	area   sim.AreaID
	stack  sim.ItemStack
}

// putFrame holds the records of a frame until they are saved. It reports whether an item was picked up: the records of both players
// are then saved immediately. The world emits the record of a player in the tick in which it drops or picks up, after that event. missed
// says that frames before this one were missed.
func (k *recordWriter) putFrame(f *sim.Frame, missed bool) (pickedUp bool) {
	if !missed && !slices.ContainsFunc(f.Events, func(e sim.Event) bool { return e.Record != nil || e.Kind == sim.EventPickedUp }) {
		return false // most frames have no record
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range f.Events {
		if c := f.Events[i].Record; c != nil {
			k.putLocked(c)
		}
	}
	for i := range f.Events {
		e := &f.Events[i]
		if e.Kind != sim.EventDropped && e.Kind != sim.EventPickedUp {
			continue
		}
		switch c := recordOf(f, e.Who); {
		case e.Kind == sim.EventDropped && c != nil:
			k.droppers[e.Ground.Handle] = c.ID
			r := k.records[c.ID]
			r.onGround = append(r.onGround, droppedItem{e.Ground.Handle, f.Area, e.Ground.Stack})
			k.changed(r)
		case e.Kind == sim.EventPickedUp: // Who is 0 if the item has expired
			giver := k.takeOffGround(e.Ground.Handle)
			if c != nil {
				k.records[c.ID].trader, pickedUp = true, true
				if giver != nil {
					giver.trader = true
				}
			}
		}
	}
	if missed {
		k.removeUnseen(f)
	}
	return pickedUp
}

// takeOffGround removes an item from the record of the player that dropped it, and returns that record; nil if none is known. The
// caller holds k.mu.
func (k *recordWriter) takeOffGround(handle uint32) *heldRecord {
	r := k.records[k.droppers[handle]]
	delete(k.droppers, handle)
	if r != nil {
		r.onGround = slices.DeleteFunc(r.onGround, func(d droppedItem) bool { return d.handle == handle })
		k.changed(r)
	}
	return r
}

// removeUnseen removes the items that are not on the ground of a frame's area: they were picked up in a frame that was missed. The
// caller holds k.mu.
func (k *recordWriter) removeUnseen(f *sim.Frame) {
	for _, r := range k.records {
		for _, d := range slices.Clone(r.onGround) {
			if d.area == f.Area && !slices.ContainsFunc(f.Ground, func(g sim.GroundItem) bool { return g.Handle == d.handle }) {
				k.takeOffGround(d.handle)
			}
		}
	}
}

// recordOf returns the last record of an actor in a frame, nil if there is none.
func recordOf(f *sim.Frame, who sim.EntityID) *sim.Character {
	for i := len(f.Events) - 1; i >= 0 && who != 0; i-- {
		if e := &f.Events[i]; e.Who == who && e.Record != nil {
			return e.Record
		}
	}
	return nil
}

// withDropped returns c with items put into its backpack, as far as there is room. c is not changed.
func withDropped(c *sim.Character, items []droppedItem, w *sim.World) *sim.Character {
	if len(items) == 0 {
		return c
	}
	with := *c
	for _, d := range items {
		if slot := slotFor(&with.Inventory, d.stack, w); slot >= 0 {
			amount := with.Inventory[slot].Amount
			with.Inventory[slot] = d.stack
			with.Inventory[slot].Amount += amount // 0 for an empty slot, whatever its other fields hold
		}
	}
	return &with
}

// slotFor returns the backpack slot that an item is put into: one with the same kind, else an empty one, else -1.
func slotFor(inv *sim.Inventory, s sim.ItemStack, w *sim.World) int {
	kind := w.Item(s.Item)
	if kind != nil && kind.Stackable {
		for slot := sim.SlotBackpack; slot < sim.SlotCount; slot++ {
			if have := inv[slot]; !have.Empty() && have.Item == s.Item && have.Health == s.Health && have.Attr == s.Attr && have.Amount <= ^s.Amount {
				return slot
			}
		}
	}
	for slot := sim.SlotBackpack; slot < sim.SlotCount; slot++ {
		if inv[slot].Empty() {
			return slot
		}
	}
	return -1
}
