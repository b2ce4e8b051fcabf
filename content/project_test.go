package content

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

func TestRealmCrafterProjectIsImportedAsWorld(t *testing.T) {
	p, warnings, err := LoadProject(smallProject().files(), ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range warnings {
		t.Errorf("warning: %s", w)
	}
	w := p.World
	meadow, moor := w.AreaNamed("meadow"), w.AreaNamed("MOOR")
	if p.Port != 25123 || meadow < 0 || moor < 0 || w.TicksPerSecond != 20 {
		t.Fatalf("port %d, areas %d and %d", p.Port, meadow, moor)
	}
	gate := w.Areas[meadow].Portals[1]
	if gate.Name != "Gate" || gate.ToArea != moor || w.Areas[moor].Portals[gate.ToPortal].Name != "Start" {
		t.Errorf("gate %+v: unused slots must not become portals, and names are compared ignoring case", gate)
	}
	human := w.Template(0)
	if human.StartArea != meadow || human.StartPortal != 0 || human.Radius != 1 || human.Slots != 0xffffffff {
		t.Errorf("human %+v", human)
	}
	if s := w.Areas[meadow].Spawns; len(s) != 1 || s[0].PeriodMS != 10_000 || s[0].Template != 1 {
		t.Errorf("spawns %+v: only active slots count", s)
	}
	wp := w.Areas[meadow].Waypoints
	if len(wp) != 2 || wp[0].NextA != 1 || wp[0].NextB != -1 || wp[0].PauseMS != 3000 || wp[1].Prev != 0 {
		t.Errorf("waypoints %+v", wp)
	}
	bow := w.Item(4).Weapon
	if bow.Kind != combat.Ranged || bow.Projectile == nil || bow.Projectile.Name != "Arrow" || bow.Range != 40 {
		t.Errorf("bow %+v", bow)
	}
	if w.Item(9).Text != "Dear friend" || w.Item(0).ArmourLevel != 2 {
		t.Errorf("items %+v", w.Items)
	}
	r := &w.Rules
	if r.Combat.Formula != combat.Normal || !r.Combat.ArmourWear || r.RespawnArea != meadow || r.RespawnPortal != 0 || !r.Claim.Strict {
		t.Errorf("rules %+v", r)
	}
	n := &w.NewCharacters
	if n.Gold != 50 || n.MaxCharacters != 4 || n.AttributePoints != 10 || len(n.NameFilter) != 1 || n.NameFilter[0] != "king" {
		t.Errorf("newcomers %+v", n)
	}
}

func TestRealmCrafterProjectFolderIsFoundInParentIgnoringCase(t *testing.T) {
	m := fstest.MapFS{}
	for name, f := range smallProject().files() {
		m["DATA/"+strings.ToUpper(name)] = f
	}
	if _, _, err := LoadProject(m, ProjectOptions{}); err != nil {
		t.Error(err)
	}
	if _, _, err := LoadProject(fstest.MapFS{"readme.txt": {}}, ProjectOptions{}); err == nil || !strings.Contains(err.Error(), "there is no such folder") {
		t.Errorf("a folder without a project: %v", err)
	}
}

func TestRealmCrafterItemFileLayoutIsDetected(t *testing.T) {
	items := smallProject().items
	for _, always := range []bool{false, true} {
		want := map[bool]string{false: "classic", true: "always"}[always]
		got, layout, err := parseItems(newCursor("Items.dat", writeItems(items, always)))
		if err != nil || layout != want || len(got) != len(items) {
			t.Errorf("%s: %d items, layout %q, %v", want, len(got), layout, err)
		}
	}
	onlyOther := []rcItem{testItem(1, 7, "A"), testItem(2, 7, "B")}
	if _, layout, err := parseItems(newCursor("Items.dat", writeItems(onlyOther, true))); err != nil || layout != "classic" {
		t.Errorf("items of type 7 must read the same in both layouts: %q, %v", layout, err)
	}
}

// Each case changes smallProject and states one line of the expected error.
func TestInvalidRealmCrafterProjectsAreRefused(t *testing.T) {
	tests := map[string]struct {
		change func(*testProject)
		want   string
	}{
		"formula":           {func(p *testProject) { p.misc.CombatFormula = 5 }, "Server Data/Misc.dat: offset 11: combatFormula 5 is outside 1..4"},
		"attack script":     {func(p *testProject) { p.misc.CombatFormula = 4 }, "combatFormula 4 runs the project's Attack script"},
		"port":              {func(p *testProject) { p.misc.ServerPort = 70000 }, "offset 17: serverPort 70000 is outside 0..65535"},
		"no speed":          {func(p *testProject) { p.fixed.Speed = noMedia }, "Server Data/Fixed Attributes.dat: no attribute has the role speed"},
		"no health":         {func(p *testProject) { p.fixed.Health = noMedia }, "no attribute has the role health"},
		"strange speed":     {func(p *testProject) { p.fixed.Strength = 40 }, "attribute 40 for the role strength is outside 0..39"},
		"no area":           {func(p *testProject) { p.areas = nil }, "Server Data/Areas: the project has no area"},
		"no playable actor": {func(p *testProject) { p.actors[0].Playable = false }, "no actor is playable"},
		"start area":        {func(p *testProject) { p.actors[0].StartArea = "Mars" }, `actor 0 Human: startArea "Mars" does not exist`},
		"item type":         {func(p *testProject) { p.items[1].Type = 9 }, "record 1: the type 9 is outside 1..7"},
		"item id":           {func(p *testProject) { p.items[1].ID = noItem }, "record 1: the id 65535 is outside 0..65534"},
		"projectile id":     {func(p *testProject) { p.projectiles[0].ID = 5001 }, "record 0: the id 5001 is outside 0..5000"},
		"long name":         {func(p *testProject) { p.actors[0].Race = strings.Repeat("x", 257) }, "offset 2: record 0: race: the string length 257 is outside 0..256"},
		"far away":          {func(p *testProject) { p.areas[0].Portals[0].X = 100_000 }, "portal 0: x: 100000 is outside the world"},
	}
	for name, tt := range tests {
		p := smallProject()
		tt.change(p)
		got, _, err := LoadProject(p.files(), ProjectOptions{})
		if err == nil || got != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, tt.want)
		}
	}
}

func TestRealmCrafterProjectWithoutRequiredFileIsRefused(t *testing.T) {
	all := smallProject().files()
	for name := range all {
		if strings.HasPrefix(name, areaFolder) || strings.HasSuffix(name, "Environment.dat") || strings.HasSuffix(name, "Accounts.dat") {
			continue
		}
		m := fstest.MapFS{}
		for other, f := range all {
			if other != name {
				m[other] = f
			}
		}
		if _, _, err := LoadProject(m, ProjectOptions{}); err == nil || !strings.Contains(err.Error(), name+": the file is missing") {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// Each case changes smallProject and states one expected warning.
func TestProbableMistakesInRealmCrafterProjectCauseWarnings(t *testing.T) {
	tests := map[string]struct {
		change func(*testProject)
		where  string
	}{
		"ATTR-OVER-MAX":         {func(p *testProject) { p.actors[1].AttributeValue[0] = 101 }, "actor 1 Stag"},
		"HEALTH-ZERO":           {func(p *testProject) { p.actors[1].AttributeValue[0] = 0 }, "actor 1 Stag"},
		"RESIST-ALL-ZERO":       {func(p *testProject) { p.actors[1].Resistances = [20]uint16{} }, "actor 1 Stag"},
		"XP-MULTIPLIER":         {func(p *testProject) { p.actors[1].XpMultiplier = 0 }, "actor 1 Stag"},
		"FACTION":               {func(p *testProject) { p.actors[1].DefaultFaction = 100 }, "actor 1 Stag"},
		"FACTION-UNNAMED":       {func(p *testProject) { p.actors[1].DefaultFaction = 7 }, "actor 1 Stag"},
		"DAMAGE-TYPE":           {func(p *testProject) { p.items[1].WeaponDamageType = 20 }, "item 3 Sword"},
		"START-PORTAL":          {func(p *testProject) { p.actors[0].StartPortal = "" }, "actor 0 Human"},
		"START-AREA":            {func(p *testProject) { p.actors[1].StartArea = "Mars" }, "actor 1 Stag"},
		"ID-RESERVED":           {func(p *testProject) { p.actors = append(p.actors, testActor(65535, "Nobody")) }, "actor 65535 Nobody"},
		"DUPLICATE-ID":          {func(p *testProject) { p.items[1].ID = 4 }, "item 4"},
		"PROJECTILE-MISSING":    {func(p *testProject) { p.items[2].RangedProjectile = 4000 }, "item 4 Bow"},
		"WEAPON-RANGE":          {func(p *testProject) { p.items[2].Range = 0 }, "item 4 Bow"},
		"ITEM-SLOT":             {func(p *testProject) { p.items[0].SlotType = 1 }, "item 0 Jerkin"},
		"RATING-RANGE":          {func(p *testProject) { p.factions.Ratings[0][5] = 255 }, "faction 0 All"},
		"FIXED-UNNAMED":         {func(p *testProject) { p.attributes.Attributes[4].Name = "" }, "speed"},
		"GRAVITY":               {func(p *testProject) { p.areas[0].Gravity = 1001 }, "area"},
		"WEATHER-LINK":          {func(p *testProject) { p.areas[0].WeatherLink = "Mars" }, "area"},
		"WAYPOINT-STALE":        {func(p *testProject) { p.areas[0].Waypoints[5].X = 1 }, "waypoint 5"},
		"WAYPOINT-DANGLING":     {func(p *testProject) { p.areas[0].Waypoints[0].NextA = 9 }, "waypoint 0"},
		"WATER-SIZE":            {func(p *testProject) { p.areas[0].Waters[0].Width = 0 }, "water 0"},
		"PORTAL-DEST-AREA":      {func(p *testProject) { p.areas[0].Portals[2].LinkArea = "Mars" }, "portal 2 Gate"},
		"PORTAL-DEST-NAME":      {func(p *testProject) { p.areas[0].Portals[2].LinkPortal = "Door" }, "portal 2 Gate"},
		"PORTAL-DEST-EMPTY":     {func(p *testProject) { p.areas[0].Portals[2].LinkPortal = "" }, "portal 2 Gate"},
		"PORTAL-SIZE":           {func(p *testProject) { p.areas[0].Portals[2].Size = 0 }, "portal 2 Gate"},
		"PORTAL-DUPLICATE":      {func(p *testProject) { p.areas[0].Portals[2].Name = "START" }, "portal 2 START"},
		"SPAWN-ACTOR":           {func(p *testProject) { p.areas[0].Spawns[0].Actor = 3 }, "spawn 0"},
		"SPAWN-ACTOR-INACTIVE":  {func(p *testProject) { p.areas[0].Spawns[8].Actor = 3 }, "spawn 8"},
		"SPAWN-WAYPOINT":        {func(p *testProject) { p.areas[0].Spawns[0].Waypoint = 5000 }, "spawn 0"},
		"SPAWN-WAYPOINT-UNUSED": {func(p *testProject) { p.areas[0].Spawns[0].Waypoint = 5 }, "spawn 0"},
		"SPAWN-FREQ-ZERO":       {func(p *testProject) { p.areas[0].Spawns[0].Frequency = 0 }, "spawn 0"},
		"AREA-NO-EXIT":          {func(p *testProject) { p.areas[1].Portals[2].LinkArea = "" }, "area"},
		"AREA-NO-ENTRY":         {func(p *testProject) { p.areas[0].Portals[2].LinkArea = "Meadow" }, "area"},
		"VALUE-RANGE":           {func(p *testProject) { p.actors[1].Aggressiveness = 4 }, "actor 1 Stag"},
		"SCRIPT":                {func(p *testProject) { p.areas[0].Triggers[3].Script = "Trap" }, "trigger 3"},
	}
	for code, tt := range tests {
		p := smallProject()
		tt.change(p)
		_, warnings, err := LoadProject(p.files(), ProjectOptions{})
		if err != nil {
			t.Errorf("%s: refused: %v", code, err)
			continue
		}
		found := false
		for _, w := range warnings {
			found = found || w.Code == code && w.Where == tt.where
		}
		if !found {
			t.Errorf("no warning %s at %s; there are %v", code, tt.where, warnings)
		}
	}
}

func TestEachMissingRealmCrafterScriptCausesOneWarning(t *testing.T) {
	p := smallProject()
	p.areas[0].EntryScript, p.areas[1].EntryScript, p.areas[1].ExitScript = "Hello", "HELLO", "Bye"
	_, warnings, err := LoadProject(p.files(), ProjectOptions{})
	if n := countCode(warnings, "SCRIPT"); err != nil || n != 2 {
		t.Errorf("%d warnings (%v), want one for Hello and one for Bye; %v", n, warnings, err)
	}
}

func TestLaterRealmCrafterActorReplacesEarlierActorWithSameID(t *testing.T) {
	p := smallProject()
	second := testActor(1, "Bear")
	p.actors = append(p.actors, second)
	got, _, err := LoadProject(p.files(), ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if tpl := got.World.Template(1); tpl.Race != "Bear" || len(got.World.Templates) != 2 {
		t.Errorf("template 1 is %s of %d", tpl.Race, len(got.World.Templates))
	}
}

// A link without a portal leads to slot 0 of the destination even if that slot is unused.
func TestRealmCrafterLinkWithoutPortalLeadsToUnusedPortalSlotZero(t *testing.T) {
	p := smallProject()
	p.areas[1].Portals[0] = rcPortal{X: 7}
	got, _, err := LoadProject(p.files(), ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	moor := &got.World.Areas[1]
	gate := got.World.Areas[0].Portals[1]
	if at := moor.Portals[gate.ToPortal]; at.Name != "" || at.Pos.X != 7 || at.ToArea != sim.NoArea || at.Radius <= 0 {
		t.Errorf("leads to %+v", at)
	}
}

func TestRealmCrafterCharactersStartAtFirstWaypointIfAreaHasNoPortal(t *testing.T) {
	p := smallProject()
	p.areas[0].Portals[0], p.areas[0].Portals[2] = rcPortal{}, rcPortal{}
	got, _, err := LoadProject(p.files(), ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	human := got.World.Template(0)
	if at := got.World.Areas[0].Portals[human.StartPortal].Pos; at.X != 40 {
		t.Errorf("starts at %+v, want the first waypoint", at)
	}
}

func TestZeroResistanceOfRealmCrafterActorCanBeImportedAsNeutral(t *testing.T) {
	p := smallProject()
	p.actors[1].Resistances = [20]uint16{}
	for neutral, want := range map[bool]int32{false: 0, true: 100} {
		got, warnings, err := LoadProject(p.files(), ProjectOptions{NeutralZeroResistances: neutral})
		if err != nil {
			t.Fatal(err)
		}
		if r := got.World.Template(1).Resist[0]; r != want || countCode(warnings, "RESIST-ALL-ZERO") != 1 {
			t.Errorf("neutral %v: resistance %d, want %d, and a warning either way", neutral, r, want)
		}
	}
}

func TestRulesFileOverridesSettingsOfRealmCrafterProject(t *testing.T) {
	const rules = `
[rules.combat]
formula = 4
script = "weapon_damage"
[rules.respawn]
delay = 2.5
at = { area = "Moor", portal = "Start" }
[newcomers]
greeting = "Hello"
kit = [{ item = "Sword" }]
`
	p := smallProject()
	p.misc.CombatFormula = 4
	got, _, err := LoadProject(p.files(), ProjectOptions{Rules: []byte(rules), RulesName: "rules.toml"})
	if err != nil {
		t.Fatal(err)
	}
	w := got.World
	if w.Rules.Combat.Program == nil || w.Rules.RespawnDelayMS != 2500 || w.Rules.RespawnArea != w.AreaNamed("Moor") ||
		w.NewCharacters.Greeting != "Hello" || len(w.NewCharacters.Kit) != 1 || w.NewCharacters.Gold != 50 {
		t.Errorf("rules %+v, newcomers %+v", w.Rules, w.NewCharacters)
	}
	_, _, err = LoadProject(smallProject().files(), ProjectOptions{Rules: []byte("[[area]]\nname = \"X\"\n"), RulesName: "rules.toml"})
	if err == nil || !strings.Contains(err.Error(), `rules.toml:1: unknown key "area"`) {
		t.Errorf("an area in a rules file: %v", err)
	}
}

func TestRealmCrafterServerSettingsThatDifferFromClientFilesCauseWarnings(t *testing.T) {
	files := smallProject().files()
	var fixed, delay, other fileWriter
	fixed.u16(1, noMedia, noMedia, 2, 4)
	delay.u16(500, 3)
	other.u8(2, 1, 2)
	other.i32(25000)
	other.u8(1)
	files["Game Data/Fixed Attributes.dat"] = &fstest.MapFile{Data: fixed.b}
	files["Game Data/Combat.dat"] = &fstest.MapFile{Data: delay.b}
	files["Game Data/Other.dat"] = &fstest.MapFile{Data: other.b}
	files["Game Data/Hosts.dat"] = &fstest.MapFile{Data: []byte("localhost\r\nhttp://x/\r\n0\r\n")}
	files["Game Data/Misc.dat"] = &fstest.MapFile{Data: []byte("Our game\r\nNormal\r\n1\r\n")}
	p, warnings, err := LoadProject(files, ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := countCode(warnings, "CLIENT-DIFFERS"); n != 5 {
		t.Errorf("%d warnings, want those about health, delay, port, memorise and account creation: %v", n, warnings)
	}
	if p.World.Name != "Our game" {
		t.Errorf("the world's name is %q", p.World.Name)
	}
}

// decoders returns the decoders of all files that a server reads, each with a valid example file.
func decoders() map[string]struct {
	sample []byte
	parse  func(*cursor) error
} {
	type entry = struct {
		sample []byte
		parse  func(*cursor) error
	}
	files := smallProject().files()
	server := func(name string) []byte { return files[serverData+"/"+name].Data }
	ignore := func(_ any, err error) error { return err }
	var dropped fileWriter
	dropped.str("Meadow")
	dropped.u8(0)
	dropped.str("item")
	dropped.u16(1)
	dropped.f32(1, 2, 3)
	return map[string]entry{
		"actors":       {server("Actors.dat"), func(c *cursor) error { return ignore(parseActors(c)) }},
		"area":         {files[areaFolder+"/Meadow.dat"].Data, func(c *cursor) error { return ignore(parseArea(c, "Meadow")) }},
		"attributes":   {server("Attributes.dat"), func(c *cursor) error { return ignore(parseAttributes(c)) }},
		"client fixed": {make([]byte, 10), func(c *cursor) error { return ignore(parseClientFixed(c)) }},
		"combat":       {make([]byte, 4), func(c *cursor) error { return ignore(parseCombat(c)) }},
		"damage":       {server("Damage.dat"), func(c *cursor) error { return ignore(parseDamage(c)) }},
		"dropped":      {dropped.b, func(c *cursor) error { return ignore(parseDropped(c)) }},
		"environment":  {server("Environment.dat"), func(c *cursor) error { return ignore(parseEnvironment(c)) }},
		"factions":     {server("Factions.dat"), func(c *cursor) error { return ignore(parseFactions(c)) }},
		"fixed":        {server("Fixed Attributes.dat"), func(c *cursor) error { return ignore(parseFixed(c)) }},
		"items":        {server("Items.dat"), func(c *cursor) error { _, _, err := parseItems(c); return err }},
		"misc":         {server("Misc.dat"), func(c *cursor) error { return ignore(parseMisc(c)) }},
		"other":        {make([]byte, otherSize), func(c *cursor) error { return ignore(parseOther(c)) }},
		"projectiles":  {server("Projectiles.dat"), func(c *cursor) error { return ignore(parseProjectiles(c)) }},
		"spells":       {server("Spells.dat"), func(c *cursor) error { return ignore(parseSpells(c)) }},
	}
}

// A truncated file is refused, unless its format is a list of entries up to its end and the cut is between two entries.
func TestRealmCrafterFileTruncatedInsideEntryIsRefused(t *testing.T) {
	between := map[string]int{"actors": 1, "items": 3, "projectiles": 0, "spells": 0, "dropped": 0}
	for name, d := range decoders() {
		if name == "other" {
			continue // this kind of file may be short
		}
		if err := d.parse(newCursor(name, d.sample)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		step := max(1, len(d.sample)/150)
		accepted := 0
		for n := 1; n < len(d.sample); n += step {
			if d.parse(newCursor(name, d.sample[:n])) == nil {
				accepted++
			}
		}
		allowed := between[name]
		if name == "combat" {
			allowed = 1 // a prefix of three bytes is a valid file
		}
		if accepted > allowed {
			t.Errorf("%s: %d prefixes were accepted, at most %d end between records", name, accepted, allowed)
		}
	}
}

func FuzzProjectFile(f *testing.F) {
	all := decoders()
	for name, d := range all {
		if name != "area" { // skip area files, which have 79 KB and would slow down fuzzing; other files have the same kinds of fields
			f.Add(name, d.sample)
		}
	}
	f.Add("area", make([]byte, 64))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		if d, ok := all[name]; ok {
			_ = d.parse(newCursor(name, b)) // errors are expected; only a panic is a fault
		}
	})
}
