package oneworld

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// One wall stops everybody, each by the rule of his own door: a path ends at it, an input leads no farther, a claim
// beyond it is held with that reason, and so it is seen by the others. An NPC does not walk through it either. The wall is
// so long that nobody could have gone around it meanwhile.
func TestOneWallStopsEverybody(t *testing.T) {
	overAllLines(t, theTestWorld, func(t *testing.T, r *rig) {
		var seats []seat
		for i, door := range doors {
			seats = append(seats, seat{door: door, name: "Walk" + door[:2], area: "Yard", at: geom.Vec{X: 3.5, Z: float32(14*i) - 10.5}})
		}
		all := r.join(seats...)
		r.agree(t, "Yard", all, all)
		id, def := r.area("Yard")
		wall := geom.Vec{X: 28} // its western face
		for _, p := range all {
			p.goes(geom.Vec{X: 59.5, Z: p.at().Z})
		}
		claims := all[0]
		soon(t, "the claim is held", func() bool {
			return len(r.truth.told(func(d *deed) bool {
				return d.Kind == sim.EventHeld && d.Reason == reason.Blocked && d.by == claims.name
			})) > 0
		})
		for _, p := range all {
			soon(t, p.name+" comes to the wall", func() bool { return wall.X-p.at().X < 7 })
		}
		within(time.Second, func() bool { return false }) // in which they would be beyond it
		for _, p := range all {
			p.halt()
			if d := wall.X - p.at().X; d < 0 || d > 7 {
				t.Errorf("%s stands %.2f units from the wall", p.name, d)
			}
		}
		for _, m := range r.truth.since(id, time.Time{}) {
			for i := range m.actors {
				if a := &m.actors[i]; a.Pos.X > 28.01 && a.Pos.X < 34.99 && flat(a.Pos, geom.Vec{}) < 600 {
					t.Fatalf("%s is in the wall in tick %d: %v, among blocks %v", a.Body.Name, m.tick, a.Pos, def.BlockGrid.ToBlocks(a.Pos))
				}
			}
		}
		r.agree(t, "Yard", all, all)
		honest(t, all[1:]...)
	})
}
