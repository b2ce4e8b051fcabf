package enet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// unreliableTo returns a datagram with one unreliable message for p's host.
func unreliableTo(p *Peer, channel uint8, reliable, seq uint16, data string) []byte {
	b := appendHeader(dataTo(p, false), cmdUnreliable, channel, reliable)
	b = binary.BigEndian.AppendUint16(b, seq)
	return append(binary.BigEndian.AppendUint16(b, uint16(len(data))), data...)
}

func TestUnreliableMessageOlderThanDeliveredOneIsDropped(t *testing.T) {
	for _, c := range []struct {
		name  string
		start uint16
		seqs  []uint16
		want  []uint16
	}{
		{"gaps are accepted", 0, []uint16{1, 2, 5, 9}, []uint16{1, 2, 5, 9}},
		{"late messages are dropped", 0, []uint16{3, 1, 2, 4}, []uint16{3, 4}},
		{"duplicates are dropped", 0, []uint16{1, 1, 2, 2}, []uint16{1, 2}},
		{"sequence wraps", 65533, []uint16{65534, 1, 65535, 0, 2}, []uint16{65534, 1, 2}},
		{"sequence far ahead across the wrap", 65000, []uint16{3000, 65001}, []uint16{3000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := connectedPair(t, Config{}, Config{})
			p := w.server.peer
			p.in(2).unreliable = c.start
			for _, seq := range c.seqs {
				w.server.host.Receive(w.now, clientAddr, unreliableTo(p, 2, 0, seq, fmt.Sprint(seq)), w.server.handle)
			}
			var want []string
			for _, seq := range c.want {
				want = append(want, fmt.Sprint("u2 ", seq))
			}
			if got := w.server.drainEvents(); !slices.Equal(got, want) {
				t.Errorf("delivered %q, want %q", got, want)
			}
		})
	}
}

func TestUnreliableMessageWaitsForEarlierReliableMessage(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	in := func(d []byte) { h.Receive(w.now, clientAddr, d, w.server.handle) }
	in(unreliableTo(p, 1, 2, 3, "after two"))
	in(unreliableTo(p, 1, 1, 2, "after one, second"))
	in(unreliableTo(p, 1, 1, 1, "after one, first"))
	in(unreliableTo(p, 1, 1, 1, "after one, first"))
	in(reliableTo(p, 1, 2, "two"))
	in(reliableTo(p, 1, 1, "one"))
	in(unreliableTo(p, 1, 1, 4, "too late"))
	want := []string{"r1 one", "u1 after one, first", "u1 after one, second", "r1 two", "u1 after two"}
	if got := w.server.drainEvents(); !slices.Equal(got, want) {
		t.Errorf("delivered %q", got)
	}
	if p.heldBytes != 0 || p.heldCount != 0 || h.heldBytes != 0 || p.ins[1].heldUnreliable != nil {
		t.Errorf("%d bytes of %d messages still held, list %v", p.heldBytes, p.heldCount, p.ins[1].heldUnreliable)
	}
}

func TestWaitingUnreliableMessageIsDroppedAfterNewerOneIsDelivered(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	in := func(d []byte) { h.Receive(w.now, clientAddr, d, w.server.handle) }
	in(unreliableTo(p, 1, 1, 1, "old"))
	in(unreliableTo(p, 1, 0, 2, "new"))
	in(reliableTo(p, 1, 1, "one"))
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"u1 new", "r1 one"}) || p.heldBytes != 0 {
		t.Errorf("delivered %q, %d bytes held", got, p.heldBytes)
	}
}

func TestUnsequencedMessagesAreDeliveredOnceInAnyOrder(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	p := w.server.peer
	for _, group := range []uint16{2, 1, 1, 2, 127, 500, 3, 501, 500, 60000, 40, 501} {
		d := appendHeader(dataTo(p, false), cmdUnsequenced|flagUnsequenced, 2, 0)
		d = binary.BigEndian.AppendUint16(d, group)
		d = append(binary.BigEndian.AppendUint16(d, 1), byte(group))
		w.server.host.Receive(w.now, clientAddr, d, w.server.handle)
	}
	if got := w.server.drainEvents(); len(got) != 5 {
		t.Errorf("%d delivered, want 2, 1, 127, 500, 501: %q", len(got), got)
	}
}

func TestDatagramsAreFilledToTheMTU(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	for i := range 1000 {
		if err := w.server.peer.SendUnreliable(2, []byte(fmt.Sprintf("%023d", i))); err != nil {
			t.Fatal(err)
		}
	}
	out := collect(w.server.host, w.now)
	if len(out) != 23 { // each datagram contains 44 commands of 31 bytes
		t.Errorf("%d datagrams, want 23", len(out))
	}
	for i, d := range out {
		if len(d) > 1400 {
			t.Errorf("datagram of %d bytes exceeds the MTU", len(d))
		}
		if i < 22 && len(d) != 6+44*31 {
			t.Errorf("datagram %d has %d bytes", i, len(d))
		}
		w.client.host.Receive(w.now, serverAddr, d, w.client.handle)
	}
	if got := w.client.drainEvents(); len(got) != 1000 || got[999] != fmt.Sprintf("u2 %023d", 999) {
		t.Errorf("%d of 1000 delivered", len(got))
	}
}

func TestAcksShareDatagramsWithUnreliableMessages(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	h.Receive(w.now, clientAddr, reliableTo(p, 1, 1, "x"), w.server.handle)
	p.SendUnreliable(2, []byte("a"))
	p.Send(1, []byte("b"))
	out := collect(h, w.now)
	if len(out) != 1 || len(out[0]) != 8+8+7+9 {
		t.Fatalf("%d datagrams, want 1", len(out))
	}
	if head, commands := commandsOf(out[0]); !head.hasSent || commands[0].kind != cmdAcknowledge || commands[2].kind != cmdUnreliable {
		t.Errorf("datagram %x", out[0])
	}
}

func TestSendUnreliableIsRefusedAtQueueLimit(t *testing.T) {
	w := connectedPair(t, Config{MaxUnreliable: 14000}, Config{})
	p := w.server.peer
	sent := 0
	var err error
	for ; err == nil; sent++ {
		err = p.SendUnreliable(2, make([]byte, 23))
	}
	if !errors.Is(err, ErrQueueFull) || p.QueuedBytes() > 14000 || sent < 400 {
		t.Errorf("error %v after %d messages, %d bytes queued", err, sent, p.QueuedBytes())
	}
	collect(w.server.host, w.now)
	if p.QueuedBytes() != 0 || p.SendUnreliable(2, nil) != nil {
		t.Error("Send refused after a flush")
	}
}

func TestSendIsRefusedAfterDisconnectLaterWasCalled(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	p := w.server.peer
	p.SendUnreliable(2, []byte("last"))
	p.Send(1, []byte("words"))
	p.DisconnectLater(9)
	if p.SendUnreliable(2, []byte("more")) == nil || p.Send(1, []byte("more")) == nil {
		t.Error("message accepted after DisconnectLater")
	}
	w.run(50)
	if got := w.client.drainEvents(); !slices.Equal(got, []string{"r1 words", "u2 last", "disconnected by peer"}) {
		t.Errorf("client events %q", got)
	}
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"disconnected by us"}) {
		t.Errorf("server events %q", got)
	}
}
