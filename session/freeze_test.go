package session

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store"
)

// mustBeFrozen fails the test unless the hub and the area agree, after three ticks, whether the player of a session is frozen.
func (r *testServer) mustBeFrozen(w *watcher, s *Session, want bool) {
	r.t.Helper()
	w.ticks(3)
	x := w.actors[s.Entity]
	if p, _ := r.Player(s.Entity); p.Frozen != want || x.Is(sim.FlagFrozen) != want {
		r.t.Errorf("frozen: the hub says %v and the area %v, want %v", p.Frozen, x.Is(sim.FlagFrozen), want)
	}
}

// slowFreezes is a store that waits before it stores that a player is frozen, and after it has read an account.
type slowFreezes struct {
	store.Store
	storing, reading time.Duration
}

func (s *slowFreezes) SetFrozen(ctx context.Context, id store.AccountID, frozen bool) error {
	time.Sleep(s.storing)
	return s.Store.SetFrozen(ctx, id, frozen)
}

func (s *slowFreezes) AccountByID(ctx context.Context, id store.AccountID) (*store.Account, error) {
	a, err := s.Store.AccountByID(ctx, id)
	time.Sleep(s.reading)
	return a, err
}

// The last order counts, through whichever node it was given.
func TestFreezeGivenThroughOneNodeHoldsAfterLoginThroughOtherNode(t *testing.T) {
	for _, frozen := range []bool{true, false} {
		withCluster(t, twoFields(), Options{}, func(c *testCluster) {
			a, b := c.nodes[0], c.nodes[1]
			w := a.watch()
			l := a.player("Ada")
			leave := func(s *Session) {
				s.Leave()
				time.Sleep(3 * time.Second) // then the account is released
			}
			s := a.enters(l)
			a.mustBeFrozen(w, s, false)
			a.must(a.Freeze(c.ctx, s.Entity, frozen))
			a.must(a.Freeze(c.ctx, s.Entity, !frozen))
			a.mustBeFrozen(w, s, !frozen)
			leave(s)
			s = b.enters(l)
			b.mustBeFrozen(w, s, !frozen)
			b.must(b.Freeze(c.ctx, s.Entity, frozen))
			b.mustBeFrozen(w, s, frozen)
			leave(s)
			s = a.enters(l)
			a.mustBeFrozen(w, s, frozen)
		})
	}
}

func TestAccountStaysClaimedUntilFreezeOfDepartedPlayerIsStored(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		a, b := c.nodes[0], c.nodes[1]
		a.Hub.store = &slowFreezes{Store: a.disk, storing: 10 * time.Second}
		w := a.watch()
		l := a.player("Ada")
		s := a.enters(l)
		ticks(2)
		frozen := make(chan error, 1)
		go func() { frozen <- a.Freeze(c.ctx, s.Entity, true) }()
		ticks(2)
		s.Leave()
		time.Sleep(5 * time.Second)
		_, err := b.Enter(c.ctx, l, 0)
		b.mustBe(err, ErrOnline)
		a.must(<-frozen)
		time.Sleep(3 * time.Second)
		b.mustBeFrozen(w, b.enters(l), true)
	})
}

// The order is stored after the login has read that the player is not frozen, and before the player enters.
func TestFreezeDuringLoginOfSamePlayerIsNotReplacedByOlderState(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		slow := &slowFreezes{Store: r.disk, storing: 5 * time.Second}
		r.Hub.store = slow
		w := r.watch()
		l := r.player("Ada")
		s := r.enters(l)
		ticks(2)
		frozen := make(chan error, 1)
		go func() { frozen <- r.Freeze(r.ctx, s.Entity, true) }()
		ticks(2)
		s.Leave()
		slow.reading = 10 * time.Second
		s = r.enters(l)
		r.must(<-frozen)
		r.mustBeFrozen(w, s, true)
	})
}

// The node dies after it has stored the order and before the area has it.
func TestFreezeLostWithItsNodeHoldsOnceClientReconnectsThroughOtherNode(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		a, b := c.nodes[0], c.nodes[1]
		w := a.watch()
		l := a.player("Ada")
		s := a.enters(l)
		a.mustBeFrozen(w, s, false)
		a.lose = func(in sim.Intent) bool { return in.Kind == sim.IntentFreeze }
		a.must(a.Freeze(c.ctx, s.Entity, true))
		c.giveUp(0)
		ticks(3)
		again := b.enters(l)
		if again.Entity != s.Entity || !again.Resumed() {
			t.Errorf("entity %d, resumed %v, want the actor %d taken over", again.Entity, again.Resumed(), s.Entity)
		}
		b.mustBeFrozen(w, again, true)
	})
}

// The tick with the order panics, or the order goes to the area that the player has just left for one whose frames the node then misses.
func TestFreezeThatNoAreaHasExecutedIsSentAgainAfterMissedFrames(t *testing.T) {
	for _, frozen := range []bool{true, false} {
		for name, to := range map[string]sim.AreaID{"skipped tick": 0, "arrival in missed frames": 1} {
			withCluster(t, twoFields(), Options{}, func(c *testCluster) {
				n := c.nodes[0]
				w := n.watch()
				s := n.enters(n.player("Ada"))
				n.must(n.Freeze(c.ctx, s.Entity, !frozen))
				n.mustBeFrozen(w, s, !frozen)
				n.answers(nil, 0, sim.IntentFreeze)
				n.must(n.Freeze(c.ctx, s.Entity, frozen))
				if to == 1 {
					n.must(c.world.Submit(0, sim.Intent{Kind: sim.IntentTeleport, Who: s.Entity, To: 1, Join: &sim.Join{Portal: -1, Pos: geom.Vec{X: 50}}}))
				}
				w.ticks(5)
				if x := w.actors[s.Entity]; x.Is(sim.FlagFrozen) == frozen {
					t.Errorf("%s: frozen %v: the order is not lost", name, frozen)
				}
				n.answers(nil, 0)
				n.handleFrame(&sim.Frame{Area: to, Tick: c.world.Stats()[to].Tick, Actors: []sim.ActorState{w.actors[s.Entity]}}, 1)
				n.mustBeFrozen(w, s, frozen)
			})
		}
	}
}

// An operator gives a newer order between two steps of a resend.
func TestResentFreezeDoesNotReplaceNewerOrder(t *testing.T) {
	for name, resend := range map[string]func(n *testNode, w *watcher, s *Session){
		"after missed frames": func(n *testNode, w *watcher, s *Session) {
			n.handleFrame(&sim.Frame{Area: 0, Tick: n.c.world.Stats()[0].Tick, Actors: []sim.ActorState{w.actors[s.Entity]}}, 1)
		},
		"after arrival": func(n *testNode, _ *watcher, s *Session) {
			n.must(n.c.world.Submit(0, sim.Intent{Kind: sim.IntentTeleport, Who: s.Entity, To: 1, Join: &sim.Join{Portal: -1, Pos: geom.Vec{X: 50}}}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			withCluster(t, twoFields(), Options{}, func(c *testCluster) {
				n := c.nodes[0]
				w := n.watch()
				s := n.enters(n.player("Ada"))
				n.mustBeFrozen(w, s, false)
				n.answers(nil, 0, sim.IntentFreeze)
				n.must(n.Freeze(c.ctx, s.Entity, true))
				w.ticks(3)
				n.answers(nil, 0)
				newer := make(chan error, 1)
				var once sync.Once
				c.mu.Lock()
				n.before = func(in sim.Intent) {
					if in.Kind != sim.IntentFreeze || in.Amount != 1 {
						return
					}
					once.Do(func() {
						free := n.mu.TryLock()
						if free {
							n.mu.Unlock()
						}
						done := make(chan struct{})
						go func() {
							defer close(done)
							newer <- n.Freeze(c.ctx, s.Entity, false)
						}()
						if free { // else the order waits for the lock
							<-done
						}
					})
				}
				c.mu.Unlock()
				resend(n, w, s)
				w.ticks(5)
				n.must(<-newer)
				n.mustBeFrozen(w, s, false)
			})
		})
	}
}

func TestFreezeThatMakesTicksPanicIsRetriedWithBackoff(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		w := n.watch()
		s := n.enters(n.player("Ada"))
		n.mustBeFrozen(w, s, false)
		sent, seen := 0, 0
		c.mu.Lock()
		n.lose = func(in sim.Intent) bool {
			if in.Kind == sim.IntentFreeze {
				sent++
			}
			return in.Kind == sim.IntentFreeze
		}
		c.mu.Unlock()
		n.must(n.Freeze(c.ctx, s.Entity, true))
		for range 600 {
			w.ticks(2)
			c.mu.Lock()
			now := sent
			c.mu.Unlock()
			if now > seen {
				seen = now
				n.handleFrame(&sim.Frame{Area: 0, Tick: c.world.Stats()[0].Tick, Actors: []sim.ActorState{{ID: s.Entity}}}, 1)
			}
		}
		if seen < 6 || seen > 10 {
			t.Errorf("the order was sent %d times in a minute, want 6 to 10", seen)
		}
		n.answers(nil, 0)
		time.Sleep(firstResendWait<<maxResendDoubling + 5*time.Second)
		w.ticks(1) // reads the frames that have queued up
		n.mustBeFrozen(w, s, true)
	})
}
