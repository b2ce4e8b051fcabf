package rcce

import (
	"fmt"
	"testing"
	"time"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// updatesOf returns the position updates of one actor.
func updatesOf(c *client, rid uint16) []proto.StandardUpdate {
	var list []proto.StandardUpdate
	for _, u := range packetsOf[proto.StandardUpdate](c) {
		if u.RuntimeID == rid {
			list = append(list, u)
		}
	}
	return list
}

// docs/wire/rcce.md 3.4: an update has at most one optional field at its end: energy for the actor's own client, or height
// for flying actors.
func TestPositionUpdateHasEnergyForOwnerAndHeightForFlyingActor(t *testing.T) {
	withScene(t, func(s *sceneTest) {
		s.actors[1].Flags |= sim.FlagFlying
		s.actors[1].Pos.Y = 62.5
		s.actors[2].Mount = wolfEntity
		s.actors[0].Flags |= sim.FlagRunning
		s.actors[0].DestX = 15
		for range 4 {
			s.showNext()
		}
		u := func(rid uint16, x, dest float32) proto.StandardUpdate {
			return proto.StandardUpdate{RuntimeID: rid, X: x, DestX: dest}
		}
		ann, bob, cid, wolf := u(annRID, 0, 15), u(bobRID, 3, 3), u(cidRID, 6, 6), u(wolfRID, 9, 9)
		ann.IsRunning, cid.Mount = 1, wolfRID
		annSelf, bobSelf := ann, bob
		annSelf.Tail, annSelf.Energy = proto.EnergyTail, 50
		bobSelf.Tail, bobSelf.Energy = proto.EnergyTail, 50
		bob.Tail, bob.Y = proto.HeightTail, 62.5
		for _, tc := range []struct {
			name   string
			viewer *client
			want   []proto.StandardUpdate
		}{
			{"ann", s.annClient, []proto.StandardUpdate{annSelf, bob, cid, wolf}},
			{"bob, which flies and gets no height of its own", s.bobClient, []proto.StandardUpdate{ann, bobSelf, cid, wolf}},
		} {
			for _, want := range tc.want {
				if got := updatesOf(tc.viewer, want.RuntimeID); len(got) != 1 || got[0] != want {
					t.Errorf("%s: updates of actor %d are %+v, want one %+v", tc.name, want.RuntimeID, got, want)
				}
			}
		}
	})
}

func TestOwnPositionUpdateInWorldWithoutEnergyHasNoOptionalFields(t *testing.T) {
	w := emptyFields()
	w.Roles.Energy = -1
	withServer(t, w, serverOptions{noTicks: true}, func(srv *testServer) {
		me, c := srv.joinWithoutTicks("ann")
		for tick := range sim.Tick(6) {
			srv.show(westFrame(tick+1, []sim.ActorState{player(me, "ann", geom.Vec{X: 7})}))
		}
		if got := updatesOf(c, 1); len(got) == 0 || got[0] != (proto.StandardUpdate{RuntimeID: 1, X: 7, DestX: 7}) {
			t.Errorf("own updates are %+v", got)
		}
	})
}

// Actors within 500 units are updated in every broadcast, actors from 500 to 1000 units at the middle interval, and actors
// beyond 1000 units never. Source: docs/wire/rcce.md 5.4.
func TestPositionUpdateRateDependsOnDistance(t *testing.T) {
	for _, tc := range []struct {
		every  int32 // update interval of actors in the middle band, in ms
		middle int   // expected number of updates in 2 s of an actor in the middle band
	}{{400, 5}, {1000, 2}} {
		t.Run(fmt.Sprintf("middle every %d ms", tc.every), func(t *testing.T) {
			p := interest.OriginalPolicy()
			p.MiddleEveryMS = tc.every
			withServer(t, emptyFields(), serverOptions{Options: Options{Policy: &p}, noTicks: true}, func(srv *testServer) {
				me, c := srv.joinWithoutTicks("ann")
				actors := []sim.ActorState{
					player(me, "ann", geom.Vec{}), npc(1000, wolf, geom.Vec{X: 499.9}), npc(1001, wolf, geom.Vec{Z: -500}),
					npc(1002, wolf, geom.Vec{X: 600, Y: 5000, Z: 800}), npc(1003, wolf, geom.Vec{X: 1000.1}),
				}
				for tick := range sim.Tick(41) {
					srv.show(westFrame(tick+1, actors))
				}
				for rid, want := range map[uint16]int{1: 10, 2: 10, 3: tc.middle, 4: tc.middle, 5: 0} {
					if got := len(updatesOf(c, rid)); got != want {
						t.Errorf("actor %d: %d updates in 2 s, want %d", rid, got, want)
					}
				}
			})
		})
	}
}

// A viewer is sent updates of its target at any distance. A viewer with another target is not sent updates of that distant actor.
func TestViewerIsSentPositionOfItsTargetAtAnyDistance(t *testing.T) {
	withScene(t, func(s *sceneTest) {
		s.actors[3].Pos.X = 5000
		s.actors[0].Target = wolfEntity
		for range 8 {
			s.showNext()
		}
		if got := len(updatesOf(s.annClient, wolfRID)); got != 2 {
			t.Errorf("%d updates of the target, want 2 in 400 ms", got)
		}
		if got := len(updatesOf(s.bobClient, wolfRID)); got != 0 {
			t.Errorf("%d updates of another player's target, want 0", got)
		}
	})
}

func TestPositionOfEveryPartyMemberIsSentInEachUpdateInterval(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{Options: Options{PeersPerAddr: 100}, noTicks: true}, func(srv *testServer) {
		var actors []sim.ActorState
		var clients []*client
		for i := range 30 {
			e, c := srv.joinWithoutTicks(fmt.Sprintf("player%02d", i))
			actors, clients = append(actors, player(e, "p", geom.Vec{X: float32(i)})), append(clients, c)
		}
		srv.show(westFrame(1, actors))
		for _, c := range clients {
			c.received = nil
		}
		for tick := range sim.Tick(20) {
			srv.show(westFrame(tick+2, actors))
		}
		for i, c := range clients {
			if got := countOf[proto.StandardUpdate](c); got != 5*len(actors) {
				t.Errorf("player %d: %d updates in 1 s, want 5 of each of %d", i, got, len(actors))
			}
		}
	})
}

// The entry burst of a large area is sent in parts. Until the burst is complete, the client is sent no position updates of
// actors that it does not know.
func TestActorsOfLargeAreaAreSentInSeveralPacketsOnEntry(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		me, c := srv.joinWithoutTicks("ann")
		actors := []sim.ActorState{player(me, "ann", geom.Vec{})}
		for i := range 2000 {
			actors = append(actors, npc(sim.EntityID(1000+i), wolf, geom.Vec{X: float32(i % 40)}))
		}
		c.unresponsive = true
		tick := sim.Tick(1)
		srv.show(westFrame(tick, actors))
		srv.onWorker(func(w *worker) {
			for x := range w.conns {
				if q := x.peer.QueuedBytes(); q > 2*maxEntryQueue {
					t.Errorf("%d bytes are queued for a client that does not read, want about %d", q, maxEntryQueue)
				}
			}
		})
		c.unresponsive = false
		known := map[uint16]bool{}
		for countOf[proto.StartGameBar](c) < 12 && tick < 400 {
			tick++
			srv.show(westFrame(tick, actors))
		}
		for _, p := range c.received {
			switch p := p.(type) {
			case proto.NewActor:
				known[p.RuntimeID] = true
			case proto.StandardUpdate:
				if p.RuntimeID != 1 && !known[p.RuntimeID] {
					t.Fatalf("update of actor %d without a NewActor before it", p.RuntimeID)
				}
			}
		}
		if len(known) != 2000 || countOf[proto.StartGame](c) != 13 {
			t.Errorf("received %d actors and %d replies of type 12, want 2000 and 13", len(known), countOf[proto.StartGame](c))
		}
	})
}

// Each broadcast starts at another actor. Clients drop updates that arrive out of order, so if the network reorders datagrams,
// an actor that is always first in a broadcast would not be updated.
func TestEachBroadcastOfPositionsStartsAtAnotherActor(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a := srv.join("ann")
		srv.join("bob")
		srv.join("cid")
		first := map[uint16]bool{}
		for range 10 {
			a.received = nil
			srv.advance(200 * time.Millisecond)
			if list := packetsOf[proto.StandardUpdate](a); len(list) > 0 {
				first[list[0].RuntimeID] = true
			}
		}
		if len(first) < 2 {
			t.Errorf("all of ten broadcasts start with %v", first)
		}
	})
}
