package rcce

import (
	"encoding/binary"
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

// bystander is a player who does nothing while others are hostile.
type bystander struct {
	*client
	since time.Time
}

func standBy(c *client) *bystander {
	c.r.run(time.Second)
	c.got = nil
	return &bystander{c, time.Now()}
}

// unharmed checks that he was served all the time, stands where he stood, and was told of nothing but speech and of
// who came and went.
func (b *bystander) unharmed(what string) {
	b.r.t.Helper()
	if b.gone {
		b.r.t.Fatalf("%s: the bystander was disconnected", what)
	}
	want := int(time.Since(b.since) / (200 * time.Millisecond))
	own := updatesOf(b.client, b.id)
	if len(own) < want-2 || len(own) > want+2 {
		b.r.t.Errorf("%s: %d updates of the bystander himself, want %d", what, len(own), want)
	}
	for _, u := range own {
		if u.X != 50 || u.Z != 2 || u.Mount != 0 {
			b.r.t.Fatalf("%s: the bystander moved: %+v", what, u)
		}
	}
	for _, p := range b.take() {
		switch p := p.(type) {
		case proto.ChatMessage, proto.NewActor, proto.Jump, proto.InventoryDropped, proto.InventoryGone, proto.InventoryEquipment:
		case proto.ActorGone:
			if p.RuntimeID == b.id {
				b.r.t.Errorf("%s: the bystander was told that he is gone", what)
			}
		default:
			b.r.t.Errorf("%s: the bystander got %+v", what, p)
		}
	}
	b.since = time.Now()
}

// Whatever the type and the length: nobody panics, and nobody else notices.
func TestRandomMessagesHurtNobody(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		luck := rand.New(rand.NewPCG(seed, 0))
		b := standBy(r.player("bystander"))
		shoot := func(c *client) {
			for kind := range 256 {
				for n := range 65 {
					msg := make([]byte, 1+n)
					msg[0] = byte(kind)
					for i := range n {
						msg[1+i] = byte(luck.Uint32())
					}
					c.raw(msg)
				}
				r.run(20 * time.Millisecond)
			}
			r.run(time.Second)
			if c.gone {
				t.Error("the attacker was disconnected: a client with a newer protocol would be, too")
			}
		}
		shoot(r.connect())
		b.unharmed("before the world")
		shoot(r.player("attacker"))
		b.unharmed("in the world")
		for _, kind := range []string{"malformed", "unknown", "ignored", "untimely"} {
			if r.bad(kind) == 0 {
				t.Errorf("nothing was counted as %s", kind)
			}
		}
		if got := r.connect().ask(proto.VerifyAccountRequest{User: "bystander", MD5: right}); len(got) != 1 {
			t.Error("nobody can log in any more")
		}
	})
}

// Broken variants of every packet that means something: every prefix, and every byte changed.
func TestMutilatedPacketsHurtNobody(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		b := standBy(r.player("bystander"))
		a := r.player("attacker")
		for _, msg := range wishes("attacker", a.id) {
			for cut := range msg {
				a.raw(msg[:cut])
			}
			for i := range msg {
				for _, v := range []byte{0, 0xff, msg[i] ^ 0x80} {
					other := slices.Clone(msg)
					other[i] = v
					if binary.LittleEndian.Uint16(append(other[1:], 0, 0)) != b.id { // to strike or ride the bystander is not mutilated
						a.raw(other)
					}
				}
			}
			r.run(200 * time.Millisecond)
		}
		b.unharmed("mutilated packets")
	})
}

// wishes is one valid message of every packet that a client in the world or before it may send.
func wishes(user string, rid uint16) [][]byte {
	var list [][]byte
	for _, p := range []proto.Packet{
		proto.NewClient{}, proto.CreateAccountRequest{User: "new", MD5: right, Email: "a@b"},
		proto.VerifyAccountRequest{User: user, MD5: right}, proto.FetchCharacterRequest{User: user, MD5: right},
		proto.CreateCharacterRequest{User: user, MD5: right, Template: human, Name: "Second"},
		proto.DeleteCharacterRequest{User: user, MD5: right, Index: 1},
		proto.ChangePasswordRequest{User: user, OldMD5: right, NewMD5: right},
		proto.StartGameRequest{User: user, MD5: right}, proto.FetchActorsRequest{}, proto.FetchUpdateFilesRequest{},
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

// A client that never reads loses its connection when its queue is full, and costs nobody else anything.
func TestAClientThatDoesNotReadIsDropped(t *testing.T) {
	onStage(t, func(s *stage) {
		s.a.deaf = true
		var chatter []sim.Event
		for range 200 {
			chatter = append(chatter, sim.Event{Kind: sim.EventChat, Who: s.cid, Text: strings.Repeat("x", maxChat)})
		}
		shown := 0
		for ; s.bad("slow_reader") == 0 && shown < 100; shown++ {
			s.play(chatter...)
			s.run(100 * time.Millisecond)
		}
		if s.bad("slow_reader") != 1 {
			t.Fatalf("it was not dropped after %d lines that it did not read", shown*len(chatter))
		}
		s.run(time.Second)
		if n := count[proto.ChatMessage](s.b); n != shown*len(chatter) || s.b.gone {
			t.Errorf("the other got %d of %d lines", n, shown*len(chatter))
		}
		s.on(func(w *worker) {
			if len(w.conns) != 2 || len(w.scenes.Open[0].members) != 2 {
				t.Errorf("%d connections and %d members are left, want 2", len(w.conns), len(w.scenes.Open[0].members))
			}
		})
		s.actors = s.actors[1:]
		s.play(sim.Event{Kind: sim.EventLeft, Who: s.ann})
		if got := each[proto.ActorGone](s.b); len(got) != 1 || got[0].RuntimeID != annRID {
			t.Errorf("of the dropped one the other was told %+v", got)
		}
	})
}

// A client whose line is cut is taken out of the world after ENet's time, and its account is free.
func TestASilentClientTimesOut(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		a, b := r.player("ann"), r.player("bob")
		rid := a.id
		a.deaf = true
		r.run(10 * time.Second)
		if count[proto.ActorGone](b) != 0 {
			t.Error("it was dropped within 10 s; clients that load are silent for up to 9")
		}
		r.run(25 * time.Second)
		if got := each[proto.ActorGone](b); len(got) != 1 || got[0].RuntimeID != rid {
			t.Errorf("of the timed out one the other was told %+v", got)
		}
		if got := r.connect().ask(proto.VerifyAccountRequest{User: "ann", MD5: right}); got[0].(proto.VerifyAccount).Result != 'Y' {
			t.Errorf("its account answers %+v", got)
		}
	})
}

// Claims beyond the budget are lost, and do not make anybody faster.
func TestAFloodOfClaims(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		b := standBy(r.player("bystander"))
		a := r.player("attacker")
		r.run(600 * time.Millisecond)
		x, before := float32(50), a.r.now()
		for range 300 {
			for range 20 {
				x -= 1.9
				a.claim(proto.StandardUpdateRequest{DestX: x, DestZ: 2, Y: 1, X: x, Z: 2, IsRunning: 1})
			}
			r.step()
		}
		elapsed := a.r.now() - before
		if n := r.hub.Stats().Claims; n < 5000 {
			t.Errorf("%d of 6000 claims were turned away, want nearly all", n)
		}
		seen := updatesOf(b.client, a.id)
		last := seen[len(seen)-1].X
		if most := 0.15 * 1.5 * float32(elapsed) * 1.2; 50-last > most {
			t.Errorf("it came %v far in %d ms, want at most %v", 50-last, elapsed, most)
		}
		b.unharmed("a flood of claims")
	})
}

// Connections that are begun and never completed take no place from those who come honestly.
func TestHalfOpenFloods(t *testing.T) {
	bubble(t, empty(), rigOptions{Options: Options{MaxPeers: 64, LimitLoopback: false}}, func(r *rig) {
		b := standBy(r.player("bystander"))
		connect := firstDatagram(r)
		for i := range 5000 {
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
			r.send(from, connect)
			if i%500 == 499 {
				r.step()
			}
		}
		newcomer := r.connect()
		if got := newcomer.ask(proto.VerifyAccountRequest{User: "bystander", MD5: right}); len(got) != 1 {
			t.Error("a newcomer gets no answer during the flood")
		}
		r.run(time.Second)
		b.unharmed("a flood of half-open connections")
		r.on(func(w *worker) {
			if n := w.host.Peers(); n > 64 {
				t.Errorf("%d connections are held, want at most 64", n)
			}
		})
		r.run(10 * time.Second)
		r.on(func(w *worker) {
			if n := w.host.Peers(); n > 3 {
				t.Errorf("%d connections are held 10 s later, want them forgotten", n)
			}
		})
	})
}

// firstDatagram is what a client connects with.
func firstDatagram(r *rig) (b []byte) {
	h := enet.NewHost(enet.Config{MaxPeers: 1, SessionSeed: 99, RefuseConnect: true})
	_, err := h.Connect(r.now(), serverAddr, 0)
	r.must(err)
	h.Flush(r.now(), func(_ netip.AddrPort, d []byte) { b = slices.Clone(d) })
	return b
}

// Fragments of messages that are never completed cost a bounded share of memory, and their sender alone.
func TestFragmentsThatAreNeverFinished(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		b := standBy(r.player("bystander"))
		a := r.connect()
		var header []byte
		a.send(proto.NewClient{})
		a.host.Flush(r.now(), func(_ netip.AddrPort, d []byte) {
			header = slices.Clone(d[:8])
			r.send(a.addr, d)
		})
		r.step()
		a.deaf = true // from here on its datagrams are made by hand
		for seq := range 2000 {
			d := slices.Clone(header)
			d[4] |= 0x80
			d = append(d, 0x88, channelReliable)
			d = binary.BigEndian.AppendUint16(d, uint16(3+seq)) // never the next one
			d = binary.BigEndian.AppendUint16(d, uint16(3+seq)) // each begins another message
			d = binary.BigEndian.AppendUint16(d, 1000)
			d = binary.BigEndian.AppendUint32(d, 60)
			d = binary.BigEndian.AppendUint32(d, 0)
			d = binary.BigEndian.AppendUint32(d, 60_000)
			d = binary.BigEndian.AppendUint32(d, 0)
			r.send(a.addr, append(d, make([]byte, 1000)...))
			if seq%50 == 49 {
				r.step()
			}
		}
		r.on(func(w *worker) {
			if s := w.host.Stats(); s.OverHold+s.BadFragment < 1500 {
				t.Errorf("%d fragments were not taken, want nearly all of 2000: %+v", s.OverHold+s.BadFragment, s)
			}
		})
		r.run(time.Second)
		b.unharmed("unfinished fragments")
	})
}

// NaN, infinities and the ends of the world are a place like any other: none.
func TestImpossibleCoordinates(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		b := standBy(r.player("bystander"))
		a := r.player("attacker")
		r.run(600 * time.Millisecond)
		for _, bits := range []uint32{0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0x00000001, 0x80000000, 0x47c35000} {
			msg := []byte{byte(proto.TypeStandardUpdate)}
			for range 5 {
				msg = binary.LittleEndian.AppendUint32(msg, bits)
			}
			if err := a.peer.SendUnreliable(channelUnreliable, append(msg, 255, 255)); err != nil {
				t.Fatal(err)
			}
			r.run(300 * time.Millisecond)
		}
		for _, u := range each[proto.StandardUpdate](b.client) {
			if !geom.Finite(u.X) || !geom.Finite(u.Z) || !geom.Finite(u.DestX) || !geom.Finite(u.DestZ) {
				t.Fatalf("others were told %+v", u)
			}
		}
		b.unharmed("impossible coordinates")
	})
}

// Each account packet reads the whole roster from the database: who repeats them must not keep a core busy.
func TestAccountPacketsHaveABudget(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		r.account("ann")
		c := r.connect()
		ask := proto.FetchCharacterRequest{User: "ann", MD5: right}
		answered := func(d time.Duration) int {
			c.got = nil
			for end := time.Now().Add(d); time.Now().Before(end); r.run(20 * time.Millisecond) {
				c.send(ask)
			}
			return count[proto.FetchCharacterEnd](c)
		}
		if n := answered(10 * time.Second); n < 65 || n > 72 {
			t.Errorf("500 packets in 10 s got %d answers, want 30 and 4 a second", n)
		}
		r.run(time.Minute)
		if n := answered(time.Second); n < 30 || n > 35 {
			t.Errorf("after a rest 50 packets got %d answers, want some more than 30", n)
		}
	})
}

// A slot is for who plays. Pings keep a connection alive for ever, so one that says nothing at its menu ends.
func TestConnectionsThatSayNothingEnd(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		quiet, playing := r.connect(), r.player("ann")
		r.run((idleFor - 20_000) * time.Millisecond)
		if quiet.gone {
			t.Fatal("it ended too early")
		}
		r.run(40 * time.Second)
		if !quiet.gone || playing.gone {
			t.Errorf("the quiet one is gone: %v; the player: %v", quiet.gone, playing.gone)
		}
	})
}
