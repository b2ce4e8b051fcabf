package session

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// playersInWorld returns the number of players in all areas.
func (r *testServer) playersInWorld() (n int) {
	for _, a := range r.world.Stats() {
		n += a.Players
	}
	return n
}

// loginAgain logs an account in from another connection, through a door with the given movement authority.
func (r *testServer) loginAgain(name, door string, by move.Authority) *Login {
	r.t.Helper()
	p := r.peer()
	p.Door, p.Authority = door, by
	l, err := r.Login(r.ctx, p, name, "secret")
	r.must(err)
	return l
}

func TestLoginThroughOtherDoorTakesOverLingeringPlayer(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(40)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: 50, Y: 1, Z: 2, DestX: 60, DestZ: 2}}))
		ticks(10)
		s.Disconnect()
		s.Disconnect()
		ticks(4)
		if list := r.Players(); len(list) != 1 || !list[0].Lingering || r.playersInWorld() != 1 {
			t.Fatalf("players %+v", list)
		}
		r.mustBe(s.Submit(sim.Intent{Kind: sim.IntentJump}), ErrLeft)
		again := r.enters(r.loginAgain("Ada", "rs", move.ByClaim))
		if again.Entity != s.Entity || !again.Resumed() || again.Character.Pos.X < 51 {
			t.Errorf("entity %d, resumed %v, at %v; want entity %d where it walked", again.Entity, again.Resumed(), again.Character.Pos, s.Entity)
		}
		s.Leave() // the gateway of the lost connection calls Leave late
		ticks(3)
		at, ok := r.Player(again.Entity)
		if !ok || at.Lingering || at.Door != "rs" || r.playersInWorld() != 1 {
			t.Errorf("player %+v, %v", at, ok)
		}
		r.must(again.Submit(sim.Intent{Kind: sim.IntentJump}))
		time.Sleep(time.Minute)
		if _, ok := r.Player(again.Entity); !ok {
			t.Error("the player that came back has left")
		}
	})
}

func TestNewSessionDoesNotReceiveFramesBeforeTakeover(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(3)
		old := &sim.Frame{Area: 0, Tick: r.world.Stats()[0].Tick}
		if !s.MayShow(old) {
			t.Error("a session with a new actor receives no frame")
		}
		s.Disconnect()
		ticks(2)
		again := r.enters(r.loginAgain("Ada", "rcce", move.ByClaim))
		synctest.Wait() // needed because Stats contains a tick only after its frame is published
		if again.MayShow(old) || !again.MayShow(&sim.Frame{Area: 0, Tick: r.world.Stats()[0].Tick}) || !again.MayShow(&sim.Frame{Area: 1, Tick: 1}) {
			t.Error("the session is shown the wrong frames")
		}
	})
}

func TestLoginAfterLingerTimeCreatesNewActor(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(3)
		s.Disconnect()
		time.Sleep(11 * time.Second)
		synctest.Wait()
		if r.playersInWorld() != 0 || len(r.Players()) != 0 {
			t.Errorf("%d players are still in the world", r.playersInWorld())
		}
		if _, err := r.Resume(r.ctx, l); err != ErrNotInWorld {
			t.Errorf("resumed with %v", err)
		}
		again := r.enters(l)
		if again.Entity == s.Entity || again.Resumed() {
			t.Error("took over an actor that has left")
		}
		again.Leave()
		ticks(3)
		if _, err := r.Resume(r.ctx, l); err != ErrNotInWorld {
			t.Errorf("resumed with %v after a logout", err)
		}
	})
}

func TestOnlyOneOfConcurrentLoginsTakesOverLingeringPlayer(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		r.enters(l).Disconnect()
		ticks(3)
		results := make(chan error, 8)
		for range cap(results) {
			go func() { _, err := r.Enter(r.ctx, l, 0); results <- err }()
		}
		entered := 0
		for range cap(results) {
			switch err := <-results; err {
			case nil:
				entered++
			case ErrOnline:
			default:
				t.Error(err)
			}
		}
		if ticks(3); entered != 1 || r.playersInWorld() != 1 {
			t.Errorf("%d sessions entered, %d players are in the world", entered, r.playersInWorld())
		}
		if _, err := r.Resume(r.ctx, l); err != ErrOnline {
			t.Errorf("resumed an account that is online: %v", err)
		}
	})
}

func TestSecondCharacterIsRefusedWhileFirstLingers(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		r.must(r.CreateCharacter(r.ctx, l, NewCharacter{Name: "Bea", Template: human}))
		r.enters(l).Disconnect()
		ticks(3)
		_, err := r.Enter(r.ctx, l, 1)
		r.mustBe(err, ErrOnline)
		r.mustBe(r.deleteCharacter(l, 0), ErrOnline)
		time.Sleep(11 * time.Second)
		if _, err := r.Enter(r.ctx, l, 1); err != nil {
			t.Error(err)
		}
	})
}

func TestPlayerDisconnectedDuringAreaChangeLingersInNewArea(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(3)
		r.sends(s, 1)
		s.Disconnect()
		again := r.enters(l) // the client returns while the player is on its way between areas
		if again.Entity != s.Entity || again.Area() != 1 {
			t.Errorf("entity %d in area %d", again.Entity, again.Area())
		}
		ticks(3)
		r.sends(again, 0)
		again.Disconnect()
		time.Sleep(11 * time.Second)
		if n := r.playersInWorld(); n != 0 {
			t.Errorf("%d players after the linger time", n)
		}
	})
}

func TestOperatorFreezesAndTeleportsLingeringPlayer(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(3)
		s.Disconnect()
		ticks(2)
		r.mustBe(r.SendMessage(s.Entity, "hello"), ErrNotInWorld)
		r.must(r.Freeze(r.ctx, s.Entity, true))
		r.must(r.Teleport(s.Entity, 1, geom.Vec{X: 40, Z: 40}, 0))
		ticks(3)
		again := r.enters(l)
		if at, _ := r.Player(again.Entity); again.Entity != s.Entity || again.Area() != 1 || !at.Frozen {
			t.Errorf("entity %d in area %d, frozen %v", again.Entity, again.Area(), at.Frozen)
		}
		again.Disconnect()
		ticks(2)
		r.must(r.Kick(again.Entity, ""))
		ticks(3)
		if n := r.playersInWorld(); n != 0 {
			t.Errorf("%d players after the kick", n)
		}
		last := r.enters(l)
		ticks(3)
		last.Disconnect()
		ticks(2)
		r.must(r.Ban(r.ctx, "Ada", ""))
		ticks(3)
		if n := r.playersInWorld(); n != 0 {
			t.Errorf("%d players after the ban", n)
		}
		_, err := r.Enter(r.ctx, l, 0)
		r.mustBe(err, ErrBanned)
	})
}

func TestReconnectDoesNotResetRateLimits(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(3)
		for s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "spam"}) == nil {
		}
		s.Disconnect()
		again := r.enters(l)
		granted := 0
		for again.Submit(sim.Intent{Kind: sim.IntentChat, Text: "spam"}) == nil {
			granted++
		}
		if granted > 2 {
			t.Errorf("%d lines after coming back", granted)
		}
	})
}

func TestLingeringPlayerIsSavedWhenServerStops(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(40)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: 50, Y: 1, Z: 2, DestX: 60, DestZ: 2}}))
		ticks(10)
		s.Disconnect()
		ticks(2)
		r.must(r.world.Stop(context.Background()))
		r.must(r.Close(context.Background()))
		if c := r.stored(l); c.Pos.X < 51 {
			t.Errorf("saved at %v", c.Pos)
		}
		_, err := r.Enter(r.ctx, l, 0)
		r.mustBe(err, ErrClosed)
	})
}

func TestDisconnectedPlayerIsRemovedImmediatelyInWorldWithoutLingerTime(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		r.world.Def().Rules.Linger = sim.LingerRules{}
		s := r.enters(r.player("Ada"))
		ticks(3)
		s.Disconnect()
		ticks(2)
		if n := r.playersInWorld(); n != 0 {
			t.Errorf("%d players", n)
		}
	})
}
