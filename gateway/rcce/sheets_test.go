package rcce

import (
	"slices"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// A client fetches its character while an earlier session of the character is still in the world. That session ends. When
// the client enters the world, it is sent what has changed since the fetch.
func TestEnteringClientIsSentChangesSinceItFetchedItsCharacter(t *testing.T) {
	const slot = sim.SlotBackpack
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		fetch := func() *client {
			c := srv.connect()
			c.request(proto.FetchCharacterRequest{User: "ann", MD5: passwordMD5("pass")})
			if countOf[proto.FetchCharacterItems](c) == 0 {
				t.Fatalf("got %v", c.receivedNames())
			}
			c.disconnect() // known clients open another connection to enter
			return srv.connect()
		}
		enter := func(c *client) {
			c.send(proto.StartGameRequest{User: "ann", MD5: passwordMD5("pass")})
			srv.waitFor("ann to enter", func() bool { return countOf[proto.StartGame](c) >= 13 })
		}
		ann, bob := srv.join("ann"), srv.join("bob")
		next := fetch()
		ann.send(proto.InventoryDropRequest{Slot: slot, Amount: 1})
		srv.advance(150 * time.Millisecond)
		drop := packetsOf[proto.InventoryDropped](bob)[0]
		ann.disconnect()
		enter(next)
		if got, want := packetsOf[proto.InventoryTaken](next), (proto.InventoryTaken{Slot: slot, Amount: 1}); len(got) != 1 || got[0] != want {
			t.Errorf("the client with an item too many got %+v, want %+v", got, want)
		}

		ann, next = next, fetch()
		ann.send(proto.InventoryPickUpRequest{Drop: drop.Drop, Slot: slot + 3})
		srv.advance(150 * time.Millisecond)
		ann.disconnect()
		bob.received = nil
		enter(next)
		got := packetsOf[proto.InventoryDropped](next)
		if len(got) != 1 || got[0].Drop != shownHandle || got[0].Item != drop.Item || got[0].Amount != 1 {
			t.Errorf("the client that lacks an item is shown it as dropped: %+v, want %+v", got, drop)
		}
		if got, want := packetsOf[proto.InventoryReceived](next), (proto.InventoryReceived{Drop: shownHandle, Slot: slot + 3}); len(got) != 1 || got[0] != want {
			t.Errorf("the client that lacks an item got %+v, want %+v", got, want)
		}
		if n := countOf[proto.InventoryDropped](bob); n != 0 {
			t.Errorf("another client was shown %d items", n)
		}

		ann, next = next, fetch()
		ann.disconnect()
		enter(next)
		if n := countOf[proto.InventoryTaken](next) + countOf[proto.InventoryReceived](next) + countOf[proto.GoldChange](next); n != 0 {
			t.Errorf("the client whose character has not changed got %v", next.receivedNames())
		}
		srv.onWorker(func(w *worker) {
			if n := len(w.g.sheets.sent); n != 0 {
				t.Errorf("%d sheets are still remembered", n)
			}
		})
	})
}

func TestDifferencesBetweenDisplayedSheetAndRecordAreSent(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		me, c := srv.joinWithoutTicks("ann")
		was, is := &sim.Character{Level: 2, XP: 40, Gold: 9}, &sim.Character{Level: 2, XP: 65, Gold: 4}
		was.Inventory[20] = sim.ItemStack{Item: sword, Amount: 9, Health: 100}
		is.Inventory[20] = sim.ItemStack{Item: sword, Amount: 4, Health: 100} // less
		was.Inventory[21] = sim.ItemStack{Item: sword, Amount: 1, Health: 100}
		is.Inventory[21] = sim.ItemStack{Item: sword, Amount: 1, Health: 90} // another sword
		was.Inventory[22] = sim.ItemStack{Item: sword, Health: 7}            // empty in both
		is.Inventory[23] = sim.ItemStack{Item: bow, Amount: 2, Health: 100}
		self := player(me, "ann", geom.Vec{X: 50, Y: 1, Z: 2})
		shown := func(is *sim.Character) []proto.Packet {
			self.Body = &sim.Body{Level: is.Level, XP: is.XP}
			srv.onWorker(func(w *worker) {
				for x := range w.conns {
					x.correctSheet(was, is, &self)
				}
			})
			srv.exchange()
			return c.takePackets()
		}
		item := func(s sim.ItemStack) proto.InventoryDropped {
			return droppedItem(srv.world.Def(), &sim.GroundItem{Stack: s, Pos: self.Pos})
		}
		want := []proto.Packet{
			proto.XPUpdate{Sub: proto.XPGained, Value: 25},
			proto.GoldChange{Sub: proto.GoldDown, Amount: 5},
			proto.InventoryTaken{Slot: 20, Amount: 5},
			proto.InventoryTaken{Slot: 21, Amount: 1},
			item(is.Inventory[21]), proto.InventoryReceived{Slot: 21},
			item(is.Inventory[23]), proto.InventoryReceived{Slot: 23},
		}
		if got := shown(is); !slices.Equal(got, want) {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
		risen := *was
		risen.Level, risen.XP, risen.Gold = 3, 10, 11
		want = []proto.Packet{proto.XPUpdate{Sub: proto.XPLevel, Value: 3}, proto.XPUpdate{Sub: proto.XPGained, Value: 10}, proto.GoldChange{Sub: proto.GoldUp, Amount: 2}}
		if got := shown(&risen); !slices.Equal(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		fewer := *was
		fewer.XP = 15 // set by an operator
		want = []proto.Packet{proto.XPUpdate{Sub: proto.XPLevel, Value: 2}, proto.XPUpdate{Sub: proto.XPGained, Value: 15}}
		if got := shown(&fewer); !slices.Equal(got, want) {
			t.Errorf("with fewer points of experience: got %+v, want %+v", got, want)
		}
	})
}

func TestNumberOfRememberedCharacterSheetsIsLimited(t *testing.T) {
	var s sheets
	for id := range sim.CharacterID(maxSheets) {
		s.add(&sim.Character{ID: id + 1}, uint32(id))
	}
	if s.add(&sim.Character{ID: maxSheets + 1}, maxSheets); s.pop(maxSheets+1, maxSheets) != nil || len(s.sent) != maxSheets {
		t.Errorf("%d sheets are remembered, want %d", len(s.sent), maxSheets)
	}
	newer := &sim.Character{ID: 1}
	if s.add(newer, maxSheets); s.pop(1, maxSheets) != newer || s.pop(1, maxSheets) != nil {
		t.Error("the newer sheet of a character has not replaced the earlier one")
	}
	const later = sheetTimeMS + 10
	s.add(&sim.Character{ID: 1}, later)
	if s.add(&sim.Character{ID: maxSheets + 2}, later); s.pop(maxSheets+2, later) == nil || s.pop(2, later) != nil || s.pop(maxSheets, later) == nil {
		t.Error("old sheets do not make room for new ones")
	}
	if s.add(newer, later); s.pop(1, later+sheetTimeMS) != nil {
		t.Error("an old sheet is used")
	}
}
