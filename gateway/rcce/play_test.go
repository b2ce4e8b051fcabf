package rcce

import (
	"slices"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

func chatTexts(c *client) []string {
	var list []string
	for _, m := range packetsOf[proto.ChatMessage](c) {
		list = append(list, m.Text)
	}
	return list
}

func TestChatLineIsSentToAllPlayersAndCommandIsAnswered(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		said := func(text string) (byAnn, byBob []string) {
			srv.advance(time.Second)
			a.received, b.received = nil, nil
			a.send(proto.ChatMessageRequest{Text: text})
			srv.advance(200 * time.Millisecond)
			return chatTexts(a), chatTexts(b)
		}
		long := strings.Repeat("x", 400)
		for _, tc := range []struct{ name, text, ann, bob string }{
			{"speech", "hello", "<ann> hello", "<ann> hello"},
			{"line ends are removed, bytes from 0xfa are letters", "\xfered\x01\r\nblue\xfa", "<ann> \xferedblue\xfa", "<ann> \xferedblue\xfa"},
			{"a long line is cut", long, "<ann> " + long[:maxChatBytes], "<ann> " + long[:maxChatBytes]},
			{"who", "/who", "In West: ann, bob", ""},
			{"an unknown command", `\dance`, helpText, ""},
		} {
			byAnn, byBob := said(tc.text)
			if len(byAnn) != 1 || byAnn[0] != tc.ann {
				t.Errorf("%s: the speaker got %q, want %q", tc.name, byAnn, tc.ann)
			}
			if want := strings.Fields(tc.bob); len(want) == 0 && len(byBob) != 0 || len(want) > 0 && !slices.Equal(byBob, []string{tc.bob}) {
				t.Errorf("%s: the other client got %q, want %q", tc.name, byBob, tc.bob)
			}
		}
		if byAnn, byBob := said("\x01\x02"); len(byAnn)+len(byBob) != 0 {
			t.Errorf("a line of control characters was sent: %q %q", byAnn, byBob)
		}
	})
}

// A command of a few bytes requests a list of all players, so its replies are rate limited.
func TestChatCommandsAreRateLimited(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		c := srv.join("ann")
		c.received = nil
		for range 500 {
			c.send(proto.ChatMessageRequest{Text: "/who"})
		}
		srv.advance(2 * time.Second)
		if n := len(chatTexts(c)); n < 1 || n > 5 {
			t.Errorf("%d answers in 2 s, want one in %d ms", n, localReplyMS)
		}
	})
}

func TestPlayerInvitedByNameJoinsParty(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		a.received, b.received = nil, nil
		a.send(proto.ChatMessageRequest{Text: "/invite bob"})
		srv.advance(200 * time.Millisecond)
		if len(chatTexts(b)) == 0 {
			t.Fatal("the invited player got no text")
		}
		b.send(proto.ChatMessageRequest{Text: "/accept"})
		srv.advance(200 * time.Millisecond)
		srv.onWorker(func(w *worker) {
			for c := range w.conns {
				if c.scene.index.Frame().Find(c.session.Entity).Party == 0 {
					t.Errorf("%s is in no party", c.session.Character.Name)
				}
			}
		})
		for _, who := range []struct {
			c     *client
			other string
		}{{a, "bob"}, {b, "ann"}} {
			lists := packetsOf[proto.PartyUpdate](who.c)
			if len(lists) == 0 || !slices.Equal(lists[len(lists)-1].Names, []string{who.other}) {
				t.Errorf("lists %v, the last must be %s", lists, who.other)
			}
		}
		a.received, b.received = nil, nil
		b.send(proto.ChatMessageRequest{Text: "/leave"})
		srv.advance(200 * time.Millisecond)
		for _, c := range []*client{a, b} {
			if lists := packetsOf[proto.PartyUpdate](c); len(lists) == 0 || len(lists[len(lists)-1].Names) != 0 {
				t.Errorf("after bob left: %v, want an empty list", lists)
			}
		}
		b.received = nil
		b.send(proto.ChatMessageRequest{Text: "/leave"})
		srv.advance(200 * time.Millisecond)
		if want := (proto.ChatMessage{Color: proto.ChatRed, Text: "There is no party or invitation to act on."}); !slices.Contains(packetsOf[proto.ChatMessage](b), want) {
			t.Errorf("bob has no party and got %+v, want %+v", b.received, want)
		}
	})
}

func TestActionBarIsRestoredAtNextLogin(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a := srv.join("ann")
		a.send(proto.ActionBarUpdate{Sub: proto.BarSpell, Slot: 4, Spell: "Heal"})
		srv.advance(200 * time.Millisecond)
		a.disconnect()
		srv.advance(400 * time.Millisecond)
		for _, chunk := range packetsOf[proto.StartGameBar](srv.enterWorld("ann")) {
			if chunk.Start == 3 && chunk.Slots != [3]string{"", "SHeal", ""} {
				t.Errorf("slots 3 to 5 are %q", chunk.Slots)
			}
		}
	})
}

func TestMovementOfPlayerIsSentToOtherPlayers(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		rid := a.runtimeID
		srv.advance(600 * time.Millisecond)
		b.received = nil
		for i := range 20 {
			x := 50 + float32(i)
			a.claim(proto.StandardUpdateRequest{DestX: x, DestZ: 2, Y: 1, X: x, Z: 2, IsRunning: 1})
			srv.advance(140 * time.Millisecond)
		}
		seen := updatesOf(b, rid)
		if len(seen) < 12 || seen[len(seen)-1].X < 65 || seen[len(seen)-1].X > 75 {
			t.Errorf("%d updates, the last %+v, want about 14, at about 69", len(seen), seen[len(seen)-1])
		}
	})
}

// A client's claim to be far away is rejected: the server keeps the previous position and sends this position to other clients.
func TestImpossiblePositionSentByClientIsRejected(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		rid := a.runtimeID
		srv.advance(600 * time.Millisecond)
		claim := proto.StandardUpdateRequest{DestX: 50, DestZ: 2, Y: 1, X: 50, Z: 2}
		a.claim(claim) // the first claim sets the position to which later ones are compared
		srv.advance(200 * time.Millisecond)
		b.received = nil
		claim.X, claim.Z, claim.DestX, claim.DestZ = 9000, 9000, 9000, 9000
		a.claim(claim)
		srv.advance(time.Second)
		for _, u := range updatesOf(b, rid) {
			if u.X > 200 || u.Z > 200 {
				t.Fatalf("others saw the player at (%v, %v)", u.X, u.Z)
			}
		}
	})
}

// docs/wire/rcce.md 3.4: claims of any length except 22 bytes are refused; the RealmCrafter server read missing fields as zeros.
func TestPositionPacketOfWrongLengthIsRefused(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		c := srv.join("ann")
		srv.advance(600 * time.Millisecond)
		msg := proto.StandardUpdateRequest{DestX: 40, DestZ: 2, Y: 1, X: 50, Z: 2}.Append(nil)
		for _, m := range [][]byte{msg[:22], msg[:1], append(slices.Clone(msg), 0)} {
			if err := c.peer.SendUnreliable(channelUnreliable, m); err != nil {
				t.Fatal(err)
			}
		}
		c.received = nil
		srv.advance(time.Second)
		if n := srv.faults("malformed"); n != 3 {
			t.Errorf("%d malformed packets are counted, want 3", n)
		}
		for _, u := range packetsOf[proto.StandardUpdate](c) {
			if u.X != 50 || u.DestX != 50 {
				t.Errorf("the player moved: %+v", u)
			}
		}
	})
}

func TestEachHitAndDeathOfNPCIsSentToAttackerAndOnlooker(t *testing.T) {
	withServer(t, twoFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		srv.advance(600 * time.Millisecond)
		wolf := packetsOf[proto.NewActor](a)[0].RuntimeID
		a.claim(proto.StandardUpdateRequest{DestX: 50, DestZ: 10, Y: 1, X: 50, Z: 2, IsRunning: 1})
		srv.advance(time.Second)
		a.received, b.received = nil, nil
		for range 200 {
			a.send(proto.AttackActorRequest{Target: wolf})
			srv.advance(250 * time.Millisecond)
			if countOf[proto.ActorDead](a) > 0 {
				break
			}
		}
		srv.advance(200 * time.Millisecond)
		blows, left := 0, int32(40)
		var last proto.StatUpdate
		for i, p := range a.received {
			switch p := p.(type) {
			case proto.AttackActor:
				if p.Sub != proto.AttackYouHit || p.Victim != wolf {
					t.Errorf("the attacker got %+v", p)
				}
				if blows++; p.Damage.IsMiss() {
					continue
				}
				left = max(0, left-p.Damage.Points())
				if next, ok := a.received[i+1].(proto.StatUpdate); !ok || next.RuntimeID != wolf || int32(next.Value) != left {
					t.Errorf("a hit of %d was followed by %+v, want health %d", p.Damage.Points(), a.received[i+1], left)
				}
			case proto.StatUpdate:
				last = p
			}
		}
		if last.Value != 0 || countOf[proto.ActorDead](a) != 1 || countOf[proto.XPUpdate](a) != 1 {
			t.Errorf("no death after %d hits: %v", blows, a.receivedNames())
		}
		if got := packetsOf[proto.ActorDead](b); len(got) != 1 || got[0] != (proto.ActorDead{Dead: wolf, HasKiller: true, Killer: a.runtimeID}) {
			t.Errorf("the onlooker got %+v", got)
		}
		if n := countOf[proto.AttackActor](b); n != blows {
			t.Errorf("the onlooker saw %d of %d hits", n, blows)
		}
		if n := countOf[proto.ActorGone](b); n != 0 {
			t.Error("ActorGone was sent for a dead NPC")
		}
	})
}

// In an area without PvP, an attack on a player is refused. The attacker is sent the reason, and the victim is sent nothing.
func TestAttackOnPlayerWithoutPvPIsRefused(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		victim := b.runtimeID
		srv.advance(2 * time.Second)
		a.received, b.received = nil, nil
		for range 8 {
			a.send(proto.AttackActorRequest{Target: victim})
			srv.advance(250 * time.Millisecond)
		}
		a.expectPackets("the attacker", proto.ChatMessage{Color: proto.ChatRed, Text: "Players cannot attack each other in this area."})
		b.expectPackets("the victim")
	})
}

func TestInventoryItemsAreMovedDroppedAndPickedUp(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		ann, bob := a.runtimeID, b.runtimeID
		do := func(c *client, p proto.Packet) {
			a.received, b.received = nil, nil
			c.send(p)
			srv.advance(150 * time.Millisecond)
		}
		do(a, proto.InventoryMoveRequest{Sub: proto.InventorySwap, RuntimeID: ann, From: sim.SlotBackpack, To: sim.SlotWeapon, Amount: 1})
		a.expectPackets("the player that equips a sword")
		b.expectPackets("the onlooker", proto.InventoryEquipment{RuntimeID: ann, Weapon: sword, Shield: sim.NoItem, Chest: sim.NoItem, Hat: sim.NoItem})

		do(a, proto.InventoryMoveRequest{Sub: proto.InventorySwap, RuntimeID: bob, From: sim.SlotBackpack, To: sim.SlotWeapon, Amount: 1})
		b.expectPackets("the owner of the foreign inventory")
		a.expectPackets("the player that names a foreign inventory")
		if srv.faults("foreign_inventory") != 1 {
			t.Error("the foreign inventory was not counted")
		}

		do(b, proto.InventoryDropRequest{Slot: sim.SlotBackpack, Amount: 1})
		got := packetsOf[proto.InventoryDropped](a)
		if len(got) != 1 || got[0].Item.ID != sword || got[0].Amount != 1 {
			t.Fatalf("the onlooker of a drop got %v", a.receivedNames())
		}
		do(a, proto.InventoryPickUpRequest{Drop: got[0].Drop, Slot: sim.SlotBackpack + 5})
		a.expectPackets("the player that picks it up", proto.InventoryReceived{Drop: got[0].Drop, Slot: sim.SlotBackpack + 5})
		b.expectPackets("the player that dropped it", proto.InventoryGone{Drop: got[0].Drop})
		do(b, proto.InventoryPickUpRequest{Drop: got[0].Drop, Slot: sim.SlotBackpack + 5})
		b.expectPackets("the player that picks it up too late")
	})
}

// Play packets of a client that is not in the world yet are ignored.
func TestGameplayPacketsSentBeforePlayerEntersWorldAreIgnored(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		c := srv.connect()
		c.send(proto.AttackActorRequest{Target: 1}, proto.JumpRequest{}, proto.ChatMessageRequest{Text: "hello"},
			proto.InventoryDropRequest{Slot: 14, Amount: 1})
		c.claim(proto.StandardUpdateRequest{X: 1})
		srv.advance(200 * time.Millisecond)
		c.expectPackets("the client before its entry")
		if n := srv.faults("untimely"); n != 5 {
			t.Errorf("%d untimely packets are counted, want 5", n)
		}
	})
}

func TestClientsAreKickedWhenServerStops(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, lobby := srv.join("ann"), srv.connect()
		a.received = nil
		srv.must(srv.world.Stop(srv.ctx))
		srv.advance(200 * time.Millisecond)
		for _, c := range []*client{a, lobby} {
			if countOf[proto.KickedPlayer](c) != 1 || !c.disconnected {
				t.Errorf("got %v, disconnected: %v", c.receivedNames(), c.disconnected)
			}
		}
	})
}

// A player is sent a message when the rate limit has dropped its chat line.
func TestPlayerIsToldThatChatExceedsRateLimit(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		a.received, b.received = nil, nil
		for range 30 {
			a.send(proto.ChatMessageRequest{Text: "hello"})
		}
		srv.advance(300 * time.Millisecond)
		if said, heard := chatTexts(a), len(chatTexts(b)); heard < 4 || heard > 12 || !slices.Contains(said, "You are sending messages too fast; this one was dropped.") {
			t.Errorf("%d lines were sent to the other client; the speaker got %q", heard, said)
		}
	})
}
