package enet

import (
	"fmt"
	"net/netip"
	"testing"
)

var (
	serverAddr = netip.MustParseAddrPort("192.0.2.1:25000")
	clientAddr = netip.MustParseAddrPort("198.51.100.7:40000")
)

// receiver is a host with the events that it reported.
type receiver struct {
	host   *Host
	addr   netip.AddrPort
	events []string
	peer   *Peer // peer of the last Connected event
	react  func(Event)
}

func (e *receiver) handle(ev Event) {
	switch ev.Kind {
	case Connected:
		e.peer = ev.Peer
		e.events = append(e.events, "connected")
	case Disconnected:
		e.events = append(e.events, "disconnected "+ev.Reason.String())
	case Message:
		class := "u"
		if ev.Reliable {
			class = "r"
		}
		e.events = append(e.events, fmt.Sprintf("%s%d %s", class, ev.Channel, ev.Data))
	}
	if e.react != nil {
		e.react(ev)
	}
}

// drainEvents returns the events since the last call.
func (e *receiver) drainEvents() []string {
	out := e.events
	e.events = nil
	return out
}

// collect flushes the host and returns copies of the datagrams.
func collect(h *Host, now uint32) (out [][]byte) {
	h.Flush(now, func(_ netip.AddrPort, d []byte) { out = append(out, append([]byte(nil), d...)) })
	return out
}

// wirePair is a server and a client, connected without loss or delay.
type wirePair struct {
	server, client receiver
	now            uint32
}

func newPair(server, client Config) *wirePair {
	server.SessionSeed, client.SessionSeed = 1, 2
	client.RefuseConnect = true
	w := &wirePair{now: 1000}
	w.server = receiver{host: NewHost(server), addr: serverAddr}
	w.client = receiver{host: NewHost(client), addr: clientAddr}
	return w
}

// exchange flushes both hosts until neither sends a datagram.
func (w *wirePair) exchange() {
	for range 100 {
		up, down := collect(w.client.host, w.now), collect(w.server.host, w.now)
		for _, d := range up {
			w.server.host.Receive(w.now, w.client.addr, d, w.server.handle)
		}
		for _, d := range down {
			w.client.host.Receive(w.now, w.server.addr, d, w.client.handle)
		}
		if len(up)+len(down) == 0 {
			return
		}
	}
	panic("the two sides do not stop")
}

// run advances the clock by ms milliseconds in steps of 10.
func (w *wirePair) run(ms int) {
	for range ms / 10 {
		w.now += 10
		w.client.host.Tick(w.now, w.client.handle)
		w.server.host.Tick(w.now, w.server.handle)
		w.exchange()
	}
}

func connectedPair(t testing.TB, server, client Config) *wirePair {
	t.Helper()
	w := newPair(server, client)
	if _, err := w.client.host.Connect(w.now, serverAddr, 0); err != nil {
		t.Fatal(err)
	}
	w.exchange()
	if w.server.peer == nil || w.client.peer == nil {
		t.Fatalf("not connected: server %v, client %v", w.server.events, w.client.events)
	}
	w.server.drainEvents()
	w.client.drainEvents()
	return w
}
