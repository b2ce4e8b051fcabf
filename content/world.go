package content

import (
	"io/fs"
	"maps"
	"slices"

	"golang.org/x/text/encoding/charmap"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// Limits of a world file. Names travel behind one length byte, and clients show about a line of them.
const (
	maxName     = 60     // letters of a name
	maxText     = 400    // letters of a description, an item's text or the greeting
	maxCoord    = 99_999 // units; clients and servers read anything beyond as 0
	maxValue    = 32_767 // of attributes and damage: the wire's signed 16 bits
	maxSpawnMax = 1_000  // actors of one spawn
)

// LoadWorld reads a world file, whose format docs/world-file.md describes. name is how messages call the file.
// The error is Problems: everything that is wrong, each with its line and how to mend it; then the world is nil.
func LoadWorld(name string, src []byte) (*sim.World, []Warning, error) {
	return LoadWorldFiles(name, src, nil)
}

// LoadWorldFiles is LoadWorld for a world file that may name others, such as heightmaps: files is its folder.
func LoadWorldFiles(name string, src []byte, files fs.FS) (*sim.World, []Warning, error) {
	root, ok := parseTOML(name, src)
	if !ok {
		return nil, nil, root.src.problems
	}
	b := newBuilder()
	b.files = files
	b.head(root)
	b.attributes(root.list("attribute"))
	b.rolesMissing(root)
	b.damageTypes(root)
	b.factions(root.list("faction"))
	b.projectiles(root.list("projectile"))
	b.items(root.list("item"))
	areas := root.list("area")
	b.areas(areas)
	b.templates(root.list("template"))
	b.areaActors(areas)
	b.rules(root.sub("rules"))
	b.scales(areas)
	b.newcomers(root.sub("newcomers"))
	root.done()
	b.overall(root)
	b.odd(areas)
	if err := root.src.problems.sorted().err(); err != nil {
		return nil, nil, err
	}
	b.w.ContentHash = hashOf(append([][]byte{src}, b.read...)...)
	return b.w, root.src.warnings, nil
}

// builder fills a world from a world file. Names are looked up in the tables that are already there, so each step
// needs the ones before it.
type builder struct {
	w             *sim.World
	templateNames []string   // parallel to w.Templates: "Race/Class", or "Race" without a class
	waypointNames [][]string // parallel to w.Areas and their Waypoints; "" for those without a name
	files         fs.FS      // the folder of the world file; nil: it has none
	read          [][]byte   // what was read from it, in order
}

func newBuilder() *builder {
	w := &sim.World{TicksPerSecond: 20, Rules: defaultRules(), Newcomers: defaultNewcomers(), Calendar: defaultCalendar()}
	for i := range w.Factions {
		for j := range w.Factions[i].Ratings {
			w.Factions[i].Ratings[j] = 100
		}
	}
	w.Roles = combat.AttributeRoles{Health: -1, Energy: -1, Breath: -1, Toughness: -1, Strength: -1, Speed: -1}
	return &builder{w: w}
}

func (b *builder) head(root *table) {
	root.need("name", `"Name of the world"`)
	root.text("name", &b.w.Name, maxName)
	whole(root, "tick_rate", &b.w.TicksPerSecond, 5, 60)
}

// overall checks what no single table can tell.
func (b *builder) overall(root *table) {
	if len(root.src.problems) > 0 {
		return // most of what follows would only repeat them
	}
	if len(b.w.Areas) == 0 {
		root.fail("", "there is no area: add one with [[area]]")
	}
	if !slices.ContainsFunc(b.w.Templates, func(t sim.Template) bool { return t.Playable }) {
		root.fail("", "nobody can play: give at least one [[template]] playable = true and a start")
	}
}

// lookup finds name among names, ASCII case aside, and reports a name that is not there.
func lookup(t *table, key, what, name string, names []string) (int, bool) {
	for i, n := range names {
		if n != "" && sim.EqualFold(n, name) {
			return i, true
		}
	}
	t.fail(key, "there is no %s %q: %s", what, Display(name), suggest(Display(name), displayAll(names), "there are"))
	return 0, false
}

// ref reads a name and finds it among names.
func ref(t *table, key, what string, names []string) (int, bool) {
	var name string
	before := len(t.src.problems)
	t.text(key, &name, maxText)
	if !t.has(key) || len(t.src.problems) > before {
		return 0, false
	}
	return lookup(t, key, what, name, names)
}

// Display turns the bytes of a name, Windows-1252 as clients show them, into UTF-8 for people.
func Display(name string) string {
	s, err := charmap.Windows1252.NewDecoder().String(name)
	if err != nil {
		return name
	}
	return s
}

func displayAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = Display(n)
	}
	return out
}

// namesOf collects one name of every element.
func namesOf[T any](list []T, name func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = name(&list[i])
	}
	return out
}

// named adds to the label of a table what it is and its name, if it has one.
func (t *table) named(what, key string) {
	if s, ok := t.keys[key].(string); ok {
		t.label += what + ` "` + s + `": `
		return
	}
	t.label += what + ": "
}

// fromUTF8 is a name of the file as the bytes of clients. Names that they cannot show stay as they are; no name of
// the world is equal to one.
func fromUTF8(s string) string {
	b, err := charmap.Windows1252.NewEncoder().String(s)
	if err != nil {
		return s
	}
	return b
}

// sortedKeys are the keys of a TOML table in an order that does not change from run to run.
func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
