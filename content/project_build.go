package content

import (
	"fmt"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// defaultPort is the UDP port of a project whose port setting is 0.
const defaultPort = 25000

// projectBuilder builds a world from the files of a project. It collects problems and warnings in projectBuilder.files.
type projectBuilder struct {
	files      *projectFiles
	raw        *rcProject
	opts       ProjectOptions
	w          *sim.World
	appearance appearance.Tables
	scripts    scriptList
	slots      []map[int]int // per area of w.Areas: from the slot of a portal in the area's file to its index in Portals
}

func newProjectBuilder(files *projectFiles, raw *rcProject, opts ProjectOptions) *projectBuilder {
	w := &sim.World{Name: "RealmCrafter project", TicksPerSecond: 20, Rules: defaultRules(), NewCharacters: defaultNewcomers(), Calendar: defaultCalendar()}
	if raw.gameName != "" {
		w.Name = raw.gameName
	}
	return &projectBuilder{files: files, raw: raw, opts: opts, w: w, appearance: appearance.New()}
}

// build fills the world. The order of the steps matters, because each needs the tables of the previous ones.
func (b *projectBuilder) build() {
	b.importSettings()
	b.importAttributeRoles()
	b.importNames()
	b.importFactions()
	b.importProjectiles()
	b.importItems()
	b.importAreas()
	b.importTemplates()
	b.importSpawns()
	b.warnUnreachable()
	b.setRespawn()
	b.listSpellScripts()
	b.compareClientSettings()
	b.warnOwnerships()
	b.applyRules()
	b.importCalendar()
	b.files.warnings = append(b.files.warnings, b.scripts.warnings...)
}

// port returns the UDP port to which the project's clients connect.
func (b *projectBuilder) port() int {
	if b.raw.misc.ServerPort == 0 {
		return defaultPort
	}
	return int(b.raw.misc.ServerPort)
}

const miscFile = serverData + "/Misc.dat"

// importSettings imports the settings in Misc.dat.
func (b *projectBuilder) importSettings() {
	m := &b.raw.misc
	if m.ServerPort < 0 || m.ServerPort > 65535 {
		b.files.fail(miscFile, "offset 17: serverPort %d is outside 0..65535: set the port in the editor", m.ServerPort)
	}
	if m.CombatFormula < 1 || m.CombatFormula > 4 {
		b.files.fail(miscFile, "offset 11: combatFormula %d is outside 1..4: choose a damage formula in the editor", m.CombatFormula)
	}
	r := &b.w.Rules.Combat
	r.Formula = combat.Formula(m.CombatFormula)
	r.DelayMS = int32(m.CombatDelay)
	r.WeaponWear, r.ArmourWear = m.WeaponDamage, m.ArmourDamage
	r.RatingLoss = int32(min(m.CombatRatingAdjust, 200))
	n := &b.w.NewCharacters
	n.AllowAccounts = m.AllowAccountCreation
	n.MaxCharacters = int(m.MaxAccountChars)
	if n.MaxCharacters < 1 || n.MaxCharacters > 10 {
		n.MaxCharacters = min(max(n.MaxCharacters, 1), 10)
		b.files.warn("VALUE-RANGE", miscFile, "file", "maxAccountChars %d is outside 1..10: %d is used", m.MaxAccountChars, n.MaxCharacters)
	}
	n.Gold = b.notNegative("startGold", m.StartGold)
	n.Reputation = b.notNegative("startReputation", m.StartReputation)
	n.NameFilter = b.raw.filter
}

func (b *projectBuilder) notNegative(name string, v int32) int32 {
	if v < 0 {
		b.files.warn("VALUE-RANGE", miscFile, "file", "%s %d is negative: 0 is used", name, v)
	}
	return max(v, 0)
}

const fixedFile = serverData + "/Fixed Attributes.dat"

// importAttributeRoles imports which attribute has which role. Without health, strength and speed, combat and movement
// are impossible.
func (b *projectBuilder) importAttributeRoles() {
	f := &b.raw.fixed
	for _, r := range []struct {
		name     string
		stored   uint16
		into     *int
		required bool
	}{
		{"health", f.Health, &b.w.Roles.Health, true},
		{"energy", f.Energy, &b.w.Roles.Energy, false},
		{"breath", f.Breath, &b.w.Roles.Breath, false},
		{"toughness", f.Toughness, &b.w.Roles.Toughness, false},
		{"strength", f.Strength, &b.w.Roles.Strength, true},
		{"speed", f.Speed, &b.w.Roles.Speed, true},
	} {
		*r.into = int(r.stored)
		switch {
		case r.stored < combat.Attributes:
			if b.raw.attributes.Attributes[r.stored].Name == "" {
				b.files.warn("FIXED-UNNAMED", fixedFile, r.name, "attribute %d, which has this role, has no name: it is used nevertheless", r.stored)
			}
		case r.required && r.stored == noMedia:
			b.files.fail(fixedFile, "no attribute has the role %s: choose one in the editor", r.name)
		case r.required:
			b.files.fail(fixedFile, "attribute %[2]d for the role %[1]s is outside 0..39: choose one in the editor", r.name, r.stored)
		default:
			*r.into = -1
			if r.stored != noMedia {
				b.files.warn("VALUE-RANGE", fixedFile, r.name, "attribute %d is outside 0..39: no attribute has this role", r.stored)
			}
		}
	}
}

// importNames imports the names of attributes and damage types.
func (b *projectBuilder) importNames() {
	for i, a := range b.raw.attributes.Attributes {
		b.w.Attributes[i] = sim.AttributeName{Name: a.Name, Skill: a.IsSkill, Hidden: a.Hidden}
	}
	b.w.NewCharacters.AttributePoints = int(b.raw.attributes.AssignmentPoints)
	b.w.DamageNames = b.raw.damage
}

func (b *projectBuilder) importFactions() {
	const maxRating = 200
	for i := range b.w.Factions {
		f := &b.w.Factions[i]
		f.Name, f.Ratings = b.raw.factions.Names[i], b.raw.factions.Ratings[i]
		over := 0
		for j, r := range f.Ratings {
			if r > maxRating {
				f.Ratings[j] = maxRating
				over++
			}
		}
		if over > 0 {
			b.files.warn("RATING-RANGE", serverData+"/Factions.dat", fmt.Sprintf("faction %d %s", i, f.Name),
				"%d ratings of the faction are above %d: %d is used for them", over, maxRating, maxRating)
		}
	}
}

// damageType returns the damage type of a number that is stored in a file. Numbers 0..19 are valid. A larger number becomes 0, as
// in the RealmCrafter server, and causes a warning.
func (b *projectBuilder) damageType(file, where string, stored uint16) uint8 {
	if stored >= combat.DamageTypes {
		b.files.warn("DAMAGE-TYPE", file, where, "damage type %d is outside 0..19: damage type 0 is used", stored)
		return 0
	}
	return uint8(stored)
}

// setRespawn sets the respawn position to the start of the first template that players can choose. In the RealmCrafter
// server, scripts decide it.
func (b *projectBuilder) setRespawn() {
	for i := range b.w.Templates {
		t := &b.w.Templates[i]
		if t.Playable && t.StartArea != sim.NoArea {
			b.w.Rules.RespawnArea, b.w.Rules.RespawnPortal = t.StartArea, t.StartPortal
			return
		}
	}
}

// applyRules applies the operator's rules file to the world.
func (b *projectBuilder) applyRules() {
	if len(b.files.problems) > 0 {
		return
	}
	if b.opts.Rules != nil {
		root, ok := parseTOML(b.opts.RulesName, b.opts.Rules)
		if ok {
			over := &builder{w: b.w, appearance: b.appearance, templateNames: namesOf(b.w.Templates, templateName)}
			over.readRules(root.subtable("rules"))
			over.readNewcomers(root.subtable("newcomers"))
			over.readAppearances(root.tables("look"))
			over.readGame(root)
			root.reportUnknownKeys()
		}
		b.files.problems = append(b.files.problems, root.src.problems.sorted()...)
		b.files.warnings = append(b.files.warnings, root.src.warnings...)
	}
	if c := &b.w.Rules.Combat; c.Formula == combat.Script && c.Program == nil && len(b.files.problems) == 0 {
		b.files.fail(miscFile, "combatFormula 4 runs the project's Attack script, which this server does not support: configure a rules file with [rules.combat], formula and, for formula 4, script")
	}
}
