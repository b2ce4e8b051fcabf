package cluster

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/sim"
)

// newLeader returns the copy of area 0 on the only node of a cluster. The node leads the area. The area is not started, so that nothing
// happens except what the test calls.
func newLeader(t *testing.T) *group {
	t.Helper()
	h, err := New(Options{
		World: fields(1), Seed: 1, Nodes: []link.Node{{ID: 1, Name: "n1"}}, Self: 1, Incarnation: 1,
		Open: func(sim.AreaID) (Kept, error) { return Kept{File: &disk{}}, nil },
		Area: area.Options{Log: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		t.Fatal(err)
	}
	g := h.groups[0]
	for range 10 * silenceTicks {
		g.rep.Tick()
		if err := g.advance(); err != nil {
			t.Fatal(err)
		}
	}
	if !g.rep.IsLeader() {
		t.Fatal("the only node does not lead the area")
	}
	return g
}

// say submits lines of a player.
func say(t *testing.T, g *group, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := g.host.Submit(0, sim.Intent{Kind: sim.IntentChat, Who: sim.PlayerID(1, 7), Text: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
}

// A timer wakes the leader some microseconds late or early, so less than a tick period may lie between two batches.
func TestEachBatchOfLeaderHasIntentsOfOneRound(t *testing.T) {
	g := newLeader(t)
	began := time.Now()
	say(t, g, 0, 5*area.MaxIntentsTick)
	for i, at := range []time.Duration{300 * time.Microsecond, 50_100 * time.Microsecond, 100_200 * time.Microsecond} {
		if i > 0 { // on the leader neither flush nor barrier takes intents from the inbox
			g.out.flush(g, began.Add(at-10*time.Millisecond))
			g.out.barrier(g, make(chan sim.Tick, 1))
		}
		g.seal(began.Add(at))
		if err := g.advance(); err != nil {
			t.Fatal(err)
		}
		in, ok, err := g.nextAgreed()
		if !ok || err != nil || len(in.Intents) != area.MaxIntentsTick {
			t.Errorf("batch %d has %d intents, want %d; %t, %v", i, len(in.Intents), area.MaxIntentsTick, ok, err)
		}
		g.lead.due = began // reset by hand, because Stepped is not called here and the state does not change
	}
}

// A follower sends chunks with the period of the leader's batches, although it checks only about every 10 ms whether one is due.
func TestRoundsOfFollowerBeginOncePerTickPeriod(t *testing.T) {
	const period = 50 * time.Millisecond
	now, rounds := time.Now(), 0
	s := sender{roundAt: now}
	rest := func(d, every time.Duration) (rounds int) {
		for end := now.Add(d); now.Before(end); now = now.Add(every) {
			if s.beginsRound(now, period) {
				rounds++
			}
		}
		return rounds
	}
	if rounds = rest(10*time.Second, 10_300*time.Microsecond); rounds < 199 || rounds > 200 {
		t.Errorf("%d rounds begin in 10 s, want 200", rounds)
	}
	now = now.Add(time.Second)
	if rounds = rest(period-time.Millisecond, time.Millisecond); rounds != 2 {
		t.Errorf("after a pause %d rounds begin in a tick period, want 2", rounds)
	}
	if rounds = rest(4*period, time.Millisecond); rounds != 4 {
		t.Errorf("then %d rounds begin in 4 tick periods", rounds)
	}
}
