package appearance

import "testing"

func TestUnknownTemplatesAndItemsHaveDefaultAppearance(t *testing.T) {
	for name, tables := range map[string]Tables{"zero value": {}, "empty tables": New()} {
		if got := tables.RuneScape.Actor(7); got != DefaultRuneScapeActor {
			t.Errorf("%s: RuneScape actor %+v", name, got)
		}
		if got := tables.RuneScape.Item(7); got != (RuneScapeItem{Worn: None, Attack: None, Effect: None}) {
			t.Errorf("%s: RuneScape item %+v", name, got)
		}
		if got := tables.RealmCrafter.Item(7); got != (RealmCrafterItem{Thumbnail: None, MaleMesh: None, FemaleMesh: None}) {
			t.Errorf("%s: RealmCrafter item %+v", name, got)
		}
		if got := tables.RealmCrafter.Projectile(7); got != (RealmCrafterProjectile{Mesh: None}) {
			t.Errorf("%s: RealmCrafter projectile %+v", name, got)
		}
	}
}

func TestRGBColourKeepsComponentsAndBlackDiffersFromUnsetColour(t *testing.T) {
	if r, g, b := RGB(1, 2, 255).Parts(); r != 1 || g != 2 || b != 255 {
		t.Errorf("parts %d, %d, %d", r, g, b)
	}
	if RGB(0, 0, 0) == NoColour {
		t.Error("black is NoColour")
	}
}
