package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/quic-go/quic-go"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/telemetry"
)

// provenAbove is the number of connection attempts per second above which a client must first prove that it receives packets at
// its source address (QUIC Retry). Floods with forged addresses then fail at this proof.
const provenAbove = 64

// serveQUIC serves WebTransport on the UDP socket until closeHTTP is called. If the socket is a *net.UDPConn, quic-go itself
// enables the kernel's segmentation, congestion marks and packet information.
func (g *Gateway) serveQUIC() error {
	conn, ok := g.opt.UDP.(net.PacketConn)
	if !ok {
		return fmt.Errorf("web: the UDP socket of type %T cannot serve WebTransport, because it is not a net.PacketConn", g.opt.UDP)
	}
	// Without this variable, quic-go prints advice about the kernel's buffers to standard error instead of the server's log.
	_ = os.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true")
	var attempts attemptRate
	transport := &quic.Transport{Conn: conn, VerifySourceAddress: func(net.Addr) bool { return attempts.exceeds(provenAbove, time.Now()) }}
	defer transport.Close()
	h3 := g.quic.H3
	listener, err := transport.ListenEarly(h3.TLSConfig, h3.QUICConfig)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(g.closed, func() { _ = listener.Close() })
	defer stop()
	var served sync.WaitGroup
	defer served.Wait()
	for {
		c, err := listener.Accept(g.closed)
		if err != nil {
			return err
		}
		served.Go(func() { g.serveQUICConn(c) })
	}
}

// serveQUICConn serves one QUIC connection. It needs a place, because the number of the door's connections is limited
// (admission.Places). If no place is free, serveQUICConn closes the connection.
func (g *Gateway) serveQUICConn(c *quic.Conn) {
	defer gateway.RecoverPanic(g.door, g.log)
	at, _ := netip.ParseAddrPort(c.RemoteAddr().String()) // a zero address on an error, which no socket causes
	place, ok := g.places.Enter(at.Addr().Unmap(), func() {
		g.door.Bad.With("gave_way").Inc()
		_ = c.CloseWithError(0, "")
	})
	if !ok {
		g.door.Bad.With("full").Inc()
		_ = c.CloseWithError(0, "")
		return
	}
	defer place.Leave()
	g.quicPlaces.Store(c.RemoteAddr().String(), place)
	defer g.quicPlaces.Delete(c.RemoteAddr().String())
	if err := g.quic.ServeQUICConn(c); err != nil && !errors.Is(err, http.ErrServerClosed) {
		g.log.Debug("a QUIC connection ended", telemetry.FieldErr, err)
	}
}

// quicPlace returns the admission.Place of the QUIC connection on which the request r has arrived. It returns nil if the
// connection has no place.
func (g *Gateway) quicPlace(r *http.Request) *admission.Place {
	place, ok := g.quicPlaces.Load(r.RemoteAddr)
	if !ok {
		return nil
	}
	return place.(*admission.Place)
}

// attemptRate counts connection attempts in the current second. Its methods are safe for concurrent use.
type attemptRate struct {
	mu     sync.Mutex
	second int64
	n      int
}

// exceeds counts an attempt and reports whether there were more than limit in the current second.
func (a *attemptRate) exceeds(limit int, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := now.Unix(); s != a.second {
		a.second, a.n = s, 0
	}
	a.n++
	return a.n > limit
}
