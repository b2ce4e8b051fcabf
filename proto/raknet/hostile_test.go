package raknet

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestIncompleteSplitMessagesUseBoundedMemory(t *testing.T) {
	r := connectedRaw(t)
	for i := range 1000 { // each datagram contains as many one-byte parts of the longest messages as fit into it
		var fs []frame
		for j := range uint32(40) {
			fs = append(fs, frame{kind: Unreliable, split: true, count: 512, index: uint32(i)%511 + j%2, id: uint16(j), body: []byte{0xfe}})
		}
		r.frames(fs...)
	}
	if len(r.peer.splits) > 16 || r.peer.splitBytes > 16*512*(1+heldOverhead) || r.s.heldBytes != r.peer.splitBytes {
		t.Errorf("%d open, %d bytes", len(r.peer.splits), r.peer.splitBytes)
	}
	if !r.peer.IsConnected() || len(r.drain()) != 0 {
		t.Error("incomplete parts were delivered or ended the session")
	}
}

func TestReceiveMemoryOfAllSessionsIsBounded(t *testing.T) {
	s := NewServer(Config{Limits: Limits{MaxHostReceiveBytes: 1 << 20}})
	maxHeld := 0
	honest := newRaw(t, s, "198.51.100.99:1").connect()
	honest.frames(honest.parts(0, 3)[0])
	for i := range 20 {
		r := newRaw(t, s, fmt.Sprintf("198.51.100.%d:1", i+1)).connect()
		for j := range uint32(200) {
			r.frames(frame{kind: Reliable, split: true, count: 512, index: j, message: r.message, body: make([]byte, 1400)})
			r.message++
			maxHeld = max(maxHeld, s.heldBytes)
		}
	}
	if maxHeld > 1<<20 || s.Stats().Evicted == 0 || s.PeerCount() < 2 {
		t.Errorf("%d bytes held, %+v", maxHeld, s.Stats())
	}
	honest.message, honest.order = honest.message-3, honest.order-1
	for _, f := range honest.parts(0, 3)[1:] {
		honest.frames(f)
	}
	if got := honest.drain(); len(got) != 1 || !honest.peer.IsConnected() {
		t.Errorf("a session that holds little was affected: %q", got)
	}
}

func TestSendMemoryOfAllSessionsIsBounded(t *testing.T) {
	s := NewServer(Config{Limits: Limits{MaxHostQueuedBytes: 1 << 20}})
	var rs []*rawClient
	for i := range 20 {
		rs = append(rs, newRaw(t, s, fmt.Sprintf("198.51.100.%d:1", i+1)).connect())
	}
	for range 200 {
		for i, r := range rs {
			if i == 0 {
				r.peer.SendOrdered(user("little"))
				for _, d := range dataDatagrams(r.flush()) {
					r.send(ackOf(u24(d[1:])))
				}
				continue
			}
			r.peer.SendOrdered(make([]byte, 5000))
			if s.queuedBytes > 1<<20 {
				t.Fatalf("%d bytes queued", s.queuedBytes)
			}
		}
	}
	rs[0].advance(10)
	if !rs[0].peer.IsConnected() || s.Stats().Evicted == 0 || s.Stats().Overflows == 0 {
		t.Errorf("statistics %+v", s.Stats())
	}
	checkSums(t, &s.host)
}

// testBudget implements SendBudget for one server: at most limit bytes may be queued for all its peers together.
type testBudget struct{ used, limit int }

func (b *testBudget) HasRoom(n int) bool { return b.used+n <= b.limit }
func (b *testBudget) Add(n int)          { b.used += n }

func TestPeerWithLongestQueueIsDisconnectedWhenSharedBudgetIsUsedUp(t *testing.T) {
	b := &testBudget{limit: 1 << 20}
	s := NewServer(Config{Limits: Limits{SendBudget: b}})
	silent, reading := newRaw(t, s, "198.51.100.1:1").connect(), newRaw(t, s, "198.51.100.2:1").connect()
	for b.HasRoom(20_000) {
		silent.peer.SendOrdered(make([]byte, 5000))
	}
	b.limit /= 2 // another server uses half of the budget
	if err := reading.peer.SendOrdered(user("little")); err != nil {
		t.Fatalf("a session that reads is refused: %v", err)
	}
	reading.advance(10)
	if silent.peer.IsConnected() || !reading.peer.IsConnected() || b.used != s.queuedBytes {
		t.Errorf("the silent session is connected: %v, the other: %v; %d bytes used of the budget, %d queued", silent.peer.IsConnected(), reading.peer.IsConnected(), b.used, s.queuedBytes)
	}
	checkSums(t, &s.host)
}

func TestFloodOfAckRangesAllocatesNothing(t *testing.T) {
	r := connectedRaw(t)
	for range 300 {
		r.peer.SendOrdered(make([]byte, 1400))
	}
	r.flush()
	records := []byte{flagValid | flagNack, 0, 0}
	for n := uint32(0); len(records) < 1470; n += 2 {
		records = append(records, 0)
		records = appendU24(appendU24(records, n), n+21)
	}
	binary.BigEndian.PutUint16(records[1:], uint16((len(records)-3)/7))
	sent := 0
	for range 200 { // sends 200 NACKs of all numbers within one tick
		sent += len(dataDatagrams(r.send(records)))
	}
	if sent > 0 {
		t.Errorf("%d datagrams retransmitted for NACKs of datagrams that were just sent", sent)
	}
	records[0] = flagValid | flagAck
	for range 50 {
		r.s.Receive(r.now, r.from, records, r.handle)
	}
	if !r.peer.IsConnected() {
		t.Error("the session ended")
	}
	if avg := testing.AllocsPerRun(100, func() { r.s.Receive(r.now, r.from, records, ignore) }); avg != 0 {
		t.Errorf("%v allocations per ACK", avg)
	}
}

func TestRepeatedNacksCauseFewRetransmissions(t *testing.T) {
	for _, c := range []struct {
		srtt     int64 // us
		inFlight int
		maxOut   [2]int // maximum retransmissions in the first second and in the next nine
	}{
		{10_000, 1, [2]int{12, 8}},
		{0, 1, [2]int{12, 8}},
		{0, maxInFlight, [2]int{1200, 192 * 8}},
	} {
		r := connectedRaw(t)
		r.peer.srtt, r.peer.cwnd = c.srtt, maxInFlight
		for range c.inFlight {
			r.peer.SendOrdered(make([]byte, 1400))
		}
		if n := len(dataDatagrams(r.flush())); n != c.inFlight {
			t.Fatalf("%d datagrams in flight, want %d", n, c.inFlight)
		}
		resends := func(ms int) (n int) {
			for range ms { // sends one NACK per millisecond
				r.now++
				r.s.Tick(r.now, r.handle)
				n += len(dataDatagrams(r.flush()))
				n += len(dataDatagrams(r.send(r.nackOfAll())))
			}
			return n
		}
		if got := [2]int{resends(1000), resends(9000)}; got[0] > c.maxOut[0] || got[1] > c.maxOut[1] || got[0] < 2*c.inFlight {
			t.Errorf("SRTT %d us, %d in flight: %d retransmissions in the first second and the next nine, want at most %d", c.srtt, c.inFlight, got, c.maxOut)
		}
	}
}

// nackOfAll returns a NACK of the last 8,000 datagrams that the server has sent, in one record.
func (r *rawClient) nackOfAll() []byte {
	last := r.peer.nextNumber
	b, _ := appendRecords(nil, flagValid|flagNack, []span{{max(last-8000, 0), last}}, maxDatagram)
	return b
}

// Many NACKs cause retransmissions between any two calls of Tick, so that no timer is due when Tick is called.
func TestSessionWithoutAcksTimesOutDespiteNacks(t *testing.T) {
	r := connectedRaw(t)
	r.peer.srtt = 0
	r.peer.SendOrdered(user("x"))
	r.flush()
	for r.now < 40_000 && r.peer.IsConnected() {
		if r.now++; r.now%10 == 0 {
			r.s.Tick(r.now, r.handle)
		}
		r.send(r.nackOfAll())
	}
	if got := r.drain(); !slices.Equal(got, []string{"disconnected timeout"}) || r.now < 30_000 || r.now > 34_000 {
		t.Errorf("after %d ms: %q", r.now, got)
	}
}

func TestNumberOfTrackedGapsInDatagramNumbersIsBounded(t *testing.T) {
	r := connectedRaw(t)
	before := r.number
	for range 4000 { // each datagram leaves out the number before it
		r.number++
		r.sendFrame(Unreliable, user("x"))
		r.s.Tick(r.now, r.handle)
	}
	if n := len(r.peer.in.gaps); n > windowSize/2+1 || !r.peer.IsConnected() && n == 0 {
		t.Errorf("%d gaps", n)
	}
	if st := r.s.Stats(); st.TooFarAhead+st.AckBacklog == 0 && r.number > before+2*windowSize {
		t.Errorf("statistics %+v", st)
	}
}

// After a stall a server may receive many datagrams at once. One ACK may acknowledge at most maxNumbers datagrams.
func TestAckOfTooManyDatagramsIsSplit(t *testing.T) {
	r := connectedRaw(t)
	start := r.number
	for i := range uint32(maxNumbers + 100) {
		r.s.Receive(r.now, r.from, datagram(start+i, frame{kind: Unreliable, body: user("x")}), r.handle)
	}
	acknowledged := int64(0)
	for _, d := range r.advance(10) {
		if d[0]&flagAck == 0 {
			continue
		}
		spans, ok := parseRecords(nil, d[1:])
		if !ok {
			t.Fatalf("the server sends an ACK that it would refuse itself: %x", d)
		}
		for _, s := range spans {
			acknowledged += s.last - s.first + 1
		}
	}
	if acknowledged < maxNumbers+100 {
		t.Errorf("%d datagrams are acknowledged, want at least %d", acknowledged, maxNumbers+100)
	}
}

func TestNumberOfAcksWaitingForFlushIsBounded(t *testing.T) {
	r := connectedRaw(t)
	start := r.number
	for i := range uint32(1000) {
		r.s.Receive(r.now, r.from, datagram(start+2*i, frame{kind: Unreliable, body: user("x")}), r.handle)
	}
	if len(r.peer.in.ackSpans) != maxAckSpans || r.s.Stats().AckBacklog == 0 {
		t.Errorf("%d spans wait, %d datagrams refused", len(r.peer.in.ackSpans), r.s.Stats().AckBacklog)
	}
	r.advance(10)
	if len(r.peer.in.ackSpans) != 0 {
		t.Error("queued acknowledgements were not sent")
	}
}

// A forged datagram has the right source address but a guessed datagram number.
func TestForgedDatagramsDoNotEndSession(t *testing.T) {
	for name, forged := range map[string]func(i int) []byte{
		"offline":      func(i int) []byte { return request2{secure: true, cookie: uint32(i), addr: serverAddr}.append(nil) },
		"incompatible": func(int) []byte { return incompatible{protocol: 11}.append(nil) },
		"no free":      func(int) []byte { return noFree{}.append(nil) },
		"truncated":    func(i int) []byte { return datagram(uint32(i), frame{body: user("forged")})[:5+i%9] },
		"acks":         func(i int) []byte { return ackOf(uint32(i) * 7919) },
		"nacks":        func(i int) []byte { return nackOf(uint32(i) * 7919) },
		"numbers beyond the window": func(i int) []byte {
			return datagram(uint32(1<<22+i*5000), frame{kind: Unreliable, body: []byte{idDisconnect}})
		},
		"handshake": func(i int) []byte {
			return datagram(uint32(1<<22+i), frame{kind: Unreliable, body: connectionRequest{}.append(nil)})
		},
		"empty":            func(int) []byte { return nil },
		"one byte":         func(i int) []byte { return []byte{byte(i)} },
		"longer than 2048": func(int) []byte { return make([]byte, 5000) },
	} {
		t.Run(name, func(t *testing.T) {
			w := connectedPair(t, Config{}, ClientConfig{})
			var want []string
			for i := range 2000 {
				w.server.Receive(w.now, clientAddr, forged(i), w.serverLog.handle)
				if i%10 == 0 { // sends 50 forged datagrams per second for 40 seconds
					w.client.peer.SendOrdered(user("%d", i))
					want = append(want, string(user("%d", i)))
				}
				if i%2 == 0 {
					w.run(40)
				}
			}
			w.run(1000)
			if got := w.serverLog.drain(); !slices.Equal(got, want) || !w.serverLog.peer.IsConnected() {
				t.Errorf("%d of %d messages, last %.60q", len(got), len(want), got[max(0, len(got)-1):])
			}
		})
	}
}

func TestDatagramFromOtherAddressDoesNotAffectSession(t *testing.T) {
	w := connectedPair(t, Config{}, ClientConfig{})
	p := w.serverLog.peer
	for _, from := range []string{"198.51.100.7:40001", "198.51.100.8:40000"} {
		bye := datagram(uint32(p.in.high), frame{kind: Unreliable, body: []byte{idDisconnect}})
		w.server.Receive(w.now, netip.MustParseAddrPort(from), bye, w.serverLog.handle)
	}
	if !p.IsConnected() || w.server.Stats().NoSession != 2 {
		t.Errorf("statistics %+v", w.server.Stats())
	}
	w.server.Receive(w.now, netip.MustParseAddrPort("[::ffff:198.51.100.7]:40000"),
		datagram(uint32(p.in.high), frame{kind: Unreliable, body: []byte{idDisconnect}}), w.serverLog.handle)
	if p.IsConnected() {
		t.Error("IPv4-mapped IPv6 address is not treated as IPv4")
	}
}

// For each byte that arrives from an unverified address, at most three bytes are sent to that address, IPv4 and UDP headers
// included. Pongs, which need their text, are limited by rate instead.
func TestUnverifiedSenderGetsAtMostThreeTimesItsBytes(t *testing.T) {
	const headers, window = 28, 1000 // headers: bytes of the IPv4 and UDP headers; window: length in ms
	text := []byte(strings.Repeat("x", 100))
	for name, c := range map[string]struct {
		datagram []byte
		most     float64 // maximum bytes sent per byte received, over 100 datagrams in a window
	}{
		"smallest request 1":         {request1{protocol: 11, size: reply1Size + cookieSize}.append(nil), 1},
		"request 1 of another game":  {request1{protocol: 99, size: reply1Size + cookieSize}.append(nil), 1},
		"largest request 1":          {request1{protocol: 11, size: 1464}.append(nil), 0.05},
		"request 2 without a cookie": {request2{addr: serverAddr, mtu: 1492, guid: 5}.append(nil), 0},
		"request 2, wrong cookie":    {request2{secure: true, cookie: 7, addr: serverAddr, mtu: 1492, guid: 5}.append(nil), 0},
		"data without a session":     {ackOf(0), 0},
		"100 pings in a second":      {ping{time: 1, guid: 2}.append(nil), 0.3},
	} {
		s := NewServer(Config{})
		s.SetPong(text)
		r := newRaw(t, s, "198.51.100.7:1")
		in, out := 0, 0
		for range 100 {
			in += len(c.datagram) + headers
			for _, d := range r.send(c.datagram) {
				out += len(d) + headers
			}
		}
		for _, d := range r.advance(window) {
			out += len(d) + headers
		}
		if factor := float64(out) / float64(in); factor > c.most {
			t.Errorf("%s: %d bytes are answered by %d, %.2f times as many; want at most %.2f", name, in, out, factor, c.most)
		}
	}
	s := NewServer(Config{})
	s.SetPong(text)
	one := ping{time: 1, guid: 2}.append(nil)
	if out := newRaw(t, s, "198.51.100.7:1").send(one); len(out) != 1 || len(out[0])+headers > 3*(len(one)+headers) {
		t.Errorf("one ping of %d bytes is answered by %d, each with headers of %d", len(one), len(out[0]), headers)
	}
}

func TestServerAnswersOnlyFirstThreeConnectionRequestsOfSession(t *testing.T) {
	r := newRaw(t, NewServer(Config{NoCookies: true}), "198.51.100.7:1")
	r.open()
	out := 0
	for range 100 {
		for _, d := range r.sendFrame(Unreliable, connectionRequest{}.append(nil)) {
			out += len(d)
		}
	}
	if out > 3*200+100*20 {
		t.Errorf("%d bytes", out)
	}
}

func TestOfflineReplyQueueIsBounded(t *testing.T) {
	s := NewServer(Config{})
	for i := range 100000 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 9)
		s.Receive(1, from, request1{protocol: 11, size: 50}.append(nil), nil)
	}
	if len(s.replies) > maxReplies+100 || s.Stats().RepliesFull == 0 {
		t.Errorf("%d bytes wait", len(s.replies))
	}
}

func TestMessageBeforeHandshakeIsNotDelivered(t *testing.T) {
	r := newRaw(t, NewServer(Config{}), "198.51.100.7:1")
	r.open()
	r.sendFrame(Reliable, user("early"))
	if got := r.drain(); len(got) != 0 || r.s.Stats().BadMessage != 1 {
		t.Errorf("events %q", got)
	}
	r.sendFrame(Reliable, newConnection{addr: serverAddr}.append(nil))
	if got := r.drain(); len(got) != 0 {
		t.Errorf("connected without asking: %q", got)
	}
}

// jsp-raknet sends the handshake message "new incoming connection" unreliably, and game data may overtake it.
func TestApplicationMessageCompletesHandshake(t *testing.T) {
	r := newRaw(t, NewServer(Config{}), "198.51.100.7:1")
	r.open()
	r.sendFrame(Unreliable, connectionRequest{}.append(nil))
	r.sendFrame(ReliableOrdered, user("hello"))
	r.sendFrame(Unreliable, newConnection{addr: serverAddr}.append(nil))
	if got := r.drain(); !slices.Equal(got, []string{"connected", "\xfehello"}) {
		t.Errorf("events %q", got)
	}
}

func TestEventHandlerMayClosePeerDuringReceive(t *testing.T) {
	for name, end := range map[string]func(*Peer){"close": (*Peer).Close, "reset": (*Peer).Reset} {
		r := connectedRaw(t)
		r.onEvent = func(e Event) {
			if e.Kind == Message {
				end(e.Peer)
				e.Peer.SendOrdered(user("x"))
			}
		}
		r.order++
		for range 3 {
			r.sendFrame(ReliableOrdered, user("later"))
		}
		r.frames(frame{kind: ReliableOrdered, message: r.message, order: r.order - 4, body: user("first")},
			frame{kind: Reliable, message: r.message + 1, body: user("behind it")})
		r.advance(5000)
		want := []string{"\xfefirst", "disconnected by us"}[:1]
		if name == "close" {
			want = []string{"\xfefirst", "disconnected by us"}
		}
		if got := r.drain(); !slices.Equal(got, want) || r.s.PeerCount() != 0 || r.s.heldBytes != 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestCloseSendsQueuedMessagesFirst(t *testing.T) {
	w := connectedPair(t, Config{}, ClientConfig{})
	for i := range 300 {
		w.serverLog.peer.SendOrdered(append(user("%d", i), make([]byte, 1300)...))
	}
	w.serverLog.peer.Close()
	w.run(1000)
	got := w.clientLog.drain()
	if len(got) != 301 || got[300] != "disconnected by peer" {
		t.Errorf("%d events", len(got))
	}
	if got := w.serverLog.drain(); !slices.Equal(got, []string{"disconnected by us"}) {
		t.Errorf("server saw %q", got)
	}
}

func TestPeerWithoutAcksTimesOut(t *testing.T) {
	r := connectedRaw(t)
	r.peer.SendOrdered(user("x"))
	for range 400 {
		if !r.peer.IsConnected() {
			break
		}
		r.send(ackOf(1 << 20))
		r.advance(100)
	}
	if got := r.drain(); !slices.Equal(got, []string{"disconnected timeout"}) || r.now < 30000 || r.now > 34000 {
		t.Errorf("after %d ms: %q", r.now, got)
	}
}
