package enet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// reliableTo returns a datagram with one reliable message for p's host.
func reliableTo(p *Peer, channel uint8, seq uint16, data string) []byte {
	b := appendHeader(dataTo(p, true), cmdReliable|flagAck, channel, seq)
	return append(binary.BigEndian.AppendUint16(b, uint16(len(data))), data...)
}

// acksIn returns the sequence numbers that the datagrams acknowledge.
func acksIn(datagrams [][]byte) (out []uint16) {
	for _, d := range datagrams {
		_, commands := commandsOf(d)
		for _, c := range commands {
			if c.kind == cmdAcknowledge {
				out = append(out, c.u16(4))
			}
		}
	}
	return out
}

func TestReliableMessagesAreDeliveredInOrderOnce(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	for _, seq := range []uint16{2, 4, 1, 1, 2, 3, 3, 5} {
		h.Receive(w.now, clientAddr, reliableTo(p, 1, seq, fmt.Sprint(seq)), w.server.handle)
	}
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"r1 1", "r1 2", "r1 3", "r1 4", "r1 5"}) {
		t.Errorf("delivered %q", got)
	}
	if got := acksIn(collect(h, w.now)); !slices.Equal(got, []uint16{2, 4, 1, 1, 2, 3, 3, 5}) {
		t.Errorf("acknowledged %v, want each duplicate acknowledged too", got)
	}
}

func TestGapInOneChannelDoesNotDelayOtherChannels(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	h.Receive(w.now, clientAddr, reliableTo(p, 1, 2, "waits"), w.server.handle)
	h.Receive(w.now, clientAddr, reliableTo(p, 253, 1, "goes"), w.server.handle)
	h.Receive(w.now, clientAddr, reliableTo(p, 254, 1, "no such channel"), w.server.handle)
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"r253 goes"}) {
		t.Errorf("delivered %q", got)
	}
}

func TestAckEchoesSentTimeOfDatagram(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	h.Receive(w.now, clientAddr, reliableTo(p, 1, 1, "x"), w.server.handle)
	_, commands := commandsOf(collect(h, w.now)[0])
	if c := commands[0]; c.kind != cmdAcknowledge || c.channel != 1 || c.u16(4) != 1 || c.u16(6) != 0x7788 {
		t.Errorf("acknowledgement %x", c.fixed)
	}
}

func TestCommandsThatRequestAckAreIgnoredInDatagramWithoutSentTime(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	d := appendHeader(dataTo(p, false), cmdPing|flagAck, controlChannel, 9)
	d = append(d, reliableTo(p, 1, 1, "x")[maxHeader:]...)
	h.Receive(w.now, clientAddr, d, w.server.handle)
	if got := w.server.drainEvents(); len(got) != 0 || len(collect(h, w.now)) != 0 {
		t.Errorf("delivered %q", got)
	}
}

func TestCommandsAfterMalformedCommandAreIgnored(t *testing.T) {
	for name, bad := range map[string][]byte{
		"command 0":         {0x80, 0, 0, 0},
		"command 12":        {0x0c, 0, 0, 0, 0, 0, 0, 0},
		"cut short":         {0x86, 1, 0},
		"cut short fixed":   {0x86, 1, 0, 1, 0},
		"length too long":   {0x86, 1, 0, 2, 0xff, 0xff, 'x'},
		"connect to a peer": append([]byte{0x82, 0xff, 0, 1}, make([]byte, 36)...),
	} {
		w := connectedPair(t, Config{}, Config{})
		h, p := w.server.host, w.server.peer
		d := append(reliableTo(p, 1, 1, "first"), bad...)
		d = append(d, reliableTo(p, 1, 2, "second")[maxHeader:]...)
		h.Receive(w.now, clientAddr, d, w.server.handle)
		if got := w.server.drainEvents(); !slices.Equal(got, []string{"r1 first"}) || h.Stats().BadCommand != 1 {
			t.Errorf("%s: delivered %q, %d bad commands counted", name, got, h.Stats().BadCommand)
		}
	}
}

func TestAckIsValidOnlyIfItEchoesSendTime(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	p.Send(1, []byte("x"))
	collect(h, w.now)
	stamp := p.clock(w.now)
	forged := func(channel uint8, seq, sent uint16) {
		h.Receive(w.now, clientAddr, appendAcknowledge(dataTo(p, false), ack{channel, seq, sent}), w.server.handle)
	}
	forged(1, 1, stamp+1)
	forged(1, 2, stamp)
	forged(2, 1, stamp)
	forged(200, 1, stamp)
	if p.inFlight.n != 1 || h.Stats().BadAck != 4 {
		t.Errorf("%d commands in flight, %d bad acknowledgements counted", p.inFlight.n, h.Stats().BadAck)
	}
	forged(1, 1, stamp)
	if p.inFlight.n != 0 {
		t.Error("the valid acknowledgement was not accepted")
	}
}

func TestAckOfEarlierTransmissionIsValid(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	p.Send(1, []byte("x"))
	first := p.clock(w.now)
	collect(h, w.now)
	for range 4 {
		w.now += 2000
		h.Tick(w.now, w.server.handle)
		collect(h, w.now)
	}
	if h.Stats().Resent == 0 {
		t.Fatal("command was not retransmitted")
	}
	h.Receive(w.now, clientAddr, appendAcknowledge(dataTo(p, false), ack{1, 1, first}), w.server.handle)
	if p.unackedRing(1).get(1) != nil {
		t.Error("the acknowledgement of the first transmission was not accepted")
	}
}

func TestUnacknowledgedDataStayWithinSendWindow(t *testing.T) {
	w := connectedPair(t, Config{}, Config{Window: 4096})
	h, p := w.server.host, w.server.peer
	for range 20 {
		if err := p.Send(1, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	if collect(h, w.now); p.inTransit != 4000 {
		t.Errorf("%d bytes in flight with a window of 4096", p.inTransit)
	}
	if collect(h, w.now+1); p.inTransit != 4000 {
		t.Error("data beyond the window sent without an acknowledgement")
	}
}

func TestPeerThatStatesBandwidthLimitGetsSmallestSendWindow(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	d := appendHeader(dataTo(w.server.peer, true), cmdBandwidthLimit|flagAck, controlChannel, 9)
	w.server.host.Receive(w.now, clientAddr, append(d, 0, 0, 0x10, 0, 0, 0, 0, 0), w.server.handle)
	if w.server.peer.window != 4096 {
		t.Errorf("window %d", w.server.peer.window)
	}
	if got := acksIn(collect(w.server.host, w.now)); !slices.Equal(got, []uint16{9}) {
		t.Errorf("acknowledged %v", got)
	}
}

func TestMessagesStayInOrderAcrossSequenceNumberWrap(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	from, to := w.server.peer, w.client.peer
	from.out(1).reliable, to.in(1).reliable = 65500, 65500
	from.out(2).unreliable, to.in(2).unreliable = 65500, 65500
	from.controlSeq = 65530
	var want []string
	for i := range 300 {
		r, u := fmt.Sprint("r", i), fmt.Sprint("u", i)
		from.Send(1, []byte(r))
		from.SendUnreliable(2, []byte(u))
		want = append(want, "r1 "+r, "u2 "+u)
		if i%7 == 0 {
			w.run(600) // long enough for a PING to be sent
		}
	}
	w.exchange()
	got := w.client.drainEvents()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d of %d delivered", len(got), len(want))
	}
	if from.controlSeq > 1000 || w.server.host.Stats().Resent > 0 {
		t.Errorf("control sequence %d, %d resent", from.controlSeq, w.server.host.Stats().Resent)
	}
}

func TestSendReturnsErrorForInvalidMessageOrFullQueueOrClosedPeer(t *testing.T) {
	w := connectedPair(t, Config{MaxQueued: 20000, MaxMessage: 5000}, Config{})
	p := w.server.peer
	if err := p.Send(254, nil); !errors.Is(err, ErrChannel) {
		t.Errorf("Send on channel 254: %v", err)
	}
	if err := p.Send(1, make([]byte, 5001)); !errors.Is(err, ErrTooLong) {
		t.Errorf("Send of 5001 bytes: %v", err)
	}
	var err error
	for range 1000 {
		if err = p.Send(1, []byte("hello")); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrQueueFull) || p.QueuedBytes() > 20000 || p.QueuedBytes() < 19000 {
		t.Errorf("error %v at %d queued bytes", err, p.QueuedBytes())
	}
	w.run(100)
	if p.QueuedBytes() != 0 || p.Send(1, []byte("again")) != nil {
		t.Errorf("%d bytes queued after Reset", p.QueuedBytes())
	}
	p.Reset()
	if err := p.Send(1, nil); !errors.Is(err, ErrNotConnected) {
		t.Errorf("after Reset: %v", err)
	}
	if err := p.SendUnreliable(1, nil); !errors.Is(err, ErrNotConnected) {
		t.Errorf("after Reset: %v", err)
	}
}

func TestSendIsRefusedAtHostQueueLimit(t *testing.T) {
	w := connectedPair(t, Config{MaxHostQueued: 10000}, Config{})
	var err error
	for range 100 {
		if err = w.server.peer.Send(1, make([]byte, 300)); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrQueueFull) || w.server.host.queuedBytes > 10000 {
		t.Errorf("error %v at %d queued bytes", err, w.server.host.queuedBytes)
	}
}

// Clients that stop acknowledging must not use up the send queue memory that other clients need.
func TestPeerWithLongestSendQueueIsDisconnectedAtHostLimit(t *testing.T) {
	w := connectedPair(t, Config{MaxHostQueued: 10000}, Config{MaxPeers: 3})
	silent := w.server.peer
	if _, err := w.client.host.Connect(w.now, serverAddr, 0); err != nil {
		t.Fatal(err)
	}
	w.exchange()
	reading := w.server.peer
	for silent.Send(1, make([]byte, 300)) == nil {
	}
	for range 3 {
		if err := reading.Send(1, make([]byte, 300)); err != nil {
			t.Fatalf("a peer that reads is refused: %v", err)
		}
	}
	w.server.drainEvents()
	w.server.host.Tick(w.now, w.server.handle)
	if got := w.server.drainEvents(); len(got) != 1 || got[0] != "disconnected send queue full" || silent.IsConnected() || !reading.IsConnected() {
		t.Errorf("events %q; the silent peer is connected: %v, the other: %v", got, silent.IsConnected(), reading.IsConnected())
	}
}

// testBudget implements SendBudget for one host: at most limit bytes may be queued for all its peers together.
type testBudget struct{ used, limit int }

func (b *testBudget) HasRoom(n int) bool { return b.used+n <= b.limit }
func (b *testBudget) Add(n int)          { b.used += n }

func TestPeerWithLongestQueueIsDisconnectedWhenSharedBudgetIsUsedUp(t *testing.T) {
	b := &testBudget{limit: 10000}
	w := connectedPair(t, Config{SendBudget: b}, Config{MaxPeers: 3})
	silent := w.server.peer
	if _, err := w.client.host.Connect(w.now, serverAddr, 0); err != nil {
		t.Fatal(err)
	}
	w.exchange()
	reading := w.server.peer
	for silent.Send(1, make([]byte, 300)) == nil {
	}
	b.limit /= 2 // another host uses half of the budget
	if err := reading.Send(1, make([]byte, 300)); err != nil {
		t.Fatalf("a peer that reads is refused: %v", err)
	}
	w.server.host.Tick(w.now, w.server.handle)
	if silent.IsConnected() || !reading.IsConnected() || b.used != w.server.host.queuedBytes {
		t.Errorf("the silent peer is connected: %v, the other: %v; %d bytes used of the budget, %d queued", silent.IsConnected(), reading.IsConnected(), b.used, w.server.host.queuedBytes)
	}
	b.limit = 0
	if err := reading.Send(1, nil); !errors.Is(err, ErrQueueFull) {
		t.Errorf("Send without a budget: %v", err)
	}
}

func TestQueuedCommandsAreSentInOneDatagram(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	for range 100 {
		w.server.peer.Send(1, []byte("12345"))
	}
	out := collect(w.server.host, w.now)
	if len(out) != 1 || len(out[0]) != 8+100*11 {
		t.Errorf("%d datagrams", len(out))
	}
	w.client.host.Receive(w.now, serverAddr, out[0], w.client.handle)
	if got := w.client.drainEvents(); len(got) != 100 {
		t.Errorf("%d of 100 delivered", len(got))
	}
}

func TestMessagesOfAllSizesArriveUnchanged(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	for _, n := range []int{0, 1, 58, 59, 378, 379, 1368, 1369, 1394, 2736, 2737, 65536} {
		data := bytes.Repeat([]byte{byte(n)}, n)
		if err := w.server.peer.Send(1, data); err != nil {
			t.Fatal(err)
		}
		w.exchange()
		if got := w.client.drainEvents(); len(got) != 1 || got[0] != "r1 "+string(data) {
			t.Errorf("%d bytes: %d events", n, len(got))
		}
		if err := w.client.peer.SendUnreliable(2, data); err != nil {
			t.Fatal(err)
		}
		w.exchange()
		want := "u2 "
		if n > 1368 {
			want = "r2 "
		}
		if got := w.server.drainEvents(); len(got) != 1 || got[0] != want+string(data) {
			t.Errorf("%d bytes unreliable: %d events, %s", n, len(got), strings.Join(got, "")[:3])
		}
	}
	if w.server.peer.QueuedBytes() != 0 || w.server.host.heldBytes != 0 {
		t.Errorf("%d queued, %d held at the end", w.server.peer.QueuedBytes(), w.server.host.heldBytes)
	}
}
