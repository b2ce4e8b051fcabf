package sim

import (
	"cmp"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Limits of items on the ground. maxGround and groundTTL are not measured. They are chosen so that there are enough items
// for a crowded market, and few enough to send all of them to a player that enters.
const (
	maxGround     = 500       // maximum items on the ground of an area; the oldest is removed first
	groundTTL     = 600_000   // ms until an item on the ground is removed
	reachSquared  = 400       // square of the maximum distance (20 units) for picking up an item
	handlesPerDef = 1 << 20   // ground item handles reserved for each area, which makes handles unique in the world; see MaxAreas
	maxStack      = 1<<16 - 1 // maximum items in a stack: a u16 on the wire
)

// groundItem is an item on the ground with the tick in which it is removed.
type groundItem struct {
	GroundItem
	goneTick Tick
}

// handleItems executes the intents about items. Moving an item to a slot that it does not fit is refused, as in the
// RealmCrafter server.
func (a *Area) handleItems(x *actor, in *Intent) {
	if x.dead {
		a.refuse(x.id, 0, reason.Dead, 0, 0)
		return
	}
	var ok bool
	switch in.Kind {
	case IntentSwap:
		ok = a.swapItems(x, in.SlotA, in.SlotB, in.Amount)
	case IntentStack:
		ok = a.stackItems(x, in.SlotA, in.SlotB, in.Amount)
	case IntentDrop:
		ok = a.dropItem(x, in.SlotA, in.Amount)
	case IntentPickUp:
		i := a.groundIndex(x, in.Ground)
		if i >= 0 && !a.canReachItem(x, a.ground[i].Pos) {
			a.refuse(x.id, 0, reason.Covered, 0, 0)
			return
		}
		ok = a.pickUp(x, i, in.SlotA)
	}
	if !ok {
		a.refuse(x.id, 0, reason.BadSlot, float32(in.SlotA), float32(in.SlotB))
		return
	}
	x.bodyStale = true
	moved := in.Kind == IntentSwap || in.Kind == IntentStack
	if in.SlotA < SlotBackpack || moved && in.SlotB < SlotBackpack {
		a.updateEquipment(x)
	}
	if in.SlotA <= SlotFeet || moved && in.SlotB <= SlotFeet { // rings and amulets are not visible
		a.emit(Event{Kind: EventEquipment, Who: x.id})
	}
}

// swapItems exchanges the stacks of two slots, or moves a part of a stack (amount items) to an empty slot. It returns
// false if that is not allowed.
func (a *Area) swapItems(x *actor, from, to uint8, amount uint16) bool {
	if from >= SlotCount || to >= SlotCount || from == to || x.inv[from].Empty() {
		return false
	}
	src, dst := &x.inv[from], &x.inv[to]
	if amount > src.Amount || to < SlotBackpack && amount > 1 {
		return false
	}
	if !a.fitsSlot(x, *src, from) || !a.fitsSlot(x, *src, to) || !dst.Empty() && !a.fitsSlot(x, *dst, from) {
		return false
	}
	if amount == 0 || !dst.Empty() || amount == src.Amount {
		if from < SlotBackpack && dst.Amount > 1 || to < SlotBackpack && src.Amount > 1 {
			return false // an equipment slot holds only one item
		}
		*src, *dst = *dst, *src
		return true
	}
	*dst = *src
	dst.Amount = amount
	src.Amount -= amount
	return true
}

// stackItems moves items onto a stack of equal items in a backpack slot. If the parameter amount is 0, it moves all. It returns
// false if that is not allowed.
func (a *Area) stackItems(x *actor, from, to uint8, amount uint16) bool {
	if from >= SlotCount || to >= SlotCount || to < SlotBackpack || from == to {
		return false
	}
	src, dst := &x.inv[from], &x.inv[to]
	if amount == 0 {
		amount = src.Amount
	}
	if src.Empty() || dst.Empty() || amount > src.Amount || !a.world.CanStack(*src, *dst) || int(dst.Amount)+int(amount) > maxStack {
		return false
	}
	dst.Amount += amount
	src.Amount -= amount
	if src.Amount == 0 {
		*src = ItemStack{}
	}
	return true
}

// dropItem moves amount items of the stack in a slot to the ground at the player's position. It returns false if that is
// not possible.
func (a *Area) dropItem(x *actor, slot uint8, amount uint16) bool {
	if slot >= SlotCount || amount == 0 || x.inv[slot].Amount < amount {
		return false
	}
	s := x.inv[slot]
	s.Amount = amount
	x.inv[slot].Amount -= amount
	if x.inv[slot].Amount == 0 {
		x.inv[slot] = ItemStack{}
	}
	if len(a.ground) >= maxGround {
		a.removeGround(a.oldestGround(), 0, 0)
	}
	handle, i := a.newHandle()
	item := GroundItem{Handle: handle, Stack: s, Pos: x.pos, Dropper: x.record.ID}
	a.ground = slices.Insert(a.ground, i, groundItem{item, a.now + a.ticks(groundTTL)})
	a.emit(Event{Kind: EventDropped, Who: x.id, Ground: item})
	x.saveTick = a.now // save now: otherwise a crash could duplicate the item after another player picks it up
	return true
}

// AreaOfHandle returns the area of an item on the ground, from the handle (number) of the item. The item may no longer exist.
func AreaOfHandle(handle uint32) AreaID { return AreaID(handle / handlesPerDef) }

// newHandle returns an unused handle (the number that identifies an item on the ground) and the index in a.ground at which the
// item with this handle must be inserted.
func (a *Area) newHandle() (handle uint32, i int) {
	for taken := true; taken; {
		a.lastHandle = a.lastHandle%(handlesPerDef-1) + 1
		handle = uint32(a.id)*handlesPerDef + a.lastHandle
		i, taken = slices.BinarySearchFunc(a.ground, handle, func(g groundItem, h uint32) int { return cmp.Compare(g.Handle, h) })
	}
	return handle, i
}

// groundIndex returns the index in a.ground of the item with a handle (its number on the ground). It returns -1 if the item does
// not exist or the player does not reach it.
func (a *Area) groundIndex(x *actor, handle uint32) int {
	return slices.IndexFunc(a.ground, func(g groundItem) bool {
		return g.Handle == handle && geom.Dist2XZ(x.pos, g.Pos) <= reachSquared
	})
}

// pickUp moves the item with index i in a.ground into an inventory slot of the player. It returns false if i is -1 or the item
// does not fit.
func (a *Area) pickUp(x *actor, i int, slot uint8) bool {
	if i < 0 || slot >= SlotCount {
		return false
	}
	g := a.ground[i]
	if !a.fitsSlot(x, g.Stack, slot) {
		return false
	}
	dst := &x.inv[slot]
	switch {
	case dst.Empty() && (slot >= SlotBackpack || g.Stack.Amount == 1):
		*dst = g.Stack
	case slot >= SlotBackpack && a.world.CanStack(*dst, g.Stack) && int(dst.Amount)+int(g.Stack.Amount) <= maxStack:
		dst.Amount += g.Stack.Amount
	default:
		return false
	}
	a.removeGround(i, x.id, slot)
	x.saveTick = a.now // save now: the record of the player that dropped the item no longer has it
	return true
}

// receive puts a new stack into a backpack slot, which must be empty or have a stack of the same items with room for it. To
// clients it looks as if an item was dropped in front of the player and picked up in the same tick: they are sent these two
// events.
func (a *Area) receive(x *actor, s ItemStack, slot uint8) bool {
	handle, i := a.newHandle()
	g := groundItem{GroundItem{Handle: handle, Stack: s, Pos: x.pos, Dropper: x.record.ID}, a.now + a.ticks(groundTTL)}
	a.ground = slices.Insert(a.ground, i, g)
	a.emit(Event{Kind: EventDropped, Who: x.id, Ground: g.GroundItem})
	ok := a.pickUp(x, i, slot)
	x.bodyStale = true
	return ok
}

// canReachItem reports whether no solid is between a player and an item: the player reaches the item if it could attack an
// actor at that position. Every nearby player reaches an item that is inside a solid, or so near to one that it counts as
// inside. That is no advantage for cheaters, because only a player that the server placed there can have dropped it. The height
// of an item is the height that its dropper claimed, which is as trustworthy as the height of the player that picks it up.
func (a *Area) canReachItem(x *actor, at geom.Vec) bool {
	flies := a.sceneOf(x).Flies
	return a.def.Walls.Inside(at, false) || a.lineOfSightBetween(x.pos, at, flies, flies)
}

// oldestGround returns the index in a.ground of the item that has been on the ground longest.
func (a *Area) oldestGround() int {
	oldest := 0
	for i := range a.ground {
		if a.ground[i].goneTick < a.ground[oldest].goneTick {
			oldest = i
		}
	}
	return oldest
}

// removeGround removes item i from the ground. If a player picked the item up, the parameter who is the player, and slot is where
// the player put the item. If the item expired, who is 0.
func (a *Area) removeGround(i int, who EntityID, slot uint8) {
	a.emit(Event{Kind: EventPickedUp, Who: who, Ground: a.ground[i].GroundItem, N: int32(slot)})
	a.ground = slices.Delete(a.ground, i, i+1)
}

// expireGround removes items that have been on the ground for groundTTL.
func (a *Area) expireGround() {
	for i := 0; i < len(a.ground); {
		if a.now >= a.ground[i].goneTick {
			a.removeGround(i, 0, 0)
			continue
		}
		i++
	}
}

// CanStack reports whether two stacks may be merged: they must have the same stackable item with the same health and
// attributes. It does not check that the sum of the amounts fits into a stack.
func (w *World) CanStack(p, q ItemStack) bool {
	it := w.Item(p.ID())
	return it != nil && it.Stackable && p.Item == q.Item && p.Health == q.Health && p.Attr == q.Attr
}

// fitsSlot reports whether an item may be in a slot of an actor. A backpack slot may contain any item. An equipment slot
// may contain items of its kind, if the actor's template has the slot and the item is not reserved for another race or
// class.
func (a *Area) fitsSlot(x *actor, s ItemStack, slot uint8) bool {
	it := a.world.Item(s.ID())
	if it == nil {
		return false
	}
	if slot >= SlotBackpack {
		return x.tmpl.Slots&(1<<slotBitBackpack) != 0
	}
	if !slotTakes(it, slot) {
		return false
	}
	if it.ExclusiveRace != "" {
		return EqualFold(it.ExclusiveRace, x.tmpl.Race) // an item for this race may be in a slot that the template lacks
	}
	if it.ExclusiveClass != "" && !EqualFold(it.ExclusiveClass, x.tmpl.Class) {
		return false
	}
	return x.tmpl.Slots&(1<<slotBit(slot)) != 0
}

// Bit numbers in Template.Slots, which has one bit for each kind of equipment slot. These constants are the bits of the kinds of
// which an actor has several slots, such as rings. For any other slot, the bit number is the number of the slot.
const (
	slotBitRing     = 8
	slotBitAmulet   = 9
	slotBitBackpack = 10
)

// slotBit returns the number of the bit in Template.Slots that stands for an equipment slot.
func slotBit(slot uint8) uint8 {
	switch {
	case slot >= SlotAmulet:
		return slotBitAmulet
	case slot >= SlotRing:
		return slotBitRing
	}
	return slot
}

// slotTakes reports whether items of this kind belong into an equipment slot, such as a helmet on the head.
func slotTakes(it *Item, slot uint8) bool {
	switch it.Kind {
	case ItemWeapon:
		return slot == SlotWeapon
	case ItemArmour:
		return slot >= SlotShield && slot <= SlotFeet && it.SlotKind == slot+1
	case ItemJewel:
		if it.SlotKind == slotBitRing+1 {
			return slot >= SlotRing && slot < SlotAmulet
		}
		return slot >= SlotAmulet && slot < SlotBackpack
	}
	return false
}

// setActionBarSlot stores the content of an action bar slot in the player's record. No rule reads the content. Records
// are shared and immutable, so the player gets a copy with the change.
func (a *Area) setActionBarSlot(x *actor, slot uint8, text string) {
	if int(slot) >= len(x.record.ActionBar) {
		a.refuse(x.id, 0, reason.BadSlot, float32(slot), float32(len(x.record.ActionBar)))
		return
	}
	c := *x.record
	c.ActionBar[slot] = text
	x.record = &c
	x.bodyStale = true
}
