package cluster

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// brittleGame are rules with a command that panics. They also panic in each tick in which the player bad is in the area. If lingering
// is set, they panic in a tick only if that player has no connection.
type brittleGame struct {
	bad       sim.EntityID
	lingering bool
}

func (*brittleGame) Command(*sim.Hand, sim.EntityID, *sim.Command) { panic("no such spell") }

func (b *brittleGame) Tick(h *sim.Hand) {
	for who := range h.Players() {
		if x, _ := h.Actor(who); who == b.bad && (x.Lingering || !b.lingering) {
			panic("no such buff")
		}
	}
}

// world returns a world with the rules b.
func (b *brittleGame) world() *sim.World {
	def := fields(2)
	def.Schema.Commands = []sim.GameCommand{{Name: "crash"}}
	def.Game = b
	return def
}

// brittle returns a group as lone does, in a world with the rules b, and a player who is in its area.
func brittle(t *testing.T, b *brittleGame, d *disk) (g *group, resident sim.EntityID) {
	def := b.world()
	g = loneIn(t, def, d, 1)
	resident = sim.PlayerID(1, 100)
	g.submit(t, sim.Intent{Kind: sim.IntentJoin, Who: resident, Join: &sim.Join{
		Character: &sim.Character{ID: 100, Name: "Resident", Template: 2, Level: 1, Attr: def.Template(2).Attr}, Portal: -1, Pos: geom.Vec{X: 20}, Login: true,
	}})
	for range 3 {
		if f := g.step(t); f.Find(resident) != nil {
			return g, resident
		}
	}
	t.Fatal("the player has not entered")
	return nil, 0
}

func (g *group) submit(t *testing.T, in sim.Intent) {
	in.AtMS = g.host.NowMS()
	if err := g.host.Submit(g.area, in); err != nil {
		t.Fatal(err)
	}
}

// skip makes a player give the command that panics, and lets the group skip the batch.
func (g *group) skip(t *testing.T, who sim.EntityID) {
	g.submit(t, sim.Intent{Kind: sim.IntentCommand, Who: who})
	for range 3 {
		if g.step(t) == nil {
			return
		}
	}
	t.Fatal("no batch was skipped")
}

// A player arrives in a batch that is skipped, and the next player is queued behind it. If the leader counted them as arrived, it
// would refuse all players from that area until another node leads.
func TestPlayersWhoseArrivalBatchIsSkippedArriveLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, resident := brittle(t, &brittleGame{}, new(disk))
		first, second := g.arrivalOf(sim.PlayerID(1, 2), 1), g.arrivalOf(sim.PlayerID(1, 3), 2)
		g.takeArrival(first)
		g.skip(t, resident)
		if g.state.Arrived(0) != 0 {
			t.Fatal("the skipped batch had no arrival")
		}
		var f *sim.Frame
		for range 10 { // area 0 sends both players again every 300 ms
			g.takeArrival(first)
			g.takeArrival(second)
			f = g.step(t)
			for _, e := range f.Events {
				if e.Kind == sim.EventRefused {
					t.Errorf("player %d is refused: %v", e.Who, e.Reason)
				}
			}
		}
		if g.state.Arrived(0) != 2 || f.Find(first.join.Who) == nil || f.Find(second.join.Who) == nil {
			t.Errorf("%d players have arrived, want 2", g.state.Arrived(0))
		}
	})
}

func TestArrivalThatMakesTicksPanicIsRetriedWithBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := &brittleGame{bad: sim.PlayerID(1, 2)}
		g, resident := brittle(t, rules, new(disk))
		var log bytes.Buffer
		g.host.log = slog.New(slog.NewTextHandler(&log, nil))
		came := g.arrivalOf(rules.bad, 1)
		skipped := 0
		run := func(d time.Duration) (arrived bool) {
			for end := time.Now().Add(d); time.Now().Before(end); {
				g.takeArrival(came)
				if f := g.step(t); f == nil {
					skipped++
				} else if f.Find(resident) == nil {
					t.Fatal("the player who was there is not in the area")
				}
			}
			return g.state.Arrived(0) == 1
		}
		if run(time.Minute) || skipped < 5 || skipped > 10 {
			t.Errorf("%d ticks were skipped in a minute, want 5 to 10", skipped)
		}
		if lines := strings.Count(log.String(), "panicked in every tick in which this player arrived"); lines != skipped-logArrivalTries+1 {
			t.Errorf("%d lines after %d skipped ticks:\n%s", lines, skipped, log.String())
		}
		rules.bad = 0
		if !run(maxRetry + time.Second) {
			t.Error("the player does not arrive although its arrival does not panic any more")
		}
	})
}

// restart starts a node again with a new incarnation, and lets it step the batches of its log.
func (b *brittleGame) restart(t *testing.T, d *disk, incarnation uint64, last sim.Tick) *group {
	g := loneIn(t, b.world(), d, incarnation)
	for g.state.Now() < last {
		g.step(t)
	}
	return g
}

// lingers steps the area for the time d, and reports whether the player lingers then, and how many ticks were skipped.
func (g *group) lingers(t *testing.T, who sim.EntityID, d time.Duration) (lingers bool, skipped int) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		if f := g.step(t); f == nil {
			skipped++
		} else {
			lingers = f.Find(who) == nil || f.Find(who).Is(sim.FlagLingering)
		}
	}
	return lingers, skipped
}

// A node starts again, which makes its players linger. The batch with the disconnects is skipped.
func TestPlayersOfDeadNodeLingerAlthoughBatchWithTheirDisconnectsWasSkipped(t *testing.T) {
	for _, leadChanges := range []bool{false, true} { // true: the leader that has skipped the batch no longer leads when the next one is due
		synctest.Test(t, func(t *testing.T) {
			rules, d := &brittleGame{lingering: true}, new(disk)
			g, resident := brittle(t, rules, d)
			last := g.state.Now()
			rules.bad = resident
			g = rules.restart(t, d, 200, last)
			for g.origins[1].gone != 1 {
				g.step(t)
			}
			if g.state.Now() != last {
				t.Fatal("the batch that declares the first incarnation dead was not skipped")
			}
			if leadChanges {
				g.startLeading(time.Now())
			}
			rules.bad = 0
			if lingers, _ := g.lingers(t, resident, time.Second); !lingers {
				t.Error("the player of the dead incarnation counts as connected")
			}
		})
	}
}

func TestDisconnectsThatMakeTicksPanicAreRetriedWithBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules, d := &brittleGame{}, new(disk)
		g, resident := brittle(t, rules, d)
		g = rules.restart(t, d, 200, g.state.Now())
		rules.bad, rules.lingering = resident, true
		if lingers, skipped := g.lingers(t, resident, time.Minute); lingers || skipped < 5 || skipped > 10 {
			t.Errorf("the player lingers %v and %d ticks were skipped in a minute, want 5 to 10", lingers, skipped)
		}
		rules.bad = 0
		if lingers, _ := g.lingers(t, resident, maxRetry+time.Second); !lingers {
			t.Error("the player does not linger although its disconnect does not panic any more")
		}
	})
}

func TestConnectedPlayersStayConnectedAfterSkippedBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, resident := brittle(t, &brittleGame{}, new(disk))
		g.skip(t, resident)
		if lingers, _ := g.lingers(t, resident, time.Second); lingers {
			t.Error("the player has lost its connection")
		}
	})
}
