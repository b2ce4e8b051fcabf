package rcce

import (
	"math/rand/v2"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// scene is a client without a connection among a rat, a dummy and a player, the nearest first.
func scene(pvp bool) *Player {
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

// Players are struck only by those who may, where they may; and nobody who is to be spared or cannot be walked to.
func TestFightChoosesNearestAllowedTarget(t *testing.T) {
	spare := func(names ...string) func(Actor) bool {
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
		{"the nearest", false, Fight{}, "Rat"},
		{"a spared rat", false, Fight{Exclude: spare("Rat")}, "Dummy"},
		{"no player in peace", false, Fight{Players: true, Exclude: spare("Rat", "Dummy")}, ""},
		{"no player unless told so", true, Fight{Exclude: spare("Rat", "Dummy")}, ""},
		{"a player", true, Fight{Players: true, Exclude: spare("Rat", "Dummy")}, "Ann"},
		{"behind a wall", false, Fight{LineOfSight: func(_, to geom.Vec) bool { return to.X > 15 }}, "Dummy"},
	} {
		p := scene(c.pvp)
		c.fight.Act(p)
		if a, _ := p.World().Actor(c.fight.target); a.Name != c.want || c.fight.Active() != (c.want != "") {
			t.Errorf("%s: it fights %q", c.name, a.Name)
		}
	}
}

func TestFightStopsWithoutLineOfSight(t *testing.T) {
	p := scene(false)
	open := true
	f := &Fight{LineOfSight: func(_, _ geom.Vec) bool { return open }}
	if f.Act(p); !f.Active() || !p.Walking() {
		t.Fatal("it does not go to its target")
	}
	open = false
	if f.Act(p); f.Active() || p.Walking() {
		t.Error("it goes on")
	}
}

func TestWanderStaysWithoutLineOfSight(t *testing.T) {
	p := scene(false)
	w := &Wander{LineOfSight: func(_, to geom.Vec) bool { return to.X > 0 }}
	for range 20 {
		p.Stop()
		w.rest = time.Time{}
		if w.Act(p); p.Walking() && p.c.body.dest.X <= 0 {
			t.Fatalf("it goes to %v", p.c.body.dest)
		}
	}
	w.LineOfSight = func(_, _ geom.Vec) bool { return false }
	p.Stop()
	w.rest = time.Time{}
	if w.Act(p); p.Walking() {
		t.Errorf("it goes to %v", p.c.body.dest)
	}
}

func TestTeleportIsClaimed(t *testing.T) {
	p := scene(false)
	if p.Teleport(70, -80); p.Pos().X != 70 || p.Pos().Z != -80 || !p.c.body.unsent {
		t.Errorf("%+v", p.c.body)
	}
}
