package admission

import (
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
)

// Listener is a TCP listener whose connections have places; it closes those that have none. Connections that give way are
// closed as well.
type Listener struct {
	net.Listener
	Places *Places
}

// Accept returns the next connection that has a place, a *Conn.
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

// Conn is a connection of a Listener.
type Conn struct {
	net.Conn
	Place *Place
	spoke atomic.Bool // the client has sent something
}

// Read reads from the connection. The first bytes are the client's first message.
func (c *Conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !c.spoke.Swap(true) {
		c.Place.Spoke()
	}
	return n, err
}

// Close closes the connection and gives its place back.
func (c *Conn) Close() error {
	c.Place.Leave()
	return c.Conn.Close()
}

// CloseWrite shuts the sending side down. net/http uses it to finish the answer to a request that it did not read to its end.
func (c *Conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// IsLoopbackHost reports whether the Host header of a request, with or without a port, names this machine. A server on a
// loopback address that answers to other names can be read by any web page: the page's name may resolve to 127.0.0.1 (DNS
// rebinding).
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
