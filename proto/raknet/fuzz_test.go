package raknet

import (
	"bytes"
	"net/netip"
	"testing"
)

func FuzzOffline(f *testing.F) {
	for _, b := range vectors(f) {
		f.Add(b)
	}
	f.Add(reply1{secure: true, cookie: 7, mtu: 1492}.append(nil))
	f.Add(incompatible{protocol: 11}.append(nil))
	f.Add(noFree{guid: 1}.append(nil))
	f.Add(request2{addr: netip.MustParseAddrPort("[2001:db8::1]:19132"), mtu: 1492}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		again := func(name string, ok bool, got []byte) {
			if ok && !bytes.Equal(got, b) {
				t.Fatalf("%s: accepted %x but wrote %x", name, b, got)
			}
		}
		// Not compared: the family, flow and scope of IPv6 addresses and the padding of Open Connection Reply 1, which
		// parsing drops.
		p, ok := parsePing(b)
		again("ping", ok, p.append(nil))
		q, ok := parsePong(b)
		again("pong", ok, q.append(nil))
		if r, ok := parseReply1(b); ok && !bytes.HasPrefix(b, r.append(nil)) {
			t.Fatalf("reply 1: accepted %x but wrote %x", b, r.append(nil))
		}
		for _, secure := range []bool{false, true} {
			if r, ok := parseRequest2(b, secure); ok {
				again("request 2", r.addr.Addr().Is4(), r.append(nil))
			}
		}
		if r, ok := parseReply2(b); ok {
			again("reply 2", r.addr.Addr().Is4(), r.append(nil))
		}
		if r, ok := parseRequest1(b); ok && (r.size != len(b) || !bytes.HasPrefix(b, r.append(nil)[:request1Size])) {
			t.Fatalf("request 1: %+v of %x", r, b)
		}
		i, ok := parseIncompatible(b)
		again("incompatible", ok, i.append(nil))
		n, ok := parseNoFree(b)
		again("no free", ok, n.append(nil))
	})
}

func FuzzOnline(f *testing.F) {
	v := vectors(f)
	for _, id := range []string{"connection_request_datagram", "connection_request_accepted_datagram", "new_incoming_connection_datagram"} {
		for rest := v[id][headerSize:]; len(rest) > 0; {
			var fr frame
			fr, rest, _ = parseFrame(rest)
			f.Add(fr.body)
		}
	}
	f.Add(connectedPong{echo: 1, time: 2}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		again := func(name string, ok bool, got []byte) {
			if ok && !bytes.Equal(got, b) {
				t.Fatalf("%s: accepted %x but wrote %x", name, b, got)
			}
		}
		r, ok := parseConnectionRequest(b)
		again("request", ok, r.append(nil))
		if a, ok := parseConnectionAccepted(b); ok {
			again("accepted", a.addr.Addr().Is4(), a.append(nil))
		}
		if n, ok := parseNewConnection(b); ok {
			again("new connection", n.addr.Addr().Is4(), n.append(nil))
		}
		p, ok := parseConnectedPing(b)
		again("ping", ok, p.append(nil))
		q, ok := parseConnectedPong(b)
		again("pong", ok, q.append(nil))
	})
}

func FuzzFrame(f *testing.F) {
	for _, b := range vectors(f) {
		if b[0]&flagValid != 0 && len(b) > headerSize {
			f.Add(b[headerSize:])
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		fr, rest, ok := parseFrame(b)
		if !ok {
			return
		}
		used := b[:len(b)-len(rest)]
		if b[0]>>5 > byte(ReliableSequenced) || b[0]&0x0f != 0 {
			return // the frame has a request for a receipt or unused bits, which are not written again
		}
		if again := fr.append(nil); !bytes.Equal(again, used) {
			t.Fatalf("accepted %x but wrote %x", used, again)
		}
	})
}

func FuzzRecords(f *testing.F) {
	f.Add(vectors(f)["ack_single_0"][1:])
	f.Add(vectors(f)["ack_range_1_2"][1:])
	f.Add([]byte{0, 1, 0, 0, 0, 0, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		spans, ok := parseRecords(nil, b)
		if !ok {
			return
		}
		again, n := appendRecords(nil, flagValid|flagAck, spans, 1<<20)
		if n != len(spans) {
			t.Fatalf("%d of %d spans fit", n, len(spans))
		}
		// The input may encode a span of one number in the form for longer spans.
		if other, _ := parseRecords(nil, again[1:]); len(other) != len(spans) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}

// runScript runs the fuzzer's input as steps of a Server or Client. One byte selects a step, the next is the number of data
// bytes that follow.
func runScript(t *testing.T, f flusher, h *host, from netip.AddrPort, start int64, script []byte, handle func(Event)) {
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
		p := h.byAddr[from]
		switch op % 8 {
		case 0:
			f.Receive(now, from, data, handle)
		case 1:
			now += int64(n) * 16
			f.Tick(now, handle)
		case 2:
			f.Flush(now, func(_ netip.AddrPort, d []byte) {
				if len(d) == 0 || len(d) > maxMTU {
					t.Fatalf("datagram of %d bytes", len(d))
				}
			})
		case 3: // sends a valid acknowledgement of all numbers
			if p != nil && p.nextNumber > 0 {
				b, _ := appendRecords(nil, flagValid|flagAck, []span{{max(0, p.nextNumber-1000), p.nextNumber - 1}}, 100)
				f.Receive(now, from, b, handle)
			}
		case 4, 5: // sends frames in a datagram with the next number, or with a number after a gap
			if p != nil {
				f.Receive(now, from, append(appendU24([]byte{dataFlags}, uint32(p.in.high)+uint32(op%8-4)*3), data...), handle)
			}
		default: // sends one frame with the next message index and order index
			if p != nil && n > 0 {
				fr := frame{kind: ReliableOrdered, message: uint32(p.messages.low), order: uint32(p.nextOrderIndex(0)), body: data}
				f.Receive(now, from, datagram(uint32(p.in.high), fr), handle)
			}
		}
		checkSums(t, h)
	}
	f.Tick(now+200000, handle)
	f.Tick(now+400000, handle)
	checkSums(t, h)
}

// checkSums checks that the totals of a host equal the sums over its peers, and that all limits hold.
func checkSums(t *testing.T, h *host) {
	t.Helper()
	held, queued := 0, 0
	for i, p := range h.peers {
		size := 0
		for _, list := range [][]*outDatagram{p.pending, p.unreliable, p.flight} {
			for _, o := range list {
				size += cap(o.buf)
			}
		}
		inSplits := 0
		for _, s := range p.splits {
			inSplits += s.size + len(s.parts)*heldOverhead
		}
		inOrder, count := 0, 0
		for _, c := range p.channels {
			if c != nil {
				for _, b := range c.held {
					inOrder += len(b) + heldOverhead
					count++
				}
			}
		}
		l := &h.limits
		if p.slot != i || h.byAddr[p.addr] != p || size != p.queuedBytes || inSplits != p.splitBytes || inOrder != p.heldBytes || count != p.heldCount {
			t.Fatalf("slot %d/%d, queued %d/%d, parts %d/%d, held %d/%d", p.slot, i, size, p.queuedBytes, inSplits, p.splitBytes, inOrder, p.heldBytes)
		}
		if count > l.MaxOutOfOrder || inOrder > l.MaxOutOfOrderBytes || inSplits > l.MaxSplitBytes || len(p.splits) > l.MaxSplits || size > l.MaxQueuedBytes ||
			len(p.in.ackSpans) > maxAckSpans || len(p.in.gaps) > windowSize || len(p.flight) > l.MaxInFlight && !p.imitateJSP {
			t.Fatalf("over a limit: %d held, %d bytes, %d in parts, %d queued, %d in flight", count, inOrder, inSplits, size, len(p.flight))
		}
		held += inSplits + inOrder
		queued += size
	}
	if held != h.heldBytes || queued != h.queuedBytes || len(h.byAddr) != len(h.peers) {
		t.Fatalf("held %d/%d, queued %d/%d, %d addresses of %d peers", held, h.heldBytes, queued, h.queuedBytes, len(h.byAddr), len(h.peers))
	}
}

// echoAndEnd sends each message back and, for some messages, ends the session.
func echoAndEnd(e Event) {
	if e.Kind != Message {
		return
	}
	e.Peer.SendOrdered(e.Data)
	e.Peer.Send(e.Data, Unreliable)
	if len(e.Data) > 1 {
		switch e.Data[1] {
		case 1:
			e.Peer.Close()
		case 2:
			e.Peer.Reset()
		}
	}
}

// addScripts adds scripts as fuzzer input. For each vector, one script sends the vector as a datagram. Two others send the frames
// of the vector in a new datagram: one with the next number, one with a number after a gap.
func addScripts(f *testing.F) {
	for _, b := range vectors(f) {
		f.Add(append([]byte{0, byte(len(b))}, b...))
		if b[0]&flagValid != 0 {
			f.Add(append([]byte{4, byte(len(b) - headerSize)}, b[headerSize:]...))
			f.Add(append([]byte{5, byte(len(b) - headerSize)}, b[headerSize:]...))
		}
	}
	f.Add([]byte("\x06\x03\xfeab\x06\x03\xfeab\x02\x00\x03\x00\x01\xff\x02\x00\x06\x01\x15\x01\xff\x02\x00"))
	split := frame{kind: ReliableOrdered, split: true, count: 2, body: []byte("\xfex")}
	f.Add(append([]byte{4, byte(frameSize + splitSize + 2)}, split.append(nil)...))
}

func FuzzServerReceive(f *testing.F) {
	addScripts(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		limits := Limits{MaxOutOfOrderBytes: 5000, MaxSplitBytes: 5000, MaxQueuedBytes: 50000}
		s := NewServer(Config{NoCookies: true, MaxSessions: 4, Limits: limits})
		runScript(t, s, &s.host, clientAddr, 0, script, echoAndEnd)
		w := connectedPair(t, Config{MaxSessions: 4, Limits: limits}, ClientConfig{})
		runScript(t, w.server, &w.server.host, clientAddr, w.now, script, echoAndEnd)
	})
}

func FuzzClientReceive(f *testing.F) {
	addScripts(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		limits := Limits{MaxOutOfOrderBytes: 5000, MaxSplitBytes: 5000, MaxQueuedBytes: 50000}
		c := NewClient(ClientConfig{Limits: limits})
		c.Connect(5, serverAddr)
		runScript(t, c, &c.host, serverAddr, 5, script, echoAndEnd)
		for _, jsp := range []bool{false, true} {
			w := connectedPair(t, Config{}, ClientConfig{ImitateJSPRakNet: jsp, Limits: limits})
			runScript(t, w.client, &w.client.host, serverAddr, w.now, script, echoAndEnd)
		}
	})
}
