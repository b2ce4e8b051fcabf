package sim

import (
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// orderWorld gives the attributes of a world the names that operators use in their orders.
func orderWorld(w *World) *World {
	for i, name := range map[int]string{attrHealth: "Health", attrEnergy: "Energy", attrStrength: "Strength", attrSpeed: "Speed", attrBreath: "Breath"} {
		w.Attributes[i].Name = name
	}
	w.Attributes[attrBreath].Hidden = true
	return w
}

func giveIntent(who EntityID, item, amount uint16) Intent {
	return Intent{Kind: IntentGive, Who: who, Ground: uint32(item), Amount: amount}
}

func takeIntent(who EntityID, item, amount uint16, slot uint8) Intent {
	return Intent{Kind: IntentTake, Who: who, Ground: uint32(item), Amount: amount, SlotA: slot}
}

func attributeIntent(who EntityID, attribute uint8, value, maximum int32) Intent {
	return Intent{Kind: IntentAttribute, Who: who, SlotA: attribute, Args: &[MaxGameArgs]int32{value, maximum}}
}

func spawnIntent(template uint16, at geom.Vec) Intent {
	return Intent{Kind: IntentSpawn, Amount: template, Join: &Join{Portal: -1, Pos: at}}
}

// order executes an operator's order in one step and returns the result.
func (s *stage) order(in Intent) Event {
	s.t.Helper()
	return s.expectEvent(EventOrderDone, in)
}

func TestGivenItemsFillStacksThenFreeSlots(t *testing.T) {
	herbs := func(n uint16) ItemStack { return ItemStack{Item: itemHerb, Amount: n, Health: 100} }
	sword := ItemStack{Item: itemSword, Amount: 1, Health: 100}
	full := func(inv *Inventory) {
		for i := SlotBackpack; i < SlotCount; i++ {
			inv[i] = sword
		}
	}
	worn := ItemStack{Item: itemHerb, Amount: 5, Health: 40}
	for _, c := range []struct {
		name         string
		before       func(*Inventory)
		item, amount uint16
		why          reason.Reason
		want         map[int]ItemStack
	}{
		{"first slot", func(*Inventory) {}, itemHerb, 3, reason.None, map[int]ItemStack{SlotBackpack: herbs(3)}},
		{"onto a stack", func(inv *Inventory) { inv[20] = herbs(2) }, itemHerb, 3, reason.None, map[int]ItemStack{20: herbs(5)}},
		{"over a full stack", func(inv *Inventory) { inv[20] = herbs(maxStack - 1) }, itemHerb, 3, reason.None, map[int]ItemStack{20: herbs(maxStack), SlotBackpack: herbs(2)}},
		{"beside an unequal stack", func(inv *Inventory) { inv[SlotBackpack] = worn }, itemHerb, 3, reason.None, map[int]ItemStack{SlotBackpack: worn, SlotBackpack + 1: herbs(3)}},
		{"not stackable", func(*Inventory) {}, itemSword, 2, reason.None, map[int]ItemStack{SlotBackpack: sword, SlotBackpack + 1: sword}},
		{"last stack of a full backpack", func(inv *Inventory) { full(inv); inv[SlotCount-1] = herbs(1) }, itemHerb, 1, reason.None, nil},
		{"full", full, itemHerb, 1, reason.NoRoom, nil},
		{"one too many", func(inv *Inventory) { full(inv); inv[30] = ItemStack{} }, itemSword, 2, reason.NoRoom, nil},
		{"none", func(*Inventory) {}, itemHerb, 0, reason.BadArgument, map[int]ItemStack{}},
		{"unknown item", func(*Inventory) {}, 999, 1, reason.BadArgument, map[int]ItemStack{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, testWorld())
			x := s.player(1, geom.Vec{})
			c.before(&x.inv)
			before := x.inv
			e := s.order(giveIntent(1, c.item, c.amount))
			if e.Reason != c.why || (e.Text != "") != (c.why == reason.None) {
				t.Fatalf("result %v %q, want %v", e.Reason, e.Text, c.why)
			}
			if c.why != reason.None {
				if x.inv != before || len(s.f.Events) != 1 {
					t.Errorf("a refused order changed the inventory or emitted %v", s.f.kinds())
				}
				return
			}
			if c.want != nil {
				var want Inventory
				for slot, stack := range c.want {
					want[slot] = stack
				}
				if x.inv != want {
					t.Errorf("inventory %+v, want %+v", x.inv, want)
				}
			}
			dropped, picked, records := events(s.f, EventDropped), events(s.f, EventPickedUp), events(s.f, EventRecord)
			var total uint16
			for _, p := range picked {
				total += p.Ground.Stack.Amount
			}
			if len(dropped) != len(picked) || total != c.amount || len(s.f.Ground) != 0 {
				t.Errorf("clients see %d dropped, %d picked up, %d items in all, %d on the ground", len(dropped), len(picked), total, len(s.f.Ground))
			}
			if len(records) != 1 || records[0].Record.Inventory != x.inv {
				t.Errorf("%d records saved", len(records))
			}
			if m := events(s.f, EventMessage); len(m) != 1 || !strings.Contains(m[0].Text, "given you") {
				t.Errorf("messages %+v", m)
			}
		})
	}
}

func TestItemsAreTakenFromBackpackBeforeEquipment(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{})
	herb, sword := ItemStack{Item: itemHerb, Amount: 5, Health: 100}, ItemStack{Item: itemSword, Amount: 1, Health: 80}
	x.inv[SlotBackpack+2], x.inv[SlotBackpack+5] = herb, herb
	x.inv[SlotWeapon], x.inv[SlotBackpack] = sword, sword
	s.a.updateEquipment(x)
	for _, c := range []struct {
		name   string
		in     Intent
		why    reason.Reason
		taken  []SlotAmount
		weapon bool // the weapon is still equipped
	}{
		{"more than carried", takeIntent(1, itemHerb, 11, AnySlot), reason.NotCarried, nil, true},
		{"more than in the slot", takeIntent(1, itemHerb, 6, SlotBackpack+5), reason.NotCarried, nil, true},
		{"another item in the slot", takeIntent(1, itemHerb, 1, SlotBackpack), reason.NotCarried, nil, true},
		{"unknown slot", takeIntent(1, itemHerb, 1, AnySlot+1), reason.BadArgument, nil, true},
		{"unknown item", takeIntent(1, 999, 1, AnySlot), reason.BadArgument, nil, true},
		{"some of two stacks", takeIntent(1, itemHerb, 7, AnySlot), reason.None, []SlotAmount{{SlotBackpack + 2, 5}, {SlotBackpack + 5, 2}}, true},
		{"one of a slot", takeIntent(1, itemHerb, 1, SlotBackpack+5), reason.None, []SlotAmount{{SlotBackpack + 5, 1}}, true},
		{"one of two swords", takeIntent(1, itemSword, 1, AnySlot), reason.None, []SlotAmount{{SlotBackpack, 1}}, true},
		{"the equipped one", takeIntent(1, itemSword, 1, AnySlot), reason.None, []SlotAmount{{SlotWeapon, 1}}, false},
		{"all", takeIntent(1, itemHerb, 0, AnySlot), reason.None, []SlotAmount{{SlotBackpack + 5, 2}}, false},
		{"all of none", takeIntent(1, itemHerb, 0, AnySlot), reason.NotCarried, nil, false},
	} {
		before := x.inv
		e := s.order(c.in)
		if e.Reason != c.why {
			t.Fatalf("%s: result %v, want %v", c.name, e.Reason, c.why)
		}
		var taken []SlotAmount
		for _, e := range events(s.f, EventItemTaken) {
			taken = append(taken, SlotAmount{uint8(e.N), uint16(e.Value)})
		}
		if !slices.Equal(taken, c.taken) || c.taken == nil && x.inv != before {
			t.Errorf("%s: taken %v, want %v", c.name, taken, c.taken)
		}
		if (x.weapon != nil) != c.weapon {
			t.Errorf("%s: weapon %v", c.name, x.weapon)
		}
		if records := events(s.f, EventRecord); len(records) != min(1, len(c.taken)) {
			t.Errorf("%s: %d records saved", c.name, len(records))
		}
		seen := len(events(s.f, EventEquipment)) > 0
		if want := slices.ContainsFunc(c.taken, func(s SlotAmount) bool { return s.Slot == SlotWeapon }); seen != want {
			t.Errorf("%s: change of the equipment is shown: %v", c.name, seen)
		}
	}
}

func TestOperatorCanSetAttributeOnlyWithinItsRange(t *testing.T) {
	type attribute = combat.Attribute
	for _, c := range []struct {
		name           string
		index          uint8
		value, maximum int32
		want           attribute
		why            reason.Reason
	}{
		{"value", attrHealth, 30, -1, attribute{Value: 30, Max: 100}, reason.None},
		{"maximum", attrHealth, -1, 200, attribute{Value: 100, Max: 200}, reason.None},
		{"both", attrStrength, 300, 400, attribute{Value: 300, Max: 400}, reason.None},
		{"lowered maximum", attrHealth, -1, 60, attribute{Value: 60, Max: 60}, reason.None},
		{"zero", attrStrength, 0, -1, attribute{Value: 0, Max: 100}, reason.None},
		{"largest", attrStrength, MaxAttribute, MaxAttribute, attribute{Value: MaxAttribute, Max: MaxAttribute}, reason.None},
		{"no health", attrHealth, 0, -1, attribute{}, reason.BadArgument},
		{"above maximum", attrHealth, 101, -1, attribute{}, reason.BadArgument},
		{"beyond the range", attrStrength, MaxAttribute + 1, MaxAttribute + 1, attribute{}, reason.BadArgument},
		{"negative", attrStrength, -2, -1, attribute{}, reason.BadArgument},
		{"too fast", attrSpeed, 1001, 2000, attribute{}, reason.BadArgument},
		{"no speed to compare with", attrSpeed, 0, 0, attribute{}, reason.BadArgument},
		{"without a name", 39, 1, 1, attribute{}, reason.BadArgument},
		{"out of range", 40, 1, 1, attribute{}, reason.BadArgument},
		{"far out of range", 255, 1, 1, attribute{}, reason.BadArgument},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, orderWorld(testWorld()))
			x := s.player(1, geom.Vec{})
			before := x.attr
			e := s.order(attributeIntent(1, c.index, c.value, c.maximum))
			if e.Reason != c.why {
				t.Fatalf("result %v, want %v", e.Reason, c.why)
			}
			if c.why != reason.None {
				if x.attr != before || len(s.f.Events) != 1 {
					t.Errorf("a refused order changed attributes or emitted %v", s.f.kinds())
				}
				return
			}
			if x.attr[c.index] != c.want {
				t.Errorf("attribute %+v, want %+v", x.attr[c.index], c.want)
			}
			stat, maximum, records := events(s.f, EventStat), events(s.f, EventStatMaximum), events(s.f, EventRecord)
			if len(stat) != 1 || stat[0].N != int32(c.index) || stat[0].Value != c.want.Value {
				t.Errorf("events of the value %+v", stat)
			}
			if (len(maximum) == 1) != (c.want.Max != before[c.index].Max) {
				t.Errorf("events of the maximum %+v", maximum)
			}
			if len(records) != 1 || records[0].Record.Attr[c.index] != c.want {
				t.Errorf("%d records saved", len(records))
			}
		})
	}
}

func TestHealthOfDeadPlayerCannotBeSet(t *testing.T) {
	s := newStage(t, orderWorld(testWorld()))
	x := s.player(1, geom.Vec{})
	x.dead = true
	if e := s.order(attributeIntent(1, attrHealth, 50, -1)); e.Reason != reason.Dead {
		t.Errorf("health: %v", e.Reason)
	}
	if e := s.order(attributeIntent(1, attrStrength, 50, -1)); e.Reason != reason.None {
		t.Errorf("strength: %v", e.Reason)
	}
}

// A new speed is sent to a predicting client with a barrier, so that the client is not corrected.
func TestSpeedSetByOperatorReachesPredictingClient(t *testing.T) {
	s := newStage(t, orderWorld(predictWorld()))
	k := s.predictClient(1, geom.Vec{})
	for range 5 {
		s.step(k.next(1))
	}
	slow := k.state().Avatar.Speed
	s.step(attributeIntent(1, attrSpeed, 200, 200), k.next(1))
	stance := events(s.f, EventStance)
	if len(stance) != 1 || !near(stance[0].Rewind.State.Speed, 2*slow, 1e-5) {
		t.Fatalf("stance events %+v", stance)
	}
	k.avatar = k.state().Avatar
	s.step(Intent{Kind: IntentBarrierAck, Who: 1, Serial: stance[0].Rewind.Serial})
	for range 20 {
		if f := s.step(k.next(1)); len(events(f, EventCorrected)) > 0 {
			t.Fatalf("corrected: %+v", events(f, EventCorrected)[0])
		}
	}
}

func TestNPCSpawnedByOperatorIsFlaggedAsSpawnedAndStaysUntilRemoved(t *testing.T) {
	s := newStage(t, testWorld())
	s.player(1, geom.Vec{})
	at := geom.Vec{X: 30, Z: -20}
	e := s.order(spawnIntent(tmplHorse, at))
	horse := s.a.find(e.Other)
	if e.Reason != reason.None || e.Who != 0 || horse == nil || horse.pos != at || len(events(s.f, EventJoined)) != 1 {
		t.Fatalf("result %+v, actor %+v", e, horse)
	}
	if area, ok := e.Other.AreaOfNPC(); !ok || area != s.a.id {
		t.Errorf("id of area %d", area)
	}
	row := s.f.Find(e.Other)
	if !row.Is(FlagSpawned) || s.f.Find(1).Is(FlagSpawned) || row.Is(FlagPlayer) {
		t.Errorf("flags %b", row.Flags)
	}
	other, err := Restore(s.w, s.a.Snapshot(nil))
	if err != nil || other.hash() != s.a.hash() || other.find(e.Other).spawn != spawnedByOperator {
		t.Fatalf("the snapshot loses the NPC: %v", err)
	}
	horse.spawn = -1
	if s.a.hash() == other.hash() {
		t.Error("the hash does not cover who has created the NPC")
	}
	horse.spawn = spawnedByOperator
	s.a.resumeAI(horse) // a rider has dismounted
	s.run(float32(abandonedMountMS)/1000 + 5)
	if s.f.Find(e.Other) == nil {
		t.Error("the area has removed the mount")
	}
	if e := s.order(Intent{Kind: IntentRemove, Target: e.Other}); e.Reason != reason.None || e.Other != horse.id || s.f.Find(horse.id) != nil || len(events(s.f, EventRemoved)) != 1 {
		t.Errorf("removal: %+v", e)
	}
	for _, id := range []EntityID{horse.id, 1, 0, 1 << 60} {
		if e := s.order(Intent{Kind: IntentRemove, Target: id}); e.Reason != reason.Unknown {
			t.Errorf("removal of %d: %v", id, e.Reason)
		}
	}
	if s.f.Find(1) == nil {
		t.Error("a player was removed")
	}
}

func TestOperatorSpawnBeyondNPCLimitIsRefused(t *testing.T) {
	s := newStage(t, testWorld())
	var last Event
	for range MaxSpawnedNPCs {
		if last = s.order(spawnIntent(tmplCow, geom.Vec{X: 40})); last.Reason != reason.None {
			t.Fatal(last.Reason)
		}
	}
	if e := s.order(spawnIntent(tmplCow, geom.Vec{})); e.Reason != reason.NPCLimit || e.Other != 0 {
		t.Errorf("one too many: %+v", e)
	}
	s.order(Intent{Kind: IntentRemove, Target: last.Other})
	if e := s.order(spawnIntent(tmplCow, geom.Vec{})); e.Reason != reason.None {
		t.Errorf("after a removal: %v", e.Reason)
	}
	s.w.Rules.MaxActors = int32(len(s.a.actors))
	s.order(Intent{Kind: IntentRemove, Target: last.Other - 1})
	s.npc(tmplCow, geom.Vec{})
	if e := s.order(spawnIntent(tmplCow, geom.Vec{})); e.Reason != reason.AreaFull {
		t.Errorf("full area: %v", e.Reason)
	}
	for _, in := range []Intent{{Kind: IntentSpawn, Amount: 999, Join: &Join{}}, {Kind: IntentSpawn, Amount: tmplCow}} {
		if e := s.order(in); e.Reason != reason.BadArgument {
			t.Errorf("%+v: %v", in, e.Reason)
		}
	}
}

// An NPC of the world file that an operator removes is replaced after the period of its spawn. An NPC that the operator
// spawned is not replaced after its death.
func TestNPCRemovedByOperatorIsReplacedAfterItsSpawnPeriod(t *testing.T) {
	w := testWorld()
	w.Areas[0].Spawns = []Spawn{{Template: tmplCow, Max: 1, PeriodMS: 3000, Range: 10}}
	s := newStage(t, w)
	count := func() (n int) {
		for i := range s.f.Actors {
			if s.f.Actors[i].Body.Template == tmplCow {
				n++
			}
		}
		return n
	}
	s.step()
	id := s.f.Actors[0].ID
	own := s.a.find(s.order(spawnIntent(tmplCow, geom.Vec{X: -30})).Other)
	s.expectEvent(EventDied, attackIntent(s.killer(own), own))
	s.order(Intent{Kind: IntentRemove, Target: id})
	if s.run(2); count() != 0 {
		t.Fatalf("%d cows before the period is over", count())
	}
	if s.run(2); count() != 1 || slices.ContainsFunc(s.f.Actors, func(x ActorState) bool { return x.Is(FlagSpawned) }) {
		t.Errorf("%d cows after the period", count())
	}
	if s.run(10); count() != 1 {
		t.Errorf("%d cows later", count())
	}
}

// The same orders give the same frames, both from the encoded intents and from a snapshot in the middle of the run.
func TestReplayOfOperatorOrdersGivesSameFrames(t *testing.T) {
	w := orderWorld(testWorld())
	random := rng.New(7)
	var intents [][]byte
	a := NewArea(w, 0, 5)
	var frames []uint64
	var half []byte
	for tick := range 600 {
		var list []Intent
		if tick == 0 {
			list = append(list, joinAt(w, 1, geom.Vec{}))
		}
		order := Intent{Kind: IntentGive + IntentKind(random.IntN(5)), Serial: uint32(tick), AtMS: int64(tick) * 50}
		switch order.Kind {
		case IntentGive, IntentTake:
			order.Who, order.Ground, order.Amount, order.SlotA = 1, uint32(random.IntN(7)), uint16(random.IntN(4)), AnySlot
		case IntentAttribute:
			order.Who, order.SlotA, order.Args = 1, uint8(random.IntN(8)), &[MaxGameArgs]int32{random.IntN(150) - 1, random.IntN(150) - 1}
		case IntentSpawn:
			order.Amount, order.Join = uint16(random.IntN(9)), &Join{Portal: -1, Pos: geom.Vec{X: random.Symmetric(60), Z: random.Symmetric(60)}}
		case IntentRemove:
			order.Target = EntityID(1)<<npcBit | EntityID(random.IntN(60))
		}
		list = append(list, order)
		intents = append(intents, AppendIntents(nil, list))
		f := a.Step(list)
		frames = append(frames, f.Hash)
		if tick == 300 {
			half = a.Snapshot(nil)
		}
	}
	given, spawned := 0, 0
	for _, s := range a.find(1).inv {
		if !s.Empty() {
			given++
		}
	}
	for _, x := range a.actors {
		if x.spawn == spawnedByOperator {
			spawned++
		}
	}
	if given == 0 || spawned == 0 {
		t.Fatalf("%d stacks, %d NPCs: the orders had no effect", given, spawned)
	}
	b := NewArea(w, 0, 5)
	c, err := Restore(w, half)
	if err != nil {
		t.Fatal(err)
	}
	for tick, recorded := range intents {
		list, err := ParseIntents(nil, recorded)
		if err != nil {
			t.Fatal(err)
		}
		if f := b.Step(list); f.Hash != frames[tick] {
			t.Fatalf("tick %d differs in the replay", tick)
		}
		if tick > 300 {
			if f := c.Step(list); f.Hash != frames[tick] {
				t.Fatalf("tick %d differs after the snapshot", tick)
			}
		}
	}
}
