package sim

import (
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// claimingCrowd is an area full of players and the claims with which all of them walk about in one tick.
func claimingCrowd(n int) (*Area, []Intent) {
	w := testWorld()
	a := NewArea(w, 0, 1)
	var joins []Intent
	for i := range n {
		joins = append(joins, joinAt(w, EntityID(i+1), geom.Vec{X: float32(i%100) * 50, Z: float32(i/100) * 50}))
	}
	a.Recycle(a.Step(joins))
	for _, x := range a.actors {
		x.saveTick = 1 << 40 // records are made anew, and are no part of a steady tick
	}
	claims := make([]Intent, n)
	for i := range claims {
		claims[i] = Intent{Kind: IntentClaim, Who: EntityID(i + 1)}
	}
	for range 20 { // past the time in which claims after a warp are dropped
		a.Recycle(a.Step(nil))
	}
	return a, claims
}

// pace moves every claim on by one tick's way.
func pace(a *Area, claims []Intent, tick int) {
	for i := range claims {
		at := a.byID[claims[i].Who].pos
		claims[i].AtMS = int64(tick) * 50
		claims[i].Claim = move.Claim{X: at.X + 1, Y: at.Y, Z: at.Z, DestX: at.X + 20, DestZ: at.Z}
	}
}

func TestSteadyTickAllocatesNothing(t *testing.T) {
	a, claims := claimingCrowd(200)
	tick := 30
	step := func() {
		pace(a, claims, tick)
		tick++
		a.Recycle(a.Step(claims))
	}
	for range 10 {
		step()
	}
	if n := testing.AllocsPerRun(100, step); n > 0 {
		t.Errorf("a steady tick of 200 claiming players allocates %v times, want 0", n)
	}
}

func BenchmarkStep(b *testing.B) {
	for _, n := range []int{500, 5000} {
		b.Run(fmt.Sprintf("claiming=%d", n), func(b *testing.B) {
			a, claims := claimingCrowd(n)
			tick := 30
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				pace(a, claims, tick)
				tick++
				b.StartTimer()
				a.Recycle(a.Step(claims))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/actor")
		})
	}
}
