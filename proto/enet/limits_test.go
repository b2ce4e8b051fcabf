package enet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
)

func port(addr string, n int) netip.AddrPort {
	return netip.AddrPortFrom(netip.MustParseAddr(addr), uint16(n))
}

func TestConnectCommandBeyondHalfOpenLimitOfAddressIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, addr string
		cfg        Config
		asked      int
		admitted   int
	}{
		{"default", "192.0.2.9", Config{}, 40, 16},
		{"set", "192.0.2.9", Config{HalfOpenPerAddr: 3}, 40, 3},
		{"unlimited", "192.0.2.9", Config{HalfOpenPerAddr: -1, PeersPerAddr: -1}, 100, 100},
		{"unlimited half-open, default peer limit", "192.0.2.9", Config{HalfOpenPerAddr: -1}, 100, 64},
		{"loopback is exempt", "127.0.0.1", Config{}, 100, 100},
		{"IPv4-mapped loopback is exempt", "::ffff:127.0.0.1", Config{}, 100, 100},
		{"loopback is not exempt", "127.0.0.1", Config{LimitLoopback: true}, 100, 16},
	} {
		h := NewHost(c.cfg)
		for i := range c.asked {
			h.Receive(0, port(c.addr, i+1), connectWith(session1, nil), nil)
		}
		h.Receive(0, port("192.0.2.200", 1), connectWith(session1, nil), nil)
		if out := collect(h, 0); len(out) != c.admitted+1 || int(h.Stats().RefusedLimit) != c.asked-c.admitted {
			t.Errorf("%s: %d answered, want %d and another address", c.name, len(out), c.admitted)
		}
	}
}

func TestConnectCommandBeyondPeerLimitOfAddressIsRefused(t *testing.T) {
	w := newPair(Config{PeersPerAddr: 2, MaxPeers: 10}, Config{MaxPeers: 10})
	for i := range 4 {
		w.client.addr = port("192.0.2.9", 1000+i)
		w.client.host.Connect(w.now, serverAddr, 0)
		w.exchange()
	}
	if got := w.server.drainEvents(); len(got) != 2 {
		t.Errorf("%d connected, want 2", len(got))
	}
}

// Providers usually assign a whole /64 network, which has 2^64 addresses, to one customer.
func TestIPv6NetworkCountsAsOneAddress(t *testing.T) {
	h := NewHost(Config{})
	for i := range 100 {
		h.Receive(0, port(fmt.Sprintf("2001:db8::%x", i+1), 5000), connectWith(session1, nil), nil)
	}
	h.Receive(0, port("2001:db8:0:1::1", 5000), connectWith(session1, nil), nil)
	if out := collect(h, 0); len(out) != 16+1 {
		t.Errorf("%d answered, want 16 and one of the next network", len(out))
	}
	for range 10 {
		h.Tick(h.now+1000, nil)
	}
	if len(h.addrs) != 0 {
		t.Errorf("%d networks counted after all peers are gone", len(h.addrs))
	}
}

func TestClientConnectsDuringFloodOfForgedConnects(t *testing.T) {
	w := newPair(Config{MaxPeers: 100}, Config{})
	h := w.server.host
	for i := range 20000 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 5000)
		h.Receive(w.now, from, connectWith(session1, nil), w.server.handle)
		if i%1000 == 0 {
			h.Flush(w.now, func(netip.AddrPort, []byte) {})
		}
	}
	if h.halfOpen.n > 25 || len(h.addrs) > 25 || len(h.free) < 50 {
		t.Errorf("%d half-open of 100 slots, %d addresses counted", h.halfOpen.n, len(h.addrs))
	}
	w.client.host.Connect(w.now, serverAddr, 0)
	for range 20 { // the flood continues
		for i := range 2 {
			h.Receive(w.now, port("10.9.9.9", 100+i), connectWith([4]byte{byte(w.now), byte(i)}, nil), w.server.handle)
		}
		w.exchange()
	}
	if w.server.peer == nil {
		t.Error("a regular client could not connect")
	}
	for range 600 {
		w.now += 10
		h.Tick(w.now, w.server.handle)
	}
	if h.halfOpen.n != 0 || len(h.addrs) != 1 {
		t.Errorf("%d half-open and %d addresses after six seconds", h.halfOpen.n, len(h.addrs))
	}
}

func TestFloodOfHalfOpenConnectionsDoesNotDisconnectPeers(t *testing.T) {
	h, peers := newBroadcast(t, 20)
	for i := range 1000 {
		h.Receive(1, port("10.1.1.1", i+1), connectWith(session1, nil), nil)
	}
	for _, p := range peers {
		if !p.IsConnected() {
			t.Fatal("connected peer was dropped")
		}
	}
	if h.Stats().RefusedLimit != 1000 {
		t.Errorf("%d connections refused", h.Stats().RefusedLimit)
	}
}

func TestFullHostReusesSlotOfDisconnectedPeer(t *testing.T) {
	w := connectedPair(t, Config{MaxPeers: 1}, Config{MaxPeers: 3})
	for range 5 {
		w.client.peer.Disconnect(0)
		w.exchange()
		w.client.host.Connect(w.now, serverAddr, 0)
		w.exchange()
		if !w.client.peer.IsConnected() {
			t.Fatal("no slot for a new connection")
		}
	}
}

func TestUnverifiedSenderReceivesAtMostThreeTimesItsBytes(t *testing.T) {
	h := NewHost(Config{})
	sent, got, answers := 0, 0, 0
	ask := connectWith(session1, nil)
	for ms := uint32(0); ms < 20000; ms += 10 {
		if ms == 0 {
			h.Receive(ms, clientAddr, ask, nil)
			sent += len(ask)
		}
		h.Tick(ms, nil)
		for _, d := range collect(h, ms) {
			got += len(d)
			answers++
		}
	}
	if got > 3*sent || answers != 3 {
		t.Errorf("%d answers of %d bytes in all to a sender of %d bytes", answers, got, sent)
	}
	checkEmpty(t, h)
}

func TestChallengesCountTowardsAmplificationLimit(t *testing.T) {
	h := NewHost(Config{})
	ask := connectWith(session1, nil)
	h.Receive(0, clientAddr, ask, nil)
	p := h.halfOpen.oldest
	sent, got := len(ask), 0
	for ms := uint32(0); ms < 6000; ms += 10 {
		poke := appendHeader(dataTo(p, true), cmdPing|flagAck, controlChannel, 2)
		if p.state == stateVerifying {
			h.Receive(ms, clientAddr, poke, nil)
			sent += len(poke)
		}
		h.Tick(ms, nil)
		for _, d := range collect(h, ms) {
			got += len(d)
		}
		if got > 3*sent {
			t.Fatalf("%d bytes to a sender of %d bytes", got, sent)
		}
	}
}

func TestHalfOpenConnectionIsDroppedAfterGuessedVerifyAcks(t *testing.T) {
	h := NewHost(Config{})
	h.Receive(0, clientAddr, connectWith(session1, nil), nil)
	p := h.halfOpen.oldest
	collect(h, 0)
	right := p.clock(0)
	var d []byte
	for i := range 100 {
		d = appendAcknowledge(dataTo(p, false), ack{controlChannel, 1, right + 1 + uint16(i)})
		h.Receive(1, clientAddr, d, func(e Event) { t.Errorf("event %v", e.Kind) })
	}
	if p.state != stateClosed {
		t.Error("still half-open after 100 guesses")
	}
}

func TestHalfOpenConnectionIsDroppedAfterGuessedPeerNumbers(t *testing.T) {
	h := NewHost(Config{})
	h.Receive(0, clientAddr, connectWith(session1, nil), nil)
	p := h.halfOpen.oldest
	for i := range 10 {
		other := &Peer{session: p.session, id: p.id ^ uint16(i+1)}
		h.Receive(1, clientAddr, appendHeader(dataTo(other, true), cmdPing|flagAck, controlChannel, 2), nil)
	}
	if p.state != stateClosed {
		t.Error("still half-open after the guesses")
	}
}

func TestClockOffsetsAndPeerNumbersAreRandom(t *testing.T) {
	h := NewHost(Config{SessionSeed: 3})
	offsets, ids := map[uint16]bool{}, map[uint16]bool{}
	for i := range 100 {
		h.Receive(0, port("127.0.0.1", i+1), connectWith(session1, nil), nil)
		offsets[h.halfOpen.newest.clockOffset] = true
		ids[h.halfOpen.newest.id] = true
	}
	low := 0
	for id := range ids {
		if id < 200 {
			low++
		}
	}
	if len(offsets) < 95 || len(ids) != 100 || low > 20 {
		t.Errorf("%d different clock offsets, %d different peer numbers, %d of them low", len(offsets), len(ids), low)
	}
}

func TestNumberOfBufferedOutOfOrderMessagesIsBounded(t *testing.T) {
	w := connectedPair(t, Config{MaxHeld: 50}, Config{})
	h, p := w.server.host, w.server.peer
	for i := range 200 {
		h.Receive(w.now, clientAddr, reliableTo(p, 1, uint16(i+2), "x"), w.server.handle)
	}
	if n := len(acksIn(collect(h, w.now))); n != 50 || p.heldCount != 50 {
		t.Errorf("%d messages held, %d acknowledged; want only held messages acknowledged", p.heldCount, n)
	}
	h.Receive(w.now, clientAddr, reliableTo(p, 1, 1, "x"), w.server.handle)
	for i := 50; i < 200; i++ { // the client retransmits the refused messages
		h.Receive(w.now, clientAddr, reliableTo(p, 1, uint16(i+2), "x"), w.server.handle)
	}
	if got := w.server.drainEvents(); len(got) != 201 || h.heldBytes != 0 {
		t.Errorf("%d delivered, %d bytes held", len(got), h.heldBytes)
	}
	if in := p.ins[1]; in.held != nil {
		t.Error("the list of held messages keeps its memory after their delivery")
	}
}

func TestMemoryForMessagesReceivedOutOfOrderIsBounded(t *testing.T) {
	for name, cfg := range map[string]Config{"per peer": {MaxHeldBytes: 20000}, "per host": {MaxHostHeld: 20000}} {
		w := connectedPair(t, cfg, Config{})
		h, p := w.server.host, w.server.peer
		big := string(make([]byte, 1000))
		for i := range 100 {
			h.Receive(w.now, clientAddr, reliableTo(p, 1, uint16(i+2), big), w.server.handle)
			h.Receive(w.now, clientAddr, unreliableTo(p, 1, 1, uint16(i+1), big), w.server.handle)
			h.Receive(w.now, clientAddr, fragmentTo(p, fragment{start: uint16(i * 2), count: 2, total: 2000}, []byte(big)), w.server.handle)
		}
		if h.heldBytes > 20000 || h.heldBytes < 15000 || h.Stats().OverHold == 0 {
			t.Errorf("%s: %d bytes held", name, h.heldBytes)
		}
	}
}

func TestMessageWithSequenceNumberFarAheadIsDropped(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	w.server.host.Receive(w.now, clientAddr, reliableTo(w.server.peer, 1, 4098, "x"), w.server.handle)
	if w.server.peer.heldCount != 0 || len(collect(w.server.host, w.now)) != 0 {
		t.Error("message with a distant sequence is held")
	}
}

func TestPeerThatNeverCompletesMessageTimesOut(t *testing.T) {
	for name, first := range map[string]func(p *Peer) []byte{
		"fragments": func(p *Peer) []byte {
			return fragmentTo(p, fragment{start: 1, count: 60, total: 60000}, make([]byte, 1000))
		},
		"a gap":                 func(p *Peer) []byte { return reliableTo(p, 1, 2, "x") },
		"unreliable in advance": func(p *Peer) []byte { return unreliableTo(p, 1, 7, 1, "x") },
	} {
		w := connectedPair(t, Config{}, Config{})
		w.server.host.Receive(w.now, clientAddr, first(w.server.peer), w.server.handle)
		// Traffic on another channel continues.
		for ms := 0; ms < 40000 && len(w.server.events) < 100000; ms += 100 {
			w.client.peer.Send(3, []byte("alive"))
			w.run(100)
			if w.server.peer.state != stateConnected {
				break
			}
		}
		got := w.server.drainEvents()
		if got[len(got)-1] != "disconnected timeout" || len(got) < 250 {
			t.Errorf("%s: %d events, the last %q", name, len(got), got[len(got)-1])
		}
		checkEmpty(t, w.server.host)
	}
}

func TestPeerWithoutAcksUsesBoundedMemoryAndTimesOut(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	highest, full := 0, 0
	for ms := uint32(0); len(w.server.events) == 0; ms += 10 {
		if ms > 40000 {
			t.Fatal("peer did not time out")
		}
		for range 5 {
			if err := p.Send(1, make([]byte, 600)); errors.Is(err, ErrQueueFull) {
				full++
			}
			p.SendUnreliable(2, make([]byte, 600))
		}
		highest = max(highest, p.QueuedBytes())
		h.Tick(w.now+ms, w.server.handle)
		h.Flush(w.now+ms, func(netip.AddrPort, []byte) {})
		// The client sends messages, but no acknowledgements.
		h.Receive(w.now+ms, clientAddr, unreliableTo(p, 2, 0, uint16(ms/10)+1, "x"), func(e Event) {
			if e.Kind != Message {
				w.server.handle(e)
			}
		})
	}
	if !slices.Equal(w.server.events, []string{"disconnected timeout"}) || full == 0 || highest > 1<<20+256<<10 {
		t.Errorf("events %q, %d sends refused, at most %d bytes queued", w.server.events, full, highest)
	}
	checkEmpty(t, h)
}

func TestNumberOfQueuedAcksIsBounded(t *testing.T) {
	w := connectedPair(t, Config{MaxAcks: 100}, Config{})
	h, p := w.server.host, w.server.peer
	for range 10 {
		d := dataTo(p, true)
		for range 300 {
			d = appendHeader(d, cmdPing|flagAck, controlChannel, 5)
		}
		h.Receive(w.now, clientAddr, d, w.server.handle)
	}
	if len(p.acks) != 100 || h.Stats().OverAcks != 10 {
		t.Errorf("%d acknowledgements queued", len(p.acks))
	}
}

func TestAcksAreNotAcknowledged(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	d := appendAcknowledge(dataTo(w.server.peer, true), ack{controlChannel, 1, 1})
	d[maxHeader] |= flagAck
	w.server.host.Receive(w.now, clientAddr, d, w.server.handle)
	if out := collect(w.server.host, w.now); len(out) != 0 {
		t.Errorf("an acknowledgement was answered with %x", out)
	}
}

func TestDatagramsWithoutConnectionAreCountedAndDropped(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	good := reliableTo(p, 1, 1, "x")
	change := func(off int) []byte { d := slices.Clone(good); d[off] ^= 1; return d }
	for _, c := range []struct {
		name  string
		from  netip.AddrPort
		d     []byte
		count *uint64
	}{
		{"too short", clientAddr, good[:7], &h.stats.BadDatagram},
		{"too long", clientAddr, make([]byte, 4097), &h.stats.BadDatagram},
		{"another session", clientAddr, change(0), &h.stats.BadSession},
		{"another peer", clientAddr, change(5), &h.stats.BadPeer},
		{"another address", port("192.0.2.77", 40000), good, &h.stats.BadAddress},
		{"another port", netip.AddrPortFrom(clientAddr.Addr(), 1), good, &h.stats.UnprovenPort},
		{"no CONNECT without a peer number", clientAddr, append([]byte{1, 2, 3, 4, 0xff, 0xff}, good[6:]...), &h.stats.BadCommand},
	} {
		before := *c.count
		h.Receive(w.now, c.from, c.d, w.server.handle)
		if *c.count != before+1 || len(w.server.events) != 0 || len(collect(h, w.now)) != 0 {
			t.Errorf("%s: events %q", c.name, w.server.events)
		}
	}
}

func TestHostThatRefusesConnectionsDoesNotAnswerConnect(t *testing.T) {
	h := NewHost(Config{RefuseConnect: true})
	h.Receive(0, clientAddr, connectWith(session1, nil), nil)
	if len(collect(h, 0)) != 0 {
		t.Error("CONNECT was answered")
	}
}

func TestIdlePeersCauseNeitherDatagramsNorAllocationsBetweenPings(t *testing.T) {
	h, peers := newBroadcast(t, 2000)
	now := peers[0].lastAck
	work := 0
	for ms := uint32(0); ms < 490; ms += 10 { // no peer is due for a ping
		h.Tick(now+ms, nil)
		h.Flush(now+ms, func(netip.AddrPort, []byte) { work++ })
	}
	if work != 0 {
		t.Errorf("%d datagrams from idle peers", work)
	}
	if n := testing.AllocsPerRun(10, func() { h.Tick(now+495, nil) }); n != 0 {
		t.Errorf("%v allocations per tick", n)
	}
}

func BenchmarkTick(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		b.Run(fmt.Sprintf("idle=%d", n), func(b *testing.B) {
			h, peers := newBroadcast(b, n)
			acks := make([]byte, 0, 64)
			now := uint32(0)
			var pinged []*Peer
			byAddr := map[netip.AddrPort]*Peer{}
			for _, p := range peers {
				byAddr[p.addr] = p
			}
			b.ReportAllocs()
			for b.Loop() {
				now += 10
				h.Tick(now, nil)
				pinged = pinged[:0]
				h.Flush(now, func(to netip.AddrPort, d []byte) { pinged = append(pinged, byAddr[to]) })
				for _, p := range pinged {
					acks = append(acks[:0], p.session[:]...)
					acks = binary.BigEndian.AppendUint16(acks, p.id)
					acks = appendAcknowledge(acks, ack{controlChannel, p.controlSeq, p.clock(now)})
					h.Receive(now, p.addr, acks, nil)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/peer")
		})
	}
}
