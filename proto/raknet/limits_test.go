package raknet

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The tests in this file cover rules RK-13 to RK-15 of docs/wire/bedrock.md. These rules limit what a peer may send.

func TestPartsOfSplitMessageFitMTUAndShareSplitID(t *testing.T) {
	for _, mtu := range []uint16{400, 1000, 1400, 1492} {
		r := newRaw(t, NewServer(Config{MTU: mtu}), "198.51.100.7:1").connect()
		whole := int(mtu) - 28 - 14
		for id, size := range []int{whole, whole + 1, 5 * (whole - 10), 5*(whole-10) + 1} {
			body := bytes.Repeat([]byte{0xfe}, size)
			r.peer.SendOrdered(body)
			var fs []frame
			for _, d := range dataDatagrams(r.flush()) {
				if len(d) > int(mtu)-28 {
					t.Fatalf("a datagram of %d bytes", len(d))
				}
				fs = append(fs, framesOf(t, d)...)
				r.send(ackOf(u24(d[1:])))
			}
			if want := []int{1, 2, 5, 6}[id]; len(fs) != want || fs[0].split != (want > 1) {
				t.Fatalf("MTU %d, %d bytes: %d frames", mtu, size, len(fs))
			}
			var again []byte
			for i, f := range fs {
				if f.split && (f.index != uint32(i) || f.count != uint32(len(fs)) || f.id != uint16(id-1) || len(f.body) > whole-10) {
					t.Errorf("part %d: %+v", i, f)
				}
				if f.order != fs[0].order || f.message != fs[0].message+uint32(i) {
					t.Errorf("part %d: order %d, message %d", i, f.order, f.message)
				}
				again = append(again, f.body...)
			}
			if !bytes.Equal(again, body) {
				t.Errorf("MTU %d, %d bytes: body differs", mtu, size)
			}
		}
	}
}

// parts returns the frames of a split message of n parts, each with a body of one byte.
func (r *rawClient) parts(id uint16, n uint32) (fs []frame) {
	for i := range n {
		fs = append(fs, frame{kind: ReliableOrdered, split: true, count: n, index: i, id: id,
			message: r.message + i, order: r.order, body: []byte{0xfe}})
	}
	r.message += n
	r.order++
	return fs
}

func TestSplitMessageIsReassembledFromPartsInAnyOrder(t *testing.T) {
	r := connectedRaw(t)
	a, b := r.parts(0, 512), r.parts(1, 3)
	slices.Reverse(a)
	for _, f := range append(b, a...) {
		r.frames(f)
		r.frames(f)
	}
	if got := r.drain(); len(got) != 2 || len(got[0]) != 512 || len(got[1]) != 3 {
		t.Errorf("%d messages", len(got))
	}
	if r.peer.splitBytes+r.peer.heldBytes+r.s.heldBytes+len(r.peer.splits) != 0 {
		t.Errorf("%d bytes of parts are left", r.peer.splitBytes)
	}
}

func TestInvalidPartsOfSplitMessageAreDropped(t *testing.T) {
	for name, change := range map[string]func(*frame){
		"count 0":        func(f *frame) { f.count = 0 },
		"count 513":      func(f *frame) { f.count = 513 },
		"count 2^32-1":   func(f *frame) { f.count = 1<<32 - 1 },
		"index = count":  func(f *frame) { f.index = f.count },
		"index 2^32-1":   func(f *frame) { f.index = 1<<32 - 1 },
		"another count":  func(f *frame) { f.count = 4 },
		"channel 32":     func(f *frame) { f.channel = 32 },
		"message ahead":  func(f *frame) { f.message += windowSize + 10 },
		"message before": func(f *frame) { f.message -= 100 },
		"order ahead":    func(f *frame) { f.order += windowSize + 10 },
	} {
		t.Run(name, func(t *testing.T) {
			r := connectedRaw(t)
			fs := r.parts(7, 3)
			r.frames(fs[0])
			bad := fs[1]
			change(&bad)
			r.advance(10)
			out := append(r.frames(bad), r.advance(10)...)
			if acks := spansOf(t, flagValid|flagAck, out); len(acks) != 0 {
				t.Errorf("acknowledged %v", acks)
			}
			if st := r.s.Stats(); st.BadFrames+st.NoRoom != 1 {
				t.Errorf("statistics %+v", st)
			}
			r.frames(fs[1])
			r.frames(fs[2])
			if got := r.drain(); len(got) != 1 {
				t.Errorf("events %q", got)
			}
		})
	}
}

func TestAtMost16IncompleteMessagesAreHeld(t *testing.T) {
	r := connectedRaw(t)
	for id := range uint16(20) {
		r.frames(r.parts(id, 2)[0])
	}
	if len(r.peer.splits) != 16 || r.s.Stats().NoRoom != 4 || !r.peer.IsConnected() {
		t.Errorf("%d open", len(r.peer.splits))
	}
	for i := range 320 {
		r.send(ackOf(1 << 20))
		r.advance(100)
		if i < 295 && len(r.peer.splits) != 16 {
			t.Fatalf("dropped after %d ms", r.now)
		}
	}
	if len(r.peer.splits) != 0 || r.s.heldBytes != 0 || r.s.Stats().SplitsExpired != 16 {
		t.Errorf("%d open after 30 s, %d bytes held", len(r.peer.splits), r.s.heldBytes)
	}
}

func TestTooManyBytesOfIncompleteMessagesEndSession(t *testing.T) {
	r := connectedRaw(t)
	maxBytes := 0
	body := make([]byte, 1400)
	for id := uint16(0); r.peer.IsConnected() && id < 16; id++ {
		for i := range uint32(511) {
			r.frames(frame{kind: Reliable, split: true, count: 512, index: i, id: id, message: r.message, body: body})
			r.message++
			maxBytes = max(maxBytes, r.peer.splitBytes)
		}
	}
	if got := r.drain(); !slices.Equal(got, []string{"disconnected protocol violation"}) || maxBytes > 4<<20 || r.s.heldBytes != 0 {
		t.Errorf("%q with %d bytes", got, maxBytes)
	}
}

func TestAckWithMalformedOrTooLargeRangeIsRefused(t *testing.T) {
	head := func(n int, records ...byte) []byte { return append([]byte{byte(n >> 8), byte(n)}, records...) }
	for name, c := range map[string]struct {
		b  []byte
		ok bool
	}{
		"none":                         {head(0), true},
		"8192":                         {head(1, 0, 0, 0, 0, 0xff, 0x1f, 0), true},
		"8193":                         {head(1, 0, 0, 0, 0, 0x00, 0x20, 0), false},
		"16 million":                   {head(1, 0, 0, 0, 0, 0xff, 0xff, 0xff), false},
		"8193 in two":                  {head(2, 0, 0, 0, 0, 0xff, 0x1f, 0, 1, 9, 9, 9), false},
		"first after last":             {head(1, 0, 2, 0, 0, 1, 0, 0), false},
		"kind 2":                       {head(1, 2, 1, 0, 0), false},
		"more records than the count":  {head(1, 1, 1, 0, 0, 1, 2, 0, 0), false},
		"fewer records than the count": {head(2, 1, 1, 0, 0), false},
		"truncated record":             {head(1, 0, 1, 0, 0, 1, 0), false},
		"truncated count":              {[]byte{0}, false},
	} {
		if _, ok := parseRecords(nil, c.b); ok != c.ok {
			t.Errorf("%s: %v", name, ok)
		}
	}
}

func TestAcksOfUnknownDatagramNumbersAreIgnored(t *testing.T) {
	r := connectedRaw(t)
	r.peer.SendOrdered(user("x"))
	n := u24(dataDatagrams(r.flush())[0][1:])
	before := r.s.Stats().UnknownAcks
	r.send(ackOf(n+1, n+100, n-50, 0xffffff))
	r.send(nackOf(n+1, 0xffffff))
	if len(r.peer.flight) != 1 || !r.peer.IsConnected() || r.s.Stats().UnknownAcks != before+4 {
		t.Errorf("%d in flight, %+v", len(r.peer.flight), r.s.Stats())
	}
}

func TestSessionEndsOnlyAfterManyMalformedDatagrams(t *testing.T) {
	r := connectedRaw(t)
	for i := range 60 * 90 { // sends 90 malformed datagrams per second for a minute
		switch i % 4 {
		case 0:
			r.send([]byte{dataFlags, 1, 2})
		case 1:
			r.send(append(datagram(r.number, frame{kind: Reliable, message: r.message, body: user("x")}), 0xff))
		case 2:
			r.send([]byte{0xc0, 0, 9, 1})
		case 3:
			r.send(datagram(r.number+5000, frame{kind: Unreliable, body: user("x")}))
		}
		r.now += 11
		r.s.Tick(r.now, r.handle)
	}
	r.sendFrame(ReliableOrdered, user("still here"))
	if got := r.drain(); !slices.Equal(got, []string{"\xfestill here"}) {
		t.Fatalf("events %q", got)
	}
	r.now += 1000
	for i := range 100 {
		if got := r.drain(); len(got) != 0 {
			t.Fatalf("%q after %d", got, i)
		}
		r.send(append(datagram(r.number+uint32(i), frame{kind: Reliable, message: r.message, body: user("x")}), 0xff))
	}
	if got := r.drain(); !slices.Equal(got, []string{"disconnected protocol violation"}) {
		t.Errorf("events %q", got)
	}
}

// An attacker that knows a client's address and port but not its datagram numbers cannot end the session at any rate.
func TestMalformedDatagramsWithoutValidSequenceNumberNeverEndSession(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 15))
	for name, forged := range map[string]func(r *rawClient) []byte{
		"random bytes": func(*rawClient) []byte {
			b := make([]byte, 60)
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			b[0] = dataFlags
			return b
		},
		"no number":                func(*rawClient) []byte { return []byte{dataFlags, 1, 2} },
		"bad records":              func(*rawClient) []byte { return []byte{0xc0, 0, 9, 1} },
		"bad NACK records":         func(*rawClient) []byte { return []byte{0xa0, 0, 9, 1} },
		"number beyond the window": func(r *rawClient) []byte { return append(datagram(r.number+5000, frame{body: user("x")}), 0xff) },
		"number already received":  func(r *rawClient) []byte { return append(datagram(r.number-1, frame{body: user("x")}), 0xff) },
	} {
		t.Run(name, func(t *testing.T) {
			r := connectedRaw(t)
			for range 20_000 { // sends 2,000 malformed datagrams per second
				r.send(forged(r))
				if rng.IntN(2) == 0 {
					r.now++
					r.s.Tick(r.now, r.handle)
				}
			}
			r.sendFrame(ReliableOrdered, user("still here"))
			if got := r.drain(); !slices.Equal(got, []string{"\xfestill here"}) {
				t.Errorf("events %q", got)
			}
		})
	}
}

func TestMalformedFrameDropsWholeDatagram(t *testing.T) {
	r := connectedRaw(t)
	good := datagram(r.number, frame{kind: ReliableOrdered, message: r.message, order: r.order, body: user("x")})
	for n := headerSize; n < len(good); n++ {
		r.send(good[:n])
	}
	r.send(append(bytes.Clone(good), 0x40, 0, 0))
	if got := r.drain(); len(got) != 0 {
		t.Errorf("events %q", got)
	}
	r.send(good)
	if got := r.drain(); len(got) != 1 {
		t.Errorf("events %q", got)
	}
	if fmt.Sprint(r.peer.in.gaps) != "[]" {
		t.Error("a dropped datagram opened a gap")
	}
}
