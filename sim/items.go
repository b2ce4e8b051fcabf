package sim

import (
	"cmp"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// Limits of things on the ground. guess: enough for a market day, little enough for a newcomer's burst.
const (
	maxGround     = 500       // items per area; the oldest makes room
	groundTTL     = 600_000   // ms until an item on the ground is gone
	reachSquared  = 400       // square units: how near one must be to pick up
	handlesPerDef = 1 << 20   // ground handles of one area, so that handles are unique in the world
	maxStack      = 1<<16 - 1 // the wire's u16
)

// groundItem is an item on the ground with its end.
type groundItem struct {
	GroundItem
	goneTick Tick
}

// handle is everything that a player does with his inventory. Rules as in the original: what does not fit is refused.
func (a *Area) handle(x *actor, in *Intent) {
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
		if i >= 0 && !a.exposes(x, a.ground[i].Pos) {
			a.refuse(x.id, 0, reason.Covered, 0, 0)
			return
		}
		ok = a.pickUp(x, i, in.SlotA)
	}
	if !ok {
		a.refuse(x.id, 0, reason.BadSlot, float32(in.SlotA), float32(in.SlotB))
		return
	}
	x.changed = true
	moved := in.Kind == IntentSwap || in.Kind == IntentStack
	if in.SlotA <= SlotFeet || moved && in.SlotB <= SlotFeet { // rings and amulets are not seen
		a.dress(x)
		a.emit(Event{Kind: EventEquipment, Who: x.id})
	}
}

// swapItems exchanges two slots, or moves an amount to an empty one.
func (a *Area) swapItems(x *actor, from, to uint8, amount uint16) bool {
	if from >= SlotCount || to >= SlotCount || from == to || x.inv[from].Empty() {
		return false
	}
	src, dst := &x.inv[from], &x.inv[to]
	if amount > src.Amount || to < SlotBackpack && amount > 1 {
		return false
	}
	if !a.fits(x, *src, from) || !a.fits(x, *src, to) || !dst.Empty() && !a.fits(x, *dst, from) {
		return false
	}
	if amount == 0 || !dst.Empty() || amount == src.Amount {
		if from < SlotBackpack && dst.Amount > 1 || to < SlotBackpack && src.Amount > 1 {
			return false // a worn slot holds one
		}
		*src, *dst = *dst, *src
		return true
	}
	*dst = *src
	dst.Amount = amount
	src.Amount -= amount
	return true
}

// stackItems puts items onto the same kind in a backpack slot. Amount 0 means all.
func (a *Area) stackItems(x *actor, from, to uint8, amount uint16) bool {
	if from >= SlotCount || to >= SlotCount || to < SlotBackpack || from == to {
		return false
	}
	src, dst := &x.inv[from], &x.inv[to]
	if amount == 0 {
		amount = src.Amount
	}
	if src.Empty() || dst.Empty() || amount > src.Amount || !a.same(*src, *dst) || int(dst.Amount)+int(amount) > maxStack {
		return false
	}
	dst.Amount += amount
	src.Amount -= amount
	if src.Amount == 0 {
		*src = ItemStack{}
	}
	return true
}

// dropItem lays an amount on the ground where the player stands.
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
		a.takeGround(a.oldestGround(), 0, 0)
	}
	handle, i := a.freeHandle()
	item := GroundItem{Handle: handle, Stack: s, Pos: x.pos}
	a.ground = slices.Insert(a.ground, i, groundItem{item, a.now + a.ticks(groundTTL)})
	a.emit(Event{Kind: EventDropped, Who: x.id, Ground: item})
	x.saveTick = a.now // or a crash would give it back to him after somebody else took it
	return true
}

// freeHandle is the next handle that no item on the ground has, and where it belongs among them.
func (a *Area) freeHandle() (handle uint32, i int) {
	for taken := true; taken; {
		a.nextGr = a.nextGr%(handlesPerDef-1) + 1
		handle = uint32(a.id)*handlesPerDef + a.nextGr
		i, taken = slices.BinarySearchFunc(a.ground, handle, func(g groundItem, h uint32) int { return cmp.Compare(g.Handle, h) })
	}
	return handle, i
}

// groundIndex is the index of the item of that handle, -1 if none lies within reach.
func (a *Area) groundIndex(x *actor, handle uint32) int {
	return slices.IndexFunc(a.ground, func(g groundItem) bool {
		return g.Handle == handle && geom.Dist2XZ(x.pos, g.Pos) <= reachSquared
	})
}

// pickUp takes item i of those on the ground into a slot. It does nothing for -1.
func (a *Area) pickUp(x *actor, i int, slot uint8) bool {
	if i < 0 || slot >= SlotCount {
		return false
	}
	g := a.ground[i]
	if !a.fits(x, g.Stack, slot) {
		return false
	}
	dst := &x.inv[slot]
	switch {
	case dst.Empty() && (slot >= SlotBackpack || g.Stack.Amount == 1):
		*dst = g.Stack
	case slot >= SlotBackpack && a.same(*dst, g.Stack) && int(dst.Amount)+int(g.Stack.Amount) <= maxStack:
		dst.Amount += g.Stack.Amount
	default:
		return false
	}
	a.takeGround(i, x.id, slot)
	x.saveTick = a.now // the record of whoever dropped it has it no more
	return true
}

// exposes tells whether nothing solid stands between a player and what lies at a place: he reaches what he could strike
// if it stood there. What lies in a solid, or so near to one that it counts as inside, is in reach of whoever is near:
// nobody could ever see it, and only who was put there himself can have dropped it. Heights of places are those of who
// dropped it; they are believed as far as that of the player who asks is.
func (a *Area) exposes(x *actor, at geom.Vec) bool {
	flies := a.sceneOf(x).Flies
	return a.def.Walls.Inside(at, false) || a.lineOfSightBetween(x.pos, at, flies, flies)
}

// oldestGround is the index of the item that has lain longest.
func (a *Area) oldestGround() int {
	oldest := 0
	for i := range a.ground {
		if a.ground[i].goneTick < a.ground[oldest].goneTick {
			oldest = i
		}
	}
	return oldest
}

// takeGround takes item i off the ground; who is 0 when it just goes away.
func (a *Area) takeGround(i int, who EntityID, slot uint8) {
	a.emit(Event{Kind: EventPickedUp, Who: who, Ground: a.ground[i].GroundItem, N: int32(slot)})
	a.ground = slices.Delete(a.ground, i, i+1)
}

// decay lets items on the ground go when their time is over.
func (a *Area) decay() {
	for i := 0; i < len(a.ground); {
		if a.now >= a.ground[i].goneTick {
			a.takeGround(i, 0, 0)
			continue
		}
		i++
	}
}

// same tells whether two stacks may become one.
func (a *Area) same(p, q ItemStack) bool {
	it := a.world.Item(p.ID())
	return it != nil && it.Stackable && p.Item == q.Item && p.Health == q.Health && p.Attr == q.Attr
}

// fits tells whether an item may be in a slot of this actor: the backpack takes all; a worn slot takes its own kind,
// from whoever's template has the slot, and nothing made for another race or class.
func (a *Area) fits(x *actor, s ItemStack, slot uint8) bool {
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
		return EqualFold(it.ExclusiveRace, x.tmpl.Race) // such an item may use even a slot that the template lacks
	}
	if it.ExclusiveClass != "" && !EqualFold(it.ExclusiveClass, x.tmpl.Class) {
		return false
	}
	return x.tmpl.Slots&(1<<slotBit(slot)) != 0
}

const (
	slotBitRing     = 8
	slotBitAmulet   = 9
	slotBitBackpack = 10
)

// slotBit is the bit of Template.Slots for a worn slot.
func slotBit(slot uint8) uint8 {
	switch {
	case slot >= SlotAmulet:
		return slotBitAmulet
	case slot >= SlotRing:
		return slotBitRing
	}
	return slot
}

// slotTakes tells whether a worn slot is made for this kind of item.
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

// keepBar keeps what a player put into a slot of his action bar. The rules never look at it; his record brings it back.
// Records are shared with whoever holds them, so this is a new one.
func (a *Area) keepBar(x *actor, slot uint8, text string) {
	if int(slot) >= len(x.record.ActionBar) {
		a.refuse(x.id, 0, reason.BadSlot, float32(slot), float32(len(x.record.ActionBar)))
		return
	}
	c := *x.record
	c.ActionBar[slot] = text
	x.record = &c
	x.changed = true
}
