package crowd

import (
	"math"
	"testing"
)

// The scene follows StinkySteak's published benchmark of Unity's network libraries: no member exceeds 3 blocks per
// second, and members turn back 5 blocks from the middle, so that none goes farther than 10.
func TestWanderersOfStinkySteakBenchmarkKeepSpeedLimitAndStayNearCentre(t *testing.T) {
	scene, ok := Named("stinkysteak")
	if !ok || scene.Members != 100 || scene.Tick != 1./60 {
		t.Fatalf("%+v, %v", scene, ok)
	}
	c := New(scene, 1)
	c.Step()
	farthest, way := 0., 0.
	for range 3000 {
		for i := range c.Members {
			m := &c.Members[i]
			before := vec{m.x, m.y, m.z}
			scene.step(c.rng, m, scene.Tick)
			after := vec{m.x, m.y, m.z}
			step := after.plus(before.times(-1)).length()
			if step > wanderSpeed*scene.Tick+1e-9 {
				t.Fatalf("a step of %v", step)
			}
			way += step
			farthest = max(farthest, math.Sqrt(m.x*m.x+(m.y-wanderMiddle)*(m.y-wanderMiddle)+m.z*m.z))
		}
	}
	if speed := way / (3000 * 100 * scene.Tick); speed < 2 || farthest < wanderRadius || farthest > 2*wanderRadius {
		t.Errorf("mean speed %v, farthest %v from the middle", speed, farthest)
	}
}
