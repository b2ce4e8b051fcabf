package appearance

// Bedrock describes how Minecraft: Bedrock clients draw a world.
type Bedrock struct {
	Actors      map[uint16]BedrockActor // appearance of actors by template id
	Items       map[uint16]string       // name of an item such as "minecraft:iron_sword", by item id; missing items are not displayed
	Projectiles map[uint16]string       // entity type such as "minecraft:arrow", by projectile id
}

// BedrockActor is how actors of a template are drawn: as one of the game's entities, or as a player. The zero value is a
// player in colours that the gateway chooses.
type BedrockActor struct {
	Entity        string  // entity type such as "minecraft:wolf"; "" for a player
	Scale         float32 // factor on the size of the entity type; 0 means 1
	Width, Height float32 // collision box in blocks at scale 1; 0 for the known size of the entity type

	// Colours of an actor that is drawn as a player. Where the colour is NoColour, the gateway chooses one. An actor that is
	// drawn as an entity has only NoColour.
	Hair, Face, Shirt, Trousers, Shoes Colour
}

// Colour is an RGB colour: 1<<24 + red<<16 + green<<8 + blue. The highest bit distinguishes black from NoColour, which is 0.
type Colour uint32

// NoColour is the value of a Colour that is not set.
const NoColour Colour = 0

// RGB returns the colour with the given components.
func RGB(red, green, blue uint8) Colour {
	return 1<<24 | Colour(red)<<16 | Colour(green)<<8 | Colour(blue)
}

// Parts returns the red, green and blue components, 0..255.
func (c Colour) Parts() (red, green, blue uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }
