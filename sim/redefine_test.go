package sim

import (
	"bytes"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// herd returns a world with spawns of cows and wolves in areaField, and a second copy of it, which the test may change.
func herd() (was, is *World) {
	w := func() *World {
		w := testWorld()
		w.Areas[areaField].Spawns = []Spawn{
			{Template: tmplCow, Waypoint: 0, Size: 5, Max: 2, PeriodMS: 4000},
			{Template: tmplWolf, Waypoint: 2, Size: 5, Max: 1, PeriodMS: 4000},
		}
		return w
	}
	is = w()
	is.ContentHash = 2
	return w(), is
}

// redefine continues the area of a stage in another world. The former area must stay as it is, and the new one must be equal
// to one that is restored from its snapshot.
func (s *stage) redefine(w *World) {
	s.t.Helper()
	before := s.a.Snapshot(nil)
	next, err := s.a.Redefine(w)
	if err != nil {
		s.t.Fatal(err)
	}
	if !bytes.Equal(before, s.a.Snapshot(nil)) {
		s.t.Error("the former area has changed")
	}
	restored, err := Restore(w, next.Snapshot(nil))
	if err != nil {
		s.t.Fatal(err)
	}
	for range 50 {
		if a, b := next.Step(nil), restored.Step(nil); a.Hash != b.Hash {
			s.t.Fatalf("tick %d: hash %x, of the restored area %x", a.Tick, a.Hash, b.Hash)
		}
	}
	if s.a, err = s.a.Redefine(w); err != nil {
		s.t.Fatal(err)
	}
	s.w = w
}

// ofTemplate returns the actors of a template.
func (s *stage) ofTemplate(id uint16) (list []*actor) {
	for _, x := range s.a.actors {
		if x.tmpl.ID == id {
			list = append(list, x)
		}
	}
	return list
}

func TestAreaRedefinedWithEqualWorldKeepsState(t *testing.T) {
	was, is := herd()
	s := newStage(t, was)
	s.player(1, geom.Vec{X: 10})
	s.run(5)
	hash := s.a.Hash()
	s.redefine(is)
	if s.a.Hash() != hash || s.a.Now() != s.f.Tick {
		t.Errorf("hash %x at tick %d, was %x at tick %d", s.a.Hash(), s.a.Now(), hash, s.f.Tick)
	}
}

func TestRedefinedWeaponChangesDamageOfPlayerThatHoldsIt(t *testing.T) {
	was, is := herd()
	was.Areas[areaField].Spawns, is.Areas[areaField].Spawns = nil, nil
	weapon := *is.Items[0].Weapon
	weapon.Damage = 60
	is.Items[0].Weapon = &weapon
	s := newStage(t, was)
	x := s.player(1, geom.Vec{})
	s.step()
	x.inv[SlotWeapon] = ItemStack{Item: itemSword, Amount: 1, Health: 100}
	s.a.updateEquipment(x)
	s.redefine(is)
	x = s.a.find(1)
	if x.weapon != &weapon || !x.player {
		t.Fatalf("the player holds %+v, want %+v", x.weapon, weapon)
	}
	if got := s.a.fighter(x).Weapon.Damage; got != 60 {
		t.Errorf("the weapon has a damage of %d, want 60", got)
	}
}

func TestRedefinedTemplateUpdatesLivingNPCsExceptValuesChangedInPlay(t *testing.T) {
	was, is := herd()
	wolf := is.Template(tmplWolf)
	wolf.Attr[attrHealth] = combat.Attribute{Value: 300, Max: 300}
	wolf.Attr[attrStrength] = combat.Attribute{Value: 5, Max: 5}
	wolf.Resist[3] = 150
	wolf.Faction = 7
	wolf.Kit = []ItemStack{{Item: itemSword, Amount: 1, Health: 100}}
	cow := is.Template(tmplCow)
	cow.Attr[attrHealth] = combat.Attribute{Value: 40, Max: 40}
	s := newStage(t, was)
	p := s.player(1, geom.Vec{X: -300})
	s.run(1)
	hurt, blessed := s.ofTemplate(tmplCow)[0].id, s.ofTemplate(tmplCow)[1].id
	s.a.find(hurt).attr[attrHealth].Value = 30
	s.a.find(blessed).attr[attrHealth] = combat.Attribute{Value: 500, Max: 500}
	sheet := p.attr
	s.redefine(is)
	w := s.ofTemplate(tmplWolf)[0]
	if w.attr != wolf.Attr || w.resist != wolf.Resist || w.homeFaction != 7 || w.ratings != is.Factions[7].Ratings || w.inv[0] != wolf.Kit[0] || w.weapon == nil {
		t.Errorf("the wolf has %v, %v, faction %d, %v", w.attr[:3], w.resist[:4], w.homeFaction, w.inv[0])
	}
	if got := s.a.find(hurt).attr[attrHealth]; got != (combat.Attribute{Value: 30, Max: 40}) {
		t.Errorf("a hurt cow has %v, want 30 of 40", got)
	}
	if got := s.a.find(blessed).attr[attrHealth]; got != (combat.Attribute{Value: 500, Max: 500}) {
		t.Errorf("a cow whose maximum was changed in play has %v, want 500 of 500", got)
	}
	if s.a.find(1).attr != sheet {
		t.Error("the attributes of the player have changed")
	}
}

func TestRedefinedSpawnsRemoveAndAddNPCs(t *testing.T) {
	was, is := herd()
	is.Areas[areaField].Spawns = []Spawn{
		{Template: tmplDeer, Waypoint: 1, Size: 5, Max: 2, PeriodMS: 4000},
		{Template: tmplCow, Waypoint: 0, Size: 5, Max: 1, PeriodMS: 4000},
	}
	s := newStage(t, was)
	s.run(1)
	cows := s.ofTemplate(tmplCow)
	s.redefine(is)
	s.step()
	if len(s.ofTemplate(tmplWolf)) != 0 || len(events(s.f, EventRemoved)) != 1 {
		t.Errorf("%d wolves are left, %d actors were removed", len(s.ofTemplate(tmplWolf)), len(events(s.f, EventRemoved)))
	}
	if len(s.ofTemplate(tmplDeer)) != 1 {
		t.Errorf("%d deer after a tick, want the first one", len(s.ofTemplate(tmplDeer)))
	}
	if got := s.ofTemplate(tmplCow); len(got) != 2 || got[0].id != cows[0].id || got[0].spawn != 1 || s.a.spawns[1].count != 2 {
		t.Errorf("%d cows of spawn %d, counted %d; those beyond the new maximum stay", len(got), got[0].spawn, s.a.spawns[1].count)
	}
	s.run(5)
	if len(s.ofTemplate(tmplDeer)) != 2 {
		t.Errorf("%d deer after the period", len(s.ofTemplate(tmplDeer)))
	}
}

func TestNPCFollowsMovedWaypointAndWalksHomeIfWaypointIsRemoved(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(*AreaDef)
		waypoint int32
		destX    float32
	}{
		"moved": {func(a *AreaDef) { a.Waypoints[1].Pos.X = 260 }, 1, 260},
		"gone": {func(a *AreaDef) {
			a.Waypoints[0].NextA = -1
			a.Waypoints[1] = a.Waypoints[2]
			a.Waypoints = a.Waypoints[:2]
			a.Spawns[1].Waypoint = 1
		}, 0, 100},
	} {
		t.Run(name, func(t *testing.T) {
			was, is := herd()
			c.change(&is.Areas[areaField])
			s := newStage(t, was)
			s.run(1)
			cows := s.ofTemplate(tmplCow)
			if cows[0].waypoint != 1 {
				t.Fatalf("the cow walks to waypoint %d", cows[0].waypoint)
			}
			s.redefine(is)
			for _, x := range s.ofTemplate(tmplCow) {
				if x.waypoint != c.waypoint || x.destX != c.destX || x.mode != modePatrol {
					t.Errorf("the cow walks to %v, waypoint %d, mode %d", x.destX, x.waypoint, x.mode)
				}
			}
		})
	}
}

func TestRedefineMatchesPortalsByNameAndWaypointsByPosition(t *testing.T) {
	was, is := herd()
	a := &is.Areas[areaField]
	a.Waypoints = append([]Waypoint{{Pos: geom.Vec{X: -5}, Used: true, NextA: -1, NextB: -1, Prev: -1}}, a.Waypoints...)
	for i := 1; i < 3; i++ {
		a.Waypoints[i].NextA++
	}
	for i := range a.Spawns {
		a.Spawns[i].Waypoint++
	}
	a.Portals = append([]Portal{{Name: "New", Radius: 1, ToArea: NoArea}}, a.Portals...)
	is.Areas[areaTown].Portals[0].ToPortal = 2
	s := newStage(t, was)
	x := s.player(1, geom.Vec{X: -300})
	s.run(1)
	x.lastPortal = 1
	wolf := s.ofTemplate(tmplWolf)[0].waypoint
	s.redefine(is)
	if got := s.a.find(1).lastPortal; got != 2 {
		t.Errorf("the last portal is %d, want 2", got)
	}
	if got := s.ofTemplate(tmplWolf)[0]; got.waypoint != wolf+1 || got.spawn != 1 {
		t.Errorf("the wolf has waypoint %d, was %d", got.waypoint, wolf)
	}
}

func TestRedefineWithOtherRewindTimeRestartsPositionHistory(t *testing.T) {
	was, is := herd()
	is.Rules.RewindMS = 100
	s := newStage(t, was)
	s.player(1, geom.Vec{})
	s.run(2)
	s.redefine(is)
	if s.a.rewindTicks != 2 {
		t.Fatalf("positions of %d ticks are kept", s.a.rewindTicks)
	}
	s.run(1)
	if n := len(s.a.placesAt(s.a.now - 1).list); n != len(s.a.actors) {
		t.Errorf("the tick before has %d positions, want %d", n, len(s.a.actors))
	}
}

func TestRedefineRefusesWorldThatLacksTemplateOrAreaInUse(t *testing.T) {
	was, _ := herd()
	s := newStage(t, was)
	s.player(1, geom.Vec{})
	s.run(1)
	for want, change := range map[string]func(*World){
		"template 8": func(w *World) { w.Templates = w.Templates[:len(w.Templates)-1] },
		`must have area "Field"`: func(w *World) {
			w.Areas[areaField].Name = "Meadow"
		},
	} {
		_, is := herd()
		change(is)
		hash := s.a.Hash()
		if _, err := s.a.Redefine(is); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if s.a.Hash() != hash {
			t.Error("the area has changed")
		}
	}
}
