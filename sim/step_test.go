package sim

import (
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// claimingCrowd returns an area full of players, and one walking claim of each player for a tick.
func claimingCrowd(n int) (*Area, []Intent) {
	w := testWorld()
	a := NewArea(w, 0, 1)
	var joins []Intent
	for i := range n {
		joins = append(joins, joinAt(w, EntityID(i+1), geom.Vec{X: float32(i%100) * 50, Z: float32(i/100) * 50}))
	}
	a.Recycle(a.Step(joins))
	for _, x := range a.actors {
		x.saveTick = 1 << 40 // no autosave: it allocates a record and is not part of a steady tick
	}
	claims := make([]Intent, n)
	for i := range claims {
		claims[i] = Intent{Kind: IntentClaim, Who: EntityID(i + 1)}
	}
	for range 20 { // run until claims after the warp are no longer ignored
		a.Recycle(a.Step(nil))
	}
	return a, claims
}

// pace moves the position in every claim forward by one tick of walking.
func pace(a *Area, claims []Intent, tick int) {
	for i := range claims {
		at := a.byID[claims[i].Who].pos
		claims[i].AtMS = int64(tick) * 50
		claims[i].Claim = move.Claim{X: at.X + 1, Y: at.Y, Z: at.Z, DestX: at.X + 20, DestZ: at.Z}
	}
}

func TestTickOfWalkingCrowdDoesNotAllocate(t *testing.T) {
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

// fightingCrowd returns an area in which all players fight. Each player has a pet and attacks the cow beside it, and
// hostile NPCs look for enemies. The cows do not die.
func fightingCrowd(n int) (*Area, []Intent) {
	w := testWorld()
	w.Rules.Combat.DelayMS = 1000
	w.Template(tmplCow).Attr[attrHealth].Max, w.Template(tmplCow).Attr[attrHealth].Value = 1<<30, 1<<30
	w.Template(tmplWolf).SightRange = 60
	a := NewArea(w, 0, 1)
	var joins, attacks []Intent
	for i := range n / 4 {
		in := joinAt(w, EntityID(i+1), geom.Vec{X: float32(i%40) * 50, Z: float32(i/40)*50 + 2000})
		in.Join.Pets = []Pet{{Template: tmplDog}}
		joins = append(joins, in)
	}
	a.Recycle(a.Step(joins))
	for _, in := range joins {
		cow, wolf := npc(a, tmplCow, in.Join.Pos), npc(a, tmplWolf, in.Join.Pos.Add(geom.Vec{X: 25}))
		wolf.ratings = w.Factions[1].Ratings // makes the wolf's scans find no enemy
		for i := range wolf.ratings {
			wolf.ratings[i] = 200
		}
		attacks = append(attacks, Intent{Kind: IntentAttack, Who: in.Who, Target: cow.id})
		a.find(in.Who).saveTick = 1 << 40
	}
	return a, attacks
}

func BenchmarkStepFighting(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		b.Run(fmt.Sprintf("entities=%d", n), func(b *testing.B) {
			a, attacks := fightingCrowd(n)
			tick := 0
			b.ReportAllocs()
			for b.Loop() {
				share := len(attacks) / 20 // each actor attacks once per second
				from := tick % 20 * share
				tick++
				a.Recycle(a.Step(attacks[from : from+share]))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/entity")
		})
	}
}
