package raknet

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
)

// The tests in this file cover rules RK-1 to RK-6 of docs/wire/bedrock.md. These rules apply before a session exists.

func TestUnsupportedRakNetVersionIsAnsweredWithServerVersion(t *testing.T) {
	s := NewServer(Config{GUID: 7})
	r := newRaw(t, s, "198.51.100.7:1")
	for protocol, want := range map[uint8]byte{9: idIncompatible, 10: idReply1, 11: idReply1, 12: idIncompatible} {
		out := r.send(request1{protocol: protocol, size: 1400}.append(nil))
		if len(out) != 1 || out[0][0] != want {
			t.Errorf("protocol %d: %x", protocol, out)
		}
		if m, ok := parseIncompatible(out[0]); want == idIncompatible && (!ok || m != incompatible{11, 7}) {
			t.Errorf("protocol %d: %+v", protocol, m)
		}
	}
	only := newRaw(t, NewServer(Config{Protocols: []uint8{11}}), "198.51.100.7:1")
	if out := only.send(request1{protocol: 10, size: 1400}.append(nil)); out[0][0] != idIncompatible {
		t.Errorf("protocol 10 is accepted although not configured: %x", out)
	}
}

func TestMTUIsWithinLimitsOfBothEnds(t *testing.T) {
	for _, c := range []struct {
		protocol uint8
		size     int
		want     uint16
	}{
		{11, 1464, 1492}, {11, 2000, 1492}, {11, 1172, 1200}, {11, 100, 400}, {10, 1399, 1400}, {10, 1464, 1400}, {10, 548, 576},
	} {
		r := newRaw(t, NewServer(Config{}), "198.51.100.7:1")
		m, _ := parseReply1(r.send(request1{protocol: c.protocol, size: c.size}.append(nil))[0])
		if m.mtu != c.want {
			t.Errorf("protocol %d, %d bytes: MTU %d, want %d", c.protocol, c.size, m.mtu, c.want)
		}
	}
	for asked, want := range map[uint16]uint16{0: 400, 399: 400, 1000: 1000, 1492: 1492, 65535: 1492} {
		r := newRaw(t, NewServer(Config{}), "198.51.100.7:1")
		m, _ := parseReply2(r.request2(r.request1(1464), asked)[0])
		if m.mtu != want {
			t.Errorf("request 2 with %d: MTU %d, want %d", asked, m.mtu, want)
		}
	}
}

func TestServerKeepsNoStateBeforeCookieIsRepeated(t *testing.T) {
	s := NewServer(Config{Secret: [32]byte{1}})
	s.SetPong([]byte("MCPE;"))
	for i := range 20000 { // a sender with a forged address never sees an answer, so it can only guess
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 9)
		s.Receive(int64(i), from, ping{}.append(nil), nil)
		s.Receive(int64(i), from, request1{protocol: 11, size: 500}.append(nil), nil)
		s.Receive(int64(i), from, request2{secure: true, cookie: uint32(i), addr: serverAddr, mtu: 1492}.append(nil), nil)
		s.Receive(int64(i), from, datagram(0, frame{kind: Reliable, body: connectionRequest{}.append(nil)}), nil)
		s.Flush(int64(i), func(netip.AddrPort, []byte) {})
	}
	if s.PeerCount() != 0 || len(s.byAddr)+len(s.networks)+len(s.halfOpen)+len(s.dirty)+s.queuedBytes+s.heldBytes != 0 {
		t.Errorf("%d sessions, %d addresses", s.PeerCount(), len(s.networks))
	}
	if st := s.Stats(); st.BadCookie != 20000 || st.NoSession != 20000 {
		t.Errorf("statistics %+v", st)
	}
}

func TestCookiesAreBoundToAddressAndExpire(t *testing.T) {
	s := NewServer(Config{Secret: [32]byte{1}})
	mine := newRaw(t, s, "198.51.100.7:1")
	m := mine.request1(1464)
	if !m.secure {
		t.Fatal("cookies are not on by default")
	}
	for _, other := range []string{"198.51.100.7:2", "198.51.100.8:1", "[2001:db8::1]:1"} {
		if out := newRaw(t, s, other).request2(m, 1492); len(out) != 0 {
			t.Errorf("cookie accepted from %s", other)
		}
	}
	mine.now = 9990 // a cookie from 1000 ms belongs to the period that ends at 5000 ms, and expires at 10000 ms
	if out := mine.request2(m, 1492); len(out) != 1 {
		t.Error("cookie refused in the following period")
	}
	late := newRaw(t, s, "198.51.100.9:1")
	m = late.request1(1464)
	late.now = 10000
	if out := late.request2(m, 1492); len(out) != 0 {
		t.Error("cookie accepted two periods later")
	}
	other := newRaw(t, NewServer(Config{Secret: [32]byte{2}}), "198.51.100.7:1")
	if out := other.request2(m, 1492); len(out) != 0 {
		t.Error("cookie accepted by a server with another secret")
	}
}

func TestClientConnectsWithoutCookieIfServerDisablesCookies(t *testing.T) {
	r := newRaw(t, NewServer(Config{NoCookies: true}), "198.51.100.7:1")
	if m := r.request1(1399); m.secure {
		t.Error("reply 1 asks for a cookie")
	}
	r.connect()
}

func TestWrongCookieIsNotAnswered(t *testing.T) {
	r := newRaw(t, NewServer(Config{}), "198.51.100.7:1")
	m := r.request1(1464)
	m.cookie++
	if out := r.request2(m, 1492); len(out) != 0 || r.s.Stats().BadCookie != 1 {
		t.Errorf("answered %x", out)
	}
}

func TestNewRequestDoesNotReplaceConnectedSession(t *testing.T) {
	r := newRaw(t, NewServer(Config{}), "198.51.100.7:1")
	r.open()
	if out := r.request2(r.request1(1464), 1492); len(out) != 1 || r.s.PeerCount() != 1 {
		t.Errorf("a repeated request 2 of a half-open session: %x", out)
	}
	r = newRaw(t, NewServer(Config{}), "198.51.100.7:1").connect()
	peer := r.peer
	if out := r.request2(r.request1(1464), 1492); len(out) != 0 || r.s.Stats().AlreadyConnected != 1 {
		t.Errorf("answered %x", out)
	}
	r.sendFrame(ReliableOrdered, user("still here"))
	if got := r.drain(); !slices.Equal(got, []string{"\xfestill here"}) || r.peer != peer || !peer.IsConnected() {
		t.Errorf("events %q", got)
	}
}

func TestNewRequestReplacesEndedSession(t *testing.T) {
	r := newRaw(t, NewServer(Config{}), "198.51.100.7:1").connect()
	r.sendFrame(Unreliable, []byte{idDisconnect})
	if got := r.drain(); !slices.Equal(got, []string{"disconnected by peer"}) {
		t.Fatalf("events %q", got)
	}
	r.peer, r.number, r.message, r.order = nil, 0, 0, 0
	r.connect()
}

func TestPongsAreRateLimited(t *testing.T) {
	s := NewServer(Config{PongsPerSecond: 30})
	s.SetPong([]byte("MCPE;"))
	pongs := func(from string, now int64, n int) (got int) {
		r := newRaw(t, s, from)
		r.now = now
		for range n {
			got += len(r.send(ping{time: 4}.append(nil)))
		}
		return got
	}
	if got := pongs("198.51.100.7:1", 1000, 50); got != 10 {
		t.Errorf("%d pongs in a second", got)
	}
	if got := pongs("198.51.100.7:2", 1900, 50); got != 0 {
		t.Errorf("%d pongs to another port", got)
	}
	if got := pongs("198.51.100.7:1", 2000, 50); got != 10 {
		t.Errorf("%d pongs in the next second", got)
	}
	all := 0
	for i := range 20 {
		all += pongs(fmt.Sprintf("192.0.2.%d:1", i), 2500, 10)
	}
	if all != 20 {
		t.Errorf("%d pongs to others when 20 are left for all", all)
	}
	if st := s.Stats(); st.PongsLimited == 0 || st.Pongs != 40 {
		t.Errorf("statistics %+v", st)
	}
}

func TestPongHasTimeOfPingAndTextOfServer(t *testing.T) {
	s := NewServer(Config{GUID: 9})
	r := newRaw(t, s, "198.51.100.7:1")
	if out := r.send(ping{time: 4}.append(nil)); len(out) != 0 {
		t.Error("pong sent before a text was set")
	}
	s.SetPong([]byte("MCPE;a"))
	m, ok := parsePong(r.send(ping{time: 4, open: true}.append(nil))[0])
	if !ok || m.time != 4 || m.guid != 9 || string(m.text) != "MCPE;a" {
		t.Errorf("parsed %+v", m)
	}
	s.SetPong(make([]byte, 5000))
	if out := r.send(ping{}.append(nil)); len(out[0]) > 17*pingSize {
		t.Errorf("a pong of %d bytes", len(out[0]))
	}
}

func TestRepliesAreNotLongerThanOpenConnectionRequest1(t *testing.T) {
	for protocol := range uint8(20) {
		r := newRaw(t, NewServer(Config{}), "198.51.100.7:1")
		for size := request1Size; size < 100; size++ {
			for _, d := range r.send(request1{protocol: protocol, size: size}.append(nil)) {
				if len(d) > size {
					t.Fatalf("%d bytes for %d", len(d), size)
				}
			}
		}
	}
}

func TestHalfOpenSessionsAreLimitedPerAddress(t *testing.T) {
	s := NewServer(Config{})
	for port := range 12 {
		newRaw(t, s, fmt.Sprintf("198.51.100.7:%d", port+1)).open()
	}
	if first := s.byAddr[netip.MustParseAddrPort("198.51.100.7:5")]; first == nil || s.PeerCount() != 8 {
		t.Errorf("%d sessions, the fifth of 12 is open: %v", s.PeerCount(), first != nil)
	}
	newRaw(t, s, "198.51.100.8:1").connect() // half-open sessions of one address do not limit other addresses
	s.Tick(11010, nil)
	if s.PeerCount() != 1 || s.halfOpenCount != 0 || s.Stats().HalfOpenDropped != 12 {
		t.Errorf("%d sessions after 10 s", s.PeerCount())
	}
}

func TestHalfOpenSessionsAreLimitedInTotal(t *testing.T) {
	s := NewServer(Config{MaxHalfOpen: 100, MaxSessions: 1000})
	first := newRaw(t, s, "198.51.100.7:1").connect()
	for i := range 500 {
		newRaw(t, s, fmt.Sprintf("10.0.%d.%d:1", i/250, i%250)).open()
	}
	if s.PeerCount() != 101 || s.halfOpenCount != 100 || len(s.halfOpen) > 300 || !first.peer.IsConnected() {
		t.Errorf("%d sessions, %d half-open in a list of %d", s.PeerCount(), s.halfOpenCount, len(s.halfOpen))
	}
	newRaw(t, s, "198.51.100.9:1").connect()
}

func TestSlowHandshakeIsNotDroppedDuringFloodOfHalfOpenSessions(t *testing.T) {
	s := NewServer(Config{MaxHalfOpen: 100, MaxSessions: 1000})
	slow := newRaw(t, s, "198.51.100.7:1")
	slow.open()
	for i := range 20 { // one half-open session from each of 20 networks, any of which is dropped before the slow client's session
		newRaw(t, s, fmt.Sprintf("10.0.1.%d:1", i)).open()
	}
	for i := range 1000 {
		newRaw(t, s, fmt.Sprintf("10.0.0.%d:%d", i%40, 1+i)).open()
	}
	if p := s.byAddr[netip.MustParseAddrPort("198.51.100.7:1")]; p == nil || s.halfOpenCount != 100 {
		t.Errorf("the slow session is open: %v; %d half-open", p != nil, s.halfOpenCount)
	}
}

func TestFullServerRefusesConnections(t *testing.T) {
	s := NewServer(Config{MaxSessions: 3})
	s.SetPong([]byte("MCPE;"))
	for i := range 3 {
		newRaw(t, s, fmt.Sprintf("198.51.100.7:%d", i+1)).connect()
	}
	r := newRaw(t, s, "198.51.100.8:1")
	if out := r.request2(r.request1(1464), 1492); len(out) != 1 || out[0][0] != idNoFree {
		t.Errorf("sent %x", out)
	}
	if out := r.send(ping{open: true}.append(nil)); len(out) != 0 {
		t.Error("a full server answers an open-connections ping")
	}
	c := NewClient(ClientConfig{})
	c.Connect(1000, serverAddr)
	var down eventLog
	w := pair{server: s, client: c, now: 1000}
	c.Tick(1000, down.handle)
	w.clientLog = down
	w.exchange()
	if got := w.clientLog.drain(); !slices.Equal(got, []string{"disconnected refused"}) {
		t.Errorf("the client saw %q", got)
	}
}

func TestPerAddressLimitsCountIPv6NetworkAsOneAddress(t *testing.T) {
	s := NewServer(Config{MaxPerAddr: 2})
	for i := range 2 {
		newRaw(t, s, fmt.Sprintf("[2001:db8::%d]:1", i+1)).connect()
	}
	r := newRaw(t, s, "[2001:db8::9]:1")
	if out := r.request2(r.request1(1464), 1492); out[0][0] != idNoFree {
		t.Errorf("third session of a network was not refused: %x", out)
	}
	newRaw(t, s, "[2001:db8:0:1::1]:1").connect()
}
