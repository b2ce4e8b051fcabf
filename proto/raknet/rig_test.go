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

// eventLog records the events of the server or of the client.
type eventLog struct {
	events  []string
	peer    *Peer // peer of the latest Connected event
	onEvent func(Event)
}

func (s *eventLog) handle(e Event) {
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
	if s.onEvent != nil {
		s.onEvent(e)
	}
}

// drain returns the events so far and clears them.
func (s *eventLog) drain() []string {
	out := s.events
	s.events = nil
	return out
}

// flusher contains the methods that Server and Client have in common for receiving, timers and sending.
type flusher interface {
	Receive(int64, netip.AddrPort, []byte, func(Event))
	Tick(int64, func(Event))
	Flush(int64, func(netip.AddrPort, []byte))
}

// collect flushes f and returns copies of the emitted datagrams.
func collect(f flusher, now int64) (out [][]byte) {
	f.Flush(now, func(_ netip.AddrPort, d []byte) { out = append(out, append([]byte(nil), d...)) })
	return out
}

// pair is a server and a client on a network without loss or delay.
type pair struct {
	server    *Server
	client    *Client
	serverLog eventLog // events of the server
	clientLog eventLog // events of the client
	now       int64
}

func newPair(sc Config, cc ClientConfig) *pair {
	sc.GUID, cc.GUID = 11, 22
	if cc.ImitateJSPRakNet {
		sc.NoCookies = true
	}
	return &pair{server: NewServer(sc), client: NewClient(cc), now: 1000}
}

// exchange flushes the server and the client until neither sends anything.
func (w *pair) exchange() {
	for range 1000 {
		up, down := collect(w.client, w.now), collect(w.server, w.now)
		for _, d := range up {
			w.server.Receive(w.now, clientAddr, d, w.serverLog.handle)
		}
		for _, d := range down {
			w.client.Receive(w.now, serverAddr, d, w.clientLog.handle)
		}
		if len(up)+len(down) == 0 {
			return
		}
	}
	panic("the two ends keep sending")
}

// run advances the clock by ms milliseconds in steps of 10.
func (w *pair) run(ms int) {
	for range ms / 10 {
		w.now += 10
		w.client.Tick(w.now, w.clientLog.handle)
		w.server.Tick(w.now, w.serverLog.handle)
		w.exchange()
	}
}

func connectedPair(t testing.TB, sc Config, cc ClientConfig) *pair {
	t.Helper()
	w := newPair(sc, cc)
	w.client.Connect(w.now, serverAddr)
	w.run(50)
	if w.serverLog.peer == nil || w.clientLog.peer == nil {
		t.Fatalf("not connected: server %v %+v, client %v %+v", w.serverLog.events, w.server.Stats(), w.clientLog.events, w.client.Stats())
	}
	w.serverLog.drain()
	w.clientLog.drain()
	return w
}

// user returns an application message: an id and text.
func user(format string, args ...any) []byte {
	return append([]byte{0xfe}, fmt.Sprintf(format, args...)...)
}
