package oneworld

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// A wall stops players of every door by the movement authority of that door: a path ends at the wall, predicted movement is
// blocked by it, and a claim beyond it is rejected. Other clients show the stopped player, and NPCs do not walk through the wall
// either. The wall is too long to walk around it during the test.
func TestWallStopsPlayersOfEveryProtocol(t *testing.T) {
	overAllLines(t, newTestWorld, func(t *testing.T, r *rig) {
		var entrants []entrant
		for i, door := range doors {
			entrants = append(entrants, entrant{door: door, name: "Walk" + door[:2], area: "Yard", at: geom.Vec{X: 3.5, Z: float32(14*i) - 10.5}})
		}
		all := r.join(entrants...)
		r.waitForPositions(t, "Yard", all, all)
		id, def := r.area("Yard")
		wall := geom.Vec{X: 28} // position of the wall's west side
		for _, p := range all {
			p.walkTo(geom.Vec{X: 59.5, Z: p.pos().Z})
		}
		claims := all[0]
		waitFor(t, "the claim is held", func() bool {
			return len(r.truth.events(func(d *savedEvent) bool {
				return d.Kind == sim.EventHeld && d.Reason == reason.Blocked && d.by == claims.name
			})) > 0
		})
		for _, p := range all {
			waitFor(t, p.name+" reaches the wall", func() bool { return wall.X-p.pos().X < 7 })
		}
		time.Sleep(time.Second) // long enough to pass the wall if it did not stop the player
		for _, p := range all {
			p.halt()
			if d := wall.X - p.pos().X; d < 0 || d > 7 {
				t.Errorf("%s stands %.2f units from the wall", p.name, d)
			}
		}
		for _, m := range r.truth.since(id, time.Time{}) {
			for i := range m.actors {
				if a := &m.actors[i]; a.Pos.X > 28.01 && a.Pos.X < 34.99 && distance(a.Pos, geom.Vec{}) < 600 {
					t.Fatalf("%s is in the wall in tick %d: %v, among blocks %v", a.Body.Name, m.tick, a.Pos, def.BlockGrid.ToBlocks(a.Pos))
				}
			}
		}
		r.waitForPositions(t, "Yard", all, all)
		checkHonest(t, all[1:]...)
	})
}
