package oneworld

import (
	"math"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// RealmCrafter and Bedrock clients are shown a flying NPC at a height at which it was on the server. If a Bedrock player
// jumps, Bedrock clients are shown it in the air, and RealmCrafter clients are shown its jump.
func TestRealmCrafterAndBedrockClientsSeeActorHeightsOfServer(t *testing.T) {
	overAllLines(t, newTestWorld, func(t *testing.T, r *rig) {
		all := r.join(
			entrant{door: rcce, name: "Eyerc", area: "Field", at: geom.Vec{X: -7}},
			entrant{door: bedrock, name: "Eyebe", area: "Field", at: geom.Vec{X: 7}},
			entrant{door: bedrock, name: "Jumper", area: "Field", at: geom.Vec{X: 14}})
		r.waitForPositions(t, "Field", all, all)
		units, blocks, jumper := all[0].client.(*rcceClient), all[1].client.(*bedrockClient), all[2].client.(*bedrockClient)
		id, def := r.area("Field")
		for _, v := range all[:2] {
			seen, low, high := 0, math.Inf(1), math.Inf(-1)
			happensWithin(2*time.Second, func() bool {
				s, ok := v.actor("Bird")
				if !ok {
					return false
				}
				if v.door == bedrock { // Bedrock heights are in blocks: convert to world units above the ground
					s.at.y = (s.at.y - float64(def.BlockGrid.Origin[1])) * float64(def.BlockGrid.UnitsPerBlock)
				}
				seen, low, high = seen+1, min(low, s.at.y), max(high, s.at.y)
				if !r.birdWasAt(id, s.at.y) {
					t.Errorf("%s was shown the bird at a height of %.3f units, where it never was", v.name, s.at.y)
					return true
				}
				return false
			})
			if seen == 0 || high-low < 1 || low < 15 {
				t.Errorf("%s was shown the bird %d times, between %.1f and %.1f units", v.name, seen, low, high)
			}
		}
		jumper.holdJump(true)
		waitFor(t, "the jumper is seen in the air", func() bool {
			s, ok := blocks.actor("Jumper")
			return ok && s.at.y > 64.9
		})
		waitFor(t, "jumps are shown", func() bool { return units.jumpsSeen("Jumper") >= 2 })
		jumper.holdJump(false)
		waitFor(t, "the jumper is seen on the ground", func() bool { s, ok := blocks.actor("Jumper"); return ok && s.at.y == 64 })
		if told, shown := len(r.truth.eventsOf(sim.EventJumped, "Jumper", "")), units.jumpsSeen("Jumper"); shown > told {
			t.Errorf("RealmCrafter clients were sent %d jumps, want %d", shown, told)
		}
		checkHonest(t, all...)
	})
}

// birdWasAt reports whether the flying NPC was at height y in the last four seconds.
func (r *rig) birdWasAt(area sim.AreaID, y float64) bool {
	for _, m := range r.truth.since(area, time.Now().Add(-4*time.Second)) {
		for i := range m.actors {
			if a := &m.actors[i]; a.Body.Name == "Bird" && math.Abs(float64(a.Pos.Y)-y) < 1e-3 {
				return true
			}
		}
	}
	return false
}
