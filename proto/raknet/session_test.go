package raknet

import (
	"bytes"
	"slices"
	"testing"
)

func TestSessionEmitsEventsFromPingToDisconnect(t *testing.T) {
	for name, cc := range map[string]ClientConfig{"protocol 11": {}, "like jsp": {ImitateJSPRakNet: true}} {
		t.Run(name, func(t *testing.T) {
			w := newPair(Config{}, cc)
			w.server.SetPong([]byte("MCPE;x;"))
			w.client.Ping(w.now, serverAddr)
			w.exchange()
			p := w.client.Connect(w.now, serverAddr)
			w.run(100)
			if !p.IsConnected() || w.serverLog.peer == nil || w.serverLog.peer.GUID() != 22 || p.GUID() != 11 {
				t.Fatalf("not connected: %q %q", w.serverLog.events, w.clientLog.events)
			}
			long := bytes.Repeat([]byte("\xfelong"), 20000)
			p.SendOrdered(user("up"))
			p.SendOrdered(long)
			w.serverLog.peer.SendOrdered(long)
			w.serverLog.peer.Send(user("down"), Unreliable)
			w.run(500)
			p.Close()
			w.run(3000)
			wantUp := []string{"connected", "\xfeup", string(long), "disconnected by peer"}
			if got := w.serverLog.drain(); !slices.Equal(got, wantUp) {
				t.Errorf("server saw %d events: %.40q", len(got), got)
			}
			got := w.clientLog.drain()
			wantDown := []string{"connected", "disconnected by us", "pong MCPE;x;", "\xfedown", string(long)}
			slices.Sort(got)
			if !slices.Equal(got, wantDown) {
				t.Errorf("client saw %d events: %.40q", len(got), got)
			}
			if w.server.PeerCount() != 0 || w.server.queuedBytes != 0 || w.server.heldBytes != 0 || len(w.server.networks) != 0 {
				t.Errorf("%d sessions are left, %d bytes queued", w.server.PeerCount(), w.server.queuedBytes)
			}
		})
	}
}

func TestIPv6DatagramWithItsLongerIPHeaderFitsMTU(t *testing.T) {
	r := newRaw(t, NewServer(Config{}), "[2001:db8::1]:40000").connect()
	r.peer.SendOrdered(make([]byte, 5000))
	for _, d := range dataDatagrams(r.flush()) {
		if len(d) > 1492-48 {
			t.Errorf("%d bytes of payload", len(d))
		}
	}
}

func TestSmallMessagesAreSentInOneDatagram(t *testing.T) {
	w := connectedPair(t, Config{}, ClientConfig{})
	for range 20 {
		w.serverLog.peer.SendOrdered(user("small"))
	}
	if out := dataDatagrams(collect(w.server, w.now)); len(out) != 1 || len(framesOf(t, out[0])) != 20 {
		t.Errorf("%d datagrams", len(out))
	}
}

func TestSendRefusesInvalidMessages(t *testing.T) {
	w := connectedPair(t, Config{}, ClientConfig{})
	p := w.serverLog.peer
	for name, err := range map[string]error{
		"empty":       p.SendOrdered(nil),
		"too long":    p.SendOrdered(make([]byte, 1<<20+1)),
		"reliability": p.Send(user("x"), 5),
	} {
		if err != ErrTooLong {
			t.Errorf("%s: %v", name, err)
		}
	}
	p.Reset()
	if err := p.SendOrdered(user("x")); err != ErrNotConnected {
		t.Errorf("after Reset: %v", err)
	}
	p.Close()
	p.Reset()
	w.run(100)
	if got := w.clientLog.drain(); !slices.Equal(got, []string{"disconnected by peer"}) {
		t.Errorf("the other side saw %q", got)
	}
}

func TestPingsKeepIdleSessionAliveAndMeasureRTT(t *testing.T) {
	w := connectedPair(t, Config{}, ClientConfig{})
	w.run(60000)
	if len(w.serverLog.drain())+len(w.clientLog.drain()) != 0 || !w.serverLog.peer.IsConnected() {
		t.Error("an idle session ended")
	}
	if rtt, dev := w.serverLog.peer.RTT(); rtt > 20 || dev > 20 {
		t.Errorf("RTT %d+-%d ms on a link without delay", rtt, dev)
	}
}

func TestForgedPongDoesNotChangeRTT(t *testing.T) {
	r := connectedRaw(t)
	before, _ := r.peer.RTT()
	r.sendFrame(Unreliable, connectedPong{echo: 1}.append(nil))
	if after, _ := r.peer.RTT(); after != before || r.s.Stats().BadMessage != 1 {
		t.Errorf("RTT %d, was %d", after, before)
	}
}

func TestMessagesOfEveryReliabilityAreDelivered(t *testing.T) {
	w := connectedPair(t, Config{}, ClientConfig{})
	for _, kind := range []Reliability{UnreliableSequenced, ReliableSequenced, Reliable, Unreliable} {
		w.serverLog.peer.Send(user("%d", kind), kind)
		w.serverLog.peer.Send(user("%d", kind), ReliableOrdered)
		w.exchange()
	}
	if got := w.clientLog.drain(); len(got) != 8 {
		t.Errorf("events %q", got)
	}
}
