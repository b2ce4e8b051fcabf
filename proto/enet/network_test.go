package enet

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
	wirePair
	up, down *netsim.Path
}

// newBadLink returns a server and a client that are not connected yet. Their minimum timeout is 15 s, because idle peers send rarely, and
// at 30 % loss in each direction some are silent for more than 5 s.
func newBadLink(imp netsim.Impairment, seed uint64) *badLink {
	cfg := Config{SilenceTimeout: 15000}
	return &badLink{wirePair: *newPair(cfg, cfg), up: netsim.NewPath(imp, seed), down: netsim.NewPath(imp, ^seed)}
}

// advance runs the link for ms milliseconds of virtual time, in steps of 5.
func (l *badLink) advance(ms int) {
	for range ms / 5 {
		l.now += 5
		l.client.host.Tick(l.now, l.client.handle)
		l.server.host.Tick(l.now, l.server.handle)
		for d, ok := l.up.Receive(l.now); ok; d, ok = l.up.Receive(l.now) {
			l.server.host.Receive(l.now, clientAddr, d, l.server.handle)
		}
		for d, ok := l.down.Receive(l.now); ok; d, ok = l.down.Receive(l.now) {
			l.client.host.Receive(l.now, serverAddr, d, l.client.handle)
		}
		l.client.host.Flush(l.now, func(_ netip.AddrPort, d []byte) { l.up.Send(l.now, d) })
		l.server.host.Flush(l.now, func(_ netip.AddrPort, d []byte) { l.down.Send(l.now, d) })
	}
}

// connect repeats the handshake until both sides are connected, at most ten times.
func (l *badLink) connect(t *testing.T) {
	t.Helper()
	for range 10 {
		p, err := l.client.host.Connect(l.now, serverAddr, 0)
		if err != nil {
			t.Fatal(err)
		}
		l.advance(5000)
		if p.IsConnected() && l.server.peer != nil && l.server.peer.IsConnected() {
			l.client.drainEvents()
			l.server.drainEvents()
			return
		}
		p.Reset()
		l.advance(6000)
	}
	t.Fatal("not connected after ten attempts")
}

func TestReliableMessagesArriveInOrderOverBadNetworks(t *testing.T) {
	for _, c := range []struct {
		name string
		imp  netsim.Impairment
	}{
		{"good", netsim.Impairment{DelayMS: 30}},
		{"10% loss", netsim.Impairment{DelayMS: 40, JitterMS: 10, Loss: 0.1}},
		{"30% loss", netsim.Impairment{DelayMS: 40, JitterMS: 20, Loss: 0.3}},
		{"duplicates and jitter", netsim.Impairment{DelayMS: 20, JitterMS: 100, Duplicate: 0.3}},
		{"all impairments", netsim.Impairment{DelayMS: 30, JitterMS: 60, Loss: 0.2, Duplicate: 0.2, Reorder: 0.2, ReorderMS: 80}},
	} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(c.name, "/", seed), func(t *testing.T) {
				l := newBadLink(c.imp, seed)
				l.connect(t)
				// Start near the wrap of every counter.
				for _, pair := range [][2]*Peer{{l.server.peer, l.client.peer}, {l.client.peer, l.server.peer}} {
					from, to := pair[0], pair[1]
					for ch := range uint8(3) {
						from.out(ch).reliable, to.in(ch).reliable = 65500, 65500
						from.out(ch).unreliable, to.in(ch).unreliable = 65500, 65500
					}
				}
				l.exchangeMessages(t)
			})
		}
	}
}

// exchangeMessages sends messages in both directions and checks what is delivered.
func (l *badLink) exchangeMessages(t *testing.T) {
	t.Helper()
	const rounds = 150
	long := strings.Repeat("long ", 1000)
	var want []string
	for i := range rounds {
		text := fmt.Sprint("message ", i)
		if i%25 == 3 {
			text = fmt.Sprint(long, i)
		}
		want = append(want, "r1 "+text)
		for _, p := range []*Peer{l.server.peer, l.client.peer} {
			if err := p.Send(1, []byte(text)); err != nil {
				t.Fatal(err)
			}
			p.SendUnreliable(2, fmt.Appendf(nil, "%06d", i))
			p.SendUnreliable(1, fmt.Appendf(nil, "%06d", i)) // ordered relative to the reliable messages
		}
		l.advance(20)
	}
	l.advance(60000)
	for name, e := range map[string]*receiver{"server": &l.server, "client": &l.client} {
		var reliable, loose, mixed []string
		for _, ev := range e.drainEvents() {
			switch ev[:3] {
			case "r1 ":
				reliable = append(reliable, ev)
			case "u2 ":
				loose = append(loose, ev)
			case "u1 ":
				mixed = append(mixed, ev)
				var i int
				fmt.Sscanf(ev[3:], "%d", &i)
				if len(reliable) != i+1 {
					t.Errorf("%s: unreliable message %d was delivered after %d reliable ones", name, i, len(reliable))
				}
			default:
				t.Errorf("%s: unexpected event %q", name, ev)
			}
		}
		if !slices.Equal(reliable, want) {
			t.Errorf("%s: %d of %d reliable messages, or a wrong order", name, len(reliable), len(want))
		}
		for _, u := range [][]string{loose, mixed} {
			if !slices.IsSorted(u) || len(slices.Compact(slices.Clone(u))) != len(u) || len(u) < rounds/4 || len(u) > rounds {
				t.Errorf("%s: %d unreliable messages, or a wrong order", name, len(u))
			}
		}
		if st := e.host.Stats(); st.BadCommand+st.BadFragment+st.BadSession+st.UnprovenPort+st.OverHold > 0 {
			t.Errorf("%s: statistics %+v", name, st)
		}
	}
	for _, h := range []*Host{l.server.host, l.client.host} {
		if h.heldBytes != 0 || h.queuedBytes > nodeCost { // a PING may be in flight
			t.Errorf("%d bytes held, %d queued", h.heldBytes, h.queuedBytes)
		}
	}
}

func TestBulkTransferOverLossyLinkKeepsWindowFull(t *testing.T) {
	l := newBadLink(netsim.Impairment{DelayMS: 50, Loss: 0.05}, 9)
	l.connect(t)
	p := l.server.peer
	sent, most := 0, 0
	for ms := 0; ms < 120000 && (sent < 1500 || p.QueuedBytes() > 0); ms += 5 {
		for sent < 1500 && p.Send(1, make([]byte, 700)) == nil {
			sent++
		}
		l.advance(5)
		most = max(most, p.inTransit)
	}
	if got := l.client.drainEvents(); len(got) != 1500 {
		t.Errorf("%d of 1500 delivered", len(got))
	}
	if most > 32768 || most < 20000 {
		t.Errorf("up to %d bytes in flight, the window is 32768", most)
	}
}

func TestReconnectOverBadLinkSucceeds(t *testing.T) {
	l := newBadLink(netsim.Impairment{DelayMS: 30, JitterMS: 30, Loss: 0.1, Duplicate: 0.1}, 4)
	for range 10 {
		l.connect(t)
		l.client.peer.Send(1, []byte("hello"))
		l.advance(3000)
		l.client.peer.Disconnect(0)
		l.advance(8000)
		if l.server.peer.IsConnected() || l.client.peer.IsConnected() {
			t.Fatal("still connected")
		}
	}
	l.advance(10000)
	checkEmpty(t, l.server.host)
	checkEmpty(t, l.client.host)
}
