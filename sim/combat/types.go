package combat

import "github.com/truestep-io/truestep/sim/geom"

// Sizes of the tables that every RealmCrafter actor has. Source: docs/wire/rcce.md, sections 2 and 6.
const (
	Attributes  = 40  // number of attributes of an actor, such as health, strength and speed
	DamageTypes = 20  // number of damage types, and the length of a resistance table
	Factions    = 100 // number of factions, and the length of a rating table
)

// Attribute is the current value of an attribute of an actor, and its maximum.
type Attribute struct{ Value, Max int32 }

// AttributeRoles says which attribute is the health of an actor, which its energy, and so on: each is an index 0..39, or -1 if no
// attribute has the role. In a checked world, health, strength and speed are always set.
type AttributeRoles struct{ Health, Energy, Breath, Toughness, Strength, Speed int }

// Aggressiveness says when an NPC attacks. Source: specification P_AttackActor; RealmCrafter Actors.dat field 20.
type Aggressiveness uint8

// Values of Aggressiveness: when an NPC attacks, and whether it can be attacked.
const (
	Passive      Aggressiveness = iota // the actor never attacks and never fights back
	Defensive                          // the actor fights back when attacked
	Hostile                            // the actor attacks enemies on sight
	NonCombatant                       // the actor neither attacks nor can be attacked
)

// WeaponKind is whether a weapon is one-handed, two-handed or ranged. The numbers are those of the file Items.dat.
type WeaponKind uint8

// Values of WeaponKind, as in the file Items.dat.
const (
	OneHanded WeaponKind = 1
	TwoHanded WeaponKind = 2
	Ranged    WeaponKind = 3
)

// Weapon is what the combat rules need to know about a weapon.
type Weapon struct {
	Damage     int32       // damage in points, before armour
	Type       uint8       // damage type, 0..19
	Kind       WeaponKind  // one-handed, two-handed or ranged
	Range      float32     // range in world units; only ranged weapons have one
	Projectile *Projectile // nil for melee weapons, and for ranged weapons without a projectile
}

// Projectile is a kind of projectile, such as an arrow, that a ranged weapon shoots.
type Projectile struct {
	ID        uint16 // id of the projectile in the world file
	Name      string
	HitChance int32 // percentage of shots that hit, 1..100
	Damage    int32 // damage in points, before armour
	Type      uint8 // damage type, 0..19
	Speed     uint8 // flight speed, 1..100; clients move the projectile by Speed/50 units per frame
}

// Fighter is the data of an attacker or a victim that the combat rules need. The caller fills it for one call and owns the memory
// that its pointers refer to. The rules neither change nor retain it.
type Fighter struct {
	Player       bool             // true for a player, false for an NPC
	Mounted      bool             // the fighter rides a mount
	Pos          geom.Vec         // position of the feet in world units
	Radius       float32          // radius in world units: RealmCrafter's radius x 0.05
	Temper       Aggressiveness   // when the fighter attacks
	HomeFaction  uint8            // index of the fighter's own faction, 0..99
	Ratings      *[Factions]uint8 // the fighter's ratings toward each faction, 0..200, 100 is neutral
	Health       int32            // current health in points
	Strength     int32            // value of the strength attribute
	Toughness    int32            // value of the toughness attribute; valid if HasToughness
	HasToughness bool             // the world has a toughness attribute
	Level        int32
	Resistances  *[DamageTypes]int32 // resistance to each damage type in percent: above 100 reduces damage, below 100 increases it
	Armour       int32               // sum of the armour levels of worn, unbroken armour
	Weapon       *Weapon             // nil for bare hands
	WeaponHealth uint8               // condition of the weapon, 0..100; a melee weapon at 0 counts as bare hands
	Unarmed      uint8               // damage type of an attack with bare hands
}
