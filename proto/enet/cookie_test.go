package enet

import (
	"net/netip"
	"testing"
)

// floodedServer returns a server during a flood of forged CONNECTs, so that it answers CONNECTs without keeping state.
func floodedServer(t *testing.T) *wirePair {
	w := newPair(Config{MaxPeers: 100, HalfOpenPerAddr: 3}, Config{MaxPeers: 1})
	w.flood(t)
	return w
}

// flood delivers 1,000 forged CONNECTs to the server.
func (w *wirePair) flood(t *testing.T) {
	h := w.server.host
	for i := range 1000 {
		h.Receive(w.now, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(w.now), byte(i >> 8), byte(i)}), 5000), connectWith(session1, nil), w.server.handle)
	}
	h.Flush(w.now, func(netip.AddrPort, []byte) {})
	if h.halfOpen.n != 25 || !h.usesCookies() {
		t.Fatalf("%d half-open connections of 100 places, cookies %v", h.halfOpen.n, h.usesCookies())
	}
}

// During a flood of 10,000 forged CONNECTs per second no half-open connection survives the 300 ms of a slow round
// trip, so a slow client can connect only because the server answers without state.
func TestSlowClientConnectsByCookieDuringFlood(t *testing.T) {
	for name, lost := range map[string]int{"nothing is lost": 0, "the acknowledgement of VERIFY is lost": 1} {
		w := floodedServer(t)
		if _, err := w.client.host.Connect(w.now, serverAddr, 0); err != nil {
			t.Fatal(err)
		}
		for range 40 { // each round takes 150 ms, the delay in one direction
			up, down := collect(w.client.host, w.now), collect(w.server.host, w.now)
			w.now += 150
			w.flood(t)
			w.client.host.Tick(w.now, w.client.handle)
			w.server.host.Tick(w.now, w.server.handle)
			for _, d := range up {
				if head, _ := commandsOf(d); head.peer != noPeer && lost > 0 {
					lost--
					continue
				}
				w.server.host.Receive(w.now, clientAddr, d, w.server.handle)
			}
			for _, d := range down {
				w.client.host.Receive(w.now, serverAddr, d, w.client.handle)
			}
		}
		if w.server.peer == nil || w.client.peer == nil {
			t.Fatalf("%s: not connected: server %v, client %v", name, w.server.events, w.client.events)
		}
		w.server.drainEvents()
		if err := w.client.peer.Send(3, []byte("up")); err != nil {
			t.Fatal(err)
		}
		if err := w.server.peer.Send(3, []byte("down")); err != nil {
			t.Fatal(err)
		}
		w.exchange()
		w.run(3000)
		if up, down := w.server.drainEvents(), w.client.drainEvents(); len(up) != 1 || up[0] != "r3 up" || len(down) == 0 || down[len(down)-1] != "r3 down" {
			t.Errorf("%s: the server got %q, the client %q", name, up, down)
		}
	}
}

func TestCookieFromOtherSenderOrPeriodIsRefused(t *testing.T) {
	other := netip.MustParseAddrPort("198.51.100.8:40000")
	for name, c := range map[string]struct {
		from    netip.AddrPort
		session [4]byte
		sent    uint16 // value that the test adds to the sent field
		wait    uint32 // ms that the test waits before it sends the answer
		ok      bool
	}{
		"echoed at once":           {clientAddr, session1, 0, 0, true},
		"echoed after a period":    {clientAddr, session1, 0, cookiePeriod, true},
		"echoed after two periods": {clientAddr, session1, 0, 2 * cookiePeriod, false},
		"from another address":     {other, session1, 0, 0, false},
		"from another port":        {port("198.51.100.7", 40001), session1, 0, 0, false},
		"with another session":     {clientAddr, [4]byte{9}, 0, 0, false},
		"with another sent field":  {clientAddr, session1, 1, 0, false},
	} {
		w := floodedServer(t)
		h := w.server.host
		ask := connectWith(session1, nil)
		h.Receive(w.now, clientAddr, ask, w.server.handle)
		out := collect(h, w.now)
		if len(out) != 1 || len(out[0]) > len(ask) {
			t.Fatalf("%s: %d answers to a CONNECT", name, len(out))
		}
		head, commands := commandsOf(out[0])
		echo := append(append(c.session[:], byte(parseTerms(&commands[0]).peer>>8), byte(parseTerms(&commands[0]).peer)), []byte(nil)...)
		echo = appendAcknowledge(echo, ack{controlChannel, 1, head.sent + c.sent})
		w.now += c.wait
		h.Receive(w.now, c.from, echo, w.server.handle)
		if got := w.server.peer != nil; got != c.ok {
			t.Errorf("%s: connected %v, want %v", name, got, c.ok)
		}
		for _, d := range collect(h, w.now) {
			if !c.ok && len(d) > len(echo) {
				t.Errorf("%s: %d bytes are answered by %d", name, len(echo), len(d))
			}
		}
	}
}

func TestCookieFromAddressAtPeerLimitIsRefused(t *testing.T) {
	w := newPair(Config{MaxPeers: 100, PeersPerAddr: 1, CookiesAfter: 1}, Config{MaxPeers: 1})
	w.client.host.Connect(w.now, serverAddr, 0)
	w.exchange()
	h := w.server.host
	h.Receive(w.now, port("10.0.0.1", 1), connectWith(session1, nil), nil)
	collect(h, w.now)
	h.Receive(w.now, port(clientAddr.Addr().String(), 9), connectWith(session1, nil), nil)
	if out := collect(h, w.now); len(out) != 0 || h.Stats().RefusedLimit != 1 {
		t.Errorf("%d answers, stats %+v", len(out), h.Stats())
	}
}

// During a flood of forged CONNECTs, half-open connections expire in bursts, and the flood takes their slots again
// immediately. A client can still connect, 50 times in succession.
func TestClientConnectsWhileForgedConnectsTakeAllExpiredSlots(t *testing.T) {
	w := newPair(Config{MaxPeers: 100, PeerStride: 2, FirstPeer: 1}, Config{MaxPeers: 1})
	h := w.server.host
	serial := 0
	flood := func() {
		for range 100 {
			serial++
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(serial >> 16), byte(serial >> 8), byte(serial)}), 5000)
			h.Receive(w.now, from, connectWith(session1, func(t *connectTerms) { t.peer = 7 }), w.server.handle)
		}
		h.Flush(w.now, func(netip.AddrPort, []byte) {})
	}
	flood()
	for range 50 {
		w.server.peer = nil
		w.client.host.Connect(w.now, serverAddr, 0)
		var answers [][]byte
		for step := range 600 { // 6 s
			flood()
			if step == 30 { // the round trip takes 300 ms
				for _, d := range answers {
					w.client.host.Receive(w.now, serverAddr, d, w.client.handle)
				}
				w.exchange()
				break
			}
			for _, d := range collect(w.client.host, w.now) {
				h.Receive(w.now, clientAddr, d, w.server.handle)
			}
			answers = append(answers, collect(h, w.now)...)
			w.now += 10
			h.Tick(w.now, w.server.handle)
		}
		if w.server.peer == nil {
			t.Fatalf("no connection at %d ms; stats %+v", w.now, h.stats)
		}
		w.client.peer.Reset()
		w.exchange()
		w.run(200)
	}
}

func TestVerifiedSenderReplacesHalfOpenConnectionWhenHostIsFull(t *testing.T) {
	w := newPair(Config{MaxPeers: 4, MaxHalfOpen: 4, CookiesAfter: 1}, Config{MaxPeers: 1})
	h := w.server.host
	for i := range 4 {
		h.Receive(w.now, port("10.0.0.1", 1+i), connectWith(session1, func(t *connectTerms) { t.peer = 7 }), w.server.handle)
	}
	w.client.host.Connect(w.now, serverAddr, 0)
	w.exchange()
	if w.server.peer == nil || h.PeerCount() != 4 || h.halfOpen.n != 3 {
		t.Errorf("connected: %v; %d peers, %d half-open", w.server.peer != nil, h.PeerCount(), h.halfOpen.n)
	}
}
