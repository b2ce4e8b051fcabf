package content

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// Limits and constants of Accounts.dat. Source: RealmCrafter data specification, section 9.
const (
	accountsMagic   = 0x41434354 // first four bytes of a file of version 1 or later; version 0 begins with a length, which is never this large
	accountsVersion = 1
	maxCharacters   = 10   // maximum number of characters of an account
	maxPets         = 32   // maximum number of pets of a character
	maxPetDepth     = 4    // maximum nesting of pets: the file stores the pets of a pet inside it
	questSlots      = 500  // number of quests that the file stores per character
	spellSlots      = 1000 // number of spells that the file stores per actor
)

// rcAccount is an account as stored in Accounts.dat.
type rcAccount struct {
	User, Password, Email string
	GM, Banned            bool
	Ignore                string        // ignored account names, each followed by a comma
	Characters            []rcCharacter // the account's characters, at most maxCharacters
}

// rcCharacter is a character as stored in Accounts.dat, without its quests.
type rcCharacter struct {
	Instance  rcInstance // the character's actor
	ActionBar [36]string // contents of the slots of the client's action bar
}

// rcInstance is an actor (a character or a pet) as stored in Accounts.dat, without its spells and script variables.
type rcInstance struct {
	Actor                            uint16                     // id of the actor's template
	Area, Name, Tag                  string                     // names of the area and of the actor, and a text beside the name
	Pos                              geom.Vec                   // position in world units
	Gender                           uint8                      // 0 male, 1 female
	XP                               int32                      // experience points
	XPBarLevel                       uint8                      // experience bar, 0..255
	Level                            uint16                     // level
	Face, Hair, Beard, Body          uint16                     // indices into the template's lists of meshes and textures
	AttributeValue, AttributeMaximum [combat.Attributes]uint16  // value and maximum of each attribute
	Resistances                      [combat.DamageTypes]uint16 // percent resistance by damage type, 100 is neutral
	Inventory                        [sim.SlotCount]rcSlot      // slots of the inventory
	Reputation                       int16                      // reputation points
	Gold                             int32                      // amount of money
	HomeFaction                      uint8                      // index of the actor's faction
	Ratings                          [combat.Factions]uint8     // rating with each faction
	Pets                             []rcInstance               // pets, at most maxPets
}

// rcSlot is an inventory slot as stored in Accounts.dat.
type rcSlot struct {
	Item   rcItemState // the item; ID is noItem if the slot is empty
	Amount uint16      // number of items
}

// parseAccountsHeader reads the header and returns the version of the file. A file without a header has version 0.
func parseAccountsHeader(c *cursor) uint8 {
	if c.unread() < 4 || (&cursor{b: c.b}).i32("magic") != accountsMagic {
		return 0
	}
	c.i32("magic")
	at := c.off
	version := c.u8("version")
	if version > accountsVersion {
		c.fail(at, "the file has version %d, but only versions up to %d are supported", version, accountsVersion)
	}
	return version
}

func parseAccount(c *cursor, version uint8) rcAccount {
	a := rcAccount{
		User: c.str("user", nameLimit), Password: c.str("password", nameLimit), Email: c.str("email", nameLimit),
		GM: c.boolByte("gm"), Banned: c.boolByte("banned"), Ignore: c.str("ignore", longLimit),
	}
	at := c.off
	n := c.u8("characterCount")
	if n > maxCharacters {
		c.fail(at, "the number of characters, %d, is outside 0..%d", n, maxCharacters)
	}
	for i := 0; i < int(n) && c.err == nil; i++ {
		a.Characters = append(a.Characters, parseCharacter(c, version))
	}
	return a
}

func parseCharacter(c *cursor, version uint8) rcCharacter {
	ch := rcCharacter{Instance: parseInstance(c, version, 0)}
	for i := 0; i < questSlots && c.err == nil; i++ {
		c.strAt(field{"questName", i}, scriptLimit)
		c.strAt(field{"questStatus", i}, scriptLimit)
	}
	c.strs("actionBar", ch.ActionBar[:], nameLimit)
	return ch
}

func parseInstance(c *cursor, version uint8, depth int) rcInstance {
	in := rcInstance{
		Actor: c.u16("actor"), Area: c.str("area", nameLimit), Name: c.str("name", nameLimit), Tag: c.str("tag", nameLimit),
	}
	c.i32("teamId")
	in.Pos = geom.Vec{X: c.anyCoord("x"), Y: c.anyCoord("y"), Z: c.anyCoord("z")}
	in.Gender, in.XP = c.u8("gender"), c.i32("xp")
	in.XPBarLevel, in.Level = c.u8("xpBarLevel"), c.u16("level")
	in.Face, in.Hair, in.Beard, in.Body = c.u16("face"), c.u16("hair"), c.u16("beard"), c.u16("body")
	for i := range in.AttributeValue {
		in.AttributeValue[i] = c.u16At(field{"attributeValue", i})
		in.AttributeMaximum[i] = c.u16At(field{"attributeMaximum", i})
	}
	c.u16s("resistances", in.Resistances[:])
	for i := 0; i < len(in.Inventory) && c.err == nil; i++ {
		in.Inventory[i] = rcSlot{parseItemState(c), c.u16At(field{"amount", i})}
	}
	parseInstanceRest(c, &in, version, depth)
	return in
}

// parseInstanceRest reads the fields of a stored actor after the inventory.
func parseInstanceRest(c *cursor, in *rcInstance, version uint8, depth int) {
	c.str("script", scriptLimit)
	c.str("deathScript", scriptLimit)
	in.Reputation, in.Gold = int16(c.u16("reputation")), c.i32("gold")
	petsAt := c.off
	pets := c.u8("pets")
	in.HomeFaction = c.u8("homeFaction")
	for i := range in.Ratings {
		in.Ratings[i] = c.u8At(field{"factionRatings", i})
	}
	for i := range 10 {
		c.strAt(field{"scriptGlobals", i}, scriptLimit)
	}
	for i := range spellSlots {
		c.u16At(field{"knownSpell", i})
		c.u16At(field{"spellLevel", i})
	}
	for i := range 10 {
		c.u16At(field{"memorisedSpells", i})
	}
	if version >= 1 {
		c.str("lastPortalArea", nameLimit)
		c.u16("lastPortal")
		c.i32("lastPortalTime")
	}
	switch {
	case pets > maxPets:
		c.fail(petsAt, "the number of pets, %d, is outside 0..%d", pets, maxPets)
	case pets > 0 && depth >= maxPetDepth:
		c.fail(petsAt, "pets that have pets are nested deeper than %d levels", maxPetDepth)
	}
	for i := 0; i < int(pets) && c.err == nil; i++ {
		in.Pets = append(in.Pets, parseInstance(c, version, depth+1))
	}
}

// anyCoord reads a coordinate of a character. A coordinate outside the world becomes 0 with a warning, as in the
// RealmCrafter server.
func (c *cursor) anyCoord(name string) float32 {
	v := f32of(c.readBytes(field{name, -1}, 4))
	if geom.Finite(v) && geom.Abs(v) < maxCoord+1 {
		return v
	}
	c.warn("COORDINATE", "%s is outside the world: 0 is used", name)
	return 0
}
