package session

import (
	"bytes"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// NewCharacter holds a player's choices for a new character.
type NewCharacter struct {
	Name       string                   // name of the character, 1 to 32 printable ASCII characters
	Template   uint16                   // id of the actor template
	Appearance sim.Appearance           // look of the character; values out of range are replaced by 0
	Points     [combat.Attributes]uint8 // attribute points that the player adds to the template's attributes
}

// MaxCharacterName is the maximum length of a character's name in bytes.
const MaxCharacterName = 32 // Source: protocol spec 3.2

// buildCharacter returns the record of a new character, built by the rules of the world. Errors: ErrName, ErrTemplate,
// ErrPoints.
func buildCharacter(w *sim.World, door string, n NewCharacter) (*sim.Character, error) {
	rules := &w.NewCharacters
	if !isValidName(n.Name, rules.NameFilter) {
		return nil, ErrName
	}
	t := w.Template(n.Template)
	if t == nil || !t.Playable {
		return nil, ErrTemplate
	}
	attr, ok := distributePoints(w, t, &n.Points)
	if !ok {
		return nil, ErrPoints
	}
	c := &sim.Character{
		Name: n.Name, Door: door, Appearance: clampAppearance(n.Appearance),
		Level: 1, Gold: rules.Gold, Reputation: rules.Reputation,
		Template: t.ID, Attr: attr, Resist: t.Resist, HomeFaction: t.Faction,
	}
	if int(t.Faction) < len(w.Factions) {
		c.Ratings = w.Factions[t.Faction].Ratings
	}
	for _, k := range rules.Kit {
		if int(k.Slot) < len(c.Inventory) {
			c.Inventory[k.Slot] = k.Stack
		}
	}
	if rules.Pet != sim.NoTemplate {
		c.Pets = []sim.Pet{{Template: rules.Pet}}
	}
	at := templateStart(w, t)
	c.Pos, c.Yaw = at.pos, at.yaw
	if at.area != sim.NoArea {
		c.Area = w.Areas[at.area].Name
	}
	if at.portal >= 0 {
		c.LastPortalArea, c.LastPortal = c.Area, int32(at.portal)
	}
	return c, nil
}

// IsCharacterName reports whether a new character of the world may have the given name, if no other character has it. If not,
// CreateCharacter returns ErrName.
func IsCharacterName(w *sim.World, name string) bool {
	return isValidName(name, w.NewCharacters.NameFilter)
}

// isValidName applies the rule for character names of the RealmCrafter protocol (spec 3.2): 1..32 printable ASCII
// characters that contain none of the filter's words. It rejects leading and trailing spaces, because clients do not
// show them and two names would look the same. It rejects < and >, because clients interpret them: as markup
// (RuneScape), or as the brackets around a speaker's name (RealmCrafter).
func isValidName(name string, filter []string) bool {
	if !isPrintable(name, 1, MaxCharacterName) || name[0] == ' ' || name[len(name)-1] == ' ' {
		return false
	}
	lower := make([]byte, len(name))
	for i := range len(name) {
		c := name[i]
		if c > 0x7e || c == '<' || c == '>' {
			return false
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	for _, word := range filter {
		if word != "" && bytes.Contains(lower, []byte(word)) {
			return false
		}
	}
	return true
}

// distributePoints adds the player's points to the template's attributes, up to each attribute's maximum. The result ok
// is false if there are more points than the world allows, or points for an attribute that clients do not offer: one
// that has no name, is hidden or is a skill.
func distributePoints(w *sim.World, t *sim.Template, points *[combat.Attributes]uint8) (attr [combat.Attributes]combat.Attribute, ok bool) {
	attr = t.Attr
	total := 0
	for i, n := range points {
		if n == 0 {
			continue
		}
		if name := &w.Attributes[i]; name.Name == "" || name.Hidden || name.Skill {
			return attr, false
		}
		total += int(n)
		a := &attr[i]
		a.Value = max(a.Value, min(a.Value+int32(n), a.Max))
	}
	return attr, total <= w.NewCharacters.AttributePoints
}

// clampAppearance returns the appearance l, with 0 in place of values that no client offers. Source: protocol spec 3.2.
func clampAppearance(l sim.Appearance) sim.Appearance {
	clamp := func(v *uint8, most uint8) {
		if *v > most {
			*v = 0
		}
	}
	clamp(&l.Gender, 1)
	for _, v := range []*uint8{&l.Face, &l.Hair, &l.Beard, &l.Body} {
		clamp(v, 4)
	}
	return l
}

// spawnPoint is the position at which a character enters the world.
type spawnPoint struct {
	area   sim.AreaID // sim.NoArea if the template has no start area
	portal int        // index of the portal to enter at; -1 to enter at pos
	pos    geom.Vec   // world units
	yaw    float32    // degrees
}

// templateStart returns where new characters of a template enter the world. That is the first of these places that exists: the
// template's portal, the area's first portal with a name, the area's first waypoint, the origin. The yaw is 0 (data spec 11).
func templateStart(w *sim.World, t *sim.Template) spawnPoint {
	at := spawnPoint{area: t.StartArea, portal: -1}
	if at.area < 0 || int(at.area) >= len(w.Areas) {
		at.area = sim.NoArea
		return at
	}
	def := &w.Areas[at.area]
	at.portal = t.StartPortal
	if at.portal < 0 || at.portal >= len(def.Portals) {
		at.portal = firstNamedPortal(def.Portals)
	}
	if at.portal >= 0 {
		at.pos = def.Portals[at.portal].Pos
		return at
	}
	for i := range def.Waypoints {
		if def.Waypoints[i].Used {
			at.pos = def.Waypoints[i].Pos
			break
		}
	}
	return at
}

func firstNamedPortal(portals []sim.Portal) int {
	for i := range portals {
		if portals[i].Name != "" {
			return i
		}
	}
	return -1
}

// entryPoint returns where a stored character enters: at its stored position, or at its template's start if the world
// no longer has the stored area.
func entryPoint(w *sim.World, t *sim.Template, c *sim.Character) spawnPoint {
	if id := w.AreaNamed(c.Area); id != sim.NoArea {
		return spawnPoint{area: id, portal: -1, pos: c.Pos, yaw: c.Yaw}
	}
	return templateStart(w, t)
}
