package swarm

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// box is a solid from 10,-5 to 20,5.
var box = []terrain.Solid{{Min: geom.Vec{X: 10, Z: -5}, Max: geom.Vec{X: 20, Y: 9, Z: 5}}}

func TestBotDoesNotWalkAlongLineThatCrossesObstacle(t *testing.T) {
	for _, c := range []struct {
		from, to geom.Vec
		want     bool
	}{
		{geom.Vec{}, geom.Vec{X: 30}, false},
		{geom.Vec{Z: 7}, geom.Vec{X: 30, Z: 7}, false},
		{geom.Vec{Z: 9}, geom.Vec{X: 30, Z: 9}, true},
		{geom.Vec{X: 15}, geom.Vec{X: 30}, true}, // a line that begins inside the solid and leaves it
		{geom.Vec{X: 15, Z: -20}, geom.Vec{X: 15, Z: 20}, false},
		{geom.Vec{X: 40, Z: -20}, geom.Vec{X: 40, Z: 20}, true},
	} {
		if got := canWalk(box, c.from, c.to); got != c.want {
			t.Errorf("canWalk from %v to %v: %v", c.from, c.to, got)
		}
	}
}

func TestSwarmPlayerDoesNotWalkThroughWallsOnceItsAreaIsKnown(t *testing.T) {
	w := &wallAware{walls: map[string][]terrain.Solid{"Vale": box}}
	if !w.canWalk(geom.Vec{}, geom.Vec{X: 30}) {
		t.Error("it knows walls before it is in an area")
	}
	w.area, w.here = "Vale", w.walls["Vale"]
	if w.canWalk(geom.Vec{}, geom.Vec{X: 30}) {
		t.Error("a line through a solid is free")
	}
}
