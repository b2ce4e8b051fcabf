package content

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// maxChanges is the maximum number of lines that Compare returns about one kind of record, such as items.
const maxChanges = 20

// Compare returns one line of text per difference between two versions of a world, in the order of the world file. A line
// says what a server does differently after a restart or reload with the second version, and what that means for players. The
// result is empty if a server would behave the same.
func Compare(before, after *World) []string {
	var c comparison
	old, now := before.World, after.World
	c.plain("name", old.Name, now.Name)
	c.plain("ticks per second", old.TicksPerSecond, now.TicksPerSecond)
	c.fields("rules", reflect.ValueOf(old.Rules), reflect.ValueOf(now.Rules))
	c.fields("newcomers", reflect.ValueOf(old.NewCharacters), reflect.ValueOf(now.NewCharacters))
	for _, part := range []struct {
		name     string
		old, now any
	}{
		{"attributes", old.Attributes, now.Attributes}, {"attribute roles", old.Roles, now.Roles}, {"damage types", old.DamageNames, now.DamageNames},
		{"factions", old.Factions, now.Factions}, {"projectiles", old.Projectiles, now.Projectiles}, {"calendar", old.Calendar, now.Calendar},
		{"looks", before.Appearance, after.Appearance},
	} {
		if !equal(reflect.ValueOf(part.old), reflect.ValueOf(part.now)) {
			c.add("%s changed", part.name)
		}
	}
	if !equal(reflect.ValueOf(old.Schema), reflect.ValueOf(now.Schema)) {
		c.add("the data of the game changed: saved fields that it has no more, or whose type changed, are lost when a character is stored again")
	}
	compareRecords(&c, "item", old.Items, now.Items, itemKey, "; characters keep theirs, and cannot use them")
	compareRecords(&c, "template", old.Templates, now.Templates, templateKey, "; its characters cannot enter the world")
	compareRecords(&c, "area", old.Areas, now.Areas, func(a *sim.AreaDef) (string, string) { return a.Name, "" },
		"; characters in it enter at the start of their template")
	c.compareAreas(old, now)
	return c.lines
}

// comparison collects the lines of text about the differences between two versions of a world.
type comparison struct{ lines []string }

func (c *comparison) add(format string, args ...any) {
	c.lines = append(c.lines, fmt.Sprintf(format, args...))
}

func (c *comparison) plain(what string, old, now any) {
	if old != now {
		c.add("%s: %v, was %v", what, now, old)
	}
}

// fields compares two structs of the same type, field by field, and adds a line for each field that differs. The line has both
// values if they are short texts, otherwise only the name of the field.
func (c *comparison) fields(path string, old, now reflect.Value) {
	for i := range old.NumField() {
		name := path + "." + old.Type().Field(i).Name
		f, g := old.Field(i), now.Field(i)
		switch {
		case equal(f, g):
		case f.Kind() == reflect.Struct:
			c.fields(name, f, g)
		case isShort(f) && isShort(g):
			c.add("%s: %s, was %s", name, shortText(g), shortText(f))
		default:
			c.add("%s changed", name)
		}
	}
}

// isShort reports whether a value fits into a line of the comparison: a number, a text or a boolean.
func isShort(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32,
		reflect.Uint64, reflect.Float32, reflect.Float64, reflect.String:
		return true
	}
	return false
}

func shortText(v reflect.Value) string {
	if v.Kind() == reflect.String {
		return fmt.Sprintf("%.80q", v.String())
	}
	return fmt.Sprint(v)
}

// equal compares values like reflect.DeepEqual, with two exceptions. (1) Go cannot compare functions, so two functions count
// as equal if both are set. (2) Two interfaces also count as equal if the types of their values differ.
func equal(a, b reflect.Value) bool {
	if !a.IsValid() || !b.IsValid() || a.Type() != b.Type() {
		return a.IsValid() == b.IsValid()
	}
	switch a.Kind() {
	case reflect.Func:
		return a.IsNil() == b.IsNil()
	case reflect.Interface, reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return true
		}
		return equal(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for _, key := range a.MapKeys() {
			if v := b.MapIndex(key); !v.IsValid() || !equal(a.MapIndex(key), v) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}

// recordTitle returns the text that names a record of a kind, such as "item 7 Sword".
func recordTitle[T any](kind string, r *T, key func(*T) (key, name string)) string {
	k, name := key(r)
	if name == "" {
		return fmt.Sprintf("%s %q", kind, k)
	}
	return fmt.Sprintf("%s %s %s", kind, k, name)
}

// matchRecords matches the records of one kind in two worlds by their keys. It calls the function both for each pair with
// equal keys and removed for each other record of old. Then it calls added for each other record of now.
func matchRecords[T any](old, now []T, key func(*T) (key, name string), removed func(*T), both func(old, now *T), added func(*T)) {
	find := func(list []T, r *T) *T {
		want, _ := key(r)
		for i := range list {
			if have, _ := key(&list[i]); have == want {
				return &list[i]
			}
		}
		return nil
	}
	for i := range old {
		if other := find(now, &old[i]); other != nil {
			both(&old[i], other)
		} else {
			removed(&old[i])
		}
	}
	for i := range now {
		if find(old, &now[i]) == nil {
			added(&now[i])
		}
	}
}

func itemKey(i *sim.Item) (key, name string) { return fmt.Sprint(i.ID), i.Name }

func templateKey(t *sim.Template) (key, name string) {
	return fmt.Sprint(t.ID), strings.TrimSuffix(t.Race+"/"+t.Class, "/")
}

// compareRecords adds a line for each record of one kind, such as items, that was removed, changed or added. Records of the two
// worlds with the same key are compared. The parameter gone is the end of the lines about removed records: what the removal
// means for players.
func compareRecords[T any](c *comparison, kind string, old, now []T, key func(*T) (key, name string), gone string) {
	var lines []string
	line := func(r *T, end string) { lines = append(lines, recordTitle(kind, r, key)+end) }
	matchRecords(old, now, key,
		func(r *T) { line(r, " is removed"+gone) },
		func(old, now *T) {
			if kind != "area" && !equal(reflect.ValueOf(*old), reflect.ValueOf(*now)) {
				line(now, " changed")
			}
		},
		func(r *T) { line(r, " is new") })
	if n := len(lines) - maxChanges; n > 1 {
		lines = append(lines[:maxChanges], fmt.Sprintf("%d more %ss differ", n, kind))
	}
	c.lines = append(c.lines, lines...)
}

// compareAreas compares the areas that both worlds have.
func (c *comparison) compareAreas(old, now *sim.World) {
	for i := range old.Areas {
		a := &old.Areas[i]
		id := now.AreaNamed(a.Name)
		if id == sim.NoArea {
			continue
		}
		b := &now.Areas[id]
		var parts []string
		terrain := false
		v, w := reflect.ValueOf(*a), reflect.ValueOf(*b)
		for f := range v.NumField() {
			if equal(v.Field(f), w.Field(f)) {
				continue
			}
			switch name := v.Type().Field(f).Name; name {
			case "Name":
			case "Tiles", "Solids", "Ground", "BlockGrid", "Blocks", "Walls", "Floor":
				terrain = true
			default:
				parts = append(parts, name)
			}
		}
		if terrain {
			parts = append(parts, "terrain (characters enter where they were stored, also if something is built there now)")
		}
		if len(parts) > 0 {
			c.add("area %q: %s changed", a.Name, strings.Join(parts, ", "))
		}
	}
}
