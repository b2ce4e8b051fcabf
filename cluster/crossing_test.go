package cluster

import (
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// noLinks are the links of a node that is alone.
type noLinks struct{}

func (noLinks) Send(uint64, byte, []byte) bool { return false }
func (noLinks) OffsetMS(uint64) int64          { return 0 }

// lone starts a cluster of one node, which continues from the disk d, and returns its copy of area 1.
func lone(t testing.TB, d *disk, incarnation uint64) *group {
	return loneIn(t, fields(2), d, incarnation)
}

// loneIn does the same as lone, with the world def, which has two areas.
func loneIn(t testing.TB, def *sim.World, d *disk, incarnation uint64) *group {
	h, err := New(Options{
		World: def, Seed: 1, Nodes: []link.Node{{ID: 1, Name: "n1"}}, Self: 1, Links: noLinks{}, Incarnation: incarnation,
		Open: func(a sim.AreaID) (Kept, error) {
			if a == 0 {
				return Kept{File: new(disk)}, nil
			}
			return Kept{d.state, d.snapshot, slices.Clone(d.entries), d, false}, nil
		},
		Area: area.Options{Log: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h.groups[1]
}

// step lets the group work until it has stepped a batch, and returns the frame, or nil if the step panicked.
func (g *group) step(t *testing.T) *sim.Frame {
	for range 100 {
		g.catchUp(time.Now())
		g.onTime(time.Now())
		in, ok, err := g.proceed()
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			return g.stepOrSkip(t, in.Intents)
		}
		time.Sleep(tickEvery)
	}
	t.Fatal("no batch in a second")
	return nil
}

// arrivalOf returns an arrival from area 0: the entity id of the player is who, and the number of the arrival is seq.
func (g *group) arrivalOf(who sim.EntityID, seq uint64) arrival {
	return arrival{join: sim.Intent{Kind: sim.IntentJoin, Who: who, Join: &sim.Join{
		Character: &sim.Character{ID: sim.CharacterID(seq), Name: fmt.Sprint("P", seq), Template: 2, Level: 1, Attr: g.host.opt.World.Template(2).Attr},
		Portal:    -1, Pos: geom.Vec{X: float32(seq)}, From: 0, Seq: seq,
	}}}
}

// stepOrSkip steps a batch as an area does: if the step panics, it restores the state before the batch and returns nil.
func (g *group) stepOrSkip(t *testing.T, batch []sim.Intent) (f *sim.Frame) {
	defer func() {
		if recover() == nil {
			return
		}
		if _, err := g.Restore(); err != nil {
			t.Fatal(err)
		}
	}()
	a := g.state
	f = a.Step(batch)
	g.Stepped(a, f)
	return f
}

// A new leader that has not stepped all batches of its log does not know yet which players have arrived. If it treated a player that
// is sent again as a new arrival, it would replace the current connection of the player by the earlier one, which is lost.
func TestTransferResentToNewLeaderKeepsConnectionOfPlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := new(disk)
		g := lone(t, d, 1)
		g.step(t)
		who := sim.PlayerID(1, 2)
		came := g.arrivalOf(who, 1)
		came.homes = []home{{who, mark{node: 1, incarnation: 1}}}
		g.takeArrival(came)
		g.step(t)
		g = lone(t, d, 5) // the node starts again, and the client resumes through its new incarnation
		for g.state.Now() < 2 {
			g.step(t)
		}
		f := g.step(t)
		_ = g.host.Submit(1, sim.Intent{Kind: sim.IntentResume, Who: who, AtMS: g.host.NowMS(), Join: &sim.Join{Portal: -1}})
		for i := 0; i < 5 && (f.Find(who) == nil || f.Find(who).Is(sim.FlagLingering)); i++ {
			f = g.step(t)
		}
		if x := f.Find(who); x == nil || x.Is(sim.FlagLingering) || g.homes[who].incarnation != 5 {
			t.Fatalf("the player has not resumed: %+v, %+v", x, g.homes)
		}
		last := g.state.Now()
		g = lone(t, d, 6) // the node starts again and leads; then area 0 sends the player again
		if g.step(t); g.state.Now() >= last || !g.rep.IsLeader() {
			t.Fatalf("after %d of %d ticks the node leads: %t", g.state.Now(), last, g.rep.IsLeader())
		}
		g.takeArrival(came)
		for g.state.Now() < last+3 {
			f = g.step(t)
			if x := f.Find(who); f.Tick > last && x != nil && g.homes[who].incarnation != 5 {
				t.Fatalf("after tick %d the player's connection is %+v", f.Tick, g.homes[who])
			}
		}
		if g.state.Arrived(0) != 1 {
			t.Errorf("%d players have arrived, want 1", g.state.Arrived(0))
		}
	})
}
