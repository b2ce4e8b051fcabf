package session

import (
	"errors"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestNewCharacterGetsValuesFromTemplateAndWorldRules(t *testing.T) {
	w := twoFields()
	w.NewCharacters.Kit = []sim.KitItem{{Slot: sim.SlotBackpack, Stack: sim.ItemStack{Item: 9, Amount: 3, Health: 100}}}
	w.NewCharacters.Pet = wolf
	n := NewCharacter{Name: "Rustaroo", Template: human, Appearance: sim.Appearance{Gender: 1, Face: 4, Hair: 5, Beard: 2, Body: 255}}
	n.Points[2] = 4
	c, err := buildCharacter(w, "rcce", n)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := w.Template(human)
	if c.Name != "Rustaroo" || c.Door != "rcce" || c.Level != 1 || c.Gold != 50 || c.Reputation != 7 || c.Template != human {
		t.Errorf("newcomer is %+v", c)
	}
	if c.Appearance != (sim.Appearance{Gender: 1, Face: 4, Beard: 2}) {
		t.Errorf("appearance is %+v", c.Appearance)
	}
	if c.Attr[2] != (combat.Attribute{Value: 8, Max: 8}) || c.Attr[0] != tmpl.Attr[0] {
		t.Errorf("4 points on 5 of 8 give %+v", c.Attr[2])
	}
	if c.HomeFaction != 1 || c.Ratings != w.Factions[1].Ratings || c.Resist != tmpl.Resist {
		t.Error("faction, ratings or resistances are not the template's")
	}
	if c.Area != "West" || c.Pos != (geom.Vec{X: 50, Y: 1, Z: 2}) || c.Yaw != 0 || c.LastPortalArea != "West" || c.LastPortal != 0 {
		t.Errorf("starts in %q at %v, last portal %q %d", c.Area, c.Pos, c.LastPortalArea, c.LastPortal)
	}
	if got := c.Inventory[sim.SlotBackpack]; got.Item != 9 || got.Amount != 3 {
		t.Errorf("kit is %+v", got)
	}
	if len(c.Pets) != 1 || c.Pets[0].Template != wolf {
		t.Errorf("pets are %+v", c.Pets)
	}
}

func TestInvalidCharacterNamesAreRefused(t *testing.T) {
	for name, ok := range map[string]bool{
		"Ada": true, "x": true, strings.Repeat("x", 32): true, "Old Tom": true, "~!#": true,
		"": false, strings.Repeat("x", 33): false, " Ada": false, "Ada ": false, " ": false,
		"A\nb": false, "A\x7f": false, "J\u00f6rg": false, "J\xf6rg": false, "theADMIN1": false, "<img=1>Ada": false, "A> hi <B": false, "A\u00a6": false,
	} {
		if got := isValidName(name, twoFields().NewCharacters.NameFilter); got != ok {
			t.Errorf("name %q: %v, want %v", name, got, ok)
		}
	}
	if !isValidName("Ada", []string{""}) {
		t.Error("an empty filter word refuses every name")
	}
}

func TestNewCharacterWithTooManyOrMisplacedAttributePointsIsRefused(t *testing.T) {
	for _, test := range []struct {
		what   string
		points map[int]uint8
		want   error
	}{
		{"none", nil, nil},
		{"all", map[int]uint8{2: 4}, nil},
		{"too many", map[int]uint8{2: 5}, ErrPoints},
		{"far too many", map[int]uint8{2: 255}, ErrPoints},
		{"a skill", map[int]uint8{3: 1}, ErrPoints},
		{"a hidden attribute", map[int]uint8{4: 1}, ErrPoints},
		{"an attribute without a name", map[int]uint8{0: 1}, ErrPoints},
	} {
		n := NewCharacter{Name: "Ada", Template: human}
		for i, p := range test.points {
			n.Points[i] = p
		}
		if _, err := buildCharacter(twoFields(), "rcce", n); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.what, err, test.want)
		}
	}
}

func TestPointsOfNewCharacterDoNotLowerAttributeAboveItsMaximum(t *testing.T) {
	w := twoFields()
	w.Template(human).Attr[2] = combat.Attribute{Value: 9, Max: 8}
	n := NewCharacter{Name: "Ada", Template: human}
	n.Points[2] = 1
	if c, err := buildCharacter(w, "rcce", n); err != nil || c.Attr[2].Value != 9 {
		t.Errorf("value is %+v, %v", c.Attr[2], err)
	}
}

func TestNewCharacterOfUnplayableTemplateIsRefused(t *testing.T) {
	for _, id := range []uint16{wolf, 77, 65535} {
		if _, err := buildCharacter(twoFields(), "rcce", NewCharacter{Name: "Ada", Template: id}); !errors.Is(err, ErrTemplate) {
			t.Errorf("template %d: %v", id, err)
		}
	}
}

func TestNewCharactersStartAtPortalOrWaypoint(t *testing.T) {
	at := func(change func(w *sim.World, tmpl *sim.Template)) spawnPoint {
		w := twoFields()
		change(w, w.Template(human))
		return templateStart(w, w.Template(human))
	}
	for _, test := range []struct {
		what   string
		change func(w *sim.World, tmpl *sim.Template)
		want   spawnPoint
	}{
		{"its portal", func(_ *sim.World, tmpl *sim.Template) { tmpl.StartArea, tmpl.StartPortal = 1, 0 },
			spawnPoint{area: 1, portal: 0, pos: geom.Vec{X: 10, Z: 20}}},
		{"no portal: the first with a name", func(w *sim.World, tmpl *sim.Template) {
			tmpl.StartPortal = -1
			w.Areas[0].Portals[0].Name = ""
		}, spawnPoint{area: 0, portal: 1, pos: geom.Vec{X: 100}}},
		{"a portal that is not there", func(_ *sim.World, tmpl *sim.Template) { tmpl.StartPortal = 9 },
			spawnPoint{area: 0, portal: 0, pos: geom.Vec{X: 50, Y: 1, Z: 2}}},
		{"no portals: the first waypoint in use", func(w *sim.World, _ *sim.Template) {
			w.Areas[0].Portals = nil
			w.Areas[0].Waypoints = []sim.Waypoint{{Pos: geom.Vec{X: 1}}, {Pos: geom.Vec{X: 7}, Used: true}}
		}, spawnPoint{area: 0, portal: -1, pos: geom.Vec{X: 7}}},
		{"nothing: the origin", func(w *sim.World, _ *sim.Template) { w.Areas[0].Portals = nil },
			spawnPoint{area: 0, portal: -1}},
		{"no area: nowhere", func(_ *sim.World, tmpl *sim.Template) { tmpl.StartArea = sim.NoArea },
			spawnPoint{area: sim.NoArea, portal: -1}},
	} {
		if got := at(test.change); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.what, got, test.want)
		}
	}
}

func TestCharacterSavedInRemovedAreaEntersAtStartOfItsTemplate(t *testing.T) {
	w := twoFields()
	c := &sim.Character{Area: "EAST", Pos: geom.Vec{X: 3}, Yaw: 90}
	if got := entryPoint(w, w.Template(human), c); got != (spawnPoint{area: 1, portal: -1, pos: c.Pos, yaw: 90}) {
		t.Errorf("a known area: %+v", got)
	}
	c.Area = "Atlantis"
	if got := entryPoint(w, w.Template(human), c); got != templateStart(w, w.Template(human)) {
		t.Errorf("an unknown area: %+v", got)
	}
}
