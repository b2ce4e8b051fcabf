package content

import (
	"slices"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/content/appearance"
)

// A world file sets the appearance of actors, items and projectiles: for RealmCrafter clients in some keys of items and projectiles,
// for RuneScape clients in the table figure, and for Bedrock clients in the table bedrock. Bedrock types have names such as
// "minecraft:wolf". Which of them exist depends on the client, so only the form of a name is checked.

// maxIdentifier is the maximum length of an entity or item identifier such as "minecraft:wolf", in bytes. The longest
// identifier of the game has 43 letters; the value leaves room for longer ones.
const maxIdentifier = 64

// maxWornObject is the maximum index of a wearable object. In the appearance block of RuneScape packets the index has 15 bits.
const maxWornObject = 1<<15 - 1

// maxModel is the maximum id of a model or animation of RuneScape clients. The next number, appearance.None, stands for no
// model or animation.
const maxModel = int64(appearance.None) - 1

// readActorModels reads how clients of the RuneScape and Bedrock doors draw the actors of a template.
func (b *builder) readActorModels(t *table, template uint16) {
	if s := t.subtable("figure"); s != nil {
		b.appearance.RuneScape.Actors[template] = readRuneScapeActor(s, b.appearance.RuneScape.Actor(template))
	}
	if s := t.subtable("bedrock"); s != nil {
		b.appearance.Bedrock.Actors[template] = readBedrockActor(s, b.appearance.Bedrock.Actors[template])
	}
}

// readItemModels reads how clients of the RuneScape and Bedrock doors draw an item.
func (b *builder) readItemModels(t *table, item uint16) {
	if s := t.subtable("figure"); s != nil {
		b.appearance.RuneScape.Items[item] = readRuneScapeItem(s)
	}
	if s := t.subtable("bedrock"); s != nil {
		if name := readBedrockType(s, "item", `"minecraft:iron_sword"`); name != "" {
			b.appearance.Bedrock.Items[item] = name
		}
	}
}

// readProjectileEntity reads the appearance of a projectile for Bedrock clients: bedrock = { entity =
// "minecraft:snowball" }.
func (b *builder) readProjectileEntity(t *table, projectile uint16) {
	if s := t.subtable("bedrock"); s != nil {
		if name := readBedrockType(s, "entity", `"minecraft:arrow"`); name != "" {
			b.appearance.Bedrock.Projectiles[projectile] = name
		}
	}
}

// readRealmCrafterItem reads the appearance of an item for RealmCrafter clients: the keys thumbnail and gubbins.
func (b *builder) readRealmCrafterItem(t *table) appearance.RealmCrafterItem {
	look := appearance.RealmCrafterItem{Thumbnail: appearance.None, MaleMesh: appearance.None, FemaleMesh: appearance.None}
	readInteger(t, "thumbnail", &look.Thumbnail, 0, noMedia)
	for i, g := range b.readIntegers(t, "gubbins", len(look.Gubbins), 0, 65535) {
		look.Gubbins[i] = uint16(g)
	}
	return look
}

// readRealmCrafterProjectile reads the appearance of a projectile for RealmCrafter clients: mesh, emitters, textures and
// homing.
func readRealmCrafterProjectile(t *table) appearance.RealmCrafterProjectile {
	look := appearance.RealmCrafterProjectile{Mesh: appearance.None}
	readInteger(t, "mesh", &look.Mesh, 0, noMedia)
	t.clientText("emitter1", &look.Emitter1, maxName)
	t.clientText("emitter2", &look.Emitter2, maxName)
	readInteger(t, "texture1", &look.Texture1, 0, noMedia)
	readInteger(t, "texture2", &look.Texture2, 0, noMedia)
	t.boolean("homing", &look.Homing)
	return look
}

// readRuneScapeActor reads the appearance of a template for RuneScape clients: figure = { npc = 41, stance = 5 }. The
// parameter f has the values for keys that are absent.
func readRuneScapeActor(s *table, f appearance.RuneScapeActor) appearance.RuneScapeActor {
	if s.has("npc") && s.require("stance", "the base animation set of that npc kind, such as 808") {
		f.Attack, f.Hurt, f.Death, f.Glide = appearance.None, appearance.None, appearance.None, appearance.None // human animations do not fit other models
	}
	readInteger(s, "npc", &f.NPC, 0, maxModel)
	readInteger(s, "stance", &f.Stance, 0, maxModel)
	readInteger(s, "attack", &f.Attack, 0, maxModel)
	readInteger(s, "hurt", &f.Hurt, 0, maxModel)
	readInteger(s, "death", &f.Death, 0, maxModel)
	readInteger(s, "glide", &f.Glide, 0, maxModel)
	s.reportUnknownKeys()
	return f
}

// readRuneScapeItem reads the appearance of an item for RuneScape clients: figure = { worn = 500, attack = 426, effect =
// 19 }.
func readRuneScapeItem(s *table) appearance.RuneScapeItem {
	f := appearance.RuneScapeItem{Worn: appearance.None, Attack: appearance.None, Effect: appearance.None}
	readInteger(s, "worn", &f.Worn, 0, maxWornObject)
	readInteger(s, "attack", &f.Attack, 0, maxModel)
	readInteger(s, "effect", &f.Effect, 0, maxModel)
	s.reportUnknownKeys()
	return f
}

// readBedrockActor reads the appearance of a template for Bedrock clients: bedrock = { entity = "minecraft:wolf", scale =
// 1.2 } or bedrock = { skin = { shirt = "#a03030" } }. The parameter g has the values for keys that are absent.
func readBedrockActor(s *table, g appearance.BedrockActor) appearance.BedrockActor {
	s.identifier("entity", &g.Entity)
	if g.Entity == "minecraft:player" {
		s.fail("entity", `entity "minecraft:player" is not an entity: remove it, templates without an entity look like players`)
	}
	s.float("scale", &g.Scale, 1.0/16, 16)
	s.float("width", &g.Width, 1.0/16, 32)
	s.float("height", &g.Height, 1.0/16, 32)
	if s.has("entity") && s.has("skin") {
		s.fail("skin", "bedrock has an entity and a skin: only players have a skin, keep one of the two")
	}
	if skin := s.subtable("skin"); skin != nil {
		for _, part := range []struct {
			key  string
			into *appearance.Colour
		}{{"hair", &g.Hair}, {"face", &g.Face}, {"shirt", &g.Shirt}, {"trousers", &g.Trousers}, {"shoes", &g.Shoes}} {
			skin.colour(part.key, part.into)
		}
		skin.reportUnknownKeys()
	}
	s.reportUnknownKeys()
	return g
}

// readBedrockType reads a table that has one required key, whose value is an identifier such as "minecraft:wolf". It returns ""
// if it has recorded a problem.
func readBedrockType(s *table, key, example string) (name string) {
	if s.require(key, example) {
		s.identifier(key, &name)
	}
	s.reportUnknownKeys()
	return name
}

// identifier reads the name of a Bedrock type: a namespace, a colon and a name.
func (t *table) identifier(key string, into *string) {
	s, ok := t.rawString(key)
	if !ok {
		return
	}
	space, name, colon := strings.Cut(s, ":")
	switch {
	case colon && validIdentifierPart(space) && validIdentifierPart(name) && len(s) <= maxIdentifier:
		*into = s
	case !colon && validIdentifierPart(s):
		t.fail(key, "%s %q has no namespace: write %q", key, s, "minecraft:"+s)
	default:
		t.fail(key, "%s %q is not an identifier: write one such as \"minecraft:wolf\", in lower-case letters, digits, _ . and -, at most %d in all", key, s, maxIdentifier)
	}
}

// validIdentifierPart reports whether s is a valid namespace or name of an identifier.
func validIdentifierPart(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '.' && r != '-'
	})
}

// colour reads a colour in the form "#rrggbb".
func (t *table) colour(key string, into *appearance.Colour) {
	s, ok := t.rawString(key)
	if !ok {
		return
	}
	digits, hash := strings.CutPrefix(s, "#")
	n, err := strconv.ParseUint(digits, 16, 32)
	if !hash || len(digits) != 6 || err != nil {
		t.fail(key, "%s %q is not a colour: write it as \"#a03030\", red, green and blue in hexadecimal", key, s)
		return
	}
	*into = appearance.RGB(uint8(n>>16), uint8(n>>8), uint8(n))
}

// readAppearances reads [[look]] of a rules file: the appearance of a project's templates and items for clients of other
// doors.
func (b *builder) readAppearances(list []*table) {
	var said []string
	for _, t := range list {
		if t.has("item") {
			t.addLabel("look of item", "item")
		} else {
			t.addLabel("look of", "template")
		}
		var of string
		switch {
		case t.has("template") && t.has("item"):
			t.fail("item", "a [[look]] names a template or an item: keep one of the two")
		case t.has("item"):
			of = b.readItemAppearance(t)
		case t.require("template", `"Wolf"`):
			of = b.readTemplateAppearance(t)
		}
		if of != "" && slices.Contains(said, of) {
			t.fail("", "this template or item has a [[look]] already: keep one of the two")
		}
		said = append(said, of)
		t.reportUnknownKeys()
	}
}

// readTemplateAppearance reads the appearance of a template. It returns a label that identifies the template, "" if the
// world has no such template.
func (b *builder) readTemplateAppearance(t *table) string {
	var id uint16
	if !b.readTemplateRef(t, "template", &id) || b.w.Template(id) == nil {
		unknownWorld().readActorModels(t, 0)
		return ""
	}
	b.readActorModels(t, id)
	b.setDefaultVehicle(b.w.Template(id))
	return "template " + strconv.Itoa(int(id))
}

// readItemAppearance reads the appearance of an item. It returns a label that identifies the item, "" if the world has no
// such item.
func (b *builder) readItemAppearance(t *table) string {
	i, known := readName(t, "item", "item", b.itemNames())
	if !known {
		unknownWorld().readItemModels(t, 0)
		return ""
	}
	id := b.w.Items[i].ID
	b.readItemModels(t, id)
	return "item " + strconv.Itoa(int(id))
}

// unknownWorld returns a builder for reading a [[look]] table whose template or item is unknown. What it reads is discarded; its
// purpose is to report the other problems of that table.
func unknownWorld() *builder { return &builder{appearance: appearance.New()} }
