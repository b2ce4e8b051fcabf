package enet

import (
	"bytes"
	"slices"
	"testing"
)

// fragmentTo returns a datagram with one fragment for channel 1 of p's host.
func fragmentTo(p *Peer, f fragment, data []byte) []byte {
	b := appendHeader(dataTo(p, true), cmdFragment|flagAck, 1, f.start+uint16(f.number))
	return append(f.append(b, len(data)), data...)
}

// pieces splits a message into n fragments, each in a datagram of its own. The first fragment has the sequence number start.
func pieces(p *Peer, start uint16, message []byte, n int) (out [][]byte) {
	size := (len(message) + n - 1) / n
	for i := range n {
		f := fragment{start: start, count: uint32(n), number: uint32(i), total: uint32(len(message)), offset: uint32(i * size)}
		out = append(out, fragmentTo(p, f, message[i*size:min(len(message), (i+1)*size)]))
	}
	return out
}

func TestFragmentsInAnyOrderAreReassembled(t *testing.T) {
	message := []byte("a message in five fragments")
	for _, order := range [][]int{{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 2, 0, 4, 0, 1, 3, 3}, {0, 2, 1, 4, 3}} {
		w := connectedPair(t, Config{}, Config{})
		h, p := w.server.host, w.server.peer
		h.Receive(w.now, clientAddr, reliableTo(p, 1, 6, "behind"), w.server.handle)
		h.Receive(w.now, clientAddr, unreliableTo(p, 1, 5, 1, "just behind"), w.server.handle)
		all := pieces(p, 1, message, 5)
		for _, i := range order {
			h.Receive(w.now, clientAddr, all[i], w.server.handle)
		}
		want := []string{"r1 " + string(message), "u1 just behind", "r1 behind"}
		if got := w.server.drainEvents(); !slices.Equal(got, want) {
			t.Errorf("order %v: delivered %q, want %q", order, got, want)
		}
		if n := len(acksIn(collect(h, w.now))); n != len(order)+1 {
			t.Errorf("order %v: %d commands acknowledged", order, n)
		}
		if p.heldBytes != 0 || p.heldCount != 0 || h.heldBytes != 0 {
			t.Errorf("order %v: %d bytes of %d messages still held", order, p.heldBytes, p.heldCount)
		}
	}
}

func TestUnreliableMessageSentBeforeFragmentedMessageIsDeliveredFirst(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	all := pieces(p, 1, []byte("two parts"), 2)
	h.Receive(w.now, clientAddr, all[0], w.server.handle)
	h.Receive(w.now, clientAddr, unreliableTo(p, 1, 0, 1, "before"), w.server.handle)
	h.Receive(w.now, clientAddr, all[1], w.server.handle)
	h.Receive(w.now, clientAddr, unreliableTo(p, 1, 0, 2, "late"), w.server.handle)
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"u1 before", "r1 two parts"}) {
		t.Errorf("delivered %q", got)
	}
}

func TestFragmentsAcrossSequenceNumberWrapAreReassembled(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	p.in(1).reliable = 65533
	all := pieces(p, 65534, []byte("over the wrap"), 4)
	for _, i := range []int{3, 1, 0, 2} {
		h.Receive(w.now, clientAddr, all[i], w.server.handle)
	}
	h.Receive(w.now, clientAddr, reliableTo(p, 1, 2, "next"), w.server.handle)
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"r1 over the wrap", "r1 next"}) {
		t.Errorf("delivered %q", got)
	}
}

func TestInvalidFragmentsAreRefused(t *testing.T) {
	good := fragment{start: 1, count: 3, number: 0, total: 30}
	for name, c := range map[string]struct {
		change func(*fragment)
		n      int
	}{
		"no fragments":         {func(f *fragment) { f.count = 0 }, 10},
		"too many fragments":   {func(f *fragment) { f.count = 129 }, 10},
		"number too high":      {func(f *fragment) { f.number = 3 }, 10},
		"total too long":       {func(f *fragment) { f.total = 65537 }, 10},
		"total overflows":      {func(f *fragment) { f.total, f.offset, f.number = 5, 0xfffffffe, 1 }, 10},
		"offset past the end":  {func(f *fragment) { f.offset, f.number = 30, 1 }, 10},
		"data past the end":    {func(f *fragment) { f.offset, f.number = 25, 1 }, 10},
		"empty":                {func(f *fragment) {}, 0},
		"first not at 0":       {func(f *fragment) { f.offset = 1 }, 10},
		"second at 0":          {func(f *fragment) { f.number = 1 }, 10},
		"last not at the end":  {func(f *fragment) { f.number, f.offset = 2, 10 }, 10},
		"first covers it all":  {func(f *fragment) {}, 30},
		"second without a gap": {func(f *fragment) { f.number, f.offset = 1, 10 }, 20},
		"everything huge":      {func(f *fragment) { *f = fragment{1, ^uint32(0), 0x10003, ^uint32(0), ^uint32(0)} }, 10},
	} {
		w := connectedPair(t, Config{}, Config{})
		h, p := w.server.host, w.server.peer
		f := good
		c.change(&f)
		h.Receive(w.now, clientAddr, fragmentTo(p, f, make([]byte, c.n)), w.server.handle)
		if h.Stats().BadFragment != 1 || p.heldBytes != 0 || len(collect(h, w.now)) != 0 {
			t.Errorf("%s: %d bad fragments counted, %d bytes held", name, h.Stats().BadFragment, p.heldBytes)
		}
	}
}

func TestFragmentWhoseSequenceNumberContradictsItsIndexIsRefused(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	d := fragmentTo(p, fragment{start: 1, count: 2, total: 20}, make([]byte, 10))
	d[maxHeader+3] = 2
	h.Receive(w.now, clientAddr, d, w.server.handle)
	if h.Stats().BadFragment != 1 {
		t.Error("fragment accepted")
	}
}

func TestFragmentsThatContradictEachOtherEndConnection(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	h, p := w.server.host, w.server.peer
	in := func(d []byte) { h.Receive(w.now, clientAddr, d, w.server.handle) }
	in(fragmentTo(p, fragment{start: 1, count: 3, total: 30}, make([]byte, 10)))
	in(fragmentTo(p, fragment{start: 1, count: 3, number: 1, total: 31, offset: 10}, make([]byte, 10)))
	in(fragmentTo(p, fragment{start: 1, count: 4, number: 1, total: 30, offset: 10}, make([]byte, 10)))
	in(fragmentTo(p, fragment{start: 1, count: 3, number: 1, total: 30, offset: 11}, make([]byte, 10)))
	in(reliableTo(p, 1, 2, "not a fragment"))
	if got := w.server.drainEvents(); h.Stats().BadFragment != 4 || len(got) != 0 {
		t.Fatalf("%d bad fragments counted, events %q", h.Stats().BadFragment, got)
	}
	// A stored command was acknowledged and will not be sent again. If it contradicts the fragments before it, the connection ends.
	in(reliableTo(p, 1, 3, "in the last fragment's place"))
	in(fragmentTo(p, fragment{start: 1, count: 3, number: 1, total: 30, offset: 10}, make([]byte, 10)))
	if got := w.server.drainEvents(); !slices.Equal(got, []string{"disconnected protocol violation"}) || h.heldBytes != 0 {
		t.Errorf("events %q, %d bytes held", got, h.heldBytes)
	}
}

func TestOutgoingFragmentsAreNumberedAndContiguous(t *testing.T) {
	w := connectedPair(t, Config{}, Config{})
	message := bytes.Repeat([]byte("0123456789"), 500)
	w.server.peer.Send(1, []byte("first"))
	w.server.peer.Send(1, message)
	var whole []byte
	for _, d := range collect(w.server.host, w.now) {
		_, commands := commandsOf(d)
		for _, c := range commands {
			if c.kind != cmdFragment {
				continue
			}
			f := parseFragment(&c)
			if f.start != 2 || c.seq != 2+uint16(f.number) || f.offset != uint32(len(whole)) || f.count != 4 || f.total != 5000 {
				t.Errorf("fragment %+v has sequence %d", f, c.seq)
			}
			whole = append(whole, c.data...)
		}
	}
	if !bytes.Equal(whole, message) {
		t.Error("the fragments do not contain the message")
	}
}
