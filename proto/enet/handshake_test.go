package enet

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"
)

// connectWith returns a CONNECT datagram whose terms were modified by change.
func connectWith(session [4]byte, change func(*connectTerms)) []byte {
	t := connectTerms{mtu: 1400, window: 32768, channels: 254, throttle: [3]uint32{5000, 2, 2}}
	if change != nil {
		change(&t)
	}
	b := append(session[:], 0xff, 0xff, 0x10, 0x00)
	b = appendHeader(b, cmdConnect|flagAck, controlChannel, 1)
	return append(t.append(b), session[:]...)
}

var session1 = [4]byte{1, 2, 3, 4}

func TestConnectionParametersAreClampedAndEchoedInVerifyCommand(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*connectTerms)
		mtu    uint16
		window uint32
	}{
		{"usual", nil, 1400, 32768},
		{"mtu below 576", func(t *connectTerms) { t.mtu = 100 }, 576, 32768},
		{"mtu above 4096", func(t *connectTerms) { t.mtu = 9000 }, 4096, 32768},
		{"window below 4096", func(t *connectTerms) { t.window = 1 }, 1400, 4096},
		{"window above 32768", func(t *connectTerms) { t.window = 1 << 31 }, 1400, 32768},
		{"other throttle", func(t *connectTerms) { t.throttle = [3]uint32{1, 0xffffffff, 3} }, 1400, 32768},
		{"one channel", func(t *connectTerms) { t.channels = 1 }, 1400, 32768},
		{"255 channels", func(t *connectTerms) { t.channels = 255 }, 1400, 32768},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := NewHost(Config{})
			ask := connectWith(session1, c.change)
			h.Receive(0, clientAddr, ask, nil)
			out := collect(h, 0)
			if len(out) != 1 {
				t.Fatalf("%d datagrams in answer to CONNECT", len(out))
			}
			_, commands := commandsOf(out[0])
			_, asked := commandsOf(ask)
			got, want := parseTerms(&commands[0]), parseTerms(&asked[0])
			want.peer, want.mtu, want.window = got.peer, c.mtu, c.window
			if got != want {
				t.Errorf("VERIFY has %+v, want %+v", got, want)
			}
		})
	}
}

func TestInvalidConnectCommandIsIgnored(t *testing.T) {
	for name, change := range map[string]func(*connectTerms){
		"no channel":   func(t *connectTerms) { t.channels = 0 },
		"256 channels": func(t *connectTerms) { t.channels = 256 },
		"peer 0x7fff":  func(t *connectTerms) { t.peer = 0x7fff },
	} {
		h := NewHost(Config{})
		h.Receive(0, clientAddr, connectWith(session1, change), nil)
		if out := collect(h, 0); len(out) != 0 || h.Stats().BadConnect != 1 {
			t.Errorf("%s: %d answers", name, len(out))
		}
	}
}

func TestRepeatedConnectCommandIsIgnored(t *testing.T) {
	h := NewHost(Config{})
	for range 3 {
		h.Receive(0, clientAddr, connectWith(session1, nil), nil)
	}
	if out := collect(h, 0); len(out) != 1 {
		t.Errorf("%d answers, want 1", len(out))
	}
	h.Receive(0, clientAddr, connectWith([4]byte{9}, nil), nil)
	h.Receive(0, netip.AddrPortFrom(clientAddr.Addr(), 1), connectWith(session1, nil), nil)
	if out := collect(h, 0); len(out) != 2 {
		t.Errorf("another session and another port get %d answers, want 2", len(out))
	}
}

func TestConnectedEventPrecedesLaterCommandsOfDatagram(t *testing.T) {
	w := newPair(Config{}, Config{})
	w.client.react = func(e Event) {
		if e.Kind == Connected {
			e.Peer.Send(1, []byte{0})
		}
	}
	w.client.host.Connect(w.now, serverAddr, 0)
	w.exchange()
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"connected", "r1 \x00"}) {
		t.Errorf("server events %q", got)
	}
	if st := w.server.host.Stats(); st.BadCommand != 0 {
		t.Errorf("statistics %+v", st)
	}
}

func TestClientRefusesVerifyCommandWithChangedConnectionParameters(t *testing.T) {
	for name, off := range map[string]int{"channels": 8 + 12, "interval": 8 + 24, "acceleration": 8 + 28, "deceleration": 8 + 32} {
		w := newPair(Config{}, Config{})
		w.client.host.Connect(0, serverAddr, 0)
		w.server.host.Receive(0, clientAddr, collect(w.client.host, 0)[0], nil)
		verify := collect(w.server.host, 0)[0]
		verify[off+3]++
		w.client.host.Receive(0, serverAddr, verify, w.client.handle)
		if got := w.client.drainEvents(); !slices.Equal(got, []string{"disconnected refused"}) {
			t.Errorf("%s differs: client events %q", name, got)
		}
	}
}

func TestPingFromHalfOpenPeerIsNotAcknowledged(t *testing.T) {
	h := NewHost(Config{})
	h.Receive(0, clientAddr, connectWith(session1, nil), nil)
	p := h.halfOpen.oldest
	collect(h, 0)
	ping := appendHeader(dataTo(p, true), cmdPing|flagAck, controlChannel, 2)
	h.Receive(1, clientAddr, ping, func(e Event) { t.Errorf("event %v", e.Kind) })
	for _, d := range collect(h, 1) {
		_, commands := commandsOf(d)
		for _, c := range commands {
			if c.kind == cmdAcknowledge {
				t.Error("half-open peer sent an acknowledgement")
			}
		}
	}
}

// dataTo returns the header of a datagram for p's host. The header has the field sent, a time, if withSent is true.
func dataTo(p *Peer, withSent bool) []byte {
	b := append([]byte(nil), p.session[:]...)
	if withSent {
		b = binary.BigEndian.AppendUint16(b, p.id|flagSent)
		return append(b, 0x77, 0x88)
	}
	return binary.BigEndian.AppendUint16(b, p.id)
}

func TestRepeatedVerifyCommandIsAcknowledgedAgain(t *testing.T) {
	w := newPair(Config{}, Config{})
	w.client.host.Connect(w.now, serverAddr, 0)
	w.server.host.Receive(w.now, clientAddr, collect(w.client.host, w.now)[0], w.server.handle)
	verify := collect(w.server.host, w.now)[0]
	w.client.host.Receive(w.now, serverAddr, verify, w.client.handle)
	collect(w.client.host, w.now) // drops the acknowledgement
	w.client.host.Receive(w.now, serverAddr, verify, w.client.handle)
	w.exchange()
	if w.server.peer == nil {
		t.Error("server received no second acknowledgement")
	}
}

// The libenet 1.1 client does not acknowledge a second VERIFY_CONNECT. Its next datagram makes the server send a
// challenge.
func TestChallengeCompletesHandshakeAfterLostVerifyAck(t *testing.T) {
	w := newPair(Config{}, Config{})
	w.client.host.Connect(w.now, serverAddr, 0)
	w.server.host.Receive(w.now, clientAddr, collect(w.client.host, w.now)[0], w.server.handle)
	w.client.host.Receive(w.now, serverAddr, collect(w.server.host, w.now)[0], w.client.handle)
	w.client.peer.acks = nil // drops the acknowledgement of VERIFY_CONNECT
	w.client.peer.Send(1, []byte("hi"))
	w.exchange()
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"connected"}) {
		t.Fatalf("server events %q", got)
	}
	w.run(2000)
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"r1 hi"}) {
		t.Errorf("server events after the challenge %q", got)
	}
}

func TestPeerNumbersBeginWithFirstPeerAndDifferByPeerStride(t *testing.T) {
	cfg := Config{FirstPeer: 3, PeerStride: 4, MaxPeers: 10, SessionSeed: 5, CookiesAfter: -1}
	h := NewHost(cfg)
	seen := map[int]bool{}
	for i := range 10 {
		h.Receive(0, netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), uint16(i+1)), connectWith(session1, nil), nil)
	}
	for _, d := range collect(h, 0) {
		_, commands := commandsOf(d)
		seen[int(parseTerms(&commands[0]).peer)] = true
	}
	for id := range seen {
		if id%4 != 3 || id > 3+9*4 || h.find(uint16(id)) == nil {
			t.Errorf("peer number %d", id)
		}
	}
	if len(seen) == 0 || h.find(4) != nil || h.find(2) != nil || h.find(3+10*4) != nil {
		t.Error("peer number of another host accepted")
	}
	big := NewHost(Config{FirstPeer: 1, PeerStride: 4, MaxPeers: 1 << 20})
	if top := 1 + (len(big.slots)-1)*4; top >= noPeer || top+4 < noPeer {
		t.Errorf("highest peer number %d", top)
	}
}

func TestPeerIDOfReturnsPeerNumberOfDatagram(t *testing.T) {
	for _, l := range readSession(t, "handshake.hex") {
		id, connect, ok := PeerIDOf(l.data)
		head, commands := commandsOf(l.data)
		if !ok || connect != (commands[0].kind == cmdConnect) || id != int(head.peer) {
			t.Errorf("datagram %x: peer %d, connect %v, ok %v", l.data, id, connect, ok)
		}
	}
	ack := []byte{1, 2, 3, 4, 0x7f, 0xff, cmdAcknowledge, 0, 0, 0, 0, 0, 0, 0}
	for _, bad := range [][]byte{nil, make([]byte, 7), make([]byte, 4097), ack} {
		if _, _, ok := PeerIDOf(bad); ok {
			t.Errorf("datagram of %d bytes has a peer", len(bad))
		}
	}
}
