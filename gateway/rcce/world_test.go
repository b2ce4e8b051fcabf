package rcce

import (
	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Templates and items of the test world.
const (
	human, wolf, eagle, horse = 1, 2, 3, 4
	sword, bow, cap           = 10, 11, 12
)

// Attributes of the test world.
const (
	health, speed, strength, energy = 0, 1, 2, 3
)

// twoFields returns a world of two areas that portals connect: West, without PvP but with a wolf, and East, with PvP. Players
// start at (50, 1, 2) in West, 10 units from the wolf.
func twoFields() *sim.World {
	beast := sim.Template{ID: wolf, Race: "Wolf", Radius: 1, StartArea: sim.NoArea, StartPortal: -1, Temper: combat.Passive, Environment: sim.Walk}
	beast.Attr[health] = combat.Attribute{Value: 40, Max: 40}
	beast.Attr[speed] = combat.Attribute{Value: 50, Max: 50}
	beast.Attr[strength] = combat.Attribute{Value: 5, Max: 5}
	for i := range beast.Resist {
		beast.Resist[i] = 100
	}
	bird, mount, person := beast, beast, beast
	bird.ID, bird.Race, bird.Environment = eagle, "Eagle", sim.Fly
	mount.ID, mount.Race, mount.Rideable, mount.Genders = horse, "Horse", true, 3
	person.ID, person.Race, person.Class, person.Playable, person.StartArea, person.StartPortal = human, "Human", "Fighter", true, 0, 0
	person.Slots, person.Faction = 1<<11-1, 1
	person.Attr[health] = combat.Attribute{Value: 100, Max: 100}
	person.Attr[strength] = combat.Attribute{Value: 80, Max: 80}
	person.Attr[energy] = combat.Attribute{Value: 50, Max: 50}
	arrow := combat.Projectile{ID: 1, Name: "Arrow", HitChance: 100, Damage: 5, Speed: 60}
	w := &sim.World{
		Name: "fields", TicksPerSecond: 20,
		Roles:       combat.AttributeRoles{Health: health, Speed: speed, Strength: strength, Energy: energy, Breath: -1, Toughness: -1},
		Projectiles: []combat.Projectile{arrow},
		Rules: sim.Rules{
			Combat: combat.DefaultRules(), Claim: move.OriginalClaimPolicy(), Step: move.Euclidean,
			RespawnArea: sim.NoArea, RespawnPortal: -1, RespawnDelayMS: 2000, RespawnHealth: 50,
			PortalLockMS: 35_000, SaveEveryMS: 30_000, MaxActors: 3000,
		},
		Templates: []sim.Template{person, beast, bird, mount},
		NewCharacters: sim.NewCharacterRules{
			AllowAccounts: true, MaxCharacters: 2, AttributePoints: 4, Gold: 50, Reputation: 7, Pet: sim.NoTemplate,
			NameFilter: []string{"admin"}, Greeting: "Welcome",
		},
		Areas: []sim.AreaDef{
			{
				Name: "West", Gravity: 300,
				Portals: []sim.Portal{
					{Name: "start", Pos: geom.Vec{X: 50, Y: 1, Z: 2}, Yaw: 90, Radius: 5, ToArea: sim.NoArea},
					{Name: "gate", Pos: geom.Vec{X: 80, Y: 1, Z: 2}, Radius: 5, ToArea: 1},
				},
				Waypoints: []sim.Waypoint{{Pos: geom.Vec{X: 50, Y: 1, Z: 12}, Used: true, NextA: -1, NextB: -1, Prev: -1}},
				Spawns:    []sim.Spawn{{Template: wolf, Waypoint: 0, Max: 1, PeriodMS: 600_000}},
			},
			{
				Name: "East", PvP: true, Gravity: 200,
				Portals: []sim.Portal{{Name: "gate", Pos: geom.Vec{X: 10, Z: 20}, Radius: 5, ToArea: 0, ToPortal: 1}},
			},
		},
	}
	w.Items = []sim.Item{
		{ID: sword, Name: "Sword", Kind: sim.ItemWeapon, Value: 12, Mass: 3, TakesDamage: true, SlotKind: 1, Weapon: &combat.Weapon{Damage: 12, Kind: combat.OneHanded}},
		{ID: bow, Name: "Bow", Kind: sim.ItemWeapon, SlotKind: 1, Weapon: &combat.Weapon{Kind: combat.Ranged, Range: 60, Projectile: &w.Projectiles[0]}},
		{ID: cap, Name: "Cap", Kind: sim.ItemArmour, SlotKind: 3, ArmourLevel: 2, Stackable: false},
	}
	w.NewCharacters.Kit = []sim.KitItem{{Slot: sim.SlotBackpack, Stack: sim.ItemStack{Item: sword, Amount: 1, Health: 100}}}
	for i, name := range []string{"Health", "Speed", "Strength", "Energy"} {
		w.Attributes[i].Name = name
	}
	w.Factions[0].Name, w.Factions[1].Name = "Beasts", "People"
	for i := range w.Factions {
		for j := range w.Factions[i].Ratings {
			w.Factions[i].Ratings[j] = 100
		}
	}
	return w
}

// emptyFields returns the world twoFields without NPCs.
func emptyFields() *sim.World {
	w := twoFields()
	w.Areas[0].Spawns = nil
	return w
}

// npc returns the state of an NPC for a test frame.
func npc(id sim.EntityID, template uint16, at geom.Vec) sim.ActorState {
	a := sim.ActorState{
		ID: id, Pos: at, DestX: at.X, DestZ: at.Z, Health: 40, HealthMax: 40, Energy: 50, Speed: 50, SpeedMax: 50,
		Body: &sim.Body{Template: template, Name: "NPC"},
	}
	for i := range a.Body.Equipment {
		a.Body.Equipment[i] = sim.NoItem
	}
	return a
}

// player returns the state of a player for a test frame.
func player(id sim.EntityID, name string, at geom.Vec) sim.ActorState {
	a := npc(id, human, at)
	a.Flags = sim.FlagPlayer
	a.Body.Name, a.Body.Character = name, sim.CharacterID(id)
	return a
}

// fieldAppearances returns the appearances of items and projectiles of emptyFields.
func fieldAppearances() *appearance.RealmCrafter {
	models := appearance.New().RealmCrafter
	models.Items[cap] = appearance.RealmCrafterItem{Thumbnail: appearance.None, Gubbins: [6]uint16{0, 1}, MaleMesh: appearance.None, FemaleMesh: appearance.None}
	models.Projectiles[1] = appearance.RealmCrafterProjectile{Mesh: 7, Emitter1: "Dust", Texture1: 3, Texture2: 4, Homing: true}
	return &models
}
