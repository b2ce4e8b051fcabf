package rs

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestReconnectResumesPlayerAfterLostConnection(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		who, keys := srv.playerNamed("Ada").session.Entity, ada.keys
		ada.send(proto.MoveGameClick{X: ada.ownTile().X + 12, Z: ada.ownTile().Z})
		srv.advanceCycles(1)
		ada.conn.Close()
		srv.advance(lingerTime - 4*time.Second)
		if bob.indexOf("Ada") == 0 {
			t.Error("Ada was removed as soon as the connection was lost")
		}
		looks := len(bob.view.Appearance(bob.indexOf("Ada")))
		ada.redial("secret", true)
		srv.advanceCycles(2)
		ada.checkNoError()
		if ada.code != proto.ResponseReconnect || ada.keys == keys || srv.playerNamed("Ada").session.Entity != who {
			t.Errorf("answered %d", ada.code)
		}
		if got, want := ada.ownTile(), bob.tileOf(bob.indexOf("Ada")); got != want || looks == 0 {
			t.Errorf("Ada is at %v, and at %v for others", got, want)
		}
		if ada.indexOf("Bob") == 0 {
			t.Error("Ada does not see Bob")
		}
		ada.send(proto.MoveGameClick{X: ada.ownTile().X - 2, Z: ada.ownTile().Z})
		srv.advanceCycles(4)
		if got, want := ada.ownTile(), bob.tileOf(bob.indexOf("Ada")); got != want {
			t.Errorf("walks to %v, and to %v for others", got, want)
		}
		srv.advance(lingerTime + 2*time.Second)
		if ada.isClosed() || bob.indexOf("Ada") == 0 {
			t.Error("the old connection's timeout ended the new one")
		}
	})
}

// The worker removes the player after the login has found the player, but before the new connection is attached to the player.
func TestReconnectWhileServerRemovesPlayerResumesPlayer(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		p, busy := srv.playerNamed("Ada"), make(chan struct{})
		p.w.requests <- func() { <-busy }
		ada.conn.Close()
		synctest.Wait() // wait until the goroutine of the ended connection waits for the worker
		ada.redial("secret", true)
		synctest.Wait() // wait until the login has found the player and waits for the worker, too
		close(busy)
		srv.advanceCycles(2)
		ada.checkNoError()
		if q := srv.playerNamed("Ada"); ada.code != proto.ResponseReconnect || q == nil || q == p || q.session.Entity != p.session.Entity {
			t.Errorf("answered %d", ada.code)
		}
	})
}

// An operator teleports a player whose connection is lost to another area. When the client reconnects, it is sent a new map
// before its position.
func TestClientThatReconnectsInOtherAreaIsSentNewMap(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		who, ring := srv.playerNamed("Ada").session.Entity, srv.world.Def().AreaNamed("The Ring")
		ada.conn.Close()
		srv.advanceCycles(2)
		if err := srv.hub.Teleport(who, ring, geom.Vec{X: 10, Z: 10}, 0); err != nil {
			t.Fatal(err)
		}
		srv.advanceCycles(2)
		ada.redial("secret", true)
		srv.advanceCycles(2)
		ada.checkNoError()
		if len(ada.opcodes) == 0 || ada.opcodes[0] != proto.ServerRebuildNormal {
			t.Errorf("reconnected at %v with packets %v", ada.ownTile(), ada.opcodes)
		}
		if got := srv.playerNamed("Ada").session.Area(); got != ring {
			t.Errorf("in area %d", got)
		}
	})
}

func TestReconnectAfterResumeWindowIsRefused(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		from := ada.ownTile()
		ada.send(proto.MoveGameClick{X: from.X + 3, Z: from.Z})
		srv.advanceCycles(5)
		ada.conn.Close()
		srv.advance(lingerTime + 3*time.Second)
		if srv.playerNamed("Ada") != nil {
			t.Error("Ada is still in the world")
		}
		ada.redial("secret", true)
		srv.advanceCycles(2)
		if ada.code != proto.ResponseSession || !ada.isClosed() {
			t.Errorf("answered %d", ada.code)
		}
		ada.redial("secret", false)
		srv.advanceCycles(2)
		if got := ada.ownTile(); got.X != from.X+3 || got.Z != from.Z {
			t.Errorf("saved at %v, left at %d, %d", got, from.X+3, from.Z)
		}
	})
}

func TestLoginResumesPlayerOfLostSession(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		who := srv.playerNamed("Ada").session.Entity
		ada.conn.Close()
		srv.advance(time.Second)
		if got := srv.loginCode("192.0.2.1", srv.request("Ada", "guess", false)); got != int(proto.ResponseCredentials) {
			t.Errorf("a wrong password: %d", got)
		}
		ada.redial("secret", false)
		srv.advanceCycles(2)
		ada.checkNoError()
		if ada.code != proto.ResponseOK || srv.playerNamed("Ada").session.Entity != who {
			t.Errorf("answered %d", ada.code)
		}
		if ada.indexOf("Ada") != ada.self || ada.indexOf("Bob") == 0 || bob.indexOf("Ada") == 0 {
			t.Error("Ada and Bob do not see each other")
		}
		if state := ada.view.State(ada.indexOf("Bob")); state.Speed != 1 {
			t.Errorf("a new login has speed %d for Bob, want 1", state.Speed)
		}
	})
}

// A client may detect the loss of its connection before the server does, so a reconnect closes the previous connection.
func TestReconnectClosesPreviousConnection(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		twin := srv.newClient("Ada")
		twin.view, twin.self = ada.view, ada.self
		twin.dial("secret", true)
		srv.advanceCycles(2)
		if twin.code != proto.ResponseReconnect || !ada.isClosed() || twin.isClosed() {
			t.Errorf("answered %d, the old one ended %v", twin.code, ada.isClosed())
		}
		twin.checkNoError()
		if n := srv.gateway.door.Sessions.Load(); n != 1 {
			t.Errorf("%d players are counted", n)
		}
	})
}

func TestClientThatDisconnectsBeforeFirstCycleIsRemoved(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		for range 5 {
			c := srv.startLogin("Ada", "secret", false)
			srv.advance(time.Millisecond)
			c.conn.Close()
			srv.advance(100 * time.Millisecond)
		}
		srv.advance(lingerTime + 3*time.Second)
		if n := srv.hub.Stats().Online; n != 0 || srv.playerNamed("Ada") != nil || srv.gateway.door.Sessions.Load() != 0 {
			t.Errorf("%d online", n)
		}
		srv.join("Ada")
	})
}

// The departure is in a missed frame. The worker does not wait until the player has been missing for searchAfter.
func TestPlayerThatLeavesAreaWhileWorkerIsBlockedIsShownInNextArea(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		p := srv.playerNamed("Ada")
		ada.send(proto.MoveGameClick{X: ada.ownTile().X - 5, Z: ada.ownTile().Z})
		srv.advanceCycles(6)
		ada.send(proto.MoveGameClick{X: ada.ownTile().X + 10, Z: ada.ownTile().Z})
		p.w.enqueue(context.Background(), func() { time.Sleep(10 * time.Second) })
		srv.advance(10*time.Second + 2*600*time.Millisecond)
		if ring := srv.world.Def().AreaNamed("The Ring"); p.removed || p.scene == nil || p.scene.id != ring || p.session.Area() != ring {
			t.Errorf("Ada is removed %v, in scene %+v, and its intents go to area %d", p.removed, p.scene, p.session.Area())
		}
		if ada.isClosed() || ada.ownTile().X < 3500 || bob.indexOf("Ada") != 0 || bob.indexOf("Bob") == 0 {
			t.Errorf("Ada is closed %v, at %v, index %d for Bob", ada.isClosed(), ada.ownTile(), bob.indexOf("Ada"))
		}
		for _, c := range []*client{ada, bob} {
			c.checkNoError()
		}
	})
}

func TestPlayerMissingInFirstFrameAfterGapIsSearchedForUntilItAppears(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		p := srv.playerNamed("Ada")
		p.w.runAndWait(func() {
			as := p.scene
			as.searchMissing(&sim.Frame{Area: as.id})
			p.w.checkTimeouts()
			if p.scene != nil || !p.searched || p.w.searched != 1 {
				t.Errorf("the player is in scene %+v, searched %v, of %d", p.scene, p.searched, p.w.searched)
			}
		})
		if srv.advanceCycles(2); p.scene == nil || p.searched || ada.isClosed() {
			t.Errorf("the player is in scene %+v, searched %v, closed %v", p.scene, p.searched, ada.isClosed())
		}
		ada.checkNoError()
	})
}

func TestPlayerThatIsKickedWhileWorkerIsBlockedIsSentReasonAndLogout(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		ada.startRecording()
		p := srv.playerNamed("Ada")
		time.AfterFunc(5*time.Second, func() { srv.must(srv.hub.Kick(p.session.Entity, "no shouting")) })
		p.w.enqueue(context.Background(), func() {
			time.Sleep(10 * time.Second)
			p.scene.searchMissing(&sim.Frame{Area: p.scene.id}) // the frame after the gap is read before the end of the session
		})
		srv.advance(10*time.Second + timeoutCheckEvery)
		if lines := ada.linesRead(); !slices.Contains(lines, "You were sent away: no shouting") || !ada.loggedOut() || !ada.isClosed() || bob.isClosed() {
			t.Errorf("read %q, Ada logged out %v, closed %v, Bob closed %v", lines, ada.loggedOut(), ada.isClosed(), bob.isClosed())
		}
		srv.join("Ada")
		bob.checkNoError()
	})
}
