package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// lakeIn returns the world of wallIn with a lake, which is 20 units deep and reaches from -100 to 100 on both axes.
func lakeIn(t testing.TB, solids ...terrain.Solid) *World {
	t.Helper()
	w := wallIn(t, testWorld(), solids...)
	w.Areas[0].Waters = append(w.Areas[0].Waters, Water{X: -100, Z: -100, Width: 200, Depth: 200, Y: 20})
	return w
}

func TestSwimmerReachesTargetsAndItemsOverSubmergedWall(t *testing.T) {
	s := newStage(t, lakeIn(t, block(10, -80, 11, 80)))
	x, cow := s.player(1, geom.Vec{}), s.npc(tmplCow, geom.Vec{X: 12})
	x.place(geom.Vec{X: 9}, 0)
	s.expectRefusal(reason.Covered, attackIntent(x, cow))
	s.expectRefusal(reason.Covered, pickUpIntent(x, s.dropAt(geom.Vec{X: 12}), bag))
	x.place(geom.Vec{X: 9, Y: 18}, 0)
	if at := (geom.Vec{X: 12, Y: 18}); !s.a.lineOfSightBetween(x.pos, at, false, false) {
		t.Error("swimmer beyond a submerged wall is not in reach")
	}
	s.expectEvent(EventPickedUp, pickUpIntent(x, s.dropAt(geom.Vec{X: 12, Y: 18}), bag))
}
