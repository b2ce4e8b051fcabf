package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// docs/wire/rcce-data.md 11: portals transfer players only, within a 3-D distance below the size of the entrance.
func TestPortalMovesPlayersWithinItsRadiusUnlessLocked(t *testing.T) {
	for name, c := range map[string]struct {
		at     geom.Vec
		enters bool
		set    func(x *actor)
	}{
		"at its centre":               {geom.Vec{X: -100}, true, nil},
		"just within":                 {geom.Vec{X: -95.1}, true, nil},
		"at its radius":               {geom.Vec{X: -95}, false, nil},
		"above it":                    {geom.Vec{X: -100, Y: 5}, false, nil},
		"a portal that leads nowhere": {geom.Vec{X: 0}, false, nil},
		"a dead player":               {geom.Vec{X: -100}, false, func(x *actor) { x.dead, x.respawnTick = true, 1000 }},
		"an NPC":                      {geom.Vec{X: -100}, false, func(x *actor) { x.player = false }},
		"locked":                      {geom.Vec{X: -100}, false, func(x *actor) { x.lastPortal, x.lastPortalTick = 1, 100 }},
		"another portal locked":       {geom.Vec{X: -100}, true, func(x *actor) { x.lastPortal, x.lastPortalTick = 0, 100 }},
		"after the lock":              {geom.Vec{X: -100}, true, func(x *actor) { x.lastPortal, x.lastPortalTick = 1, 2 }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testWorld())
			x := s.player(1, geom.Vec{X: 50})
			x.place(c.at, 0)
			if c.set != nil {
				c.set(x)
			}
			if s.step(); (len(events(s.f, EventDeparted)) == 1) != c.enters {
				t.Errorf("%+v", s.f.Events)
			}
		})
	}
}

func TestTransferKeepsPlayerState(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.player(1, geom.Vec{X: 50})
	s.health(x, 37)
	x.party, x.xp = 12, 345
	x.place(geom.Vec{X: -100}, 0)
	e := s.expectEvent(EventDeparted)
	if s.f.Find(1) != nil || e.To != areaTown || e.Join.Party != 12 || e.Join.Health != 37 || e.Join.Portal != 0 || e.Join.Login {
		t.Fatalf("%+v with %+v", e, e.Join)
	}
	gate := s.w.Areas[areaTown].Portals[0]
	if c := e.Record; c.Area != "Town" || c.Pos != gate.Pos || c.Yaw != 180 || c.XP != 345 || c.LastPortalArea != "Town" || c.LastPortal != 0 {
		t.Errorf("record %+v", c)
	}
	there := NewArea(s.w, areaTown, 1)
	f := there.Step([]Intent{{Kind: IntentJoin, Who: 1, AtMS: 100, Join: e.Join}})
	row := f.Find(1)
	if row.Pos != gate.Pos || row.Yaw != 180 || row.Health != 37 || row.Party != 12 || row.DestX != gate.Pos.X {
		t.Errorf("after the transfer: %+v", row)
	}
	if joined := events(f, EventJoined); len(joined) != 1 || joined[0].N != 0 || joined[0].Pos != gate.Pos {
		t.Errorf("%+v", joined)
	}
}

// docs/wire/rcce-data.md 9, lastPortal: a player that logs in inside the portal through which it had arrived cannot use
// this portal until the lock time has passed again.
func TestPortalIsLockedAfterLoginInsideIt(t *testing.T) {
	for area, locked := range map[string]bool{"field": true, "Town": false, "": false} {
		s := newStage(t, testWorld())
		in := joinAt(s.w, 1, geom.Vec{X: -100})
		in.Join.Character.LastPortalArea, in.Join.Character.LastPortal = area, 1
		if s.step(in); (len(events(s.f, EventDeparted)) == 0) != locked {
			t.Errorf("last portal 1 of %q: %v", area, s.f.kinds())
		}
	}
}

func TestPortalWithinAreaMovesRiderAndMount(t *testing.T) {
	s := newStage(t, testWorld())
	s.w.Areas[0].Portals[1] = Portal{Name: "Gate", Pos: geom.Vec{X: -100}, Radius: 5, ToArea: areaField, ToPortal: 2}
	s.w.Areas[0].Portals = append(s.w.Areas[0].Portals, Portal{Name: "Top", Pos: geom.Vec{X: 70, Y: 9}, Radius: 5, Yaw: 45, ToArea: areaField, ToPortal: 1})
	x := s.player(1, geom.Vec{X: 50})
	m := s.npc(tmplHorse, geom.Vec{X: 50})
	s.ride(x, m)
	x.place(geom.Vec{X: -100}, 0)
	s.step()
	moved := events(s.f, EventPlaced)
	if len(moved) != 2 || moved[0].Who != m.id || moved[1].Who != 1 || moved[1].Pos != (geom.Vec{X: 70, Y: 9}) || moved[1].Yaw != 45 {
		t.Fatalf("%+v", s.f.Events)
	}
	if x.pos != moved[1].Pos || m.pos != x.pos || x.mount != m.id || x.destX != 70 {
		t.Errorf("rider at %v going to %v, mount at %v", x.pos, x.destX, m.pos)
	}
	s.expectRefusal(reason.Warping, claimIntent(1, geom.Vec{X: 70}))
	if s.run(34); x.pos.X != 70 {
		t.Errorf("locked portal moved the player to %v", x.pos)
	}
	if s.run(1); x.pos.X != -100 {
		t.Errorf("after the lock at %v, want back at the portal", x.pos)
	}
}

// docs/wire/rcce-data.md 11: if the destination portal does not exist, the player arrives at portal slot 0 of the
// destination, even if that slot is unused.
func TestPortalToMissingPortalLeadsToOriginOfArea(t *testing.T) {
	s := newStage(t, testWorld())
	s.w.Areas[areaTown].Portals = nil
	x := s.player(1, geom.Vec{X: 50})
	x.place(geom.Vec{X: -100}, 0)
	e := s.expectEvent(EventDeparted)
	f := NewArea(s.w, areaTown, 1).Step([]Intent{{Kind: IntentJoin, Who: 1, Join: e.Join}})
	if f.Find(1).Pos != (geom.Vec{}) || e.Record.Pos != (geom.Vec{}) {
		t.Errorf("arrives at %v", f.Find(1).Pos)
	}
}

// docs/wire/rcce.md 6.1, check 5: a player that a portal transfers in this tick neither attacks nor is attacked.
func TestPlayersNeitherAttackNorAreAttackedInTickOfTheirTransfer(t *testing.T) {
	s, x, y := duel(t)
	x.place(geom.Vec{X: -91}, 0)
	y.place(geom.Vec{X: -100}, 0)
	s.expectRefusal(reason.TargetGone, attackIntent(x, y), attackIntent(y, x))
	if n := len(events(s.f, EventAttacked)); n != 0 {
		t.Errorf("%d attacks", n)
	}
}
