//go:build linux

package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// The test finds lost and doubled stacks by their sizes, which identify them. A new character has a stack of kitAmount pieces of each item.
// When player n drops pieces of an item for the first time, it drops n+1 pieces. From then on, players drop and pick up the stack of
// n+1 pieces and the stack of the remaining kitAmount-n-1 pieces only as a whole, and never merge stacks. So the size of a stack is
// unique among the stacks of its item, except for untouched stacks of kitAmount pieces.

// stack is the content of an inventory slot, or an item on the ground: an item id and a number of pieces.
type stack struct{ item, amount uint16 }

// String returns the item and the number of pieces.
func (s stack) String() string { return fmt.Sprintf("%s %d", itemNames[s.item], s.amount) }

// lying is a stack on the ground.
type lying struct {
	stack
	pos geom.Vec
}

// request is a client's request to drop or pick up an item. The client may not have received the server's answer yet.
type request struct {
	at   time.Time
	drop stack  // the stack to drop; zero for a request to pick up
	pick uint32 // handle of the item to pick up; 0 for a request to drop
	slot uint8  // inventory slot that the stack leaves or enters
}

// inventory is the state of items that a RealmCrafter client has received: its player's slots and the items on the ground.
type inventory struct {
	number int              // number of the player, from 0
	slots  map[uint8]stack  // the player's items by inventory slot
	ground map[uint32]lying // items on the ground of the area, by handle
	asked  []request        // unanswered requests, oldest first
	seen   bool             // the client has entered an area and received the items on its ground
}

func newInventory(number int) inventory {
	return inventory{number: number, slots: map[uint8]stack{}, ground: map[uint32]lying{}}
}

// part returns the number of pieces that the player splits off a full stack of kitAmount pieces.
func (v *inventory) part() uint16 { return uint16(v.number + 1) }

// set stores some of the inventory's slots. The server sends them before the player enters the world.
func (v *inventory) set(slots []proto.SlotItem) {
	for _, s := range slots {
		if s.Amount > 0 && itemNames[s.Item.ID] != "" {
			v.slots[s.Slot] = stack{s.Item.ID, s.Amount}
		}
	}
}

// enterArea clears the list of items on the ground. The server sends the items of the new area next.
func (v *inventory) enterArea() {
	clear(v.ground)
	v.seen = true
}

// dropped records a stack that lies on the ground. If this client's own player has dropped it, the function also removes the
// stack from the player's slots.
func (v *inventory) dropped(k *proto.InventoryDropped) {
	s := stack{k.Item.ID, k.Amount}
	v.ground[k.Drop] = lying{s, geom.Vec{X: k.X, Y: k.Y, Z: k.Z}}
	if k.Drop == 0 { // 0: not a drop, but an item that the player has got since its client received the inventory
		return
	}
	for slot, have := range v.slots {
		switch {
		case have == s:
			delete(v.slots, slot)
		case have == (stack{s.item, kitAmount}) && s.amount == v.part():
			v.slots[slot] = stack{s.item, kitAmount - s.amount}
		default:
			continue
		}
		v.asked = slices.DeleteFunc(v.asked, func(r request) bool { return r.drop == s })
	}
}

// taken removes pieces from a slot at the server's request, which it sends after a login if it had sent the client an older inventory.
func (v *inventory) taken(k *proto.InventoryTaken) {
	s := v.slots[k.Slot]
	if s.amount <= k.Amount {
		delete(v.slots, k.Slot)
		return
	}
	s.amount -= k.Amount
	v.slots[k.Slot] = s
}

func (v *inventory) gone(handle uint32) { delete(v.ground, handle) }

// received moves a stack from the ground to the slot into which the player picked it up.
func (v *inventory) received(k *proto.InventoryReceived) {
	v.slots[k.Slot] = v.ground[k.Drop].stack
	delete(v.ground, k.Drop)
	v.asked = slices.DeleteFunc(v.asked, func(r request) bool { return r.pick == k.Drop })
}

// freeSlot returns an empty slot of the backpack that no open request uses.
func (v *inventory) freeSlot() (slot uint8, ok bool) {
	for slot := uint8(firstSlot); slot < slotCount; slot++ {
		_, used := v.slots[slot]
		if !used && !slices.ContainsFunc(v.asked, func(r request) bool { return r.slot == slot }) {
			return slot, true
		}
	}
	return 0, false
}

// Slots of the backpack.
const (
	firstSlot = 14
	slotCount = 46
)

// after returns every inventory that the player can have on the server, which may have executed all, some or none of the client's
// unanswered requests. It also returns these requests, as open.
func (v *inventory) after() (list []map[uint8]stack, open []request) {
	list = []map[uint8]stack{v.slots}
	for _, r := range v.asked {
		for _, slots := range slices.Clone(list) {
			changed := maps.Clone(slots)
			if lies, ok := v.ground[r.pick]; ok && r.pick != 0 {
				changed[r.slot] = lies.stack
			} else if have := slots[r.slot]; r.pick == 0 && have.item == r.drop.item && have.amount >= r.drop.amount {
				changed[r.slot] = stack{have.item, have.amount - r.drop.amount}
				if have.amount == r.drop.amount {
					delete(changed, r.slot)
				}
			}
			list = append(list, changed)
		}
	}
	return list, v.asked
}

// trade makes a player drop and pick up items from time to time.
type trade struct {
	next  time.Time // time of the next request
	until time.Time // time at which the player abandons its walk to an item; zero while it does not walk to one
	goal  uint32    // handle of the item that the player walks to
}

const (
	tradePause = 2 * time.Second // average time between two requests about items
	tradeWalk  = 5 * time.Second // maximum time of a walk to an item
	maxLying   = 25              // players drop nothing while this many items are on the ground of their area
	pickReach  = 12              // distance in units from which a player picks up an item; the server allows 20
)

// act drops an item or picks one up, if it is time to do so. The result walks is true if the player walks to an item.
func (t *trade) act(a *rcce.Player, v *inventory) (walks bool) {
	now, random := a.Now(), a.Rand()
	v.asked = slices.DeleteFunc(v.asked, func(r request) bool { return now.Sub(r.at) > requestUnsure })
	if !t.until.IsZero() {
		return t.fetch(a, v)
	}
	if now.Before(t.next) {
		return false
	}
	t.next = now.Add(tradePause/2 + time.Duration(random.Int64N(int64(tradePause))))
	if random.IntN(2) == 0 && len(v.ground) < maxLying && len(v.asked) == 0 {
		v.dropAny(a)
		return false
	}
	if handle, ok := v.oldest(random.IntN(3)); ok {
		t.goal, t.until = handle, now.Add(tradeWalk)
		a.WalkTo(v.ground[handle].pos.X, v.ground[handle].pos.Z, true)
		return true
	}
	return false
}

// fetch continues the walk to an item, and picks it up when it is near.
func (t *trade) fetch(a *rcce.Player, v *inventory) (walks bool) {
	item, ok := v.ground[t.goal]
	slot, free := v.freeSlot()
	near := geom.DistXZ(item.pos, a.Pos()) < pickReach
	switch {
	case !ok || !free || a.Now().After(t.until):
	case near:
		a.PickUp(t.goal, slot)
		v.asked = append(v.asked, request{at: a.Now(), pick: t.goal, slot: slot})
	default:
		return true
	}
	t.until = time.Time{}
	return false
}

// dropAny sends a request to drop a random stack. Of a full stack of kitAmount pieces it drops only as many pieces as the method
// part returns.
func (v *inventory) dropAny(a *rcce.Player) {
	if len(v.slots) == 0 {
		return
	}
	list := slices.Sorted(maps.Keys(v.slots))
	slot := list[a.Rand().IntN(len(list))]
	s := v.slots[slot]
	if s.amount == kitAmount {
		s.amount = v.part()
	}
	a.Drop(slot, s.amount)
	v.asked = append(v.asked, request{at: a.Now(), drop: s, slot: slot})
}

// oldest returns the handle of an item on the ground: the oldest item if n is 0, the second oldest if n is 1, and so on, or the
// newest if there are too few. Players prefer old items, because the server removes items after ten minutes on the ground.
func (v *inventory) oldest(n int) (handle uint32, ok bool) {
	list := slices.Sorted(maps.Keys(v.ground))
	if len(list) == 0 {
		return 0, false
	}
	return list[min(n, len(list)-1)], true
}
