package bedrock

import (
	"hash/fnv"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// This file paints a skin, the texture of a player model, for each actor. The skin that a client uploads is not sent to other
// clients, because it has about half a megabyte. The colours of a painted skin are those that the world file sets for the
// template, otherwise those of the character's appearance. A character without an appearance has colours from a hash of its name,
// so that it always looks the same.

// Default colours of painted skins. A character's appearance contains an index for the colours of hair and skin, 0..4. For the
// other colours, a hash of the character's name is the index.
var (
	hairColours = [5]appearance.Colour{
		appearance.RGB(0x4a, 0x33, 0x20), appearance.RGB(0x1f, 0x1a, 0x17), appearance.RGB(0xb0, 0x8d, 0x4f), appearance.RGB(0x8a, 0x3b, 0x1e), appearance.RGB(0x9a, 0x9a, 0x98),
	}
	skinTones = [5]appearance.Colour{
		appearance.RGB(0xd9, 0xa9, 0x84), appearance.RGB(0xee, 0xc9, 0xa8), appearance.RGB(0xb9, 0x84, 0x5c), appearance.RGB(0x8a, 0x5a, 0x3a), appearance.RGB(0x5c, 0x3b, 0x26),
	}
	shirtColours = [...]appearance.Colour{
		appearance.RGB(0x8e, 0x2f, 0x2f), appearance.RGB(0x2f, 0x5d, 0x8e), appearance.RGB(0x3d, 0x7a, 0x3f), appearance.RGB(0xb5, 0x8a, 0x2a),
		appearance.RGB(0x6b, 0x3f, 0x86), appearance.RGB(0x2f, 0x80, 0x80), appearance.RGB(0xb0, 0x5a, 0x28), appearance.RGB(0x7a, 0x7a, 0x80),
		appearance.RGB(0xa8, 0x4a, 0x74), appearance.RGB(0x4b, 0x5a, 0x2a), appearance.RGB(0xc9, 0xc2, 0xb0), appearance.RGB(0x34, 0x3a, 0x4a),
	}
	trouserColours = [...]appearance.Colour{
		appearance.RGB(0x33, 0x3a, 0x55), appearance.RGB(0x4a, 0x3a, 0x2c), appearance.RGB(0x2e, 0x2e, 0x32), appearance.RGB(0x5a, 0x52, 0x40), appearance.RGB(0x3c, 0x4a, 0x3a),
	}
	shoeColour = appearance.RGB(0x2f, 0x24, 0x1c)
)

// skinColours returns the colours of a painted skin.
func skinColours(g *appearance.BedrockActor, b *sim.Body, name string) proto.SkinColors {
	h := fnv.New32a()
	h.Write([]byte(name))
	hash := h.Sum32()
	colourOr := func(set, fallback appearance.Colour) proto.SkinColor {
		if set == appearance.NoColour {
			set = fallback
		}
		red, green, blue := set.Parts()
		return proto.SkinColor{red, green, blue}
	}
	return proto.SkinColors{
		Hair:     colourOr(g.Hair, hairColours[min(b.Appearance.Hair, 4)]),
		Face:     colourOr(g.Face, skinTones[min(b.Appearance.Face, 4)]),
		Shirt:    colourOr(g.Shirt, shirtColours[(hash+uint32(b.Appearance.Body))%uint32(len(shirtColours))]),
		Trousers: colourOr(g.Trousers, trouserColours[hash>>8%uint32(len(trouserColours))]),
		Shoes:    colourOr(g.Shoes, shoeColour),
		LongHair: b.Appearance.Gender == 1,
		Beard:    b.Appearance.Gender == 0 && b.Appearance.Beard > 0,
	}
}

// maxSkins is the maximum number of painted skins in a worker's cache. Each takes 16 KiB. A full cache is emptied. The value is
// an estimate of the number of players that a client can see at once.
const maxSkins = 256

// skinOf returns the skin of an actor. It is shared and read-only.
func (w *worker) skinOf(av *actorView) *proto.Skin {
	colours := skinColours(&av.appearance.model, av.body, av.name)
	if s := w.skinCache[colours]; s != nil {
		return s
	}
	if len(w.skinCache) >= maxSkins {
		clear(w.skinCache)
	}
	s := proto.PaintedSkin(colours)
	w.skinCache[colours] = &s
	return &s
}
