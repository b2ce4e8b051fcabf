package content

import "github.com/truestep-io/truestep/sim/combat"

// This file decodes the small files of Server Data. Source: RealmCrafter data specification, sections 5 to 7 and 10.

// rcProjectile is a record of Projectiles.dat.
type rcProjectile struct {
	ID                 uint16 // id of the projectile
	Name               string // name of the projectile
	Mesh               uint16 // media id of the mesh
	Emitter1, Emitter2 string // names of the particle emitters
	Emitter1Texture    uint16 // media id of the texture for the first emitter
	Emitter2Texture    uint16 // media id of the texture for the second emitter
	Homing             bool   // the projectile follows its target
	HitChance          uint8  // percentage of shots that hit
	Damage, DamageType uint16 // damage in points before armour, and index of the damage type
	Speed              uint8  // flight speed; clients move the projectile by Speed/50 units per frame
}

func parseProjectiles(c *cursor) ([]rcProjectile, error) {
	var list []rcProjectile
	for c.hasMore() {
		c.beginRecord("record", len(list))
		at := c.off
		p := rcProjectile{
			ID: c.u16("id"), Name: c.str("name", nameLimit), Mesh: c.u16("mesh"),
			Emitter1: c.str("emitter1", nameLimit), Emitter2: c.str("emitter2", nameLimit),
			Emitter1Texture: c.u16("emitter1Texture"), Emitter2Texture: c.u16("emitter2Texture"),
			Homing: c.boolByte("homing"), HitChance: c.u8("hitChance"),
			Damage: c.u16("damage"), DamageType: c.u16("damageType"), Speed: c.u8("speed"),
		}
		if p.ID > maxProjectileID {
			c.fail(at, "the id %d is outside 0..%d", p.ID, maxProjectileID)
		}
		list = append(list, p)
	}
	return list, c.done()
}

// maxProjectileID is the highest id of a projectile; the RealmCrafter server's table ends there.
const maxProjectileID = 5000

// rcSpell is a record of Spells.dat.
type rcSpell struct {
	ID                            uint16 // id of the spell
	Name, Description             string // texts for clients
	ThumbnailTexture              uint16 // media id of the icon
	ExclusiveRace, ExclusiveClass string // race and class that can use the spell; "" for no restriction
	RechargeTime                  int32  // ms until the spell can be cast again
	Script, Method                string // script of the spell, and function in the script
}

func parseSpells(c *cursor) ([]rcSpell, error) {
	var list []rcSpell
	for c.hasMore() {
		c.beginRecord("record", len(list))
		at := c.off
		s := rcSpell{
			ID: c.u16("id"), Name: c.str("name", nameLimit), Description: c.str("description", longLimit),
			ThumbnailTexture: c.u16("thumbnailTexture"),
			ExclusiveRace:    c.str("exclusiveRace", nameLimit), ExclusiveClass: c.str("exclusiveClass", nameLimit),
			RechargeTime: c.i32("rechargeTime"),
			Script:       c.str("script", scriptLimit), Method: c.str("method", scriptLimit),
		}
		if s.ID == noItem {
			c.fail(at, "the id 65535 is outside 0..65534")
		}
		list = append(list, s)
	}
	return list, c.done()
}

// rcAttributes is the content of Attributes.dat.
type rcAttributes struct {
	AssignmentPoints uint8                          // points that players distribute among the attributes of a new character
	Attributes       [combat.Attributes]rcAttribute // attributes by index
}

type rcAttribute struct {
	Name            string // name of the attribute; "" if it is not in use
	IsSkill, Hidden bool   // IsSkill: clients list the attribute as a skill; Hidden: clients do not show the attribute
}

func parseAttributes(c *cursor) (*rcAttributes, error) {
	a := &rcAttributes{AssignmentPoints: c.u8("assignmentPoints")}
	for i := range a.Attributes {
		c.beginRecord("attribute", i)
		a.Attributes[i] = rcAttribute{c.str("name", nameLimit), c.boolByte("isSkill"), c.boolByte("hidden")}
	}
	return a, c.done()
}

// parseDamage reads the names of the damage types from Damage.dat.
func parseDamage(c *cursor) (names [combat.DamageTypes]string, err error) {
	c.strs("names", names[:], nameLimit)
	return names, c.done()
}

// rcFactions is the content of Factions.dat.
type rcFactions struct {
	Names   [combat.Factions]string                 // names of the factions by index; "" for an unused index
	Ratings [combat.Factions][combat.Factions]uint8 // Ratings[i][j] is the rating of members of faction i with faction j
}

func parseFactions(c *cursor) (*rcFactions, error) {
	f := &rcFactions{}
	c.strs("names", f.Names[:], nameLimit)
	for i := range f.Ratings {
		c.beginRecord("ratings of faction", i)
		for j := range f.Ratings[i] {
			f.Ratings[i][j] = c.u8At(field{"rating", j})
		}
	}
	return f, c.done()
}

// rcFixed is the content of a file Fixed Attributes.dat: for each role the index of the attribute that has it, or 65535 if none
// has it.
type rcFixed struct{ Health, Energy, Breath, Toughness, Strength, Speed uint16 }

func parseFixed(c *cursor) (rcFixed, error) {
	f := rcFixed{
		Health: c.u16("health"), Energy: c.u16("energy"), Breath: c.u16("breath"),
		Toughness: c.u16("toughness"), Strength: c.u16("strength"), Speed: c.u16("speed"),
	}
	return f, c.doneLenient()
}

// parseClientFixed reads the client's copy, Game Data/Fixed Attributes.dat. It has five numbers, because toughness is
// missing.
func parseClientFixed(c *cursor) (rcFixed, error) {
	f := rcFixed{
		Health: c.u16("health"), Energy: c.u16("energy"), Breath: c.u16("breath"), Toughness: noMedia,
		Strength: c.u16("strength"), Speed: c.u16("speed"),
	}
	return f, c.doneLenient()
}

// rcMisc is the content of Server Data/Misc.dat, the general settings.
type rcMisc struct {
	StartGold, StartReputation int32
	ForcePortals               bool   // not used by this server
	CombatDelay                uint16 // minimum ms between two attacks of one actor
	CombatFormula              uint8  // number of the damage formula, 1..4
	WeaponDamage, ArmourDamage bool   // weapons and armour wear out
	CombatRatingAdjust         uint8  // points by which a kill lowers the killer's rating with the victim's faction
	AllowAccountCreation       bool   // clients may create accounts
	MaxAccountChars            uint8  // maximum number of game characters that an account may have
	ServerPort                 int32  // UDP port; 0 stands for 25000
	RequireMemorise            bool   // spells must be memorised before use
}

func parseMisc(c *cursor) (rcMisc, error) {
	m := rcMisc{
		StartGold: c.i32("startGold"), StartReputation: c.i32("startReputation"), ForcePortals: c.boolByte("forcePortals"),
		CombatDelay: c.u16("combatDelay"), CombatFormula: c.u8("combatFormula"),
		WeaponDamage: c.boolByte("weaponDamage"), ArmourDamage: c.boolByte("armourDamage"),
		CombatRatingAdjust: c.u8("combatRatingAdjust"), AllowAccountCreation: c.boolByte("allowAccountCreation"),
		MaxAccountChars: c.u8("maxAccountChars"), ServerPort: c.i32("serverPort"), RequireMemorise: c.boolByte("requireMemorise"),
	}
	return m, c.doneLenient()
}
