package content

import (
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
)

// dressed returns the source of the tiny world with Bedrock models for the wolf, the sword and the arrow.
func dressed(wolf, sword, arrow string) []byte {
	return []byte(strings.NewReplacer(
		"race = \"Wolf\"\n", "race = \"Wolf\"\n"+wolf+"\n",
		"name = \"Sword\"\n", "name = \"Sword\"\n"+sword+"\n",
		"name = \"Arrow\"\n", "name = \"Arrow\"\n"+arrow+"\n",
	).Replace(tinyTOML))
}

func TestBedrockModelsInWorldFileAreLoaded(t *testing.T) {
	w, _, err := LoadWorld("tiny.toml", dressed(
		`bedrock = { entity = "minecraft:wolf", scale = 1.5, width = 0.6, height = 0.85 }`,
		`bedrock = { item = "minecraft:iron_sword" }`, `bedrock = { entity = "my_pack:spark.blue" }`))
	if err != nil {
		t.Fatal(err)
	}
	if g := w.Appearance.Bedrock.Actors[5]; g != (appearance.BedrockActor{Entity: "minecraft:wolf", Scale: 1.5, Width: 0.6, Height: 0.85}) {
		t.Errorf("the wolf is %+v", g)
	}
	if w.Appearance.Bedrock.Actors[0] != (appearance.BedrockActor{}) || w.Appearance.Bedrock.Items[4] != "" {
		t.Errorf("unset models must stay empty: %+v, %q", w.Appearance.Bedrock.Actors[0], w.Appearance.Bedrock.Items[4])
	}
	if w.Appearance.Bedrock.Items[3] != "minecraft:iron_sword" || w.Appearance.Bedrock.Projectiles[w.Item(4).Weapon.Projectile.ID] != "my_pack:spark.blue" {
		t.Errorf("sword %q, arrow %q", w.Appearance.Bedrock.Items[3], w.Appearance.Bedrock.Projectiles[w.Item(4).Weapon.Projectile.ID])
	}
	w, _, err = LoadWorld("tiny.toml", dressed(`bedrock = { skin = { shirt = "#000000", hair = "#0aFF10" } }`, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	if g := w.Appearance.Bedrock.Actors[5]; g != (appearance.BedrockActor{Shirt: appearance.RGB(0, 0, 0), Hair: appearance.RGB(10, 255, 16)}) || g.Shirt == appearance.NoColour {
		t.Errorf("the wolf is %+v", g)
	}
}

// Every invalid or contradictory setting causes one error line with a correction.
func TestInvalidBedrockModelsAreRefused(t *testing.T) {
	for wolf, want := range map[string]string{
		`bedrock = { entity = "wolf" }`:                              `entity "wolf" has no namespace: write "minecraft:wolf"`,
		`bedrock = { entity = "Minecraft:Wolf" }`:                    `entity "Minecraft:Wolf" is not an identifier: write one such as "minecraft:wolf"`,
		`bedrock = { entity = "minecraft:" }`:                        `entity "minecraft:" is not an identifier`,
		`bedrock = { entity = "a:b:c" }`:                             `entity "a:b:c" is not an identifier`,
		`bedrock = { entity = "" }`:                                  `entity "" is not an identifier`,
		`bedrock = { entity = 7 }`:                                   `entity is a whole number: write a string`,
		`bedrock = { entity = "minecraft:player" }`:                  `templates without an entity look like players`,
		`bedrock = { entity = "minecraft:wolf", skin = {} }`:         `bedrock has an entity and a skin: only players have a skin, keep one of the two`,
		`bedrock = { skin = { shirt = "red" } }`:                     `shirt "red" is not a colour: write it as "#a03030"`,
		`bedrock = { skin = { shirt = "#12345" } }`:                  `shirt "#12345" is not a colour`,
		`bedrock = { skin = { shirt = "#+12345" } }`:                 `is not a colour`,
		`bedrock = { skin = { hat = "#123456" } }`:                   `unknown key "hat"`,
		`bedrock = { skin = "#123456" }`:                             `skin is a string: write a table`,
		`bedrock = { scale = 0 }`:                                    `scale = 0 is out of range`,
		`bedrock = { width = 33 }`:                                   `width = 33 is out of range`,
		`bedrock = { enity = "minecraft:wolf" }`:                     `unknown key "enity": did you mean "entity"?`,
		`bedrock = "minecraft:wolf"`:                                 `bedrock is a string: write a table`,
		`bedrock = { entity = "x:` + strings.Repeat("y", 63) + `" }`: `at most 64 in all`,
	} {
		_, _, err := LoadWorld("tiny.toml", dressed(wolf, "", ""))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `template "Wolf": `) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%s: %v, want one line with %q", wolf, err, want)
		}
	}
	for sword, want := range map[string]string{
		`bedrock = { item = "iron_sword" }`: `item "iron_sword" has no namespace: write "minecraft:iron_sword"`,
		`bedrock = {}`:                      `item is missing: add item = "minecraft:iron_sword"`,
	} {
		if _, _, err := LoadWorld("tiny.toml", dressed("", sword, "")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", sword, err, want)
		}
	}
	if _, _, err := LoadWorld("tiny.toml", dressed("", "", "bedrock = {}")); err == nil || !strings.Contains(err.Error(), `projectile "Arrow": entity is missing`) {
		t.Errorf("%v", err)
	}
}

// A project has no models for other doors; its rules file may add them.
func TestAppearancesInRulesFileOfRealmCrafterProjectAreLoaded(t *testing.T) {
	p := smallProject()
	race, item := p.actors[1].Race, p.items[1].Name
	load := func(rules string) (*World, error) {
		got, _, err := LoadProject(p.files(), ProjectOptions{Rules: []byte(rules), RulesName: "rules.toml"})
		if err != nil {
			return nil, err
		}
		return got.World, nil
	}
	look := "[[look]]\ntemplate = \"" + race + "\"\nbedrock = { entity = \"minecraft:wolf\" }\nfigure = { npc = 7, stance = 8 }\n"
	w, err := load(look + "[[look]]\nitem = \"" + item + "\"\nbedrock = { item = \"minecraft:bow\" }\nfigure = { worn = 4 }\n")
	if err != nil {
		t.Fatal(err)
	}
	id := p.actors[1].ID
	if b, r := w.Appearance.Bedrock.Actors[id], w.Appearance.RuneScape.Actor(id); b.Entity != "minecraft:wolf" || r.NPC != 7 || r.Stance != 8 {
		t.Errorf("template %+v, %+v", b, r)
	}
	id = p.items[1].ID
	if b, r := w.Appearance.Bedrock.Items[id], w.Appearance.RuneScape.Item(id); b != "minecraft:bow" || r.Worn != 4 {
		t.Errorf("item %q, %+v", b, r)
	}
	for rules, want := range map[string]string{
		"[[look]]\ntemplate = \"Nobody\"\n": `there is no template "Nobody"`,
		"[[look]]\nitem = \"Nothing\"\n":    `there is no item "Nothing"`,
		"[[look]]\n":                        `template is missing`,
		"[[look]]\ntemplate = \"" + race + "\"\nitem = \"" + item + "\"\n": `names a template or an item: keep one of the two`,
		look + look: `this template or item has a [[look]] already: keep one of the two`,
		"[[look]]\ntemplate = \"" + race + "\"\nbedrock = { entity = \"x\" }\n": `look of "` + race + `": entity "x" has no namespace`,
		"[[look]]\ntemplate = \"" + race + "\"\ncolour = 1\n":                   `unknown key "colour"`,
	} {
		if _, err := load(rules); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", rules, err, want)
		}
	}
}

// Clients of every door can tell the templates of the embedded world apart: no animal looks human, and every weapon
// is visible.
func TestDefaultWorldHasBedrockModelsForNPCsWeaponsAndArmour(t *testing.T) {
	w := DefaultWorld()
	for i := range w.Templates {
		if tpl := &w.Templates[i]; !tpl.Playable && w.Appearance.Bedrock.Actors[tpl.ID] == (appearance.BedrockActor{}) {
			t.Errorf("the %s has no entity model", tpl.Race)
		}
	}
	for i := range w.Items {
		if it := &w.Items[i]; (it.Kind == sim.ItemWeapon || it.Kind == sim.ItemArmour) && w.Appearance.Bedrock.Items[it.ID] == "" {
			t.Errorf("the %s has no item type", it.Name)
		}
	}
	for i := range w.Projectiles {
		if p := &w.Projectiles[i]; w.Appearance.Bedrock.Projectiles[p.ID] == "" {
			t.Errorf("the %s has no entity type", p.Name)
		}
	}
}
