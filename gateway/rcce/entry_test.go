package rcce

import (
	"fmt"
	"slices"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// westFrame returns a frame of the area West. The caller passes the actors sorted by id.
func westFrame(tick sim.Tick, actors []sim.ActorState, events ...sim.Event) *sim.Frame {
	return &sim.Frame{Tick: tick, Actors: actors, Events: events}
}

// emptyBar returns the twelve packets of an empty action bar.
func emptyBar() []proto.Packet {
	var list []proto.Packet
	for start := 0; start < proto.ActionBarSlots; start += 3 {
		list = append(list, proto.StartGameBar{Start: uint8(start)})
	}
	return list
}

// docs/wire/rcce.md 3.3: the packets of the entry burst have the required order. They include all actors except the
// player's own, and exactly 13 replies of type 12.
func TestPacketsSentAtAreaEntryAreInRequiredOrder(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		me, c := srv.joinWithoutTicks("ann")
		at := geom.Vec{X: 50, Y: 1, Z: 2}
		actors := []sim.ActorState{player(me, "ann", at), npc(1000, wolf, at), npc(1001, eagle, at)}
		item := sim.GroundItem{Handle: 77, Stack: sim.ItemStack{Item: sword, Amount: 1, Health: 90}, Pos: at}
		f := westFrame(1, actors)
		f.Ground = []sim.GroundItem{item}
		actors[0].Yaw = 90
		c.received = nil
		srv.show(f)

		var weapon proto.ItemInstance
		weapon.ID, weapon.Health = sword, 90
		w := srv.world.Def()
		want := []proto.Packet{
			proto.ChangeArea{X: 50, Y: 1, Z: 2, Yaw: 90, Gravity: 300, Area: 1, Name: "West"},
			proto.InventoryDropped{Amount: 1, X: 50, Y: 1, Z: 2, Drop: 77, Item: weapon},
			proto.StartGameActor{RuntimeID: 1},
			proto.ChatMessage{Color: proto.ChatYellow, Text: "Welcome"},
			proto.XPUpdate{Sub: proto.XPBar},
			newActor(w, 0, 2, &actors[1]),
			newActor(w, 0, 3, &actors[2]),
		}
		c.expectPackets("the entering client", append(want, emptyBar()...)...)
	})
}

func TestPlayersInAreaAreShownEnteringPlayerUntilItLeaves(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		at := geom.Vec{X: 50, Y: 1, Z: 2}
		ann, a := srv.joinWithoutTicks("ann")
		annState := player(ann, "ann", at)
		srv.show(westFrame(1, []sim.ActorState{annState}))
		a.takePackets()

		bob, b := srv.joinWithoutTicks("bob")
		bobState := player(bob, "bob", at)
		srv.show(westFrame(2, []sim.ActorState{annState, bobState}))
		w := srv.world.Def()
		a.expectPackets("the present client", newActor(w, 0, 2, &bobState))
		if got := packetsOf[proto.NewActor](b); len(got) != 1 || got[0] != newActor(w, 0, 1, &annState) {
			t.Errorf("the entering client got %+v, want ann only", got)
		}
		b.takePackets()

		srv.show(westFrame(3, []sim.ActorState{annState}, sim.Event{Kind: sim.EventLeft, Who: bob}))
		a.expectPackets("the remaining client, after a logout", proto.ActorGone{RuntimeID: 2})
		b.expectPackets("the removed client", proto.KickedPlayer{})
		if !b.disconnected {
			t.Error("the removed client is still connected")
		}
	})
}

func TestRemovalPacketOfActorThatChangesAreasHasFourByteID(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		at := geom.Vec{X: 50, Y: 1, Z: 2}
		ann, a := srv.joinWithoutTicks("ann")
		bob, b := srv.joinWithoutTicks("bob")
		annState, bobState := player(ann, "ann", at), player(bob, "bob", at)
		srv.show(westFrame(1, []sim.ActorState{annState, bobState, npc(1000, wolf, at)}))
		a.takePackets()
		b.takePackets()

		// bob's pet leaves together with bob, without an EventDeparted.
		srv.show(westFrame(2, []sim.ActorState{annState}, sim.Event{Kind: sim.EventRemoved, Who: 1000}, sim.Event{Kind: sim.EventDeparted, Who: bob, To: 1}))
		a.expectPackets("the remaining client", proto.ActorGone{RuntimeID: 2, Wide: true}, proto.ActorGone{RuntimeID: 3})
		b.expectPackets("the departing client")

		east := westFrame(9, []sim.ActorState{bobState, npc(1001, wolf, at)})
		east.Area = 1
		srv.show(east)
		got := b.takePackets()
		if len(got) != 2 {
			t.Fatalf("in the other area: %+v", got)
		}
		if ca := got[0].(proto.ChangeArea); ca.Name != "East" || ca.PvP != 1 || ca.Gravity != 200 || ca.Area != 2 {
			t.Errorf("in the other area: %+v", ca)
		}
		if na := got[1].(proto.NewActor); na.RuntimeID != 4 || na.Area != 2 {
			t.Errorf("the wolf in the other area: %+v", na)
		}
		srv.show(westFrame(3, []sim.ActorState{annState, bobState})) // bob is in West again, and the frame with its departure from East was missed
		if na := packetsOf[proto.NewActor](a); len(na) != 1 || na[0].RuntimeID != 2 {
			t.Errorf("ann got %+v, want bob with the previous id", na)
		}
	})
}

func TestClientIsSentNamesOfItsPartyMembersOnAreaEntry(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, a := srv.joinWithoutTicks("ann")
		bob, b := srv.joinWithoutTicks("bob")
		cid, c := srv.joinWithoutTicks("cid")
		annState, bobState, cidState := player(ann, "ann", geom.Vec{}), player(bob, "bob", geom.Vec{}), player(cid, "cid", geom.Vec{})
		annState.Party, bobState.Party = 5, 5
		srv.show(westFrame(1, []sim.ActorState{annState, bobState, cidState}))
		for _, who := range []struct {
			client *client
			want   []string
		}{{a, []string{"bob"}}, {b, []string{"ann"}}} {
			if lists := packetsOf[proto.PartyUpdate](who.client); len(lists) != 1 || !slices.Equal(lists[0].Names, who.want) {
				t.Errorf("a member is sent %+v, want %v", lists, who.want)
			}
		}
		if lists := packetsOf[proto.PartyUpdate](c); len(lists) != 0 {
			t.Errorf("a player without a party is sent %+v", lists)
		}
	})
}

// A worker can miss a frame. If a player has disappeared from its area without an event, the worker waits for the player in
// every area.
func TestAreaChangeIsSentAlthoughWorkerMissedFrameOfDeparture(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, a := srv.joinWithoutTicks("ann")
		state := player(ann, "ann", geom.Vec{})
		srv.show(westFrame(1, []sim.ActorState{state}))
		srv.show(westFrame(5, nil))
		a.takePackets()
		east := westFrame(7, []sim.ActorState{state})
		east.Area = 1
		srv.show(east)
		if got := packetsOf[proto.ChangeArea](a); len(got) != 1 || got[0].Name != "East" {
			t.Errorf("got %v, want ChangeArea to East", a.receivedNames())
		}
	})
}

func TestFullAreaRefusesEntry(t *testing.T) {
	w := emptyFields()
	w.Rules.MaxActors = 1
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		srv.join("ann")
		srv.createAccount("bob")
		b := srv.connect()
		b.send(proto.StartGameRequest{User: "bob", MD5: rightMD5})
		srv.advance(500 * time.Millisecond)
		b.expectPackets("the refused client", proto.StartGameRefused{})
		if got := b.request(proto.VerifyAccountRequest{User: "bob", MD5: rightMD5}); got[0].(proto.VerifyAccount).Result != 'Y' {
			t.Errorf("after the refusal: %+v, want a login that is not online", got)
		}
	})
}

// If an area refuses several players in one frame, the runtime ids of all of them are released.
func TestRefusedEntriesReleaseRuntimeIDs(t *testing.T) {
	w := emptyFields()
	w.Rules.MaxActors = 1
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		srv.join("ann")
		for i := range 4 {
			srv.createAccount(fmt.Sprint("late", i))
		}
		held := len(srv.gateway.ids.byEntity)
		var lateClients []*client
		for range 4 {
			lateClients = append(lateClients, srv.connect())
		}
		for i, c := range lateClients {
			c.send(proto.StartGameRequest{User: fmt.Sprint("late", i), MD5: rightMD5})
		}
		srv.advance(500 * time.Millisecond)
		for i, c := range lateClients {
			c.expectPackets(fmt.Sprint("late client ", i), proto.StartGameRefused{})
		}
		if n := len(srv.gateway.ids.byEntity); n != held {
			t.Errorf("%d runtime ids are held, want %d", n, held)
		}
	})
}

// walkThroughGate moves a player from West to East with one claim. The server walks the player to the claimed destination.
func walkThroughGate(c *client) {
	c.srv.t.Helper()
	c.srv.advance(600 * time.Millisecond) // wait, because claims right after a warp are dropped
	before := countOf[proto.ChangeArea](c)
	c.claim(proto.StandardUpdateRequest{DestX: 80, DestZ: 2, Y: 1, X: 50, Z: 2})
	c.srv.waitFor("the gate", func() bool { return countOf[proto.ChangeArea](c) > before })
	if got := packetsOf[proto.ChangeArea](c); got[len(got)-1].Name != "East" {
		c.srv.t.Fatalf("the gate led to %+v", got)
	}
}

// When a player moves through a portal to another area, its client is sent the area first and then the actors there. The
// player's runtime id does not change.
func TestPlayerKeepsRuntimeIDThroughPortal(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{Options: Options{Workers: 2}}, func(srv *testServer) {
		var players []*client
		for i := range 4 { // join clients on both workers
			players = append(players, srv.join(fmt.Sprint("player", i)))
		}
		walker, rest := players[0], players[1:]
		rid := walker.runtimeID
		for _, c := range players {
			c.received = nil
		}
		walkThroughGate(walker)
		srv.advance(500 * time.Millisecond)
		for i, c := range rest {
			if got := packetsOf[proto.ActorGone](c); !slices.Equal(got, []proto.ActorGone{{RuntimeID: rid, Wide: true}}) {
				t.Errorf("player %d got %+v, want the walker gone", i+1, got)
			}
		}
		if echo := packetsOf[proto.StandardUpdate](walker); len(echo) == 0 || echo[len(echo)-1].RuntimeID != rid {
			t.Error("the walker gets no own update with its runtime id")
		}
		other := rest[0]
		walkThroughGate(other)
		srv.advance(500 * time.Millisecond)
		if got := packetsOf[proto.NewActor](other); len(got) != 1 || got[0].RuntimeID != rid {
			t.Errorf("the second walker got %+v, want the first one with id %d", got, rid)
		}
	})
}

func TestDisconnectedPlayerIsRemovedFromOtherClientsAndSessionEnds(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		rid := b.runtimeID
		a.takePackets()
		b.disconnect()
		srv.advance(300 * time.Millisecond)
		a.expectPackets("the remaining client", proto.ActorGone{RuntimeID: rid})
		if n := srv.gateway.door.Sessions.Load(); n != 1 {
			t.Errorf("%d sessions are counted, want 1", n)
		}
	})
}

// Actors without a party, such as NPCs, which spawn and die in many frames, make no work for each member of the scene.
func TestPartiesThatMoveAreListedOnceAndWithoutThatOfNPCs(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, _ := srv.joinWithoutTicks("ann")
		actors := []sim.ActorState{player(ann, "ann", geom.Vec{})}
		srv.show(westFrame(1, actors))
		for i, party := range []sim.PartyID{7, 5, 7, 0} {
			a := player(ann+1+sim.EntityID(i), "bob", geom.Vec{})
			a.Party = party
			actors = append(actors, a)
		}
		for i, c := range []struct {
			there []sim.ActorState
			want  []sim.PartyID
		}{
			{append(slices.Clone(actors), npc(ann+10, human, geom.Vec{})), []sim.PartyID{5, 7}},
			{actors, nil}, // without the NPC
			{actors[:1], []sim.PartyID{5, 7}},
		} {
			srv.show(westFrame(sim.Tick(2+i), c.there))
			srv.onWorker(func(w *worker) {
				if moved := w.scenes.Open[0].moved; !slices.Equal(moved, c.want) {
					t.Errorf("frame %d: the parties %v have moved, want %v", 2+i, moved, c.want)
				}
			})
		}
	})
}

// The list of a party has its members in the area. It is sent to those who stand there when another one enters or leaves the area.
func TestPartyListFollowsMembersThatEnterAndLeaveArea(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, a := srv.joinWithoutTicks("ann")
		annState, bobState, cidState := player(ann, "ann", geom.Vec{}), player(ann+1, "bob", geom.Vec{}), player(ann+2, "cid", geom.Vec{})
		annState.Party, bobState.Party, cidState.Party = 5, 5, 6
		srv.show(westFrame(1, []sim.ActorState{annState}))
		for i, c := range []struct {
			there []sim.ActorState
			event sim.Event
			want  [][]string
		}{
			{[]sim.ActorState{annState, bobState}, sim.Event{Kind: sim.EventJoined, Who: bobState.ID}, [][]string{{"bob"}}},
			{[]sim.ActorState{annState, bobState, cidState}, sim.Event{Kind: sim.EventJoined, Who: cidState.ID}, nil},
			{[]sim.ActorState{annState, bobState}, sim.Event{Kind: sim.EventDeparted, Who: cidState.ID, To: 1}, nil},
			{[]sim.ActorState{annState}, sim.Event{Kind: sim.EventDeparted, Who: bobState.ID, To: 1}, [][]string{nil}},
		} {
			a.received = nil
			srv.show(westFrame(sim.Tick(2+i), c.there, c.event))
			var lists [][]string
			for _, l := range packetsOf[proto.PartyUpdate](a) {
				lists = append(lists, l.Names)
			}
			if !slices.EqualFunc(lists, c.want, slices.Equal) {
				t.Errorf("frame %d: the client is sent the lists %v, want %v", 2+i, lists, c.want)
			}
		}
	})
}
