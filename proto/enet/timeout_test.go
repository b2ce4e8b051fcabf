package enet

import (
	"net/netip"
	"slices"
	"testing"
)

func TestRTTFormulaMatchesLibenet(t *testing.T) {
	p := &Peer{rtt: initialRTT}
	for i, c := range []struct{ sample, rtt, variance uint32 }{
		{100, 450, 87},   // rtt = 500-400/8 = 450; variance = (450-100)/4 = 87
		{100, 407, 142},  // rtt = 450-350/8 = 407; variance = 87-21 + 307/4 = 142
		{1000, 481, 236}, // rtt = 407+593/8 = 481; variance = 142-35 + 519/4 = 236
		{481, 481, 177},
	} {
		p.updateRTT(c.sample)
		if p.rtt != c.rtt || p.rttVar != c.variance {
			t.Errorf("sample %d: rtt %d, variance %d, want %d, %d", i, p.rtt, p.rttVar, c.rtt, c.variance)
		}
	}
}

// timeoutAfter connects a client, which then is silent. It returns the time in ms after which the client times out at the server, and
// the number of datagrams that the server has sent until then. The parameter start is the clock at the beginning of the silence.
func timeoutAfter(t *testing.T, rtt, variance, start uint32) (ms uint32, sent int) {
	w := newPair(Config{}, Config{})
	w.now = start - 1000
	w.client.host.Connect(w.now, serverAddr, 0)
	w.exchange()
	w.run(1000)
	h, p := w.server.host, w.server.peer
	w.server.drainEvents()
	p.rtt, p.rttVar = rtt, variance
	p.Send(1, []byte("anybody?"))
	for ; ms < 60000; ms += 10 {
		h.Tick(w.now+ms, w.server.handle)
		if got := w.server.drainEvents(); len(got) > 0 {
			if !slices.Equal(got, []string{"disconnected timeout"}) {
				t.Errorf("events %q", got)
			}
			return ms, sent
		}
		sent += len(collect(h, w.now+ms))
	}
	t.Error("peer did not time out")
	return ms, sent
}

func TestSilentPeerTimesOut(t *testing.T) {
	for _, c := range []struct {
		name          string
		rtt, variance uint32
		dead          uint32
		sent          int
	}{
		// The retransmission timeout doubles from rtt + 4*variance; retransmissions are at most 2000 ms apart. The peer
		// times out at 30000 ms, or from 5000 ms on when the timeout is 32 times the first.
		{"rtt 500 times out at 30000 ms", 500, 0, 30000, 17},
		{"rtt 100 times out when the timeout is 32 times the first, at 6300 ms", 100, 0, 6300, 7},
		{"rtt 20 with variance 20 times out like rtt 100", 20, 20, 6300, 7},
		{"rtt 30 reaches 32 times before 5000 ms and times out later", 30, 0, 5730, 10},
		{"rtt 1 times out like the minimum, 30", 1, 0, 5730, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, start := range []uint32{100000, 0xffffffff - 2000} { // the second clock value wraps during the test
				if ms, sent := timeoutAfter(t, c.rtt, c.variance, start); ms != c.dead || sent != c.sent {
					t.Errorf("start %d: timeout after %d ms and %d datagrams, want %d and %d", start, ms, sent, c.dead, c.sent)
				}
			}
		})
	}
}

func TestPeerThatAcknowledgesAllButOneCommandTimesOutAfterTwoMinutes(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	p.Send(1, []byte("never acknowledged"))
	start := w.now
	for w.now-start < 200000 && len(w.server.events) == 0 {
		w.now += 500
		h.Tick(w.now, w.server.handle)
		if p.state != stateConnected {
			break
		}
		p.queuePing()
		collect(h, w.now)
		h.Receive(w.now, clientAddr, appendAcknowledge(dataTo(p, false), ack{controlChannel, p.controlSeq, p.clock(w.now)}), w.server.handle)
	}
	// While other commands are acknowledged, the repeated loss of one command is tolerated for two minutes.
	if ms := w.now - start; ms < 120000 || ms > 160000 || !slices.Equal(w.server.events, []string{"disconnected timeout"}) {
		t.Errorf("after %d ms: events %q", ms, w.server.events)
	}
}

func TestIdlePeerIsPingedAfter500ms(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h := w.server.host
	base := w.server.peer.lastAck
	for ms := uint32(0); ms < 500; ms += 10 {
		h.Tick(base+ms, w.server.handle)
		if out := collect(h, base+ms); len(out) != 0 {
			t.Fatalf("datagram after %d ms", ms)
		}
	}
	h.Tick(base+500, w.server.handle)
	out := collect(h, base+500)
	if len(out) != 1 || len(out[0]) != 12 || out[0][8] != cmdPing|flagAck || out[0][9] != controlChannel {
		t.Fatalf("datagrams %x, want one PING", out)
	}
	h.Tick(base+510, w.server.handle)
	if out := collect(h, base+510); len(out) != 0 {
		t.Error("second PING while one is in flight")
	}
}

func TestIdlePeersStayConnected(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	w.run(100000)
	if len(w.server.events)+len(w.client.events) != 0 {
		t.Errorf("server %q, client %q", w.server.events, w.client.events)
	}
	if rtt := w.server.peer.RTT(); rtt > 20 {
		t.Errorf("rtt %d without any delay", rtt)
	}
	if st := w.server.host.Stats(); st.Resent+st.BadAck+st.BadCommand > 0 {
		t.Errorf("statistics %+v", st)
	}
}

func TestConnectAttemptWithoutAnswerTimesOut(t *testing.T) {
	h := NewHost(Config{RefuseConnect: true})
	e := receiver{host: h}
	p, _ := h.Connect(7, serverAddr, 0)
	sent := 0
	for ms := uint32(7); len(e.events) == 0 && ms < 60000; ms += 10 {
		h.Tick(ms, e.handle)
		sent += len(collect(h, ms))
	}
	if got := e.drainEvents(); !slices.Equal(got, []string{"disconnected timeout"}) || sent != 17 {
		t.Errorf("events %q after %d datagrams", got, sent)
	}
	if p.IsConnected() {
		t.Error("peer is connected")
	}
	checkEmpty(t, h)
}

// checkEmpty checks that a host without connections holds no state.
func checkEmpty(t *testing.T, h *Host) {
	t.Helper()
	for range 3 {
		h.now += 10000
		h.Tick(h.now, nil)
		h.Flush(h.now, func(netip.AddrPort, []byte) {})
	}
	if h.queuedBytes != 0 || h.heldBytes != 0 || len(h.byKey) != 0 || len(h.addrs) != 0 || h.halfOpen.n != 0 || h.halfOpen.oldest != nil ||
		h.lingering != 0 || len(h.timers) != 0 || len(h.dirty) != 0 || len(h.free) != h.cfg.MaxPeers || h.peers != 0 {
		t.Errorf("left over: queued %d, held %d, keys %d, addresses %v, half-open %d, timers %d, dirty %d, slots %d",
			h.queuedBytes, h.heldBytes, len(h.byKey), h.addrs, h.halfOpen.n, len(h.timers), len(h.dirty), h.peers)
	}
}

func TestDisconnectEventHasReasonAndCode(t *testing.T) {
	for _, c := range []struct {
		name                string
		do                  func(w *wirePair)
		wantServer, wantCli []string
	}{
		{"by the client", func(w *wirePair) { w.client.peer.Disconnect(5) }, []string{"disconnected by peer"}, []string{"disconnected by us"}},
		{"by the server", func(w *wirePair) { w.server.peer.Disconnect(5) }, []string{"disconnected by us"}, []string{"disconnected by peer"}},
		{"by both", func(w *wirePair) { w.server.peer.Disconnect(5); w.client.peer.Disconnect(6) }, []string{"disconnected by us"}, []string{"disconnected by us"}},
		{"reset by the client", func(w *wirePair) { w.client.peer.Reset() }, []string{"disconnected by peer"}, nil},
		{"reset by the server", func(w *wirePair) { w.server.peer.Reset() }, nil, []string{"disconnected by peer"}},
		{"finish with nothing queued", func(w *wirePair) { w.server.peer.DisconnectLater(1) }, []string{"disconnected by us"}, []string{"disconnected by peer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := connectedPair(t, Config{}, Config{})
			c.do(w)
			w.run(3000)
			if got := w.server.drainEvents(); !slices.Equal(got, c.wantServer) {
				t.Errorf("server events %q", got)
			}
			if got := w.client.drainEvents(); !slices.Equal(got, c.wantCli) {
				t.Errorf("client events %q", got)
			}
			checkEmpty(t, w.server.host)
			checkEmpty(t, w.client.host)
		})
	}
}

func TestRepeatedDisconnectCommandIsAcknowledgedAgain(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	w.client.peer.Disconnect(3)
	d := collect(w.client.host, w.now)[0]
	for range 3 {
		w.server.host.Receive(w.now, clientAddr, d, w.server.handle)
		if n := len(acksIn(collect(w.server.host, w.now))); n != 1 {
			t.Errorf("%d acknowledgements of DISCONNECT", n)
		}
	}
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"disconnected by peer"}) {
		t.Errorf("events %q", got)
	}
}

func TestReconnectWithSameSessionAfterDisconnectSucceeds(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	session := w.client.peer.session
	for range 5 {
		w.client.peer.Disconnect(0)
		w.run(300)
		if _, err := w.client.host.connect(serverAddr, 254, session); err != nil {
			t.Fatal(err)
		}
		w.run(100)
		if !w.client.peer.IsConnected() || !w.server.peer.IsConnected() {
			t.Fatalf("server %q, client %q", w.server.events, w.client.events)
		}
		w.client.peer.Send(1, []byte("hello"))
		w.exchange()
	}
	if got := w.server.drainEvents(); len(got) != 15 || got[14] != "r1 hello" {
		t.Errorf("server events %q", got)
	}
}

func TestCallsOnClosedPeerHaveNoEffect(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	old := w.server.peer
	w.client.peer.Disconnect(0)
	w.run(5000)
	w.client.host.Connect(w.now, serverAddr, 0)
	w.exchange()
	if w.server.peer == old {
		t.Fatal("the closed Peer was reused for the new connection")
	}
	old.Disconnect(1)
	old.DisconnectLater(1)
	old.Reset()
	if old.Send(1, nil) == nil || old.SendUnreliable(2, nil) == nil || old.IsConnected() || !w.server.peer.IsConnected() {
		t.Error("a call on a closed peer had an effect")
	}
}

func TestDisconnectBeforeHandshakeEmitsOneEvent(t *testing.T) {
	h := NewHost(Config{RefuseConnect: true})
	e := receiver{host: h}
	p, _ := h.Connect(0, serverAddr, 0)
	collect(h, 0)
	p.Disconnect(1)
	h.Tick(0, e.handle)
	if got := e.drainEvents(); !slices.Equal(got, []string{"disconnected by us"}) {
		t.Errorf("events %q", got)
	}
	checkEmpty(t, h)
}

func TestEventHandlerMayDisconnectPeer(t *testing.T) {
	for name, do := range map[string]func(*Peer){
		"disconnect": func(p *Peer) { p.Disconnect(1) },
		"reset":      func(p *Peer) { p.Reset() },
		"finish":     func(p *Peer) { p.DisconnectLater(1) },
	} {
		for _, kind := range []EventKind{Connected, Message} {
			w := newPair(Config{}, Config{})
			w.server.react = func(e Event) {
				if e.Kind == kind {
					do(e.Peer)
				}
			}
			w.client.react = func(e Event) {
				if e.Kind == Connected {
					for range 5 {
						e.Peer.Send(1, make([]byte, 3000))
						e.Peer.SendUnreliable(1, []byte("x"))
					}
				}
			}
			w.client.host.Connect(w.now, serverAddr, 0)
			w.run(5000)
			if got := w.client.drainEvents(); !slices.Equal(got, []string{"connected", "disconnected by peer"}) {
				t.Errorf("%s: client events %q", name, got)
			}
			checkEmpty(t, w.server.host)
			checkEmpty(t, w.client.host)
		}
	}
}
