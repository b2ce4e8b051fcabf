package content

import (
	"slices"
	"strings"
	"testing"
)

// changed makes replacements in the source text of the embedded world and loads the result.
func changed(t *testing.T, replace ...string) *World {
	t.Helper()
	text := string(DefaultTOML())
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("the embedded world has no %q", replace[i])
		}
		text = strings.Replace(text, replace[i], replace[i+1], 1)
	}
	w, _, err := LoadWorld("world.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWorldComparedWithItselfHasNoChanges(t *testing.T) {
	if got := Compare(changed(t), changed(t)); len(got) != 0 {
		t.Errorf("changes %q", got)
	}
	if got := Compare(changed(t), changed(t, "[newcomers]", "# a comment\n[newcomers]")); len(got) != 0 {
		t.Errorf("a comment makes changes %q", got)
	}
}

func TestWorldComparisonReportsEveryChangedPart(t *testing.T) {
	before := changed(t)
	after := changed(t)
	after.Rules.RewindMS++
	after.NewCharacters.Greeting = "Hello."
	after.Items = slices.Clone(after.Items)
	after.Items[0].Value++
	after.Items = after.Items[:len(after.Items)-1]
	after.Areas = slices.Clone(after.Areas)
	after.Areas[0].PvP = !after.Areas[0].PvP
	after.Areas[0].Solids = nil
	after.Areas[1].Name = "Elsewhere"
	got := strings.Join(Compare(before, after), "\n")
	for _, want := range []string{
		"rules.RewindMS: 301, was 300", `newcomers.Greeting: "Hello."`, "item 0 " + before.Items[0].Name + " changed", " is removed; characters keep theirs",
		`area "Truestep Vale": PvP, terrain`, `area "Windmoor" is removed; characters in it enter at the start`, `area "Elsewhere" is new`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n") + 1; n != 7 {
		t.Errorf("%d changes, want 7:\n%s", n, got)
	}
}

func TestWorldComparisonReportsChangedDamageFormula(t *testing.T) {
	with := func(script string) *World { return changed(t, "formula = 1", "formula = 4\nscript = \""+script+"\"") }
	if got := Compare(with("weapon_damage"), with("weapon_damage")); len(got) != 0 {
		t.Errorf("the same formula makes changes %q", got)
	}
	if got := Compare(with("weapon_damage"), with("weapon_damage + 1")); len(got) != 1 || !strings.Contains(got[0], "rules.Combat.") {
		t.Errorf("changes %q", got)
	}
}
