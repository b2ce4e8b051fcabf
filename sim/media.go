package sim

// What RealmCrafter clients show of a world, and rules never look at. Ids are those of the client's media database.
// Source: RealmCrafter Actors.dat, Items.dat and Environment.dat.

// NoMedia is the id of no mesh, texture, sound or animation set.
const NoMedia uint16 = 65535

// ActorMedia is how an actor of a template looks and sounds. Immutable.
type ActorMedia struct {
	MaleAnimation, FemaleAnimation uint16    // animation sets
	Scale                          float32   // 1 is the mesh's own size
	Meshes                         [8]uint16 // male, female, six gubbins
	Beards, MaleHairs, FemaleHairs [5]uint16 // meshes
	MaleFaces, FemaleFaces         [5]uint16 // textures, by Looks.Face
	MaleBodies, FemaleBodies       [5]uint16 // textures, by Looks.Body
	MaleSpeech, FemaleSpeech       [16]uint16
	Blood                          uint16 // texture
	TradeMode                      uint8  // 0 none, 1 free, 2 for money
	PolyCollision                  bool   // clients collide with its triangles
}

// ItemMedia is how an item looks, and what clients tell of it. Immutable.
type ItemMedia struct {
	MaleMesh, FemaleMesh uint16
	Image                uint16 // texture of a kind ItemImage
	EatSeconds           uint16 // how long a kind ItemPotion or ItemIngredient works
}

// CacheModel is what RuneScape clients show of an actor. Numbers are those of the client's cache. NoMedia in Attack, Hurt,
// Death or Glide plays nothing there; NoMedia as NPC is somebody who looks like a player.
type CacheModel struct {
	NPC    uint16 // kind of npc that the actor is drawn as
	Stance uint16 // base animation set: how it stands and walks; that of the npc kind if NPC is one
	Attack uint16 // animations
	Hurt   uint16
	Death  uint16
	Glide  uint16 // while it is moved faster than clients let anybody walk
}

// CacheItemModel is what RuneScape clients show of an item that is worn. Immutable. NoMedia stands for nothing of its own.
type CacheItemModel struct {
	Worn   uint16 // number among the wearable objects of the client's cache
	Attack uint16 // animation of an attack with it, in place of the actor's
	Effect uint16 // spot effect at whoever attacks with it
}

// DefaultCacheModel is somebody who looks like a player and fights with bare hands. Source: the numbers that servers of
// revisions 562 to 667 agree on; 1426 is the player's own set, and 824 its run.
var DefaultCacheModel = CacheModel{NPC: NoMedia, Stance: 1426, Attack: 422, Hurt: 424, Death: 836, Glide: 824}

// EntityModel is what Bedrock clients show of an actor: one of their entities, or a person. The zero value is a person in
// clothes that the door chooses.
type EntityModel struct {
	Entity        string  // kind of entity, "minecraft:wolf"; "" is somebody who looks like a player
	Scale         float32 // 1 is its own size; 0 stands for 1
	Width, Height float32 // of its box, blocks at scale 1; 0: as the kind is known to be

	// What a person wears and looks like; NoColour leaves it to the door. Of an entity all are NoColour.
	Hair, Face, Shirt, Trousers, Shoes Colour
}

// Colour is red<<16 + green<<8 + blue, with a bit above them so that black differs from NoColour.
type Colour uint32

// NoColour is no colour at all.
const NoColour Colour = 0

// RGB is the colour of its parts.
func RGB(red, green, blue uint8) Colour {
	return 1<<24 | Colour(red)<<16 | Colour(green)<<8 | Colour(blue)
}

// Parts are red, green and blue.
func (c Colour) Parts() (red, green, blue uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }

// Calendar is the date and time when a world opens, and how they go on.
type Calendar struct {
	Year         int32
	Day          int32 // of the year, from 0
	Hour, Minute int32
	Factor       int32 // game minutes that pass in a real one; 0: time stands still
	Seasons      [12]Season
	Months       [20]Month // the first begins where the year ends: its StartDay is the last day of the year
}

// Season is a part of the year. It lasts until the next one begins.
type Season struct {
	Name       string
	StartDay   int32
	Dusk, Dawn int32 // hours
}

// Month is a part of the year.
type Month struct {
	Name     string
	StartDay int32
}

// After is the calendar when ms of real time have passed. Days go from 0 to the StartDay of the first month, both
// included, as the original counts them.
func (c Calendar) After(ms int64) Calendar {
	minutes := int64(c.Minute) + max(ms, 0)*int64(max(c.Factor, 0))/60_000
	hours := int64(c.Hour) + minutes/60
	days := int64(c.Day) + hours/24
	year := int64(max(c.Months[0].StartDay, 0)) + 1
	c.Minute, c.Hour, c.Day = int32(minutes%60), int32(hours%24), int32(days%year)
	c.Year = int32(int64(c.Year) + days/year)
	return c
}
