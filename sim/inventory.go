package sim

// SlotAmount is an inventory slot and a number of items that were put into it or removed from it.
type SlotAmount struct {
	Slot   uint8  // inventory slot, 0..45
	Amount uint16 // number of items that were put in or removed
}

// AddItems adds new items of a kind to the backpack of an actor of template t: first onto stacks of the same items, then into
// free slots. An item that cannot be stacked uses a slot of its own. It returns how many it has added to which slots. If not all
// of them fit, or the world has no such item, it returns nil and leaves the inventory unchanged.
func (w *World) AddItems(inv *Inventory, t *Template, item, amount uint16) []SlotAmount {
	def := w.Item(item)
	if def == nil || amount == 0 || t.Slots&(1<<slotBitBackpack) == 0 {
		return nil
	}
	var added []SlotAmount
	next := *inv
	put := func(slot int, room uint16) {
		n := min(room, amount)
		if n == 0 {
			return
		}
		next[slot] = ItemStack{Item: item, Amount: inv[slot].Amount + n, Health: newItemHealth}
		added = append(added, SlotAmount{uint8(slot), n})
		amount -= n
	}
	perSlot := uint16(1)
	if def.Stackable {
		perSlot = maxStack
		for slot := SlotBackpack; slot < SlotCount; slot++ {
			if s := inv[slot]; !s.Empty() && w.CanStack(s, ItemStack{Item: item, Amount: 1, Health: newItemHealth}) {
				put(slot, maxStack-s.Amount)
			}
		}
	}
	for slot := SlotBackpack; slot < SlotCount; slot++ {
		if inv[slot].Empty() {
			put(slot, perSlot)
		}
	}
	if amount > 0 {
		return nil
	}
	*inv = next
	return added
}

const newItemHealth = 100 // percent

// RemoveItems removes items of a kind from a slot, or from any slots if slot is AnySlot: from the backpack first, then from the
// equipment. If the parameter amount is 0, it removes all. It returns how many it has removed from which slots. If there are
// fewer than amount, or none, it returns nil and leaves the inventory unchanged.
func (inv *Inventory) RemoveItems(item, amount uint16, slot uint8) []SlotAmount {
	left, all := int(amount), amount == 0
	var removed []SlotAmount
	next := *inv
	for i := range SlotCount {
		at := (i + SlotBackpack) % SlotCount
		s := &next[at]
		if s.Empty() || s.Item != item || slot != AnySlot && int(slot) != at {
			continue
		}
		n := s.Amount
		if !all {
			n = uint16(min(int(n), left))
		}
		if n == 0 {
			continue
		}
		left -= int(n)
		s.Amount -= n
		if s.Amount == 0 {
			*s = ItemStack{}
		}
		removed = append(removed, SlotAmount{uint8(at), n})
	}
	if !all && left > 0 {
		return nil
	}
	if removed != nil {
		*inv = next
	}
	return removed
}
