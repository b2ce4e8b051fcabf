package rs

import (
	"context"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

func TestALostConnectionIsTakenUpAgain(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		who, keys := r.player("Ada").session.Entity, ada.keys
		ada.send(proto.MoveGameClick{X: ada.tile().X + 12, Z: ada.tile().Z})
		r.cycles(1)
		ada.conn.Close()
		r.run(reconnectFor - 5*time.Second)
		if bob.sees("Ada") == 0 {
			t.Error("gone as soon as the connection was")
		}
		looks := len(bob.view.Appearance(bob.sees("Ada")))
		ada.redial("secret", true)
		r.cycles(2)
		ada.fine()
		if ada.code != proto.ResponseReconnect || ada.keys == keys || r.player("Ada").session.Entity != who {
			t.Errorf("answered %d", ada.code)
		}
		if got, want := ada.tile(), bob.at(bob.sees("Ada")); got != want || looks == 0 {
			t.Errorf("is at %v, and at %v for others", got, want)
		}
		if ada.sees("Bob") == 0 {
			t.Error("does not see who is there")
		}
		ada.send(proto.MoveGameClick{X: ada.tile().X - 2, Z: ada.tile().Z})
		r.cycles(4)
		if got, want := ada.tile(), bob.at(bob.sees("Ada")); got != want {
			t.Errorf("walks to %v, and to %v for others", got, want)
		}
		r.run(reconnectFor + 2*time.Second)
		if ada.ended() || bob.sees("Ada") == 0 {
			t.Error("the old connection's time ended the new one")
		}
	})
}

// Whoever comes back far from where his map was needs another before he is told where he is.
func TestWhoComesBackGetsAMapIfHeIsOffHis(t *testing.T) {
	bubble(t, arena(), Options{Register: true}, func(r *rig) {
		ada := r.join("Ada")
		ada.send(proto.MoveGameClick{X: ada.tile().X + 5, Z: ada.tile().Z})
		r.cycles(4)
		ada.conn.Close()
		r.cycles(6) // through the gate
		ada.redial("secret", true)
		r.cycles(2)
		ada.fine()
		if len(ada.trail) == 0 || ada.trail[0] != proto.ServerRebuildNormal {
			t.Errorf("came back to %v: %v", ada.tile(), ada.trail)
		}
		if got := r.player("Ada").session.Area(); got != r.world.Def().AreaNamed("The Ring") {
			t.Errorf("in area %d", got)
		}
	})
}

func TestAfterTheGraceThereIsNothingToComeBackTo(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada := r.join("Ada")
		from := ada.tile()
		ada.send(proto.MoveGameClick{X: from.X + 3, Z: from.Z})
		r.cycles(5)
		ada.conn.Close()
		r.run(reconnectFor + 3*time.Second)
		if r.player("Ada") != nil {
			t.Error("still there")
		}
		ada.redial("secret", true)
		r.cycles(2)
		if ada.code != proto.ResponseSession || !ada.ended() {
			t.Errorf("answered %d", ada.code)
		}
		ada.redial("secret", false)
		r.cycles(2)
		if got := ada.tile(); got.X != from.X+3 || got.Z != from.Z {
			t.Errorf("saved at %v, left at %d, %d", got, from.X+3, from.Z)
		}
	})
}

func TestALostSessionIsTakenOverByALogin(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		who := r.player("Ada").session.Entity
		ada.conn.Close()
		r.run(time.Second)
		if got := r.ask("192.0.2.1", r.request("Ada", "guess", false)); got != int(proto.ResponseCredentials) {
			t.Errorf("a wrong password: %d", got)
		}
		ada.redial("secret", false)
		r.cycles(2)
		ada.fine()
		if ada.code != proto.ResponseOK || r.player("Ada").session.Entity != who {
			t.Errorf("answered %d", ada.code)
		}
		if ada.sees("Ada") != ada.self || ada.sees("Bob") == 0 || bob.sees("Ada") == 0 {
			t.Error("they do not see each other")
		}
		if state := ada.view.State(ada.sees("Bob")); state.Speed != 1 {
			t.Errorf("a client that begins anew takes Bob for a runner: %d", state.Speed)
		}
	})
}

// A client that thinks its connection lost may be faster than the server.
func TestAReconnectCutsTheConnectionBefore(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada := r.join("Ada")
		twin := r.guest("Ada")
		twin.view, twin.self = ada.view, ada.self
		twin.dial("secret", true)
		r.cycles(2)
		if twin.code != proto.ResponseReconnect || !ada.ended() || twin.ended() {
			t.Errorf("answered %d, the old one ended %v", twin.code, ada.ended())
		}
		twin.fine()
		if n := r.gate.door.Sessions.Load(); n != 1 {
			t.Errorf("%d players are counted", n)
		}
	})
}

func TestWhoLeavesBeforeTheFirstCycleIsNotForgotten(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		for range 5 {
			c := r.knock("Ada", "secret", false)
			r.run(time.Millisecond)
			c.conn.Close()
			r.run(100 * time.Millisecond)
		}
		r.run(reconnectFor + 3*time.Second)
		if n := r.hub.Stats().Online; n != 0 || r.player("Ada") != nil || r.gate.door.Sessions.Load() != 0 {
			t.Errorf("%d online", n)
		}
		r.join("Ada")
	})
}

// A worker that was held up for so long that frames were lost lets those go whom it does not find any more.
func TestWhoWasLostWithAFrameIsLoggedOut(t *testing.T) {
	bubble(t, arena(), Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		ada.send(proto.MoveGameClick{X: ada.tile().X - 5, Z: ada.tile().Z})
		r.cycles(6)
		ada.send(proto.MoveGameClick{X: ada.tile().X + 10, Z: ada.tile().Z})
		r.gate.workers[0].ask(context.Background(), func() { time.Sleep(10 * time.Second) })
		r.run(12 * time.Second)
		if r.bad("astray") != 1 || !ada.loggedOut() || bob.ended() {
			t.Errorf("%d astray, Ada is told %v, Bob has ended %v", r.bad("astray"), ada.loggedOut(), bob.ended())
		}
		if again := r.join("Ada"); again.tile() == (proto.Tile{}) {
			t.Error("not back")
		}
		if bob.fine(); bob.sees("Bob") == 0 {
			t.Error("Bob is lost")
		}
	})
}
