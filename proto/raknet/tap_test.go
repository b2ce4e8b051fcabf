package raknet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// dataDatagram returns a data datagram with the given number and frames.
func dataDatagram(number uint32, frames ...frame) []byte {
	b := appendU24([]byte{dataFlags}, number)
	for i := range frames {
		b = frames[i].append(b)
	}
	return b
}

// ordered returns a message of channel 0 whose message index equals its order index.
func ordered(n uint32, text string) frame {
	return frame{kind: ReliableOrdered, message: n, order: n, body: []byte(text)}
}

// tapLog is a tap and a log of the messages that it has delivered.
type tapLog struct {
	*Tap
	budget int
	got    []string
}

func newTapLog(begins bool) *tapLog {
	t := &tapLog{budget: 1 << 20}
	t.Tap = NewTap(begins, &t.budget)
	return t
}

func (t *tapLog) add(m TapMessage) {
	text := string(m.Body)
	if m.Skipped > 0 {
		text = fmt.Sprintf("%d missing, %s", m.Skipped, text)
	}
	if m.Late {
		text += " late"
	}
	t.got = append(t.got, text)
}

func (t *tapLog) receive(now int64, datagrams ...[]byte) {
	for _, b := range datagrams {
		_ = t.Receive(now, b, t.add)
	}
}

func (t *tapLog) expect(test *testing.T, want ...string) {
	test.Helper()
	if !slices.Equal(t.got, want) {
		test.Errorf("passed on %q, want %q", t.got, want)
	}
	t.got = nil
}

func TestCaptureTapRestoresOrderAndDropsDuplicates(t *testing.T) {
	p := newTapLog(true)
	p.receive(0, dataDatagram(0, ordered(0, "a")), dataDatagram(2, ordered(2, "c")))
	p.expect(t, "a")
	p.receive(5, dataDatagram(2, ordered(2, "c")))                   // duplicate of a datagram
	p.receive(10, dataDatagram(3, ordered(2, "c"), ordered(1, "b"))) // messages retransmitted in a datagram with another number
	p.expect(t, "b", "c")
	p.receive(20, dataDatagram(4, frame{kind: Unreliable, body: []byte("u")}))
	p.expect(t, "u")
	if st := p.Stats(); st.Repeated != 1 || st.Resent != 1 || st.Missing != 1 || st.Lost != 0 || st.Datagrams != 5 || st.Rejected != 0 {
		t.Errorf("statistics %+v", st)
	}
	p.receive(30, dataDatagram(1, ordered(1, "b"))) // this message is late but not lost
	if st := p.Stats(); st.Missing != 0 || st.Resent != 2 {
		t.Errorf("statistics %+v", st)
	}
	if p.budget != 1<<20 {
		t.Errorf("budget %d", p.budget)
	}
}

func TestCaptureTapReassemblesSplitMessage(t *testing.T) {
	part := func(i uint32, text string) frame {
		return frame{kind: ReliableOrdered, message: i, split: true, id: 9, count: 3, index: i, body: []byte(text)}
	}
	p := newTapLog(true)
	p.receive(0, dataDatagram(0, part(2, "C")), dataDatagram(1, part(0, "A")), dataDatagram(2, part(0, "A")))
	p.expect(t)
	p.receive(0, dataDatagram(3, part(1, "B")), dataDatagram(4, frame{kind: ReliableOrdered, message: 3, order: 1, body: []byte("next")}))
	p.expect(t, "ABC", "next")
	if p.budget != 1<<20 {
		t.Errorf("budget %d", p.budget)
	}
	p.receive(0, dataDatagram(5, frame{kind: Reliable, message: 4, split: true, count: 2, index: 2, body: []byte("x")}))
	if p.Stats().Rejected != 1 {
		t.Errorf("statistics %+v", p.Stats())
	}
}

func TestCaptureTapSkipsMessagesMissingFromCapture(t *testing.T) {
	p := newTapLog(true)
	p.receive(0, dataDatagram(0, ordered(0, "a")), dataDatagram(3, ordered(3, "d")), dataDatagram(4, ordered(4, "e")))
	p.expect(t, "a")
	p.receive(tapWait+1, dataDatagram(5, ordered(5, "f")))
	p.expect(t, "2 missing, d", "e", "f")
	p.receive(tapWait+2, dataDatagram(6, ordered(1, "b")))
	p.expect(t, "b late")
	p.receive(tapWait+3, dataDatagram(7, ordered(8, "i")))
	p.Flush(p.add)
	p.expect(t, "2 missing, i")
	if st := p.Stats(); st.Lost != 4 || st.Missing != 2 || p.budget != 1<<20 {
		t.Errorf("statistics %+v, budget %d", st, p.budget)
	}
}

func TestCaptureTapDecodesSessionThatBeganBeforeCapture(t *testing.T) {
	const at = 0xfffffe // datagram number close to the wrap of 24 bits
	p := newTapLog(false)
	for i := range uint32(4) {
		n := (at + i) & 0xffffff
		p.receive(0, dataDatagram(n, frame{kind: ReliableOrdered, message: n + 7, order: n + 70, body: []byte{'a' + byte(i)}}))
	}
	p.expect(t, "a", "b", "c", "d")
	if st := p.Stats(); st.Missing != 0 || st.Rejected != 0 {
		t.Errorf("statistics %+v", st)
	}
}

func TestCaptureTapIgnoresDatagramWithForgedNumber(t *testing.T) {
	p := newTapLog(true)
	p.receive(0, dataDatagram(0, ordered(0, "a")), dataDatagram(500000, ordered(1, "forged")), dataDatagram(1, ordered(1, "b")))
	p.expect(t, "a", "b")
	p.receive(0, dataDatagram(600000, ordered(9000, "x")), dataDatagram(600001, ordered(9001, "y"))) // the second of two nearby numbers shows that datagrams are missing in the capture
	p.expect(t, "y")
	if st := p.Stats(); st.Rejected != 2 || st.Missing != 0 {
		t.Errorf("statistics %+v", st)
	}
}

func TestCaptureTapMemoryIsBounded(t *testing.T) {
	p := newTapLog(true)
	p.budget = 10 * (heldOverhead + 1000)
	body := string(make([]byte, 1000))
	for i := range uint32(30) {
		p.receive(0, dataDatagram(i, ordered(2*i+1, body)))
		if p.budget < 0 {
			t.Fatalf("budget %d", p.budget)
		}
	}
	if len(p.got) < 19 {
		t.Errorf("%d messages", len(p.got))
	}
	part := frame{kind: Reliable, split: true, count: 1 << 30, body: []byte(body)}
	for i := range uint32(100) {
		part.message, part.id, part.index = 1000+i, uint16(i), i
		p.receive(0, dataDatagram(100+i, part))
		if p.budget < 0 || len(p.splits) > tapMaxSplits {
			t.Fatalf("budget %d, %d messages in parts", p.budget, len(p.splits))
		}
	}
	p.Flush(p.add)
	if p.budget != 10*(heldOverhead+1000) {
		t.Errorf("budget %d", p.budget)
	}
}

func TestCaptureTapDeliversEveryReorderedMessageInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := newTapLog(true)
	var want []string
	var datagrams [][]byte
	for i := range uint32(500) {
		text := fmt.Sprint(i)
		want = append(want, text)
		datagrams = append(datagrams, dataDatagram(i, ordered(i, text)))
		if rng.IntN(4) == 0 {
			datagrams = append(datagrams, datagrams[len(datagrams)-1])
		}
	}
	for i := range len(datagrams) - 8 {
		j := i + rng.IntN(8)
		datagrams[i], datagrams[j] = datagrams[j], datagrams[i]
	}
	p.receive(0, datagrams...)
	p.expect(t, want...)
}

func FuzzTap(f *testing.F) {
	f.Add(bytes.Join([][]byte{{30}, dataDatagram(0, ordered(0, "a")), {30}, dataDatagram(9, ordered(5, "b"))}, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		const budget = 4096
		p := newTapLog(len(b)%2 == 0)
		p.budget = budget
		for now := int64(0); len(b) > 1; now += 3000 {
			n := min(int(b[0])+1, len(b)-1)
			p.receive(now, b[1:1+n])
			b = b[1+n:]
			if p.budget < 0 || p.budget > budget {
				t.Fatalf("budget %d", p.budget)
			}
		}
		p.Flush(p.add)
		if p.budget != budget {
			t.Fatalf("budget %d after everything was released", p.budget)
		}
	})
}
