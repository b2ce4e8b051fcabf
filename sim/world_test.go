package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Attributes, templates, items and areas of the test world.
const (
	attrHealth   = 0
	attrEnergy   = 1
	attrStrength = 2
	attrBreath   = 3
	attrSpeed    = 4
	attrTough    = 6

	tmplHuman  = 1
	tmplWolf   = 2 // a hostile NPC
	tmplDeer   = 3 // a defensive NPC
	tmplVendor = 4 // an NPC that never fights
	tmplHorse  = 5 // a rideable NPC
	tmplHawk   = 6 // a flying NPC
	tmplDog    = 7 // a template used for pets
	tmplCow    = 8 // a passive NPC

	itemSword = 1
	itemMail  = 2
	itemBow   = 3
	itemHerb  = 4
	itemRing  = 5

	areaField = 0 // an area where players may attack each other
	areaTown  = 1 // an area where players cannot attack each other
)

// testWorld returns a small world of two areas connected by portals. Every test gets its own copy and may change it
// before it creates an area.
func testWorld() *World {
	w := &World{
		Name:           "test",
		TicksPerSecond: 20,
		Roles:          combat.AttributeRoles{Health: attrHealth, Energy: attrEnergy, Breath: attrBreath, Toughness: attrTough, Strength: attrStrength, Speed: attrSpeed},
		Rules: Rules{
			Combat: combat.DefaultRules(), Claim: move.StrictClaimPolicy(), Step: move.Euclidean, Path: move.DefaultPathPolicy(),
			RespawnArea: NoArea, RespawnPortal: -1, RespawnDelayMS: 2000, RespawnHealth: 50,
			PortalLockMS: 35_000, SaveEveryMS: 30_000, MaxActors: 20_000, LeashUnits: 200, RewindMS: 300,
		},
		Projectiles:   []combat.Projectile{{ID: 0, Name: "arrow", HitChance: 100, Damage: 12, Type: 1, Speed: 50}},
		NewCharacters: NewCharacterRules{Pet: NoTemplate},
	}
	for i := range w.Factions {
		for j := range w.Factions[i].Ratings {
			w.Factions[i].Ratings[j] = 100
		}
		w.Factions[i].Ratings[i] = 200
	}
	for _, t := range []Template{
		{ID: tmplHuman, Race: "Human", Playable: true, Faction: 1, StartArea: areaField, Slots: 1<<32 - 1},
		{ID: tmplWolf, Race: "Wolf", Faction: 2, Temper: combat.Hostile, SightRange: 60, XPMultiplier: 10},
		{ID: tmplDeer, Race: "Deer", Faction: 3, Temper: combat.Defensive, SightRange: 60, XPMultiplier: 10},
		{ID: tmplVendor, Race: "Vendor", Faction: 4, Temper: combat.NonCombatant},
		{ID: tmplHorse, Race: "Horse", Faction: 4, Temper: combat.Passive, Rideable: true},
		{ID: tmplHawk, Race: "Hawk", Faction: 5, Temper: combat.Passive, Environment: Fly},
		{ID: tmplDog, Race: "Dog", Faction: 1, Temper: combat.Defensive, SightRange: 40},
		{ID: tmplCow, Race: "Cow", Faction: 4, Temper: combat.Passive, XPMultiplier: 1},
	} {
		t.Radius = 1
		t.Attr[attrHealth] = combat.Attribute{Value: 100, Max: 100}
		t.Attr[attrEnergy] = combat.Attribute{Value: 60, Max: 60}
		t.Attr[attrStrength] = combat.Attribute{Value: 16, Max: 100}
		t.Attr[attrBreath] = combat.Attribute{Value: 3, Max: 3}
		t.Attr[attrSpeed] = combat.Attribute{Value: 100, Max: 100}
		for i := range t.Resist {
			t.Resist[i] = 100
		}
		w.Templates = append(w.Templates, t)
	}
	w.Items = []Item{
		{ID: itemSword, Name: "Sword", Kind: ItemWeapon, SlotKind: 1, TakesDamage: true, Weapon: &combat.Weapon{Damage: 20, Kind: combat.OneHanded}},
		{ID: itemMail, Name: "Mail", Kind: ItemArmour, SlotKind: 4, TakesDamage: true, ArmourLevel: 5},
		{ID: itemBow, Name: "Bow", Kind: ItemWeapon, SlotKind: 1, TakesDamage: true, Weapon: &combat.Weapon{Damage: 1, Kind: combat.Ranged, Range: 100, Projectile: &w.Projectiles[0]}},
		{ID: itemHerb, Name: "Herb", Kind: ItemIngredient, SlotKind: 11, Stackable: true},
		{ID: itemRing, Name: "Ring", Kind: ItemJewel, SlotKind: 9},
	}
	w.Areas = []AreaDef{
		{
			Name: "Field", PvP: true, Gravity: 300,
			Waypoints: []Waypoint{
				{Pos: geom.Vec{X: 100, Z: 0}, Used: true, NextA: 1, NextB: -1, Prev: -1},
				{Pos: geom.Vec{X: 200, Z: 0}, Used: true, NextA: 0, NextB: -1, Prev: -1, PauseMS: 1000},
				{Pos: geom.Vec{X: 0, Y: 40, Z: 500}, Used: true, NextA: -1, NextB: -1, Prev: -1},
			},
			Portals: []Portal{
				{Name: "Start", Pos: geom.Vec{X: 0, Y: 0, Z: 0}, Radius: 5, ToArea: NoArea},
				{Name: "Gate", Pos: geom.Vec{X: -100, Z: 0}, Radius: 5, ToArea: areaTown, ToPortal: 0, Yaw: 90},
			},
			Waters: []Water{{X: 1000, Y: 10, Z: 1000, Width: 100, Depth: 100}},
		},
		{
			Name: "Town", Gravity: 300,
			Portals: []Portal{{Name: "Gate", Pos: geom.Vec{X: 50, Z: 50}, Radius: 5, ToArea: areaField, ToPortal: 1, Yaw: 180}},
		},
	}
	for i := range w.Areas {
		w.Areas[i].Tiles = move.TileGrid{UnitsPerTile: 5, BaseX: 3200, BaseZ: 3200}
	}
	return w
}

// human returns the record of a new human with full attributes.
func human(w *World, id CharacterID, name string) *Character {
	t := w.Template(tmplHuman)
	return &Character{
		ID: id, Name: name, Template: tmplHuman, Level: 1, Attr: t.Attr, Resist: t.Resist,
		HomeFaction: t.Faction, Ratings: w.Factions[t.Faction].Ratings, Area: "Field",
	}
}

// joinAt returns the login of a human at a position.
func joinAt(w *World, who EntityID, pos geom.Vec) Intent {
	return Intent{Kind: IntentJoin, Who: who, Join: &Join{
		Character: human(w, CharacterID(who), "P"+string(rune('a'+who%26))+string(rune('a'+who/26%26))), Portal: -1, Pos: pos, Login: true,
	}}
}

// events returns the events of one kind in a frame.
func events(f *Frame, kind EventKind) []Event {
	var found []Event
	for _, e := range f.Events {
		if e.Kind == kind {
			found = append(found, e)
		}
	}
	return found
}

// npc adds an NPC of a template to the area, as a spawn would.
func npc(a *Area, template uint16, pos geom.Vec) *actor {
	x := a.newNPC(a.world.Template(template))
	x.place(pos, 0)
	a.add(x)
	return x
}
