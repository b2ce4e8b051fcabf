package content

import (
	"slices"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// Appearance for Bedrock clients. Their entity and item types have names such as "minecraft:wolf"; which ones exist
// depends on the client, so only the form is checked.

// maxIdentifier is the maximum length of such a name.   guess: the longest one of the game has 43 letters
const maxIdentifier = 64

// readEntityModel reads bedrock = { entity = "minecraft:wolf", scale = 1.2 } or bedrock = { skin = { shirt =
// "#a03030" } }.
func readEntityModel(t *table, g *sim.EntityModel) {
	s := t.subtable("bedrock")
	if s == nil {
		return
	}
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
			into *sim.Colour
		}{{"hair", &g.Hair}, {"face", &g.Face}, {"shirt", &g.Shirt}, {"trousers", &g.Trousers}, {"shoes", &g.Shoes}} {
			skin.colour(part.key, part.into)
		}
		skin.reportUnknownKeys()
	}
	s.reportUnknownKeys()
}

// readItemEntity reads bedrock = { item = "minecraft:iron_sword" }.
func readItemEntity(t *table, into *string) {
	if s := t.subtable("bedrock"); s != nil {
		if s.require("item", `"minecraft:iron_sword"`) {
			s.identifier("item", into)
		}
		s.reportUnknownKeys()
	}
}

// readProjectileEntity reads bedrock = { entity = "minecraft:snowball" }.
func readProjectileEntity(t *table, into *string) {
	if s := t.subtable("bedrock"); s != nil {
		if s.require("entity", `"minecraft:arrow"`) {
			s.identifier("entity", into)
		}
		s.reportUnknownKeys()
	}
}

// identifier reads the name of a type: a namespace, a colon and a name.
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

// validIdentifierPart reports whether s is a valid half of an identifier.
func validIdentifierPart(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '.' && r != '-'
	})
}

// colour reads "#rrggbb".
func (t *table) colour(key string, into *sim.Colour) {
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
	*into = sim.RGB(uint8(n>>16), uint8(n>>8), uint8(n))
}

// readAppearances reads [[look]] of a rules file: the appearance of a project's templates and items for clients of
// other doors.
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
			t.fail("", "it has a [[look]] already: keep one of the two")
		}
		said = append(said, of)
		t.reportUnknownKeys()
	}
}

// readTemplateAppearance reads the appearance of a template and returns the template's name; "" if there is none.
func (b *builder) readTemplateAppearance(t *table) string {
	var id uint16
	known := b.readTemplateRef(t, "template", &id)
	tpl := b.w.Template(id)
	if !known || tpl == nil {
		tpl = &sim.Template{} // continue, to report the other problems of the table
	}
	b.readCacheModel(t, &tpl.CacheModel)
	readEntityModel(t, &tpl.EntityModel)
	if !known {
		return ""
	}
	return "template " + strconv.Itoa(int(id))
}

func (b *builder) readItemAppearance(t *table) string {
	it := &sim.Item{}
	i, known := readName(t, "item", "item", b.itemNames())
	if known {
		it = &b.w.Items[i]
	}
	if f := readItemCacheModel(t); f != nil {
		it.CacheModel = f
	}
	readItemEntity(t, &it.EntityItem)
	if !known {
		return ""
	}
	return "item " + strconv.Itoa(int(it.ID))
}
