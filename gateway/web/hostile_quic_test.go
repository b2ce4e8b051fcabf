package web_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/webtransport-go"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/reason"
)

// rawQUIC is a client that sends arbitrary bytes over WebTransport.
type rawQUIC struct {
	r      *rig
	s      *webtransport.Session
	stream *webtransport.Stream
	buf    []byte // bytes of the control stream that were read and not parsed
}

// dialQUIC opens a WebTransport session on a connection from the host h. The result rsp is the response to the request for the
// session; it is nil if there was no response.
func (r *rig) dialQUIC(ctx context.Context, h *netsim.Host, header http.Header, config quic.Config) (rsp *http.Response, s *webtransport.Session, err error) {
	conn, err := h.ListenPacket(":0")
	if err != nil {
		return nil, nil, err
	}
	config.EnableDatagrams, config.EnableStreamResetPartialDelivery = true, true
	d := webtransport.Transport{
		TLSClientConfig: &tls.Config{NextProtos: []string{"h3"}, InsecureSkipVerify: true}, QUICConfig: &config,
		DialAddr: func(ctx context.Context, addr string, tc *tls.Config, qc *quic.Config) (*quic.Conn, error) {
			to, err := net.ResolveUDPAddr("udp", addr)
			if err != nil {
				return nil, err
			}
			return quic.DialEarly(ctx, conn, to, tc, qc)
		},
	}
	return d.Dial(ctx, "https://127.0.0.1:8090/play/v1/wt", header)
}

// enterQUIC lets a guest enter over WebTransport, from a host that no other client uses.
func (r *rig) enterQUIC(config quic.Config) *rawQUIC {
	r.t.Helper()
	_, h := r.options("", false)
	return r.enterQUICFrom(h, config)
}

// enterQUICFrom lets a guest enter over WebTransport from the host h. The Welcome message is not read yet.
func (r *rig) enterQUICFrom(h *netsim.Host, config quic.Config) *rawQUIC {
	r.t.Helper()
	_, s, err := r.dialQUIC(context.Background(), h, nil, config)
	if err != nil {
		r.t.Fatal(err)
	}
	x := &rawQUIC{r: r, s: s}
	if x.stream, err = s.OpenStreamSync(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	x.write(proto.AppendFramed(nil, &proto.Hello{Features: proto.Features, Ticket: r.newRaw().ticket()}))
	return x
}

// write writes bytes to the control stream.
func (x *rawQUIC) write(b []byte) {
	x.r.t.Helper()
	if _, err := x.stream.Write(b); err != nil {
		x.r.t.Fatal(err)
	}
}

// send sends a datagram.
func (x *rawQUIC) send(b []byte) {
	x.r.t.Helper()
	if err := x.s.SendDatagram(b); err != nil {
		x.r.t.Fatal(err)
	}
}

// until reads control messages until f returns true for one of them. It returns false if the stream ends before that.
func (x *rawQUIC) until(f func(m proto.Message) bool) bool {
	x.r.t.Helper()
	for chunk := make([]byte, 4096); ; {
		b, n, err := proto.NextFrame(x.buf, proto.MaxServer)
		if err != nil {
			x.r.t.Fatal(err)
		}
		if n == 0 {
			got, err := x.stream.Read(chunk)
			if x.buf = append(x.buf, chunk[:got]...); err != nil && got == 0 {
				return false
			}
			continue
		}
		m, err := proto.ParseServerMessage(b)
		if err != nil {
			x.r.t.Fatal(err)
		}
		x.buf = x.buf[n:]
		if f(m) {
			return true
		}
	}
}

// welcome reads control messages until the Welcome message.
func (x *rawQUIC) welcome() (w *proto.Welcome) {
	x.r.t.Helper()
	if !x.until(func(m proto.Message) (ok bool) { w, ok = m.(*proto.Welcome); return ok }) {
		x.r.t.Fatal("no Welcome")
	}
	return w
}

// endsWith reads until the stream ends and checks that the server's Bye message states the expected reason, the parameter why.
func (x *rawQUIC) endsWith(what string, why proto.ByeReason) (bye *proto.Bye) {
	x.r.t.Helper()
	var last proto.Message
	x.until(func(m proto.Message) bool { last = m; return false })
	bye, ok := last.(*proto.Bye)
	if !ok || bye.Reason != why {
		x.r.t.Errorf("%s: the connection ended with %+v, want Bye with reason %d", what, last, why)
	}
	_ = x.s.CloseWithError(0, "")
	return bye
}

func TestWebTransportOfPagesOfOtherOriginsIsRefused(t *testing.T) {
	besideHonest(t, func(r *rig) {
		for origin, want := range map[string]int{
			"https://evil.example": http.StatusForbidden, "null": http.StatusForbidden, "http://127.0.0.1:9999": http.StatusForbidden,
			"https://game.example": http.StatusOK, "http://127.0.0.1:8090": http.StatusOK, "": http.StatusOK,
		} {
			header := http.Header{}
			if origin != "" {
				header.Set("Origin", origin)
			}
			_, h := r.options("", false)
			rsp, s, err := r.dialQUIC(context.Background(), h, header, quic.Config{})
			if rsp == nil || rsp.StatusCode != want {
				r.t.Errorf("origin %q: %+v, %v, want status %d", origin, rsp, err, want)
			}
			if s != nil {
				_ = s.CloseWithError(0, "")
			}
		}
		if a, b := r.bad("origin"), r.bad("webtransport"); a != 3 || b != 0 {
			r.t.Errorf("%d refusals of origins and %d other errors counted, want 3 and 0", a, b)
		}
	})
}

func TestAcknowledgementOfUnsentSnapshotEndsTheConnection(t *testing.T) {
	besideHonest(t, func(r *rig) {
		x := r.enterQUIC(quic.Config{})
		ack := proto.Ack{ReceivedSnapshots: proto.ReceivedSnapshots{Run: x.welcome().Area.Run, Seq: 9999}}
		x.send(ack.Append(nil))
		x.endsWith("unsent snapshot", proto.ByeMalformed)
		if r.bad("malformed") != 1 {
			r.t.Errorf("%d malformed messages counted, want 1", r.bad("malformed"))
		}
	})
}

// The client sends inputs and acknowledges no snapshot, or only those of the first run, in the time of eight runs of 64 snapshots.
func TestClientThatAcknowledgesNoSnapshotsIsDisconnectedAndMayResume(t *testing.T) {
	besideHonest(t, func(r *rig) {
		x := r.enterQUIC(quic.Config{})
		welcome := x.welcome()
		ended := make(chan *proto.Bye, 1)
		go func() { ended <- x.endsWith("no acknowledgements", proto.ByeSlow) }()
		in := proto.Input{N: 1, Tick: uint32(welcome.Tick), ReceivedSnapshots: proto.ReceivedSnapshots{Run: welcome.Area.Run}}
		sent := 0
		for ; len(ended) == 0 && sent < 30*20; sent++ {
			in.Tick++
			if x.s.SendDatagram(in.Append(nil)) != nil {
				break // the connection has ended
			}
			time.Sleep(50 * time.Millisecond)
		}
		if bye := <-ended; bye != nil && !bye.Resume || sent < 8*64 || r.bad("unacknowledged") != 1 {
			r.t.Errorf("after %d inputs the connection ended with %+v, counted %d times", sent, bye, r.bad("unacknowledged"))
		}
	})
}

// Damaged datagrams, and those with a message for the control stream, are counted and dropped. The player is not disconnected.
func TestMalformedWebTransportDatagramsAreDropped(t *testing.T) {
	besideHonest(t, func(r *rig) {
		x := r.enterQUIC(quic.Config{})
		run := x.welcome().Area.Run
		in, ack := proto.Input{N: 1}, proto.Ack{ReceivedSnapshots: proto.ReceivedSnapshots{Run: run}}
		input, full := in.Append(nil), (&proto.Input{N: proto.MaxEntries}).Append(nil)
		said := proto.AppendMessage(nil, &proto.Act{Number: 9, Verb: proto.VerbSay, Text: "in a datagram"})
		with := func(b []byte, at int, v byte) []byte {
			b = bytes.Clone(b)
			b[at] = v
			return b
		}
		for _, c := range []struct {
			what, kind string
			b          []byte
		}{
			{"input of one byte", "malformed_input", input[:1]},
			{"short input", "malformed_input", input[:20]},
			{"input without its last byte", "malformed_input", input[:len(input)-1]},
			{"input with another byte", "malformed_input", append(bytes.Clone(input), 1)},
			{"the longest input with another byte", "malformed_input", append(bytes.Clone(full), 1)},
			{"input of the longest datagram", "malformed_input", append(bytes.Clone(full), make([]byte, proto.MaxDatagram-len(full))...)},
			{"input without entries", "malformed_input", with(input, 23, 0)},
			{"input with nine entries", "malformed_input", with(full, 23, proto.MaxEntries+1)},
			{"short acknowledgement", "malformed_ack", ack.Append(nil)[:3]},
			{"acknowledgement with another byte", "malformed_ack", append(ack.Append(nil), 1)},
			{"empty datagram", "malformed_datagram", nil},
			{"request", "malformed_datagram", said},
			{"framed request", "malformed_datagram", proto.AppendFramed(nil, &proto.Act{Number: 9, Verb: proto.VerbSay, Text: "in a datagram"})},
			{"Hello", "malformed_datagram", proto.AppendMessage(nil, &proto.Hello{Features: proto.Features})},
			{"unknown kind", "malformed_datagram", []byte{0x3f, 5, 5}},
			{"snapshot", "malformed_datagram", append([]byte{proto.KindSnapshot}, make([]byte, 20)...)},
		} {
			before := r.bad(c.kind)
			x.send(c.b)
			time.Sleep(100 * time.Millisecond)
			if n := r.bad(c.kind) - before; n != 1 {
				r.t.Errorf("%s: counted %d times as %s, want once", c.what, n, c.kind)
			}
		}
		x.write(proto.AppendFramed(nil, &proto.Act{Number: 1, Verb: proto.VerbAttack, Handle: 999}))
		var answers []proto.Answer
		if !x.until(func(m proto.Message) bool {
			if a, ok := m.(*proto.Answer); ok {
				answers = append(answers, *a)
			}
			return len(answers) > 0
		}) {
			r.t.Fatal("the connection has ended")
		}
		if a := answers[0]; a.Number != 1 || a.Reason != uint8(reason.TargetGone) || r.bad("target_gone") != 1 || r.bad("malformed") != 0 {
			r.t.Errorf("answered %+v, want the request of the stream; %d targets and %d malformed messages counted", a, r.bad("target_gone"), r.bad("malformed"))
		}
		_ = x.s.CloseWithError(0, "")
	})
}

func TestMalformedMessagesOnControlStreamEndWebTransportConnection(t *testing.T) {
	besideHonest(t, func(r *rig) {
		act := proto.AppendMessage(nil, &proto.Act{Number: 1, Verb: proto.VerbSay, Text: "x"})
		ended := uint64(0)
		for name, b := range map[string][]byte{
			"frame longer than allowed": proto.AppendFrame(nil, make([]byte, proto.MaxHello+1)), "length without an end": {0xff, 0xff, 0xff, 0xff}, "frame without bytes": {0},
			"short act": proto.AppendFrame(nil, act[:5]), "act with another byte": proto.AppendFrame(nil, append(bytes.Clone(act), 0)),
			"long act":    proto.AppendFramed(nil, &proto.Act{Verb: proto.VerbSay, Text: strings.Repeat("x", 600)}),
			"hello again": proto.AppendFramed(nil, &proto.Hello{Features: proto.Features}), "unknown verb": proto.AppendFrame(nil, []byte{3, 1, 0, 99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
		} {
			x := r.enterQUIC(quic.Config{})
			x.welcome()
			x.write(b)
			x.endsWith(name, proto.ByeMalformed)
			if ended++; r.bad("malformed") != ended {
				r.t.Errorf("%s: %d malformed messages counted, want %d", name, r.bad("malformed"), ended)
			}
		}
	})
}

// A client that sends datagrams but does not read its control stream is disconnected, like a WebSocket client that does not read.
func TestWebTransportClientThatDoesNotReadControlStreamIsDisconnected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines int // number of lines of 2 KB that the client is sent; its stream accepts 16 KiB
		full  bool
	}{
		"few messages wait": {30, false}, "more messages than the queue holds": {200, true},
	} {
		t.Run(name, func(t *testing.T) {
			besideHonest(t, func(r *rig) {
				x := r.enterQUIC(quic.Config{InitialStreamReceiveWindow: 16 << 10, MaxStreamReceiveWindow: 16 << 10})
				x.welcome()
				r.talkUntilSlow(c.lines, c.full, func(in *proto.Input) { _ = x.s.SendDatagram(in.Append(nil)) }) // fails when the server has closed the connection
				select {
				case <-x.s.Context().Done():
				default:
					r.t.Error("the session is still open")
				}
				_ = x.s.CloseWithError(0, "")
			})
		})
	}
}

// Two thousand addresses open a TCP connection and send nothing. 250 of them also begin a QUIC handshake and do not
// continue it: four times the number per second from which the server demands a proof of the address. Players can still
// enter.
func TestPlayersEnterDespiteThousandsOfHalfOpenConnections(t *testing.T) {
	besideHonest(t, func(r *rig) {
		ctx, cancel := context.WithCancel(context.Background())
		var attempts sync.WaitGroup
		for i := range 2000 {
			o, h := r.options("", false)
			idle, err := h.Dial(ctx, "tcp", "127.0.0.1:8090")
			if err != nil {
				r.t.Fatal(err)
			}
			defer idle.Close()
			if i%100 == 0 {
				time.Sleep(time.Millisecond)
			}
			if i%8 != 0 { // the client's half of a handshake needs most of the CPU time of this test
				continue
			}
			r.network.Impair(h, r.host, netsim.Impairment{}, netsim.Impairment{Loss: 1}) // no answer arrives, as with a forged address
			conn, err := o.Listen()
			if err != nil {
				r.t.Fatal(err)
			}
			attempts.Go(func() {
				defer conn.Close()
				to := net.UDPAddrFromAddrPort(netip.AddrPortFrom(r.host.Addr(), r.gate.Addr().Port()))
				if _, err := quic.Dial(ctx, conn, to, &tls.Config{NextProtos: []string{"h3"}, InsecureSkipVerify: true}, &quic.Config{HandshakeIdleTimeout: time.Hour}); err == nil {
					r.t.Error("a handshake without answers has ended")
				}
			})
		}
		time.Sleep(time.Second)
		if lost := r.network.Counts().Lost; lost < 2000 { // about 1000 packets are lost if no handshake reaches the server, else 2500
			r.t.Errorf("%d packets are lost, so the server has not answered the handshakes", lost)
		}
		began := time.Now()
		for _, ws := range []bool{false, true} {
			p := r.join("Late", ws)
			p.until("the player is in the world", func(w *webcl.World) bool { return w.Self() != nil })
			if err := p.stop(); err != nil {
				r.t.Error(err)
			}
		}
		if took := time.Since(began); took > 5*time.Second {
			r.t.Errorf("two players needed %v to get in", took)
		}
		cancel()
		attempts.Wait()
	})
}
