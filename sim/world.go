package sim

import (
	"sort"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// World is a definition of a world: rules, templates and areas. It is immutable. Package content builds and checks it; areas
// and gateways share it read-only. A reload of the world file replaces it by another one: see Area.Redefine.
type World struct {
	Name string

	// ContentHash is the hash of the files from which the world was loaded. Snapshots and replays contain it. It is 0 if the hash
	// is unknown.
	ContentHash uint64

	TicksPerSecond int // simulation rate, 5..60; default 20

	Roles       combat.AttributeRoles            // which attributes are health, energy, speed and so on
	Attributes  [combat.Attributes]AttributeName // name and properties of each attribute
	DamageNames [combat.DamageTypes]string       // name of each damage type; "" for an unused one
	Factions    [combat.Factions]Faction         // factions by index; Template.Faction is such an index

	Templates   []Template          // kinds of actors, sorted by ID; IDs are unique
	Items       []Item              // kinds of items, sorted by ID; IDs are unique
	Projectiles []combat.Projectile // kinds of projectiles, sorted by ID; IDs are unique
	Areas       []AreaDef           // areas of the world, indexed by AreaID

	Rules         Rules             // settings that the operator may change
	NewCharacters NewCharacterRules // rules for new accounts and characters
	Calendar      Calendar          // calendar for clients to show; no rule uses it

	Schema GameSchema // fields, commands and events that the game of this world declares
	Game   Game       // rules of the game in Go; nil if there are only the rules of this package
}

// AreaID is the index of an area in World.Areas.
type AreaID int32

// NoArea is the AreaID that stands for no area.
const NoArea AreaID = -1

// AttributeName describes one of the 40 attributes that every actor has. Its Name is empty if the world does not use the
// attribute.
type AttributeName struct {
	Name          string
	Skill, Hidden bool // Skill: clients list it as a skill; Hidden: clients do not show it
}

// Faction is one of the 100 factions. Name is empty for an unused faction.
type Faction struct {
	Name    string
	Ratings [combat.Factions]uint8 // ratings of new members toward each faction, 0..200, 100 is neutral
}

// Environment is where an actor can move: on land, in water or in the air. The numbers are those of field 23 of Actors.dat.
type Environment uint8

// Values of Environment, as in the file Actors.dat.
const (
	Amphibious Environment = iota // the actor moves on land and in water
	Swim                          // the actor moves in water and does not drown
	Fly                           // the actor moves in the air, at the height that the server sends
	Walk                          // on land
)

// Template is a kind of actor: a playable race and class, or a kind of NPC.
type Template struct {
	ID          uint16                              // numeric id, unique in the world
	Race, Class string                              // race and class; NPCs are named after their race
	Description string                              // text for players that create a character
	StartArea   AreaID                              // area where new players enter; NoArea unless the template is playable
	StartPortal int                                 // index in AreaDef.Portals of the portal where new players enter, -1 for none
	Radius      float32                             // radius in world units
	Attr        [combat.Attributes]combat.Attribute // attributes of a new actor, each with Value <= Max
	Resist      [combat.DamageTypes]int32           // resistance by damage type in percent: above 100 reduces damage, below 100 increases it
	// Genders says which genders actors of the template can have. 0: male and female (each actor has one of the two),
	// 1: male, 2: female, 3: none.
	Genders  uint8
	Playable bool // players can choose this template
	Rideable bool // players under the claim authority can ride actors of this template
	// Vehicle is the type of vehicle that players under the predict authority ride when they mount actors of the template.
	// NoVehicle means that these players cannot ride such actors.
	Vehicle      move.VehicleType
	Temper       combat.Aggressiveness // how actors of this template start fights
	SightRange   float32               // world units within which the actor sees enemies and answers calls for help
	Environment  Environment           // where the actor can move
	Slots        uint32                // bit n allows equipment of Item.SlotKind n+1
	Unarmed      uint8                 // damage type of attacks with bare hands
	Faction      uint8                 // index of the faction, 0..99
	XPMultiplier int32                 // experience points for a kill per level of difference
	Kit          []ItemStack           // equipment of every NPC of this template, in slots 0..7; empty for none
}

// ItemKind is the category of an item. The numbers are those of field 7 of the file Items.dat.
type ItemKind uint8

// Values of ItemKind, as in the file Items.dat.
const (
	ItemWeapon ItemKind = 1 + iota
	ItemArmour
	ItemJewel
	ItemPotion
	ItemIngredient
	ItemImage
	ItemOther
)

// Item is a kind of item, such as bread, with the properties that all items of the kind have.
type Item struct {
	ID             uint16
	Name           string
	ExclusiveRace  string                   // race that can use the item, "" for every race
	ExclusiveClass string                   // class that can use the item, "" for every class
	Kind           ItemKind                 // weapon, armour, potion and so on
	Value          int32                    // price in money; no rule reads it
	Mass           uint16                   // weight; no rule reads it
	TakesDamage    bool                     // the item loses health in fights
	SlotKind       uint8                    // slot: 1 weapon, 2 shield, 3 hat, 4 chest, 5 hand, 6 belt, 7 legs, 8 feet, 9 ring, 10 amulet, 11 backpack
	Stackable      bool                     // a slot can hold more than one item of this kind
	Attr           [combat.Attributes]int16 // bonus to each attribute of the wearer
	Weapon         *combat.Weapon           // weapon data; set if and only if Kind is ItemWeapon
	ArmourLevel    int32                    // armour points; 0 unless Kind is ItemArmour
	Text           string                   // text of an item of kind ItemOther

	Glides     bool     // an elytra: its wearer can glide
	Worn       []Effect // effects while the item is worn, without duration; never EffectFirework
	Use        []Effect // effects that begin when the item is used in hand
	UseDelayMS int32    // ms between two uses by one player

	DepthStrider uint8 // level of the depth strider enchantment that the item gives its wearer, 0 for none
}

// AreaDef is one area: a zone with its own actors, goroutine and random stream.
type AreaDef struct {
	Name          string
	PvP           bool              // players may attack each other
	Gravity       uint16            // gravity of the area, which some clients are sent: 300 is normal, 200 weightless; no rule reads it
	Outdoors      bool              // the area is under the open sky; no rule reads it
	WeatherChance [5]uint8          // chances in percent of rain, snow, fog, storm and wind
	Waypoints     []Waypoint        // graph of the points between which NPCs patrol
	Portals       []Portal          // entrances to other areas, and points of arrival
	Spawns        []Spawn           // which NPCs the area creates, and where
	Waters        []Water           // boxes of water
	Zones         []EffectZone      // zones that give effects to players inside
	Tiles         terrain.TileGrid  // conversion between world units and tiles, for the path authority
	Solids        []terrain.Solid   // walls, buildings and other solids on the ground, for drawing maps; rules use the tables below
	Ground        *terrain.Tiles    // which tiles are blocked, for the path authority; nil if none are
	BlockGrid     terrain.BlockGrid // conversion between world units and blocks, for the predict authority
	Blocks        *terrain.Blocks   // blocks that stop players under the predict authority; nil for flat ground
	Walls         *terrain.Walls    // walls that stop claims, NPCs and other walks; nil if there are none
	// Floor has the height of the ground on which Blocks and the solids stand. If it is nil, heights are unknown and
	// the server does not change the height of an actor.
	Floor *terrain.Floor
}

// Waypoint is a node of the patrol graph. NextA, NextB and Prev are indices in AreaDef.Waypoints, -1 for none.
type Waypoint struct {
	Pos                geom.Vec
	Used               bool  // false for an unused entry in the waypoint table of a RealmCrafter project
	NextA, NextB, Prev int32 // a patrol continues at NextA or NextB at random, and at Prev if both are -1
	PauseMS            int32 // rest of a patrol at this waypoint in ms
}

// Portal is a named position in an area. If ToArea is set, players that enter the portal are transferred to another portal.
// Otherwise it is only a place, such as one where players respawn.
type Portal struct {
	Name     string
	Pos      geom.Vec
	Radius   float32 // radius of the portal in world units, > 0
	Yaw      float32 // direction that players face on arrival, degrees
	ToArea   AreaID  // area to which the portal leads; NoArea if it is only an arrival point
	ToPortal int     // index of the arrival portal in that area's Portals
}

// Spawn creates actors of a template around a waypoint, up to Max at a time.
type Spawn struct {
	Template uint16  // id of the template of its actors
	Waypoint int32   // index into the area's Waypoints
	Size     float32 // edge length of the square around the waypoint in which actors appear, world units
	Range    float32 // world units within which NPCs wander around the waypoint; below 5 they patrol instead
	Max      int32   // maximum number of living actors
	PeriodMS int32   // ms between two new actors while fewer than Max are alive
}

// Water is a box of water, aligned with the axes: X and Z are its south-west corner, Y is the height of the surface. It has no
// bottom.
type Water struct {
	X, Y, Z, Width, Depth float32 // position of the corner and the surface, and size along X and Z, in world units
	Damage                int32   // points of damage per second to an actor under the surface, 0 for none
	DamageType            uint8   // damage type, 0..19
}

// Rules are the settings of the world that the operator may change.
type Rules struct {
	Combat combat.Rules     // rules of attacks and damage
	Claim  move.ClaimPolicy // which claims of players under the claim authority are accepted
	Step   move.StepMetric  // how the length of a step on a diagonal is measured
	Path   move.PathPolicy  // how players under the path authority walk

	Predict   move.PredictPolicy // how inputs of players under the predict authority are judged
	Knockback Knockback          // velocity that a hit gives to a player under the predict authority

	// Respawn of players. The RealmCrafter server leaves it to scripts, so these rules are this server's own.
	RespawnArea    AreaID // area where players respawn; NoArea for the area of the death
	RespawnPortal  int    // index of the portal in the respawn area; -1 for a respawn point of that area, see Area.respawnPlace
	RespawnDelayMS int32  // ms from the death of a player to its respawn
	RespawnHealth  int32  // percent of maximum health after a respawn, 1..100

	Linger LingerRules // how long players stay in the world after they have lost their connection

	// RewindMS is the limit of lag compensation in ms: an attack is judged by the position at which the attacker's client showed
	// the target, but not by a position that is older than this. If it is 0, every attack is judged by the current position of
	// the target. Areas store the positions of at most 20 ticks.
	RewindMS int32

	PortalLockMS int32 // ms before a portal transfers the same player again; 35000 in the RealmCrafter server
	SaveEveryMS  int32 // maximum ms between two autosaves of a player; default 30000

	// Rules for what the RealmCrafter server leaves to scripts. The value 0 disables a rule.
	LeashUnits         float32 // distance in world units from the start of a chase at which an NPC gives up and returns; 0 for no limit
	HealthRegenMS      int32   // ms between two regenerations of a living actor
	HealthRegenPercent int32   // percent of maximum health per regeneration, at least 1 point
	EnergyRegen        int32   // points of energy regained per second while not running

	MaxActors int32 // maximum actors per area; further logins are refused
}

// Knockback is the velocity that a hit gives a player under the predict authority, in blocks per tick. Away is its part away from
// the attacker, Up its part upward. The zero value disables knockback.
type Knockback struct{ Away, Up float32 }

// NewCharacterRules are the rules for new accounts and characters.
type NewCharacterRules struct {
	AllowAccounts   bool      // clients may create accounts
	MaxCharacters   int       // maximum characters per account, 1..10
	AttributePoints int       // attribute points that a new character may distribute
	Gold            int32     // gold of a new character
	Reputation      int32     // reputation of a new character
	NameFilter      []string  // words in lower case; names that contain one are refused
	Kit             []KitItem // items of a new character
	Pet             uint16    // template of the pet that every new character receives; NoTemplate for none
	Greeting        string    // chat line that the player receives when it enters the world; "" for none
}

// KitItem is an item that a new character starts with.
type KitItem struct {
	Slot  uint8     // inventory slot of the item, 0..45, see Inventory
	Stack ItemStack // kind and number of the items
}

// NoTemplate is the template id that stands for no template.
const NoTemplate uint16 = 65535

// Template returns the template with an id, nil if there is none.
func (w *World) Template(id uint16) *Template {
	i, ok := sort.Find(len(w.Templates), func(i int) int { return int(id) - int(w.Templates[i].ID) })
	if !ok {
		return nil
	}
	return &w.Templates[i]
}

// Item returns the kind of item with an id, nil if there is none.
func (w *World) Item(id uint16) *Item {
	i, ok := sort.Find(len(w.Items), func(i int) int { return int(id) - int(w.Items[i].ID) })
	if !ok {
		return nil
	}
	return &w.Items[i]
}

// AreaNamed returns the area with a name, ignoring ASCII case. It returns NoArea if there is none.
func (w *World) AreaNamed(name string) AreaID {
	for i := range w.Areas {
		if EqualFold(w.Areas[i].Name, name) {
			return AreaID(i)
		}
	}
	return NoArea
}

// PortalNamed returns the index of the area's first portal with the given name. The case of ASCII letters does not matter. It
// returns -1 if there is none.
func (d *AreaDef) PortalNamed(name string) int {
	for i := range d.Portals {
		if EqualFold(d.Portals[i].Name, name) {
			return i
		}
	}
	return -1
}

// EqualFold compares names as the RealmCrafter server does: by bytes, ignoring the case of ASCII letters.
func EqualFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
