package rs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// acceptUpstream connects the gateway to a cache server of the test. The channel yields the cache server's end of each
// connection.
func (srv *testServer) acceptUpstream() <-chan net.Conn {
	ends := make(chan net.Conn, 8)
	srv.gateway.dial = func(context.Context, string) (net.Conn, error) {
		here, there := net.Pipe()
		ends <- there
		return here, nil
	}
	return ends
}

// openConns returns the number of open connections of the gateway.
func (srv *testServer) openConns() int {
	srv.gateway.mu.Lock()
	defer srv.gateway.mu.Unlock()
	return len(srv.gateway.conns)
}

func TestCacheConnectionIsRelayedToCacheServer(t *testing.T) {
	withServer(t, slowVale(), Options{JS5Upstream: "cache:43594"}, func(srv *testServer) {
		ends := srv.acceptUpstream()
		c := srv.dial("192.0.2.1")
		ask, answer := bytes.Repeat([]byte{1, 0, 255, 7}, 10_000), bytes.Repeat([]byte("files"), 50_000)
		go c.Write(append([]byte{proto.RequestJS5}, ask...))
		up := <-ends
		got := make([]byte, 1+len(ask))
		if _, err := io.ReadFull(up, got); err != nil || got[0] != proto.RequestJS5 || !bytes.Equal(got[1:], ask) {
			t.Errorf("the cache server got other bytes: %v", err)
		}
		go up.Write(answer)
		got = make([]byte, len(answer))
		if _, err := io.ReadFull(c, got); err != nil || !bytes.Equal(got, answer) {
			t.Errorf("the client got other bytes: %v", err)
		}
		up.Close()
		if _, err := c.Read(got); err == nil {
			t.Error("the client's connection is open after the cache server closed its end")
		}
		srv.advance(time.Second)
		if n := srv.openConns(); n != 0 {
			t.Errorf("%d connections left", n)
		}
	})
}

func TestCacheConnectionIsRefusedWithoutCacheServer(t *testing.T) {
	for _, c := range []struct {
		desc, upstream string
		dial           func(context.Context, string) (net.Conn, error)
	}{
		{"none is configured", "", nil},
		{"it does not answer", "cache:1", func(context.Context, string) (net.Conn, error) { return nil, errors.New("refused") }},
	} {
		withServer(t, slowVale(), Options{JS5Upstream: c.upstream}, func(srv *testServer) {
			srv.gateway.dial = c.dial
			conn := srv.dial("192.0.2.1")
			go conn.Write([]byte{proto.RequestJS5, 0, 0, 2, 155})
			if got, err := io.ReadAll(conn); err != nil || !bytes.Equal(got, []byte{js5RefusedCode}) {
				t.Errorf("%s: %v, %v", c.desc, got, err)
			}
		})
	}
}

// The connection stays open if only one side is idle, because a client that downloads a large file sends nothing for a long time.
func TestCacheConnectionClosesWhenBothSidesAreIdle(t *testing.T) {
	withServer(t, slowVale(), Options{JS5Upstream: "cache:43594"}, func(srv *testServer) {
		ends := srv.acceptUpstream()
		c := srv.dial("192.0.2.1")
		go c.Write([]byte{proto.RequestJS5})
		up := <-ends
		go io.Copy(io.Discard, up)
		go io.Copy(io.Discard, c)
		for range 5 {
			srv.advance(js5IdleTimeout * 3 / 4)
			up.Write([]byte("some of a file"))
		}
		if srv.openConns() != 1 {
			t.Error("closed while the cache server was sending")
		}
		srv.advance(js5IdleTimeout + time.Second)
		if srv.openConns() != 0 {
			t.Error("open although both sides are idle")
		}
	})
}

func TestStalledCacheServerLeaksNoConnections(t *testing.T) {
	withServer(t, slowVale(), Options{JS5Upstream: "cache:43594"}, func(srv *testServer) {
		ends := srv.acceptUpstream()
		var ups []net.Conn
		for range 5 {
			c := srv.dial("192.0.2.1")
			go c.Write(append([]byte{proto.RequestJS5}, make([]byte, 100_000)...))
			go io.Copy(io.Discard, c)
			ups = append(ups, <-ends)
		}
		srv.advance(2*js5IdleTimeout + time.Second)
		if n := srv.openConns(); n != 0 {
			t.Errorf("%d connections are still open", n)
		}
		for _, up := range ups {
			if _, err := io.Copy(io.Discard, up); err != nil {
				t.Error(err)
			}
		}
	})
}

// The server stops while clients download cache files. withServer fails the test if the stop hangs.
func TestCacheConnectionsCloseWhenServerStops(t *testing.T) {
	withServer(t, slowVale(), Options{JS5Upstream: "cache:43594"}, func(srv *testServer) {
		ends := srv.acceptUpstream()
		c := srv.dial("192.0.2.1")
		go c.Write([]byte{proto.RequestJS5})
		<-ends
		srv.advance(time.Second)
	})
}
