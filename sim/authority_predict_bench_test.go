package sim

import (
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// village is ground with many walls and slabs to walk into.
func village(b *testing.B) *terrain.Blocks {
	spec := terrain.BlocksSpec{Grid: terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}}, Level: 64,
		Surface: terrain.GrassBlock, Filler: terrain.Dirt}
	for x := int32(-128); x < 128; x += 5 {
		for z := int32(-128); z < 128; z += 4 {
			block := terrain.Stone
			if (x/5+z/4)%2 == 0 {
				block = terrain.SmoothStoneSlab
			}
			spec.Fills = append(spec.Fills, terrain.BlockFill{Min: [3]int32{x, 64, z}, Max: [3]int32{x + 1, 64, z}, Block: block})
		}
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		b.Fatal(err)
	}
	return blocks
}

// BenchmarkPredict measures 2,000 players under the predict authority: first only the simulation and comparison of their
// inputs, then the whole tick. A tick may take one core 50 ms. "%core" is the share of a core used at 20 ticks per
// second.
func BenchmarkPredict(b *testing.B) {
	for _, ground := range []string{"flat", "village"} {
		for _, what := range []string{"inputs", "tick"} {
			const players = 2000
			b.Run(fmt.Sprintf("%s/%s/players=%d", ground, what, players), func(b *testing.B) {
				benchmarkPredict(b, ground, what, players)
			})
		}
	}
}

func benchmarkPredict(b *testing.B, ground, what string, players int) {
	w := predictWorld()
	if ground == "village" {
		w.Areas[0].Blocks = village(b)
	}
	w.Areas[0].Portals, w.Areas[0].Spawns = nil, nil
	s := &stage{w: w, a: NewArea(w, 0, 1)}
	clients := make([]*predictClient, players)
	joins := make([]Intent, players)
	for i := range joins {
		joins[i] = joinAt(w, EntityID(i+1), geom.Vec{X: float32(i%50)*14 - 350, Z: float32(i/50)*14 - 280})
		joins[i].Join.Authority, joins[i].Join.Login = move.ByInput, true
	}
	if refused := events(s.step(joins...), EventRefused); len(refused) > 0 {
		b.Fatalf("%+v", refused[0])
	}
	for i := range clients {
		x := s.a.find(EntityID(i + 1))
		x.saveTick = 1 << 40
		clients[i] = &predictClient{s: s, x: x, avatar: predictOf(x).Avatar, tick: 100}
	}
	inputs := make([]Intent, players)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		for j, k := range clients {
			k.avatar.Yaw = float32((j*37 + i/40*90) % 360)
			k.tick++
			in := move.Input{Tick: k.tick, Yaw: k.avatar.Yaw, Move: [2]float32{0, 1}, Flags: move.InputUp}
			k.avatar.Step(&in, w.Areas[0].Blocks, &k.scratch)
			in.Pos, in.Delta = k.avatar.Pos, k.avatar.Vel
			inputs[j] = Intent{Kind: IntentInput, Who: k.x.id, Input: in, AtMS: int64(i+1) * 50}
		}
		if what == "tick" {
			s.a.Recycle(s.f)
			b.StartTimer()
			s.f = s.a.Step(inputs)
			continue
		}
		s.a.now++
		s.a.beginFrame()
		b.StartTimer()
		s.a.admit(inputs)
		s.a.simulateInputs()
		b.StopTimer()
		s.a.Recycle(s.a.publish())
		b.StartTimer()
	}
	if n := len(events(s.f, EventCorrected)); n > 0 {
		b.Fatalf("%d corrections", n)
	}
	perTick := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	b.ReportMetric(perTick/float64(players), "ns/input")
	b.ReportMetric(perTick*20/1e9*100, "%core")
}
