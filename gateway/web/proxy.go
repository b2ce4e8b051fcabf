package web

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/admission"
)

// A reverse proxy on the server's own machine passes the requests of browsers on (Options.Public names the address at which they reach it).
// It is known by its loopback address, and the last element of X-Forwarded-For, which it adds itself, is the address of the browser.

// peerAddr returns the address of the client of a request.
func (g *Gateway) peerAddr(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr) // a zero address on an error, which no socket causes
	if browser := g.forwardedAddr(r, at.Addr()); browser.IsValid() {
		return browser
	}
	return at.Addr().Unmap()
}

// forwardedAddr returns the address for which a proxy asks, the zero value if the request does not come from a proxy.
func (g *Gateway) forwardedAddr(r *http.Request, peer netip.Addr) netip.Addr {
	if g.opt.Public == nil || !peer.Unmap().IsLoopback() {
		return netip.Addr{}
	}
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	last := strings.TrimSpace(list[len(list)-1])
	addr, _ := netip.ParseAddr(strings.Trim(last, "[]"))
	return addr.Unmap()
}

// isSecure reports whether nobody on the way of a request can read it: it came over HTTPS, to the proxy or to this server, or does not
// leave the machine.
func (g *Gateway) isSecure(r *http.Request) bool {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	switch {
	case r.TLS != nil:
		return true
	case g.isForwarded(r):
		return g.opt.Public.Scheme == "https"
	}
	return at.Addr().Unmap().IsLoopback()
}

// isForwarded reports whether a proxy passes the request on.
func (g *Gateway) isForwarded(r *http.Request) bool {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return g.forwardedAddr(r, at.Addr()).IsValid()
}

// wsURL returns the address of the WebSocket as the client of a request reaches it.
func (g *Gateway) wsURL(r *http.Request) string {
	host, secure := r.Host, r.TLS != nil
	if g.isForwarded(r) {
		host, secure = g.opt.Public.Host, g.opt.Public.Scheme == "https"
	}
	if secure {
		return "wss://" + host + pathWS
	}
	return "ws://" + host + pathWS
}

// wtAddress returns the address of WebTransport, nil if the door has none. A proxy does not pass datagrams on: they go to the port of
// the door itself.
func (g *Gateway) wtAddress(r *http.Request) *wtAddress {
	if g.quic == nil {
		return nil
	}
	host := r.Host
	if g.isForwarded(r) {
		at, _ := g.opt.UDP.LocalAddr().(*net.UDPAddr) // as gateway.Conn says
		host = net.JoinHostPort(g.opt.Public.Hostname(), strconv.Itoa(at.Port))
	}
	if admission.IsLoopbackHost(host) && portOf(host) == "" {
		return nil
	}
	u := url.URL{Scheme: "https", Host: host, Path: pathWT}
	if strings.EqualFold(u.Hostname(), "localhost") { // a browser may resolve it to ::1, where no UDP socket may be bound
		u.Host = "127.0.0.1:" + u.Port()
	}
	return &wtAddress{URL: u.String(), Hashes: g.certs.hashes()}
}
