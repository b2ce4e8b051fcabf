package rs

import (
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/logbuf"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/telemetry"
)

func TestConnectionsBeyondLimitsAreRefused(t *testing.T) {
	for _, c := range []struct {
		desc   string
		o      Options
		from   []string
		served []bool // by connection: whether it is open after all have connected; a new connection displaces the oldest
	}{
		{"per address", Options{ConnsPerAddr: 2, MaxWaiting: 4}, []string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"}, []bool{false, true, true, true}},
		{"an IPv6 subscriber has a /64", Options{ConnsPerAddr: 1, MaxWaiting: 2}, []string{"2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"}, []bool{false, true, true}},
		{"IPv4 in IPv6 is IPv4", Options{ConnsPerAddr: 1, MaxWaiting: 2}, []string{"192.0.2.1", "::ffff:192.0.2.1"}, []bool{false, true}},
		{"loopback is not limited", Options{ConnsPerAddr: 1}, []string{"127.0.0.1", "127.0.0.1", "::1", "::1"}, []bool{true, true, true, true}},
		{"loopback is limited with LimitLoopback", Options{ConnsPerAddr: 1, MaxWaiting: 2, LimitLoopback: true}, []string{"127.0.0.1", "127.0.0.1"}, []bool{false, true}},
		{"not while there are places", Options{ConnsPerAddr: 1}, []string{"192.0.2.1", "192.0.2.1"}, []bool{true, true}},
		{"in total", Options{MaxConns: 2}, []string{"127.0.0.1", "192.0.2.1", "192.0.3.1"}, []bool{false, true, true}},
	} {
		withServer(t, slowVale(), c.o, func(srv *testServer) {
			var conns []net.Conn
			for _, from := range c.from {
				conn := srv.dial(from)
				defer conn.Close()
				conns = append(conns, conn)
				srv.advance(time.Millisecond)
			}
			for i, conn := range conns {
				conn.SetDeadline(time.Now().Add(time.Second))
				conn.Write([]byte{proto.RequestLogin})
				_, err := conn.Read(make([]byte, 1))
				if served := err == nil; served != c.served[i] {
					t.Errorf("%s: connection %d from %s: served %v", c.desc, i, c.from[i], served)
				}
			}
		})
	}
}

func TestConnectionSlotIsFreedWhenConnectionEnds(t *testing.T) {
	withServer(t, slowVale(), Options{MaxConns: 3, ConnsPerAddr: 3}, func(srv *testServer) {
		for range 50 {
			conn := srv.dial("192.0.2.1")
			conn.Write([]byte{proto.RequestLogin})
			conn.Close()
			srv.advance(time.Millisecond)
		}
		var silent []io.Closer
		for range 3 {
			silent = append(silent, srv.dial("192.0.2.1"))
		}
		srv.advance(handshakeTimeout + time.Second)
		if n := srv.openConns(); n != 0 {
			t.Errorf("%d silent connections are still open", n)
		}
		if n := srv.gateway.places.Stats().Waiting; n != 0 {
			t.Errorf("%d places are still taken", n)
		}
		for _, c := range silent {
			c.Close()
		}
	})
}

func TestPasswordsAreNotLoggedOrExported(t *testing.T) {
	const password = "Tr0ub4dor&3"
	var log logbuf.Buffer
	metrics := telemetry.New()
	o := Options{Register: true, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), Metrics: metrics}
	withServer(t, nil, o, func(srv *testServer) {
		c := srv.startLogin("Ada", password, false)
		srv.advanceCycles(2)
		c.checkNoError()
		srv.loginCode("192.0.2.1", srv.request("Ada", password+"x", false))
		srv.loginCode("192.0.2.1", srv.request("TheKing", password, false))
		c.conn.Close()
		srv.advance(time.Second)
		c.redial(password, true)
		srv.advanceCycles(2)
		if c.code != proto.ResponseReconnect {
			t.Errorf("answered %d", c.code)
		}
	})
	page := httptest.NewRecorder()
	metrics.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
	if text := log.String(); !strings.Contains(text, "Ada") || !strings.Contains(page.Body.String(), "truestep_sessions") {
		t.Fatalf("nothing was logged or counted: %s", text)
	}
	for _, secret := range []string{password, secretOf(password), secretOf(password + "x")} {
		if strings.Contains(log.String(), secret) || strings.Contains(page.Body.String(), secret) {
			t.Errorf("%q was logged or exported", secret)
		}
	}
}
