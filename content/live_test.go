package content

import (
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func TestReloadAppliesChangesOfRulesItemsAndSpawns(t *testing.T) {
	before := changed(t)
	after := changed(t, "formula = 1", "formula = 2", "leash = 150", "leash = 90", "delay = 5", "delay = 3", "gold = 50", "gold = 70", "damage = 9", "damage = 10")
	a := &after.Areas[0]
	a.Spawns = slices.Clone(a.Spawns[1:])
	a.Spawns[0].Max++
	a.Waypoints = append(slices.Clone(a.Waypoints), sim.Waypoint{Used: true, NextA: -1, NextB: -1, Prev: -1})
	a.Portals = slices.Clone(a.Portals)
	a.Portals[0].Radius++
	a.Zones = nil
	a.WeatherChance[0]++
	raiseWaterDamage(after)
	next, needsRestart := Reload(before, after)
	if len(needsRestart) > 0 {
		t.Fatalf("needs a restart: %q", needsRestart)
	}
	if next.Digest() != after.Digest() || next.Rules.LeashUnits != 90 || next.NewCharacters.Gold != 70 || len(next.Areas[0].Spawns) != len(before.Areas[0].Spawns)-1 {
		t.Errorf("the next world has a leash of %v", next.Rules.LeashUnits)
	}
	for i := range next.Areas {
		old, now := &before.Areas[i], &next.Areas[i]
		if now.Ground != old.Ground || now.Blocks != old.Blocks || now.Walls != old.Walls || now.Floor != old.Floor {
			t.Errorf("area %s has terrain of its own", now.Name)
		}
	}
	if len(Compare(after, next)) > 0 {
		t.Errorf("the next world differs from the file: %q", Compare(after, next))
	}
}

// raiseWaterDamage raises the damage of all waters of a world.
func raiseWaterDamage(w *World) {
	for i := range w.Areas {
		list := slices.Clone(w.Areas[i].Waters)
		for j := range list {
			list[j].Damage++
		}
		w.Areas[i].Waters = list
	}
}

func TestReloadReportsEachChangeThatNeedsRestart(t *testing.T) {
	before := changed(t)
	for want, change := range map[string]func(*World){
		"the name of the world: " + whyTape:           func(w *World) { w.Name = "Elsewhere" },
		"ticks per second: " + whyTicks:               func(w *World) { w.TicksPerSecond = 10 },
		"attributes: " + whyFigures:                   func(w *World) { w.Attributes[7].Name = "Wit" },
		"roles of attributes: " + whyFigures:          func(w *World) { w.Roles.Strength++ },
		"names of damage types: " + whyLogin:          func(w *World) { w.DamageNames[0] = "Pricking" },
		"the name of faction 1: " + whyLogin:          func(w *World) { w.Factions[1].Name = "Others" },
		"movement in liquids: " + whyPredict:          func(w *World) { w.Rules.Predict.Liquids.Water.Drag++ },
		"the maximum of actors per area: ":            func(w *World) { w.Rules.MaxActors++ },
		"the data of the game: " + whyGame:            func(w *World) { w.Schema.Events = append(w.Schema.Events, sim.GameEvent{Name: "x"}) },
		"looks of the bedrock door: ":                 func(w *World) { w.Appearance.Bedrock.Items = nil },
		"item 0 " + before.Items[0].Name + ": name: ": func(w *World) { w.Items[0].Name = "Other" },
		" is removed: " + whyLogin:                    func(w *World) { w.Items = w.Items[1:] },
		" is new: " + whyLogin:                        func(w *World) { w.Templates = append(w.Templates, sim.Template{ID: 900, Race: "Ghost"}) },
		": radius: " + whyLogin:                       func(w *World) { w.Templates[0].Radius++ },
		"the list of areas: Renamed":                  func(w *World) { w.Areas[0].Name = "Renamed" },
		`area "Truestep Vale": solids: `:              func(w *World) { w.Areas[0].Solids = w.Areas[0].Solids[1:] },
		`area "Truestep Vale": waters: `:              func(w *World) { w.Areas[0].Waters = append(slices.Clone(w.Areas[0].Waters), sim.Water{Width: 1}) },
		`area "Truestep Vale": PvP: `:                 func(w *World) { w.Areas[0].PvP = true },
	} {
		after := changed(t)
		change(after)
		next, needsRestart := Reload(before, after)
		var lines []string
		for _, f := range needsRestart {
			lines = append(lines, f.What+": "+f.Why)
		}
		if next != nil || len(lines) != 1 || !strings.Contains(lines[0], want) {
			t.Errorf("needs a restart: %q, want one line with %q", lines, want)
		}
	}
}

func TestReloadAcceptsChangedAppearancesForRuneScapeAndRealmCrafterClients(t *testing.T) {
	after := changed(t)
	after.Appearance.RuneScape.Items = nil
	after.Appearance.RealmCrafter.Items = nil
	next, needsRestart := Reload(changed(t), after)
	if len(needsRestart) > 0 || next.Appearance.RuneScape.Items != nil || next.Appearance.RealmCrafter.Items != nil {
		t.Errorf("needs a restart: %+v", needsRestart)
	}
}
