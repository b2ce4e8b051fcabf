package rs

import (
	"testing"

	"github.com/truestep-io/truestep/internal/race"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// checkViews fails the test if the actors that the clients decoded differ from the actors of the last frame.
func (s *manualWorker) checkViews(t *testing.T) {
	t.Helper()
	for p, c := range s.clients {
		if c.err != nil || c.view == nil {
			t.Fatalf("viewer %s: %v", c.name, c.err)
		}
		shown := 0
		for k, row := range p.shownRows {
			a := s.frame.Find(p.shownIDs[k])
			i := p.viewer.Index(int(row))
			if i == 0 || !p.viewer.IsLocal(i) {
				continue // the actor is added by a later packet, because its appearance did not fit into this one
			}
			shown++
			if at, ok := c.view.Local(i); !ok || at.X != a.Tile.X || at.Z != a.Tile.Z {
				t.Errorf("viewer %s sees %s at %v (%v), want %v", c.name, a.Body.Name, at, ok, a.Tile)
			}
			if got := c.nameOf(i); got != a.Body.Name {
				t.Errorf("viewer %s sees %s with the name %s", c.name, a.Body.Name, got)
			}
		}
		if got := c.view.LocalCount(); got != shown {
			t.Errorf("viewer %s sees %d, was shown %d", c.name, got, shown)
		}
	}
}

// A viewer has 2,046 indices for other players. Even if more actors come into view over time, no error occurs, and at most
// 250 are shown at a time. From about the 25th cycle on, new actors get indices that other actors had before.
func TestViewerAmongThreeThousandActorsIsShownAtMost250(t *testing.T) {
	s := newManualWorker(t, 2, 3000, 40, true)
	most := 0
	for cycle := range 40 {
		s.moveActors()
		for k := range 2 { // the viewers teleport in one cycle and stand still in the next
			if cycle > 32 {
				break
			}
			s.frame.Actors[k].Tile = move.Tile{X: s.base + uint16((cycle*2+10*k)%40), Z: s.base + uint16((cycle*3+10*k)%40)}
			s.frame.Actors[k].Gait = move.GaitTeleport
		}
		s.sendCycle()
		s.checkViews(t)
		for _, c := range s.clients {
			most = max(most, c.view.LocalCount())
		}
		if t.Failed() {
			t.Fatalf("in cycle %d", cycle)
		}
	}
	if most != 250 {
		t.Errorf("at most %d actors are shown, want 250", most)
	}
	for p, c := range s.clients {
		met := 0
		for i := proto.Index(1); i <= proto.MaxIndex; i++ {
			if c.view.Appearance(i) != nil {
				met++
			}
		}
		if met < 2046 || p.viewer.Stats().PendingAdds > 0 {
			t.Errorf("viewer %s has seen %d actors, %d adds are pending", c.name, met, p.viewer.Stats().PendingAdds)
		}
	}
}

// A viewer's target and attackers are shown even if the area is crowded.
func TestTargetAndAttackerOfViewerAreShownInCrowd(t *testing.T) {
	s := newManualWorker(t, 2, 400, 5, true)
	viewerState, attackerState, targetState := s.frame.Find(1), s.frame.Find(402), s.frame.Find(401)
	at := func(a *sim.ActorState, dx, dz uint16) { a.Tile = move.Tile{X: s.base + 2 + dx, Z: s.base + 2 + dz} }
	at(viewerState, 0, 0)
	at(s.frame.Find(2), 0, 0)
	at(attackerState, 14, 14)
	at(targetState, 14, 13)
	s.frame.Tick += s.w.cycleTicks
	s.sendCycle()
	sees := func(viewer, who sim.EntityID) bool {
		for p := range s.clients {
			if p.session.Entity == viewer {
				row := s.w.actors.rowOf(who)
				i := p.viewer.Index(int(row))
				return i != 0 && p.viewer.IsLocal(i)
			}
		}
		return false
	}
	if sees(1, 402) || sees(1, 401) {
		t.Fatal("target and attacker are shown without a relation")
	}
	attackerState.Target, viewerState.Target = 1, 401
	for range 3 {
		s.frame.Tick += s.w.cycleTicks
		s.sendCycle()
		s.checkViews(t)
	}
	if !sees(1, 402) || !sees(1, 401) {
		t.Errorf("shown: attacker %v, target %v", sees(1, 402), sees(1, 401))
	}
	if sees(2, 402) || sees(2, 401) {
		t.Error("they are shown to an unrelated viewer too")
	}
	for _, word := range s.w.priorityRows {
		if word != 0 {
			t.Error("a priority row is still set after the cycle")
		}
	}
}

func TestActorsBeyondMaximumOfActorTableAreNotDisplayed(t *testing.T) {
	s := newManualWorker(t, 1, maxRows, 400, true)
	s.checkViews(t)
	if n := s.w.g.door.Bad.With("crowd_full").Load(); n == 0 {
		t.Error("no actor was counted as crowd_full")
	}
	last := s.frame.Actors
	s.frame.Actors = last[:100] // most actors are removed
	for range 2 {
		s.frame.Tick += s.w.cycleTicks
		s.sendCycle()
		s.checkViews(t)
	}
	if n := s.w.actors.freeRows.n; n != len(s.w.actors.rowStates)-100 {
		t.Errorf("%d rows are free of %d", n, len(s.w.actors.rowStates))
	}
}

// Of the free rows of the actor table, the one that has been free for the longest time is used first.
func TestActorTableRowFreedFirstIsReusedFirst(t *testing.T) {
	q := rowQueue{rows: make([]int32, 3)}
	for row := range int32(3) {
		q.push(row)
	}
	for _, want := range []int32{0, 1, 2, -1} {
		if got := q.pop(); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
	q.push(2)
	q.push(0)
	if a, b, c := q.pop(), q.pop(), q.pop(); a != 2 || b != 0 || c != -1 {
		t.Errorf("got %d, %d, %d", a, b, c)
	}
}

func TestSendingUpdatesOfOneCycleAllocatesAtMostFiveTimes(t *testing.T) {
	viewers := 100
	if race.Enabled {
		viewers = 30
	}
	s := newManualWorker(t, viewers, 200, 40, false)
	walk := func() {
		s.moveActors()
		s.frame.Events = s.frame.Events[:0]
		s.sendCycle()
	}
	for range 60 {
		walk()
	}
	if n := testing.AllocsPerRun(20, walk); n > 5 {
		t.Errorf("%v allocations in a cycle of %d viewers", n, viewers)
	}
}
