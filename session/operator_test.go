package session

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store"
)

// watcher reads the frames of a testServer. It stores the actors of the last frame and the events of all frames.
type watcher struct {
	feed   *area.Feed
	actors map[sim.EntityID]sim.ActorState
	events []sim.Event
}

// watch returns a watcher of the world's frames. It must be called before any player enters the world.
func (r *testServer) watch() *watcher {
	return &watcher{feed: r.world.Subscribe("watch", 1024, area.All), actors: map[sim.EntityID]sim.ActorState{}}
}

// ticks waits for n ticks and reads their frames.
func (w *watcher) ticks(n int) {
	ticks(n)
	for {
		select {
		case p := <-w.feed.C():
			for _, a := range p.Frame.Actors {
				w.actors[a.ID] = a
			}
			w.events = append(w.events, p.Frame.Events...)
			p.Release()
		default:
			return
		}
	}
}

func (w *watcher) told(who sim.EntityID) (texts []string) {
	for _, e := range w.events {
		if e.Kind == sim.EventMessage && e.Who == who {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

func TestHubListsEveryPlayerInWorldWithConnectionStatistics(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		if len(r.Players()) != 0 {
			t.Error("Players is not empty before the first player entered")
		}
		ada, bob := r.enters(r.player("Ada")), r.enters(r.player("Bob"))
		ticks(2)
		ada.Link().BytesIn.Add(7)
		ada.Link().RTT.Store(40)
		list := r.Players()
		if len(list) != 2 || list[0].Entity != ada.Entity || list[1].Entity != bob.Entity {
			t.Fatalf("players %+v", list)
		}
		p := list[0]
		if p.Account != "Ada" || p.Name != "Ada" || p.Door != "rcce" || p.Addr != netip.MustParseAddr("192.0.2.1") || p.Area != 0 || p.Since.IsZero() {
			t.Errorf("Ada is %+v", p)
		}
		if p.Link != (LinkStats{BytesIn: 7, RTT: 40, Loss: -1, InView: -1}) {
			t.Errorf("Ada's link is %+v", p.Link)
		}
		if one, ok := r.Player(bob.Entity); !ok || one.Name != "Bob" {
			t.Errorf("Bob is %+v", one)
		}
		c, err := r.Record(r.ctx, bob.Entity)
		r.must(err)
		if c.Name != "Bob" {
			t.Errorf("Bob's record is of %q", c.Name)
		}
		bob.Leave()
		if _, ok := r.Player(bob.Entity); ok || len(r.Players()) != 1 {
			t.Error("Bob is still in the world after it left")
		}
		_, err = r.Record(r.ctx, bob.Entity)
		r.mustBe(err, ErrNotInWorld)
	})
}

func TestPlayerBannedWhileEnteringIsRemoved(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		v, err := r.reserve(l)
		r.must(err)
		r.must(r.Ban(r.ctx, "Ada", "rude"))
		s, err := r.enter(r.ctx, l, 0, v)
		r.must(err)
		ticks(3)
		select {
		case <-s.Ended():
		default:
			t.Error("the banned player is in the world")
		}
		if s.KickMessage() != "You are banned: rude" || len(r.Players()) != 0 {
			t.Errorf("kick message %q, players %v", s.KickMessage(), r.Players())
		}
	})
}

func TestOperatorOrdersSubmittedBySessionAreRefused(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		for _, kind := range []sim.IntentKind{sim.IntentMessage, sim.IntentTeleport, sim.IntentFreeze} {
			r.mustBe(s.Submit(sim.Intent{Kind: kind, Join: &sim.Join{}, Text: "x", Amount: 1}), ErrInvalid)
		}
	})
}

func TestPlayerReceivesMessageAndTeleportOfOperator(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		w := r.watch()
		s := r.enters(r.player("Ada"))
		w.ticks(2)
		r.must(r.SendMessage(s.Entity, "hello"))
		r.must(r.Teleport(s.Entity, 1, geom.Vec{X: 3, Y: 4, Z: 5}, 0))
		w.ticks(3)
		if got := w.told(s.Entity); len(got) != 1 || !strings.Contains(got[0], "hello") {
			t.Errorf("the player was sent %q", got)
		}
		if at := w.actors[s.Entity].Pos; at != (geom.Vec{X: 3, Y: 4, Z: 5}) {
			t.Errorf("the player is at %v", at)
		}
		if p, _ := r.Player(s.Entity); p.Area != 1 {
			t.Errorf("the player is in area %d", p.Area)
		}
		r.mustBe(r.SendMessage(s.Entity, ""), ErrInvalid)
		r.mustBe(r.SendMessage(s.Entity, "a\nb"), ErrInvalid)
		r.mustBe(r.SendMessage(s.Entity, strings.Repeat("x", 201)), ErrInvalid)
		r.mustBe(r.Teleport(s.Entity, 2, geom.Vec{}, 0), ErrInvalid)
		r.mustBe(r.Teleport(s.Entity, -1, geom.Vec{}, 0), ErrInvalid)
		r.mustBe(r.SendMessage(99, "x"), ErrNotInWorld)
		r.mustBe(r.Teleport(99, 0, geom.Vec{}, 0), ErrNotInWorld)
		r.mustBe(r.Freeze(r.ctx, 99, true), ErrNotInWorld)
		r.mustBe(r.Kick(99, ""), ErrNotInWorld)
	})
}

// A freeze survives portals and logins, even if the order to freeze is submitted while the player goes through a portal.
func TestFrozenPlayerCannotMoveUntilFreezeIsLifted(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		w := r.watch()
		l := r.player("Ada")
		s := r.enters(l)
		r.mustBeFrozen(w, s, false)
		r.sends(s, 1)
		r.must(r.Freeze(r.ctx, s.Entity, true)) // the order reaches the area in the tick in which the player leaves it
		r.mustBeFrozen(w, s, true)
		s.Leave()
		again := r.enters(l)
		r.mustBeFrozen(w, again, true)
		if told := w.told(again.Entity); len(told) != 0 {
			t.Errorf("the player entered, was frozen later, and read %q", told)
		}
		r.sends(again, 0)
		r.must(r.Freeze(r.ctx, again.Entity, false))
		r.mustBeFrozen(w, again, false)
	})
}

func TestFrozenAccountStaysFrozenAfterServerRestart(t *testing.T) {
	dir := emptystore.Dir(t)
	restart := func(check func(r *testServer, s *Session)) {
		synctest.Test(t, func(t *testing.T) {
			r := newTestServer(t, dir, twoFields(), Options{})
			defer r.shut()
			l, err := r.Login(r.ctx, r.peer(), "Ada", "secret")
			if err != nil {
				l = r.player("Ada")
			}
			s := r.enters(l)
			ticks(2)
			check(r, s)
		})
	}
	frozen := func(r *testServer, s *Session, want bool) {
		t.Helper()
		if p, ok := r.Player(s.Entity); !ok || p.Frozen != want {
			t.Errorf("player is %+v (in the world: %v), want frozen %v", p, ok, want)
		}
	}
	restart(func(r *testServer, s *Session) {
		frozen(r, s, false)
		r.must(r.Freeze(r.ctx, s.Entity, true))
	})
	restart(func(r *testServer, s *Session) {
		frozen(r, s, true)
		r.must(r.Freeze(r.ctx, s.Entity, false))
	})
	restart(func(r *testServer, s *Session) { frozen(r, s, false) })
}

// slowFreezeStore delays SetFrozen.
type slowFreezeStore struct{ store.Store }

func (s slowFreezeStore) SetFrozen(ctx context.Context, id store.AccountID, frozen bool) error {
	err := s.Store.SetFrozen(ctx, id, frozen)
	if frozen {
		time.Sleep(time.Second)
	}
	return err
}

func TestConcurrentFreezeAndUnfreezeLeaveStoreAndWorldInSameState(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(2)
		r.store = slowFreezeStore{r.store}
		done := make(chan error)
		go func() { done <- r.Freeze(r.ctx, s.Entity, true) }()
		time.Sleep(time.Millisecond)
		r.must(r.Freeze(r.ctx, s.Entity, false))
		r.must(<-done)
		ticks(2)
		a, err := r.disk.Account(r.ctx, "Ada")
		r.must(err)
		p, ok := r.Player(s.Entity)
		if !ok || p.Frozen != a.Frozen {
			t.Errorf("frozen in the world: %v, in the store: %v", p.Frozen, a.Frozen)
		}
		ctx, cancel := context.WithCancel(r.ctx)
		go func() { done <- r.Freeze(r.ctx, s.Entity, true) }()
		time.Sleep(time.Millisecond)
		cancel()
		r.mustBe(r.Freeze(ctx, s.Entity, false), context.Canceled)
		r.must(<-done)
	})
}

func TestKickedPlayerReceivesReasonAndMayEnterAgain(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(2)
		if s.KickMessage() != "" {
			t.Errorf("kick message %q for a player that was not kicked", s.KickMessage())
		}
		r.must(r.Kick(s.Entity, "language"))
		ticks(2)
		select {
		case <-s.Ended():
		default:
			t.Error("the presence has not ended")
		}
		if !strings.Contains(s.KickMessage(), "language") {
			t.Errorf("kick message %q", s.KickMessage())
		}
		r.mustBe(r.Kick(s.Entity, ""), ErrNotInWorld)
		again := r.enters(l)
		r.must(r.Kick(again.Entity, ""))
		if again.KickMessage() == "" {
			t.Error("a kick without a reason gives no kick message")
		}
	})
}

func TestBannedAccountIsRefusedUntilPardoned(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l, bob := r.player("Ada"), r.player("Bob")
		s := r.enters(l)
		ticks(2)
		r.must(r.Ban(r.ctx, "ADA", "theft"))
		ticks(2)
		if len(r.Players()) != 0 || !strings.Contains(s.KickMessage(), "theft") {
			t.Errorf("players %+v, kick message %q", r.Players(), s.KickMessage())
		}
		_, err := r.Enter(r.ctx, l, 0) // this login was granted before the ban
		r.mustBe(err, ErrBanned)
		_, err = r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrBanned)
		r.must(r.Ban(r.ctx, "Bob", "")) // Bob is not in the world
		list, err := r.Rules(r.ctx, store.AccessBan)
		r.must(err)
		if len(list) != 2 || list[0].Account != "Ada" || list[0].Reason != "theft" || list[1].Account != bob.Name {
			t.Errorf("banned are %+v", list)
		}
		r.must(r.Pardon(r.ctx, "Ada"))
		r.enters(l)
		r.mustBe(r.Ban(r.ctx, "Eve", ""), store.ErrNotFound)
		r.mustBe(r.Pardon(r.ctx, "Eve"), store.ErrNotFound)
	})
}
