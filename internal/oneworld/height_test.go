package oneworld

import (
	"math"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Heights agree: a bird is as high for a client of RealmCrafter and for one of blocks as it is in truth, and who jumps
// among blocks is seen in the air there and seen to jump by a client of RealmCrafter.
func TestHeightsAgree(t *testing.T) {
	overAllLines(t, theTestWorld, func(t *testing.T, r *rig) {
		all := r.join(
			seat{door: rcce, name: "Eyerc", area: "Field", at: geom.Vec{X: -7}},
			seat{door: bedrock, name: "Eyebe", area: "Field", at: geom.Vec{X: 7}},
			seat{door: bedrock, name: "Jumper", area: "Field", at: geom.Vec{X: 14}})
		r.agree(t, "Field", all, all)
		units, blocks, jumper := all[0].client.(*rcceClient), all[1].client.(*bedrockClient), all[2].client.(*bedrockClient)
		id, def := r.area("Field")
		for _, v := range all[:2] {
			seen, low, high := 0, math.Inf(1), math.Inf(-1)
			within(2*time.Second, func() bool {
				s, ok := v.look("Bird")
				if !ok {
					return false
				}
				if v.door == bedrock { // the world's height is that of the lowest block of the ground
					s.at.y = (s.at.y - float64(def.BlockGrid.Origin[1])) * float64(def.BlockGrid.UnitsPerBlock)
				}
				seen, low, high = seen+1, min(low, s.at.y), max(high, s.at.y)
				if !r.flew(id, s.at.y) {
					t.Errorf("%s saw the bird %.3f units high, where it never was", v.name, s.at.y)
					return true
				}
				return false
			})
			if seen == 0 || high-low < 1 || low < 15 {
				t.Errorf("%s saw the bird %d times, between %.1f and %.1f units", v.name, seen, low, high)
			}
		}
		jumper.hop(true)
		soon(t, "the jumper is seen in the air", func() bool {
			s, ok := blocks.look("Jumper")
			return ok && s.at.y > 64.9
		})
		soon(t, "the jumper is seen to jump", func() bool { return units.jumped("Jumper") >= 2 })
		jumper.hop(false)
		soon(t, "he stands again", func() bool { s, ok := blocks.look("Jumper"); return ok && s.at.y == 64 })
		if told, shown := len(r.truth.did(sim.EventJumped, "Jumper", "")), units.jumped("Jumper"); shown > told {
			t.Errorf("%d jumps were shown of %d", shown, told)
		}
		honest(t, all...)
	})
}

// flew reports whether the bird was at that height in the last four seconds.
func (r *rig) flew(area sim.AreaID, y float64) bool {
	for _, m := range r.truth.since(area, time.Now().Add(-4*time.Second)) {
		for i := range m.actors {
			if a := &m.actors[i]; a.Body.Name == "Bird" && math.Abs(float64(a.Pos.Y)-y) < 1e-3 {
				return true
			}
		}
	}
	return false
}
