package web

import (
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/admission"
)

// The functions of this file find out how a request has reached the server: directly from the client, or through a reverse proxy.
// Options.Public is the URL under which browsers know the proxy. The proxy must run on the server's own machine and append the
// browser's address as the last element of the header X-Forwarded-For. In requests from other machines, this header is ignored,
// because any client can send it.

// peerAddr returns the address of the client that has sent a request, also if a proxy has forwarded the request.
func (g *Gateway) peerAddr(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr) // a zero address on an error, which no socket causes
	if browser := g.forwardedAddr(r, at.Addr()); browser.IsValid() {
		return browser
	}
	return at.Addr().Unmap()
}

// forwardedAddr returns the address of the client if a proxy has forwarded the request, otherwise the zero value. The parameter
// peer is the address from which the request has arrived.
func (g *Gateway) forwardedAddr(r *http.Request, peer netip.Addr) netip.Addr {
	if g.opt.Public == nil || !peer.Unmap().IsLoopback() {
		return netip.Addr{}
	}
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	last := strings.TrimSpace(list[len(list)-1])
	addr, _ := netip.ParseAddr(strings.Trim(last, "[]"))
	return addr.Unmap()
}

// isSecure reports whether a request was encrypted on every network that it has crossed. This is so if the client has used HTTPS,
// to the proxy or to this server, or if the client runs on the server's machine.
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

// isForwarded reports whether a proxy has forwarded the request.
func (g *Gateway) isForwarded(r *http.Request) bool {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return g.forwardedAddr(r, at.Addr()).IsValid()
}

// hostOf returns the host under which the client that has sent a request knows this server, and whether the client has used HTTPS.
func (g *Gateway) hostOf(r *http.Request) (host string, secure bool) {
	if g.isForwarded(r) {
		return g.opt.Public.Host, g.opt.Public.Scheme == "https"
	}
	return r.Host, r.TLS != nil
}

// otherNodes returns the nodes of the cluster without the one that the client has sent a request to. Their order is random, so that
// the clients of a node that ends, which ask them in this order, spread over all of them.
func (g *Gateway) otherNodes(r *http.Request) (list []string) {
	host, _ := g.hostOf(r)
	for _, n := range g.opt.Nodes {
		if u := parseOrigin(n); u != nil && !strings.EqualFold(u.Host, host) {
			list = append(list, n)
		}
	}
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// wsURL returns the URL of the WebSocket endpoint for the client that has sent a request.
func (g *Gateway) wsURL(r *http.Request) string {
	host, secure := g.hostOf(r)
	if secure {
		return "wss://" + host + pathWS
	}
	return "ws://" + host + pathWS
}

// wtAddress returns the address at which the client that has sent a request can use WebTransport, or nil if it cannot. Behind a
// proxy, the host is the proxy's, but the port is that of the door's own UDP socket, because a proxy does not forward datagrams.
func (g *Gateway) wtAddress(r *http.Request) *wtAddress {
	if g.quic == nil {
		return nil
	}
	host := r.Host
	if g.isForwarded(r) {
		at, _ := g.opt.UDP.LocalAddr().(*net.UDPAddr) // gateway.Conn guarantees this type
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
