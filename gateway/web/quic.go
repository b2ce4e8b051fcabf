package web

import (
	"fmt"
	"net"
	"os"
)

// serveQUIC serves WebTransport on the UDP socket until the server is closed. quic-go asks the kernel for segmentation, congestion marks and
// packet information of a *net.UDPConn by itself.
func (g *Gateway) serveQUIC() error {
	conn, ok := g.opt.UDP.(net.PacketConn)
	if !ok {
		return fmt.Errorf("web: the UDP socket is a %T, which is no net.PacketConn", g.opt.UDP)
	}
	// quic-go would print advice on the kernel's buffers to standard error, past the log.
	_ = os.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true")
	return g.quic.Serve(conn)
}
