package session

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

const (
	testHerb  = 7 // stacks
	testSword = 8
)

// marketFields returns the world twoFields with items and named attributes.
func marketFields() *sim.World {
	w := twoFields()
	w.Items = []sim.Item{
		{ID: testHerb, Name: "Herb", Kind: sim.ItemIngredient, SlotKind: 11, Stackable: true},
		{ID: testSword, Name: "Sword", Kind: sim.ItemWeapon, SlotKind: 1, Weapon: &combat.Weapon{Damage: 1, Kind: combat.OneHanded}},
	}
	for i := range w.Templates {
		w.Templates[i].Slots = 1<<32 - 1
	}
	w.Attributes[w.Roles.Health].Name, w.Attributes[w.Roles.Strength].Name = "Health", "Strength"
	w.Rules.MaxActors = 1000
	return w
}

// withMarket calls fn with a server of marketFields in virtual time.
func withMarket(t *testing.T, fn func(r *testServer)) {
	t.Helper()
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		r := newTestServer(t, dir, marketFields(), Options{})
		defer r.shut()
		fn(r)
	})
}

func (r *testServer) recordOf(s *Session) *sim.Character {
	r.t.Helper()
	c, err := r.Record(r.ctx, s.Entity)
	r.must(err)
	return c
}

// carried returns the number of items of a kind in a record.
func carried(c *sim.Character, item uint16) (n int) {
	for _, s := range c.Inventory {
		if s.ID() == item {
			n += int(s.Amount)
		}
	}
	return n
}

func TestItemAndAttributeOrdersOfOperatorChangeStoredRecord(t *testing.T) {
	withMarket(t, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(2)
		before := carried(r.recordOf(s), testHerb)
		strength := r.world.Def().Roles.Strength
		for _, c := range []struct {
			name string
			do   func() error
			want error
		}{
			{"give", func() error { return r.Give(s.Entity, testHerb, 5) }, nil},
			{"give an unknown item", func() error { return r.Give(s.Entity, 99, 5) }, ErrInvalid},
			{"give too many", func() error { return r.Give(s.Entity, testSword, 500) }, ErrNoRoom},
			{"take", func() error { return r.Take(s.Entity, testHerb, 2, sim.AnySlot) }, nil},
			{"take too many", func() error { return r.Take(s.Entity, testHerb, 1000, sim.AnySlot) }, ErrNotCarried},
			{"attribute", func() error { return r.SetAttribute(s.Entity, uint8(strength), 77, 99) }, nil},
			{"attribute out of range", func() error { return r.SetAttribute(s.Entity, uint8(strength), 100, -1) }, ErrInvalid},
			{"player who is gone", func() error { return r.Give(12345, testHerb, 1) }, ErrNotInWorld},
		} {
			if err := c.do(); !errors.Is(err, c.want) {
				t.Fatalf("%s: %v, want %v", c.name, err, c.want)
			}
		}
		if c := r.recordOf(s); carried(c, testHerb) != before+3 || c.Attr[strength] != (combat.Attribute{Value: 77, Max: 99}) {
			t.Errorf("record after the orders: %d herbs, strength %+v", carried(c, testHerb), c.Attr[strength])
		}
		s.Leave()
		ticks(60)
		stored, err := r.disk.Character(r.ctx, s.Character.ID)
		r.must(err)
		if carried(stored, testHerb) != before+3 || stored.Attr[strength] != (combat.Attribute{Value: 77, Max: 99}) || len(stored.Dropped) != 0 {
			t.Errorf("stored: %d herbs, strength %+v, dropped %v", carried(stored, testHerb), stored.Attr[strength], stored.Dropped)
		}
		if again := r.enters(r.loginAgain("Ada", "rcce", move.ByClaim)); carried(r.recordOf(again), testHerb) != before+3 {
			t.Errorf("after the next login: %d herbs", carried(r.recordOf(again), testHerb))
		}
	})
}

// If a player changes its area, an operator's order to give it items follows it to the new area and is executed once.
func TestItemsGivenByOperatorReachPlayerThatChangesArea(t *testing.T) {
	withMarket(t, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(2)
		before := carried(r.recordOf(s), testHerb)
		r.sends(s, 1)
		answer := later(func() error { return r.Give(s.Entity, testHerb, 5) })
		r.must(<-answer)
		ticks(2)
		if got := carried(r.recordOf(s), testHerb); got != before+5 {
			t.Errorf("%d herbs, want %d", got, before+5)
		}
	})
}

func TestOperatorSpawnsAndRemovesNPCs(t *testing.T) {
	withMarket(t, func(r *testServer) {
		w := r.watch()
		template := r.world.Def().Templates[0].ID
		at := geom.Vec{X: 20, Z: 30}
		id, err := r.Spawn(1, template, at, 90)
		r.must(err)
		w.ticks(1)
		if a := w.actors[id]; a.Pos != at || !a.Is(sim.FlagSpawned) {
			t.Fatalf("actor %+v", a)
		}
		if in, ok := id.AreaOfNPC(); !ok || in != 1 {
			t.Errorf("id of area %d", in)
		}
		_, err = r.Spawn(1, 9999, at, 0)
		r.mustBe(err, ErrInvalid)
		_, err = r.Spawn(2, template, at, 0)
		r.mustBe(err, ErrInvalid)
		r.must(r.RemoveNPC(id))
		r.mustBe(r.RemoveNPC(id), ErrNoNPC)
		r.mustBe(r.RemoveNPC(1), ErrNoNPC)
		r.mustBe(r.RemoveNPC(1<<52), ErrNoNPC)
		w.ticks(1)
		if !slices.ContainsFunc(w.events, func(e sim.Event) bool { return e.Kind == sim.EventRemoved && e.Who == id }) {
			t.Error("the NPC is not removed")
		}
		for range sim.MaxSpawnedNPCs {
			_, err = r.Spawn(0, template, at, 0)
			r.must(err)
		}
		_, err = r.Spawn(0, template, at, 0)
		r.mustBe(err, ErrNPCLimit)
		if n := len(r.areaOrders); n != 0 {
			t.Errorf("%d orders wait", n)
		}
	})
}

func TestOperatorGivesAndTakesItemsOfOfflineCharacter(t *testing.T) {
	withMarket(t, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(2)
		k := r.Keeper()
		give := &CharacterChange{Give: []ItemAmount{{testHerb, 5}}}
		if _, err := k.EditCharacter(r.ctx, "Ada", "Ada", give, false); !errors.Is(err, ErrOnline) {
			t.Fatalf("in the world: %v", err)
		}
		s.Leave()
		ticks(60)
		before := carried(s.Character, testHerb)
		c, err := k.EditCharacter(r.ctx, "Ada", "Ada", give, false)
		r.must(err)
		if carried(c, testHerb) != before+5 {
			t.Errorf("%d herbs", carried(c, testHerb))
		}
		for name, x := range map[string]*CharacterChange{
			"too many to take":    {Take: []ItemAmount{{testHerb, 500}}},
			"too many to give":    {Give: []ItemAmount{{testSword, 500}}},
			"none":                {Give: []ItemAmount{{testHerb, 0}}},
			"unknown":             {Give: []ItemAmount{{99, 1}}},
			"unknown to take":     {Take: []ItemAmount{{99, 1}}},
			"attribute too large": {Attributes: []AttributeChange{{Index: r.world.Def().Roles.Strength, Value: new(int32(40000)), Max: new(int32(40000))}}},
			"no health":           {Attributes: []AttributeChange{{Index: r.world.Def().Roles.Health, Value: new(int32(0))}}},
			"no such attribute":   {Attributes: []AttributeChange{{Index: 39, Value: new(int32(0))}}},
		} {
			if _, err := k.EditCharacter(r.ctx, "Ada", "Ada", x, false); !isInvalidChange(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
		c, err = k.EditCharacter(r.ctx, "Ada", "Ada", &CharacterChange{Take: []ItemAmount{{testHerb, 0}}}, false)
		r.must(err)
		if carried(c, testHerb) != 0 {
			t.Errorf("%d herbs after all were taken", carried(c, testHerb))
		}
		if again := r.enters(r.loginAgain("Ada", "rcce", move.ByClaim)); carried(again.Character, testHerb) != 0 {
			t.Errorf("%d herbs after the login", carried(again.Character, testHerb))
		}
		if _, err := NewKeeper(r.disk).EditCharacter(r.ctx, "Ada", "Ada", give, false); !isInvalidChange(err) {
			t.Errorf("without a world: %v", err)
		}
	})
}

func isInvalidChange(err error) bool {
	_, ok := errors.AsType[*InvalidChange](err)
	return ok
}

// Every node reads the results of all nodes' orders that concern no player, so orders of two nodes must have different numbers.
func TestOperatorOrdersOfTwoNodesHaveDifferentNumbers(t *testing.T) {
	a, b := &Hub{}, &Hub{opt: Options{Node: sim.MaxNodes - 1}}
	seen := map[uint32]bool{}
	for range 1000 {
		for _, h := range []*Hub{a, b} {
			n := h.nextOrder()
			if seen[n] || n == 0 {
				t.Fatalf("number %d twice", n)
			}
			seen[n] = true
		}
	}
	a.orders = 1<<22 - 1
	if n := a.nextOrder(); n != 1 {
		t.Errorf("after the last number comes %d", n)
	}
}
