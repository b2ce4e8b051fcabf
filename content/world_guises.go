package content

import (
	"slices"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// What Bedrock clients show. Their kinds of entities and items have names, "minecraft:wolf"; which ones a client knows
// is its own affair, so only their form is checked.

// maxIdentifier is how long such a name may be.   guess: the longest of the game has 43 letters
const maxIdentifier = 64

// templateGuise reads bedrock = { entity = "minecraft:wolf", scale = 1.2 } or bedrock = { skin = { shirt = "#a03030" } }.
func templateGuise(t *table, g *sim.EntityModel) {
	s := t.sub("bedrock")
	if s == nil {
		return
	}
	s.identifier("entity", &g.Entity)
	if g.Entity == "minecraft:player" {
		s.fail("entity", `entity "minecraft:player" is no entity: leave it out, whoever has none looks like a player`)
	}
	s.f32("scale", &g.Scale, 1.0/16, 16)
	s.f32("width", &g.Width, 1.0/16, 32)
	s.f32("height", &g.Height, 1.0/16, 32)
	if s.has("entity") && s.has("skin") {
		s.fail("skin", "bedrock has an entity and a skin: only who looks like a player has a skin, keep one of the two")
	}
	if skin := s.sub("skin"); skin != nil {
		for _, part := range []struct {
			key  string
			into *sim.Colour
		}{{"hair", &g.Hair}, {"face", &g.Face}, {"shirt", &g.Shirt}, {"trousers", &g.Trousers}, {"shoes", &g.Shoes}} {
			skin.colour(part.key, part.into)
		}
		skin.done()
	}
	s.done()
}

// itemGuise reads bedrock = { item = "minecraft:iron_sword" }.
func itemGuise(t *table, into *string) {
	if s := t.sub("bedrock"); s != nil {
		if s.need("item", `"minecraft:iron_sword"`) {
			s.identifier("item", into)
		}
		s.done()
	}
}

// projectileGuise reads bedrock = { entity = "minecraft:snowball" }.
func projectileGuise(t *table, into *string) {
	if s := t.sub("bedrock"); s != nil {
		if s.need("entity", `"minecraft:arrow"`) {
			s.identifier("entity", into)
		}
		s.done()
	}
}

// identifier reads the name of a kind: a namespace, a colon and a name.
func (t *table) identifier(key string, into *string) {
	s, ok := t.raw(key)
	if !ok {
		return
	}
	space, name, colon := strings.Cut(s, ":")
	switch {
	case colon && identifies(space) && identifies(name) && len(s) <= maxIdentifier:
		*into = s
	case !colon && identifies(s):
		t.fail(key, "%s %q has no namespace: write %q", key, s, "minecraft:"+s)
	default:
		t.fail(key, "%s %q is no identifier: write one such as \"minecraft:wolf\", in small letters, digits, _ . and -, at most %d in all", key, s, maxIdentifier)
	}
}

// identifies tells whether s can be half of an identifier.
func identifies(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '.' && r != '-'
	})
}

// colour reads "#rrggbb".
func (t *table) colour(key string, into *sim.Colour) {
	s, ok := t.raw(key)
	if !ok {
		return
	}
	digits, hash := strings.CutPrefix(s, "#")
	n, err := strconv.ParseUint(digits, 16, 32)
	if !hash || len(digits) != 6 || err != nil {
		t.fail(key, "%s %q is no colour: write it as \"#a03030\", red, green and blue in hexadecimal", key, s)
		return
	}
	*into = sim.RGB(uint8(n>>16), uint8(n>>8), uint8(n))
}

// looks reads [[look]] of a rules file: what clients of other doors show of the templates and items of a project.
func (b *builder) looks(list []*table) {
	var said []string
	for _, t := range list {
		if t.has("item") {
			t.named("look of item", "item")
		} else {
			t.named("look of", "template")
		}
		var of string
		switch {
		case t.has("template") && t.has("item"):
			t.fail("item", "a look is of a template or of an item: keep one of the two")
		case t.has("item"):
			of = b.itemLook(t)
		case t.need("template", `"Wolf"`):
			of = b.templateLook(t)
		}
		if of != "" && slices.Contains(said, of) {
			t.fail("", "there is a look of it already: keep one of the two")
		}
		said = append(said, of)
		t.done()
	}
}

// templateLook reads the look of a template, and returns what it is of; "" if there is none.
func (b *builder) templateLook(t *table) string {
	var id uint16
	known := b.templateRef(t, "template", &id)
	tpl := b.w.Template(id)
	if !known || tpl == nil {
		tpl = &sim.Template{} // what is wrong with the rest is told all the same
	}
	b.templateFigure(t, &tpl.CacheModel)
	templateGuise(t, &tpl.EntityModel)
	if !known {
		return ""
	}
	return "template " + strconv.Itoa(int(id))
}

func (b *builder) itemLook(t *table) string {
	it := &sim.Item{}
	i, known := ref(t, "item", "item", b.itemNames())
	if known {
		it = &b.w.Items[i]
	}
	if f := itemFigure(t); f != nil {
		it.CacheModel = f
	}
	itemGuise(t, &it.EntityItem)
	if !known {
		return ""
	}
	return "item " + strconv.Itoa(int(it.ID))
}
