package raknet

import (
	"slices"
	"testing"
)

// The tests in this file cover rules RK-7 to RK-12 of docs/wire/bedrock.md. These rules apply inside of a session.

func connectedRaw(t testing.TB) *rawClient {
	return newRaw(t, NewServer(Config{}), "198.51.100.7:1").connect()
}

func TestSessionEndsAfterTenSilentSeconds(t *testing.T) {
	r := connectedRaw(t)
	last := r.now
	r.send(ackOf(1 << 20)) // this ACK of an unknown number restarts the idle timeout, as any datagram does
	r.advance(9980)
	if !r.peer.IsConnected() {
		t.Fatalf("session ended after %d ms", r.now-last)
	}
	out := r.advance(20)
	if got := r.drain(); !slices.Equal(got, []string{"disconnected timeout"}) || r.s.PeerCount() != 0 {
		t.Errorf("events %q", got)
	}
	if d := dataDatagrams(out); len(d) == 0 || framesOf(t, d[len(d)-1])[0].body[0] != idDisconnect {
		t.Error("no disconnect sent to the other side")
	}
}

func TestEveryDataDatagramIsAcknowledgedIncludingDuplicates(t *testing.T) {
	r := connectedRaw(t)
	first := r.number
	d := datagram(first, frame{kind: ReliableOrdered, message: r.message, order: r.order, body: user("x")})
	for range 3 {
		if out := r.send(d); len(out) != 0 {
			t.Fatalf("answered before the delay: %x", out)
		}
		if spans := spansOf(t, flagValid|flagAck, r.advance(10)); !slices.Equal(spans, []span{{int64(first), int64(first)}}) {
			t.Errorf("acknowledged %v after 10 ms, want %d", spans, first)
		}
	}
	if got := r.drain(); len(got) != 1 || r.s.Stats().Duplicates != 2 {
		t.Errorf("delivered %q", got)
	}
}

func TestAcksAreSentInSameFlushAsData(t *testing.T) {
	r := connectedRaw(t)
	r.onEvent = func(e Event) { e.Peer.SendOrdered(e.Data) }
	out := r.sendFrame(ReliableOrdered, user("echo"))
	if len(dataDatagrams(out)) != 1 || len(spansOf(t, flagValid|flagAck, out)) != 1 {
		t.Errorf("sent %x", out)
	}
}

func TestRetransmissionWithSameDatagramNumberIsAccepted(t *testing.T) {
	r := connectedRaw(t)
	missing := frame{kind: ReliableOrdered, message: r.message, order: r.order, body: user("first")}
	lost := r.number
	r.number++
	r.message++
	r.order++
	r.sendFrame(ReliableOrdered, user("second"))
	nack := spansOf(t, flagValid|flagNack, r.advance(100))
	if !slices.Contains(nack, span{int64(lost), int64(lost)}) || len(r.events) != 0 {
		t.Fatalf("NACKed %v, delivered %q", nack, r.events)
	}
	r.send(datagram(lost, missing)) // retransmission by jsp-raknet: the same datagram number
	if got := r.drain(); !slices.Equal(got, []string{"\xfefirst", "\xfesecond"}) {
		t.Errorf("delivered %q", got)
	}
	r.send(datagram(r.number, missing)) // retransmission by raknet-native: a new datagram number with the same message
	if got := r.drain(); len(got) != 0 || r.s.Stats().Repeated != 1 {
		t.Errorf("delivered again %q", got)
	}
}

func TestDatagramWithNumberBeyondReceiveWindowIsDropped(t *testing.T) {
	r := connectedRaw(t)
	low := uint32(r.peer.in.low)
	body := frame{kind: Unreliable, body: user("x")}
	r.send(datagram(low+windowSize, body))
	r.send(datagram(low+windowSize*2, body))
	r.send(datagram(low-windowSize, body)) // a datagram number below 0
	if len(r.drain()) != 0 || r.s.Stats().TooFarAhead != 3 {
		t.Errorf("statistics %+v", r.s.Stats())
	}
	r.send(datagram(low+windowSize-1, body))
	if len(r.drain()) != 1 || !r.peer.IsConnected() {
		t.Error("the last number of the window was refused")
	}
}

func TestMissingDatagramIsAcceptedAfterLastNack(t *testing.T) {
	r := connectedRaw(t)
	lost := r.number
	r.number++
	r.sendFrame(Unreliable, user("later"))
	r.advance(2000)
	if len(r.peer.in.gaps) != 0 || r.peer.in.low != int64(r.number) {
		t.Fatalf("gaps %v, low %d", r.peer.in.gaps, r.peer.in.low)
	}
	r.send(datagram(lost, frame{kind: Unreliable, body: user("late")}))
	r.send(datagram(lost, frame{kind: Unreliable, body: user("late")}))
	if got := r.drain(); !slices.Equal(got, []string{"\xfelater", "\xfelate"}) {
		t.Errorf("events %q", got)
	}
}

func TestMessagesAreDeliveredOnceInOrder(t *testing.T) {
	r := connectedRaw(t)
	at := func(i uint32) frame {
		return frame{kind: ReliableOrdered, message: r.message + i, order: r.order + i, body: user("%d", i)}
	}
	for _, i := range []uint32{2, 2, 1, 4, 0, 1, 3, 0} {
		r.frames(at(i))
	}
	if got := r.drain(); !slices.Equal(got, []string{"\xfe0", "\xfe1", "\xfe2", "\xfe3", "\xfe4"}) {
		t.Errorf("events %q", got)
	}
	if r.peer.heldCount != 0 || r.s.heldBytes != 0 {
		t.Errorf("%d messages, %d bytes held", r.peer.heldCount, r.s.heldBytes)
	}
	for i, c := range r.peer.channels {
		if c != nil && c.held != nil {
			t.Errorf("channel %d keeps the memory of its held messages after their delivery", i)
		}
	}
}

func TestOldSequencedMessagesAreDropped(t *testing.T) {
	r := connectedRaw(t)
	for _, i := range []uint32{0, 2, 1, 3, 3} {
		r.frames(frame{kind: UnreliableSequenced, sequence: i, body: user("%d", i)})
	}
	if got := r.drain(); !slices.Equal(got, []string{"\xfe0", "\xfe2", "\xfe3"}) {
		t.Errorf("events %q", got)
	}
}

func TestTooManyOutOfOrderMessagesEndSession(t *testing.T) {
	for name, c := range map[string]struct {
		limits Limits
		size   int
		want   int // number of messages held at the end
	}{
		"messages": {Limits{MaxOutOfOrder: 50}, 10, 50},
		"bytes":    {Limits{MaxOutOfOrderBytes: 100000}, 1000, 100000 / (1000 + heldOverhead)},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRaw(t, NewServer(Config{Limits: c.limits}), "198.51.100.7:1").connect()
			r.order++
			for i := 0; r.peer.IsConnected(); i++ {
				if i > c.want {
					t.Fatal("out-of-order messages are not limited")
				}
				r.sendFrame(ReliableOrdered, make([]byte, c.size))
			}
			if got := r.drain(); !slices.Equal(got, []string{"disconnected protocol violation"}) || r.s.heldBytes != 0 || r.message > 60+100 {
				t.Errorf("%q, %d bytes held", got, r.s.heldBytes)
			}
		})
	}
}

func TestOrderedMessageThatNeverArrivesEndsSession(t *testing.T) {
	r := connectedRaw(t)
	r.order++
	r.sendFrame(ReliableOrdered, user("x"))
	for i := 0; i < 400 && r.peer.IsConnected(); i++ {
		r.sendFrame(Reliable, connectedPing{time: uint64(r.now)}.append(nil))
		for _, d := range dataDatagrams(r.advance(100)) {
			r.send(ackOf(u24(d[1:])))
		}
	}
	if got := r.drain(); !slices.Equal(got, []string{"disconnected protocol violation"}) || r.now < 30000 || r.now > 33000 {
		t.Errorf("after %d ms: %q", r.now, got)
	}
}

// sendTimes runs for ms milliseconds. It returns the times and numbers of the datagrams with an application message that the
// server sends during this time.
func (r *rawClient) sendTimes(ms int) (at []int64, numbers []uint32) {
	for range ms / 10 {
		for _, d := range dataDatagrams(r.advance(10)) {
			if framesOf(r.t, d)[0].body[0] >= idUser {
				at, numbers = append(at, r.now), append(numbers, u24(d[1:]))
			}
		}
	}
	return at, numbers
}

func TestRetransmissionsBackOffAndGetNewDatagramNumbers(t *testing.T) {
	r := connectedRaw(t)
	r.peer.srtt, r.peer.rttVar, r.peer.rttMeasured = 100000, 0, true
	start := r.now
	r.peer.SendOrdered(user("x"))
	r.flush()
	r.onEvent = nil
	var at []int64
	var numbers []uint32
	for range 8 { // received datagrams keep the session alive
		a, n := r.sendTimes(1000)
		at, numbers = append(at, a...), append(numbers, n...)
		r.send(ackOf(1 << 20))
	}
	for i := range at {
		at[i] -= start
	}
	// The timeout is 1.5 RTT at first, and doubles with each retransmission up to 2000 ms.
	if want := []int64{150, 450, 1050, 2250, 4250, 6250}; !slices.Equal(at, want) {
		t.Errorf("retransmitted after %v ms, want %v", at, want)
	}
	if !slices.IsSorted(numbers) || len(slices.Compact(slices.Clone(numbers))) != len(numbers) {
		t.Errorf("numbers %v", numbers)
	}
	r.send(ackOf(numbers[len(numbers)-1]))
	if a, _ := r.sendTimes(5000); len(a) != 0 || r.peer.QueuedBytes() != 0 {
		t.Error("retransmitted after its acknowledgement")
	}
}

func TestRetransmissionTimeoutIsOneAndAHalfRTT(t *testing.T) {
	p := &Peer{host: &host{limits: Limits{}.withDefaults()}, rttMeasured: true}
	for _, c := range []struct{ rtt, dev, first, second, tenth int64 }{
		{1, 0, 50, 100, 2000}, {30, 0, 50, 100, 2000}, {100, 0, 150, 300, 2000}, {100, 40, 260, 520, 2000}, {3000, 0, 2000, 2000, 2000},
	} {
		p.srtt, p.rttVar = c.rtt*1000, c.dev*1000
		if a, b, z := p.rto(1), p.rto(2), p.rto(10); a != c.first || b != c.second || z != c.tenth {
			t.Errorf("RTT %d+-%d: %d, %d, %d", c.rtt, c.dev, a, b, z)
		}
	}
}

func TestRetransmissionsToJSPRakNetPeerKeepDatagramNumber(t *testing.T) {
	r := newRaw(t, NewServer(Config{NoCookies: true}), "198.51.100.7:1")
	r.open()
	r.sendFrame(Unreliable, connectionRequest{guid: 5}.append(nil)) // jsp-raknet sends this message unreliably
	r.sendFrame(Unreliable, newConnection{addr: serverAddr}.append(nil))
	r.advance(50)
	for n := range uint32(5) {
		r.send(ackOf(n))
	}
	r.peer.SendOrdered(user("x"))
	d := dataDatagrams(r.flush())
	if len(d) != 1 {
		t.Fatalf("sent %x", d)
	}
	_, numbers := r.sendTimes(1000)
	if len(numbers) < 2 || slices.ContainsFunc(numbers, func(n uint32) bool { return n != u24(d[0][1:]) }) {
		t.Errorf("sent %d, retransmitted %v", u24(d[0][1:]), numbers)
	}
	r.peer.Send(user("y"), Unreliable)
	if f := framesOf(t, dataDatagrams(r.flush())[0]); f[0].kind != Reliable {
		t.Error("an unreliable datagram, if lost, would block the peer forever")
	}
}

func TestNackCausesImmediateRetransmission(t *testing.T) {
	r := connectedRaw(t)
	r.peer.srtt = 40000
	r.peer.SendOrdered(user("x"))
	n := u24(dataDatagrams(r.flush())[0][1:])
	r.now += 40
	out := dataDatagrams(r.send(nackOf(n)))
	if len(out) != 1 || u24(out[0][1:]) == n || r.s.Stats().NacksIn != 1 {
		t.Errorf("sent %x", out)
	}
	if again := dataDatagrams(r.send(nackOf(n, u24(out[0][1:])))); len(again) != 0 {
		t.Error("a NACK of a datagram that was just sent causes a retransmission")
	}
}

// A peer that retransmits only on NACKs is NACKed repeatedly, other peers only once, because their retransmission
// timers repair further losses.
func TestGapsAreNackedAfterDelay(t *testing.T) {
	for sameNumber, want := range map[bool][]int64{true: {30, 230, 430, 630, 830}, false: {30}} {
		r := connectedRaw(t)
		r.peer.sameNumber = sameNumber
		r.checkNacks(t, want)
	}
}

func (r *rawClient) checkNacks(t *testing.T, want []int64) {
	t.Helper()
	r.peer.srtt = 100000
	lost := int64(r.number)
	r.number += 2
	r.sendFrame(Unreliable, user("x"))
	start := r.now
	var at []int64
	for range 200 {
		if spans := spansOf(t, flagValid|flagNack, r.advance(10)); len(spans) > 0 {
			if !slices.Equal(spans, []span{{lost, lost + 1}}) {
				t.Errorf("NACKed %v", spans)
			}
			at = append(at, r.now-start)
		}
	}
	if !slices.Equal(at, want) {
		t.Errorf("NACKed after %v ms, want %v", at, want)
	}
}

func TestReorderedDatagramsAreNotNacked(t *testing.T) {
	r := connectedRaw(t)
	n := r.number
	r.number++
	r.sendFrame(Unreliable, user("b"))
	out := r.advance(20)
	r.send(datagram(n, frame{kind: Unreliable, body: user("a")}))
	out = append(out, r.advance(1000)...)
	if spans := spansOf(t, flagValid|flagNack, out); len(spans) != 0 {
		t.Errorf("NACKed %v", spans)
	}
}

func TestAtMost192DatagramsAreInFlight(t *testing.T) {
	r := connectedRaw(t)
	maxInFlight := 0
	for i := range 3000 {
		if err := r.peer.SendOrdered(make([]byte, 1400)); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
	sent := 0
	for out := dataDatagrams(r.flush()); len(out) > 0; sent++ {
		maxInFlight = max(maxInFlight, len(r.peer.flight))
		out = append(out[1:], dataDatagrams(r.send(ackOf(u24(out[0][1:]))))...)
	}
	if maxInFlight != 192 || sent != 3000 || r.peer.QueuedBytes() != 0 {
		t.Errorf("%d in flight at most, %d sent", maxInFlight, sent)
	}
	for i := range 500 { // many small messages: all of them may be queued, but at most 192 datagrams may be in flight
		r.peer.SendOrdered(user("%d", i))
	}
	out := dataDatagrams(r.flush())
	count := 0
	for _, d := range out {
		count += len(framesOf(t, d))
	}
	if count > 192 || count < 60 {
		t.Errorf("%d messages in flight", count)
	}
}

func TestSessionEndsWhenSendQueueIsFull(t *testing.T) {
	r := connectedRaw(t)
	var err error
	sent := 0
	for ; err == nil; sent += 1 << 20 {
		err = r.peer.SendOrdered(make([]byte, 1<<20))
	}
	if err != ErrQueueFull || sent > 8<<20 || r.peer.QueuedBytes() > 8<<20 {
		t.Errorf("%v after %d bytes, %d queued", err, sent, r.peer.QueuedBytes())
	}
	if err := r.peer.SendOrdered(user("x")); err != ErrNotConnected {
		t.Errorf("send after overflow: %v", err)
	}
	r.advance(10)
	if got := r.drain(); !slices.Equal(got, []string{"disconnected send queue full"}) || r.s.queuedBytes != 0 || r.s.Stats().Overflows != 1 {
		t.Errorf("%q, %d bytes queued", got, r.s.queuedBytes)
	}
}
