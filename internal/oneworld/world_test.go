package oneworld

import (
	"testing"

	"github.com/truestep-io/truestep/content"
)

// Parameters of the test world.
const (
	maxHealth  = 100 // health of a new character in points
	reach      = 10  // attack range with a sword in world units: melee_reach plus the radii of both actors
	lawnHeight = 12  // height of the Meadow in units
)

// testWorld has areas of different scale and origin: the Field and the Pit, where players may fight, the peaceful Meadow
// behind a portal of the Field, and the Yard with a wall. Fights are short, and no NPC attacks on sight.
const testWorld = `
name = "Test"
damage_types = ["Slashing"]

[rules]
portal_lock = 1

[rules.combat]
formula = 2
delay = 0.25
armour_wear = false

[rules.respawn]
delay = 4

[rules.regeneration]
health_every = 0

[newcomers]
greeting = "Welcome to the test."
kit = [{ item = "Sword" }]

[[attribute]]
name = "Health"
role = "health"

[[attribute]]
name = "Strength"
role = "strength"

[[attribute]]
index = 4
name = "Speed"
role = "speed"

[[projectile]]
id = 1
name = "Bolt"
hit_chance = 100
damage = 6

[[item]]
id = 1
name = "Sword"
kind = "weapon"
damage = 30
wears = false

[[item]]
id = 2
name = "Ballista"
kind = "weapon"
weapon = "ranged"
damage = 1
range = 2000
projectile = "Bolt"
wears = false

[[template]]
id = 1
race = "Human"
playable = true
start = { area = "Field", portal = "Start" }
xp = 100
attributes = { Health = 100, Strength = [20, 100], Speed = [50, 100] }

[[template]]
id = 2
race = "Post"
attributes = { Health = 500, Speed = [0, 100] }

[[template]]
id = 3
race = "Sheep"
attributes = { Health = 30, Speed = [30, 100] }

[[template]]
id = 4
race = "Bird"
environment = "fly"
temper = "noncombatant"
attributes = { Health = 10, Speed = [60, 100] }

[[area]]
name = "Field"
pvp = true
tiles = { size = 7, base = [8192, 8192] }
blocks = { units = 3.5, origin = [0, 64, 0] }

[[area.portal]]
name = "Start"
at = [0, 0, 7]

[[area.portal]]
name = "Back"
at = [49, 0, 21]

[[area.portal]]
name = "Gate"
at = [84, 0, 0]
to = { area = "Meadow", portal = "Lawn" }

[[area.path]]
name = "Round"
points = [[-30, 0, 40], [30, 0, 40]]

[[area.spawn]]
template = "Sheep"
waypoint = "Round 1"
size = 1

[[area.path]]
name = "Flight"
points = [[-40, 20, 60], [40, 45, 60]]

[[area.spawn]]
template = "Bird"
waypoint = "Flight 1"
size = 1

[[area]]
name = "Meadow"
tiles = { size = 5, base = [2000, 5000], plane = 1 }
blocks = { units = 2, origin = [1000, 70, -3000] }

[[area.portal]]
name = "Lawn"
at = [100, 12, 100]

[[area.portal]]
name = "Gate"
at = [140, 12, 100]
to = { area = "Field", portal = "Back" }

[[area]]
name = "Yard"
tiles = { size = 7, base = [3000, 3000] }
blocks = { units = 3.5, origin = [0, 64, 0] }

[[area.portal]]
name = "West"
at = [0, 0, 0]

[[area.solid]]
name = "Wall"
from = [28, 0, -700]
to = [35, 14, 700]

[[area.path]]
name = "Beat"
points = [[3, 0, 35], [60, 0, 35]]

[[area.spawn]]
template = "Sheep"
waypoint = "Beat 1"
size = 1

[[area]]
name = "Pit"
pvp = true
tiles = { size = 4, base = [12000, 300] }
blocks = { units = 1.25, origin = [-5000, 100, 777] }

[[area.portal]]
name = "Sand"
at = [30, -5, 30]
`

// newTestWorld loads testWorld.
func newTestWorld(t testing.TB) *content.World { return load(t, testWorld) }

// load loads a world from its TOML source.
func load(t testing.TB, toml string) *content.World {
	t.Helper()
	w, _, err := content.LoadWorld("test.toml", []byte(toml))
	if err != nil {
		t.Fatal(err)
	}
	return w
}
