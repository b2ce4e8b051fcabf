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
	maxGuests        = 1024 // connections at once  guess: 200 live maps and as many pages with six each would not fit, nobody has them
	maxGuestsPerAddr = 128  // of them from one address (IPv6: one /64), loopback apart

	listensBurst  = 4096 // bytes that a viewer of a live map may send at once...
	listensSecond = 512  // ...and then per second: pongs of 131 bytes every 5 s are what he has to say
)

// guests is a listener that lets in only so many at once, and closes the connections of others.
type guests struct {
	net.Listener
	most, perAddr int // perAddr 0: as many as most
	seats         seats[netip.Addr]
}

func newGuests(l net.Listener, perAddr int) *guests {
	return &guests{Listener: l, most: maxGuests, perAddr: perAddr}
}

// Accept returns the next guest for whom there is room.
func (g *guests) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		addr := customer(c.RemoteAddr().String())
		if g.enter(addr) {
			return &guest{Conn: c, left: sync.OnceFunc(func() { g.seats.leave(addr) })}, nil
		}
		c.Close()
	}
}

func (g *guests) enter(addr netip.Addr) bool {
	each := g.perAddr
	if each == 0 || addr.IsLoopback() {
		each = g.most
	}
	return g.seats.take(addr, g.most, each)
}

// guest is a connection.
type guest struct {
	net.Conn
	left    func()      // once
	listens atomic.Bool // it is a live map's, which has next to nothing to say

	spent float64   // bytes of listensBurst; of the one who reads
	at    time.Time // when spent was true
}

// Close closes it and makes room.
func (c *guest) Close() error {
	c.left()
	return c.Conn.Close()
}

// CloseWrite lets net/http end an answer whose request was not read to its end.
func (c *guest) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

var errTalksTooMuch = errors.New("a live map is not spoken to")

// Read reads, and ends the connection of a viewer who says more than a viewer has to: each ping of his would cost an answer.
func (c *guest) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && c.listens.Load() && !c.granted(n, time.Now()) {
		c.Close()
		return 0, errTalksTooMuch
	}
	return n, err
}

func (c *guest) granted(n int, now time.Time) bool {
	c.spent = max(c.spent-max(now.Sub(c.at).Seconds(), 0)*listensSecond, 0) + float64(n)
	c.at = now
	return c.spent <= listensBurst
}

// guestOf is the guest behind a connection of net/http, nil if there is none.
func guestOf(c net.Conn) *guest {
	if encrypted, ok := c.(*tls.Conn); ok {
		c = encrypted.NetConn()
	}
	g, _ := c.(*guest)
	return g
}
