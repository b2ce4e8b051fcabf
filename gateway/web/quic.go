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

// provenAbove is the number of unfinished handshakes, and of connection attempts per second, above which a client must first prove
// that it receives packets at its source address (QUIC Retry). Floods with forged addresses then fail at this proof, so they
// occupy at most this number of handshakes and of places (see admitQUIC).
const provenAbove = 64

// errQUICFull is the error with which admitQUIC refuses a connection.
var errQUICFull = errors.New("the door has the maximum number of connections")

// serveQUIC serves WebTransport on the UDP socket until closeHTTP is called. If the socket is a *net.UDPConn, quic-go itself
// enables the kernel's segmentation, congestion marks and packet information.
func (g *Gateway) serveQUIC() error {
	conn, ok := g.opt.UDP.(net.PacketConn)
	if !ok {
		return fmt.Errorf("web: the UDP socket of type %T cannot serve WebTransport, because it is not a net.PacketConn", g.opt.UDP)
	}
	// Without this variable, quic-go prints advice about the kernel's buffers to standard error instead of the server's log.
	_ = os.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true")
	transport := &quic.Transport{Conn: conn, VerifySourceAddress: g.mustProveAddress, ConnContext: g.admitQUIC}
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
		served.Go(func() { quicConnOf(c.Context()).awaitHandshake(c) })
	}
}

// mustProveAddress reports whether a client that begins a handshake must first prove that it receives packets at its address.
func (g *Gateway) mustProveAddress(net.Addr) bool {
	often := g.attempts.exceeds(provenAbove, time.Now())
	if !often && g.handshakes.Load() < provenAbove {
		return false
	}
	g.door.Bad.With("retry").Inc()
	return true
}

// quicConn is a QUIC connection from its first packet on. It has a place (admission.Places), because the number of the door's
// connections is limited.
type quicConn struct {
	g     *Gateway
	place *admission.Place
	once  sync.Once // runs endHandshake once

	mu        sync.Mutex
	conn      *quic.Conn // nil until the server can close the connection
	displaced bool       // a newer connection has got the place
}

// quicConnKey is the key of the *quicConn in the context of a QUIC connection and of its requests.
type quicConnKey struct{}

// quicConnOf returns the connection that is stored in the context of a QUIC connection or of a request on that connection.
func quicConnOf(ctx context.Context) *quicConn {
	c, _ := ctx.Value(quicConnKey{}).(*quicConn)
	return c
}

// admitQUIC takes a place for a new connection. QUIC calls it for the first packet of the connection, before it starts goroutines and
// before it answers. If admitQUIC returns an error, the connection is refused, and costs nothing further. The parameter ctx ends with
// the connection.
func (g *Gateway) admitQUIC(ctx context.Context, info *quic.ClientInfo) (context.Context, error) {
	at, _ := netip.ParseAddrPort(info.RemoteAddr.String()) // a zero address on an error, which no socket causes
	if g.handshakes.Load() >= int64(g.opt.MaxPlayers+spareConns) {
		g.door.Bad.With("full").Inc() // a connection that was displaced during its handshake counts until the handshake ends
		return nil, errQUICFull
	}
	c := &quicConn{g: g}
	place, ok := g.places.Enter(at.Addr().Unmap(), c.giveWay)
	if !ok {
		g.door.Bad.With("full").Inc()
		return nil, errQUICFull
	}
	c.place = place
	g.handshakes.Add(1)
	context.AfterFunc(ctx, func() {
		c.endHandshake()
		place.Leave()
	})
	return context.WithValue(ctx, quicConnKey{}, c), nil
}

// endHandshake records that the handshake is finished or has failed.
func (c *quicConn) endHandshake() {
	c.once.Do(func() { c.g.handshakes.Add(-1) })
}

// awaitHandshake waits for the end of the handshake.
func (c *quicConn) awaitHandshake(q *quic.Conn) {
	select {
	case <-q.HandshakeComplete():
		c.endHandshake()
	case <-q.Context().Done(): // admitQUIC has arranged the call of endHandshake
	}
}

// giveWay closes the connection because a newer connection has got its place. A connection that cannot be closed yet is
// closed by serveQUICConn after the handshake, or at the time limit of the handshake.
func (c *quicConn) giveWay() {
	c.g.door.Bad.With("gave_way").Inc()
	c.mu.Lock()
	q := c.conn
	c.displaced = true
	c.mu.Unlock()
	if q != nil {
		go func() { _ = q.CloseWithError(0, "") }() // CloseWithError waits until the goroutine of the connection has ended
	}
}

// open stores q, so that the connection can be closed from now on. It returns false if the connection has lost its place.
func (c *quicConn) open(q *quic.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = q
	return !c.displaced
}

// serveQUICConn serves one QUIC connection until it ends.
func (g *Gateway) serveQUICConn(q *quic.Conn) {
	defer gateway.RecoverPanic(g.door, g.log)
	if !quicConnOf(q.Context()).open(q) {
		_ = q.CloseWithError(0, "")
		return
	}
	if err := g.quic.ServeQUICConn(q); err != nil && !errors.Is(err, http.ErrServerClosed) {
		g.log.Debug("a QUIC connection ended", telemetry.FieldErr, err)
	}
}

// attemptRate counts connection attempts in the current second. Its methods are safe for concurrent use.
type attemptRate struct {
	mu     sync.Mutex
	second int64
	n      int
}

// exceeds counts an attempt. It returns true if there have been more than limit attempts in the current second.
func (a *attemptRate) exceeds(limit int, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s := now.Unix(); s != a.second {
		a.second, a.n = s, 0
	}
	a.n++
	return a.n > limit
}
