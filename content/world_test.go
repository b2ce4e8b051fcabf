package content

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// tinyTOML is the source of a world with one element of every kind. Tests replace parts of it.
const tinyTOML = `name = "Tiny"
damage_types = ["Slashing", "Fire"]

[[attribute]]
name = "Health"
role = "health"

[[attribute]]
name = "Strength"
role = "strength"

[[attribute]]
index = 4
name = "Speed"
role = "speed"

[[faction]]
name = "Folk"
ratings = { Wolves = 10 }

[[faction]]
name = "Wolves"
others = 40

[[projectile]]
id = 7
name = "Arrow"
damage = 5

[[item]]
id = 3
name = "Sword"
kind = "weapon"
damage = 10

[[item]]
id = 4
name = "Bow"
kind = "weapon"
weapon = "ranged"
damage = 4
range = 30
projectile = "arrow"

[[item]]
id = 9
name = "Bread"
kind = "potion"
stackable = true

[[template]]
id = 0
race = "Human"
class = "Fighter"
playable = true
start = { area = "Field", portal = "Gate" }
attributes = { Health = 100, Speed = [50, 100] }

[[template]]
id = 5
race = "Wolf"
temper = "hostile"
faction = "wolves"
kit = ["Sword"]
attributes = { Health = 30 }
resistances = { Fire = 50 }

[[area]]
name = "Field"
weather = { rain = 10 }

[[area.portal]]
name = "Gate"
at = [1, 2, 3]
to = { area = "Cave", portal = "Mouth" }

[[area.waypoint]]
name = "a"
at = [0, 0, 0]
next = "b"
pause = 1.5

[[area.waypoint]]
name = "b"
at = [9, 0, 0]
next = "a"
prev = "round 1"

[[area.path]]
name = "round"
back = true
points = [
  [0, 0, 1],
  [0, 0, 2],
  [0, 0, 3],
]

[[area.spawn]]
template = "Wolf"
waypoint = "round 1"
max = 2

[[area.spawn]]
template = "Wolf"
at = [5, 0, 5]
wander = 8
every = 2.5

[[area]]
name = "Cave"

[[area.portal]]
name = "Mouth"
at = [0, 0, 0]

[[area.water]]
corner = [0, 1, 0]
size = [10, 20]
damage = 3
damage_type = "Fire"

[rules.combat]
formula = 2
delay = 0.5

[rules.movement]
claims = "seed"
step = "l1"

[newcomers]
kit = [
  { item = "Sword" },
  { item = "Bread", amount = 3 },
]
`

func TestEveryTableOfWorldIsLoadedFromWorldFile(t *testing.T) {
	w, warnings, err := LoadWorld("tiny.toml", []byte(tinyTOML))
	if err != nil || len(warnings) != 1 || warnings[0].Code != "AREA-NO-EXIT" { // the cave has no exit, which causes the only warning
		t.Fatalf("%v, %v", err, warnings)
	}
	checks := map[string]bool{
		"fixed":         w.Roles == combat.AttributeRoles{Health: 0, Energy: -1, Breath: -1, Toughness: -1, Strength: 1, Speed: 4},
		"damage names":  w.DamageNames[1] == "Fire",
		"ratings":       w.Factions[0].Ratings[1] == 10 && w.Factions[0].Ratings[0] == 100 && w.Factions[1].Ratings[50] == 40,
		"projectile":    w.Item(4).Weapon.Projectile == &w.Projectiles[0],
		"template":      w.Template(5).Temper == combat.Hostile && w.Template(5).Faction == 1 && w.Template(5).Resist[1] == 50,
		"kit":           w.Template(5).Kit[sim.SlotWeapon] == sim.ItemStack{Item: 3, Amount: 1, Health: 100},
		"attribute":     w.Template(0).Attr[4] == combat.Attribute{Value: 50, Max: 100} && w.Template(0).Attr[0].Max == 100,
		"start":         w.Template(0).StartArea == 0 && w.Template(0).StartPortal == 0,
		"portal":        w.Areas[0].Portals[0] == sim.Portal{Name: "Gate", Pos: geom.Vec{X: 1, Y: 2, Z: 3}, Radius: 5, ToArea: 1},
		"weather":       w.Areas[0].WeatherChance[0] == 10,
		"water":         w.Areas[1].Waters[0] == sim.Water{Y: 1, Width: 10, Depth: 20, Damage: 3, DamageType: 1},
		"combat":        w.Rules.Combat.Formula == combat.NoStrength && w.Rules.Combat.DelayMS == 500,
		"claims":        w.Rules.Claim == move.OriginalClaimPolicy() && w.Rules.Step == move.L1,
		"newcomers":     reflect.DeepEqual(kitSlots(w.World), []int{sim.SlotWeapon, sim.SlotBackpack}),
		"tick rate":     w.TicksPerSecond == 20,
		"pet":           w.NewCharacters.Pet == sim.NoTemplate,
		"no start area": w.Template(5).StartArea == sim.NoArea && w.Template(5).StartPortal == -1,
	}
	for what, ok := range checks {
		if !ok {
			t.Errorf("%s is not as written", what)
		}
	}
}

func TestTemplateHasFullEnergyAndBreathByDefault(t *testing.T) {
	src := tinyTOML + "\n[[attribute]]\nname = \"Energy\"\nrole = \"energy\"\n[[attribute]]\nname = \"Breath\"\nrole = \"breath\"\n"
	w, _, err := LoadWorld("tiny.toml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	wolf := w.Template(5)
	for _, i := range []int{w.Roles.Energy, w.Roles.Breath} {
		if wolf.Attr[i].Value != wolf.Attr[i].Max {
			t.Errorf("attribute %d of the wolf is %+v", i, wolf.Attr[i])
		}
	}
}

func kitSlots(w *sim.World) (slots []int) {
	for _, k := range w.NewCharacters.Kit {
		slots = append(slots, int(k.Slot))
	}
	return slots
}

// A patrol with back = true visits the inner points in both directions: 1 2 3 2, and so on.
func TestPatrolIsConvertedToCycleOfWaypoints(t *testing.T) {
	w, _, err := LoadWorld("tiny.toml", []byte(tinyTOML))
	if err != nil {
		t.Fatal(err)
	}
	a := &w.Areas[0]
	if len(a.Waypoints) != 2+4+1 {
		t.Fatalf("%d waypoints, want two, a patrol of four and the home of a spawn", len(a.Waypoints))
	}
	var walk []float32
	for at, n := a.Spawns[0].Waypoint, 0; n < 6; n++ {
		walk = append(walk, a.Waypoints[at].Pos.Z)
		at = a.Waypoints[at].NextA
	}
	if got := fmt.Sprint(walk); got != "[1 2 3 2 1 2]" {
		t.Errorf("the patrol is %s", got)
	}
	if a.Waypoints[0].PauseMS != 1500 || a.Waypoints[0].NextA != 1 || a.Waypoints[1].Prev != 2 {
		t.Errorf("waypoints %+v", a.Waypoints[:2])
	}
	if s := a.Spawns[1]; s.Waypoint != 6 || s.Range != 8 || s.PeriodMS != 2500 || a.Waypoints[6].Pos.X != 5 {
		t.Errorf("spawn %+v", s)
	}
}

func TestProbableMistakesInWorldFileCauseWarnings(t *testing.T) {
	cave := "name = \"Mouth\"\nat = [0, 0, 0]\n"
	out := cave + "to = { area = \"Field\", portal = \"Gate\" }\n"
	for want, src := range map[string]string{
		`tiny.toml: line 109, area "Cave": no portal of the area leads to another area (AREA-NO-EXIT)`:                                                                                             tinyTOML,
		`tiny.toml: line 68, area "Field": portal Gate leads into portal Mouth of area Cave, which leads back: a player who arrives there and stands still is sent back and forth (PORTAL-BOUNCE)`: strings.Replace(tinyTOML, cave, out, 1),
		`tiny.toml: line 109, area "Cave": no portal of another area leads here, and no template starts here (AREA-NO-ENTRY)`:                                                                      strings.Replace(tinyTOML, `to = { area = "Cave", portal = "Mouth" }`, "", 1),
		`tiny.toml: line 68, area "Field": the spawns of the area create up to 3 actors, but max_actors is 2: some actors never appear (AREA-FULL)`:                                                strings.Replace(tinyTOML, "[rules.combat]", "[rules]\nmax_actors = 2\n[rules.combat]", 1),
	} {
		_, warnings, err := LoadWorld("tiny.toml", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, w := range warnings {
			all = append(all, w.String())
		}
		if !slices.Contains(all, want) {
			t.Errorf("got %q\nwant %s", all, want)
		}
	}
}

// Each case replaces one part of the tiny world and states the complete message with its line.
func TestInvalidWorldFilesAreRefused(t *testing.T) {
	tests := []struct{ old, new, want string }{
		{`name = "Tiny"`, ``, `tiny.toml:1: name is missing: add name = "Name of the world"`},
		{`name = "Tiny"`, `name = "Tiny`, `tiny.toml:1: not TOML: strings cannot contain newlines`},
		{`name = "Tiny"`, "name = \"Tiny\"\nname = \"Twice\"", `tiny.toml:2: not TOML: Key 'name' has already been defined.`},
		{`name = "Tiny"`, "name = \"Tiny\"\ntick_rat = 20", `tiny.toml:2: unknown key "tick_rat": did you mean "tick_rate"?`},
		{`name = "Tiny"`, "name = \"Tiny\"\ntick_rate = 200", `tiny.toml:2: tick_rate = 200 is out of range: use 5 to 60`},
		{`name = "Tiny"`, "name = \"Tiny\"\ntick_rate = 20.5", `tiny.toml:2: tick_rate is a number with a fraction: write a whole number from 5 to 60`},
		{`name = "Tiny"`, `name = "Тайни"`, `tiny.toml:1: name "Тайни" contains a letter that clients cannot show: use Western European letters (Windows-1252)`},
		{`role = "speed"`, ``, `tiny.toml:4: no attribute has the role speed: add role = "speed" to one [[attribute]]`},
		{`role = "speed"`, `role = "health"`, `tiny.toml:15: attribute "Speed": attribute "Health" has the role health already: keep one of them`},
		{`index = 4`, `index = 0`, `tiny.toml:13: attribute "Speed": index 0 is taken: give each its own index`},
		{`Wolves = 10`, `Wolfs = 10`, `tiny.toml:19: faction "Folk": there is no faction "Wolfs": did you mean "Wolves"?`},
		{`Wolves = 10`, `Wolves = 201`, `tiny.toml:19: faction "Folk": Wolves = 201 is out of range: use 0 to 200`},
		{`id = 4`, `id = 3`, `tiny.toml:37: item "Bow": id 3 is used twice: give each entry its own id`},
		{`name = "Bow"`, `name = "sword"`, `tiny.toml:38: item "sword": the name "sword" is used twice: give each entry its own name`},
		{`kind = "potion"`, `kind = "poison"`, `tiny.toml:48: item "Bread": kind "poison" is unknown: did you mean "potion"?`},
		{`kind = "potion"`, "kind = \"armour\"", `tiny.toml:45: item "Bread": armour cannot be worn as backpack: add slot = "shield"`},
		{`projectile = "arrow"`, ``, `tiny.toml:36: item "Bow": projectile is missing: add projectile = "Arrow"`},
		{`projectile = "arrow"`, `projectile = "bolt"`, `tiny.toml:43: item "Bow": there is no projectile "bolt": there are Arrow`},
		{`damage = 10`, `damage = "ten"`, `tiny.toml:34: item "Sword": damage is a string: write a whole number from 0 to 32767`},
		{`damage = 10`, "damage = 10\narmour = 2", `tiny.toml:35: item "Sword": unknown key "armour": known keys are id, name, race, class, value, mass, wears, stackable, thumbnail, gubbins, attributes, kind and others`},
		{`portal = "Gate"`, `portal = "Gat"`, `tiny.toml:56: template "Human": there is no portal in Field "Gat": did you mean "Gate"?`},
		{`start = { area = "Field", portal = "Gate" }`, ``, `tiny.toml:51: template "Human": start is missing: add start = { area = "...", portal = "..." }`},
		{`{ Health = 30 }`, `{ Strength = 30 }`, `tiny.toml:65: template "Wolf": Health is 0, so its actors would be dead when they appear: add attributes = { Health = 100 }`},
		{`Speed = [50, 100]`, `Speed = [150, 100]`, `tiny.toml:57: template "Human": Speed = [150, 100] is above its maximum: write [value, maximum]`},
		{`kit = ["Sword"]`, `kit = ["Sword", "Bow"]`, `tiny.toml:64: template "Wolf": "Bow" goes to the weapon slot, which is full: keep one item for each slot`},
		{`kit = ["Sword"]`, `kit = ["Bread"]`, `tiny.toml:64: template "Wolf": "Bread" cannot be worn: a kit takes weapons and armour`},
		{`at = [1, 2, 3]`, `at = [1, 2]`, `tiny.toml:74: area "Field": portal "Gate": at has 2 numbers: write 3`},
		{`at = [1, 2, 3]`, `at = [1, 2, inf]`, `tiny.toml:74: area "Field": portal "Gate": at contains +Inf: use numbers from -99999 to 99999`},
		{`at = [1, 2, 3]`, `at = [1, 2, 3]` + "\nradius = 0", `tiny.toml:75: area "Field": portal "Gate": radius = 0 is out of range: use 0.1 to 1000`},
		{`area = "Cave", portal = "Mouth"`, `area = "Cove", portal = "Mouth"`, `tiny.toml:75: area "Field": portal "Gate": there is no area "Cove": did you mean "Cave"?`},
		{`area = "Cave", portal = "Mouth"`, `area = "Field", portal = "Gate"`, `tiny.toml:75: area "Field": portal "Gate": the portal leads to itself: name another portal in to`},
		{`next = "b"`, `next = "c"`, `tiny.toml:80: area "Field": waypoint "a": there is no waypoint "c": there are a, b, round 1, round 2, round 3, round 4`},
		{`  [0, 0, 2],`, `  [0, 0],`, `tiny.toml:94: area "Field": path "round": points[1] has 2 numbers: write 3`},
		{`waypoint = "round 1"`, ``, `tiny.toml:98: area "Field": spawn of "Wolf": at is missing: add at = [x, y, z], or waypoint = "..."`},
		{`wander = 8`, `wander = 3`, `tiny.toml:106: area "Field": spawn of "Wolf": wander = 3 is too small: use 5 or more, or 0 to follow waypoints`},
		{`every = 2.5`, `every = 0`, `tiny.toml:107: area "Field": spawn of "Wolf": every = 0 is out of range: use 1 to 86400`},
		{`[rules.combat]`, "[rules]\nrewind = 1.5\n[rules.combat]", `tiny.toml:123: rewind = 1.5 is out of range: use 0 to 1`},
		{`[rules.combat]`, "[rules.linger]\ntime = 25\n[rules.combat]", `tiny.toml:122: combat is shorter than time: write combat = 25 or more, so that no player escapes from a fight by ending the connection`},
		{`formula = 2`, `formula = 4`, `tiny.toml:123: formula 4 needs a script: add script = "weapon_damage - victim_armour" or use formula 1, 2 or 3`},
		{`formula = 2`, "formula = 2\nscript = \"1\"", `tiny.toml:124: script is given, but formula 2 does not run it: write formula = 4 or remove it`},
		{`claims = "seed"`, `claims = "sead"`, `tiny.toml:127: claims "sead" is unknown: did you mean "seed"?`},
		{`{ item = "Sword" }`, `{ item = "Sword", amount = 2 }`, `tiny.toml:132: kit "Sword": the kit puts 2 of "Sword" into one slot, but the item is not stackable: set stackable = true on the item, or amount = 1`},
		{`{ item = "Sword" }`, `{ item = "Sword", slot = 3 }`, `tiny.toml:132: kit "Sword": "Sword" is not worn in slot 3: leave slot out or use 14 or more`},
	}
	for _, tt := range tests {
		if !strings.Contains(tinyTOML, tt.old) {
			t.Fatalf("%q is not in the tiny world", tt.old)
		}
		w, _, err := LoadWorld("tiny.toml", []byte(strings.Replace(tinyTOML, tt.old, tt.new, 1)))
		if err == nil || w != nil || !strings.Contains("\n"+err.Error()+"\n", "\n"+tt.want+"\n") {
			t.Errorf("with %q:\n got %v\nwant %s", tt.new, err, tt.want)
		}
	}
}

func TestProblemsOfWorldFileAreReportedInOrderOfLines(t *testing.T) {
	src := strings.NewReplacer(`name = "Tiny"`, "tik = 1", "damage = 10", "damage = -1", `every = 2.5`, `evry = 2.5`).Replace(tinyTOML)
	_, _, err := LoadWorld("tiny.toml", []byte(src))
	problems, ok := errors.AsType[Problems](err)
	if !ok || len(problems) != 4 {
		t.Fatalf("got %v, want four problems", err)
	}
	for i := 1; i < len(problems); i++ {
		if problems[i].Line < problems[i-1].Line {
			t.Errorf("a problem of line %d comes after one of line %d", problems[i].Line, problems[i-1].Line)
		}
	}
}

func TestScriptErrorIsOneLineWithLineNumberOfWorldFile(t *testing.T) {
	src := strings.Replace(tinyTOML, "formula = 2", "formula = 4\nscript = \"weapon_damge\"", 1)
	_, _, err := LoadWorld("tiny.toml", []byte(src))
	if err == nil || !strings.HasPrefix(err.Error(), "tiny.toml:124: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line that begins with line 124", err)
	}
}

func TestNonASCIINamesOfWorldFileAreReadAsUTF8(t *testing.T) {
	if _, _, err := LoadWorld("tiny.toml", []byte(strings.ReplaceAll(tinyTOML, "Wolves", "Wölfe"))); err == nil {
		t.Fatal("the template still names wolves")
	}
	src := strings.NewReplacer(`"Wolves"`, `"Wölfe"`, `Wolves = 10`, `"Wölfe" = 10`, `"wolves"`, `"wölfe"`).Replace(tinyTOML)
	w, _, err := LoadWorld("tiny.toml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Factions[1].Name; got != "Wölfe" || w.Factions[0].Ratings[1] != 10 {
		t.Errorf("the faction is %q", got)
	}
}

func TestErrorAboutUnknownWordSuggestsMostSimilarKnownWord(t *testing.T) {
	words := []string{"radius", "yaw", "name"}
	for word, want := range map[string]string{
		"radious": `did you mean "radius"?`, "NAME": `did you mean "name"?`, "zzz": "use radius, yaw, name",
	} {
		if got := suggest(word, words, "use"); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
	if got := suggest("x", nil, "use"); got != "there are none" {
		t.Errorf("without known words: %s", got)
	}
}

// paths calls add with the path of every key in a decoded file.
func paths(at string, v any, add func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			add(joinPath(at, k))
			paths(joinPath(at, k), e, add)
		}
	case []map[string]any:
		for i, e := range v {
			add(fmt.Sprintf("%s[%d]", at, i))
			paths(fmt.Sprintf("%s[%d]", at, i), e, add)
		}
	case []any:
		for i, e := range v {
			add(fmt.Sprintf("%s[%d]", at, i))
			paths(fmt.Sprintf("%s[%d]", at, i), e, add)
		}
	}
}

func TestEveryWorldFileKeyHasLineNumber(t *testing.T) {
	const src = "# comment [[x]]\na.b = 1 # = 2\n" +
		"s = \"\"\"\n[not]\n\"\"\" \nl = '''\n''''\n\"quoted key\" = [ 1,\n 2, # two\n { c = \"]\", d = [\n3 ] } ]\n" +
		"[t.u]\nk = 1\n[[v]]\nk = 1\n[[v.w]]\nk = 1\n[[v.w]]\nk = 2\n[v.x]\nk = 1\n[[v]]\n[[v.w]]\nk = 3\n"
	want := map[string]int{
		"a": 2, "a.b": 2, "s": 3, "l": 6, "quoted key": 8, "quoted key[1]": 9, "quoted key[2].c": 10, "quoted key[2].d[0]": 11,
		"t.u": 12, "t.u.k": 13, "v[0]": 14, "v[0].k": 15, "v[0].w[0].k": 17, "v[0].w[1].k": 19, "v[0].x.k": 21, "v[1]": 22, "v[1].w[0].k": 24,
	}
	root, ok := parseTOML("x.toml", []byte(src))
	if !ok {
		t.Fatal(root.src.problems)
	}
	for path, line := range want {
		if got := root.src.lines[path]; got != line {
			t.Errorf("%s is on line %d, want %d", path, got, line)
		}
	}
}

func FuzzWorldFile(f *testing.F) {
	f.Add(tinyTOML)
	f.Add("a.b = [1, {c = ''}]\n[[d]]\n[d.e]\nf = \"\"\"x\"\"\"")
	f.Add("name = \"x\"\n[[area]]\nname = \"y\"\n[[area.path]]\npoints = [[1,2,3],[nan,1]]")
	f.Fuzz(func(t *testing.T, src string) {
		w, _, err := LoadWorld("x.toml", []byte(src))
		if (w == nil) == (err == nil) {
			t.Fatalf("world %v and error %v", w != nil, err)
		}
		root, ok := parseTOML("x.toml", []byte(src))
		if !ok {
			return
		}
		paths("", root.keys, func(path string) {
			if _, ok := root.src.lines[path]; !ok {
				t.Fatalf("%q has no line in %q", path, src)
			}
		})
	})
}

func TestContentHashChangesWithBytesOfWorldFile(t *testing.T) {
	load := func(src string) uint64 {
		w, _, err := LoadWorld("tiny.toml", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return w.ContentHash
	}
	first, again, changed := load(tinyTOML), load(tinyTOML), load(tinyTOML+"\n# changed\n")
	if first != again || first == changed {
		t.Error("equal bytes must give equal hashes, and different bytes different ones")
	}
}

func TestLagCompensationRewindLongerThanPositionHistoryIsRefused(t *testing.T) {
	file := func(rewind string) []byte {
		return []byte(strings.NewReplacer(`name = "Tiny"`, "name = \"Tiny\"\ntick_rate = 60", "[rules.combat]", "[rules]\nrewind = "+rewind+"\n[rules.combat]").Replace(tinyTOML))
	}
	if w, _, err := LoadWorld("tiny.toml", file("0.333")); err != nil || w.Rules.RewindMS != 333 {
		t.Errorf("20 ticks are refused: %v", err)
	}
	const want = "tiny.toml:124: an area keeps the positions of 20 ticks: write rewind = 0.333 or less with tick_rate = 60"
	if _, _, err := LoadWorld("tiny.toml", file("0.4")); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
