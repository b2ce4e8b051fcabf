package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

func one(item uint16) ItemStack { return ItemStack{Item: item, Amount: 1, Health: 100} }

func herbs(n uint16) ItemStack { return ItemStack{Item: itemHerb, Amount: n, Health: 100} }

const bag = SlotBackpack // first slot of the backpack

// The rules are those of the RealmCrafter server's inventory: InventorySwap and ActorHasSlot.
func TestInventorySwapIsRefusedIfItemDoesNotFitSlot(t *testing.T) {
	for name, c := range map[string]struct {
		from, to uint8
		amount   uint16
		ok       bool
		set      func(x *actor, w *World)
	}{
		"wield":                          {bag, SlotWeapon, 0, true, func(x *actor, w *World) { x.inv[bag] = one(itemSword) }},
		"wield one":                      {bag, SlotWeapon, 1, true, func(x *actor, w *World) { x.inv[bag] = one(itemSword) }},
		"exchange weapons":               {bag, SlotWeapon, 0, true, func(x *actor, w *World) { x.inv[bag], x.inv[SlotWeapon] = one(itemSword), one(itemBow) }},
		"put away":                       {SlotWeapon, bag, 0, true, func(x *actor, w *World) { x.inv[SlotWeapon] = one(itemSword) }},
		"put on mail":                    {bag, SlotChest, 0, true, func(x *actor, w *World) { x.inv[bag] = one(itemMail) }},
		"put on a ring":                  {bag, SlotRing + 3, 0, true, func(x *actor, w *World) { x.inv[bag] = one(itemRing) }},
		"within the bag":                 {bag, SlotCount - 1, 0, true, func(x *actor, w *World) { x.inv[bag] = herbs(9) }},
		"nothing":                        {bag, SlotWeapon, 0, false, func(x *actor, w *World) {}},
		"onto itself":                    {bag, bag, 0, false, func(x *actor, w *World) { x.inv[bag] = herbs(2) }},
		"beyond the bag":                 {bag, SlotCount, 0, false, func(x *actor, w *World) { x.inv[bag] = herbs(2) }},
		"more than there is":             {bag, bag + 1, 3, false, func(x *actor, w *World) { x.inv[bag] = herbs(2) }},
		"a sword on the head":            {bag, SlotHat, 0, false, func(x *actor, w *World) { x.inv[bag] = one(itemSword) }},
		"mail in the hand":               {bag, SlotHand, 0, false, func(x *actor, w *World) { x.inv[bag] = one(itemMail) }},
		"a ring at the neck":             {bag, SlotAmulet, 0, false, func(x *actor, w *World) { x.inv[bag] = one(itemRing) }},
		"a herb as weapon":               {bag, SlotWeapon, 1, false, func(x *actor, w *World) { x.inv[bag] = herbs(2) }},
		"two swords at once":             {bag, SlotWeapon, 0, false, func(x *actor, w *World) { x.inv[bag] = ItemStack{Item: itemSword, Amount: 2, Health: 9} }},
		"one of two swords":              {bag, SlotWeapon, 1, true, func(x *actor, w *World) { x.inv[bag] = ItemStack{Item: itemSword, Amount: 2, Health: 9} }},
		"a weapon for herbs":             {SlotWeapon, bag, 0, false, func(x *actor, w *World) { x.inv[SlotWeapon], x.inv[bag] = one(itemSword), herbs(1) }},
		"for its race":                   {bag, SlotChest, 0, true, func(x *actor, w *World) { x.inv[bag] = one(itemMail); w.Items[1].ExclusiveRace = "hUMAN" }},
		"for another race":               {bag, SlotChest, 0, false, func(x *actor, w *World) { x.inv[bag] = one(itemMail); w.Items[1].ExclusiveRace = "Elf" }},
		"for another class":              {bag, SlotChest, 0, false, func(x *actor, w *World) { x.inv[bag] = one(itemMail); w.Items[1].ExclusiveClass = "Mage" }},
		"a slot that the template lacks": {bag, SlotChest, 0, false, func(x *actor, w *World) { x.inv[bag] = one(itemMail); w.Templates[0].Slots &^= 1 << SlotChest }},
		"a slot that the template lacks, item for its race": {bag, SlotChest, 0, true, func(x *actor, w *World) {
			x.inv[bag] = one(itemMail)
			w.Items[1].ExclusiveRace = "Human"
			w.Templates[0].Slots &^= 1 << SlotChest
		}},
		"any item in the backpack":            {bag, bag + 1, 0, true, func(x *actor, w *World) { x.inv[bag] = one(itemMail); w.Items[1].ExclusiveRace = "Elf" }},
		"an unknown item":                     {bag, bag + 1, 0, false, func(x *actor, w *World) { x.inv[bag] = one(999) }},
		"whole stack although less was asked": {bag, bag + 1, 2, true, func(x *actor, w *World) { x.inv[bag], x.inv[bag+1] = herbs(5), one(itemRing) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testWorld())
			x := s.player(1, geom.Vec{})
			c.set(x, s.w)
			src, dst := ItemStack{}, ItemStack{}
			if c.to < SlotCount {
				src, dst = x.inv[c.from], x.inv[c.to]
			}
			before := x.inv
			in := Intent{Kind: IntentSwap, Who: 1, SlotA: c.from, SlotB: c.to, Amount: c.amount}
			if !c.ok {
				if s.expectRefusal(reason.BadSlot, in); x.inv != before {
					t.Error("the refused move changed something")
				}
				return
			}
			if s.step(in); len(events(s.f, EventRefused)) != 0 {
				t.Fatalf("refused")
			}
			if c.amount > 0 && c.amount < src.Amount && dst.Empty() {
				dst = src
				dst.Amount, src.Amount = src.Amount-c.amount, c.amount
			}
			if x.inv[c.to] != src || x.inv[c.from] != dst {
				t.Errorf("now %+v and %+v, want %+v and %+v", x.inv[c.from], x.inv[c.to], dst, src)
			}
		})
	}
}

func TestOnlyEqualStackableItemsAreStacked(t *testing.T) {
	own := new([combat.Attributes]int16)
	for name, c := range map[string]struct {
		from, to ItemStack
		amount   uint16
		ok       bool
	}{
		"some":                        {herbs(5), herbs(2), 3, true},
		"all":                         {herbs(5), herbs(2), 0, true},
		"more than there is":          {herbs(5), herbs(2), 6, false},
		"onto nothing":                {herbs(5), ItemStack{}, 1, false},
		"of nothing":                  {ItemStack{}, herbs(2), 0, false},
		"of another kind":             {one(itemRing), herbs(2), 1, false},
		"an item that does not stack": {one(itemRing), one(itemRing), 1, false},
		"of another health":           {ItemStack{Item: itemHerb, Amount: 1, Health: 50}, herbs(2), 1, false},
		"with own attributes":         {ItemStack{Item: itemHerb, Amount: 1, Health: 100, Attr: own}, herbs(2), 1, false},
		"beyond the largest amount":   {herbs(5), herbs(maxStack - 4), 0, false},
	} {
		s := newStage(t, testWorld())
		x := s.player(1, geom.Vec{})
		x.inv[bag], x.inv[bag+1] = c.from, c.to
		in := Intent{Kind: IntentStack, Who: 1, SlotA: bag, SlotB: bag + 1, Amount: c.amount}
		if !c.ok {
			if s.expectRefusal(reason.BadSlot, in); x.inv[bag] != c.from || x.inv[bag+1] != c.to {
				t.Errorf("%s: the refused move changed something", name)
			}
			continue
		}
		if s.step(in); x.inv[bag].Amount+x.inv[bag+1].Amount != 7 || c.amount == 0 && x.inv[bag] != (ItemStack{}) {
			t.Errorf("%s: now %+v and %+v", name, x.inv[bag], x.inv[bag+1])
		}
	}
}

func TestDroppedItemLiesAtPositionOfPlayerUntilPickedUp(t *testing.T) {
	s := newStage(t, testWorld())
	x, y := s.player(1, geom.Vec{X: 3, Y: 2}), s.player(2, geom.Vec{X: 24})
	x.inv[bag] = herbs(5)
	e := s.expectEvent(EventDropped, Intent{Kind: IntentDrop, Who: 1, SlotA: bag, Amount: 2})
	g := e.Ground
	if g.Handle == 0 || g.Stack != herbs(2) || g.Pos != x.pos || x.inv[bag] != herbs(3) || len(s.f.Ground) != 1 || s.f.Ground[0] != g {
		t.Fatalf("%+v; left %+v", g, x.inv[bag])
	}
	take := func(handle uint32, slot uint8) Intent {
		return Intent{Kind: IntentPickUp, Who: 2, Ground: handle, SlotA: slot}
	}
	s.expectRefusal(reason.BadSlot, take(g.Handle, bag)) // the item is 21 units away
	y.place(geom.Vec{X: 22}, 0)
	s.expectRefusal(reason.BadSlot, take(g.Handle+1, bag))
	s.expectRefusal(reason.BadSlot, take(g.Handle, SlotWeapon))
	s.expectRefusal(reason.BadSlot, take(g.Handle, SlotCount))
	y.inv[bag], y.inv[bag+1] = one(itemRing), herbs(7)
	s.expectRefusal(reason.BadSlot, take(g.Handle, bag))
	if e := s.expectEvent(EventPickedUp, take(g.Handle, bag+1)); e.Who != 2 || e.N != bag+1 || e.Ground != g || y.inv[bag+1] != herbs(9) || len(s.f.Ground) != 0 {
		t.Errorf("%+v; player has %+v", e, y.inv[bag+1])
	}
	s.expectRefusal(reason.BadSlot, take(g.Handle, bag+2)) // the item was already picked up
}

func TestGroundItemsAreLimitedAndExpire(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	drop := Intent{Kind: IntentDrop, Who: 1, SlotA: bag, Amount: 1}
	x.inv[bag] = herbs(60000)
	s.a.lastHandle = handlesPerDef - 300 // makes handles wrap around during the test
	first := s.expectEvent(EventDropped, drop).Ground.Handle
	for range maxGround - 2 {
		s.step(drop)
	}
	s.a.lastHandle = first - 1 // makes the next handle one that is still in use, which must be skipped
	s.step(drop)
	if len(s.f.Ground) != maxGround || len(events(s.f, EventPickedUp)) != 0 {
		t.Fatalf("%d items, %+v", len(s.f.Ground), s.f.Events)
	}
	if e := s.expectEvent(EventPickedUp, drop); e.Who != 0 || e.Ground.Handle != first || len(s.f.Ground) != maxGround {
		t.Errorf("for item 501 goes %+v, want the oldest, %d", e, first)
	}
	for i, g := range s.f.Ground {
		if i > 0 && g.Handle <= s.f.Ground[i-1].Handle {
			t.Fatal("the ground is not sorted by handle")
		}
	}
	last := s.a.now + groundTTL/50
	s.a.now = last - maxGround
	for len(s.a.ground) > 0 && s.a.now < last {
		s.step()
	}
	if len(s.a.ground) != 0 || s.a.now != last {
		t.Errorf("%d items lie at tick %d, want none from %d on", len(s.a.ground), s.a.now, last)
	}
}

// Equipment slots 0 to 7 are visible to other players. A change of such a slot emits an event, changes the actor's Body
// and counts in fights. Slots of rings are not visible.
func TestVisibleEquipmentChangeEmitsEventAndAffectsAppearanceAndFights(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	x.inv[bag], x.inv[bag+1], x.inv[bag+2] = one(itemMail), one(itemSword), one(itemRing)
	s.expectEvent(EventEquipment, Intent{Kind: IntentSwap, Who: 1, SlotA: bag, SlotB: SlotChest})
	body := s.f.Find(1).Body
	if body.Equipment[SlotChest] != itemMail || x.armour != 5 {
		t.Errorf("worn %v, armour %d", body.Equipment, x.armour)
	}
	s.expectEvent(EventEquipment, Intent{Kind: IntentSwap, Who: 1, SlotA: bag + 1, SlotB: SlotWeapon})
	if s.f.Find(1).Body == body || s.f.Find(1).Body.Equipment[SlotWeapon] != itemSword || x.weapon != s.w.Items[0].Weapon {
		t.Errorf("worn %v, weapon %v", s.f.Find(1).Body.Equipment, x.weapon)
	}
	if s.step(Intent{Kind: IntentSwap, Who: 1, SlotA: bag + 2, SlotB: SlotRing}); len(s.f.Events) != 0 {
		t.Errorf("a ring emits events: %+v", s.f.Events)
	}
	s.expectEvent(EventEquipment, Intent{Kind: IntentDrop, Who: 1, SlotA: SlotWeapon, Amount: 1})
	if s.f.Find(1).Body.Equipment[SlotWeapon] != NoItem || x.weapon != nil {
		t.Error("a dropped sword is still wielded")
	}
	s.expectEvent(EventEquipment, Intent{Kind: IntentPickUp, Who: 1, SlotA: SlotWeapon, Ground: s.f.Ground[0].Handle})
	if x.weapon == nil {
		t.Error("a sword picked up into the hand is not wielded")
	}
}

// When a player drops or picks up an item, the player's record is saved in the same tick. Otherwise a crash could duplicate the
// item.
func TestDropAndPickUpSaveRecordOfPlayerImmediately(t *testing.T) {
	s := newStage(t, testWorld())
	x, y := s.player(1, geom.Vec{}), s.player(2, geom.Vec{X: 5})
	x.inv[bag] = herbs(3)
	e := s.expectEvent(EventRecord, Intent{Kind: IntentDrop, Who: 1, SlotA: bag, Amount: 2})
	if e.Who != 1 || e.Record.Inventory[bag].Amount != 1 {
		t.Errorf("after the drop %d has %d on record, want 1", e.Who, e.Record.Inventory[bag].Amount)
	}
	e = s.expectEvent(EventRecord, Intent{Kind: IntentPickUp, Who: y.id, Ground: s.f.Ground[0].Handle, SlotA: bag})
	if e.Who != 2 || e.Record.Inventory[bag].Amount != 2 {
		t.Errorf("after the pick-up %d has %d on record, want 2", e.Who, e.Record.Inventory[bag].Amount)
	}
}
