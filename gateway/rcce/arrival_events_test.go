package rcce

import (
	"slices"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// removeFromScene makes the client wait until a frame contains its player, as between two areas. The next tick is some time away.
func (srv *testServer) removeFromScene(c *client) {
	for now := srv.world.Stats()[0].Tick; srv.world.Stats()[0].Tick == now; srv.advance(time.Millisecond) {
	}
	srv.advance(10 * time.Millisecond)
	srv.onWorker(func(w *worker) {
		for x := range w.conns {
			if s := x.scene; x.peer.Addr() == c.addr {
				s.removeMember(x)
				s.Sweep()
				w.scenes.Expect(x, s.id)
			}
		}
	})
	c.received = nil
}

// inTickOfArrival makes the client's player arrive with the next frame, and calls do, which submits something that is executed in that
// tick.
func (srv *testServer) inTickOfArrival(c *client, do func()) {
	srv.removeFromScene(c)
	go do()
	srv.advance(time.Second)
	if kinds := c.receivedNames(); len(kinds) == 0 || kinds[0] != "ChangeArea" || countOf[proto.ChangeArea](c) != 1 {
		srv.t.Fatalf("the client got %v, which does not begin with one arrival", kinds)
	}
}

// What an area does with a player in the tick of its arrival reaches the client, after the packets of the entry.
func TestOrdersExecutedInTickOfArrivalReachClient(t *testing.T) {
	w := emptyFields()
	w.Items = append(w.Items, sim.Item{ID: 900, Name: "Token", Kind: sim.ItemOther, SlotKind: 11, Stackable: true})
	slices.SortFunc(w.Items, func(a, b sim.Item) int { return int(a.ID) - int(b.ID) })
	health, strength := w.Roles.Health, w.Roles.Strength
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		ann := srv.join("ann")
		id := srv.entityOf(ann)
		srv.inTickOfArrival(ann, func() { srv.must(srv.hub.SendMessage(id, "Behave.")) })
		if got := chatTexts(ann); !slices.Equal(got, []string{"[Operator] Behave."}) {
			t.Errorf("texts %q", got)
		}
		srv.inTickOfArrival(ann, func() { srv.must(srv.hub.Give(id, 900, 5)) })
		drops, got := packetsOf[proto.InventoryDropped](ann), packetsOf[proto.InventoryReceived](ann)
		if len(drops) != 1 || drops[0].Amount != 5 || drops[0].Item.ID != 900 || len(got) != 1 || got[0].Drop != drops[0].Drop {
			t.Fatalf("for a gift the client got %+v, %+v", drops, got)
		}
		srv.inTickOfArrival(ann, func() { srv.must(srv.hub.Take(id, 900, 2, sim.AnySlot)) })
		if taken := packetsOf[proto.InventoryTaken](ann); !slices.Equal(taken, []proto.InventoryTaken{{Slot: got[0].Slot, Amount: 2}}) {
			t.Errorf("taken %+v", taken)
		}
		for _, i := range []int{health, strength} {
			srv.inTickOfArrival(ann, func() { srv.must(srv.hub.SetAttribute(id, uint8(i), 30, -1)) })
			want := proto.StatUpdate{Sub: proto.StatValue, RuntimeID: ann.runtimeID, Attribute: uint8(i), Value: 30}
			if stats := packetsOf[proto.StatUpdate](ann); !slices.Contains(stats, want) {
				t.Errorf("the client got %+v, want %+v", stats, want)
			}
		}
		srv.inTickOfArrival(ann, func() { srv.must(srv.world.Submit(0, sim.Intent{Kind: sim.IntentChat, Who: id, Text: "here"})) })
		if got := chatTexts(ann); !slices.Contains(got, "<ann> here") {
			t.Errorf("texts %q", got)
		}
	})
}

// An item that a player drops in the tick of its arrival is on the ground, and so is sent once.
func TestItemDroppedInTickOfArrivalIsSentOnce(t *testing.T) {
	w := emptyFields()
	w.Items = append(w.Items, sim.Item{ID: 900, Name: "Token", Kind: sim.ItemOther, SlotKind: 11, Stackable: true})
	slices.SortFunc(w.Items, func(a, b sim.Item) int { return int(a.ID) - int(b.ID) })
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		ann := srv.join("ann")
		id := srv.entityOf(ann)
		srv.must(srv.hub.Give(id, 900, 5))
		srv.advance(time.Second)
		slot := packetsOf[proto.InventoryReceived](ann)[0].Slot
		srv.inTickOfArrival(ann, func() {
			srv.must(srv.world.Submit(0, sim.Intent{Kind: sim.IntentDrop, Who: id, SlotA: slot, Amount: 5}))
		})
		if drops := packetsOf[proto.InventoryDropped](ann); len(drops) != 1 || strings.Contains(strings.Join(ann.receivedNames(), " "), "InventoryReceived") {
			t.Errorf("the client got %v", ann.receivedNames())
		}
	})
}

func TestTextsOfPlayerBetweenAreasAreAcceptedAndCommandsAnswered(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		ann, bob := srv.join("ann"), srv.join("bob")
		ann.received, bob.received = nil, nil
		for _, c := range []struct{ text, reply string }{
			{"hello", "<ann> hello"}, {"/invite bob", "You invited bob."}, {"/who", "You are on your way to another area; try again there."},
			{"/dismount", "You are on your way to another area; try again there."}, {"/help", helpText},
		} {
			srv.advance(time.Second)
			srv.removeFromScene(ann)
			ann.send(proto.ChatMessageRequest{Text: c.text})
			srv.exchange()
			srv.advance(time.Second)
			if got := chatTexts(ann); !slices.Equal(got, []string{c.reply}) {
				t.Errorf("%s: the client reads %q, want %q", c.text, got, c.reply)
			}
		}
		if got := chatTexts(bob); len(got) != 2 || got[0] != "<ann> hello" || !strings.HasPrefix(got[1], "ann invites you") {
			t.Errorf("bob reads %q", got)
		}
		srv.removeFromScene(ann)
		untimely := srv.gateway.door.Bad.With("untimely").Load()
		ann.send(proto.JumpRequest{})
		srv.exchange()
		if n := srv.gateway.door.Bad.With("untimely").Load(); n != untimely+1 {
			t.Errorf("%d untimely packets after a jump between two areas, want one more than %d", n, untimely)
		}
	})
}
