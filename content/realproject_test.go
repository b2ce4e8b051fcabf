package content

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/truestep-io/truestep/sim"
)

// projectEnv is the environment variable that names a folder with RealmCrafter's default project and the expected result of decoding it.
const projectEnv = "TRUESTEP_RCCE_PROJECT"

// realProject returns the default project of RealmCrafter CE, which is not part of this repository, or skips the test.
func realProject(t testing.TB) fs.FS {
	t.Helper()
	dir := os.Getenv(projectEnv)
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "rcce-project")
	}
	if _, err := os.Stat(filepath.Join(dir, "data", serverData)); err != nil {
		t.Skipf("RealmCrafter's default project is not here; set %s to its folder to run this test", projectEnv)
	}
	return os.DirFS(dir)
}

// expectation is the expected content of the default project, decoded by an independent parser.
type expectation struct {
	Files       map[string]json.RawMessage
	NamesFilter []string
	Warnings    []struct{ File, Code, Where string } `json:"expectedWarnings"`
	Accounts    json.RawMessage                      `json:"syntheticAccounts"`
}

func expected(t testing.TB) *expectation {
	t.Helper()
	dir := os.Getenv(projectEnv)
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "rcce-project")
	}
	b, err := os.ReadFile(filepath.Join(dir, "..", "specs", "rcce-project.expected.json"))
	if err != nil {
		t.Skipf("the expected decoding of RealmCrafter's default project is not beside it (%s)", projectEnv)
	}
	var e expectation
	if err := json.Unmarshal(b, &e); err != nil {
		t.Fatal(err)
	}
	return &e
}

// decodeFile decodes any .dat file that a server reads, and the client files that contain copies of server settings.
func decodeFile(name string, c *cursor) (any, error) {
	base := name[strings.LastIndexByte(name, '/')+1:]
	switch {
	case strings.Contains(name, "/Ownerships/"):
		return parseOwnership(c)
	case strings.HasPrefix(name, areaFolder+"/"):
		return parseArea(c, strings.TrimSuffix(base, ".dat"))
	case strings.HasPrefix(name, gameData+"/"):
		return decodeClient(base, c)
	}
	switch base {
	case "Actors.dat":
		return parseActors(c)
	case "Attributes.dat":
		return parseAttributes(c)
	case "Damage.dat":
		return parseDamage(c)
	case "Dropped Items.dat":
		return parseDropped(c)
	case "Files.dat":
		return parsePatches(c)
	case "Factions.dat":
		return parseFactions(c)
	case "Fixed Attributes.dat":
		return parseFixed(c)
	case "Items.dat":
		list, _, err := parseItems(c)
		return list, err
	case "Misc.dat":
		return parseMisc(c)
	case "Projectiles.dat":
		return parseProjectiles(c)
	case "Spells.dat":
		return parseSpells(c)
	case "Superglobals.dat":
		return parseSuperglobals(c)
	}
	return nil, errors.ErrUnsupported
}

func decodeClient(base string, c *cursor) (any, error) {
	switch base {
	case "Combat.dat":
		return parseCombat(c)
	case "Fixed Attributes.dat":
		return parseClientFixed(c)
	case "Money.dat":
		return parseMoney(c)
	case "Other.dat":
		return parseOther(c)
	case "Hosts.dat", "Misc.dat":
		return textLines(c.b), nil
	}
	return nil, errors.ErrUnsupported
}

func TestFilesOfOriginalRealmCrafterProjectAreDecodedAsExpected(t *testing.T) {
	project, want := realProject(t), expected(t)
	checked := 0
	for name, raw := range want.Files {
		b, err := fs.ReadFile(project, "data/"+name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeFile(name, newCursor(name, b))
		if errors.Is(err, errors.ErrUnsupported) {
			continue // the file is a client's copy of an area, or a file that only clients read
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var w map[string]any
		if err := json.Unmarshal(raw, &w); err != nil {
			t.Fatal(err)
		}
		checked++
		compareFile(t, name, got, w)
	}
	if checked < 30 {
		t.Errorf("only %d files were compared", checked)
	}
	t.Logf("%d of %d files compared", checked, len(want.Files))
}

// compareFile compares one decoded file with the JSON object that describes its expected content.
func compareFile(t *testing.T, name string, got any, want map[string]any) {
	t.Helper()
	v := reflect.ValueOf(got)
	switch {
	case want["records"] != nil:
		compare(t, name, v, want["records"])
	case want["lines"] != nil:
		compare(t, name, v, want["lines"])
	case want["names"] != nil && v.Kind() == reflect.Array, want["values"] != nil && v.Kind() == reflect.Array:
		for _, key := range []string{"names", "values"} {
			if want[key] != nil {
				compare(t, name, v, want[key])
			}
		}
	case want["present"] != nil:
		for i := range v.Len() {
			if v.Index(i).FieldByName("Exists").Bool() {
				t.Errorf("%s: slot %d exists", name, i)
			}
		}
	case want["tier1Name"] != nil:
		m := got.(rcMoney)
		compare(t, name, reflect.ValueOf(m.Names), []any{want["tier1Name"], want["tier2Name"], want["tier3Name"], want["tier4Name"]})
		compare(t, name, reflect.ValueOf(m.Multipliers), []any{want["tier2Multiplier"], want["tier3Multiplier"], want["tier4Multiplier"]})
	default:
		compare(t, name, v, want)
	}
}

// compare compares a decoded value with a JSON value. Structs are compared key by key, in both directions.
func compare(t *testing.T, at string, got reflect.Value, want any) {
	t.Helper()
	switch got.Kind() {
	case reflect.Pointer:
		compare(t, at, got.Elem(), want)
	case reflect.Struct:
		compareStruct(t, at, got, want.(map[string]any))
	case reflect.Slice, reflect.Array:
		compareList(t, at, got, want)
	case reflect.String:
		if s := got.String(); s != want {
			t.Errorf("%s: %q, want %q", at, s, want)
		}
	case reflect.Bool:
		if n := map[bool]float64{true: 1}[got.Bool()]; n != want {
			t.Errorf("%s: %v, want %v", at, got, want)
		}
	case reflect.Float32:
		if float32(got.Float()) != float32(want.(float64)) {
			t.Errorf("%s: %v, want %v", at, got, want)
		}
	default:
		var n float64
		if got.CanInt() {
			n = float64(got.Int())
		} else {
			n = float64(got.Uint())
		}
		if n != want {
			t.Errorf("%s: %v, want %v", at, got, want)
		}
	}
}

func compareStruct(t *testing.T, at string, got reflect.Value, want map[string]any) {
	t.Helper()
	seen := map[string]bool{}
	for i := range got.NumField() {
		key := jsonKey(got.Type().Field(i).Name)
		seen[key] = true
		w, ok := want[key]
		if !ok {
			if !got.Field(i).IsZero() && key != "toughness" {
				t.Errorf("%s.%s: %v is unexpected", at, key, got.Field(i))
			}
			continue
		}
		compare(t, at+"."+key, got.Field(i), w)
	}
	for key := range want {
		if !seen[key] && key != "_size" && key != "layout" && key != "missingBytesReadAsZero" {
			t.Errorf("%s: key %s was not decoded", at, key)
		}
	}
}

// compareList compares a list with a JSON value. The value is an array, or an object that has the number of slots and only
// those slots that differ from a stated value.
func compareList(t *testing.T, at string, got reflect.Value, want any) {
	t.Helper()
	if list, ok := want.([]any); ok {
		if got.Len() != len(list) {
			t.Fatalf("%s: %d elements, want %d", at, got.Len(), len(list))
		}
		for i := range list {
			compare(t, at, got.Index(i), list[i])
		}
		return
	}
	table := want.(map[string]any)
	if float64(got.Len()) != table["count"] {
		t.Fatalf("%s: %d slots, want %v", at, got.Len(), table["count"])
	}
	slots := table["slots"].(map[string]any)
	for i := range got.Len() {
		key := string(json.RawMessage(mustJSON(i)))
		w, ok := slots[key]
		if !ok {
			w = table["omittedSlotsEqual"]
		}
		compare(t, at+"["+key+"]", got.Index(i), w)
	}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func jsonKey(field string) string {
	if field == "ID" {
		return "id"
	}
	r := []rune(field)
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

func TestNameFilterOfOriginalRealmCrafterProjectIsImported(t *testing.T) {
	project, want := realProject(t), expected(t)
	b, err := fs.ReadFile(project, "data/Server Data/Names Filter.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := nameFilter(b)
	for i := range want.NamesFilter {
		want.NamesFilter[i] = strings.ToLower(want.NamesFilter[i])
	}
	if !slices.Equal(got, want.NamesFilter) {
		t.Errorf("got %q, want %q", got, want.NamesFilter)
	}
}

// The expected codes and positions come from an independent list. Warnings about scripts, which that list omits, are checked separately.
func TestOriginalRealmCrafterProjectCausesExpectedWarnings(t *testing.T) {
	project, want := realProject(t), expected(t)
	p, warnings, err := LoadProject(project, ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	var scripts []string
	for _, w := range warnings {
		if w.Code == "SCRIPT" {
			scripts = append(scripts, w.Detail)
			continue
		}
		got[w.Code+" "+w.File+" "+w.Where]++
	}
	for _, w := range want.Warnings {
		got[w.Code+" "+w.File+" "+w.Where]--
	}
	for k, n := range got {
		if n != 0 {
			t.Errorf("%s: %+d warnings", k, n)
		}
	}
	if len(scripts) != 6 {
		t.Errorf("scripts named: %q, want the six of the project", scripts)
	}
	if p.Port != 25000 {
		t.Errorf("port %d", p.Port)
	}
}

func TestOriginalRealmCrafterProjectIsLoadedAsExpectedWorld(t *testing.T) {
	p, _, err := LoadProject(realProject(t), ProjectOptions{NeutralZeroResistances: true})
	if err != nil {
		t.Fatal(err)
	}
	w := p.World
	human := w.Template(0)
	plains := w.AreaNamed("PLAINS")
	if human == nil || human.StartArea != plains || w.Areas[plains].Portals[human.StartPortal].Name != "Begin" {
		t.Fatalf("Human does not start at Begin of Plains: %+v", human)
	}
	if r := human.Radius; r < 1.2314 || r > 1.2316 {
		t.Errorf("radius %v, want 24.63 x 0.05", r)
	}
	if h := human.Attr[w.Roles.Health]; h.Value != 1000 || h.Max != 1000 {
		t.Errorf("health %+v, want 1000 of 1000: values are clamped to the maximum", h)
	}
	if human.Resist[0] != 100 {
		t.Errorf("resistance %d, want 100: zeros must become neutral", human.Resist[0])
	}
	if w.Rules.RespawnArea != plains || w.Rules.RespawnPortal != human.StartPortal {
		t.Errorf("respawn at %d/%d, want the start", w.Rules.RespawnArea, w.Rules.RespawnPortal)
	}
	if n := len(w.Areas[plains].Spawns); n != 2 {
		t.Errorf("%d spawns in Plains, want the 2 active ones", n)
	}
	zone := w.AreaNamed("Test Zone")
	if s := w.Areas[zone].Spawns[2]; s.PeriodMS != 1000 {
		t.Errorf("spawn without delay has period %d ms, want the minimum of 1000", s.PeriodMS)
	}
	checkLinks(t, w.World, plains, zone)
}

// checkLinks checks the destination rule: portals 1 and 2 of Plains name no portal of Test Zone, so they lead to slot
// 0.
func checkLinks(t *testing.T, w *sim.World, plains, zone sim.AreaID) {
	t.Helper()
	for _, name := range []string{"Test", "to testing"} {
		p := w.Areas[plains].Portals[portalNamed(&w.Areas[plains], name)]
		if p.ToArea != zone || w.Areas[zone].Portals[p.ToPortal].Name != "Start" {
			t.Errorf("%s leads to %d/%d, want Start of Test Zone", name, p.ToArea, p.ToPortal)
		}
	}
	if n := len(w.Areas[plains].Waypoints); n != 9 {
		t.Errorf("%d waypoints in Plains, want 9", n)
	}
	if six := w.Areas[plains].Waypoints[6]; six.Prev != -1 {
		t.Errorf("waypoint 6 leads to the unused waypoint %d", six.Prev)
	}
}

// copyProject returns a copy of a project in memory that a test may modify.
func copyProject(t testing.TB, from fs.FS) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	err := fs.WalkDir(from, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(from, p)
		m[p] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
