package cluster

import (
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// BenchmarkSnapshotOfCrowd measures what a snapshot of an area with 5,000 players takes. The goroutine of the area waits for pause on each
// node every 30 s, and for install on a node that was away for long: the snapshot is decoded when it arrives and when it replaces the
// state. Another goroutine encodes it meanwhile. A tick lasts 50 ms.
func BenchmarkSnapshotOfCrowd(b *testing.B) {
	players := 5000
	if testing.Short() { // in short mode the benchmark only checks that it runs
		players = 100
	}
	w := fields(2)
	w.Rules.MaxActors = int32(players) + 100
	g := crowd(b, w, players)
	copied, head := new(sim.Area), g.appendHead(nil)
	g.state.CloneInto(copied)
	data := copied.Snapshot(g.appendHead(nil))
	for _, part := range []struct {
		name string
		run  func()
	}{
		{"pause", func() {
			g.state.CloneInto(copied)
			head = g.appendHead(head[:0])
		}},
		{"encode", func() { data = copied.Snapshot(append(data[:0], head...)) }},
		{"install", func() {
			for range 2 {
				if _, err := parseSnapshot(data, w, len(g.origins)-1); err != nil {
					b.Fatal(err)
				}
			}
		}},
	} {
		b.Run(part.name, func(b *testing.B) {
			for b.Loop() {
				part.run()
			}
			b.ReportMetric(float64(len(data)), "bytes")
		})
	}
}

// crowd returns the copy of an area on the only node of a cluster, with players who are connected through this node.
func crowd(tb testing.TB, w *sim.World, players int) *group {
	g := loneIn(tb, w, new(disk), 1)
	a := sim.NewArea(w, 1, 1)
	for n := range players {
		who := sim.PlayerID(1, uint64(n+10))
		c := &sim.Character{ID: sim.CharacterID(n + 1), Name: fmt.Sprint("Player ", n), Template: 2, Level: 1, Attr: w.Template(2).Attr, Area: w.Areas[1].Name}
		c.Inventory[sim.SlotBackpack] = sim.ItemStack{Item: 1, Amount: 3, Health: 100}
		pos := geom.Vec{X: float32(n % 70), Z: float32(n / 70)}
		a.Recycle(a.Step([]sim.Intent{{Kind: sim.IntentJoin, Who: who, Join: &sim.Join{Character: c, Portal: -1, Pos: pos, Login: true}}}))
		g.homes[who] = mark{node: 1, incarnation: 1}
	}
	g.setState(a)
	n := 0
	if a.Players(func(sim.EntityID, sim.CharacterID) { n++ }); n != players {
		tb.Fatalf("%d of %d players are in the area", n, players)
	}
	return g
}
