package admission

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
)

// Listener is a TCP listener that obtains a Place for each connection, which limits the number of connections. It closes
// connections that get no place, and connections whose place is given to a newer one.
type Listener struct {
	net.Listener
	Places *Places // counts and limits the connections
}

// Accept returns the next connection that has got a place. The type of the connection is *Conn.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if place, ok := l.Places.EnterConn(c, func() { c.Close() }); ok {
			return &Conn{Conn: c, Place: place}, nil
		}
		c.Close()
	}
}

// Conn is a connection that a Listener has accepted. It holds one of the limited places for connections.
type Conn struct {
	net.Conn
	Place *Place      // the connection's entry in Listener.Places
	spoke atomic.Bool // true after the first bytes from the client have been read
}

// Read reads from the connection. The first bytes from the client count as its first message: from then on the connection is
// displaced only after connections that have sent nothing.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !c.spoke.Swap(true) {
		c.Place.MarkMessageReceived()
	}
	return n, err
}

// Close closes the connection and releases its place.
func (c *Conn) Close() error {
	c.Place.Leave()
	return c.Conn.Close()
}

// CloseWrite closes the sending direction. net/http calls it after answering a request whose body it has not read
// completely.
func (c *Conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// IsLoopbackHost reports whether the Host header of a request, with or without a port, is localhost or a loopback address. A
// server on a loopback address must refuse requests with any other host: otherwise any web page whose host name resolves to
// 127.0.0.1 can read from the server (DNS rebinding).
func IsLoopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}
