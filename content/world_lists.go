package content

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// roles are the values of the key role of an attribute, in the order of combat.AttributeRoles.
var roles = []string{"health", "energy", "breath", "toughness", "strength", "speed"}

// readAttributes reads [[attribute]]: the names of attributes and their roles in the rules.
func (b *builder) readAttributes(list []*table) {
	fixed := []*int{
		&b.w.Roles.Health, &b.w.Roles.Energy, &b.w.Roles.Breath,
		&b.w.Roles.Toughness, &b.w.Roles.Strength, &b.w.Roles.Speed,
	}
	next := 0
	for _, t := range list {
		t.addLabel("attribute", "name")
		i, ok := t.position(&next, combat.Attributes, func(i int) bool { return b.w.Attributes[i].Name != "" })
		var a sim.AttributeName
		t.newName(&a.Name, b.attributeNames())
		t.boolean("skill", &a.Skill)
		t.boolean("hidden", &a.Hidden)
		if r, has := t.choice("role", roles); has && ok {
			if *fixed[r] >= 0 {
				t.fail("role", "attribute %q has the role %s already: keep one of them", b.w.Attributes[*fixed[r]].Name, roles[r])
			}
			*fixed[r] = i
		}
		if ok {
			b.w.Attributes[i] = a
		}
		t.reportUnknownKeys()
	}
}

// checkRoles records a problem for each role that movement, combat or death need, but that no attribute has.
func (b *builder) checkRoles(root *table) {
	for _, m := range []struct {
		index int
		role  string
	}{{b.w.Roles.Health, "health"}, {b.w.Roles.Strength, "strength"}, {b.w.Roles.Speed, "speed"}} {
		if m.index < 0 {
			root.fail("attribute", "no attribute has the role %s: add role = %q to one [[attribute]]", m.role, m.role)
		}
	}
}

// position returns the index of an element of a list: the value of its key "index" or, without the key, the index after that of
// the previous element. The parameter size is the maximum number of elements, and taken returns true for an index that another
// element has. position returns false if it has recorded a problem.
func (t *table) position(next *int, size int, taken func(int) bool) (int, bool) {
	i := *next
	if t.has("index") {
		i = -1
		readInteger(t, "index", &i, 0, int64(size-1))
		if i < 0 {
			return 0, false
		}
	}
	switch {
	case i >= size:
		t.fail("", "the table has more than the maximum of %d entries: remove some", size)
		return 0, false
	case taken(i):
		t.fail("index", "index %d is taken: give each its own index", i)
		return 0, false
	}
	*next = i + 1
	return i, true
}

// newName reads the required key name of an element. The name must be unique and not empty.
func (t *table) newName(into *string, others []string) {
	if !t.require("name", `"..."`) {
		return
	}
	t.clientText("name", into, maxName)
	for _, o := range others {
		if o != "" && sim.EqualFold(o, *into) {
			t.fail("name", "the name %q is used twice: give each entry its own name", *into)
			return
		}
	}
	if v, is := t.keys["name"].(string); is && v == "" {
		t.fail("name", "name is empty: give the entry a name")
	}
}

func (b *builder) attributeNames() []string {
	return namesOf(b.w.Attributes[:], func(a *sim.AttributeName) string { return a.Name })
}

// readDamageTypes reads damage_types = ["Slashing", ...]. The index in the list is the number of the damage type in
// packets.
func (b *builder) readDamageTypes(root *table) {
	words := root.stringArray("damage_types")
	if len(words) > combat.DamageTypes {
		root.fail("damage_types", "damage_types has %d names: use at most %d", len(words), combat.DamageTypes)
		words = words[:combat.DamageTypes]
	}
	for i, word := range words {
		key := fmt.Sprintf("damage_types[%d]", i)
		if !root.checkClientText(key, word, maxName) {
			continue
		}
		for j := 0; word != "" && j < i; j++ {
			if sim.EqualFold(word, b.w.DamageNames[j]) {
				root.fail(key, "damage type %q is listed twice: keep one", word)
			}
		}
		b.w.DamageNames[i] = word
	}
}

func (b *builder) readDamageType(t *table, key string, into *uint8) {
	if i, ok := readName(t, key, "damage type", b.w.DamageNames[:]); ok {
		*into = uint8(i)
	}
}

// readFactions reads [[faction]]. It reads the names of all factions first, because ratings refer to them.
func (b *builder) readFactions(list []*table) {
	next := 0
	index := make([]int, len(list))
	for k, t := range list {
		t.addLabel("faction", "name")
		i, ok := t.position(&next, combat.Factions, func(i int) bool { return b.w.Factions[i].Name != "" })
		var name string
		t.newName(&name, b.factionNames())
		if !ok {
			i = -1
		} else {
			b.w.Factions[i].Name = name
		}
		index[k] = i
	}
	for k, t := range list {
		if index[k] >= 0 {
			b.readRatings(t, &b.w.Factions[index[k]])
		}
		t.reportUnknownKeys()
	}
}

// readRatings reads the ratings of one faction: the standing of its new members with each faction.
func (b *builder) readRatings(t *table, f *sim.Faction) {
	others := uint8(100)
	readInteger(t, "others", &others, 0, 200)
	for j := range f.Ratings {
		f.Ratings[j] = others
	}
	r := t.subtable("ratings")
	if r == nil {
		return
	}
	for _, name := range sortedKeys(r.keys) {
		if j, ok := findName(r, name, "faction", name, b.factionNames()); ok {
			readInteger(r, name, &f.Ratings[j], 0, 200)
		}
	}
}

func (b *builder) factionNames() []string {
	return namesOf(b.w.Factions[:], func(f *sim.Faction) string { return f.Name })
}

func (b *builder) readFaction(t *table, key string, into *uint8) {
	if i, ok := readName(t, key, "faction", b.factionNames()); ok {
		*into = uint8(i)
	}
}
