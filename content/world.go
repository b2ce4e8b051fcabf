package content

import (
	"io/fs"
	"maps"
	"slices"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// Limits of a world file. Packets store the length of a name in one byte, and clients show about one line of text.
const (
	maxName     = 60     // maximum number of characters of a name
	maxText     = 400    // maximum number of characters of a description, of an item's text and of the greeting
	maxCoord    = 99_999 // maximum of a coordinate in world units; clients and servers read larger ones as 0
	maxValue    = 32_767 // maximum of an attribute and of damage, which are signed 16-bit numbers on the wire
	maxSpawnMax = 1_000  // maximum number of actors of one spawn
)

// LoadWorld reads a world file; docs/world-file.md describes the format. The parameter name is the name of the file in messages.
// If the file is invalid, the world is nil and the error is of type Problems: each problem has its line and how to fix it.
func LoadWorld(name string, src []byte) (*World, []Warning, error) {
	return LoadWorldFiles(name, src, nil)
}

// LoadWorldFiles reads a world file like LoadWorld, but the world file may refer to other files, such as heightmaps. The
// parameter files is the folder that contains the world file.
func LoadWorldFiles(name string, src []byte, files fs.FS) (*World, []Warning, error) {
	root, ok := parseTOML(name, src)
	if !ok {
		return nil, nil, root.src.problems
	}
	b := newBuilder()
	b.files = files
	b.readHead(root)
	b.readAttributes(root.tables("attribute"))
	b.checkRoles(root)
	b.readDamageTypes(root)
	b.readFactions(root.tables("faction"))
	b.readProjectiles(root.tables("projectile"))
	b.readItems(root.tables("item"))
	areas := root.tables("area")
	if why := tooManyAreas(len(areas)); why != "" {
		areas[sim.MaxAreas].fail("", "%s", why)
		return nil, nil, Problems{root.src.problems[len(root.src.problems)-1]} // return only this problem, because the others would hide it
	}
	b.readAreas(areas)
	b.readTemplates(root.tables("template"))
	b.readSpawns(areas)
	b.readRules(root.subtable("rules"))
	b.checkScales(areas)
	b.readNewcomers(root.subtable("newcomers"))
	b.readGame(root)
	root.reportUnknownKeys()
	b.checkWorld(root)
	b.warnOdd(areas)
	if err := root.src.problems.sorted().err(); err != nil {
		return nil, nil, err
	}
	b.w.ContentHash = hashOf(append([][]byte{src}, b.read...)...)
	return &World{b.w, b.appearance}, root.src.warnings, nil
}

// builder builds a world from a world file. The order of the steps matters, because names are looked up in the tables
// built so far.
type builder struct {
	w             *sim.World
	appearance    appearance.Tables
	templateNames []string   // name of each template of w.Templates: "Race/Class", or "Race" without a class
	waypointNames [][]string // per area of w.Areas: names of its waypoints; "" for a waypoint without name
	files         fs.FS      // folder of the world file; nil if the world file was not read from a folder
	read          [][]byte   // contents of the files that the world file refers to, in the order of reading, for the ContentHash
}

func newBuilder() *builder {
	w := &sim.World{TicksPerSecond: 20, Rules: defaultRules(), NewCharacters: defaultNewcomers(), Calendar: defaultCalendar()}
	for i := range w.Factions {
		for j := range w.Factions[i].Ratings {
			w.Factions[i].Ratings[j] = 100
		}
	}
	w.Roles = combat.AttributeRoles{Health: -1, Energy: -1, Breath: -1, Toughness: -1, Strength: -1, Speed: -1}
	return &builder{w: w, appearance: appearance.New()}
}

func (b *builder) readHead(root *table) {
	root.require("name", `"Name of the world"`)
	root.clientText("name", &b.w.Name, maxName)
	readInteger(root, "tick_rate", &b.w.TicksPerSecond, 5, 60)
}

// checkWorld records the problems that are visible only when all tables have been read, because they involve several of them.
func (b *builder) checkWorld(root *table) {
	if len(root.src.problems) > 0 {
		return // further problems would mostly be consequences of the reported ones
	}
	if len(b.w.Areas) == 0 {
		root.fail("", "the world has no area: add one with [[area]]")
	}
	if !slices.ContainsFunc(b.w.Templates, func(t sim.Template) bool { return t.Playable }) {
		root.fail("", "no template is playable: give at least one [[template]] playable = true and a start")
	}
}

// findName returns the index of a name in the list names, ignoring ASCII case. If the list does not have the name, findName
// records a problem and returns false. The parameter what is the word for the named thing in that problem, such as "portal".
func findName(t *table, key, what, name string, names []string) (int, bool) {
	for i, n := range names {
		if n != "" && sim.EqualFold(n, name) {
			return i, true
		}
	}
	t.fail(key, "there is no %s %q: %s", what, name, suggest(name, names, "there are"))
	return 0, false
}

// readName reads a name from the file and returns its index in the list names. It returns false if the key is absent or
// the name is not in the list.
func readName(t *table, key, what string, names []string) (int, bool) {
	var name string
	before := len(t.src.problems)
	t.clientText(key, &name, maxText)
	if !t.has(key) || len(t.src.problems) > before {
		return 0, false
	}
	return findName(t, key, what, name, names)
}

// namesOf returns the names of the elements of a list.
func namesOf[T any](list []T, name func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = name(&list[i])
	}
	return out
}

// addLabel extends the text with which messages about the table begin. It appends the parameter what, the kind of thing that
// the table describes, such as "portal". If the table has the given key, it also appends the key's value, the thing's name.
func (t *table) addLabel(what, key string) {
	if s, ok := t.keys[key].(string); ok {
		t.label += what + ` "` + s + `": `
		return
	}
	t.label += what + ": "
}

// sortedKeys returns the keys of a TOML table, sorted.
func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
