package bedrock

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Templates and attributes of the test world.
const (
	human, wolf      = 1, 2
	attrHealth       = 0
	attrSpeed        = 1
	attrStrength     = 2
	attrEnergy       = 3
	unitsPerBlock    = 2
	groundY          = 64 // height of the top of the ground in blocks
	respawnDelay     = 1000
	westX, gateWestX = 50, 58 // x of the start position and of the portal in area West, in world units
)

// twoFields returns a world of two flat areas that portals connect, West (with PvP) and East, at two world units per
// block. Players start at (50, 2) in world units, which is block (25, -1), and reach the portal at (58, 2) by walking
// east.
func twoFields() *sim.World {
	beast := sim.Template{ID: wolf, Race: "Wolf", Radius: 1, StartArea: sim.NoArea, StartPortal: -1, Temper: combat.Passive, Environment: sim.Walk}
	beast.Attr[attrHealth] = combat.Attribute{Value: 40, Max: 40}
	beast.Attr[attrSpeed] = combat.Attribute{Value: 50, Max: 50}
	beast.Attr[attrStrength] = combat.Attribute{Value: 5, Max: 5}
	for i := range beast.Resist {
		beast.Resist[i] = 100
	}
	person := beast
	person.ID, person.Race, person.Class, person.Playable, person.StartArea, person.StartPortal = human, "Human", "Fighter", true, 0, 0
	person.Slots, person.Faction = 1<<11-1, 1
	person.Attr[attrHealth] = combat.Attribute{Value: 100, Max: 100}
	person.Attr[attrStrength] = combat.Attribute{Value: 80, Max: 80}
	person.Attr[attrEnergy] = combat.Attribute{Value: 50, Max: 50}
	w := &sim.World{
		Name: "fields", TicksPerSecond: 20,
		Roles: combat.AttributeRoles{Health: attrHealth, Speed: attrSpeed, Strength: attrStrength, Energy: attrEnergy, Breath: -1, Toughness: -1},
		Rules: sim.Rules{
			Combat: combat.DefaultRules(), Claim: move.OriginalClaimPolicy(), Step: move.Euclidean,
			Predict: move.DefaultPredictPolicy(), Knockback: sim.Knockback{Away: 0.4, Up: 0.4},
			RespawnArea: sim.NoArea, RespawnPortal: -1, RespawnDelayMS: respawnDelay, RespawnHealth: 50,
			PortalLockMS: 35_000, SaveEveryMS: 30_000, MaxActors: 3000,
		},
		Templates:     []sim.Template{person, beast},
		NewCharacters: sim.NewCharacterRules{AllowAccounts: true, MaxCharacters: 2, Pet: sim.NoTemplate, Greeting: "Welcome"},
		Areas: []sim.AreaDef{
			{
				Name: "West", Gravity: 300, PvP: true,
				Portals: []sim.Portal{
					{Name: "start", Pos: geom.Vec{X: westX, Z: 2}, Yaw: 90, Radius: 3, ToArea: sim.NoArea},
					{Name: "gate", Pos: geom.Vec{X: gateWestX, Z: 2}, Radius: 2, ToArea: 1},
				},
			},
			{
				Name: "East", Gravity: 200,
				Portals: []sim.Portal{{Name: "gate", Pos: geom.Vec{X: 1000, Z: 2000}, Radius: 2, ToArea: 0, ToPortal: 0}},
			},
		},
	}
	for i := range w.Areas {
		w.Areas[i].BlockGrid = terrain.BlockGrid{UnitsPerBlock: unitsPerBlock, Origin: [3]int32{0, groundY, 0}}
	}
	for i, name := range []string{"Health", "Speed", "Strength", "Energy"} {
		w.Attributes[i].Name = name
	}
	w.Factions[0].Name, w.Factions[1].Name = "Beasts", "People"
	for i := range w.Factions {
		for j := range w.Factions[i].Ratings {
			w.Factions[i].Ratings[j] = 0
		}
	}
	return w
}
