package content

import (
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

const (
	actorFile = serverData + "/Actors.dat"

	radiusScale = 0.05 // world units per mesh unit; the RealmCrafter server applies the same factor after loading
	maxSight    = 100_000
)

func (b *projectBuilder) importTemplates() {
	list := make([]sim.Template, 0, len(b.raw.actors))
	for i := range b.raw.actors {
		a := &b.raw.actors[i]
		if a.ID == sim.NoTemplate {
			b.files.warn("ID-RESERVED", actorFile, actorName(a), "the id 65535 means no actor: the actor is not imported")
			continue
		}
		list = append(list, b.importTemplate(a))
	}
	b.w.Templates = sortByID(b, actorFile, "actor", list, func(t *sim.Template) uint16 { return t.ID })
	if !slices.ContainsFunc(b.w.Templates, func(t sim.Template) bool { return t.Playable }) && len(b.files.problems) == 0 {
		b.files.fail(actorFile, "no actor is playable: tick Playable for one in the editor")
	}
}

func actorName(a *rcActor) string { return fmt.Sprintf("actor %d %s", a.ID, a.Race) }

func (b *projectBuilder) importTemplate(a *rcActor) sim.Template {
	where := actorName(a)
	t := sim.Template{
		ID: a.ID, Race: a.Race, Class: a.Class, Description: a.Description,
		Radius:       float32(max(a.Radius, 0) * radiusScale),
		Genders:      uint8(b.clampWarn(actorFile, where, "genders", int32(a.Genders), 0, 3)),
		Playable:     a.Playable,
		Rideable:     a.Rideable,
		Temper:       combat.Aggressiveness(b.clampWarn(actorFile, where, "aggressiveness", int32(a.Aggressiveness), 0, 3)),
		SightRange:   float32(b.clampWarn(actorFile, where, "aggressiveRange", a.AggressiveRange, 0, maxSight)),
		Environment:  sim.Environment(b.clampWarn(actorFile, where, "environment", int32(a.Environment), 0, 3)),
		Slots:        uint32(a.InventorySlots),
		Unarmed:      b.damageType(actorFile, where, uint16(a.DefaultDamageType)),
		Faction:      a.DefaultFaction,
		XPMultiplier: b.clampWarn(actorFile, where, "xpMultiplier", a.XpMultiplier, 0, 1_000_000),
	}
	b.appearance.RealmCrafter.Actors[t.ID] = actorMedia(a)
	if a.Radius < 0 {
		b.files.warn("VALUE-RANGE", actorFile, where, "the radius %v is negative: 0 is used", a.Radius)
	}
	b.importAttributes(a, &t, where)
	b.importResistances(a, &t, where)
	if a.XpMultiplier == 0 {
		b.files.warn("XP-MULTIPLIER", actorFile, where, "xpMultiplier is 0: a kill gives only 0 to 20 random experience points")
	}
	b.homeFaction(&t, where)
	b.templateStart(a, &t, where)
	return t
}

// actorMedia returns the media ids that clients need to draw an actor. They are ids in the clients' media database and
// are not checked.
func actorMedia(a *rcActor) *appearance.RealmCrafterActor {
	return &appearance.RealmCrafterActor{
		MaleAnimation: a.MaleAnimationSet, FemaleAnimation: a.FemaleAnimationSet, Scale: a.Scale, Meshes: a.Meshes,
		Beards: a.Beards, MaleHairs: a.MaleHairs, FemaleHairs: a.FemaleHairs,
		MaleFaces: a.MaleFaces, FemaleFaces: a.FemaleFaces, MaleBodies: a.MaleBodies, FemaleBodies: a.FemaleBodies,
		MaleSpeech: a.MaleSpeech, FemaleSpeech: a.FemaleSpeech, Blood: a.BloodTexture,
		TradeMode: a.TradeMode, PolyCollision: a.PolyCollision,
	}
}

// importAttributes imports the values and maxima of attributes. A value above its maximum is lowered to that maximum at
// once; the RealmCrafter server lowers it when the value first changes.
func (b *projectBuilder) importAttributes(a *rcActor, t *sim.Template, where string) {
	for i := range t.Attr {
		name := fmt.Sprintf("attribute %d %s", i, b.w.Attributes[i].Name)
		v, maximum := int32(a.AttributeValue[i]), int32(a.AttributeMaximum[i])
		if v > maximum {
			b.files.warn("ATTR-OVER-MAX", actorFile, where, "the value %[2]d of %[1]s is above its maximum %[3]d: actors start with %[4]d", name, v, maximum, maximum)
			v = maximum
		}
		maximum = b.clampWarn(actorFile, where, name+" maximum", maximum, 0, maxValue)
		t.Attr[i] = combat.Attribute{Value: min(v, maximum), Max: maximum}
	}
	if h := b.w.Roles.Health; h >= 0 && h < len(t.Attr) && t.Attr[h].Value == 0 {
		b.files.warn("HEALTH-ZERO", actorFile, where, "health is 0: actors of this template are dead when they appear")
	}
}

func (b *projectBuilder) importResistances(a *rcActor, t *sim.Template, where string) {
	allZero := a.Resistances == [combat.DamageTypes]uint16{}
	for i, r := range a.Resistances {
		t.Resist[i] = int32(r)
		if allZero && b.opts.NeutralZeroResistances {
			t.Resist[i] = 100
		}
	}
	switch {
	case allZero && b.opts.NeutralZeroResistances:
		b.files.warn("RESIST-ALL-ZERO", actorFile, where, "all 20 resistances are 0: 100 (neutral) is used instead, as configured")
	case allZero:
		b.files.warn("RESIST-ALL-ZERO", actorFile, where, "all 20 resistances are 0, but 100 is neutral: every hit does 100 more damage")
	}
}

func (b *projectBuilder) homeFaction(t *sim.Template, where string) {
	if t.Faction >= combat.Factions {
		b.files.warn("FACTION", actorFile, where, "faction %d is outside 0..99: faction 0 is used", t.Faction)
		t.Faction = 0
	}
	if b.w.Factions[t.Faction].Name == "" {
		b.files.warn("FACTION-UNNAMED", actorFile, where, "faction %d has no name: its ratings are used, and ratings of 0 are hostile to every faction", t.Faction)
	}
}

// templateStart finds the start of new characters of a template: the template's portal, else the first named portal of
// the area, else the first waypoint. Templates that players cannot choose have no start.
func (b *projectBuilder) templateStart(a *rcActor, t *sim.Template, where string) {
	t.StartArea, t.StartPortal = sim.NoArea, -1
	area := b.w.AreaNamed(a.StartArea)
	if area == sim.NoArea {
		switch {
		case a.Playable:
			b.files.fail(actorFile, "%s: startArea %q does not exist: choose one in the editor", where, a.StartArea)
		case a.StartArea != "":
			b.files.warn("START-AREA", actorFile, where, "startArea '%s' does not exist; players cannot choose this actor", a.StartArea)
		}
		return
	}
	def := &b.w.Areas[area]
	portal := portalNamed(def, a.StartPortal)
	if portal < 0 {
		b.files.warn("START-PORTAL", actorFile, where, "startPortal '%s' is not a named portal of %s (playable=%d)%s",
			a.StartPortal, def.Name, oneIf(a.Playable), b.warnStartPortal(a, def))
	}
	if !a.Playable {
		return
	}
	if portal < 0 {
		portal = b.anyStart(def)
	}
	t.StartArea, t.StartPortal = area, portal
}

// warnStartPortal returns the end of a warning about a template whose start portal is missing: it says where new
// characters of the template start instead. It returns "" for a template that players cannot choose.
func (b *projectBuilder) warnStartPortal(a *rcActor, def *sim.AreaDef) string {
	switch {
	case !a.Playable:
		return ""
	case len(def.Portals) > 0 && def.Portals[0].Name != "":
		return ": they start at portal " + def.Portals[0].Name
	}
	return ": the area has no portal, they start at its first waypoint"
}

// anyStart returns the index of a portal at which characters can start: the first named portal of the area, or else a new
// portal without name. The new portal is at the first used waypoint or, without one, at the origin.
func (b *projectBuilder) anyStart(def *sim.AreaDef) int {
	for i := range def.Portals {
		if def.Portals[i].Name != "" {
			return i
		}
	}
	p := sim.Portal{Radius: defaultPortalRadius, ToArea: sim.NoArea}
	for _, w := range def.Waypoints {
		if w.Used {
			p.Pos = w.Pos
			break
		}
	}
	def.Portals = append(def.Portals, p)
	return len(def.Portals) - 1
}

// portalNamed returns the index of the first portal with the given name. It returns -1 if there is none, or if the name is empty.
func portalNamed(def *sim.AreaDef, name string) int {
	if name == "" {
		return -1
	}
	return def.PortalNamed(name)
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
