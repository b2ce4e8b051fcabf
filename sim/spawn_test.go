package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// spawning returns a stage whose area has one spawn.
func spawning(t *testing.T, spawn Spawn) *stage {
	w := testWorld()
	w.Areas[0].Spawns = []Spawn{spawn}
	return newStage(t, w)
}

// An area fills its spawns in the first tick, so that the first players find all NPCs.
func TestFirstTickFillsSpawnsToTheirMaximum(t *testing.T) {
	s := spawning(t, Spawn{Template: tmplCow, Waypoint: 1, Size: 20, Max: 5, PeriodMS: 60_000})
	s.step()
	if len(s.f.Actors) != 5 || len(events(s.f, EventJoined)) != 5 {
		t.Fatalf("%d actors", len(s.f.Actors))
	}
	for _, x := range s.a.actors {
		if !near(x.pos.X, 200, 10) || !near(x.pos.Z, 0, 10) || x.waypoint != 1 || x.player || x.level != 1 {
			t.Errorf("actor at %v of waypoint %d", x.pos, x.waypoint)
		}
	}
	if s.run(120); len(s.a.actors) != 5 {
		t.Errorf("%d actors after 2 minutes", len(s.a.actors))
	}
}

// docs/wire/rcce-data.md 11: a spawn creates one actor per period. The period starts when the number of living actors
// falls below the maximum.
func TestSpawnReplacesOneDeadActorPerPeriod(t *testing.T) {
	s := spawning(t, Spawn{Template: tmplCow, Waypoint: 1, Max: 3, PeriodMS: 4000})
	s.run(10)
	for _, x := range s.a.actors {
		s.a.frame = &Frame{}
		s.a.kill(x, nil)
	}
	if s.step(); s.a.spawns[0].count != 0 {
		t.Fatalf("living count %d", s.a.spawns[0].count)
	}
	began := s.a.now
	var came []Tick
	for range 400 {
		for range events(s.step(), EventJoined) {
			came = append(came, s.a.now-began)
		}
	}
	if len(came) != 3 || came[0] != 80 || came[1] != 160 || came[2] != 240 {
		t.Errorf("spawned after %v ticks, want 80, 160, 240", came)
	}
}

// docs/wire/rcce-data.md 11: the count of a spawn's actors falls when one dies or leaves the area.
func TestSpawnReplacesMountThatWasRiddenToOtherArea(t *testing.T) {
	s := spawning(t, Spawn{Template: tmplHorse, Waypoint: 1, Max: 1, PeriodMS: 4000})
	x := s.player(1, geom.Vec{X: 200})
	s.ride(x, s.a.actors[1])
	x.place(geom.Vec{X: -100}, 0)
	s.expectEvent(EventDeparted)
	if s.a.spawns[0].count != 0 {
		t.Errorf("count %d", s.a.spawns[0].count)
	}
	s.until(EventJoined, 5)
}

func TestSpawnCreatesNoNPCWithoutTemplateOrInFullArea(t *testing.T) {
	s := spawning(t, Spawn{Template: 999, Waypoint: 1, Max: 3, PeriodMS: 1000})
	if s.run(5); len(s.a.actors) != 0 {
		t.Errorf("%d actors of no template", len(s.a.actors))
	}
	s = spawning(t, Spawn{Template: tmplCow, Waypoint: 1, Max: 30, PeriodMS: 50})
	s.w.Rules.MaxActors = 7
	if s.run(5); len(s.a.actors) != 7 {
		t.Errorf("%d actors, limit 7", len(s.a.actors))
	}
}

func TestNPCsWearStartingItemsOfTemplate(t *testing.T) {
	w := testWorld()
	w.Template(tmplCow).Kit = []ItemStack{{Item: itemSword, Amount: 1, Health: 100}, {}, {}, {Item: itemMail, Amount: 1, Health: 100}}
	w.Template(tmplCow).Genders = 2
	w.Areas[0].Spawns = []Spawn{{Template: tmplCow, Waypoint: 1, Max: 1, PeriodMS: 1000}}
	s := newStage(t, w)
	b := s.step().Actors[0].Body
	if b.Equipment[SlotWeapon] != itemSword || b.Equipment[SlotChest] != itemMail || b.Equipment[SlotHat] != NoItem || b.Appearance.Gender != 1 || b.Name != "Cow" {
		t.Errorf("%+v", b)
	}
	if x := s.a.actors[0]; x.armour != 5 || x.weapon == nil {
		t.Errorf("armour %d, weapon %v", x.armour, x.weapon)
	}
}
