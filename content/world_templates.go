package content

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// Values of keys in a world file. The numeric value is the index of the word.
var (
	tempers      = []string{"passive", "defensive", "hostile", "noncombatant"}
	environments = []string{"amphibious", "swim", "fly", "walk"}
	genderWords  = []string{"both", "male", "female", "none"}
)

// readTemplates reads the tables [[template]]: the templates from which actors are made. Call it after the areas and their
// portals are read.
func (b *builder) readTemplates(list []*table) {
	var names []string
	for _, t := range list {
		t.addLabel("template", "race")
		tpl := b.readTemplate(t)
		name := templateName(&tpl)
		if slices.ContainsFunc(names, func(n string) bool { return sim.EqualFold(n, name) }) {
			t.fail("race", "two templates are named %q: give each its own combination of race and class", name)
		}
		names = append(names, name)
		b.w.Templates = append(b.w.Templates, tpl)
		t.reportUnknownKeys()
	}
	slices.SortFunc(b.w.Templates, func(x, y sim.Template) int { return cmp.Compare(x.ID, y.ID) })
	b.templateNames = namesOf(b.w.Templates, templateName)
}

// templateName returns the name by which a world file refers to a template: the race, or race/class if the template has a
// class.
func templateName(t *sim.Template) string {
	if t.Class == "" {
		return t.Race
	}
	return t.Race + "/" + t.Class
}

// readTemplateRef reads a reference to a template and returns the template's id in *into. The race alone is enough if
// only one template has it.
func (b *builder) readTemplateRef(t *table, key string, into *uint16) bool {
	var name string
	before := len(t.src.problems)
	t.clientText(key, &name, maxText)
	if !t.has(key) || len(t.src.problems) > before {
		return false
	}
	var byRace []int
	for i := range b.w.Templates {
		if sim.EqualFold(b.w.Templates[i].Race, name) {
			byRace = append(byRace, i)
		}
	}
	if len(byRace) == 1 {
		*into = b.w.Templates[byRace[0]].ID
		return true
	}
	i, ok := findName(t, key, "template", name, b.templateNames)
	if ok {
		*into = b.w.Templates[i].ID
	}
	return ok
}

func (b *builder) readTemplate(t *table) sim.Template {
	tpl := sim.Template{
		StartArea: sim.NoArea, StartPortal: -1, Radius: 1.5, SightRange: 50, Environment: sim.Walk,
		Slots: 1<<len(slotKinds) - 1, XPMultiplier: 10,
	}
	t.newID(&tpl.ID, int64(sim.NoTemplate)-1, func(id uint16) bool {
		return slices.ContainsFunc(b.w.Templates, func(o sim.Template) bool { return o.ID == id })
	})
	if t.require("race", `"Wolf"`) {
		t.clientText("race", &tpl.Race, maxName)
		if v, is := t.keys["race"].(string); is && v == "" {
			t.fail("race", "race is empty: give the template a race, from which its actors get their name")
		}
	}
	t.clientText("class", &tpl.Class, maxName)
	t.clientText("description", &tpl.Description, maxText)
	t.float("radius", &tpl.Radius, 0, 1000)
	t.boolean("playable", &tpl.Playable)
	t.boolean("rideable", &tpl.Rideable)
	t.float("sight", &tpl.SightRange, 0, 5000)
	readInteger(t, "xp", &tpl.XPMultiplier, 0, 1000)
	if i, ok := t.choice("temper", tempers); ok {
		tpl.Temper = combat.Aggressiveness(i)
	}
	if i, ok := t.choice("environment", environments); ok {
		tpl.Environment = sim.Environment(i)
	}
	if i, ok := t.choice("genders", genderWords); ok {
		tpl.Genders = uint8(i)
	}
	b.readDamageType(t, "unarmed", &tpl.Unarmed)
	b.readFaction(t, "faction", &tpl.Faction)
	b.readTemplateStart(t, &tpl)
	b.readTemplateAttributes(t, &tpl)
	b.readTemplateResistances(t, &tpl)
	b.readTemplateSlots(t, &tpl)
	tpl.Kit = b.readTemplateKit(t)
	b.readActorModels(t, tpl.ID)
	b.readVehicle(t, &tpl)
	return tpl
}

// readTemplateStart reads where new characters of a template start: start = { area = "Vale", portal = "Gate" }.
func (b *builder) readTemplateStart(t *table, tpl *sim.Template) {
	if tpl.Playable && !t.require("start", `{ area = "...", portal = "..." }`) {
		return
	}
	if area, portal, ok := b.readPortalRef(t.subtable("start")); ok {
		tpl.StartArea, tpl.StartPortal = area, portal
	}
}

// readPortalRef reads a reference to a portal: { area = "...", portal = "..." }. It returns the area and the index of the portal
// in that area. If there is no such portal, it records a problem and returns false. If t is nil, because the file has no
// reference, it returns false without a problem.
func (b *builder) readPortalRef(t *table) (sim.AreaID, int, bool) {
	if t == nil {
		return sim.NoArea, -1, false
	}
	defer t.reportUnknownKeys()
	if !t.require("area", `"..."`) || !t.require("portal", `"..."`) {
		return sim.NoArea, -1, false
	}
	area, ok := readName(t, "area", "area", b.areaNames())
	if !ok {
		return sim.NoArea, -1, false
	}
	portals := namesOf(b.w.Areas[area].Portals, func(p *sim.Portal) string { return p.Name })
	portal, ok := readName(t, "portal", "portal in "+b.w.Areas[area].Name, portals)
	return sim.AreaID(area), portal, ok
}

// readTemplateAttributes reads attributes = { Health = 100, Speed = [50, 100] }: a value that is also the maximum, or
// value and maximum.
func (b *builder) readTemplateAttributes(t *table, tpl *sim.Template) {
	for i := range tpl.Attr {
		tpl.Attr[i] = combat.Attribute{Value: 0, Max: 100}
		if i == b.w.Roles.Energy || i == b.w.Roles.Breath {
			tpl.Attr[i].Value = 100 // new actors start with full energy or breath
		}
	}
	a := t.subtable("attributes")
	if a == nil {
		a = &table{src: t.src, path: t.path, label: t.label}
	}
	for _, name := range sortedKeys(a.keys) {
		i, ok := findName(a, name, "attribute", name, b.attributeNames())
		if !ok {
			continue
		}
		if _, list := a.keys[name].([]any); !list {
			before := len(a.src.problems)
			readInteger(a, name, &tpl.Attr[i].Value, 0, maxValue)
			if len(a.src.problems) == before {
				tpl.Attr[i].Max = tpl.Attr[i].Value
			}
			continue
		}
		pair := b.readIntegers(a, name, 2, 0, maxValue)
		if pair != nil && pair[0] > pair[1] {
			a.fail(name, "%s = [%d, %d] is above its maximum: write [value, maximum]", name, pair[0], pair[1])
		} else if pair != nil {
			tpl.Attr[i] = combat.Attribute{Value: int32(pair[0]), Max: int32(pair[1])}
		}
	}
	if h := b.w.Roles.Health; h >= 0 && tpl.Attr[h].Value < 1 {
		name := b.w.Attributes[h].Name
		a.fail("", "%s is 0, so its actors would be dead when they appear: add attributes = { %s = 100 }", name, name)
	}
}

// readTemplateResistances reads resistances = { Fire = 120 } in percent; 100 is neutral.
func (b *builder) readTemplateResistances(t *table, tpl *sim.Template) {
	for i := range tpl.Resist {
		tpl.Resist[i] = 100
	}
	r := t.subtable("resistances")
	if r == nil {
		return
	}
	for _, name := range sortedKeys(r.keys) {
		if i, ok := findName(r, name, "damage type", name, b.w.DamageNames[:]); ok {
			readInteger(r, name, &tpl.Resist[i], 0, 65535)
		}
	}
}

// readTemplateSlots reads slots = ["weapon", "backpack"], the slots that actors of the template have.
func (b *builder) readTemplateSlots(t *table, tpl *sim.Template) {
	if !t.has("slots") {
		return
	}
	tpl.Slots = 0
	for i, word := range t.stringArray("slots") {
		k := slices.Index(slotKinds, word)
		if k < 0 {
			t.fail(fmt.Sprintf("slots[%d]", i), "slots contains the unknown slot %q: %s", word, suggest(word, slotKinds, "use some of"))
			continue
		}
		tpl.Slots |= 1 << k
	}
}

// readTemplateKit reads kit = ["Sword", "Hide"], the items that every actor of the template wears, each in the slot of
// its kind.
func (b *builder) readTemplateKit(t *table) []sim.ItemStack {
	var kit []sim.ItemStack
	for i, word := range t.stringArray("kit") {
		key := fmt.Sprintf("kit[%d]", i)
		n, ok := findName(t, key, "item", word, b.itemNames())
		if !ok {
			continue
		}
		it := &b.w.Items[n]
		slot := int(it.SlotKind) - 1
		switch {
		case slot > sim.SlotFeet:
			t.fail(key, "%q cannot be worn: a kit takes weapons and armour", word)
			continue
		case kit == nil:
			kit = make([]sim.ItemStack, sim.SlotFeet+1)
		case !kit[slot].Empty():
			t.fail(key, "%q goes to the %s slot, which is full: keep one item for each slot", word, slotKinds[slot])
			continue
		}
		kit[slot] = sim.ItemStack{Item: it.ID, Amount: 1, Health: 100}
	}
	return kit
}
