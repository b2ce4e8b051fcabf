package rs

import (
	"context"
	"net"
	"sync"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/telemetry"
)

// Figures of the pipe to the cache server.
const (
	js5DialTimeout = 5 * time.Second
	js5IdleTimeout = 60 * time.Second // clients ask at least so often while they load, and keep the connection after that
	js5RefusedCode = 7                // "full": the client tries again later instead of asking for an update
)

// js5 is a connection that asks for the cache. This server has none: it goes to the operator's, byte for byte.
func (g *Gateway) proxyJS5(ctx context.Context, c net.Conn) {
	if g.opt.JS5Upstream == "" {
		g.door.Bad.With("js5").Inc()
		g.refuseConn(c, js5RefusedCode)
		return
	}
	up, err := g.dial(ctx, g.opt.JS5Upstream)
	if err != nil {
		g.door.Bad.With("js5_upstream").Inc()
		g.log.Warn("the cache server does not answer; the client cannot load", "upstream", g.opt.JS5Upstream, telemetry.FieldErr, err)
		g.refuseConn(c, js5RefusedCode)
		return
	}
	defer up.Close()
	stop := context.AfterFunc(ctx, func() { up.Close() })
	defer stop()
	_ = up.SetWriteDeadline(time.Now().Add(js5IdleTimeout))
	if _, err := up.Write([]byte{proto.RequestJS5}); err != nil {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { relay(up, c) })
	both.Go(func() { relay(c, up) })
	both.Wait()
}

func dialTCP(ctx context.Context, addr string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: js5DialTimeout}
	return dialer.DialContext(ctx, "tcp", addr)
}

// pipe copies until either side ends or nothing comes from both for a while, then ends both.
func relay(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	buf := make([]byte, 16<<10)
	_ = from.SetReadDeadline(time.Now().Add(js5IdleTimeout))
	for {
		n, err := from.Read(buf)
		if n > 0 {
			later := time.Now().Add(js5IdleTimeout)
			_ = from.SetReadDeadline(later)
			_ = to.SetDeadline(later) // whoever only listens is not idle
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
