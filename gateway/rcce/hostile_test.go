package rcce

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/proto/enet"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// bystander is an idle player. Malformed or excessive packets of other clients must not affect the bystander.
type bystander struct {
	*client
	since time.Time
}

func newBystander(c *client) *bystander {
	c.srv.advance(time.Second)
	c.received = nil
	return &bystander{c, time.Now()}
}

// checkUnaffected checks that the bystander was sent updates all the time, did not move, and received only chat and the
// arrivals and departures of others.
func (b *bystander) checkUnaffected(what string) {
	b.srv.t.Helper()
	if b.disconnected {
		b.srv.t.Fatalf("%s: the bystander was disconnected", what)
	}
	want := int(time.Since(b.since) / (200 * time.Millisecond))
	own := updatesOf(b.client, b.runtimeID)
	if len(own) < want-2 || len(own) > want+2 {
		b.srv.t.Errorf("%s: %d own updates of the bystander, want %d", what, len(own), want)
	}
	for _, u := range own {
		if u.X != 50 || u.Z != 2 || u.Mount != 0 {
			b.srv.t.Fatalf("%s: the bystander moved: %+v", what, u)
		}
	}
	for _, p := range b.takePackets() {
		switch p := p.(type) {
		case proto.ChatMessage, proto.NewActor, proto.Jump, proto.InventoryDropped, proto.InventoryGone, proto.InventoryEquipment:
		case proto.ActorGone:
			if p.RuntimeID == b.runtimeID {
				b.srv.t.Errorf("%s: the bystander was told that its own actor is gone", what)
			}
		default:
			b.srv.t.Errorf("%s: the bystander got %+v", what, p)
		}
	}
	b.since = time.Now()
}

// Random messages of every type and length neither cause a panic nor affect another player.
func TestRandomMessagesAffectNoOtherPlayer(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		rng := rand.New(rand.NewPCG(seed, 0))
		b := newBystander(srv.join("bystander"))
		shoot := func(c *client) {
			for kind := range 256 {
				for n := range 65 {
					msg := make([]byte, 1+n)
					msg[0] = byte(kind)
					for i := range n {
						msg[1+i] = byte(rng.Uint32())
					}
					c.sendRaw(msg)
				}
				srv.advance(20 * time.Millisecond)
			}
			srv.advance(time.Second)
			if c.disconnected {
				t.Error("the attacker was disconnected, as a client with a newer protocol would be")
			}
		}
		shoot(srv.connect())
		b.checkUnaffected("random messages before the entry")
		shoot(srv.join("attacker"))
		b.checkUnaffected("random messages in the world")
		for _, kind := range []string{"malformed", "unknown", "ignored", "untimely"} {
			if srv.faults(kind) == 0 {
				t.Errorf("nothing was counted as %s", kind)
			}
		}
		if got := srv.connect().request(proto.VerifyAccountRequest{User: "bystander", MD5: rightMD5}); len(got) != 1 {
			t.Error("a login gets no answer any more")
		}
	})
}

// Corrupted variants of every valid packet (each prefix, and each byte changed) do not affect another player.
func TestCorruptedPacketsAffectNoOtherPlayer(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		b := newBystander(srv.join("bystander"))
		a := srv.join("attacker")
		for _, msg := range validMessages("attacker", a.runtimeID) {
			for cut := range msg {
				a.sendRaw(msg[:cut])
			}
			for i := range msg {
				for _, v := range []byte{0, 0xff, msg[i] ^ 0x80} {
					other := slices.Clone(msg)
					other[i] = v
					if binary.LittleEndian.Uint16(append(other[1:], 0, 0)) != b.runtimeID { // skip valid attacks on the bystander
						a.sendRaw(other)
					}
				}
			}
			srv.advance(200 * time.Millisecond)
		}
		b.checkUnaffected("corrupted packets")
	})
}

// validMessages returns one valid message of every packet that a client may send before or in the world.
func validMessages(user string, rid uint16) [][]byte {
	var list [][]byte
	for _, p := range []proto.Packet{
		proto.NewClient{}, proto.CreateAccountRequest{User: "new", MD5: rightMD5, Email: "a@b"},
		proto.VerifyAccountRequest{User: user, MD5: rightMD5}, proto.FetchCharacterRequest{User: user, MD5: rightMD5},
		proto.CreateCharacterRequest{User: user, MD5: rightMD5, Template: human, Name: "Second"},
		proto.DeleteCharacterRequest{User: user, MD5: rightMD5, Index: 1},
		proto.ChangePasswordRequest{User: user, OldMD5: rightMD5, NewMD5: rightMD5},
		proto.StartGameRequest{User: user, MD5: rightMD5}, proto.FetchActorsRequest{}, proto.FetchUpdateFilesRequest{},
		proto.StandardUpdateRequest{DestX: 1, DestZ: 2, Y: 3, X: 4, Z: 5}, proto.AttackActorRequest{Target: 7},
		proto.RightClick{Target: 7}, proto.ChangeAreaRequest{}, proto.RepositionActorRequest{}, proto.JumpRequest{},
		proto.Dismount{}, proto.ChatMessageRequest{Text: "hello"}, proto.ChatMessageRequest{Text: "/who"},
		proto.InventoryMoveRequest{Sub: proto.InventorySwap, RuntimeID: rid, From: 14, To: 0, Amount: 1},
		proto.InventoryDropRequest{Slot: 14, Amount: 1}, proto.InventoryPickUpRequest{Drop: 1, Slot: 14},
		proto.ActionBarUpdate{Sub: proto.BarItem, Slot: 3, Item: 4}, proto.Examine{Target: 7}, proto.Trade{Target: 7},
	} {
		list = append(list, p.Append(nil))
	}
	return list
}

// A client that never reads is disconnected when its queue is full, and other clients are not affected.
func TestClientThatDoesNotReadIsDisconnected(t *testing.T) {
	withScene(t, func(s *sceneTest) {
		s.annClient.unresponsive = true
		var chatter []sim.Event
		for range 200 {
			chatter = append(chatter, sim.Event{Kind: sim.EventChat, Who: s.cid, Text: strings.Repeat("x", maxChatBytes)})
		}
		shown := 0
		for ; s.faults("slow_reader") == 0 && shown < 100; shown++ {
			s.showNext(chatter...)
			s.advance(100 * time.Millisecond)
		}
		if s.faults("slow_reader") != 1 {
			t.Fatalf("the client was not disconnected after %d unread lines", shown*len(chatter))
		}
		s.advance(time.Second)
		if n := countOf[proto.ChatMessage](s.bobClient); n != shown*len(chatter) || s.bobClient.disconnected {
			t.Errorf("the other client got %d of %d lines", n, shown*len(chatter))
		}
		s.onWorker(func(w *worker) {
			if len(w.conns) != 2 || len(w.scenes.Open[0].members) != 2 {
				t.Errorf("%d connections and %d members are left, want 2", len(w.conns), len(w.scenes.Open[0].members))
			}
		})
		s.actors = s.actors[1:]
		s.showNext(sim.Event{Kind: sim.EventLeft, Who: s.ann})
		if got := packetsOf[proto.ActorGone](s.bobClient); len(got) != 1 || got[0].RuntimeID != annRID {
			t.Errorf("for the disconnected client the other one got %+v", got)
		}
	})
}

// The player of a client that stops responding leaves the world after ackTimeoutMS, and its account may log in again.
func TestSilentClientTimesOut(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		rid := a.runtimeID
		a.unresponsive = true
		srv.advance(10 * time.Second)
		if countOf[proto.ActorGone](b) != 0 {
			t.Error("the client timed out within 10 s; clients that load are silent for up to 9 s")
		}
		srv.advance(25 * time.Second)
		if got := packetsOf[proto.ActorGone](b); len(got) != 1 || got[0].RuntimeID != rid {
			t.Errorf("for the timed-out client the other one got %+v", got)
		}
		if got := srv.connect().request(proto.VerifyAccountRequest{User: "ann", MD5: rightMD5}); got[0].(proto.VerifyAccount).Result != 'Y' {
			t.Errorf("a login to its account is answered %+v", got)
		}
	})
}

// Position claims beyond the rate limit are dropped and do not increase the player's speed.
func TestPlayerThatFloodsPositionsMovesNoFaster(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		b := newBystander(srv.join("bystander"))
		a := srv.join("attacker")
		srv.advance(600 * time.Millisecond)
		x, before := float32(50), a.srv.now()
		for range 300 {
			for range 20 {
				x -= 1.9
				a.claim(proto.StandardUpdateRequest{DestX: x, DestZ: 2, Y: 1, X: x, Z: 2, IsRunning: 1})
			}
			srv.step()
		}
		elapsed := a.srv.now() - before
		if n := srv.hub.Stats().Claims; n < 5000 {
			t.Errorf("%d of 6000 claims were dropped, want nearly all", n)
		}
		seen := updatesOf(b.client, a.runtimeID)
		last := seen[len(seen)-1].X
		if most := 0.15 * 1.5 * float32(elapsed) * 1.2; 50-last > most {
			t.Errorf("the attacker moved %v units in %d ms, want at most %v", 50-last, elapsed, most)
		}
		b.checkUnaffected("a flood of claims")
	})
}

// Half-open connections do not use up the slots of clients that complete the handshake.
func TestClientConnectsDuringFloodOfHalfOpenConnections(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{Options: Options{MaxPeers: 64, LimitLoopback: false}}, func(srv *testServer) {
		b := newBystander(srv.join("bystander"))
		connect := connectDatagram(srv)
		for i := range 5000 {
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
			srv.send(from, connect)
			if i%500 == 499 {
				srv.step()
			}
		}
		newClient := srv.connect()
		if got := newClient.request(proto.VerifyAccountRequest{User: "bystander", MD5: rightMD5}); len(got) != 1 {
			t.Error("a new client gets no answer during the flood")
		}
		srv.advance(time.Second)
		b.checkUnaffected("a flood of half-open connections")
		srv.onWorker(func(w *worker) {
			if n := w.host.PeerCount(); n > 64 {
				t.Errorf("%d connections are open, want at most 64", n)
			}
		})
		srv.advance(10 * time.Second)
		srv.onWorker(func(w *worker) {
			if n := w.host.PeerCount(); n > 3 {
				t.Errorf("%d connections are open 10 s later, want at most 3", n)
			}
		})
	})
}

// Newer connections displace those that never log in. The network with the most connections loses connections first.
func TestIdleConnectionIsDisplacedByNewClient(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{Options: Options{MaxPeers: 128, LimitLoopback: true}}, func(srv *testServer) {
		b := newBystander(srv.join("bystander"))
		var idle []*client
		for round := range 20 {
			for network := range 10 {
				idle = append(idle, srv.dialFrom(fmt.Sprintf("10.0.%d.%d", network, round%3)))
			}
			srv.advance(20 * time.Millisecond)
		}
		srv.advance(200 * time.Millisecond)
		open := 0
		for _, c := range idle {
			if c.peer.IsConnected() {
				open++
			}
		}
		if open < 32 || open > 64 {
			t.Errorf("%d of %d idle connections are open, want at most 64", open, len(idle))
		}
		c := srv.dialFrom("192.0.2.1")
		srv.advance(100 * time.Millisecond)
		c.send(proto.CreateAccountRequest{User: "newcomer", MD5: rightMD5, Email: "a@b.c"})
		srv.advance(300 * time.Millisecond)
		if got := packetsOf[proto.CreateAccount](c); len(got) != 1 || got[0].Result != proto.ReplyYes {
			t.Errorf("a new client is answered %v", got)
		}
		b.checkUnaffected("idle connections")
		srv.advance(15 * time.Second)
		srv.onWorker(func(w *worker) {
			if n := w.g.places.Stats().Waiting; n > 34 {
				t.Errorf("%d idle connections are open 15 s later, want about half of the places", n)
			}
		})
	})
}

// connectDatagram returns the datagram with which a client begins a connection.
func connectDatagram(srv *testServer) (b []byte) {
	h := enet.NewHost(enet.Config{MaxPeers: 1, SessionSeed: 99, RefuseConnect: true})
	_, err := h.Connect(srv.now(), serverAddr, 0)
	srv.must(err)
	h.Flush(srv.now(), func(_ netip.AddrPort, d []byte) { b = slices.Clone(d) })
	return b
}

// Fragments of messages that are never completed use bounded memory and affect only their sender.
func TestMemoryForIncompleteFragmentedPacketsIsLimited(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		b := newBystander(srv.join("bystander"))
		a := srv.connect()
		var header []byte
		a.send(proto.NewClient{})
		a.host.Flush(srv.now(), func(_ netip.AddrPort, d []byte) {
			header = slices.Clone(d[:8])
			srv.send(a.addr, d)
		})
		srv.step()
		a.unresponsive = true // from here on the test writes the datagrams
		for seq := range 2000 {
			d := slices.Clone(header)
			d[4] |= 0x80
			d = append(d, 0x88, channelReliable)
			d = binary.BigEndian.AppendUint16(d, uint16(3+seq)) // this is never the expected sequence number
			d = binary.BigEndian.AppendUint16(d, uint16(3+seq)) // each fragment starts another message
			d = binary.BigEndian.AppendUint16(d, 1000)
			d = binary.BigEndian.AppendUint32(d, 60)
			d = binary.BigEndian.AppendUint32(d, 0)
			d = binary.BigEndian.AppendUint32(d, 60_000)
			d = binary.BigEndian.AppendUint32(d, 0)
			srv.send(a.addr, append(d, make([]byte, 1000)...))
			if seq%50 == 49 {
				srv.step()
			}
		}
		srv.onWorker(func(w *worker) {
			if s := w.host.Stats(); s.OverHold+s.BadFragment < 1500 {
				t.Errorf("%d fragments were rejected, want nearly all of 2000: %+v", s.OverHold+s.BadFragment, s)
			}
		})
		srv.advance(time.Second)
		b.checkUnaffected("unfinished fragments")
	})
}

// NaN, infinite and out-of-range coordinates are not forwarded to other clients.
func TestNonFiniteCoordinatesAreNotSentToOtherClients(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		b := newBystander(srv.join("bystander"))
		a := srv.join("attacker")
		srv.advance(600 * time.Millisecond)
		for _, bits := range []uint32{0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x00000001, 0x80000000, 0x47c35000} {
			msg := []byte{byte(proto.TypeStandardUpdate)}
			for range 5 {
				msg = binary.LittleEndian.AppendUint32(msg, bits)
			}
			if err := a.peer.SendUnreliable(channelUnreliable, append(msg, 255, 255)); err != nil {
				t.Fatal(err)
			}
			srv.advance(300 * time.Millisecond)
		}
		for _, u := range packetsOf[proto.StandardUpdate](b.client) {
			if !geom.Finite(u.X) || !geom.Finite(u.Z) || !geom.Finite(u.DestX) || !geom.Finite(u.DestZ) {
				t.Fatalf("others were sent %+v", u)
			}
		}
		b.checkUnaffected("impossible coordinates")
	})
}

// Each account packet reads the whole roster from the database, so account packets of a client are rate limited.
func TestAccountPacketsAreRateLimited(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("ann")
		c := srv.connect()
		ask := proto.FetchCharacterRequest{User: "ann", MD5: rightMD5}
		answered := func(d time.Duration) int {
			c.received = nil
			for end := time.Now().Add(d); time.Now().Before(end); srv.advance(20 * time.Millisecond) {
				c.send(ask)
			}
			return countOf[proto.FetchCharacterEnd](c)
		}
		if n := answered(10 * time.Second); n < 65 || n > 72 {
			t.Errorf("500 packets in 10 s got %d answers, want 30 and 4 a second", n)
		}
		srv.advance(time.Minute)
		if n := answered(time.Second); n < 30 || n > 35 {
			t.Errorf("after a rest 50 packets got %d answers, want some more than 30", n)
		}
	})
}

// A connection at the menu that sends no message is closed, because ENet's pings would keep it open forever.
func TestIdleConnectionIsClosed(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		quiet, playing := srv.connect(), srv.join("ann")
		srv.advance((idleTimeoutMS - 20_000) * time.Millisecond)
		if quiet.disconnected {
			t.Fatal("the idle connection was closed too early")
		}
		srv.advance(40 * time.Second)
		if !quiet.disconnected || playing.disconnected {
			t.Errorf("disconnected: idle client %v, player %v; want true, false", quiet.disconnected, playing.disconnected)
		}
	})
}
