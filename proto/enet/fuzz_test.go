package enet

import (
	"net/netip"
	"testing"
)

// playScript runs the fuzzer's input as operations on a host. One byte selects an operation, the next is the number of data
// bytes that follow. playScript puts the header of the connection that peer returns before the data, so that the fuzzer
// reaches the command parser.
func playScript(t *testing.T, h *Host, start uint32, script []byte, from netip.AddrPort, peer func() *Peer, handle func(Event)) {
	now := start
	for len(script) >= 2 {
		op, n := script[0], int(script[1])
		script = script[2:]
		if op&0x40 != 0 {
			n *= 4
		}
		n = min(n, len(script))
		data := script[:n]
		script = script[n:]
		p := peer()
		switch {
		case op%8 == 0 || p == nil:
			h.Receive(now, from, data, handle)
		case op%8 == 1:
			h.Receive(now, netip.AddrPortFrom(from.Addr(), uint16(n)), append(dataTo(p, true), data...), handle)
		case op%8 == 2:
			now += uint32(n) * 16
			h.Tick(now, handle)
		case op%8 == 3:
			h.Flush(now, func(_ netip.AddrPort, d []byte) {
				if len(d) < 8 || len(d) > 1400 {
					t.Fatalf("datagram of %d bytes", len(d))
				}
			})
		case op%8 == 4 && n > 2: // builds an acknowledgement of valid form
			h.Receive(now, from, appendAcknowledge(dataTo(p, false), ack{data[0], uint16(data[1]), p.clock(now)}), handle)
		default:
			h.Receive(now, from, append(dataTo(p, op&0x80 != 0), data...), handle)
		}
		checkAccounting(t, h)
	}
	h.Tick(now+200000, handle)
	h.Tick(now+400000, handle)
	checkAccounting(t, h)
}

// checkAccounting checks that the host's totals are the sums over its peers, and that all limits hold.
func checkAccounting(t *testing.T, h *Host) {
	t.Helper()
	heldBytes, queued, half, peers := 0, 0, 0, 0
	for _, p := range h.slots {
		if p == nil {
			continue
		}
		heldBytes += p.heldBytes
		queued += p.queued
		if p.state == stateVerifying {
			half++
			if p.sentBytes > amplification*p.receivedBytes {
				t.Fatalf("%d bytes to an unverified sender of %d", p.sentBytes, p.receivedBytes)
			}
		}
		if p.registered {
			peers++
		}
		data := 0
		for o := p.inFlight.head; o != nil; o = o.next {
			data += int(o.dataLen)
		}
		if data != p.inTransit || p.heldBytes > h.cfg.MaxHeldBytes || p.heldBytes < 0 || p.heldCount < 0 || (p.heldBytes == 0) != (p.heldCount == 0) {
			t.Fatalf("in transit %d, counted %d; held %d bytes, %d messages", data, p.inTransit, p.heldBytes, p.heldCount)
		}
	}
	counted := 0
	for _, u := range h.addrs {
		counted += u.peers
	}
	if heldBytes != h.heldBytes || queued != h.queuedBytes || half != h.halfOpen.n || peers != len(h.byKey) || counted != peers {
		t.Fatalf("totals of peers and host differ: held %d/%d, queued %d/%d, half %d/%d, peers %d/%d/%d", heldBytes, h.heldBytes, queued, h.queuedBytes, half, h.halfOpen.n, peers, len(h.byKey), counted)
	}
}

// addScripts adds the captured sessions to the seeds of the fuzzer: each datagram once with its own header and once as
// commands.
func addScripts(f *testing.F, up bool) {
	for _, name := range []string{"handshake.hex", "original_client.hex", "original_server.hex"} {
		var raw, commands []byte
		for _, l := range readSession(f, name) {
			if l.up != up || len(l.data) > 255 {
				continue
			}
			raw = append(append(raw, 0, byte(len(l.data))), l.data...)
			head, rest, _ := parseHeader(l.data)
			op := byte(5)
			if head.hasSent {
				op |= 0x80
			}
			commands = append(append(commands, op, byte(len(rest))), rest...)
			commands = append(commands, 3, 0, 2, 10)
		}
		f.Add(raw)
		f.Add(commands)
	}
	f.Add([]byte{0x85, 30, 0x88, 1, 0, 1, 0, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 'a', 'b', 3, 0, 2, 255, 2, 255})
}

// replyToMessage is an event handler that sends each message back and disconnects on some messages.
func replyToMessage(e Event) {
	if e.Kind != Message {
		return
	}
	e.Peer.Send(e.Channel, e.Data)
	e.Peer.SendUnreliable(e.Channel, e.Data)
	if len(e.Data) > 1 {
		switch e.Data[0] {
		case 1:
			e.Peer.Disconnect(1)
		case 2:
			e.Peer.DisconnectLater(2)
		case 3:
			e.Peer.Reset()
		}
	}
}

func FuzzReceive(f *testing.F) {
	addScripts(f, true)
	f.Fuzz(func(t *testing.T, script []byte) {
		before := NewHost(Config{MaxPeers: 8})
		playScript(t, before, 0, script, clientAddr, func() *Peer { return before.halfOpen.oldest }, replyToMessage)

		flooded := NewHost(Config{MaxPeers: 8, CookiesAfter: 1}) // host that answers each CONNECT with a cookie, without storing anything
		flooded.Receive(0, netip.MustParseAddrPort("10.0.0.1:1"), connectWith(session1, nil), nil)
		flooded.Receive(0, clientAddr, connectWith(session1, nil), nil)
		var proven *Peer
		playScript(t, flooded, 0, script, clientAddr, func() *Peer { return proven }, func(e Event) {
			if e.Kind == Connected {
				proven = e.Peer
			}
			replyToMessage(e)
		})

		w := connectedPair(t, Config{MaxPeers: 8, MaxHeldBytes: 5000}, Config{})
		playScript(t, w.server.host, w.now, script, clientAddr, func() *Peer { return w.server.peer }, replyToMessage)
	})
}

func FuzzClientReceive(f *testing.F) {
	addScripts(f, false)
	f.Fuzz(func(t *testing.T, script []byte) {
		h := NewHost(Config{MaxPeers: 2, RefuseConnect: true})
		p, _ := h.Connect(5, serverAddr, 0)
		playScript(t, h, 5, script, serverAddr, func() *Peer { return p }, replyToMessage)

		w := connectedPair(t, Config{}, Config{MaxPeers: 2, MaxHeldBytes: 5000})
		playScript(t, w.client.host, w.now, script, serverAddr, func() *Peer { return w.client.peer }, replyToMessage)
	})
}

func FuzzPeerOf(f *testing.F) {
	for _, l := range readSession(f, "handshake.hex") {
		f.Add(l.data)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		id, connect, ok := PeerIDOf(b)
		if ok && (id < 0 || id > noPeer || connect != (id == noPeer)) {
			t.Fatalf("%d, %v", id, connect)
		}
	})
}
