package combat

import "github.com/truestep-io/truestep/sim/geom"

// Sizes of the tables that every RealmCrafter actor carries. Source: specs of the protocol, section 2 and 6.
const (
	Attributes  = 40  // attributes of an actor: health, strength, speed...
	DamageTypes = 20  // kinds of damage; also the length of a resistance table
	Factions    = 100 // ratings of one actor toward every faction
)

// Attribute is one attribute of an actor with its maximum. The wire carries both as u16.
type Attribute struct{ Value, Max int32 }

// AttributeRoles maps the roles in the rules to attributes: an index 0..39, or -1 for none. Health, strength and
// speed are always set in a checked world.
type AttributeRoles struct{ Health, Energy, Breath, Toughness, Strength, Speed int }

// Aggressiveness is how an actor starts fights. Source: seed P_AttackActor; RealmCrafter Actors.dat field 20.
type Aggressiveness uint8

// The four kinds of aggressiveness.
const (
	Passive      Aggressiveness = iota // never attacks, never fights back
	Defensive                          // fights back when attacked
	Hostile                            // attacks on sight
	NonCombatant                       // neither attacks nor can be attacked
)

// WeaponKind tells melee from ranged weapons. The numbers are those of Items.dat.
type WeaponKind uint8

// Kinds of weapon.
const (
	OneHanded WeaponKind = 1
	TwoHanded WeaponKind = 2
	Ranged    WeaponKind = 3
)

// Weapon is the weapon part of an item template.
type Weapon struct {
	Damage     int32       // points before armour
	Type       uint8       // damage type, 0..19
	Kind       WeaponKind  //
	Range      float32     // units, ranged weapons only
	Projectile *Projectile // nil: none, or not a ranged weapon
}

// Projectile is what a ranged weapon shoots.
type Projectile struct {
	ID        uint16
	Name      string
	HitChance int32 // percent, 1..100
	Damage    int32 // points before armour
	Type      uint8 // damage type, 0..19
	Speed     uint8 // 1..100; clients move it by Speed/50 units per frame
}

// Fighter is one side of an attack: a view that the caller fills, borrowed for one call.
type Fighter struct {
	Player       bool
	Mounted      bool
	Pos          geom.Vec
	Radius       float32 // units, already scaled (RealmCrafter's x 0.05)
	Temper       Aggressiveness
	HomeFaction  uint8            // 0..99
	Ratings      *[Factions]uint8 // own rating toward each faction, 0..200, 100 neutral
	Health       int32
	Strength     int32
	Toughness    int32
	HasToughness bool // the world has a toughness attribute
	Level        int32
	Resistances  *[DamageTypes]int32 // by damage type, 100 neutral
	Armour       int32               // sum of armour levels of worn, unbroken armour
	Weapon       *Weapon             // nil: bare hands
	WeaponHealth uint8               // 0..100; a melee weapon at 0 counts as bare hands
	Unarmed      uint8               // damage type of bare hands
}
