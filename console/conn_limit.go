package console

import (
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of connections. Without them whoever opens sockets and says nothing would take the descriptors that the doors
// and the files of the game need.
const (
	maxConns        = 1024 // connections at once  guess: 200 live maps and as many pages with six each would not fit, nobody has them
	maxConnsPerAddr = 128  // of them from one address (IPv6: one /64), loopback apart

	viewerReadBurst     = 4096 // bytes that a viewer of a live map may send at once...
	viewerReadPerSecond = 512  // ...and then per second: pongs of 131 bytes every 5 s are what he has to say
)

// limitedListener is a listener that lets in only so many at once, and closes the connections of others.
type limitedListener struct {
	net.Listener
	maxConns, maxPerAddr int // perAddr 0: as many as most
	quota                quota[netip.Addr]
}

func newLimitedListener(l net.Listener, perAddr int) *limitedListener {
	return &limitedListener{Listener: l, maxConns: maxConns, maxPerAddr: perAddr}
}

// Accept returns the next guest for whom there is room.
func (g *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		addr := clientNetwork(c.RemoteAddr().String())
		if g.admit(addr) {
			return &limitedConn{Conn: c, release: sync.OnceFunc(func() { g.quota.release(addr) })}, nil
		}
		c.Close()
	}
}

func (g *limitedListener) admit(addr netip.Addr) bool {
	each := g.maxPerAddr
	if each == 0 || addr.IsLoopback() {
		each = g.maxConns
	}
	return g.quota.acquire(addr, g.maxConns, each)
}

// limitedConn is a connection.
type limitedConn struct {
	net.Conn
	release     func()      // once
	readLimited atomic.Bool // it is a live map's, which has next to nothing to say

	used float64   // bytes of listensBurst; of the one who reads
	at   time.Time // when spent was true
}

// Close closes it and makes room.
func (c *limitedConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// CloseWrite lets net/http end an answer whose request was not read to its end.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

var errReadLimit = errors.New("a live map is not spoken to")

// Read reads, and ends the connection of a viewer who says more than a viewer has to: each ping of his would cost an answer.
func (c *limitedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && c.readLimited.Load() && !c.allowBytes(n, time.Now()) {
		c.Close()
		return 0, errReadLimit
	}
	return n, err
}

func (c *limitedConn) allowBytes(n int, now time.Time) bool {
	c.used = max(c.used-max(now.Sub(c.at).Seconds(), 0)*viewerReadPerSecond, 0) + float64(n)
	c.at = now
	return c.used <= viewerReadBurst
}

// limitedConnOf is the guest behind a connection of net/http, nil if there is none.
func limitedConnOf(c net.Conn) *limitedConn {
	if encrypted, ok := c.(*tls.Conn); ok {
		c = encrypted.NetConn()
	}
	g, _ := c.(*limitedConn)
	return g
}
