package raknet

import (
	"net/netip"
	"testing"
)

// rawClient is a client for which a test builds every datagram, so that it can send datagrams that a correct client
// does not send.
type rawClient struct {
	t       testing.TB
	s       *Server
	from    netip.AddrPort
	now     int64
	number  uint32 // number of the next datagram to send
	message uint32
	order   uint32
	eventLog
}

func newRaw(t testing.TB, s *Server, from string) *rawClient {
	return &rawClient{t: t, s: s, from: netip.MustParseAddrPort(from), now: 1000}
}

// send passes a datagram to the server and returns the datagrams that the server then sends to this client.
func (r *rawClient) send(b []byte) [][]byte {
	r.s.Receive(r.now, r.from, b, r.handle)
	return r.flush()
}

func (r *rawClient) flush() (out [][]byte) {
	r.s.Flush(r.now, func(to netip.AddrPort, d []byte) {
		if to == r.from {
			out = append(out, append([]byte(nil), d...))
		}
	})
	return out
}

// advance advances the clock by ms milliseconds and returns the datagrams that the server sends in this time.
func (r *rawClient) advance(ms int) (out [][]byte) {
	for range ms / 10 {
		r.now += 10
		r.s.Tick(r.now, r.handle)
		out = append(out, r.flush()...)
	}
	return out
}

func (r *rawClient) request1(size int) reply1 {
	r.t.Helper()
	out := r.send(request1{protocol: 11, size: size}.append(nil))
	if len(out) != 1 {
		r.t.Fatalf("%d answers to request 1", len(out))
	}
	m, ok := parseReply1(out[0])
	if !ok {
		r.t.Fatalf("answer %x", out[0])
	}
	return m
}

func (r *rawClient) request2(m reply1, mtu uint16) [][]byte {
	return r.send(request2{secure: m.secure, cookie: m.cookie, addr: serverAddr, mtu: mtu, guid: 5}.append(nil))
}

// open creates a half-open session.
func (r *rawClient) open() {
	r.t.Helper()
	out := r.request2(r.request1(1464), 1492)
	if len(out) != 1 {
		r.t.Fatalf("%d answers to request 2", len(out))
	}
	if _, ok := parseReply2(out[0]); !ok {
		r.t.Fatalf("answer %x", out[0])
	}
}

// connect creates a connected session.
func (r *rawClient) connect() *rawClient {
	r.t.Helper()
	r.open()
	r.sendFrame(Reliable, connectionRequest{guid: 5}.append(nil))
	r.sendFrame(ReliableOrdered, newConnection{addr: serverAddr, system: []byte(emptySystemAddrs)}.append(nil))
	if r.peer == nil {
		r.t.Fatalf("not connected: %+v", r.s.Stats())
	}
	r.drain()
	r.advance(50)
	for n := range uint32(3) {
		r.send(ackOf(n)) // acknowledge the server's "connection request accepted"
	}
	return r
}

// sendFrame sends one frame with the next datagram number and indices.
func (r *rawClient) sendFrame(kind Reliability, body []byte) [][]byte {
	f := frame{kind: kind, body: body, message: r.message, order: r.order}
	if kind.reliable() {
		r.message++
	}
	if kind.ordered() {
		r.order++
	}
	return r.frames(f)
}

// frames sends the given frames unchanged, in one datagram with the next number.
func (r *rawClient) frames(fs ...frame) [][]byte {
	r.number++
	return r.send(datagram(r.number-1, fs...))
}

func datagram(number uint32, fs ...frame) []byte {
	b := appendU24([]byte{dataFlags}, number)
	for _, f := range fs {
		b = f.append(b)
	}
	return b
}

func ackOf(numbers ...uint32) []byte { return recordsOf(flagValid|flagAck, numbers) }

func nackOf(numbers ...uint32) []byte { return recordsOf(flagValid|flagNack, numbers) }

func recordsOf(flags byte, numbers []uint32) []byte {
	var spans []span
	for _, n := range numbers {
		spans = append(spans, span{int64(n), int64(n)})
	}
	b, _ := appendRecords(nil, flags, spans, maxDatagram)
	return b
}

// spansOf returns the spans of all ACKs, or of all NACKs, in a list of datagrams.
func spansOf(t testing.TB, flags byte, out [][]byte) (spans []span) {
	t.Helper()
	for _, d := range out {
		if d[0] == flags {
			var ok bool
			if spans, ok = parseRecords(spans, d[1:]); !ok {
				t.Fatalf("malformed %x", d)
			}
		}
	}
	return spans
}

// dataDatagrams returns those elements of the list that are data datagrams.
func dataDatagrams(out [][]byte) (data [][]byte) {
	for _, d := range out {
		if d[0] == dataFlags {
			data = append(data, d)
		}
	}
	return data
}

// framesOf returns the frames of a data datagram.
func framesOf(t testing.TB, d []byte) (fs []frame) {
	t.Helper()
	for rest := d[headerSize:]; len(rest) > 0; {
		f, next, ok := parseFrame(rest)
		if !ok {
			t.Fatalf("malformed %x", d)
		}
		fs = append(fs, f)
		rest = next
	}
	return fs
}
