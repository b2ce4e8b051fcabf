package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// deadPlayer is a player that has just died at a place.
func deadPlayer(t *testing.T, at geom.Vec, rules func(r *Rules)) (s *stage, x *actor) {
	s = newStage(t, testWorld())
	if rules != nil {
		rules(&s.w.Rules)
	}
	x = s.player(1, at)
	s.step(attackIntent(s.killer(x), x))
	if !x.dead {
		t.Fatalf("player is alive: %+v", s.f.Events)
	}
	return s, x
}

func TestPlayerRespawnsAfterDelayWithConfiguredShareOfHealth(t *testing.T) {
	s, x := deadPlayer(t, geom.Vec{X: 30}, func(r *Rules) { r.RespawnDelayMS, r.RespawnHealth = 3000, 25 })
	died := s.a.now
	x.attr[attrHealth].Max = 90
	e := s.until(EventRespawned, 5)
	if s.a.now-died != 60 || x.dead || e.Who != 1 || s.f.Find(1).Health != 22 || events(s.f, EventStat)[0].Value != 22 {
		t.Errorf("after %d ticks: %+v, health %d", s.a.now-died, e, s.f.Find(1).Health)
	}
	s.expectRefusal(reason.Warping, claimIntent(1, geom.Vec{})) // claims are refused after the respawn, as after any warp
}

func TestPlayerRespawnsAtPortalSelectedByRules(t *testing.T) {
	for name, c := range map[string]struct {
		rules func(r *Rules)
		def   func(d *AreaDef)
		want  geom.Vec
	}{
		"at the nearest portal that leads nowhere": {nil, nil, geom.Vec{}},
		"nearest of two": {nil, func(d *AreaDef) {
			d.Portals = append(d.Portals, Portal{Name: "Inn", Pos: geom.Vec{X: -80}, ToArea: NoArea})
		}, geom.Vec{X: -80}},
		"at the portal that the world names": {func(r *Rules) { r.RespawnArea, r.RespawnPortal = areaField, 1 }, nil, geom.Vec{X: -100}},
		"nearest where the world names none": {func(r *Rules) { r.RespawnArea = areaField }, nil, geom.Vec{}},
		"at the place of death without any":  {nil, func(d *AreaDef) { d.Portals = d.Portals[1:] }, geom.Vec{X: -70}},
	} {
		t.Run(name, func(t *testing.T) {
			s, x := deadPlayer(t, geom.Vec{X: -70}, c.rules)
			if c.def != nil {
				c.def(s.a.def)
			}
			record := s.a.snapshotRecord(x)
			if e := s.until(EventRespawned, 5); e.Pos != c.want || x.pos != c.want {
				t.Errorf("respawned at %v, event has %v, want %v", x.pos, e.Pos, c.want)
			}
			if record.Pos != c.want || record.Attr[attrHealth].Value != 50 || record.Area != "Field" {
				t.Errorf("record while dead: at %v with health %d", record.Pos, record.Attr[attrHealth].Value)
			}
		})
	}
}

func TestRespawnInOtherAreaTransfersPlayer(t *testing.T) {
	for name, c := range map[string]struct {
		portal int
		def    func(d *AreaDef)
		want   int
	}{
		"at the portal named":              {0, nil, 0},
		"at the first that leads nowhere":  {-1, func(d *AreaDef) { d.Portals = append(d.Portals, Portal{Name: "Inn", ToArea: NoArea}) }, 1},
		"at the first, if all lead away":   {-1, nil, 0},
		"at the origin, if there are none": {-1, func(d *AreaDef) { d.Portals = nil }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			s, x := deadPlayer(t, geom.Vec{X: -70}, func(r *Rules) { r.RespawnArea, r.RespawnPortal = areaTown, c.portal })
			town := &s.w.Areas[areaTown]
			if c.def != nil {
				c.def(town)
			}
			record := s.a.snapshotRecord(x)
			e := s.until(EventDeparted, 5)
			if e.To != areaTown || e.Join.Portal != c.want || e.Join.Health != 50 || s.f.Find(1) != nil {
				t.Fatalf("%+v to %+v", e, e.Join)
			}
			want := geom.Vec{}
			if c.want >= 0 {
				want = town.Portals[c.want].Pos
			}
			there := NewArea(s.w, areaTown, 1)
			f := there.Step([]Intent{{Kind: IntentJoin, Who: 1, Join: e.Join}})
			if row := f.Find(1); row.Pos != want || row.Health != 50 || row.Is(FlagDead) {
				t.Errorf("after the transfer: %+v", row)
			}
			if record.Area != "Town" || record.Pos != want {
				t.Errorf("record while dead: in %s at %v, want %v", record.Area, record.Pos, want)
			}
		})
	}
}

// A player that logs out while it is dead is saved as respawned.
func TestPlayerThatLogsOutWhileDeadIsSavedAsRespawned(t *testing.T) {
	s, _ := deadPlayer(t, geom.Vec{X: -70}, nil)
	s.step(Intent{Kind: IntentLeave, Who: 1})
	c := events(s.f, EventLeft)[0].Record
	f := s.step(Intent{Kind: IntentJoin, Who: 4, Join: &Join{Character: c, Portal: -1, Pos: c.Pos, Login: true}})
	if row := f.Find(4); row.Pos != (geom.Vec{}) || row.Health != 50 || row.Is(FlagDead) {
		t.Errorf("%+v", row)
	}
}

// Characters saved by other servers may have attribute values that this server never writes.
func TestAttributesInRecordAreClampedOnJoin(t *testing.T) {
	s := newStage(t, testWorld())
	in := joinAt(s.w, 1, geom.Vec{})
	c := in.Join.Character
	c.Attr[attrHealth].Value, c.Attr[attrEnergy].Value, c.HomeFaction = -5, 10000, 200
	f := s.step(in)
	x := s.a.find(1)
	if row := f.Find(1); row.Health != 50 || row.Energy != 60 || x.homeFaction != 1 {
		t.Errorf("health %d, energy %d, faction %d", row.Health, row.Energy, x.homeFaction)
	}
}
