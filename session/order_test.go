package session

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// sends submits a teleport that moves a player to another area in the next tick, as a portal does. The hub learns of the move
// only when it reads the frame of that tick.
func (r *testServer) sends(s *Session, to sim.AreaID) {
	r.t.Helper()
	in := sim.Intent{Kind: sim.IntentTeleport, Who: s.Entity, To: to, Join: &sim.Join{Portal: -1, Pos: geom.Vec{X: 50}}}
	at, ok := r.Player(s.Entity)
	if !ok {
		r.t.Fatal("the player is not in the world")
	}
	r.must(r.world.Submit(at.Area, in))
}

// later starts an operator's call in a goroutine and returns once the call is waiting. The result of the call is sent to answer.
func later(call func() error) (answer chan error) {
	answer = make(chan error, 1)
	go func() { answer <- call() }()
	synctest.Wait()
	return answer
}

// told reads the queued frames of a feed and returns the areas whose frames have an operator message with the given text to a
// player.
func (r *testServer) told(feed *area.Feed, who sim.EntityID, text string) (in []sim.AreaID) {
	for {
		select {
		case p := <-feed.C():
			for _, e := range p.Frame.Events {
				if e.Kind == sim.EventMessage && e.Who == who && e.Text == "[Operator] "+text {
					in = append(in, p.Frame.Area)
				}
			}
			p.Release()
		default:
			return in
		}
	}
}

func TestOperatorMessageReachesPlayerThatChangesAreaInSameTick(t *testing.T) {
	for name, path := range map[string][]sim.AreaID{"there": {1}, "there and back": {1, 0}, "there, back and there": {1, 0, 1}} {
		t.Run(name, func(t *testing.T) {
			withServer(t, Options{}, func(r *testServer) {
				feed := r.world.Subscribe("test", 1024, area.All)
				s := r.enters(r.player("Ada"))
				ticks(2)
				r.sends(s, path[0])
				answer := later(func() error { return r.SendMessage(s.Entity, "hello") })
				for _, to := range path[1:] { // move the player on as soon as it has arrived, before it gets the message
					r.must(r.world.Submit(1-to, sim.Intent{Kind: sim.IntentTeleport, Who: s.Entity, To: to, Join: &sim.Join{Portal: -1, Pos: geom.Vec{X: 50}}}))
					ticks(1)
				}
				r.must(<-answer)
				ticks(5)
				if in := r.told(feed, s.Entity, "hello"); len(in) != 1 {
					t.Errorf("message sent in the areas %v, want one", in)
				}
			})
		})
	}
}

// A portal has moved the player to another area, and the hub has not read the frame of that move yet.
func TestOperatorOrdersReachPlayerThatUsesPortal(t *testing.T) {
	for name, do := range map[string]func(r *testServer, s *Session) error{
		"a message": func(r *testServer, s *Session) error { return r.SendMessage(s.Entity, "hello") },
		"a place":   func(r *testServer, s *Session) error { return r.Teleport(s.Entity, 0, geom.Vec{X: 7, Z: 7}, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			withServer(t, Options{}, func(r *testServer) {
				feed := r.world.Subscribe("test", 1024, area.All)
				s := r.enters(r.player("Ada"))
				ticks(20)
				at := s.Character.Pos
				walk := sim.Intent{Kind: sim.IntentClaim}
				walk.Claim = move.Claim{X: at.X + 44, DestX: 100} // the claimed position is one step before the gate
				r.must(s.Submit(walk))
				answer := r.behind(s, func() error { return do(r, s) })
				r.must(<-answer)
				ticks(3)
				if in := r.told(feed, s.Entity, "hello"); name == "a message" && (len(in) != 1 || in[0] != 1) {
					t.Errorf("message sent in the areas %v, want one", in)
				}
				if p, _ := r.Player(s.Entity); (p.Area == 0) != (name == "a place") {
					t.Errorf("she is in area %d", p.Area)
				}
			})
		})
	}
}

// behind waits for the tick in which a player leaves area 0. It then starts an operator's call, before the hub has read the frame of
// that tick. The caller must call it at the virtual time of a tick.
func (r *testServer) behind(s *Session, call func() error) (answer chan error) {
	r.writer.mu.Lock() // blocks the hub, which stores the record of a departing player before it reads the destination
	time.Sleep(50 * time.Millisecond)
	for r.world.Stats()[0].Players != 0 {
		runtime.Gosched()
	}
	answer = make(chan error, 1)
	go func() { answer <- call() }()
	for given := false; !given; runtime.Gosched() {
		r.mu.Lock()
		given = len(s.presence.orders) > 0
		r.mu.Unlock()
	}
	r.writer.mu.Unlock()
	return answer
}

func TestOperatorTeleportReachesPlayerThatChangesAreaInSameTick(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		w := r.watch()
		s := r.enters(r.player("Ada"))
		w.ticks(2)
		r.sends(s, 1)
		r.must(r.Teleport(s.Entity, 0, geom.Vec{X: 3, Y: 4, Z: 5}, 0))
		w.ticks(3)
		if p, _ := r.Player(s.Entity); p.Area != 0 || w.actors[s.Entity].Pos != (geom.Vec{X: 3, Y: 4, Z: 5}) {
			t.Errorf("she is in area %d at %v", p.Area, w.actors[s.Entity].Pos)
		}
	})
}

// A player that moves to another area in every tick receives every operator message exactly once.
func TestOperatorMessageReachesPlayerChangingAreaExactlyOnce(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		feed := r.world.Subscribe("test", 4096, area.All)
		s := r.enters(r.player("Ada"))
		ticks(2)
		const messages = 40
		answers := make(chan error, messages)
		for i := range messages {
			r.sends(s, sim.AreaID(1-i%2))
			if i%3 == 0 {
				time.Sleep(20 * time.Millisecond)
			}
			go func() { answers <- r.SendMessage(s.Entity, fmt.Sprint("message ", i)) }()
			ticks(1 + i%4)
		}
		heard := map[string]int{}
		for range messages {
			r.must(<-answers)
		}
		ticks(3)
		for len(feed.C()) > 0 {
			p := <-feed.C()
			for _, e := range p.Frame.Events {
				if e.Kind == sim.EventMessage {
					heard[e.Text]++
				}
			}
			p.Release()
		}
		for i := range messages {
			if text := fmt.Sprint("[Operator] message ", i); heard[text] != 1 {
				t.Errorf("%q was heard %d times", text, heard[text])
			}
		}
	})
}

func TestOperatorOrderFailsIfPlayerLeavesInSameTick(t *testing.T) {
	tell := func(r *testServer, id sim.EntityID) error { return r.SendMessage(id, "hello") }
	place := func(r *testServer, id sim.EntityID) error { return r.Teleport(id, 1, geom.Vec{X: 3}, 0) }
	for name, c := range map[string]struct {
		do     func(r *testServer, id sim.EntityID) error
		before bool // true: the order reaches the area before the player's leave
		away   bool // true: the player moves to another area in that tick
		want   error
	}{
		"a message before":             {do: tell, before: true, want: ErrNotInWorld},
		"a message on the way":         {do: tell, before: true, away: true, want: ErrNotInWorld},
		"a teleport before":            {do: place, before: true}, // the record has the position after the teleport
		"a teleport on the way":        {do: place, before: true, away: true, want: ErrNotInWorld},
		"a message after":              {do: tell, want: ErrNotInWorld},
		"a teleport after":             {do: place, want: ErrNotInWorld},
		"a teleport after, on the way": {do: place, away: true, want: ErrNotInWorld},
	} {
		t.Run(name, func(t *testing.T) {
			withServer(t, Options{}, func(r *testServer) {
				l := r.player("Ada")
				s := r.enters(l)
				ticks(2)
				if c.away {
					r.sends(s, 1)
				}
				leave := sim.Intent{Kind: sim.IntentLeave, Who: s.Entity}
				if !c.before {
					r.must(r.world.Submit(0, leave)) // unlike Leave, this does not mark the presence as leaving
				}
				answer := later(func() error { return c.do(r, s.Entity) })
				s.Leave()
				if err := <-answer; !errors.Is(err, c.want) {
					t.Errorf("answered %v", err)
				}
				ticks(3)
				r.mustBe(c.do(r, s.Entity), ErrNotInWorld)
				again := r.enters(l)
				if in := again.Area(); (in == 1) != (c.away || c.want == nil) {
					t.Errorf("the player enters area %d again", in)
				}
			})
		})
	}
}

func TestOperatorTeleportOfDeadPlayerIsRefused(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		w := twoFields()
		w.Areas[0].Waters = []sim.Water{{X: -500, Z: -500, Width: 1000, Depth: 1000, Y: 10, Damage: 1000}}
		r := newTestServer(t, dir, w, Options{})
		defer r.shut()
		s := r.enters(r.player("Ada"))
		ticks(25) // the player drowns within this time
		r.mustBe(r.Teleport(s.Entity, 1, geom.Vec{X: 3}, 0), ErrDead)
		r.must(r.SendMessage(s.Entity, "bad luck"))
	})
}

func TestOperatorOrderTimesOutIfAreaDoesNotAnswer(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		still := area.NewWorld(twoFields(), area.Options{Log: r.log}) // this world is never started
		h := NewHub(still, r.disk, Options{Log: r.log})
		s, err := h.Enter(r.ctx, l, 0)
		r.must(err)
		began := time.Now()
		r.mustBe(h.SendMessage(s.Entity, "hello"), ErrOrderTimeout)
		if took := time.Since(began); took != orderTimeout {
			t.Errorf("it took %v", took)
		}
		answer := later(func() error { return h.SendMessage(s.Entity, "hello") })
		r.must(still.Stop(context.Background())) // the last ticks of the world execute the waiting intents
		r.must(<-answer)
		r.must(h.Close(context.Background()))
	})
}
