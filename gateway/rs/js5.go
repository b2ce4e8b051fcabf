package rs

import (
	"context"
	"net"
	"sync"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/telemetry"
)

// Limits of a connection that is relayed to the cache server (JS5).
const (
	js5DialTimeout = 5 * time.Second  // maximum time to connect to the cache server
	js5IdleTimeout = 60 * time.Second // time without traffic after which a cache connection is closed; clients that load files send more often
	js5RefusedCode = 7                // response "full", after which the client tries again later; after any other code the client demands an update
)

// proxyJS5 relays a client's cache connection: it copies bytes between the client, which downloads cache files, and the
// operator's cache server. This server itself has no cache files.
func (g *Gateway) proxyJS5(ctx context.Context, c net.Conn) {
	if g.opt.JS5Upstream == "" {
		g.door.Bad.With("js5").Inc()
		g.refuseConn(c, js5RefusedCode)
		return
	}
	up, err := g.dial(ctx, g.opt.JS5Upstream)
	if err != nil {
		g.door.Bad.With("js5_upstream").Inc()
		g.log.Warn("cannot reach the cache server of --rs-js5-upstream; client refused", "upstream", g.opt.JS5Upstream, telemetry.FieldErr, err)
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

// relay copies bytes in one direction between two connections, until one side closes its connection or both sides have been idle
// for js5IdleTimeout. It then closes both connections.
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
			_ = to.SetDeadline(later) // the receiving side is not idle either
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
