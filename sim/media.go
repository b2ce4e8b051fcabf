package sim

// How clients draw a world. No rule reads it. Ids of ActorMedia and ItemMedia are those of a RealmCrafter media database.
// Source: RealmCrafter Actors.dat, Items.dat and Environment.dat.

// NoMedia is the id of no mesh, texture, sound or animation set.
const NoMedia uint16 = 65535

// ActorMedia is how RealmCrafter clients draw actors of a template, and their sounds. Immutable.
type ActorMedia struct {
	MaleAnimation, FemaleAnimation uint16    // animation sets
	Scale                          float32   // 1 is the mesh's own size
	Meshes                         [8]uint16 // male, female, six gubbins
	Beards, MaleHairs, FemaleHairs [5]uint16 // meshes
	MaleFaces, FemaleFaces         [5]uint16 // textures, by Appearance.Face
	MaleBodies, FemaleBodies       [5]uint16 // textures, by Appearance.Body
	MaleSpeech, FemaleSpeech       [16]uint16
	Blood                          uint16 // texture
	TradeMode                      uint8  // 0 none, 1 free, 2 for money
	PolyCollision                  bool   // clients collide with its triangles
}

// ItemMedia is how RealmCrafter clients draw and describe an item. Immutable.
type ItemMedia struct {
	MaleMesh, FemaleMesh uint16
	Image                uint16 // texture of a kind ItemImage
	EatSeconds           uint16 // duration of the effect of a kind ItemPotion or ItemIngredient
}

// CacheModel is how RuneScape clients draw an actor. Numbers are those of the client's cache. NoMedia in Attack, Hurt, Death
// or Glide plays no animation; NoMedia as NPC draws a player.
type CacheModel struct {
	NPC    uint16 // kind of npc that the actor is drawn as
	Stance uint16 // base animation set: how it stands and walks; that of the npc kind if NPC is one
	Attack uint16 // animations
	Hurt   uint16
	Death  uint16
	Glide  uint16 // animation while it moves faster than clients can draw steps
}

// CacheItemModel is how RuneScape clients draw an equipped item. Immutable. NoMedia: nothing of its own.
type CacheItemModel struct {
	Worn   uint16 // number among the wearable objects of the client's cache
	Attack uint16 // animation of an attack with it, in place of the actor's
	Effect uint16 // spot effect at the attacker
}

// DefaultCacheModel draws a player that fights with bare hands. Source: the numbers that servers of revisions 562 to 667
// agree on; 1426 is the player's animation set, 824 its run.
var DefaultCacheModel = CacheModel{NPC: NoMedia, Stance: 1426, Attack: 422, Hurt: 424, Death: 836, Glide: 824}

// EntityModel is how Bedrock clients draw an actor: one of their entities, or a player. The zero value is a player in
// clothes that the door chooses.
type EntityModel struct {
	Entity        string  // kind of entity, "minecraft:wolf"; "" draws a player
	Scale         float32 // 1 is its own size; 0 means 1
	Width, Height float32 // of its box, blocks at scale 1; 0: the known size of the kind

	// Colours of a drawn player; NoColour leaves them to the door. All are NoColour for an entity.
	Hair, Face, Shirt, Trousers, Shoes Colour
}

// Colour is red<<16 + green<<8 + blue, with a bit above them so that black differs from NoColour.
type Colour uint32

// NoColour is the absence of a colour.
const NoColour Colour = 0

// RGB is the colour with these parts.
func RGB(red, green, blue uint8) Colour {
	return 1<<24 | Colour(red)<<16 | Colour(green)<<8 | Colour(blue)
}

// Parts returns red, green and blue.
func (c Colour) Parts() (red, green, blue uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }

// Calendar is the date and time at which a world starts, and how they advance.
type Calendar struct {
	Year         int32
	Day          int32 // of the year, from 0
	Hour, Minute int32
	Factor       int32 // game minutes per real minute; 0: time stands still
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
