package raknet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// sent makes a data datagram.
func sent(number uint32, frames ...frame) []byte {
	b := appendU24([]byte{dataFlags}, number)
	for i := range frames {
		b = frames[i].append(b)
	}
	return b
}

// ordered is a message of channel 0 whose message index is its place in the order.
func ordered(n uint32, text string) frame {
	return frame{kind: ReliableOrdered, message: n, order: n, body: []byte(text)}
}

// tapped is a tap and what it handed over.
type tapped struct {
	*Tap
	room int
	got  []string
}

func tapAt(begins bool) *tapped {
	t := &tapped{room: 1 << 20}
	t.Tap = NewTap(begins, &t.room)
	return t
}

func (t *tapped) hear(m TapMessage) {
	text := string(m.Body)
	if m.Skipped > 0 {
		text = fmt.Sprintf("%d missing, %s", m.Skipped, text)
	}
	if m.Late {
		text += " late"
	}
	t.got = append(t.got, text)
}

func (t *tapped) take(now int64, datagrams ...[]byte) {
	for _, b := range datagrams {
		_ = t.Take(now, b, t.hear)
	}
}

func (t *tapped) wants(test *testing.T, want ...string) {
	test.Helper()
	if !slices.Equal(t.got, want) {
		test.Errorf("handed over %q, wanted %q", t.got, want)
	}
	t.got = nil
}

func TestATapUndoesOrderAndRepetition(t *testing.T) {
	p := tapAt(true)
	p.take(0, sent(0, ordered(0, "a")), sent(2, ordered(2, "c")))
	p.wants(t, "a")
	p.take(5, sent(2, ordered(2, "c")))                   // the same datagram once more
	p.take(10, sent(3, ordered(2, "c"), ordered(1, "b"))) // sent again, under another number
	p.wants(t, "b", "c")
	p.take(20, sent(4, frame{kind: Unreliable, body: []byte("u")}))
	p.wants(t, "u")
	if st := p.Stats(); st.Repeated != 1 || st.Resent != 1 || st.Missing != 1 || st.Lost != 0 || st.Datagrams != 5 || st.Strange != 0 {
		t.Errorf("%+v", st)
	}
	p.take(30, sent(1, ordered(1, "b"))) // it was only late
	if st := p.Stats(); st.Missing != 0 || st.Resent != 2 {
		t.Errorf("%+v", st)
	}
	if p.room != 1<<20 {
		t.Errorf("room %d", p.room)
	}
}

func TestATapJoinsParts(t *testing.T) {
	part := func(i uint32, text string) frame {
		return frame{kind: ReliableOrdered, message: i, split: true, id: 9, count: 3, index: i, body: []byte(text)}
	}
	p := tapAt(true)
	p.take(0, sent(0, part(2, "C")), sent(1, part(0, "A")), sent(2, part(0, "A")))
	p.wants(t)
	p.take(0, sent(3, part(1, "B")), sent(4, frame{kind: ReliableOrdered, message: 3, order: 1, body: []byte("next")}))
	p.wants(t, "ABC", "next")
	if p.room != 1<<20 {
		t.Errorf("room %d", p.room)
	}
	p.take(0, sent(5, frame{kind: Reliable, message: 4, split: true, count: 2, index: 2, body: []byte("x")}))
	if p.Stats().Strange != 1 {
		t.Errorf("%+v", p.Stats())
	}
}

func TestATapGivesUpWhatTheCaptureLacks(t *testing.T) {
	p := tapAt(true)
	p.take(0, sent(0, ordered(0, "a")), sent(3, ordered(3, "d")), sent(4, ordered(4, "e")))
	p.wants(t, "a")
	p.take(tapPatience+1, sent(5, ordered(5, "f")))
	p.wants(t, "2 missing, d", "e", "f")
	p.take(tapPatience+2, sent(6, ordered(1, "b")))
	p.wants(t, "b late")
	p.take(tapPatience+3, sent(7, ordered(8, "i")))
	p.Flush(p.hear)
	p.wants(t, "2 missing, i")
	if st := p.Stats(); st.Lost != 4 || st.Missing != 2 || p.room != 1<<20 {
		t.Errorf("%+v, room %d", st, p.room)
	}
}

func TestATapFindsTheBeginningOfASessionThatItJoins(t *testing.T) {
	const at = 0xfffffe // close to the turn of the 24 bits
	p := tapAt(false)
	for i := range uint32(4) {
		n := (at + i) & 0xffffff
		p.take(0, sent(n, frame{kind: ReliableOrdered, message: n + 7, order: n + 70, body: []byte{'a' + byte(i)}}))
	}
	p.wants(t, "a", "b", "c", "d")
	if st := p.Stats(); st.Missing != 0 || st.Strange != 0 {
		t.Errorf("%+v", st)
	}
}

func TestAForgedNumberDoesNotMoveATap(t *testing.T) {
	p := tapAt(true)
	p.take(0, sent(0, ordered(0, "a")), sent(500000, ordered(1, "forged")), sent(1, ordered(1, "b")))
	p.wants(t, "a", "b")
	p.take(0, sent(600000, ordered(9000, "x")), sent(600001, ordered(9001, "y"))) // two agree: the capture has a hole
	p.wants(t, "y")
	if st := p.Stats(); st.Strange != 2 || st.Missing != 0 {
		t.Errorf("%+v", st)
	}
}

func TestATapHoldsNoMoreThanItsRoom(t *testing.T) {
	p := tapAt(true)
	p.room = 10 * (heldCost + 1000)
	body := string(make([]byte, 1000))
	for i := range uint32(30) {
		p.take(0, sent(i, ordered(2*i+1, body)))
		if p.room < 0 {
			t.Fatalf("room %d", p.room)
		}
	}
	if len(p.got) < 19 {
		t.Errorf("%d messages", len(p.got))
	}
	part := frame{kind: Reliable, split: true, count: 1 << 30, body: []byte(body)}
	for i := range uint32(100) {
		part.message, part.id, part.index = 1000+i, uint16(i), i
		p.take(0, sent(100+i, part))
		if p.room < 0 || len(p.splits) > tapSplits {
			t.Fatalf("room %d, %d messages in parts", p.room, len(p.splits))
		}
	}
	p.Flush(p.hear)
	if p.room != 10*(heldCost+1000) {
		t.Errorf("room %d", p.room)
	}
}

func TestATapHearsAllThatServersSay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := tapAt(true)
	var want []string
	var datagrams [][]byte
	for i := range uint32(500) {
		text := fmt.Sprint(i)
		want = append(want, text)
		datagrams = append(datagrams, sent(i, ordered(i, text)))
		if rng.IntN(4) == 0 {
			datagrams = append(datagrams, datagrams[len(datagrams)-1])
		}
	}
	for i := range len(datagrams) - 8 {
		j := i + rng.IntN(8)
		datagrams[i], datagrams[j] = datagrams[j], datagrams[i]
	}
	p.take(0, datagrams...)
	p.wants(t, want...)
}

func FuzzTap(f *testing.F) {
	f.Add(bytes.Join([][]byte{{30}, sent(0, ordered(0, "a")), {30}, sent(9, ordered(5, "b"))}, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		const room = 4096
		p := tapAt(len(b)%2 == 0)
		p.room = room
		for now := int64(0); len(b) > 1; now += 3000 {
			n := min(int(b[0])+1, len(b)-1)
			p.take(now, b[1:1+n])
			b = b[1+n:]
			if p.room < 0 || p.room > room {
				t.Fatalf("room %d", p.room)
			}
		}
		p.Flush(p.hear)
		if p.room != room {
			t.Fatalf("room %d is left after all was handed over", p.room)
		}
	})
}
