package content

import (
	"math"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim/terrain"
)

// grounded is the world file tinyTOML with these keys added: the tile grid and a solid of the first area, and the RuneScape
// cache models and animations ("figure") of an NPC and an item.
var grounded = strings.NewReplacer(
	"weather = { rain = 10 }", "weather = { rain = 10 }\ntiles = { size = 4, base = [3000, 3100], plane = 1 }\n[[area.solid]]\nname = \"Block\"\nfrom = [8, 0, 4]\nto = [4, 13, 0]",
	`temper = "hostile"`, "temper = \"hostile\"\nfigure = { npc = 95, stance = 7, death = 6 }",
	`name = "Bow"`, "name = \"Bow\"\nfigure = { attack = 426, effect = 19 }",
).Replace(tinyTOML)

func TestTilesAndRuneScapeModelsInWorldFileAreLoaded(t *testing.T) {
	w, _, err := LoadWorld("tiny.toml", []byte(grounded))
	if err != nil {
		t.Fatal(err)
	}
	field, cave := &w.Areas[0], &w.Areas[1]
	checks := map[string]bool{
		"tiles":             field.Tiles == terrain.TileGrid{UnitsPerTile: 4, BaseX: 3000, BaseZ: 3100, Plane: 1},
		"tiles by default":  cave.Tiles == terrain.TileGrid{UnitsPerTile: 7, BaseX: 3200, BaseZ: 3200} && cave.Ground == nil,
		"a solid":           field.Ground.Blocked(3001, 3100) && !field.Ground.Blocked(3002, 3100) && !field.Ground.Blocked(3001, 3101),
		"figure of an npc":  w.Appearance.RuneScape.Actor(5) == appearance.RuneScapeActor{NPC: 95, Stance: 7, Attack: appearance.None, Hurt: appearance.None, Death: 6, Glide: appearance.None},
		"figure by default": w.Appearance.RuneScape.Actor(0) == appearance.DefaultRuneScapeActor,
		"figure of an item": w.Appearance.RuneScape.Items[4] == appearance.RuneScapeItem{Worn: appearance.None, Attack: 426, Effect: 19} && w.Appearance.RuneScape.Item(3).Worn == appearance.None,
	}
	for what, ok := range checks {
		if !ok {
			t.Errorf("%s: not as written", what)
		}
	}
}

func TestDefaultWorldHasWallsUnblockedPortalsAndRuneScapeStances(t *testing.T) {
	w := DefaultWorld()
	vale := &w.Areas[w.AreaNamed("Truestep Vale")]
	fountain, door, wall := terrain.Tile{X: 3225, Z: 3215}, terrain.Tile{X: 3218, Z: 3210}, terrain.Tile{X: 3218, Z: 3209}
	switch {
	case !vale.Ground.Blocked(fountain.X, fountain.Z):
		t.Error("the fountain is not blocked")
	case !vale.Ground.CanStep(door.X, door.Z, 1, 0) || vale.Ground.CanStep(wall.X, wall.Z, 1, 0):
		t.Error("the miller's house has no door, or no wall beside it")
	}
	for i := range w.Areas {
		for _, p := range w.Areas[i].Portals {
			if at, ok := w.Areas[i].Tiles.ToTile(p.Pos); !ok || w.Areas[i].Ground.Blocked(at.X, at.Z) {
				t.Errorf("%s: portal %s is inside a solid", w.Areas[i].Name, p.Name)
			}
		}
	}
	for i := range w.Templates {
		if f := w.Appearance.RuneScape.Actor(w.Templates[i].ID); f.NPC != appearance.None && f.Stance == 0 || f.Stance == math.MaxUint16 {
			t.Errorf("%s has no stance", w.Templates[i].Race)
		}
	}
}

func TestInvalidTilesAndRuneScapeModelsAreRefused(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"size = 4", "size = 0", `tiny.toml:73: area "Field": size = 0 is out of range: use 0.01 to 1000`},
		{"base = [3000, 3100]", "base = [3000, 16384]", `tiny.toml:73: area "Field": base contains 16384: use whole numbers from 0 to 16383`},
		{"plane = 1", "plane = 4", `tiny.toml:73: area "Field": plane = 4 is out of range: use 0 to 3`},
		{"plane = 1", "plain = 1", `tiny.toml:73: area "Field": unknown key "plain": did you mean "plane"?`},
		{"to = [4, 13, 0]", "", `tiny.toml:74: area "Field": solid "Block": to is missing: add to = [x, y, z]`},
		{"npc = 95, stance = 7", "npc = 95", `tiny.toml:64: template "Wolf": stance is missing: add stance = the base animation set of that npc kind, such as 808`},
		{"npc = 95", "npc = 65535", `tiny.toml:64: template "Wolf": npc = 65535 is out of range: use 0 to 65534`},
		{"effect = 19", "efect = 19", `tiny.toml:39: item "Bow": unknown key "efect": did you mean "effect"?`},
		{"size = 4, ", "size = 0.01, ", `tiny.toml:74: area "Field": tiles: `},
	} {
		src := strings.Replace(grounded, tt.old, tt.new, 1)
		if tt.new == "size = 0.01, " {
			src = strings.Replace(src, "from = [8, 0, 4]", "from = [90, 0, 90]", 1)
		}
		_, _, err := LoadWorld("tiny.toml", []byte(src))
		if err == nil || !strings.Contains("\n"+err.Error(), "\n"+tt.want) {
			t.Errorf("with %q:\n got %v\nwant %s", tt.new, err, tt.want)
		}
	}
}
