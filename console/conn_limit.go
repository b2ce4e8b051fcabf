package console

import (
	"crypto/tls"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/admission"
)

// Limits of the connections to the console. Without them, idle sockets could use up the file descriptors that doors and files
// need. A connection is waiting until an operator has sent a valid token or login over it. Waiting connections may use at most
// three quarters of the maximum, and newer ones displace older ones. The remaining quarter suffices for DefaultMaxViewers live
// maps.
const (
	DefaultMaxConns   = 1024 // default of Options.MaxConns; chosen to be far more connections than the pages of all operators open
	maxConnsPerAddr   = 128  // maximum number of connections per address (IPv6: per /64), except loopback
	waitingPerAddr    = 64   // maximum waiting connections per address, except loopback
	waitingPerNetwork = 128  // maximum waiting connections per network, except loopback

	viewerReadPerSecond = 512  // sustained bytes per second from the client of a live map; pongs take 131 bytes every 5 s
	pastReadPerSecond   = 4096 // maximum bytes per second from the client of a recording, which sends commands
	readBurst           = 8    // maximum burst of a client, as the number of seconds in which its rate allows as many bytes
)

// limitedListener wraps the connections of an admission.Listener as *limitedConn.
type limitedListener struct{ *admission.Listener }

func newLimitedListener(l net.Listener, limits admission.PlaceLimits, gate *admission.Gate) *limitedListener {
	return &limitedListener{&admission.Listener{Listener: l, Places: admission.NewPlaces("console", limits, gate)}}
}

// placeLimits returns the limits of connections. Behind a proxy all clients have one address, so there are no limits per address.
func placeLimits(conns int, proxied bool) admission.PlaceLimits {
	l := admission.PlaceLimits{Connections: conns, Waiting: conns - conns/4}
	if !proxied {
		l.PerAddr, l.WaitingPerAddr, l.WaitingPerNetwork = maxConnsPerAddr, waitingPerAddr, waitingPerNetwork
	}
	return l
}

// Accept returns the next connection that gets a place, as a *limitedConn.
func (g *limitedListener) Accept() (net.Conn, error) {
	c, err := g.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &limitedConn{Conn: c.(*admission.Conn)}, nil
}

// limitedConn is a connection to the console. The rate at which its client may send can be limited.
type limitedConn struct {
	*admission.Conn
	readLimit atomic.Int32 // bytes per second that the client of a map may send; 0 means no limit

	used float64   // bytes of the read burst that are used up; accessed by Read only
	at   time.Time // time of the last update of used
}

var errReadLimit = errors.New("the client of a live or recorded map sent more bytes than its rate limit allows")

// Read reads from the connection. The client of a map may send only pongs and commands, and Read closes the connection if it
// sends more bytes than these need. Without this limit, a flood of pings could keep the server busy, because it must answer each
// one.
func (c *limitedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if limit := c.readLimit.Load(); n > 0 && limit > 0 && !c.allowBytes(n, float64(limit), time.Now()) {
		c.Close()
		return 0, errReadLimit
	}
	return n, err
}

func (c *limitedConn) allowBytes(n int, perSecond float64, now time.Time) bool {
	c.used = max(c.used-max(now.Sub(c.at).Seconds(), 0)*perSecond, 0) + float64(n)
	c.at = now
	return c.used <= readBurst*perSecond
}

// limitedConnOf returns the limitedConn inside a connection of net/http, or nil if there is none.
func limitedConnOf(c net.Conn) *limitedConn {
	if encrypted, ok := c.(*tls.Conn); ok {
		c = encrypted.NetConn()
	}
	g, _ := c.(*limitedConn)
	return g
}
