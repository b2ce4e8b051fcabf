package web_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
)

// watchedConn is a client's UDP socket that counts bytes and Retry packets. A deaf socket discards what it receives, so the
// server never gets an answer, as from the owner of a forged address.
type watchedConn struct {
	net.PacketConn
	deaf             bool
	in, out, retries atomic.Int64
}

func (c *watchedConn) ReadFrom(b []byte) (int, net.Addr, error) {
	for {
		n, from, err := c.PacketConn.ReadFrom(b)
		if err != nil {
			return n, from, err
		}
		c.in.Add(int64(n))
		if n > 5 && b[0]&0xf0 == 0xf0 && string(b[1:5]) == "\x00\x00\x00\x01" { // RFC 9000, section 17.2.5: long header, type 3
			c.retries.Add(1)
		}
		if !c.deaf {
			return n, from, err
		}
	}
}

func (c *watchedConn) WriteTo(b []byte, to net.Addr) (int, error) {
	c.out.Add(int64(len(b)))
	return c.PacketConn.WriteTo(b, to)
}

// watch returns a socket of a new host. If the parameter deaf is true, the socket discards all received datagrams.
func (r *rig) watch(deaf bool) *watchedConn {
	r.t.Helper()
	o, _ := r.options("", false)
	conn, err := o.Listen()
	if err != nil {
		r.t.Fatal(err)
	}
	return &watchedConn{PacketConn: conn, deaf: deaf}
}

// handshake makes a QUIC connection to the server.
func (r *rig) handshake(ctx context.Context, conn net.PacketConn, timeout time.Duration) (*quic.Conn, error) {
	to := net.UDPAddrFromAddrPort(netip.AddrPortFrom(r.host.Addr(), r.gate.Addr().Port()))
	return quic.Dial(ctx, conn, to, &tls.Config{NextProtos: []string{"h3"}, InsecureSkipVerify: true}, &quic.Config{HandshakeIdleTimeout: timeout})
}

// Thirty addresses a second begin a handshake and do not complete it. That is less than the number of attempts per second from
// which the server demands a proof of the address, but 64 handshakes are soon unfinished. From then on the server answers with a
// Retry. No address is sent more than three times as many bytes as it has sent. When the attack ends, handshakes need no Retry
// again.
func TestServerSendsRetryWhile64HandshakesAreUnfinished(t *testing.T) {
	besideHonest(t, func(r *rig) {
		ctx, cancel := context.WithCancel(context.Background())
		var attempts sync.WaitGroup
		var attackers []*watchedConn
		for i := range 150 {
			c := r.watch(true)
			attackers = append(attackers, c)
			attempts.Go(func() {
				defer c.Close()
				if _, err := r.handshake(ctx, c, time.Hour); err == nil {
					r.t.Error("a handshake without answers has ended")
				}
			})
			time.Sleep(time.Second / 30)
			if got, want := c.retries.Load() > 0, i >= 64; got != want {
				r.t.Errorf("handshake %d: Retry %v, want %v", i+1, got, want)
			}
		}
		if r.bad("retry") == 0 {
			r.t.Error("no Retry is counted")
		}
		p := r.join("Late", false)
		p.until("the player is in the world", func(w *webcl.World) bool { return w.Self() != nil })
		if err := p.stop(); err != nil {
			r.t.Error(err)
		}
		time.Sleep(3 * time.Second)
		cancel()
		attempts.Wait()
		for i, c := range attackers {
			if in, out := c.in.Load(), c.out.Load(); in == 0 || in > 3*out {
				r.t.Errorf("address %d was sent %d bytes and has sent %d", i+1, in, out)
			}
		}
		time.Sleep(15 * time.Second) // the server gives up the handshakes
		c := r.watch(false)
		defer c.Close()
		conn, err := r.handshake(context.Background(), c, 5*time.Second)
		if err != nil || c.retries.Load() != 0 {
			r.t.Fatalf("after the attack: %v, %d Retry packets", err, c.retries.Load())
		}
		_ = conn.CloseWithError(0, "")
	})
}

// A network opens 400 QUIC connections and sends nothing on them. When half of the places for connections that are not logged in are
// taken, each further one displaces the oldest of its network. Players of another network enter over QUIC and over TCP.
func TestSilentQUICConnectionsOfOneNetworkDisplaceEachOther(t *testing.T) {
	t.Parallel()
	const places, perNetwork = (16 + 1024) / 2, 256 // limits of connections without a login: in total, and per network; see gateway.NewPlaces
	withServer(t, web.Options{MaxPlayers: 16}, netsim.Impairment{}, func(r *rig) {
		r.besideHonest(func() {
			var conns []*quic.Conn
			for i := range 40 {
				h := r.network.Host(fmt.Sprintf("203.0.113.%d", 100+i))
				for range 10 {
					socket, err := h.ListenPacket(":0")
					if err != nil {
						r.t.Fatal(err)
					}
					defer socket.Close()
					conn, err := r.handshake(context.Background(), socket, 5*time.Second)
					if err != nil {
						r.t.Fatal(err)
					}
					conns = append(conns, conn)
				}
			}
			time.Sleep(time.Second)
			open := 0
			for _, c := range conns {
				if c.Context().Err() == nil {
					open++
				}
			}
			if limit := max(places/2, perNetwork); open > limit || open < perNetwork || r.bad("gave_way") != uint64(len(conns)-open) {
				r.t.Errorf("%d of %d connections are open, want at most %d; %d are counted as displaced", open, len(conns), limit, r.bad("gave_way"))
			}
			other := r.network.Host("198.51.100.7")
			x := r.enterQUICFrom(other, quic.Config{})
			x.welcome()
			_ = x.s.CloseWithError(0, "")
			ws := r.at(other)
			defer ws.close()
			if !ws.enters() {
				r.t.Error("the player of another network was not admitted over WebSocket")
			}
			for _, c := range conns {
				_ = c.CloseWithError(0, "")
			}
		})
	})
}

// A connection that gets no place is refused with the answer to its first packet, before the handshake.
func TestQUICConnectionBeyondLimitIsRefusedBeforeHandshake(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{PerAddr: 2}, netsim.Impairment{}, func(r *rig) {
		r.besideHonest(func() {
			h := r.network.Host("198.51.100.7")
			var inside []*rawQUIC
			for range 2 {
				x := r.enterQUICFrom(h, quic.Config{})
				x.welcome()
				inside = append(inside, x)
			}
			_, _, err := r.dialQUIC(context.Background(), h, nil, quic.Config{})
			if refused, ok := errors.AsType[*quic.TransportError](err); !ok || refused.ErrorCode != quic.ConnectionRefused || r.bad("full") == 0 { // each packet of a refused connection is counted
				r.t.Errorf("the third connection of an address ends with %v, %d refusals counted; want CONNECTION_REFUSED", err, r.bad("full"))
			}
			_ = inside[0].s.CloseWithError(0, "")
			time.Sleep(time.Second)
			x := r.enterQUICFrom(h, quic.Config{})
			x.welcome()
			for _, x := range []*rawQUIC{x, inside[1]} {
				_ = x.s.CloseWithError(0, "")
			}
		})
	})
}
