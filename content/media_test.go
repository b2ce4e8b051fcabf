package content

import (
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
)

// Values that only clients use are imported unchanged and are not validated.
func TestMediaIDsOfRealmCrafterActorsAndItemsAreImported(t *testing.T) {
	p := smallProject()
	a := &p.actors[1]
	a.MaleAnimationSet, a.FemaleAnimationSet, a.Scale, a.BloodTexture, a.TradeMode, a.PolyCollision = 3, 4, 0.5, 9, 2, true
	next := uint16(100)
	for _, ids := range [][]uint16{
		a.Meshes[:], a.Beards[:], a.MaleHairs[:], a.FemaleHairs[:], a.MaleFaces[:], a.FemaleFaces[:], a.MaleBodies[:],
		a.FemaleBodies[:], a.MaleSpeech[:], a.FemaleSpeech[:],
	} {
		for i := range ids {
			ids[i] = next
			next++
		}
	}
	p.items[1].MaleMesh, p.items[1].FemaleMesh = 7, 8
	loaded, _, err := LoadProject(p.files(), ProjectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w := loaded.World
	want := appearance.RealmCrafterActor{
		MaleAnimation: 3, FemaleAnimation: 4, Scale: 0.5, Meshes: a.Meshes, Beards: a.Beards, MaleHairs: a.MaleHairs,
		FemaleHairs: a.FemaleHairs, MaleFaces: a.MaleFaces, FemaleFaces: a.FemaleFaces, MaleBodies: a.MaleBodies,
		FemaleBodies: a.FemaleBodies, MaleSpeech: a.MaleSpeech, FemaleSpeech: a.FemaleSpeech, Blood: 9, TradeMode: 2,
		PolyCollision: true,
	}
	if got := w.Appearance.RealmCrafter.Actors[a.ID]; !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v, want %+v", *got, want)
	}
	if got := w.Appearance.RealmCrafter.Items[p.items[1].ID]; got != (appearance.RealmCrafterItem{MaleMesh: 7, FemaleMesh: 8}) {
		t.Errorf("item: %+v", got)
	}
}

func TestRealmCrafterCalendarIsImportedOrDefaultIsUsed(t *testing.T) {
	m := smallProject().files()
	own := sim.Calendar{Year: 1, Day: 1, Hour: 12, Factor: 10}
	for i := range own.Seasons {
		own.Seasons[i] = sim.Season{Name: "Season", StartDay: 1, Dusk: 19, Dawn: 6}
	}
	for i := range own.Months {
		own.Months[i] = sim.Month{Name: "Month", StartDay: 1}
	}
	for _, want := range []sim.Calendar{own, defaultCalendar()} {
		p, _, err := LoadProject(m, ProjectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if p.World.Calendar != want {
			t.Errorf("got %+v, want %+v", p.World.Calendar, want)
		}
		delete(m, serverData+"/Environment.dat")
	}
}
