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

// Bounds of connections. Without them idle sockets could use up the file descriptors that doors and files need.
const (
	maxConns        = 1024 // connections at once  guess: far more than the pages of all operators open
	maxConnsPerAddr = 128  // of them per address (IPv6: per /64), except loopback

	viewerReadBurst     = 4096 // bytes that a viewer of a live map may send at once...
	viewerReadPerSecond = 512  // ...and then per second; it only needs to send pongs of 131 bytes every 5 s
)

// limitedListener is a listener that limits concurrent connections and closes those beyond the limit.
type limitedListener struct {
	net.Listener
	maxConns, maxPerAddr int // perAddr 0: as many as most
	quota                quota[netip.Addr]
}

func newLimitedListener(l net.Listener, perAddr int) *limitedListener {
	return &limitedListener{Listener: l, maxConns: maxConns, maxPerAddr: perAddr}
}

// Accept returns the next connection for which there is room.
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

// limitedConn is a connection of a limitedListener.
type limitedConn struct {
	net.Conn
	release     func()      // frees its place; safe to call twice
	readLimited atomic.Bool // set for live maps: limits the bytes that the client may send

	used float64   // bytes of viewerReadBurst; used by Read only
	at   time.Time // when used was updated
}

// Close closes the connection and frees its place.
func (c *limitedConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// CloseWrite lets net/http finish an answer to a request that it did not read to the end.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

var errReadLimit = errors.New("the client of a live map sent too much")

// Read closes the connection of a viewer that sends more than viewers need to: each ping would cost an answer.
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

// limitedConnOf returns the limitedConn under a connection of net/http, nil if there is none.
func limitedConnOf(c net.Conn) *limitedConn {
	if encrypted, ok := c.(*tls.Conn); ok {
		c = encrypted.NetConn()
	}
	g, _ := c.(*limitedConn)
	return g
}
