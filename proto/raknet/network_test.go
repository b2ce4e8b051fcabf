package raknet

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/internal/netsim"
)

// badLink is a server and a client on a network that loses, delays and duplicates datagrams.
type badLink struct {
	pair
	toServer, toClient *netsim.Path
	inbox              [][]byte // received datagrams; a slow client processes 2 of them per step of 5 ms
	slowReader         bool
}

func newBadLink(up, down netsim.Impairment, cc ClientConfig, seed uint64) *badLink {
	return &badLink{
		pair: *newPair(Config{}, cc), toServer: netsim.NewPath(up, seed), toClient: netsim.NewPath(down, ^seed), slowReader: cc.ImitateJSPRakNet,
	}
}

// advance advances the clock by ms milliseconds, in steps of 5.
func (l *badLink) advance(ms int) {
	for range ms / 5 {
		l.now += 5
		now := uint32(l.now)
		l.client.Tick(l.now, l.clientLog.handle)
		l.server.Tick(l.now, l.serverLog.handle)
		for d, ok := l.toServer.Receive(now); ok; d, ok = l.toServer.Receive(now) {
			l.server.Receive(l.now, clientAddr, d, l.serverLog.handle)
		}
		for d, ok := l.toClient.Receive(now); ok; d, ok = l.toClient.Receive(now) {
			l.inbox = append(l.inbox, d)
		}
		l.read()
		l.client.Flush(l.now, func(_ netip.AddrPort, d []byte) { l.toServer.Send(now, d) })
		l.server.Flush(l.now, func(_ netip.AddrPort, d []byte) { l.toClient.Send(now, d) })
	}
}

func (l *badLink) read() {
	n := len(l.inbox)
	if l.slowReader && n > 2 {
		n = 2
	}
	for _, d := range l.inbox[:n] {
		l.client.Receive(l.now, serverAddr, d, l.clientLog.handle)
	}
	l.inbox = l.inbox[n:]
}

// connect repeats the connection attempt until server and client are connected, as a player would.
func (l *badLink) connect(t *testing.T) {
	t.Helper()
	for range 10 {
		p := l.client.Connect(l.now, serverAddr)
		l.advance(4000)
		if p.IsConnected() && l.serverLog.peer != nil && l.serverLog.peer.IsConnected() {
			l.client.peer.User = "reached"
			l.serverLog.drain()
			l.clientLog.drain()
			return
		}
		p.Reset()
		l.advance(15000)
	}
	t.Fatalf("no connection in ten attempts: %+v", l.server.Stats())
}

// nearWrap sets every 24-bit counter of a new session, on client and server, to a value that soon wraps around to 0.
func (l *badLink) nearWrap() {
	l.advance(2000)
	const jump = 1<<24 - 60
	for _, p := range []*Peer{l.serverLog.peer, l.client.peer} {
		other := l.client.peer
		if p == other {
			other = l.serverLog.peer
		}
		p.nextNumber, p.nextMessage, p.nextOrder = jump, jump, jump
		other.in = receiveState{window: window{low: jump}, high: jump}
		other.messages = window{low: jump}
		other.channels[0] = &orderChannel{next: jump}
	}
}

func (l *badLink) sendMessages(t *testing.T, rounds int, upToo bool) (want []string) {
	t.Helper()
	long := strings.Repeat("long ", 3000)
	for i := range rounds {
		text := user("message %d", i)
		if i%25 == 3 {
			text = user("%s %d", long, i)
		}
		want = append(want, string(text))
		if err := l.serverLog.peer.SendOrdered(text); err != nil {
			t.Fatal(err)
		}
		if upToo {
			if err := l.client.peer.SendOrdered(text); err != nil {
				t.Fatal(err)
			}
		}
		l.advance(20)
	}
	return want
}

func TestMessagesArriveInOrderOverBadNetwork(t *testing.T) {
	for _, c := range []struct {
		name string
		imp  netsim.Impairment
	}{
		{"no impairment", netsim.Impairment{DelayMS: 30}},
		{"10% loss", netsim.Impairment{DelayMS: 40, JitterMS: 10, Loss: 0.1}},
		{"30% loss", netsim.Impairment{DelayMS: 40, JitterMS: 20, Loss: 0.3}},
		{"duplicates and jitter", netsim.Impairment{DelayMS: 20, JitterMS: 100, Duplicate: 0.3}},
		{"all impairments", netsim.Impairment{DelayMS: 30, JitterMS: 60, Loss: 0.2, Duplicate: 0.2, Reorder: 0.2, ReorderMS: 80}},
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprint(c.name, "/", seed), func(t *testing.T) {
				l := newBadLink(c.imp, c.imp, ClientConfig{}, seed)
				l.connect(t)
				l.nearWrap()
				want := l.sendMessages(t, 150, true)
				l.advance(20000)
				for name, got := range map[string][]string{"server": l.serverLog.drain(), "client": l.clientLog.drain()} {
					if !slices.Equal(got, want) {
						t.Errorf("%s: %d of %d messages, or wrong order", name, len(got), len(want))
					}
				}
				for name, h := range map[string]*host{"server": &l.server.host, "client": &l.client.host} {
					if h.heldBytes != 0 || h.queuedBytes > 2*maxMTU { // one ping may still be unacknowledged
						t.Errorf("%s: %d bytes held, %d queued", name, h.heldBytes, h.queuedBytes)
					}
					if st := h.stats; st.BadFrames+st.BadRecords+st.NoRoom+st.TooFarAhead+st.AckBacklog > 0 {
						t.Errorf("%s: %+v", name, st)
					}
				}
			})
		}
	}
}

// The server retransmits everything until it is acknowledged, under the same number, because the imitated client waits
// for every number. This client acknowledges messages beyond its receive window but drops them, so the server must not
// send that far ahead.
func TestJSPRakNetClientReceivesEverythingOverBadNetwork(t *testing.T) {
	for _, c := range []struct {
		name string
		down netsim.Impairment
	}{
		{"no impairment", netsim.Impairment{DelayMS: 30}},
		{"20% loss", netsim.Impairment{DelayMS: 40, JitterMS: 20, Loss: 0.2}},
		{"all impairments", netsim.Impairment{DelayMS: 30, JitterMS: 60, Loss: 0.1, Duplicate: 0.2, Reorder: 0.2, ReorderMS: 80}},
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprint(c.name, "/", seed), func(t *testing.T) {
				l := newBadLink(netsim.Impairment{DelayMS: 30, JitterMS: 30}, c.down, ClientConfig{ImitateJSPRakNet: true}, seed)
				l.connect(t)
				want := l.sendMessages(t, 150, true)
				for range 3 { // three long messages at once, more than the client's receive window
					want = append(want, string(user("%s", strings.Repeat("chunk ", 100000))))
					if err := l.serverLog.peer.SendOrdered([]byte(want[len(want)-1])); err != nil {
						t.Fatal(err)
					}
				}
				l.advance(100000)
				if got := l.clientLog.drain(); !slices.Equal(got, want) {
					t.Errorf("client: %d of %d messages, or wrong order", len(got), len(want))
				}
				if got := l.serverLog.drain(); !slices.Equal(got, want[:150]) {
					t.Errorf("server: %d of 150 messages, or wrong order", len(got))
				}
				if st := l.client.Stats(); st.DroppedImitatingJSP != 0 {
					t.Errorf("%d datagrams and messages beyond its window", st.DroppedImitatingJSP)
				}
			})
		}
	}
}

// The imitated client retransmits a datagram only once, after a NACK. A datagram that is lost once is therefore delivered. If the
// retransmission is lost, too, the session ends.
func TestLostDatagramsOfJSPRakNetClientAreNacked(t *testing.T) {
	mended := 0
	for seed := range uint64(8) {
		up := netsim.Impairment{DelayMS: 20, Loss: 0.02}
		l := newBadLink(up, netsim.Impairment{DelayMS: 20}, ClientConfig{ImitateJSPRakNet: true}, seed)
		l.connect(t)
		p := l.serverLog.peer
		for i := range 300 {
			l.client.peer.SendOrdered(user("%d", i))
			l.advance(20)
		}
		l.advance(60000)
		got := l.serverLog.drain()
		for i, m := range got {
			if m != string(user("%d", i)) && m != "disconnected protocol violation" {
				t.Fatalf("seed %d: message %d is %q", seed, i, m)
			}
		}
		if p.IsConnected() && len(got) == 300 {
			mended++
		} else if p.IsConnected() {
			t.Errorf("seed %d: %d of 300 messages, but the session is still connected", seed, len(got))
		}
		if l.toServer.Counts().Lost > 0 && l.server.Stats().NacksOut == 0 {
			t.Errorf("seed %d: datagrams were lost but not NACKed", seed)
		}
	}
	if mended < 4 {
		t.Errorf("%d of 8 sessions survived 2%% loss", mended)
	}
}

func TestBulkTransferReachesThirdOfRateOfLossyLink(t *testing.T) {
	imp := netsim.Impairment{DelayMS: 50, Loss: 0.01, BytesPerSecond: 1 << 20}
	l := newBadLink(netsim.Impairment{DelayMS: 50}, imp, ClientConfig{}, 9)
	l.connect(t)
	start := l.now
	total := 0
	for range 8 {
		b := make([]byte, 512<<10)
		b[0] = 0xfe
		if err := l.serverLog.peer.SendOrdered(b); err != nil {
			t.Fatal(err)
		}
		total += len(b)
	}
	for l.serverLog.peer.QueuedBytes() > maxMTU && l.now < start+60000 {
		l.advance(100)
	}
	if got := l.clientLog.drain(); len(got) != 8 {
		t.Fatalf("%d of 8 messages in %d ms", len(got), l.now-start)
	}
	if rate := float64(total) / float64(l.now-start) * 1000; rate < 350<<10 {
		t.Errorf("%.0f KiB/s over a link of 1024 KiB/s with 1%% loss", rate/1024)
	}
}

func TestReconnectsOverBadLinkLeaveNoState(t *testing.T) {
	imp := netsim.Impairment{DelayMS: 30, JitterMS: 30, Loss: 0.1, Duplicate: 0.1}
	l := newBadLink(imp, imp, ClientConfig{}, 4)
	for range 10 {
		l.connect(t)
		l.client.peer.SendOrdered(user("hello"))
		l.advance(1000)
		l.client.peer.Close()
		l.advance(14000)
		if l.server.PeerCount() != 0 || len(l.client.peers) != 0 {
			t.Fatalf("%d sessions are left", l.server.PeerCount())
		}
	}
	if h := &l.server.host; h.queuedBytes+h.heldBytes+len(l.server.networks)+len(l.server.halfOpen) != 0 {
		t.Errorf("left: %d queued, %d held, %d addresses", h.queuedBytes, h.heldBytes, len(l.server.networks))
	}
}

func TestClientFallsBackToSmallerMTU(t *testing.T) {
	w := newPair(Config{}, ClientConfig{})
	p := w.client.Connect(w.now, serverAddr)
	for range 600 {
		w.now += 10
		w.client.Tick(w.now, w.clientLog.handle)
		w.server.Tick(w.now, w.serverLog.handle)
		for _, d := range collect(w.client, w.now) {
			if len(d) <= 1200 { // the simulated path drops longer datagrams
				w.server.Receive(w.now, clientAddr, d, w.serverLog.handle)
			}
		}
		for _, d := range collect(w.server, w.now) {
			w.client.Receive(w.now, serverAddr, d, w.clientLog.handle)
		}
	}
	if !p.IsConnected() || p.payload != 1200-overhead4 {
		t.Errorf("connected %v with %d bytes", p.IsConnected(), p.payload)
	}
}

func TestConnectToSilentServerTimesOut(t *testing.T) {
	c := NewClient(ClientConfig{})
	var s eventLog
	c.Connect(1000, serverAddr)
	for now := int64(1000); now < 20000 && len(s.events) == 0; now += 10 {
		c.Tick(now, s.handle)
		collect(c, now)
		if now > 11000 && len(s.events) == 0 {
			t.Fatal("still connecting after the timeout")
		}
	}
	if got := s.drain(); !slices.Equal(got, []string{"disconnected timeout"}) {
		t.Errorf("events %q", got)
	}
}
