package web_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
)

// handshake makes a QUIC connection to the server.
func (r *rig) handshake(ctx context.Context, conn net.PacketConn, timeout time.Duration) (*quic.Conn, error) {
	to := net.UDPAddrFromAddrPort(netip.AddrPortFrom(r.host.Addr(), r.gate.Addr().Port()))
	return quic.Dial(ctx, conn, to, &tls.Config{NextProtos: []string{"h3"}, InsecureSkipVerify: true}, &quic.Config{HandshakeIdleTimeout: timeout})
}

// A network opens 400 QUIC connections and sends nothing on them. When half of the places for connections that are not logged in are
// taken, each further one displaces the oldest of its network. Players of another network enter over QUIC and over TCP.
func TestSilentQUICConnectionsOfOneNetworkDisplaceEachOther(t *testing.T) {
	t.Parallel()
	const places, perNetwork = (16 + 1024) / 2, 256 // for connections that are not logged in; see gateway.NewPlaces
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
func TestQUICConnectionWithoutPlaceIsRefusedBeforeItsHandshake(t *testing.T) {
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
			if refused, ok := errors.AsType[*quic.TransportError](err); !ok || refused.ErrorCode != quic.ConnectionRefused || r.bad("full") == 0 { // each of its packets is counted
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
