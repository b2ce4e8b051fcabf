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

// Limits of connections. Without them idle sockets could use up the file descriptors that doors and files need.
const (
	maxConns        = 1024 // maximum number of open connections   guess: far more than the pages of all operators open
	maxConnsPerAddr = 128  // maximum number per address (IPv6: per /64), except loopback

	viewerReadBurst     = 4096 // bytes that the client of a live map may send at once
	viewerReadPerSecond = 512  // bytes a second that it may send after the burst; pongs take 131 bytes every 5 s
)

// limitedListener is a listener that limits concurrent connections and closes those beyond the limit.
type limitedListener struct {
	net.Listener
	maxConns, maxPerAddr int // open connections in total and per address; maxPerAddr 0 means no limit per address
	quota                quota[netip.Addr]
}

func newLimitedListener(l net.Listener, perAddr int) *limitedListener {
	return &limitedListener{Listener: l, maxConns: maxConns, maxPerAddr: perAddr}
}

// Accept returns the next connection within the limits and closes those beyond them.
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
	release     func()      // removes the connection from the counts; safe to call twice
	readLimited atomic.Bool // true for a live map, whose client may send few bytes

	used float64   // bytes of viewerReadBurst in use; accessed by Read only
	at   time.Time // time of the last update of used
}

// Close closes the connection and removes it from the counts.
func (c *limitedConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// CloseWrite lets net/http finish the response to a request that it did not read to the end.
func (c *limitedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

var errReadLimit = errors.New("live map client sent more bytes than allowed")

// Read closes a live map whose client sends more bytes than pongs need, because each ping costs the server an answer.
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

// limitedConnOf returns the limitedConn that a connection of net/http wraps, or nil if it wraps none.
func limitedConnOf(c net.Conn) *limitedConn {
	if encrypted, ok := c.(*tls.Conn); ok {
		c = encrypted.NetConn()
	}
	g, _ := c.(*limitedConn)
	return g
}
