package rs

import (
	"slices"
	"testing"
	"testing/synctest"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// Original specification and docs/wire/rs.md, teleports and squares: a player that changes areas is sent one new map and
// one player info packet. The packet moves the player, removes all players of the old area and adds those of the new one.
func TestAreaChangeIsSentInOnePlayerInfoPacket(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		ada, bob, cy := srv.join("Ada"), srv.join("Bob"), srv.join("Cy")
		cy.send(proto.MoveGameClick{X: cy.ownTile().X + 5, Z: cy.ownTile().Z})
		srv.advanceCycles(8)
		if cy.indexOf("Ada") != 0 || ada.indexOf("Cy") != 0 || ada.indexOf("Bob") == 0 {
			t.Fatal("Cy is not alone in the other area")
		}
		seen := ada.indexOf("Bob")
		for _, c := range []*client{ada, bob, cy} {
			c.startRecording()
		}
		ada.send(proto.MoveGameClick{X: ada.ownTile().X + 5, Z: ada.ownTile().Z})
		srv.advanceCycles(8)
		changed := 0
		for _, m := range ada.updatesOf(ada.self) {
			if m.change.Kind == proto.ChangeTeleport {
				changed = m.cycle
				if m.change.Speed != proto.SpeedInstant || !m.change.Far {
					t.Errorf("the area change is shown as %+v", m.change)
				}
			}
		}
		var same []playerUpdate
		for _, m := range ada.recordedUpdates() {
			if m.cycle == changed && m.index != ada.self {
				same = append(same, m)
			}
		}
		if len(same) != 2 || same[0].index != seen || same[0].change.Kind != proto.ChangeRemove || same[1].change.Kind != proto.ChangeAdd {
			t.Errorf("changes of others in the packet of the area change: %+v", same)
		}
		if n := slices.Index(ada.opcodes, proto.ServerRebuildNormal); n < 0 || ada.opcodes[n+1] != proto.ServerPlayerInfo {
			t.Errorf("packets %v", ada.opcodes)
		}
		if ada.indexOf("Cy") == 0 || cy.indexOf("Ada") == 0 || bob.indexOf("Ada") != 0 {
			t.Error("the players do not see those in their own area only")
		}
		for _, c := range []*client{ada, bob, cy} {
			c.checkNoError()
		}
	})
}

// Two players that change areas together see each other in the new area, and their rows do not change.
func TestPlayersThatChangeAreasTogetherSeeEachOther(t *testing.T) {
	for _, workers := range []int{1, 2} {
		withServer(t, pvpWorld(), Options{Register: true, Workers: workers}, func(srv *testServer) {
			ada, bob := srv.join("Ada"), srv.join("Bob")
			for range 4 {
				for _, c := range []*client{ada, bob} {
					c.send(proto.MoveGameClick{X: c.ownTile().X + 5, Z: c.ownTile().Z})
				}
				area := srv.playerNamed("Ada").session.Area()
				srv.advanceCycles(9)
				if srv.playerNamed("Ada").session.Area() == area {
					t.Fatal("Ada did not change areas")
				}
				for _, c := range []*client{ada, bob} {
					if c.checkNoError(); c.indexOf("Ada") == 0 || c.indexOf("Bob") == 0 || c.view.LocalCount() != 2 {
						t.Errorf("%d workers: %s sees %d players, want both", workers, c.name, c.view.LocalCount())
					}
				}
			}
		})
	}
}

// read makes the worker process a frame of an area with the given events and actors, before all further frames of the world.
func (srv *testServer) read(in sim.AreaID, actors []sim.ActorState, events ...sim.Event) {
	f := &sim.Frame{Area: in, Tick: 1, Actors: actors, Events: events}
	w := srv.gateway.workers[0]
	w.runAndWait(func() {
		w.followArrivals(f)
		w.showLateEvents(f)
		if as := w.sceneOf(in); as != nil {
			as.handleEvents(f)
		}
	})
}

// queuedLines returns the texts that wait for the player's client.
func (p *player) queuedLines() (lines []queuedLine) {
	p.w.runAndWait(func() { lines = slices.Clone(p.lines) })
	return lines
}

// On a node of a cluster, the frames of the area that a player left may arrive later than those of the areas that it went to.
func TestPlayerIsExpectedInAreaOfArrivalThoughDepartureIsReadLater(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		srv.join("Ada")
		p := srv.playerNamed("Ada")
		who, from := p.session.Entity, p.session.Area()
		const second, third = 1, 2
		srv.read(second, nil, sim.Event{Kind: sim.EventJoined, Who: who}, sim.Event{Kind: sim.EventMessage, Who: who, Text: "hello"})
		if p.scene != nil || p.arrivingIn != second || p.session.Area() != second || len(p.lines) != 1 {
			t.Errorf("after the arrival the player is expected in area %d, its intents go to %d, and %d texts wait for it", p.arrivingIn, p.session.Area(), len(p.lines))
		}
		srv.read(second, nil, sim.Event{Kind: sim.EventDeparted, Who: who, To: third})
		srv.read(from, nil, sim.Event{Kind: sim.EventDeparted, Who: who, To: second})
		if p.arrivingIn != third || p.session.Area() != third {
			t.Errorf("after the late departure the player is expected in area %d, and its intents go to %d, want %d", p.arrivingIn, p.session.Area(), third)
		}
	})
}

// The worker reads that the player has arrived, and then its last ticks in the area that it has left.
func TestPlayerIsSentEventsOfItsLastTicksInAreaThatItHasLeft(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		ada.startRecording()
		p := srv.playerNamed("Ada")
		who, from := p.session.Entity, p.session.Area()
		const next = 1
		here, joined := []sim.ActorState{{ID: who, Body: &sim.Body{Name: "Ada", Character: 6}}}, sim.Event{Kind: sim.EventJoined, Who: who}
		message := sim.Event{Kind: sim.EventMessage, Who: who, Text: "hello"}
		srv.read(next, nil, joined)
		srv.must(srv.hub.SendMessage(who, "Behave.")) // the player is in fact in its first area, whose frames the world goes on to publish
		synctest.Wait()
		if lines := p.queuedLines(); len(lines) != 1 {
			t.Errorf("%d texts wait for the client, want that of the operator", len(lines))
		}
		for _, c := range []struct {
			name   string
			in     sim.AreaID
			actors []sim.ActorState
			events []sim.Event
			lines  int // number of texts that the frame adds
		}{
			{"return to the first area, which shows two stays at once", from, here, []sim.Event{joined, message}, 1},
			{"second arrival elsewhere", next, nil, []sim.Event{joined, message}, 1},
			{"events of another player", from, here, []sim.Event{{Kind: sim.EventMessage, Who: who + 1, Text: "hello"}}, 0},
			{"area that it has not left", next + 1, nil, []sim.Event{message}, 0},
			{"late departure", from, nil, []sim.Event{{Kind: sim.EventXP, Who: who, Value: 5}, {Kind: sim.EventDied, Who: who}, {Kind: sim.EventDeparted, Who: who, To: next}}, 2},
			{"departure that was read", from, nil, []sim.Event{message}, 0},
		} {
			before := len(p.queuedLines())
			srv.read(c.in, c.actors, c.events...)
			if added := p.queuedLines()[before:]; len(added) != c.lines {
				t.Errorf("%s: %d texts were added, want %d: %+v", c.name, len(added), c.lines, added)
			}
		}
		p.w.runAndWait(func() {
			if len(p.w.departures) != 0 || p.arrivingIn != next {
				t.Errorf("the worker expects the departures %+v, and the player in area %d", p.w.departures, p.arrivingIn)
			}
		})
		srv.advance(searchAfter + 2*timeoutCheckEvery)
		if lines := ada.linesRead(); len(lines) != 5 || lines[0] != "[Operator] Behave." {
			t.Errorf("the client was sent %q", lines)
		}
		ada.checkNoError()
	})
}

// The worker expects a player in an area that the player has not gone to.
func TestMissingPlayerIsFoundInFramesOfOtherArea(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		p := srv.playerNamed("Ada")
		from := p.session.Area()
		srv.read(1, nil, sim.Event{Kind: sim.EventJoined, Who: p.session.Entity})
		srv.advance(searchAfter)
		p.w.runAndWait(func() {
			if p.scene != nil || ada.indexOf("Bob") == 0 {
				t.Errorf("the player is in a scene again, or its client has forgotten Bob")
			}
		})
		srv.advance(2 * timeoutCheckEvery)
		srv.advanceCycles(2)
		if p.scene == nil || p.scene.id != from || p.session.Area() != from || bob.indexOf("Ada") == 0 {
			t.Errorf("the player is not in the scene of its area: %+v; Bob's client shows it: %v", p.scene, bob.indexOf("Ada") != 0)
		}
		for _, c := range []*client{ada, bob} {
			c.checkNoError()
		}
	})
}

// A client is sent the changes of its new area with the next cycle, up to 600 ms after its player has arrived.
func TestPlayerReadsChatOfNewAreaFromItsArrivalOn(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		srv.join("Ada")
		p := srv.playerNamed("Ada")
		who := p.session.Entity
		bob := sim.ActorState{ID: who + 1, Body: &sim.Body{Name: "Bob", Character: 7}}
		said := sim.Event{Kind: sim.EventChat, Who: bob.ID, Text: "hello"}
		srv.read(p.session.Area(), nil, sim.Event{Kind: sim.EventDeparted, Who: who, To: 1})
		srv.read(1, []sim.ActorState{bob}, said)
		if len(p.lines) != 0 {
			t.Errorf("%d lines wait for a player that has not arrived", len(p.lines))
		}
		srv.read(1, []sim.ActorState{{ID: who, Body: &sim.Body{Name: "Ada", Character: 6}}, bob}, said, sim.Event{Kind: sim.EventChat, Who: who, Text: "mine"})
		if len(p.lines) != 1 || p.lines[0].chat == nil || p.lines[0].chat.speaker != bob.ID {
			t.Errorf("the lines %+v wait for the player, want one of Bob", p.lines)
		}
	})
}
