package raknet

import (
	"fmt"
	"net/netip"
	"testing"
)

var (
	serverAddr = netip.MustParseAddrPort("192.0.2.1:19132")
	clientAddr = netip.MustParseAddrPort("198.51.100.7:40000")
)

// seen is what one end saw.
type seen struct {
	events []string
	peer   *Peer // of the latest Connected
	react  func(Event)
}

func (s *seen) handle(e Event) {
	switch e.Kind {
	case Connected:
		s.peer = e.Peer
		s.events = append(s.events, "connected")
	case Disconnected:
		s.events = append(s.events, "disconnected "+e.Reason.String())
	case Message:
		s.events = append(s.events, string(e.Data))
	case Pong:
		s.events = append(s.events, "pong "+string(e.Data))
	}
	if s.react != nil {
		s.react(e)
	}
}

// take returns the events so far and forgets them.
func (s *seen) take() []string {
	out := s.events
	s.events = nil
	return out
}

// flusher is a Server or a Client.
type flusher interface {
	Receive(int64, netip.AddrPort, []byte, func(Event))
	Tick(int64, func(Event))
	Flush(int64, func(netip.AddrPort, []byte))
}

// collect flushes and returns copies of the datagrams.
func collect(f flusher, now int64) (out [][]byte) {
	f.Flush(now, func(_ netip.AddrPort, d []byte) { out = append(out, append([]byte(nil), d...)) })
	return out
}

// pair is a server and a client that are joined without loss or delay.
type pair struct {
	server *Server
	client *Client
	up     seen // what the server saw
	down   seen // what the client saw
	now    int64
}

func newPair(sc Config, cc ClientConfig) *pair {
	sc.GUID, cc.GUID = 11, 22
	if cc.LikeJSP {
		sc.NoCookies = true
	}
	return &pair{server: NewServer(sc), client: NewClient(cc), now: 1000}
}

// exchange flushes both ends until neither has more to say.
func (w *pair) exchange() {
	for range 1000 {
		up, down := collect(w.client, w.now), collect(w.server, w.now)
		for _, d := range up {
			w.server.Receive(w.now, clientAddr, d, w.up.handle)
		}
		for _, d := range down {
			w.client.Receive(w.now, serverAddr, d, w.down.handle)
		}
		if len(up)+len(down) == 0 {
			return
		}
	}
	panic("the two ends do not stop")
}

// run lets ms milliseconds pass in steps of 10.
func (w *pair) run(ms int) {
	for range ms / 10 {
		w.now += 10
		w.client.Tick(w.now, w.down.handle)
		w.server.Tick(w.now, w.up.handle)
		w.exchange()
	}
}

func connectedPair(t testing.TB, sc Config, cc ClientConfig) *pair {
	t.Helper()
	w := newPair(sc, cc)
	w.client.Connect(w.now, serverAddr)
	w.run(50)
	if w.up.peer == nil || w.down.peer == nil {
		t.Fatalf("not connected: server %v %+v, client %v %+v", w.up.events, w.server.Stats(), w.down.events, w.client.Stats())
	}
	w.up.take()
	w.down.take()
	return w
}

// user is a message of the user: an id and text.
func user(format string, args ...any) []byte {
	return append([]byte{0xfe}, fmt.Sprintf(format, args...)...)
}
