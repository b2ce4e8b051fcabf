package rcce

import (
	"math/rand/v2"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// newScene returns a client without a connection, with a rat, a dummy and a player at increasing distance.
func newScene(pvp bool) *Player {
	c := clientInWorld()
	c.rng = rand.New(rand.NewPCG(1, 2))
	if pvp {
		c.handleMessage(proto.ChangeArea{Area: 10, PvP: 1, Name: "Ring"}.Append(nil))
	}
	for _, a := range []proto.NewActor{
		{RuntimeID: 300, Name: "Rat", X: 10, Template: 3}, {RuntimeID: 301, Name: "Dummy", X: 20, Template: 4},
		{RuntimeID: 302, Name: "Ann", X: 30, IsPlayer: 1},
	} {
		a.Area, a.Health, a.HealthMax = c.world.Handle, 40, 40
		c.handleMessage(a.Append(nil))
	}
	return &Player{c: c, now: time.Unix(1000, 0)}
}

// Players are attacked only if Players is set and the area has PvP. Excluded actors and actors out of sight are never attacked.
func TestFightBehaviourChoosesNearestAllowedTarget(t *testing.T) {
	exclude := func(names ...string) func(Actor) bool {
		return func(a Actor) bool {
			for _, n := range names {
				if a.Name == n {
					return true
				}
			}
			return false
		}
	}
	for _, c := range []struct {
		name  string
		pvp   bool
		fight Fight
		want  string
	}{
		{"nearest NPC", false, Fight{}, "Rat"},
		{"excluded NPC", false, Fight{Exclude: exclude("Rat")}, "Dummy"},
		{"player without PvP", false, Fight{Players: true, Exclude: exclude("Rat", "Dummy")}, ""},
		{"player without the Players option", true, Fight{Exclude: exclude("Rat", "Dummy")}, ""},
		{"player with PvP", true, Fight{Players: true, Exclude: exclude("Rat", "Dummy")}, "Ann"},
		{"NPC without line of sight", false, Fight{LineOfSight: func(_, to geom.Vec) bool { return to.X > 15 }}, "Dummy"},
	} {
		p := newScene(c.pvp)
		c.fight.Act(p)
		if a, _ := p.World().Actor(c.fight.target); a.Name != c.want || c.fight.HasTarget() != (c.want != "") {
			t.Errorf("%s: target %q, want %q", c.name, a.Name, c.want)
		}
	}
}

func TestFightBehaviourStopsWithoutLineOfSight(t *testing.T) {
	p := newScene(false)
	open := true
	f := &Fight{LineOfSight: func(_, _ geom.Vec) bool { return open }}
	if f.Act(p); !f.HasTarget() || !p.Walking() {
		t.Fatal("fight does not walk to its target")
	}
	open = false
	if f.Act(p); f.HasTarget() || p.Walking() {
		t.Error("fight continues without line of sight")
	}
}

func TestWanderBehaviourDoesNotMoveWithoutLineOfSight(t *testing.T) {
	p := newScene(false)
	w := &Wander{LineOfSight: func(_, to geom.Vec) bool { return to.X > 0 }}
	for range 20 {
		p.Stop()
		w.rest = time.Time{}
		if w.Act(p); p.Walking() && p.c.body.dest.X <= 0 {
			t.Fatalf("walks to %v without line of sight", p.c.body.dest)
		}
	}
	w.LineOfSight = func(_, _ geom.Vec) bool { return false }
	p.Stop()
	w.rest = time.Time{}
	if w.Act(p); p.Walking() {
		t.Errorf("walks to %v without line of sight to any point", p.c.body.dest)
	}
}

func TestPlayerTeleportSetsPredictedPositionAndMarksItUnsent(t *testing.T) {
	p := newScene(false)
	if p.Teleport(70, -80); p.Pos().X != 70 || p.Pos().Z != -80 || !p.c.body.unsent {
		t.Errorf("body %+v, want an unsent claim of 70, -80", p.c.body)
	}
}
