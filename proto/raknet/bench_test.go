package raknet

import (
	"net/netip"
	"testing"
)

// steadySession is a session after its handshake, for measuring constant traffic.
type steadySession struct {
	*pair
	toServer, toClient func(netip.AddrPort, []byte)
}

func newSteadySession(t testing.TB) *steadySession {
	d := &steadySession{pair: connectedPair(t, Config{}, ClientConfig{})}
	d.toServer = func(_ netip.AddrPort, b []byte) { d.server.Receive(d.now, clientAddr, b, ignore) }
	d.toClient = func(_ netip.AddrPort, b []byte) { d.client.Receive(d.now, serverAddr, b, ignore) }
	return d
}

// exchangeInput sends one input from the client, one answer from the server, and the acknowledgements of both.
func (d *steadySession) exchangeInput(input, answer []byte) {
	d.client.peer.SendOrdered(input)
	d.serverLog.peer.SendOrdered(answer)
	for _, ms := range [...]int64{40, 10} {
		d.now += ms
		d.client.Tick(d.now, ignore)
		d.server.Tick(d.now, ignore)
		d.client.Flush(d.now, d.toServer)
		d.server.Flush(d.now, d.toClient)
	}
}

func ignore(Event) {}

func TestSteadyTrafficAllocatesNothing(t *testing.T) {
	w := newSteadySession(t)
	input, answer := user("%0100d", 1), user("%0300d", 2)
	for range 300 {
		w.exchangeInput(input, answer)
	}
	if avg := testing.AllocsPerRun(2000, func() { w.exchangeInput(input, answer) }); avg != 0 {
		t.Errorf("%v allocations per round", avg)
	}
	if st := w.server.Stats(); st.Resent+st.NacksOut != 0 || st.Messages < 2000 {
		t.Errorf("statistics %+v", st)
	}
}

// BenchmarkServerReceive measures the server's work for one input: receiving the input, and its share of an ACK for several inputs.
func BenchmarkServerReceive(b *testing.B) {
	r := connectedRaw(b)
	f := frame{kind: ReliableOrdered, message: r.message, order: r.order, body: user("%0100d", 1)}
	var d []byte
	emit := func(netip.AddrPort, []byte) {}
	b.ReportAllocs()
	for b.Loop() {
		r.now++
		d = f.append(appendU24(append(d[:0], dataFlags), r.number))
		r.number++
		f.message++
		f.order++
		r.s.Receive(r.now, r.from, d, ignore)
		r.s.Flush(r.now, emit)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/datagram")
}

// BenchmarkSteady measures one exchange on client and server: a message in each direction, and the acknowledgements of
// both.
func BenchmarkSteady(b *testing.B) {
	w := newSteadySession(b)
	input, answer := user("%0100d", 1), user("%0300d", 2)
	for range 100 {
		w.exchangeInput(input, answer)
	}
	start := w.server.Stats().DatagramsIn + w.client.Stats().DatagramsIn
	b.ReportAllocs()
	for b.Loop() {
		w.exchangeInput(input, answer)
	}
	n := w.server.Stats().DatagramsIn + w.client.Stats().DatagramsIn - start
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/datagram")
}

// BenchmarkTick measures Tick with many idle sessions.
func BenchmarkTick(b *testing.B) {
	s := NewServer(Config{MaxPerAddr: -1})
	for i := range 5000 {
		r := newRaw(b, s, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 9).String())
		r.open()
		r.s.byAddr[r.from].state = stateConnected
	}
	b.Run("sessions=5000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Tick(1100, ignore)
		}
	})
}

// BenchmarkSpoofedFlood measures the answers to a forged Open Connection Request 1 and to a forged Request 2 with a
// guessed cookie.
func BenchmarkSpoofedFlood(b *testing.B) {
	s := NewServer(Config{Secret: [32]byte{1}})
	first := request1{protocol: 11, size: 1464}.append(nil)
	second := request2{secure: true, cookie: 1, addr: serverAddr, mtu: 1492}.append(nil)
	emit := func(netip.AddrPort, []byte) {}
	b.ReportAllocs()
	i := uint32(0)
	for b.Loop() {
		i++
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 9)
		s.Receive(1, from, first, ignore)
		s.Receive(1, from, second, ignore)
		s.Flush(1, emit)
	}
	if s.PeerCount() != 0 {
		b.Error("forged requests created sessions")
	}
}
